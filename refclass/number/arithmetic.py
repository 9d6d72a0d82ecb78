"""Fields by the name of their arithmetic: "float", "exact", "decimal:50" and so on."""

from __future__ import annotations

import copyreg
from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import Field
from refclass.number.rational import RATIONAL


def field(name: Any) -> Field:
    """Return the field of the arithmetic with this name.

    Raises    InvalidInput for any other name

    Example
        >>> field("decimal:30").name, field("exact") is RATIONAL
        ('decimal:30', True)
    """
    if name == "float":
        return BINARY64
    if name == "exact":
        return RATIONAL
    if isinstance(name, str) and name.startswith("decimal:") and name[8:].isdecimal() and int(name[8:]) >= 2:
        return decimal(int(name[8:]))
    raise InvalidInput("arithmetic", need='"float", "exact" or "decimal:n" with n ≥ 2', got=quoted(name))


def _reduced(F: Field) -> Any:
    return field, (F.name,)


copyreg.pickle(Field, _reduced)  # a field is stored as its name: its functions are no data, and there is one of each
