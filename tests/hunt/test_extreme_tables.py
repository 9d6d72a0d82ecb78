"""What is answered of tables at the ends of what numbers hold is right, or refused in a line.

`table`: discriminants and comparators, weights of 10^±200, denormal and long numbers, near copies, points far away.
`mixed_rows`: what is predicted follows from the rounded mixture, to the digits that doubles hold of it.
`moved`: offsets of 0 to 10^12, spreads of 10^-6 to 10^6.
"""

import pytest

from tests.hunt.extreme_tables import mixed_rows, moved, table, wrong

FOUND = [*range(8), 554, 600, 622, 20029, 20099, 20385, 20481, 20534, 20615, 20653, 20797, 20994, 21030, 21297]
FOUND += [20767, 22211, 22232, 22595, 50327, 71225, 71299, 72241, 72315]
FEW = [
    *((table, seed) for seed in FOUND),
    pytest.param(table, 20090, marks=pytest.mark.thorough),
    (mixed_rows, 5),
    (mixed_rows, 11),
    *((moved, seed) for seed in (0, 1, 2, 3, 70059)),
]
MANY = [*((table, 25 * block) for block in range(12)), *((mixed_rows, 20 * block) for block in range(10))]
MANY += [(moved, 25 * block) for block in range(4, 12)]


@pytest.mark.many
@pytest.mark.parametrize(("make", "seed"), FEW)
def test_answers_to_extreme_tables_are_verified(make, seed):
    """Those in which faults were found, and the first of each kind."""
    given = make(seed)
    assert not wrong(given), given


@pytest.mark.thorough
@pytest.mark.parametrize(("make", "first"), MANY)
def test_answers_to_many_extreme_tables_are_verified(make, first):
    """Twenty-five in each block, twenty of mixtures."""
    seeds = range(first, first + (20 if make is mixed_rows else 25))
    found = {seed: words for seed in seeds if (words := wrong(make(seed)))}
    assert not found, found
