"""Multipliers beside an optimum whose points at a kink are moved beyond it, as far as roundoff moves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from refclass.certificate import digits
from refclass.errors import NoAnswer
from refclass.kernels.matrices.product import exact_product
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Pieces, conjugate, within
from refclass.number.decimals import decimal
from refclass.number.field import Number, rational
from refclass.regress.kernel import certificate, free_points, kept_sums
from refclass.regress.kernel.machine import Machine
from refclass.regress.kernel.newton import crossover
from refclass.regress.kernel.newton.crossover import Optimum

OVERSHOOT_DIGITS = 120  # of the decimals in which the equations of an overshoot are solved
MOST_FREE = 250  # points at kinks beyond which that takes too long
OVERSHOOT = 4  # ratio of one overshoot to the next; the first is half of it times what roundoff moves a residual by
CLEAR = 64  # ratio of an overshoot to what roundoff moves residuals by, above which a larger one brings nothing

Lift = Callable[[Fraction], Any]


def overshot(machine: Machine, found: Optimum, plain: Any, lift: Lift = float) -> Iterator[Vector]:
    """Yield multipliers whose points at a kink have residuals a little on its cheap side, as roundoff moves them.

    plain    the best rounding of the optimum itself, with its proof (`rounding.Rounded`)

    Proof: roundoff that moves the residual of a point at a kink down costs itself times what its multiplier is above
    the slope there, and up what it is below the slope there: aᵢ or C − aᵢ for the hinge. Where the points held by kinks
    have residuals that are δ away on the cheaper side, by the equations of the free points and the sum, roundoff leaves
    them on that side, and the primal rises by δ times the sum of the lesser costs.

    So it is with a loss that is quadratic beyond s and zero before it, where its residual is nearer to s than roundoff.

    δ grows until that rise alone costs the digits that the plain rounding has: the multipliers that are moved are
    rounded again, which may move residuals further than it moved those of the plain ones. Where it moves them by a
    small part of δ, a larger one leaves them where they are: other points, not held by a kink, have the slack.
    """
    parts, free = free_points.working(machine, found.a)
    if not 0 < len(free) <= MOST_FREE:
        return
    beyond = {i: machine.pieces[i][k].curvature * parts[i][k] for i, k in free.items()}
    sides = [exact_product(machine.K, list(map(rational, plain.a)))]
    if plain.beta is not None:
        sides.append(Vector.of(certificate.linear(machine.K, plain.beta)[0]))
    level = {i: machine.y[i] - rational(plain.beta0) - machine.pieces[i][k].slope - beyond[i] for i, k in free.items()}
    delta = max([abs(rational(level[i] - values[i])) for values in sides for i in free]) * OVERSHOOT / 2
    if any(v and (abs(v) > delta or not _flat(machine.pieces[i])) for i, v in beyond.items()):
        return
    costs = {i: _costs(machine.pieces[i], parts[i], k) for i, k in free.items()}
    try:
        way = _way(machine, free, [1 if down <= up else -1 for down, up in costs.values()])
    except NoAnswer:
        return
    scale, weight = plain.proof.dual or Fraction(0), sum(map(min, costs.values()), Fraction(0))
    while delta and digits(delta * weight, scale) > max(plain.digits, 0):
        a = list(found.a)
        for i, v in zip(free, way):
            moved = a[i] + delta * v
            a[i] = moved if within(machine.pieces[i], moved) else a[i]
        yield Vector.of(a)
        if delta > CLEAR * _moved(machine, a, free, plain, lift):
            return
        delta *= OVERSHOOT


def _moved(machine: Machine, a: Sequence[Fraction], free: Mapping[int, int], plain: Any, lift: Lift) -> Fraction:
    """Return how far the rounding of multipliers, of coefficients and of the intercept moves the free residuals."""
    at, sides = exact_product(machine.K, a), [exact_product(machine.K, [rational(lift(v)) for v in a])]
    beta = None if plain.beta is None else crossover.coefficients(machine, a)
    if beta is not None:
        sides.append(Vector.of(certificate.linear(machine.K, Vector.of(map(lift, beta)))[0]))
    moved = max([abs(rational(values[i] - at[i])) for values in sides for i in free])
    return moved + kept_sums.unit(plain.beta0)


def _costs(pieces: Pieces, parts: Sequence[Fraction], k: int) -> tuple[Number, Number]:
    """Return what it costs to move a residual down and up from the place of its free piece, for each unit.

    Shapes    parts: those of its multiplier, one of each piece; ε = 0 has two pieces at one place
    """
    there = [(p, v) for p, v in zip(pieces, parts) if p.slope == pieces[k].slope]
    down = [inf if p.low is None else v - p.low for p, v in there]
    return sum(down, Fraction(0)), sum([inf if p.high is None else p.high - v for p, v in there], Fraction(0))


def _flat(pieces: Pieces) -> bool:
    """Return whether the loss is zero at more than one residual."""
    at_zero = conjugate(pieces, Fraction(0))
    return at_zero.left is None or at_zero.right is None or bool(at_zero.left < at_zero.right)


def _way(machine: Machine, free: Mapping[int, int], signs: Sequence[int]) -> list[Fraction]:
    """Return how the multipliers of free points change for each unit by which their residuals fall, or rise.

    free     for each point its free piece, whose curvature keeps the equations regular where points are alike
    signs    1 for residuals that fall, −1 for those that rise
    """
    F = decimal(OVERSHOOT_DIGITS)
    zero, one = F.lift(0), F.lift(1)
    rows = [
        [F.lift(rational(row[j]) + (machine.pieces[i][free[i]].curvature if i == j else 0)) for j in free]
        for i, row in zip(free, map(machine.K.row, free))
    ]
    if machine.intercept:
        rows = [[*row, one] for row in rows] + [[one] * len(free) + [zero]]
    right = Vector(map(F.lift, [*signs, 0] if machine.intercept else signs))
    solution = elimination.solve(Matrix(map(Vector, rows)), right)
    return [rational(v) for v in solution[: len(free)]]
