"""The proof beside least squares on given columns: how far the coefficients are from the best, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Optional

from refclass.errors import NoAnswer
from refclass.linear import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.optimise.certificate import Certificate


def rationals(rows: Any) -> Matrix:
    """Return the matrix at its exact rational value."""
    return Matrix([[rational(v) for v in row] for row in rows])


def certify(
    H: Matrix, Y: Matrix, coefficients: Matrix, weights: Optional[Vector] = None, premise: str = ""
) -> Certificate:
    """Return the proof about the coefficients B of Y on the columns of H: RSS, the least RSS, the worst gradient.

        g = HᵀW(Y − HB),   RSS − least RSS = Σ over responses of gᵀ(HᵀWH)⁻¹g

    Every number is lifted to its rational value first. Status "optimal" if g = 0, "stationary" then if the columns
    themselves were chosen (a premise), "approximate" otherwise; the gap is None if HᵀWH is singular and g is not zero.
    """
    H, Y, B = rationals(H), rationals(Y), rationals(coefficients)
    w = Vector.of([Fraction(1)] * len(H)) if weights is None else rationals([weights])[0]
    left = Y - H @ B
    primal = sum((v * (r @ r) for v, r in zip(w, left)), Fraction(0))
    columns = [column.times(w) for column in H.T]
    gradients = [Vector.of([c @ r for c in columns]) for r in left.T]
    worst, where = max(
        ((abs(v), f"column {k}, response {q}") for q, g in enumerate(gradients) for k, v in enumerate(g))
    )
    if worst == 0:
        unique = {"coefficients": True if not premise else None}
        return Certificate(
            "stationary" if premise else "optimal", primal, primal, worst, worst, "none", unique, premise
        )
    gram = Matrix.of([Vector.of([c @ d for d in H.T]) for c in columns])
    try:
        gap: Any = sum((g @ fraction_free.solve(gram, g) for g in gradients), Fraction(0))
    except NoAnswer:
        return Certificate("approximate", primal, None, None, worst, where, {"coefficients": False}, premise)
    return Certificate("approximate", primal, primal - gap, gap, worst, where, {"coefficients": True}, premise)
