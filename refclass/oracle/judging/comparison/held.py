"""What numbers hold of a prediction: how far it moves where each coordinate of its point moves by a rounding.

    Σⱼ |f(x + δⱼeⱼ) − f(x)|        δⱼ = u|xⱼ|, u half a unit in the last place, or x̃ⱼ − xⱼ, x̃ⱼ the number nearest to xⱼ

Far from the origin a point in doubles is another point, at which the right value is another one; and a coefficient that
a coordinate is multiplied with, or a mean that it is compared with, moves the value as much where it is rounded. A
function of distances to the rows has no such factor: a point that is read as it is has its own value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import methodcaller, mul
from typing import Any, Callable, Optional

from refclass.errors import Refusal
from refclass.number.decimals import decimal
from refclass.number.field import rational
from refclass.oracle.leaves import finite, leaves

DOUBLE = Fraction(1, 2**52)


def predictions(
    reference: Any,
    method: str,
    query: Sequence[Sequence[Any]],
    count: int,
    unit: Fraction,
    shifted: bool,
    voted: bool = False,
    rows: Optional[Sequence[Any]] = None,
) -> Callable[[int], Fraction]:
    """Return a function of the number of a value: how far rounding its point moves it; 0 where none is exact.

    count      how many values are compared
    unit       the unit of roundoff of the answer
    shifted    whether several scores of a point are compared as differences to the first
    voted      whether they are votes and parts of less than one half: points at which the votes are others are left out
    rows       of the sample, where values are functions of distances to them: points move by reading alone, and one
               that is a row stays where it was among them

    Cost      a prediction of the reference for each point that is asked for, and each coordinate that is rounded
    """
    known: dict[int, list[Fraction]] = {}
    width = count // max(1, len(query))

    def moved(i: int) -> Fraction:
        row, place = divmod(i, max(1, width))
        if row not in known:
            same = rows is not None and any(query[row] == x for x in rows)
            read = rows is not None
            known[row] = [] if same else _moves(reference, method, list(query[row]), unit, shifted, voted, read)
        return known[row][place] if len(known[row]) == width else Fraction(0)

    return moved


def _moves(
    reference: Any, method: str, point: list[Any], unit: Fraction, shifted: bool, voted: bool, read: bool
) -> list[Fraction]:
    """Return for each value at a point how far roundings move it; nothing where that is not known."""
    if not all(map(finite, point)):
        return []
    exact = [rational(v) for v in point]
    steps = [_read(v, unit) - v if read else abs(v) * unit / 2 for v in exact]
    rows = _values(reference, method, exact, steps) if any(steps) else []
    if not rows:
        return []
    if voted:
        rows = [row for row in rows if list(map(round, row)) == list(map(round, rows[0]))]
    posterior = method == "predict_proba" and not read
    lost = _of_coefficients(reference, exact, unit, rows[0]) if posterior else [Fraction(0)] * len(rows[0])
    if shifted and len(rows[0]) > 2:
        rows, lost = [[v - row[0] for v in row[1:]] for row in rows], lost[1:]
    return [
        own + sum((abs(a - b) for a in column), Fraction(0)) for own, b, column in zip(lost, rows[0], zip(*rows[1:]))
    ]


def _of_coefficients(
    reference: Any, exact: Sequence[Fraction], unit: Fraction, posterior: Sequence[Fraction]
) -> list[Fraction]:
    """Return how far rounding each coefficient of linear scores moves the posteriors of three or more classes.

    What the scores have in common is rounded with each: their differences move by more than where the point does.

        |δfₖ| ≤ u(Σⱼ|βₖⱼxⱼ| + |βₖ₀|)        |δpₖ| ≤ pₖ((1 − 2pₖ)|δfₖ| + Σₗ pₗ|δfₗ|), as ∂pₖ/∂fₗ = pₖ(1{k = l} − pₗ)
    """
    nothing = [Fraction(0)] * len(posterior)
    try:
        (rows, constants), _ = reference.read(lambda e: (e.coef_, e.intercept_))
        if len(posterior) < 3 or len(rows) != len(posterior) or any(len(row) != len(exact) for row in rows):
            return nothing
        terms = [[b, *map(mul, map(rational, row), exact)] for row, b in zip(rows, map(rational, constants))]
    except (Refusal, AttributeError, TypeError):
        return nothing
    moved = [unit / 2 * sum(map(abs, own), Fraction(0)) for own in terms]
    whole = sum(map(mul, posterior, moved), Fraction(0))
    return [p * ((1 - 2 * p) * own + whole) for p, own in zip(posterior, moved)]


def _read(value: Fraction, unit: Fraction) -> Fraction:
    """Return the nearest number of that unit of roundoff: a double, or a decimal; of no roundoff the number itself."""
    if not unit:
        return value
    if unit < DOUBLE:
        return rational(decimal(len(str(unit.denominator))).lift(value))
    try:
        return Fraction(value.numerator / value.denominator)  # a quotient of integers is rounded once
    except OverflowError:
        return value


def around(reference: Any, method: str, point: Sequence[Any], share: Fraction) -> list[list[Fraction]]:
    """Return the values at a point, and where each coordinate in turn is that share larger; none if not known."""
    if not all(map(finite, point)):
        return []
    exact = [rational(v) for v in point]
    return _values(reference, method, exact, [abs(v) * share for v in exact])


def _values(reference: Any, method: str, exact: list[Fraction], steps: Sequence[Fraction]) -> list[list[Fraction]]:
    """Return the values at a point, and where each coordinate in turn makes its step, if any; none if not known."""
    moved = [[*exact[:j], v + step, *exact[j + 1 :]] for j, (v, step) in enumerate(zip(exact, steps)) if step]
    try:
        values, _ = reference.read(methodcaller(method, [exact, *moved]))
    except (Refusal, AttributeError):
        return []
    if not all(map(finite, leaves(values))):
        return []
    return [[rational(v) for v in leaves([row])] for row in values]
