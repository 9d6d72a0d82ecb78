"""Judging somebody else's answer: proven or refuted, without solving the problem.

A machine is judged by its multipliers and intercept, or by its hyperplane; machines of many classes one by one. What
else is told of it, and its predictions, must follow from what was proven. Other methods have one answer, which is
computed anew in exact arithmetic and compared, attribute by attribute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, Optional

from refclass.errors import InvalidInput, Refusal
from refclass.estimators import svc
from refclass.estimators.crammer_singer import CrammerSingerSVC
from refclass.estimators.estimator import clone
from refclass.estimators.lee_lin_wahba import LeeLinWahbaSVC
from refclass.estimators.points import Given
from refclass.estimators.several import Several, Task
from refclass.estimators.told import Told
from refclass.kernels.precomputed import Precomputed
from refclass.linear.vector import Vector
from refclass.margins import joint, proof
from refclass.number import arithmetic, text
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.optimise.certificate import Certificate
from refclass.oracle import columns, direct, shares
from refclass.oracle.answer import tree
from refclass.oracle.comparison import Comparison, Reference, compare, leaves, predictions
from refclass.oracle.problem import Problem, decode
from refclass.sample import data

HEAD = ("method", "parameters", "arithmetic", "predictions", "certificate", "decimal", "refusal")

# What the machines of an answer share out among them: it is judged machine by machine.
SHARED = ("estimators", "alpha", "intercept", "coef", "dual_coef", "support")


class Judged(NamedTuple):
    """The verdict on one machine, its proof, and its multipliers and intercept where they are told."""

    verdict: dict[str, Any]
    certificate: Certificate
    alpha: Optional[Vector] = None
    beta0: Any = None


def read(content: str, source: str) -> dict[str, Any]:
    """Return the answer in the JSON text.  Raises InvalidInput if it is no object with fitted values."""
    given = decode(content, source)
    if not isinstance(given, dict):
        raise InvalidInput(source, need="a JSON object with fitted values", got=type(given).__name__)
    fitted = given.get("fitted", {k: v for k, v in given.items() if k not in HEAD})
    if not isinstance(fitted, dict) or not (fitted or "refusal" in given):
        raise InvalidInput(source, need="fitted values", got="none")
    for name in ("predictions", "refusal"):
        if not isinstance(given.get(name, {}), dict):
            raise InvalidInput(source, need=f"{name} as an object", got=repr(given[name]))
    if not isinstance(fitted.get("classes", []), list):
        raise InvalidInput(source, need="classes as a list of labels", got=repr(fitted["classes"]))
    return {**given, "fitted": fitted}


def verify(problem: Problem, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on an answer: accepted or not, why, and the proof in exact numbers.

    An answer that says `"arithmetic": "exact"` must be exact; any other may be off by 30 units of roundoff of its
    numbers (doubles, unless it says "decimal:n").

    Raises    InvalidInput if the answer lacks what is needed, or if its form does not fit the problem
    """
    eps = _spacing(answer.get("arithmetic", "float"))
    if "refusal" in answer:
        return _refused(problem, answer["refusal"])
    estimator, fitted = problem.estimator(), answer["fitted"]
    if isinstance(estimator, (CrammerSingerSVC, LeeLinWahbaSVC)):
        reader: Any = direct if isinstance(estimator, CrammerSingerSVC) else columns
        verdict = _proven(reader.certificate(estimator, problem, fitted, eps))
        ordered = list(fitted.get("classes", [])) in ([], estimator.machine(problem.x, problem.y, problem.weights)[1])
        return _compared(problem, answer, eps) if verdict["accepted"] and "alpha" in fitted and ordered else verdict
    names = data.labels(problem.y)[0] if isinstance(estimator, (svc.SVC, Several)) else ()
    if isinstance(estimator, Several) or len(names) > 2:
        return _several(problem, estimator, names, answer, eps)
    if isinstance(estimator, svc.SVC):
        return _two(problem, estimator, answer, eps).verdict
    return _compared(problem, answer, eps)


def _refused(problem: Problem, told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on a refusal: right if the problem, put anew, is refused in the same way."""
    try:
        problem.fitted()
    except Refusal as refusal:
        kind = type(refusal).__name__
        accepted = told.get("type", kind) == kind
        return {
            "accepted": accepted,
            "reason": str(refusal) if accepted else f"got {told['type']}, want {kind}: {refusal}",
        }
    return {"accepted": False, "reason": "there is an answer"}


def _proven(certificate: Certificate) -> dict[str, Any]:
    accepted = certificate.status in ("optimal", "stationary")
    verdict = {"accepted": accepted, "reason": certificate.status if accepted else certificate.where}
    exact = proof_tree(certificate)
    return {**verdict, "certificate": exact, "decimal": tree(certificate, text.approximate)}


def _two(problem: Problem, estimator: svc.SVC, answer: Mapping[str, Any], eps: Fraction) -> Judged:
    """Return the verdict on a two-class machine: the proof, and whether all else that is told follows from it."""
    fitted = answer["fitted"]
    given = estimator.given(problem.x)
    certificate = _machine(estimator, given, problem.y, problem.weights, fitted)
    verdict = _proven(certificate)
    if "alpha" not in fitted and "dual_coef" not in fitted:
        return Judged(verdict, certificate)
    machine, classes = estimator.machine(given, problem.y, problem.weights)
    turned = _turned(fitted, classes)
    alpha = _multipliers(machine, fitted, turned)
    beta0 = turned * _number("intercept", fitted.get("intercept", [0] if not machine.intercept else None))

    def make(name: str) -> svc.SVC:
        taker: svc.SVC = clone(estimator).set_params(arithmetic=name)
        return taker.take(taker.given(problem.x), problem.y, alpha, beta0, problem.weights)

    reference = Reference(make, answer.get("arithmetic", "float"), len(problem.x), _bulk(problem, fitted))
    proven = ("alpha", "intercept") if "alpha" in fitted else ("dual_coef", "support", "intercept")
    rest = {name: v for name, v in fitted.items() if name not in proven}
    whole = {**answer, "fitted": {**rest, "classes": fitted.get("classes", classes)}}
    return Judged(_consistent(verdict, eps, reference, whole, problem, turned < 0), certificate, alpha, beta0)


def _turned(fitted: Mapping[str, Any], classes: list[Any]) -> int:
    return -1 if list(fitted.get("classes", classes)) == classes[::-1] else 1


def _several(problem: Problem, estimator: Any, names: Any, answer: Mapping[str, Any], eps: Fraction) -> dict[str, Any]:
    """Return the verdict on several machines: accepted if each is, and the proof of all as one problem."""
    fitted, given = answer["fitted"], estimator.given(problem.x)
    tasks = estimator.tasks(given, problem.y, problem.weights)
    verdicts, each = [], []
    for task, share in zip(tasks, shares.shares(tasks, names, len(given), fitted)):
        own, told = _alone(task, problem.arithmetic), {**answer, "fitted": share.fitted, "predictions": {}}
        if isinstance(task.estimator, svc.SVC):
            each.append(_two(own, task.estimator, told, eps))
            verdict = each[-1].verdict
        else:
            verdict = _compared(own, told, eps)
        good, reason = verdict["accepted"] and not share.stray, share.stray or verdict["reason"]
        verdicts.append({"machine": task.name, "accepted": good, "reason": reason})
    refuted = next((v for v in verdicts if not v["accepted"]), None)
    accepted = "optimal" if each else "every machine as its formula gives it"
    reason = accepted if refuted is None else f"{refuted['machine']}: {refuted['reason']}"
    whole = _proven(joint.certify([(task.name, own.certificate) for task, own in zip(tasks, each)])) if each else {}
    verdict = {**whole, "accepted": refuted is None, "reason": reason, "machines": verdicts}
    if refuted is not None or list(fitted.get("classes", names)) != list(names):
        return verdict
    proven = SHARED[:4] if "alpha" in fitted else SHARED
    rest = {**answer, "fitted": {name: v for name, v in fitted.items() if name not in proven}}
    if not rest["fitted"] and not answer.get("predictions"):
        return verdict
    if not each:
        return _consistent(verdict, eps, _anew(problem, answer), rest, problem, False)
    if any(own.alpha is None for own in each):
        return verdict

    def make(name: str) -> Any:
        taker = clone(estimator).set_params(arithmetic=name)
        asked = taker.tasks(taker.given(problem.x), problem.y, problem.weights)
        found = [t.estimator.take(t.given, t.labels, o.alpha, o.beta0, t.weights) for t, o in zip(asked, each)]
        return taker.assemble(asked, found, problem.y)

    reference = Reference(make, answer.get("arithmetic", "float"), len(problem.x), _bulk(problem, fitted))
    return _consistent(verdict, eps, reference, rest, problem, False)


def _alone(task: Task, arithmetic: str) -> Problem:
    """Return the question of one machine as a problem of its own."""
    parameters = task.estimator.get_params(deep=False)
    del parameters["arithmetic"]
    rows = task.given.points
    if isinstance(task.given, Given) and isinstance(task.given.kernel, Precomputed):
        rows = [task.given.rows.row(i) for i in range(len(task.given))]
    weights = None if task.weights is None else list(task.weights)
    return Problem(task.estimator.method, list(rows), task.labels, parameters, arithmetic, weights)


def proof_tree(certificate: Any) -> Any:
    """Return the certificate as JSON holds it."""
    return tree(certificate)


def _spacing(name: Any) -> Fraction:
    F = arithmetic.field(name)
    return rational(F.eps)


def _machine(estimator: svc.SVC, given: Given, y: Any, weights: Any, fitted: Mapping[str, Any]) -> Certificate:
    machine, classes = estimator.machine(given, y, weights)
    turned = _turned(fitted, classes)
    beta0 = turned * _number("intercept", fitted.get("intercept", [0] if not machine.intercept else None))
    if "alpha" in fitted or "dual_coef" in fitted:
        return proof.certify(machine, _multipliers(machine, fitted, turned), beta0)
    if "coef" in fitted:
        return proof.certify_hyperplane(machine, turned * Vector(_numbers("coef", fitted["coef"])), beta0)
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


def _compared(problem: Problem, answer: Mapping[str, Any], eps: Fraction) -> dict[str, Any]:
    """Return the verdict on an answer that is claimed, where its method has a proof for any, or else computed anew."""
    told = Told(answer["fitted"])
    claimed: list[bool] = []

    def make(name: str) -> Any:
        asked = replace(problem, arithmetic=name, y=[_exact(v) for v in problem.y])
        estimator = asked.estimator()
        weights = () if asked.weights is None else (asked.weights,)
        claimed.append(estimator.claim(asked.x, asked.y, told, *weights))
        return estimator if claimed[-1] else asked.fitted()

    reference = Reference(make, answer.get("arithmetic", "float"), len(problem.x), Fraction(0))
    reference.read(lambda estimator: None)
    if not claimed[-1]:
        return _agreement(eps, reference, answer, problem)
    reference.bulk = _bulk(problem, answer["fitted"])
    certificate, _ = reference.read(lambda estimator: estimator.proven(eps))
    return _consistent(_proven(certificate), eps, reference, answer, problem, False)


def _anew(problem: Problem, answer: Mapping[str, Any]) -> Reference:
    """Return the answer of a fit."""

    def make(name: str) -> Any:
        return replace(problem, arithmetic=name, y=[_exact(v) for v in problem.y]).fitted()

    return Reference(make, answer.get("arithmetic", "float"), len(problem.x))


def _consistent(
    verdict: dict[str, Any],
    eps: Fraction,
    reference: Reference,
    answer: Mapping[str, Any],
    problem: Problem,
    turned: bool,
) -> dict[str, Any]:
    """Return the verdict on a proven answer once everything else that it tells has been compared with the proof."""
    if not verdict["accepted"]:
        return verdict
    found = _agreement(eps, reference, answer, problem, turned)
    if found["accepted"]:
        return {**found, **verdict}
    return {**verdict, **found, "reason": "the proven part is right, but not " + found["reason"]}


def _agreement(
    eps: Fraction, reference: Reference, answer: Mapping[str, Any], problem: Problem, turned: bool = False
) -> dict[str, Any]:
    comparison, kind = Comparison(eps), type(problem.estimator())
    compare(comparison, reference, answer["fitted"], kind, turned)
    if not turned:
        predictions(comparison, reference, answer.get("predictions", {}), problem.query, kind)
    if not comparison.judged:
        names = ", ".join(sorted(name.rstrip("_") for name in kind.fitted if name not in kind.history))
        raise InvalidInput(
            "verify", need=f"predictions, or fitted values among {names}", got=", ".join(comparison.left)
        )
    reason = f"{', '.join(comparison.judged)} as they must be" if comparison.agrees else comparison.where
    verdict = {"accepted": comparison.agrees, "reason": reason}
    return {**verdict, "units_of_roundoff": text.approximate(comparison.worst), "not_judged": comparison.left}


def _bulk(problem: Problem, fitted: Mapping[str, Any]) -> Fraction:
    """Return the size of the terms that a machine's values are summed from: multipliers times coordinates."""
    names = [name for name in ("alpha", "alpha_star", "coefficients", "dual_coef", "intercept") if name in fitted]
    numbers = [abs(rational(v)) for name in names for v in leaves(fitted[name])]
    entries = [abs(rational(v)) for x in problem.x if not isinstance(x, str) for v in x]
    return max(numbers, default=Fraction(0)) * (1 + max(entries, default=Fraction(0)))


def _exact(label: Any) -> Any:
    return RATIONAL.lift(label) if isinstance(label, (float, Fraction)) else label
