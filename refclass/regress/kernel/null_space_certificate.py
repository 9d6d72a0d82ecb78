"""The proof of a semiparametric machine: exact, without solving anything but m equations for m numbers.

Where the bound is zero and the objective is not, a linear programme says whether the optimum is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, digits, relative_digits, status
from refclass.errors import NoAnswer, NotConverged
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Bound, conjugate, nearest
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.optimise.programme import solver as programme
from refclass.optimise.programme.problem import Programme
from refclass.regress.kernel import certificate
from refclass.regress.kernel.fitted_machine import dual_objective, primal_objective
from refclass.regress.kernel.null_space import Semiparametric, apart, levelled


def certify(given: Semiparametric, a: Sequence[Any], d: Sequence[Any], *, asked: float = ASKED) -> Certificate:
    """Return the proof of (a, d), exact, whoever found it.

        primal = ½aᵀKa + Σ Vᵢ(rᵢ)      dual = aᵀy − ½aᵀKa − Σ Vᵢ*(aᵢ)      gap = primal − dual

    Rounded multipliers miss Tᵀa = 0, and bounds, by some units. The penalty is that of the nearest contrast: the
    multipliers are moved at m points, far from their bounds and from one another. The losses are those of the
    function as reported, or of that one, whichever are larger. The dual is that of the moved multipliers, None where
    one of them is no slope of its loss. There are no more digits than the multipliers keep when they are moved. Where
    K as held is not positive semidefinite on the contrasts, which is decided exactly, no dual bounds the primal.

    The worst violation is the largest of |Tᵀa| and, over the points, of the way from aᵢ to the multiplier that is
    optimal for aᵢ + rᵢ.

    Exact     yes
    """
    machine, own, free = given.machine, Vector.of(map(rational, a)), Vector.of(map(rational, d))
    bounded, convex = replace(machine, intercept=False), given.direction is None
    moved = _contrast(given, certificate.feasible(bounded, own))
    beside = free if moved == own else levelled(given, own, free, moved)
    products, near = given.functions(moved, beside)
    square, reported = moved @ products, given.functions(own, free)[1]
    primal: Optional[Fraction] = max([primal_objective(machine, square, f) for f in (reported, near)])
    feasible = certificate.feasible(bounded, moved) == moved
    dual = dual_objective(machine, moved, square) if feasible else None
    worst, where = _worst(given, own, machine.y - reported)
    proven = relative_digits(primal, dual, _of_zero(given) if dual == 0 and primal else 0)
    if proven is not None:
        proven = min(proven, digits((moved - own).largest(), own.largest()))
    return Certificate(
        status=status(proven, asked, convex=convex),
        primal=primal,
        dual=dual if convex else None,
        gap=None if dual is None or primal is None or not convex else primal - dual,
        worst_violation=worst,
        where=where,
        unique={"f": None},
        premise=certificate.ROUNDED if machine.positive and machine.rounded else "",
        digits=proven if convex else None,
    )


def _of_zero(given: Semiparametric) -> Fraction:
    """Return the objective of f = 0 where the optimum is zero, which a function of the null space then attains; else 0.

    A linear programme without an objective: V*′(0−) ≤ yᵢ − Σ dₖtₖ(xᵢ) ≤ V*′(0+), where the loss of point i is zero.
    """
    machine, T = given.machine, given.T
    ends = [conjugate(own, Fraction(0)) for own in machine.pieces]
    low = [None if c.right is None else t - c.right for c, t in zip(ends, machine.y)]
    high = [None if c.left is None else t - c.left for c, t in zip(ends, machine.y)]
    none: list[Bound] = [None] * len(T[0])
    rows = [{k: v for k, v in enumerate(row) if v} for row in T]
    try:
        programme.feasible(Programme([{} for _ in none], [Fraction(0)] * len(none), rows, low, high, none, none))
    except (NoAnswer, NotConverged):
        return Fraction(0)
    return primal_objective(machine, Fraction(0), 0 * machine.y) or Fraction(0)


def _contrast(given: Semiparametric, a: Vector) -> Vector:
    """Return multipliers with Tᵀa = 0: these, but at m points far from their bounds, and from one another."""
    missed = given.moments(a)
    if not any(missed):
        return a
    slacks = [_slack_to_bound(own, v) for own, v in zip(given.machine.pieces, a)]
    most = max([v for v in slacks if v is not None], default=Fraction(1)) or Fraction(1)
    chosen = apart(given.T, [most if v is None else max(v, Fraction(0)) for v in slacks])
    change = elimination.solve(Matrix.of([given.T[i] for i in chosen]).T, Vector.of(missed))
    near = list(a)
    for i, v in zip(chosen, change):
        near[i] -= v
    return Vector.of(near)


def _slack_to_bound(pieces: Any, a: Fraction) -> Bound:
    """Return how far a is from the nearer of the bounds of its sum of parts; None for no bound."""
    lows, highs = ([p.low for p in pieces], [p.high for p in pieces])
    below = None if None in lows else a - sum(lows)
    above = None if None in highs else sum(highs) - a
    return min([v for v in (below, above) if v is not None], default=None)


def _worst(given: Semiparametric, a: Vector, r: Vector) -> tuple[Fraction, str]:
    """Return the largest violation of an optimality condition and where it is, in words."""
    machine = given.machine
    found = [(abs(v), f"moment {k} of the multipliers is not zero") for k, v in enumerate(given.moments(a))]
    for i, (own, v, t) in enumerate(zip(machine.pieces, a, r)):
        away = abs(v - nearest(own, v + t))
        found.append((away, f"point {i}: multiplier {approximate(v):.6g}, residual {approximate(t):.6g}"))
    worst, where = max(found, key=lambda pair: pair[0])
    return worst, where if worst else ""
