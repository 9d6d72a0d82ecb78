"""Judging somebody else's answer: proven or refuted, without solving the problem.

A two-class machine is judged by its multipliers and intercept, or by its hyperplane; machines of many classes one by
one; other methods, whose answer is a formula, by the formula computed anew in exact arithmetic, attribute by attribute.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput, NotExact
from refclass.estimators import svc
from refclass.estimators.lee_lin_wahba import LeeLinWahbaSVC
from refclass.estimators.points import Given
from refclass.estimators.several import Several, Task
from refclass.kernels.precomputed import Precomputed
from refclass.linear.vector import Vector
from refclass.margins import joint, proof
from refclass.number import arithmetic, text
from refclass.number.field import rational
from refclass.number.near import THRESHOLD
from refclass.number.rational import RATIONAL
from refclass.optimise.certificate import Certificate
from refclass.oracle import columns, shares
from refclass.oracle.answer import tree
from refclass.oracle.problem import Problem, decode
from refclass.sample import data

DOUBLE = Fraction(sys.float_info.epsilon)


def read(content: str, source: str) -> dict[str, Any]:
    """Return the answer in the JSON text.  Raises InvalidInput if it is no object with fitted values."""
    given = decode(content, source)
    if not isinstance(given, dict):
        raise InvalidInput(source, need="a JSON object with fitted values", got=type(given).__name__)
    fitted = given.get("fitted", {k: v for k, v in given.items() if k not in ("method", "parameters", "arithmetic")})
    if not isinstance(fitted, dict) or not fitted:
        raise InvalidInput(source, need="fitted values", got="none")
    return {**given, "fitted": fitted}


def verify(problem: Problem, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on an answer: accepted or not, why, and the proof in exact numbers.

    An answer that says `"arithmetic": "exact"` must be exact; any other may be off by 30 units of roundoff of its
    numbers (doubles, unless it says "decimal:n").

    Raises    InvalidInput if the answer lacks what is needed, or if its form does not fit the problem
    """
    eps = _spacing(answer.get("arithmetic", "float"))
    estimator, fitted = problem.estimator(), answer["fitted"]
    if isinstance(estimator, LeeLinWahbaSVC):
        return _proven(columns.certificate(estimator, problem, fitted, eps))
    names = data.labels(problem.y)[0] if isinstance(estimator, (svc.SVC, Several)) else ()
    if isinstance(estimator, Several) or len(names) > 2:
        return _several(problem, estimator, names, fitted, eps)
    if isinstance(estimator, svc.SVC):
        return _proven(_machine(estimator, estimator.given(problem.x), problem.y, problem.weights, fitted, eps))
    return _recomputed(problem, fitted, eps)


def _proven(certificate: Certificate) -> dict[str, Any]:
    accepted = certificate.status == "optimal"
    verdict = {"accepted": accepted, "reason": "optimal" if accepted else certificate.where}
    exact = proof_tree(certificate)
    return {**verdict, "certificate": exact, "decimal": tree(certificate, text.approximate)}


def _several(problem: Problem, estimator: Any, names: Any, fitted: Mapping[str, Any], eps: Fraction) -> dict[str, Any]:
    """Return the verdict on several machines: accepted if each is, and the proof of all as one problem."""
    given = estimator.given(problem.x)
    tasks = estimator.tasks(given, problem.y, problem.weights)
    verdicts, proofs = [], []
    for task, share in zip(tasks, shares.shares(tasks, names, len(given), fitted)):
        if isinstance(task.estimator, svc.SVC):
            certificate = _machine(task.estimator, task.given, task.labels, task.weights, share.fitted, eps)
            proofs.append((task.name, certificate))
            verdict = _proven(certificate)
        else:
            verdict = _recomputed(_alone(task, problem.arithmetic), share.fitted, eps)
        good, reason = verdict["accepted"] and not share.stray, share.stray or verdict["reason"]
        verdicts.append({"machine": task.name, "accepted": good, "reason": reason})
    refuted = next((v for v in verdicts if not v["accepted"]), None)
    accepted = "optimal" if proofs else "every machine as its formula gives it"
    reason = accepted if refuted is None else f"{refuted['machine']}: {refuted['reason']}"
    whole = _proven(joint.certify(proofs)) if proofs else {}
    return {**whole, "accepted": refuted is None, "reason": reason, "machines": verdicts}


def _alone(task: Task, arithmetic: str) -> Problem:
    """Return the question of one machine as a problem of its own."""
    parameters = task.estimator.get_params(deep=False)
    del parameters["arithmetic"]
    rows = task.given.points
    if isinstance(task.given, Given) and isinstance(task.given.kernel, Precomputed):
        rows = task.given.rows
    weights = None if task.weights is None else list(task.weights)
    return Problem(task.estimator.method, list(rows), task.labels, parameters, arithmetic, weights)


def proof_tree(certificate: Any) -> Any:
    """Return the certificate as JSON holds it."""
    return tree(certificate)


def _spacing(name: Any) -> Fraction:
    F = arithmetic.field(name)
    return rational(F.eps)


def _machine(
    estimator: svc.SVC, given: Given, y: Any, weights: Any, fitted: Mapping[str, Any], eps: Fraction
) -> Certificate:
    machine, classes = estimator.machine(given, y, weights)
    turned = -1 if list(fitted.get("classes", classes)) == classes[::-1] else 1
    beta0 = turned * _number("intercept", fitted.get("intercept", [0] if not machine.intercept else None))
    if "alpha" in fitted or "dual_coef" in fitted:
        return proof.certify(machine, _multipliers(machine, fitted, turned), beta0, eps)
    if "coef" in fitted:
        return proof.certify_hyperplane(machine, turned * Vector(_numbers("coef", fitted["coef"])), beta0, eps)
    need = "alpha and intercept, dual_coef with support and intercept, or coef and intercept"
    raise InvalidInput("verify", need=need, got=", ".join(fitted))


def _multipliers(machine: Any, fitted: Mapping[str, Any], turned: int) -> Vector:
    n = len(machine.y)
    if "alpha" in fitted:
        alpha = _numbers("alpha", fitted["alpha"])
        if len(alpha) != n:
            raise InvalidInput("verify", need=f"{n} multipliers in alpha, one for each row of x", got=len(alpha))
        return Vector(alpha)
    signed, support = _numbers("dual_coef", fitted["dual_coef"]), fitted.get("support")
    if not isinstance(support, list) or len(support) != len(signed) or len(set(support)) < len(support):
        raise InvalidInput("verify", need=f"support, {len(signed)} different row numbers", got=support)
    full = [Fraction(0)] * n
    for i, v in zip(support, signed):
        if type(i) is not int or not 0 <= i < n:
            raise InvalidInput("verify", need=f"row numbers from 0 to {n - 1} in support", got=i)
        full[i] = turned * v * rational(machine.y[i])
    return Vector(full)


def _numbers(name: str, values: Any) -> list[Fraction]:
    if isinstance(values, list) and len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    if not isinstance(values, list) or not values:
        raise InvalidInput("verify", need=f"{name} as a list of numbers", got=values)
    return [_number(name, v) for v in values]


def _number(name: str, value: Any) -> Fraction:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    try:
        return rational(value)
    except InvalidInput:
        raise InvalidInput("verify", need=f"{name} as a finite number", got=repr(value)) from None


def _recomputed(problem: Problem, fitted: Mapping[str, Any], eps: Fraction) -> dict[str, Any]:
    exact = _reference(problem)
    kinds = {name.rstrip("_") for name in type(exact).fitted}
    worst, where, compared = Fraction(0), "", []
    for name, values in fitted.items():
        if name not in kinds:
            raise InvalidInput("verify", need=f"fitted values among {', '.join(sorted(kinds))}", got=repr(name))
        if name == "classes":
            continue
        want = _flat(getattr(exact, name + "_"))
        got = _flat(values)
        if len(got) != len(want):
            raise InvalidInput("verify", need=f"{len(want)} numbers in {name}", got=len(got))
        size = max(map(abs, want)) * len(problem.x)
        for i, (g, w) in enumerate(zip(got, want)):
            units = abs(g - w) / (size * eps) if size and eps else (Fraction(0) if g == w else Fraction(10**9))
            if units > worst:
                worst, where = units, f"{name}[{i}]: got {text.approximate(g):.9g}, want {text.approximate(w):.9g}"
        compared.append(name)
    if not compared:
        raise InvalidInput("verify", need=f"fitted values among {', '.join(sorted(kinds))}", got=", ".join(fitted))
    accepted = worst <= THRESHOLD
    reason = f"{', '.join(compared)} as the formula gives them" if accepted else where
    return {"accepted": accepted, "reason": reason, "units_of_roundoff": text.approximate(worst)}


def _reference(problem: Problem) -> Any:
    """Return the estimator fitted in exact arithmetic, or in decimals where the method needs roots."""
    for name in ("exact", "decimal:50"):
        try:
            exact = replace(problem, arithmetic=name)
            y = [RATIONAL.lift(v) if isinstance(v, (float, Fraction)) else v for v in problem.y]
            estimator = replace(exact, y=y).fitted()
            for attribute in estimator.fitted:
                getattr(estimator, attribute, None)
            return estimator
        except NotExact:
            continue
    raise InvalidInput("verify", need="a method with a formula", got=problem.method)


def _flat(values: Any) -> list[Fraction]:
    if isinstance(values, (list, tuple)):
        return [v for part in values for v in _flat(part)]
    return [rational(values)]
