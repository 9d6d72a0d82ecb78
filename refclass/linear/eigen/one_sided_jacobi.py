"""One-sided Jacobi on a pivoted root, for symmetric eigenproblems (Hestenes 1958; Demmel and Veselić 1992).

With A = G Gᵀ and the columns of G rotated until they are orthogonal, G W = V Σ, the eigenvectors are the directions of
these columns and the eigenvalues their squared lengths, A = V Σ² Vᵀ. G is the pivoted root L √D of A = L D Lᵀ: so small
eigenvalues of a graded definite matrix are as accurate as large ones, and a matrix of low rank costs less. An
indefinite A has no root: its eigenvectors are those of `tridiagonal_qr`.

This is the package's default. It computes the factor of `jacobi`, the book's cyclic method.
"""

from __future__ import annotations

from typing import Optional

from refclass.linear import spectrum
from refclass.linear.eigen import hestenes, tridiagonal_qr
from refclass.linear.factorisations import householder, ldl
from refclass.linear.jacobi import symmetric_schur
from refclass.linear.matrix import Matrix
from refclass.linear.spectrum import Factor, certify
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import magnitude

__all__ = ["Factor", "certify", "factor"]


def factor(F: Field, A: Matrix) -> Factor:
    """Return the eigenvalues and eigenvectors of a symmetric matrix  [ESL-4.3.2-eigen].

        A V = V diag(λ)

    An eigenvalue is accurate to roundoff of the largest in modulus; those of a positive definite A, all, to roundoff of
    themselves times the condition of A scaled to a diagonal of ones.

    Shapes    A: n × n
    Exact     where the roots are rational
    Cost      sweeps (five to nine for doubles and n ≤ 100) of n(n − 1)/2 pairs, each a dot product and, unless
              orthogonal already, a rotation of 4n multiplications; of a semidefinite A of rank r only r(r − 1)/2 pairs;
              of an indefinite A that of `tridiagonal_qr`
    Raises    InvalidInput, naming the place, unless A is symmetric; NotExact for an irrational root in an exact field;
              NotConverged if 100 sweeps do not suffice
    Laws      A = V diag(λ) Vᵀ; VᵀV = I

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> factor(BINARY64, Matrix([[2.0, 0.0], [0.0, 4.0]]))
        Factor(eigenvalues=Vector(4.0, 2.0), eigenvectors=Matrix([0.0, 1.0], [1.0, 0.0]), rank=2)
    """
    zeros = [F.kind(0)] * len(A.symmetric())
    values: list[Number] = []
    vectors: list[Vector] = []
    for places in _components(A):
        found, axes = _irreducible(F, A.block(places, places))
        values += found
        for axis in axes:
            wide = zeros[:]
            for i, v in zip(places, axis):
                wide[i] = v
            vectors.append(Vector.of(wide))
    return spectrum.ordered(F, values, vectors)


def _components(A: Matrix) -> list[list[int]]:
    """Return the connected components of the graph of A: the places of its diagonal blocks, after a permutation."""
    left, components = set(range(len(A))), []
    while left:
        component, fresh = set(), {min(left)}
        while fresh:
            component |= fresh
            left -= fresh
            fresh = {j for i in fresh for j in left if A[i][j] != 0}
        components.append(sorted(component))
    return components


def _irreducible(F: Field, A: Matrix) -> tuple[list[Number], list[Vector]]:
    """Return the eigenvalues and eigenvectors of an irreducible matrix."""
    if len(A) == 1:
        return [A[0][0]], [Vector([F.kind(1)])]
    unit = magnitude(A.largest())
    scaled = A / unit
    if len(A) == 2:
        (a, g), (_, b) = scaled
        t, c = symmetric_schur(F, a, b, g) if g else (g, F.kind(1))  # beside its diagonal g may be less than any number
        return [unit * (a - t * g), unit * (b + t * g)], [Vector([c, -t * c]), Vector([t * c, c])]
    root = _root(F, scaled)
    if root is not None:
        values, vectors = _spectrum(F, root, len(A))
    else:
        vectors = list(map(Vector.of, tridiagonal_qr.factor(F, scaled)[1]))
        values = [dot(v, scaled @ v) for v in vectors]  # Premise: their error is of second order in that of v.
    return [unit * d for d in values], vectors


def _root(F: Field, A: Matrix) -> Optional[list[Vector]]:
    """Return the columns of G, A = G Gᵀ up to roundoff; None if A is not positive semidefinite."""
    known = ldl.factor(A)
    n = len(A)
    columns: list[Vector] = []
    place = [known.order.index(i) for i in range(n)]
    for block, column in zip(known.blocks, known.lower.T):
        if len(block) == 3 or not block[0] > 0:
            # Premise: what is left has no entry larger than 25/16 of this pivot; nothing larger may be left out.
            return columns if 4 * max(map(abs, block)) <= n * F.eps * A.largest() else None
        d = F.sqrt(block[0])
        columns.append(Vector.of([d * column[i] for i in place]))
    return columns


def _spectrum(F: Field, root: list[Vector], n: int) -> tuple[list[Number], list[Vector]]:
    """Return the eigenvalues and eigenvectors of G Gᵀ: n of them, those beyond the columns of G with the value zero."""
    columns = hestenes.orthogonal(F, root)[0]
    values = [dot(x, x) for x in columns]
    vectors = [Vector.of(x) / F.sqrt(d) for x, d in zip(columns, values)]
    if len(vectors) < n:
        vectors += householder.factor(F, Matrix.of(vectors).T).orthonormal.T[len(vectors) :]
        values += [F.kind(0)] * (n - len(values))
    return values, vectors
