"""What reported coefficients of direct machines cost, on paper."""

from fractions import Fraction

from refclass.oracle import kernel
from refclass.oracle.judging.objectives import SLIP, of_classes

X, Y = [[4, 0], [0, 2], [0, 3]], ["a", "b", "c"]
FITTED = {"coef": [[1, 0], [0, 1], [0, -2]]}  # ‖w‖² is 6, f of the points (4, 0, 0), (0, 2, -4), (0, 3, -6)


def cost(method, **parameters):
    """Return the objective of the functions above, and how much of it may be roundoff."""
    return of_classes(kernel.Problem({"method": method, "x": X, "y": Y, "parameters": parameters}), FITTED)


def test_an_objective_of_crammer_and_singer_is_that_of_paper():
    """Slacks of 0, 0 and 10, and roundoff of twice 1 + 6 moves the last: P = 3 + 10C  [ISML-27.5-soft]."""
    assert cost("crammer_singer", C="1/2") == (8, 7 * SLIP)


def test_hard_margins_that_are_lost_cost_without_bound():
    """A slack of ten leaves no multiple of the functions that keeps the margins  [ISML-27.5-hard]."""
    assert cost("crammer_singer", C="inf") == (None, 0)


def test_an_objective_of_lee_lin_and_wahba_is_that_of_paper():
    """These functions sum to x₁ − x₂, and their mirror image is dearer: of the points (4, −8, −8)/3, (4, 10, −8)/3 and
    (2, 5, −4), with slacks of 11/6, 5/2 and 11/2: P = 3λ + 59/18; roundoff may move them by 10, 14, 14  [MMST-11.77].
    """
    assert cost("lee_lin_wahba", penalty="1/4") == (Fraction(145, 36), Fraction(38, 3) * SLIP)


def test_costs_of_errors_multiply_slacks():
    """That of the second point costs twice as much: P = 3 + (11/3 + 8)/3."""
    costs = [[0, 1, 1], [2, 0, 1], [1, 1, 0]]
    assert cost("lee_lin_wahba", costs=costs) == (Fraction(62, 9), 16 * SLIP)


def test_objectives_of_machines_of_pairs_are_judged_elsewhere():
    """Machine by machine."""
    assert cost("svc") is None
