"""The maximum of a penalised likelihood by continuation in the penalty (Allgower and Georg 1990, chapter 2).

Where classes are separated the maximum is finite for the penalty alone: margins grow like log 1/λ, and a Newton step
adds about one to them. From a large penalty on log λ falls by twice as much every time; where the maximum for the next
penalty lies is foretold along the line through the last two, on which it lies up to the logarithm of log 1/λ. Some 40
Newton steps lead to λ = 10⁻³⁰⁰, half of them in fewer decimals; without continuation there would be 700.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Optional

from refclass.discriminants.logistic.ascent import Ascent, Problem, State, constants_alone, stacked
from refclass.errors import NoAnswer
from refclass.linear.vector import Vector, dot
from refclass.number.decimals import decimal
from refclass.number.field import Number
from refclass.optimise.smooth import newton

FIRST = 3  # by how much log λ falls first
RATIO = 2  # of how far log λ has fallen, from one penalty to the next
DIGITS = 60  # beside those by which a penalty on the way has fallen


def steps(asked: Problem, *, digits: int, max_steps: int = 200) -> Iterator[State]:
    """Yield the states of Newton's method for falling penalties, the last ones for the penalty that is asked for.

    Given     a penalty > 0, decimals that hold it beside one, and how many digits of the scores are asked for
    """
    F, sample = asked.F, asked.sample
    top = max(dot(sample.weights, [v * v for v in column]) for column in asked.columns)
    span = max(F.kind(0), F.log(top / asked.penalty))
    x = here = stacked(constants_alone(asked))
    fallen, before, count = F.kind(0), None, 0
    while True:
        last = fallen >= span
        now_asked = asked if last else _over(asked, top * F.exp(-fallen), DIGITS + int(fallen))
        ascent = Ascent(now_asked)
        for now in _ascended(ascent, [x, here], max_steps):
            yield ascent.at(now.x)
            count += 1
            # Method: near enough is a step that moves no score by one; at the end, one that the next step squares.
            if count > max_steps or _moved(now_asked, now.direction) * (10 ** (digits // 2 + 2) if last else 1) < 1:
                break
        if last or count > max_steps:
            if last and now.decrement:
                yield ascent.at(now.x + now.direction)
            return
        ahead, here = min(span, max(RATIO * fallen, fallen + FIRST)), Vector.of(map(F.lift, now.x))
        x, before, fallen = _foretold(here, fallen, before, ahead), (here, fallen), ahead


def _ascended(ascent: Ascent, starts: Sequence[Vector], max_steps: int) -> Iterator[newton.State]:
    """Yield the states of Newton's method from the first of some points from which it can go on."""
    F = ascent.asked.F
    for k, x in enumerate(starts):
        try:
            yield from newton.steps(F, ascent.optimise(), Vector.of(map(F.lift, x)), max_steps=max_steps)
            return
        except NoAnswer:  # Premise: a point that was foretold may lie where no share of a step lets the value fall.
            if k + 1 == len(starts):
                raise


def _over(asked: Problem, penalty: Number, digits: int) -> Problem:
    """Return the problem with another penalty, in decimals of at most so many digits."""
    D = decimal(min(digits, getattr(asked.F.kind, "precision", digits)))
    columns = tuple([tuple(map(D.lift, column)) for column in asked.columns])
    weights, centre = (Vector.of(map(D.lift, v)) for v in (asked.sample.weights, asked.centre))
    return Problem(D, replace(asked.sample, weights=weights), columns, centre, D.lift(penalty), asked.first)


def _foretold(x: Vector, at: Number, before: Optional[tuple[Vector, Number]], ahead: Number) -> Vector:
    """Return the point at a place ahead on the line through two points."""
    if before is None:
        return x
    other, place = before
    found: Vector = x + (ahead - at) / (at - place) * (x - other)
    return found


def _moved(asked: Problem, step: Vector) -> Number:
    """Return the largest change of a score by a step."""
    q = len(asked.columns)
    return max(abs(dot(step[k : k + q], x)) for x in asked.rows for k in range(0, len(step), q))
