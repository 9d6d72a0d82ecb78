"""A direct many-class machine's answer read from JSON: multipliers, a row a point, or weights, a row a class."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput
from refclass.estimators.crammer_singer import CrammerSingerSVC
from refclass.margins import crammer_singer_proof, crammer_singer_weights
from refclass.number.field import rational
from refclass.optimise.certificate import Certificate
from refclass.oracle.problem import Problem

Rows = list[list[Fraction]]


def certificate(estimator: CrammerSingerSVC, given: Problem, fitted: Mapping[str, Any], eps: Fraction) -> Certificate:
    """Return the proof of somebody's α, or of the weights of a linear kernel, for the machine that is asked for.

    fitted    alpha, n rows of K numbers, or coef, K rows of p numbers; classes, the labels in the order of the K, or
              none: that of the estimator

    Raises    InvalidInput if the answer lacks what is needed, or if its form does not fit
    """
    machine, classes = estimator.machine(given.x, given.y, given.weights)
    places = order(classes, fitted.get("classes", classes))
    if "alpha" in fitted:
        found = rows("alpha", fitted["alpha"], len(machine.labels), len(classes))
        alpha = [[row[k] for k in places] for row in found]
        return crammer_singer_proof.certify(machine, alpha)
    if "coef" in fitted:
        width = len(machine.K.X[0]) if hasattr(machine.K, "X") else 0
        found = rows("coef", fitted["coef"], len(classes), width)
        return crammer_singer_weights.certify(machine, [found[k] for k in places])
    raise InvalidInput("verify", need="alpha, or coef for a linear kernel", got=", ".join(fitted))


def order(classes: list[Any], told: Any) -> list[int]:
    """Return the place of each class in the order that the answer tells.  Raises InvalidInput for other labels."""
    if not isinstance(told, (list, tuple)) or len(told) != len(classes) or any(c not in told for c in classes):
        raise InvalidInput("verify", need=f"the labels {classes} in classes, in any order", got=told)
    return [list(told).index(c) for c in classes]


def rows(name: str, values: Any, n: int, width: int) -> Rows:
    """Return n rows of numbers, exact.  Raises InvalidInput, naming the row, for another shape or no number."""
    if not isinstance(values, (list, tuple)) or len(values) != n:
        got = len(values) if isinstance(values, (list, tuple)) else repr(values)
        raise InvalidInput("verify", need=f"{n} rows in {name}", got=got)
    found = []
    for i, row in enumerate(values):
        if not isinstance(row, (list, tuple)) or len(row) != width:
            got = len(row) if isinstance(row, (list, tuple)) else repr(row)
            raise InvalidInput("verify", need=f"{width} numbers in each row of {name}", got=got, row=i)
        try:
            found.append(list(map(rational, row)))
        except InvalidInput as refusal:
            raise InvalidInput("verify", need=f"finite numbers in {name}", got=refusal.got, row=i) from None
    return found
