"""Where Newton's method for a kernel machine has its variables, in fixed-point numbers: as many as points, or fewer.

    f = Σ uᵢ K(xᵢ, ·)    n multipliers, for any kernel        f(x) = xᵀβ    p coefficients, for a linear one

Both solve the same equations for the multipliers a_F of the points F whose slopes change, those of the others being
given [ESL-12.44]:

    (K_FF + Δ) a_F + β₀1 = t_F − K_FN a_N,   Σ a = 0        (I + X_FᵀΔ⁻¹X_F) β + X_FᵀΔ⁻¹1 β₀ = X_Nᵀa_N + X_FᵀΔ⁻¹t_F
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import compress
from operator import mul
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.kernels.matrices.product import integer_rows
from refclass.linear.factorisations import fixed_point
from refclass.linear.factorisations.fixed_point import Numbers, fixed
from refclass.linear.vector import dot

WORK = 4 * 10**8  # multiplications of integers of UNIT bits, or what takes as long, for a machine: forty seconds, about
UNIT = 128  # bits up to which a multiplication of integers takes about as long whatever their length

Solution = tuple[Numbers, int]  # the variables, and the intercept


class Multipliers:
    """The variables are n multipliers.

    K        rows of the Gram matrix, numbers of any kind at their exact worth
    bits     the unit is 2^−bits
    reach    by how much f changes at most with each variable
    """

    def __init__(self, K: Any, n: int, bits: int) -> None:
        self.bits, self.size = bits, n
        integers = integer_rows(K)
        if integers is None:
            self.rows = [fixed(K.row(i), bits) for i in range(n)]
        else:
            self.rows = [[(v << bits) // row.denominator for v in row.integers] for row in map(integers, range(n))]
        self.reach = [max(map(abs, row)) for row in self.rows]
        self.spent = 0

    def part(self, places: Sequence[int]) -> Multipliers:
        """Return the coordinates of some of the points, with the work that is spent."""
        own = copy(self)
        own.rows = [[row[j] for j in places] for row in (self.rows[i] for i in places)]
        own.size, own.reach = len(places), [max(map(abs, row)) for row in own.rows]
        return own

    def values(self, u: Numbers) -> Numbers:
        """Return Σⱼ uⱼKᵢⱼ at every point."""
        places = [j for j, v in enumerate(u) if v]
        if len(places) == self.size:
            return [dot(row, u) >> self.bits for row in self.rows]
        some = [u[j] for j in places]
        return [dot([row[j] for j in places], some) >> self.bits for row in self.rows]

    def inner(self, u: Numbers, values: Numbers) -> int:
        """Return the inner product of the function u with the one that has those values."""
        product: int = dot(u, values)
        return product >> self.bits

    def of(self, a: Numbers) -> Numbers:
        """Return the variables of Σ aᵢ K(xᵢ, ·)."""
        return list(a)

    def solve(self, a: Numbers, delta: Numbers, t: Numbers, intercept: bool) -> Optional[Solution]:
        """Return the solution of the equations; points with Δ = 0 keep their a.  None where they are singular.

        Cost      m³/6 + n² multiplications for m points with Δ > 0
        Raises    NotConverged when WORK is spent
        """
        free = [i for i, d in enumerate(delta) if d]
        self.spent += (len(free) ** 3 // 6 + self.size**2) * max(self.bits - fixed_point.SPARED, UNIT) // UNIT
        if self.spent > WORK:
            raise NotConverged("coordinates", need=f"at most {WORK} multiplications", got=self.spent)
        given = [0 if d else v for v, d in zip(a, delta)]
        pull = self.values(given)
        right = [[t[i] - pull[i] for i in free], *([[1 << self.bits] * len(free)] if intercept else [])]
        found = self._solutions(free, delta, right, intercept)
        if found is None:
            return None
        solved, beta0 = found[0], 0
        if intercept:
            ones = found[1]
            beta0 = ((sum(solved) + sum(given)) << self.bits) // sum(ones)
            solved = [v - (beta0 * w >> self.bits) for v, w in zip(solved, ones)]
        for i, v in zip(free, solved):
            given[i] = v
        return given, beta0

    def _solutions(
        self, free: list[int], delta: Numbers, right: list[Numbers], intercept: bool
    ) -> Optional[list[Numbers]]:
        """Return the solutions of (K_FF + Δ) x = b for some b: with a short factor, else with a long one."""
        if self.bits > 2 * fixed_point.SPARED:
            rows = [[row[j] for j in free] for row in (self.rows[i] for i in free)]
            for k, i in enumerate(free):
                rows[k][k] += delta[i]
            short = fixed_point.refined(rows, self.bits)
            found = [] if short is None else [short.solve(b) for b in right]
            if found and all(x is not None for x in found):
                return found  # type: ignore[return-value]
        factor = fixed_point.factor(self.table(delta, intercept), self.bits)
        return None if factor is None else [factor.solve(b) for b in right]

    def table(self, delta: Numbers, intercept: bool) -> Iterator[Numbers]:
        """Yield the rows of K_FF + Δ, up to the diagonal."""
        free = [i for i, d in enumerate(delta) if d]
        for k, i in enumerate(free):
            row = self.rows[i]
            yield [*[row[j] for j in free[:k]], row[i] + delta[i]]


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

        Cost    m(p + 1)²/2 + (p + 1)³/6 multiplications for m points with Δ > 0
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
