"""Whether a Gram matrix is positive semidefinite on the motions that a machine's equality leaves, decided exactly.

    dᵀKd ≥ 0 for all d, or, with an intercept, for all d with Σ dᵢ = 0        then the dual of the machine is convex

Method: a Cholesky factor in doubles with a bound on its roundoff (Demmel 1989; Rump 2006), then a factor LDLᵀ in
integers of fixed length, then Bareiss's elimination. The first two decide nothing that their bounds leave open.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import frexp, isfinite, ldexp, sqrt
from typing import Any, Optional

from refclass.errors import NoAnswer
from refclass.linear.common_denominator import Scaled
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.tolerance import roundoff
from refclass.optimise.quadratic.convexity import negative_direction
from refclass.optimise.quadratic.problem import Problem

BITS = 160  # of the integers of fixed length: three times those of a double, so that only singular matrices are left


def definite(K: Any, intercept: bool = True, places: Optional[Sequence[int]] = None) -> tuple[bool, Optional[Vector]]:
    """Return whether dᵀKd ≥ 0 for every d, with an intercept for every d with Σ dᵢ = 0; if not, such a d, in fractions.

    Shapes    K: n × n and symmetric: a Matrix, or a store of rows, over any numbers, each taken at its exact worth;
              places: those whose entries of d need not be zero; none: all
    Exact     yes
    Cost      n³/6 multiplications of doubles where a bound on their roundoff decides (a second at n = 500), else of
              integers of 160 bits (a second at n = 250); for an exactly singular K, copies of points set aside, those
              of Bareiss's elimination up to its rank

    Example
        >>> definite(Matrix([[0.0, -1.0], [-1.0, 0.0]])), definite(Matrix([[0.0, -1.0], [-1.0, 0.0]]), intercept=False)
        ((True, None), (False, Vector(1, 1)))
    """
    own = range(len(K)) if places is None else places
    rows = [tuple(K.row(i).pick(own)) for i in own]
    kept = sorted({row: i for i, row in reversed(list(enumerate(rows)))}.values())  # a copy adds a null vector only
    part = [[rows[i][j] for j in kept] for i in kept]
    found = _direction(part, intercept) if kept else None
    if found is None:
        return True, None
    d = [Fraction(0)] * len(K)
    for i, v in zip(kept, found):
        d[own[i]] = v
    return False, Vector.of(d)


def refuse_indefinite(K: Any, intercept: bool, module: str, places: Optional[Sequence[int]] = None) -> None:
    """Raises NoAnswer, in the module's name, with a direction of negative curvature unless K is `definite`.

    ‖f‖² = dᵀKd < 0 for f = Σ dᵢK(xᵢ, ·): a K with such a d is the Gram matrix of no space of functions, and t²‖f‖²
    falls for ever as t grows.
    """
    direction = definite(K, intercept, places)[1]
    if direction is not None:
        need = "K positive semidefinite" + (" where coefficients sum to zero" if intercept else "")
        raise NoAnswer(module, need=need, got="a direction of negative curvature", direction=direction)


def _direction(K: list[list[Any]], intercept: bool) -> Optional[list[Fraction]]:
    if type(K[0][0]) is float and _surely(K, intercept):
        return None
    flat = iter(Scaled.of([v for row in K for v in row]).integers)
    table = [[next(flat) for _ in row] for row in K]
    inner = _contrasts(table) if intercept else table
    if not inner:
        return None
    decided, v = _fixed(inner)
    if decided:
        return None if v is None else _whole(v, intercept)
    exact = Matrix.of([Vector.of(map(Fraction, row)) for row in inner])
    free = (None,) * len(inner)
    left = negative_direction(Problem(exact, Vector.of([Fraction(0)] * len(inner)), free, free))
    return None if left is None else _whole(list(left), intercept)


def _contrasts(K: list[list[Any]]) -> list[list[Any]]:
    """Return Kᵢⱼ − Kᵢ₀ − K₀ⱼ + K₀₀ for i, j ≥ 1: K on the motions eᵢ − e₀."""
    first = K[0]
    return [[v - row[0] - u + first[0] for v, u in zip(row[1:], first[1:])] for row in K[1:]]


def _whole(v: Sequence[Any], intercept: bool) -> list[Fraction]:
    """Return the motion in all coordinates, scaled so that its largest is one."""
    d = list(map(Fraction, v))
    if intercept:
        d.insert(0, -sum(d, Fraction(0)))
    largest = max(map(abs, d))
    return [w / largest for w in d]


def _surely(K: list[list[float]], intercept: bool) -> bool:
    """Return whether Cholesky's factor in doubles proves that K is positive definite on the motions.

    Proof: where the factor R of B̃ = B + E − cI exists in doubles, RᵀR = B̃ + Δ, ‖Δ‖ ≤ γ tr B̃/(1 − γ) with γ ≈ (n +
    1)u [Higham, Theorem 10.5 and (10.7)]; entries of B err by 6u times the largest entry of K, so that ‖E‖ ≤ 6un
    max|K|. With c above twice both, and above what underflow loses, B ≥ RᵀR + (c − ‖E‖ − ‖Δ‖)I > 0.
    """
    largest = max([max(map(abs, row)) for row in K])
    if not isfinite(largest) or largest == 0:
        return False
    scale = -frexp(largest)[1]
    B = [[ldexp(v, scale) for v in row] for row in K]
    if intercept:
        B = _contrasts(B)
    n, u = len(B), roundoff(float)
    c = u * (12 * n + 2 * (n + 2) * sum([abs(row[i]) for i, row in enumerate(B)]))
    factor: list[tuple[float, ...]] = []
    roots: list[float] = []
    for i, a in enumerate(B):
        row: list[float] = []
        for value, known, root in zip(a, factor, roots):
            row.append((value - dot(row, known)) / root)
        pivot = a[i] - c - dot(row, row)
        if not pivot > 0:
            return False
        factor.append(tuple(row))
        roots.append(sqrt(pivot))
    return True


def _fixed(B: list[list[int]]) -> tuple[bool, Optional[list[Fraction]]]:
    """Return whether a factor LDLᵀ in integers of fixed length decides, and a direction of negative curvature if so.

    Proof: entries are divided by a unit and rounded down, and so is what each elimination subtracts: D and L, held as
    fractions of integers, are exactly those of B − cI + E with |Eᵢⱼ| ≤ n + 1 units and ‖E‖ ≤ n(n + 1) = c. All pivots
    positive proves B > 0. A direction is proven by its own exact value.
    """
    n = len(B)
    shift = max([max(map(abs, row)) for row in B]).bit_length() - BITS
    c = n * (n + 1)
    rest = [[v >> shift if shift > 0 else v << -shift for v in row[: i + 1]] for i, row in enumerate(B)]
    for i, row in enumerate(rest):
        row[i] -= c
    places, columns = list(range(n)), list[tuple[int, int, dict[int, int]]]()
    while rest:
        diagonal = [row[-1] for row in rest]
        pivot = max(diagonal)
        if min(diagonal) <= 0:
            break
        k = diagonal.index(pivot)
        place, column = places.pop(k), rest[k][:-1] + [row[k] for row in rest[k + 1 :]]
        rest = [row[:k] + row[k + 1 :] for i, row in enumerate(rest) if i != k]
        rest = [[a - x * b // pivot for a, b in zip(row, column)] for row, x in zip(rest, column)]
        columns.append((place, pivot, dict(zip(places, column))))
    if not rest:
        return True, None
    diagonal = [row[-1] for row in rest]
    v = {places[diagonal.index(min(diagonal))]: Fraction(1)}
    for place, pivot, known in reversed(columns):
        total = sum([w * known[k] for k, w in v.items()], Fraction(0))
        v[place] = Fraction(round(-total * 2**BITS / pivot), 2**BITS)
    d = Scaled.of([v.get(k, Fraction(0)) for k in range(n)])
    value = sum([k * dot(row, d.integers) for k, row in zip(d.integers, B) if k])
    return value < 0, d.fractions() if value < 0 else None
