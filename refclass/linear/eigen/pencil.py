"""The symmetric-definite eigenproblem B v = λ W v by Cholesky reduction (Golub and Van Loan 2013, section 8.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import canon, residual
from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.factorisations import cholesky, triangular
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.number.tolerance import roundoff, units


@dataclass(frozen=True)
class Factor:
    """B V = W V diag(λ), VᵀWV = I.

    eigenvalues    λ, descending
    vectors        V, p × p, one column for each; its first entry of largest modulus is positive
    """

    eigenvalues: Vector
    vectors: Matrix


def factor(F: Field, B: Matrix, W: Matrix) -> Factor:
    """Return the λ and v with B v = λ W v, for a symmetric B and a symmetric positive definite W.

        W = L Lᵀ        L⁻¹B L⁻ᵀ u = λ u        v = L⁻ᵀu

    They are the stationary values and points of vᵀBv / vᵀWv [ESL-4.16], successively largest.

    Shapes    B, W: p × p
    Cost      those of a Cholesky factor, of 3p triangular systems and of an eigenproblem of order p
    Raises    InvalidInput, naming the place, unless B and W are symmetric and of one order; NoAnswer unless W is
              positive definite, with a direction v, vᵀWv ≤ 0 up to roundoff: a null vector if W is semidefinite
    Laws      B V = W V diag(λ); VᵀWV = I

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> f = factor(BINARY64, Matrix([[3.0, 0.0], [0.0, 8.0]]), Matrix([[1.0, 0.0], [0.0, 4.0]]))
        >>> f.eigenvalues, f.vectors
        (Vector(3.0, 2.0), Matrix([1.0, 0.0], [0.0, 0.5]))
    """
    B.symmetric()
    if B.shape != W.shape:
        raise InvalidInput("pencil", need=f"W of shape {B.shape}", got=W.shape)
    try:
        known = cholesky.factor(F, W)
    except NoAnswer as refusal:
        raise NoAnswer("pencil", need="a positive definite W", got=refusal.got, **refusal.witness) from None
    reduced = triangular.solve_lower(known.lower, triangular.solve_lower(known.lower, B).T)
    spectrum = one_sided_jacobi.factor(F, (reduced + reduced.T) / 2)
    vectors = triangular.solve_upper(known.upper, spectrum.eigenvectors)
    return Factor(spectrum.eigenvalues, canon.signs(vectors))


def certify(B: Matrix, W: Matrix, factor: Factor) -> dict[str, Any]:
    """Return the claims of the factor with their ratios.

    For a square V the claim VᵀWV = I is W = (W V)(W V)ᵀ, which is how it is measured: in the units of W, however near
    to singular that is. The unit of B V = W V diag(λ) is that of (max |B| + max |λ| · max |W|) · max |V|.
    """
    Y, V, n = W @ factor.vectors, factor.vectors, len(W)
    scale = (B.largest() + factor.eigenvalues.largest() * W.largest()) * V.largest()
    difference = B @ V - Matrix.of([row.times(factor.eigenvalues) for row in Y])
    return {
        "B V = W V diag(λ)": units(difference.largest(), n * roundoff(B.kind) * scale),
        "VᵀWV = I": residual.equality(Y @ Y.T, W, n),
    }
