"""What every basis provides, for every basis: shape, exactness, one row for each point."""

from fractions import Fraction

import pytest

from refclass.bases.basis import falling
from refclass.bases.bspline import clamped
from refclass.bases.hinges import Products, pair
from refclass.bases.natural import NaturalSplines
from refclass.bases.polynomial import Monomials
from refclass.bases.truncated import TruncatedPowers
from refclass.linear.vector import Vector
from refclass.number.field import Field
from tests.numbers import STRICT, Strict


def bases(kind):
    """Every basis over numbers of a kind, with points for it."""
    knots = Vector([kind(0), kind(1), kind(3)])
    numbers = [kind(v) / 2 for v in range(-1, 9)]
    rows = [Vector([kind(a), kind(b)]) for a in range(3) for b in range(3)]
    up, down = pair(0, kind(1))
    return [
        (Monomials(2, 3), rows),
        (Products(((), (up,), (down,), (up, pair(1, kind(2))[1]))), rows),
        (TruncatedPowers(2, knots), numbers),
        (clamped(3, knots), numbers),
        (NaturalSplines(knots), numbers),
    ]


def nothing(*arguments):
    """Refuse: a field function that no exact basis may call."""
    raise AssertionError("an exact basis asked the field for a function")


BARE = Field("bare", Strict, STRICT.lift, Strict(0), *[nothing] * 7, nothing)


@pytest.mark.parametrize("basis, points", bases(Strict), ids=lambda v: type(v).__name__)
def test_a_basis_that_claims_exactness_needs_no_function_of_the_field(basis, points):
    """Values on strict fractions come out of + − × ÷ and < alone  [ESL-12.3-basis]."""
    assert basis.exact
    for x in points:
        assert all(type(v) is Strict for v in basis(BARE, x))


@pytest.mark.parametrize("basis, points", bases(Fraction), ids=lambda v: type(v).__name__)
def test_the_matrix_has_a_row_of_values_for_each_point(basis, points):
    """basis.matrix(F, points) holds basis(F, x), and len(basis) counts its columns  [ESL-12.42]."""
    H = basis.matrix(BARE, points)
    assert H.shape == (len(points), len(basis))
    assert all(row == basis(BARE, x) for row, x in zip(H, points))


def test_falling_factorials_are_the_factors_of_derivatives():
    """n(n − 1)…: the derivative of order r of x^n at 1; zero once r exceeds n."""
    assert [falling(3, r) for r in range(5)] == [1, 3, 6, 6, 0]
