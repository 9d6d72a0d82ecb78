"""Fitted models in lines for people: coefficients, the splits of a tree, the terms of a regression, break points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from refclass.errors import NotExact
from refclass.report.text import words

MOST = 60  # lines of a tree or of terms; the rest is counted


def model(estimator: Any, columns: Sequence[str], target: str) -> Iterator[str]:
    """Return what there is to show of a fitted model."""
    inner = getattr(estimator, "estimator_", estimator)
    found = [*coefficients(inner, columns, target), *tree(inner, columns), *terms(inner, columns), *path(inner)]
    if found and inner is not estimator:
        yield "in units of the standardised inputs:"
    yield from found[:MOST]
    if len(found) > MOST:
        yield f"  … and {words.counted(len(found) - MOST, 'line')} more"


def coefficients(estimator: Any, columns: Sequence[str], target: str) -> Iterator[str]:
    """Return the coefficients of a linear rule, a line for each input, and one for the intercept where there is one."""
    try:
        rows, intercepts = getattr(estimator, "coef_", None), getattr(estimator, "intercept_", None)
    except NotExact:
        return
    if rows is None:
        return
    if not estimator.takes_labels:
        rows, names = [rows], [target]
    else:
        classes = list(estimator.classes_)
        machines = getattr(estimator, "names", None)  # what a row for each of several machines separates
        names = [f"for {classes[1]}"] if len(rows) == 1 else [f"for {c}" for c in classes]
        names = names if machines is None else machines()
    if len(rows) != len(names) or len(rows[0]) != len(columns):
        return
    body = [[name, *(words.number(row[j]) for row in rows)] for j, name in enumerate(columns)]
    last = [] if intercepts is None else [["(intercept)", *map(words.number, intercepts)]]
    yield from words.table([["coefficient", *names], *body, *last])


def tree(estimator: Any, columns: Sequence[str]) -> Iterator[str]:
    """Return the tree, a node a line, its children indented below it: what goes left, then the rest."""
    if not hasattr(estimator, "n_leaves_"):
        return
    found, classes = estimator._model, list(estimator.classes_)
    leaves, depth = words.counted(len(found.leaves), "leaf", "leaves"), words.counted(found.depth, "level")
    yield f"tree: {leaves}, {depth} deep"
    waiting = [(0, 0, "all")]
    while waiting:
        i, level, condition = waiting.pop()
        node = found.nodes[i]
        counts = ", ".join(f"{words.number(c)} {k}" for c, k in zip(node.counts, classes) if c)
        said = "" if node.split is not None else f" → {classes[node.counts.index(max(node.counts))]}"
        yield f"  {'  ' * level}{condition}{said} ({counts})"
        if node.split is not None:
            side = _side(node.split, columns)
            waiting += [(node.right, level + 1, f"{side} > {words.number(node.split.threshold)}")]
            waiting += [(node.left, level + 1, f"{side} ≤ {words.number(node.split.threshold)}")]


def _side(split: Any, columns: Sequence[str]) -> str:
    if split.direction is None:
        return str(columns[split.variable])
    return " + ".join(f"{words.number(a)} {columns[j]}" for j, a in enumerate(split.direction) if a)


def terms(estimator: Any, columns: Sequence[str]) -> Iterator[str]:
    """Return the terms of MARS with their coefficients, of BRUTO the kind of each column's term."""
    regression = getattr(getattr(estimator, "_model", None), "regression", None) or estimator
    if hasattr(regression, "types_"):
        kinds = zip(columns, regression.types_, regression.degrees_of_freedom_)
        freedom = [(name, kind, f"{words.number(df)} degrees of freedom") for name, kind, df in kinds]
        yield from words.table([("column", "term", ""), *freedom])
    if not hasattr(regression, "terms_"):
        return
    many = regression.coefficients_ and isinstance(regression.coefficients_[0], (list, tuple))
    rows = [c if many else [c] for c in regression.coefficients_]
    named = [(_hinges(term, columns), *map(words.number, row)) for term, row in zip(regression.terms_, rows)]
    yield from words.table([("term", *(["coefficient"] if not many else [""] * len(rows[0]))), *named])


def _hinges(term: Any, columns: Sequence[str]) -> str:
    parts = []
    for j, sign, knot in term:
        at = words.number(abs(knot))
        away = f"{columns[j]} {'−' if knot >= 0 else '+'} {at}"
        parts.append(f"[{away if sign > 0 else f'{words.number(knot)} − {columns[j]}'}]₊")
    return " ".join(parts) or "1"


def path(estimator: Any) -> Iterator[str]:
    """Return where a path begins and ends, and how often each kind of event happens on it."""
    if not hasattr(estimator, "lambdas_"):
        return
    first, last = estimator.lambdas_[0], estimator.lambdas_[-1]
    yield f"break points: {len(estimator.lambdas_)}, λ from {words.number(first)} down to {words.number(last)}"
    counts = Counter(kind for events in estimator.events_ for kind, _ in events)
    yield "events: " + ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
