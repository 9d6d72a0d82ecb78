"""Matrices."""

from fractions import Fraction

import pytest
from hypothesis import given

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from tests.linear.matrices import FIELDS, drawn, integers, lifted, symmetric, vector
from tests.numbers import COUNTED, counting
from tests.strategies import matrices

A, B = Matrix([[1.0, 2.0], [3.0, 4.0]]), Matrix([[0.0, 1.0], [1.0, 1.0]])


def test_operators_agree_with_paper():
    """A + B, A − B, −A, 2A, A/2, A x and A B."""
    assert Matrix([[1.0, 3.0], [4.0, 5.0]]) == A + B and Matrix([[1.0, 1.0], [2.0, 3.0]]) == A - B
    assert -A == -1 * A == A * -1 and Matrix([[0.5, 1.0], [1.5, 2.0]]) == A / 2
    assert A @ Vector([1.0, -1.0]) == (-1.0, -1.0)
    assert Matrix([[2.0, 3.0], [4.0, 7.0]]) == A @ B


def test_parts_agree_with_paper():
    """Shape, transpose, rows, columns, diagonal, trace, blocks, the largest entry, text."""
    C = integers([1, -7, 3], [4, 5, 6])
    assert C.shape == (2, 3) and integers([1, 4], [-7, 5], [3, 6]) == C.T and C.kind is Fraction
    assert (C.row(1), C.column(1), C.diagonal(), C.largest()) == ((4, 5, 6), (-7, 5), (1, 5), 7)
    assert C.block([1], [2, 0]) == integers([6, 4]) and A.trace() == 5 and repr(B) == "Matrix([0.0, 1.0], [1.0, 1.0])"


def test_makers_agree_with_paper():
    """The identity, zeros, a diagonal, an outer product."""
    x, y = Vector([1.0, 2.0]), Vector([3.0, 4.0, 5.0])
    assert Matrix.outer(x, y) == Matrix([[3.0, 4.0, 5.0], [6.0, 8.0, 10.0]])
    assert Matrix.diagonal_of(x) == Matrix([[1.0, 0.0], [0.0, 2.0]])
    assert Matrix.identity(2, float) == Matrix([[1.0, 0.0], [0.0, 1.0]])
    assert Matrix.zeros(1, 2, float) == Matrix([[0.0, 0.0]])


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_results_are_matrices_of_the_same_kind(F):
    """Every operator returns a matrix of vectors of the kind it was given."""
    C = lifted(F, drawn(3, 3))
    for result in (C + C, C - C, -C, 2 * C, C * C[0][0], C / 2, C @ C, C.T, C.block([0, 2], [1])):
        assert type(result) is Matrix and {type(row) for row in result} == {Vector} and result.kind is F.kind
    assert type(C @ C[0]) is Vector


@given(matrices(2, 3), matrices(3, 2), matrices(2, 2))
def test_products_obey_their_laws(P, Q, R):
    """(P Q) R = P (Q R), (P Q)ᵀ = Qᵀ Pᵀ, and a product with a column is that column of the product."""
    assert (P @ Q) @ R == P @ (Q @ R) and (P @ Q).T == Q.T @ P.T
    assert (P @ Q).column(1) == P @ Q.column(1)


@given(matrices(3, 3), matrices(3, 3))
def test_the_trace_does_not_see_the_order(P, Q):
    """tr(P Q) = tr(Q P)."""
    assert (P @ Q).trace() == (Q @ P).trace()


def test_an_empty_matrix_is_refused():
    """A matrix has at least one row, and a row at least one entry."""
    with pytest.raises(InvalidInput, match="matrix: need at least one row; got none"):
        Matrix([])
    with pytest.raises(InvalidInput, match="vector: need at least one entry; got none"):
        Matrix([[]])


def test_ragged_and_mixed_rows_are_refused_with_their_place():
    """Rows have one length and one kind; the row that differs is named."""
    with pytest.raises(InvalidInput, match=r"matrix: need rows of length 2; got length 1 \(row=1\)"):
        Matrix([[1.0, 2.0], [3.0]])
    with pytest.raises(InvalidInput, match=r"matrix: need numbers of kind float; got Fraction \(row=1\)"):
        Matrix([[1.0, 2.0], [Fraction(1), Fraction(2)]])


def test_operands_that_do_not_fit_are_refused():
    """Another shape, another kind and a number are no operands."""
    for other in (Matrix([[1.0, 2.0]]), integers([1, 2], [3, 4]), 2.0):
        for operate in (lambda o=other: A + o, lambda o=other: A - o):
            with pytest.raises(InvalidInput, match="matrix: need a matrix"):
                operate()
    for other in (Vector([1.0]), Matrix([[1.0, 2.0]]), integers([1, 2], [3, 4]), 2.0):
        with pytest.raises(InvalidInput, match="need a vector|need numbers"):
            A @ other


def test_what_is_not_square_has_no_trace():
    """A trace, and being symmetric, is for square matrices."""
    for question in (Matrix.square, Matrix.symmetric, Matrix.trace):
        with pytest.raises(InvalidInput, match="matrix: need a square matrix; got 1 × 2"):
            question(Matrix([[1.0, 2.0]]))


def test_the_place_of_an_asymmetry_is_named():
    """The first row and column where a matrix differs from its transpose are named."""
    C = symmetric(5)
    assert C.symmetric() is C
    bad = Matrix([[v + (i == 3) * (j == 1) for j, v in enumerate(row)] for i, row in enumerate(C)])
    with pytest.raises(InvalidInput, match="matrix: need a symmetric matrix") as refusal:
        bad.symmetric()
    assert refusal.value.witness == {"row": 1, "column": 3}


@pytest.mark.parametrize(("m", "n", "k"), [(1, 1, 1), (2, 3, 4), (5, 2, 1)])
def test_a_product_costs_what_it_must(m, n, k):
    """An m × n matrix times an n × k matrix takes mnk multiplications and m(n − 1)k additions."""
    P, Q = lifted(COUNTED, drawn(m, n)), lifted(COUNTED, drawn(n, k))
    with counting() as c:
        P @ Q
    assert (c.multiply, c.add) == (m * n * k, m * (n - 1) * k)
    with counting() as c:
        P @ lifted(COUNTED, vector(n))
    assert (c.multiply, c.add) == (m * n, m * (n - 1))
