"""An answer read from JSON: its parts, its names, and its numbers at the exact values that they stand for.

A decimal is the rational that it says; in an answer that says `"arithmetic": "float"` or `"binary64"` it is the nearest
double, the number that its program had. Hexadecimal floats ("0x1.8p-3") and fractions ("1/3") are exact in any answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.number import arithmetic, text
from refclass.number.field import rational
from refclass.oracle.conventions import conversion
from refclass.oracle.problem import Problem, decode, kind_of

HEAD = (
    "name",
    "method",
    "parameters",
    "arithmetic",
    "predictions",
    "certificate",
    "decimal",
    "refusal",
    "left_out",
    "refined",
)
PREDICTIONS = ("labels", "decision", "posterior", "votes", "unclassifiable")
UNDERFLOW = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?[eE]-[0-9]{5,30}")  # below 10⁻⁹⁰⁰⁰: zero on any scale
DOUBLES = ("float", "binary64")
LISTED = ("estimators", "support", "dual_coef")  # what an answer of several machines may say beside their attributes
# Parts of a certificate, by the kind that each is of.
SAID = ("status", "where", "premise")
COUNTED = ("primal", "dual", "gap", "worst_violation", "digits", "ceiling")
WORDS = ("classes", "labels", "events", "terms", "forward_terms", "types", "splits", "exponents", "subclasses")


def read(content: str, source: str) -> dict[str, Any]:
    """Return the answer in the JSON text.  Raises InvalidInput if it has neither fitted values nor predictions."""
    return formed(decode(content, source), source)


def formed(given: Any, source: str) -> dict[str, Any]:
    """Return an answer with its fitted values under "fitted".  Raises InvalidInput for another form."""
    if not isinstance(given, dict):
        raise InvalidInput(source, need="a JSON object with fitted values", got=type(given).__name__)
    fitted = given.get("fitted", {k: v for k, v in given.items() if k not in HEAD})
    if "fitted" in given:
        for name in given:
            if name not in (*HEAD, "fitted"):
                raise InvalidInput(source, need=f"names among {', '.join((*HEAD, 'fitted'))}", got=quoted(name))
    for name in ("predictions", "refusal", "parameters", "certificate"):
        if not isinstance(given.get(name, {}), dict):
            raise InvalidInput(source, need=f"{name} as an object", got=quoted(given[name]))
    if not isinstance(fitted, dict) or not (fitted or given.get("predictions") or "refusal" in given):
        raise InvalidInput(source, need="fitted values", got="none")
    if not isinstance(fitted.get("classes", []), list):
        raise InvalidInput(source, need="classes as a list of labels", got=quoted(fitted["classes"]))
    if not isinstance(given.get("arithmetic", ""), str):
        raise InvalidInput(source, need="arithmetic as a name", got=quoted(given["arithmetic"]))
    for part, value in given.get("certificate", {}).items():
        _claimed(source, part, value)
    for part in ("fitted", "predictions"):
        for name, value in {**given, "fitted": fitted}.get(part, {}).items():
            if name != "estimators" and (part == "fitted" or name in PREDICTIONS):  # other predictions: `exact` refuses
                _listed(source, name, value, words=name in WORDS)
    return {**given, "fitted": fitted}


def _claimed(source: str, part: str, value: Any) -> None:
    """Raise InvalidInput for a part that no certificate has, or that is of another kind."""
    if part not in (*SAID, *COUNTED, "unique"):
        names = ", ".join((*SAID, *COUNTED, "unique"))
        raise InvalidInput(source, need=f"parts of a certificate among {names}", got=quoted(part))
    if part in SAID and not (value is None or isinstance(value, str)):
        raise InvalidInput(source, need=f"certificate.{part} as text", got=quoted(value))
    if part in COUNTED and not (value is None or _number(value)):
        raise InvalidInput(source, need=f"certificate.{part} as a number", got=quoted(value))
    if part == "unique" and not isinstance(value, dict):
        need = "certificate.unique as an object of true, false or null"
        raise InvalidInput(source, need=need, got=quoted(value))


def _number(value: Any) -> bool:
    """Return whether a value is a number, an infinity, or text of one."""
    if isinstance(value, str):
        return not isinstance(text.read(value), str) or _decimal(value)
    return isinstance(value, (int, float, Decimal, Fraction)) and not isinstance(value, bool)


def _decimal(value: str) -> bool:
    """Return whether text is a decimal number of any exponent, or an infinity."""
    try:
        return not Decimal(value).is_nan()
    except InvalidOperation:
        return False


def _listed(source: str, name: str, value: Any, *, words: bool, place: str = "") -> None:
    """Raise InvalidInput for an object within what is reported, and for text that is no number where none is meant."""
    if isinstance(value, str) and not words and not _number(value) and value.strip().lower() != "nan":
        raise InvalidInput(source, need=f"{name}{place} as a number", got=quoted(value))
    if isinstance(value, Mapping):
        raise InvalidInput(source, need=f"{name}{place} as numbers or lists of them", got=quoted(dict(value)))
    if isinstance(value, (list, tuple)):
        for i, part in enumerate(value):
            _listed(source, name, part, words=words, place=f"{place}[{i}]")


def exact(problem: Problem, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer with its numbers as rationals, in the conventions of this package.

    Raises    InvalidInput for a name that the method does not have, for a number's place taken by something else, and
              for an arithmetic that no answer can be in
    """
    name = answer.get("arithmetic", "exact")
    doubles = name in DOUBLES
    if not doubles:
        arithmetic.field(name)
    kind = kind_of(problem.method)
    known = [*kind.fitted, *kind.history, *(LISTED if hasattr(kind, "tasks") else ())]
    names = sorted({v.rstrip("_") for v in known} | _besides(problem))
    fitted = conversion.reported(problem.conventions, answer.get("fitted", {}))
    for one in fitted:
        if one not in names:
            raise InvalidInput("verify", need=f"fitted values among {', '.join(names)}", got=quoted(one))
    predictions = answer.get("predictions", {})
    for one in predictions:
        if one not in PREDICTIONS:
            raise InvalidInput("verify", need=f"predictions among {', '.join(PREDICTIONS)}", got=quoted(one))
    words = WORDS if kind.takes_labels else tuple([one for one in WORDS if one != "labels"])  # responses are numbers
    return {
        **answer,
        "fitted": {one: value if one in WORDS else numbers(value, doubles) for one, value in fitted.items()},
        "predictions": {one: value if one in words else numbers(value, doubles) for one, value in predictions.items()},
    }


def _besides(problem: Problem) -> set[str]:
    """Return what other programs report and these methods can be judged by."""
    return {"coef"} if problem.method in ("svc", "crammer_singer") else set()


def numbers(value: Any, doubles: bool) -> Any:
    """Return numbers, and texts that denote numbers, as rationals; lists of them; what is neither as it is."""
    if isinstance(value, (list, tuple)):
        return [numbers(v, doubles) for v in value]
    if isinstance(value, Mapping):
        return {name: v if name in WORDS else numbers(v, doubles) for name, v in value.items()}
    if isinstance(value, str):
        found = Fraction(0) if UNDERFLOW.fullmatch(value.strip()) else text.read(value)
        return rounded(found) if doubles and isinstance(found, Fraction) and "/" not in value else found
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float) and value - value != 0:
        return str(value)
    if isinstance(value, (float, Decimal)):
        return rational(value)
    return rounded(value) if doubles and isinstance(value, Fraction) else value


def rounded(value: Fraction) -> Fraction:
    """Return the nearest double as a rational; beyond the doubles the number itself."""
    number = text.approximate(value)
    return Fraction(number) if number - number == 0 else value


def in_doubles(value: Any) -> Any:
    """Return numbers, and texts that denote numbers, rounded to doubles; lists of them."""
    return in_arithmetic("float", value)


def in_arithmetic(name: str, value: Any) -> Any:
    """Return numbers, and texts that denote numbers, rounded to doubles or to decimals of so many digits."""
    if isinstance(value, list):
        return [in_arithmetic(name, v) for v in value]
    found = numbers(value, False)
    if not isinstance(found, Fraction):
        return found
    return rounded(found) if name in DOUBLES else rational(arithmetic.field(name).lift(found))
