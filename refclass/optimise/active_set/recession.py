"""Whether the objective of a machine's problem falls for ever, with the ray that shows it.

Along x + tr, t ≥ 0, the objective is ½t²rᵀQr + t(Qx + c)ᵀr + …. If r points along the box, Σ rᵢ = 0 where the sum is
held, Qr = 0 and cᵀr < 0, it falls for ever. For the hard margin, r is a convex combination of each class, the same
point: the classes are not separable, and the dual is unbounded  [ESL-12.13] [MMST-11.21].
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import box_rows
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.certificate import Problem


def bounded(problem: Problem) -> bool:
    """Return whether every variable has both bounds, so that there is no ray at all."""
    return None not in problem.lower and None not in problem.upper


def ray(problem: Problem, x: Sequence[Number]) -> Optional[Vector]:
    """Return a ray along which the objective falls for ever, among those that only move entries that x has moved.

    Where Q is positive semidefinite, r is the minimum of rᵀQr over the directions of the box with Σ rᵢ = 0 and
    cᵀr = −1; it is a ray if the value there is zero. None if there is no such direction, the value is not zero, or
    roundoff hides the minimum.

    Exact     yes; of rounded numbers, up to roundoff
    """
    kind, zero = problem.kind, problem.kind(0)
    support = [i for i, v in enumerate(x) if v and (problem.lower[i] is None or problem.upper[i] is None)]
    if not support:
        return None
    Q = box_rows.Restricted(problem.Q, support)
    c = Vector.of([problem.c[i] for i in support])
    lower = tuple([None if problem.lower[i] is None else zero for i in support])
    upper = tuple([None if problem.upper[i] is None else zero for i in support])
    rows, right = ([Vector.of([kind(1)] * len(support))], [zero]) if problem.E is not None else ([], [])
    E, d = Matrix.of([*rows, c]), Vector.of([*right, kind(-1)])
    try:
        r = active_set.solve(Problem(Q, Vector.of([zero] * len(support)), lower, upper, E, d), convex=True).x
    except (NoAnswer, NotConverged):  # there is no such direction, or roundoff hides which is the least curved
        return None
    if not flat(r, quadratic.product(Q, r), largest(Q)):
        return None
    entries = dict(zip(support, r))
    return Vector.of([entries.get(i, zero) for i in range(problem.n)])


def flat(r: Sequence[Number], Qr: Sequence[Number], size: Number) -> bool:
    """Return whether rᵀQr is zero, of rounded numbers up to roundoff; size is the largest entry of Q.

    Premise: errors of single entries of Q and of their products are as good as independent, so that those of rᵀQr are
    of the size of rᵀr, and not of (Σ |rᵢ|)². A small ridge on Q is then distinguished from none.
    """
    unit = THRESHOLD * (isqrt(len(r)) + 1) * roundoff(type(size)) * size
    return bool(dot(tuple(r), tuple(Qr)) <= unit * dot(tuple(r), tuple(r)))


def largest(Q: Any) -> Number:
    """Return the largest absolute value on the diagonal of Q."""
    return max(map(abs, Q.diagonal()))


def refuse(problem: Problem, x: Sequence[Number], module: str) -> None:
    """Raises NoAnswer, in the name of the module, with the ray, if there is one (see `ray`)."""
    if not bounded(problem):
        r = ray(problem, x)
        if r is not None:
            raise refusal(module, r)


def refusal(module: str, r: Vector) -> NoAnswer:
    """Return the refusal of a problem whose objective falls for ever along r."""
    return NoAnswer(module, need="an objective bounded below", got="an unbounded one", ray=r)
