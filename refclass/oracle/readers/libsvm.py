"""LIBSVM's text files: data in sparse rows, and models with support vectors  (Chang and Lin, LIBSVM, section 4).

A model's function is Σ cᵢK(xᵢ, x) − rho, positive for the class that `label` names first; of K > 2 classes there is one
for each pair, and each support vector has K − 1 coefficients. Support vectors are known by their values, written in 8
or 17 digits: they are found among the rows of the problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle import alignment
from refclass.oracle.problem import Problem
from refclass.oracle.readers import kernel_claims
from refclass.sample import data

KERNELS = ("linear", "polynomial", "rbf", "sigmoid")
REGRESSIONS = ("epsilon_svr", "nu_svr")
MACHINES = ("c_svc", "nu_svc")
LONG = 10  # digits of an index or a count beyond which it is none
Row = dict[int, Any]


def examples(content: str, source: str) -> tuple[list[list[Any]], list[Any]]:
    """Return the rows and labels of a data file; absent entries are zero.  Raises InvalidInput, naming the line.

    Example
        >>> examples("+1 1:0.5 3:2\\n-1 2:1\\n", "d")
        ([[Fraction(1, 2), 0, Fraction(2, 1)], [0, Fraction(1, 1), 0]], [1, -1])
    """
    rows, labels = [], []
    for place, line in enumerate(content.splitlines(), start=1):
        words = line.split("#", 1)[0].split()
        if words:
            labels.append(label(words[0], source, place))
            rows.append(entries(words[1:], source, place))
    if not rows:
        raise InvalidInput(source, need="rows of label and index:value", got="none")
    width = max((max(row, default=0) for row in rows), default=0)
    return [[row.get(j, 0) for j in range(1, width + 1)] for row in rows], labels


def label(word: str, source: str, line: int) -> Any:
    """Return a label, which is a number.  Raises InvalidInput for another text."""
    value = text.read(word.lstrip("+"))
    if isinstance(value, str):
        where = {"line": line} if line else {}
        raise InvalidInput(source, need="a label that is a number", got=quoted(word), **where)
    return int(value) if value == int(value) else value


def entries(words: Sequence[str], source: str, line: int) -> Row:
    """Return the entries of a sparse row by their index.  Raises InvalidInput for what is not index:value."""
    row: Row = {}
    for word in words:
        index, colon, value = word.partition(":")
        read = text.read(value)
        sound = colon and index.isdecimal() and len(index) < LONG and not isinstance(read, str)
        if not sound or int(index) in row:
            raise InvalidInput(source, need="index:value, each index once", got=quoted(word), line=line)
        row[int(index)] = read
    return row


def answer(problem: Problem, content: str, source: str) -> dict[str, Any]:
    """Return what a model says of a problem: multipliers of its rows, and intercepts.

    Raises    InvalidInput for another form, and for a support vector that is no row of the problem
    """
    head, vectors = model(content, source)
    kind = head["svm_type"][0]
    rho = [text.read(v) for v in head.get("rho", ())]
    coefficients = [[text.read(v) for v in own] for own, _ in vectors]
    said = {"arithmetic": "float", **kernel_claims.claim(problem, _kernel(head, source))}
    if kind in REGRESSIONS:
        places = found(problem, [row for _, row in vectors], [None] * len(vectors), source)
        whole = [0] * len(problem.x)
        for i, (c,) in zip(places, coefficients):
            whole[i] = c
        return {**said, "fitted": {"coefficients": whole, "intercept": _negative(rho[0])}}
    labels = [label(v, source, 0) for v in head["label"]]
    counts = [int(v) for v in head["nr_sv"]]
    owners = [name for name, count in zip(labels, counts) for _ in range(count)]
    places = found(problem, [row for _, row in vectors], owners, source)
    return {**said, "fitted": pairs(problem, labels, owners, places, coefficients, rho)}


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
    for place, line in lines:
        words = line.split()
        if words:
            first = next((i for i, word in enumerate(words) if ":" in word), len(words))
            vectors.append((words[:first], entries(words[first:], source, place)))
    _check(head, vectors, source)
    return head, vectors


def _check(head: dict[str, list[str]], vectors: Sequence[tuple[list[str], Row]], source: str) -> None:
    """Raises InvalidInput for the first entry of a model that is missing, no number, or of another count."""
    kind = head.get("svm_type", [""])[0] if head.get("svm_type") else ""
    if kind not in MACHINES + REGRESSIONS:
        raise InvalidInput(source, need=f"svm_type among {', '.join(MACHINES + REGRESSIONS)}", got=quoted(kind))
    if kind in REGRESSIONS:
        machines = width = 1
    else:
        classes = whole_number(head, "nr_class", source, 2)
        entry(head, "label", source, classes)
        for word in head["label"]:
            label(word, source, 0)
        machines, width = classes * (classes - 1) // 2, classes - 1
        counts = [count(word, "nr_sv", source, 0) for word in entry(head, "nr_sv", source, classes)]
        if sum(counts) != len(vectors):
            raise InvalidInput(source, need=f"{sum(counts)} support vectors, as nr_sv says", got=len(vectors))
    for word in entry(head, "rho", source, machines):
        number(word, "rho", source)
    for k, (own, _) in enumerate(vectors, start=1):
        if len(own) != width:
            raise InvalidInput(source, need=f"coefficients of each support vector, {width}", got=len(own), vector=k)
        for word in own:
            number(word, "a coefficient", source)
    total = head.get("total_sv")
    if total is not None and whole_number(head, "total_sv", source, 0) != len(vectors):
        raise InvalidInput(source, need=f"{total[0]} support vectors, as total_sv says", got=len(vectors))


def entry(head: Mapping[str, list[str]], name: str, source: str, length: int) -> list[str]:
    """Return the words of an entry of a model's head.  Raises InvalidInput unless there are so many."""
    words = head.get(name)
    if words is None or len(words) != length:
        got = f"no {name}" if words is None else len(words)
        raise InvalidInput(source, need=f"{name} with {length} entries", got=got)
    return words


def whole_number(head: Mapping[str, list[str]], name: str, source: str, least: int) -> int:
    """Return the integer of an entry of a model's head.  Raises InvalidInput for another, or one below the least."""
    return count(entry(head, name, source, 1)[0], name, source, least)


def count(word: str, name: str, source: str, least: int) -> int:
    """Return an integer.  Raises InvalidInput for what is none, longer than nine digits, or below the least."""
    if not (word.isdecimal() and len(word) < LONG and int(word) >= least):
        raise InvalidInput(source, need=f"{name} as an integer ≥ {least}", got=quoted(word))
    return int(word)


def number(word: str, name: str, source: str) -> Any:
    """Return a number.  Raises InvalidInput for another text."""
    value = text.read(word.lstrip("+"))
    if isinstance(value, str):
        raise InvalidInput(source, need=f"{name} as a finite number", got=quoted(word))
    return value


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
            of_class = "" if owner is None else f" of class {quoted(owner)}"
            got = " ".join(f"{j}:{_digits(v)}" for j, v in row.items()) or "one of zeros"
            others = [quoted(problem.y[i]) for i in free.get(key, ()) if owner is not None]
            got += f", of class {others[0]}" if others else ""
            raise InvalidInput(source, need=f"support vectors that are rows{of_class} of the problem", got=got)
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
    kind, kernel = (entry(head, name, source, 1)[0] for name in ("svm_type", "kernel_type"))
    described = _kernel(head, source)
    if described is None:
        raise InvalidInput(source, need=f"kernel_type among {', '.join(KERNELS)}", got=quoted(kernel))
    x, y = examples
    method = "svr" if kind in REGRESSIONS else "svc"
    return {"method": method, "x": x, "y": y, "parameters": {"kernel": described}}


def _kernel(head: dict[str, list[str]], source: str) -> Optional[dict[str, Any]]:
    """Return the kernel that a model's head names, None if none or another than of rows."""
    letters = [_of(head, name, source) for name in ("gamma", "coef0", "degree")]
    return kernel_claims.described(head["kernel_type"][0], *letters) if head.get("kernel_type") else None


def _of(head: dict[str, list[str]], name: str, source: str) -> Optional[Any]:
    value = number(entry(head, name, source, 1)[0], name, source) if name in head else None
    return int(value) if value is not None and value == int(value) else value
