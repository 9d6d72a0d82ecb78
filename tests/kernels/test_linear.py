"""The linear kernel."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.linear.factorisations.elimination import rank
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.strategies import fractions, matrices, vectors


@given(st.integers(1, 5).flatmap(lambda n: matrices(n, 2)))
def test_the_gram_matrix_is_x_times_its_transpose(X):
    """K = XXᵀ, of rank at most the number of variables  [K-LIN.P1] [MMST-11.52]."""
    K = gram(RATIONAL, Linear(), X)
    assert K == X @ X.T and rank(RATIONAL, K) <= 2


@given(vectors(3), vectors(3))
def test_it_is_the_product_of_the_norms_and_the_cosine(x, z):
    """⟨x, z⟩ = ‖x‖‖z‖ cos θ, with cos θ by the law of cosines: ‖x − z‖² = ‖x‖² + ‖z‖² − 2⟨x, z⟩  [K-LIN.P2]."""
    k = Linear()
    opposite = x - z
    twice = k(RATIONAL, x, x) + k(RATIONAL, z, z) - k(RATIONAL, opposite, opposite)
    assert k(RATIONAL, x, z) == twice / 2


@given(vectors(3), vectors(3), fractions)
def test_scaling_a_point_scales_it(x, z, c):
    """K(cx, z) = cK(x, z): a long vector counts as similar to everything in its direction  [K-LIN.P2]."""
    assert Linear()(RATIONAL, c * x, z) == c * Linear()(RATIONAL, x, z)


def test_direction_alone_can_mislead():
    """(1, 1) and (9, 9) have cosine 1 though they lie far apart, and (1, 1) and (1, 0.5), near it, less  [K-LIN.P2]."""
    x, far, close = (Vector(map(Fraction, v)) for v in ((1, 1), (9, 9), (1, Fraction(1, 2))))

    def squared_cosine(a, b):
        k = Linear()
        return k(RATIONAL, a, b) ** 2 / (k(RATIONAL, a, a) * k(RATIONAL, b, b))

    assert squared_cosine(x, far) == 1 > squared_cosine(x, close) == Fraction(9, 10)


def test_doubles_are_rounded_once_or_so():
    """In doubles the value is the exact one up to roundoff, also in more variables than are written out."""
    x, z = Vector([0.1] * 7), Vector([0.3] * 7)
    assert near(BINARY64, Linear()(BINARY64, x, z), 0.21, steps=7)
