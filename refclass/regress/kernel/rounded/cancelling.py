"""Multipliers rounded together, so that what rounding moves the function by cancels.

Rounded each by itself, multipliers move f by the sum of what they miss; where rows of K are long and alike that is all
there is of f. Among the numbers some last digits away there are such whose errors cancel. They are the points of a
lattice near a target in the metric of the gap (`linear.exact.lattice`): Lenstra, Lenstra and Lovász (1982) reduce it,
Babai's nearest plane (1986) finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt
from operator import mul
from typing import Any, Optional

from refclass.certificate import ASKED
from refclass.kernels.matrices.product import linear_points
from refclass.linear.exact import lattice
from refclass.linear.factorisations import low_rank
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import within
from refclass.number.decimals import decimal
from refclass.number.field import Number, rational
from refclass.regress.kernel import free_points, kept_sums
from refclass.regress.kernel.machine import Machine
from refclass.regress.kernel.rounded import few_points

MOVED = 20  # multipliers that are moved at most: a lattice of as many vectors is reduced in some hundredths of a second
MANY = 200  # points of a linear kernel of fewer columns than that; of another kernel `few_points.FEW`, to be factored
DIGITS = 100  # of the decimals in which a kernel that is not linear is factored: K = ZZᵀ
FINE = 4**40  # the metric in units of the objective divided by this, to whole numbers
LEAST = Fraction(1, 10**ASKED)  # the part of the objective that may be lost

Lift = Callable[[Fraction], Any]


@dataclass(frozen=True)
class Metric:
    """What moving the multipliers by δ adds to the gap: the square of the length of `of(δ)`, and of √weights δ.

        ‖h‖² + ½ Σ cᵢδᵢ² + h(xᵢ)²/cᵢ      h = Σ δᵢK(xᵢ, ·) less the mean where there is an intercept

    Proof: primal and dual are quadratic near the optimum, and their slopes vanish: each has ½‖h‖² of ½‖f‖², the primal
    V″ = 1/cᵢ at a free point, the dual V*″ = cᵢ. At a kink cᵢ = 0, and the primal rises by up to |aᵢh(xᵢ)|: it is given
    the square that is as much where that is 10⁻⁹ of the objective.

    points    rows z with K = ZZᵀ
    kept      for each column of Z the weight of h's coefficient
    values    for each free point the row of Z whose product with these coefficients is its part of the length
    total     the weight of Σ δᵢ: as much as h of one point, by which multipliers that do not balance move the dual
    """

    points: Sequence[Sequence[Fraction]]
    kept: Sequence[Fraction]
    values: Sequence[Sequence[Fraction]]
    total: Fraction = Fraction(0)

    def of(self, moved: Mapping[int, Fraction]) -> list[int]:
        """Return the vector of multipliers moved, in whole numbers."""
        h = [sum(map(mul, moved.values(), column), Fraction(0)) for column in zip(*map(self.points.__getitem__, moved))]
        at = [sum(map(mul, z, h), Fraction(0)) for z in self.values]
        return list(map(round, [*map(mul, self.kept, h), *at, self.total * sum(moved.values())]))


def rounded(machine: Machine, a: Vector, objective: Fraction, lift: Lift = float) -> Optional[Vector]:
    """Return numbers near the optimal multipliers that make the gap small; None where there are none to choose from.

    Of free points the multipliers are moved, by multiples of their last digits, of many points the smallest, whose last
    digits are finest; the others are the nearest numbers. Those of a linear kernel keep Σ aᵢxᵢ to the roundoff of its
    products, so that the coefficients of the optimum, rounded, are those of the multipliers, too.

    objective    that of the optimum
    """
    points = linear_points(machine.K)
    narrow = points is not None and len(points[0]) < MOVED
    if objective <= 0 or not few_points.bounded(machine, MANY if narrow else few_points.FEW):
        return None
    _, free = free_points.working(machine, a)
    chosen = sorted([i for i in free if a[i]], key=lambda i: abs(a[i]))[:MOVED]
    if len(chosen) < 2:
        return None
    curvatures = {i: rational(machine.pieces[i][k].curvature) for i, k in free.items()}
    found, eps = list(map(lift, a)), kept_sums.unit(lift(Fraction(1)))
    metric = _metric(machine, a, curvatures, objective, eps)
    # Premise: each is given (δᵢ/aᵢ)² of the objective at least, so that multipliers keep digits of their own.
    weights = [max(_root(FINE * curvatures[i] / 2 / objective), _root(FINE / a[i] ** 2)) for i in chosen]
    steps = _steps(
        metric,
        {i: rational(v) - w for i, (v, w) in enumerate(zip(found, a))},
        dict(zip(chosen, weights)),
        {i: kept_sums.unit(found[i]) for i in chosen},
    )
    for i, step in steps.items():
        found[i] = lift(rational(found[i]) + step)
    inside = all(within(machine.pieces[i], rational(found[i])) for i in chosen)
    return Vector.of(found) if inside and _keeps(machine, a, found, eps) else None


def _steps(
    metric: Metric, missed: Mapping[int, Fraction], weights: Mapping[int, Fraction], units: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """Return by which multiples of their units multipliers are moved, so that what is missed cancels."""
    basis = []
    for place, (i, unit) in enumerate(units.items()):
        own = [0] * len(units)
        own[place] = max(1, round(unit * weights[i]))
        basis.append([*own, *metric.of({i: unit})])
    left = lattice.nearest(basis, [*[0] * len(units), *metric.of(missed)])
    return {i: left[k] // basis[k][k] * unit for k, (i, unit) in enumerate(units.items())}


def _metric(
    machine: Machine, a: Vector, curvatures: Mapping[int, Fraction], objective: Fraction, eps: Fraction
) -> Metric:
    rows, scale = linear_points(machine.K), FINE / objective
    linear = rows is not None and len(rows[0]) <= len(rows)
    points = [list(map(rational, z)) for z in (rows if linear else _factored(machine))]
    bends = {i: 1 / (2 * c) if c else a.largest() ** 2 / LEAST / objective for i, c in curvatures.items()}
    means = [Fraction(0)] * len(points[0])
    if machine.intercept:
        weight = sum(bends.values())
        means = [sum([w * points[i][j] for i, w in bends.items()], Fraction(0)) / weight for j in range(len(means))]
    roots = {i: _root(scale * w) for i, w in bends.items()}
    values = [[root * (v - m) for v, m in zip(points[i], means)] for i, root in roots.items()]
    kept = [_root(scale)] * len(means)
    if linear:
        kept = [max(v, _root(FINE * LEAST) / (eps * size)) if size else v for v, size in zip(kept, _sizes(points, a))]
    metric = Metric(points, kept, values)
    if not machine.intercept:
        return metric
    longest = max([abs(v) for i in curvatures for v in metric.of({i: Fraction(1)})])
    return replace(metric, total=Fraction(longest))


def _factored(machine: Machine) -> Sequence[Sequence[Number]]:
    """Return rows z with K = ZZᵀ to the digits of the decimals."""
    F = decimal(DIGITS)
    table = [Vector.of([F.lift(rational(v)) for v in machine.K.row(i)]) for i in range(len(machine.y))]
    return low_rank.leading(Matrix.of(table), len(table), F=F)


def _sizes(points: Sequence[Sequence[Fraction]], a: Sequence[Fraction]) -> list[Fraction]:
    return [sum([abs(v * w) for v, w in zip(a, column)], Fraction(0)) for column in zip(*points)]


def _keeps(machine: Machine, a: Vector, found: Sequence[Any], eps: Fraction) -> bool:
    """Return whether each Σ aᵢxᵢⱼ of a linear kernel is moved by no more than roundoff of its products."""
    rows = linear_points(machine.K)
    if rows is None:
        return True
    points, missed = [list(map(rational, x)) for x in rows], [rational(v) - w for v, w in zip(found, a)]
    moved = [abs(sum(map(mul, missed, column), Fraction(0))) for column in zip(*points)]
    return all(v <= sum(map(bool, a)) * eps * size for v, size in zip(moved, _sizes(points, a)))


def _root(v: Fraction) -> Fraction:
    """Return the square root to thirty digits."""
    shift = max(0, 100 - v.numerator.bit_length() + v.denominator.bit_length())
    return Fraction(isqrt((v.numerator << 2 * shift) // v.denominator), 1 << shift)
