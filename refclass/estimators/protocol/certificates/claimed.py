"""What somebody reports of a fit: values by name, as they came, read as the exact numbers that they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.number.field import rational


@dataclass(frozen=True)
class Reported:
    """The fitted values of an answer.

    values    by the names of the attributes without their underscore: numbers, text that denotes one, lists of them
    """

    values: Mapping[str, Any]

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def number(self, name: str, default: Optional[int] = None) -> Fraction:
        """Return a number, which may stand in a list of one; `default` where it is not reported.

        Raises    InvalidInput if it is no finite number
        """
        value = self.values.get(name, default)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        return exact(name, value)

    def numbers(self, name: str, n: Optional[int] = None) -> list[Fraction]:
        """Return a list of n numbers; a list that stands alone in another is taken out of it.

        Raises    InvalidInput for another length, and for what is no list of finite numbers
        """
        value = self.values.get(name)
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
            value = value[0]
        if not isinstance(value, list) or not value:
            raise InvalidInput("verify", need=f"{name} as a list of numbers", got=value)
        if n is not None and len(value) != n:
            raise InvalidInput("verify", need=f"{n} numbers in {name}", got=len(value))
        return [exact(name, v) for v in value]

    def rows(self, name: str, n: int, columns: Optional[int] = None) -> list[list[Fraction]]:
        """Return n rows of numbers.  Raises InvalidInput for another shape, and for what are no finite numbers."""
        value = self.values.get(name)
        if not isinstance(value, list) or len(value) != n:
            raise InvalidInput("verify", need=f"{n} rows of numbers in {name}", got=_shape(value))
        return [Reported({f"{name}[{i}]": row}).numbers(f"{name}[{i}]", columns) for i, row in enumerate(value)]


def exact(name: str, value: Any) -> Fraction:
    """Return the value as the rational that it is.  Raises InvalidInput, with its name, if it is no finite number."""
    try:
        return rational(value)
    except InvalidInput:
        raise InvalidInput("verify", need=f"{name} as a finite number", got=quoted(value)) from None


def _shape(value: Any) -> Any:
    return len(value) if isinstance(value, list) else quoted(value)
