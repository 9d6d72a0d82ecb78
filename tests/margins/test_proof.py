"""The proof of a machine, in every arithmetic that the machine may have been solved in."""

from fractions import Fraction as Q

import pytest

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
