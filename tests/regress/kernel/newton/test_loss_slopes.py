"""Tests of slopes in fixed-point numbers: V′ and the proximal map, against fractions."""

from decimal import Context, Decimal
from fractions import Fraction as Q

import pytest

from refclass.linear.factorisations.fixed_point import fixed
from refclass.losses import conjugate_pieces as convex
from refclass.losses.huber import Huber
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.number.rational import RATIONAL
from refclass.regress.kernel.newton.loss_slopes import Logistic, Piecewise, exponential

BITS = 120
LOSSES = (Huber(Q(3, 2)), SquaredInsensitive(Q(1, 4)), QuadraticInsensitive(Q(1, 4)), Insensitive(Q(1, 4)))


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: type(loss).__name__)
def test_the_proximal_map_is_the_nearest_multiplier(loss):
    """With σ = 1 and centre 0, a(r) is that of the proof's map; Δ is 1/(da/dr)  [MMST-11.5.1-quadratic]."""
    pieces = loss.pieces(RATIONAL)
    slopes = Piecewise(BITS, [pieces])
    (slopes.sigma,) = fixed([1], BITS)
    step = Q(1, 2**30)
    for r in [Q(k, 7) + Q(1, 100) for k in range(-40, 41)]:
        near, next_ = convex.nearest(pieces, r), convex.nearest(pieces, r + step)
        found = slopes(0, *fixed([r], BITS))
        assert abs(Q(found.a, 2**BITS) - near) < Q(1, 2**110)
        assert (found.delta == 0) == (near == next_)
        if found.delta:
            assert abs(Q(found.delta, 2**BITS) * (next_ - near) - step) < Q(1, 2**80)


@pytest.mark.parametrize("loss", LOSSES[:2], ids=lambda loss: type(loss).__name__)
def test_without_a_proximal_term_it_is_the_slope_of_the_loss(loss):
    """(V(r + h) − V(r − h))/2h is a(r) where V is a parabola  [ESL-12.38]."""
    pieces, h = loss.pieces(RATIONAL), Q(1, 1000)
    slopes = Piecewise(BITS, [pieces])
    for r in [Q(k, 7) + Q(1, 100) for k in range(-20, 20)]:
        want = (convex.value(pieces, r + h) - convex.value(pieces, r - h)) / (2 * h)
        assert abs(Q(slopes(0, *fixed([r], BITS)).a, 2**BITS) - want) < Q(1, 2**100)


@pytest.mark.parametrize("x", [Q(0), Q(1, 10**9), Q(1, 3), Q(5), Q(80)])
def test_the_exponential_is_that_of_decimals(x):
    """e^(−x) to within a few units  [KLR.P1]."""
    context = Context(prec=80)
    want = context.exp(context.divide(Decimal(-x.numerator), Decimal(x.denominator)))
    assert abs(Q(exponential(*fixed([x], BITS), BITS), 2**BITS) - Q(want)) < Q(8, 2**BITS)


def test_the_multiplier_of_the_deviance_is_a_probability():
    """a = wy/(λ(1 + e^(yf))): half the cost at f = 0, more where the label is missed  [ESL-12.31]."""
    slopes = Logistic(BITS, [1, -1], [Q(2), Q(2)])
    one = 1 << BITS
    assert [slopes(i, t * one).a for i, t in ((0, 1), (1, -1))] == [one, -one]
    assert slopes(0, 4 * one).a > one > slopes(0, -2 * one).a > 0
    assert slopes(0, one).delta == 2 * one
