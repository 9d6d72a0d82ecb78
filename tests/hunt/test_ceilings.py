"""Answers of few digits are within one of the exact optimum, rounded to doubles, and say no more than they have.

2 to 8 points at offsets to 10⁹, of scales 10^±6, copies, doubles next to each other, weights 10^±6; each answer is
judged beside the exact optimum itself. Two points alone are drawn as well: their roundings are few.
"""

from dataclasses import replace

import pytest

from refclass.errors import Refusal
from tests.hunt.ceilings import ASKED, SIZES, Weighted, beside, case, examined, machine_of, primal, reported
from tests.profiles import examples, thorough

STEP = 20


def wrong(seeds, **options):
    """Return what is wrong with the cases of seeds, a line of Python for each."""
    found = []
    for seed in seeds:
        given = case(seed, **options)
        words, _ = examined(given)
        if words:
            found.append(f"seed {seed}, {given.kind}: {words}\n    {given.line()}, weights={given.weights}")
    return found


def test_copies_are_rounded_so_that_one_takes_what_the_others_leave():
    """Three copies and three: Newton's method shares a multiplier among copies, whose roundings lost seven digits."""
    near, far = [1e6 - 0.0008, 1e6 + 0.0004, 1e6 - 0.0005], [1e6, 1e6 + 0.0015, 1e6 - 0.0022]
    X = [near, far, near, near, far, near, [1e6 - 0.0006, 1e6 - 0.0005, 1e6 - 0.0003], far]
    y = [1e6, 1030519.15, 1e6, 1e6, 1030418.18, 1031573.17, 1123240.03, 966831.99]
    weights = (1.0, 1.0, 1000.0, 1e-6, 1.0, 1.0, 1e-6, 1.0)
    own = {"C": 1.0, "epsilon": 0, "kernel": "linear", "intercept": False}
    words, digits = examined(Weighted("copies", "svr", own, X, y, 0, weights))
    assert not words and digits >= ASKED


def test_a_bound_that_is_no_double_is_rounded_to_a_multiple_inside_it():
    """10⁴ · 10⁻⁶ as doubles is not 0.01: of three copies whose K is 10²³ only multipliers of sum zero prove digits."""
    point, y = [703.7693730942867, -468.80555898829215], [678.4716685134204, 704.4631112759116, 778.740808998366]
    own = {"C": 1e4, "epsilon": 0, "kernel": {"name": "polynomial", "degree": 4, "c": 0}}
    given = Weighted("copies", "svr", own, [point] * 3, y, 0, (1.0, 1e-6, 1000.0))
    assert given.fit().certificate_.digits >= ASKED


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, examples(60), STEP))
def test_no_answer_is_below_its_ceiling_or_says_more_than_it_has(first):
    """Nine digits or one less than the exact optimum, rounded; "optimal" means nine; a refusal has bounds."""
    found = wrong(range(first, first + STEP))
    assert not found, "\n".join(["", *found])


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, examples(20), STEP))
def test_two_points_are_no_exception(first):
    """The same of two points."""
    found = wrong(range(first, first + STEP), sizes=(2,))
    assert not found, "\n".join(["", *found])


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, examples(20), STEP))
def test_no_double_beside_an_answer_is_better_by_a_digit(first):
    """The ceiling that is stated is one: with any number moved by its last digit no digit is won.

    Of two points, and in the thorough profile of all sizes.
    """
    for seed in range(first, first + STEP):
        given = case(seed, SIZES if thorough() else (2,))
        try:
            estimator = given.fit()
        except Refusal:
            continue
        found = estimator.certificate_
        if found.digits is not None and found.digits < ASKED:
            assert beside(machine_of(given, estimator), estimator) <= found.ceiling + 1, given.line()


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, examples(40), STEP))
def test_the_objective_that_is_proven_is_that_of_the_rounded_coefficients_where_it_is_larger(first):
    """A linear function is delivered twice, by multipliers and by coefficients: the worse is proven, with ==."""
    for seed in range(first, first + STEP):
        given = case(seed)
        if given.lam or given.parameters.get("loss") == "quadratic_epsilon_insensitive":
            continue
        given = replace(given, parameters={**given.parameters, "kernel": "linear"})
        try:
            estimator = given.fit()
        except Refusal:
            continue
        value, _ = primal(given, estimator, reported(estimator))
        assert estimator.certificate_.primal == value, given.line()
