"""Quadratic rules where covariances are alike: rows that the linear parts decide, whatever the quadratic ones are.

With z = x − m for a point m near the means, Pₖ = Σₖ⁻¹ and lₖ the linear part of the exponent of class k about m,

    rₖ(x) = lₖ(x) − ½ zᵀPₖz        |½ zᵀ(Pₖ − Pⱼ)z| ≤ ½ ‖Pₖ − Pⱼ‖ ‖z‖²,    ‖D‖² ≤ ‖D²‖ in Frobenius's norm

so that the largest linear part decides where it exceeds the others by more than the bound: K distances and one, of p
numbers each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, repeat
from typing import Optional

from refclass.discriminants.decision import power_diagram
from refclass.discriminants.decision.power_diagram import Diagram
from refclass.discriminants.gaussian.expansion import Form, form
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot

FEW = 100  # rows for each class and variable up to which the bound may cost a twentieth, and spares little
BLOCK = 1024  # rows that are decided together: one far away leaves all of them in doubt
SAFE = 2**-7  # the share of a norm that is more than its roundoff


def largest(
    whites: Sequence[tuple[Matrix, Vector]], logs: Vector, means: Matrix, rows: Sequence[Vector], far: float
) -> list[Optional[int]]:
    """Return for each row the class of the largest exponent, None where that is in doubt or one may be below −far.

    Where the first rows are in doubt by half or more, all are.

    Shapes    whites: K pairs of r × p and r; logs: K; means: K × p
    """
    doubtful: list[Optional[int]] = [None] * len(rows)
    if len(rows) <= FEW * len(means) * len(rows[0]):
        return doubtful
    m = Vector.of([sum(column) / len(means) for column in zip(*means)])
    forms = [form(white, centre, log, m, (1,) * len(m)) for (white, centre), log in zip(whites, logs)]
    moved = [dot(f.linear, m) for f in forms]
    sizes = [f.log + f.offset**2 + dot(list(map(abs, f.linear)), list(map(abs, m))) for f in forms]
    constants = [f.constant - shift for f, shift in zip(forms, moved)]
    diagram = power_diagram.diagram([f.linear for f in forms], constants, sizes, rows)
    bound = max((_norm(a, b) for a, b in combinations(whites, 2)), default=math.inf)
    if diagram is None or not bound < math.inf:
        return doubtful
    found: list[Optional[int]] = []
    for start in range(0, len(rows), BLOCK):
        found += _decided(diagram, forms, m, (1 + SAFE) * bound / 2, rows[start : start + BLOCK], far)
        if 2 * found.count(None) >= len(found):
            return doubtful
    return found


def _decided(
    diagram: Diagram, forms: Sequence[Form], m: Vector, bend: float, rows: Sequence[Vector], far: float
) -> list[Optional[int]]:
    """Return for each of some rows the class that the linear parts decide, else None."""
    norms = list(map(math.dist, rows, repeat(m)))
    y = (1 + SAFE) * max(norms)
    deepest = max((f.slope * y + f.offset) ** 2 / 2 + f.log for f in forms)
    error = max(f.error(y) for f in forms) if deepest < far else math.inf
    return diagram.largest(rows, lambda r: error, [bend * v * v for v in norms])


def _norm(one: tuple[Matrix, Vector], other: tuple[Matrix, Vector]) -> float:
    """Return a bound on the norm of the difference of two precisions WᵀW: the root of that of its square."""
    P, Q = ([[dot(u, v) for v in columns] for u in columns] for columns in (list(zip(*one[0])), list(zip(*other[0]))))
    D = [[a - b for a, b in zip(*pair)] for pair in zip(P, Q)]
    return math.sqrt(math.hypot(*(dot(u, v) for u in D for v in D)))
