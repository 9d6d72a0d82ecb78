"""The Gaussian kernel."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.kernels.matrices.mercer import judge
from refclass.linear.geometry import squared_distances
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.strategies import positive, vectors

D = decimal(50)
decimals = st.integers(-30, 30).map(lambda i: D.lift(Fraction(i, 10)))
points = vectors(2, decimals)


@given(points, points, positive)
def test_three_parameters_agree(x, z, sigma):
    """γ = 1/(2σ²) = 1/(2h²): one kernel under three names  [K-RBF.P1] [MMST-T11.1] [ISML-27.4-gaussian]
    [KIM-3.70] [KIM-3.76]."""
    s = D.lift(sigma)
    (t,) = squared_distances(D, x, [z])
    by_width, by_gamma = Gaussian.of_width(s)(D, x, z), Gaussian(1 / (2 * s * s))(D, x, z)
    assert by_width == by_gamma and near(D, by_width, D.exp(-t / (2 * s**2)), steps=1 + int(t / s**2))


@given(points, points)
def test_values_lie_between_zero_and_one(x, z):
    """0 < K(x, z) ≤ 1, and 1 only at x = z  [K-RBF.P2]."""
    value = Gaussian(D.lift(1))(D, x, z)
    assert 0 < value <= 1 and (value == 1) == (x == z)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10])
def test_gram_matrices_of_distinct_points_have_full_rank(n):
    """On n distinct points the Gram matrix is positive definite: the features are infinitely many
    [K-RBF.P2] [K-RBF-INF.P1]."""
    X = Matrix([[D.lift(i * i % 7), D.lift(i)] for i in range(n)])
    assert judge(gram(D, Gaussian(D.lift("0.1")), X)).definite


@given(points, points)
def test_it_factors_with_two_gamma(x, z):
    """K(x, z) = exp(−γ‖x‖²) exp(−γ‖z‖²) exp(2γ⟨x, z⟩)  [K-RBF.P3] [KIM-3.4-factors] [ERR-KIM-21]."""
    g, k = D.lift("0.7"), Linear()
    parts = D.exp(-g * k(D, x, x)) * D.exp(-g * k(D, z, z)) * D.exp(2 * g * k(D, x, z))
    assert near(D, parts, Gaussian(g)(D, x, z), steps=100)


def test_the_printed_factor_is_another_kernel():
    """With exp(γ⟨x, z⟩), as printed, not even K(x, x) is 1: it is e^(−γ‖x‖²)  [ERR-KIM-21] [KIM-3.4-factors]."""
    x, g = Vector([1.0, 0.5]), 0.5
    square = Linear()(BINARY64, x, x)
    printed = BINARY64.exp(-g * square) ** 2 * BINARY64.exp(g * square)
    assert near(BINARY64, printed, BINARY64.exp(-g * square), steps=3) and Gaussian(g)(BINARY64, x, x) == 1.0


@given(points, points)
def test_it_is_a_product_over_coordinates(x, z):
    """K(x, z) = Π exp(−γ(xⱼ − zⱼ)²), as ISML's program computes it on a grid  [K-RBF.P4] [ISML-27.4-listing]."""
    k = Gaussian(D.lift("0.3"))
    each = [k(D, Vector([a]), Vector([b])) for a, b in zip(x, z)]
    assert near(D, each[0] * each[1], k(D, x, z), steps=50)


@given(decimals, decimals)
def test_the_taylor_map_converges(x, z):
    """With φₘ(x) = e^(−γx²) (2γ)^(m/2) x^m/√m!, the partial sums Σφₘ(x)φₘ(z) tend to K  [K-RBF-INF.P2]."""
    g = D.lift("0.1")
    scale = D.exp(-g * (x * x + z * z))
    term, partial = scale, []
    total = D.lift(0)
    for m in range(1, 120):
        total += term
        partial.append(abs(total - Gaussian(g)(D, Vector([x]), Vector([z]))))
        term = term * (2 * g) * x * z / m
    assert partial[-1] <= D.lift("1e-40") and max(partial[60:]) <= max(partial[:60])


def test_gamma_is_not_one_over_the_square_of_the_width():
    """With γ = 1/σ², as MMST's section on grids has it, σ = 1 gives e^(−1) at distance 1 where its table has e^(−½)
    [ERR-MMST-04] [MMST-11.3.6-gamma] [MMST-T11.1]."""
    x, z, sigma = Vector([0.0]), Vector([1.0]), 1.0
    table, text = Gaussian.of_width(sigma), Gaussian(1 / sigma**2)
    assert near(BINARY64, table(BINARY64, x, z), BINARY64.exp(-0.5)) and text(BINARY64, x, z) < 0.7 * table(
        BINARY64, x, z
    )


def test_it_falls_with_the_distance():
    """The farther, the less similar: K strictly decreases in ‖x − z‖  [K-RBF-RADIAL.P1]."""
    zero = Vector([0.0, 0.0])
    row = Gaussian(0.3).row(BINARY64, zero, [Vector([r * 0.6, r * 0.8]) for r in (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)])
    assert all(a > b for a, b in zip(row, row[1:]))


@pytest.mark.parametrize("norm", [sum, max], ids=["l1", "linf"])
def test_other_norms_make_no_kernel(norm):
    """exp(−γ‖·‖²) with the ℓ₁ or ℓ∞ norm has Gram matrices with a negative eigenvalue; the witness proves it
    [K-RBF-RADIAL.P2] [ERR-KIM-27]."""
    grid = list(product((-1, 0, 1), repeat=4))
    X = (
        [x for x in grid if norm(map(abs, x)) in (0, 1)]
        if norm is sum
        else list(product((-1, 1), repeat=3)) + [(0,) * 3]
    )
    found = []
    for tenths in range(1, 30):
        K = [[BINARY64.exp(-tenths / 10 * norm(abs(a - b) for a, b in zip(x, z)) ** 2) for z in X] for x in X]
        verdict = judge(Matrix(K))
        found.append(
            verdict.witness is not None and verdict.value < Fraction(-1, 1000) * (verdict.witness @ verdict.witness)
        )
    assert any(found)


def test_a_large_gamma_makes_every_point_its_own():
    """γ → ∞ takes the Gram matrix to the identity, where any labels are fitted: not γ → 0, σ large  [ERR-KIM-26]."""
    X = Matrix([[0.0], [1.0], [3.0]])
    assert gram(BINARY64, Gaussian(1e4), X) == Matrix.identity(3, float)
    assert min(map(min, gram(BINARY64, Gaussian(1e-9), X))) > 0.99999


@pytest.mark.parametrize("gamma", [0, -1, float("nan")])
def test_a_gamma_that_is_not_positive_is_refused(gamma):
    """γ must be > 0."""
    with pytest.raises(InvalidInput, match="gaussian: need gamma > 0"):
        Gaussian(gamma)


def test_fractions_are_refused_where_the_exponential_is_irrational():
    """On fractions K(x, x) = 1 exactly, and e^(−1) is refused."""
    zero, one = Vector([Fraction(0)]), Vector([Fraction(1)])
    assert Gaussian(Fraction(1))(RATIONAL, one, one) == 1
    with pytest.raises(ArithmeticError, match="rational value of exp"):
        Gaussian(Fraction(1))(RATIONAL, zero, one)


def test_far_points_underflow_to_zero():
    """Doubles so far apart that the square of their distance is infinite have K = 0, not an error."""
    assert Gaussian(1.0)(BINARY64, Vector([1e200]), Vector([-1e200])) == 0.0


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_in_doubles_every_number_of_columns_has_its_way_to_the_same_distance(columns):
    """exp(−γ‖x − z‖²) of the doubles, compared with many digits  [ESL-12.22]."""
    x, Z = tuple([0.5] * columns), [tuple(0.25 * (i + k) for i in range(columns)) for k in range(4)]
    found, wide = Gaussian(gamma=0.75).row(BINARY64, x, Z), Gaussian(gamma=D.lift(Fraction(3, 4)))
    exact = wide.row(D, Vector(map(D.lift, x)), [Vector(map(D.lift, z)) for z in Z])
    assert all(near(BINARY64, a, float(b), steps=8) for a, b in zip(found, exact))


def test_new_points_have_the_columns_of_those_before():
    """One point is enough to say how many."""
    asked = []
    Gaussian(gamma=1.0).points(BINARY64, [[1, 2]], lambda F, X, columns=None: asked.append(columns), [[3.0, 4.0]])
    Gaussian(gamma=1.0).points(BINARY64, [[1, 2]], lambda F, X, columns=None: asked.append(columns))
    assert asked == [2, None]
