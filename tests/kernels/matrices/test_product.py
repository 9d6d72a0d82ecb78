"""Gram matrix times vector, exactly, in whatever form the matrix comes."""

from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.kernels.linear import Linear
from refclass.kernels.matrices import product
from refclass.kernels.matrices.gram import Rows, gram
from refclass.kernels.polynomial import Polynomial
from refclass.linear.common_denominator import Scaled
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.strategies import fractions, matrices

KERNELS = [Linear(), Polynomial(2, Q(1), Q(1))]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: type(k).__name__)
@given(X=matrices(4, 2), a=st.lists(fractions, min_size=4, max_size=4))
def test_the_product_is_that_of_the_matrix(kernel, X, a):
    """Rows on demand, a linear kernel's points, or the matrix itself: K a with ==  [ESL-12.10] [ESL-12.39]."""
    K = gram(RATIONAL, kernel, X)
    assert product.exact_product(K, a) == K @ Vector(a)
    assert product.exact_product(Rows(RATIONAL, kernel, X), a) == K @ Vector(a)
    both = product.scaled_products(Rows(RATIONAL, kernel, X), [Scaled.of(a), Scaled.zeros(4)])
    assert [v.fractions() for v in both] == [list(K @ Vector(a)), [0] * 4]


def test_doubles_are_taken_at_their_exact_worth():
    """0.1 is the rational that the machine holds."""
    X = Matrix([[0.1], [0.3]])
    K = Rows(BINARY64, Linear(), X)
    exact = [Q(0.1) * Q(0.1) + Q(0.1) * Q(0.3) / 2, Q(0.3) * Q(0.1) + Q(0.3) * Q(0.3) / 2]
    assert list(product.exact_product(K, [Q(1), Q(1, 2)])) == exact


def test_no_multipliers_make_zeros():
    """Nothing to sum: n zeros, and no row is asked for."""
    for kernel in KERNELS:
        K = Rows(RATIONAL, kernel, Matrix([[Q(1)], [Q(2)], [Q(5)]]))
        assert list(product.exact_product(K, [Q(0)] * 3)) == [0, 0, 0]
    assert product.linear_points(K) is None


def test_points_are_known_for_a_linear_kernel_only():
    """A matrix has none, whatever it was made of."""
    X = Matrix([[Q(1)], [Q(2)]])
    assert product.linear_points(Rows(RATIONAL, Linear(), X)) is X
    assert product.linear_points(gram(RATIONAL, Linear(), X)) is None
