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
    H, Y, B = _rationals(H), _rationals(Y), _rationals(coefficients)
    M = len(H[0])
    if B.shape != (M, len(Y[0])) or len(Y) != len(H) or len(weights) != len(H):
        raise InvalidInput("ridge_proof", need="coefficients for every column of H and of Y", got=B.shape)
    w = Vector(map(rational, weights))
    P = Matrix.zeros(M, M, Fraction) if penalty is None else _rationals(penalty)
    left, columns = Y - H @ B, Matrix.of([column.times(w) for column in H.T])
    primal = sum((v * (r @ r) for v, r in zip(w, left)), Fraction(0)) + (B.T @ P @ B).trace()
    g = columns @ left - P @ B
    worst = g.largest()
    gap = _gap(columns @ H + P, g) if worst else Fraction(0)
    size = len(H) * columns.largest() * (Y.largest() + M * H.largest() * B.largest()) + M * P.largest() * B.largest()
    good = worst <= THRESHOLD * len(H) * rational(eps) * size
    place = max(((abs(v), k, q) for k, row in enumerate(g) for q, v in enumerate(row)))[1:]
    return Certificate(
        status="optimal" if good else "not optimal",
        primal=primal,
        dual=None if gap is None else primal - gap,
        gap=gap,
        worst_violation=worst,
        where=f"gradient, column {place[0]}, response {place[1]}" if worst else "",
        unique={"coefficients": fraction_free.rank(columns @ H + P) == M},
    )


def _rationals(rows: Any) -> Matrix:
    return Matrix([[rational(v) for v in row] for row in rows])


def _gap(A: Matrix, g: Matrix) -> Optional[Fraction]:
    try:
        solved = fraction_free.solve(A, g)
    except NoAnswer:
        return None
    return sum((u @ v for u, v in zip(g.T, solved.T)), Fraction(0))
