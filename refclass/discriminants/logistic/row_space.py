"""Penalised logistic regression with as many columns as rows, or more, in coordinates of the rows' own space.

What a coefficient vector has orthogonal to the centred rows changes no score and costs a penalty: the maximum has none
of it (Hastie and Tibshirani, 2004, Efficient quadratic regularization for expression arrays). In r < n orthonormal
directions the likelihood and the penalty are the same functions, and where a penalty is small beside the columns the
information is no longer singular but for the penalty.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Optional

from refclass.discriminants.logistic.ascent import Problem, State, Thetas, state
from refclass.linear.factorisations import low_rank
from refclass.linear.vector import Vector
from refclass.number.field import Number


class Turned(NamedTuple):
    """A problem whose columns are coordinates, what it was, and the directions, one for each column but the first."""

    problem: Problem
    given: Problem
    axes: list[list[Number]]

    def back(self, at: State) -> State:
        """Return the state at the same parameters, for the columns as given."""
        thetas: Thetas = []
        for theta in at.thetas:
            beta = [sum([c * q for c, q in zip(theta[1:], own)], self.given.F.kind(0)) for own in zip(*self.axes)]
            thetas.append(Vector.of([theta[0], *beta]))
        return state(self.given, thetas)


def turned(asked: Problem) -> Optional[Turned]:
    """Return the problem in coordinates of the row space; None where columns are fewer than rows, or do not vary."""
    ones, *deviations = asked.columns
    if len(deviations) < asked.sample.n:
        return None
    columns, axes = low_rank.along_axes(list(zip(*deviations)), asked.F)
    if not columns:
        return None
    return Turned(replace(asked, columns=(ones, *map(tuple, columns))), asked, axes)
