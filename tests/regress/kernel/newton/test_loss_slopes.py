"""Tests of slopes in fixed-point numbers: V′ and the proximal map, against fractions."""

from decimal import Context, Decimal
from fractions import Fraction as Q

import pytest

from refclass.linear.factorisations.fixed_point import fixed
from refclass.losses import conjugate_pieces as convex
from refclass.losses.huber import Huber
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.number.exponential import exponential
from refclass.number.rational import RATIONAL
from refclass.regress.kernel.newton.loss_slopes import Logistic, Piecewise, Power

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


def test_no_proximal_term_stands_until_one_is_set():
    """σ = 0 and a centre of zeros in each of the three kinds of slopes  [ESL-12.38] [ESL-12.31] [KIM-3.33]."""
    pieces = [loss.pieces(RATIONAL) for loss in LOSSES[:2]]
    ones = [Q(1), Q(1)]
    for slopes in (Piecewise(BITS, pieces), Logistic(BITS, [1, -1], ones), Power(BITS, [1, -1], ones, Q(3, 2))):
        assert (slopes.sigma, slopes.centre) == (0, [0, 0])


def test_at_an_edge_a_slope_is_that_of_the_kink_or_of_the_bound():
    """Without roundoff: a parabola rises at r = 0, nothing does yet at r = ±ε, and nothing more does at r = ±c
    [ESL-12.38] [MMST-11.5.1-linear]."""
    half = 1 << (BITS - 1)
    huber, tube = (Piecewise(BITS, [loss.pieces(RATIONAL)]) for loss in LOSSES[:2])
    rising = huber(0, half).delta
    assert [huber(0, k * half) for k in (-4, -3, -2, 0, 1, 3, 4)] == [
        *[(-3 * half, 0)] * 2,
        *[(k * half, rising) for k in (-2, 0, 1)],
        *[(3 * half, 0)] * 2,
    ]
    assert [tube(0, k * half // 2) for k in (-1, 0, 1)] == [(0, 0)] * 3
    assert tube(0, half).a == -tube(0, -half).a == 2 * (half - half // 2)


def near(found, want, bits=BITS):
    """Return whether a number in units is what it should be, to sixteen of its bits and eight units."""
    return abs(found - want * 2**bits) <= 8 + abs(want) * 2 ** (bits - 16)


@pytest.mark.parametrize("bits", [BITS, 1100])
def test_a_probability_has_its_digits_however_long_the_numbers_are(bits):
    """a = c/(1 + e^m), m = yf on both sides of log 4, where its form changes, and more bits than a double has
    [ESL-12.31]."""
    slopes, context = Logistic(bits, [1], [Q(3)]), Context(prec=bits)
    for m in (Q(-2), Q(-1, 2), Q(0), Q(1, 2), Q(5, 4), Q(3, 2), Q(4)):
        want = 3 / (1 + Q(context.exp(context.divide(Decimal(m.numerator), Decimal(m.denominator)))))
        assert abs(slopes(0, int((1 - m) * 2**bits)).a - want * 2**bits) < 16


def test_a_probability_of_less_than_the_root_of_a_unit_is_a_constant():
    """A curvature of ¾·2⁻⁶⁰ changes nothing, one of 1½·2⁻⁶⁰ does, with units of 2⁻¹²⁰  [ESL-12.31]."""
    slopes, context = Logistic(BITS, [1], [Q(1)]), Context(prec=60)
    for share, constant in ((Q(3, 4), True), (Q(3, 2), False), (Q(1, 2**12), True)):
        m = -Q(context.ln(context.divide(Decimal(share.numerator), Decimal(share.denominator * 2**60))))
        found = slopes(0, int((1 - m) * 2**BITS))
        assert near(found.a, share / 2**60) and found.a > 0
        assert (found.delta == 0) is constant
        assert constant or near(found.delta, 2**60 / share)


def test_powers_of_the_smallest_slack_have_the_slope_of_the_power():
    """d = 2⁻¹²⁰: at p = 3/2 a = (3/2)d^½; at p = 7/2 a vanishes and is a constant; with c = 2⁶⁴ and p = 9/8 a is as
    steep as a unit  [KIM-3.33]."""
    root, flat, steep = (Power(BITS, [1], [c], p)(0, 1) for c, p in ((1, Q(3, 2)), (1, Q(7, 2)), (2**64, Q(9, 8))))
    assert near(root.a, Q(3, 2) / 2**60) and near(root.delta, Q(4, 3) / 2**60)
    assert flat == (0, 0) and steep.delta == 1


def test_without_a_slack_a_power_of_the_hinge_is_flat():
    """a = 0 at a slack of zero and on the other side; with a slack it has the sign of the label  [KIM-3.33]."""
    slopes, one = Power(BITS, [1, -1], [Q(2), Q(2)], Q(3, 2)), 1 << BITS
    assert slopes(0, one).a == -slopes(1, -one).a > 0 and slopes(0, one).delta == slopes(1, -one).delta > 0
    assert {slopes(i, r) for i, r in ((0, 0), (0, -1), (1, 0), (1, 1), (0, -one))} == {(0, 0)}


def test_multipliers_are_unbounded_where_no_loss_has_a_largest_slope():
    """Those of Huber's loss and the tube's end, those of the squared tube do not  [ESL-12.38]."""
    huber, square, _, tube = [loss.pieces(RATIONAL) for loss in LOSSES]
    assert Piecewise(BITS, [square, square]).unbounded
    assert not any(Piecewise(BITS, own).unbounded for own in ([huber], [tube], [square, huber], [tube, square]))
