"""The figures of the package, by name."""

from __future__ import annotations

from collections.abc import Sequence

from refclass.errors import InvalidInput
from refclass.report import costs, curves, discriminants, geometry, machines, robustness, spirals
from refclass.report.drawing import Figure

MODULES = (curves, geometry, robustness, machines, costs, spirals, discriminants)
FIGURES = {figure.name: figure for room in MODULES for figure in room.FIGURES}


def chosen(names: Sequence[str]) -> list[Figure]:
    """Return the figures of these names, each once, or all of them without a name.

    Raises    InvalidInput for a name that no figure has

    Example
        >>> [figure.title for figure in chosen(["losses"])]
        ['Losses of the margin']
    """
    for name in names:
        if name not in FIGURES:
            raise InvalidInput("reproduce", need=f"names among {', '.join(FIGURES)}", got=repr(name))
    return [FIGURES[name] for name in dict.fromkeys(names)] if names else list(FIGURES.values())
