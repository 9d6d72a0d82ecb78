"""What is reported beside what was proven: every attribute and prediction must follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.number import arithmetic
from refclass.number.field import rational
from refclass.oracle import alignment, reading
from refclass.oracle.judging import verdict
from refclass.oracle.judging.comparison import chosen_axes, scales
from refclass.oracle.judging.comparison.attributes import MOST, Comparison, Reference, blocks, compare
from refclass.oracle.judging.comparison.held import DOUBLE
from refclass.oracle.judging.comparison.predicted import predictions
from refclass.oracle.problem import Problem

REFITTED = "fitted anew by this package's own code, the only way for this method: a mistake they share would not show"
GREEDY = ("mars", "tree", "bruto", "fda", "regression_classifier")
EQUATIONS = "computed from its defining equations, in fractions; nothing was fitted"


def consistent(
    found: dict[str, Any],
    problem: Problem,
    reference: Reference,
    reported: dict[str, Any],
    asked: float,
    given: Optional[Mapping[str, Any]] = None,
) -> dict[str, Any]:
    """Return the verdict on a proven answer once everything else that it reports has been compared with the proof.

    given    all fitted values, of which reported holds those that are left to judge
    """
    return verdict.joined(found, _rest(problem, reference, reported, asked, given))


def agreement(
    problem: Problem,
    reference: Reference,
    reported: dict[str, Any],
    asked: float,
    given: Optional[Mapping[str, Any]] = None,
) -> dict[str, Any]:
    """Return the verdict on the attributes and predictions that are reported beside a reference.

    given    all fitted values, of which reported holds those that are left to judge

    Raises    InvalidInput if nothing of it can be judged
    """
    found = _rest(problem, reference, reported, asked, given)
    if not found["digits"] and found["not_judged"]:
        raise InvalidInput("verify", need="a fitted value that can be judged", got=", ".join(found["not_judged"]))
    return found


def _rest(
    problem: Problem, reference: Reference, reported: dict[str, Any], asked: float, given: Optional[Mapping[str, Any]]
) -> dict[str, Any]:
    kind = type(problem.estimator())
    comparison = Comparison(asked, unit(reported), scales.data(problem, kind.takes_labels, given or reported["fitted"]))
    if reference.how == EQUATIONS:
        comparison.condition = min(Fraction(reference.over("exact").condition_), Fraction(MOST))
    fitted, told = reported["fitted"], reported.get("predictions", {})
    if problem.method in chosen_axes.CHOOSING and problem.parameters.get("n_components") is not None:
        reference, fitted, told = _chosen(comparison, reference, problem, fitted, told)
    compare(comparison, reference, fitted, problem, kind)
    predictions(comparison, reference, told, problem, kind)
    return verdict.of_comparison(comparison, reference.how)


def _chosen(
    comparison: Comparison, reference: Reference, problem: Problem, fitted: dict[str, Any], told: dict[str, Any]
) -> tuple[Reference, dict[str, Any], dict[str, Any]]:
    """Return the reference along the axes that are reported, and what is left to judge, where the choice is open."""
    whole, kind = chosen_axes.whole(reference), type(problem.estimator())
    block, found = chosen_axes.cut(problem, blocks(comparison, whole)), None
    if not block:
        return reference, fitted, told
    for names in alignment.AXES[problem.method]:
        own = {name: fitted[name] for name in names if name in fitted}
        Q = chosen_axes.rotation(whole, own, block) if own else None
        if Q is None:
            continue
        m = range(len(Q[0]))
        square = [[Fraction(int(i == j)) for j in m] for i in m]
        comparison.against(next(iter(own)), [list(row) for row in Q.T @ Q], square, key="products")
        found = chosen_axes.along(reference, Q)
        if not comparison.agrees:
            return found, {}, {}
        compare(comparison, found, own, problem, kind)
        fitted = {name: value for name, value in fitted.items() if name not in own}
    if found is None:
        comparison.left.update(dict.fromkeys([*chosen_axes.DECIDED, *told], chosen_axes.FREE))
        return reference, {k: v for k, v in fitted.items() if k not in chosen_axes.DECIDED}, {}
    return found, fitted, told


def unit(reported: Mapping[str, Any]) -> Fraction:
    """Return the unit of roundoff of an answer's numbers, at most that of doubles: 0 where it claims to be exact."""
    name = reported.get("arithmetic", "binary64")
    eps = DOUBLE if name in reading.DOUBLES else rational(arithmetic.field(name).eps)
    return min(eps, DOUBLE)


def own(reported: Mapping[str, Any]) -> str:
    """Return the arithmetic that an answer says its numbers are in."""
    name = str(reported.get("arithmetic", "float"))
    return "float" if name in reading.DOUBLES else name


def claimed(problem: Problem, reported: Mapping[str, Any], taken: Optional[list[bool]] = None) -> Reference:
    """Return an estimator that has taken what is reported for its own; taken says whether it could."""

    def make(name: str) -> Any:
        estimator: Any = replace(problem, arithmetic=name).estimator()
        weights = () if problem.weights is None else (problem.weights,)
        done = estimator.claim(problem.x, problem.y, Reported(reported["fitted"]), *weights)
        if taken is not None:
            taken.append(done)
        return estimator if done else replace(problem, arithmetic=name).fitted()

    return Reference(make, own(reported))


def refitted(problem: Problem, reference: Reference, reported: dict[str, Any], asked: float) -> dict[str, Any]:
    """Return the verdict on an answer that only a fit can be compared with."""
    # Premise: greedy methods break ties by roundoff; what their own arithmetic chooses is right, too.
    greedy = problem.method in GREEDY
    try:
        found = agreement(problem, reference, reported, asked)
    except (NoAnswer, NotConverged, InvalidInput):  # Premise: another choice has other terms, an answer of another form
        if not greedy:
            raise
        found = {"accepted": False}
    if found["accepted"] or not greedy:
        return found
    alike = Reference(lambda name: problem.fitted(), "float", f"{REFITTED}; in the arithmetic of the problem")
    again = agreement(problem, alike, reported, asked)
    return again if again["accepted"] or "verdict" not in found else found
