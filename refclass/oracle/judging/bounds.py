"""The bounds that an answer may claim where it has no multipliers to judge them by: the oracle's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

from refclass.errors import Refusal
from refclass.number import text
from refclass.oracle import answer
from refclass.oracle.judging import claims
from refclass.oracle.judging.answers import machine
from refclass.oracle.judging.consistency import GREEDY
from refclass.oracle.judging.consistency import own as own_arithmetic
from refclass.oracle.problem import Problem
from refclass.oracle.references import likelihood, scoring, textbook


def of(problem: Problem, reported: Mapping[str, Any]) -> Optional[dict[str, Any]]:
    """Return the bounds that an answer by a method without multipliers may claim; None where they are not known."""
    if isinstance(exact := textbook.reference(problem), textbook.Rule):
        return dict.fromkeys(claims.BOUNDS)
    found = scoring.reference(problem)
    if isinstance(found, scoring.Scores):
        return dict.fromkeys(claims.BOUNDS)
    exact = found.least if isinstance(found, scoring.Curve) else found or exact
    if exact is not None:
        # Premise: of two classes the responses are −1 and +1, twice as far apart as the one indicator of two is.
        least = exact.squares_ * (2 if len(exact.classes_) == 2 else 1)
        kept = exact.taken(reported["fitted"]).kept_ if isinstance(exact, textbook.Normal) else None
        own = least if kept is None else kept
        found = {"primal": own, "dual": least, "gap": own - least}
        return _at(problem, reported["fitted"], {name: answer.tree(value) for name, value in found.items()})
    if (climbed := likelihood.reference(problem, reported["fitted"])) is not None:
        known = {"coef", "intercept"} <= set(reported["fitted"])
        value = likelihood.reported(problem, reported["fitted"]) if known else climbed.penalised_
        return {"primal": answer.tree(value), "dual": None, "gap": None}
    # Premise: greedy methods break ties by roundoff; doubles may claim what doubles choose.
    greedy = problem.method in GREEDY and own_arithmetic(reported) == "float"
    for asked in (problem, machine.alone(problem))[:: 1 if greedy else -1]:
        try:
            own = getattr(asked.fitted(), "certificate_", None)
        except Refusal:
            continue
        if own is None:
            return None
        proven = {part: v for part, v in answer.tree(answer.proof(own)).items() if part != "digits"}  # of its own fit
        return _at(problem, reported["fitted"], proven)
    return None


def _at(problem: Problem, fitted: Mapping[str, Any], least: dict[str, Any]) -> dict[str, Any]:
    """Return the bounds, of least squares with the objective at the coefficients as they are reported.

    Premise: an answer claims the objective of its own numbers; doubles may hold few digits of the least one.
    """
    known = least.get("dual") is not None and {"coef", "intercept"} <= set(fitted)
    if problem.method not in ("least_squares", "perceptron") or not known:
        return least
    own = textbook.squares(problem, fitted["coef"], fitted["intercept"])
    return {**least, "primal": answer.tree(own), "gap": answer.tree(own - text.parse(least["dual"]))}
