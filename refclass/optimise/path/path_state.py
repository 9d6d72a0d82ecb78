"""The state of a path at one λ: its sets, its multipliers, and what is checked of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from operator import ne
from typing import Any, NamedTuple

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.limits import ROUNDOFF_UNITS
from refclass.optimise.path.residuals import ELBOW, LEFT, RIGHT, TIE_UNITS

NAMES = {LEFT: "left", RIGHT: "right"}


@dataclass(frozen=True)
class Problem:
    """The machines of all λ for one set of points.

    K    n × n Gram matrix of a positive semidefinite kernel: anything with row(i), diagonal() and len()
    y    n labels, 1 or −1, both there

    Raises    InvalidInput when lengths differ, a label is not ±1 or a class is empty
    """

    K: Any
    y: Vector

    def __post_init__(self) -> None:
        if len(self.K) != len(self.y):
            raise InvalidInput("path", need=f"{len(self.K)} labels, one for each row of K", got=len(self.y))
        if set(self.y) != {1, -1}:
            raise InvalidInput("path", need="labels 1 and −1, both", got=sorted(set(self.y)))


def floor(problem: Problem) -> Number:
    """Return the least λ that roundoff lets through: zero in exact arithmetic."""
    return ROUNDOFF_UNITS * roundoff(type(problem.y[0])) * sum(map(abs, problem.K.diagonal()))


class Event(NamedTuple):
    """A point that joins the elbow or leaves it: from_left, from_right, to_left or to_right."""

    kind: str
    row: int


@dataclass(frozen=True)
class State:
    """A break point of the path.

    lam       λ
    alpha     the multipliers, in [0, 1]
    alpha0    α₀ = λβ₀
    above     LEFT, ELBOW or RIGHT for each point, for λ just above
    below     the same just below
    """

    problem: Problem
    lam: Number
    alpha: Vector
    alpha0: Number
    above: tuple[int, ...]
    below: tuple[int, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """The points that join or leave the elbow here, in the order of their rows."""
        found: list[Event] = []
        for i in compress(range(len(self.above)), map(ne, self.above, self.below)):
            sides = (("from_", self.above[i]), ("to_", self.below[i]))
            found += [Event(verb + NAMES[side], i) for verb, side in sides if side != ELBOW]
        return tuple(found)

    def margins(self) -> list[Number]:
        """Return yᵢ f(xᵢ) for every point."""
        signed = self.alpha.times(self.problem.y)
        values = [dot(signed, self.problem.K.row(i)) + self.alpha0 for i in range(len(signed))]
        return [t * v / self.lam for t, v in zip(self.problem.y, values)]

    def check(self) -> None:
        """Assert that multipliers, margins and sets agree, that Σ αᵢyᵢ = 0, and that there is an event."""
        size = 1 + dot(self.alpha, tuple(map(abs, self.problem.K.diagonal()))) / self.lam
        unit = TIE_UNITS * roundoff(type(self.lam)) * size
        assert self.events, "a break point has an event"
        assert abs(dot(self.alpha, self.problem.y)) <= unit, "Σ αᵢyᵢ = 0"
        for i, (a, m) in enumerate(zip(self.alpha, self.margins())):
            for side in (self.above[i], self.below[i]):
                if side == ELBOW:
                    assert 0 <= a <= 1 and abs(m - 1) <= unit, f"point {i} is at the elbow at margin {m}"
                else:
                    assert a == (1 if side == LEFT else 0), f"point {i} is off the elbow with multiplier {a}"
                    assert side * (m - 1) <= unit, f"point {i} is on the wrong side at margin {m}"
