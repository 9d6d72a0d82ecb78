"""The certificate of a linear machine's hyperplane, in fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Optional

from refclass.certificate import Certificate, digits, relative_digits, status
from refclass.errors import InvalidInput
from refclass.linear.common_denominator import Scaled, combination
from refclass.number.field import rational
from refclass.optimise.linear_svm.solver import Answer, Problem


def certify(problem: Problem, answer: Answer) -> Certificate:
    """Return the proof of an answer, everything lifted to exact rationals first  [ESL-12.13] [ESL-12.14] [ESL-12.16].

        primal = ½‖β‖² + Σ Cᵢ [1 − yᵢf(xᵢ)]₊        dual = Σ αᵢ − ½ ‖Σ αᵢyᵢxᵢ‖²

    With 0 ≤ αᵢ ≤ Cᵢ and Σ αᵢyᵢ = 0 the least objective lies between the two. The worst violation is the largest of
    |β − Σ αᵢyᵢxᵢ|, |Σ αᵢyᵢ| (with an intercept) and |αᵢ − clip(αᵢ + 1 − yᵢf(xᵢ), 0, Cᵢ)|: zero at the optimum, and only
    there. The primal is None if a point of infinite cost has slack.

    Cost      4np multiplications of integers
    Raises    InvalidInput if the lengths differ
    """
    if len(answer.alpha) != len(problem.y) or len(answer.beta) != len(problem.X[0]):
        got = f"{len(answer.alpha)} and {len(answer.beta)}"
        raise InvalidInput("long_step", need="a multiplier for each point and β for each variable", got=got)
    alpha = [rational(a) for a in answer.alpha]
    costs = [None if c is None else rational(c) for c in problem.costs]
    beta, sums, balance = _beta(problem, answer, alpha)
    margins = [t * (Scaled.of(x) @ beta + rational(answer.beta0)) for x, t in zip(problem.X, map(int, problem.y))]
    violations = [_violation(a, m, c) for a, m, c in zip(alpha, margins, costs)]
    worst = max([*violations, balance, (beta - sums).absolute().largest()[0]])
    primal, dual = _primal(beta, margins, costs), sum(alpha) - sums @ sums / 2
    outside = [max(-a, a - c if c is not None else -a, Fraction(0)) for a, c in zip(alpha, costs)]
    missed, proven = max([*outside, balance]), relative_digits(primal, dual)
    if proven is not None:
        proven = min(proven, digits(missed, max(map(abs, alpha))))
    word = "feasible" if proven is not None and not missed else status(proven, math.inf)
    return Certificate(
        status="optimal" if worst == 0 else word,
        primal=primal,
        dual=dual,
        gap=None if primal is None else primal - dual,
        worst_violation=worst,
        where=_where(worst, violations, balance),
        digits=proven,
        unique={"beta": True, "beta0": any(a > 0 and (c is None or a < c) for a, c in zip(alpha, costs)) or None},
    )


def _beta(problem: Problem, answer: Answer, alpha: Sequence[Fraction]) -> tuple[Scaled, Scaled, Fraction]:
    """Return the answer's β, Σ αᵢyᵢxᵢ, and by how much Σ αᵢyᵢ misses zero."""
    support = [i for i, a in enumerate(alpha) if a]
    weights = Scaled.of([int(problem.y[i]) * alpha[i] for i in support])
    sums = combination([problem.X[i] for i in support], weights, len(answer.beta))
    balance = abs(Fraction(sum(weights.integers), weights.denominator)) if problem.intercept else Fraction(0)
    return Scaled.of(answer.beta), sums, balance


def _primal(beta: Scaled, margins: Sequence[Fraction], costs: Sequence[Optional[Fraction]]) -> Optional[Fraction]:
    total = beta @ beta / 2
    for margin, cost in zip(margins, costs):
        if margin < 1:
            if cost is None:
                return None
            total += cost * (1 - margin)
    return total


def _violation(alpha: Fraction, margin: Fraction, cost: Optional[Fraction]) -> Fraction:
    nearest = max(alpha + 1 - margin, Fraction(0))
    return abs(alpha - (nearest if cost is None else min(nearest, cost)))


def _where(worst: Fraction, violations: Sequence[Fraction], balance: Fraction) -> str:
    if worst == 0:
        return ""
    if worst in violations:
        return f"multiplier and margin, point {violations.index(worst)}"
    return "Σ αᵢyᵢ = 0" if worst == balance else "β = Σ αᵢyᵢxᵢ"
