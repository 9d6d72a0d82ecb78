"""A path without its Gram matrix: the numbers of its break points, from which a stored path is set up again."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.margins.svm.path import numbers
from refclass.margins.svm.path.model import Model, Rounding
from refclass.number.field import Number
from refclass.number.rational import RATIONAL
from refclass.optimise.path.path_state import State
from refclass.optimise.path.solution import Path


@dataclass(frozen=True)
class Record:
    """What a path holds beside the Gram matrix, which follows from the points.

    y           the labels, in the arithmetic of the answers
    lambdas     the break points, falling
    alphas      the multipliers there, alpha0 the α₀ = λβ₀ there
    above       the sides of the points just above each break point, below those just below
    start, head, end, least    as in `Path`
    decimal     whether the path is in decimals, or in fractions, and its answers are rounded
    moved       whether inner products are taken about a point among the data
    roundings   as in `Model`

    Raises      InvalidInput when lengths differ
    """

    y: Vector
    lambdas: tuple[Number, ...]
    alphas: tuple[Vector, ...]
    alpha0: tuple[Number, ...]
    above: tuple[tuple[int, ...], ...]
    below: tuple[tuple[int, ...], ...]
    start: Vector
    head: Optional[tuple[Number, Number]]
    end: tuple[Vector, Number]
    least: Number
    decimal: bool
    moved: bool
    roundings: Optional[tuple[Optional[Rounding], ...]] = None

    def __post_init__(self) -> None:
        columns = (self.lambdas, self.alphas, self.alpha0, self.above, self.below)
        if len(set(map(len, columns))) != 1:
            raise InvalidInput("path", need="as many of each at the break points", got=list(map(len, columns)))
        n = len(self.y)
        if any(len(v) != n for v in (self.start, self.end[0], *self.alphas, *self.above, *self.below)):
            raise InvalidInput("path", need=f"{n} multipliers and sides, one for each label", got="others")


def record(model: Model) -> Record:
    """Return the record of a path."""
    found = model.path
    states = found.states
    return Record(
        y=model.y,
        lambdas=tuple([s.lam for s in states]),
        alphas=tuple([s.alpha for s in states]),
        alpha0=tuple([s.alpha0 for s in states]),
        above=tuple([s.above for s in states]),
        below=tuple([s.below for s in states]),
        start=found.start,
        head=found.head,
        end=found.end,
        least=found.least,
        decimal=found.problem.y.kind is not model.y.kind,
        moved=model.moved is not None,
        roundings=model.roundings,
    )


def model(reported: Record, K: Any, held: Any) -> Model:
    """Return the path of a record; K and held as for `fit.fit`.

    Cost      n(n+1)/2 values of the kernel, or none where the path is in decimals
    """
    problem, moved = numbers.problem(K, reported.y, held, decimals=reported.decimal, about=reported.moved)
    if type(reported.least) is Fraction is not reported.y.kind:
        problem = numbers.lifted_problem(held, reported.y, RATIONAL)
    columns = (reported.lambdas, reported.alphas, reported.alpha0, reported.above, reported.below)
    states = tuple([State(problem, *row) for row in zip(*columns)])
    path = Path(problem, states, reported.start, reported.head, reported.end, reported.least)
    return Model(K, reported.y, path, held, moved, roundings=reported.roundings)
