"""The algebra of kernels."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.combine import Exponential, Form, Mapped, Normalised, Product, Scaled, Series, Sum, Weighted
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.kernel import kernel
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.kernels.matrices.mercer import judge
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.precomputed import Precomputed
from refclass.kernels.spaces import features
from refclass.kernels.spline import Spline
from refclass.kernels.string import String
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.sample import data
from tests.profiles import examples
from tests.strategies import integers, matrices, positive, semidefinite, vectors

D = decimal(60)
clouds = st.integers(1, 4).flatmap(lambda n: matrices(n, 2, integers.map(Fraction)))
few = settings(max_examples=examples(20))
ONE, TWO = Linear(), Polynomial(2)


def half_of_the_first(F, x):
    return x[0] / 2 - 1


def swapped(F, x):
    return Vector([x[1], x[0] * x[1], x[0] * x[0]])


@few
@given(clouds, positive)
def test_a_positive_multiple_is_a_kernel(X, c):
    """c k₁ is positive semidefinite for c > 0, and its Gram matrix is c times k₁'s
    [K-CLOSURE.P1] [K-CLOSURE.a] [TH-KIM-3.4.4] [KIM-3.62]."""
    K = gram(RATIONAL, Scaled(c, TWO), X)
    assert judge(K).semidefinite and c * gram(RATIONAL, TWO, X) == K


def test_nothing_times_a_kernel_is_a_kernel():
    """c = 0 is allowed: all zeros are positive semidefinite, as MMST's c₁, c₂ ≥ 0 have it  [K-CLOSURE.a] [TH-KIM-3.4.4]
    [MMST-Ex11.9a]."""
    K = gram(RATIONAL, Scaled(Fraction(0), TWO), X)
    assert Matrix.zeros(3, 3, Fraction) == K and judge(K).semidefinite


@few
@given(clouds)
def test_a_sum_is_a_kernel(X):
    """k₁ + k₂ is positive semidefinite; its features are both families side by side
    [K-CLOSURE.P1] [K-CLOSURE.b] [TH-KIM-3.4.4] [KIM-3.63] [MMST-Ex11.9a] [EX-MMST-11.9]."""
    K = gram(RATIONAL, Sum(ONE, TWO), X)
    assert judge(K).semidefinite and gram(RATIONAL, ONE, X) + gram(RATIONAL, TWO, X) == K


@few
@given(clouds)
def test_a_product_is_a_kernel(X):
    """k₁k₂ is positive semidefinite  [K-CLOSURE.P1] [K-CLOSURE.c]
    [TH-KIM-3.4.4] [KIM-3.64] [MMST-Ex11.9b] [EX-MMST-11.9]."""
    assert judge(gram(RATIONAL, Product(ONE, TWO), X)).semidefinite


@few
@given(clouds)
def test_a_conformal_factor_keeps_a_kernel(X):
    """f(x) k₁(x, z) f(z) is positive semidefinite for any f, here one of both signs
    [K-CLOSURE.P1] [K-CLOSURE.d] [TH-KIM-3.4.4] [KIM-3.65]."""
    f = Matrix.diagonal_of([half_of_the_first(RATIONAL, x) for x in X])
    K = gram(RATIONAL, Weighted(half_of_the_first, TWO), X)
    assert judge(K).semidefinite and f @ gram(RATIONAL, TWO, X) @ f == K


@few
@given(clouds, st.lists(positive, min_size=1, max_size=4))
def test_a_polynomial_of_a_kernel_is_a_kernel(X, c):
    """p(k₁) is positive semidefinite if no coefficient is negative  [K-CLOSURE.P1] [K-CLOSURE.e]
    [TH-KIM-3.4.4] [KIM-3.66]."""
    k = Series(tuple(c), ONE)
    assert judge(gram(RATIONAL, k, X)).semidefinite
    t = ONE(RATIONAL, X[0], X[-1])
    assert k(RATIONAL, X[0], X[-1]) == sum(a * t**j for j, a in enumerate(c))


@few
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=4, unique=True))
def test_an_exponential_of_a_kernel_is_a_kernel(places):
    """exp(k₁) is positive semidefinite, on distinct points definite
    [K-CLOSURE.P1] [K-CLOSURE.f] [TH-KIM-3.4.4] [KIM-3.67] [MMST-Ex11.9c] [EX-MMST-11.9]."""
    X = Matrix([[D.lift(i), D.lift(j)] for i, j in places])
    assert judge(gram(D, Exponential(Linear()), X)).definite


@few
@given(clouds)
def test_a_kernel_of_mapped_points_is_a_kernel(X):
    """k₃(Φ(x), Φ(z)) is positive semidefinite, the Gram matrix of the mapped points
    [K-CLOSURE.P1] [K-CLOSURE.g] [TH-KIM-3.4.4] [KIM-3.68]."""
    K = gram(RATIONAL, Mapped(swapped, TWO), X)
    assert judge(K).semidefinite and gram(RATIONAL, TWO, [swapped(RATIONAL, x) for x in X]) == K


@few
@given(clouds, st.integers(1, 2).flatmap(lambda r: semidefinite(2, r)))
def test_a_positive_semidefinite_form_is_a_kernel(X, A):
    """xᵀAz is positive semidefinite for symmetric A ⪰ 0; its Gram matrix is XAXᵀ
    [K-CLOSURE.P1] [K-CLOSURE.h] [TH-KIM-3.4.4] [KIM-3.69]."""
    K = gram(RATIONAL, Form(A), X)
    assert judge(K).semidefinite and K == X @ A @ X.T


@few
@given(vectors(2), vectors(2))
def test_the_features_of_a_product_are_all_products(x, z):
    """The Gram matrix of k₁k₂ is the Hadamard product, its map the tensor product of the maps
    [K-CLOSURE.P2] [KIM-3.64] [KIM-Thm3.4.4] [MMST-Ex11.9] [TH-KIM-3.4.4]."""

    def tensor(v):
        second = features.monomials(v, features.terms(TWO, 2))
        return [a * b for a in v for b in second]

    weights = [w for _ in range(2) for w in features.weights(RATIONAL, TWO, 2)]
    value = Product(ONE, TWO)(RATIONAL, x, z)
    assert value == ONE(RATIONAL, x, z) * TWO(RATIONAL, x, z)
    assert value == sum(w * a * b for w, a, b in zip(weights, tensor(x), tensor(z)))


X = Matrix([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)], [Fraction(1), Fraction(2)]])


def test_a_difference_can_fail():
    """k₁ − k₂ need not be a kernel: ⟨x, z⟩ − (1 + ⟨x, z⟩)² has a witness  [K-CLOSURE.P3]."""
    verdict = judge(gram(RATIONAL, ONE, X) - gram(RATIONAL, TWO, X))
    assert verdict.value < 0 and not verdict.semidefinite


def test_a_negative_multiple_fails_and_is_refused():
    """−k₁ has a negative diagonal; the class refuses c < 0  [K-CLOSURE.P3]."""
    assert not judge(-gram(RATIONAL, ONE, X)).semidefinite
    with pytest.raises(InvalidInput, match="combine: need c ≥ 0"):
        Scaled(Fraction(-1), ONE)


def test_a_negative_coefficient_can_fail_and_is_refused():
    """k₁² − k₁ is negative at x = (½, 0); the class refuses negative coefficients  [K-CLOSURE.P3]."""
    half = Vector([Fraction(1, 2), Fraction(0)])
    t = ONE(RATIONAL, half, half)
    assert t * t - t < 0
    for wrong in ((Fraction(0), Fraction(-1), Fraction(1)), ()):
        with pytest.raises(InvalidInput, match="combine: need coefficients"):
            Series(wrong, ONE)


def test_an_indefinite_form_is_no_kernel():
    """xᵀAz with A = diag(1, −1) is negative at (0, 1)  [K-CLOSURE.P3]."""
    A = Matrix.diagonal_of([Fraction(1), Fraction(-1)])
    assert not judge(gram(RATIONAL, Form(A), X)).semidefinite
    with pytest.raises(InvalidInput, match="symmetric"):
        Form(Matrix([[Fraction(1), Fraction(1)], [Fraction(0), Fraction(1)]]))


@few
@given(clouds)
def test_a_normalised_kernel_is_that_of_unit_features(X):
    """k/√(k(x, x)k(z, z)) is f k f with f = 1/√k(x, x): positive semidefinite, diagonal one, for any kernel
    [STR-NORM.P4] [K-NORM1.P1] [MMST-11.60]."""
    Z = Matrix([[D.lift(v) for v in x] for x in X])
    K = gram(D, Normalised(TWO), Z)
    own = gram(D, TWO, Z)
    for i in range(len(Z)):
        for j in range(len(Z)):
            assert near(D, K[i][j] ** 2 * own[i][i] * own[j][j], own[i][j] ** 2, scale=own[i][i] * own[j][j], steps=9)


def test_the_gaussian_is_built_by_three_rules():
    """exp(−γ‖x‖²) exp(2γ⟨x, z⟩) exp(−γ‖z‖²) by the rules of the factor, the exponential and the multiple is the
    Gaussian  [K-RBF.P3] [KIM-3.4-factors] [ERR-KIM-21]."""
    g = D.lift("0.4")
    inner = Exponential(Scaled(2 * g, Linear()))
    built = Weighted(lambda F, x: F.exp(-g * Linear()(F, x, x)), inner)
    x, z = Vector([D.lift(1), D.lift("0.5")]), Vector([D.lift(-2), D.lift("0.25")])
    assert near(D, built(D, x, z), Gaussian(g)(D, x, z), steps=20)


def test_a_point_without_length_cannot_be_normalised():
    """⟨0, 0⟩ = 0 has no direction, and is refused."""
    with pytest.raises(InvalidInput, match="k\\(x, x\\) > 0"):
        Normalised(ONE)(RATIONAL, Vector([Fraction(0)]), Vector([Fraction(1)]))


def test_parameters_are_lifted_all_the_way_down():
    """over(F) lifts the parameters of the parts: ½ and (1 + …)² in fractions stay so."""
    k = kernel(RATIONAL, Sum(Scaled(0.5, Gaussian(0.25)), Series((0.5, 2), Form(Matrix([[0.5]])))))
    assert k.left.c == Fraction(1, 2) and type(k.left.kernel.gamma) is Fraction
    assert set(map(type, k.right.coefficients)) == {Fraction} and k.right.kernel.A.kind is Fraction


def test_a_combination_is_exact_if_its_parts_are():
    """A sum of exact kernels is exact; with a Gaussian in it, or under an exponential, it is not."""
    assert Sum(ONE, Spline()).exact and not Sum(ONE, Gaussian(1)).exact and not Exponential(ONE).exact


@pytest.mark.parametrize("other", [String(2, Fraction(1, 2)), Precomputed()])
def test_kernels_on_different_points_do_not_combine(other):
    """The parts must be kernels on the same points."""
    raw = ["ab", "cd"] if isinstance(other, String) else [[1, 0], [0, 1]]
    with pytest.raises(InvalidInput):
        Sum(other, ONE).points(RATIONAL, raw, data.matrix)


def test_points_of_a_combination_are_those_of_its_parts():
    """A product of string kernels takes strings; a mapped kernel takes the rows before the map."""
    strings = Product(String(1, 0.5), String(2, 0.5)).points(BINARY64, ["ab", "cd"], data.matrix)
    assert strings == ("ab", "cd")
    rows = Mapped(swapped, ONE).points(BINARY64, [[1, 2]], data.matrix)
    assert rows == Matrix([[1.0, 2.0]])


def test_a_point_of_length_zero_has_no_direction():
    """One such point among others is refused, as the first or as one of the others  [MMST-11.60] [KIM-3.2-cosine]."""
    zero, one, two = (Vector([Fraction(v), Fraction(0)]) for v in (0, 1, 2))
    kernel = Normalised(Linear())
    for x, Z in ((zero, [one, two]), (one, [two, zero]), (one, [zero, two])):
        with pytest.raises(InvalidInput, match="k\\(x, x\\) > 0"):
            kernel.row(BINARY64, Vector(map(float, x)), [Vector(map(float, z)) for z in Z])
