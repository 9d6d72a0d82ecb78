"""Multipliers of an optimum rounded to doubles, in ways that lose as few digits of the objective as can be.

Rounded entry by entry they do not balance, and where points are far from the origin that alone moves all decision
values; and where slack is dear, roundoff at the band's edge costs more than the whole objective.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import frexp

from refclass.errors import NoAnswer
from refclass.linear import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.candidate import Candidate, between, candidate, decision_values
from refclass.margins.svm.soft import Machine
from refclass.number.decimals import decimal
from refclass.number.field import Field, rational

DIGITS = 120  # of the decimals in which the equations of an overshoot are solved
MOST = 250  # free points beyond which that takes too long


def rounded(machine: Machine, alpha: Vector) -> Iterator[Vector]:
    """Yield the multipliers as doubles: each the nearest, and multiples of one power of two with Σ αᵢyᵢ = 0 exactly."""
    plain = Vector.of(map(float, alpha))
    yield plain
    if not machine.intercept or not any(plain):
        return
    unit = Fraction(2) ** (frexp(max(plain))[1] - 53)
    whole = [a / unit for a in alpha]
    counts = list(map(round, whole))
    excess = sum([k * int(t) for k, t in zip(counts, machine.y)])
    side = 1 if excess > 0 else -1
    # Method: those that rounding moved furthest in the wrong direction are moved by one unit, as many as are needed.
    free = [
        i for i, (a, c) in enumerate(zip(alpha, machine.costs)) if a > 0 and (machine.squared or c is None or a < c)
    ]
    free.sort(key=lambda i: side * int(machine.y[i]) * (whole[i] - counts[i]))
    for i in free[: abs(excess)]:
        counts[i] -= side * int(machine.y[i])
    ends = [None if machine.squared else c for c in machine.costs]
    balanced = [float(max(k, 0) * unit) for k in counts]
    yield Vector.of([a if c is None or a < c else float(c) for a, c in zip(balanced, ends)])


def overshot(machine: Machine, optimum: Candidate, plain: Candidate) -> list[Candidate]:
    """Return roundings of multipliers whose free points lie a little beyond the edge, as far as roundoff moves them.

    Proof: slack of roundoff at the edge costs Cᵢ times itself. Where the free points have yᵢf(xᵢ) = 1 + δ instead of 1,
    by the equations of the free points and the sum, they have none, and the primal rises by δ Σ αᵢ over them.
    """
    free = between(machine, optimum.alpha)
    if machine.squared or not 0 < len(free) <= MOST:
        return []
    f = decision_values(machine, plain)
    delta = max([abs(1 - rational(machine.y[i]) * f[i]) for i in free])
    F, found = decimal(DIGITS), list[Candidate]()
    try:
        way = _way(F, machine, free)
    except NoAnswer:
        return []
    for k in (2, 8):
        alpha = list(optimum.alpha)
        for i, v in zip(free, way):
            alpha[i] = max(alpha[i] + k * delta * v, Fraction(0))
        found += [candidate(machine, a, float) for a in rounded(machine, Vector.of(alpha))]
    return found


def _way(F: Field, machine: Machine, free: Sequence[int]) -> list[Fraction]:
    """Return how the free multipliers change for each unit by which the margins of their points grow."""
    zero, one = F.lift(0), F.lift(1)
    y = [F.lift(machine.y[i]) for i in free]
    rows = [[F.lift(rational(row[j])) for j in free] for row in map(machine.K.row, free)]
    if machine.intercept:
        rows = [[*row, one] for row in rows] + [[one] * len(free) + [zero]]
    right = Vector([*y, zero] if machine.intercept else y)
    solution = elimination.solve(Matrix(map(Vector, rows)), right)
    return [rational(v * t) for v, t in zip(solution, y)]
