"""Sums of weighted points: in doubles as they come, in fractions where their products cancel."""

from fractions import Fraction

from refclass.kernels.matrices.expansions import normal
from refclass.linear.vector import Vector, dot


def test_doubles_are_summed_as_they_come_unless_their_products_cancel():
    """Σ wᵢxᵢ of one column: near zero the products are added in doubles, far from it the sum is rounded once
    [ESL-12.10] [ESL-12.17]."""
    w, x = [0.3, 0.9, 0.3], [1.1, 2.3, 4.7]
    assert normal(w, [[v] for v in x]) == Vector([dot(w, x)]) != Vector([3.81])
    far = [v + 1e12 for v in x]
    w = [0.1, 0.2, -0.30000000000000004]  # the sum is zero but for roundoff
    exact = sum(Fraction(a) * Fraction(b) for a, b in zip(w, far))
    assert normal(w, [[v] for v in far]) == Vector([float(exact)]) != Vector([dot(w, far)])


def test_fractions_stay_fractions():
    """The sum of fractions is one, far from zero, too."""
    found = normal([Fraction(1), Fraction(-1)], [[Fraction(10**12, 3), Fraction(1)], [Fraction(10**12), Fraction(1)]])
    assert found == Vector([Fraction(-2 * 10**12, 3), Fraction(0)]) and type(found[0]) is Fraction
