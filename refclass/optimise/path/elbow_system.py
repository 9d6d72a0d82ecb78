"""The equations of the points on the elbow, their solution kept up to date as points come and go.

With K the Gram matrix of the points at the elbow, the intercept b and the signed multipliers a (aᵢ = yᵢαᵢ) solve

    ⎡ 0  1ᵀ ⎤ ⎡ b ⎤   ⎡ balance ⎤
    ⎣ 1  K  ⎦ ⎣ a ⎦ = ⎣ values  ⎦

The inverse of that matrix is kept, as the active-set method keeps that of its working set: to take in a point or to let
one go changes it by a matrix of rank one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refclass.linear.vector import dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.active_set.kkt_inverse import Inverse

PIVOT_UNITS = 2**12  # units of roundoff in a pivot that counts as zero, in what is put right, and in a residual
PIVOT_DIGITS = 2  # in decimals a pivot counts as zero from one part in this of their digits on


def negligible(kind: Any) -> Any:
    """Return the share of a point's square up to which its pivot counts as zero.

    Premise: the inverse multiplies roundoff by the condition of the points that are in. Decimals have digits to spare
    for it; doubles, where smaller pivots count, have their slopes corrected.
    """
    digits = getattr(kind, "precision", None)
    return PIVOT_UNITS * roundoff(kind) if digits is None else kind(10) ** -(digits // PIVOT_DIGITS)


class Elbow:
    """The points at the elbow and the inverse of their matrix.

    members    their numbers, in the order of the rows of K
    table      the inverse of the whole matrix; its first place, −1 beside the numbers of the points, is the intercept's
    pivot      that of the point that was taken in last

    Exact      yes
    Example
        >>> elbow = Elbow(float)
        >>> elbow.append(0, [], 2.0), elbow.append(1, [-1.0], 4.0)
        (True, True)
        >>> elbow.solve(0.0, [1.0, -1.0])
        (0.25, [0.25, -0.25])
    """

    def __init__(self, kind: Any) -> None:
        self.kind = kind
        self.members: list[int] = []
        self.table = Inverse()
        self.pivot: Number = kind(0)

    @property
    def inverse(self) -> list[list[Number]]:
        """The rows of the inverse; the first belongs to the intercept."""
        return self.table.rows

    def eliminated(self, products: Sequence[Number], square: Number) -> tuple[Number, list[Number]]:
        """Return the pivot of a new point, and the row that eliminates it.

        The pivot is the squared distance of the point from the affine hull of those at the elbow. It is zero if its
        equation follows from theirs.

        Shapes    products: K of the new point with each member; square: with itself
        Cost      (m + 1)(m + 2) multiplications
        """
        if not self.members:
            return square, []
        head = [self.kind(1), *products]
        row = self.table.solve(head)
        return square - dot(row, head), row

    def append(self, i: int, products: Sequence[Number], square: Number, least: Any = 0) -> bool:
        """Take in point i, unless its pivot is at most `least`; say whether it is in.

        Cost      about 2m² multiplications
        """
        if not self.members:
            self.extend(i, [], square)
            return True
        pivot, row = self.eliminated(products, square)
        if pivot <= least:
            return False
        self.extend(i, row, pivot)
        return True

    def extend(self, i: int, row: Sequence[Number], pivot: Number) -> None:
        """Take in point i, given what `eliminated` returns for it; for the first, its square."""
        if not self.members:
            self.table.begin([-1, i], [[-pivot, self.kind(1)], [self.kind(1), self.kind(0)]])
        else:
            self.table.extend(i, row, pivot)
        self.pivot = pivot
        self.members.append(i)

    def drop(self, place: int) -> None:
        """Let the member at that place go.

        Cost      m(m + 1) multiplications and m + 1 divisions
        """
        gone = self.members.pop(place)
        if self.members:
            self.table.drop(gone)
        else:
            self.table = Inverse()

    def inverse_diagonal(self, place: int) -> Number:
        """Return the diagonal entry of the inverse at a member: what a unit of its multiplier costs to move away."""
        return self.table.rows[place + 1][place + 1]

    def solve(self, balance: Number, values: Sequence[Number]) -> tuple[Number, list[Number]]:
        """Return the intercept and the multipliers of at least one member.

        Cost      (m + 1)² multiplications
        """
        beta0, *a = self.table.solve([balance, *values])
        return beta0, a
