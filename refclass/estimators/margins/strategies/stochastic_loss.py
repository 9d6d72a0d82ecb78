"""A loss of the margin in the norm of coefficients, by stochastic subgradients: an answer of `KernelClassifier`."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from refclass.certificate import Certificate
from refclass.errors import InvalidInput
from refclass.estimators.margins.strategies.penalised_points import Functions, Options, Points
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.linear.vector import Vector
from refclass.margins.penalised import stochastic
from refclass.number.rational import RATIONAL


@dataclass(frozen=True)
class StochasticLoss:
    """Where a stochastic descent ended, or what was reported as that.

    theta    the coefficients
    steps    how many steps were made
    """

    points: Points
    theta: Vector
    steps: int = 0

    @classmethod
    def solved(cls, points: Points, options: Options) -> StochasticLoss:
        """Return the end of the descent."""
        if (options.start, options.tol) != (None, None):
            raise InvalidInput(options.method, need="neither start nor tol for stochastic", got="one")
        F, steps = points.given.F, 100 * len(points.labels) if options.max_iter is None else options.max_iter
        problem = points.problem(F, points.table(F, points.given.rows))
        return cls(points, stochastic.fit(F, problem, Random(options.seed), steps), steps)

    @classmethod
    def reported(cls, points: Points, reported: Reported) -> StochasticLoss:
        """Return the coefficients that somebody reports; nothing is solved."""
        n = len(points.given)
        reported.number("intercept", None if points.intercept else 0)
        return cls(points, Vector.of(map(points.given.F.lift, reported.numbers("alpha", n))))

    def functions(self) -> Functions:
        """Return the function, and what is reported of it."""
        F = self.points.given.F
        problem, zero = self.points.problem(F, self.points.table(F, self.points.given.rows)), F.kind(0)
        f = Vector.of([phi @ self.theta for phi in problem.K.X])
        objective = problem.objective(F, f, self.theta @ self.theta)
        return Functions((self.points.function(self.theta, zero),), (objective,), self.steps, (zero, zero))

    def certificate(self, eps: Any) -> Certificate:
        """Return the proof of the coefficients."""
        return stochastic.certify(RATIONAL, self.points.exact_problem(), self.theta)
