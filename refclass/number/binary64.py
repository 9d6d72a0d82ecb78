"""IEEE 754 double precision: Python's float."""

from __future__ import annotations

import math
from typing import Any

from refclass.errors import InvalidInput, NotExact, quoted
from refclass.number.field import Field, rational

NORMAL = math.ldexp(1, -1022)  # the least double with all its digits


def lift(value: Any) -> float:
    """Return the nearest double.

    Raises    InvalidInput for NaN, infinities, text, what is not a number, and what lies beyond the range of doubles

    Example
        >>> lift(3), lift(0.1)
        (3.0, 0.1)
    """
    if type(value) is not float:
        if isinstance(value, str):
            raise InvalidInput("number", need="a number", got=quoted(value))
        try:
            value = float(rational(value))
        except OverflowError:
            raise InvalidInput("number", need="a number within the range of doubles", got=value) from None
    if value - value != 0:  # of all doubles, only NaN and ±∞
        raise InvalidInput("number", need="a finite number", got=value)
    return float(value)


def held(module: str, value: Any) -> Any:
    """Return a number of an answer unchanged, of any kind, or None for none.

    Raises    NotExact, in the name of the module, for an infinite double or NaN: the answer is beyond their range
    """
    if type(value) is float and not math.isfinite(value):
        raise NotExact(module, need="an answer within the range of doubles", got=value)
    return value


def denormal(value: Any) -> bool:
    """Return whether a number is a double so small that it has fewer digits than others, and all that follows from it.

    Example
        >>> denormal(5e-324), denormal(1e-300), denormal(0.0)
        (True, False, False)
    """
    return type(value) is float and 0 < abs(value) < NORMAL


def sqrt(x: float) -> float:
    """Return √x.  Raises InvalidInput for x < 0."""
    if x < 0:
        raise InvalidInput("binary64", need="a number ≥ 0 under the root", got=x)
    return math.sqrt(x)


def log(x: float) -> float:
    """Return log x.  Raises InvalidInput for x ≤ 0."""
    if x <= 0:
        raise InvalidInput("binary64", need="a number > 0 under the logarithm", got=x)
    return math.log(x)


def _pi() -> float:
    return math.pi


BINARY64 = Field(
    name="float",
    kind=float,
    lift=lift,
    eps=math.ulp(1.0),
    sqrt=sqrt,
    exp=math.exp,
    log=log,
    tanh=math.tanh,
    sin=math.sin,
    cos=math.cos,
    erf=math.erf,
    pi=_pi,
)
