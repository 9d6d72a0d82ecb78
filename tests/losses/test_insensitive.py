"""The losses that forgive a small residual."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.errors import InvalidInput
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.number.rational import RATIONAL
from tests.strategies import fractions, positive


@given(fractions, positive)
def test_inside_the_tube_nothing_is_lost(r, e):
    """max(0, |r| − ε) is zero exactly for |r| ≤ ε: a flat of width 2ε  [LOSS-EPS1.P1] [ESL-12.37]
    [MMST-11.5.1-linear]."""
    assert Insensitive(e)(RATIONAL, r) == max(0, abs(r) - e) and (Insensitive(e)(RATIONAL, r) == 0) == (-e <= r <= e)


@given(fractions)
def test_without_a_tube_it_is_the_absolute_error(r):
    """ε = 0 gives |r|, with every slope between −1 and 1 at 0  [LOSS-EPS1.P2]."""
    loss = Insensitive(Fraction(0))
    assert loss(RATIONAL, r) == abs(r) and loss.slopes(RATIONAL, Fraction(0)) == (-1, 1)


@given(fractions, positive)
def test_outside_the_tube_the_slopes_are_plus_and_minus_one(r, e):
    """−1 below, 0 inside, 1 above; at the edges both neighbours  [LOSS-EPS1.P3]."""
    loss = Insensitive(e)
    assert loss.slopes(RATIONAL, e) == (0, 1) and loss.slopes(RATIONAL, -e) == (-1, 0)
    if abs(r) != e:
        assert loss.slope(RATIONAL, r) == (r > e) - (r < -e)


@given(fractions, positive)
def test_the_quadratic_loss_is_flat_up_to_the_root(r, e):
    """max(0, r² − ε) is zero exactly for |r| ≤ √ε, not for |r| ≤ ε  [LOSS-EPS2-MMST.P1] [MMST-11.5.1-quadratic]
    [ERR-MMST-06]."""
    value = QuadraticInsensitive(e)(RATIONAL, r)
    assert value == max(0, r * r - e) and (value == 0) == (r * r <= e)


@given(positive)
def test_the_quadratic_loss_has_a_kink_at_the_edge(root):
    """At r = √ε the slope jumps from 0 to 2√ε  [LOSS-EPS2-MMST.P2]."""
    loss = QuadraticInsensitive(root * root)
    assert loss.slopes(RATIONAL, root) == (0, 2 * root) and loss.slopes(RATIONAL, -root) == (-2 * root, 0)


@given(fractions, positive)
def test_the_squared_excess_is_the_square_of_the_linear_loss(r, e):
    """max(0, |r| − ε)² is smooth, and flat for |r| ≤ ε: what the slack problem minimises  [LOSS-EPS2-SQ.P1]
    [MMST-11.5.1-squared] [ERR-MMST-06]."""
    loss, linear = SquaredInsensitive(e), Insensitive(e)(RATIONAL, r)
    assert loss(RATIONAL, r) == linear**2 and abs(loss.slope(RATIONAL, r)) == 2 * linear


@given(fractions)
def test_without_a_tube_both_squares_are_the_squared_residual(r):
    """ε = 0 gives r², in either form  [LOSS-EPS2-SQ.P2]."""
    zero = Fraction(0)
    assert SquaredInsensitive(zero)(RATIONAL, r) == QuadraticInsensitive(zero)(RATIONAL, r) == r * r


def test_the_two_squares_differ():
    """At r = 2, ε = 1: 3 as MMST prints it, 1 as the slack problem has it  [LOSS-EPS2-MMST] [ERR-MMST-06]."""
    r, e = Fraction(2), Fraction(1)
    assert (QuadraticInsensitive(e)(RATIONAL, r), SquaredInsensitive(e)(RATIONAL, r)) == (3, 1)


@pytest.mark.parametrize("kind", [Insensitive, SquaredInsensitive, QuadraticInsensitive])
def test_a_negative_tube_is_refused(kind):
    """ε must be ≥ 0."""
    with pytest.raises(InvalidInput, match="insensitive: need epsilon ≥ 0; got -1"):
        kind(-1)


def test_the_conjugate_of_the_quadratic_loss_is_at_an_edge_up_to_twice_the_root():
    """sup st − V(t): |s|√ε at an edge of the tube for |s| ≤ 2√ε, beyond that s²/4 + ε  [MMST-11.5.1-quadratic]."""
    loss = QuadraticInsensitive(Fraction(1))
    found = [loss.conjugate(RATIONAL, Fraction(s, 10)) for s in (-20, 10, 20, 22, 30)]
    assert found == [2, 1, 2, Fraction(221, 100), Fraction(13, 4)]
