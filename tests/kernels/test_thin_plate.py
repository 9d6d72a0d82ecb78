"""The thin-plate spline function."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.matrices.gram import gram
from refclass.kernels.matrices.mercer import judge
from refclass.kernels.thin_plate import ThinPlate
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.tolerance import near

D = decimal(40)


def test_its_value_is_zero_at_distances_zero_and_sigma():
    """(r/σ)² log(r/σ) is 0 at r = 0 and at r = σ, negative between, positive beyond  [MMST-T11.1]."""
    row = ThinPlate(2.0).row(BINARY64, Vector([0.0]), [Vector([r]) for r in (0.0, 1.0, 2.0, 6.0)])
    assert row[0] == row[2] == 0 and row[1] < 0 and near(BINARY64, row[3], 9 * BINARY64.log(3.0), steps=3)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=6, unique=True))
def test_it_is_no_mercer_kernel(places):
    """Two distinct points not σ apart are enough for a negative eigenvalue: the trace is zero  [K-TPS.P1]
    [ERR-MMST-13]."""
    X = [Vector([D.lift(i), D.lift(j)]) for i, j in places]
    verdict = judge(gram(D, ThinPlate(D.lift("1.5")), X))
    assert not verdict.semidefinite and verdict.value < 0


def test_it_breaks_the_cauchy_schwarz_inequality():
    """K(x, x) = 0 but K(x, z) ≠ 0: no feature map can have it  [K-SYM-CS.P1] [MMST-11.3.3-symmetric]."""
    k, x, z = ThinPlate(2.0), Vector([0.0]), Vector([1.0])
    assert k(BINARY64, x, z) ** 2 > 0 == k(BINARY64, x, x) * k(BINARY64, z, z)


def test_on_differences_alone_it_is_not_positive():
    """Σuᵢ = 0 does not suffice: for 0, 1, 2 on a line u = (1, −2, 1) is a contrast, for 0, 1 u = (1, −1) is not
    [K-TPS.P2]."""
    k = ThinPlate(0.5)
    X = Matrix([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    two, three = Vector([1.0, -1.0, 0.0]), Vector([1.0, -2.0, 1.0])
    K = gram(BINARY64, k, X)
    assert two @ (K @ two) < 0 < three @ (K @ three)


def test_its_value_at_zero_is_not_one():
    """k(0) = 0: stationary, but not scaled as MMST requires of isotropic kernels  [K-STATIONARY.P1]
    [MMST-11.3.4-stationary]."""
    assert ThinPlate(1.0)(BINARY64, Vector([3.0]), Vector([3.0])) == 0


@pytest.mark.parametrize("sigma", [0, -1])
def test_a_scale_that_is_not_positive_is_refused(sigma):
    """σ must be > 0."""
    with pytest.raises(InvalidInput, match="thin_plate: need sigma > 0"):
        ThinPlate(sigma)
