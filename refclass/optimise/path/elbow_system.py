"""The equations of the points on the elbow, their solution kept up to date as points come and go.

With K the Gram matrix of the points at the elbow, the intercept b and the signed multipliers a (aᵢ = yᵢαᵢ) solve

    ⎡ 0  1ᵀ ⎤ ⎡ b ⎤   ⎡ balance ⎤
    ⎣ 1  K  ⎦ ⎣ a ⎦ = ⎣ values  ⎦

The inverse of that matrix is kept: to take in a point or to let one go changes it by a matrix of rank one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refclass.linear.vector import dot
from refclass.number.field import Number


class Elbow:
    """The points at the elbow and the inverse of their matrix.

    members    their numbers, in the order of the rows of K
    inverse    its rows as lists; the first belongs to the intercept

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
        self.inverse: list[list[Any]] = []

    def eliminated(self, products: Sequence[Number], square: Number) -> tuple[Number, list[Number]]:
        """Return the pivot of a new point, and the row that eliminates it.

        The pivot is the squared distance of the point from the affine hull of those at the elbow. It is zero if its
        equation follows from theirs.

        Shapes    products: K of the new point with each member; square: with itself
        Cost      m² multiplications
        """
        if not self.inverse:
            return square, []
        head = [self.kind(1), *products]
        row = [dot(r, head) for r in self.inverse]
        return square - dot(row, head), row

    def append(self, i: int, products: Sequence[Number], square: Number, least: Any = 0) -> bool:
        """Take in point i, unless its pivot is at most `least`; say whether it is in.

        Cost      2m² multiplications
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
        self.members.append(i)
        if len(self.members) == 1:
            self.inverse = [[-pivot, self.kind(1)], [self.kind(1), self.kind(0)]]
            return
        share = [v / pivot for v in row]
        self.inverse = [[a + s * v for a, v in zip(r, row)] for r, s in zip(self.inverse, share)]
        last = [-s for s in share]
        for r, s in zip(self.inverse, last):
            r.append(s)
        self.inverse.append([*last, 1 / pivot])

    def drop(self, place: int) -> None:
        """Let the member at that place go.

        Cost      m² multiplications
        """
        del self.members[place]
        if not self.members:
            self.inverse = []
            return
        gone = self.inverse.pop(place + 1)
        pivot = gone.pop(place + 1)
        inverse = []
        for r in self.inverse:
            c = r.pop(place + 1) / pivot
            inverse.append([a - c * g for a, g in zip(r, gone)])
        self.inverse = inverse

    def inverse_diagonal(self, place: int) -> Number:
        """Return the diagonal entry of the inverse at a member: what a unit of its multiplier costs to move away."""
        return self.inverse[place + 1][place + 1]

    def solve(self, balance: Number, values: Sequence[Number]) -> tuple[Number, list[Number]]:
        """Return the intercept and the multipliers of at least one member.

        Cost      m² multiplications
        """
        right = [balance, *values]
        beta0, *a = [dot(r, right) for r in self.inverse]
        return beta0, a
