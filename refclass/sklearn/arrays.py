"""From arrays to the package's rows of numbers, and back."""

from __future__ import annotations

from typing import Any

import numpy


def array(value: Any) -> Any:
    """Return numbers, or lists of numbers of one shape, as an array (a number as a number); anything else as it is.

    Fractions and decimals stay what they are, in an array of objects.
    """
    if not isinstance(value, (list, tuple)) or not value:
        return value
    shape = _shape(value)
    if shape is None:
        return value
    flat = value
    for _ in shape[1:]:
        flat = [entry for row in flat for entry in row]
    plain = all(type(entry) in (float, int, bool, str) for entry in flat)
    found = numpy.asarray(flat if plain else None) if plain else numpy.empty(len(flat), dtype=object)
    if not plain:
        found[:] = flat
    return found.reshape(shape)


def _shape(value: Any) -> Any:
    """Return the shape of nested lists; None where they are ragged, or hold anything but numbers and text."""
    if not isinstance(value, (list, tuple)):
        return () if isinstance(value, str) or hasattr(value, "__abs__") else None
    shapes = {_shape(entry) for entry in value}
    if len(shapes) != 1 or None in shapes:
        return None
    return (len(value), *shapes.pop())


def listed(values: Any) -> Any:
    """Return an array as Python's own lists and numbers; what is no array as it is."""
    return values.tolist() if hasattr(values, "tolist") else values
