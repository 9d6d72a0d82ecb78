"""The oracle's answer to a problem, as JSON: fitted values, predictions, proof, or the refusal with its witness.

Exact numbers and decimals are text, "p/q" or digits; the same tree in rounded numbers stands beside them, under
"decimal".
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import asdict, is_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import NotExact, Refusal, show
from refclass.estimators import solve_qp
from refclass.estimators.protocol.estimator import Estimator
from refclass.number import text
from refclass.oracle.problem import Problem


def answer(problem: Problem) -> dict[str, Any]:
    """Return the answer to the problem; a refusal is an answer, too.

    Raises    InvalidInput if the problem itself is at fault
    """
    try:
        return of(problem, problem.fitted()) if problem.programme is None else _of_programme(problem)
    except Refusal as refusal:
        if isinstance(refusal, ValueError):
            raise
        return refusal_to(problem, refusal)


def refusal_to(problem: Problem, refusal: Refusal) -> dict[str, Any]:
    """Return a refusal as the answer to the problem."""
    return {**_head(problem), **refused(refusal)}


def of(problem: Problem, estimator: Any) -> dict[str, Any]:
    """Return what a fitted estimator answers to the problem."""
    left: dict[str, str] = {}
    body = {"fitted": fitted(estimator, left), "predictions": predictions(estimator, problem.query, left)}
    try:
        certificate = getattr(estimator, "certificate_", None)
    except Refusal as refusal:
        certificate = None
        _leave(left, "certificate", refusal)
    if certificate is not None:
        body["certificate"] = proof(certificate)
    out = {**_head(problem), **{name: tree(value) for name, value in body.items()}}
    if left:
        out["left_out"] = left
    if problem.arithmetic != "float":
        out["decimal"] = {name: tree(value, text.approximate) for name, value in body.items()}
    return out


def _of_programme(problem: Problem) -> dict[str, Any]:
    """Return the optimum of a quadratic programme."""
    found = solve_qp.solution(problem.programme, problem.arithmetic)
    values = {"x": found.x, "y": found.y, "objective": found.objective, "active": found.active}
    body = {"fitted": values, "certificate": proof(found.certificate)}
    out = {**_head(problem), **{name: tree(value) for name, value in body.items()}}
    if problem.arithmetic != "float":
        out["decimal"] = {name: tree(value, text.approximate) for name, value in body.items()}
    return out


def _head(problem: Problem) -> dict[str, Any]:
    name = {"name": problem.name} if problem.name else {}
    return {
        **name,
        "method": problem.method,
        "parameters": tree(problem.parameters),
        "arithmetic": problem.arithmetic,
    }


def fitted(estimator: Any, left: Optional[dict[str, str]] = None) -> dict[str, Any]:
    """Return the fitted attributes by their names without underscore.

    left    takes the names of those that are left out, each with the refusal: no number of its arithmetic
    """
    values = {}
    for name in estimator.fitted:
        try:
            value = getattr(estimator, name, None)
        except Refusal as refusal:
            _leave(left, name.rstrip("_"), refusal)
            continue
        if value is not None:
            values[name.rstrip("_")] = value
    return values


def predictions(estimator: Any, query: Any, left: Optional[dict[str, str]] = None) -> dict[str, Any]:
    """Return labels, decision values, posteriors, votes at the query points, as far as the method defines them."""
    if query is None:
        return {}
    out = {}
    asked = [("labels", "predict"), ("decision", "decision_function"), ("posterior", "predict_proba")]
    if hasattr(estimator, "estimators_"):  # several two-class machines, which may disagree
        asked += [("votes", "votes"), ("unclassifiable", "unclassifiable")]
    for name, method in asked:
        if hasattr(estimator, method):
            try:
                out[name] = getattr(estimator, method)(query)
            except NotExact as refusal:
                _leave(left, name, refusal)
    return out


def _leave(left: Optional[dict[str, str]], name: str, refusal: Refusal) -> None:
    if left is not None:
        left[name] = str(refusal)


def proof(certificate: Any) -> dict[str, Any]:
    """Return a certificate as a mapping."""
    return asdict(certificate) if is_dataclass(certificate) and not isinstance(certificate, type) else dict(certificate)


def refused(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal as a mapping, its witness included."""
    witness = {name: tree(value) for name, value in refusal.witness.items()}
    got = refusal.got if isinstance(refusal.got, str) else tree(refusal.got) if _is_number(refusal.got) else ""
    body = {
        "type": type(refusal).__name__,
        "module": refusal.module,
        "need": refusal.need,
        "got": got or show(refusal.got),
    }
    return {"refusal": {**body, "witness": witness}}


def tree(value: Any, shown: Any = text.show) -> Any:
    """Return the value as JSON holds it, exact numbers through `shown`."""
    if isinstance(value, (Fraction, Decimal)):
        number = shown(value)
        return str(number) if isinstance(number, float) and number - number != 0 else number
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):  # Premise: Python refuses to write out integers of some thousands of digits
        return value if abs(value) < text.SHORT_INTEGER else text.show(value)
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if isinstance(value, Mapping):
        return {_key(name): tree(v, shown) for name, v in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {name: tree(v, shown) for name, v in asdict(value).items()}
    if isinstance(value, Estimator):
        return tree(fitted(value), shown)
    if hasattr(value, "__iter__"):
        return [tree(v, shown) for v in value]
    return str(value)


def _key(name: Hashable) -> str:
    return name if isinstance(name, str) else str(name)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Fraction, Decimal))
