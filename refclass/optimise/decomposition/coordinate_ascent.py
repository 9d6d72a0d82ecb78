"""Dual coordinate ascent (Friess, Cristianini and Campbell 1998)  [MMST-11.6-gradient].

The texts call it gradient ascent on the dual. One multiplier moves at a time, or two where the sum is held.

Solves    minimise ½xᵀQx + cᵀx subject to lower ≤ x ≤ upper and, with an intercept, Σ xᵢ = d
Given     a feasible point, or none
Yields    a feasible point after every step; the objective never rises

The books maximise the dual; its negative is minimised here. Without the sum the variables are taken in turn, and each
goes to its best place between its bounds,

    xᵢ ← clip(xᵢ − gᵢ/Qᵢᵢ, lowerᵢ, upperᵢ)        g = Qx + c

With Σ xᵢ = d no single variable can move without leaving the feasible set: two move at least. The pair with the
steepest slope is taken, the one that violates optimality most  [GAP-10].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Optional

from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.optimise.active_set import recession
from refclass.optimise.decomposition import smo, working_pair
from refclass.optimise.quadratic import box, box_bounds
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.box import State
from refclass.optimise.quadratic.certificate import Answer, Problem

certify = quadratic.certify


def steps(
    problem: Problem, *, tol: Optional[Number] = None, start: Optional[Iterable[Number]] = None
) -> Iterator[State]:
    """Yield the states of the iteration, its feasible start first; options as for `solve`."""
    paired = box.summed(problem, "gradient_ascent")
    x = box.start(problem, start)
    g = quadratic.gradient(problem, Vector.of(x))
    value = box.objective(problem, x, g)
    pairs = working_pair.Pairs(problem.Q, x, [-v for v in g], problem.lower, problem.upper, paired=paired)
    yield State(problem, Vector.of(x), value, value, pairs.violation())
    tol, search = smo.tolerance(problem) if tol is None else tol, smo.PER_VARIABLE * problem.n
    turns, count, still = _in_turn(pairs), 0, 0
    while pairs.violation() > tol and still <= problem.n:
        chosen = pairs.steepest(tol) if paired else next(turns)
        if chosen is None:
            return
        before, previous = list(pairs.x), pairs.value
        ray = pairs.step(*chosen)
        if ray is not None:
            raise recession.refusal("gradient_ascent", Vector.of(ray))
        # Premise: only roundoff leaves a variable where it is that can move and gain; if all of them, the iteration is
        # over.
        still = still + 1 if pairs.x == before else 0
        yield State(problem, Vector.of(pairs.x), value + pairs.value, value + previous, pairs.violation())
        count += 1
        if count == search:
            recession.refuse(problem, pairs.x, "gradient_ascent")
            search *= 2


def _in_turn(pairs: working_pair.Pairs) -> Iterator[tuple[int, int]]:
    """Yield, for ever, each variable in turn that gains by moving."""
    while True:
        for i in range(len(pairs.x)):
            if (pairs.m[i] > 0 and pairs.rise[i]) or (pairs.m[i] < 0 and pairs.fall[i]):
                yield i, i


def solve(
    problem: Problem,
    *,
    tol: Optional[Number] = None,
    start: Optional[Iterable[Number]] = None,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the minimum, up to violations of optimality of at most tol, with its multipliers; options as for `smo`.

    Exact        every step is; the iteration approaches the minimum without end, and stops at tol
    Cost         a step with n variables: n multiplications and a row of Q, two rows for a pair
    Raises       InvalidInput for other constraints; NoAnswer when infeasible or unbounded (with a ray); NotConverged
                 after max_steps, and where roundoff leaves more than tol, with bounds on the least value

    Example
        >>> from refclass.linear.matrix import Matrix
        >>> solve(Problem(Matrix([[2.0, 0.0], [0.0, 2.0]]), Vector([-2.0, -6.0]), (0.0, 0.0), (None, 2.0))).x
        Vector(1.0, 2.0)
    """
    most = smo.LIMIT[0] + smo.LIMIT[1] * problem.n if max_steps is None else max_steps
    state, count = box_bounds.last(steps(problem, tol=tol, start=start), "gradient_ascent", most)
    return box_bounds.finished(problem, state, count, "gradient_ascent", tol)
