"""The ceiling of an answer: the digits that the optimum has once it is rounded to doubles or decimals, judged alike.

It is that of the package's own answer in the arithmetic that is reported, which rounds some numbers for the others;
where that has fewer than were asked for, the better of it and of the exact optimum of a problem that is not large, with
every number rounded by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Optional

from refclass.errors import Refusal
from refclass.number.field import rational
from refclass.oracle import answer, kernel, reading
from refclass.oracle.judging import consistency, trusted, verdict
from refclass.oracle.judging.answers import machine
from refclass.oracle.problem import Problem

LARGEST = 300  # multipliers up to which the exact optimum is found to say what doubles hold of it
MORE = 40  # digits of an optimum in decimals that is to be rounded, beyond four times those that are kept
UNPROVEN = -1.0  # in place of the digits of what is no optimum
Prove = Callable[[dict[str, Any]], Optional[dict[str, Any]]]


def of(problem: Problem, reported: Mapping[str, Any], asked: float, prove: Prove) -> Optional[float]:
    """Return the digits of the best rounding, by those attributes that are reported; None where none is found.

    prove    the verdict on an answer with its digits; None where none bounds it
    """
    found, own = [], replace(problem, arithmetic=_rounding(reported))
    try:
        own.check_range()
    except Refusal:
        return None  # Premise: doubles hold nothing of data beyond their range.
    try:
        found.append(_digits(problem, _rounded(reported, answer.fitted(own.fitted())), prove))
    except Refusal:
        pass
    # Method: where the package's answer has the digits asked for, nothing is excused, and no exact optimum is needed.
    short = all(v is None or v < asked for v in found)
    if short and machine.number_of_multipliers(problem) <= LARGEST:
        held = _of_optimum(problem, reported, asked, prove)
        if held == UNPROVEN:
            return None
        found.append(held)
    return max([v for v in found if v is not None], default=None)


def _of_optimum(problem: Problem, reported: Mapping[str, Any], asked: float, prove: Prove) -> Optional[float]:
    """Return the digits of the exact optimum, rounded; None where it is not found, UNPROVEN where it is none."""
    try:
        best = _optimum(problem)
        names = [name for name in reported["fitted"] if name in best and name not in reading.WORDS]
        whole = {"fitted": {name: answer.tree(best[name]) for name in names}, "arithmetic": "exact"}
        held = _digits(problem, reading.exact(problem, whole), prove)
        if held is None or held < asked:
            # Premise: what is no optimum in fractions says nothing of what rounding leaves of one; where its own proof
            # leaves digits open that were asked for, a rounded answer does not say so, either.
            return held if held is None else UNPROVEN
        return _digits(problem, _rounded(reported, best), prove)
    except Refusal:
        return None


def _optimum(problem: Problem) -> dict[str, Any]:
    """Return the attributes of the optimum in fractions; for decimals, where these fail, in longer ones."""
    try:
        return answer.fitted(replace(problem, arithmetic="exact").fitted())
    except Refusal:
        digits = problem.arithmetic.partition(":")[2]
        if not digits:
            raise
        # Premise: where few digits of the objective are held, multipliers move by much more than it does.
        return answer.fitted(replace(problem, arithmetic=f"decimal:{4 * int(digits) + MORE}").fitted())


def _rounding(reported: Mapping[str, Any]) -> str:
    """Return the arithmetic that a ceiling is of: decimals for an answer in decimals, doubles for all others."""
    name = consistency.own(reported)
    return "float" if name == "exact" else name


def _rounded(reported: Mapping[str, Any], best: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes that are reported as an optimum has them, in the arithmetic that is reported."""
    names, kept = [n for n in reported["fitted"] if n in best and n not in reading.WORDS], _rounding(reported)
    return {"fitted": {n: reading.in_arithmetic(kept, answer.tree(best[n])) for n in names}, "predictions": {}}


def _digits(problem: Problem, given: dict[str, Any], prove: Prove) -> Optional[float]:
    """Return the digits proven of an answer, by the worse of its multipliers and its coefficients, with one intercept.

    Rounded multipliers and rounded coefficients have other best intercepts; an answer that reports both has but one.
    """
    found = prove(given) or {}
    held: Optional[float] = found.get("digits_proven")
    dual = found.get("certificate", {}).get("dual")
    if held is None or dual is None or "coef" not in given["fitted"]:
        return held
    own = trusted.of_coefficients(problem, given["fitted"], rational(dual))
    return held if own is None else min(held, own)


def of_kernel_ridge(
    problem: Problem, reported: Mapping[str, Any], asked: float, compare: Callable[[dict[str, Any]], dict[str, Any]]
) -> Optional[dict[str, Any]]:
    """Return the verdict on kernel ridge regression where roundings do not leave the digits asked for, or None.

    Its answer is the only one, and compared with the exact one. Where not even the package's own answer in doubles, or
    in the decimals that are reported, is right by that, one of as many digits of the objective is: by the bounds of the
    kernel of trust, which judges the predictions as well.

    compare    the verdict on an answer beside the exact one
    """
    names, name = ("coefficients", "intercept"), consistency.own(reported)
    if name == "exact" or not set(names) <= set(reported["fitted"]):
        return None
    try:
        best = _rounded(reported, answer.fitted(replace(problem, arithmetic=name).fitted()))
        if compare({**best, "arithmetic": name})["accepted"]:
            return None
        given = [{n: own["fitted"][n] for n in names} for own in (best, reported)]
        most, held = (float(kernel.judge(trusted.asking(problem), {"fitted": own}, 0)["digits"]) for own in given)
    except (Refusal, ValueError):
        return None
    if held < max(1, min(asked, most - 1)):
        return None
    words = f"optimal to {verdict.shown(held)}; the ceiling is {verdict.shown(most)}"
    held_in = "doubles" if name in reading.DOUBLES else "decimals"
    left = {n: f"{held_in} hold fewer digits than are asked for" for n in reported["fitted"] if n not in names}
    found = {"accepted": True, "verdict": words, "reason": words, "digits": verdict.plain({"objective": held})}
    return {**found, "ceiling": verdict.plain({"": most})[""], "not_judged": left}
