"""A refusal as an answer: proven by its witness, or compared with what the problem, put anew, is refused with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refclass.errors import InvalidInput, NotExact, Refusal
from refclass.oracle import machine, verdict, witness
from refclass.oracle.consistency import REFITTED
from refclass.oracle.problem import Problem


def judge(problem: Problem, told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on a refusal: right if its witness proves it, or the problem, put anew, is refused alike."""
    given = told.get("witness", {})
    if not isinstance(given, Mapping):
        raise InvalidInput("verify", need="witness as an object", got=repr(given))
    checked = witness.check(problem, given) if told.get("type", "NoAnswer") == "NoAnswer" else None
    if checked:
        return verdict.wrong("refusal", "a witness that proves nothing", "one that does") | {"reason": checked}
    if checked == "":
        return {"accepted": True, "verdict": "refused", "reason": "its witness proves that there is no answer"}
    try:
        machine.alone(problem).fitted()
    except NotExact:
        return _refused_alike(problem, told, given)
    except Refusal as refusal:
        return _alike(refusal, told, given)
    return _refused_alike(problem, told, given)


def _refused_alike(problem: Problem, told: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        problem.fitted()
    except Refusal as refusal:
        return _alike(refusal, told, given)
    return {"accepted": False, "verdict": "wrong: there is an answer", "reason": "there is an answer"}


def _alike(refusal: Refusal, told: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    kind = type(refusal).__name__
    if told.get("type", kind) != kind:
        return verdict.wrong("refusal", told["type"], f"{kind}: {refusal}")
    left = {f"witness.{name}": "no check of it is known; the problem was put anew" for name in given}
    return {"accepted": True, "verdict": "refused", "reason": str(refusal), "how": REFITTED, "not_judged": left}
