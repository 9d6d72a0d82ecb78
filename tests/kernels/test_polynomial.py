"""The polynomial kernel."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.spaces.features import dimension
from refclass.linear.factorisations.elimination import rank
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.numbers import COUNTED, Counted, counting
from tests.strategies import positive, vectors

degrees = st.integers(1, 5)


@given(vectors(3), vectors(3), degrees, positive)
def test_the_constant_is_a_scale_of_the_inner_product(x, z, d, c):
    """(⟨x, z⟩ + c)^d = c^d (1 + ⟨x, z⟩/c)^d  [K-POLY.P3] [MMST-11.55]."""
    inner = Linear()(RATIONAL, x, z)
    assert Polynomial(d, c)(RATIONAL, x, z) == c**d * (1 + inner / c) ** d


@given(vectors(3), vectors(3), degrees)
def test_the_homogeneous_kernel_is_odd_or_even_as_its_degree(x, z, d):
    """With c = 0, K(−x, z) = (−1)^d K(x, z)  [K-POLYH.P3]."""
    k = Polynomial(d, 0)
    assert k(RATIONAL, -x, z) == (-1) ** d * k(RATIONAL, x, z)


@given(vectors(2), vectors(2), degrees, positive)
def test_a_scale_is_a_power_of_itself_times_the_homogeneous_kernel(x, z, d, s):
    """(γ⟨x, z⟩)^d = γ^d ⟨x, z⟩^d, as in Kim's cubic with γ = ½  [K-POLYG.P1] [ERR-KIM-31] [KIM-4.2-cubic]."""
    assert Polynomial(d, 0, s)(RATIONAL, x, z) == s**d * Polynomial(d, 0)(RATIONAL, x, z)


@pytest.mark.parametrize("p, d, c", [(1, 4, 1), (2, 2, 1), (2, 2, 0), (2, 3, 0), (3, 2, 2), (3, 2, 0)])
def test_the_rank_of_a_gram_matrix_attains_the_number_of_features(p, d, c):
    """On enough points in general position the rank is binomial(p + d, d), for c = 0 binomial(p + d − 1, d)
    [MAP-DIM.P3] [K-POLYH.P2] [MMST-11.3.4-dimension]."""
    M = dimension(p, d, homogeneous=c == 0)
    X = Matrix([[Fraction((7 * i * i + 3 * i * j + 5 * j) % 11 - 5) for j in range(p)] for i in range(M + 4)])
    assert rank(RATIONAL, gram(RATIONAL, Polynomial(d, c), X)) == M


@given(vectors(3), vectors(3))
def test_degree_two_gives_every_feature_its_fixed_weight(x, z):
    """(1 + ⟨x, z⟩)² = 1 + 2Σxⱼzⱼ + Σ(xⱼzⱼ)² + 2Σ_(i<j) xᵢzᵢxⱼzⱼ: no coordinate can be favoured
    [K-PARTIAL-ADAPT.P1] [YANG-curse-kernel] [M-CURSE]."""
    t = x.times(z)
    pairs = sum(t[i] * t[j] for j in range(3) for i in range(j))
    assert Polynomial(2, 1)(RATIONAL, x, z) == 1 + 2 * t.sum() + t @ t + 2 * pairs


def test_it_is_not_stationary():
    """Shifting both points by 1 takes (0 + 1)² to (1 + 1)²  [K-STATIONARY.P1] [MMST-11.3.4-stationary]."""
    zero, one = Vector([Fraction(0)]), Vector([Fraction(1)])
    k = Polynomial(2, 1)
    assert k(RATIONAL, zero, zero) == 1 and k(RATIONAL, one, one) == 4


def test_defaults_are_degree_three_and_the_constant_one():
    """With no parameters it is (1 + ⟨x, z⟩)³, ESL's form  [ESL-12.22] [YANG-kernels] [ISML-27.4-polynomial]
    [KIM-3.4-polynomial]."""
    assert Polynomial()(RATIONAL, Vector([Fraction(2)]), Vector([Fraction(3)])) == 7**3


@pytest.mark.parametrize("wrong", [{"degree": 0}, {"degree": 2.0}, {"degree": True}, {"c": -1}, {"scale": 0}])
def test_parameters_that_make_no_kernel_are_refused(wrong):
    """A degree that is no integer ≥ 1, c < 0 and s ≤ 0 are refused in one line."""
    with pytest.raises(InvalidInput, match="polynomial: need"):
        Polynomial(**wrong)


def test_a_value_beyond_the_doubles_is_refused():
    """(10²⁰⁰)² is no double, and is refused rather than returned as infinite."""
    with pytest.raises(InvalidInput, match="range of doubles"):
        Polynomial(2, 0.0, 1.0)(BINARY64, Vector([1e100]), Vector([1e100]))


def test_cost_is_as_stated():
    """p + 1 multiplications, and d − 1 in the power."""
    x = Vector(map(Counted, range(4)))
    with counting() as c:
        Polynomial(3, Counted(1), Counted(2))(COUNTED, x, x)
    assert c.multiply == (4 + 1) + 2
