"""Additive models: sums of splines, lines, and nothing."""

import math
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.linear import least_squares
from refclass.regress.spline import additive, additive_bound, spline
from refclass.regress.spline.additive_fit import Problem
from tests.regress import reference
from tests.strategies import fractions, integers

GRID = Matrix([list(map(Fraction, point)) for point in product((0, 1, 3), (0, 2, 3, 5))])


@given(st.lists(st.tuples(integers, integers, fractions), min_size=4, max_size=8), st.data())
def test_straight_lines_everywhere_are_least_squares(rows, data):
    """At λ_j = ∞ for every variable the additive spline is linear regression, exactly  [FDA-SPLINE.P1]."""
    X = Matrix([[Fraction(a), Fraction(b)] for a, b, _ in rows])
    Y = Matrix([[y] for _, _, y in rows])
    if elimination.rank(RATIONAL, Matrix([[*x, Fraction(1)] for x in X])) < 3:
        return
    model = additive.fit(RATIONAL, X, Y, smoothing=[math.inf] * 2)
    linear = least_squares.fit(RATIONAL, X, Y)
    assert [f for (f,) in model.fitted] == [linear.intercepts[0] + linear.coefficients.T[0] @ x for x in X]
    assert model.types == ("linear", "linear") and model.degrees_of_freedom == 3


def test_one_variable_is_the_smoothing_spline():
    """With one variable the additive model is the spline itself, found in one sweep."""
    X = Matrix([[Fraction(v)] for v in (0, 1, 1, 4, 6, 7)])
    Y = Matrix([[Fraction(v), Fraction(v * v)] for v in (3, 1, 2, 7, 0, 5)])
    model = additive.fit(RATIONAL, X, Y, smoothing=[Fraction(1, 2)])
    single = spline.fit(RATIONAL, X, Y, lam=Fraction(1, 2))
    assert model.fitted == single.fitted and model.degrees_of_freedom == single.degrees_of_freedom


def test_variables_left_out_do_not_matter():
    """λ_j = None: the fit is that without the variable, whatever its values."""
    Y = Matrix([[a * a - b] for a, b in GRID])
    both = additive.fit(RATIONAL, GRID, Y, smoothing=[Fraction(1), None])
    assert both.fitted == additive.fit(RATIONAL, Matrix([[a] for a, _ in GRID]), Y, smoothing=[Fraction(1)]).fitted
    assert both.types == ("smooth", "excluded") and both.term_degrees[1] == 0
    nothing = additive.fit(RATIONAL, GRID, Y, smoothing=[None, None])
    assert set(nothing.fitted.T[0]) == {Y.T[0].sum() / 12}


def test_the_additive_operator_keeps_constants_and_shrinks():
    """S_λ1 = 1 [FDA-SPLINE.P3]; the trace of the whole operator falls as all λ grow [FDA-SPLINE.P2]."""
    X = [[Fraction(k % 4), Fraction((k * k) % 7)] for k in range(9)]
    units = Matrix.identity(9, Fraction)
    traces = []
    for lam in (Fraction(1, 10), Fraction(1), Fraction(10)):
        S = reference.penalised(X, units, [lam, lam])
        assert S @ Vector([Fraction(1)] * 9) == Vector([Fraction(1)] * 9)
        S.symmetric()
        traces.append(S.trace())
    assert traces[0] > traces[1] > traces[2] > 3


def test_the_least_penalised_criterion_is_what_the_operator_leaves():
    """min ‖y − f‖² + Σ λ_j∫f_j″² = yᵀ(I − S_λ)y: S_λ being symmetric  [FDA-CRIT.P2]."""
    y = Vector([a * a - b * b + a * b for a, b in GRID])
    Y = Matrix([[v] for v in y])
    lams = [Fraction(1, 4), Fraction(3)]
    model = additive.fit(RATIONAL, GRID, Y, smoothing=lams)
    rough = sum(lam * curve.roughness() for lam, curve in zip(lams, model.curves))
    assert model.rss + rough == y @ y - y @ Vector([f for (f,) in model.fitted])


def test_predictions_add_the_curves_up():
    """predict(x) = α + Σ f_j(x_j), also beyond the sample; at the sample it is fitted."""
    X = Matrix([[float(k % 5), float((k * k) % 7)] for k in range(15)])
    Y = Matrix([[float((k * 3) % 8)] for k in range(15)])
    model = additive.fit(BINARY64, X, Y, smoothing=[0.5, math.inf])
    assert model.predict(X) == model.fitted
    far = Vector([9.0, -3.0])
    want = model.intercept[0] + model.curves[0](9.0)[0] + model.curves[1](-3.0)[0]
    assert near(BINARY64, model.predict(Matrix([far]))[0][0], want, scale=10, steps=4)


def test_integer_weights_are_copies():
    """Rows of weight 3 and 0 fit as three copies and none."""
    w = [k % 3 for k in range(12)]
    Y = Matrix([[a * a - b] for a, b in GRID])
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    once = additive.fit(BINARY64, _floats(GRID), _floats(Y), Vector(map(float, w)), smoothing=[1.0, 0.2], tol=1e-12)
    rows, responses = (Matrix([M[i] for i in copies]) for M in (_floats(GRID), _floats(Y)))
    many = additive.fit(BINARY64, rows, responses, smoothing=[1.0, 0.2], tol=1e-12)
    assert near(BINARY64, once.rss, many.rss, steps=100)
    for x in _floats(GRID):
        a, b = (m.predict(Matrix([x]))[0][0] for m in (once, many))
        assert near(BINARY64, a, b, scale=10, steps=100)


def _floats(M):
    return Matrix([[float(v) for v in row] for row in M])


def test_the_certificate_of_an_exact_fixed_point_is_a_proof():
    """On a balanced design backfitting is exact, and every gradient is zero; in doubles it is roundoff."""
    Y = Matrix([[a * a - 3 * b * b] for a, b in GRID])
    model = additive.fit(RATIONAL, GRID, Y, smoothing=[Fraction(1, 4), math.inf])
    proof = additive.certify(GRID, Y, model)
    assert proof.status == "optimal" and proof.worst_violation == proof.gap == 0
    rounded = additive.fit(BINARY64, _floats(GRID), _floats(Y), smoothing=[0.25, math.inf])
    assert additive.certify(_floats(GRID), _floats(Y), rounded).worst_violation < 1e-10
    stale = additive.Model(**{**vars(rounded), "intercept": rounded.intercept + Vector([0.5])})
    assert additive.certify(_floats(GRID), _floats(Y), stale).worst_violation > 0.1


def test_the_iteration_in_exact_arithmetic_needs_a_tolerance():
    """With a tol backfitting goes on fractions, too, and ends near the minimiser."""
    X = Matrix([[Fraction(k), Fraction(k * k % 7)] for k in range(6)])
    Y = Matrix([[Fraction(k % 3)] for k in range(6)])
    exact = additive.fit(RATIONAL, X, Y, smoothing=[Fraction(1), Fraction(1)])
    near_it = additive.fit(RATIONAL, X, Y, smoothing=[Fraction(1), Fraction(1)], tol=Fraction(1, 100), max_sweeps=9)
    assert exact.sweeps == 0 < near_it.sweeps and (near_it.fitted - exact.fitted).largest() < Fraction(1, 10)
    with pytest.raises(NotConverged):
        additive.fit(RATIONAL, X, Y, smoothing=[Fraction(1), Fraction(1)], tol=Fraction(1, 100), max_sweeps=1)


def test_smoothing_for_another_number_of_variables_is_refused():
    """One λ for each variable."""
    with pytest.raises(InvalidInput):
        additive.fit(RATIONAL, GRID, GRID, smoothing=[Fraction(1)])


@pytest.mark.parametrize(
    "lams", [(Fraction(1), Fraction(1, 4)), (Fraction(10**6), math.inf), (Fraction(1, 2**30), None)]
)
def test_the_bound_is_below_every_model_and_at_the_minimum(lams):
    """Of any residuals: the exact minimum has a gap of zero, rounded and unfinished ones one that covers it."""
    r = Random(5)
    X = Matrix([[Fraction(r.randint(0, 9)), Fraction(r.randint(0, 99))] for _ in range(12)])
    Y = Matrix([[Fraction(r.randint(0, 9)), Fraction(r.randint(0, 9))] for _ in range(12)])
    problem, exact = Problem.of(RATIONAL, X, Y), additive.fit(RATIONAL, X, Y, smoothing=lams)
    least = additive.certify(X, Y, exact).primal
    residual = problem.residual(exact.intercept, exact.curves)
    assert additive_bound.below(problem, lams, residual) == least
    for size in (Fraction(1, 10**6), Fraction(1), Fraction(10**9)):
        moved = [Vector([v + size * r.randint(-3, 3) for v in row]) for row in residual]
        assert 0 <= additive_bound.below(problem, lams, moved) <= least
    rounded = additive.fit(BINARY64, _floats(X), _floats(Y), smoothing=[v if v is None else float(v) for v in lams])
    found = additive.certify(_floats(X), _floats(Y), rounded)
    assert found.status == "optimal" and found.dual <= least <= found.primal
    assert additive_bound.below(problem, (Fraction(0), None), residual) is None


def test_the_bound_has_no_more_planes_than_are_independent():
    """Copies of columns, and more columns than rows: the bound exists and proves the minimum."""
    r = Random(7)
    one = [[Fraction(r.randint(0, 99)) for _ in range(6)] for _ in range(8)]
    X = Matrix([[row[0], row[2], *row, row[0] + row[1], 9 * row[0]] for row in one])
    Y = Matrix([[Fraction(r.randint(0, 9))] for _ in range(8)])
    problem, lines = Problem.of(RATIONAL, X, Y), least_squares.fit(RATIONAL, X, Y, pseudo_inverse=True)
    least = additive_bound.below(problem, [math.inf] * 10, [Vector(row) for row in Y.T])
    assert least == sum(v * v for v in (Y - lines.predict(X)).T[0]) > 0
    assert 0 < additive_bound.below(problem, [Fraction(10**12)] * 10, [Vector(row) for row in Y.T]) < least


@pytest.mark.parametrize("weighted", [False, True])
def test_degrees_of_uneven_columns_are_the_exact_ones_rounded(weighted):
    """A gap 2¹⁴ times as wide as another costs the trace of doubles digits; that of fractions is rounded instead."""
    first = [0.0, 2.0**-14, 1.0, 2.0, 3.0, 4.0, 5.0]
    X, Y = Matrix([[a, float(3 * i % 7)] for i, a in enumerate(first)]), Matrix([[float(i * i % 5)] for i in range(7)])
    w = Vector([1.0, 2.0, 1.0, 3.0, 1.0, 1.0, 2.0]) if weighted else None
    found = additive.fit(BINARY64, X, Y, w, smoothing=[1.0, 0.5])
    X, Y = (Matrix([[Fraction(v) for v in row] for row in rows]) for rows in (X, Y))
    w = w and Vector(map(Fraction, w))
    exact = additive.fit(RATIONAL, X, Y, w, smoothing=[Fraction(1), Fraction(1, 2)])
    assert found.term_degrees == tuple(map(float, exact.term_degrees))
    single = spline.fit(RATIONAL, Matrix([row[:1] for row in X]), Y, w, lam=Fraction(1))
    assert exact.term_degrees[0] == single.degrees_of_freedom - 1


def test_a_tolerance_ends_backfitting_in_doubles_earlier():
    """With a tol of one few sweeps are made; without one as many as change anything."""
    Y = Matrix([[float(a * a - a * b)] for a, b in GRID])
    early, late = (additive.fit(BINARY64, _floats(GRID), Y, smoothing=[1.0, 0.2], **own) for own in ({"tol": 1.0}, {}))
    assert 0 < early.sweeps < late.sweeps
