"""Every solution of the soft-margin machine, from λ = ∞ to λ = 0  [ESL-12.33] [ESL-12.34] [ESL-12.3.5-path].

**Solves**  minimise Σ [1 − yᵢf(xᵢ)]₊ + (λ/2) ‖f‖² for every λ > 0, with f = (1/λ) (Σ αⱼyⱼK(·, xⱼ) + α₀)  [ESL-12.25]

**Given**   the Gram matrix K, or its rows when asked for, and labels ±1

**Yields**  a state for every λ at which a point joins or leaves the edge of the band, in falling order

The points are in three sets  [ESL-12.3.5-sets]: inside the band (left: yf < 1, α = 1), on its edge (yf = 1), beyond it
(right: yf > 1, α = 0). While the sets stay, α and α₀ are linear in λ. They are continuous; where no point is on the
edge, α stands still and α₀ is free within an interval, which closes at the next break point, where points of both
classes arrive together.

**Cost**    n m + m² multiplications a break point, for m points on the edge
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.near import roundoff
from refclass.optimise import start
from refclass.optimise.march import EDGE, LEFT, RIGHT, TIE, March

FLOOR = 256  # units of roundoff in sums of α K: a λ below that is zero
LAST = 2**20  # units of roundoff of one λ: if the next lies below that, the segment leads to zero

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


class Event(NamedTuple):
    """A point that joins the edge or leaves it: from_left, from_right, to_left or to_right."""

    kind: str
    row: int


@dataclass(frozen=True)
class State:
    """A break point of the path.

    lam       λ
    alpha     the multipliers, in [0, 1]
    alpha0    α₀ = λβ₀
    above     LEFT, EDGE or RIGHT for each point, for λ just above
    below     the same just below
    """

    problem: Problem
    lam: Number
    alpha: Vector
    alpha0: Number
    above: tuple[int, ...]
    below: tuple[int, ...]

    @property
    def x(self) -> Vector:
        """The multipliers."""
        return self.alpha

    @property
    def objective(self) -> Number:
        """Σ [1 − yᵢf(xᵢ)]₊ + (λ/2) ‖f‖² at this λ."""
        zero, y = self.lam - self.lam, self.problem.y
        signed = self.alpha.times(y)
        g = [dot(signed, self.problem.K.row(i)) for i in range(len(y))]
        slack = [max(1 - t * (v + self.alpha0) / self.lam, zero) for t, v in zip(y, g)]
        return sum(slack) + dot(signed, g) / self.lam / 2

    @property
    def events(self) -> tuple[Event, ...]:
        """The points that join or leave the edge here, in the order of their rows."""
        found = []
        for i, (was, now) in enumerate(zip(self.above, self.below)):
            if was != now and was != EDGE:
                found.append(Event("from_" + NAMES[was], i))
            if was != now and now != EDGE:
                found.append(Event("to_" + NAMES[now], i))
        return tuple(found)

    def margins(self) -> list[Number]:
        """Return yᵢ f(xᵢ) for every point."""
        signed = self.alpha.times(self.problem.y)
        rows = self.problem.K.row
        return [t * (dot(signed, rows(i)) + self.alpha0) / self.lam for i, t in enumerate(self.problem.y)]

    def check(self) -> None:
        """Assert that multipliers, margins and sets agree, that Σ αᵢyᵢ = 0, and that there is an event."""
        size = 1 + dot(self.alpha, tuple(map(abs, self.problem.K.diagonal()))) / self.lam
        unit = TIE * roundoff(type(self.lam)) * size
        assert self.events, "a break point has an event"
        assert abs(dot(self.alpha, self.problem.y)) <= unit, "Σ αᵢyᵢ = 0"
        for i, (a, m) in enumerate(zip(self.alpha, self.margins())):
            for side in (self.above[i], self.below[i]):
                if side == EDGE:
                    assert 0 <= a <= 1 and abs(m - 1) <= unit, f"point {i} is on the edge at margin {m}"
                else:
                    assert a == (1 if side == LEFT else 0), f"point {i} is off the edge with multiplier {a}"
                    assert side * (m - 1) <= unit, f"point {i} is on the wrong side at margin {m}"


@dataclass(frozen=True)
class Solution:
    """The machine of one λ.

    alpha       the multipliers in [0, 1]; those of cost C = 1/λ are αᵢ/λ
    alpha0      α₀ = λβ₀; the middle of its interval where it is not unique
    interval    the least and the largest α₀
    """

    lam: Number
    alpha: Vector
    alpha0: Number
    interval: tuple[Number, Number]


@dataclass(frozen=True)
class Path:
    """Every solution: the break points, and what lies above the first and below the last.

    states    the break points, λ falling; there may be none
    start     the multipliers above the first
    head      (slope, constant) of α₀ above the first; None where α₀ is free
    end       the multipliers and α₀ to which the segment below the last leads, at λ = 0
    """

    problem: Problem
    states: tuple[State, ...]
    start: Vector
    head: Optional[tuple[Number, Number]]
    end: tuple[Vector, Number]

    def at(self, lam: Number) -> Solution:
        """Return the solution at any λ > 0, linear between break points  [OPT-PATH.P1].

        Exact     yes
        Cost      n; where α₀ is not unique n multiplications for each point inside the band
        Raises    InvalidInput for λ ≤ 0
        """
        if not lam > 0:
            raise InvalidInput("path", need="λ > 0", got=lam)
        above = bisect_left([-s.lam for s in self.states], -lam)
        if above < len(self.states) and self.states[above].lam == lam:
            here = self.states[above]
            return Solution(lam, here.alpha, here.alpha0, (here.alpha0, here.alpha0))
        if above == 0:
            alpha, alpha0 = self.start, self.head[0] * lam + self.head[1] if self.head else lam - lam
        else:
            upper = self.states[above - 1]
            lower = self.states[above] if above < len(self.states) else None
            low = lower.lam if lower else lam - lam
            w = (lam - low) / (upper.lam - low)
            alpha_low, alpha0_low = (lower.alpha, lower.alpha0) if lower else self.end
            alpha = _between(w, upper.alpha, alpha_low)
            alpha0 = w * upper.alpha0 + (1 - w) * alpha0_low
        if any(0 < a < 1 for a in alpha):
            return Solution(lam, alpha, alpha0, (alpha0, alpha0))
        interval = self._interval(lam, alpha)
        return Solution(lam, alpha, (interval[0] + interval[1]) / 2, interval)

    def _interval(self, lam: Number, alpha: Vector) -> tuple[Number, Number]:
        """Return the least and the largest α₀ where every multiplier is 0 or 1."""
        y, rows = self.problem.y, self.problem.K.row
        signed = alpha.times(y)
        gaps = [lam * t - dot(signed, rows(i)) for i, t in enumerate(y)]
        sides = [t if a else -t for a, t in zip(alpha, y)]
        return max(v for v, s in zip(gaps, sides) if s < 0), min(v for v, s in zip(gaps, sides) if s > 0)


def _between(w: Number, upper: Vector, lower: Vector) -> Vector:
    # Premise: a multiplier that stands still must not move by roundoff.
    return Vector.of([u if u == v else w * u + (1 - w) * v for u, v in zip(upper, lower)])


def steps(problem: Problem) -> Iterator[State]:
    """Yield the break points, λ falling.

    Raises    NotConverged when roundoff hides the next one
    """
    return _Course(problem).go()


def solve(problem: Problem) -> Path:
    """Return the whole path."""
    course = _Course(problem)
    states = tuple(course.go())
    return Path(problem, states, course.start, course.head, course.end())


class _Course:
    """The march from the first break point to the last."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.y = problem, problem.y
        self.march = March(problem.K.row, self.y, self.y, self.y[0] - self.y[0])
        self.start = Vector.of(start.multipliers(problem.K.row, self.y))
        self.floor = FLOOR * self.march.eps * sum(self.start) * max(map(abs, problem.K.diagonal()))
        self.head, self.lam = self._first()

    def go(self) -> Iterator[State]:
        """Yield the break points."""
        march, idle = self.march, 0
        if self.lam is None:
            return
        above = tuple(march.side)
        march.near(self.lam + self.floor)
        while True:
            changed = march.junction(self.lam + self.floor)
            if changed:
                alpha, below = Vector.of(march.alpha), tuple(march.side)
                yield State(self.problem, self.lam, alpha, march.alpha0, above, below)
                above = below
            idle = 0 if changed else idle + 1
            fall = self._next()
            if fall is None:
                return
            if idle > len(self.y):
                raise NotConverged("path", need="the next break point", got="roundoff", lam=self.lam)
            self.lam = self.lam - fall

    def end(self) -> tuple[Vector, Number]:
        """Return the multipliers and α₀ to which the last segment leads, at λ = 0."""
        march, alpha = self.march, list(self.march.alpha if self.lam else self.start)
        if self.lam is None or not march.held:
            return Vector.of(alpha), march.zero
        if LEFT not in march.side:  # no slack is left: f is that of the hard margin, and α = λ times its multipliers
            return march.zero * Vector.of(alpha), march.zero
        for j, a in zip(march.held, march.slopes):
            alpha[j] = min(max(alpha[j] - self.lam * march.y[j] * a, march.zero), march.one)
        return Vector.of(alpha), march.alpha0 - self.lam * march.drift

    def _first(self) -> tuple[Optional[tuple[Number, Number]], Optional[Number]]:
        """Take the march to the first break point; return how α₀ behaves above it, and its λ, None if there is none.

        Above it α stands still. A point of the majority between its bounds stays on the edge, which fixes α₀; without
        one α₀ is free, as long as no positive point inside the band need be above a negative one.
        """
        y, alpha, march = self.y, self.start, self.march
        signed = alpha.times(y)
        g = [dot(signed, self.problem.K.row(i)) for i in range(len(y))]
        edge = [i for i, a in enumerate(alpha) if 0 < a < 1]
        head = None
        if edge:
            major = y[edge[0]]
            level = sum(g[i] for i in edge) / len(edge)
            lam = max(major * (level - v) for v, t in zip(g, y) if t != major) / 2
            alpha0, head = lam * major - level, (major, -level)
        else:
            top = max(v for v, a, t in zip(g, alpha, y) if a and t > 0)
            lam = (top - min(v for v, a, t in zip(g, alpha, y) if a and t < 0)) / 2
            alpha0 = lam - top
        march.begin(alpha, [march.zero] * len(y), lam, g, alpha0)
        for i in edge:
            march.residual[i] = march.zero
        return head, lam if lam > self.floor else None

    def _next(self) -> Optional[Number]:
        """Take the march to the next event; return how far λ falls to it, None if there is none above zero."""
        march, lam = self.march, self.lam
        if LEFT not in march.side:
            return None  # Proof: α and α₀ times λ′/λ satisfy every condition at any smaller λ′.
        if march.held:
            rates = march.rates()
            fall = march.room(rates)
        else:
            rates, fall = list(march.pace), march.close()
        if lam is None or fall is None or lam - fall <= self.floor + LAST * march.eps * lam:
            return None
        march.advance(fall, rates)
        if not march.held:
            march.near(march.level + self.floor)
        return fall
