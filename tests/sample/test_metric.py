"""Mahalanobis's metric: distances, determinants, singular covariances, pseudo-inverses."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD, near
from refclass.sample import metric, spectral
from tests.numbers import COUNTED, STRICT, counting
from tests.profiles import examples
from tests.strategies import SIZES, fractions, semidefinite, vectors

few = settings(max_examples=examples(20))

ROUNDED = [BINARY64, decimal(30)]


def lifted(F, A):
    """Return the matrix over another field."""
    return Matrix([[F.lift(v) for v in row] for row in A])


@st.composite
def definite(draw):
    """Positive definite matrices over the fractions."""
    n = draw(st.sampled_from([1, 2, 3]))
    return draw(semidefinite(n, n)) + Matrix.identity(n, Fraction) * Fraction(1, 2)


@st.composite
def deficient(draw):
    """Positive semidefinite matrices of rank 1 … n − 1."""
    n = draw(st.integers(2, 4))
    A = draw(semidefinite(n, draw(st.integers(1, n - 1))))
    assume(A.largest() != 0)
    return A


def test_the_metric_agrees_with_paper():
    """For Σ = [2 1; 1 2] the inverse is [2 −1; −1 2]/3: vᵀΣ⁻¹v = 2 at (1, −1), |Σ| = 3, the inflation 4/3."""
    known = metric.factor(RATIONAL, Matrix([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(2)]]))
    assert known.squared(Vector([Fraction(1), Fraction(-1)])) == 2
    assert known.determinant == 3 and known.rank == 2 and known.condition == Fraction(4, 3)


@few
@given(definite(), st.data())
def test_the_metric_undoes_the_covariance(A, more):
    """A A⁻¹v = v, vᵀA⁻¹v and |A| are those of elimination, exactly."""
    v = more.draw(vectors(len(A)))
    known = metric.factor(RATIONAL, A)
    assert known.solve(v) == fraction_free.solve(A, v)
    assert known.squared(v) == v @ fraction_free.solve(A, v)
    assert known.determinant == fraction_free.determinant(A)
    assert known.solve(A) == Matrix.identity(len(A), Fraction)
    assert metric.certify(known) == {"A A⁻¹ A = A": 0}


@few
@given(definite())
def test_the_condition_is_the_largest_variance_inflation(A):
    """condition = max Aⱼⱼ (A⁻¹)ⱼⱼ, at least one, and the same in other units."""
    known = metric.factor(RATIONAL, A)
    inverse = fraction_free.solve(A, Matrix.identity(len(A), Fraction))
    assert known.condition == max(a * b for a, b in zip(A.diagonal(), inverse.diagonal())) >= 1
    units = [Fraction(10) ** (3 * j) for j in range(len(A))]
    other = Matrix([[u * v * a for v, a in zip(units, row)] for u, row in zip(units, A)])
    assert metric.factor(RATIONAL, other).condition == known.condition


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_sphering_makes_the_covariance_the_identity(F, n):
    """white A whiteᵀ = I, ‖white v‖² = vᵀA⁻¹v, and log |A| is the logarithm of |A|, up to roundoff."""
    A = Matrix([[F.lift(Fraction(1 + (i == j) * n, 1 + abs(i - j))) for j in range(n)] for i in range(n)])
    known = metric.factor(F, A)
    white, v = known.white(F), Vector([F.lift(i + 1) for i in range(n)])
    product = white @ (A @ white.T)
    assert all(near(F, product[i][j], int(i == j), F.kind(1), 4 * n) for i in range(n) for j in range(n))
    assert near(F, (white @ v) @ (white @ v), known.squared(v), steps=4 * n)
    assert near(F, known.log_determinant(F), F.log(elimination.determinant(A)), F.kind(n), 4 * n)
    assert metric.certify(known)["A A⁻¹ A = A"] <= THRESHOLD * known.condition


@few
@given(deficient())
def test_a_singular_covariance_is_refused_with_a_null_vector(A):
    """The witness v is no zero vector, and A v = 0 exactly."""
    with pytest.raises(NoAnswer, match="a singular one") as refusal:
        metric.factor(RATIONAL, A)
    v = refusal.value.witness["null_vector"]
    assert any(v) and not any(A @ v)


@pytest.mark.parametrize("F", [RATIONAL, *ROUNDED], ids=lambda F: F.name)
def test_an_indefinite_matrix_is_refused_with_a_direction(F):
    """The witness v has vᵀAv < 0."""
    for rows in ([[1, 2], [2, 1]], [[0, 1], [1, 0]], [[-1]]):
        A = lifted(F, rows)
        for module in (metric, spectral) if not F.exact else (metric,):
            with pytest.raises(NoAnswer, match="a negative variance") as refusal:
                module.factor(F, A)
            v = refusal.value.witness["direction"]
            assert v @ (A @ v) < 0


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_whether_a_covariance_is_singular_does_not_depend_on_units(F):
    """A regular covariance in units that differ by 10¹² is factored, a singular one is refused, null vector and all."""
    units = [F.lift("1e-6" if F is not BINARY64 else 1e-6), F.kind(1), F.lift(1000000)]

    def scaled(rows):
        return Matrix([[u * v * F.lift(a) for v, a in zip(units, row)] for u, row in zip(units, rows)])

    assert metric.factor(F, scaled([[2, 1, 0], [1, 2, 1], [0, 1, 2]])).rank == 3
    with pytest.raises(NoAnswer) as refusal:
        metric.factor(F, scaled([[1, 1, 0], [1, 2, 1], [0, 1, 1]]))
    v = refusal.value.witness["null_vector"]
    relative = [a * u for a, u in zip(v, units)]
    assert near(F, relative[0], -relative[1], steps=10) and near(F, relative[0], relative[2], steps=10)


@few
@given(deficient())
def test_the_pseudo_inverse_satisfies_penrose(A):
    """A A⁺A = A, A⁺A A⁺ = A⁺, and A A⁺ is symmetric: Penrose's conditions, exactly."""
    known = metric.pseudo(A)
    P = known.solve(Matrix.identity(len(A), Fraction))
    assert P == P.T and A @ P == (A @ P).T
    assert A @ P @ A == A and P @ A @ P == P
    assert known.rank == fraction_free.rank(A)


@few
@given(deficient())
def test_the_pseudo_determinant_is_that_of_the_eigenvalues(A):
    """The product of the pivots is the sum of the principal minors of the rank's order: the product of eigenvalues ≠
    0.
    """
    from itertools import combinations

    known = metric.pseudo(A)
    minors = [fraction_free.determinant(A.block(c, c)) for c in combinations(range(len(A)), known.rank)]
    assert known.determinant == sum(minors)


@few
@given(definite())
def test_the_pseudo_inverse_of_a_regular_covariance_is_its_inverse(A):
    """Where A is regular, A⁺ = A⁻¹ and the determinant is |A|."""
    known = metric.pseudo(A)
    assert known.solve(A) == Matrix.identity(len(A), Fraction) and known.determinant == fraction_free.determinant(A)


@few
@given(st.one_of(definite(), deficient()))
def test_eigenvalues_give_the_same_metric(A):
    """A = U D Uᵀ gives the distances and the determinant that P A Pᵀ = L D Lᵀ gives
    [QDA-EIG.P1] [ESL-4.3.2-eigen].
    """
    F, exact = decimal(40), metric.pseudo(A)
    known = spectral.factor(F, lifted(F, A), singular=True)
    assert known.rank == exact.rank
    scale = Fraction(10) ** 24
    for v in Matrix.identity(len(A), Fraction):
        near_by = Fraction(known.squared(Vector([F.lift(c) for c in v])))
        assert abs(near_by - exact.squared(v)) * scale <= 1 + exact.squared(v)
    assert abs(Fraction(known.determinant) - exact.determinant) * scale <= exact.determinant


def test_zero_has_no_metric():
    """A covariance that is zero is refused, by the pseudo-inverses, too."""
    for F in (BINARY64, RATIONAL):
        zero = Matrix.zeros(2, 2, F.kind)
        for refuse in (metric.factor, spectral.pseudo_inverse):
            with pytest.raises(NoAnswer):
                refuse(F, zero)
    with pytest.raises(NoAnswer, match="a negative variance"):
        metric.pseudo(Matrix([[Fraction(-1)]]))


def test_a_singular_covariance_is_refused_by_its_eigenvalues():
    """The spectral metric, too, refuses a singular covariance unless asked not to."""
    A = Matrix([[1.0, 1.0], [1.0, 1.0]])
    with pytest.raises(NoAnswer, match="a singular one") as refusal:
        spectral.factor(BINARY64, A)
    assert (A @ refusal.value.witness["null_vector"]).largest() <= 1e-15
    assert spectral.factor(BINARY64, A, singular=True).rank == 1


@few
@given(vectors(2, fractions))
def test_strict_numbers_meet_no_float(v):
    """The metric is exact: it holds nothing but numbers of the field."""
    A = Matrix([[STRICT.lift(3), STRICT.lift(1)], [STRICT.lift(1), STRICT.lift(2)]])
    x = Vector([STRICT.lift(c) for c in v])
    assert metric.factor(STRICT, A).squared(x).value == (2 * v[0] ** 2 - 2 * v[0] * v[1] + 3 * v[1] ** 2) / 5


def test_a_distance_costs_what_it_says():
    """r·p + 2r multiplications."""
    A = Matrix([[COUNTED.lift(int(i == j) + 1) for j in range(3)] for i in range(3)])
    known = metric.factor(COUNTED, A)
    v = Vector([COUNTED.lift(i) for i in range(3)])
    with counting() as c:
        known.squared(v)
    assert c.multiply == 3 * 3 + 2 * 3


def test_distances_to_several_centres_are_each_ones_own():
    """‖white·x − c‖² for doubles, by math.dist, is the same as for other numbers."""
    white, x = [[1.0, 2.0], [0.0, 3.0]], [1.0, -1.0]
    centres = [[0.0, 0.0], [1.0, 1.0]]
    floats = metric.squared_distances(Matrix(map(Vector, white)), Vector(x), list(map(Vector, centres)))
    exact = metric.squared_distances(
        lifted(RATIONAL, white), Vector(map(Fraction, x)), [Vector(map(Fraction, c)) for c in centres]
    )
    assert exact == [10, 20] and all(near(BINARY64, a, float(b)) for a, b in zip(floats, exact))
