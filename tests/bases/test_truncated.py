"""Truncated powers: values, derivatives, smoothness at the knots, and the splines they span."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.bases.bspline import clamped
from refclass.bases.truncated import TruncatedPowers
from refclass.errors import InvalidInput
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL as F
from tests.strategies import fractions

KNOTS = Vector(map(Fraction, (1, 2, 4)))


@given(fractions)
def test_values_are_powers_and_truncated_powers(x):
    """1, x, x², x³, then (x − ξ)₊³ for every knot  [ESL-12.42]."""
    want = [x**k for k in range(4)] + [max(x - t, Fraction(0)) ** 3 for t in KNOTS]
    assert list(TruncatedPowers(3, KNOTS)(F, x)) == want


def test_derivatives_below_the_degree_are_continuous_at_the_knots():
    """From the left and from the right of a knot, derivatives of order < d agree; that of order d jumps by d!."""
    basis, h = TruncatedPowers(3, KNOTS), Fraction(1, 10**6)
    for i, t in enumerate(KNOTS):
        for order in range(3):
            left, right = basis.derivative(F, t - h, order), basis.derivative(F, t, order)
            assert (left - right).largest() < 10**5 * h
        jump = basis.derivative(F, t, 3) - basis.derivative(F, t - h, 3)
        assert jump == Vector.unit(7, 4 + i, Fraction) * Fraction(6)


@given(fractions)
def test_derivatives_are_slopes_of_the_derivatives_before(x):
    """Between knots, the difference quotient of a polynomial piece tends to its derivative: exact for the top order."""
    basis, h = TruncatedPowers(2, KNOTS), Fraction(1, 10**9)
    if all(not x < t <= x + h for t in KNOTS):
        quotient = (basis.derivative(F, x + h, 1) - basis.derivative(F, x, 1)) / h
        assert quotient == basis.derivative(F, x, 2)
    assert basis.derivative(F, x, 3) == Vector([Fraction(0)] * 6)


def test_degree_zero_is_a_staircase():
    """(x − ξ)₊⁰ is 0 left of the knot, 1 from it on."""
    basis = TruncatedPowers(0, KNOTS)
    assert [list(basis(F, Fraction(v))) for v in (0, 1, 3)] == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0]]


def test_truncated_powers_span_what_bsplines_span():
    """On [0, 5] the powers with knots 1, 2, 4 and the clamped B-splines have each other in their span."""
    points = [Fraction(k, 7) for k in range(36)]
    H = TruncatedPowers(3, KNOTS).matrix(F, points)
    B = clamped(3, Vector(map(Fraction, (0, 1, 2, 4, 5)))).matrix(F, points)
    both = Matrix([[*a, *b] for a, b in zip(H, B)])
    assert elimination.rank(F, H) == elimination.rank(F, B) == elimination.rank(F, both) == 7


def test_knots_that_do_not_ascend_are_refused():
    """Equal or descending knots, no knots, a negative degree, knots that are no vector."""
    for degree, knots in ((1, (1, 1)), (1, (2, 1)), (-1, (1, 2))):
        with pytest.raises(InvalidInput):
            TruncatedPowers(degree, Vector(map(Fraction, knots)))
    with pytest.raises(InvalidInput):
        TruncatedPowers(1, [1, 2])
