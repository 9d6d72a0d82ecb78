"""Some pairs of a point and a class, the Gram matrix over them in fixed-point integers, and its tables.

Of n points and m classes most pairs have a multiplier that is certain to be at its bound. The tables K + D_k of the
classes over the others are small: what they cost grows with the third power of their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Optional

from refclass.linear.factorisations import fixed_point
from refclass.linear.factorisations.fixed_point import Numbers
from refclass.linear.vector import dot
from refclass.number.field import Field, Number

Rows = list[Numbers]
WORK = 15 * 10**7  # multiplications of some 350 bits for a machine: half a minute or so


class Spent(ArithmeticError):
    """The work that is allowed is done."""


@dataclass
class Gram:
    """A Gram matrix in integers.

    F        the field of the numbers beside it
    rows     in multiples of 2^−bits
    spent    multiplications so far, about
    """

    F: Field
    rows: Rows
    bits: int
    spent: int = 0

    def __post_init__(self) -> None:
        self.one = self.F.kind(1 << self.bits)
        self.unit = 1 / self.one

    def fixed(self, values: Sequence[Number]) -> Numbers:
        """Return numbers in units."""
        return [int(v * self.one) for v in values]

    def lifted(self, values: Sequence[int]) -> list[Number]:
        """Return the numbers of units."""
        kind, unit = self.F.kind, self.unit
        return [kind(v) * unit for v in values]


class Pairs:
    """Chosen pairs (i, k), in the order of the classes.

    chosen     for each point its classes
    members    for each class its points
    points     those that have a pair, and `own` for each of them the places of its pairs
    """

    def __init__(self, K: Gram, chosen: Sequence[set[int]], classes: int) -> None:
        self.K, self.chosen, self.classes = K, chosen, classes
        self.members = [[i for i, own in enumerate(chosen) if k in own] for k in range(classes)]
        self.flat = [(i, k) for k, own in enumerate(self.members) for i in own]
        self.starts = [0, *accumulate(map(len, self.members))]
        self.points = [i for i, own in enumerate(chosen) if own]
        self.place = {i: a for a, i in enumerate(self.points)}
        self.at = [self.place[i] for i, _ in self.flat]  # the place of each pair's point
        self.own: list[list[int]] = [[] for _ in self.points]
        for j, a in enumerate(self.at):
            self.own[a].append(j)

    def apart(self, values: Sequence[int]) -> Rows:
        """Return numbers of the pairs class by class."""
        return [list(values[a:b]) for a, b in zip(self.starts, self.starts[1:])]

    def gathered(self, values: Sequence[Number]) -> list[Number]:
        """Return for each point the sum over its pairs."""
        return [sum([values[j] for j in own[1:]], values[own[0]]) for own in self.own]

    def values(self, weights: Numbers) -> Rows:
        """Return for each class Σⱼ wⱼₖ K(xⱼ, xᵢ) at all points, the weights those of the pairs."""
        rows, bits, out = self.K.rows, self.K.bits, Rows()
        for members, own in zip(self.members, self.apart(weights)):
            out.append([dot([row[j] for j in members], own) >> bits for row in rows])
        return out

    def at_pairs(self, columns: Rows) -> Numbers:
        """Return the entries of the pairs of a table with a row of all points for each class."""
        return [columns[k][i] for i, k in self.flat]

    def work(self) -> int:
        """Return the multiplications of a step: the tables, their inverses, and one of all points."""
        sizes = [*map(len, self.members), len(self.points)]
        return sum([size**3 // 2 for size in sizes]) + len(self.K.rows) * 2 * len(self.flat)


class Kept:
    """Functions cρ of all classes beside those g of the multipliers; c falls from one to zero as steps are taken.

    An iterate that takes functions near an optimum keeps them so: those of its multipliers may be far away, by the
    error of these times K. f = g + cρ, ‖f‖² = ‖g‖² + 2c⟨g, ρ⟩ + c²‖ρ‖².

    values, square    of ρ: at all points, and Σ ‖ρ_k‖²
    """

    def __init__(self, K: Gram, values: Rows, square: Number) -> None:
        self.K, self.values, self.square = K, values, max(square, K.F.kind(0))
        self.c = K.F.kind(1)

    def shrink(self, t: Number) -> None:
        """Take the part t of a step."""
        self.c = self.c * (1 - t)

    def added(self, scores: Rows) -> Rows:
        """Return g + cρ."""
        c = int(self.c * self.K.one)
        return (
            [[v + (c * w >> self.K.bits) for v, w in zip(*rows)] for rows in zip(scores, self.values)] if c else scores
        )

    def norm(self, square: Number, inner: Number) -> Number:
        """Return Σ ‖f_k‖² for Σ ‖g_k‖² and Σ ⟨g_k, ρ_k⟩."""
        return square + self.c * (2 * inner + self.c * self.square)


class Scaled:
    """A definite table with its diagonal scaled to nearly one (Van der Sluis, 1969), and its factor.

    rows    the lower triangle, in multiples of 2^−bits

    Raises    ArithmeticError where a pivot is not positive
    """

    def __init__(self, rows: Rows, bits: int) -> None:
        self.halves = [(row[-1].bit_length() - bits) // 2 for row in rows]
        scaled = [[shifted(v, a + b) for v, b in zip(row, self.halves)] for row, a in zip(rows, self.halves)]
        factor: Optional[fixed_point.Factor] = fixed_point.factor(scaled, bits)
        if factor is None:
            raise ArithmeticError("a table that is not definite to so many bits")
        self.factor = factor

    def solve(self, b: Numbers) -> Numbers:
        """Return the solution."""
        x = self.factor.solve([shifted(v, h) for v, h in zip(b, self.halves)])
        return [shifted(v, h) for v, h in zip(x, self.halves)]

    def inverse(self) -> Rows:
        """Return the lower triangle of the inverse."""
        pairs = zip(self.factor.inverse(), self.halves)
        return [[shifted(v, a + b) for v, b in zip(row, self.halves)] for row, a in pairs]


def shifted(v: int, down: int) -> int:
    """Return v/2^down, rounded down."""
    return v >> down if down >= 0 else v << -down


class Tables:
    """The factors of K + D_k over the pairs of each class.

    Raises    Spent where the work that is allowed is done; ArithmeticError where a table is not definite
    """

    def __init__(self, pairs: Pairs, diagonal: Numbers) -> None:
        K, self.pairs = pairs.K, pairs
        K.spent += pairs.work()
        if K.spent > WORK:
            raise Spent("work that is done")
        self.factors = []
        for members, own in zip(pairs.members, pairs.apart(diagonal)):
            rows = [[K.rows[i][j] for j in members[: a + 1]] for a, i in enumerate(members)]
            for row, d in zip(rows, own):
                row[-1] += d
            self.factors.append(Scaled(rows, K.bits))

    def solve(self, b: Numbers) -> Numbers:
        """Return the solutions of all classes, pair by pair."""
        return [v for factor, own in zip(self.factors, self.pairs.apart(b)) for v in factor.solve(own)]

    def inverses(self) -> Rows:
        """Return the lower triangle of Σ_k E_k (K + D_k)⁻¹ E_kᵀ over the points, E_k what spreads a class's pairs."""
        total = [[0] * (a + 1) for a in range(len(self.pairs.points))]
        for factor, members in zip(self.factors, self.pairs.members):
            places = [self.pairs.place[i] for i in members]
            for a, row in zip(places, factor.inverse()):
                target = total[a]
                for b, v in zip(places, row):
                    target[b] += v
        return total
