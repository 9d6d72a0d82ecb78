"""The primal-dual active-set method for Lee, Lin and Wahba's dual, in fixed-point integers (Hintermüller et al. 2003).

It is given which multipliers are at 0, at their upper bound and free; the equations of these are solved, those that
leave their bounds are put there, those at a bound whose gradient has the wrong sign are free next. From a guess that
is nearly right it ends after a few steps; from others it may cycle, and is left (Hintermüller, Ito and Kunisch 2003).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any, Optional

from refclass.linear.factorisations import fixed_point
from refclass.linear.factorisations.fixed_point import Numbers, fixed
from refclass.linear.factorisations.lower_triangle import Cholesky
from refclass.linear.vector import Vector, dot
from refclass.number.decimals import decimal
from refclass.optimise.multiclass.coupled import Problem

LOW, FREE, HIGH = 0, 1, 2  # where a multiplier is
MOST_FREE = 800  # multipliers whose table takes some ten seconds to factor
MOST_STEPS = 12  # three times what guesses took that were nearly right
RIDGE = 60  # bits below one of what is added to the diagonal: copies of points have a definite table
NONE = 100  # bits below one of a gradient that counts as zero

Sets = list[list[int]]


class Iteration:
    """The problem in multiples of 2^−bits.

    K     its rows in these
    """

    def __init__(self, problem: Problem, rows: Sequence[Numbers], bits: int) -> None:
        self.bits, self.n, self.m, self.K = bits, problem.n, problem.classes, rows
        self.F = decimal(bits * 3 // 10)
        self.c = [fixed(own, bits) for own in problem.c]
        self.upper = [fixed(own, bits) for own in problem.upper]

    def factor(self, free: Sequence[tuple[int, int]]) -> Optional[fixed_point.Factor]:
        """Return the factor of the Hessian over these entries (k, i), with its ridge."""
        lower, m = [], self.m
        for a, (k, i) in enumerate(free):
            row = self.K[i]
            lower.append([row[j] * (m * (k == own) - 1) // m for own, j in free[: a + 1]])
            lower[-1][a] += 1 << self.bits - RIDGE
        return fixed_point.factor(lower, self.bits)

    def gradient(self, alpha: list[Numbers]) -> list[Numbers]:
        """Return K(α_k − ᾱ) + c_k."""
        mean = [sum(column) // self.m for column in zip(*alpha)]
        centred = [[a - b for a, b in zip(own, mean)] for own in alpha]
        return [
            [(dot(row, own) >> self.bits) + c for row, c in zip(self.K, costs)] for own, costs in zip(centred, self.c)
        ]

    def solved(self, sets: Sets) -> Optional[tuple[list[Numbers], list[Numbers]]]:
        """Return multipliers and K(α_k − ᾱ) + c_k + ν_k, zero at the free ones; None where these have no factor."""
        free = [(k, i) for k, own in enumerate(sets) for i, s in enumerate(own) if s == FREE]
        if len(free) > MOST_FREE or len({k for k, _ in free}) < self.m:
            return None
        factor = self.factor(free)
        if factor is None:
            return None
        alpha = [[top if s == HIGH else 0 for s, top in zip(own, tops)] for own, tops in zip(sets, self.upper)]
        g, one = self.gradient(alpha), 1 << self.bits
        x = factor.solve([-g[k][i] for k, i in free])
        ones = [factor.solve([one * (k == own) for own, _ in free]) for k in range(self.m)]
        nu = self._levels(free, x, ones, list(map(sum, alpha)))
        for (k, i), v, *column in zip(free, x, *ones):
            alpha[k][i] = v - (sum(map(mul, nu, column)) >> self.bits)
        return alpha, [[v + level for v in own] for own, level in zip(self.gradient(alpha), nu)]

    def _levels(self, free: Sequence[tuple[int, int]], x: Numbers, ones: list[Numbers], held: Numbers) -> Numbers:
        """Return the ν with Σ ν_k = 0 for which the sums of x − Σ ν_k ones_k and of what is held are equal."""
        kind, unit = self.F.kind, self.F.kind(1) / self.F.kind(1 << self.bits)

        def summed(values: Numbers) -> list[Any]:
            total = [0] * self.m
            for (k, _), v in zip(free, values):
                total[k] += v
            return [kind(v) * unit for v in total]

        sums = Cholesky(self.F, [summed(own)[: k + 1] for k, own in enumerate(ones)], 1000 * self.F.eps)
        nu = sums.solve([a + kind(b) * unit for a, b in zip(summed(x), held)])
        rest = sums.solve([kind(1)] * self.m)
        common = sum(nu) / sum(rest)
        return [int((a - common * b) / unit) for a, b in zip(nu, rest)]

    def wrong(self, sets: Sets, alpha: list[Numbers], g: list[Numbers]) -> list[tuple[int, int, int]]:
        """Return the entries that are not where they should be, and where."""
        found, none = [], 1 << self.bits - NONE
        for k, rows in enumerate(zip(sets, alpha, g, self.upper)):
            for i, (s, a, v, top) in enumerate(zip(*rows)):
                if s == FREE and not 0 <= a <= top:
                    found.append((k, i, LOW if a < 0 else HIGH))
                elif top and ((s == LOW and v < -none) or (s == HIGH and v > none)):
                    found.append((k, i, FREE))
        return found


def solve(problem: Problem, rows: Sequence[Numbers], bits: int, sets: Sets) -> Optional[tuple[Vector, ...]]:
    """Return the optimal multipliers to some RIDGE bits, from where they are nearly; None where that does not end.

    A step makes the factor of the free multipliers' table once (`fixed_point.factor`).

    rows    of K, in multiples of 2^−bits

    Shapes    sets: of each class LOW, FREE or HIGH for each point
    """
    iteration, before = Iteration(problem, rows, bits), 0
    for count in range(MOST_STEPS):
        found = iteration.solved(sets)
        if found is None:
            return None
        wrong = iteration.wrong(sets, *found)
        if not wrong:
            unit = Fraction(1, 1 << bits)
            return tuple(
                [Vector.of([min(v * unit, top) for v, top in zip(*both)]) for both in zip(found[0], problem.upper)]
            )
        if count and len(wrong) >= 2 * before:
            return None
        before = len(wrong)
        for k, i, s in wrong:
            sets[k][i] = s
    return None
