"""Additive splines in one step, in exact arithmetic."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.spline import additive, additive_representers, backfitting
from refclass.regress.spline.additive_fit import Problem
from tests.numbers import STRICT, Strict
from tests.profiles import examples
from tests.regress import reference
from tests.strategies import fractions, integers, positive


@settings(max_examples=examples(15))
@given(st.lists(st.tuples(integers, integers, fractions, positive), min_size=3, max_size=7), st.data())
def test_exact_arithmetic_solves_the_normal_equations(rows, data):
    """Without a tol the exact fit is the minimiser itself: every gradient is zero, whatever the correlations."""
    X = Matrix([[Fraction(a), Fraction(b)] for a, b, _, _ in rows])
    Y = Matrix([[y, y * y] for _, _, y, _ in rows])
    w = Vector([c for _, _, _, c in rows])
    lams = [data.draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(4), math.inf, None])) for _ in range(2)]
    try:
        model = additive.fit(RATIONAL, X, Y, w, smoothing=lams)
    except NoAnswer:
        return
    proof = additive.certify(X, Y, model, w)
    assert proof.status == "optimal" and model.predict(X) == model.fitted
    if elimination.rank(RATIONAL, Matrix([[*x, Fraction(1)] for x in X])) == 3:
        slow = reference.penalised(list(X), Y, ["line" if v == math.inf else v for v in lams], w)
        assert model.fitted == slow


def test_in_doubles_it_is_the_limit_of_backfitting():
    """The direct solution and the end of the iteration are the same functions, up to roundoff."""
    X = Matrix([[float(k % 7), float((k * k) % 11)] for k in range(24)])
    Y = Matrix([[float((k * 5) % 9)] for k in range(24)])
    problem = Problem.of(BINARY64, X, Y)
    operators = [problem.smoothers[0].at(0.5), problem.smoothers[1].at(math.inf)]
    fitted_by_steps = backfitting.solve(BINARY64, problem, operators, tol=1e-14).fit
    at_once = additive_representers.solve(problem, operators)
    for a, b in zip(fitted_by_steps.residual[0], at_once.residual[0]):
        assert near(BINARY64, a, b, scale=10, steps=200)


def test_functions_that_are_not_unique_are_refused_with_their_witness():
    """Two interpolants in the same variable: a null vector says which combination is nothing."""
    X = Matrix([[Fraction(k), 2 * Fraction(k)] for k in range(5)])
    with pytest.raises(NoAnswer):
        additive.fit(RATIONAL, X, X, smoothing=[Fraction(0), Fraction(0)])


def test_no_float_slips_in():
    """Strict samples are solved on strict numbers."""
    X = Matrix([[Strict(k), Strict(k * k % 5)] for k in range(6)])
    problem = Problem.of(STRICT, X, X)
    fit = additive_representers.solve(problem, [s.at(Strict(1)) for s in problem.smoothers])
    assert all(type(v) is Strict for r in fit.residual for v in r)


@pytest.mark.parametrize("other", [Fraction(1), math.inf])
def test_an_interpolant_beside_a_smooth_function_of_the_same_variable_is_not_unique(other):
    """One λ of zero is enough: no straight part is left out, and a null vector says what is nothing."""
    X = Matrix([[Fraction(k), 2 * Fraction(k)] for k in range(5)])
    for smoothing in ([Fraction(0), other], [other, Fraction(0)]):
        with pytest.raises(NoAnswer) as refusal:
            additive.fit(RATIONAL, X, X, smoothing=smoothing)
        assert any(refusal.value.witness["null_vector"])
