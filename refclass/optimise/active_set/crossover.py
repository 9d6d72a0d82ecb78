"""From an approximate answer to the exact optimum, proven.

Solves    minimise ½xᵀQx + cᵀx subject to Ex = d, Gx ≤ h, lower ≤ x ≤ upper exactly, every number of the problem taken
          as the rational that it is
Given     any point near the optimum, whoever found it; or none
Yields    exact points, each the solution of the working equations of its active set; the last is the optimum

    1  the active-set method in binary64, started at the point, determines which variables are free and which rows tight
    2  their equations are solved exactly
    3  the optimality conditions are checked exactly; if they hold, that is the optimum
    4  else the same is tried in decimals of 200 digits
    5  else the active-set method goes on from there in fractions

Nothing is believed of steps 1 and 4 but where to look: a wrong guess costs steps, never the answer. Of a Q that
rounding made indefinite they may end at a direction along which the objective falls for ever: if it is one exactly,
there is no optimum to go on to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from refclass.errors import NoAnswer, NotConverged, Refusal
from refclass.linear.common_denominator import Scaled
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number
from refclass.number.tolerance import roundoff
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.active_set.iteration import MODULE, ActiveSetIteration
from refclass.optimise.active_set.kkt_system import Equations
from refclass.optimise.limits import FEW_VARIABLES
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import exact_data, phase_one
from refclass.optimise.quadratic.convexity import refuse_concave
from refclass.optimise.quadratic.problem import Answer, Problem, converted, lifted, recast

LENGTH = 200  # digits of the decimals
STEPS, LONG = 20, 3  # steps for each variable, and for 30 more, that a guess may take: in doubles, in decimals
NEAR = 10**6  # a variable is taken as free if it keeps this share of its box, or more, away from its bounds

certify = quadratic.certify


@dataclass(frozen=True)
class State:
    """An exact point.

    problem      the problem in fractions
    free, rows   the free variables and the active rows (row i of E is i, row i of G is m + i)
    means        "solved" when the working equations were, "iterated" when the active-set method came here
    """

    problem: Problem
    answer: Answer
    free: tuple[int, ...]
    rows: tuple[int, ...]
    means: str

    @property
    def x(self) -> Vector:
        """The point."""
        return self.answer.x

    def check(self) -> None:
        """Assert that the gradient vanishes on the free variables and the active rows are tight, exactly."""
        p = self.problem
        g = exact_data.reduced_gradient(p, self.x, self.answer.nu, self.answer.mu)
        assert not any(g[i] for i in self.free), "the gradient vanishes on the free variables"
        A, b = [*(p.E or ()), *(p.G or ())], [*(p.d or ()), *(p.h or ())]
        assert all(dot(A[i], self.x) == b[i] for i in self.rows), "the active rows are tight"


def solve(
    problem: Problem,
    x: Optional[Sequence[Number]] = None,
    *,
    convex: bool = False,
    max_steps: Optional[int] = None,
) -> Answer:
    """Return the exact optimum, near x or not; of rounded numbers in fractions.

    x         an approximate answer, numbers of any kind; none: zero
    convex    the caller's word that Q is positive semidefinite where Ex = 0, but for the rounding of its entries;
              otherwise that is tested first, exactly. If it is not so, the answer is stationary, not the minimum
    max_steps the most steps in fractions, 0 for none but the solution of two guesses; without it as `solver.solve`

    Exact     yes
    Cost      that of `fraction_free.solution` for f free variables, where the guess is right
    Raises    NoAnswer as `solver.solve`; NotConverged after max_steps

    Example
        >>> from refclass.linear.matrix import Matrix
        >>> Q, c = Matrix([[3.0, 1.0], [1.0, 2.0]]), Vector([-1.0, -1.0])
        >>> solve(Problem(Q, c, (0.0, 0.0), (None, None)), [0.2, 0.4]).x
        Vector(1/5, 2/5)
    """
    last = None
    for state in steps(problem, x, convex=convex, max_steps=max_steps):
        last = state
    assert last is not None
    kind = Fraction if roundoff(problem.kind) else problem.kind
    return last.answer if kind is Fraction else recast(last.answer, kind)


def guessed(problem: Problem, x: Sequence[Number]) -> Optional[Answer]:
    """Return the exact optimum if the active set of doubles, from a point near it, is its own; else None.

    Given     Q positive semidefinite where Ex = 0, but for the rounding of its entries
    Cost      at most that of `crossover.solve`, which goes on where the guess is wrong
    """
    start, places = guess(problem, _exactly(x))
    found = _solved(problem, lifted(problem), start, places)
    right = found is not None and certify(problem, found.answer, convex=True).status == "optimal"
    return found.answer if found is not None and right else None


def steps(
    problem: Problem,
    x: Optional[Sequence[Number]] = None,
    *,
    convex: bool = False,
    max_steps: Optional[int] = None,
) -> Iterator[State]:
    """Yield the exact points on the way to the optimum; options as for `solve`."""
    exact = lifted(problem)
    if not convex:
        refuse_concave(exact, "refine")
    near = phase_one.nearest_to_zero(exact) if x is None else _exactly(x)
    for F in (BINARY64, decimal(LENGTH)):
        start, places = guess(problem, near, F)
        solved = _solved(problem, exact, start, places)
        if solved is not None:
            yield solved
            if certify(problem, solved.answer, convex=True).status == "optimal":
                return
            start = solved.x
    if max_steps == 0:
        raise NotConverged(MODULE, need="the minimum", got="another active set in doubles and in decimals", x=start)
    free = [i for i in places if i < exact.n]
    iteration = active_set.begin(exact, start=start, free=free, convex=True, max_steps=max_steps)
    yield _iterated(exact, iteration)
    for _ in iteration:
        yield _iterated(exact, iteration)


def guess(problem: Problem, x: Vector, F: Field = BINARY64) -> tuple[Vector, list[int]]:
    """Return a point and the places that should be working there: free variables, and rows from n on.

    The active-set method finds them, from x, in the arithmetic of F; if it refuses, x itself is read.

    Raises    NoAnswer with a direction of negative curvature along which the objective falls for ever, where it finds
              one that is so exactly
    """
    interior = [i for i, v in enumerate(phase_one.within(lifted(problem), x)) if _is_inside(problem, i, v)]
    try:
        rounded = problem if problem.kind is F.kind else converted(problem, F.lift)
        most = (STEPS if F.kind is float else LONG) * (FEW_VARIABLES + problem.n)
        start = Vector.of(map(F.lift, x))
        iteration = active_set.ended(active_set.begin(rounded, start=start, free=interior, convex=True, max_steps=most))
    except (Refusal, ArithmeticError) as refusal:
        if isinstance(refusal, NoAnswer) and "direction" in refusal.witness:
            _refuse_falling(lifted(problem), _exactly(refusal.witness["direction"]))
        return x, [*interior, *range(problem.n, problem.n + len(problem.E or ()))]
    return _back(problem, iteration), list(iteration.equations.working.index)


def _refuse_falling(exact: Problem, p: Vector) -> None:
    """Raises NoAnswer if p, moved to where Ep = 0, has negative curvature and no bound or row ends it.

    Proof: pᵀQp < 0, and x + tp is feasible for every feasible x and t ≥ 0: the objective falls for ever.
    """
    moving = [i for i, v in enumerate(p) if v]
    rows = [row for row in (v.pick(moving) for v in exact.E or ()) if any(row)]
    if rows:
        A, d = Matrix.of(rows), p.pick(moving)
        try:
            moved = dict(zip(moving, d - A.T @ fraction_free.solve(A @ A.T, A @ d)))  # (I − Aᵀ(AAᵀ)⁻¹A)d
        except NoAnswer:  # rows that depend on one another
            return
        p = Vector.of([moved.get(i, v) for i, v in enumerate(p)])
    ends = (high if v > 0 else low for v, low, high in zip(p, exact.lower, exact.upper) if v)
    if any(end is not None for end in ends) or any(dot(row, p) > 0 for row in exact.G or ()):
        return
    if dot(p, quadratic.product(exact.Q, p)) < 0:
        need = "Q positive semidefinite where Ex = 0"
        raise NoAnswer(MODULE, need=need, got="a direction of negative curvature", direction=p)


def _exactly(x: Sequence[Number]) -> Vector:
    return Vector.of([Fraction(*v.as_integer_ratio()) for v in x])


def _is_inside(problem: Problem, i: int, v: Fraction) -> bool:
    """Return whether the variable keeps away from its bounds by more than rounding explains."""
    bounds = [Fraction(*b.as_integer_ratio()) for b in (problem.lower[i], problem.upper[i]) if b is not None]
    size = abs(bounds[1] - bounds[0]) if len(bounds) == 2 else max(map(abs, (v, *bounds)))
    return all(abs(v - b) * NEAR > size for b in bounds)


def _back(problem: Problem, iteration: ActiveSetIteration) -> Vector:
    """Return the point of an iteration in binary64 exactly, bounds that it touches at their exact values."""
    point = []
    s = iteration.equations
    for v, low, high, *ends in zip(iteration.at.x, s.lower, s.upper, problem.lower, problem.upper):
        end = ends[0] if v == low else ends[1] if v == high else v
        point.append(Fraction(*end.as_integer_ratio()))
    return Vector.of(point)


def _solved(problem: Problem, exact: Problem, x: Vector, places: Sequence[int]) -> Optional[State]:
    """Return the exact solution of the working equations, the other variables left at x; None if they are singular."""
    s, n = Equations(problem, exact=True), problem.n
    held = [s.zero if i in places else v for i, v in enumerate(x)]
    image = s.product([(i, v) for i, v in enumerate(held) if v], [])
    rows = []
    for i in places:
        right = -s.c[i] - image[i] if i < n else s.b[i - n] - dot(s.A[i - n], held)
        rows.append(Scaled.of([*[s.entry(i, j) for j in places], right]).integers)
    found = fraction_free.solution([row[:-1] for row in rows], [row[-1] for row in rows])
    if found is None:
        return None
    multipliers = [s.zero] * len(s.A)
    for i, v in zip(places, found):
        if i < n:
            held[i] = v
        else:
            multipliers[i - n] = v
    free, active = [i for i in places if i < n], [i - n for i in places if i >= n]
    return State(exact, _completed(s, held, multipliers), tuple(free), tuple(active), "solved")


def _completed(s: Equations, x: list[Number], multipliers: list[Number]) -> Answer:
    """Return the answer at x, the multipliers of the bounds read off the gradient."""
    pull = s.product([(i, v) for i, v in enumerate(x) if v], [(i, v) for i, v in enumerate(multipliers) if v])
    gradient = [g + c for g, c in zip(pull, s.c)]
    lower = Vector.of([g if g > 0 and low is not None else s.zero for g, low in zip(gradient, s.lower)])
    upper = Vector.of([-g if g < 0 and high is not None else s.zero for g, high in zip(gradient, s.upper)])
    m = s.equalities
    nu = Vector.of(multipliers[:m]) if m else None
    mu = Vector.of(multipliers[m:]) if len(multipliers) > m else None
    return Answer(Vector.of(x), nu, mu, lower, upper)


def _iterated(problem: Problem, iteration: ActiveSetIteration) -> State:
    return State(problem, iteration.answer(), *iteration.working(), "iterated")
