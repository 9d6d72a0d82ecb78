"""Whether the attributes of an estimator are those of the model that was proven, and where they differ."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from refclass.certificate import Certificate
from refclass.number.field import rational
from refclass.number.text import approximate


def refused(found: Certificate, where: str, size: Any = 1) -> Certificate:
    """Return the certificate of an answer with a number that is not the one that was proven."""
    return replace(found, status="not converged", worst_violation=rational(size), where=where, digits=float(0))


def difference(name: str, stated: Any, proven: Any) -> str:
    """Return the first place at which two values that are not equal differ, and the two, in words."""
    if isinstance(stated, (list, tuple)) and isinstance(proven, (list, tuple)):
        if len(stated) != len(proven):
            return f"{name} has {len(stated)} entries, the model {len(proven)}"
        for i, (v, w) in enumerate(zip(stated, proven)):
            if v != w:
                return difference(f"{name}[{i}]", v, w)
    return f"{name} is {shown(stated)}, that of the model {shown(proven)}"


def shown(value: Any) -> str:
    """Return a value in words, a number in ten digits."""
    return f"{approximate(value):.10g}" if isinstance(value, (float, Fraction)) else str(value)
