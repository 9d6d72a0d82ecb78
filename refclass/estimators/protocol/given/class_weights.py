"""Costs and weights of classes, as a user gives them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.number.field import Field, Number


def numbers(F: Field, method: str, given: Any, classes: Sequence[Any], labels: Sequence[int]) -> list[Number]:
    """Return the weight of each class: ones for None, n/(K nₖ) for "balanced", or those given by label.

    Shapes    labels: n class numbers
    Raises    InvalidInput for other labels, or a weight below zero
    """
    if given is None:
        return [F.lift(1)] * len(classes)
    if given == "balanced":
        n, counts = len(labels), Counter(labels)
        return [F.lift(Fraction(n, len(classes) * counts[k])) for k in range(len(classes))]
    if not isinstance(given, Mapping) or any(c not in classes for c in given):
        need = f'class_weight None, "balanced", or weights for labels among {list(classes)}'
        raise InvalidInput(method, need=need, got=quoted(given))
    weights = [F.lift(given.get(c, 1)) for c in classes]
    for c, w in zip(classes, weights):
        if w < 0:
            raise InvalidInput(method, need="class weights ≥ 0", got=w, label=c)
    return weights


def is_infinite(value: Any) -> bool:
    """Return whether a cost is given as inf, the hard margin."""
    return value == "inf" or (isinstance(value, float) and math.isinf(value) and value > 0)
