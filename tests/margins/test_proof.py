"""The proof of a machine, in every arithmetic that the machine may have been solved in."""

from fractions import Fraction as Q

import pytest

from refclass.kernels.gram import Rows
from refclass.kernels.linear import Linear
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins import proof
from refclass.margins.soft import Machine
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL


@pytest.mark.parametrize("F", [RATIONAL, BINARY64, decimal(20)], ids=lambda F: F.name)
@pytest.mark.parametrize("squared", [False, True])
def test_an_answer_that_is_exactly_right_is_proven_in_every_arithmetic(F, squared):
    """Two points at ±1: α = ½ each, f(x) = x, no violation at all, and one intercept  [ESL-12.14] [ESL-12.16]."""
    one = F.lift(1)
    costs = (2 * one, 2 * one)
    K = Matrix([[one, -one], [-one, one]])
    if squared:
        costs = (one / 4, one / 4)
    alpha = Vector([one / 4, one / 4]) if squared else Vector([one / 2, one / 2])
    machine = Machine(K, Vector([-one, one]), costs, squared, True, True, False)
    c = proof.certify(machine, alpha, 0 * one, eps=F.eps)
    assert c.status == "optimal" and c.gap == c.worst_violation == 0
    assert c.primal == (Q(1, 4) if squared else Q(1, 2)) and c.unique["intercept"] is True


def small(K, costs):
    """A machine of two points in doubles, of labels −1 and 1."""
    return Machine(Matrix(K), Vector([-1.0, 1.0]), costs, False, True, True, True)


def test_roundoff_in_large_multipliers_is_roundoff():
    """α = 5·10¹⁷ each, one of them off by its last digit: Σ αᵢyᵢ = 64 is as near to 0 as doubles come  [ESL-12.10]."""
    machine = small([[1e-18, -1e-18], [-1e-18, 1e-18]], (None, None))
    c = proof.certify(machine, Vector([5e17, 5e17 + 64]), 0.0, eps=BINARY64.eps)
    assert c.where == "sum of alpha·y is 64, not 0" and c.status == "optimal"
    assert proof.certify(machine, Vector([5e17, 5e17 + 1e9]), 0.0, eps=BINARY64.eps).status == "not optimal"


def test_an_answer_off_by_half_a_margin_is_not_called_optimal():
    """However large roundoff is: with f summed from terms of 10¹⁵ a point may seem to be anywhere  [ESL-12.14]."""
    k, d = 2.0**20, 2.0**-30
    machine = small([[k, k], [k, k + d]], (None, None))
    right = proof.certify(machine, Vector([2 / d, 2 / d]), -1.0, eps=BINARY64.eps)
    wrong = proof.certify(machine, Vector([3 / d, 3 / d]), -1.0, eps=BINARY64.eps)
    assert right.status == "optimal" and right.gap == 0
    assert wrong.status == "not optimal" and wrong.where == "point 1: y·f − 1 is 1 where alpha is between 0 and C"


def test_an_answer_worse_than_none_is_not_called_optimal():
    """Copies of both labels: α = C each, β = 0; a multiplier off by a digit in numbers of 10³⁰ is none  [ESL-12.8]."""
    machine = small([[1e30, 1e30], [1e30, 1e30]], (0.01, 0.01))
    right = proof.certify(machine, Vector([0.01, 0.01]), 0.0, eps=BINARY64.eps)
    wrong = proof.certify(machine, Vector([0.01, 0.01 - 2.0**-58]), 0.0, eps=BINARY64.eps)
    assert right.status == "optimal" and right.primal == 2 * Q(0.01)
    assert wrong.status == "not optimal" and wrong.primal > 10**9 * right.primal


def test_a_hyperplane_worse_than_none_is_not_called_optimal():
    """Where slack costs 10⁻²⁰ any β up to 10⁻⁸ is within roundoff of 1, but not of what β = 0 costs  [ESL-12.8]."""
    points = Rows(BINARY64, Linear(), (Vector([-1.0]), Vector([1.0])))
    machine = Machine(points, Vector([-1.0, 1.0]), (1e-20, 1e-20), False, True, True, False)
    right = proof.certify_hyperplane(machine, Vector([2e-20]), 0.0, eps=BINARY64.eps)
    wrong = proof.certify_hyperplane(machine, Vector([1e-8]), 0.0, eps=BINARY64.eps)
    assert right.status == "optimal"
    assert wrong.status == "not optimal" and wrong.primal > 1000 * right.primal
