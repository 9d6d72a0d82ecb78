"""Triangular systems by substitution (Golub and Van Loan 2013, section 3.1).

Only the triangle named is read; the entries of the other one are ignored.
"""

from __future__ import annotations

from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix, Side
from refclass.linear.vector import Vector, dot


def solve_lower(L: Matrix, b: Side) -> Side:
    """Return the solution of L x = b for a lower triangular L.

        xᵢ = (bᵢ − Σⱼ﹤ᵢ Lᵢⱼ xⱼ) / Lᵢᵢ,    i = 1 … n

    Shapes    L: n × n; b, x: n, or n × m, solved column by column
    Exact     yes
    Cost      for each column n(n − 1)/2 multiplications, n(n − 1)/2 additions and n divisions
    Raises    InvalidInput if the shapes do not fit; NoAnswer with a null vector if a diagonal entry is zero

    Example
        >>> solve_lower(Matrix([[2.0, 0.0], [1.0, 4.0]]), Vector([2.0, 9.0]))
        Vector(1.0, 2.0)
    """
    _check_shapes(L, b)
    if 0 in (diagonal := L.diagonal()):
        raise _refusal(diagonal, null_lower(L))
    if isinstance(b, Matrix):
        return Matrix.of([_forward(L, column) for column in b.T]).T
    return _forward(L, b)


def solve_upper(U: Matrix, b: Side) -> Side:
    """Return the solution of U x = b for an upper triangular U.

        xᵢ = (bᵢ − Σⱼ﹥ᵢ Uᵢⱼ xⱼ) / Uᵢᵢ,    i = n … 1

    Shapes    U: n × n; b, x: n, or n × m, solved column by column
    Exact     yes
    Cost      for each column n(n − 1)/2 multiplications, n(n − 1)/2 additions and n divisions
    Raises    InvalidInput if the shapes do not fit; NoAnswer with a null vector if a diagonal entry is zero

    Example
        >>> solve_upper(Matrix([[2.0, 1.0], [0.0, 4.0]]), Vector([4.0, 8.0]))
        Vector(1.0, 2.0)
    """
    _check_shapes(U, b)
    if 0 in (diagonal := U.diagonal()):
        raise _refusal(diagonal, null_upper(U))
    if isinstance(b, Matrix):
        return Matrix.of([_backward(U, column) for column in b.T]).T
    return _backward(U, b)


def null_lower(L: Matrix) -> Vector:
    """Return a vector v ≠ 0 with L v = 0, for a lower triangular L with a zero on its diagonal.

    The last zero decides: v is 0 before it, 1 there, and follows from substitution after it.

    Raises    InvalidInput if no diagonal entry is zero

    Example
        >>> null_lower(Matrix([[0.0, 0.0], [3.0, 1.0]]))
        Vector(1.0, -3.0)
    """
    n, zero = len(L), L.kind(0)
    i = _zeros(L)[-1]
    x = [zero] * i + [zero + 1]
    for row, k in zip(L[i + 1 :], range(i + 1, n)):
        x.append(-dot(row[i:k], x[i:]) / row[k])
    return Vector.of(x)


def null_upper(U: Matrix) -> Vector:
    """Return a vector v ≠ 0 with U v = 0, for an upper triangular U with a zero on its diagonal.

    The first zero decides: v is 0 after it, 1 there, and follows from substitution before it.

    Raises    InvalidInput if no diagonal entry is zero

    Example
        >>> null_upper(Matrix([[1.0, 3.0], [0.0, 0.0]]))
        Vector(-3.0, 1.0)
    """
    n, zero = len(U), U.kind(0)
    i = _zeros(U)[0]
    x = [zero] * i + [zero + 1] + [zero] * (n - i - 1)
    for k in range(i - 1, -1, -1):
        x[k] = -dot(U[k][k + 1 : i + 1], x[k + 1 : i + 1]) / U[k][k]
    return Vector.of(x)


def _zeros(T: Matrix) -> list[int]:
    zeros = [i for i, d in enumerate(T.square().diagonal()) if d == 0]
    if not zeros:
        raise InvalidInput("triangular", need="a zero on the diagonal", got="none")
    return zeros


def _check_shapes(T: Matrix, b: Any) -> None:
    n = len(T.square())
    if len(b) != n or b.kind is not T.kind:
        got = f"{len(b)} of {b.kind.__name__}"
        raise InvalidInput("triangular", need=f"a right side of {n} numbers of kind {T.kind.__name__}", got=got)


def _refusal(diagonal: Vector, v: Vector) -> NoAnswer:
    at = diagonal.index(0)
    return NoAnswer("triangular", need="a diagonal without zeros", got=diagonal[at], pivot=at, null_vector=v)


def _forward(L: Matrix, b: Vector) -> Vector:
    x: list[Any] = []
    for i, (row, c) in enumerate(zip(L, b)):
        x.append((c - dot(row[:i], x)) / row[i])
    return Vector.of(x)


def _backward(U: Matrix, b: Vector) -> Vector:
    x = list(b)
    for i in range(len(x) - 1, -1, -1):
        row = U[i]
        x[i] = (b[i] - dot(row[i + 1 :], x[i + 1 :])) / row[i]
    return Vector.of(x)
