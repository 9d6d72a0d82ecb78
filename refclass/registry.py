"""The classes of a package's modules by name: what is written is found, and no list is kept by hand."""

from __future__ import annotations

import inspect
import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


@cache
def classes(package: str, family: type) -> dict[str, Any]:
    """Return the concrete classes of a family that a package's modules define, by name, in the order of the modules.

    A class is called as its attribute `name` says, else as it is spelt, in lower case with underscores. One whose
    `name` is empty, or whose own name begins with an underscore, is left out.

    Example
        >>> from refclass.losses.loss import Loss
        >>> list(classes("refclass.losses", Loss))[:3]
        ['deviance', 'hinge', 'huber']
    """
    found: dict[str, Any] = {}
    for entry in iter_modules(import_module(package).__path__):
        module = import_module(f"{package}.{entry.name}")
        for own, kind in vars(module).items():
            inner = inspect.isclass(kind) and issubclass(kind, family) and kind.__module__ == module.__name__
            if inner and not own.startswith("_") and named(kind):
                found[named(kind)] = kind
    return found


def named(kind: Any) -> str:
    """Return the name of a class: its own attribute `name`, else its spelling in lower case.

    Example
        >>> from refclass.kernels.thin_plate import ThinPlate
        >>> named(ThinPlate)
        'thin_plate'
    """
    given = vars(kind).get("name")
    return given if isinstance(given, str) else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()
