"""The break points of a path in longer arithmetic, rounded to that of the answers, each proven.

A multiplier in doubles moves λf by its last digit times a row of K. Where λ is large beside that, the nearest numbers
have the digits asked for, and nothing is computed. Elsewhere the rounded machine is judged, exactly; where it has
fewer, its multipliers are rounded in the other ways of `regress.kernel.rounded`, and the most digits are its ceiling.
The first break point of which less than a digit is left is not reported, nor are those below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf
from typing import Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import NotConverged, NotExact
from refclass.linear import combination
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate
from refclass.margins.svm.path.model import Model, Rounding
from refclass.margins.svm.soft import Machine
from refclass.number.field import Number, finite, rational
from refclass.number.tolerance import roundoff
from refclass.optimise.path.path_state import State
from refclass.regress.kernel.rounded import rounding

UNITS = 20  # times n u max Kᵢᵢ / λ: more than rounding each multiplier to the nearest adds to the relative gap

ROUNDINGS = 4  # of λβ₀, of the entries of K and of their products, in units of roundoff


def rounded(model: Model) -> Model:
    """Return the path with those of its break points that the arithmetic of the answers holds.

    Proof (`UNITS`): let M² be the largest Kᵢᵢ, u the unit of roundoff, δ the change of α by rounding and, for the dual
    bound, by what scales a class until Σ αᵢyᵢ = 0 again. Then |δⱼ| ≤ 3uαⱼ, hence λf changes by at most M²Σ|δⱼ|, by
    3uM²Σαⱼ at most. Each of the n terms (1 − αᵢ)[1 − yᵢf(xᵢ)]₊ + αᵢ[yᵢf(xᵢ) − 1]₊, zero at the optimum, rises by that
    over λ at most, each of the losses too, and ½λ‖f‖² by n times that at most. The objective times λ is at least ½Σαⱼ,
    as Σαⱼ = λ‖f‖² + Σξᵢ. The relative gap is at most 18nuM²/λ.

    Break points that have an entry of `Model.roundings` are taken as they are.

    Cost      that of `certificate.certify`, up to nine times, for each break point below 20nuM² · 10⁹
    Raises    NotConverged, with the bounds of its machine, where less than a digit is left of the first break point;
              NotExact where λ or 1/λ of that is beyond the range of the arithmetic
    """
    states, n = model.path.states, len(model.y)
    near = UNITS * n * rational(roundoff(model.y.kind)) * 10**ASKED * max(map(rational, model.held.diagonal()))
    found = list(model.roundings or ())
    for state in states[len(found) :]:
        lam = _within_range(model, state)
        if lam is not None and rational(lam) >= near:
            found.append(None)
            continue
        best = None if lam is None else _best(model, state, lam)
        if best is None:
            break
        found.append(best)
    if states and not found:
        if _within_range(model, states[0]) is None:
            need = "a first break point of λ and 1/λ within the range of numbers (scale the columns, or take decimals)"
            raise NotExact("path", need=need, got=states[0].lam)
        raise _lost(states[0])
    return replace(model, roundings=tuple(found))


def _within_range(model: Model, state: State) -> Optional[Number]:
    """Return λ of a break point in the arithmetic of the answers; None where it, or 1/λ, is beyond its range."""
    try:
        lam = model.reported(state.lam)
        return lam if lam > 0 and finite(lam) and finite(1 / lam) else None
    except (OverflowError, ZeroDivisionError):
        return None


def _best(model: Model, state: State, lam: Number) -> Optional[Rounding]:
    """Return the rounding of a break point of the most digits, the first that has enough; None for less than one."""
    every: list[tuple[float, Rounding]] = []
    try:
        for digits, near in _in_doubles(model, state, lam) if model.y.kind is float else _nearest(model, state, lam):
            every.append((digits, near))
            if digits >= ASKED:
                return near
    except OverflowError:
        return None
    digits, near = max(every, key=lambda pair: pair[0])
    return replace(near, ceiling=digits) if digits >= 1 else None


def _nearest(model: Model, state: State, lam: Number) -> Iterator[tuple[float, Rounding]]:
    """Yield the nearest decimals, with their digits."""
    alpha = tuple(map(model.reported, state.alpha))
    beta0 = model.levelled(lam, alpha, model.reported(state.alpha0 / state.lam))
    cost = 1 / rational(lam)
    proof = certificate.certify(_machine(model, cost), Vector.of([rational(a) * cost for a in alpha]), beta0)
    yield _digits(proof), Rounding(alpha, beta0, None)


def _in_doubles(model: Model, state: State, lam: float) -> Iterator[tuple[float, Rounding]]:
    """Yield roundings to doubles with their digits: by a bound, where that proves enough, else by a proof of each."""
    signed = Vector.of([rational(a) * rational(t) for a, t in zip(state.alpha, model.y)])
    every = sorted([(_bound(model, state, signed, v), v) for v in _roundings(signed)])
    most, first = every[0]
    if most * 10**ASKED <= lam:
        yield float(ASKED), Rounding(tuple(map(abs, first)), None, None)
    cost = 1 / rational(lam)
    machine = certificate.lifted(_machine(model, cost)).dual()
    for _, values in every:
        near = rounding.judged(machine, Vector.of([Fraction(v) * cost for v in values]))
        yield near.digits, Rounding(tuple(map(abs, values)), near.beta0, None)


def _bound(model: Model, state: State, signed: Vector, values: Sequence[float]) -> float:
    """Return a bound on λ times the relative gap of signed multipliers as rounded, with the best intercept.

    Proof: for multipliers in [0, 1] that are balanced λ times the gap, over the costs, is
    Σ (1 − αᵢ)[1 − yᵢf(xᵢ)]₊ + αᵢ[yᵢf(xᵢ) − 1]₊. At the optimum yf = 1 on the elbow, yf ≤ 1 where α = 1, yf ≥ 1 where
    α = 0; λf changes by Δᵢ = Σ Kᵢⱼδⱼ and by a constant, and the objective times λ is at least ½Σα. Doubles sum the
    Δᵢ; their roundoff, and that of the intercept, are added to each. The bound is infinite where α is not balanced.
    """
    moved = [(j, float(Fraction(v) - exact)) for j, (v, exact) in enumerate(zip(values, signed)) if v != exact]
    if sum(map(Fraction, values)):
        return inf
    zero, largest = float(0), max(map(abs, model.K.diagonal()))
    rows = [model.K.row(j) for j, _ in moved]
    changes = combination.total([v for _, v in moved], rows) if moved else [zero] * len(values)
    held = [change for change, v in zip(changes, signed) if 0 < abs(v) < 1] or [zero]
    level, total = (max(held) + min(held)) / 2, zero
    unsure = len(moved) * largest * sum(abs(v) for _, v in moved) + abs(float(state.alpha0))
    for t, v, change in zip(model.y, values, changes):
        shift, alpha = t * (change - level), abs(v)
        total += (alpha if shift > 0 else 1 - alpha) * abs(shift) + ROUNDINGS * roundoff(float) * unsure
    return 2 * total / sum(map(abs, values))


def _roundings(signed: Vector) -> Iterator[list[float]]:
    """Yield signed multipliers αᵢyᵢ in doubles: balanced, in two ways, and the nearest. None leaves 0 or 1."""
    inside = [_between(v) for v in signed]
    seen: list[list[float]] = []
    for other in (rounding.doubles(signed, inside), rounding.multiples(signed, inside), list(map(float, signed))):
        if other not in seen:
            seen.append(other)
            yield other


def _between(v: Fraction) -> Callable[[Fraction], bool]:
    """Return whether a signed multiplier may have another value."""
    return partial(_on_side, v) if 0 < abs(v) < 1 else partial(_unchanged, v)


def _on_side(v: Fraction, other: Fraction) -> bool:
    return other * v > 0 and abs(other) < 1


def _unchanged(v: Fraction, other: Fraction) -> bool:
    return other == v


def _machine(model: Model, cost: Fraction) -> Machine:
    return Machine(model.held, model.y, (cost,) * len(model.y), positive=True)


def _digits(proof: Certificate) -> float:
    return float(-1) if proof.digits is None else proof.digits


def _lost(state: State) -> NotConverged:
    """Return the refusal of a path of whose first break point less than a digit is left."""
    need = "a digit of the machine at the first break point, once it is rounded"
    return NotConverged("path", need=need, got="less", lam=state.lam, alpha=state.alpha, alpha0=state.alpha0)
