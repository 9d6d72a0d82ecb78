"""What reported coefficients of direct machines cost, on paper."""

from fractions import Fraction

import pytest

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


def test_an_objective_of_lee_lin_and_wahba_is_that_of_paper():
    """Slacks of ½ four times and 3½: P = 3λ + 5½/3; roundoff may move them by 10, 10, 10, 14, 14  [MMST-11.77]."""
    assert cost("lee_lin_wahba", penalty="1/4") == (Fraction(31, 12), Fraction(58, 3) * SLIP)


@pytest.mark.parametrize(
    "method, parameters",
    [("svc", {}), ("lee_lin_wahba", {"costs": [[0, 1, 1], [2, 0, 1], [1, 1, 0]]}), ("crammer_singer", {"C": "inf"})],
)
def test_other_objectives_are_judged_elsewhere(method, parameters):
    """Machines of pairs, costs of errors and hard margins have other objectives."""
    assert cost(method, **parameters) is None
