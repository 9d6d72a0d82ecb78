"""The constraints of a quadratic programme as rows: bounds and inequalities alike, active or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.quadratic import phase_one
from refclass.optimise.quadratic.certificate import Answer, Problem


class Constraint(NamedTuple):
    """aᵀx ≥ b, or aᵀx = b; `kind` is E, G, artificial, lower or upper, `place` the row or the variable."""

    kind: str
    place: int
    a: Vector
    b: Number


def constraints_at(problem: Problem, x: Vector) -> list[Constraint]:
    """Return all constraints: equalities, artificial ones, bounds, inequalities."""
    n, kind = problem.n, problem.kind
    unit = [Vector.unit(n, j, kind) for j in range(n)]
    found = [Constraint("E", i, a, b) for i, (a, b) in enumerate(zip(problem.E or (), problem.d or ()))]
    found += [Constraint("artificial", j, unit[j], v) for j, v in enumerate(x)]
    found += [Constraint("lower", j, unit[j], v) for j, v in enumerate(problem.lower) if v is not None]
    found += [Constraint("upper", j, -unit[j], -v) for j, v in enumerate(problem.upper) if v is not None]
    return found + [Constraint("G", i, -a, -b) for i, (a, b) in enumerate(zip(problem.G or (), problem.h or ()))]


def working_set(constraints: Sequence[Constraint], x: Vector, n: int) -> list[int]:
    """Return n independent constraints active at x: equalities first, then bounds, then artificial ones."""
    order = {"E": 0, "lower": 1, "upper": 1, "artificial": 2}
    active = [i for i, s in enumerate(constraints) if s.kind in order and (s.kind == "E" or dot(s.a, x) == s.b)]
    chosen: list[int] = []
    echelon: list[tuple[int, list[Number]]] = []
    for i in sorted(active, key=lambda i: order[constraints[i].kind]):
        row = list(constraints[i].a)
        for pivot, other in echelon:
            share = row[pivot]
            row = [u - share * v for u, v in zip(row, other)] if share else row
        size, pivot = max((abs(v), -j) for j, v in enumerate(row))
        if size > THRESHOLD * n * roundoff(x.kind) * constraints[i].a.largest():
            echelon.append((-pivot, [v / row[-pivot] for v in row]))
            chosen.append(i)
    return chosen


def moved(
    problem: Problem, constraints: Sequence[Constraint], W: Sequence[int], x: Vector, alpha: Number, p: Vector
) -> Vector:
    """Return x + αp, where variables whose bounds are in W are at these bounds without roundoff."""
    x = phase_one.within(problem, x + alpha * p)
    at = {
        s.place: s.b if s.kind == "lower" else -s.b for s in (constraints[i] for i in W) if s.kind in ("lower", "upper")
    }
    return Vector.of([at.get(j, v) for j, v in enumerate(x)])


def answer_at(
    problem: Problem, constraints: Sequence[Constraint], W: Sequence[int], x: Vector, multipliers: Vector, count: int
) -> Answer:
    """Return the answer at x: λ as multipliers of Ex = d, Gx ≤ h and the bounds."""
    zero = problem.kind(0)
    sizes = {"E": len(problem.E or ()), "G": len(problem.G or ()), "lower": problem.n, "upper": problem.n}
    found = {kind: [zero] * size for kind, size in sizes.items()}
    for i, v in zip(W, multipliers):
        s = constraints[i]
        if s.kind == "E":
            found["E"][s.place] = -v
        elif s.kind != "artificial":
            found[s.kind][s.place] = max(v, zero)
    nu = None if problem.E is None else Vector.of(found["E"])
    mu = None if problem.G is None else Vector.of(found["G"])
    return Answer(x, nu, mu, Vector.of(found["lower"]), Vector.of(found["upper"]), count)
