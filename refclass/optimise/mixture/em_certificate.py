"""The certificate of an EM iteration: its fixed point and its likelihood in long decimals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from refclass import certificate
from refclass.certificate import ASKED, Certificate
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given, dot
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import decades
from refclass.optimise.mixture.em_steps import apart, expected, maximised
from refclass.optimise.mixture.likelihood import (
    Mixture,
    Problem,
    factored,
)

DIGITS = 50  # of the arithmetic in which a certificate is computed, at least


def certify(F: Field, problem: Problem, mixture: Mixture, asked: float = ASKED) -> Certificate:
    """Return how far one more step would move the mixture, the mixture and the points taken at their exact values.

        |πₖᵣ⁺ − πₖᵣ|,    √(dᵀΣ⁻¹d) for d = μₖᵣ⁺ − μₖᵣ,    √tr(T²) for T = Σ⁻¹(Σ⁺ − Σ)

    the latter two in units of the standard deviation, whatever the units of the variables.

    A stationary point is a fixed point of the step, and the other way round [RC-15]. Status "stationary" if the step
    moves nothing by more than 10⁻⁹, "not converged" otherwise; never "optimal": another start may lead higher. Of rank
    L, eigenvalues L and L + 1 that differ by less than that count as equal, and what they differ by counts as a move.

    Exact     to 50 digits, or 20 more than those of the mixture, and to as many more as weights differ by, squared
    """
    digits = max(DIGITS, 20 + (getattr(F.kind, "precision", None) or 0)) + decades(problem.weights)
    D = decimal(digits)
    lifted, reported = _over(D, problem), _lifted(D, mixture)
    found = expected(D, lifted, reported)
    near = D.lift(Fraction(1, 10**ASKED))
    moved = maximised(D, lifted, found.shares, reported, near)
    gap = None if problem.rank is None else apart(D, lifted, found.shares, near)
    moves = [*_moves(D, reported, moved), (gap or D.kind(0), "eigenvalues that count as equal")]
    worst, where = max(moves, key=lambda move: move[0])
    proven = certificate.digits(worst, 1)
    status = certificate.status(proven, asked, convex=False)
    premise = "the likelihood is not concave: other starts may lead to other points"
    where = where if worst else ""
    unique = {"x": None} if problem.rank is None else {"x": None, "directions": gap is None}
    return Certificate(status, found.value, None, None, worst, where, unique, premise, proven)


def value(D: Field, problem: Problem, mixture: Mixture) -> Number:
    """Return ℓ in decimals, the mixture and the points taken at their exact values."""
    return expected(D, _over(D, problem), _lifted(D, mixture)).value


def _over(D: Field, problem: Problem) -> Problem:
    lift = _lifter(D)
    X = Matrix.of([lift(x) for x in problem.X])
    weights, priors = lift(problem.weights), lift(problem.priors)
    return Problem(X, problem.labels, weights, priors, problem.rank, problem.variant, problem.drop)


def _lifted(D: Field, mixture: Mixture) -> Mixture:
    lift = _lifter(D)
    means = tuple(Matrix.of([lift(mu) for mu in A]) for A in mixture.means)
    return Mixture(tuple(map(lift, mixture.weights)), means, Matrix.of([lift(row) for row in mixture.covariance]))


def _lifter(D: Field) -> Any:
    return lambda x: Vector.of([D.lift(rational(v)) for v in as_given(x)])


def _moves(F: Field, before: Mixture, after: Mixture) -> Iterator[tuple[Number, str]]:
    known = factored(F, before.covariance)
    for k, (a, b) in enumerate(zip(before.weights, after.weights)):
        yield max(map(abs, a - b)), f"the weights of class {k}"
    for k, (A, B) in enumerate(zip(before.means, after.means)):
        for r, d in enumerate(b - a for a, b in zip(A, B)):
            yield F.sqrt(abs(dot(d, known.solve(d)))), f"the mean of class {k}, subclass {r}"
    turned = known.solve(after.covariance - before.covariance)
    yield F.sqrt(abs((turned @ turned).trace())), "the covariance"
