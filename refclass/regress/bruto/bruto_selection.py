"""The choice that BRUTO makes for one variable: out, a line, or the λ of lowest GCV, the other functions held."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional

from refclass.number.field import Field, Number
from refclass.regress.spline import degrees_of_freedom
from refclass.regress.spline.additive_fit import Fit, kind_of
from refclass.regress.spline.additive_fit import Problem as Sample
from refclass.regress.spline.gcv import gcv as score
from refclass.regress.spline.gcv.gcv_criterion import Criterion
from refclass.regress.spline.gcv.gcv_minimum import GAP, lowest, nearby
from refclass.regress.spline.smoother import Operator, Smoother


@dataclass(frozen=True)
class Problem:
    """A sample with the options of BRUTO.

    cost           what a degree of freedom costs in GCV
    most           the most degrees of freedom of one term; None for two thirds of its distinct values. (Where a degree
                   of freedom costs little, interpolation would score best: its RSS is zero, the constant is free.)
    linear         whether the iteration starts from the linear fit (if GCV can pay for it), or from the means
    threshold      the iteration ends when GCV moves by no more than this share from one limit of backfitting to the
                   next
    tol            backfitting ends when a sweep moves the functions by no more than this, relative to the responses
    nothing        the RSS that counts as none: that of roundings of the responses, which say nothing of a type or a λ
    """

    sample: Sample
    cost: Number
    most: Optional[Number]
    linear: bool
    threshold: Number
    tol: Number
    nothing: Number

    def score(self, rss: Number, charge: Number) -> Optional[Number]:
        """Return GCV, all RSS that counts as none being equal, so that of two such fits the cheaper scores lower."""
        return score.gcv(max(rss, self.nothing), self.sample.n, charge)


@dataclass(frozen=True)
class Choices:
    """What the smoothing of a variable is chosen from: operators over the range of λ that its limit leaves.

    closed    whether the first of them attains the limit
    """

    rungs: tuple[Operator, ...]
    closed: bool

    @classmethod
    def of(cls, F: Field, problem: Problem, smoother: Smoother) -> Choices:
        """Return the choices of one variable, the same for all responses."""
        m = len(smoother.knots)
        most = 1 + ((problem.sample.n * 0 + 2 * m) / 3 if problem.most is None else problem.most)
        if m < 3 or not most > 2:
            return cls((), True)
        return cls(tuple(degrees_of_freedom.ladder(F, smoother, most)), degrees_of_freedom.limited(smoother, most))

    def within(self, criterion: Criterion, operator: Optional[Operator], otherwise: Operator) -> Operator:
        """Return the operator, if there is one; beyond the limit that at it, where this scores lower than the other."""
        if operator is None or not (self.closed and operator.lam < self.rungs[0].lam):
            return otherwise if operator is None else operator
        most, value = criterion(self.rungs[0]), criterion(otherwise)
        return self.rungs[0] if most is not None and value is not None and most < value else otherwise


def criterion_of(problem: Problem, fit: Fit, j: int) -> Criterion:
    """Return GCV as a function of the smoothing of variable j, the others held."""
    others = sum(o.degrees_of_freedom - 1 for k, o in enumerate(fit.operators) if o is not None and k != j)
    return Criterion(fit.partial(j), problem.sample.n, problem.cost, problem.cost * (others - 1), problem.nothing)


def improve(F: Field, problem: Problem, fit: Fit, j: int, choices: Choices, look: str = "everywhere") -> Fit:
    """Return the fit in which variable j has the smoothing of lowest GCV, the others held.

    Among scores equal up to roundoff the simpler choice wins: out, then line, then smooth.

    Given     look: "everywhere" isolates the minimum over all λ; "rungs" takes a Newton step from the lowest rung or
              the variable's own λ; "beside" from its own λ, if it has one
    """
    criterion, own = criterion_of(problem, fit, j), fit.operators[j]
    smoother, best = criterion.pooled.smoother, None
    value = problem.score(criterion.pooled.square, criterion.spent + criterion.cost)
    if len(smoother.knots) > 1:
        line = smoother.at(math.inf)
        if line.residual(criterion.pooled) <= problem.nothing:
            operator = line
        elif look == "everywhere":
            operator = _isolated(F, problem, criterion, choices)
        else:
            operator = _stepped(F, criterion, choices, own, look == "rungs")
        if score.clearly_lower(F, criterion(operator), value, len(smoother.place)):
            best = operator
    return fit.replaced(j, best, criterion.pooled)


def _isolated(F: Field, problem: Problem, criterion: Criterion, choices: Choices) -> Operator:
    """Return the operator of lowest GCV, to the iteration's threshold over all λ, and more precisely about the
    minimum.
    """
    if not choices.rungs:
        return criterion.pooled.smoother.at(math.inf)
    gap = max(GAP, problem.threshold)
    found = lowest(F, criterion, choices.rungs, closed=choices.closed, gap=gap)
    if found is choices.rungs[0] or kind_of(found.lam) == "linear" or found.lam == 0:
        return found
    return choices.within(criterion, nearby(F, criterion, found), found)


def _stepped(F: Field, criterion: Criterion, choices: Choices, own: Optional[Operator], scan: bool) -> Operator:
    line = criterion.pooled.smoother.at(math.inf)
    tried = [] if own is None or kind_of(own.lam) == "linear" else [own]
    if scan or not tried:
        tried = [line, *choices.rungs, *tried]
    scored = [(v, k) for k, v in enumerate(map(criterion, tried)) if v is not None]
    found = tried[min(scored)[1]] if scored else line
    return (
        found if found is line or found.lam == 0 else choices.within(criterion, nearby(F, criterion, found, 1), found)
    )


def beside(F: Field, problem: Problem, fit: Fit, j: int, choices: Choices) -> Fit:
    """Return the fit in which variable j keeps its type, its λ after a Newton step of GCV."""
    own, criterion = fit.operators[j], criterion_of(problem, fit, j)
    if own is not None and kind_of(own.lam) == "smooth" and own.lam > 0:
        own = choices.within(criterion, nearby(F, criterion, own, 1), own)
    return fit.replaced(j, own, criterion.pooled)
