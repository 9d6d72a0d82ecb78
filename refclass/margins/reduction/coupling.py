"""Coupling of pairwise probabilities into those of many classes (Hastie and Tibshirani 1998)  [MC-COUPLE].

    r_ij = Pr(class i | class i or j), estimated pair by pair;   wanted p with μ_ij = p_i/(p_i + p_j) near them:
    minimise Σ_{i<j} n_ij [r_ij log(r_ij/μ_ij) + (1 − r_ij) log((1 − r_ij)/(1 − μ_ij))]
    stationary:   Σ_{j≠i} n_ij μ_ij = Σ_{j≠i} n_ij r_ij      for every class i

Cyclically p_i is multiplied by the ratio of the right side to the left, and p normalised: each such step lowers the
divergence, which in log p is convex. That is slow where pairs are nearly certain; after a few sweeps Newton's method in
log p goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number

FEW, MOST = 20, 300  # sweeps before Newton's method, and steps of it


@dataclass(frozen=True)
class Problem:
    """Pairwise probabilities of K classes.

    r    K × K, r[i][j] + r[j][i] = 1, strictly between 0 and 1 off the diagonal, which is not read
    n    K × K, the symmetric weights of the pairs: how many rows each was fitted to
    """

    r: tuple[Vector, ...]
    n: tuple[Vector, ...]

    def sides(self, p: Sequence[Number], i: int) -> tuple[Number, Number]:
        """Return Σ n_ij μ_ij and Σ n_ij r_ij over j ≠ i."""
        others = [j for j in range(len(p)) if j != i]
        left = sum([self.n[i][j] * p[i] / (p[i] + p[j]) for j in others], p[0] * 0)
        return left, sum([self.n[i][j] * self.r[i][j] for j in others], p[0] * 0)

    def violation(self, p: Sequence[Number]) -> Number:
        """Return the largest |Σ n_ij μ_ij − Σ n_ij r_ij| over the classes."""
        return max(abs(a - b) for a, b in (self.sides(p, i) for i in range(len(p))))


def steps(problem: Problem, start: Vector) -> Iterator[Vector]:
    """Yield the probabilities after each sweep over the classes.

    Exact     each sweep, in an exact field; the limit is irrational for more than two classes in general
    Cost      K(K + 1) divisions and 2K multiplications a sweep, besides the sums of the two sides
    """
    p = list(start)
    while True:
        for i in range(len(p)):
            left, right = problem.sides(p, i)
            p[i] = p[i] * right / left
            total = sum(p, p[0] * 0)
            p = [v / total for v in p]
        yield Vector.of(p)


def solve(F: Field, problem: Problem) -> Vector:
    """Return the coupled probabilities  [MC-COUPLE].

    For two classes they are the pair's own, exactly; else the equations hold up to roundoff.

    Raises    InvalidInput for probabilities that are not inside (0, 1); NotConverged, with the violation; NotExact in
              exact arithmetic where a few sweeps do not end
    """
    K = len(problem.r)
    for i in range(K):
        for j in range(K):
            if i != j and not 0 < problem.r[i][j] < 1:
                raise InvalidInput("coupling", need="pairwise probabilities inside (0, 1)", got=problem.r[i][j])
    if K == 2:
        return Vector.of([problem.r[0][1], problem.r[1][0]])
    size = max(problem.sides([F.kind(1)] * K, i)[1] for i in range(K))
    enough = 64 * K * F.eps * size
    start = Vector.of([sum([problem.r[i][j] for j in range(K) if j != i], F.kind(0)) for i in range(K)])
    for count, p in enumerate(steps(problem, start / start.sum())):
        if problem.violation(p) <= enough:
            return p
        if count >= FEW:
            return newton(F, problem, p, enough)
    raise AssertionError("the iteration has no end of its own")


def newton(F: Field, problem: Problem, p: Vector, enough: Number) -> Vector:
    """Return the probabilities at which the equations hold, by Newton's method in log p, the last one held.

    The Jacobian has −n_ij μ_ij μ_ji off its diagonal, and rows that sum to zero. A step is halved until the violation
    falls.

    Raises    NotConverged, with the violation, where no step lowers it
    """
    worst = problem.violation(p)
    for _ in range(MOST):
        if worst <= enough:
            return p
        step = _step(problem, p)
        for _ in range(MOST):
            moved = Vector.of([v * F.exp(d) for v, d in zip(p, step)])
            near = moved / moved.sum()
            found = problem.violation(near)
            if found < worst:
                break
            step = [d / 2 for d in step]
        else:
            break
        p, worst = near, found
    raise NotConverged("coupling", need=f"the equations to hold to {enough:.3g}", got=worst)


def _step(problem: Problem, p: Vector) -> list[Number]:
    K, zero = len(p), p[0] * 0
    rows = [
        [-problem.n[i][j] * p[i] * p[j] / (p[i] + p[j]) ** 2 if i != j else zero for j in range(K)] for i in range(K)
    ]
    for i, row in enumerate(rows):
        row[i] = -sum(row, zero)
    sides = [problem.sides(p, i) for i in range(K - 1)]
    inner = Matrix.of([Vector.of(row[:-1]) for row in rows[:-1]])
    return [*elimination.solve(inner, Vector.of([b - a for a, b in sides])), zero]
