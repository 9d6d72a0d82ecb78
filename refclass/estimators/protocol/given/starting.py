"""The coefficients and the intercept that a user gives an iteration to start from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.sample import data


def coefficients(F: Field, method: str, start: Any, n: int, intercept: bool) -> tuple[Vector, Number]:
    """Return n coefficients and an intercept, zero where none is given.

    Raises    InvalidInput unless there are n numbers, or n + 1, the last of them zero without intercept
    """
    need = f"start of {n} numbers, or {n + 1}"
    if not hasattr(start, "__len__") or isinstance(start, (str, Mapping)):
        raise InvalidInput(method, need=need, got=quoted(start))
    given = data.vector(F, start, name="start")
    if len(given) not in (n, n + 1):
        raise InvalidInput(method, need=need, got=len(given))
    beta0 = given[n] if len(given) > n else F.kind(0)
    if beta0 and not intercept:
        raise InvalidInput(method, need="a start without intercept", got=beta0)
    return Vector.of(given[:n]), beta0
