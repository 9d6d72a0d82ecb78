"""Statements of the documents about kernels beside their formulas, and their errors."""

from fractions import Fraction as Q

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass import SVC
from refclass.kernels.combine import Normalised
from refclass.kernels.dirichlet import Dirichlet
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.laplacian import Laplacian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.kernels.matrices.mercer import judge
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.sigmoid import Sigmoid
from refclass.kernels.spaces import features
from refclass.kernels.spaces.rkhs import projected, section, squared_norm
from refclass.kernels.string import String
from refclass.kernels.thin_plate import ThinPlate
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.profiles import examples
from tests.strategies import positive, vectors

D = decimal(40)
few = settings(max_examples=examples(25))
TRIANGLES = st.sampled_from([(3, 4), (5, -12), (-8, 15), (-7, -24), (0, 2), (-6, 0)])  # of rational length


@given(TRIANGLES, TRIANGLES, positive, positive)
def test_an_inner_product_is_the_product_of_the_lengths_and_the_cosine(a, b, s, t):
    """⟨x, z⟩ = ‖x‖‖z‖ cos θ, cos θ the normalised linear kernel: by the difference of the two angles, and whatever the
    lengths, one for the same direction and −1 for the opposite one  [K-LIN.P2] [KIM-3.2-cosine]."""
    k, cosine = Linear(), Normalised(Linear())
    x, z = Vector([s * v for v in a]), Vector([t * v for v in b])
    lengths = [RATIONAL.sqrt(k(RATIONAL, v, v)) for v in (x, z)]
    value = cosine(RATIONAL, x, z)
    assert k(RATIONAL, x, z) == lengths[0] * lengths[1] * value
    directions = [Vector(v) / n for v, n in zip((x, z), lengths)]
    (c, d), (u, v) = directions
    assert value == c * u + d * v and value**2 + (c * v - d * u) ** 2 == 1  # cos and sin of the difference
    assert cosine(RATIONAL, x, 3 * x) == 1 == -cosine(RATIONAL, x, -x)


@few
@given(vectors(2), vectors(2), st.integers(1, 4))
def test_a_polynomial_kernel_has_two_arguments(x, z, d):
    """(⟨x, x⟩ + c)^d, as printed, is K(x, x): a function of one point, whose table is not symmetric
    [ERR-KIM-23] [KIM-3.4-polynomial]."""
    k = Polynomial(d, Q(1))
    assume(x @ x != z @ z)
    printed = Matrix([[(u @ u + 1) ** d for _ in (x, z)] for u in (x, z)])
    table = gram(RATIONAL, k, (x, z))
    assert printed != printed.T and table == table.T and printed.diagonal() == table.diagonal()


def test_one_positive_table_says_nothing_of_other_points():
    """On (2, 3) and (3, −2) the sigmoid has a positive definite matrix, with the origin one with a negative eigenvalue:
    a matrix settles a finite set of points, not a space of finite dimension  [ERR-MMST-21] [MMST-Ex11.10]
    [EX-MMST-11.10] [K-GRAM-PSD.P2]."""
    k = Sigmoid(D.lift("0.1"), D.lift("-0.4"))
    X = [Vector(map(D.lift, x)) for x in ((2, 3), (3, -2), (0, 0))]
    assert judge(gram(D, k, X[:2])).definite and not judge(gram(D, k, X)).semidefinite


@few
@given(st.text("abc", min_size=1, max_size=6), st.sampled_from([Q(1, 2), Q(2, 3)]))
def test_a_string_as_long_as_its_subsequences_has_one_feature(s, decay):
    """For |s| = m there is one subsequence, s itself, with the weight λ^m: the map is for strings of any length
    [ERR-MMST-29] [MMST-11.58]."""
    assert features.subsequences(String(len(s), decay), s) == {s: decay ** len(s)}
    longer = features.subsequences(String(len(s), decay), s + "dd")
    assert longer[s] == decay ** len(s) and len(longer) > 1


def test_the_degrees_of_the_orange_are_not_its_dimensions():
    """Of degree 2, 5, 10 in four variables a polynomial kernel has 15, 126, 1001 features, not 2, 5, 10
    [ERR-ESL-16] [MMST-11.3.4-dimension]."""
    assert [features.dimension(4, d) for d in (2, 5, 10)] == [15, 126, 1001]


@few
@given(vectors(2), st.lists(vectors(2), min_size=1, max_size=3, unique=True))
def test_the_span_of_the_points_is_not_the_whole_space(x, X):
    """K(x, ·) belongs to the space of the kernel, but to the span of the K(xᵢ, ·) only if nothing is left of it: f∥ is
    the projection onto the span, and h⊥ is orthogonal to the span  [ERR-MMST-18] [MMST-11.69]."""
    k = Polynomial(3, Q(1))
    assume(judge(gram(RATIONAL, k, [*X, x])).definite)
    f = section(RATIONAL, k, x)
    part = projected(RATIONAL, f, X)
    rest = squared_norm(RATIONAL, f) - squared_norm(RATIONAL, part)
    assert rest > 0 and squared_norm(RATIONAL, f + -part) == rest
    assert projected(RATIONAL, f, [*X, x])(RATIONAL, x) == f(RATIONAL, x)


@few
@given(st.integers(-300, 300).filter(bool))
def test_one_wave_is_a_quotient_of_sines(delta):
    """m = 1: ½ + cos δ = sin(3δ/2)/(2 sin(δ/2))  [M-X4] [EX-MMST-11.7] [K-DIRICHLET.P1]."""
    d = D.lift(delta) / 100
    value = Dirichlet(1)(D, Vector([d]), Vector([D.lift(0)]))
    assert value == D.lift("0.5") + D.cos(d)
    assert near(D, 2 * D.sin(d / 2) * value, D.sin(3 * d / 2), scale=D.lift(1), steps=20)


@pytest.mark.parametrize("k, top", [(Gaussian(0.7), 1), (Laplacian(1.5), 1), (ThinPlate(1.5), 0)])
def test_isotropic_kernels_are_functions_of_the_distance(k, top):
    """K(x, z) = k(‖x − z‖), with k(0) = 1 but for the thin plate; the linear kernel is none
    [K-ISOTROPIC] [K-STATIONARY.P1] [MMST-11.3.4-stationary] [M-MMST-T11.1]."""
    zero, points = Vector([0.0, 0.0]), [Vector(v) for v in ([3.0, 4.0], [-5.0, 0.0], [0.0, 5.0])]
    assert k(BINARY64, zero, zero) == top and len(set(k.row(BINARY64, zero, points))) == 1
    moved = [k(BINARY64, p + points[0], points[0]) for p in points]
    assert set(moved) == set(k.row(BINARY64, zero, points))
    assert len({Linear()(BINARY64, p + points[0], points[0]) for p in points}) > 1


def test_a_machine_with_another_kernel_has_no_vector_of_weights():
    """Σαᵢyᵢxᵢ is the weight vector of a linear kernel only: a cubic machine's f is not affine, so no w has f = xᵀw + b,
    and the one made of its multipliers says something else  [ERR-KIM-30] [KIM-3.73]."""
    X, y = [[0, 0], [1, 2], [2, 1], [-1, 1], [1, -1], [3, 3]], [0, 1, 1, 0, 0, 1]
    cubic = SVC(kernel={"name": "polynomial", "degree": 3, "c": 0, "scale": Q(1, 2)}, C=10, arithmetic="exact").fit(
        X, y
    )
    a, b, middle = cubic.decision_function([[0, 2], [4, 0], [2, 1]])
    assert a + b != 2 * middle and not hasattr(cubic, "coef_")
    w = [sum(c * X[i][j] for c, i in zip(cubic.dual_coef_[0], cubic.support_)) for j in range(2)]
    f = cubic.decision_function(X)
    assert [sum(u * v for u, v in zip(w, x)) + cubic.intercept_[0] for x in X] != f
    linear = SVC(C=10, arithmetic="exact").fit(X, y)
    w = [sum(c * X[i][j] for c, i in zip(linear.dual_coef_[0], linear.support_)) for j in range(2)]
    assert linear.coef_ == [w]
