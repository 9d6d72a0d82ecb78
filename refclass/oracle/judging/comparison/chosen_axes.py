"""Rules that look at the first L of several axes where eigenvalues L and L + 1 are equal: one choice of many.

The plane of the axes is what is right: axes that are reported are all right axes, turned within it. What else is
reported has to follow from the axes that are reported beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import attrgetter
from typing import Any, Optional

from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import rational
from refclass.oracle import alignment
from refclass.oracle.leaves import finite, leaves

FREE = "equal eigenvalues: which of the axes the rule looks at is open, and no right ones are reported"
DECIDED = ("coef", "intercept")  # attributes of the rule
CHOOSING = ("lda", "fisher", "fda", "pda", "scoring")  # methods that look at the first n_components axes


def whole(reference: Any) -> Any:
    """Return the reference with all its axes."""
    return replace(reference, make=lambda name: reference.over(name).whole(), _made={})


def cut(problem: Any, blocks: Sequence[list[int]]) -> list[int]:
    """Return the block of axes of equal eigenvalues of which the rule looks at some; none: an empty list.

    blocks    all axes, in groups of equal eigenvalues
    """
    count = problem.parameters["n_components"]
    return next((block for block in blocks if count in block and count - 1 in block), [])


def rotation(known: Any, fitted: Mapping[str, Any], block: Sequence[int]) -> Optional[Matrix]:
    """Return how the axes that are reported are made of the right ones: one r × L matrix; None where they do not say.

    known    the reference with all r axes
    fitted   what is reported of the axes: those before the block are the right ones, those of it turned
    """
    for name, value in fitted.items():
        by_row = name in alignment.ROWS
        (right, _) = known.read(attrgetter(name + "_"))
        got, want = (alignment.axes(v, by_row) for v in (value, right))
        if got is None or want is None or len(got[0]) != len(want[0]) or not block[0] < len(got) <= len(want):
            continue
        if not all(map(finite, leaves(got))):
            continue
        own = Matrix.of([Vector.of(map(rational, want[i])) for i in block])
        inner = Matrix.of([Vector.of([dot(a, b) for b in own]) for a in own])
        mine = [Vector.of(map(rational, got[i])) for i in block if i < len(got)]
        try:
            turned = [fraction_free.solve(inner, own @ axis) for axis in mine]
        except NoAnswer:  # Premise: constants alone do not say which axes they belong to
            continue
        columns = [Vector.unit(len(want), i, Fraction) for i in range(len(got))]
        for axis, part in zip(block, turned):
            columns[axis] = Vector.of([part[block.index(i)] if i in block else Fraction(0) for i in range(len(want))])
        return Matrix.of(columns).T
    return None


def along(reference: Any, Q: Matrix) -> Any:
    """Return the reference with axes that are all right ones times Q."""

    def make(name: str) -> Any:
        known = reference.over(name)
        lift = known.field().lift if hasattr(known, "field") else rational
        return known.along(Matrix.of([Vector.of(map(lift, row)) for row in Q]))

    return replace(reference, make=make, _made={})
