"""Kernel logistic regression: the binomial deviance with the penalty of the support vector machine.

    minimise Σ wᵢ log(1 + e^(−yᵢf(xᵢ))) + ½λ‖f‖²,    f = Σ αᵢ K(xᵢ, ·) + β₀

f estimates the log-odds. At the optimum αᵢ = wᵢyᵢ/(λ(1 + e^(yᵢf(xᵢ)))): no coefficient is zero, so there are no support
vectors.
"""

from __future__ import annotations

from typing import Any

from refclass.linear.vector import Vector
from refclass.margins.penalised import Fit, Problem
from refclass.number.field import Field, Number
from refclass.optimise.certificate import Certificate
from refclass.regress import smooth, smooth_proof


def probability(F: Field, f: Number) -> Number:
    """Return Pr(+1 | x) for a log-odds f  [ESL-12.32].

        e^f/(1 + e^f) = 1/(1 + e^(−f))

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> probability(BINARY64, 0.0), probability(BINARY64, -800.0)
        (0.5, 0.0)
    """
    e = F.exp(-abs(f))
    return 1 / (1 + e) if f >= 0 else e / (1 + e)


def log_odds(F: Field, p: Number) -> Number:
    """Return log p/(1 − p): the contour of f on which the probability is p  [ESL-12.31].

    The contours of ¼ and ¾ are those of −log 3 and log 3.
    """
    return F.log(p / (1 - p))


def multipliers(F: Field, y: Vector, f: Vector, penalty: Number, weights: Vector) -> Vector:
    """Return the coefficients that decision values f call for at a stationary point  [ESL-12.31].

    αᵢ = wᵢyᵢ/(λ(1 + e^(yᵢfᵢ)))
    """
    return Vector.of([w * t * probability(F, -t * v) / penalty for t, v, w in zip(y, f, weights)])


def newton(problem: Problem, F: Field) -> smooth.Problem:
    """Return the problem of a smooth loss as Newton's method takes it."""
    losses = smooth.Losses(F, problem.loss, problem.y, problem.weights)
    return smooth.Problem(problem.table(), losses, problem.penalty, problem.intercept)


def fit(F: Field, problem: Problem, **options: Any) -> Fit:
    """Return the optimum for any smooth convex loss, by Newton's method from f = 0  [ESL-12.31].

    On separable data the optimum exists for every λ > 0; as λ → 0 its norm grows without bound, and its direction tends
    to that of the hard margin  [ESL-12.3.2-separation].

    Cost      n³/6 + 8n² multiplications a step
    Raises    NotExact for the deviance in exact arithmetic; NotConverged with the last point after too many steps
    """
    found = smooth.fit(newton(problem, F), **options)
    interval = (found.beta0, found.beta0)
    return Fit(found.a, found.beta0, found.values, interval, found.objectives, len(found.objectives) - 1)


def certify(problem: Problem, answer: Fit, eps: Any = 0) -> Certificate:
    """Return the proof of a fit by duality, and by strong convexity how far f is from the optimum.

    Exact     data and answer are taken as the rationals that they are; logarithms and exponentials are computed from
              them in 60 digits or more
    """
    premise = ""
    if not problem.positive:
        premise = "K is positive semidefinite where it matters; its kernel does not promise it"
    elif problem.rounded:
        premise = "the kernel is positive semidefinite; its rounded values are taken as exact"
    return smooth_proof.certify(
        problem.K,
        problem.loss,
        problem.y,
        problem.weights,
        problem.penalty,
        answer.a,
        answer.beta0,
        intercept=problem.intercept,
        eps=eps,
        premise=premise,
    )
