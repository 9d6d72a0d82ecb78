"""A two-class support vector machine's answer: multipliers or a hyperplane, proven in fractions; nothing is refitted.

A hyperplane alone is measured against the exact optimum, which is solved for and proven.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, Optional

from refclass.errors import InvalidInput, NoAnswer, Refusal
from refclass.estimators import svc
from refclass.estimators.estimator import clone
from refclass.estimators.points import Given
from refclass.linear.vector import Vector
from refclass.margins import proof
from refclass.margins.soft import Machine, primal_objective
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.optimise.certificate import Certificate, digits, relative_digits, status
from refclass.oracle.leaves import finite
from refclass.oracle.problem import Problem
from refclass.oracle.verdict import Violation
from refclass.regress.product import linear_points

PROVEN = ("alpha", "dual_coef", "support", "intercept")


class Judged(NamedTuple):
    """The proof of one machine, what its multipliers violate, and these with the intercept where they are told."""

    certificate: Certificate
    violation: Optional[Violation] = None
    alpha: Optional[Vector] = None
    beta0: Any = None


def arithmetic(problem: Problem) -> str:
    """Return the arithmetic that a problem is judged in: fractions, or decimals where the problem asks for them."""
    return problem.arithmetic if problem.arithmetic.startswith("decimal") else "exact"


def judge(estimator: svc.SVC, given: Given, y: Any, weights: Any, fitted: Mapping[str, Any], asked: float) -> Judged:
    """Return the proof of a machine that is told.

    fitted    alpha, or dual_coef with support, and intercept; or coef and intercept of a linear kernel

    Raises    InvalidInput if these are missing or of another form
    """
    machine, _ = estimator.machine(given, y, weights)
    told = any(name in fitted for name in ("alpha", "dual_coef", "coef"))
    if not told:
        need = "alpha and intercept, dual_coef with support and intercept, or coef and intercept"
        raise InvalidInput("verify", need=need, got=", ".join(fitted))
    beta0 = number("intercept", fitted.get("intercept", [0] if not machine.intercept else None))
    if "alpha" in fitted or "dual_coef" in fitted:
        alpha = multipliers(machine, fitted)
        return Judged(proof.certify(machine, alpha, beta0, asked=asked), violation(machine, alpha), alpha, beta0)
    w = Vector(numbers("coef", fitted["coef"]))
    return Judged(hyperplane(estimator, given, y, weights, machine, w, beta0, asked))


def take(estimator: svc.SVC, name: str, problem: Problem, told: Judged) -> svc.SVC:
    """Return an estimator that has taken the multipliers and the intercept for its own, in an arithmetic."""
    taker: svc.SVC = clone(estimator).set_params(arithmetic=name)
    return taker.take(taker.given(problem.x), problem.y, told.alpha, told.beta0, problem.weights)


def violation(machine: Machine, alpha: Vector) -> Optional[Violation]:
    """Return what the multipliers violate most, on the scale of the constraint: the box, and Σ αᵢyᵢ = 0."""
    a, y = list(map(rational, alpha)), list(map(rational, machine.y))
    largest = max(map(abs, a))
    found: list[Violation] = []
    for i, (v, c) in enumerate(zip(a, machine.costs)):
        end = None if c is None or (machine.squared and c) else rational(c)
        beyond = max(-v, v - end if end is not None else Fraction(0))
        if beyond > 0:
            most = "inf" if end is None else f"{approximate(end):.6g}"
            where = f"point {i}: alpha {approximate(v):.9g} is outside [0, {most}]"
            found.append(Violation(where, beyond, digits(beyond, max(largest, end or Fraction(0)))))
    balance = sum((v * t for v, t in zip(a, y)), Fraction(0))
    if machine.intercept and balance:
        where = f"sum of alpha·y is {approximate(balance):.6g}, not 0"
        found.append(Violation(where, abs(balance), digits(balance, sum(map(abs, a), Fraction(0)))))
    return min(found, key=lambda v: v.digits, default=None)


def hyperplane(
    estimator: svc.SVC,
    given: Given,
    y: Any,
    weights: Any,
    machine: Machine,
    w: Vector,
    beta0: Fraction,
    asked: float,
) -> Certificate:
    """Return the proof of (w, b): its primal beside the exact optimum's dual  [ESL-12.10].

    Raises    InvalidInput if the kernel is not linear or w has another length
    """
    points = linear_points(machine.K)
    if points is None:
        raise InvalidInput("proof", need="a linear kernel to judge a hyperplane", got="another")
    X = [Vector(map(rational, x)) for x in machine.K.X]
    if len(w) != len(X[0]):
        raise InvalidInput("proof", need=f"{len(X[0])} coefficients, one for each variable", got=len(w))
    try:
        best = clone(estimator).set_params(arithmetic="exact", solver="auto", tol=None, max_iter=None)
        best.fit_given(best.given(given.points), y, weights)
    except NoAnswer:
        raise
    except Refusal:
        return proof.certify_hyperplane(machine, w, beta0, asked=asked)
    dual = proof.certify(machine, Vector.of(best.alpha_), best.intercept_[0]).dual
    margins = [rational(t) * (x @ w + beta0) for t, x in zip(machine.y, X)]
    hard = [m for m, c in zip(margins, machine.costs) if c is None]
    least = min(hard, default=Fraction(1))
    if least < 1 and (least <= 0 or digits(1 - least, 1) < asked):
        i = next(i for i, (m, c) in enumerate(zip(margins, machine.costs)) if c is None and m == least)
        where = f"point {i}: y·f is {approximate(least):.6g}, and no slack is allowed"
        return Certificate("infeasible", None, dual, None, 1 - least, where, {"beta": True})
    if least < 1:  # Premise: scaled up until no margin is less than one, the hyperplane is feasible.
        w, beta0 = w / least, beta0 / least
    f = Vector([x @ w + beta0 for x in X])
    costs = tuple([None if c is None else rational(c) for c in machine.costs])
    lifted = Vector(map(rational, machine.y))
    primal = primal_objective(w @ w, f, lifted, costs, machine.squared)
    gap = primal - dual
    found = relative_digits(primal, dual)
    where = f"the primal is {approximate(primal):.10g}, the proven optimum {approximate(dual):.10g}" if gap else ""
    return Certificate(status(found, asked), primal, dual, gap, gap, where, {"beta": True}, digits=found)


def multipliers(machine: Machine, fitted: Mapping[str, Any]) -> Vector:
    """Return the multipliers of all rows.  Raises InvalidInput for another number of them, or for bad rows."""
    n = len(machine.y)
    if "alpha" in fitted:
        alpha = numbers("alpha", fitted["alpha"])
        if len(alpha) != n:
            raise InvalidInput("verify", need=f"{n} multipliers in alpha, one for each row of x", got=len(alpha))
        return Vector(alpha)
    support: Any = fitted.get("support")
    given = fitted["dual_coef"]
    signed = [] if given in ([], [[]]) else numbers("dual_coef", given)
    if not isinstance(support, list) or len(support) != len(signed) or len(set(map(str, support))) < len(support):
        raise InvalidInput("verify", need=f"support, {len(signed)} different row numbers", got=support)
    full = [Fraction(0)] * n
    for i, v in zip(support, signed):
        if type(i) is not int or not 0 <= i < n:
            raise InvalidInput("verify", need=f"row numbers from 0 to {n - 1} in support", got=i)
        full[i] = v * rational(machine.y[i])
    return Vector(full)


def numbers(name: str, values: Any) -> list[Fraction]:
    """Return a list of numbers, which may stand alone in another list.  Raises InvalidInput for anything else."""
    if isinstance(values, list) and len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    if not isinstance(values, list) or not values:
        raise InvalidInput("verify", need=f"{name} as a list of numbers", got=values)
    return [_one(name, v) for v in values]


def number(name: str, value: Any) -> Fraction:
    """Return a number, which may stand alone in a list.  Raises InvalidInput for anything else."""
    return _one(name, value[0] if isinstance(value, list) and len(value) == 1 else value)


def _one(name: str, value: Any) -> Fraction:
    if isinstance(value, list) or not finite(value):
        raise InvalidInput("verify", need=f"{name} as a finite number", got=repr(value))
    return rational(value)


def alone(problem: Problem, **changes: Any) -> Problem:
    """Return the problem in fractions."""
    return replace(problem, arithmetic=arithmetic(problem), **changes)
