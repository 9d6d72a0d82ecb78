"""The proof beside least squares with a quadratic penalty: how far coefficients are from the best, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.number.near import THRESHOLD
from refclass.optimise.certificate import Certificate
from refclass.optimise.scaled import Scaled, combination


def certify(
    H: Matrix, Y: Matrix, coefficients: Matrix, weights: Vector, penalty: Optional[Matrix] = None, eps: Any = 0
) -> Certificate:
    """Return the proof of the coefficients B of Y on the columns of H  [ESL-12.47].

        objective = Σ wᵢ‖yᵢ − Bᵀhᵢ‖² + tr BᵀPB      g = HᵀW(Y − HB) − PB      A = HᵀWH + P
        objective − least objective = Σ gᵀA⁻¹g over the responses

    Shapes    H: n × M; Y: n × q; coefficients: M × q; penalty P: M × M, positive semidefinite, zero if none is given
    Units     eps: the spacing of the numbers that B was computed in, 0 if B is claimed to be exact; the status is
              "optimal" if g is at most 30 n eps times the size of what it is summed from
    Exact     yes: floats and decimals are taken as the rationals they are; gap and dual are None if A is singular and g
              is not zero
    Raises    InvalidInput if shapes do not fit
    """
    M, B = len(H[0]), _rationals(coefficients)
    if B.shape != (M, len(Y[0])) or len(Y) != len(H) or len(weights) != len(H):
        raise InvalidInput("ridge_proof", need="coefficients for every column of H and of Y", got=B.shape)
    w, columns, responses = Scaled.of(weights), _columns(H), _columns(Y)
    pulled = [column.times(w) for column in columns]
    P = Matrix.zeros(M, M, Fraction) if penalty is None else _rationals(penalty)
    left = [y - combination(columns, Scaled.of(b), len(H)) for y, b in zip(responses, B.T)]
    primal = sum((r.times(w) @ r for r in left), Fraction(0)) + (B.T @ P @ B).trace()
    g = Matrix([[p @ r for r in left] for p in pulled]) - P @ B
    A = Matrix([[p @ c for c in columns] for p in pulled]) + P
    worst = g.largest()
    gap = _gap(A, g) if worst else Fraction(0)
    highest = [max(v.absolute().largest()[0] for v in some) for some in (pulled, responses, columns)]
    size = len(H) * highest[0] * (highest[1] + M * highest[2] * B.largest()) + M * P.largest() * B.largest()
    good = worst <= THRESHOLD * len(H) * rational(eps) * size
    place = max(((abs(v), k, q) for k, row in enumerate(g) for q, v in enumerate(row)))[1:]
    return Certificate(
        status="optimal" if good else "not optimal",
        primal=primal,
        dual=None if gap is None else primal - gap,
        gap=gap,
        worst_violation=worst,
        where=f"gradient, column {place[0]}, response {place[1]}" if worst else "",
        unique={"coefficients": gap is not None if worst else fraction_free.rank(A) == M},
    )


def _columns(rows: Matrix) -> list[Scaled]:
    return [Scaled.of(column) for column in zip(*rows)]


def _rationals(rows: Any) -> Matrix:
    return Matrix([[rational(v) for v in row] for row in rows])


def _gap(A: Matrix, g: Matrix) -> Optional[Fraction]:
    try:
        solved = fraction_free.solve(A, g)
    except NoAnswer:
        return None
    return sum((u @ v for u, v in zip(g.T, solved.T)), Fraction(0))
