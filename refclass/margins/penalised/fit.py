"""Which iteration minimises which loss with its penalty, and how each ends at an optimum or a stationary point.

    loss                                solvers, the first being "auto"; in exact arithmetic and decimals
    hinge, squared                      quadratic
    squared hinge, both Huberised ones  retarget, newton, quadratic                 quadratic
    deviance                            newton, retarget                            newton (no exact arithmetic)
    another smooth one without exact    newton                                      newton (no exact arithmetic)
    values
    ramp                                differences
    squared ramp                        retarget, differences                       differences

Retargeting nears its limit slowly. So it ends after a while at the limit itself: of a convex piecewise quadratic loss
at the optimum, by its quadratic problem; of the deviance by Newton's method; of the squared ramp at a stationary point,
by setting points aside.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, NoAnswer, NotExact, quoted
from refclass.margins.penalised import kernel_logistic, penalised, ramp, retargeted
from refclass.margins.penalised.penalised import Fit, Problem
from refclass.margins.penalised.retargeted import CORRECTED, PRINTED, Start
from refclass.number.field import Field, Number
from refclass.number.rational import RATIONAL
from refclass.optimise.quadratic import definiteness
from refclass.regress.kernel import premises

QUADRATIC, RETARGET, NEWTON, DIFFERENCES = "quadratic", "retarget", "newton", "differences"
TOLERANCE = 10**6  # an iteration of retargeted steps ends when ‖f − f before‖ < 1/TOLERANCE


def solvers(problem: Problem, retarget: str = CORRECTED) -> tuple[str, ...]:
    """Return the solvers that a loss can be minimised with, the preferred one first."""
    loss = problem.loss
    touched = loss.curvature_bound(RATIONAL) is not None
    if not loss.convex:
        return ((RETARGET, DIFFERENCES) if retarget == CORRECTED else (RETARGET,)) if touched else (DIFFERENCES,)
    if not loss.quadratic:
        return (NEWTON, RETARGET) if touched else (NEWTON,)
    [piece] = loss.of_label(RATIONAL, 1)
    if not loss.smooth or (piece.low is None and piece.high is None):  # a kink, or one parabola
        return (QUADRATIC,)
    return (RETARGET, NEWTON, QUADRATIC)


def minimise(
    F: Field,
    problem: Problem,
    *,
    solver: str = "auto",
    start: Optional[Start] = None,
    retarget: str = CORRECTED,
    tol: Optional[Number] = None,
    max_steps: Optional[int] = None,
) -> Fit:
    """Return the minimum of a convex loss with its penalty, a stationary point of another's  [ESL-12.25].

    Exact     yes, where F is, but for the deviance
    Raises    InvalidInput for a solver that the loss does not have, or an option that the solver has no use for;
              NotExact for the deviance in exact arithmetic; NoAnswer if K is not positive semidefinite where Σ aᵢ = 0
    """
    if not problem.positive:  # Premise: points that a ramp sets aside do not move, but may come back: all count.
        definiteness.refuse_indefinite(problem.exactly().K, problem.intercept, "dual")
    known = solvers(problem, retarget)
    if solver != "auto" and solver not in known:
        raise InvalidInput(
            "minimise", need=f"a solver among auto, {', '.join(known)} for this loss", got=quoted(solver)
        )
    chosen = known[0] if solver == "auto" else solver
    if solver == "auto" and F.kind is not float and chosen != NEWTON:
        chosen = known[-1]  # Premise: fractions grow with every retargeted step; the limit is reached without them.
    if chosen == RETARGET and (F.kind is float or solver == RETARGET):
        if solver == "auto" and (start, tol, max_steps) == (None, None, None) and premises.narrow(problem.K):
            return _without_steps(F, problem, retarget)
        try:
            return _retargeted(F, problem, start, retarget, tol, max_steps)
        except (NoAnswer, InvalidInput, NotExact, OverflowError, ZeroDivisionError):
            # Premise: what doubles cannot hold is no fault of the data; what is, is refused there, too.
            if solver == RETARGET or (start, tol, max_steps) != (None, None, None):
                raise
            return _without_steps(F, problem, retarget)
    if tol is not None or (max_steps is not None and chosen != NEWTON):
        raise InvalidInput("minimise", need=f"no tol and no max_iter for the solver {chosen}", got="one")
    if chosen in (DIFFERENCES, RETARGET):
        return _set_aside(F, problem, start, retarget)
    if start is not None:
        raise InvalidInput("minimise", need=f"no start for the solver {chosen}, which needs none", got="one")
    if chosen == NEWTON:
        return kernel_logistic.fit(F, problem, **({} if max_steps is None else {"max_steps": max_steps}))
    return penalised.quadratic(F, problem)


def _retargeted(
    F: Field, problem: Problem, start: Optional[Start], retarget: str, tol: Optional[Number], max_steps: Optional[int]
) -> Fit:
    least = F.lift(1) / TOLERANCE if tol is None else tol
    options: dict[str, Any] = {} if max_steps is None else {"max_steps": max_steps}
    fitted_by_steps = retargeted.fit(F, problem, start=start, retarget=retarget, tol=least, **options)
    if problem.loss.convex and not problem.loss.quadratic:
        end = kernel_logistic.fit(F, problem)
    elif not problem.loss.convex and retarget == CORRECTED:
        end = ramp.fit(F, problem, ramp.aside(problem.y, fitted_by_steps.f))
    else:
        end = _without_steps(F, problem, retarget)
    objectives = (*fitted_by_steps.objectives, end.objectives[-1])
    return replace(end, objectives=objectives, steps=fitted_by_steps.steps)


def _valued(F: Field, problem: Problem, end: Fit) -> Fit:
    """Return the fit with the problem's own objective: as proven, unless that was of another loss."""
    if not problem.loss.convex:
        return replace(end, objectives=(problem.objective(F, end.f, end.square),), proven=None)
    return end


def _without_steps(F: Field, problem: Problem, retarget: str) -> Fit:
    # Premise: at extreme penalties K + λ/c may be singular in rounded numbers, and no retargeted step can be made; of
    # many points and few coefficients Newton's method in these is faster than the iteration.
    if not problem.loss.convex and retarget == CORRECTED:
        return ramp.fit(F, problem)
    return _valued(F, problem, penalised.quadratic(F, retargeted.minimised(problem, retarget)))


def _set_aside(F: Field, problem: Problem, start: Optional[Start], retarget: str) -> Fit:
    if retarget == PRINTED:
        if start is not None:
            raise InvalidInput("minimise", need="no start where the limit is computed without an iteration", got="one")
        return _without_steps(F, problem, retarget)
    if start is not None:
        return ramp.fit(F, problem, ramp.aside(problem.y, start.f))
    if RETARGET not in solvers(problem):
        return ramp.fit(F, problem)
    try:
        first = next(iter(retargeted.Steps(F, problem)))
    except NoAnswer:
        if F.exact:
            raise
        return _without_steps(F, problem, retarget)  # Premise: K + λ/c is singular by rounding, as above.
    return ramp.fit(F, problem, ramp.aside(problem.y, first.f))


def certify(F: Field, problem: Problem, fit: Fit, *, asked: float = ASKED) -> Certificate:
    """Return the proof of a fit: "optimal" for a convex loss, "stationary" for a ramp, with how far from it if not.

    F is an exact field, the problem as the user gave it.
    Exact     yes; the deviance in 60 digits or more
    """
    if not problem.loss.convex:
        return ramp.certify(F, problem, fit, asked=asked)
    if not problem.loss.quadratic:
        return kernel_logistic.certify(problem, fit, asked=asked)
    return penalised.certify(F, problem, fit, asked=asked)
