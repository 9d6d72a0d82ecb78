"""The proof of weights that somebody found for a direct many-class machine with a linear kernel: exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from refclass.certificate import ASKED, Certificate, relative_digits, status
from refclass.errors import InvalidInput
from refclass.kernels.matrices.product import linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer.certificate import Rows, bounds, leads, missed
from refclass.margins.crammer_singer.problem import Machine, primal_objective
from refclass.number.field import Number, rational
from refclass.number.text import approximate
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic

NEAR = Fraction(1, 2**26)  # share of the scores within which roundoff of doubles hides which class is ahead


def certify(machine: Machine, W: Sequence[Sequence[Number]], *, asked: float = ASKED) -> Certificate:
    """Return the proof of weights w_k, multipliers found beside them  [ISML-27.5-soft] [ISML-27.5-hard].

    primal is the objective at the weights themselves. For the dual side η may stand only where m_ik is the largest of
    its point; among those the nearest Σᵢ α_ik xᵢ to w_k is found; where that proves too little, η may stand within 2⁻²⁶
    of the largest, too. By weak duality the gap bounds how far the weights are from the best, whatever the multipliers;
    it is zero at the optimum. Where a hard margin is missed by 2⁻²⁶ or less, the weights are scaled up to keep it.

    Shapes    W: K rows of p
    Units     asked: the digits of the objective for which the status is "optimal"
    Exact     yes
    Raises    InvalidInput if the kernel is not linear or the shape does not fit
    """
    points = linear_points(machine.K)
    if points is None:
        raise InvalidInput("crammer_singer", need="a linear kernel to judge weights", got="another")
    X = [Vector(map(rational, x)) for x in points]
    rows = [Vector(map(rational, row)) for row in W]
    if len(rows) != machine.classes or any(len(row) != len(X[0]) for row in rows):
        raise InvalidInput("crammer_singer", need=f"{machine.classes} rows of {len(X[0])} weights", got=len(rows))
    exact = replace(machine, costs=tuple([None if c is None else rational(c) for c in machine.costs]))
    short, i = missed(exact, [[w @ x for w in rows] for x in X])
    if short > NEAR:
        where = f"point {i}: the own score leads by {approximate(short):.6g} less than 1, and no slack is allowed"
        return Certificate(status(None), None, None, None, short, where, {"w": True})
    scaled = [row / (1 - short) for row in rows]
    found = _judged(exact, X, scaled, Fraction(0), asked)
    if found.digits is not None and found.digits >= asked:
        return found
    return max(found, _judged(exact, X, scaled, NEAR, asked), key=lambda proof: proof.dual)


def _judged(machine: Machine, X: Sequence[Vector], W: Sequence[Vector], near: Fraction, asked: float) -> Certificate:
    f = [[w @ x for w in W] for x in X]
    square = sum((w @ w for w in W), Fraction(0))
    primal = primal_objective(square, Matrix.of([Vector.of(row) for row in f]), machine.labels, machine.costs)
    alpha = _beside(machine, X, W, f, near)
    image = [sum((v * x for v, x in zip(own, X)), W[0] - W[0]) for own in zip(*alpha)]
    own = sum((row[g] for row, g in zip(alpha, machine.labels)), Fraction(0))
    dual = own - sum((w @ w for w in image), Fraction(0)) / 2
    worst = max([(w - v).largest() for w, v in zip(W, image)])
    proven = relative_digits(primal, dual)
    where = f"coef is {approximate(worst):.6g} from the nearest sums of alpha·x" if worst else ""
    return Certificate(status(proven, asked), primal, dual, primal - dual, worst, where, {"w": True}, "", digits=proven)


def _beside(machine: Machine, X: Sequence[Vector], W: Sequence[Vector], f: Rows, near: Fraction) -> Rows:
    """Return multipliers within their constraints whose sums Σᵢ α_ik xᵢ are nearest to the weights."""
    width = near * (1 + max(abs(v) for row in f for v in row))
    alpha: Rows = []
    active: list[tuple[int, list[int]]] = []
    for i, (scores, g) in enumerate(zip(f, machine.labels)):
        m, ends = leads(scores, g), [v or Fraction(0) for v in bounds(machine, i)]
        top = [k for k, v in enumerate(m) if max(m) - v <= width]
        if len(top) > 1 and machine.costs[i] != 0:
            active.append((i, top))
        start = [u - (ends[g] if k == top[0] else 0) for k, u in enumerate(ends)]
        alpha.append(start)
    if active:
        _fill(machine, X, W, alpha, active)
    return alpha


def _fill(
    machine: Machine, X: Sequence[Vector], W: Sequence[Vector], alpha: Rows, active: list[tuple[int, list[int]]]
) -> None:
    """Put the best multipliers of the points with several largest m into alpha."""
    zero, size = Fraction(0), machine.classes
    held = [(i, k) for i, _ in active for k in range(size)]
    inside = {i for i, _ in active}
    target = []
    for k, w in enumerate(W):
        target.append(w - sum((alpha[i][k] * x for i, x in enumerate(X) if i not in inside), w - w))
    Q = Matrix([[X[i] @ X[j] if k == m else zero for j, m in held] for i, k in held])
    c = Vector([-(X[i] @ target[k]) for i, k in held])
    upper = [bounds(machine, i)[k] for i, k in held]
    tops = dict(active)
    lower = [None if k in tops[i] else u for (i, k), u in zip(held, upper)]
    E = Matrix([[zero + (i == j) for j, _ in held] for i, _ in active])
    problem = quadratic.Problem(Q, c, tuple(lower), tuple(upper), E, Vector([zero] * len(active)))
    for (i, k), v in zip(held, active_set.solve(problem, convex=True).x):
        alpha[i][k] = v
