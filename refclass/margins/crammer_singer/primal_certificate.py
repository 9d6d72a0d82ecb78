"""The proof of weights that somebody found for a direct many-class machine with a linear kernel: exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, relative_digits, status
from refclass.errors import InvalidInput
from refclass.kernels.matrices.product import linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer.certificate import Rows, bounds, leads, missed
from refclass.margins.crammer_singer.problem import Machine, primal_objective
from refclass.number.field import Number, rational
from refclass.number.text import approximate
from refclass.optimise.active_set import crossover
from refclass.optimise.quadratic import certificate as quadratic

NEAR = Fraction(1, 2**26)  # share of the scores within which roundoff of doubles hides which class is ahead
SHARES = (Fraction(0), NEAR, Fraction(1, 2**20), Fraction(1, 2**14), Fraction(1, 2**8), Fraction(1, 4))  # tried in turn
MOST_FREE = 150  # multipliers near a tie, up to which shares beyond NEAR are tried: some two seconds


def certify(machine: Machine, W: Sequence[Sequence[Number]], *, asked: float = ASKED) -> Certificate:
    """Return the proof of weights w_k, multipliers found beside them  [ISML-27.5-soft] [ISML-27.5-hard].

    primal is the objective at the weights themselves. For the dual side η may stand only where m_ik is the largest of
    its point; where the best of such multipliers prove too little, also within a share of the scores, from 2⁻²⁶ to 2⁻²
    and until they are the optimum: weights off by 10⁻⁷ part at that much what ties at the optimum. By weak duality the
    gap bounds how far the weights are from the best, whatever the multipliers; it is zero at the optimum. Where a hard
    margin is missed by 2⁻²⁶ or less, the weights are scaled up to keep it.

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
    short, i = missed(exact, _scores(X, rows))
    if short > NEAR:
        where = f"point {i}: the own score leads by {approximate(short):.6g} less than 1, and no slack is allowed"
        return Certificate(status(None), None, None, None, short, where, {"w": True})
    return _judged(exact, X, [row / (1 - short) for row in rows], asked)


def _judged(machine: Machine, X: Sequence[Vector], W: Sequence[Vector], asked: float) -> Certificate:
    f = _scores(X, W)
    primal = _objective(machine, W, f)
    dual, image = _bound(machine, X, f, primal, asked)
    worst = max([(w - v).largest() for w, v in zip(W, image)])
    proven = relative_digits(primal, dual)
    where = f"coef is {approximate(worst):.6g} from the sums of alpha·x that prove most" if worst else ""
    return Certificate(status(proven, asked), primal, dual, primal - dual, worst, where, {"w": True}, "", digits=proven)


def _scores(X: Sequence[Vector], W: Sequence[Vector]) -> Rows:
    return [[w @ x for w in W] for x in X]


def _objective(machine: Machine, W: Sequence[Vector], f: Rows) -> Any:
    square = sum((w @ w for w in W), Fraction(0))
    return primal_objective(square, Matrix.of([Vector.of(row) for row in f]), machine.labels, machine.costs)


def _bound(
    machine: Machine, X: Sequence[Vector], f: Rows, primal: Fraction, asked: float
) -> tuple[Fraction, list[Vector]]:
    """Return the best dual objective that was found, and the weights that its multipliers make."""
    best: Optional[tuple[Fraction, list[Vector]]] = None
    for share in SHARES:
        tops = _tops(machine, f, share)
        if share > NEAR and sum(len(top) for top in tops if len(top) > 1) > MOST_FREE:
            break
        alpha = _best(machine, X, tops)
        image = [sum((v * x for v, x in zip(own, X)), X[0] - X[0]) for own in zip(*alpha)]
        own = sum((row[g] for row, g in zip(alpha, machine.labels)), Fraction(0))
        dual = own - sum((w @ w for w in image), Fraction(0)) / 2
        best = (dual, image) if best is None else max(best, (dual, image), key=lambda pair: pair[0])
        if (relative_digits(primal, dual) or 0) >= asked or dual == _objective(machine, image, _scores(X, image)):
            break
    assert best is not None
    return best


def _tops(machine: Machine, f: Rows, share: Fraction) -> list[list[int]]:
    """Return for each point the classes whose m is within a share of the scores of the largest; one where C is 0."""
    width = share * (1 + max(abs(v) for row in f for v in row))
    found = []
    for scores, g, c in zip(f, machine.labels, machine.costs):
        m = leads(scores, g)
        top = [k for k, v in enumerate(m) if max(m) - v <= width]
        found.append(top if c != 0 else top[:1])
    return found


def _best(machine: Machine, X: Sequence[Vector], tops: Sequence[Sequence[int]]) -> Rows:
    """Return the multipliers of the largest dual objective, below their bounds at tops only."""
    zero, alpha = Fraction(0), []
    for i, top in enumerate(tops):
        ends = [v or zero for v in bounds(machine, i)]
        alpha.append([u - sum(ends) if len(top) == 1 and k == top[0] else u for k, u in enumerate(ends)])
    held = [(i, k) for i, top in enumerate(tops) if len(top) > 1 for k in top]
    if not held:
        return alpha
    for i, k in held:
        alpha[i][k] = zero
    fixed = [sum((v * x for v, x in zip(own, X)), X[0] - X[0]) for own in zip(*alpha)]
    Q = Matrix([[X[i] @ X[j] if k == m else zero for j, m in held] for i, k in held])
    c = Vector([X[i] @ fixed[k] - (k == machine.labels[i]) for i, k in held])
    upper = tuple([bounds(machine, i)[k] for i, k in held])
    active = [i for i, top in enumerate(tops) if len(top) > 1]
    E = Matrix([[zero + (i == j) for j, _ in held] for i in active])
    d = Vector([-sum(alpha[i]) for i in active])
    problem = quadratic.Problem(Q, c, (None,) * len(held), upper, E, d)
    for (i, k), v in zip(held, crossover.solve(problem, convex=True).x):
        alpha[i][k] = v
    return alpha
