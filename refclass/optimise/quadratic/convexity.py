"""Whether a quadratic problem is convex, with a direction that shows it when it is not.

½xᵀQx + cᵀx is convex on {x : Ex = d} if and only if pᵀQp ≥ 0 for all p with Ep = 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

from refclass.errors import NoAnswer
from refclass.linear.common_denominator import Scaled
from refclass.linear.exact.division import quotients
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.quadratic.problem import Problem


class Substitution(NamedTuple):
    """x_place = −Σ factors_k x_k over the others, by one equality."""

    place: int
    factors: list[Number]


def negative_direction(problem: Problem) -> Optional[Vector]:
    """Return p with Ep = 0 and pᵀQp < 0, or None when there is none: the problem is convex  [ERR-ISML-05].

    The equalities are eliminated; what is left of Q is factored with diagonal pivots. It is positive semidefinite if
    and only if every pivot is positive until nothing but zeros is left.

    Exact     yes; of rounded numbers, up to roundoff
    Cost      2mn² + n³/6 multiplications for m equalities; on fractions n³/3, of integers
    """
    n, kind = problem.n, problem.kind
    A = [list(problem.Q.row(i)) for i in range(n)]
    kept, substitutions = _without_equalities(problem, A)
    left = [[A[i][j] for j in kept[: k + 1]] for k, i in enumerate(kept)]
    found = _search(left, kind)
    if found is None:
        return None
    p = [kind(0)] * n
    for k, v in zip(kept, found):
        p[k] = v
    for place, factors in reversed(substitutions):
        p[place] = -sum((f * v for f, v in zip(factors, p) if v), kind(0))
    return Vector.of(p)


def refuse_concave(problem: Problem, module: str) -> None:
    """Raises NoAnswer, in the module's name, with a direction of negative curvature if not convex."""
    p = negative_direction(problem)
    if p is not None:
        need = "Q positive semidefinite where Ex = 0"
        raise NoAnswer(module, need=need, got="a direction of negative curvature", direction=p)


def _without_equalities(problem: Problem, A: list[list[Number]]) -> tuple[list[int], list[Substitution]]:
    """Substitute one variable for each equality in A, and return the places of the others."""
    kept, substitutions = list(range(problem.n)), []
    rows = [list(row) for row in problem.E or ()]
    tolerance = THRESHOLD * problem.n * roundoff(problem.kind)
    while rows and kept:
        row = rows.pop()
        q = max(kept, key=lambda k: abs(row[k]))
        if abs(row[q]) <= tolerance * max(map(abs, row)):
            continue  # the row says nothing that the others have not said
        e = [row[k] / row[q] if k in kept and k != q else 0 * row[q] for k in range(problem.n)]
        kept.remove(q)
        for other in rows:
            c = other[q]
            other[:] = [a - c * v for a, v in zip(other, e)]
        pivot = A[q]
        corner = pivot[q]
        for j in kept:
            f, g = e[j], A[j][q] - e[j] * corner
            A[j] = [a - f * b - g * v for a, b, v in zip(A[j], pivot, e)]
        substitutions.append(Substitution(q, e))
    return kept, substitutions


class Pivot(NamedTuple):
    """A pivot of the factor: its place, its value, and its column over the places that were left."""

    place: int
    value: Number
    column: dict[int, Number]


def _search(left: list[list[Number]], kind: Any) -> Optional[list[Number]]:
    """Return v with vᵀAv < 0 for the symmetric A whose lower triangle is given, or None."""
    if not left:
        return None
    exact, previous = not roundoff(kind), 1
    rows = _integers(left) if exact else left
    floor = THRESHOLD * len(left) * roundoff(kind) * max(abs(v) for row in rows for v in row)
    places, done = list(range(len(left))), list[Pivot]()
    while rows:
        diagonal = [row[-1] for row in rows]
        if min(diagonal) < -floor:
            return _back({places[diagonal.index(min(diagonal))]: kind(1)}, done, len(left), kind)
        k = diagonal.index(max(diagonal))
        pivot = diagonal[k]
        if pivot <= floor:
            v = _off_diagonal(rows, places, floor, kind)
            return _back(v, done, len(left), kind) if v else None
        column = rows[k][:k] + [row[k] for row in rows[k + 1 :]]
        place = places.pop(k)
        rows = [row[:k] + row[k + 1 :] for i, row in enumerate(rows) if i != k]
        if exact:  # Method: Bareiss's elimination; what is left is the Schur complement times the pivot
            scaled = [[pivot * a - c * b for a, b in zip(row, column)] for row, c in zip(rows, column)]
            rows, previous = quotients(scaled, previous), pivot
        else:
            rows = [[a - c * b for a, b in zip(row, column)] for row, c in zip(rows, [c / pivot for c in column])]
        done.append(Pivot(place, pivot, dict(zip(places, column))))
    return None


def _integers(left: list[list[Number]]) -> list[list[int]]:
    flat = iter(Scaled.of([v for row in left for v in row]).integers)
    return [[next(flat) for _ in row] for row in left]


def _off_diagonal(rows: Any, places: list[int], floor: Number, kind: Any) -> Optional[dict[int, Number]]:
    # Proof: with zeros on the diagonal and b ≠ 0 beside them, (1, ∓1) gives −2|b| < 0.
    for i, row in enumerate(rows):
        for j in range(i):
            if abs(row[j]) > 2 * floor:
                return {places[i]: kind(1), places[j]: kind(-1 if row[j] > 0 else 1)}
    return None


def _back(v: dict[int, Number], done: list[Pivot], n: int, kind: Any) -> list[Number]:
    """Return the vector that is v on its places and annihilates the rows of the pivots."""
    for pivot in reversed(done):
        total = sum((w * pivot.column[k] for k, w in v.items() if k in pivot.column), kind(0))
        v[pivot.place] = -total / pivot.value
    return [v.get(k, kind(0)) for k in range(n)]
