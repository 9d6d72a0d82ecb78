"""Models of R's e1071, kernlab and MASS, as the script of spec/json.md writes them.

{"program": "e1071", "index": […], "coefs": [[…]], "rho": […], "labels": […]}        labels in the order of LIBSVM
{"program": "kernlab", "index": [[…]], "coef": [[…]], "b": […], "labels": […]}       an entry for each pair of classes
{"program": "MASS", "labels": […], "means": [[…]], "prior": […], "scaling": …, "ldet": […]}
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Callable

from refclass.errors import InvalidInput, quoted
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle import alignment
from refclass.oracle.problem import Problem, kind_of
from refclass.oracle.readers import libsvm
from refclass.oracle.references import rows


def answer(problem: Problem, given: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return what a model says of a problem.  Raises InvalidInput for another program or form."""
    known: dict[str, Callable[[Problem, Mapping[str, Any]], dict[str, Any]]] = {
        "e1071": _e1071,
        "kernlab": _kernlab,
        "MASS": _mass,
    }
    if given.get("program") not in known:
        raise InvalidInput(source, need=f"a program among {', '.join(known)}", got=quoted(given.get("program")))
    try:
        return {"arithmetic": "float", "fitted": known[given["program"]](problem, given)}
    except (KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        need = f"a model of {given['program']} as the script writes it"
        raise InvalidInput(source, need=need, got=f"{type(error).__name__}: {error}") from None


def _e1071(problem: Problem, given: Mapping[str, Any]) -> dict[str, Any]:
    places = [int(i) - 1 for i in _list(given["index"])]
    coefs = [_list(row) for row in given["coefs"] or []]  # a regression without support vectors has none
    rho = _list(given["rho"])
    if not kind_of(problem.method).takes_labels:
        whole: list[Any] = [0] * len(problem.x)
        for i, (c,) in zip(places, coefs):
            whole[i] = c
        return {"coefficients": whole, "intercept": alignment.negated(rho[0])}
    labels = _named(problem, given["labels"])
    return libsvm.pairs(problem, labels, [problem.y[i] for i in places], places, coefs, rho)


def _kernlab(problem: Problem, given: Mapping[str, Any]) -> dict[str, Any]:
    b, n = _list(given["b"]), len(problem.x)
    machines = []
    for index, coef in zip(_nested(given["index"]), _nested(given["coef"])):
        whole: list[Any] = [0] * n
        for i, c in zip(index, coef):
            whole[int(i) - 1] = c
        machines.append(whole)
    if not kind_of(problem.method).takes_labels:  # its `lev` of a regression are the values of y
        return {"coefficients": machines[0], "intercept": alignment.negated(b[0])}
    labels = _named(problem, given["labels"])
    pairs = [(i, j) for i in range(len(labels)) for j in range(i + 1, len(labels))]
    alphas = []
    for (i, j), whole in zip(pairs, machines):
        sign = {str(labels[i]): -1, str(labels[j]): 1}
        alphas.append([rational(text.read(v)) * sign.get(str(y), 1) for v, y in zip(whole, problem.y)])
    intercept = [alignment.negated(v) for v in b]
    return {"classes": labels, "alpha": alphas[0] if len(labels) == 2 else alphas, "intercept": intercept}


def _mass(problem: Problem, given: Mapping[str, Any]) -> dict[str, Any]:
    out = {"classes": _named(problem, given["labels"]), "means": given["means"], "priors": _list(given["prior"])}
    scaling = given.get("scaling")
    if problem.method == "lda":
        return {**out, "scalings": scaling} if scaling else out
    if scaling:
        out["covariances"] = [_covariance(S) for S in scaling]
    if given.get("ldet"):
        out["log_determinants"] = _list(given["ldet"])
    return out


def _covariance(scaling: list[list[Any]]) -> list[list[Fraction]]:
    """Return (S Sᵀ)⁻¹."""
    S = [[rational(text.read(v)) for v in row] for row in scaling]
    A = [[rows.dot(u, v) for v in S] for u in S]
    unit = [[Fraction(int(i == j)) for j in range(len(A))] for i in range(len(A))]
    return rows.solve(A, unit)


def _named(problem: Problem, labels: Any) -> list[Any]:
    """Return labels as the problem has them: R's levels are text."""
    return [next((y for y in problem.y if alignment.same(y, v)), v) for v in _list(labels)]


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _nested(value: Any) -> list[list[Any]]:
    """Return a list of lists; a single one may stand alone."""
    entries = _list(value)
    return [_list(v) for v in entries] if any(isinstance(v, list) for v in entries) else [entries]
