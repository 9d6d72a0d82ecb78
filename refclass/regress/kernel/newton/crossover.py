"""From a machine to its optimum, where doubles alone cannot find it: to 27 digits, and exactly (crossover).

1  semismooth Newton's method in fixed-point numbers that hold the condition of the problem and 58 digits more, for a
   kernel that is not linear on a growing set of points
2  the equations of its free points, solved in fractions and proven (`free_points`)
3  where these are singular or miss a condition, the active-set method goes on from there in fractions
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional, Union

from refclass.certificate import Certificate
from refclass.errors import NotConverged, Refusal
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.factorisations.fixed_point import fixed
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.regress.kernel.machine import Machine
from refclass.regress.kernel.newton import central_path, growing_set, semismooth_newton
from refclass.regress.kernel.newton.loss_slopes import Piecewise, Power
from refclass.regress.kernel.newton.newton_coordinates import Coefficients, Multipliers

GUARD = 192  # bits beyond the size and the condition of the problem: 58 digits
MOST = 1200  # points of a kernel that is not linear: a table of them takes a minute and a half to factor
MANY = 120  # points beyond which kinks are met along the central path: one at a time they take as many steps
CREEPING = 60  # steps from a start near the optimum, or from none that is, beyond which kinks are met along the path
LONGEST = 2000  # bits where a loss has kinks: σ falls through all of them, and no double holds such an optimum
LONGEST_SMOOTH = 20_000  # bits where it has none: intercepts are found by halving, and no double asks for 10,000
NEARLY = 40  # a table that may miss semidefiniteness by roundoff is given 2^−40 of its largest entry


@dataclass(frozen=True)
class Optimum:
    """An optimum to KEPT bits.

    a, beta0    multipliers between their bounds, and the intercept, in fractions
    beta        the coefficients of a linear kernel, else None
    """

    a: Vector
    beta0: Fraction
    beta: Optional[Sequence[Fraction]]


class Unfinished(NotConverged):
    """Newton's method ended before the optimum.

    reached    what it came to: multipliers, those that their residuals call for, and the intercept
    """

    reached: Sequence[Optimum] = ()


def bounds(
    machine: Machine,
    cause: Refusal,
    certified: Callable[[Vector, Fraction], Certificate],
    known: Sequence[tuple[Optional[Fraction], Optional[Fraction]]],
) -> tuple[Optional[Fraction], Optional[Fraction]]:
    """Return the least primal and the largest dual of those known and of what was reached before a refusal.

    Proof: multiples of multipliers are multipliers, too. Where the dual is aᵀy − ½aᵀKa but for what the losses pay, the
    best of them is aᵀy/aᵀKa.
    """
    primals, duals = ([v for v in own if v is not None] for own in zip(*known))
    for near in cause.reached if isinstance(cause, Unfinished) else ():
        square = near.a @ exact_product(machine.K, near.a)
        gained = near.a @ Vector.of(map(rational, machine.y))
        best = min(gained / square, Fraction(1)) if square > 0 else Fraction(1)
        for factor in {Fraction(1), max(best, Fraction(0))}:
            proof = certified(Vector.of([factor * v for v in near.a]), near.beta0)
            primals += [] if proof.primal is None else [proof.primal]
            duals += [] if proof.dual is None else [proof.dual]
    return min(primals, default=None), max(duals, default=None)


def optimum(machine: Machine, start: Optional[tuple[Sequence[Any], Any]] = None) -> Optimum:
    """Return the optimum of a machine, its numbers taken at their exact worth.

    start     multipliers and an intercept to start from; none: f = 0

    Raises    NotConverged for more than MOST points and a kernel that is not linear, or where Newton's method ends so
    """
    curvatures = [rational(p.curvature) for own in machine.pieces for p in own if p.low != 0 or p.high != 0]
    sigma = proximal(machine, curvatures)
    bits = length(machine, [c + sigma for c in curvatures], sigma > 0)
    most = LONGEST if sigma else LONGEST_SMOOTH
    if bits > most:
        raise NotConverged("crossover", need=f"a problem that {most} bits hold", got=bits)
    slopes = Piecewise(bits, machine.pieces)
    return solved(machine, slopes, bits, fixed([sigma], bits)[0], start)


def solved(
    machine: Machine,
    slopes: Any,
    bits: int,
    sigma: int = 0,
    start: Optional[tuple[Sequence[Any], Any]] = None,
    max_steps: Optional[int] = None,
) -> Optimum:
    """Return the optimum for the slopes of the machine's losses; options as for `optimum`."""
    where = space(machine, bits)
    problem = semismooth_newton.Problem(where, slopes, fixed(machine.y, bits), machine.intercept, sigma)
    x, beta0, centre = None, 0, None
    if start is not None:
        centre, (beta0,) = fixed(start[0], bits), fixed([start[1]], bits)
        x = where.of(centre)
    unit = Fraction(1, 1 << bits)
    many = sigma > 0 and isinstance(where, Multipliers) and len(machine.y) > MANY and central_path.finite(slopes)
    try:
        if isinstance(slopes, Power) or (many and start is None):
            point = growing_set.follow(problem)
        elif many:
            try:
                point = growing_set.solve(problem, x, beta0, CREEPING)
            except NotConverged:
                point = growing_set.follow(problem)
        elif isinstance(where, Multipliers):
            point = growing_set.solve(problem, x, beta0, max_steps)
        else:
            point = semismooth_newton.solve(problem, x, beta0, centre, max_steps)
    except NotConverged as refusal:
        near, b = refusal.witness.pop("reached")
        ended = Unfinished(refusal.module, need=refusal.need, got=refusal.got)
        ended.reached = [Optimum(Vector.of([v * unit for v in a]), b * unit, None) for a in near]
        raise ended from None
    beta = [v * unit for v in point.x] if isinstance(where, Coefficients) else None
    return Optimum(Vector.of([v * unit for v in point.a]), point.beta0 * unit, beta)


def space(machine: Machine, bits: int) -> Union[Multipliers, Coefficients]:
    """Return the coordinates with fewer variables.  Raises NotConverged for too many points."""
    points, n = linear_points(machine.K), len(machine.y)
    if points is not None and len(points[0]) < n:
        return Coefficients(points, bits)
    if n > MOST:
        raise NotConverged("crossover", need=f"at most {MOST} points, or a linear kernel", got=n)
    return Multipliers(machine.K, n, bits)


def proximal(machine: Machine, curvatures: Sequence[Fraction]) -> Fraction:
    """Return the σ of the first proximal step; 0 where no loss has a kink and the table is sure to be definite."""
    largest: Fraction = max(map(rational, machine.K.diagonal()), default=Fraction(0))
    if curvatures and min(curvatures) == 0:
        return Fraction(max(largest, Fraction(1, 2**NEARLY)) / 64)
    if machine.rounded and curvatures and min(curvatures) * 2**NEARLY < largest:
        return Fraction(largest / 2**NEARLY)
    return Fraction(0)


def length(machine: Machine, curvatures: Sequence[Fraction], kinks: bool) -> int:
    """Return how many bits hold the size and the condition of the problem, and GUARD more."""
    table = [abs(v) for v in map(rational, machine.K.diagonal()) if v]
    y = [abs(v) for v in map(rational, machine.y) if v]
    # Premise: a multiplier of the size y/K must be distinguished from rounding of K a, divided by a curvature.
    spread = (
        2 * _up(table)
        + _down([max(table)] if table else [])
        + _up(curvatures)
        + _down(curvatures)
        + _down([max(y)] if y else [])
    )
    return GUARD + spread + (2 * semismooth_newton.KEPT if kinks else 0)


def _up(values: Sequence[Fraction]) -> int:
    return max([0, *[_log2(v) for v in values]])


def _down(values: Sequence[Fraction]) -> int:
    return max(0, -min([_log2(v) for v in values], default=0))


def _log2(v: Fraction) -> int:
    return v.numerator.bit_length() - v.denominator.bit_length() + 1


def coefficients(machine: Machine, a: Sequence[Fraction]) -> Optional[Sequence[Fraction]]:
    """Return β = Σ aᵢxᵢ of a linear kernel; None for another."""
    points = linear_points(machine.K)
    return None if points is None else combination(points, Scaled.of(a), len(points[0])).fractions()
