"""The words of a verdict: digits proven, how far from the optimum, what is infeasible, what is wrong and where."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import Certificate, relative_digits
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle.answer import tree
from refclass.oracle.judging.comparison.attributes import Comparison
from refclass.oracle.judging.comparison.held import DOUBLE


@dataclass(frozen=True)
class Violation:
    """A constraint that multipliers violate.

    where     which one, in words
    amount    by how much
    digits    how many digits of the scale of the constraint are left
    """

    where: str
    amount: Fraction
    digits: float


def shown(found: float) -> str:
    """Return a number of digits in words.

    Example
        >>> shown(7.25), shown(float("inf"))
        ('7.2 digits', 'all digits')
    """
    return "all digits" if found == math.inf else f"{math.floor(10 * found) / 10} digits"


def plain(found: Mapping[str, float]) -> dict[str, Any]:
    """Return digits by name as JSON holds them, "all" where there is no error."""
    return {name: "all" if value == math.inf else value for name, value in found.items()}


def proven(certificate: Certificate) -> Optional[float]:
    """Return the digits that a certificate proves; None where it bounds nothing."""
    if certificate.digits is not None or certificate.primal is None:
        return certificate.digits
    return relative_digits(certificate.primal, certificate.dual)


def in_words(reported: Mapping[str, Any]) -> str:
    """Return what numbers an answer is in, in words."""
    name, _, count = str(reported.get("arithmetic", "float")).partition(":")
    return f"decimals of {count} digits" if name == "decimal" else "doubles"


def certified(certify: Callable[..., Certificate], asked: float, *given: Any) -> Certificate:
    """Return a proof for the digits asked for."""
    if "asked" in inspect.signature(certify).parameters:
        return certify(*given, asked=asked)
    return certify(*given, Fraction(1, 10 ** (2 * int(min(asked, 8)))))  # where it asks how far a step may move it


def of_certificate(
    certificate: Certificate,
    asked: float,
    violation: Optional[Violation] = None,
    ceiling: Optional[float] = None,
    numbers: str = "doubles",
) -> dict[str, Any]:
    """Return the verdict on a proven answer, and its proof in exact and in rounded numbers.

    violation    of the multipliers as they are reported; the certificate's bounds hold without them
    ceiling      the digits of the exact optimum rounded to the numbers of the answer, where they are known
    numbers      these, in words
    """
    found = proven(certificate)
    out: dict[str, Any] = {"accepted": False, "verdict": "", "reason": "", "asked": _number(asked)}
    out["digits_proven"] = found  # for the judge alone: a verdict that is told has them among its digits
    exact = tree(certificate)
    if certificate.gap is not None and rational(certificate.gap) < 0 and (found or 0) < asked:
        out["verdict"], out["reason"] = "not judged", "the bounds contradict each other: the dual is above the primal"
    elif violation is not None and violation.digits < asked:
        out["verdict"] = f"infeasible: {violation.where}, by {text.approximate(violation.amount):.3g}"
        out["reason"] = violation.where
    elif certificate.primal is None and certificate.status == "infeasible":
        out["verdict"] = f"infeasible: {certificate.where}"
        out["reason"] = certificate.where
    elif found is not None and found >= asked:
        out["accepted"] = True
        out["verdict"] = "stationary" if certificate.status == "stationary" else _good(certificate, found)
        out["reason"] = out["verdict"]
    elif certificate.status == "stationary":
        out.update(accepted=True, verdict="stationary", reason="stationary")
    else:
        out["verdict"], out["reason"] = _short(certificate, found)
        if found is not None and ceiling is not None and found >= max(1, ceiling - 1):
            out["accepted"] = True
            out["verdict"] = f"{_good(certificate, found)}; the ceiling is {shown(ceiling)}"
            out["reason"] = f"{out['verdict']}: the exact optimum, rounded to {numbers}, has no more"
    if found is not None:
        out["digits"] = plain({"objective": found})
    if ceiling is not None:
        out["ceiling"] = "all" if ceiling == math.inf else ceiling
    if certificate.premise:
        out["premise"] = certificate.premise
    return {**out, "certificate": exact, "decimal": tree(certificate, text.approximate)}


def _number(asked: float) -> Any:
    return "all" if asked == math.inf else asked


def _optimal(found: float) -> str:
    return "optimal" if found == math.inf else f"optimal to {shown(found)}"


def _good(certificate: Certificate, found: float) -> str:
    # Premise: a convex problem has a gap; of another, too few digits of the conditions are called "not converged".
    convex = certificate.gap is not None or certificate.status != "not converged"
    return _optimal(found) if convex else f"stationary to {shown(found)}"


def _short(certificate: Certificate, found: Optional[float]) -> tuple[str, str]:
    """Return the verdict on an answer with too few digits, and the reason."""
    where = certificate.where or "the bounds lie apart"
    if certificate.gap is None or certificate.primal is None or found is None:
        return f"not optimal: {where}", where
    objective, gap = abs(rational(certificate.primal)), rational(certificate.gap)
    verdict = f"suboptimal by at most {_percent(gap / objective)} of its objective" if objective else "suboptimal"
    return verdict, f"{verdict}, {shown(found)} of it proven: {where}"


def _percent(share: Fraction) -> str:
    """Return a share in percent, of two digits: what is nearly all of it is not written with an exponent."""
    percent = text.approximate(100 * share)
    return f"{percent:.0f} %" if 99 < percent < 1e6 else f"{percent:.2g} %"


def of_comparison(comparison: Comparison, how: str) -> dict[str, Any]:
    """Return the verdict on attributes and predictions that were compared with what is right."""
    found = comparison.digits
    least = min(found.values(), default=math.inf)
    out: dict[str, Any] = {
        "accepted": comparison.agrees,
        "verdict": "",
        "reason": "",
        "asked": _number(comparison.asked),
    }
    if comparison.wrong is None:
        out["verdict"] = "right" if least == math.inf else f"right to {shown(least)}"
        out["reason"] = f"{', '.join(found)} as they must be"
        if comparison.ceiling < math.inf:
            out["verdict"] += f"; the ceiling is {shown(comparison.ceiling)}"
            held = "doubles" if comparison.unit >= DOUBLE else "decimals of so few digits"
            out["reason"] += f", or within a digit of what {held} hold"
            out["ceiling"] = comparison.ceiling
    else:
        out["verdict"] = f"wrong: {comparison.wrong}"
        out["reason"] = str(comparison.wrong)
        wrong = comparison.wrong
        out["wrong"] = {"attribute": wrong.attribute, "place": wrong.place, "got": wrong.got, "want": wrong.want}
    return {**out, "digits": plain(found), "how": how, "not_judged": dict(comparison.left)}


def joined(proof: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    """Return one verdict on the proven part of an answer and on the rest of it."""
    both = {**rest, **proof, "digits": {**rest.get("digits", {}), **proof.get("digits", {})}}
    both["not_judged"] = {**proof.get("not_judged", {}), **rest.get("not_judged", {})}
    if proof["accepted"] and not rest["accepted"]:
        both.update(accepted=False, verdict=rest["verdict"], wrong=rest.get("wrong"))
        both["reason"] = f"the proven part is right, but not {rest['reason']}"
    return both


def limited(found: dict[str, Any], name: str, own: float) -> dict[str, Any]:
    """Return a verdict on numbers, one of which has digits of its own."""
    both = {**found["digits"], **plain({name: own})}
    least = min(math.inf if v == "all" else v for v in both.values())
    if found["accepted"]:
        found = {**found, "verdict": "right" if least == math.inf else f"right to {shown(least)}"}
    return {**found, "digits": both}


def capped(found: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return a verdict in which attributes that were taken for the answer have no more digits than its objective.

    Example
        >>> capped({"digits": {"alpha": "all", "objective": 6.3, "margin": 5.0}}, ["alpha", "intercept"])["digits"]
        {'alpha': 6.3, 'objective': 6.3, 'margin': 5.0}
    """
    given = found.get("digits", {})
    most = given.get("objective", "all")
    return {**found, "digits": {**given, **{name: most for name in names if given.get(name) == "all"}}}


def no_more(found: dict[str, Any], own: float) -> dict[str, Any]:
    """Return an accepted verdict in words that claim no more digits of the objective than what coefficients say has.

    Example
        >>> words = "optimal to 16.4 digits"
        >>> no_more({"verdict": words, "reason": words, "digits": {"objective": 16.4}}, 7.91)["verdict"]
        'optimal to 7.9 digits'
    """
    held = found["digits"].get("objective")
    held = math.inf if held == "all" else held
    if held is None or own >= held:
        return found
    words, reason = (found[name].replace(_optimal(held), _optimal(own), 1) for name in ("verdict", "reason"))
    return {**found, "verdict": words, "reason": reason}


def wrong(attribute: str, got: Any, want: Any, place: str = "") -> dict[str, Any]:
    """Return the verdict on a claim that is false."""
    reason = f"{attribute}{place}: got {got}, want {want}"
    one = {"attribute": attribute, "place": place, "got": str(got), "want": str(want)}
    return {"accepted": False, "verdict": f"wrong: {reason}", "reason": reason, "wrong": one}
