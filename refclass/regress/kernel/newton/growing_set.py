"""Newton's methods on a growing set of points (chunking: Vapnik, 1982; Osuna, Freund and Girosi, 1997).

Where a loss is constant on an interval most multipliers are zero at the optimum, and of the deviance most are next to
zero, but not where Newton's method starts, and each of its steps factors a table of all points whose slope changes. So
the machine of some points is solved first. Points whose residual at its function calls for a multiplier are added, the
worst first, until none is left to add. The end is a start for all points, where little is left but to confirm it. An
interior point method has no use for a start, but needs to come only near to the end of a set that points are added to.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Optional

from refclass.errors import NotConverged
from refclass.linear.factorisations.fixed_point import Numbers
from refclass.regress.kernel.newton import central_path, semismooth_newton
from refclass.regress.kernel.newton.loss_slopes import Logistic
from refclass.regress.kernel.newton.newton_coordinates import Multipliers
from refclass.regress.kernel.newton.semismooth_newton import Point, Problem

FIRST = 60  # points of the first set, nearly; a later one has as many more, or as many as have a multiplier
LOOSE = Fraction(1, 10)  # relative gap at which points are taken in: after some six steps
SLIGHT = 8  # bits below the largest multiplier: smaller ones of a deviance, which calls for some everywhere, wait


def solve(problem: Problem, a: Optional[Numbers] = None, beta0: int = 0, max_steps: Optional[int] = None) -> Point:
    """Return the minimum, started at the multipliers a and β₀; the coordinates are multipliers.

    Raises    NotConverged as `semismooth_newton.solve`, what is reached being that of all points
    """
    n = len(problem.y)
    a = [0] * n if a is None else a
    chosen = [i for i, v in enumerate(a) if v] or _first(problem)
    while len(chosen) < n:
        few = problem.part(chosen)
        point = _solved(few, chosen, a, beta0, max_steps)
        problem.space.spent, beta0, a = few.space.spent, point.beta0, _spread(chosen, point.a, n)
        more, filled = [i for i in _called_for(problem, a, beta0) if i not in chosen], sum(map(bool, a))
        # Method: where nearly all of many have a multiplier a set takes as long as all points do.
        if not more or (not problem.proximal and len(chosen) > 3 * FIRST and 4 * filled > 3 * len(chosen)):
            break
        # Method: points without a multiplier stay, since steps cost what those with one do.
        chosen = sorted([*chosen, *more[: max(FIRST, filled)]])
    return _solved(problem, list(range(n)), a, beta0, max_steps)


def follow(problem: Problem) -> Point:
    """Return the minimum at the end of the central path; of coefficients the set is that of all points.

    Raises    NotConverged as `central_path.solve`, what is reached being that of all points
    """
    n = len(problem.y)
    chosen = _first(problem) if isinstance(problem.space, Multipliers) else list(range(n))
    while True:
        few = problem.part(chosen) if len(chosen) < n else problem
        path = central_path.Parts(few)
        for close in (path.F.lift(LOOSE), path.F.lift(Fraction(1, 1 << central_path.CLOSE))):
            try:
                state = central_path.solve(path, close)
            except NotConverged as refusal:
                (reached,), b = refusal.witness["reached"]
                refusal.witness["reached"] = [_spread(chosen, reached, n)], b
                raise
            problem.space.spent, a = few.space.spent, _spread(chosen, state.a, n)
            more = [i for i in _called_for(problem, a, state.beta0) if i not in set(chosen)]
            if more:
                break
        if not more:
            return central_path.point(problem, a, state.beta0)
        # Method: where nearly all of many have a multiplier a set takes as long as all points do.
        all_called = len(chosen) > 3 * FIRST and 4 * (len(chosen) + len(more)) > 3 * n
        chosen = list(range(n)) if all_called else sorted([*chosen, *more[: max(FIRST, len(chosen))]])


def _first(problem: Problem) -> list[int]:
    """Return one point in so many, and of both classes the first: the deviance of one class has no minimum."""
    n, y = len(problem.y), problem.y
    return sorted({*range(0, n, max(1, n // FIRST)), y.index(min(y)), y.index(max(y))})


def _solved(problem: Problem, places: list[int], a: Numbers, beta0: int, max_steps: Optional[int]) -> Point:
    """Return the minimum for the points at these places, started at multipliers of all points and at β₀."""
    start = [a[i] for i in places]
    try:
        return semismooth_newton.solve(problem, start, beta0, start, max_steps)
    except NotConverged as refusal:
        reached, b = refusal.witness["reached"]
        refusal.witness["reached"] = [a, *(_spread(places, own, len(a)) for own in reached)], b
        raise


def _spread(places: list[int], values: Numbers, n: int) -> Numbers:
    """Return n numbers: those values at their places, and zeros."""
    spread = [0] * n
    for i, v in zip(places, values):
        spread[i] = v
    return spread


def _called_for(problem: Problem, a: Numbers, beta0: int) -> list[int]:
    """Return the points whose residual calls for a multiplier, those with the largest residual first."""
    slopes, f = problem.slopes, problem.space.values(problem.space.of(a))
    slopes.sigma, slopes.centre = min(problem.proximal, 1), [0] * len(a)  # beyond a kink any σ > 0 shows that
    r = [t - v - beta0 for t, v in zip(problem.y, f)]
    called = [abs(slopes(i, v).a) for i, v in enumerate(r)]
    least = max(called) >> SLIGHT if isinstance(slopes, Logistic) else 0
    return sorted([i for i, v in enumerate(called) if v > least], key=lambda i: -abs(r[i]))
