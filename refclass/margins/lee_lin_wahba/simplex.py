"""Classes as corners of a simplex, and decision functions that sum to zero.

    f(x) = (f_1(x), …, f_m(x)),    f_k = β_0k + Σ_l β_lk K(x_l, ·),    Σ_k f_k = 0        m the number of classes

A function for each class would leave one too many free; the zero sum takes it away, and makes a label a vector that
sums to zero, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any

from refclass.errors import InvalidInput
from refclass.kernels.matrices.product import product
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number

Columns = Sequence[Vector]  # one vector of n numbers for each class


def code(k: int, classes: int, kind: Any) -> Vector:
    """Return the label of class k as a vector  [MMST-11.4.2-code].

        v_k: 1 in place k, −1/(m − 1) elsewhere

    Exact     yes
    Laws      Σ v_k = 0; v_jᵀv_k = m/(m − 1) if j = k, else −m/(m − 1)²

    Example
        >>> code(1, 3, float)
        Vector(-0.5, 1.0, -0.5)
    """
    other = kind(-1) / (classes - 1)
    return Vector.of([kind(1) if j == k else other for j in range(classes)])


def decoded(v: Sequence[Number]) -> int:
    """Return the class of a vector of scores: the place of its largest entry, the first of equal ones  [MMST-11.108].

    argmax_k f_k(x); of a label, its class
    """
    return list(v).index(max(v))


def equal_costs(k: int, classes: int, kind: Any) -> Vector:
    """Return the costs of taking an observation of class k for another, all equal  [MMST-11.4.2-cost].

    L: 0 in place k, 1 elsewhere
    """
    return Vector.of([kind(int(j != k)) for j in range(classes)])


def loss(f: Sequence[Number], y: Sequence[Number], costs: Sequence[Number]) -> Number:
    """Return the loss of the scores f at an observation with label y and costs L  [MMST-11.78] [MMST-11.79].

        g(y, f) = Lᵀ(f − y)₊ = Σ_k L_k max(f_k − y_k, 0)

    Two classes with equal costs: (1 − f_1)₊ for the first, (1 + f_1)₊ for the second.
    Exact     yes
    """
    return sum([c * (v - t) for v, t, c in zip(f, y, costs) if v > t], costs[0] - costs[0])


# --- functions Σ β_lk K(x_l, ·) ---


def values(K: Any, beta: Columns, beta0: Vector) -> tuple[Vector, ...]:
    """Return f_k(x_i) at the points  [MMST-11.74] [MMST-11.75] [MMST-11.83] [MMST-11.84] [MMST-11.109].

        f_k(x_i) = β_0k + ⟨h_k, K(x_i, ·)⟩ = β_0k + Σ_l β_lk K(x_l, x_i)

    A part of h_k orthogonal to all K(x_i, ·) is seen at no point, and adds to the norm; at an optimum there is none
    [MMST-11.81] [ERR-MMST-18].

    Shapes    K: n × n, or a store of rows; beta: a Vector of n for each class; beta0: one number for each class
    Exact     yes
    """
    return tuple([Vector.of([v + b for v in product(K, own)]) for own, b in zip(beta, beta0)])


def last(beta: Columns, beta0: Vector) -> tuple[Vector, Number]:
    """Return coefficients and intercept of the last function from those of the others  [MMST-11.82].

        f_m = −Σ_{k<m} β_0k − Σ_{k<m} Σ_i β_ik K(x_i, ·)

    Exact     yes
    """
    return -reduce(add, beta), -beta0.sum()


def square(K: Any, beta: Vector) -> Number:
    """Return ‖h‖² of one function  [MMST-11.85] [MMST-11.86].

        ‖Σ_i β_i K(x_i, ·)‖² = Σ_l Σ_i β_l β_i K(x_l, x_i)

    Two functions h and −h have the sum 2‖h‖²  [MMST-11.80].
    Exact     yes
    """
    return dot(beta, product(K, beta))


def sums(K: Any, beta: Columns, beta0: Vector) -> Vector:
    """Return Σ_k f_k(x_i) at the points, zero under the zero-sum constraint  [MMST-11.76] [MMST-11.87] [MMST-11.88].

        (Σ_k β_0k)1 + K(Σ_k β_k)

    Exact     yes
    """
    total = beta0.sum()
    return Vector.of([v + total for v in product(K, reduce(add, beta))])


def centred(beta: Columns, beta0: Vector) -> tuple[tuple[Vector, ...], Vector]:
    """Return the functions less their mean: β_ik − β̄_i and β_0k − β̄_0  [MMST-11.89] [MMST-11.90] [MMST-11.91].

    Where Σ_k f_k vanishes at the points the values there stay, and Σ_k ‖h_k‖² falls by m β̄ᵀKβ̄; what comes out sums to
    zero everywhere. So it is enough to require the zero sum at the points, whatever the rank of K.

    Exact     yes
    """
    # Proof: at the points the mean is β̄_0 + (Kβ̄)_i = 0; and Σ‖h_k − h̄‖² = Σ‖h_k‖² − m‖h̄‖².
    mean = reduce(add, beta) / len(beta)
    mean0 = beta0.sum() / len(beta0)
    return tuple([own - mean for own in beta]), Vector.of([b - mean0 for b in beta0])


def cost_rows(rows: Sequence[Sequence[Number]], module: str) -> tuple[Vector, ...]:
    """Return the rows L of costs, one for each class.

    Raises    InvalidInput unless there are as many numbers in each as rows, none negative, 0 for the class itself
    """
    m = len(rows)
    for k, row in enumerate(rows):
        if len(row) != m:
            raise InvalidInput(module, need=f"{m} costs in each row, one for each class", got=len(row), row=k)
        for j, c in enumerate(row):
            if c < 0:
                raise InvalidInput(module, need="costs ≥ 0", got=c, row=k, column=j)
        if row[k] != 0:
            raise InvalidInput(module, need="a cost of 0 for the class itself", got=row[k], row=k)
        if not any(row):
            raise InvalidInput(module, need="a cost above 0 for some error on each class", got="none", row=k)
    return tuple(map(Vector.of, rows))
