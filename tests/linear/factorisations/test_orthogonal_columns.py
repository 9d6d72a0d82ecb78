"""Columns that grow: orthogonal in the metric of the weights, and the regression on them."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.factorisations import orthogonal_columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL as F
from refclass.number.tolerance import ratio
from tests.numbers import STRICT, Strict
from tests.regress import reference
from tests.strategies import integers, matrices, vectors

whole = integers.map(Fraction)
weights = st.lists(st.integers(0, 3), min_size=6, max_size=6).filter(lambda w: sum(map(bool, w)) > 2)


@given(matrices(3, 6, whole), weights)
def test_columns_are_orthogonal_in_the_metric_of_the_weights(A, w):
    """q_kᵀ W q_l = 0 for k ≠ l, and d_k = q_kᵀ W q_k."""
    w = Vector(map(Fraction, w))
    made, _ = orthogonal_columns.independent(F, w, A)
    for k, q in enumerate(made.orthogonal):
        assert w @ q.times(q) == made.squares[k] > 0
        assert all(w @ q.times(other) == 0 for other in made.orthogonal[:k])


@given(matrices(3, 6, whole))
def test_columns_multiply_back(A):
    """b_k = q_k + Σ r_lk q_l."""
    made, kept = orthogonal_columns.independent(F, Vector([Fraction(1)] * 6), A)
    for place, k in enumerate(kept):
        back = made.orthogonal[place]
        for r, q in zip(made.upper[place], made.orthogonal):
            back = back + r * q
        assert back == A[k]


@given(matrices(3, 6, whole), vectors(6), weights)
def test_coefficients_are_those_of_least_squares_with_repeated_rows(A, y, w):
    """The residual of Σ β_k b_k is orthogonal to every column; integer weights stand for copies."""
    counts = Vector(map(Fraction, w))
    made, kept = orthogonal_columns.independent(F, counts, A)
    left, coordinates = made.rest(F, y)
    beta = made.coefficients(coordinates)
    for b, k in zip(beta, kept):
        y = y - b * A[k]
    assert y == left
    repeated = [[v for v, c in zip(row, w) for _ in range(c)] for row in A]
    copies = Matrix([[v] for v, c in zip(y, w) for _ in range(c)])
    assert made.square(left) == reference.rss(repeated, copies)


@given(matrices(4, 6, whole))
def test_a_column_that_depends_on_others_is_left_out(A):
    """A sum of two columns, a zero column, a column met before: none of them grows the regression."""
    made, kept = orthogonal_columns.independent(F, Vector([Fraction(1)] * 6), [*A, A[0] + A[1], 0 * A[0], A[2]])
    assert all(k < 4 for k in kept)
    assert made.grown(F, A[0] - A[3]) is None


@given(matrices(3, 6, whole))
def test_the_unwound_factor_is_the_inverse(A):
    """T R = I: T turns coordinates on the orthogonal columns into coefficients."""
    made, _ = orthogonal_columns.independent(F, Vector([Fraction(1)] * 6), A)
    T = made.unwound()
    for k in range(len(made)):
        unit = [Fraction(int(i == k)) for i in range(len(made))]
        assert list(made.coefficients(unit)) == [row[k] for row in T]


def test_rounded_columns_stay_orthogonal_when_nearly_dependent():
    """Columns that agree in most digits come out orthogonal to the last digit, because they are projected twice."""
    x = Vector([float(k) for k in range(1, 9)])
    near = Vector([v + 1e-9 * (-1) ** k for k, v in enumerate(x)])
    made, kept = orthogonal_columns.independent(BINARY64, Vector([1.0] * 8), [x, near])
    p, q = made.orthogonal
    assert kept == [0, 1] and ratio(BINARY64, p @ q, x.largest() * q.largest(), 8) <= 30


def test_roundoff_is_no_new_column():
    """A combination of columns, rounded, leaves a residual of roundoff, and depends on them."""
    x, y = Vector([0.1, 0.2, 0.7, 1.3]), Vector([1.1, -0.3, 0.9, 0.4])
    made, _ = orthogonal_columns.independent(BINARY64, Vector([1.0] * 4), [x, y])
    for a, b in ((0.1, 0.3), (1.7, -0.9), (1 / 3, 1 / 7)):
        z = a * x + b * y
        assert made.square(made.rest(BINARY64, z)[0]) > 0 and made.grown(BINARY64, z) is None


def test_no_float_slips_in():
    """Growing strict columns keeps to strict numbers."""
    A = [Vector(map(Strict, row)) for row in ((1, 1, 1), (1, 2, 4))]
    made, _ = orthogonal_columns.independent(STRICT, Vector([Strict(1)] * 3), A)
    made.coefficients(made.coordinates(A[1]))
    made.unwound()
