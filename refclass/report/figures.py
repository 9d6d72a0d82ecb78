"""The figures of the package, by name."""

from __future__ import annotations

from refclass.report import costs, curves, discriminants, geometry, machines, robustness, spirals

MODULES = (curves, geometry, robustness, machines, costs, spirals, discriminants)
FIGURES = {figure.name: figure for room in MODULES for figure in room.FIGURES}
