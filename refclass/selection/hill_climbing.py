"""Hill climbing on a grid of parameters  [KIM-3.5-hill].

Solves    maximise value(p₁, …, p_k) over a grid, up to a place with no higher neighbour
Given     a place of the grid
Yields    the places it comes through, each higher than the one before

A neighbour is one step away along one axis. The highest neighbour is taken; of equal ones the first, lower places
before higher ones, along the axes in turn  [GAP-1].

Where the value is the training accuracy of a machine, high places are machines of large γ (small width) and large cost,
which learn every point by heart: no estimate of how well they will do  [ERR-KIM-26].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Callable, Optional

from refclass.errors import InvalidInput
from refclass.number.field import Number

Place = tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """A function on a grid.

    value    what is to be made large, of one number from each axis
    axes     the numbers of each axis, in order
    """

    value: Callable[..., Number]
    axes: tuple[Sequence[Number], ...]

    def at(self, place: Place) -> tuple[Number, ...]:
        """Return the parameters at a place, which holds one position for each axis."""
        return tuple(axis[i] for axis, i in zip(self.axes, place))

    def neighbours(self, place: Place) -> list[Place]:
        """Return the places one step away along one axis."""
        return [
            (*place[:k], i + step, *place[k + 1 :])
            for k, (i, axis) in enumerate(zip(place, self.axes))
            for step in (-1, 1)
            if 0 <= i + step < len(axis)
        ]


@dataclass(frozen=True)
class State:
    """Where the iteration stands: its place, the value there, and the value before, None at the start."""

    place: Place
    value: Number
    previous: Optional[Number]

    def check(self) -> None:
        """Assert that the last move was accepted for a higher value."""
        assert self.previous is None or self.value > self.previous


def steps(problem: Problem, start: Place) -> Iterator[State]:
    """Yield the states of the iteration, its start first.

    Cost      one value for each place looked at; none is computed twice
    Raises    InvalidInput for a start outside the grid
    """
    inside = len(start) == len(problem.axes) and all(0 <= i < len(axis) for i, axis in zip(start, problem.axes))
    if not inside:
        raise InvalidInput("hill", need="a place of the grid, a position on each axis", got=start)
    seen: dict[Place, Number] = {}

    def height(place: Place) -> Number:
        if place not in seen:
            seen[place] = problem.value(*problem.at(place))
        return seen[place]

    state: Optional[State] = State(tuple(start), height(tuple(start)), None)
    while state is not None:
        yield state
        best = max(problem.neighbours(state.place), key=height, default=state.place)
        state = State(best, height(best), state.value) if height(best) > state.value else None


def solve(problem: Problem, start: Place) -> State:
    """Return the last state: a place of the grid with no higher neighbour.

    Example
        >>> solve(Problem(lambda x, y: -((x - 2) ** 2) - y * y, (range(5), range(-2, 3))), (0, 0)).place
        (2, 2)
    """
    *_, last = steps(problem, start)
    return last


def certify(problem: Problem, state: State) -> bool:
    """Return whether a state has its place's true value, and no neighbour's is higher."""
    own = problem.value(*problem.at(state.place))
    around = [problem.value(*problem.at(place)) for place in problem.neighbours(state.place)]
    return bool(own == state.value and max(around, default=own) <= own)
