"""What machines of several classes report is of the functions they deliver: objective, proof, status, verdict."""

import pytest

from refclass.number.binary64 import BINARY64
from refclass.optimise.active_set import crossover
from tests.hunt.own_and_changed import unnoticed, unproven
from tests.hunt.several_classes import case, examined

# Objectives, or proofs, of other functions than those delivered: linear of columns of 10⁶; of coefficients that kept no
# digit of what their multipliers have; of decimals. 942, 1262: values with much in common, beside which differences
# have few digits.
FOUND = [58, 69, 120, 129, 137, 413, 942, 1262]
LONG = [23, 43, 105, 117, 259]


@pytest.mark.parametrize("seed", FOUND)
def test_what_is_reported_is_of_the_functions_delivered(seed):
    """Primal, objective and digits, and those that `verify` computes, agree with a computation in fractions."""
    assert not examined(case(seed)), case(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [137])
def test_a_number_changed_is_noticed(seed):
    """By `verify`, and by the certificate of the changed machine."""
    assert not unnoticed(seed, case) and not unproven(seed, case)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", LONG)
def test_what_is_reported_of_longer_fits_is_of_the_functions_delivered(seed):
    """As above."""
    assert not examined(case(seed)), case(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", [59, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (276, 489))])
def test_small_tables_whose_active_set_doubles_do_not_find_are_solved_in_decimals(seed, monkeypatch):
    """By an interior point method; the active-set method took thousands of steps in decimals of 200 digits."""
    fields, guess = [], crossover.guess
    monkeypatch.setattr(crossover, "guess", lambda p, x, F=BINARY64: fields.append(F.kind) or guess(p, x, F))
    assert not examined(case(seed)), case(seed)
    assert set(fields) == {float}


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 1500, 50))
def test_what_is_reported_of_many_machines_is_of_the_functions_delivered(first):
    """Fifty in each block."""
    found = {seed: words for seed in range(first, first + 50) if (words := examined(case(seed)))}
    assert not found, found


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_a_number_changed_is_noticed_in_many_machines(first):
    """Twenty in each block."""
    every = range(first, first + 20)
    found = {seed: words for seed in every if (words := [*unnoticed(seed, case), *unproven(seed, case)])}
    assert not found, found
