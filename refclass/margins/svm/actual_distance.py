"""Slack in actual distance: the soft margin whose overlap, measured along the unit normal, is a budget  [ESL-12.5].

    maximise M   subject to   yᵢ(xᵢᵀu + u₀) ≥ M − ξᵢ,   ξᵢ ≥ 0,   ‖u‖ = 1,   Σ ξᵢ ≤ B

The problem is not convex, but each soft margin is its optimum for one B, which falls as C grows  [RC-31].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged, NotExact
from refclass.linear.vector import Vector
from refclass.number.binary64 import denormal, held
from refclass.number.field import Field, Number, rational

WIDE = 40  # powers of two on either side of the inverse square of the points' extent, between which C is sought
RANGE = 1000  # powers of two that doubles hold
STEPS = 100  # halvings of the interval of log C
DIGITS = 10**12  # of the budget
WIDER = tuple([1 + Fraction(2) ** k for k in (-20, -10, 0, 20)])  # costs that doubles ended at are moved apart so far
SHARES = 2**50  # parts of an interval, so that fractions grow by few digits
NARROWINGS = 150  # machines in fractions at most

Fit = Callable[[Any], tuple[Any, "Model"]]  # cost -> the soft margin, and what it is in actual distance


@dataclass(frozen=True)
class Model:
    """The rule xᵀu + u₀.

    u, u0    the unit normal and the offset
    M        the margin
    slack    the distance of each point from its margin, on the wrong side
    """

    u: tuple[Number, ...]
    u0: Number
    M: Number
    slack: tuple[Number, ...]

    @property
    def budget(self) -> Number:
        """Σ ξᵢ.  Raises NotExact where it is beyond the range of doubles."""
        return held("actual distance", Vector.of(list(self.slack)).sum())


def of_soft_margin(F: Field, beta: Sequence[Number], beta0: Number, margins: Sequence[Number]) -> Model:
    """Return what a soft margin is with its overlap measured in distance; margins are yᵢ(xᵢᵀβ + β₀)  [RC-31].

    The numbers may be longer than those of F; then each is divided by the largest of β before it is rounded: β₀ and the
    squares of β may be below the doubles, where β₀/‖β‖ is not.

    Raises    NoAnswer where β is zero; NotExact where ‖β‖ is not rational, in exact arithmetic, and where M or slack is
              beyond the range of doubles, or M below the normal ones
    """
    largest = max(map(abs, map(rational, beta)))
    if not largest:
        raise NoAnswer("actual distance", need="a soft margin with a normal", got="none: β is zero")

    def scaled(v: Number) -> Number:
        return F.delivered("actual distance", rational(v) / largest)

    normal = Vector.of(list(map(scaled, beta)))
    norm = F.sqrt(normal @ normal)
    M = scaled(1) / norm
    if denormal(M):
        need = "a margin within the normal doubles (scale the columns, or take decimals)"
        raise NotExact("actual distance", need=need, got=M)
    slack = tuple([scaled(max(Fraction(0), 1 - rational(m))) / norm for m in margins])
    return Model(tuple([v / norm for v in normal]), scaled(beta0) / norm, M, slack)


def search(fitted: Fit, exactly: Fit, budget: float, extent: float) -> tuple[Any, Model]:
    """Return the soft margin, as `fitted` returns it for a cost, with the budget asked for, by bisection in log C.

    What comes of it is a machine in fractions: one in doubles may have nine digits of its objective and few of β, which
    is divided by its length. Where doubles do not tell costs apart whose budgets differ, or miss them, the rest of the
    way is gone in fractions.

    exactly    the same, of a machine in fractions
    extent     how far the points reach

    Raises    NoAnswer where no cost has so small a budget: below, the problem is not convex; NotConverged where no cost
              with that budget is found; NotExact for points that reach further than 2⁴⁸⁰, or less than 2⁻⁴⁸⁰
    """
    unit = -2 * math.log2(extent)
    if abs(unit) + WIDE > RANGE:
        need = "points for which doubles hold the costs that are tried (scale the columns)"
        raise NotExact("actual distance", need=need, got=extent)
    a, b = unit - WIDE, unit + WIDE
    found = fitted(2**b)
    if found[1].budget > budget:
        raise NoAnswer(
            "actual distance",
            need="a budget that some soft margin has; below, the problem is not convex",
            got=budget,
            least=found[1].budget,
        )
    while a > -RANGE and _over(fitted, 2**a, budget)[1] < 0:
        a, b = max(a - WIDE, float(-RANGE)), a
    for _ in range(STEPS):
        middle = (a + b) / 2
        near, away = _over(fitted, 2**middle, budget)
        if near is not None and abs(away) * DIGITS <= budget:
            near, away = _over(exactly, 2**middle, budget)
            if near is not None and abs(away) * DIGITS <= budget:
                return near
            break
        if middle in (a, b):
            break
        a, b = (middle, b) if away > 0 else (a, middle)
    return _narrowed(exactly, budget, Fraction(2**a), Fraction(2**b))


def _over(fitted: Fit, cost: Any, budget: float) -> tuple[Optional[tuple[Any, Model]], float]:
    """Return the soft margin of a cost, and by how much its budget is above another; infinite where β is zero."""
    try:
        found = fitted(cost)
    except NoAnswer:
        return None, math.inf
    return found, float(found[1].budget) - budget


def _narrowed(exactly: Fit, budget: float, low: Fraction, high: Fraction) -> tuple[Any, Model]:
    """Return the soft margin with the budget asked for, between two costs that doubles hardly tell apart.

    By halving and false position in turn, between ends that are moved apart until they have the root between them.
    """
    ends = [math.inf, math.inf]
    for wide in WIDER:
        low, high = low / wide, high * wide
        ends = [_over(exactly, cost, budget)[1] for cost in (low, high)]
        if ends[0] > 0 >= ends[1]:
            break
    near = None
    for step in range(NARROWINGS if ends[0] > 0 >= ends[1] else 0):
        share = Fraction(1, 2)
        if step % 2 and math.isfinite(ends[0]):
            share = Fraction(round(SHARES * ends[0] / (ends[0] - ends[1])), SHARES)
        middle = low + (high - low) * (share if 0 < share < 1 else Fraction(1, 2))
        near, away = _over(exactly, middle, budget)
        if near is not None and abs(away) * DIGITS <= budget:
            return near
        low, high = (middle, high) if away > 0 else (low, middle)
        ends = [away, ends[1]] if away > 0 else [ends[0], away]
    got = "none" if near is None else near[1].budget
    raise NotConverged("actual distance", need=f"a cost whose budget is {budget}, to twelve digits", got=got)
