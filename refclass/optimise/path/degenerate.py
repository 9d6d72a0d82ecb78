"""The slopes of the multipliers where several points change at once, or the equations of the elbow are singular.

    minimise ½ aᵀKa − dtargetᵀa   subject to   Σ aᵢ = dsum,   each aᵢ free, ≥ 0 or ≤ 0

over the points at the elbow: a free one is between its bounds, the others at a bound that they may only leave inwards.
By the optimality conditions of this problem a point either moves off its bound and stays at the elbow, or stays at its
bound and moves off the elbow to the side where it may have that multiplier. Where there are several solutions, that of
least norm is taken: it treats equal points alike. Of wᵢ points taken as one, aᵢ is the sum, and the norm Σ aᵢ² / wᵢ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.limits import DOUBLE_DIGITS
from refclass.optimise.path.elbow_system import PIVOT_UNITS
from refclass.optimise.quadratic.certificate import Problem

RIDGE_DIGITS = 2, 5  # relative to the size of K a ridge is one in the place at two fifths of the digits


def least(
    K: Matrix, dtarget: Vector, dsum: Number, signs: Sequence[int], sizes: Optional[Sequence[Number]] = None
) -> tuple[Vector, Number]:
    """Return the signed slopes a of least norm, and the slope b₀ of the intercept.

        Ka + b₀ = dtarget where aᵢ is free or not zero

    Shapes    K: m × m; signs: 0 for a free slope, 1 for one ≥ 0, −1 for one ≤ 0; sizes: w, without them ones
    Exact     yes; in rounded numbers the points that move are found with a ridge, their slopes then without
    Cost      that of `active_set.solver.solve` in m variables, once or twice
    Raises    NotConverged if roundoff hides which equations follow from others
    """
    # Method: the first point is made the origin: Cᵢⱼ = ⟨hᵢ − h₀, hⱼ − h₀⟩. As Σ aᵢ = dsum, that changes only
    # dtarget and b₀, and rounded numbers keep what the points differ in.
    first = K[0]
    lower = [[row[j] - row[0] - (first[j] - first[0]) for j in range(i + 1)] for i, row in enumerate(K)]
    C = Matrix.of([Vector.of([lower[max(i, j)][min(i, j)] for j in range(len(K))]) for i in range(len(K))])
    goal = dtarget - dsum * first
    exact = roundoff(dtarget.kind) == 0
    w = _ones(goal) if sizes is None else Vector.of(sizes)
    a, dalpha0 = _shortest(C, goal, dsum, signs, w) if exact else _rounded(C, goal, dsum, signs, w)
    return a, dalpha0 - dot(first, a) + dsum * first[0]


def _ones(like: Vector) -> Vector:
    return Vector.of([like.kind(1)] * len(like))


def _optimum(C: Matrix, goal: Vector, dsum: Number, signs: Sequence[int]) -> tuple[Vector, Number]:
    zero = goal.kind(0)
    lower = tuple(zero if s > 0 else None for s in signs)
    upper = tuple(zero if s < 0 else None for s in signs)
    sums = Matrix.of([_ones(goal)])
    found = active_set.solve(Problem(C, -goal, lower, upper, sums, Vector.of([dsum])), convex=True)
    return found.x, found.nu[0]  # type: ignore[index]


def _inverse(w: Vector) -> Matrix:
    """Return the diagonal matrix of 1/wᵢ."""
    rows = Matrix.identity(len(w), w.kind)
    return Matrix.of([Vector.of([v and v / size for v in row]) for size, row in zip(w, rows)])


def _shortest(C: Matrix, goal: Vector, dsum: Number, signs: Sequence[int], w: Vector) -> tuple[Vector, Number]:
    """Return the solution of least norm, and the multiplier of the sum, exactly."""
    a, dalpha0 = _optimum(C, goal, dsum, signs)
    zero = goal.kind(0)
    tight = [i for i, row in enumerate(C) if a[i] or dot(row, a) + dalpha0 == goal[i]]
    rows = [C[i] for i in independent(C, tight)]
    if len(rows) == len(tight):
        return a, dalpha0
    # Proof: C is positive semidefinite, so that a step s with C_T s = 0 on the tight points T, where alone it differs
    # from zero, has Cs = 0; and C_T s = 0, Σ sᵢ = 0 follow from the equations of independent points.
    lower = tuple(zero if s > 0 or i not in tight else None for i, s in enumerate(signs))
    upper = tuple(zero if s < 0 or i not in tight else None for i, s in enumerate(signs))
    E = Matrix.of([*rows, _ones(goal)])
    nearest = Problem(_inverse(w), zero * goal, lower, upper, E, E @ a)
    return active_set.solve(nearest, start=a, convex=True).x, dalpha0


def independent(C: Matrix, places: Sequence[int]) -> list[int]:
    """Return as many of the points as have equations that do not follow from one another's, the first among them.

    Method: elimination with the largest pivot on the diagonal first (Higham 2002, 10.3), about the first point: the
    pivot of a point is its squared distance from the affine hull of those taken. In another order the roundoff of
    small pivots hides that later ones are zero.
    """
    unit: Any = PIVOT_UNITS * roundoff(C.kind) * C.largest()
    taken, rest = list(places[:1]), list(places[1:])
    origin = [C[i] for i in taken]
    left = {i: {j: C[i][j] - row[j] - (C[i][o] - row[o]) for j in rest} for o, row in zip(taken, origin) for i in rest}
    while left:
        best = max(left, key=lambda i: left[i][i])
        row = left.pop(best)
        if row[best] <= unit:
            break
        taken.append(best)
        for other in left.values():
            share = other[best] / row[best]
            for j in left:
                other[j] = other[j] - share * row[j]
    return taken


def _rounded(C: Matrix, goal: Vector, dsum: Number, signs: Sequence[int], w: Vector) -> tuple[Vector, Number]:
    """Return the solution of least norm, and the multiplier of the sum, in rounded numbers.

    Method: with a small ridge the solution is unique, close to the one of least norm, and found stably; it shows which
    points move.
    """
    kind = goal.kind
    digits = getattr(kind, "precision", DOUBLE_DIGITS)
    ridge = kind(10) ** -(digits * RIDGE_DIGITS[0] // RIDGE_DIGITS[1]) * (C.largest() or 1)
    a, dalpha0 = _optimum(C + ridge * _inverse(w), goal, dsum, signs)
    moving = [i for i, (v, s) in enumerate(zip(a, signs)) if v or not s]
    if not moving:
        return a, dalpha0
    taken = [moving.index(i) for i in independent(C, moving)]
    found, dalpha0 = _least_norm(C.block(moving, moving), goal.pick(moving), dsum, taken, w.pick(moving))
    slopes = dict(zip(moving, found))
    return Vector.of([slopes.get(i, kind(0)) for i in range(len(goal))]), dalpha0


def _least_norm(C: Matrix, goal: Vector, dsum: Number, independent: Sequence[int], w: Vector) -> tuple[Vector, Number]:
    """Return the shortest a with Ca + dalpha0 = goal, Σ aᵢ = dsum, where these have a solution, and dalpha0.

    a = W(C_Bᵀμ + ν1),   Σ μ = 0,   C_B a + dalpha0 = goal_B,   1ᵀa = dsum        B: independent equations
    """
    rows = [C[i] for i in independent]
    weighted, inner = [row.times(w) for row in rows], goal.pick(independent)
    one, zero = goal.kind(1), goal.kind(0)
    system = [[*(dot(r, s) for s in weighted), dot(r, w), one] for r in rows]
    system.append([*(sum(s) for s in weighted), sum(w), zero])
    system.append([one] * len(rows) + [zero, zero])
    try:
        equations, a, dalpha0 = elimination.factor(Matrix(system)), zero * goal, zero
        for _ in range(2):  # the second time for what roundoff left over
            missing = [v - dot(r, a) - dalpha0 for v, r in zip(inner, rows)]
            *mu, nu, more = equations.solve(Vector([*missing, dsum - sum(a), zero]))
            change = Vector.of([dot(mu, column) + nu for column in zip(*rows)])
            a, dalpha0 = a + change.times(w), dalpha0 + more
    except NoAnswer:
        raise NotConverged("path", need="equations that differ by more than roundoff", got=len(rows)) from None
    return a, dalpha0
