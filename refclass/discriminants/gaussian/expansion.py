"""Quadratic rules in the quadratic expansion of the variables, in which they are linear  [ESL-4.3-expansion].

With y = S(x − m), S diagonal, W the sphering matrix of a class, V = WS⁻¹ and a = Wm − Wμ,

    log s − ½‖W(x − μ)‖² = (log s − ½‖a‖²) − (Vᵀa)·y − Σᵢ ½‖vᵢ‖² yᵢ² − Σᵢ<ⱼ vᵢ·vⱼ yᵢyⱼ

so that p(p + 3)/2 functions of a point, computed once, serve all classes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from operator import mul
from typing import Optional

from refclass.discriminants.decision import power_diagram
from refclass.discriminants.decision.power_diagram import UNIT
from refclass.linear import polar
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot

BLOCK = 128  # rows that are expanded together: few enough for the processor's cache
NEAR = 64  # sphered means up to which points are not measured from another centre: their squares lose no digit of use
UNEQUAL = 16  # norms of sphering columns whose expansions are as good without scales
NUMBERS = 2**18  # numbers in the expansions of as many rows, at most
WIDE = 12  # variables for each class from which on an expansion takes longer than the products by `math.sumprod`


def worthwhile(K: int, p: int) -> bool:
    """Return whether many rows of p variables are expanded in less time than the products of K classes take."""
    return polar.FASTER or p < WIDE * K


@dataclass(frozen=True)
class Form:
    """One class's quadratic form about m, and what bounds the roundoff of its values.

    linear, square    the coefficients of y, and of yᵢyⱼ, i ≤ j
    constant          log s − ½‖a‖²
    slope             ‖V‖, Frobenius's norm
    offset            ‖a‖
    lost              the norm of |W||m|, plus that of Wμ: what cancels in a
    log               |log s|
    """

    linear: list[float]
    square: list[float]
    constant: float
    slope: float
    offset: float
    lost: float
    log: float

    def error(self, y: float) -> float:
        """Return how far computed exponents are from each other, at most, at points with ‖S(x − m)‖ ≤ y.

        One is computed from W and Wμ at the point, the other from the coefficients, without their own sum's roundoff.
        """
        # Premise: ‖W(x − μ)‖ ≤ B = ‖V‖y + ‖a‖. Both compute it from numbers that are off by e ≤ (p + 4) u times what
        # is added up to them, and square it.
        p = len(self.linear)
        B = self.slope * y + self.offset
        e = (p + 4) * UNIT * (self.slope * y + self.lost + self.offset)
        return 2 * (2 * B * e + e * e) + UNIT * ((4 * p + 40) * B * B + 4 * self.log)


@dataclass(frozen=True)
class Expansion:
    """The quadratic rule of K classes as K linear functions of the expanded variables.

    centre, scales    m and the diagonal of S, powers of two
    forms             K forms
    """

    centre: Vector
    scales: tuple[float, ...]
    forms: list[Form]

    def largest(self, rows: Sequence[Vector], far: float) -> list[Optional[int]]:
        """Return for each row the class of the largest exponent, None where that is in doubt or one may be below −far.

        A row takes p(p + 3)/2 products for its expansion, and K distances between expansions.
        """
        found: list[Optional[int]] = []
        diagram = None
        size = max(1, min(BLOCK, NUMBERS // len(self.forms[0].square)))
        for start in range(0, len(rows), size):
            points = self._expanded(rows[start : start + size])
            if diagram is None:
                weights = [[*f.linear, *f.square] for f in self.forms]
                sizes = [f.log + f.offset**2 for f in self.forms]
                diagram = power_diagram.diagram(weights, [f.constant for f in self.forms], sizes, points)
                if diagram is None:
                    return [None] * len(rows)
            found += diagram.largest(points, lambda r: self._error(r, far))
        return found

    def _expanded(self, rows: Sequence[Vector]) -> list[tuple[float, ...]]:
        """Return the expansions of the rows: y, and the products yᵢyⱼ, i ≤ j."""
        moved = zip(zip(*rows), self.centre, self.scales)
        columns = [[(v - m) * s for v in column] if m or s != 1 else column for column, m, s in moved]
        products = [map(mul, a, b) for a, b in combinations_with_replacement(columns, 2)]
        return list(zip(*columns, *products))

    def _error(self, r: float, far: float) -> float:
        """Return the largest error of a class where the norm of the expansion is at most r, ∞ beyond −far."""
        y = math.sqrt(1.5 * r)  # ‖y‖⁴ ≤ 2 Σ (yᵢyⱼ)², i ≤ j
        deepest = max((f.slope * y + f.offset) ** 2 / 2 + f.log for f in self.forms)
        return max(f.error(y) for f in self.forms) if deepest < far else math.inf


def largest(
    whites: Sequence[tuple[Matrix, Vector]], logs: Vector, means: Matrix, rows: Sequence[Vector], far: float
) -> list[Optional[int]]:
    """Return for each row the class of the largest exponent of the rule, as `Expansion.largest` does; see `of_rule`."""
    known = of_rule(whites, logs, means)
    return [None] * len(rows) if known is None else known.largest(rows, far)


def of_rule(whites: Sequence[tuple[Matrix, Vector]], logs: Vector, means: Matrix) -> Optional[Expansion]:
    """Return the expansion of the rule with these sphering matrices, sphered means and constants.

    Returns    None where the columns of the sphering matrices are so large or small that doubles may not hold squares

    Shapes    whites: K pairs of r × p and r; logs: K; means: K × p
    """
    near = max(math.hypot(*centre) for _, centre in whites) <= NEAR
    m = Vector.of([0.0 if near else sum(column) / len(means) for column in zip(*means)])
    sizes = [math.hypot(*column) for column in zip(*(row for white, _ in whites for row in white))]
    if not all(size == 0 or 1e-70 < size < 1e70 for size in sizes):
        return None
    scales = tuple(
        1.0 if size == 0 or 1 / UNEQUAL < size < UNEQUAL else 2.0 ** round(math.log2(size)) for size in sizes
    )
    return Expansion(m, scales, [form(white, centre, log, m, scales) for (white, centre), log in zip(whites, logs)])


def form(white: Matrix, centre: Vector, log: float, m: Vector, scales: Sequence[float]) -> Form:
    """Return the quadratic form of one class about m: log s − ½‖W(x − μ)‖² in y = S(x − m)."""
    columns = [tuple([v / s for v in column]) for column, s in zip(zip(*white), scales)]
    a = white @ m - centre
    products = [-dot(u, v) if u is not v else -dot(u, u) / 2 for u, v in combinations_with_replacement(columns, 2)]
    offset, size = math.hypot(*a), Vector.of(map(abs, m))
    return Form(
        linear=[-dot(v, a) for v in columns],
        square=products,
        constant=log - offset**2 / 2,
        slope=math.hypot(*(math.hypot(*v) for v in columns)),
        offset=offset,
        lost=math.hypot(*(dot(tuple(map(abs, row)), size) for row in white)) + math.hypot(*centre),
        log=abs(log),
    )
