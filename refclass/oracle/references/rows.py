"""Sums and systems over rows of fractions, each solution checked with ==: the arithmetic of the textbook's formulas."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any

from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import fixed_point
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.field import rational

DIGITS = 60
PLACES, LEAST = 100, -1500  # digits of logarithms; exponents of ten below which a loss counts as zero
LOGS = Context(prec=PLACES, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
FAR = 2 * 10**5  # beyond it exp is 0 on any scale that digits are counted on, and no number that fractions take
BITS = 640  # of an inverse: three times DIGITS, so that a condition of 10^60 and more leaves these
Row = list[Fraction]
Rows = list[Row]


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    """Return Σ aᵢbᵢ."""
    return sum((v * w for v, w in zip(a, b)), Fraction(0))


def over(A: Rows, divisor: Any) -> Rows:
    """Return a matrix over its divisor.  Raises NoAnswer if that is not positive."""
    if divisor <= 0:
        raise NoAnswer("textbook", need="more observations than classes", got=f"a divisor of {divisor}")
    return [[v / divisor for v in row] for row in A]


def mean(X: Rows, weights: Row) -> Row:
    """Return the weighted mean of rows."""
    total = sum(weights, Fraction(0))
    return [dot(weights, column) / total for column in zip(*X)]


def scatter(X: Rows, weights: Row, centre: Row) -> Rows:
    """Return Σ w (x − c)(x − c)ᵀ."""
    return gramian([[v - c for v, c in zip(row, centre)] for row in X], weights)


def gramian(X: Rows, weights: Row) -> Rows:
    """Return Σ w x xᵀ, summed over the integers."""
    columns, (counts, t) = [_integers(list(column)) for column in zip(*X)], _integers(weights)
    heavy = [[c * v for c, v in zip(counts, column)] for column, _ in columns]
    out = [[Fraction(0)] * len(columns) for _ in columns]
    for i, own in enumerate(heavy):
        for j in range(i + 1):
            total = sum(map(int.__mul__, own, columns[j][0]))
            out[i][j] = out[j][i] = Fraction(total, t * columns[i][1] * columns[j][1])
    return out


def weighted(X: Rows, weights: Row, y: Sequence[Fraction]) -> Row:
    """Return Σ w x y."""
    both = [w * v for w, v in zip(weights, y)]
    return [dot(column, both) for column in zip(*X)]


def solve(A: Rows, right: Sequence[Sequence[Fraction]]) -> Rows:
    """Return for each right side b the solution of A x = b, checked with ==.  Raises NoAnswer with a null vector."""
    factor = fraction_free.factor(Matrix.of([Vector.of(row) for row in A]))
    rows, out = [_integers(row) for row in A], []
    for b in right:
        x = list(factor.solve(Vector.of(list(b))))
        values, divisor = _integers(x)
        sides = ((sum(map(int.__mul__, row, values)), v, s * divisor) for (row, s), v in zip(rows, b))
        assert all(left * v.denominator == v.numerator * unit for left, v, unit in sides), "solved exactly"
        out.append(x)
    return out


def inverse(A: Rows) -> Rows:
    """Return X near the inverse of a positive definite A: vᵀXv is vᵀA⁻¹v to `DIGITS` digits, for every v; or exactly X.

    Fractions of a large A⁻¹ are long; integers over 2^BITS suffice where the residual says so.
    """
    # Proof: A is scaled by powers of two to a diagonal below 4, so that vᵀA⁻¹v ≥ ‖v‖²/4n. With R = AX − I and ρ the
    # largest sum of a column of |R|, ρ ≤ ½, the entries of X − A⁻¹ = X(I + R)⁻¹R are at most e = 2ρ max |X|, and those
    # of vᵀXv err by e‖v‖₁² ≤ ne‖v‖². Rounding A by 2^−BITS adds n² max |X| 2^−BITS to ρ.
    n, unit = len(A), 1 << BITS
    halves = [(row[i].numerator.bit_length() - row[i].denominator.bit_length()) // 2 for i, row in enumerate(A)]
    powers = [Fraction(2) ** -h for h in halves]
    table = [fixed_point.fixed([v * p * q for v, q in zip(row, powers)], BITS) for row, p in zip(A, powers)]
    known = fixed_point.factor(table, BITS)
    if known is not None:
        lower = known.inverse()
        X = [[lower[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
        largest = Fraction(max(abs(v) for row in X for v in row), unit)
        left = [
            sum(abs(sum(map(int.__mul__, a, x)) - (i == j) * unit**2) for i, a in enumerate(table))
            for j, x in enumerate(X)
        ]
        rho = Fraction(max(left), unit**2) + n * n * largest / unit
        if 2 * rho <= 1 and 8 * n * n * rho * largest * 10**DIGITS <= 1:
            return [[Fraction(v, unit) * p * q for v, q in zip(row, powers)] for row, p in zip(X, powers)]
    return solve(A, [[Fraction(int(i == j)) for i in range(n)] for j in range(n)])


def _integers(row: Row) -> tuple[list[int], int]:
    """Return numbers as integers over their common denominator."""
    s = lcm(*[v.denominator for v in row])
    return [v.numerator * (s // v.denominator) for v in row], s


def determinant(A: Rows) -> Fraction:
    """Return the determinant."""
    return Fraction(fraction_free.determinant(Matrix.of([Vector.of(row) for row in A])))


def inflation(A: Rows) -> Fraction:
    """Return maxⱼ Aⱼⱼ(A⁻¹)ⱼⱼ.  Raises NoAnswer with a null vector if A is singular."""
    p = range(len(A))
    inverse = solve(A, [[Fraction(int(i == j)) for i in p] for j in p])
    return max(A[j][j] * inverse[j][j] for j in p)


def log(x: Fraction) -> Fraction:
    """Return log x to 60 digits."""
    F = decimal(DIGITS)
    return rational(F.log(F.lift(x)))


def root(x: Fraction) -> Fraction:
    """Return √x to 60 digits."""
    F = decimal(DIGITS)
    return rational(F.sqrt(F.lift(x)))


def softmax(scores: Row) -> Row:
    """Return exp(sₖ)/Σ exp(sₗ) to 60 digits."""
    F, top = decimal(DIGITS), max(scores)
    found = [rational(F.exp(F.lift(s - top))) if top - s < FAR else Fraction(0) for s in scores]
    total = sum(found, Fraction(0))
    return [v / total for v in found]


def log_loss(f: Sequence[Fraction], g: int) -> Fraction:
    """Return log Σ exp f_k − f_g, a sum of exponentials below 10^−PLACES as it is."""
    top = max(f)
    place = list(f).index(top)
    small = [v - top for k, v in enumerate(f) if k != place]
    powers = [LOGS.exp(LOGS.divide(Decimal(v.numerator), Decimal(v.denominator))) for v in small]
    rest = reduce(LOGS.add, powers)
    if rest.adjusted() < LEAST:
        return top - f[g]
    if rest.adjusted() > -PLACES // 2:  # else log(1 + x) is x but for x²/2
        rest = LOGS.ln(LOGS.add(Decimal(1), rest))
    return top - f[g] + Fraction(rest)


def transposed(A: Rows) -> Rows:
    """Return the rows as columns."""
    return [list(column) for column in zip(*A)]


def eigen(A: Rows) -> tuple[Row, Rows]:
    """Return the eigenvalues of a symmetric matrix, descending, and its eigenvectors as rows, by Jacobi's rotations."""
    F, m = decimal(DIGITS + 20), range(len(A))
    M, V = [[F.lift(v) for v in row] for row in A], [[F.kind(int(i == j)) for j in m] for i in m]
    size = max((abs(v) for row in M for v in row), default=F.kind(0))
    while any(abs(M[i][j]) > size * F.lift(Fraction(1, 10 ** (DIGITS + 10))) for i in m for j in range(i)):
        for i, j in [(a, b) for a in m for b in range(a)]:
            if not M[i][j]:
                continue
            half = (M[j][j] - M[i][i]) / (2 * M[i][j])
            t = (1 if half >= 0 else -1) / (abs(half) + F.sqrt(half * half + 1))
            c = 1 / F.sqrt(t * t + 1)
            for rows in (M, V):
                a, b = rows[i], rows[j]
                rows[i] = [c * (v - t * w) for v, w in zip(a, b)]
                rows[j] = [c * (w + t * v) for v, w in zip(a, b)]
            for row in M:
                row[i], row[j] = c * (row[i] - t * row[j]), c * (row[j] + t * row[i])
    order = sorted(m, key=lambda i: -M[i][i])
    return [Fraction(M[i][i]) for i in order], [[Fraction(v) for v in V[i]] for i in order]
