"""Functions against the rest whose differences roundoff hides: of tiny columns all values are those of the intercepts.

A function f = Σ aⱼK(xⱼ, ·) + β₀ that varies by less than the roundoff of β₀, or of Σ aⱼK, says nothing of a label. It
is constant, and ties are ties, where what it varies by is roundoff of its multipliers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import frexp
from typing import Any, NamedTuple

from refclass.kernels.linear import Linear
from refclass.kernels.precomputed import Similarities
from refclass.linear.vector import Vector, dot
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.vanishing import RESOLVED, refuse_hidden

PLACES = 40  # decimals of a kernel's values beside what columns are smaller than one by
LOOKED_AT = 20  # points at which it is asked by how much a function varies


class Function(NamedTuple):
    """A kernel, the n points and multipliers of a function, and its intercept."""

    kernel: Any
    points: Sequence[Vector]
    a: Sequence[Number]
    beta0: Number


def refuse(module: str, eps: Number, own: Function) -> None:
    """Raise NotExact where the function varies by less than what its rounding hides, and is not constant.

    Proof: multipliers whose digits end at ε move f(z) − f(x) by ε Σ |aⱼ||K(xⱼ, z) − K(xⱼ, x)|; a function that varies
    by `RESOLVED` times as much is not constant.
    """
    if not own.points or isinstance(own.points[0], (str, int)):
        return
    size = max([abs(v) for x in own.points for v in x])
    decades = max(0, -frexp(float(size))[1]) // 3 if size else 0
    D = decimal(PLACES + 2 * decades)
    kernel, a = own.kernel.over(D), [D.lift(rational(v)) for v in own.a]
    points = [_lifted(D, x) for x in own.points]
    seen = points[:: -(-len(points) // LOOKED_AT)]
    rows = [list(kernel.row(D, z, points)) for z in seen]
    away = [[v - w for v, w in zip(row, rows[0])] for row in rows]
    h = [rational(dot(a, row)) for row in away]
    sizes = list(map(abs, a))
    terms = max(rational(dot(sizes, list(map(abs, row)))) for row in away)
    if max(h) - min(h) > RESOLVED * rational(eps) * terms:
        beside = abs(rational(own.beta0))
        if not isinstance(own.kernel, Linear):  # whose sums round, but not all of them one way
            beside = max(beside, max(rational(dot(sizes, list(map(abs, row)))) for row in rows) / RESOLVED)
        refuse_hidden(module, max(h) - min(h), Fraction(beside) * rational(eps))


def _lifted(D: Field, x: Vector) -> Vector:
    """Return a point as it was given, in decimals; a row of a Gram matrix keeps its number."""
    values = Vector.of(map(D.lift, x.exactly()))
    return Similarities.numbered(values, x.place) if isinstance(x, Similarities) else values
