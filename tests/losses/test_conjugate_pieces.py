"""The pieces of a conjugate stand for the loss they were made from."""

from fractions import Fraction as Q

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear.common_denominator import Scaled
from refclass.linear.vector import Vector
from refclass.losses import conjugate_pieces as convex
from refclass.losses.deviance import Deviance
from refclass.losses.hinge import Hinge
from refclass.losses.huber import Huber
from refclass.losses.huberised import Huberised
from refclass.losses.huberised_hinge import HuberisedHinge
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import machine
from tests.profiles import examples
from tests.strategies import fractions, positive

few = settings(max_examples=examples(25))

RESIDUAL = [
    Insensitive(Q(1, 3)),
    Insensitive(Q(0)),
    SquaredInsensitive(Q(1, 2)),
    SquaredInsensitive(Q(0)),
    QuadraticInsensitive(Q(9, 4)),
    QuadraticInsensitive(Q(0)),
    Huber(Q(3, 2)),
]
MARGIN = [Hinge(), SquaredHinge(), Huberised(), HuberisedHinge(), Squared()]
residual = pytest.mark.parametrize("loss", RESIDUAL, ids=repr)
margin = pytest.mark.parametrize("loss", MARGIN, ids=repr)


@residual
@few
@given(r=fractions)
def test_the_pieces_give_back_the_loss_of_the_residual(loss, r):
    """The pieces' sum of maxima is V(r)  [ESL-12.37] [ESL-12.38] [MMST-11.5.1-quadratic] [MMST-11.5.1-squared]."""
    assert convex.value(loss.pieces(RATIONAL), r) == loss(RATIONAL, r)


@margin
@few
@given(f=fractions, y=st.sampled_from([Q(1), Q(-1)]))
def test_the_pieces_give_back_the_loss_of_the_margin(loss, f, y):
    """With r = y − f the pieces' sum of maxima is L(yf), because yf = 1 − yr  [MMST-11.67] [ID-MMST-11.67]."""
    assert convex.value(loss.of_label(RATIONAL, y), y - f) == loss(RATIONAL, y * f)


@residual
@few
@given(a=fractions)
def test_the_pieces_give_the_conjugate(loss, a):
    """Where V* is finite the pieces' cost is V*(a)  [ESL-12.41] [MMST-Ex11.2]."""
    pieces = loss.pieces(RATIONAL)
    try:
        want = loss.conjugate(RATIONAL, a)
    except NoAnswer:
        parts = convex.parts_of(pieces, a)
        assert any(p.clip(v) != v for p, v in zip(pieces, parts))
        return
    assert convex.conjugate(pieces, a).value == want


@residual
@few
@given(a=fractions, r=fractions)
def test_equality_in_the_conjugates_inequality_means_that_a_is_a_slope(loss, a, r):
    """V(r) + V*(a) ≥ ar, equal just where r lies between the slopes of V* at a  [ESL-12.43]."""
    pieces = loss.pieces(RATIONAL)
    parts = convex.parts_of(pieces, a)
    assume(all(p.clip(v) == v for p, v in zip(pieces, parts)))
    c = convex.conjugate(pieces, a)
    excess = loss(RATIONAL, r) + c.value - a * r
    between = (c.left is None or c.left <= r) and (c.right is None or r <= c.right)
    assert excess >= 0 and (excess == 0) == between


@residual
@few
@given(z=fractions)
def test_the_nearest_multiplier_is_a_slope_at_what_is_left(loss, z):
    """The a nearest to z is a slope of V at r = z − a, and only a slope at r is nearest to itself plus r
    [ESL-12.43]."""
    pieces = loss.pieces(RATIONAL)
    a = convex.nearest(pieces, z)
    c = convex.conjugate(pieces, a)
    r = z - a
    assert (c.left is None or c.left <= r) and (c.right is None or r <= c.right)


@residual
@few
@given(a=fractions, r=fractions, cost=positive)
def test_a_cost_scales_the_loss(loss, a, r, cost):
    """The pieces of cost · V give cost · V(r)  [MMST-11.113]."""
    pieces = tuple(p.scaled(cost) for p in loss.pieces(RATIONAL))
    assert convex.value(pieces, r) == cost * loss(RATIONAL, r)


@few
@given(r=fractions)
def test_a_cost_of_zero_leaves_nothing(r):
    """A point without weight has the loss 0 and the multiplier 0  [SVR-L1]."""
    for loss in RESIDUAL:
        pieces = tuple(p.scaled(Q(0)) for p in loss.pieces(RATIONAL))
        assert convex.value(pieces, r) == 0 and convex.nearest(pieces, r) == 0


def test_an_irrational_edge_is_refused_in_exact_arithmetic():
    """√ε must be rational for the printed quadratic loss to be exact  [MMST-11.5.1-quadratic]."""
    with pytest.raises(NotExact, match="rational square root"):
        QuadraticInsensitive(Q(2)).pieces(RATIONAL)
    assert QuadraticInsensitive(2.0).pieces(BINARY64)[0].slope == 2.0**0.5


def test_other_losses_are_refused():
    """A loss that is no piecewise quadratic has no pieces  [ESL-12.43]."""
    with pytest.raises(InvalidInput, match="piecewise quadratic"):
        Deviance().of_label(RATIONAL, Q(1))
    with pytest.raises(InvalidInput, match="of the residual"):
        machine.of_residual(None, Vector([Q(1)]), Vector([Q(1)]), Deviance().pieces(RATIONAL))


@few
@given(st.lists(st.tuples(st.sampled_from(RESIDUAL + MARGIN), fractions, st.booleans()), min_size=1, max_size=6))
def test_losses_are_summed_together_as_one_by_one(drawn):
    """The sum over integers is that of the values, whichever losses the residuals have."""
    own = {(loss, up): loss.pieces(RATIONAL) if up else convex.mirrored(loss.pieces(RATIONAL)) for loss, _, up in drawn}
    losses = [own[loss, up] for loss, _, up in drawn]
    residuals = [r for _, r, _ in drawn]
    assert convex.total(losses, Scaled.of(residuals)) == sum(map(convex.value, losses, residuals))


def test_a_sum_with_an_infinite_loss_is_infinite():
    """A piece without an end allows no residual beyond its slope; such losses count as none if that is asked for."""
    hard = (convex.Piece(Q(1), Q(0), Q(0), None),)
    soft = (convex.Piece(Q(0), Q(0), Q(0), Q(2)),)
    residuals = Scaled.of([Q(1, 2), Q(3)])
    assert convex.total([hard, soft], residuals) == 6
    assert convex.total([soft, hard], residuals) is None
    assert convex.total([soft, hard], residuals, allowed=True) == 1


def test_points_are_sorted_by_loss_and_multiplier():
    """The same pieces at two multipliers are two kinds of points, equal numbers of other pieces a third."""
    one, other = (convex.Piece(Q(0), Q(0), Q(0), Q(1)),), (convex.Piece(Q(0), Q(0), Q(-1), Q(0)),)
    found = convex.alike([one, other, one, one], Scaled.of([Q(1, 2), Q(1, 2), Q(0), Q(1, 2)]))
    assert found == [(one, Q(1, 2), [0, 3]), (other, Q(1, 2), [1]), (one, Q(0), [2])]
