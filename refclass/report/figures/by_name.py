"""The figures of the package, by name."""

from __future__ import annotations

from refclass.report.figures import costs, curves, discriminants, geometry, robustness, spirals, theory, vowels
from refclass.report.figures import support_vector_machines as machines

MODULES = (curves, geometry, robustness, machines, costs, spirals, theory, discriminants, vowels)
FIGURES = {figure.name: figure for module in MODULES for figure in module.FIGURES}
