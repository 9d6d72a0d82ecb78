"""The tables by name."""

from __future__ import annotations

from refclass.report.tables import cross_validated, formulas, learning_curve, orange, ripley, separable, spam, vowel

MODULES = (formulas, orange, vowel, learning_curve, ripley, separable, cross_validated, spam)
TABLES = {table.name: table for module in MODULES for table in module.TABLES}
