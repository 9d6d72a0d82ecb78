"""Where Newton's method for a kernel machine has its variables, in fixed-point numbers: as many as points, or fewer.

    f = Σ uᵢ K(xᵢ, ·)    n multipliers, for any kernel        f(x) = xᵀβ    p coefficients, for a linear one

Both solve the same equations for the multipliers a_F of the points F whose slopes change, those of the others being
given [ESL-12.44]:

    (K_FF + Δ) a_F + β₀1 = t_F − K_FN a_N,   Σ a = 0        (I + X_FᵀΔ⁻¹X_F) β + X_FᵀΔ⁻¹1 β₀ = X_Nᵀa_N + X_FᵀΔ⁻¹t_F
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import compress, takewhile
from operator import mul
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.kernels.matrices.product import fixed_rows
from refclass.linear.factorisations import fixed_point
from refclass.linear.factorisations.fixed_point import Numbers, Table, fixed
from refclass.linear.vector import dot

WORK = (
    65 * 10**7
)  # multiplications of integers of UNIT bits, or what takes as long, for a machine: fifty seconds, about
UNIT = 128  # bits up to which a multiplication of integers takes about as long whatever their length
CORRECTED = 2  # products of the table with a vector that a solution takes

Solution = tuple[Numbers, int]  # the variables, and the intercept


class Multipliers:
    """The variables are n multipliers.

    K        rows of the Gram matrix, numbers of any kind at their exact worth, kept in multiples of 2^−unit
    bits     the unit is 2^−bits
    reach    by how much f changes at most with each variable
    spent    multiplications so far, about
    kept     free points, all Δ, and the short factor of the last equations that one solved
    """

    def __init__(self, K: Any, n: int, bits: int) -> None:
        self.bits, self.size = bits, n
        self.rows = fixed_rows(K, n, bits)
        self.reach = [max(map(abs, row)) for row in self.rows]
        # Method: entries that are short as they are given are kept so: their products cost half as much, and less.
        zeros = min([(v & -v).bit_length() - 1 for row in self.rows for v in row if v], default=0)
        self.unit = bits - min(zeros, bits)
        self.rows = [[v >> bits - self.unit for v in row] for row in self.rows]
        self.spent = 0
        self.kept: Optional[tuple[list[int], Numbers, fixed_point.Factor]] = None

    def part(self, places: Sequence[int]) -> Multipliers:
        """Return the coordinates of some of the points, with the work that is spent."""
        own = copy(self)
        own.kept = None
        own.rows = [[row[j] for j in places] for row in (self.rows[i] for i in places)]
        own.size, up = len(places), self.bits - self.unit
        own.reach = [max(map(abs, row)) << up for row in own.rows]
        return own

    def values(self, u: Numbers) -> Numbers:
        """Return Σⱼ uⱼKᵢⱼ at every point."""
        places = [j for j, v in enumerate(u) if v]
        if len(places) == self.size:
            return [dot(row, u) >> self.unit for row in self.rows]
        some = [u[j] for j in places]
        return [dot([row[j] for j in places], some) >> self.unit for row in self.rows]

    def inner(self, u: Numbers, values: Numbers) -> int:
        """Return the inner product of the function u with the one that has those values."""
        product: int = dot(u, values)
        return product >> self.bits

    def of(self, a: Numbers) -> Numbers:
        """Return the variables of Σ aᵢ K(xᵢ, ·)."""
        return list(a)

    def solve(self, a: Numbers, delta: Numbers, t: Numbers, intercept: bool) -> Optional[Solution]:
        """Return the solution of the equations; points with Δ = 0 keep their a.  None where they are singular.

        Cost      2m² multiplications for m points with Δ > 0, a quarter of columns, m³/6 numbers in all, and n² where
                  others have multipliers; less where the last factor has rows of these
        Raises    NotConverged when WORK is spent
        """
        free, known = self._ordered(delta)
        rows = [[row[j] for j in free] for row in (self.rows[i] for i in free)]
        table = Table(self.unit, rows, self.bits, [delta[i] for i in free])
        self.spent += (len(free) ** 3 - known**3) // 6 * max(min(self.bits, table.length()), UNIT) // UNIT
        self.spent += (self.size**2 + CORRECTED * len(free) ** 2) * max(self.bits, UNIT) // UNIT
        if self.spent > WORK:
            raise NotConverged("coordinates", need=f"at most {WORK} multiplications", got=self.spent)
        given = [0 if d else v for v, d in zip(a, delta)]
        pull, total = self.values(given), -sum(given) if intercept else None
        right = [t[i] - pull[i] for i in free]
        found = self._corrected(table, free, known, delta, right, total) or self._directly(free, delta, right, total)
        if found is None:
            return None
        for i, v in zip(free, found[0]):
            given[i] = v
        return given, found[1]

    def _ordered(self, delta: Numbers) -> tuple[list[int], int]:
        """Return the free points, and of how many of them, the first, the last factor has the rows."""
        if self.kept is None:
            return [i for i, d in enumerate(delta) if d], 0
        before, old, _ = self.kept
        first = list(takewhile(lambda i: delta[i] == old[i], before))
        known = set(before)
        later = [i for i in before[len(first) :] if delta[i]]
        return [*first, *later, *[i for i, d in enumerate(delta) if d and i not in known]], len(first)

    def _corrected(
        self, table: Table, free: list[int], known: int, delta: Numbers, right: Numbers, total: Optional[int]
    ) -> Optional[Solution]:
        short = fixed_point.refined(table, None if self.kept is None else self.kept[2].leading(known))
        self.kept = None if short is None else (free, delta, short.short)
        return None if short is None else short.solve(right, total)

    def _directly(self, free: list[int], delta: Numbers, right: Numbers, total: Optional[int]) -> Optional[Solution]:
        factor = fixed_point.factor(self.table(delta, free), self.bits)
        if factor is None:
            return None
        found = factor.solve(right)
        if total is None:
            return found, 0
        ones = factor.solve([1 << self.bits] * len(right))
        beta0 = ((sum(found) - total) << self.bits) // sum(ones)
        return [v - (beta0 * w >> self.bits) for v, w in zip(found, ones)], beta0

    def table(self, delta: Numbers, free: Sequence[int]) -> Iterator[Numbers]:
        """Yield the rows of K_FF + Δ, up to the diagonal."""
        for k, i in enumerate(free):
            row, up = self.rows[i], self.bits - self.unit
            yield [*[row[j] << up for j in free[:k]], (row[i] << up) + delta[i]]


class Coefficients:
    """The variables are the p coefficients of a linear function.

    X        n points of p numbers of any kind, at their exact worth
    bits     the unit is 2^−bits
    reach    by how much f changes at most with each variable
    """

    def __init__(self, X: Sequence[Any], bits: int) -> None:
        self.bits, self.size = bits, len(X[0])
        self.rows = [fixed(x, bits) for x in X]
        self.columns = list(zip(*self.rows))
        self.reach = [max(map(abs, column)) for column in self.columns]
        self.spent = 0

    def values(self, beta: Numbers) -> Numbers:
        """Return xᵢᵀβ at every point."""
        return [dot(row, beta) >> self.bits for row in self.rows]

    def inner(self, beta: Numbers, values: Numbers) -> int:
        """Return the inner product of the function with another, whose variables are given in place of its values."""
        product: int = dot(beta, values)
        return product >> self.bits

    def of(self, a: Numbers) -> Numbers:
        """Return the variables of Σ aᵢ K(xᵢ, ·): Xᵀa."""
        return [dot(column, a) >> self.bits for column in self.columns]

    def solve(self, a: Numbers, delta: Numbers, t: Numbers, intercept: bool) -> Optional[Solution]:
        """Return the solution of the equations; points with Δ = 0 keep their a.  None where they are singular.

        Cost    (m + 3)(p + 1)²/2 multiplications for m points with Δ > 0, some of columns
        """
        bits = self.bits
        factor = fixed_point.factor(self.table(delta, intercept), bits)
        if factor is None:
            return None
        # Method: what is given and what is fitted pull together, aᵢ and tᵢ/Δᵢ.
        pull = [(v << bits) // d if d else w for v, d, w in zip(t, delta, a)]
        found = factor.solve([*self.of(pull), sum(pull)] if intercept else self.of(pull))
        return found[: self.size], found[self.size] if intercept else 0

    def table(self, delta: Numbers, intercept: bool) -> Iterator[Numbers]:
        """Yield the rows of I + X_FᵀΔ⁻¹X_F, and with an intercept of 1ᵀΔ⁻¹(X_F, 1), up to the diagonal."""
        bits, one = self.bits, 1 << self.bits
        weights = [(one << bits) // d for d in delta if d]
        columns = [list(compress(column, delta)) for column in self.columns]
        for j, column in enumerate([*columns, [one] * len(weights)] if intercept else columns):
            heavy = [v >> bits for v in map(mul, weights, column)]
            row = [dot(heavy, other) >> bits for other in columns[: j + 1]]
            yield [*row[:-1], row[-1] + one] if j < self.size else [*row, sum(weights)]
