"""A loss of the margin on two classes, minimised by the solver that suits it: an answer of `KernelClassifier`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.estimators.margins.strategies.penalised_points import Functions, Options, Points
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.given import starting
from refclass.linear.vector import Vector
from refclass.margins.penalised import fit as minimise
from refclass.margins.penalised import penalised
from refclass.margins.penalised.retargeted import Start
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.regress.kernel.fitted_machine import Solved


@dataclass(frozen=True)
class LossOfTwoClasses:
    """The minimum of loss plus penalty on two classes, or what was reported as it."""

    points: Points
    fit: penalised.Fit

    @classmethod
    def solved(cls, points: Points, options: Options) -> LossOfTwoClasses:
        """Return the minimum."""
        F = points.given.F
        problem = replace(points.problem(F, points.table(F, points.given.rows)), whole=points.exact_problem)
        start = _start(points, options)
        how: dict[str, Any] = {"solver": options.solver, "retarget": options.retarget, "tol": options.tol}
        return cls(points, minimise.minimise(F, problem, start=start, max_steps=options.max_iter, **how))

    @classmethod
    def reported(cls, points: Points, reported: Reported) -> LossOfTwoClasses:
        """Return the coefficients and the intercept that somebody reports; nothing is solved."""
        F = points.given.F
        problem = points.problem(F, points.table(F, points.given.rows))
        alpha = reported.numbers("alpha", len(points.given))
        beta0 = F.lift(reported.number("intercept", None if points.intercept else 0))
        a = points.picked(alpha)
        values = problem.table() @ a
        objective = problem.objective(F, Vector.of([v + beta0 for v in values]), a @ values)
        interval = penalised.interval(problem, a, beta0, values)
        return cls(points, penalised.Fit(a, beta0, values, interval, (objective,), 0))

    def functions(self) -> Functions:
        """Return the function, and what is reported of it."""
        fit, beta = self.fit, self.fit.beta
        if self.points.coefficients and beta is not None:
            model = self.points.function(beta, fit.beta0)
        else:
            model = self.points.function(self.points.spread(fit.a), fit.beta0)
            model = model if beta is None else replace(model, beta=beta)
        return Functions((model,), tuple(fit.objectives), fit.steps, fit.interval)

    def machines(self) -> list[Solved]:
        """Return the machine that was solved, with its multipliers; none where it has another loss or norm."""
        problem = self.points.exact_problem()
        if self.points.coefficients or not problem.loss.quadratic:
            return []
        a, beta0 = Vector.of(map(rational, self.fit.a)), rational(self.fit.beta0)
        machine, places = problem.machine(RATIONAL), list(self.points.places)
        return [Solved(machine, a, beta0, places, rational(problem.penalty))]

    def certificate(self, eps: Any) -> Certificate:
        """Return the proof of the multipliers and the intercept, and of the rounded coefficients beside them."""
        fit, problem = self.fit, self.points.exact_problem()
        if fit.proven and eps:
            return fit.proven
        [model] = self.functions().models
        if eps and model.beta is not None and problem.loss.convex and not self.points.coefficients:
            fit = replace(fit, beta=Vector.of(model.beta))
        return minimise.certify(RATIONAL, problem, fit, asked=inf if eps == 0 else ASKED)


def _start(points: Points, options: Options) -> Optional[Start]:
    """Return the function that an iteration begins at; None for the method's own."""
    if options.start is None:
        return None
    F, rows, n = points.given.F, points.given.rows, len(points.given)
    alpha, beta0 = starting.coefficients(F, options.method, options.start, n, points.intercept)
    f = Vector.of([v + beta0 for v in points.features(rows) @ alpha])
    if points.coefficients:
        return Start(f, alpha @ alpha)
    return Start(f, alpha @ Vector.of([rows.row(i) @ alpha for i in range(n)]))
