"""The sigmoid function used as a kernel."""

import pytest

from refclass.kernels.matrices.gram import gram
from refclass.kernels.matrices.mercer import judge
from refclass.kernels.sigmoid import Sigmoid
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal

D = decimal(40)
X = Matrix([[D.lift(i), D.lift(j)] for i, j in ((0, 0), (1, 0), (0, 1), (2, 3), (-1, 2))])


@pytest.mark.parametrize("b", [1, -1])
def test_it_is_not_positive_semidefinite(b):
    """With b = 1 and with b = −1 there are Gram matrices with a negative eigenvalue  [K-SIGMOID.P1] [ERR-ESL-11]
    [ESL-12.22] [YANG-kernels]."""
    verdict = judge(gram(D, Sigmoid(D.lift(1), D.lift(b)), X))
    assert not verdict.semidefinite and verdict.value < 0


def test_a_negative_shift_fails_at_the_origin():
    """K(0, 0) = tanh b < 0 for b < 0: one point is enough  [K-SIGMOID.P1] [ERR-ESL-11]."""
    zero = Vector([0.0, 0.0])
    assert Sigmoid(1.0, -1.0)(BINARY64, zero, zero) < 0


def test_for_some_parameters_and_points_it_is_positive():
    """With a = 0.1, b = 0.5 the Gram matrix of three points is positive definite: for certain values, as MMST says
    [K-SIGMOID.P2] [MMST-T11.1]."""
    few = Matrix([[D.lift(1), D.lift(0)], [D.lift(0), D.lift(1)], [D.lift(1), D.lift(1)]])
    assert judge(gram(D, Sigmoid(D.lift("0.1"), D.lift("0.5")), few)).definite


def test_it_breaks_the_cauchy_schwarz_inequality():
    """K(x, z)² > K(x, x) K(z, z) at x = 0, z = (2, 3) with b = −1: no feature map can have it  [K-SYM-CS.P1]."""
    k, x, z = Sigmoid(1.0, -1.0), Vector([0.0, 0.0]), Vector([2.0, 3.0])
    assert k(BINARY64, x, z) ** 2 > k(BINARY64, x, x) * k(BINARY64, z, z)
