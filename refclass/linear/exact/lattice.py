"""Integers whose combination of vectors comes near to a target: a reduced basis, and the nearest plane.

    minimise ‖t − Σ kᵢbᵢ‖ over integers kᵢ, about

A. K. Lenstra, H. W. Lenstra and L. Lovász (1982) reduce a basis, in integers, by swaps and by multiples of earlier
vectors; L. Babai (1986) takes off a target the nearest multiples of its Gram–Schmidt vectors, from the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul, sub

SHARE = 3, 4  # Lovász's constant δ: how much shorter a swap makes a Gram-Schmidt vector, at least

Integers = list[int]


class _Basis:
    """A basis b with its Gram–Schmidt numbers in integers: dᵢ = det of the first i inner products, λᵢⱼ = dⱼ₊₁μᵢⱼ."""

    def __init__(self) -> None:
        self.b: list[Integers] = []
        self.d: Integers = [1]
        self.known: list[Integers] = []

    def append(self, vector: Sequence[int]) -> None:
        """Take a vector as the last one."""
        own, row = list(vector), list[int]()
        for j, other in enumerate([*self.b, own]):
            u = sum(map(mul, own, other))
            lower = row if j == len(self.b) else self.known[j]
            for i in range(j):
                u = (self.d[i + 1] * u - row[i] * lower[i]) // self.d[i]
            row.append(u)
        self.b.append(own)
        self.d.append(row.pop())
        self.known.append(row)

    def shorten(self, k: int, j: int) -> None:
        """Take off vector k the multiple of vector j that leaves |μ| ≤ ½."""
        row, d = self.known[k], self.d[j + 1]
        q = (2 * row[j] + d) // (2 * d)
        if q:
            self.b[k] = list(map(sub, self.b[k], [q * v for v in self.b[j]]))
            row[j] -= q * d
            for i in range(j):
                row[i] -= q * self.known[j][i]

    def too_long(self, k: int) -> bool:
        """Return whether vector k and the one before are to be swapped."""
        (p, q), d, own = SHARE, self.d, self.known[k][k - 1]
        return q * (d[k + 1] * d[k - 1] + own * own) < p * d[k] * d[k]

    def swap(self, k: int) -> None:
        """Swap vector k with the one before."""
        d, known = self.d, self.known
        self.b[k], self.b[k - 1] = self.b[k - 1], self.b[k]
        own = known[k][k - 1]
        known[k][: k - 1], known[k - 1] = known[k - 1], known[k][: k - 1]
        new = (d[k - 1] * d[k + 1] + own * own) // d[k]
        for row in known[k + 1 :]:
            t = row[k]
            row[k] = (d[k + 1] * row[k - 1] - own * t) // d[k]
            row[k - 1] = (new * t + own * row[k]) // d[k + 1]
        d[k] = new


def nearest(basis: Sequence[Sequence[int]], target: Sequence[int]) -> Integers:
    """Return t − Σ kᵢbᵢ of a combination near the target: what is left of it.

    Shapes    basis: m independent vectors of integers; target: one of the same length
    Exact     yes
    Laws      what is left differs from the target by a vector of the lattice, and from each Gram–Schmidt vector of the
              reduced basis by half of it at most

    Example
        >>> nearest([[101, 0], [100, 1]], [57, 3])
        [-20, -21]
    """
    known = _Basis()
    for vector in basis:
        known.append(vector)
    k = 1
    while k < len(known.b):
        known.shorten(k, k - 1)
        if known.too_long(k):
            known.swap(k)
            k = max(1, k - 1)
            continue
        for j in reversed(range(k - 1)):
            known.shorten(k, j)
        k += 1
    known.append(target)
    for j in reversed(range(len(known.b) - 1)):
        known.shorten(len(known.b) - 1, j)
    return known.b[-1]
