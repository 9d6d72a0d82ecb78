"""Exact numbers: fractions, with every irrational result refused."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any, Callable

from refclass.errors import InvalidInput, NotExact
from refclass.number.field import Field, rational
from refclass.number.text import show

ZERO, ONE = Fraction(0), Fraction(1)


def square_root(x: Fraction) -> Fraction:
    """Return the square root of x when it is rational.

    Raises    InvalidInput for x < 0, NotExact when the root is irrational

    Example
        >>> square_root(Fraction(9, 4))
        Fraction(3, 2)
    """
    if x < 0:
        raise InvalidInput("rational", need="a number ≥ 0 under the root", got=x)
    x = Fraction(x)
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    if p * p != x.numerator or q * q != x.denominator:
        raise NotExact("rational", need="a rational square root", got=f"√({show(x)})")
    return Fraction(p, q)


def _only(name: str, at: int, value: int) -> Callable[[Any], Fraction]:
    # Premise: by Lindemann and Weierstrass exp, log, tanh, sin, cos of a rational number are rational at one point only
    # (erf: as far as is known).
    def function(x: Any) -> Fraction:
        if x == at:
            return Fraction(value)
        raise NotExact("rational", need=f"a rational value of {name}", got=f"{name}({show(x)})")

    return function


def _no_pi() -> Fraction:
    raise NotExact("rational", need="a rational number", got="π")


RATIONAL = Field(
    name="exact",
    kind=Fraction,
    lift=rational,
    eps=Fraction(0),
    sqrt=square_root,
    exp=_only("exp", 0, 1),
    log=_only("log", 1, 0),
    tanh=_only("tanh", 0, 0),
    sin=_only("sin", 0, 0),
    cos=_only("cos", 0, 1),
    erf=_only("erf", 0, 0),
    pi=_no_pi,
)
