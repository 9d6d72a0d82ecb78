"""What an answer claims beside its numbers: its method, its parameters, and the certificate that it brings along."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, digits, relative_digits
from refclass.errors import InvalidInput, quoted
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle import alignment
from refclass.oracle.judging import verdict
from refclass.oracle.judging.comparison import scales
from refclass.oracle.leaves import finite
from refclass.oracle.problem import Problem, kind_of

SQUARED = Fraction(30, 2**53) ** 2  # thirty units of roundoff, squared
BOUNDS = ("primal", "dual", "gap")
MANY = 50  # digits proven, from which on a reference in decimals of sixty does not tell more from fewer
BESIDE = 1  # digits by which two ways to count them may differ
MODEST = ("within roundoff", "stationary", "feasible", "not converged")  # statuses that no proof of more contradicts
STATED = re.compile(r"(\d+(?:\.\d+)?) digits")
UNJUDGED = {
    "where": "words",
    "premise": "words",
    "worst_violation": "residuals are measured in many ways; here each number has its digits",
    "ceiling": "no bound of the answer that is reported, but of the best one in its arithmetic",
}


def head(problem: Problem, answer: Mapping[str, Any]) -> Optional[dict[str, Any]]:
    """Return the verdict on an answer to another problem; None if method and parameters are the problem's."""
    method = answer.get("method", problem.method)
    if method != problem.method:
        return verdict.wrong("method", quoted(method), repr(problem.method))
    known = kind_of(problem.method).parameters()
    asked = {**known, **problem.parameters}
    for name, got in answer.get("parameters", {}).items():
        if problem.conventions and name not in problem.parameters:
            continue
        if name == "arithmetic":
            continue
        if name not in known:
            return verdict.wrong("parameters", quoted(name), f"a parameter among {', '.join(known)}")
        if not _equal(got, asked[name]):
            return verdict.wrong(f"parameters.{name}", _show(got), _show(asked[name]))
    return None


def _equal(got: Any, want: Any) -> bool:
    """Return whether two parameters are the same: numbers by value, a kernel by name or in full."""
    if isinstance(got, Mapping) != isinstance(want, Mapping):
        inner, other = (got, want) if isinstance(got, Mapping) else (want, got)
        return set(inner) == {"name"} and bool(inner["name"] == other)
    if isinstance(got, Mapping):
        return set(map(str, got)) == set(map(str, want)) and all(
            _equal(v, {str(k): w for k, w in want.items()}[str(k)]) for k, v in got.items()
        )
    if isinstance(got, (list, tuple)) and isinstance(want, (list, tuple)):
        return len(got) == len(want) and all(map(_equal, got, want))
    if isinstance(got, (list, tuple)) or isinstance(want, (list, tuple)):
        return False
    return alignment.same(got, want) or _text(got) == _text(want)


def _text(value: Any) -> str:
    return text.show(value) if type(value) in (int, Fraction) else str(value)


def _show(value: Any) -> str:
    try:
        return f"{text.approximate(rational(value)):.9g}"
    except InvalidInput:
        return quoted(value)


def certificate(
    claimed: Mapping[str, Any], proof: Optional[Mapping[str, Any]], asked: float, problem: Problem
) -> dict[str, Any]:
    """Return the verdict on a claimed certificate, given the proof of the same answer as JSON holds it.

    The certificate of a path is that of the breakpoint with the fewest digits: it is not compared. The bounds are
    compared on the scale of the objective, of a zero one on that of the best constants'; what is left of residuals
    that are roundoff of the responses has no digits of its own. Digits, and the status that states them, may be fewer
    than those that are proven here, not more. A proof of another kind leaves them unjudged, and says so.
    """
    told = {part: value for part, value in claimed.items() if value not in (None, "", {})}
    if told.get("status") == "infeasible":
        return verdict.wrong("certificate.status", "infeasible", "one of an answer that is right")
    if problem.method == "svm_path":
        return _fine({"certificate": "of the breakpoint with the fewest digits, which is another one in other numbers"})
    if proof is None:
        return _fine({"certificate": "nothing here bounds this objective: there is no gap to compare it with"})
    left = {f"certificate.{part}": reason for part, reason in UNJUDGED.items() if part in told}
    for found in (
        _bounds(told, proof, asked, problem, left),
        _strength(told, proof, asked, left),
        _unique(told, proof, left),
    ):
        if found is not None:
            return found
    return _fine(left)


def _bounds(
    told: Mapping[str, Any], proof: Mapping[str, Any], asked: float, problem: Problem, left: dict[str, str]
) -> Optional[dict[str, Any]]:
    """Return the verdict on bounds that are not those of the proof; None if all are."""
    if all(proof.get(name) is None for name in BOUNDS):
        bound = next((name for name in BOUNDS if name in told), None)
        if bound is not None:
            return verdict.wrong(f"certificate.{bound}", _show(told[bound]), "none: the method has no such bound")
        return None
    roundoff = constant = Fraction(0)
    if problem.programme is None:
        constant = scales.data(problem, kind_of(problem.method).takes_labels).constant
        roundoff = SQUARED * (constant or 1)
    scale = max(abs(rational(text.read(proof[n]))) for n in BOUNDS if proof.get(n) is not None) or constant or 1
    for name in BOUNDS:
        if name not in told:
            continue
        got = text.read(told[name])
        if not finite(got):
            raise InvalidInput("verify", need=f"certificate.{name} as a finite number", got=quoted(told[name]))
        if proof.get(name) is None:
            left[f"certificate.{name}"] = "no such bound is proven here"
            continue
        want = rational(text.read(proof[name]))
        if abs(rational(got) - want) <= roundoff:
            continue
        if digits(rational(got) - want, scale) < min(asked, 12) and not _between(told, proof, asked):
            return verdict.wrong(f"certificate.{name}", _show(got), _show(want))
    return None


def _strength(
    told: Mapping[str, Any], proof: Mapping[str, Any], asked: float, left: dict[str, str]
) -> Optional[dict[str, Any]]:
    """Return the verdict on a status, or on digits, that say more than the proof does; None if they do not."""
    status, proven = str(told.get("status", "")), _proven(proof)
    if status == "optimal" and proof.get("status") in ("stationary", "feasible"):
        return verdict.wrong("certificate.status", status, proof["status"])
    words = STATED.fullmatch(status)
    said = {"digits": told.get("digits"), "status": words[1] if words else None}
    if status == "optimal":
        said["status"] = str(min(asked, ASKED))
    elif status and words is None and status not in MODEST:
        left["certificate.status"] = f"no status of this package, which are optimal, N digits, {', '.join(MODEST)}"
    if proven is not None:  # those of the bounds that are told beside them, too: these are judged
        proven = max(proven, _of_bounds(told) or 0)
    for part, value in said.items():
        if value is None:
            continue
        if proven is None or proven >= MANY:
            left[f"certificate.{part}"] = "the bounds or residuals that it counts are not computed here"
        elif text.approximate(text.read(value) if isinstance(value, str) else value) > proven + BESIDE:
            got = quoted(status) if part == "status" else _show(value)
            return verdict.wrong(f"certificate.{part}", got, f"at most {verdict.shown(proven)}")
    return None


def _proven(proof: Mapping[str, Any]) -> Optional[float]:
    """Return the digits that a proof of the answer has, by its own count or by its bounds; None of another proof."""
    if proof.get("digits") is None:
        return None
    return max(float(proof["digits"]), _of_bounds(proof) or 0)


def _of_bounds(proof: Mapping[str, Any]) -> Optional[float]:
    return relative_digits(*[None if proof.get(n) is None else rational(text.read(proof[n])) for n in BOUNDS[:2]])


def _unique(told: Mapping[str, Any], proof: Mapping[str, Any], left: dict[str, str]) -> Optional[dict[str, Any]]:
    """Return the verdict on what is said to be unique, or not to be, against a proof of the contrary; None if none."""
    for part, got in told.get("unique", {}).items():
        want = proof.get("unique", {}).get(part)
        if got is None:
            continue  # undecided there: nothing is claimed
        if not isinstance(got, bool) or not isinstance(want, bool):
            left["certificate.unique"] = "of some of its parts it is not decided here whether they are unique"
        elif got != want:
            return verdict.wrong(f"certificate.unique.{part}", str(got).lower(), str(want).lower())
    return None


def _between(claimed: Mapping[str, Any], proof: Mapping[str, Any], asked: float) -> bool:
    """Return whether bounds that claim fewer digits than are asked for hold those that are proven here between them.

    By as many digits as are asked for: the bounds may differ by the rounding of a parameter.
    """
    values = [claimed.get("digits"), *(claimed.get(n) for n in BOUNDS[:2]), *(proof.get(n) for n in BOUNDS[:2])]
    if any(v is None or not finite(text.read(v) if isinstance(v, str) else v) for v in values):
        return False
    held, high, low, upper, lower = [rational(text.read(v) if isinstance(v, str) else v) for v in values]
    beyond, scale = max(low - lower, upper - high, Fraction(0)), max(abs(upper), abs(lower))
    return held < asked and lower <= upper and digits(beyond, scale or 1) >= min(asked, 12)


def _fine(left: dict[str, str]) -> dict[str, Any]:
    return {"accepted": True, "verdict": "", "reason": "", "not_judged": left}
