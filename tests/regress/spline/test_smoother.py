"""The smoothing operator in one variable: a symmetric, shrinking, linear map whose trace is what it says."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.bases.natural import NaturalSplines
from refclass.errors import InvalidInput
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL as F
from refclass.number.tolerance import near
from refclass.regress.spline import certificate
from refclass.regress.spline.smoother import Smoother
from tests.numbers import Strict
from tests.regress import reference
from tests.strategies import fractions, integers, positive

abscissae = st.lists(integers.map(Fraction), min_size=1, max_size=8)
lams = st.sampled_from([Fraction(0), Fraction(1, 50), Fraction(1), Fraction(30), math.inf])


def smoother(x, w=None):
    """Return the smoother of points at x."""
    return Smoother.of(x, w or Vector([Fraction(1)] * len(x)))


def matrix_of(operator):
    """Return S_λ as a matrix on the values at the knots."""
    own = operator.smoother
    m = len(own.knots)
    units = tuple(Vector.unit(m, i, Fraction) for i in range(m))
    pooled = own.pooled(tuple(own.spread(u) for u in units))
    return Matrix(operator.curve(pooled).values).T


@st.composite
def samples(draw):
    """Abscissae with ties, as many weights and responses."""
    x = draw(abscissae)
    n = len(x)
    w = Vector(draw(st.lists(positive, min_size=n, max_size=n)))
    return x, w, Vector(draw(st.lists(fractions, min_size=n, max_size=n)))


@given(samples(), lams)
def test_the_trace_is_the_trace(sample, lam):
    """The degrees of freedom are the trace of the matrix S_λ  [YANG-fda-smoother]."""
    operator = smoother(sample[0], sample[1]).at(lam)
    assert operator.degrees_of_freedom == matrix_of(operator).trace()


@given(samples(), lams)
def test_the_operator_is_symmetric_in_the_metric_of_the_weights(sample, lam):
    """W S_λ is symmetric."""
    own = smoother(sample[0], sample[1])
    (Matrix.diagonal_of(own.weights) @ matrix_of(own.at(lam))).symmetric()


@given(samples(), lams, fractions, fractions)
def test_constants_and_straight_lines_pass_unchanged(sample, lam, a, b):
    """S_λ1 = 1  [FDA-SPLINE.P3], and S_λx = x, where there is more than one x."""
    own = smoother(sample[0], sample[1])
    line = Vector([a + b * t for t in own.knots])
    assert matrix_of(own.at(lam)) @ line == line


@given(samples())
def test_the_degrees_of_freedom_fall_as_lambda_grows(sample):
    """tr S_λ decreases strictly from m at λ = 0 towards 2 at infinity  [FDA-SPLINE.P2]."""
    own = smoother(sample[0], sample[1])
    m = len(own.knots)
    traces = [own.at(Fraction(lam)).degrees_of_freedom for lam in (0, 1, 10, 1000)]
    assert traces[0] == m and own.at(math.inf).degrees_of_freedom == min(m, 2)
    if m > 2:
        assert all(a > b > 2 for a, b in zip(traces, traces[1:]))


@given(samples(), st.sampled_from([Fraction(1, 50), Fraction(1), Fraction(30)]))
def test_the_curve_minimises_the_penalised_sum_of_squares(sample, lam):
    """Both conditions of the minimiser hold exactly, and the penalty is λ times the curve's roughness."""
    x, w, y = sample
    own = smoother(x, w)
    if len(own.knots) > 2:
        curve = own.at(lam).curve(own.pooled([y]))
        left = certificate.slack(own.at(lam), own.pool(y), curve.values[0], curve.seconds[0])
        assert left.worst == left.lost == 0 and left.rough == (lam * curve.roughness(),) * 2


@given(samples(), st.sampled_from([Fraction(1, 50), Fraction(1), Fraction(30)]))
def test_the_banded_solution_is_ridge_regression_on_natural_splines(sample, lam):
    """Elimination on the full penalised normal equations in the basis of natural splines gives the same values."""
    x, w, y = sample
    own = smoother(x, w)
    if len(own.knots) > 2:
        fitted = own.spread(own.at(lam).curve(own.pooled([y])).values[0])
        slow = reference.penalised([[v] for v in x], Matrix([[v] for v in y]), [lam], w)
        assert list(fitted) == [v for (v,) in slow]


@given(samples(), lams)
def test_the_residual_is_the_sum_over_all_points(sample, lam):
    """Ties included: Σ w(y − f(x))² over the points is what `residual` says."""
    x, w, y = sample
    own = smoother(x, w)
    pooled, operator = own.pooled([y, 2 * y]), own.at(lam)
    curve = operator.curve(pooled)
    want = sum(c * (a - curve(t)[0]) ** 2 + c * (2 * a - curve(t)[1]) ** 2 for c, a, t in zip(w, y, x))
    assert operator.residual(pooled) == want


@given(samples(), lams, st.lists(fractions, min_size=1, max_size=4))
def test_the_curve_is_the_natural_spline_through_its_values_everywhere(sample, lam, places):
    """Between knots and beyond them the curve equals the combination of natural splines with the same values."""
    x, w, y = sample
    own = smoother(x, w)
    curve = own.at(lam).curve(own.pooled([y]))
    basis = NaturalSplines(own.knots)
    beta = elimination.solve(basis.matrix(F, own.knots), curve.values[0])
    for t in [*places, own.knots[0] - 7, own.knots[-1] + 7]:
        assert curve(t)[0] == basis(F, t) @ beta


def test_as_lambda_grows_the_curve_tends_to_the_line():
    """The distance from the least-squares line falls like 1/λ: ten times λ, nearly a tenth of the distance."""
    own = smoother([Fraction(v) for v in (0, 1, 3, 4, 7)])
    pooled = own.pooled([Vector(map(Fraction, (1, 4, 0, 2, 5)))])
    line = own.at(math.inf).curve(pooled).values[0]
    far = [(own.at(Fraction(10) ** k).curve(pooled).values[0] - line).largest() for k in (6, 7, 8)]
    assert all(Fraction(999, 10000) < b / a < Fraction(1001, 10000) for a, b in zip(far, far[1:]))


def test_lambda_zero_interpolates_the_means():
    """At λ = 0 the curve passes through the weighted mean of the responses at each distinct x."""
    x = [Fraction(v) for v in (2, 0, 2, 1, 5)]
    w = Vector(map(Fraction, (1, 1, 3, 1, 1)))
    own = smoother(x, w)
    y = Vector(map(Fraction, (4, 1, 0, 7, 2)))
    assert own.at(Fraction(0)).curve(own.pooled([y])).values[0] == Vector(map(Fraction, (1, 7, 1, 2)))


def test_one_abscissa_leaves_the_mean_and_two_the_line():
    """With one distinct x every λ gives the mean, with two the line through both means."""
    y = Vector(map(Fraction, (1, 2, 6)))
    one = smoother([Fraction(3)] * 3)
    two = smoother([Fraction(0), Fraction(0), Fraction(2)])
    for lam in (Fraction(0), Fraction(5), math.inf):
        assert one.at(lam).curve(one.pooled([y]))(Fraction(9)) == Vector([Fraction(3)])
        assert two.at(lam).curve(two.pooled([y]))(Fraction(4)) == Vector([Fraction(21, 2)])


@pytest.mark.slow
def test_doubles_follow_fractions():
    """In doubles the curve and its trace are those of exact arithmetic on the same numbers, up to roundoff."""
    x = [float(v) / 7 for v in range(30)]
    y = Vector([math.sin(v) for v in x])
    rounded = Smoother.of(x, Vector([1.0] * 30))
    exact = smoother(list(map(Fraction, x)))
    for lam in (1e-6, 1e-2, 1.0, 100.0):
        a, b = rounded.at(lam), exact.at(Fraction(lam))
        assert near(BINARY64, a.degrees_of_freedom, float(b.degrees_of_freedom), steps=30)
        got = a.curve(rounded.pooled([y])).values[0]
        want = b.curve(exact.pooled([Vector(map(Fraction, y))])).values[0]
        assert all(near(BINARY64, g, float(v), scale=1, steps=30 * 30) for g, v in zip(got, want))


@pytest.mark.slow
def test_gaps_of_very_different_size_cost_few_digits():
    """Pairs of points a millionth apart: fit and trace in doubles keep eight digits at every λ, where squares of 1/h,
    if they were summed, would leave four.
    """
    x = [k // 2 + 1e-6 * (k % 2) for k in range(40)]
    y = Vector([math.sin(v) + (k * 7 % 5) / 10 for k, v in enumerate(x)])
    rounded, exact = Smoother.of(x, Vector([1.0] * 40)), smoother(list(map(Fraction, x)))
    for lam in (1e-3, 1.0, 1e3):
        a, b = rounded.at(lam), exact.at(Fraction(lam))
        assert abs(Fraction(a.degrees_of_freedom) - b.degrees_of_freedom) < 1e-8
        want = b.curve(exact.pooled([Vector(map(Fraction, y))])).values[0]
        got = a.curve(rounded.pooled([y])).values[0]
        assert max(abs(Fraction(g) - v) for g, v in zip(got, want)) < 1e-8


def test_no_float_slips_in():
    """Strict abscissae, weights and responses stay strict."""
    own = Smoother.of([Strict(v) for v in (0, 1, 3, 3)], Vector([Strict(1)] * 4))
    operator = own.at(Strict(2))
    pooled = own.pooled([Vector([Strict(v) for v in (1, 0, 4, 2)])])
    assert type(operator.degrees_of_freedom) is Strict and type(operator.residual(pooled)) is Strict
    assert type(operator.curve(pooled)(Strict(9))[0]) is Strict


def test_a_negative_lambda_is_refused():
    """λ ≥ 0."""
    with pytest.raises(InvalidInput):
        smoother([Fraction(v) for v in range(4)]).at(Fraction(-1))
