"""The machine of Lee, Lin and Wahba in integers, on the pairs of a point and a class that have a multiplier."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import NotConverged
from refclass.kernels.matrices.product import fixed_rows
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba.problem import Machine
from refclass.number.decimals import decimal
from refclass.number.field import Number, rational
from refclass.optimise.multiclass.fixed_point_equations import power
from refclass.optimise.multiclass.growing_set import growing_pairs
from refclass.optimise.multiclass.growing_set.box_pair_path import Dual, Path
from refclass.optimise.multiclass.growing_set.pair_path import Scored
from refclass.optimise.multiclass.growing_set.pairs import Gram, Pairs
from refclass.optimise.multiclass.newton_equations import Points

FINE = 256  # bits of integers beside twice those of the largest value of K over nλ
SLIGHT = 10**6  # one over the part of the largest multiplier, in its slack, below which a pair is left out at first
TIMES = 4  # so many times fewer multiplications than by columns a step on the pairs takes, at the least
PROVEN = 10**9  # 1 / the gap up to which an end is taken


def multipliers(
    machine: Machine, near: Any, points: Points, work: int, close: Fraction
) -> Optional[tuple[Vector, ...]]:
    """Return nearly optimal multipliers; None where pairs are no fewer, or lead nowhere.

    Given     the machine in fractions; the end of the central path in doubles, whose parameters v are those of the
              columns of points in decimals; the multiplications of a step by these; the gap that is asked for
    """
    n, m, F = machine.n, machine.classes, points.F
    dual = in_integers(machine)
    chosen = called_for(machine, near)
    if Pairs(dual.K, chosen, m).work() * TIMES > work:
        return None
    G, one = dual.K.F, 1 << dual.K.bits
    mean = [sum(column) / m for column in zip(*near.v)]
    v = [[F.lift(a - b) for a, b in zip(own, mean)] for own in near.v]
    scores = [[int(rational(a) * one) for a in own] for own in points.values(v)]
    square = machine.scale * sum([rational(a) ** 2 for own in v for a in own[:-1]], Fraction(0))
    intercepts = [G.lift(rational(own[-1])) for own in v]
    first = Scored(scores, [], [], G.lift(near.primal), G.lift(near.dual), G.lift(square), intercepts)

    def start(pairs: Sequence[set[int]]) -> Path:
        path = Path(dual, pairs)
        if pairs is chosen:
            path.at(first)
        return path

    try:
        path, state = growing_pairs.solve(start, chosen, G.lift(close))
    except NotConverged:
        return None
    if not state.gap * PROVEN < 1:
        return None
    upper, out = machine.problem().upper, [[Fraction(0)] * n for _ in range(m)]
    largest = max(state.multipliers[0])
    for (i, k), a, s, x, top in zip(path.chosen.flat, *state.multipliers, *state.slack, path.top):
        out[k][i] = at_bounds(a, s, x, top, largest, upper[k][i])
    return tuple(map(Vector.of, out))


def in_integers(machine: Machine) -> Dual:
    """Return the dual of a machine in fractions."""
    n, lam, problem = machine.n, machine.scale, machine.problem()
    bits = FINE + 2 * max(power(max(machine.K.diagonal()) / lam), 0)
    G = decimal(bits * 3 // 10)
    rows = [[v * lam.denominator // lam.numerator for v in row] for row in fixed_rows(machine.K, n, bits)]
    code = [G.lift_all([v / lam for v in column]) for column in problem.c]
    return Dual(Gram(G, rows, bits), code, [G.lift_all(column) for column in problem.upper])


def called_for(machine: Machine, near: Any) -> list[set[int]]:
    """Return for each point the classes whose multipliers in doubles are not far below their slacks."""
    largest = max(map(max, near.multipliers))
    chosen = [set[int]() for _ in range(machine.n)]
    for k, (alpha, slack, upper) in enumerate(zip(near.multipliers, near.slack, machine.problem().upper)):
        for own, a, s, top in zip(chosen, alpha, slack, upper):
            if top and a * SLIGHT >= largest * s:
                own.add(k)
    return chosen


def at_bounds(a: Number, slack: Number, beyond: Number, top: Number, size: Number, upper: Number) -> Number:
    """Return a multiplier in the kind of its bound, at a bound where it is nearer to it than the bound's slack says.

    size     of multipliers: they may all be far below their bounds
    """
    return 0 * upper if a < size * slack else upper if top - a < size * beyond else type(upper)(a)
