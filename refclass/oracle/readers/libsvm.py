"""LIBSVM's text files: data in sparse rows, and models with support vectors  (Chang and Lin, LIBSVM, section 4).

A model's function is Σ cᵢK(xᵢ, x) − rho, positive for the class that `label` names first; of K > 2 classes there is one
for each pair, and each support vector has K − 1 coefficients. Support vectors are known by their values, written in 8
or 17 digits: they are found among the rows of the problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle import alignment
from refclass.oracle.problem import Problem
from refclass.sample import data

KERNELS = {"linear": "linear", "polynomial": "polynomial", "rbf": "gaussian", "sigmoid": "sigmoid"}
REGRESSIONS = ("epsilon_svr", "nu_svr")
MACHINES = ("c_svc", "nu_svc")
Row = dict[int, Any]


def examples(content: str, source: str) -> tuple[list[list[Any]], list[Any]]:
    """Return the rows and labels of a data file; absent entries are zero.  Raises InvalidInput, naming the line.

    Example
        >>> examples("+1 1:0.5 3:2\\n-1 2:1\\n", "d")
        ([[Fraction(1, 2), 0, Fraction(2, 1)], [0, Fraction(1, 1), 0]], [1, -1])
    """
    rows, labels = [], []
    for number, line in enumerate(content.splitlines(), start=1):
        words = line.split("#", 1)[0].split()
        if words:
            labels.append(label(words[0], source, number))
            rows.append(entries(words[1:], source, number))
    if not rows:
        raise InvalidInput(source, need="rows of label and index:value", got="none")
    width = max((max(row, default=0) for row in rows), default=0)
    return [[row.get(j, 0) for j in range(1, width + 1)] for row in rows], labels


def label(word: str, source: str, line: int) -> Any:
    """Return a label, which is a number.  Raises InvalidInput for another text."""
    value = text.read(word.lstrip("+"))
    if isinstance(value, str):
        raise InvalidInput(source, need="a label that is a number", got=quoted(word), line=line)
    return int(value) if value == int(value) else value


def entries(words: Sequence[str], source: str, line: int) -> Row:
    """Return the entries of a sparse row by their index.  Raises InvalidInput for what is not index:value."""
    row: Row = {}
    for word in words:
        index, colon, value = word.partition(":")
        number = text.read(value)
        if not (colon and index.isdecimal()) or isinstance(number, str) or int(index) in row:
            raise InvalidInput(source, need="index:value, each index once", got=quoted(word), line=line)
        row[int(index)] = number
    return row


def answer(problem: Problem, content: str, source: str) -> dict[str, Any]:
    """Return what a model says of a problem: multipliers of its rows, and intercepts.

    Raises    InvalidInput for another form, and for a support vector that is no row of the problem
    """
    head, vectors = model(content, source)
    kind = head.get("svm_type", [""])[0]
    if kind not in MACHINES + REGRESSIONS:
        raise InvalidInput(source, need=f"svm_type among {', '.join(MACHINES + REGRESSIONS)}", got=quoted(kind))
    rho = [text.read(v) for v in head.get("rho", ())]
    coefficients = [[text.read(v) for v in own] for own, _ in vectors]
    if kind in REGRESSIONS:
        places = found(problem, [row for _, row in vectors], [None] * len(vectors), source)
        whole = [0] * len(problem.x)
        for i, (c,) in zip(places, coefficients):
            whole[i] = c
        return {"arithmetic": "float", "fitted": {"coefficients": whole, "intercept": _negative(rho[0])}}
    labels = [label(v, source, 0) for v in head["label"]]
    counts = [int(v) for v in head["nr_sv"]]
    owners = [name for name, count in zip(labels, counts) for _ in range(count)]
    places = found(problem, [row for _, row in vectors], owners, source)
    return {"arithmetic": "float", "fitted": pairs(problem, labels, owners, places, coefficients, rho)}


def model(content: str, source: str) -> tuple[dict[str, list[str]], list[tuple[list[str], Row]]]:
    """Return the head of a model by name, and each support vector's coefficients and entries.  Raises InvalidInput."""
    head: dict[str, list[str]] = {}
    lines = iter(enumerate(content.splitlines(), start=1))
    for _, line in lines:
        name, *values = line.split() or [""]
        if name == "SV":
            break
        head[name] = values
    vectors = []
    for number, line in lines:
        words = line.split()
        if words:
            first = next((i for i, word in enumerate(words) if ":" in word), len(words))
            vectors.append((words[:first], entries(words[first:], source, number)))
    width = max(1, len(head.get("label", ())) - 1)
    classes = len(head.get("label", ("",)))
    if any(len(own) != width for own, _ in vectors) or len(head.get("rho", ())) != max(1, classes * (classes - 1) // 2):
        raise InvalidInput(source, need="a LIBSVM model: a rho a machine, as many coefficients", got="another form")
    if "label" in head and sum(map(int, head.get("nr_sv", ()))) != len(vectors):
        raise InvalidInput(source, need="nr_sv support vectors", got=len(vectors))
    return head, vectors


def found(problem: Problem, vectors: Sequence[Row], owners: Sequence[Any], source: str) -> list[int]:
    """Return the row that each support vector is, each row once, in order.  Raises InvalidInput where there is none.

    owners    the class of each, or None
    """
    serial = problem.parameters.get("kernel") in ("precomputed", {"name": "precomputed"})
    width = len(problem.x[0]) if problem.x else 0
    free: dict[Any, list[int]] = {}
    for i, row in enumerate(problem.x):
        key = i + 1 if serial else tuple(map(_digits, row))
        free.setdefault(key, []).append(i)
    out = []
    for row, owner in zip(vectors, owners):
        key = int(row.get(0, 0)) if serial else tuple(_digits(row.get(j, 0)) for j in range(1, width + 1))
        own = [i for i in free.get(key, ()) if owner is None or alignment.same(problem.y[i], owner)]
        if not own or (not serial and max(row, default=0) > width):
            raise InvalidInput(source, need="support vectors that are rows of the problem", got=dict(row), label=owner)
        free[key].remove(own[0])
        out.append(own[0])
    return out


def _digits(value: Any) -> str:
    return f"{text.approximate(rational(value)) + 0:.8g}"


def _negative(value: Any) -> Any:
    return alignment.negated(value)


def pairs(
    problem: Problem,
    labels: Sequence[Any],
    owners: Sequence[Any],
    places: Sequence[int],
    coefficients: Sequence[Sequence[Any]],
    rho: Sequence[Any],
) -> dict[str, Any]:
    """Return multipliers and intercepts of the machines of all pairs from LIBSVM's layout.

    labels          the classes in the program's order; a pair's function is positive for the earlier one
    owners          the class of each support vector
    coefficients    of each support vector K − 1: against the other classes, in their order
    """
    names = list(data.labels(problem.y)[0])
    if not alignment.order(list(labels), names):
        raise InvalidInput("libsvm", need=f"the labels {names}", got=list(labels))
    alphas, intercepts = [], []
    numbers = [list(labels).index(owner) for owner in owners]
    for m, (i, j) in enumerate(combinations(range(len(labels)), 2)):
        alpha: list[Any] = [0] * len(problem.x)
        for k, place, own in zip(numbers, places, coefficients):
            if k == i:
                alpha[place] = own[j - 1]
            elif k == j:
                alpha[place] = _negative(own[i])
        alphas.append(alpha)
        intercepts.append(rho[m])  # Premise: here a pair's function is positive for the later class.
    if len(labels) == 2:
        return {"classes": list(labels), "alpha": alphas[0], "intercept": intercepts}
    return {"classes": list(labels), "alpha": alphas, "intercept": intercepts}


def question(examples: tuple[list[list[Any]], list[Any]], content: str, source: str) -> dict[str, Any]:
    """Return the problem that a model is an answer to, but for C and ε, which it does not hold."""
    head, _ = model(content, source)
    kind, kernel = (head.get(name, [""])[0] for name in ("svm_type", "kernel_type"))
    if kernel not in KERNELS:
        raise InvalidInput(source, need=f"kernel_type among {', '.join(KERNELS)}", got=quoted(kernel))
    gamma, constant, degree = (_of(head, name) for name in ("gamma", "coef0", "degree"))
    letters = {
        "gaussian": {"gamma": gamma},
        "polynomial": {"degree": degree, "scale": gamma, "c": constant},
        "sigmoid": {"a": gamma, "b": constant},
        "linear": {},
    }[KERNELS[kernel]]
    x, y = examples
    method = "svr" if kind in REGRESSIONS else "svc"
    return {"method": method, "x": x, "y": y, "parameters": {"kernel": {"name": KERNELS[kernel], **letters}}}


def _of(head: dict[str, list[str]], name: str) -> Optional[Any]:
    value = text.read(head[name][0]) if name in head else None
    return int(value) if value is not None and value == int(value) else value
