"""Whether the events of a path are those of the break points that are reported with them  [ESL-12.3.5-sets].

The events say on which side each point is between two break points, and there the multipliers are linear: α = 1 at both
of them on the left, 0 on the right; on the elbow α moves, or is between 0 and 1, or else yf = 1. Below the last break
point the sides are compared with the machine of a smaller λ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput, NotConverged, quoted
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.optimise.path.path_state import State
from refclass.optimise.path.residuals import ELBOW, LEFT, RIGHT

KINDS = {f"{verb}_{name}": (verb, side) for verb in ("from", "to") for name, side in (("left", LEFT), ("right", RIGHT))}
WORDS: dict[Optional[int], str] = {LEFT: "left", ELBOW: "elbow", RIGHT: "right"}
BOUNDS = {LEFT: Fraction(1), RIGHT: Fraction(0)}
NEARER = 12  # halvings of the way to the last break point, to three digits
DIGITS = 300  # that are told apart where all are asked for
DOUBTFUL = "several multipliers are optimal below the last break point: other last events are right, too"

End = tuple[Fraction, Sequence[Fraction]]  # λ and α of a break point
Margins = Callable[[Fraction], Sequence[Fraction]]
Events = list[list[tuple[str, int]]]
Multipliers = Sequence[Fraction]


def read(fitted: Mapping[str, Any], n: int) -> Events:
    """Return the events of as many break points as there are, of n rows.  Raises InvalidInput for another form."""
    given, count = fitted["events"], len(fitted["lambdas"])
    if not isinstance(given, list) or len(given) != count or not all(isinstance(v, list) for v in given):
        raise InvalidInput("verify", need=f"a list of events for each of {count} break points", got=quoted(given))
    return [[_event(e, n) for e in at] for at in given]


def _event(given: object, n: int) -> tuple[str, int]:
    """Return one event; its row may be text, as the numbers of exact answers are."""
    kind, row = given if isinstance(given, (list, tuple)) and len(given) == 2 else (None, None)
    if isinstance(row, str) and row.isdecimal() and len(row) <= len(str(n)):
        row = int(row)
    if kind not in KINDS or type(row) is not int or not 0 <= row < n:
        need = f"events [kind, row], kind one of {', '.join(KINDS)}, row from 0 to {n - 1}"
        raise InvalidInput("verify", need=need, got=quoted(given))
    return str(kind), row


def dissent(right: Any, fitted: Mapping[str, Any], asked: float) -> tuple[str, str]:
    """Return in words what contradicts the break points that are reported, and why the last events are not judged.

    right    the path found anew: an estimator in fractions, or in decimals

    Either is empty where there is nothing to say.
    """
    near = Fraction(1, 10 ** int(min(asked, DIGITS)))
    alphas = [list(map(rational, alpha)) for alpha in fitted["alphas"]]
    lams, events = list(map(rational, fitted["lambdas"])), read(fitted, len(right._given))
    if not lams:
        return "", ""
    margins = cache(lambda lam: _machine(right, lam)[1])
    sides = [_above(a, m, near) for a, m in zip(alphas[0], margins(2 * lams[0]))]
    for k, here in enumerate(events):
        words = _taken(sides, here, alphas[k], near)
        if not words and k + 1 < len(lams):
            ends = [(lams[k], alphas[k]), (lams[k + 1], alphas[k + 1])]
            words = _segment(sides, ends, margins, near)
        if words:
            return f"events[{k}]: {words}", ""
    words, left = _below(right, lams[-1], sides, near)
    return (f"events[{len(lams) - 1}]: {words}" if words else ""), left


def _bound(a: Fraction, near: Fraction) -> Optional[int]:
    """Return the side whose multiplier this is; ELBOW if it is between its bounds."""
    return next((side for side, v in BOUNDS.items() if abs(a - v) <= near), ELBOW)


def _above(a: Fraction, margin: Fraction, near: Fraction) -> Optional[int]:
    """Return the side that a point has above the first break point; None where one on the elbow may be rounded so."""
    side = _bound(a, near)
    return None if side != ELBOW and abs(margin - 1) <= near else side


def _taken(sides: list[Optional[int]], events: Sequence[tuple[str, int]], alpha: Multipliers, near: Fraction) -> str:
    """Let the points change sides at a break point; return in words what contradicts that, empty if nothing does."""
    if not events:
        return "none, where each break point has one"
    for kind, row in events:
        verb, side = KINDS[kind]
        before, after = (side, ELBOW) if verb == "from" else (ELBOW, side)
        if sides[row] not in (before, None):
            return f"{kind} of row {row}, which is on the {WORDS[sides[row]]} above it"
        if _bound(alpha[row], near) != side:
            return f"{kind} of row {row}, where alpha is {approximate(alpha[row]):.6g}"
        sides[row] = after
    return ""


def _segment(sides: list[Optional[int]], ends: Sequence[End], margins: Margins, near: Fraction) -> str:
    """Return in words what contradicts the sides between two break points, empty if nothing does."""
    for i, side in enumerate(sides):
        values = [alpha[i] for _, alpha in ends]
        places = {_bound(a, near) for a in values}
        if side in BOUNDS and places != {side}:
            wrong = next(a for a in values if _bound(a, near) != side)
            return f"row {i} is on the {WORDS[side]} below it, where alpha is {approximate(wrong):.6g}"
        if side is None and len(places) == 1 and ELBOW not in places:
            continue  # near the same bound at both: either is right
        if side == ELBOW and values[0] == values[1] in BOUNDS.values():
            away = max(abs(margins(lam)[i] - 1) for lam, _ in ends)
            if away > near:
                return f"row {i} is on the elbow below it, where yf misses 1 by {approximate(away):.6g}"
        sides[i] = ELBOW if side is None else side
    return ""


def _below(right: Any, last: Fraction, sides: Sequence[Optional[int]], near: Fraction) -> tuple[str, str]:
    """Return in words what contradicts the sides below the last break point, and why they are not judged.

    Method: α and f of machines halfway between the break points that are as near to the last as its digits tell, and
    from there to the next, or to zero: the sides of one of them are right. Where the path found anew ends at the last
    one, too, the next is not known, and λ is chosen ever nearer to the last.
    """
    known = list(map(rational, right.lambdas_))
    places = [v for v in known if abs(v - last) <= near * last] or [last]
    places.append(max([v for v in known if v < last * (1 - near)], default=Fraction(0)))
    between = [(upper + lower) / 2 for upper, lower in zip(places, places[1:])]
    if not places[-1] and right.least_lambda_:
        between += [last * (1 - Fraction(1, 2**k)) for k in range(2, NEARER)]
    found: list[tuple[str, str]] = []
    for lam in between:
        try:
            found.append(_contradiction(right, lam, sides, near))
        except NotConverged as refusal:
            found.append(("", str(refusal)))
        if not any(found[-1]):
            break
    return min(found, key=lambda pair: (bool(pair[0]), bool(pair[1])))


def _contradiction(right: Any, lam: Fraction, sides: Sequence[Optional[int]], near: Fraction) -> tuple[str, str]:
    """Return in words which side is not that of the machine at λ, or why that is not known.

    Premise: of several optimal multipliers those of the package's own path may be others, where points with yf = 1 have
    equations that follow from one another's.
    """
    alpha, margins = _machine(right, lam)
    touching = [i for i, m in enumerate(margins) if abs(m - 1) <= near]
    for i, side in enumerate(sides):
        fits = i in touching if side == ELBOW else side is None or abs(alpha[i] - BOUNDS[side]) <= near
        if not fits and i in touching and not _unique(right, touching):
            return "", DOUBTFUL
        if not fits:
            return f"row {i} is on the {WORDS[side]} below it, where alpha is {approximate(alpha[i]):.6g}", ""
    return "", ""


def _machine(right: Any, lam: Fraction) -> tuple[list[Fraction], list[Fraction]]:
    """Return α and yf of the machine at λ, of the path found anew."""
    model = right._model
    found = model._solution(right.field().lift(lam))
    state = State(model.path.problem, found.lam, found.alpha, found.alpha0, (), ())
    return list(map(rational, found.alpha)), list(map(rational, state.margins()))


def _unique(right: Any, touching: Sequence[int]) -> bool:
    """Return whether the equations of points with yf = 1 are independent."""
    rows = [[rational(right._model.held.row(i)[j]) for j in touching] + [Fraction(1)] for i in touching]
    return bool(fraction_free.determinant(Matrix([*rows, [*[Fraction(1)] * len(touching), Fraction(0)]])))
