"""Newton's equations of several classes: what is solved meets them, coupled at each point or summing to zero."""

from random import Random

import pytest

from refclass.linear.factorisations.lower_triangle import Cholesky
from refclass.number.binary64 import BINARY64
from refclass.optimise.multiclass.newton_equations import FAINT, Coupled, Points, ZeroSum, moved, norm

R = Random(3)
Z = [[R.gauss(0, 1) for _ in range(3)] for _ in range(9)]


def side(size, classes=3):
    """A right side of so many numbers for each class."""
    return [[R.gauss(0, 1) for _ in range(size)] for _ in range(classes)]


def shares():
    """Probabilities of three classes at nine points, class by class."""
    rows = [[R.random() for _ in range(3)] for _ in Z]
    return [list(own) for own in zip(*[[v / sum(row) for v in row] for row in rows])]


@pytest.mark.parametrize("intercept", [False, True])
def test_coupled_equations_are_solved(intercept):
    """The left side at the solution is the right side, which with intercepts sums to zero as a gradient does
    [ESL-12.3.8-multinomial]."""
    points, p = Points(Z, intercept), shares()
    system = Coupled(points, 0.5, p, p)
    r = side(points.size)
    mean = [sum(column) / 3 for column in zip(*r)]
    r = [[a - m for a, m in zip(own, mean)] for own in r]
    assert norm(moved(system.apply(system.refined(r)), -1.0, r)) < 1e-13


def test_equations_of_functions_that_sum_to_zero_are_solved():
    """The left sides differ from the right sides by what all classes share [MMST-11.76]."""
    points = Points(Z, True)
    system = ZeroSum(points, 0.5, [[R.random() for _ in Z] for _ in range(3)])
    r = side(points.size)
    x = system.refined(r)
    assert max(abs(sum(column)) for column in zip(*x)) < 1e-13
    left = moved(system.apply(x), -1.0, r)
    assert max(max(column) - min(column) for column in zip(*left)) < 1e-12


def test_the_factor_solves_and_sets_unknowns_of_null_pivots_to_zero():
    """A x = b for a definite A; of a singular one some solution [ESL-12.43]."""
    assert Cholesky(BINARY64, [[4.0], [2.0, 10.0]], FAINT).solve([8.0, 22.0]) == pytest.approx([1.0, 2.0], abs=1e-15)
    inverse = Cholesky(BINARY64, [[4.0], [2.0, 10.0]], FAINT).inverse()
    assert [v for row in inverse for v in row] == pytest.approx([10 / 36, -2 / 36, 4 / 36], abs=1e-15)
    assert Cholesky(BINARY64, [[1.0], [1.0, 1.0]], FAINT).inverse() == [[1.0], [0.0, 0.0]]
    assert Cholesky(BINARY64, [[1.0], [1.0, 1.0]], FAINT).solve([2.0, 2.0]) == [2.0, 0.0]
