"""Answers of few digits are within one of the exact optimum, rounded to doubles, and say no more digits than they have.

2 to 8 points at offsets to 10⁹, of scales 10^±6, copies, doubles next to each other, weights 10^±6; each answer is judged
beside the exact optimum itself. Two points alone are drawn as well: their numbers are few, and so are their roundings.
"""

import pytest

from tests.hunt.ceilings import case, examined
from tests.profiles import examples

STEP = 20
# Copies whose multipliers one of them can take up; multipliers of several sizes, which are rounded one by one.
FOUND = ()


def wrong(seeds, **options):
    """Return what is wrong with the cases of seeds, a line of Python for each."""
    found = []
    for seed in seeds:
        given = case(seed, **options)
        words, _ = examined(given)
        if words:
            found.append(f"seed {seed}, {given.kind}: {words}\n    {given.line()}, weights={given.weights}")
    return found


@pytest.mark.parametrize("first", range(0, examples(100), STEP))
def test_no_answer_is_below_its_ceiling_or_says_more_than_it_has(first):
    """Nine digits or one less than the exact optimum, rounded; "optimal" means nine; a refusal has bounds."""
    found = wrong(range(first, first + STEP))
    assert not found, "\n".join(["", *found])


@pytest.mark.parametrize("first", range(0, examples(40), STEP))
def test_two_points_are_no_exception(first):
    """The same of two points."""
    found = wrong(range(first, first + STEP), sizes=(2,))
    assert not found, "\n".join(["", *found])
