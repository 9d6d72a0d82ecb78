"""The proof beside least squares with a quadratic penalty: how far coefficients are from the best, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, UNITS, Certificate, digits, status, within_roundings
from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.common_denominator import Scaled, cleared, combination
from refclass.linear.exact import dixon, fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.number.decimals import decimal
from refclass.number.field import rational
from refclass.number.tolerance import roundoff
from refclass.sample import metric

ROUNDINGS = "the responses lie on the plane but for roundoff; the scale is that of the best constant's objective"


def certify(
    H: Matrix,
    Y: Matrix,
    coefficients: Matrix,
    weights: Vector,
    penalty: Optional[Matrix] = None,
    *,
    asked: float = ASKED,
) -> Certificate:
    """Return the proof of the coefficients B of Y on the columns of H  [ESL-12.47].

        objective = Σ wᵢ‖yᵢ − Bᵀhᵢ‖² + tr BᵀPB      g = HᵀW(Y − HB) − PB      A = HᵀWH + P
        objective − least objective = Σ gᵀA⁻¹g over the responses, A on independent columns

    Shapes    H: n × M; Y: n × q; coefficients: M × q; penalty P: M × M, positive semidefinite, zero if none is given
    Units     asked: the decimal digits of the objective that "optimal" stands for; where the least objective is zero,
              or residuals are within 30 units of roundoff of the responses, on the scale of the best constants'
    Exact     yes: floats and decimals are taken as the rationals they are
    Raises    InvalidInput if shapes do not fit
    """
    M, B = len(H[0]), _rationals(coefficients)
    if B.shape != (M, len(Y[0])) or len(Y) != len(H) or len(weights) != len(H):
        raise InvalidInput("ridge_proof", need="coefficients for every column of H and of Y", got=B.shape)
    w, columns, responses = Scaled.of(weights), _columns(H), _columns(Y)
    pulled = [column.times(w) for column in columns]
    left = _residuals(columns, responses, B)
    primal = sum((r.times(w) @ r for r in left), Fraction(0))
    g = Matrix([[p @ r for r in left] for p in pulled])
    P = None if penalty is None else _rationals(penalty)
    if P is not None:
        primal, g = primal + (B.T @ P @ B).trace(), g - P @ B
    worst = g.largest()
    few = _of_few_rows(columns, pulled, g) if P is None and len(H) < M else None
    if few is None:
        A = Matrix([[p @ c for c in columns] for p in pulled])
        gap, whole = _gap(A if P is None else A + P, g)
    else:
        gap, whole = few, False
    place = max(((abs(v), k, q) for k, row in enumerate(g) for q, v in enumerate(row)))[1:]
    constant = sum([_spread(y, w, _level(columns, P)) for y in responses], Fraction(0))
    unit, square = roundoff(coefficients.kind), sum((y.times(w) @ y for y in responses), Fraction(0))
    heavy = [i for i, weight in enumerate(w.integers) if weight]
    each = ((r.at(heavy).fractions(), y.at(heavy).fractions()) for r, y in zip(left, responses))
    scale, premise = measured(primal, gap, constant, square, unit, each)
    proven = digits(gap, scale)
    return Certificate(
        status=status(proven, asked),
        primal=primal,
        dual=primal - gap,
        gap=gap,
        worst_violation=worst,
        where=f"gradient, column {place[0]}, response {place[1]}" if worst else "",
        unique={"coefficients": whole},
        premise=premise,
        digits=proven,
    )


def measured(
    primal: Fraction,
    gap: Fraction,
    constant: Fraction,
    square: Fraction,
    unit: Any,
    each: Iterable[tuple[Sequence[Fraction], Sequence[Fraction]]],
) -> tuple[Fraction, str]:
    """Return the scale on which the gap of a sum of squares has its digits, and the premise that this is one.

    It is the sum of squares; that of the best constants where the least one is zero, or residuals are all within 30
    units of roundoff of the responses.

    constant, square    the sums of squares of the best constants, and of zero
    unit                the roundoff of the arithmetic of the coefficients
    each                for every response the residuals, and the responses; read where the sum is that small
    """
    near = UNITS * rational(unit)
    small = 0 < primal <= square * near * near and all(within_roundings(*pair, near) for pair in each)
    if small:
        return constant or square, ROUNDINGS if primal > gap else ""
    return max(abs(primal), abs(primal - gap), constant if primal == gap else primal), ""


def limited(found: Certificate, rounded: Certificate) -> Certificate:
    """Return a proof of fewer digits than are asked for with its ceiling: the digits of the exact answer, rounded."""
    most = rounded.digits or float(0)
    return replace(found, status=status(found.digits, ceiling=most), ceiling=most)


def objective(
    H: Matrix, Y: Matrix, coefficients: Matrix, weights: Vector, penalty: Optional[Matrix] = None
) -> Fraction:
    """Return Σ wᵢ‖yᵢ − Bᵀhᵢ‖² + tr BᵀPB of the coefficients B as they are.

    Shapes    as `certify`
    Exact     yes
    Cost      n(M + 2) multiplications of integers for each response
    """
    B, w = _rationals(coefficients), Scaled.of(weights)
    missed = sum((r.times(w) @ r for r in _residuals(_columns(H), _columns(Y), B)), Fraction(0))
    return missed if penalty is None else missed + (B.T @ _rationals(penalty) @ B).trace()


def trace(H: Matrix, weights: Vector, penalty: Matrix, digits_of: Optional[int]) -> Fraction:
    """Return tr (HᵀWH + P)⁻¹HᵀWH, the trace of the map from responses to fitted values, from the data as given.

    Shapes    as `certify`
    Units     digits_of: of the decimals that it is computed in; None: it is exact, as where they lose half their digits
    Cost      n(M² + M) multiplications of integers, and M³ of decimals, or of integers where these lose too much
    Raises    NoAnswer with a null vector if HᵀWH + P is singular
    """
    columns, w = _columns(H), Scaled.of(weights)
    pulled = [column.times(w) for column in columns]
    A = Matrix([[p @ c for c in columns] for p in pulled]) + _rationals(penalty)
    if digits_of is not None:
        D = decimal(digits_of)
        lifted = [Matrix.of([Vector.of(map(D.lift, row)) for row in rows]) for rows in (A, penalty)]
        with suppress(NoAnswer):  # Premise: a matrix may be singular in decimals alone.
            known = metric.factor(D, lifted[0])
            if known.condition < 10 ** (digits_of // 2):
                lost: Fraction = rational(known.solve(lifted[1]).trace())
                return len(columns) - lost
    return Fraction(len(columns) - fraction_free.solve(A, _rationals(penalty)).trace())


def values(H: Matrix, coefficients: Matrix) -> tuple[Matrix, Matrix]:
    """Return HB, and the sizes |H||B| of what its entries are sums of.

    Shapes    H: n × M; coefficients B: M × q; both n × q
    Exact     yes
    """
    columns, B = _columns(H), [Scaled.of(b) for b in zip(*map(as_given, coefficients))]
    sizes = [c.absolute() for c in columns]
    found = [combination(columns, b, len(H)).fractions() for b in B]
    most = [combination(sizes, b.absolute(), len(H)).fractions() for b in B]
    return Matrix.of(list(map(Vector.of, found))).T, Matrix.of(list(map(Vector.of, most))).T


def _residuals(columns: list[Scaled], responses: list[Scaled], B: Matrix) -> list[Scaled]:
    """Return y − HB, a vector for each response."""
    return [y - combination(columns, Scaled.of(b), len(y)) for y, b in zip(responses, B.T)]


def _columns(rows: Matrix) -> list[Scaled]:
    return [Scaled.of(column) for column in zip(*map(as_given, rows))]


def _rationals(rows: Any) -> Matrix:
    return Matrix([[rational(v) for v in row] for row in rows])


def _level(columns: list[Scaled], P: Optional[Matrix]) -> bool:
    """Return whether a constant is among the functions, without a penalty."""
    level = [k for k, c in enumerate(columns) if c.integers[0] and len(set(c.integers)) == 1]
    return any(P is None or not any(P[k]) for k in level)


def _spread(y: Scaled, w: Scaled, level: bool) -> Fraction:
    """Return Σ wᵢ(yᵢ − b)² for the best constant b; b = 0 where there is none."""
    total, ones = y.times(w) @ y, Scaled((1,) * len(y), 1)
    if not level:
        return total
    pull = w @ y
    return total - pull * pull / (w @ ones)


def _of_few_rows(columns: list[Scaled], pulled: list[Scaled], g: Matrix) -> Optional[Fraction]:
    """Return Σ gᵀA⁻¹g of more columns than rows; None where the columns chosen modulo a prime do not span the others.

    Proof: z on independent columns with Hᵀ(WHz) = g on all, which is verified, solves Az = g.
    """
    kept, total = dixon.independent(list(zip(*[p.integers for p in pulled]))), Fraction(0)
    part = Matrix.of([Vector.of([pulled[k] @ columns[q] for q in kept]) for k in kept])
    for own in filter(any, g.T):
        if not kept:
            return None
        z = fraction_free.solve(part, own.pick(kept))
        image = combination([columns[k] for k in kept], Scaled.of(z), len(columns[0].integers))
        if any(p @ image != v for p, v in zip(pulled, own)):
            return None
        total += own.pick(kept) @ z
    return total


def _gap(A: Matrix, g: Matrix) -> tuple[Fraction, bool]:
    """Return Σ gᵀA⁻¹g, A restricted to independent columns, and whether these are all.

    Proof: g = HᵀWY − AB lies in the range of A, so that any solution of Az = g gives the same gᵀz.
    """
    if any(map(any, g)) and dixon.rank([cleared(row)[0] for row in A]) == len(A):  # proof that A is regular
        return sum((u @ v for u, v in zip(g.T, fraction_free.solve(A, g).T)), Fraction(0)), True
    known = fraction_free.factor(A)
    kept = list(known.columns)
    if not any(map(any, g)) or not kept:
        return Fraction(0), len(kept) == len(A)
    part = A.block(kept, kept)
    right = Matrix.of([g[k] for k in kept])
    solved = fraction_free.solve(part, right)
    return sum((u @ v for u, v in zip(right.T, solved.T)), Fraction(0)), len(kept) == len(A)
