"""The proof beside a spline: bounds that hold, of a size that says something."""

import math
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.regress.spline import certificate, spline
from refclass.regress.spline.smoother import Smoother
from tests.profiles import examples
from tests.strategies import fractions

X = [Fraction(v) for v in (0, 1, 3, 4, 6, 9)]
Y = Vector(map(Fraction, (2, -1, 0, 5, 1, 1)))
SIX = st.lists(fractions, min_size=6, max_size=6).map(Vector)


def least(lam):
    """Return the smallest value of the criterion."""
    model = spline.fit(RATIONAL, Matrix([[x] for x in X]), Matrix([[y] for y in Y]), lam=lam)
    return model.rss + (0 if lam == math.inf else lam * model.curve.roughness())


@settings(max_examples=examples(30))
@given(SIX, SIX, st.sampled_from([Fraction(1, 10), Fraction(3), Fraction(100)]))
def test_the_bounds_hold_for_any_values_and_bends(g, gamma, lam):
    """Whatever g and γ are claimed, RSS + roughness from below − lost ≤ least ≤ RSS + roughness from above."""
    own = Smoother.of(X, Vector([Fraction(1)] * 6))
    left = certificate.slack(own.at(lam), Y, g, Vector([Fraction(0), *gamma[1:-1], Fraction(0)]))
    missed = (Y - g) @ (Y - g)
    assert missed + left.rough[0] - left.lost <= least(lam) <= missed + left.rough[1]
    assert left.worst > 0


@settings(max_examples=examples(30))
@given(SIX, st.sampled_from([Fraction(1, 10), Fraction(3), Fraction(100)]))
def test_bends_that_do_not_belong_to_the_values_are_paid_for(gamma, lam):
    """Values that satisfy one condition exactly with bends that break the other: the bounds still hold."""
    own = Smoother.of(X, Vector([Fraction(1)] * 6))
    inner = Vector(gamma[1:-1])
    g = Y - lam * own._bands.spread(inner)
    left = certificate.slack(own.at(lam), Y, g, Vector([Fraction(0), *inner, Fraction(0)]))
    missed = (Y - g) @ (Y - g)
    through = spline.fit(RATIONAL, Matrix([[x] for x in X]), Matrix([[v] for v in g]), lam=0)
    truth = missed + lam * through.curve.roughness()
    assert missed + left.rough[0] <= truth <= missed + left.rough[1]
    assert truth - left.lost <= least(lam)


@given(SIX)
def test_lines_are_held_against_the_line_of_least_squares(g):
    """For λ = ∞ what is lost is bounded by the distance from the least-squares line."""
    own = Smoother.of(X, Vector([Fraction(1)] * 6))
    line = own.at(math.inf).curve(own.pooled([Y])).values[0]
    left = certificate.slack(own.at(math.inf), Y, g, Vector([Fraction(0)] * 6))
    assert left.worst == (g - line).largest() and left.rough == (0, 0)
    assert left.lost >= (g - line) @ (g - line)


def test_a_rounded_curve_passes_at_its_own_roundoff_only():
    """Computed in doubles the conditions fail by roundoff of their size; a changed digit fails by more."""
    model = spline.fit(BINARY64, Matrix([[float(x)] for x in X]), Matrix([[float(y)] for y in Y]), lam=0.3)
    curve = certificate.rational_curve(model.curve)
    own = Smoother.of(X, Vector([Fraction(1)] * 6)).at(Fraction(0.3))
    left = certificate.slack(own, Y, curve.values[0], curve.seconds[0])
    allowed = 30 * 6 * Fraction(BINARY64.eps) * left.size
    assert 0 < left.worst <= allowed
    bent = certificate.slack(own, Y, curve.values[0] + Vector.unit(6, 2, Fraction) / 10**9, curve.seconds[0])
    assert bent.worst > allowed
