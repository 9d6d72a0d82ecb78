"""What machines of several classes predict, and what one hyperplane is worth, by the kernel of trust alone.

The machines' values at the query points come from the kernel's own Gram matrix and from the multipliers that were
proven; of machines of pairs votes, labels and unclassifiable points follow from their signs  [MMST-11.4.1-one]
[KIM-5-pairs], of a direct machine the label is the class of the largest value  [MMST-11.108].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Optional

from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.oracle import alignment, kernel
from refclass.oracle.judging import objectives, trusted
from refclass.oracle.judging.comparison import counted
from refclass.oracle.problem import Problem


def predicted(problem: Problem, reported: Mapping[str, Any], asked: float) -> Optional[str]:
    """Return which prediction does not follow from the multipliers, in words; None if none, or if not known."""
    return pairs(problem, reported, asked) or direct(problem, reported, asked)


def direct(problem: Problem, reported: Mapping[str, Any], asked: float) -> Optional[str]:
    """Return which prediction does not follow from a direct machine of several classes, in words.

    f_k = Σ αᵢₖK(xᵢ, ·) of Crammer and Singer's, b_k − Σ (αᵢₖ − ᾱᵢ)K(xᵢ, ·)/(λ Σ wᵢ) of Lee, Lin and Wahba's
    """
    fitted, predictions = reported["fitted"], reported.get("predictions", {})
    known = problem.method in kernel.MACHINES[6:] and problem.query and predictions and "alpha" in fitted
    if not known or len(problem.x) > trusted.MOST:
        return None
    try:
        own = kernel.Problem(trusted.asking(problem))
        if fitted.get("classes", own.names) != own.names or not trusted.comparable(own, "labels"):
            return None
        alpha = [list(map(rational, row)) for row in fitted["alpha"]]
        free, delivered = [Fraction(0)] * len(own.names), None
        if problem.method == "lee_lin_wahba":
            free, unit = list(map(rational, fitted["intercept"])), own.lam * sum(own.w) * len(free)
            alpha = [[(sum(row) - len(free) * v) / unit for v in row] for row in alpha]
            delivered = fitted.get("coefficients")
        values = _at_query(problem, own, alpha, free, reported)
        beside = None if delivered is None else _at_query(problem, own, delivered, free, reported)
    except (ValueError, TypeError, KeyError):
        return None  # Premise: what the kernel does not cover it refuses, in one of these ways.
    beside = _by_coefficients(problem, own, fitted, len(own.names)) or beside or values
    if problem.method == "lee_lin_wahba":  # its functions sum to zero, which rounded coefficients do not
        values, beside = _less_mean(values), _less_mean(beside)
    each = enumerate(zip(values, beside))
    return next(filter(None, (_largest(i, f, own.names, predictions, asked, g) for i, (f, g) in each)), None)


def _less_mean(rows: Sequence[Sequence[Fraction]]) -> list[tuple[Fraction, ...]]:
    return [tuple([v - sum(row, Fraction(0)) / len(row) for v in row]) for row in rows]


def _at_query(
    problem: Problem, own: kernel.Problem, rows: Any, free: Sequence[Fraction], reported: Mapping[str, Any]
) -> list[Any]:
    """Return the values at the query points of functions, a column of coefficients and a constant for each class."""
    columns = [list(map(rational, column)) for column in zip(*rows)]
    values = [trusted.at_points(problem, own, column, problem.query, reported) for column in columns]
    return list(zip(*[[v + b for v in each] for each, b in zip(values, free)]))


def _by_coefficients(
    problem: Problem, own: kernel.Problem, fitted: Mapping[str, Any], count: int
) -> Optional[list[tuple[Fraction, ...]]]:
    """Return the values of so many linear functions at the query points, by the coefficients reported, if any."""
    rows, free = fitted.get("coef"), fitted.get("intercept", [0] * count)
    if own.get("kernel", "linear") not in ("linear", {"name": "linear"}) or not isinstance(rows, list):
        return None
    if len(rows) != count or any(len(row) != own.p for row in rows):
        return None
    functions = [([rational(v) for v in row], rational(b)) for row, b in zip(rows, free)]
    points = [[rational(v) for v in z] for z in problem.query or ()]
    return [tuple([sum([c * v for c, v in zip(row, z)], b) for row, b in functions]) for z in points]


def _largest(
    i: int,
    values: Sequence[Fraction],
    names: Sequence[Any],
    predictions: Mapping[str, Any],
    asked: float,
    beside: Sequence[Fraction],
) -> Optional[str]:
    """Return which decision value is another, or which label is not that of the largest, in words.

    beside    the values by the coefficients, judged elsewhere, which where multipliers cancel have other digits
    """
    size, best = max(Fraction(1), *map(abs, values)), max(values)
    needed = max(0, asked - trusted.BESIDE)
    decision, labels = predictions.get("decision"), predictions.get("labels")
    if isinstance(decision, list) and i < len(decision) and len(decision[i]) == len(values):
        for k, (got, want, other) in enumerate(zip(decision[i], values, beside)):
            if kernel.digits(min(abs(rational(got) - v) for v in (want, other)), size) < needed:
                return f"decision[{i}][{k}]: got {approximate(got):.12g}, want {approximate(want):.12g}"
    if isinstance(labels, list) and i < len(labels):
        right = [name for name, v in zip(names, values) if kernel.digits(best - v, size) >= needed]
        right += [name for name, v in zip(names, beside) if kernel.digits(max(beside) - v, size) >= needed]
        if not any(alignment.same(labels[i], name) for name in right):
            return f"labels[{i}]: got {labels[i]}, want {right[0]}"
    return None


def pairs(problem: Problem, reported: Mapping[str, Any], asked: float) -> Optional[str]:
    """Return which prediction does not follow from the machines of pairs, in words; None if none, or if not known."""
    fitted, predictions = reported["fitted"], reported.get("predictions", {})
    names = sorted(set(problem.y), key=problem.y.index) if problem.query else []
    ovo = problem.method == "svc" and problem.parameters.get("multiclass", "ovo") == "ovo" and len(names) > 2
    if not ovo or not {"alpha", "intercept"} <= set(fitted) or not predictions or len(problem.x) > trusted.MOST:
        return None
    try:
        own = kernel.Problem(trusted.asking(problem))
    except (ValueError, TypeError, KeyError):
        return None
    if fitted.get("classes", own.names) != own.names or not trusted.comparable(own, "labels"):
        return None
    K = len(own.names)
    each, values, sizes = zip(combinations(range(K), 2), fitted["alpha"], fitted["intercept"]), [], []
    try:
        for pair, alpha, b in each:
            signed, free = _signed(alpha, own.label, pair), rational(b)
            values.append([v + free for v in trusted.at_points(problem, own, signed, problem.query, reported)])
            sizes.append([v + abs(free) for v in trusted.terms_at(problem, own, signed, problem.query)])
    except (ValueError, TypeError, KeyError):
        return None  # Premise: what the kernel does not cover it refuses, in one of these ways.
    beside = _by_coefficients(problem, own, fitted, K * (K - 1) // 2) or list(zip(*values))
    for i, (both, terms) in enumerate(zip(zip(zip(*values), beside), zip(*sizes))):
        # Premise: on a boundary, to the digits asked for of what its value is the sum of, either class is right.
        most = max(Fraction(1), *map(abs, both[0]))
        near = [kernel.digits(v, min(most, size)) >= asked for v, size in zip(both[0], terms)]
        # Premise: the coefficients were judged elsewhere; where terms of multipliers cancel they have other digits.
        words = [_point(i, list(zip(near, [v > 0 for v in f])), own.names, predictions) for f in both]
        if not any(near):
            words = [word or _columns(i, f, K, problem, predictions, asked) for word, f in zip(words, both)]
        if all(words):
            return words[0]
    return None


def _columns(
    i: int, values: Sequence[Fraction], K: int, problem: Problem, predictions: Mapping[str, Any], asked: float
) -> Optional[str]:
    """Return which decision value is not its class's votes and share, in words.

    sₖ = 1/(2K) Σ fₖⱼ/(1 + |fₖⱼ|);  classes of equal votes have their shares in descending order
    """
    reported = predictions.get("decision")
    shape = problem.parameters.get("decision_function_shape", "ovr")
    if not isinstance(reported, list) or i >= len(reported) or shape != "ovr" or len(reported[i]) != K:
        return None
    share, votes = [Fraction(0)] * K, [0] * K
    for v, (j, k) in zip(values, combinations(range(K), 2)):
        votes[k if v > 0 else j] += 1
        part = v / (1 + abs(v)) / (2 * K)
        share[k], share[j] = share[k] + part, share[j] - part
    for count in set(votes):
        equal = [k for k in range(K) if votes[k] == count]
        for k, part in zip(equal, sorted((share[k] for k in equal), reverse=True)):
            if kernel.digits(rational(reported[i][k]) - count - part, max(Fraction(1), Fraction(count))) < asked:
                return f"decision[{i}][{k}]: got {reported[i][k]}, want {approximate(count + part):.12g}"
    return None


def _signed(alpha: Any, labels: Sequence[int], pair: tuple[int, int]) -> list[Fraction]:
    j, k = pair
    return [rational(a) * ((g == k) - (g == j)) for a, g in zip(alpha, labels)]


def _point(
    i: int, sides: Sequence[tuple[bool, bool]], names: Sequence[Any], predictions: Mapping[str, Any]
) -> Optional[str]:
    """Return what is said of a point and follows from no count of the pairs, in words."""
    won = [k if up else j for (_, up), (j, k) in zip(sides, combinations(range(len(names)), 2))]
    votes = [won.count(k) for k in range(len(names))]
    best = [k for k, v in enumerate(votes) if v == max(votes)]
    right = {"labels": names[best[0]], "votes": votes, "unclassifiable": len(best) > 1}
    lists = {name: v for name in right if isinstance(v := predictions.get(name), list)}
    told = {name: v[i] for name, v in lists.items() if i < len(v)}
    for name, got in told.items():
        if name == "labels" and not any(near for near, _ in sides):
            possible = alignment.same(got, right[name])  # of equal votes the class that comes first
        else:
            possible = counted.possible(sides, {name: got}, names)
        if not possible:
            return f"{name}[{i}]: got {got}, want {right[name]}"
    if not counted.possible(sides, told, names):
        return f"{', '.join(told)}[{i}]: from no one count of the pairs"
    return None


def plane(problem: Problem, w: Any, b: Any, best: Mapping[str, Any], primal: Any, asked: float) -> Optional[str]:
    """Return why a hyperplane's objective is not what was proven, in words; None if it is, or if that is not known.

    best      multipliers and intercept of the optimum that the hyperplane was measured against
    primal    the objective that was found for the hyperplane
    """
    if len(problem.x) > trusted.MOST:
        return None
    try:
        own = kernel.Problem(trusted.asking(problem))
        found = kernel.judge(trusted.asking(problem), {"fitted": {**best, "objective": primal}}, asked)
        cost = objectives.costs(own)
    except (ValueError, TypeError, KeyError):
        return None
    if found["verdict"] != "accepted":
        return f"a second check in fractions finds {found['digits']} digits"
    f = [kernel.dot(w, x) + b for x in own.x]
    side = [2 * g - 1 for g in own.label]
    machine = kernel.Machine(kernel.gram(own), kernel.loss(own.get("loss", "hinge")), side, [1] * own.n, cost)
    value = machine.primal(kernel.dot(w, w), f)
    if value is None or kernel.digits(value - primal, max(abs(value), abs(primal))) < asked:
        return f"objective: got {approximate(primal):.12g}, want {value if value is None else approximate(value):.12g}"
    return None
