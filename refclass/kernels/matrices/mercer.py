"""Mercer's condition, decided exactly: whether a matrix of kernel values is one of inner products (Mercer 1909).

A double is a rational number, so that the question has an exact answer for the matrix as it is stored. A vector proves
a negative answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from refclass.linear.factorisations import elimination, ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL


@dataclass(frozen=True)
class Verdict:
    """The inertia of a symmetric matrix K, and a witness of a negative eigenvalue  [MMST-11.3.3-gram] [KIM-Def3.4.2].

    inertia    how many eigenvalues are positive, negative, zero
    witness    a vector u with uᵀKu < 0, in fractions; None if there is none  [MMST-Ex11.10]
    value      that uᵀKu
    """

    inertia: tuple[int, int, int]
    witness: Optional[Vector]
    value: Optional[Fraction]

    @property
    def semidefinite(self) -> bool:
        """Return whether uᵀKu ≥ 0 for every u."""
        return self.inertia[1] == 0

    @property
    def definite(self) -> bool:
        """Return whether uᵀKu > 0 for every u but 0."""
        return self.inertia[1:] == (0, 0)


def judge(K: Matrix) -> Verdict:
    """Return the verdict on a symmetric matrix, its entries taken as the rational numbers they are.

    Exact     yes, for every kind of number
    Cost      n³/6 multiplications of fractions
    Raises    InvalidInput unless K is symmetric

    Example
        >>> judge(Matrix([[1.0, 2.0], [2.0, 1.0]]))
        Verdict(inertia=(1, 1, 0), witness=Vector(1, -1), value=Fraction(-2, 1))
    """
    exact = rational(K)
    factor = ldl.factor(exact)
    witness = factor.negative_direction
    return Verdict(factor.inertia, witness, None if witness is None else witness @ (exact @ witness))


def judge_on_contrasts(K: Matrix, T: Matrix) -> Verdict:
    """Return the verdict on uᵀKu for the u with Tᵀu = 0 only: conditional positivity, given the columns of T.

    With T = (1, x) these are the u with Σuᵢ = 0 and Σuᵢxᵢ = 0. The inertia is that on the space of these u.

    Shapes    K: n × n, T: n × q of rank below n
    Exact     yes, for every kind of number
    Raises    InvalidInput unless K is symmetric
    """
    exact, free = rational(K), elimination.null_space(RATIONAL, rational(T).T)
    contrasts = Matrix.of(free)
    inner = judge(contrasts @ exact @ contrasts.T)
    if inner.witness is None:
        return inner
    return Verdict(inner.inertia, contrasts.T @ inner.witness, inner.value)


def rational(A: Matrix) -> Matrix:
    """Return the matrix with every entry as the rational number that it is."""
    return Matrix.of([Vector.of(map(RATIONAL.lift, row)) for row in A])
