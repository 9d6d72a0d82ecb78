"""Predictions of a linear machine that follow from its coefficients where its multipliers hold fewer digits.

Far from the origin, without an intercept to take up what their rounding moves, multipliers in doubles say f to few
digits, and coefficients β to many. Where β is proven, too, f(z) = z·β + b is as much the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import Certificate, digits
from refclass.errors import InvalidInput, NotExact, Refusal
from refclass.estimators.margins import svc
from refclass.estimators.protocol.estimator import clone
from refclass.kernels.matrices.product import linear_points
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.oracle.judging import trusted, verdict
from refclass.oracle.judging.answers import machine
from refclass.oracle.judging.comparison.attributes import Reference
from refclass.oracle.judging.consistency import consistent, own
from refclass.oracle.problem import Problem
from refclass.regress.kernel import certificate
from refclass.regress.kernel.fitted_machine import Solved
from refclass.sample import data

FOLLOWING = ("labels", "decision", "posterior", "objective")  # what may follow from coefficients


class Regression(machine.Plane):
    """What follows from the hyperplane of a regression."""

    def predict(self, X: Any) -> list[Fraction]:
        """Return w·x + b for each row of X."""
        return self.decision_function(X)


class Planes:
    """What follows from the linear functions that are reported of a machine of several classes, and were proven."""

    def __init__(self, classes: list[Any], fitted: Mapping[str, Any], proven: Optional[Certificate] = None) -> None:
        self.classes_ = classes
        self._rows = [machine.numbers("coef", row) for row in fitted["coef"]]
        self._constants = machine.numbers("intercept", fitted.get("intercept", [0] * len(classes)))
        if proven is not None:
            self.objective_, self.dual_objective_ = proven.primal, proven.dual

    def decision_function(self, X: Any) -> list[list[Fraction]]:
        """Return w_k·x + b_k for each row of X and each class."""
        known = list(zip(self._rows, self._constants))
        return [[sum((c * rational(v) for c, v in zip(row, x)), b) for row, b in known] for x in X]

    def ties(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels of the largest value."""
        return [[c for c, v in zip(self.classes_, own) if v == max(own)] for own in self.decision_function(X)]

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X."""
        return [labels[0] for labels in self.ties(X)]


def of_functions(
    found: dict[str, Any], problem: Problem, reported: Mapping[str, Any], asked: float, proven: Certificate
) -> dict[str, Any]:
    """Return the verdict with what follows from linear functions that were proven without multipliers."""
    functions = Planes(list(data.labels(problem.y)[0]), reported["fitted"], proven)
    rest = {name: v for name, v in reported["fitted"].items() if name != "coef"}
    return consistent(
        found, problem, Reference(lambda name: functions, own(reported)), {**reported, "fitted": rest}, asked
    )


def second(
    found: dict[str, Any],
    proof: dict[str, Any],
    problem: Problem,
    reported: dict[str, Any],
    left: Mapping[str, Any],
    asked: float,
    reference: Reference,
) -> dict[str, Any]:
    """Return the verdict on an answer whose predictions, or objective, do not follow from its multipliers.

    They may follow from β, everything else from the multipliers.

    found        the verdict
    proof        that on the multipliers and the intercept alone
    left         the fitted values that are left to judge
    reference    what follows from the multipliers
    """
    fitted, wrong = reported["fitted"], found.get("wrong") or {}
    if found["accepted"] or wrong.get("attribute") not in FOLLOWING or "coef" not in fitted:
        return found
    if problem.parameters.get("loss") == "deviance":
        return _second_deviance(found, proof, problem, reported, left, asked, reference)
    held = proof["digits"].get("objective")
    try:
        machines, _ = reference.read(lambda estimator: estimator.solved())
    except (NotExact, AttributeError):  # a loss or a method without such a machine
        return found
    plane = _proven(problem, fitted, min(asked, held - 1), machines) if isinstance(held, (int, float)) else None
    few = plane is None and own(reported) != "exact"
    if few:
        plane = _at_ceiling(problem, fitted, own(reported), machines)
    if plane is None:
        return found
    value = {name: left[name] for name in ("objective",) if name in left}
    # Premise: β that is proven need not be Σ αᵢyᵢxᵢ of multipliers that say it to fewer digits than are asked for.
    proven = ("coef",) if isinstance(held, (int, float)) and held < asked else ()
    others = {"fitted": {name: v for name, v in left.items() if name not in (*value, *proven)}, "predictions": {}}
    by_plane = consistent(
        proof, problem, Reference(lambda name: plane, own(reported)), {**reported, "fitted": value}, asked, fitted
    )
    rest = consistent(proof, problem, reference, {**reported, **others}, asked, fitted)
    if not (by_plane["accepted"] and rest["accepted"]):
        return found
    both = verdict.joined(by_plane, rest)
    return (
        verdict.limited(both, "objective", digits(plane.objective_ - plane.dual_objective_, plane.objective_))
        if few
        else both
    )


def _second_deviance(
    found: dict[str, Any],
    proof: dict[str, Any],
    problem: Problem,
    reported: dict[str, Any],
    left: Mapping[str, Any],
    asked: float,
    reference: Reference,
) -> dict[str, Any]:
    """Return the same for a deviance, whose coefficients the kernel of trust proves by the bound of the multipliers."""
    fitted, held = reported["fitted"], proof["digits"].get("objective")
    dual = proof.get("certificate", {}).get("dual")
    if dual is None or not isinstance(held, (int, float)):
        return found
    got = trusted.of_coefficients(problem, fitted, rational(dual))
    if got is None or got < min(asked, held - 1):
        return found

    def taken(name: str) -> Any:
        other = copy(reference.over(name))
        F, rows = other.field(), fitted["coef"]
        rows = rows if isinstance(rows[0], list) else [rows]
        betas = [Vector.of(map(F.lift, map(rational, row))) for row in rows]
        other._model = tuple([replace(model, beta=beta) for model, beta in zip(other._model, betas)])
        return other

    by_rows = Reference(taken, own(reported))
    said = consistent(proof, problem, by_rows, {**reported, "fitted": {}}, asked, fitted)
    others = {**reported, "fitted": dict(left), "predictions": {}}
    rest = consistent(proof, problem, reference, others, asked, fitted)
    return verdict.joined(said, rest) if said["accepted"] and rest["accepted"] else found


def of_several(
    found: dict[str, Any],
    problem: Problem,
    estimator: Any,
    each: Sequence[machine.Judged],
    reported: dict[str, Any],
    asked: float,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the verdict with what follows from several machines: from their multipliers, or else from their β.

    given    all fitted values, of which reported holds those that are left to judge
    """

    def taken(name: str, by_plane: bool) -> Any:
        taker = clone(estimator).set_params(arithmetic=name)
        tasks = taker.tasks(taker.given(problem.x), problem.y, problem.weights)
        machines = [
            t.estimator.take(t.given, t.labels, one.alpha, one.beta0, t.weights, one.beta if by_plane else None)
            for t, one in zip(tasks, each)
        ]
        return taker.assemble(tasks, machines, problem.y)

    def following(by_plane: bool) -> dict[str, Any]:
        reference = Reference(lambda name: taken(name, by_plane), own(reported))
        return consistent(found, problem, reference, reported, asked, given)

    stated = any(one.beta is not None for one in each)
    try:
        whole = following(False)
    except NotExact:
        # Premise: functions of rounded multipliers may vary by their roundings alone, where β of zero says that.
        if not stated:
            raise
        return following(True)
    if whole["accepted"] or not stated:
        return whole
    again = following(True)
    return again if again["accepted"] else whole


def coefficients(
    problem: Problem, estimator: svc.SVC, fitted: Mapping[str, Any], judged: machine.Judged, asked: float
) -> Optional[Vector]:
    """Return β of one machine as it is reported beside multipliers, where it holds as many digits as they do but one.

    None where it is not reported, is of another length, or has fewer digits.
    """
    held = judged.certificate.digits
    if judged.alpha is None or "coef" not in fitted or held is None:
        return None
    solved = machine.take(estimator, "exact", problem, judged).solved()
    plane = _proven(problem, fitted, min(asked, held - 1), solved)
    return None if plane is None else Vector.of(machine.numbers("coef", fitted["coef"]))


def _at_ceiling(problem: Problem, fitted: Mapping[str, Any], arithmetic: str, machines: list[Solved]) -> Any:
    """Return the hyperplane within a digit of what coefficients of the optimum have, rounded; None for others.

    Where slack costs far more than the optimum, rounded coefficients have few digits beside multipliers that have many.
    """
    with suppress(Refusal, AttributeError):
        best: Any = replace(problem, arithmetic=arithmetic).fitted()
        most = best.certificate_.ceiling
        return None if most is None else _proven(problem, fitted, max(1, most - 1), machines)
    return None


def _proven(problem: Problem, fitted: Mapping[str, Any], least: float, machines: list[Solved]) -> Any:
    """Return the hyperplane that is reported, with what follows from it; None where it has too few digits."""
    if len(machines) != 1 or linear_points(machines[0].machine.K) is None:
        return None
    (one,) = machines
    try:
        beta = Vector.of(machine.numbers("coef", fitted["coef"]))
    except InvalidInput:
        return None
    if len(beta) != len(linear_points(one.machine.K)[0]):
        return None
    found = certificate.certify(one.machine, one.a, one.beta0, beta=beta)
    if found.digits is None or found.digits < least:
        return None
    values, square = certificate.linear(one.machine.K, beta)
    primal = certificate.least_primal(one.machine, square, values.plus(one.beta0))
    found = replace(found, primal=primal).times(one.scale)
    names = list(data.labels(problem.y)[0]) if type(problem.estimator()).takes_labels else []
    return (machine.Plane if names else Regression)(names, fitted, found)
