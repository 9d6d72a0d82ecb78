"""What reported coefficients of direct machines cost, on paper."""

import math
from fractions import Fraction

from refclass.oracle import kernel
from refclass.oracle.judging.objectives import SLIP, of_classes, of_deviance

X, Y = [[4, 0], [0, 2], [0, 3]], ["a", "b", "c"]
COEF = [[1, 0], [0, 1], [-1, -1]]  # Σ‖w‖² is 4, f of the points (4, 0, -4), (0, 2, -2), (0, 3, -3)


def cost(method, coef=COEF, **parameters):
    """Return the objective of functions, and how much of it may be roundoff."""
    return of_classes(kernel.Problem({"method": method, "x": X, "y": Y, "parameters": parameters}), {"coef": coef})


def test_an_objective_of_crammer_and_singer_is_that_of_paper():
    """Slacks of 0, 0 and 7, and roundoff of twice 1 + 3 moves the last: P = 2 + 7C; no hard margin is kept
    [ISML-27.5-soft]."""
    assert cost("crammer_singer", C="1/2") == (Fraction(11, 2), 4 * SLIP)
    assert cost("crammer_singer", C="inf") == (None, 0) and cost("svc") is None


def test_an_objective_of_lee_lin_and_wahba_is_that_of_paper():
    """Slacks of ½ three times and 3½: P = 2λ + 5/3; roundoff may move them by 10, 6, 8 and 8; an error of the second
    class may cost twice as much  [MMST-11.77]."""
    assert cost("lee_lin_wahba", penalty="1/4") == (Fraction(13, 6), Fraction(32, 3) * SLIP)
    table = [[0, 1, 1], [2, 0, 1], [1, 1, 0]]
    assert cost("lee_lin_wahba", penalty="1/4", costs=table) == (Fraction(7, 3), Fraction(38, 3) * SLIP)


def test_functions_that_do_not_sum_to_zero_cost_what_is_more_of_them_and_their_mirror():
    """f = (4, 0, 0), (0, 2, −4), (0, 3, −6) less twice its means: slacks of 11/6, 2½ and 5½ for 5½  [MMST-11.77]."""
    found, _ = cost("lee_lin_wahba", [[1, 0], [0, 1], [0, -2]], penalty="1/4")
    assert found == Fraction(3, 4) + Fraction(59, 18)


def test_half_the_penalty_times_the_square_is_in_the_objective_of_a_deviance():
    """Points at the origin have the same loss whatever β is: β = 2 costs 2λ more than none; two points log 2 each
    [ESL-12.3.8-multinomial]."""
    given = {"method": "kernel_classifier", "x": [[0], [0]], "y": ["a", "b"]}
    own = kernel.Problem({**given, "parameters": {"loss": "deviance", "penalty": "1/3"}})
    (less, _), (more, _) = (of_deviance(own, {"coef": [[beta]]}) for beta in (0, 2))
    assert more - less == Fraction(2, 3) and abs(float(less) - 2 * math.log(2)) < 1e-15
