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
    reference: Any, method: str, query: Sequence[Sequence[Any]], width: int, unit: Fraction
) -> Callable[[int], Fraction]:
    """Return a function of the number of a value: how far roundings of its point move it; 0 where none is exact.

    width    how many values a point has
    unit     the unit of roundoff of the answer

    Cost      p + 1 predictions of the reference for each point that is asked for
    """
    known: dict[int, list[Fraction]] = {}

    def moved(i: int) -> Fraction:
        row, place = divmod(i, width)
        if row not in known:
            known[row] = _moves(reference, method, list(query[row]), width, unit / 2)
        return known[row][place]

    return moved


def _moves(reference: Any, method: str, point: list[Any], width: int, share: Fraction) -> list[Fraction]:
    """Return for each value at a point how far roundings move it."""
    none = [Fraction(0)] * width
    if not all(map(finite, point)):
        return none
    exact = [rational(v) for v in point]
    points = [exact, *([*exact[:j], v + abs(v) * share, *exact[j + 1 :]] for j, v in enumerate(exact))]
    try:
        values, _ = reference.read(methodcaller(method, points))
    except (Refusal, AttributeError):
        return none
    rows = [[rational(v) for v in leaves([row])] if all(map(finite, leaves([row]))) else none for row in values]
    return [sum((abs(a - b) for a in column), Fraction(0)) for b, column in zip(rows[0], zip(*rows[1:]))]
