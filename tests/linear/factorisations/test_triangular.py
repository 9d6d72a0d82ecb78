"""Triangular systems."""

from fractions import Fraction

import pytest

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.factorisations import triangular
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from tests.linear.matrices import FIELDS, SIZES, drawn, integers, lifted, vector
from tests.numbers import COUNTED, counting

L = integers([2, 0, 0], [1, 3, 0], [4, -1, 5])


def lower(n):
    return Matrix([[v * (j < i) + (j == i) * (i + 2) for j, v in enumerate(row)] for i, row in enumerate(drawn(n, n))])


def test_substitution_from_the_top_agrees_with_paper():
    """2x = 4, x + 3y = 5, 4x − y + 5z = 17 has the solution (2, 1, 2)."""
    assert triangular.solve_lower(L, Vector([Fraction(4), Fraction(5), Fraction(17)])) == (2, 1, 2)


def test_substitution_from_the_bottom_agrees_with_paper():
    """2x + y + 4z = 13, 3y − z = 1, 5z = 10 has the solution (2, 1, 2)."""
    assert triangular.solve_upper(L.T, Vector([Fraction(13), Fraction(1), Fraction(10)])) == (2, 1, 2)


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
@pytest.mark.parametrize("n", SIZES)
def test_a_matrix_is_solved_column_by_column(F, n):
    """The solution for a matrix has the solutions for its columns as columns."""
    T, B = lifted(F, lower(n)), lifted(F, drawn(n, 3))
    columns = [triangular.solve_lower(T, B.column(j)) for j in range(3)]
    assert triangular.solve_lower(T, B) == Matrix(columns).T


@pytest.mark.parametrize("n", SIZES)
def test_the_other_triangle_is_not_read(n):
    """What stands in the other triangle changes nothing."""
    A, b = drawn(n, n) + Matrix.identity(n, Fraction) * 20, vector(n)
    low = Matrix([[v * (j <= i) for j, v in enumerate(row)] for i, row in enumerate(A)])
    up = Matrix([[v * (j >= i) for j, v in enumerate(row)] for i, row in enumerate(A)])
    assert (low @ triangular.solve_lower(A, b), up @ triangular.solve_upper(A, b)) == (b, b)


@pytest.mark.parametrize("zeros", [(0,), (2,), (4,), (1, 3), (0, 1, 2, 3, 4)])
def test_a_zero_on_the_diagonal_is_refused_with_a_null_vector(zeros):
    """A triangular matrix with a zero on its diagonal is singular: the witness v ≠ 0 has T v = 0."""
    T = Matrix([[v * (i not in zeros or i != j) for j, v in enumerate(row)] for i, row in enumerate(lower(5))])
    for A, solve in ((T, triangular.solve_lower), (T.T, triangular.solve_upper)):
        with pytest.raises(NoAnswer, match="triangular: need a diagonal without zeros; got 0") as refusal:
            solve(A, vector(5))
        v = refusal.value.witness["null_vector"]
        assert any(v) and not any(A @ v) and refusal.value.witness["pivot"] == zeros[0]


def test_a_null_vector_of_a_regular_matrix_is_refused():
    """A triangular matrix without a zero on its diagonal has no null vector to require."""
    with pytest.raises(InvalidInput, match="need a zero on the diagonal"):
        triangular.null_lower(L)
    with pytest.raises(InvalidInput, match="need a zero on the diagonal"):
        triangular.null_upper(L.T)


@pytest.mark.parametrize("b", [Vector([Fraction(1)] * 2), Vector([1.0] * 3), drawn(2, 3)])
def test_a_right_side_that_does_not_fit_is_refused(b):
    """A right side of another length or kind is refused."""
    with pytest.raises(InvalidInput, match="triangular: need a right side of 3 numbers of kind Fraction"):
        triangular.solve_lower(L, b)
    with pytest.raises(InvalidInput, match="triangular: need a right side of 3 numbers of kind Fraction"):
        triangular.solve_upper(L, b)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("solve", [triangular.solve_lower, triangular.solve_upper])
def test_substitution_costs_what_it_says(solve, n):
    """Substitution takes n(n − 1)/2 multiplications, as many additions, and n divisions."""
    T, b = lifted(COUNTED, lower(n) if solve is triangular.solve_lower else lower(n).T), lifted(COUNTED, vector(n))
    with counting() as c:
        solve(T, b)
    assert (c.multiply, c.add, c.divide) == (n * (n - 1) // 2, n * (n - 1) // 2, n)
