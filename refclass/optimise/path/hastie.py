"""The support vector path as Hastie, Rosset, Tibshirani and Zhu (2004) state it  [ESL-12.3.5-path] [ESL-12.3.5-sets].

Solves    minimise Σ [1 − yᵢf(xᵢ)]₊ + (λ/2) ‖f‖² for every λ > 0, f = (1/λ) (Σ αⱼyⱼK(·, xⱼ) + α₀)
Given     the Gram matrix K and labels ±1
Yields    the break points, λ falling

    Left = {i: yᵢf(xᵢ) < 1, αᵢ = 1}    Elbow = {i: yᵢf(xᵢ) = 1, 0 ≤ αᵢ ≤ 1}    Right = {i: yᵢf(xᵢ) > 1, αᵢ = 0}

While the sets stay, α and α₀ are linear in λ: αⱼ = αⱼˡ − (λˡ − λ) bⱼ for j in Elbow, α₀ = α₀ˡ − (λˡ − λ) b₀, where

    Σ_{j∈Elbow} bⱼ yₖyⱼKₖⱼ + yₖb₀ = 1  (k ∈ Elbow),        Σ_{j∈Elbow} yⱼbⱼ = 0

The next λ is the largest below λˡ at which a multiplier of Elbow reaches 0 or 1 (the point leaves to Right or Left), or
a point of Left or Right reaches yf = 1 (it joins Elbow). An empty Elbow leaves α as it is and α₀ free, until points of
both classes reach Elbow together. The path ends at λ = 0, or where Left is empty: there α falls in proportion to λ.

Where several events meet, or the equations are singular, the sets that follow do not follow from the events alone.
There the direction is that of least norm among those that keep every condition of optimality: `degenerate.least`. A
point with yf = 1 whose multiplier stays at 0 or 1 below λˡ counts as Right or Left: it leaves the elbow where the
direction changes, whether its margin then moves or not.

`solution` computes the same with updated factors, and in rounded numbers with corrections; this page is for fractions,
and for doubles that distinguish all events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.path import degenerate, path_state, residuals
from refclass.optimise.path.path_state import Problem, State
from refclass.optimise.path.residuals import ELBOW, LEFT, RIGHT, TIE_UNITS
from refclass.optimise.path.solution import Path
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic.problem import Problem as Programme


class Direction(NamedTuple):
    """bⱼ for every point, zero off the elbow, and b₀; None where the elbow is empty and α₀ is free."""

    b: Vector
    b0: Optional[Number]


@dataclass(frozen=True)
class Segment:
    """The solutions from λ = lam downwards, until the sets change.

    alpha, alpha0    the solution at lam
    sides            LEFT, ELBOW or RIGHT for every point, ELBOW being the elbow
    direction        b and b₀
    """

    problem: Problem
    lam: Number
    alpha: Vector
    alpha0: Number
    sides: tuple[int, ...]
    direction: Direction

    def at(self, lam: Number) -> tuple[Vector, Number]:
        """Return α and α₀ at a smaller λ; α₀ is the largest where it is free."""
        b, b0 = self.direction
        if b0 is None:
            return self.alpha, lam - self._facing()[0]
        return self.alpha - (self.lam - lam) * b, self.alpha0 - (self.lam - lam) * b0

    def place(self) -> dict[str, Any]:
        """Return where the segment begins, for a refusal."""
        return {"lam": self.lam, "alpha": self.alpha, "alpha0": self.alpha0}

    def next(self) -> tuple[Number, Collection[int]]:
        """Return λ of the next event and the points that it is about; none where the segment leads to λ = 0."""
        zero, y, (b, b0) = self.lam - self.lam, self.problem.y, self.direction
        values = _values(self.problem, self.alpha)
        if b0 is None:
            top, bottom = self._facing()
            return (top - bottom) / 2, [i for i, (v, t) in enumerate(zip(values, y)) if v == (top if t > 0 else bottom)]
        falls = {i: (a if v > 0 else a - 1) / v for i, (a, v) in enumerate(zip(self.alpha, b)) if v}
        for i, rate in enumerate(_rates(self.problem, self.direction)):
            if self.sides[i] * y[i] * rate > 0:  # Premise: side · y · residual ≥ 0, and it falls.
                falls[i] = (self.lam * y[i] - values[i] - self.alpha0) / rate
        fall = min(falls.values(), default=self.lam)
        if LEFT not in self.sides or fall >= self.lam:
            return zero, ()
        if not fall > 0:
            raise NotConverged("path", need="an event below the last one", got=fall, **self.place())
        tie = TIE_UNITS * roundoff(type(fall)) * self.lam
        return self.lam - fall, [i for i, v in falls.items() if v <= fall + tie]

    def _facing(self) -> tuple[Number, Number]:
        """Return the values of the points of Left, of either class, that reach the elbow first where it is empty."""
        values = zip(_values(self.problem, self.alpha), self.sides, self.problem.y)
        left = [(v, t) for v, s, t in values if s == LEFT]
        return max(v for v, t in left if t > 0), min(v for v, t in left if t < 0)


def solve(problem: Problem) -> Path:
    """Return the whole path.

    Exact     yes
    Cost      4n² multiplications a break point, and the equations of the points on the elbow
    Raises    NotConverged where rounded numbers do not decide which event comes next
    """
    first, *rest = segments(problem)
    lam, alpha, alpha0, b0 = first.lam, first.alpha, first.alpha0, first.direction.b0
    states = [
        State(problem, below.lam, below.alpha, below.alpha0, above.sides, below.sides)
        for above, below in zip([first, *rest], rest)
        if above.sides != below.sides
    ]
    head = b0 and (b0, alpha0 - b0 * lam)
    return Path(problem, tuple(states), alpha, head, _end([first, *rest][-1]), path_state.floor(problem))


def steps(problem: Problem) -> Iterator[State]:
    """Yield the break points, λ falling."""
    yield from solve(problem).states


def segments(problem: Problem) -> Iterator[Segment]:
    """Yield the segments from λ = ∞ to 0: events, next λ, sets."""
    segment = _initial(problem)
    while True:
        yield segment
        lam, points = segment.next()
        _verify(segment, lam if points and lam > path_state.floor(problem) else segment.lam / 2)
        if not points or not lam > path_state.floor(problem):
            return
        alpha, alpha0 = segment.at(lam)
        kind, b, sides = type(lam), segment.direction.b, segment.sides
        reached = {i: kind(0 if b[i] > 0 else 1) for i in points if sides[i] == ELBOW}
        alpha = Vector.of([reached.get(i, a) for i, a in enumerate(alpha)])
        on = [lam * t - v == alpha0 for t, v in zip(problem.y, _values(problem, alpha))]
        elbow = [i for i, s in enumerate(sides) if s == ELBOW or i in points or on[i]]
        direction, sides = _sets(problem, alpha, elbow, [i for i in elbow if i not in reached])
        if (lam, sides) == (segment.lam, segment.sides):
            raise NotConverged("path", need="an event below the last one", got="the same one again", lam=lam)
        segment = Segment(problem, lam, alpha, alpha0, sides, direction)


def _verify(segment: Segment, lam: Number) -> None:
    """Raises NotConverged where roundoff leaves a point on a wrong side at a λ of the segment."""
    problem, sides = segment.problem, segment.sides
    if roundoff(type(lam)) and LEFT in sides and lam > path_state.floor(problem):
        alpha, alpha0 = segment.at(lam)
        residual = [lam * t - v - alpha0 for t, v in zip(problem.y, _values(problem, alpha))]
        outside = max(abs(dot(alpha, problem.y)), *(max(a - 1, -a) for a in alpha))
        wrong = max(outside * max(map(abs, problem.K.diagonal())), residuals.violation(sides, problem.y, residual))
        if wrong > residuals.most(lam, alpha, problem.K.diagonal()):
            raise NotConverged("path", need="the next break point", got="roundoff", **segment.place())


def _initial(problem: Problem) -> Segment:
    """Return the segment from λ = ∞ on  [ERR-ESL-04].

    αᵢ = 1 for every point if the classes are of equal size; else for those of the smaller class, and in the other
    ‖Σ αᵢyᵢh(xᵢ)‖ is least.
    """
    y, one = problem.y, problem.y[0] / problem.y[0]
    zero, n, major = one - one, len(y), one if y.sum() > 0 else -one
    alpha = Vector.of([one] * n)
    if y.sum():
        Q = Matrix.of([Vector.of([v * s * t for v, t in zip(problem.K.row(i), y)]) for i, s in enumerate(y)])
        lower = tuple(zero if t == major else one for t in y)
        E, d = Matrix.of([y]), Vector.of([zero])
        alpha = active_set.solve(Programme(Q, zero * y, lower, (one,) * n, E, d), convex=True).x
    sides = tuple(ELBOW if 0 < a < 1 else LEFT if a else RIGHT for a in alpha)
    values = _values(problem, alpha)
    levels = [v for v, s in zip(values, sides) if s == ELBOW]
    if not levels:
        return Segment(problem, one, alpha, zero, sides, Direction(zero * y, None))
    lam = one + sum(abs(v - levels[0]) for v in values)  # above the first event
    return Segment(problem, lam, alpha, major * lam - levels[0], sides, Direction(zero * y, major))


def _sets(problem: Problem, alpha: Vector, touching: list[int], elbow: list[int]) -> tuple[Direction, tuple[int, ...]]:
    """Return the direction and the sets below a break point, given the points with yf = 1 and those that stay there."""
    found = _solved(problem, elbow)
    if found is None or not _holds(problem, alpha, touching, elbow, found):
        found = _least_norm(problem, alpha, touching)
        elbow = [i for i in touching if 0 < alpha[i] < 1 or found.b[i]]
        if not elbow:
            elbow, found = [], Direction(found.b, None)
    return found, tuple(ELBOW if i in elbow else LEFT if a else RIGHT for i, a in enumerate(alpha))


def _solved(problem: Problem, elbow: list[int]) -> Optional[Direction]:
    """Return b and b₀ from the m + 1 equations of the elbow  [ESL-12.3.5-path]; None where they are singular."""
    y = problem.y
    zero, one = y.kind(0), y.kind(1)
    rows = [[*(y[k] * y[j] * problem.K.row(k)[j] for j in elbow), y[k]] for k in elbow]
    try:
        factor = elimination.factor(Matrix([*rows, [*(y[j] for j in elbow), zero]]))
        *b, b0 = factor.solve(Vector([*[one] * len(elbow), zero]))
    except NoAnswer:
        return None
    return Direction(box.spread(y, elbow, b), b0)


def _holds(problem: Problem, alpha: Vector, touching: list[int], elbow: list[int], found: Direction) -> bool:
    """Return whether along this direction multipliers stay in [0, 1], and points that leave go to their side."""
    rates = _rates(problem, found)
    inward = all(found.b[i] > 0 if alpha[i] == 1 else found.b[i] < 0 for i in elbow if alpha[i] in (0, 1))
    side = {i: (1 if alpha[i] == 1 else -1) * problem.y[i] for i in touching if i not in elbow}
    return inward and all(v * rates[i] < 0 for i, v in side.items())


def _least_norm(problem: Problem, alpha: Vector, touching: list[int]) -> Direction:
    """Return the direction of least norm where points with α = 0 or 1 may only move inwards."""
    y = problem.y
    signs = [(1 if alpha[i] else -1) * int(y[i]) if alpha[i] in (0, 1) else 0 for i in touching]
    K = Matrix([[problem.K.row(i)[j] for j in touching] for i in touching])
    a, b0 = degenerate.least(K, y.pick(touching), y[0] - y[0], signs)
    return Direction(box.spread(y, touching, a.times(y.pick(touching))), b0)


def _values(problem: Problem, alpha: Vector) -> list[Number]:
    """Return λf(xᵢ) − α₀ = Σⱼ Kᵢⱼyⱼαⱼ for every point."""
    signed = alpha.times(problem.y)
    return [dot(problem.K.row(i), signed) for i in range(len(signed))]


def _rates(problem: Problem, direction: Direction) -> list[Number]:
    """Return by what each residual λyᵢ − λf(xᵢ) falls while λ falls by 1."""
    return [t - v - direction.b0 for t, v in zip(problem.y, _values(problem, direction.b))]


def _end(last: Segment) -> tuple[Vector, Number]:
    """Return α and α₀ at λ = 0."""
    zero = last.lam - last.lam
    if LEFT not in last.sides:
        return zero * last.alpha, zero
    return (last.alpha, zero) if last.direction.b0 is None else last.at(zero)
