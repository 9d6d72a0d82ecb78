"""Gram matrix times vector: in the arithmetic of the vector, and, for proofs, in exact rationals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import Any, Callable, Optional

from refclass.kernels.linear import Linear
from refclass.kernels.polynomial import Polynomial
from refclass.linear.combination import total as total_of
from refclass.linear.common_denominator import Scaled, combination, combinations
from refclass.linear.factorisations.fixed_point import fixed
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot, lossless
from refclass.number.field import Number
from refclass.number.rational import RATIONAL


def linear_points(K: Any) -> Any:
    """Return the points X where K = X Xᵀ is the Gram matrix of a linear kernel, else None."""
    return K.X if isinstance(getattr(K, "kernel", None), Linear) else None


def exact_product(K: Any, a: Sequence[Fraction]) -> Vector:
    """Return K a in exact rationals; for a linear kernel as X(Xᵀa)  [ESL-12.10] [ESL-12.39].

    Shapes    K: a Matrix, or a store of rows, over any numbers, each taken at its exact worth; a: n
    Exact     yes
    Cost      n + 1 multiplications of integers for each entry of a that is not zero; for a linear kernel p + 1 for each
              of these, and np; for a polynomial one besides n(p + d) for each of these
    """
    return Vector.of(scaled_product(K, Scaled.of(a)).fractions())


def scaled_products(K: Any, columns: Sequence[Scaled]) -> list[Scaled]:
    """Return K a for each of some vectors, as `exact_product` does, each on one denominator.

    A row of K is asked for, and put on integers, once for all of them.
    """
    if linear_points(K) is not None:
        return [scaled_product(K, a) for a in columns]
    support = [i for i, entries in enumerate(zip(*[a.integers for a in columns])) if any(entries)]
    rows = map(integer_rows(K) or K.row, support)
    return combinations(rows, [a.at(support) for a in columns], len(columns[0]))


def scaled_product(K: Any, a: Scaled, places: Optional[Sequence[int]] = None) -> Scaled:
    """Return K a as `exact_product` does, on one denominator; if places are named, the entries there alone."""
    points, (support, weights) = linear_points(K), a.support()
    if points is not None:
        chosen = points if places is None else [points[i] for i in places]
        return scaled_values(chosen, combination([points[i] for i in support], weights, len(points[0])))
    rows = map(integer_rows(K) or K.row, support)
    if places is None or len(places) == len(a):
        return combination(rows, weights, len(a))
    parts = (row.at(places) if isinstance(row, Scaled) else list(map(row.__getitem__, places)) for row in rows)
    return combination(parts, weights, len(places))


def squared_norm(K: Any, a: Scaled) -> Fraction:
    """Return aᵀK a, exactly.

    Cost      a multiplication of integers for each pair of nonzero entries of a, and two for each of them; for a linear
              kernel p + 1 for each of them, and p
    """
    points, (support, weights) = linear_points(K), a.support()
    if not support:
        return Fraction(0)
    if points is not None:
        beta = combination([points[i] for i in support], weights, len(points[0]))
        return beta @ beta
    return weights @ scaled_product(K, a, support)


def scaled_values(points: Sequence[Sequence[Number]], beta: Scaled) -> Scaled:
    """Return the values xᵢᵀβ, all on one denominator."""
    flat, p = Scaled.of([v for x in points for v in x]), len(beta)
    rows = [flat.integers[k : k + p] for k in range(0, len(flat), p)]
    return Scaled(tuple([dot(x, beta.integers) for x in rows]), flat.denominator * beta.denominator)


def product(K: Any, a: Vector) -> Vector:
    """Return K a; K is asked only for the rows where a is not zero, and a linear kernel for none: K a = X(Xᵀa).

    Raises    InvalidInput for doubles whose sums are beyond their range
    """
    if a.kind is Fraction:
        return exact_product(K, a)  # over one denominator: sums of fractions would take a divisor at each term
    support = [i for i, v in enumerate(a) if v]
    if not support:
        return a
    weights = tuple([a[i] for i in support])
    points = linear_points(K)
    if points is not None and a.kind is type(points[0][0]) is Fraction:
        return exact_product(K, a)  # Method: on common denominators.
    if points is not None:
        # Premise: of floats these are sums in which large terms cancel; they are summed without loss.
        total = lossless(a.kind)
        beta = tuple([total(map(mul, weights, column)) for column in zip(*[points[i] for i in support])])
        return Vector.of(total_of(beta, list(zip(*points))))
    return Vector.of([dot(weights, column) for column in zip(*[K.row(i) for i in support])])


def integer_rows(K: Any) -> Optional[Callable[[int], Scaled]]:
    """Return what gives row i of a polynomial kernel's Gram matrix over fractions, in integers; None for another.

    (s⟨x, z⟩ + c)ᵈ = (σ⟨X, Z⟩ + γ)ᵈ / δᵈ        X, Z the points and σ, γ, δ the parameters on common denominators
    """
    kernel = getattr(K, "kernel", None)
    if not isinstance(kernel, Polynomial) or getattr(K, "F", None) is not RATIONAL or not isinstance(K.X, Matrix):
        return None
    flat, p = Scaled.of([v for x in K.X for v in x]), len(K.X[0])
    rows = [flat.integers[k : k + p] for k in range(0, len(flat), p)]
    unit = flat.denominator**2
    sigma, gamma, delta = _together(kernel.scale / unit, kernel.c)

    known: dict[int, Scaled] = K.integers if len(K) <= K.most else {}

    def row(i: int) -> Scaled:
        if i not in known:
            values = [(sigma * dot(rows[i], other) + gamma) ** kernel.degree for other in rows]
            known[i] = Scaled(tuple(values), delta**kernel.degree)
        return known[i]

    return row


def fixed_rows(K: Any, n: int, bits: int) -> list[list[int]]:
    """Return the n rows of a Gram matrix, numbers of any kind at their exact worth, in multiples of 2^−bits."""
    integers = integer_rows(K)
    if integers is None:
        return [fixed(K.row(i), bits) for i in range(n)]
    return [[(v << bits) // row.denominator for v in row.integers] for row in map(integers, range(n))]


def _together(s: Fraction, c: Fraction) -> tuple[int, int, int]:
    both = Scaled.of([s, c])
    return both.integers[0], both.integers[1], both.denominator
