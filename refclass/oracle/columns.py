"""A multiclass machine's answer read from JSON: multipliers or coefficients, a row for each point, columns by class."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.estimators.lee_lin_wahba import LeeLinWahbaSVC
from refclass.linear.vector import Vector
from refclass.margins import lee_lin_wahba_proof
from refclass.margins.lee_lin_wahba import Machine
from refclass.number.field import rational
from refclass.optimise.certificate import Certificate
from refclass.oracle.problem import Problem


def certificate(estimator: LeeLinWahbaSVC, given: Problem, fitted: Mapping[str, Any], eps: Fraction) -> Certificate:
    """Return the proof of somebody's multipliers, or coefficients, for the machine that the estimator asks for.

    fitted    alpha or coefficients, n rows of K numbers; intercept, K numbers, or none: then the multipliers say it;
              classes, the labels in the order of the columns, or none: that of the estimator

    Raises    InvalidInput if the answer lacks what is needed, or if its form does not fit
    """
    machine, classes = estimator.machine(given.x, given.y, given.weights)
    order = _order(classes, fitted.get("classes", classes))
    beta0 = None
    if fitted.get("intercept") is not None:
        told = _row("intercept", fitted["intercept"], len(classes))
        beta0 = [told[j] for j in order]
    return lee_lin_wahba_proof.certify(machine, _multipliers(machine, fitted, order), beta0)


def _order(classes: list[Any], given: Any) -> list[int]:
    """Return where in the answer's columns each class stands."""
    names = list(given) if isinstance(given, (list, tuple)) else []
    if len(names) != len(classes) or any(c not in names for c in classes):
        raise InvalidInput("verify", need=f"classes {classes}, in any order", got=given)
    return [names.index(c) for c in classes]


def _multipliers(machine: Machine, fitted: Mapping[str, Any], order: list[int]) -> list[Vector]:
    for name in ("alpha", "coefficients"):
        rows = fitted.get(name)
        if rows is not None:
            if not isinstance(rows, list) or len(rows) != machine.n:
                got = len(rows) if isinstance(rows, list) else rows
                raise InvalidInput("verify", need=f"{machine.n} rows in {name}, one for each row of x", got=got)
            read = [_row(name, row, len(order), i) for i, row in enumerate(rows)]
            found = [[row[j] for j in order] for row in read]
            if name == "coefficients":
                found = [_from_coefficients(machine, i, row) for i, row in enumerate(found)]
            return [Vector.of(column) for column in zip(*found)]
    raise InvalidInput("verify", need="alpha, or coefficients, and intercept", got=", ".join(fitted))


def _from_coefficients(machine: Machine, i: int, beta: list[Fraction]) -> list[Fraction]:
    """Return the multipliers that coefficients stand for: α_ik = nλ(β_ig − β_ik), g the own class  [MMST-11.107]."""
    scale, own = rational(machine.scale), beta[machine.labels[i]]
    return [scale * (own - b) for b in beta]


def _row(name: str, values: Any, length: int, row: Optional[int] = None) -> list[Fraction]:
    place = {} if row is None else {"row": row}
    if not isinstance(values, list) or len(values) != length:
        got = len(values) if isinstance(values, list) else values
        raise InvalidInput("verify", need=f"{length} numbers in {name}, one for each class", got=got, **place)
    try:
        return [rational(v) for v in values]
    except InvalidInput as refusal:
        raise InvalidInput("verify", need=f"{name} as finite numbers", got=refusal.got, **place) from None
