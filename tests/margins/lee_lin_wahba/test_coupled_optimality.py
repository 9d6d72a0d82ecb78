"""What the optimality conditions say of a Lee–Lin–Wahba fit."""

from fractions import Fraction as Q

import pytest

from refclass import LeeLinWahbaSVC
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate
from refclass.margins.lee_lin_wahba.coupled_optimality import optimality

X = [[0, 0], [1, 0], [0, 2], [2, 2], [3, 1], [1, 1], [4, 0], [0, 1]]
Y = list("abcabcab")


@pytest.mark.parametrize("kernel", ["linear", {"name": "polynomial", "degree": 2, "c": 1}])
def test_an_exact_fit_meets_its_conditions(kernel):
    """Residuals and derivatives are zero, the Lagrangian lies between equal objectives, functions sum to zero
    [MMST-11.76] [MMST-11.82] [MMST-11.85] [MMST-11.92] [MMST-11.96] [MMST-11.97] [MMST-11.98] [MMST-11.99]."""
    model = LeeLinWahbaSVC(penalty="1/4", kernel=kernel, arithmetic="exact").fit(X, Y)
    found = model.conditions()
    assert not any(found.residuals.values()) and not any(found.zero_sums)
    bias, left_over, slack = found.derivatives
    assert not any(bias) and not any(v for own in (*left_over, *slack) for v in own)
    assert found.primal == found.dual == found.lagrangian == len(X) * model.objective_
    beta, beta0 = found.last
    assert [list(beta), beta0] == [[row[-1] for row in model.coefficients_], model.intercept_[-1]]
    wrong = sum(v for k, own in zip("abc", found.slacks) for v, label in zip(own, Y) if label != k)
    assert found.primal - sum(found.squared_norms) * len(X) * Q(1, 8) == wrong


def test_a_float_fit_shows_how_far_it_is_from_its_conditions():
    """In doubles the residuals are near zero, and those of other multipliers are not  [MMST-11.102]."""
    found = LeeLinWahbaSVC(penalty=0.25).fit(X, Y).conditions()
    assert all(v < Q(1, 10**9) for v in found.residuals.values())
    moved = LeeLinWahbaSVC(penalty=0.25)
    machine, alpha = moved.machine(X, Y)[0], tuple([Vector([Q(0)] * 8) for _ in range(3)])
    far = optimality(certificate.rationally(machine), alpha, Vector([Q(0)] * 3))
    assert far.residuals["margin multiplier"] == 0 < far.residuals["slack multiplier"]
