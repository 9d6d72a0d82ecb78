"""From a machine to its optimum rounded to doubles: what finishes a fit that doubles alone cannot prove.

    1  semismooth Newton's method in fixed-point numbers that hold the condition of the problem and 58 digits more
    2  each multiplier rounded to the nearest double, one of them so that their sum stays near zero
    3  of the intercepts near the optimal one that with which the rounded multipliers have the least objective

A multiplier in doubles moves f by its last digit times a row of K; where rows are long and alike, the intercept takes
most of that back. What is left is the ceiling: the digits that the optimum has in doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Optional, Union

from refclass.errors import NotConverged
from refclass.kernels.product import exact_product, linear_points
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.fixed_point import fixed
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.regress.kernel import certificate, semismooth_newton
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.loss_slopes import Piecewise
from refclass.regress.kernel.machine import Machine
from refclass.regress.kernel.newton_coordinates import Coefficients, Multipliers

GUARD = 192  # bits beyond the size and the condition of the problem: 58 digits
MOST = 1200  # points of a kernel that is not linear: a table of them takes a minute and a half to factor
LONGEST = 2000  # bits where a loss has kinks: σ falls through all of them, and no double holds such an optimum
NEARLY = 40  # a table that may miss semidefiniteness by roundoff is given 2^−40 of its largest entry


@dataclass(frozen=True)
class Optimum:
    """An optimum to KEPT bits.

    a, beta0    multipliers between their bounds, and the intercept, in fractions
    beta        the coefficients of a linear kernel, else None
    """

    a: Vector
    beta0: Fraction
    beta: Optional[Vector]


def optimum(machine: Machine, start: Optional[tuple[Sequence[Any], Any]] = None) -> Optimum:
    """Return the optimum of a machine, its numbers taken at their exact worth.

    start     multipliers and an intercept to start from; none: f = 0

    Raises    NotConverged for more than MOST points and a kernel that is not linear, or where Newton's method ends so
    """
    curvatures = [rational(p.curvature) for own in machine.pieces for p in own if p.low != 0 or p.high != 0]
    sigma = _proximal(machine, curvatures)
    bits = length(machine, [c + sigma for c in curvatures], sigma > 0)
    if sigma and bits > LONGEST:
        raise NotConverged("crossover", need=f"a problem that {LONGEST} bits hold", got=bits)
    slopes = Piecewise(bits, machine.pieces)
    return solved(machine, slopes, bits, fixed([sigma], bits)[0], start)


def solved(
    machine: Machine,
    slopes: Any,
    bits: int,
    proximal: int = 0,
    start: Optional[tuple[Sequence[Any], Any]] = None,
) -> Optimum:
    """Return the optimum for the slopes of the machine's losses; options as for `optimum`."""
    where = space(machine, bits)
    problem = semismooth_newton.Problem(where, slopes, fixed(machine.y, bits), machine.intercept, proximal)
    x, beta0, centre = None, 0, None
    if start is not None:
        centre, (beta0,) = fixed(start[0], bits), fixed([start[1]], bits)
        x = where.of(centre)
    point = semismooth_newton.solve(problem, x, beta0, centre)
    unit = Fraction(1, 1 << bits)
    beta = Vector.of([v * unit for v in point.x]) if isinstance(where, Coefficients) else None
    return Optimum(Vector.of([v * unit for v in point.a]), point.beta0 * unit, beta)


def space(machine: Machine, bits: int) -> Union[Multipliers, Coefficients]:
    """Return the coordinates with fewer variables.  Raises NotConverged for too many points."""
    points, n = linear_points(machine.K), len(machine.y)
    if points is not None and len(points[0]) < n:
        return Coefficients(points, bits)
    if n > MOST:
        raise NotConverged("crossover", need=f"at most {MOST} points, or a linear kernel", got=n)
    return Multipliers(machine.K, n, bits)


def _proximal(machine: Machine, curvatures: Sequence[Fraction]) -> Fraction:
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
    # Premise: a multiplier of the size y/K must be told from rounding of K a, divided by a curvature.
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


# --- rounding ---


class Rounded(NamedTuple):
    """A function in doubles: its multipliers and its intercept; of a linear kernel its coefficients, which it is."""

    a: Vector
    beta0: float
    beta: Optional[Vector]


def rounded(machine: Machine, found: Optimum, *, level: bool = True) -> Iterator[Rounded]:
    """Yield functions in doubles near the optimum: each rounding with the best intercept for it.

    Of a linear kernel the coefficients are rounded, not computed from rounded multipliers: these may be larger by the
    condition of the problem.

    level     whether that intercept is looked for; else it is the one that takes back the mean of what f is moved by
    """
    own = exact_product(machine.K, found.a)
    whole = coefficients(machine, found.a) if found.beta is None else found.beta
    beta = None if whole is None else Vector.of(map(float, whole))
    if beta is not None:
        values, square = certificate.linear(machine.K, beta)
        beta0 = _intercept(machine, found, own, values, square, level)
    for a in map(Vector.of, _roundings(machine, found.a)):
        if beta is None:
            exact = Vector.of(map(Fraction, a))
            values = exact_product(machine.K, exact)
            beta0 = _intercept(machine, found, own, values, exact @ values, level)
        yield Rounded(a, beta0, beta)


def _intercept(machine: Machine, found: Optimum, own: Vector, values: Vector, square: Fraction, level: bool) -> float:
    """Return the best intercept in doubles, of some, for a rounded function with those values."""
    candidates = [float(found.beta0)]
    if machine.intercept:
        want = _mean([b - v for b, v in zip(own, values)]) + found.beta0
        candidates += [float(want), *([float(_level(machine, values, found, want))] if level else [])]
    return min(candidates, key=lambda b: _primal(machine, square, values, b))


def _roundings(machine: Machine, a: Vector) -> list[list[float]]:
    """Return the nearest doubles; the same balanced; and the nearest multiples of one power of two, which balance."""
    nearest = list(map(float, a))
    if not machine.intercept:
        return [nearest]
    inside = [_inside(own) for own in machine.pieces]
    unit = Fraction(2) ** (_log2(max(a.largest(), Fraction(1, 2**1000))) - 53)
    shared = [v if v == w else unit * round(w / unit) for v, w in zip(map(Fraction, nearest), a)]
    every = [doubles(a, inside), nearest, doubles(shared, inside)]
    return [v for k, v in enumerate(every) if v not in every[:k]]


def _primal(machine: Machine, square: Fraction, values: Vector, b: float) -> Fraction:
    value: Fraction = dual.primal_objective(machine, square, Vector.of([v + Fraction(b) for v in values]))
    return value


def _mean(values: Sequence[Fraction]) -> Fraction:
    total: Fraction = sum(values, Fraction(0))
    return total / len(values)


def _level(machine: Machine, values: Vector, found: Optimum, near: Fraction) -> Fraction:
    """Return an intercept at which the multipliers that the residuals call for sum to zero."""
    bits = GUARD + _up([max(abs(v), Fraction(1)) for v in values]) + _down([v for v in map(abs, found.a) if v])
    slopes = Piecewise(bits, machine.pieces)
    slopes.sigma, slopes.centre = 1 << (bits // 2), fixed(found.a, bits)
    problem = semismooth_newton.Problem(Multipliers(_Nothing(), 0, bits), slopes, fixed(machine.y, bits), True)
    f = fixed(values, bits)
    point = semismooth_newton.Point([], fixed([near], bits)[0], f, [])
    return Fraction(semismooth_newton.levelled(problem, point).beta0, 1 << bits)


class _Nothing:
    """A table of no rows."""


def _inside(pieces: dual.Pieces) -> Callable[[Fraction], bool]:
    return lambda v: dual.within(pieces, v)


def doubles(a: Sequence[Fraction], inside: Sequence[Callable[[Fraction], bool]]) -> list[float]:
    """Return the nearest doubles; where they are to sum to zero, the smallest that can take it what the others miss.

    inside    of each number whether a change is allowed; empty: the sum is free
    """
    found = list(map(float, a))
    missing = sum(map(Fraction, found), Fraction(0)) if inside else Fraction(0)
    for i in sorted(range(len(found)), key=lambda i: abs(found[i])):
        if missing == 0:
            break
        moved = float(Fraction(found[i]) - missing)
        left = missing + Fraction(moved) - Fraction(found[i])
        if moved * found[i] > 0 and abs(left) < abs(missing) and inside[i](Fraction(moved)):
            found[i], missing = moved, left
    return found


def coefficients(machine: Machine, a: Sequence[Fraction]) -> Optional[Sequence[Fraction]]:
    """Return β = Σ aᵢxᵢ of a linear kernel; None for another."""
    points = linear_points(machine.K)
    return None if points is None else combination(points, Scaled.of(a), len(points[0])).fractions()
