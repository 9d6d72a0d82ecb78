"""Answers to quadratic programmes: proven, compared, refined; refusals proven by their witness.

Nothing is solved to judge one, but for the equations of the active rows that it names where its own numbers prove
fewer digits than are asked for or claimed: of a P that is nearly singular doubles hold the optimum, and not its
equations. An answer reports x and y, the multipliers of the rows, or a refusal with its witness: y of a contradiction,
a ray with a point x, or a direction of negative curvature.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import digits as digits_of
from refclass.errors import InvalidInput, quoted
from refclass.estimators import solve_qp
from refclass.number import arithmetic
from refclass.number.field import rational
from refclass.optimise.programme import certificate, solver
from refclass.optimise.programme.problem import Programme
from refclass.optimise.programme.semidefinite import concave_direction, negative_part
from refclass.oracle import answer, reading
from refclass.oracle.judging import claims, verdict
from refclass.oracle.leaves import finite
from refclass.oracle.problem import Problem

TOLD = ("x", "y", "objective", "active")


def verify(problem: Problem, given: Mapping[str, Any], digits: float) -> dict[str, Any]:
    """Return the verdict on an answer to a quadratic programme.

    Raises    InvalidInput if the answer lacks x or y, or if its form does not fit
    """
    p: Programme = problem.programme
    reported = reading.formed(dict(given), "answer")
    name = {"name": problem.name} if problem.name else {}
    asked = verdict.plain({"": digits})[""]
    if reported.get("method", "qp") != "qp":
        return {**name, **verdict.wrong("method", reported["method"], "qp"), "asked": asked}
    if "refusal" in reported:
        return {**name, **_refused(p, reported["refusal"]), "asked": asked}
    doubles = reported.get("arithmetic", "exact") in reading.DOUBLES
    if not doubles:
        arithmetic.field(reported.get("arithmetic", "exact"))
    fitted = reading.numbers(reported["fitted"], doubles)
    for one in fitted:
        if one not in TOLD:
            raise InvalidInput("verify", need=f"fitted values among {', '.join(TOLD)}", got=quoted(one))
    x, y = _vector(fitted, "x", p.n), _vector(fitted, "y", p.m)
    negative = negative_part(p) if doubles else None
    if negative is None and concave_direction(p) is not None:
        reason = "P is not positive semidefinite where the equalities hold"
        return {**name, **verdict.wrong("answer", "an optimum", reason), "asked": asked}
    proof = certificate.certify(p, x, y, digits, negative=negative or Fraction(0))
    short = (proof.digits or 0) < digits or "certificate" in reported
    if short and not (negative and concave_direction(p) is not None):
        optimum = solver.optimal_value(p, x, y)
        if optimum is not None:
            proof = certificate.certify(p, x, y, digits, bound=optimum, certain=True)
    found = verdict.of_certificate(proof, digits)
    found.pop("digits_proven")
    if found["accepted"] and "objective" in fitted:
        value = _vector({"objective": [fitted["objective"]]}, "objective", 1)[0]
        right = digits_of(value - proof.primal, proof.primal)
        if right < digits and value != proof.primal and abs(value - proof.primal) > abs(proof.gap):
            found = {**found, **verdict.wrong("objective", value, proof.primal)}
    if found["accepted"] and "active" in fitted:
        words = _sides(p, x, y, fitted["active"], digits)
        if words:
            found = {**found, "accepted": False, "verdict": f"wrong: {words}", "reason": words}
        found["digits"] = {**found["digits"], "active": 0 if words else "all"}
    left: dict[str, str] = {}
    if found["accepted"] and "certificate" in reported:
        checked = claims.certificate(reported["certificate"], found["certificate"], digits, problem)
        left = checked["not_judged"] if checked["accepted"] else {}
        found = found if checked["accepted"] else {**found, **checked}
    return {**name, **found, "asked": asked, "not_judged": left, "how": "follows from what is reported and proven"}


def _sides(p: Programme, x: list[Fraction], y: list[Fraction], active: Any, asked: float) -> str:
    """Return which row is said to be active but is at no side, or is not said but has a multiplier; empty if none."""
    if not isinstance(active, list) or not all(finite(v) and v.denominator == 1 and 0 <= v < p.m for v in active):
        raise InvalidInput("verify", need=f"active as a list of rows from 0 to {p.m - 1}", got=quoted(active))
    told, size = set(map(int, active)), max(map(abs, y), default=Fraction(0))
    for i, away in enumerate(solve_qp.distances(p, x)):
        pressed = digits_of(y[i], size) < asked
        if i in told and not pressed and (away is None or digits_of(away, 1) < asked):
            return f"active: row {i} is at none of its sides"
        if i not in told and pressed:
            return f"active: row {i} has a multiplier, and is not among them"
    return ""


def _vector(fitted: Mapping[str, Any], name: str, n: int) -> list[Fraction]:
    values = fitted.get(name)
    if not isinstance(values, list) or len(values) != n:
        got = "none" if values is None else len(values) if isinstance(values, list) else quoted(values)
        raise InvalidInput("verify", need=f"{n} numbers in {name}", got=got)
    found = []
    for i, v in enumerate(values):
        if isinstance(v, bool):
            raise InvalidInput("verify", need=f"numbers in {name}", got=v, place=i)
        try:
            found.append(rational(v))
        except InvalidInput as refusal:
            raise InvalidInput("verify", need=f"finite numbers in {name}", got=refusal.got, place=i) from None
    return found


def _refused(p: Programme, refusal: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on a refusal: right if its witness proves it."""
    given = refusal.get("witness", {})
    if not isinstance(given, Mapping):
        raise InvalidInput("verify", need="witness as an object", got=quoted(given))
    reported = reading.numbers(dict(given), False)
    wanted: Optional[tuple[str, ...]] = next(
        (names for names in (("y",), ("ray", "x"), ("direction",)) if names[0] in reported), None
    )
    if wanted is None:
        reason = "a refusal is judged by its witness: y, ray with x, or direction"
        return {"accepted": False, "verdict": "not judged", "reason": reason}
    witness = {name: _vector(reported, name, p.m if name == "y" else p.n) for name in wanted}
    fault = certificate.refusal_reason(p, witness)
    if fault is not None:
        return verdict.wrong("refusal", "a witness that proves nothing", "one that does") | {"reason": fault}
    return {"accepted": True, "verdict": "refused", "reason": "its witness proves that there is no answer"}


def compare(problem: Problem, first: Mapping[str, Any], second: Mapping[str, Any], digits: float) -> dict[str, Any]:
    """Return the verdicts on two answers, and to how many digits their objectives and points agree."""
    found = {name: verify(problem, reported, digits) for name, reported in (("A", first), ("B", second))}
    both = [reading.formed(dict(reported), "answer") for reported in (first, second)]
    apart: dict[str, float] = {}
    if all("refusal" not in reported for reported in both):
        p: Programme = problem.programme
        points = [
            _vector(
                reading.numbers(reported["fitted"], reported.get("arithmetic", "exact") in reading.DOUBLES), "x", p.n
            )
            for reported in both
        ]
        values = [rational(found[name]["certificate"]["primal"]) for name in "AB" if "certificate" in found[name]]
        if len(values) == 2:
            apart["objective"] = digits_of(values[0] - values[1], max(map(abs, values)))
        size = max([abs(v) for x in points for v in x])
        apart["x"] = digits_of(max([abs(a - b) for a, b in zip(*points)]), size)
    right = [name for name, one in found.items() if one["accepted"]]
    agreed = len(right) == 2 and apart.get("objective", float("inf")) >= digits
    words = f"they agree to {verdict.shown(apart['objective'])}" if agreed and apart else "they agree"
    if not agreed:
        words = f"they differ, and {' and '.join(right) or 'neither'} is right"
    return {
        "accepted": agreed,
        "verdict": words,
        "asked": verdict.plain({"": digits})[""],
        "answers": found,
        "digits": verdict.plain(apart),
    }


def refine(problem: Problem, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the exact answer, beside the verdict on the one that is given."""
    judged = verify(problem, given, 6)
    out = answer.answer(replace(problem, arithmetic="exact"))
    out["refined"] = {
        "from": "a solution of the package's own",
        "verdict": judged["verdict"],
        "digits": judged.get("digits", {}),
    }
    return out
