"""Ordinary least squares, with several responses at once."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD, near
from refclass.regress.linear import least_squares
from tests.numbers import STRICT
from tests.profiles import examples
from tests.strategies import fractions, matrices

few = settings(max_examples=examples(20))


@st.composite
def problems(draw, q=2):
    """X of full rank with a constant, and q responses, over the fractions."""
    p = draw(st.integers(1, 3))
    n = draw(st.integers(p + 1, p + 4))
    X = draw(matrices(n, p).filter(lambda X: fraction_free.rank(Matrix([[Fraction(1), *x] for x in X])) == p + 1))
    return X, draw(matrices(n, q))


def test_a_line_through_three_points_agrees_with_paper():
    """y = 1, 2, 6 at x = 0, 1, 2: slope 5/2, intercept ½  [YANG-linear-regression]."""
    X, Y = (Matrix([[Fraction(v)] for v in values]) for values in ([0, 1, 2], [1, 2, 6]))
    model = least_squares.fit(RATIONAL, X, Y)
    assert model.coefficients == Matrix([[Fraction(5, 2)]]) and model.intercepts == Vector([Fraction(1, 2)])
    assert model.degrees_of_freedom == 2 and model.rank == 1


@few
@given(problems())
def test_residuals_are_orthogonal_to_the_columns(problem):
    """Xᵀ(Y − Ŷ) = 0 and 1ᵀ(Y − Ŷ) = 0, exactly, for every response  [ESL-4.3-least-squares]."""
    X, Y = problem
    model = least_squares.fit(RATIONAL, X, Y)
    missed = Y - model.fitted
    assert not any(map(any, X.T @ missed)) and not any(sum(column) for column in missed.T)
    assert model.fitted == model.predict(X) and least_squares.certify(X, Y, model) == {"Xᵀ(Y − Ŷ) = 0": 0}


@few
@given(problems(), st.data())
def test_integer_weights_are_repeated_rows(problem, more):
    """A weighted fit is the fit of the repeated rows, with and without an intercept."""
    X, Y = problem
    w = [more.draw(st.integers(1, 3)) for _ in X]
    rows = [i for i, c in enumerate(w) for _ in range(c)]
    for intercept in (True, False):
        try:
            a = least_squares.fit(RATIONAL, X, Y, Vector(list(map(Fraction, w))), intercept=intercept)
        except NoAnswer:
            continue
        repeated = Matrix([X[i] for i in rows]), Matrix([Y[i] for i in rows])
        b = least_squares.fit(RATIONAL, *repeated, intercept=intercept)
        assert (a.coefficients, a.intercepts) == (b.coefficients, b.intercepts)


@few
@given(problems(q=1), st.lists(fractions, min_size=4, max_size=4))
def test_no_other_function_misses_less(problem, step):
    """The sum of squares at any other coefficients is no smaller."""
    X, Y = problem
    model = least_squares.fit(RATIONAL, X, Y)
    shift = Vector(step[: len(X[0])])
    other = Vector([b + c for b, c in zip(model.coefficients.column(0), shift)])
    here = sum((y[0] - f[0]) ** 2 for y, f in zip(Y, model.fitted))
    there = sum((y[0] - model.intercepts[0] - step[3] - other @ x) ** 2 for x, y in zip(X, Y))
    assert here <= there


@few
@given(problems())
def test_several_responses_are_each_ones_own_fit(problem):
    """Each column of the fit is the fit of that response alone."""
    X, Y = problem
    together = least_squares.fit(RATIONAL, X, Y)
    for j in range(2):
        alone = least_squares.fit(RATIONAL, X, Matrix([[y[j]] for y in Y]))
        assert alone.coefficients.column(0) == together.coefficients.column(j)


DEPENDENT = [[1, 2], [2, 4], [4, 8], [5, 10]]


@pytest.mark.parametrize("F", [RATIONAL, BINARY64, decimal(30)], ids=lambda F: F.name)
def test_dependent_columns_are_refused_or_solved_by_the_shortest(F):
    """Columns that depend on each other have a null vector as witness; the pseudo-inverse takes the shortest
    solution.
    """
    X = Matrix([[F.lift(v) for v in row] for row in DEPENDENT])
    Y = Matrix([[F.lift(v)] for v in (1, 3, 4, 6)])
    with pytest.raises(NoAnswer) as refusal:
        least_squares.fit(F, X, Y)
    v = refusal.value.witness["null_vector"]
    assert near(F, v[0], -2 * v[1], steps=10)
    model = least_squares.fit(F, X, Y, pseudo_inverse=True)
    alone = least_squares.fit(F, Matrix([[x[0]] for x in X]), Y)
    assert model.rank == 1 and near(F, model.coefficients[1][0], 2 * model.coefficients[0][0], steps=20)
    assert all(near(F, a[0], b[0], steps=50) for a, b in zip(model.fitted, alone.fitted))


def test_a_constant_column_depends_on_the_intercept():
    """A constant column is refused beside an intercept, and is one without."""
    X, Y = Matrix([[1.0, 2.0], [1.0, 3.0], [1.0, 5.0]]), Matrix([[1.0], [2.0], [4.0]])
    with pytest.raises(NoAnswer):
        least_squares.fit(BINARY64, X, Y)
    without = least_squares.fit(BINARY64, X, Y, intercept=False)
    with_one = least_squares.fit(BINARY64, Matrix([[x[1]] for x in X]), Y)
    assert near(BINARY64, without.coefficients[0][0], with_one.intercepts[0], 1.0, 20)
    assert without.degrees_of_freedom == with_one.degrees_of_freedom == 2 and without.intercepts == (0.0,)


@pytest.mark.parametrize("spread", [1.0, 1e-3, 1e-5])
def test_refinement_keeps_the_digits_that_the_normal_equations_lose(spread):
    """Columns that hardly differ: the fit in doubles is that of exact arithmetic to within roundoff times the
    condition,
    where the normal equations alone would lose it twice.
    """
    X = [[i, i + spread * (i % 3), 1.0 + i * i / 7] for i in range(12)]
    Y = [[(i * 7) % 5 + 0.25] for i in range(12)]
    got = least_squares.fit(BINARY64, Matrix([[float(v) for v in r] for r in X]), Matrix(map(Vector, Y)))
    want = least_squares.fit(
        RATIONAL, Matrix([[Fraction(v) for v in r] for r in X]), Matrix([[Fraction(v) for v in r] for r in Y])
    )
    size = want.coefficients.largest()
    worst = max(abs(Fraction(a[0]) - b[0]) for a, b in zip(got.coefficients, want.coefficients)) / size
    assert worst <= Fraction(1, 10**13) / Fraction(spread)


def test_residuals_of_doubles_are_roundoff():
    """The certificate's ratio stays below the threshold, columns in different units included."""
    X = Matrix([[float(i), 1e6 * ((i * i) % 7), 1e-6 * ((i * 5) % 11)] for i in range(1, 15)])
    Y = Matrix([[float((i * 3) % 8), 1e3 * i] for i in range(1, 15)])
    assert least_squares.certify(X, Y, least_squares.fit(BINARY64, X, Y))["Xᵀ(Y − Ŷ) = 0"] <= THRESHOLD


def test_lengths_that_differ_are_refused():
    """Weights and responses are as many as rows."""
    X, Y = Matrix([[1.0], [2.0]]), Matrix([[1.0]])
    with pytest.raises(InvalidInput, match="rows of responses"):
        least_squares.fit(BINARY64, X, Y)
    with pytest.raises(InvalidInput, match="weights"):
        least_squares.fit(BINARY64, X, X, Vector([1.0]))


def test_the_regression_meets_no_float():
    """Strict numbers run through."""
    X, Y = (Matrix([[STRICT.lift(v)] for v in values]) for values in ([0, 1, 2], [1, 2, 6]))
    assert least_squares.fit(STRICT, X, Y).coefficients[0][0].value == Fraction(5, 2)
