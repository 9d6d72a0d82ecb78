"""What doubles hold of a prediction: how far it moves where each coordinate of its point moves by a rounding.

    Σⱼ |f(x + u|xⱼ|eⱼ) − f(x)|        u half a unit in the last place

Far from the origin a point in doubles is another point, at which the right value is another one: a program that reads
doubles cannot know it better.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import methodcaller
from typing import Any, Callable

from refclass.errors import Refusal
from refclass.number.field import rational
from refclass.oracle.leaves import finite, leaves


def predictions(
    reference: Any,
    method: str,
    query: Sequence[Sequence[Any]],
    count: int,
    unit: Fraction,
    shifted: bool,
    voted: bool = False,
) -> Callable[[int], Fraction]:
    """Return a function of the number of a value: how far roundings of its point move it; 0 where none is exact.

    count      how many values are compared
    unit       the unit of roundoff of the answer
    shifted    whether several scores of a point are compared as differences to the first
    voted      whether they are votes and parts of less than one half: points at which the votes are others are left out

    Cost      p + 1 predictions of the reference for each point that is asked for
    """
    known: dict[int, list[Fraction]] = {}
    width = count // max(1, len(query))

    def moved(i: int) -> Fraction:
        row, place = divmod(i, max(1, width))
        if row not in known:
            known[row] = _moves(reference, method, list(query[row]), unit / 2, shifted, voted)
        return known[row][place] if len(known[row]) == width else Fraction(0)

    return moved


def _moves(
    reference: Any, method: str, point: list[Any], share: Fraction, shifted: bool, voted: bool
) -> list[Fraction]:
    """Return for each value at a point how far roundings move it; nothing where that is not known."""
    rows = around(reference, method, point, share)
    if not rows:
        return []
    if voted:
        rows = [row for row in rows if list(map(round, row)) == list(map(round, rows[0]))]
    if shifted and len(rows[0]) > 2:
        rows = [[v - row[0] for v in row[1:]] for row in rows]
    return [sum((abs(a - b) for a in column), Fraction(0)) for b, column in zip(rows[0], zip(*rows[1:]))]


def around(reference: Any, method: str, point: Sequence[Any], share: Fraction) -> list[list[Fraction]]:
    """Return the values at a point, and where each coordinate in turn is that share larger; none if not known."""
    if not all(map(finite, point)):
        return []
    exact = [rational(v) for v in point]
    points = [exact, *([*exact[:j], v + abs(v) * share, *exact[j + 1 :]] for j, v in enumerate(exact))]
    try:
        values, _ = reference.read(methodcaller(method, points))
    except (Refusal, AttributeError):
        return []
    if not all(map(finite, leaves(values))):
        return []
    return [[rational(v) for v in leaves([row])] for row in values]
