"""The multinomial deviance of more than two classes: an answer of `KernelClassifier`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput
from refclass.estimators.margins.strategies.penalised_points import Functions, Options, Points
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.linear.vector import Vector
from refclass.margins.penalised import fit as minimise
from refclass.margins.penalised import multinomial_certificate, multinomial_safeguard
from refclass.number.field import Number


@dataclass(frozen=True)
class MultinomialDeviance:
    """The minimum of the multinomial deviance plus penalty, or what was reported as it.

    multipliers    of each class, of the points that have a weight
    beta0          the intercepts
    objectives     the objective at every step
    ceiling        the digits that the optimum has in doubles, where it was computed
    beta           of a linear kernel the coefficients of each class, where they were computed
    """

    points: Points
    multipliers: tuple[Vector, ...]
    beta0: Vector
    objectives: tuple[Number, ...] = field(default=())
    ceiling: Optional[float] = None
    beta: Optional[tuple[Vector, ...]] = None

    @classmethod
    def solved(cls, points: Points, options: Options) -> MultinomialDeviance:
        """Return the minimum, by Newton's method."""
        if options.solver not in ("auto", minimise.NEWTON) or (options.start, options.tol) != (None, None):
            need = "solver auto or newton, and neither start nor tol, for more than two classes"
            raise InvalidInput(options.method, need=need, got=options.solver)
        fit = multinomial_safeguard.fit(points.multinomial(), points.exact_multinomial, options.max_iter)
        return cls(points, tuple(fit.alpha), fit.beta0, tuple(fit.objectives), fit.ceiling, fit.beta)

    @classmethod
    def reported(cls, points: Points, reported: Reported) -> MultinomialDeviance:
        """Return the coefficients and the intercepts that somebody reports; nothing is solved."""
        F, K = points.given.F, points.classes
        columns = list(zip(*reported.rows("alpha", len(points.given), K)))
        beta0 = reported.numbers("intercept", K) if "intercept" in reported else [0] * K
        multipliers, lifted = tuple(map(points.picked, columns)), Vector.of(map(F.lift, beta0))
        flat = Vector.of([*(v for a in multipliers for v in a), *lifted])
        return cls(points, multipliers, lifted, (points.multinomial().objective(flat),))

    def functions(self) -> Functions:
        """Return the functions of the classes, and what is reported of them."""
        if self.points.coefficients and self.beta is not None:
            models = [self.points.function(beta, b) for beta, b in zip(self.beta, self.beta0)]
        else:
            models = [self.points.function(self.points.spread(a), b) for a, b in zip(self.multipliers, self.beta0)]
            models = [replace(model, beta=own) for model, own in zip(models, self.beta or [m.beta for m in models])]
        return Functions(tuple(models), self.objectives, len(self.objectives) - 1)

    def certificate(self, eps: Any) -> Certificate:
        """Return the proof of the multipliers and the intercepts."""
        problem = self.points.exact_multinomial()
        proof = multinomial_certificate.certify(problem, problem.K, self.multipliers, self.beta0, beta=self.beta)
        return replace(proof, ceiling=self.ceiling)
