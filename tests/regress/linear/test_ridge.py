"""Ridge regression."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.regress.linear import least_squares, ridge
from tests.profiles import examples
from tests.regress.linear.test_least_squares import problems
from tests.strategies import positive, semidefinite

few = settings(max_examples=examples(20))


@few
@given(problems(), positive)
def test_the_gradient_is_zero(problem, lam):
    """Xᵀ(Y − Ŷ) = λB, and residuals sum to zero where the intercept is free  [LS-CLS.P1]."""
    X, Y = problem
    for intercept in (True, False):
        model = ridge.fit(RATIONAL, X, Y, penalty=lam, intercept=intercept)
        assert ridge.certify(X, Y, model, lam) == {"Xᵀ(Y − Ŷ) − λΩB = 0": 0}
        assert not intercept or not any(sum(column) for column in (Y - model.fitted).T)


@few
@given(problems(), positive, semidefinite(3, 2))
def test_any_penalty_matrix_has_its_gradient(problem, lam, A):
    """With Ω the gradient is Xᵀ(Y − Ŷ) − λΩB = 0  [YANG-pda]."""
    X, Y = problem
    p = len(X[0])
    omega = A.block(range(p), range(p))
    model = ridge.fit(RATIONAL, X, Y, penalty=lam, omega=omega)
    assert ridge.certify(X, Y, model, lam, omega) == {"Xᵀ(Y − Ŷ) − λΩB = 0": 0}


@few
@given(problems(), positive)
def test_no_other_coefficients_have_a_smaller_objective(problem, lam):
    """The penalised sum of squares at shifted coefficients is larger."""
    X, Y = problem
    model = ridge.fit(RATIONAL, X, Y, penalty=lam)
    least = ridge.objective(X, Y, model, lam)
    for i in range(len(X[0])):
        for step in (Fraction(1, 7), Fraction(-2)):
            B = Matrix([[v + step * int(i == k) for v in row] for k, row in enumerate(model.coefficients)])
            assert ridge.objective(X, Y, least_squares.Linear(model.intercepts, B), lam) > least


@few
@given(problems())
def test_without_a_penalty_it_is_least_squares(problem):
    """λ = 0: the least-squares fit and its degrees of freedom."""
    X, Y = problem
    a, b = ridge.fit(RATIONAL, X, Y, penalty=Fraction(0)), least_squares.fit(RATIONAL, X, Y)
    assert (a.coefficients, a.intercepts, a.degrees_of_freedom) == (b.coefficients, b.intercepts, b.degrees_of_freedom)


@few
@given(problems(), positive)
def test_degrees_of_freedom_fall_with_the_penalty(problem, lam):
    """The trace of the smoother lies between 1, the intercept's, and that of least squares, and falls as λ grows."""
    X, Y = problem
    small, large = (ridge.fit(RATIONAL, X, Y, penalty=v).degrees_of_freedom for v in (lam, 2 * lam))
    assert 1 < large < small < 1 + len(X[0])


def test_the_penalty_makes_dependent_columns_regular():
    """λ > 0 has an answer where least squares has none; bad penalties are refused."""
    X, Y = Matrix([[1.0, 2.0], [2.0, 4.0], [4.0, 8.0]]), Matrix([[1.0], [2.0], [3.0]])
    with pytest.raises(NoAnswer):
        ridge.fit(BINARY64, X, Y, penalty=0.0)
    assert ridge.fit(BINARY64, X, Y, penalty=1.0).rank == 2
    with pytest.raises(InvalidInput, match="penalty ≥ 0"):
        ridge.fit(BINARY64, X, Y, penalty=-1.0)
    with pytest.raises(InvalidInput, match="2 × 2"):
        ridge.fit(BINARY64, X, Y, penalty=1.0, omega=Matrix([[1.0]]))


def test_the_ridge_formula_agrees_with_paper():
    """One point x = 2, y = 3 without an intercept, λ = 1: 6/5  [LS-CLS.P1]."""
    X, Y = Matrix([[Fraction(2)]]), Matrix([[Fraction(3)]])
    model = ridge.fit(RATIONAL, X, Y, penalty=Fraction(1), intercept=False)
    assert model.coefficients == Matrix([[Fraction(6, 5)]])
    assert model.degrees_of_freedom == Fraction(4, 5)
    weighted = ridge.fit(RATIONAL, X, Y, Vector([Fraction(2)]), penalty=Fraction(1), intercept=False)
    assert weighted.coefficients == Matrix([[Fraction(12, 9)]])
