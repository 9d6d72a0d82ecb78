"""A multiclass machine's answer read from JSON: multipliers or coefficients, a row for each point, columns by class."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import UNITS, Certificate, digits
from refclass.errors import InvalidInput, quoted
from refclass.estimators.margins.lee_lin_wahba import LeeLinWahbaSVC
from refclass.kernels.matrices.product import linear_points
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate as lee_lin_wahba_proof
from refclass.margins.lee_lin_wahba.problem import Machine
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.oracle.judging.verdict import Violation
from refclass.oracle.problem import Problem

ROUNDOFF = UNITS * Fraction(1, 2**52)


def certificate(estimator: LeeLinWahbaSVC, given: Problem, fitted: Mapping[str, Any], asked: float) -> Certificate:
    """Return the proof of somebody's multipliers, or coefficients, for the machine that the estimator requires.

    Coefficients of the functions that are reported beside multipliers are the answer, and these the dual point.

    fitted    alpha or coefficients, n rows of K numbers; intercept, K numbers, or none: then the multipliers say it;
              coef, K rows of p numbers of a linear kernel, or none; classes, the labels in the order of the columns,
              or none: that of the estimator

    Raises    InvalidInput if the answer lacks what is needed, or if its form does not fit
    """
    machine, classes = estimator.machine(given.x, given.y, given.weights)
    order = _order(classes, fitted.get("classes", classes))
    beta0 = None
    if fitted.get("intercept") is not None:
        reported = _row("intercept", fitted["intercept"], len(classes))
        beta0 = [reported[j] for j in order]
    alpha, (planes, beta) = _multipliers(machine, fitted, order), _functions(machine, fitted, order)
    return lee_lin_wahba_proof.certify(machine, alpha, beta0, planes=planes, beta=beta, asked=asked)


def _functions(machine: Machine, fitted: Mapping[str, Any], order: list[int]) -> tuple[Any, Any]:
    """Return the coefficients of linear functions, class by class, and those of others; None where not reported."""
    points = linear_points(machine.K)
    if points is not None:
        rows = fitted.get("coef")
        if rows is None:
            return None, None
        if not isinstance(rows, list) or len(rows) != len(order):
            got = len(rows) if isinstance(rows, list) else rows
            raise InvalidInput("verify", need=f"{len(order)} rows in coef, one for each class", got=got)
        read = [_row("coef", row, len(points[0]), k) for k, row in enumerate(rows)]
        return [read[j] for j in order], None
    if "alpha" not in fitted or fitted.get("coefficients") is None:
        return None, None
    rows = _rows("coefficients", fitted["coefficients"], machine.n, order)
    return None, list(zip(*rows))


def violation(estimator: LeeLinWahbaSVC, given: Problem, fitted: Mapping[str, Any]) -> Optional[Violation]:
    """Return which multipliers leave their constraints most: 0 ≤ αᵢₖ ≤ Lᵢₖ, and the same sum for each class."""
    if "alpha" not in fitted:
        return None
    machine, classes = estimator.machine(given.x, given.y, given.weights)
    order = _order(classes, fitted.get("classes", classes))
    alpha = _multipliers(machine, {"alpha": fitted["alpha"]}, order)
    largest = max(column.largest() for column in alpha)
    found = []
    for k, column in enumerate(alpha):
        for i, (v, row) in enumerate(zip(column, machine.costs)):
            end = rational(row[k])
            beyond = max(-v, v - end)
            # Premise: the multiplier of the own class has no part in the machine, whatever it is reported to be.
            if beyond > 0 and k != machine.labels[i]:
                where = f"point {i}: alpha {approximate(v):.17g} of class {quoted(classes[k])} is outside [0, {end}]"
                found.append(Violation(where, beyond, digits(beyond, max(end, largest))))
    sums = [column.sum() for column in alpha]
    apart = max(sums) - min(sums)
    if apart:
        where = f"the multipliers of the classes have sums that differ by {approximate(apart):.6g}"
        found.append(Violation(where, apart, digits(apart, sum((abs(v) for c in alpha for v in c), Fraction(0)))))
    return min(found, key=lambda v: v.digits, default=None)


def with_multipliers(estimator: LeeLinWahbaSVC, given: Problem, fitted: Mapping[str, Any]) -> dict[str, Any]:
    """Return fitted values with the multipliers that their coefficients stand for  [MMST-11.107].

    Those that roundoff of the coefficients moved from a bound are at it: which are free decides the intercepts.
    """
    machine, classes = estimator.machine(given.x, given.y, given.weights)
    columns = _multipliers(machine, fitted, _order(classes, fitted.get("classes", classes)))
    alpha = [[_at_bound(v, rational(c)) for v, c in zip(row, own)] for row, own in zip(zip(*columns), machine.costs)]
    return {**fitted, "classes": classes, "alpha": alpha}


def _at_bound(value: Fraction, end: Fraction) -> Fraction:
    return next((bound for bound in (Fraction(0), end) if abs(value - bound) <= ROUNDOFF * end), value)


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
            found = _rows(name, rows, machine.n, order)
            if name == "coefficients":
                found = [_from_coefficients(machine, i, row) for i, row in enumerate(found)]
            return [Vector.of(column) for column in zip(*found)]
    raise InvalidInput("verify", need="alpha, or coefficients, and intercept", got=", ".join(fitted))


def _rows(name: str, rows: Any, n: int, order: list[int]) -> list[list[Fraction]]:
    """Return a row of numbers for each row of x, its columns in the order of the classes.  Raises InvalidInput."""
    if not isinstance(rows, list) or len(rows) != n:
        got = len(rows) if isinstance(rows, list) else rows
        raise InvalidInput("verify", need=f"{n} rows in {name}, one for each row of x", got=got)
    read = [_row(name, row, len(order), i) for i, row in enumerate(rows)]
    return [[row[j] for j in order] for row in read]


def _from_coefficients(machine: Machine, i: int, beta: list[Fraction]) -> list[Fraction]:
    """Return the multipliers that coefficients stand for: α_ik = nλ(β_ig − β_ik), g the own class  [MMST-11.107]."""
    scale, own = rational(machine.scale), beta[machine.labels[i]]
    return [scale * (own - b) for b in beta]


def _row(name: str, values: Any, length: int, row: Optional[int] = None) -> list[Fraction]:
    place = {} if row is None else {"row": row}
    if not isinstance(values, list) or len(values) != length:
        got = len(values) if isinstance(values, list) else values
        each = "column of x" if name == "coef" else "class"
        raise InvalidInput("verify", need=f"{length} numbers in {name}, one for each {each}", got=got, **place)
    try:
        return [rational(v) for v in values]
    except InvalidInput as refusal:
        raise InvalidInput("verify", need=f"{name} as finite numbers", got=refusal.got, **place) from None
