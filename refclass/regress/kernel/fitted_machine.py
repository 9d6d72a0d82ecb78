"""A kernel machine that was fitted: its multipliers, values, intercept and objectives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, compress
from operator import sub
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.kernels.matrices.product import product
from refclass.linear.common_denominator import Scaled
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Bound, Piece, alike, conjugate, each, parts_of, total
from refclass.number.field import Field, Number, rational
from refclass.optimise.quadratic import certificate as quadratic
from refclass.regress.kernel.machine import Machine

STILL = 1 / 2**40  # of the responses: f moves by less where it is said to stand still
ROUNDOFF = 1 / 2**50  # four units: of a sum of a few terms of the range's size


@dataclass(frozen=True)
class Solved:
    """A machine at the exact worth of its numbers, and the answer to it, from whatever arithmetic.

    machine    the machine
    a          its multipliers
    beta0      its intercept
    places     the rows of the data that its points are
    scale      what its objective is multiplied by to give the estimator's
    """

    machine: Machine
    a: Vector
    beta0: Fraction
    places: list[int]
    scale: Fraction = Fraction(1)


@dataclass(frozen=True)
class Fitted:
    """A fitted machine.

    a            n multipliers: f = Σ aᵢ K(xᵢ, ·) + β₀
    parts        the parts of each
    values       Σⱼ aⱼ Kᵢⱼ at every point
    beta0        the intercept: the middle of `interval`
    interval     the least and the largest optimal intercept, None for no end; equal where it is unique
    square       ‖f‖²
    steps        how many steps the solver took
    proven       what was proven of the answer while it was found, if anything
    beta         the coefficients of f, where it is linear and they are rounded from numbers longer than those of a
    objectives   the values of primal and dual at the answer, that of β where it is delivered; none: as they were proven
    """

    a: Vector
    parts: tuple[tuple[Number, ...], ...]
    values: Vector
    beta0: Number
    interval: tuple[Bound, Bound]
    square: Number
    steps: int
    proven: Optional[Certificate] = None
    beta: Optional[Vector] = None
    objectives: Optional[tuple[Number, Number]] = None

    @property
    def alpha(self) -> Vector:
        """The multipliers without their signs: for labels y = ±1 and a loss that falls, αᵢ = yᵢaᵢ  [ESL-12.10]."""
        return Vector.of(map(abs, self.a))

    @property
    def objective(self) -> Number:
        """The value of the primal; where no slack is allowed ½‖f‖²."""
        if self.objectives is not None:
            return self.objectives[0]
        assert self.proven is not None
        return rational(self.square) / 2 if self.proven.primal is None else self.proven.primal

    @property
    def dual_objective(self) -> Number:
        """The value of the dual."""
        if self.objectives is not None:
            return self.objectives[1]
        assert self.proven is not None
        return self.objective if self.proven.dual is None else self.proven.dual


def fitted(machine: Machine, answer: quadratic.Answer, *, afresh: bool = True) -> Fitted:
    """Return the fit that an answer to the machine's problem stands for, its intercept computed anew.

    afresh    whether K a is computed anew, too, or read off the stationarity of the answer
    """
    given = iter(answer.x)
    parts = tuple([tuple([next(given) for _ in own]) for own in machine.pieces])
    if machine.y.kind is float:
        solved, parts = parts, settled(machine, parts)
        afresh = afresh or _moves(machine, solved, parts)
    if afresh:
        return described(machine, parts, answer.steps)
    nu, ends = answer.nu[0] if answer.nu is not None else machine.y.kind(0), zip(answer.at_lower, answer.at_upper)
    values: list[Number] = []
    for own, mine, t in zip(machine.pieces, parts, machine.y):
        bound = [next(ends) for _ in own]
        p, (low, high) = own[0], bound[0]
        values.append(t - p.slope - p.curvature * mine[0] - nu + low - high)
    return described(machine, parts, answer.steps, Vector.of(values))


def settled(machine: Machine, parts: tuple[tuple[Number, ...], ...]) -> tuple[tuple[Number, ...], ...]:
    """Return parts in doubles; those at their bounds that are nearer to these than roundoff of the range between both.

    A multiplier of 10⁻³² beside others of one is zero: as a free one it would fix the intercept.
    """
    most = max([abs(v) for own in parts for v in own])
    return tuple([tuple([_settled(p, v, most) for p, v in zip(*both)]) for both in zip(machine.pieces, parts)])


def _moves(machine: Machine, before: Sequence[Sequence[Number]], after: Sequence[Sequence[Number]]) -> bool:
    """Return whether multipliers that were put at their bounds move f: 10⁻²⁶ beside 100 is all of f where K is 10²⁶."""
    most = STILL * max(map(abs, machine.y))
    for i, (own, other) in enumerate(zip(before, after)):
        apart = sum([abs(v - w) for v, w in zip(own, other)])
        if apart and apart * max(map(abs, machine.K.row(i))) > most:
            return True
    return False


def _settled(piece: Piece, v: float, most: float) -> float:
    """Return a part in doubles; at its bound where it is nearer to that than roundoff of the range between both.

    most    the largest part of the answer: where all are far smaller than the range, roundoff of it counts
    """
    low, high = piece.low, piece.high
    if low is None or high is None or low == v or high == v:
        return v
    width = min(high - low, most) * ROUNDOFF
    return float(low if v - low <= width else high if high - v <= width else v)


def described(
    machine: Machine, parts: tuple[tuple[Number, ...], ...], steps: int = 0, values: Optional[Vector] = None
) -> Fitted:
    """Return the fit with those parts; values are K a, if known."""
    single = set(map(len, parts)) == {1}
    a = Vector.of(chain(*parts) if single else [sum(own[1:], own[0]) for own in parts])
    values = product(machine.K, a) if values is None else values
    low, high = interval(machine, parts, values) if machine.intercept else (a.kind(0), a.kind(0))
    found = Fitted(a, parts, values, middle(low, high, a.kind), (low, high), a @ values, steps)
    return valued(machine, found)


def valued(machine: Machine, fitted: Fitted) -> Fitted:
    """Return the fit with the values of primal and dual at its numbers; what no slack is allowed for costs nothing."""
    f = Vector.of([v + fitted.beta0 for v in fitted.values])
    primal = primal_objective(machine, fitted.square, f, allowed=True)
    return replace(fitted, objectives=(primal, dual_objective(machine, fitted.a, fitted.square)))


def of_multipliers(
    machine: Machine, a: Vector, beta0: Optional[Number] = None, steps: int = 0, *, beta: Optional[Vector] = None
) -> Fitted:
    """Return the fit with multipliers known from elsewhere, with that intercept and β, if any; nothing is solved."""
    if set(map(len, machine.pieces)) == {1}:
        parts: Any = tuple(zip(a))
    else:
        parts = tuple(each(lambda own, v: tuple(parts_of(own, v)), machine.pieces, a))
    found = replace(described(machine, parts, steps), beta=beta)
    return found if beta0 is None else valued(machine, replace(found, beta0=beta0))


def interval(machine: Machine, parts: Sequence[Sequence[Number]], values: Vector) -> tuple[Bound, Bound]:
    """Return the least and the largest intercept that the optimality conditions allow  [MMST-11.126] [MMST-11.127].

        V*′(aᵢ−) ≤ yᵢ − Σⱼ aⱼKᵢⱼ − β₀ ≤ V*′(aᵢ+)

    A point whose aᵢ lies inside a piece, 0 < αᵢ < Cᵢ for the hinge, has one slope and fixes the intercept: β₀ is
    yᵢ − Σⱼ αⱼyⱼKᵢⱼ  [ISML-27.4] [KIM-3.49] [KIM-3.74]. Rounded numbers of several such points differ by roundoff; they
    are averaged  [ESL-12.2.1-intercept] [KIM-3.30].

    Exact     yes
    """
    # Method: most points are at a bound, as others are; where some fix the intercept these alone are looked at.
    groups = [
        ([(p.slope + p.curvature * v, p.rises(v), p.falls(v)) for p, v in zip(own, given)], places)
        for own, given, places in alike(machine.pieces, list(map(tuple, parts)))
    ]
    fixing = any(rises and falls for own, _ in groups for _, rises, falls in own)
    least, most, fixed = [], [], []
    for own, places in groups:
        if fixing and not any(rises and falls for _, rises, falls in own):
            continue
        for slope, rises, falls in own:
            bounds = [machine.y[i] - values[i] - slope for i in places]
            least += bounds if rises else []
            most += bounds if falls else []
            fixed += bounds if rises and falls else []
    if fixed:
        mean = sum(fixed[1:], fixed[0]) / len(fixed)
        return mean, mean
    return max(least, default=None), min(most, default=None)


def middle(low: Bound, high: Bound, kind: Any) -> Number:
    """Return the middle of an interval, its only end, or zero if it has none."""
    ends = [end for end in (low, high) if end is not None]
    return sum(ends, kind(0)) / len(ends) if ends else kind(0)


def rounded(F: Field, exact: Fitted) -> Fitted:
    """Return a fit with its numbers lifted into F."""

    def lift(v: Any) -> Any:
        if isinstance(v, tuple):
            lifted = map(lift, v)
            return Vector.of(lifted) if isinstance(v, Vector) else tuple(lifted)
        return None if v is None else F.lift(v)

    names = ("a", "parts", "values", "beta0", "interval", "square", "beta", "objectives")
    return replace(exact, **{name: lift(getattr(exact, name)) for name in names})


def primal_objective(machine: Machine, square: Number, f: Vector, *, allowed: bool = False) -> Number:
    """Return the primal at decision values f, intercept included; None where it is infinite.

        ½‖f‖² + Σ Vᵢ(yᵢ − fᵢ)            [ESL-12.36] [ESL-12.38] [MMST-11.113] [YANG-penalization-method]
        ½‖β‖² + Σ Cᵢ [1 − yᵢ fᵢ]₊        of the hinge  [ESL-12.8] [MMST-11.34] [KIM-3.33] [KIM-3.3-costs]
        ½‖β‖² + Σ Cᵢ [1 − yᵢ fᵢ]₊²       of the squared hinge  [MMST-Ex11.3]

    It is 1/λ times loss plus penalty, with C = 1/λ  [ESL-Ex12.1].

    allowed    whether an infinite loss counts as none

    Exact     yes
    """
    exact = f.kind is Fraction
    residuals = Scaled.of(machine.y) - Scaled.of(f) if exact else list(map(sub, machine.y, f))
    paid = total(machine.pieces, residuals, allowed=allowed)
    return None if paid is None else square / 2 + paid


def dual_objective(machine: Machine, a: Vector, square: Number) -> Number:
    """Return the dual from square = ‖f‖² = aᵀKa.

        aᵀy − ½‖f‖² − Σ Vᵢ*(aᵢ)             [MMST-11.124] [ESL-12.41]
        Σ αᵢ − ½ Σᵢⱼ αᵢαⱼ yᵢyⱼ Kᵢⱼ          of the hinge, aᵢ = yᵢαᵢ  [ESL-12.13] [ESL-12.19] [MMST-11.41] [KIM-3.46]
                                            [KIM-3.71] [ISML-27.3] [MMST-11.61] [MMST-11.65] [MMST-11.21] [KIM-3.28]
        the same − Σ αᵢ²/(4Cᵢ)              of the squared hinge  [MMST-Ex11.3c]

    Hᵢⱼ = yᵢyⱼKᵢⱼ  [MMST-11.22] [MMST-11.63]. Where Σ aᵢ = 0 it is the least value of the Lagrangian over f, β₀ and the
    slacks  [ISML-27.2-maxmin].

    Exact     yes
    Laws      concave in a where K is positive semidefinite  [MMST-Ex11.11]
    """
    if a.kind is Fraction:
        exact = Scaled.of(a)
        spent = sum([len(i) * conjugate(own, v).value for own, v, i in alike(machine.pieces, exact)], Fraction(0))
        return exact @ Scaled.of(machine.y) - square / 2 - spent
    # Premise: V*(0) = 0.
    found = each(conjugate, list(compress(machine.pieces, a)), list(filter(None, a)))
    return a @ machine.y - square / 2 - sum([c.value for c in found], a.kind(0))
