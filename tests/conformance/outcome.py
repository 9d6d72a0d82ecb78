"""What a program's answer to a question is worth: digits beside the ceiling, a convention, or what is wrong with it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import Any, Optional

from refclass.errors import InvalidInput, Refusal
from refclass.oracle import agreement, answer, judge, problem, reading
from refclass.oracle.readers import formats
from tests.conformance.questions import Question

ASKED = 6
EXPLAINED = 3  # digits below which a convention is looked for
CONFORMS, SHORT, CONVENTION, WRONG, SILENT, REFUSED, INVENTED, SKIPPED = (
    "conforms",
    "fewer digits",
    "by convention",
    "wrong",
    "no answer",
    "refuses",
    "answers where nothing is right",
    "not supported",
)
RIGHT = (CONFORMS, CONVENTION, SKIPPED)


@dataclass(frozen=True)
class Outcome:
    """What became of a question.

    kind     one of the words above
    digits   the fewest that are proven of what was reported
    said     the verdict, or the program's own words
    """

    kind: str
    digits: float = 0
    said: str = ""


def judged(question: Question, content: Optional[str], failure: str = "") -> Outcome:
    """Return what a line that a program wrote is worth."""
    if content is None:
        return Outcome(SILENT, said=failure)
    try:
        said = json.loads(content)
    except ValueError:
        return Outcome(SILENT, said=content[:100])
    if "unsupported" in said:
        return Outcome(SKIPPED, said=said["unsupported"])
    if "refusal" in said:
        return Outcome(CONFORMS if question.refused else REFUSED, math.inf, str(said["refusal"].get("got", "")))
    if "NaN" in content or "Infinity" in content:
        return Outcome(CONFORMS if question.refused else WRONG, 0, "not a number among its numbers")
    try:
        return _worth(question, said)
    except Refusal as refusal:
        return Outcome(INVENTED if question.refused else WRONG, 0, str(refusal)[:200])


def _worth(question: Question, said: dict[str, Any]) -> Outcome:
    given = {**question.problem, "arithmetic": "float"}
    conventions = said.get("conventions") or {}
    if conventions:
        own = {k: v for k, v in given.get("parameters", {}).items() if k != "divisor" or "divisor" not in conventions}
        given = {**given, "parameters": own, "conventions": conventions}
    one = problem.made(problem.decode(json.dumps(given), question.id), question.id)
    reported = (
        formats.read(one, said["model"], "model") if "model" in said else reading.formed(said["answer"], "answer")
    )
    reported = {**reported, **({"predictions": said["predictions"]} if said.get("predictions") else {})}
    if question.refused:
        pseudo = question.problem["method"] in ("lda", "qda", "linear_regression")
        words = "a generalised inverse where the coefficients are not unique"
        return Outcome(CONVENTION if pseudo else INVENTED, 0, words if pseudo else "an answer where none is right")
    return worth(one, reported, bool(conventions))


def worth(one: problem.Problem, reported: dict[str, Any], conventional: bool = False) -> Outcome:
    """Return what an answer to a problem is worth."""
    found = judge.verify(one, reported, ASKED)
    held = [math.inf if v == "all" else v for v in found.get("digits", {}).values()]
    digits = min(held, default=0.0)
    words = str(found["verdict"])[:200]
    if found["accepted"]:
        return Outcome(CONFORMS, digits, words)
    if one.method in ("mars", "bruto"):
        return Outcome(CONVENTION, digits, "a greedy path that goes on elsewhere: no proof says which fit is better")
    if not conventional and digits < EXPLAINED:
        other = agreement.explained(one, reported, found, 4)
        name = str(other.get("convention", ""))
        if name.startswith("divisor"):  # of machines a large C, or symmetry, lets other conventions seem to explain
            return Outcome(CONVENTION, digits, name)
    return Outcome(SHORT if digits >= 1 else WRONG, digits, words)


def ceiling(question: Question) -> Optional[float]:
    """Return the digits that the exact answer, rounded to doubles, has by the same count; None if there is none."""
    if question.refused or question.problem["method"] in ("fda", "bruto", "mars"):
        return None
    try:
        one = problem.made(problem.decode(json.dumps(question.problem), question.id), question.id)
        best = answer.answer(replace(one, arithmetic="exact"))
        if "refusal" in best:
            best = answer.answer(replace(one, arithmetic="decimal:30"))
        reported = reading.formed(json.loads(json.dumps(best.get("decimal", best))), "ceiling")
        return worth(one, {**reported, "arithmetic": "float"}, True).digits
    except (InvalidInput, Refusal, KeyError):
        return None
