"""Judging answers to the conformance cases: the stored ones, those of a candidate, and those still to be written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Optional

from refclass.errors import InvalidInput, Refusal
from refclass.oracle import answer, judge, reading
from refclass.oracle.judging import verdict
from refclass.oracle.problem import Problem, decode, read
from refclass.oracle.readers import delimited_text
from refclass.oracle.vectors import case
from refclass.oracle.vectors.case import Case

ARITHMETICS = ("exact", "decimal:30", "float")
STORED = {"exact": 15, "decimal:30": 10, "float": 8}  # digits that a stored answer must prove, by its arithmetic
RIGHT, WRONG, SKIPPED, EXPECTED, STALE = "right", "wrong", "not supported", "expected", "unexpectedly right"


def judged(one: Case, reported: Mapping[str, Any], digits: float = judge.DIGITS) -> dict[str, Any]:
    """Return the verdict on an answer to a case.

    A refusal is right where the case expects one of its type, or says no type; a witness is checked.
    Raises    InvalidInput if the answer has another form than its method's
    """
    asked = _problem(one)
    expected = (one.answer or {}).get("refusal")
    if isinstance(asked, InvalidInput) or (expected or {}).get("type") == "InvalidInput":
        return _refusing(one, reported, asked)
    if "refusal" in reported and one.answer is not None and expected is None:
        return verdict.wrong("answer", "a refusal", "an answer: there is one")
    if expected is not None and "refusal" not in reported:
        return verdict.wrong("answer", "one", f"a refusal: {expected.get('need', '')}")
    if expected is not None and asked.programme is not None and not _witness(reported):
        # Premise: the stored refusal is proven by its own witness; a program that reports none has the same answer.
        kind = dict(reported["refusal"]).get("type", "NoAnswer")
        if kind != "NoAnswer":
            return verdict.wrong("refusal.type", kind, "NoAnswer")
        return {"accepted": True, "verdict": "refused", "reason": "there is no answer, by the stored witness"}
    return judge.verify(asked, reported, digits)


def _witness(reported: Mapping[str, Any]) -> Any:
    refusal = reported.get("refusal")
    return refusal.get("witness") if isinstance(refusal, Mapping) else {"y": None}


def _problem(one: Case) -> Any:
    """Return the problem of a case, or what refuses it."""
    try:
        return read(one.text, one.id)
    except InvalidInput as refusal:
        return refusal


def _refusing(one: Case, reported: Mapping[str, Any], asked: Any) -> dict[str, Any]:
    """Return the verdict on an answer to a problem that breaks a precondition."""
    refusal = reported.get("refusal")
    if not isinstance(refusal, Mapping):
        return verdict.wrong("answer", "one", f"a refusal: {asked if isinstance(asked, InvalidInput) else one.note}")
    kind = refusal.get("type", "InvalidInput")
    if kind != "InvalidInput":
        return verdict.wrong("refusal.type", kind, "InvalidInput")
    return {"accepted": True, "verdict": "refused", "reason": "the problem breaks a precondition"}


def formed(content: str, source: str) -> dict[str, Any]:
    """Return a candidate's answer; {"unsupported": "reason"} stands as it is.  Raises InvalidInput for another form."""
    given = decode(content, source)
    if isinstance(given, dict) and set(given) == {"unsupported"}:
        return given
    return reading.formed(given, source)


def outcome(
    one: Case, content: Optional[str], digits: float, expected: Mapping[str, str], failure: str = ""
) -> dict[str, Any]:
    """Return what became of a case: right, wrong, not supported, an expected failure, or right against expectation.

    content    the candidate's answer as JSON text; None if it gave none, for the reason `failure`
    expected   reasons of expected failures by id or pattern of ids
    """
    found: dict[str, Any] = {"accepted": False, "verdict": "no answer", "reason": failure}
    if content is not None:
        try:
            reported = formed(content, one.id)
            if "unsupported" in reported:
                return {"id": one.id, "outcome": SKIPPED, "reason": str(reported["unsupported"])}
            found = judged(one, reported, digits)
        except Refusal as refusal:
            found = {"accepted": False, "verdict": "bad answer", "reason": str(refusal)}
    out = {"id": one.id, "outcome": RIGHT if found["accepted"] else WRONG, "verdict": found["verdict"]}
    out.update({k: found[k] for k in ("digits", "ceiling", "reason") if k in found})
    why = excused(one.id, expected)
    if why is not None and not found["accepted"]:
        out.update(outcome=EXPECTED, expected=why)
    elif why is not None and one.id in expected:
        out.update(outcome=STALE, expected=why)
    return out


def excused(name: str, expected: Mapping[str, str]) -> Optional[str]:
    """Return the reason why a case is expected to fail; None if it is not."""
    return next((reason for pattern, reason in expected.items() if fnmatchcase(name, pattern)), None)


def expectations(path: str) -> dict[str, str]:
    """Return expected failures from a file: {"id or pattern": "reason"}.  Raises InvalidInput for another form."""
    given = decode(delimited_text.content(path), path)
    if not isinstance(given, dict) or not all(isinstance(v, str) and v.strip() for v in given.values()):
        raise InvalidInput(path, need='{"id or pattern": "reason"}', got=type(given).__name__)
    return given


def stale(found: Sequence[Mapping[str, Any]], expected: Mapping[str, str]) -> list[str]:
    """Return the patterns of expected failures that excuse nothing among these outcomes."""
    failed = [one["id"] for one in found if one["outcome"] == EXPECTED]
    there = [one["id"] for one in found]
    return [p for p in expected if any(fnmatchcase(i, p) for i in there) and not any(fnmatchcase(i, p) for i in failed)]


def check(cases: Sequence[Case], place: Path) -> Iterator[tuple[Case, str]]:
    """Yield every case with what is wrong with it, in words; empty if its stored answer is right."""
    known = case.digests(place)
    for one in cases:
        yield one, _fault(one, known)


def _fault(one: Case, known: Mapping[str, str]) -> str:
    if one.answer is None:
        return "it has no answer: vectors fill"
    if one.id not in known:
        return "it is not among the published ones: vectors fill"
    if known[one.id] != one.digest:
        return "it was changed after it was published"
    if ("refusal" in one.answer) != ("refusal" in one.flags):
        return "its flag says refusal, or its answer, but not both"
    try:
        found = judged(one, reading.formed(dict(one.answer), one.id), STORED[one.answer.get("arithmetic", "float")])
    except Refusal as refusal:
        return str(refusal)
    return "" if found["accepted"] else str(found["reason"])


def fill(place: Path, force: Sequence[str] = (), reported: Optional[Callable[[str], None]] = None) -> list[str]:
    """Write the answers that are missing, and those of the cases that `force` names; return their ids.

    A published case is never changed otherwise.
    Raises    InvalidInput if a published case was changed or taken away, before anything is written
    """
    known, written = case.digests(place), []
    cases = case.read(place)
    changed = [c.id for c in cases if c.id in known and c.id not in force and c.digest != known[c.id]]
    gone = sorted(set(known) - {c.id for c in cases} - set(force))
    if changed or gone:
        raise InvalidInput("vectors", need="published cases as they are", got=", ".join([*changed, *gone]))
    for path in sorted(place.glob("*.json")):
        if path.name == case.PUBLISHED:
            continue
        own = case.load(path)
        for i, one in enumerate(own):
            if one.answer is None or one.id in force:
                if reported is not None:
                    reported(one.id)
                own[i] = replace(one, answer=answered(one))
                written.append(one.id)
        if any(c.id in written for c in own):
            case.save(path, own)
    cases = case.read(place)
    case.publish(place, {c.id: c.digest for c in cases})
    return written


def answered(one: Case) -> dict[str, Any]:
    """Return the oracle's answer to a case, numbers as text: in fractions, and what is none of them in 30 digits.

    Where there is no exact answer at all it is in 30 digits, else in doubles; a problem may require one arithmetic.
    """
    asked = _problem(one)
    if isinstance(asked, InvalidInput):
        return _plain(answer.refused(asked))
    names = (one.problem["arithmetic"],) if "arithmetic" in one.problem else ARITHMETICS
    found = [_answer(replace(asked, arithmetic=name)) for name in names]
    possible = [one for one in found if one.get("refusal", {}).get("type") != "NotExact"]
    return _plain(_completed(possible[0], possible[1:]))


def _answer(asked: Problem) -> dict[str, Any]:
    """Return the answer, or the refusal."""
    try:
        found: dict[str, Any] = answer.answer(asked)
    except InvalidInput as refusal:
        found = answer.refused(refusal)
    return found


def _completed(found: dict[str, Any], others: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return an answer with the values that it leaves out taken from the first other one that has them."""
    left = dict(found.get("left_out", {}))
    for other in others:
        for name in [name for name in left if name not in other.get("left_out", {})]:
            for part in ("fitted", "predictions"):
                if name in other.get(part, {}):
                    found[part][name] = other[part][name]
                    left.pop(name, None)
            if name == "certificate" and name in other:
                found[name] = other[name]
                left.pop(name, None)
    return {**found, "left_out": left} if left else {k: v for k, v in found.items() if k != "left_out"}


def _plain(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer as a case stores it: numbers as text, nothing of the problem, no name of a module."""
    out = {name: texts(value) for name, value in found.items() if name not in ("decimal", "parameters", "name")}
    out.get("refusal", {}).pop("module", None)
    return out


def texts(value: Any) -> Any:
    """Return a JSON value with every number as text; truth values, row numbers and labels stay."""
    if isinstance(value, Mapping):
        return {k: v if k in ("classes", "labels", "support", "unclassifiable") else texts(v) for k, v in value.items()}
    if isinstance(value, list):
        return [texts(v) for v in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return repr(value)
    return value
