"""The primal active-set method as Nocedal and Wright (2006), algorithm 16.3, state it  [ISML-27.2-qp].

Solves    minimise q(x) = ½xᵀQx + cᵀx subject to aᵢᵀx = bᵢ, i ∈ E, and aᵢᵀx ≥ bᵢ, i ∈ I, for Q positive semidefinite,
          also singular, where aᵢᵀx = 0, i ∈ E
Given     a feasible point, or none: then phase 1 finds one, or proves that there is none
Yields    feasible iterates of falling objective; the last is the minimum

At the iterate x with gradient g = Qx + c the step p solves the problem with the working set W as equalities,

    minimise ½pᵀQp + gᵀp   subject to   aᵢᵀp = 0, i ∈ W:        | Q  Aᵀ | |  p |   | −g |
                                                                | A  0  | | −λ | = |  0 |

p = 0     g = Σ λᵢaᵢ. If λᵢ ≥ 0 for i ∈ W ∩ I, x is the minimum; else a constraint with λᵢ < 0 leaves W
p ≠ 0     x ← x + αp, α = min(1, min (bᵢ − aᵢᵀx)/aᵢᵀp over i ∉ W with aᵢᵀp < 0); if α < 1, what blocks joins W

The matrix above is kept regular by the choice of W, as in inertia-controlling methods: where E and the bounds that are
active at the start do not determine x, artificial constraints xⱼ = x⁰ⱼ do. They leave W as soon as their multiplier is
not zero, and never come back. After a constraint has left, Q has at most one direction without curvature on W. Then
that direction, along which q falls linearly, takes the place of p, with α unlimited.

Bland's rule: of several constraints that may leave, and of several that block, the one of least index is taken.

The method ends. Every p = 0 is the minimum on its W, and q falls from one to the next unless all steps between have
α = 0; there are finitely many W, and at most n steps to the next p = 0. Suppose that working sets recur while x stays
where it is. Let q be the largest index that leaves and joins, λ the multipliers when it leaves, p the step it blocks.
Then 0 > gᵀp = Σ λᵢaᵢᵀp. Those of W that never leave have aᵢᵀp = 0, as they are in W when p is found. λ_q < 0 and
a_qᵀp < 0. Every other i is less than q: λᵢ ≥ 0, or i would have left instead; aᵢᵀp ≥ 0, or i, which is active, would
have blocked instead. So the sum is positive: a contradiction.

`active_set.solver` computes the same, faster.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from refclass.certificate import ASKED, relative_digits
from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.iteration import ending
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.active_set.linear_constraints import Constraint, answer_at, constraints_at, moved, working_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import phase_one
from refclass.optimise.quadratic.certificate import Answer, Problem
from refclass.optimise.quadratic.convexity import refuse_concave

MODULE = "primal_active_set"

certify = quadratic.certify


@dataclass(frozen=True)
class State:
    """An iterate.

    x            the feasible point
    objective    q(x)
    previous     the objective before the step
    working      W, as indices of constraints
    event        what led here
    """

    problem: Problem
    x: Vector
    objective: Number
    previous: Number
    working: tuple[int, ...]
    event: str

    def check(self) -> None:
        """Assert that x is feasible and that the objective has not risen, up to roundoff."""
        p, x = self.problem, self.x
        total = 1 + sum(map(abs, x))
        slack = THRESHOLD * p.n * roundoff(p.kind) * total * (max(map(abs, p.Q.diagonal())) * total + p.c.largest())
        assert phase_one.within(p, x) == x, "x is within its bounds"
        assert phase_one.meets(p, x), "x meets the equalities and the inequalities"
        assert self.objective == quadratic.objective(p, x), "the objective is that of x"
        assert self.objective <= self.previous + slack, "the objective does not rise"


def solve(problem: Problem, **options: Any) -> Answer:
    """Return the minimum with its multipliers.

    start      a point to start from; without it zero, or the nearest within the bounds
    convex     the caller's word that Q is positive semidefinite where Ex = 0; otherwise that is tested first
    max_steps  the most changes of the working set or of x

    Exact      yes: on fractions every optimality condition holds with ==
    Cost       a step with f free variables and w rows in W: (f + w)³/3 multiplications, and a few n² for products
    Raises     NoAnswer when infeasible (with multipliers that contradict), unbounded (with a ray) or not convex (with a
               direction of negative curvature); NotConverged after max_steps, and in rounded numbers, with the bounds,
               where fewer than nine digits are proven: of a singular Q roundoff may hide that a direction is flat

    Example
        >>> Q, c = Matrix([[2.0, 0.0], [0.0, 2.0]]), Vector([-2.0, -6.0])
        >>> solve(Problem(Q, c, (0.0, 0.0), (None, 2.0))).x
        Vector(1.0, 2.0)
    """
    return ending(steps(problem, **options))


def steps(
    problem: Problem, *, start: Optional[Vector] = None, convex: bool = False, max_steps: Optional[int] = None
) -> Generator[State, None, Answer]:
    """Yield the iterates, the feasible start first, and return the answer; options as for `solve`."""
    if not convex:
        refuse_concave(problem, MODULE)
    x = _feasible(problem, start, max_steps)
    constraints = constraints_at(problem, x)
    W = working_set(constraints, x, problem.n)
    most = 200 * (problem.n + len(constraints)) if max_steps is None else max_steps
    event, value, count = "start", quadratic.objective(problem, x), 0
    previous = value
    while True:
        yield State(problem, x, value, previous, tuple(W), event)
        g = quadratic.gradient(problem, x)
        if len(W) > problem.n:  # Proof: in exact numbers the constraints in W are independent: this is roundoff.
            answer = answer_at(problem, constraints, W, x, Vector.of([problem.kind(0)] * len(W)), count)
            raise _unproven(problem, answer, f"roundoff after {count} steps")
        p, multipliers, limit = _subproblem(problem, [constraints[i] for i in W], x, g)
        stationary = limit is not None and _negligible(problem, g, p)
        leaving = _leaving(problem, constraints, W, multipliers, g) if stationary else None
        if stationary and leaving is None:
            return _finished(problem, answer_at(problem, constraints, W, x, multipliers, count))
        if count == most:
            answer = answer_at(problem, constraints, W, x, multipliers, count)
            raise _unproven(problem, answer, f"none after {count} steps")
        count, previous = count + 1, value
        if leaving is not None:
            W.remove(leaving)
            event = f"constraint {leaving} leaves"
            continue
        alpha, blocking = _step_length(constraints, W, x, p, limit)
        if alpha is None:
            raise NoAnswer(MODULE, need="an objective bounded below", got="an unbounded one", ray=p)
        event = f"step {alpha}" if blocking is None else f"step {alpha}, constraint {blocking} joins"
        W = W if blocking is None else [*W, blocking]
        x = moved(problem, constraints, W, x, alpha, p)
        value = quadratic.objective(problem, x)


def _feasible(problem: Problem, start: Optional[Vector], max_steps: Optional[int]) -> Vector:
    """Return a feasible point: phase 1.  Raises NoAnswer with multipliers that contradict when there is none."""
    if start is not None and len(start) != problem.n:
        raise InvalidInput(MODULE, need=f"a start of length {problem.n}", got=len(start))
    x = phase_one.nearest_to_zero(problem) if start is None else phase_one.within(problem, start)
    if phase_one.meets(problem, x):
        return x
    relaxed, above = phase_one.relaxed(problem, x)
    found = solve(relaxed, start=above, convex=True, max_steps=max_steps)
    x = phase_one.within(problem, Vector.of(found.x[: problem.n]))
    if phase_one.meets(problem, x):
        return x
    raise NoAnswer(MODULE, need="a point that meets all constraints", got="none", nu=found.nu, mu=found.mu)


def _finished(problem: Problem, answer: Answer) -> Answer:
    """Return an answer of which nine digits are proven, or any that is exact.  Raises NotConverged with the bounds."""
    if not roundoff(problem.kind):
        return answer
    proof = quadratic.certify(problem, answer, convex=True)
    if (relative_digits(proof.primal, proof.dual) or 0) >= ASKED:
        return answer
    raise _unproven(problem, answer, "roundoff")


def _unproven(problem: Problem, answer: Answer, got: str) -> NotConverged:
    proof = quadratic.certify(problem, answer, convex=True)
    found = {"primal": proof.primal, "dual": proof.dual, "gap": proof.gap}
    return NotConverged(MODULE, need="the minimum", got=got, x=answer.x, **found)


def _subproblem(
    problem: Problem, working: Sequence[Constraint], x: Vector, g: Vector
) -> tuple[Vector, Vector, Optional[Number]]:
    """Return p, the multipliers λ, and the largest α: 1, or None where q falls along p without end."""
    n, kind, held = problem.n, problem.kind, {s.place for s in working if s.kind not in ("E", "G")}
    free, rows = [j for j in range(n) if j not in held], [s for s in working if s.kind in ("E", "G")]
    # Method: xⱼ = bⱼ in W means pⱼ = 0, which leaves the equations of the free variables; λⱼ balances (g + Qp)ⱼ.
    top = [[*problem.Q.row(j).pick(free), *(s.a[j] for s in rows)] for j in free]
    K = [*top, *([*s.a.pick(free), *[kind(0)] * len(rows)] for s in rows)]
    # Premise: bᵢ − aᵢᵀx is zero; of rounded numbers it is what roundoff has left over, and the step puts it right.
    right = [*(-g[j] for j in free), *(s.b - dot(s.a, x) for s in rows)]
    try:
        solution, singular = (elimination.factor(Matrix(K)).solve(Vector(right)) if K else ()), False
    except NoAnswer as refusal:
        solution, singular = refusal.witness["null_vector"], True
    step = dict(zip(free, solution))
    p = Vector.of([step.get(j, kind(0)) for j in range(n)])
    if singular:
        return (p if dot(g, p) < 0 else -p), Vector.of([kind(0)] * len(working)), None
    left = g + quadratic.product(problem.Q, p)
    for s, v in zip(rows, solution[len(free) :]):
        left = left + v * s.a
    of_rows = iter(solution[len(free) :])
    multipliers = Vector.of([-next(of_rows) if s.kind in ("E", "G") else s.a[s.place] * left[s.place] for s in working])
    size = roundoff(kind) * max(map(abs, problem.Q.diagonal())) * sum(map(abs, p)) * p.largest()
    flat = any(p) and dot(p, quadratic.product(problem.Q, p)) <= THRESHOLD * size
    if flat and not _negligible(problem, g, p):
        return (p if dot(g, p) < 0 else -p), multipliers, None
    return p, multipliers, kind(1)


def _negligible(problem: Problem, g: Vector, p: Vector) -> bool:
    """Return whether p = 0; of rounded numbers, whether g − Aᵀλ = −Qp is zero up to roundoff."""
    unit = THRESHOLD * roundoff(problem.kind) * (g.largest() + problem.c.largest())
    return bool(quadratic.product(problem.Q, p).largest() <= unit)


def _leaving(
    problem: Problem, constraints: Sequence[Constraint], W: Sequence[int], multipliers: Vector, g: Vector
) -> Optional[int]:
    """Return the constraint of least index whose multiplier has the wrong sign, None if there is none."""
    unit = THRESHOLD * roundoff(problem.kind) * (g.largest() + problem.c.largest())
    wrong = [i for i, v in zip(W, multipliers) if v < -unit or (constraints[i].kind == "artificial" and v > unit)]
    return min((i for i in wrong if constraints[i].kind != "E"), default=None)


def _step_length(
    constraints: Sequence[Constraint], W: Sequence[int], x: Vector, p: Vector, limit: Optional[Number]
) -> tuple[Optional[Number], Optional[int]]:
    """Return α and the constraint of least index that blocks: the ratio test; None and None where nothing does."""
    alpha, blocking, zero = limit, None, x.kind(0)
    unit = THRESHOLD * roundoff(x.kind) * p.largest()
    for i, s in enumerate(constraints):
        if i in W or s.kind in ("E", "artificial"):
            continue
        slope = dot(s.a, p)
        if slope < -unit * s.a.largest():
            ratio = max((s.b - dot(s.a, x)) / slope, zero)
            if alpha is None or ratio < alpha:
                alpha, blocking = ratio, i
    return alpha, blocking
