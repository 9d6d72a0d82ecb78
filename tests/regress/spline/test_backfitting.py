"""Backfitting: every state holds together, the criterion never rises, the limit is the minimiser."""

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.spline import backfitting
from refclass.regress.spline.additive_fit import Problem
from tests.regress import reference
from tests.strategies import fractions, integers, positive

GRID = [list(map(Fraction, point)) for point in product((0, 1, 3), (0, 2, 3, 5))]


def problem(F, X, Y, w=None):
    """Return the problem with rows lifted into F, and the operators of one λ for each variable."""
    weights = None if w is None else Vector([F.lift(v) for v in w])
    rows, responses = ([[F.lift(v) for v in row] for row in M] for M in (X, Y))
    return Problem.of(F, Matrix(rows), Matrix(responses), weights)


def operators(made, lams):
    """Return each variable's operator at its λ."""
    return [None if lam is None else s.at(lam) for s, lam in zip(made.smoothers, lams)]


@st.composite
def steps(draw):
    """The first states of an iteration on a small random sample in exact arithmetic."""
    n, p = draw(st.integers(3, 6)), 2
    X = draw(st.lists(st.lists(integers, min_size=p, max_size=p), min_size=n, max_size=n))
    Y = draw(st.lists(st.lists(fractions, min_size=1, max_size=2).map(lambda y: [y[0], y[-1]]), min_size=n, max_size=n))
    w = draw(st.lists(positive, min_size=n, max_size=n))
    made = problem(RATIONAL, X, Y, w)
    lams = [draw(st.sampled_from([Fraction(1, 2), Fraction(4), math.inf, None])) for _ in range(p)]
    return [state for state, _ in zip(backfitting.steps(RATIONAL, made, operators(made, lams)), range(4))]


@given(steps())
def test_every_state_holds_together(states):
    """Residuals are what the functions leave, exactly; every function has weighted mean zero."""
    for state in states:
        state.check(RATIONAL)


@given(steps())
def test_the_criterion_never_rises(states):
    """RSS + Σ λ_j ∫ f_j″² falls from sweep to sweep, or the iteration has ended  [ESL-12.3.3-additive]."""
    values = [state.objective for state in states]
    for state, a, b in zip(states[1:], values, values[1:]):
        assert b < a or (b == a and state.change == 0)


def test_the_limit_is_the_minimiser_of_the_criterion():
    """Backfitting in doubles ends at the solution of the full penalised normal equations in fractions."""
    X = [[k % 7, (k * k) % 11, (3 * k) % 5] for k in range(24)]
    Y = [[Fraction((k * 37) % 23, 7), Fraction(k % 4)] for k in range(24)]
    lams = [Fraction(1, 3), Fraction(2), Fraction(1, 10)]
    want = reference.penalised([list(map(Fraction, row)) for row in X], Matrix(Y), lams)
    made = problem(BINARY64, X, Y)
    state = backfitting.solve(BINARY64, made, operators(made, map(float, lams)), tol=1e-13)
    for y, residual, column in zip(made.responses, state.fit.residual, want.T):
        assert all(near(BINARY64, a - r, float(f), scale=4, steps=24) for a, r, f in zip(y, residual, column))


def test_balanced_designs_are_done_in_one_sweep():
    """On a full factorial grid the variables do not interfere: the first sweep is exact, the second moves nothing."""
    Y = [[a * a - 3 * b * b] for a, b in GRID]
    made = problem(RATIONAL, GRID, Y)
    lams = [Fraction(1, 4), Fraction(3)]
    states = list(backfitting.steps(RATIONAL, made, operators(made, lams)))
    assert len(states) == 3 and states[-1].change == 0
    want = reference.penalised(GRID, Matrix(Y), lams)
    assert [y - r for y, r in zip(made.responses[0], states[-1].fit.residual[0])] == [v for (v,) in want]


def test_correlated_lines_are_straightened_at_once():
    """Two lines in nearly the same variable take one sweep, where plain turns would take hundreds."""
    X = [[k, k + (k % 3) / 1000] for k in range(12)]
    Y = [[k * k % 7 + 0.0] for k in range(12)]
    made = problem(BINARY64, X, Y)
    state = backfitting.solve(BINARY64, made, operators(made, [math.inf, math.inf]))
    assert state.sweep <= 3


def test_the_iteration_does_not_depend_on_the_order_of_the_points():
    """Permuting the points permutes the residuals."""
    X = [[k % 5, (k * k) % 7] for k in range(12)]
    Y = [[Fraction((k * 5) % 8)] for k in range(12)]
    order = [(5 * k) % 12 for k in range(12)]
    residuals = []
    for rows, responses in ((X, Y), ([X[i] for i in order], [Y[i] for i in order])):
        made = problem(RATIONAL, rows, responses)
        run = backfitting.steps(RATIONAL, made, operators(made, [Fraction(1), Fraction(1, 2)]))
        residuals.append([state.fit.residual[0] for state, _ in zip(run, range(3))][-1])
    assert residuals[1] == residuals[0].pick(order)


def test_a_budget_that_runs_out_keeps_the_state():
    """NotConverged carries the last state, from which a caller can go on."""
    made = problem(BINARY64, [[k % 7, (k * k) % 11] for k in range(24)], [[float(k % 5)] for k in range(24)])
    with pytest.raises(NotConverged) as refusal:
        backfitting.solve(BINARY64, made, operators(made, [0.1, 0.1]), max_sweeps=1)
    state = refusal.value.witness["state"]
    assert state.sweep == 1
    again = backfitting.solve(BINARY64, made, state.fit.operators, start=state.fit)
    assert again.change <= BINARY64.eps * made.start().rss


def test_a_sample_without_weight_is_refused():
    """Some weight must be positive."""
    with pytest.raises(InvalidInput):
        problem(RATIONAL, [[1], [2]], [[1], [2]], [0, 0])
