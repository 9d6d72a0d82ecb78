"""Slack in actual distance: the soft margin whose overlap, measured along the unit normal, is a budget  [ESL-12.5].

    maximise M   subject to   yᵢ(xᵢᵀu + u₀) ≥ M − ξᵢ,   ξᵢ ≥ 0,   ‖u‖ = 1,   Σ ξᵢ ≤ B

The problem is not convex, but each soft margin is its optimum for one B, which falls as C grows  [RC-31].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from refclass.errors import NoAnswer
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number

WIDE = 40  # powers of two on either side of the inverse square of the points' extent, between which C is sought
RANGE = 1000  # powers of two that doubles hold
STEPS = 100  # halvings of the interval of log C


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
        """Σ ξᵢ."""
        return Vector.of(list(self.slack)).sum()


def of_soft_margin(F: Field, beta: Sequence[Number], beta0: Number, margins: Sequence[Number]) -> Model:
    """Return what a soft margin is with its overlap measured in distance; margins are yᵢ(xᵢᵀβ + β₀)  [RC-31].

    Raises    NoAnswer where β is zero; NotExact where ‖β‖ is not rational, in exact arithmetic
    """
    normal = Vector.of(list(beta))
    largest = normal.largest()
    if not largest:
        raise NoAnswer("actual distance", need="a soft margin with a normal", got="none: β is zero")
    scaled = normal / largest  # Method: so that no square leaves the range of doubles.
    norm = largest * F.sqrt(scaled @ scaled)
    slack = tuple([max(0 * m, 1 - m) / norm for m in margins])
    return Model(tuple([v / norm for v in beta]), beta0 / norm, 1 / norm, slack)


def search(fitted: Callable[[float], tuple[Any, Model]], budget: float, extent: float) -> tuple[Any, Model]:
    """Return the soft margin, as `fitted` returns it for a cost, with the budget asked for, by bisection in log C.

    extent    how far the points reach

    Raises    NoAnswer where no cost has so small a budget: below, the problem is not convex
    """
    unit = -2 * math.log2(extent)
    a, b = max(unit - WIDE, float(-RANGE)), min(unit + WIDE, float(RANGE))
    found = fitted(2**b)
    if found[1].budget > budget:
        raise NoAnswer(
            "actual distance",
            need="a budget that some soft margin has; below, the problem is not convex",
            got=budget,
            least=found[1].budget,
        )
    for _ in range(STEPS):
        middle = (a + b) / 2
        found = fitted(2**middle)
        away = float(found[1].budget) - budget
        if abs(away) * 10**12 <= budget or middle in (a, b):
            break
        a, b = (middle, b) if away > 0 else (a, middle)
    return found
