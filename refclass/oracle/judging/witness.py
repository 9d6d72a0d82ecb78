"""The witness of a refusal, checked in fractions: weights on two convex hulls, null vectors, separating directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.number.field import rational
from refclass.oracle.leaves import finite, leaves
from refclass.oracle.problem import Problem
from refclass.oracle.reading import numbers
from refclass.oracle.references.rows import dot, gramian, mean
from refclass.sample import data

DISCRIMINANTS = ("lda", "qda", "fisher", "rda", "least_squares", "logistic")
ENOUGH = Fraction(1, 10**6)  # on the scale of what it is the difference of


def check(problem: Problem, witness: Mapping[str, Any]) -> Optional[str]:
    """Return what is wrong with a witness, in words; empty if it proves the refusal, None if it cannot be judged."""
    reported, problem = numbers(dict(witness), False), _counted(problem)
    for name, judge in (("weights", _hulls), ("null_vector", _null), ("direction", _separates)):
        if name in reported:
            return judge(problem, reported[name], reported)
    return None


def _counted(problem: Problem) -> Problem:
    """Return the problem of a discriminant without its rows of weight zero, which do not count."""
    weights = problem.weights
    if not weights or problem.method not in DISCRIMINANTS or all(map(rational, weights)):
        return problem
    kept = [i for i, w in enumerate(weights) if rational(w)]
    x, y, w = ([values[i] for i in kept] for values in (problem.x, problem.y, weights))
    return replace(problem, x=x, y=y, weights=w)


def _hulls(problem: Problem, weights: Any, reported: Mapping[str, Any]) -> Optional[str]:
    """Weights on the points of two classes, equal in sum, that give the same point."""
    if problem.method != "svc":
        return None
    names, labels = data.labels(problem.y, len(problem.x))
    linear = problem.parameters.get("kernel", "linear") in ("linear", {"name": "linear"})
    if len(names) != 2 or not linear or problem.parameters.get("intercept", True) is not True:
        return None
    given = weights if isinstance(weights, Mapping) else dict(enumerate(weights if isinstance(weights, list) else ()))
    sums: dict[int, list[Fraction]] = {}
    for key, w in given.items():
        i = int(key) if str(key).isdecimal() else -1
        if not 0 <= i < len(labels) or not finite(w) or rational(w) < 0:
            return f"witness.weights[{key}]: got {w}, want a weight ≥ 0 of a row"
        point = [Fraction(1), *(rational(v) for v in problem.x[i])]
        own = sums.setdefault(labels[i], [Fraction(0)] * len(point))
        sums[labels[i]] = [s + rational(w) * v for s, v in zip(own, point)]
    if len(sums) != 2 or any(s[0] == 0 for s in sums.values()):
        return "witness.weights: want weights in both classes"
    first, second = (dict(sums)[k] for k in sorted(sums))
    size = max(abs(v) for v in (*first, *second))
    missed = max(abs(a - b) for a, b in zip(first, second))
    return "" if missed <= ENOUGH * size else "witness.weights: the two classes' weighted sums are not equal"


def _null(problem: Problem, vector: Any, reported: Mapping[str, Any]) -> Optional[str]:
    """A direction in which a covariance, or the columns of x, do not vary."""
    v = [rational(a) for a in leaves(vector) if finite(a)]
    X = [[rational(a) for a in row] for row in problem.x if isinstance(row, list)]
    if not X or len(v) != len(X[0]) or not any(v):
        return None if any(v) else "witness.null_vector: want a vector other than zero"
    own = [rational(w) for w in problem.weights or [1] * len(X)]
    groups = [list(zip(X, own))]
    if problem.method in DISCRIMINANTS[:4]:
        names, labels = data.labels(problem.y, len(X))
        groups = [[x for x, g in zip(groups[0], labels) if g == k] for k in range(len(names))]
        alone = problem.method == "rda" and rational(problem.parameters.get("alpha", 0)) == 1
        if problem.method == "qda" or alone:
            chosen = [k for k, name in enumerate(names) if str(name) == str(reported.get("label", name))]
            groups = [groups[k] for k in chosen]
    elif problem.method not in ("linear_regression", "least_squares", "logistic"):
        return None
    spread, size = Fraction(0), Fraction(0)
    for group in groups:
        rows, weights = [row for row, _ in group], [w for _, w in group]
        centre = mean(rows, weights)
        S = gramian([[a - c for a, c in zip(row, centre)] for row in rows], weights)
        spread += dot(v, [dot(row, v) for row in S])
        size += sum((abs(a * b * s) for a, row in zip(v, S) for b, s in zip(v, row)), Fraction(0))
    least = spread <= ENOUGH**2 * size
    return "" if least else "witness.null_vector: the data vary along it"


def _separates(problem: Problem, direction: Any, reported: Mapping[str, Any]) -> Optional[str]:
    """Linear functions, a row of a constant and coefficients for each class, that no point contradicts."""
    if problem.method != "logistic" or not isinstance(direction, list):
        return None
    names, labels = data.labels(problem.y, len(problem.x))
    thetas = direction if isinstance(direction[0], list) else [[0] * len(direction), direction]
    width = len(problem.x[0]) + 1
    if len(thetas) != len(names) or any(len(t) != width or not all(map(finite, t)) for t in thetas):
        return f"witness.direction: want {len(names)} rows of {width} numbers"
    strict = False
    for x, g in zip(problem.x, labels):
        point = [Fraction(1), *(rational(v) for v in x)]
        scores = [dot(point, [rational(v) for v in t]) for t in thetas]
        apart = [scores[g] - s for k, s in enumerate(scores) if k != g]
        if min(apart) < 0:
            size = max(dot(list(map(abs, point)), [abs(rational(v)) for v in t]) for t in thetas)
            # Premise: rounding a direction moves points that lie on the boundary; then the problem is put anew.
            return None if -min(apart) <= ENOUGH**2 * size else "witness.direction: a point lies on the wrong side"
        strict = strict or max(apart) > 0
    return "" if strict else "witness.direction: it separates no points"
