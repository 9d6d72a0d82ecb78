"""The machine of Lee, Lin and Wahba where the interior point method ends, its multipliers put at their bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from operator import mul
from typing import Any, Optional

from refclass.errors import Refusal
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.kernels.matrices.product import linear_points
from refclass.linear.common_denominator import cleared
from refclass.linear.factorisations import low_rank
from refclass.linear.factorisations.lower_triangle import Cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba.decimal_fit import boxed
from refclass.margins.lee_lin_wahba.pair_fit import at_bounds
from refclass.margins.lee_lin_wahba.problem import Machine
from refclass.margins.lee_lin_wahba.trained_machine import Trained, gap, taken, trained
from refclass.number.binary64 import BINARY64
from refclass.optimise.multiclass import equal_sums, interior_point
from refclass.optimise.multiclass.newton_equations import Points

WIDTH = 130  # columns of Z, up to which the interior point method is taken
COARSE = 1e3  # units of roundoff that may be left of K where Z has too many columns otherwise
SINGULAR = 1e-12  # part of its diagonal entry below which a pivot of the normal equations counts as none


def interior(machine: Machine) -> Optional[Trained]:
    """Return the machine that the interior point method ends at; None where K has a high rank."""
    if not machine.positive:
        return None
    points, shift = linear_points(machine.K), None
    if points is not None:
        # Premise: coefficients sum to zero in every class, so that a shift of all points changes intercepts only.
        Z: Any = low_rank.turned(low_rank.centred(points))
        centre = [sum(column) / len(points) for column in zip(*points)]
        moved = Matrix.of([Vector.of(x) for x in low_rank.centred(points)])
        shift, machine = (centre, points), replace(machine, K=Rows(BINARY64, Linear(), moved))
    else:
        Z = low_rank.factored(machine.K, WIDTH) or low_rank.factored(machine.K, WIDTH, COARSE)
    if Z is None or len(Z[0]) > WIDTH:
        return None
    box = boxed(machine, Points(Z, True))
    try:
        state = interior_point.solve(box)
    except (ZeroDivisionError, OverflowError, Refusal):
        return None
    found = min(candidates(machine, box, state), key=gap)
    return found if shift is None else _unshifted(found, *shift)


def candidates(machine: Machine, box: Any, state: Any) -> list[Trained]:
    """Return machines near an iterate: multipliers as they are, and put at the bounds that they are near."""
    out, scores = [], box.points.values(state.v)
    inner = [list(own) for own in state.multipliers]
    rows = zip(state.multipliers, state.slack, box.xi, box.upper, box.upper, box.upper)
    for alpha in (inner, [list(map(at_bounds, *columns)) for columns in rows]):
        for _ in range(3):
            restore(box, state.v, alpha)
        columns = tuple([Vector.of(own) for own in equal_sums.feasible(machine.problem(), alpha)])
        own = trained(machine, columns, 1)
        mean = [sum(f) / len(f) - sum(h) / len(h) + b for f, h, b in zip(scores, own.values, own.beta0)]
        middle = sum(mean) / len(mean)
        out += [own, taken(machine, columns, Vector.of([b - middle for b in mean]))]
    return out


def restore(box: Any, v: Any, alpha: list[list[float]]) -> None:
    """Change the entries between their bounds, as little as possible, so that they yield the functions v.

    Σᵢ α_ik z̃ᵢ + nλ(v_k, 0) is the same for every class; the last of its entries are the sums of the classes.
    """
    # Method: the change with the least Σ d²/slack, slack the distance from the bounds, by its normal equations.
    points = box.points
    sums = points.gathered(alpha)
    sums = [[a + b for a, b in zip(own, points.ridge(t, box.lam))] for own, t in zip(sums, v)]
    mean = [sum(column) / len(sums) for column in zip(*sums)]
    for own, upper, own_sum in zip(alpha, box.upper, sums):
        slack = [min(a, top - a) if 0.0 < a < top else 0.0 for a, top in zip(own, upper)]
        if any(slack):
            factor = Cholesky(points.F, points.curvature(slack, 0.0), SINGULAR)
            y = factor.solve([a - b for a, b in zip(mean, own_sum)])
            shares = points.values([y])[0]
            own[:] = [a + r * max(-0.5, min(0.5, t)) if r else a for a, r, t in zip(own, slack, shares)]


def _unshifted(found: Trained, centre: Sequence[float], points: Any) -> Trained:
    """Return the machine on the points themselves, trained on those less their mean."""
    # Method: far from the origin the shifts cancel nearly all of the intercepts; so they are summed exactly.
    columns, middle = [cleared(column) for column in zip(*points)], list(map(Fraction, centre))
    shifts = []
    for own in found.beta:
        numbers, below = cleared(own)
        w = [Fraction(sum(map(mul, numbers, column)), below * unit) for column, unit in columns]
        shifts.append(sum(map(mul, w, middle), Fraction(0)))
    mean = sum(shifts) / len(shifts)
    shifts = [v - mean for v in shifts]

    def moved(v: Optional[float], by: Fraction) -> Any:
        return None if v is None else float(Fraction(v) - by)

    ends = [(moved(a, s), moved(b, s)) for (a, b), s in zip(found.intervals, shifts)]
    return replace(found, beta0=Vector.of(map(moved, found.beta0, shifts)), intervals=tuple(ends))
