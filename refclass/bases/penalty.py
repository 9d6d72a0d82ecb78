"""Roughness as a quadratic form, exact on rational knots, and its banded form for natural splines."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, factorial
from operator import mul, sub
from typing import NamedTuple

from refclass.bases.basis import Univariate
from refclass.errors import InvalidInput
from refclass.linear.factorisations import pentadiagonal
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


def roughness(F: Field, basis: Univariate, low: Number, high: Number) -> Matrix:
    """Return Ω, so that βᵀΩβ is the integrated squared second derivative of Σ β_m h_m  [ESL-12.3.3-additive].

        Ω_lm = ∫ h_l″(x) h_m″(x) dx   over [low, high]

    Shapes    M × M
    Exact     yes: each piece is a polynomial, and is integrated as one
    Raises    InvalidInput unless low < high
    Laws      symmetric, positive semidefinite, zero on straight lines
    """
    if not low < high:
        raise InvalidInput("penalty", need="low < high", got=f"{low}, {high}")
    ends = [low, *(t for t in basis.pieces() if low < t < high), high]
    size, last = len(basis), max(0, basis.power - 2)
    total = [[0 * low for _ in range(size)] for _ in range(size)]
    for a, b in zip(ends, ends[1:]):
        # Method: about the middle c of a piece, h″(c + s) = Σ_k h^(2+k)(c)/k! s^k, d − 1 terms for a power d ≥ 2.
        columns = [basis.derivative(F, (a + b) / 2, 2 + k) / factorial(k) for k in range(last + 1)]
        _add_products(total, list(zip(*columns)), b - a)
    return Matrix(total)


def _add_products(total: list[list[Number]], coefficients: list[tuple[Number, ...]], width: Number) -> None:
    # ∫ s^k over the piece: 2 (width/2)^(k+1)/(k+1) for even k, else zero.
    powers = [(k + 1) % 2 * 2 * (width / 2) ** (k + 1) / (k + 1) for k in range(2 * len(coefficients[0]) - 1)]
    for row, left in zip(total, coefficients):
        if any(left):
            moments = [sum(c * powers[i + k] for i, c in enumerate(left)) for k in range(len(left))]
            for m, right in enumerate(coefficients):
                row[m] = row[m] + sum(c * v for c, v in zip(right, moments))


class Bands(NamedTuple):
    """What ∫ f″² is made of for a natural spline through the values g at knots x₀ < … < x_{m−1}.

    With hᵢ = xᵢ₊₁ − xᵢ and γ the second derivatives at the inner knots,

        Qᵀg = R γ,    ∫ f″² = γᵀRγ = gᵀQR⁻¹Qᵀg

        column i of Q (i = 0 … m − 3):  1/hᵢ, −1/hᵢ − 1/hᵢ₊₁, 1/hᵢ₊₁  in rows i, i + 1, i + 2
        R: (hᵢ + hᵢ₊₁)/3 on the diagonal, hᵢ₊₁/6 beside it

    inverse     1/hᵢ, m − 1 numbers, of which Q is made
    diagonal    Rᵢᵢ, m − 2 numbers
    beside      Rᵢ,ᵢ₊₁, m − 3 numbers
    """

    inverse: tuple[Number, ...]
    diagonal: tuple[Number, ...]
    beside: tuple[Number, ...]

    def differences(self, g: Vector) -> Vector:
        """Return Qᵀg, the changes of slope at the inner knots."""
        slopes = tuple(map(mul, map(sub, g[1:], g), self.inverse))
        return Vector.of(map(sub, slopes[1:], slopes))

    def spread(self, gamma: Vector) -> Vector:
        """Return Qγ."""
        zero = 0 * gamma[0]
        rises = tuple(map(mul, map(sub, (*gamma, zero), (zero, *gamma)), self.inverse))
        return Vector.of(map(sub, (*rises, zero), (zero, *rises)))

    def stretched(self, gamma: Sequence[Number]) -> Vector:
        """Return Rγ."""
        total = list(map(mul, self.diagonal, gamma))
        for i, b in enumerate(self.beside):
            total[i], total[i + 1] = total[i] + b * gamma[i + 1], total[i + 1] + b * gamma[i]
        return Vector.of(total)

    def energy(self, gamma: Sequence[Number]) -> Number:
        """Return γᵀRγ = ∫ f″²."""
        own = sum(map(mul, self.diagonal, map(mul, gamma, gamma)))
        return own + 2 * sum(map(mul, self.beside, map(mul, gamma[:-1], gamma[1:])))


def bands(knots: Vector) -> Bands:
    """Return Q and R for natural splines with these knots  [ESL-12.3.3-additive].

    Exact     yes
    Raises    InvalidInput unless there are at least 3 knots, ascending
    """
    h = [b - a for a, b in zip(knots, knots[1:])]
    if len(knots) < 3 or not all(d > 0 for d in h):
        raise InvalidInput("penalty", need="at least 3 knots in ascending order", got=knots)
    return Bands(tuple(1 / d for d in h), tuple((a + b) / 3 for a, b in zip(h, h[1:])), tuple(d / 6 for d in h[1:-1]))


def of_values(knots: Vector) -> Matrix:
    """Return K = QR⁻¹Qᵀ: gᵀKg is ∫ f″² for the natural spline f through the values g at the knots.

    Shapes    m × m
    Exact     yes
    Raises    InvalidInput unless there are at least 3 knots, ascending
    Laws      symmetric, positive semidefinite, zero on straight lines

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> of_values(Vector(map(RATIONAL.lift, (0, 1, 2))))
        Matrix([3/2, -3, 3/2], [-3, 6, -3], [3/2, -3, 3/2])
    """
    made = bands(knots)
    zeros = [0 * knots[0]] * max(0, len(made.diagonal) - 2)
    R = pentadiagonal.factor(made.diagonal, made.beside, zeros)
    units = (Vector.unit(len(knots), i, knots.kind) for i in range(len(knots)))
    return Matrix([made.spread(R.solve(made.differences(e))) for e in units])


def differences(n: int, order: int, kind: type) -> Matrix:
    """Return DᵀD, D taking differences of that order between adjacent coordinates: roughness of a signal.

        βᵀDᵀDβ = Σᵢ (Δ^order β)ᵢ²

    Shapes    n × n, of rank n − order
    Exact     yes
    Raises    InvalidInput unless 1 ≤ order < n
    Laws      symmetric, positive semidefinite, zero on polynomials of lower degree than the order

    Example
        >>> from fractions import Fraction
        >>> differences(3, 1, Fraction)
        Matrix([1, -1, 0], [-1, 2, -1], [0, -1, 1])
    """
    if not 1 <= order < n:
        raise InvalidInput("penalty", need="1 ≤ order < n", got=f"order {order}, n {n}")
    signs = [(-1) ** (order - k) * comb(order, k) for k in range(order + 1)]
    rows = [[0] * i + signs + [0] * (n - order - 1 - i) for i in range(n - order)]
    return Matrix([[kind(sum(row[a] * row[b] for row in rows)) for b in range(n)] for a in range(n)])
