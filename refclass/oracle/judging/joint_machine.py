"""Judging a machine of several classes that is one problem: by multipliers, and by the functions that are delivered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

from refclass.estimators.margins.crammer_singer import CrammerSingerSVC
from refclass.oracle.judging import planes, verdict
from refclass.oracle.judging.answers import crammer_singer_answer as direct
from refclass.oracle.judging.answers import lee_lin_wahba_answer as columns
from refclass.oracle.judging.consistency import claimed, consistent
from refclass.oracle.problem import Problem


def judge(
    problem: Problem, estimator: Any, reported: dict[str, Any], asked: float, ceiling: Optional[float]
) -> dict[str, Any]:
    """Return the verdict on a machine with a function for each class: the proof, and whether all else follows from it.

    Coefficients that are reported beside multipliers are the answer, of which predictions and objective are.
    """
    reader: Any = direct if isinstance(estimator, CrammerSingerSVC) else columns
    violation = reader.violation(estimator, problem, reported["fitted"])

    def proven(fitted: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        certificate = reader.certificate(estimator, problem, fitted, asked)
        return certificate, verdict.of_certificate(certificate, asked, violation, ceiling, verdict.in_words(reported))

    certificate, found = proven(reported["fitted"])
    if reader is direct and "alpha" not in reported["fitted"]:
        return planes.of_functions(found, problem, reported, asked, certificate) if found["accepted"] else found
    taken, fitted = reported, reported["fitted"]
    if "alpha" not in fitted:
        taken = {**reported, "fitted": columns.with_multipliers(estimator, problem, fitted)}
    functions = ("coef",) if "alpha" not in fitted else ("coef", "coefficients")
    alone = {name: v for name, v in taken["fitted"].items() if name not in functions}
    if found["accepted"]:
        whole = consistent(found, problem, claimed(problem, taken), reported, asked)
        if whole["accepted"] or (whole.get("wrong") or {}).get("attribute") not in ("labels", "decision"):
            return whole
        # Premise: another program may predict by its multipliers, and report the coefficients beside them.
        again = consistent(found, problem, claimed(problem, {**taken, "fitted": alone}), reported, asked)
        return again if again["accepted"] else whole
    if set(alone) == set(taken["fitted"]) or not (by_multipliers := proven(alone)[1])["accepted"]:
        return found
    # Method: where multipliers alone are right, it is said which coefficient is not theirs.
    whole = consistent(by_multipliers, problem, claimed(problem, taken), reported, asked)
    if (whole.get("wrong") or {}).get("attribute") in functions:
        return whole
    held = found["digits_proven"]
    if held is None:
        return found
    name = next(name for name in functions if name in fitted)
    words = f"{name}: the objective of what they say has {held:.1f} digits"
    return {**found, "verdict": f"wrong: {words}", "reason": words}
