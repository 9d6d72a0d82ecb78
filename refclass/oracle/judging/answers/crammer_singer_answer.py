"""A direct many-class machine's answer read from JSON: multipliers, a row a point, or weights, a row a class."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import Certificate, digits
from refclass.errors import InvalidInput, quoted
from refclass.estimators.margins.crammer_singer import CrammerSingerSVC
from refclass.kernels.matrices.product import linear_points
from refclass.margins.crammer_singer import certificate as crammer_singer_proof
from refclass.margins.crammer_singer import primal_certificate
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.oracle.judging.verdict import Violation
from refclass.oracle.problem import Problem

Rows = list[list[Fraction]]


def certificate(estimator: CrammerSingerSVC, given: Problem, fitted: Mapping[str, Any], asked: float) -> Certificate:
    """Return the proof of somebody's α, or of the weights of a linear kernel, for the machine that is asked for.

    Weights that are reported beside α are the answer, and α the dual point.

    fitted    alpha, n rows of K numbers, or coef, K rows of p numbers, or both; classes, the labels in the order of the
              K, or none: that of the estimator

    Raises    InvalidInput if the answer lacks what is needed, or if its form does not fit
    """
    machine, classes = estimator.machine(given.x, given.y, given.weights)
    places = order(classes, fitted.get("classes", classes))
    if "alpha" in fitted:
        found = rows("alpha", fitted["alpha"], len(machine.labels), len(classes))
        alpha = [[row[k] for k in places] for row in found]
        planes, points = None, linear_points(machine.K)
        if points is not None and fitted.get("coef") is not None:
            found = rows("coef", fitted["coef"], len(classes), len(points[0]))
            planes = [found[k] for k in places]
        return crammer_singer_proof.certify(machine, alpha, planes=planes, asked=asked)
    if "coef" in fitted:
        width = len(machine.K.X[0]) if hasattr(machine.K, "X") else 0
        found = rows("coef", fitted["coef"], len(classes), width)
        return primal_certificate.certify(machine, [found[k] for k in places], asked=asked)
    raise InvalidInput("verify", need="alpha, or coef for a linear kernel", got=", ".join(fitted))


def violation(estimator: CrammerSingerSVC, given: Problem, fitted: Mapping[str, Any]) -> Optional[Violation]:
    """Return which multipliers leave their constraints most: αᵢₖ ≤ Cᵢ of the own class, else ≤ 0, and Σₖ αᵢₖ = 0."""
    if "alpha" not in fitted:
        return None
    machine, classes = estimator.machine(given.x, given.y, given.weights)
    places = order(classes, fitted.get("classes", classes))
    alpha = [[row[k] for k in places] for row in rows("alpha", fitted["alpha"], len(machine.labels), len(classes))]
    largest = max(abs(v) for row in alpha for v in row)
    found = []
    for i, (row, own, c) in enumerate(zip(alpha, machine.labels, machine.costs)):
        for k, v in enumerate(row):
            end = Fraction(0) if k != own else None if c is None else rational(c)
            if end is not None and v > end:
                most = "C" if k == own else "0"
                where = f"point {i}: alpha {approximate(v):.17g} of class {quoted(classes[k])} is above {most}"
                found.append(Violation(where, v - end, digits(v - end, max(end, largest))))
        total = sum(row, Fraction(0))
        if total:
            where = f"point {i}: alpha sums to {approximate(total):.6g}, not 0"
            size = max(largest, sum(map(abs, row), Fraction(0)))
            found.append(Violation(where, abs(total), digits(total, size)))
    return min(found, key=lambda v: v.digits, default=None)


def order(classes: list[Any], reported: Any) -> list[int]:
    """Return the place of each class in the order that the answer gives.  Raises InvalidInput for other labels."""
    if (
        not isinstance(reported, (list, tuple))
        or len(reported) != len(classes)
        or any(c not in reported for c in classes)
    ):
        raise InvalidInput("verify", need=f"the labels {classes} in classes, in any order", got=reported)
    return [list(reported).index(c) for c in classes]


def rows(name: str, values: Any, n: int, width: int) -> Rows:
    """Return n rows of numbers, exact.  Raises InvalidInput, naming the row, for another shape or no number."""
    if not isinstance(values, (list, tuple)) or len(values) != n:
        got = len(values) if isinstance(values, (list, tuple)) else quoted(values)
        raise InvalidInput("verify", need=f"{n} rows in {name}", got=got)
    found = []
    for i, row in enumerate(values):
        if not isinstance(row, (list, tuple)) or len(row) != width:
            got = len(row) if isinstance(row, (list, tuple)) else quoted(row)
            raise InvalidInput("verify", need=f"{width} numbers in each row of {name}", got=got, row=i)
        try:
            found.append(list(map(rational, row)))
        except InvalidInput as refusal:
            raise InvalidInput("verify", need=f"finite numbers in {name}", got=refusal.got, row=i) from None
    return found
