"""Predictions of a linear machine that follow from its coefficients where its multipliers hold fewer digits.

Far from the origin, without an intercept to take up what their rounding moves, multipliers in doubles say f to few
digits, and coefficients β to many. Where β is proven, too, f(z) = z·β + b is as much the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput, NotExact
from refclass.kernels.matrices.product import linear_points
from refclass.linear.vector import Vector
from refclass.oracle.judging import verdict
from refclass.oracle.judging.answers import machine
from refclass.oracle.judging.comparison.attributes import Reference
from refclass.oracle.judging.consistency import consistent, own
from refclass.oracle.problem import Problem
from refclass.regress.kernel import certificate
from refclass.regress.kernel.fitted_machine import Solved
from refclass.sample import data


class Regression(machine.Plane):
    """What follows from the hyperplane of a regression."""

    def predict(self, X: Any) -> list[Fraction]:
        """Return w·x + b for each row of X."""
        return self.decision_function(X)


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
    if found["accepted"] or wrong.get("attribute") not in ("labels", "decision", "objective") or "coef" not in fitted:
        return found
    held = proof["digits"].get("objective")
    try:
        machines = reference.over("exact").solved()
    except (NotExact, AttributeError):  # a loss or a method without such a machine
        return found
    plane = _proven(problem, fitted, min(asked, held - 1), machines) if isinstance(held, (int, float)) else None
    if plane is None:
        return found
    value = {name: left[name] for name in ("objective",) if name in left}
    others = {"fitted": {name: v for name, v in left.items() if name not in value}, "predictions": {}}
    by_plane = consistent(
        proof, problem, Reference(lambda name: plane, own(reported)), {**reported, "fitted": value}, asked, fitted
    )
    rest = consistent(proof, problem, reference, {**reported, **others}, asked, fitted)
    return verdict.joined(by_plane, rest) if by_plane["accepted"] and rest["accepted"] else found


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
