"""Tiny quadratic problems by trying every active set: slow, simple, exact; what every other solver is held against.

Solves    minimise ½xᵀQx + cᵀx subject to Ex = d, Gx ≤ h, lower ≤ x ≤ upper, for Q positive semidefinite where Ex = 0
Given     nothing; up to about 8 variables
Yields    the active sets in the order in which they are tried, each with its point if it has one; the last is optimal

For every choice of free variables F and of active rows R whose equations are soluble,

    | Q_FF  A_RFᵀ | | x_F |   | −c_F − Q_FN x_N |
    | A_RF    0   | |  λ  | = |  b_R − A_RN x_N |

every way to put the other variables N at one of their bounds (at zero, if they have none) is tried, until a point meets
every optimality condition. Which it does if and only if the problem has a minimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import problem as whole
from refclass.optimise.quadratic.certificate import Answer, Problem
from refclass.optimise.quadratic.convexity import refuse_concave

LARGEST = 12  # variables; 3^12 ways to choose are half a million

certify = quadratic.certify


@dataclass(frozen=True)
class State:
    """An active set that has been tried.

    free, rows   the free variables and the active rows (first those of E, then those of G)
    x            the point where the objective is stationary on it
    multipliers  of all rows
    """

    problem: Problem
    free: tuple[int, ...]
    rows: tuple[int, ...]
    x: Vector
    multipliers: tuple[Any, ...]

    @property
    def objective(self) -> Number:
        """The objective at x."""
        return quadratic.objective(self.problem, self.x)

    @cached_property
    def gradient(self) -> Vector:
        """Qx + c + Aᵀ(multipliers)."""
        A, _ = _constraints(self.problem)
        g: Vector = self.problem.Q @ self.x + self.problem.c
        for v, row in zip(self.multipliers, A):
            g = g + v * row
        return g

    @cached_property
    def optimal(self) -> bool:
        """Whether all optimality conditions hold."""
        p, x, m = self.problem, self.x, len(self.problem.E or ())
        return (
            all(low is None or v >= low for v, low in zip(x, p.lower))
            and all(high is None or v <= high for v, high in zip(x, p.upper))
            and all(dot(row, x) == v for row, v in zip(p.E or (), p.d or ()))
            and all(dot(row, x) <= v for row, v in zip(p.G or (), p.h or ()))
            and all(v >= 0 for v in self.multipliers[m:])
            and all(g <= 0 or v == low for g, v, low in zip(self.gradient, x, p.lower))
            and all(g >= 0 or v == high for g, v, high in zip(self.gradient, x, p.upper))
        )

    def check(self) -> None:
        """Assert that the gradient vanishes on the free variables and the active rows are tight, exactly."""
        A, b = _constraints(self.problem)
        assert not any(self.gradient[i] for i in self.free), "the gradient vanishes on the free variables"
        assert all(dot(A[i], self.x) == b[i] for i in self.rows), "the active rows are tight"


def solve(problem: Problem) -> Answer:
    """Return the minimum with its multipliers, exactly; of rounded numbers in fractions.

    Exact     yes
    Raises    InvalidInput for more than 12 variables; NoAnswer when infeasible (with multipliers that contradict),
              unbounded (with a ray) or not convex (with a direction of negative curvature)

    Example
        >>> one, two = Fraction(1), Fraction(2)
        >>> solve(Problem(Matrix([[two]]), Vector([-two]), (None,), (one / 2,))).x
        Vector(1/2)
    """
    exact = lifted(problem)
    tried, last = 0, None
    for state in steps(exact):
        tried, last = tried + 1, state
    if last is None or not last.optimal:
        raise _why_not(exact)
    kind, m = Fraction if roundoff(problem.kind) else problem.kind, len(exact.E or ())
    nu = Vector([kind(v) for v in last.multipliers[:m]]) if exact.E else None
    mu = Vector([kind(v) for v in last.multipliers[m:]]) if exact.G else None
    at_lower = Vector([kind(max(g, 0)) for g in last.gradient])
    at_upper = Vector([kind(max(-g, 0)) for g in last.gradient])
    return Answer(Vector([kind(v) for v in last.x]), nu, mu, at_lower, at_upper, tried)


def lifted(problem: Problem) -> Problem:
    """Return the problem in fractions, every number at its exact value."""
    exact = whole.lifted(problem)
    return replace(exact, Q=Matrix([exact.Q.row(i) for i in range(exact.n)]))


def steps(problem: Problem) -> Iterator[State]:
    """Yield the active sets that have a point, up to the first optimal one."""
    if problem.n > LARGEST:
        raise InvalidInput("brute", need=f"at most {LARGEST} variables", got=problem.n)
    refuse_concave(problem, "brute")
    if roundoff(problem.kind):
        problem = lifted(problem)
    n, (A, _) = problem.n, _constraints(problem)
    for k in range(n + 1):
        for free in combinations(range(n), k):
            for r in range(min(k, len(A)) + 1):
                for rows in combinations(range(len(A)), r):
                    for state in _points(problem, free, rows):
                        yield state
                        if state.optimal:
                            return


def _constraints(problem: Problem) -> tuple[list[Vector], list[Any]]:
    return [*(problem.E or ()), *(problem.G or ())], [*(problem.d or ()), *(problem.h or ())]


def _points(problem: Problem, free: Sequence[int], rows: Sequence[int]) -> Iterator[State]:
    """Yield the stationary points of an active set, for every way to put the other variables at their bounds."""
    n, kind, (A, b) = problem.n, problem.kind, _constraints(problem)
    fixed = [i for i in range(n) if i not in free]
    inverse: Any = ()
    if free:
        top = [[*[problem.Q[i][j] for j in free], *[A[k][i] for k in rows]] for i in free]
        bottom = [[*[A[k][j] for j in free], *[kind(0)] * len(rows)] for k in rows]
        factor = elimination.factor(Matrix([*top, *bottom]))
        if not factor.determinant:
            return
        inverse = factor.solve(Matrix.identity(len(free) + len(rows), kind))
    choices = [sorted({v for v in (problem.lower[i], problem.upper[i]) if v is not None}) or [kind(0)] for i in fixed]
    for values in product(*choices):
        x = [kind(0)] * n
        for i, v in zip(fixed, values):
            x[i] = v
        pull = [*[-problem.c[i] - dot(problem.Q[i], x) for i in free], *[b[k] - dot(A[k], x) for k in rows]]
        solution = [dot(row, pull) for row in inverse]
        for i, v in zip(free, solution):
            x[i] = v
        multipliers = [kind(0)] * len(A)
        for k, v in zip(rows, solution[len(free) :]):
            multipliers[k] = v
        yield State(problem, tuple(free), tuple(rows), Vector(x), tuple(multipliers))


def _why_not(problem: Problem) -> NoAnswer:
    """Return the refusal of a convex problem without a minimum, with its witness."""
    nu, mu = _distance(problem)
    if any(nu) or any(mu):
        given = {"nu": Vector(nu) if nu else None, "mu": Vector(mu) if mu else None}
        return NoAnswer("brute", need="a point that meets all constraints", got="none", **given)
    return NoAnswer("brute", need="an objective bounded below", got="an unbounded one", ray=_ray(problem))


def _distance(problem: Problem) -> tuple[list[Any], list[Any]]:
    """Return Ex − d and Gx + s − h where their squares are least, lower ≤ x ≤ upper, s ≥ 0: zero if and only if some x
    is feasible, and otherwise multipliers that contradict the constraints.
    """
    kind, (A, b) = problem.kind, _constraints(problem)
    if not A:
        return [], []
    m, q = len(problem.E or ()), len(problem.G or ())
    M = Matrix([[*row, *[kind(int(i == m + k)) for k in range(q)]] for i, row in enumerate(A)])
    bounds = (*problem.lower, *[kind(0)] * q), (*problem.upper, *[None] * q)
    x = _minimum(Problem(M.T @ M, -(M.T @ Vector(b)), *bounds)).x
    excess = list(M @ x - Vector(b))
    return excess[:m], excess[m:]


def _minimum(problem: Problem) -> State:
    """Return the optimal state of a problem that has one."""
    return next(state for state in steps(problem) if state.optimal)


def _ray(problem: Problem) -> Vector:
    """Return p with Qp = 0, Ep = 0, Gp ≤ 0, cᵀp < 0 along which all bounds allow to go for ever.

    It minimises ½pᵀp + cᵀp over all such p: if the minimum were at p = 0, no p would have cᵀp < 0.
    """
    kind, n = problem.kind, problem.n
    rows = Matrix([*problem.Q, *(problem.E or ())])
    independent = fraction_free.factor(rows.T).columns
    zero = kind(0)
    lower = tuple(None if v is None else zero for v in problem.lower)
    upper = tuple(None if v is None else zero for v in problem.upper)
    E = Matrix([rows[i] for i in independent]) if independent else None
    d = Vector([zero] * len(E)) if E else None
    h = Vector([zero] * len(problem.G)) if problem.G else None
    return _minimum(Problem(Matrix.identity(n, kind), problem.c, lower, upper, E, d, problem.G, h)).x
