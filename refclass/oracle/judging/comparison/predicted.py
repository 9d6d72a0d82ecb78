"""Predictions that somebody reports, beside those that are right: values in digits, labels and votes as words.

Labels and votes jump where a value is zero, or where two are equal: there either side of the jump is right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, product
from operator import methodcaller
from typing import Any

from refclass.errors import InvalidInput, NotExact, Refusal, quoted
from refclass.number.field import rational
from refclass.oracle import alignment
from refclass.oracle.judging.comparison import counted, forms, held
from refclass.oracle.judging.comparison.attributes import DECIMALS, UNITS, Comparison, Reference
from refclass.oracle.leaves import finite, leaves

JUMPING = ("tree", "nearest_neighbors")  # methods whose values are constant but for jumps
HALF = Fraction(1, 2)
METHODS = {
    "labels": "predict",
    "decision": "decision_function",
    "posterior": "predict_proba",
    "votes": "votes",
    "unclassifiable": "unclassifiable",
}


def predictions(
    comparison: Comparison, reference: Reference, reported: Mapping[str, Any], problem: Any, kind: Any
) -> None:
    """Compare the predictions that somebody reports for the query points with those of the reference.

    A label is right, too, where its class ties with that of the reference to the digits asked for.

    Raises    InvalidInput if there are no query points, and for predictions of another shape
    """
    query, excused = problem.query, set[int]()
    for name, got in reported.items():
        if query is None:
            raise InvalidInput("verify", need="query points in the problem, for predictions", got="none")
        try:
            want, spacing = reference.read(methodcaller(METHODS[name], query))
        except AttributeError:
            raise InvalidInput("verify", need=f"no {name}: {problem.method} has none", got=name) from None
        if name == "labels" and kind.takes_labels:
            excused |= _labels(comparison, reference, got, want, problem)
        elif name in ("votes", "unclassifiable"):
            excused |= _ballots(comparison, reference, name, got, want, query)
        else:
            K = len(want[0]) if isinstance(want[0], (list, tuple)) else 2
            if name == "decision" and problem.method in alignment.SHIFTED:
                got, want = alignment.shifted(name, got, want, K)
            forms.same(name, got, want)
            voted = name == "decision" and _paired(reference)
            if voted:
                triples = zip(query, got, want)  # Premise: votes jump where a machine's value is zero
                other = [_other_votes(comparison, reference, x, g, w) for x, g, w in triples]
                excused |= {i for i, excuse in enumerate(other) if excuse}
                want = [g if excuse else w for excuse, g, w in zip(other, got, want)]
            if problem.method in JUMPING:
                triples = zip(query, got, want)
                want = [_jumped(comparison, reference, METHODS[name], x, g, w, spacing) for x, g, w in triples]
                comparison.against(name, got, want, spacing)
                continue
            count, apart = len(list(leaves(want))), name == "decision" and problem.method in alignment.SHIFTED
            rows = problem.x if _of_distances(problem) else None
            moved = held.predictions(reference, METHODS[name], query, count, comparison.unit, apart, voted, rows)
            comparison.against(name, got, want, spacing, moved=moved)
    if excused and comparison.agrees and hasattr(_own(reference), "estimators_"):
        _agreeing(comparison, reference, reported, problem, excused)


def _of_distances(problem: Any) -> bool:
    """Return whether values are functions of distances to the rows."""
    given = problem.parameters.get("kernel")
    name = given.get("name") if isinstance(given, Mapping) else given
    return problem.method == "gaussian_nodes" or name in ("gaussian", "laplacian")


def _own(reference: Reference) -> Any:
    try:
        return reference.over(reference.own)
    except NotExact:
        return reference.over(DECIMALS)


def _jumped(
    comparison: Comparison, reference: Reference, method: str, point: Any, got: Any, want: Any, spacing: Fraction
) -> Any:
    """Return the values at a point, or what is reported where that is right a rounding of the point beside it."""
    mine = list(leaves([got]))
    if not all(map(finite, mine)) or mine == list(leaves([want])):
        return want
    for row in held.around(reference, method, point, comparison.unit / 2):
        if len(row) == len(mine) and all(_near(comparison, abs(rational(a) - b), spacing) for a, b in zip(mine, row)):
            return got
    return want


def _paired(reference: Reference) -> bool:
    """Return whether there are machines of pairs, which vote."""
    return all(hasattr(_own(reference), name) for name in ("estimators_", "votes"))


def _labels(comparison: Comparison, reference: Reference, got: Any, want: Sequence[Any], problem: Any) -> set[int]:
    """Compare labels, and return at which points another than that of the reference is right, too."""
    if not isinstance(got, list) or len(got) != len(want):
        raise InvalidInput("verify", need=f"{len(want)} labels in predictions", got=forms.size(got))
    comparison.digits.setdefault("labels", math.inf)
    others = {i for i, (g, w) in enumerate(zip(got, want)) if not alignment.same(g, w)}
    for i in sorted(others):
        if not _tied(comparison, reference, problem, i, got[i], want[i]):
            comparison.refute("labels", f"[{i}]", quoted(got[i]), quoted(want[i]))
    return others


def _ballots(comparison: Comparison, reference: Reference, name: str, got: Any, want: Any, query: Any) -> set[int]:
    """Compare votes, or which points no class wins, but where a machine's value is zero to the digits asked for.

    Return at which points others than those of the reference are right, too.
    """
    want = [list(w) if isinstance(w, (list, tuple)) else w for w in want]
    forms.same(name, got, want)
    comparison.digits.setdefault(name, math.inf)
    for i, (g, w, x) in enumerate(zip(got, want, query)):
        kinds = [type(v) is bool for v in leaves(g)] == [type(v) is bool for v in leaves(w)]
        if kinds and g != w:
            possible = _can_be_open(comparison, reference, x) if name == "unclassifiable" else set()
            kinds = g in possible if possible else _can_be(_fewest(comparison, reference, x), g)
        if not kinds:
            comparison.refute(name, f"[{i}]", quoted(g), quoted(w))
    return {i for i, (g, w) in enumerate(zip(got, want)) if g != w}


def _agreeing(
    comparison: Comparison, reference: Reference, reported: Mapping[str, Any], problem: Any, points: set[int]
) -> None:
    """Refute votes, and what follows from them, at points where no one way to count zeros leads to all of them.

    Where a machine's value is zero to the digits asked for either class may win, but each pair is counted once: what
    is said of its point in votes, in decision values, in labels and in words is said of the same count.
    """
    names = [name for name in ("votes", "unclassifiable", "labels") if name in reported]
    classes, _ = reference.read(lambda estimator: list(estimator.classes_))
    shape = problem.parameters.get("decision_function_shape", "ovr")
    paired = _paired(reference)
    # Premise: decision values of coupled pairs are posteriors; of others, in this shape, votes and part of one.
    voted = "decision" in reported and shape == "ovr" and problem.method != "coupling"
    told = [*names, *(["decision"] if voted else [])]
    for i in sorted(points):
        said = {name: reported[name][i] for name in told}
        if paired:
            agree = counted.possible(_sides(comparison, reference, problem.query[i]), said, classes)
        else:
            agree = counted.by_signs(said, len(classes))
        if not agree:
            need = f"one count of the pairs, as of {', '.join(told[1:])}"
            comparison.refute(told[0], f"[{i}]", quoted(said[told[0]]), need)


def _can_be_open(comparison: Comparison, reference: Reference, point: Any) -> set[bool]:
    """Return whether a point can be unclassifiable, and whether it can have one class, where zeros go either way.

    A zero of a pair is won by either class or by nobody; of a class against all others it says yes or no.
    """
    sides = _sides(comparison, reference, point)
    if _paired(reference):
        K = len(reference.read(lambda estimator: list(estimator.classes_))[0])
        pairs = list(combinations(range(K), 2))
        ways = [((j, k, None) if near else (k if up else j,)) for (j, k), (near, up) in zip(pairs, sides)]
        if sum(near for near, _ in sides) > counted.ZEROS:
            return {False, True}
        ballots = [[won.count(k) for k in range(K)] for won in product(*ways)]
        return {votes.count(max(votes)) > 1 for votes in ballots}
    yes, zeros = sum(up and not near for near, up in sides), sum(near for near, _ in sides)
    return {count != 1 for count in range(yes, yes + zeros + 1)}


def _undecided(comparison: Comparison, reference: Reference, point: Any) -> bool:
    return any(near for near, _ in _sides(comparison, reference, point))


def _sides(comparison: Comparison, reference: Reference, point: Any) -> list[tuple[bool, bool]]:
    """Return for each machine whether its value is zero to the digits asked for, and whether it is positive."""
    values, spacing = reference.read(lambda e: [m.decision_function([point])[0] for m in e.estimators_])
    gaps = [v[1] - v[0] if isinstance(v, (list, tuple)) else v for v in values]
    return [(_near(comparison, abs(gap), spacing), gap > 0) for gap in gaps]


def _fewest(comparison: Comparison, reference: Reference, point: Any) -> list[tuple[int, int]]:
    """Return the fewest and the most pairs that each class can win where a value of zero is won by either."""
    K = len(reference.read(lambda estimator: list(estimator.classes_))[0])
    won = [[0, 0] for _ in range(K)]
    for pair, (near, positive) in zip(combinations(range(K), 2), _sides(comparison, reference, point)):
        for k, wins in zip(pair, (not positive, positive)):
            won[k][0] += wins and not near
            won[k][1] += wins or near
    return [(least, most) for least, most in won]


def _can_be(won: Sequence[tuple[int, int]], votes: Any) -> bool:
    """Return whether votes are those of pairs, of which each is won once."""
    pairs = len(won) * (len(won) - 1) // 2
    return sum(votes) == pairs and all(v in range(a, b + 1) for v, (a, b) in zip(votes, won))


def _other_votes(comparison: Comparison, reference: Reference, point: Any, got: Any, want: Any) -> bool:
    """Return whether decision values are other votes, of machines whose values are zero, with the same parts.

    A class has its votes and a part of less than one half; classes of equal votes have their parts in descending order.
    """
    won = _fewest(comparison, reference, point)
    if not isinstance(got, list) or len(got) != len(won) or not all(map(finite, got)):
        return False
    (right,), spacing = reference.read(lambda estimator: estimator.votes([point]))
    votes = [round(v) for v in got]
    parts = [sorted([rational(v) - k for v, k in zip(*own)]) for own in ((got, votes), (want, right))]
    if not _can_be(won, votes) or max(map(abs, parts[1])) > HALF:
        return False
    return all(_near(comparison, abs(a - b), spacing) for a, b in zip(*parts))


def _near(comparison: Comparison, apart: Any, spacing: Fraction, size: Any = 1) -> bool:
    """Return whether a value is zero to the digits asked for; of an answer in fractions, whether it is zero."""
    share = Fraction(comparison.unit > 0, 10 ** int(min(comparison.asked, 300)))
    return bool(abs(rational(apart)) <= max(share, UNITS * (comparison.unit + spacing)) * rational(size))


def _tied(comparison: Comparison, reference: Reference, problem: Any, i: int, got: Any, want: Any) -> bool:
    """Return whether two labels have the same decision value at a point, to the digits asked for."""
    point = problem.query[i]
    classes, _ = reference.read(lambda estimator: list(estimator.classes_))
    chosen = next((k for k, label in enumerate(classes) if alignment.same(got, label)), None)
    if chosen is None:
        return False
    with suppress(AttributeError, Refusal):
        if any(alignment.same(got, label) for label in reference.read(lambda e: e.ties([point])[0])[0]):
            return True
        if _paired(reference):
            won = _fewest(comparison, reference, point)
            return won[chosen][1] >= max(least for least, _ in won)
        if hasattr(_own(reference), "estimators_") and _undecided(comparison, reference, point):
            return True
    try:
        (value,), spacing = reference.read(lambda estimator: estimator.decision_function([point]))
    except (AttributeError, Refusal):
        return False
    values = list(value) if isinstance(value, (list, tuple)) else [0 * value, value]
    if len(values) != len(classes):
        return False
    # Premise: what the scores of all classes have in common, far from the origin most of them, decides nothing.
    spread = max(Fraction(1), rational(max(values)) - rational(min(values)))
    apart = values[chosen] - values[classes.index(want)]
    if _near(comparison, apart, spacing, spread):
        return True
    # Premise: where roundings decide, either label is as right as numbers can tell, and neither is judged.
    count = len(values) - 1  # Premise: classes are compared by the differences of their scores
    rows = problem.x if _of_distances(problem) else None
    moved = held.predictions(reference, "decision_function", [point], count, comparison.unit, True, rows=rows)
    if abs(rational(apart)) > sum(map(moved, range(count)), Fraction(0)):
        return False
    comparison.left[f"labels[{i}]"] = "rounding what its scores are computed from moves them by more than they differ"
    return True
