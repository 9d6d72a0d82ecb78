"""The ways to say no.

A refusal is an answer. There are four, each with one grammar and a witness that the reader can check:

    module: need <what was needed>; got <what came> (witness=value, …)

    InvalidInput   the caller broke a precondition
    NoAnswer       the question has no answer (singular, infeasible, unbounded, separable)
    NotExact       the answer exists, but not among these numbers
    NotConverged   the budget ran out; the best state and its gap are in the witness
"""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any

LONG = 10**30  # a fraction with an integer of more digits is shown as a decimal
LEADING = 1000  # bits of an integer that are looked at to show it
FRACTION = re.compile(r"Fraction\((-?\d+), (\d+)\)")


class Refusal(Exception):
    """A "no" with its reason: where it was said, what was needed, what came, and a witness that is data.

    Example
        >>> NoAnswer("ldl", need="a positive pivot", got="-1/4", pivot=2)
        NoAnswer('ldl: need a positive pivot; got -1/4 (pivot=2)')
    """

    def __init__(self, module: str, *, need: str, got: object, **witness: Any) -> None:
        self.module = module
        self.need = need
        self.got = got
        self.witness = witness
        where = ", ".join(f"{name}={show(value)}" for name, value in witness.items())
        super().__init__(f"{module}: need {need}; got {show(got)}" + (f" ({where})" if where else ""))

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self.module, self.need, self.got, self.witness)


class InvalidInput(Refusal, ValueError):
    """The caller broke a precondition."""


class NoAnswer(Refusal, ArithmeticError):
    """The question has no answer; the witness proves it."""


class NotExact(Refusal, ArithmeticError):
    """The answer exists, but not among the numbers in use."""


class NotConverged(Refusal, RuntimeError):
    """The budget ran out before the proof; the witness holds the best state and its gap."""


def quoted(value: object) -> str:
    """Return repr(value), fractions in it as p/q, or words where it holds an integer that Python refuses to write out.

    Example
        >>> quoted("a"), quoted([Fraction(1, 2), "a"]), quoted([10**5000])
        ("'a'", "[1/2, 'a']", 'a list of too many digits to show')
    """
    try:
        return _fractions(repr(value))
    except ValueError:  # of some thousand digits
        return _unwritten(value)


def _unwritten(value: object) -> str:
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind} of too many digits to show"


def _fractions(text: str) -> str:
    """Return what Python writes of a value with its fractions as p/q."""
    return FRACTION.sub(lambda found: found[1] if found[2] == "1" else f"{found[1]}/{found[2]}", text)


def show(value: object) -> str:
    """Return the value in one line: long ones cut in the middle, long fractions as decimals.

    Example
        >>> show(Fraction(1, 3)), show(Fraction(10**60, 7**60))
        ('1/3', '≈ 1968419230.1176')
    """
    if isinstance(value, Fraction) and max(abs(value.numerator), value.denominator) >= LONG:
        shortened = Context(prec=14, Emax=MAX_EMAX, Emin=MIN_EMIN)
        return f"≈ {shortened.divide(_leading(value.numerator), _leading(value.denominator))}"
    try:
        text = " ".join(_fractions(str(value)).split())
    except ValueError:
        return _unwritten(value)
    return text if len(text) <= 150 else text[:90] + " … " + text[-40:]


def _leading(k: int) -> Decimal:
    """Return an integer as a decimal; of a long one the leading digits, as some interpreters write no longer one."""
    cut = max(0, k.bit_length() - LEADING) * 30103 // 100000
    return Decimal(k // 10**cut).scaleb(cut, Context(prec=LEADING, Emax=MAX_EMAX, Emin=MIN_EMIN))


def _rebuilt(kind: type[Refusal], module: str, need: str, got: object, witness: dict[str, Any]) -> Refusal:
    return kind(module, need=need, got=got, **witness)
