"""k-means by Lloyd's iteration (Lloyd 1982): points in groups, each around its mean.

Solves    minimise Σᵢ wᵢ ‖xᵢ − c_g(i)‖² over R centres c and the groups g
Given     points, weights, and R centres to start from
Yields    states of falling sum of squares; the last is a fixed point, seldom the least of all

    each point to the nearest centre, the first of several; each centre to the mean of its points

A centre without points moves to the point that is furthest from its own. It takes finitely many steps: the sum of
squares falls, and there are finitely many groupings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number

CHANCES = 1 << 53  # as many points on the unit interval does a seed choose from


@dataclass(frozen=True)
class Problem:
    """Points with weights ≥ 0, X being n × p."""

    X: Matrix
    weights: Vector


@dataclass(frozen=True)
class State:
    """An iterate.

    step        the number of steps
    x           the centres, R × p
    groups      for each point the number of its centre
    value       Σᵢ wᵢ ‖xᵢ − c_g(i)‖²
    previous    the value before the step, None at the start
    """

    problem: Problem
    step: int
    x: Matrix
    groups: tuple[int, ...]
    value: Number
    previous: Number

    @property
    def objective(self) -> Number:
        """The sum of squares."""
        return self.value

    def check(self) -> None:
        """Assert that every point is with its nearest centre, and that the sum of squares has not risen."""
        for x, g in zip(self.problem.X, self.groups):
            squares = [_square(x, c) for c in self.x]
            assert squares[g] == min(squares) and g == squares.index(min(squares))
        assert self.previous is None or self.value <= self.previous


def steps(problem: Problem, centres: Matrix) -> Iterator[State]:
    """Yield the states of the iteration from the centres.

    Exact     yes
    Cost      n((R + 1)p + 2) multiplications and R·p divisions for each step
    """
    previous, step = None, 0
    while True:
        pairs = [_nearest(x, centres) for x in problem.X]
        groups = tuple(g for g, _ in pairs)
        value = sum((w * d for w, (_, d) in zip(problem.weights, pairs)), problem.X.kind(0))
        yield State(problem, step, centres, groups, value, previous)
        # Premise: rounded sums of squares may stop falling before the groups repeat; then they end the iteration.
        if previous is not None and not value < previous:
            return
        moved = _moved(problem, centres, groups, [w * d for w, (_, d) in zip(problem.weights, pairs)])
        if moved == centres:
            return
        centres, previous, step = moved, value, step + 1


def _nearest(x: Vector, centres: Matrix) -> tuple[int, Number]:
    squares = [_square(x, c) for c in centres]
    least = min(squares)
    return squares.index(least), least


def _square(x: Vector, c: Vector) -> Number:
    d = x - c
    return dot(d, d)


def _moved(problem: Problem, centres: Matrix, groups: Sequence[int], missed: Sequence[Number]) -> Matrix:
    rows, left = [], list(missed)
    for r in range(len(centres)):
        members = [i for i, g in enumerate(groups) if g == r]
        mass = sum((problem.weights[i] for i in members), problem.X.kind(0))
        if mass > 0:
            pulled = sum((problem.weights[i] * problem.X[i] for i in members[1:]), _weighted(problem, members[0]))
            rows.append(pulled / mass)
        else:
            furthest = left.index(max(left))
            left[furthest] = -problem.X.kind(1)
            rows.append(problem.X[furthest])
    return Matrix.of(rows)


def _weighted(problem: Problem, i: int) -> Vector:
    x: Vector = problem.weights[i] * problem.X[i]
    return x


def solve(problem: Problem, centres: Matrix) -> State:
    """Return the last state of the iteration.

    Exact     yes

    Example
        >>> points = Matrix([[0.0], [1.0], [8.0], [10.0]])
        >>> solve(Problem(points, Vector([1.0] * 4)), Matrix([[0.0], [1.0]])).x
        Matrix([0.5], [9.0])
    """
    return list(steps(problem, centres))[-1]


def seeds(problem: Problem, count: int, rng: Random) -> Matrix:
    """Return centres to start from: points, the first by chance, each next one with the chance of its wᵢ d².

    d is the distance to the nearest centre chosen before.

    Exact     yes: the same points for the same seed, in every arithmetic, but for roundoff of the d²
    Raises    InvalidInput unless there are as many distinct points of positive weight
    """
    chosen: list[Vector] = []
    chances = list(problem.weights)
    for _ in range(count):
        total = sum(chances, problem.X.kind(0))
        if not total > 0:
            need = f"{count} distinct points, one for each subclass"
            raise InvalidInput("kmeans", need=need, got=len(chosen))
        mark, running, place = rng.randrange(CHANCES) * total, total - total, 0
        for i, chance in enumerate(chances):
            running = running + chance
            if chance > 0:
                place = i
                if running * CHANCES > mark:
                    break
        chosen.append(problem.X[place])
        squares = [_nearest(x, Matrix.of(chosen))[1] for x in problem.X]
        chances = [w * d for w, d in zip(problem.weights, squares)]
    return Matrix.of(chosen)
