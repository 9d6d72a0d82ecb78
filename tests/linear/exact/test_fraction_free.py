"""Elimination on integers."""

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.exact import dixon, fraction_free
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from tests.linear.matrices import SIZES, any_square, drawn, exact, hilbert, integers, of_rank, vector
from tests.numbers import STRICT, Strict
from tests.strategies import doubles, matrices, vectors

A = integers([2, 1, 0], [4, 5, 6], [2, 7, 9])


def test_the_integers_agree_with_paper():
    """The pivot 2 leaves 2·3 − 1·1 = 5, 3, 1, 7; the pivot 5 leaves (5·7 − 1·3)/2 = 16, the determinant."""
    f = fraction_free.factor(integers([2, 1, 1], [1, 3, 2], [1, 1, 4]))
    assert f.rows == ((2, 1, 1), (1, 5, 3), (1, 1, 16))
    assert f.pivots == (2, 5, 16) and f.determinant == 16


def test_denominators_and_common_divisors_are_cleared():
    """Each row is multiplied to coprime integers, and the determinant pays it back."""
    f = fraction_free.factor(Matrix([[Fraction(1, 2), Fraction(1, 3)], [Fraction(4), Fraction(6)]]))
    assert f.scales == (6, Fraction(1, 2)) and f.rows == ((3, 2), (2, 5)) and f.determinant == Fraction(5, 3)


def test_the_inverse_of_the_hilbert_matrix_is_known():
    """The inverse of the Hilbert matrix of order 8 is integer; its corners are 64 and 176679360."""
    inverse = fraction_free.solve(hilbert(8), Matrix.identity(8, Fraction))
    assert (inverse[0][0], inverse[7][7]) == (64, 176679360)
    assert all(v.denominator == 1 for row in inverse for v in row)


@pytest.mark.parametrize("n", SIZES)
def test_every_pivot_is_a_leading_minor(n):
    """The k-th pivot is the k × k minor of the integer rows, up to the sign of their order."""
    f = fraction_free.factor(drawn(n, n))
    B = Matrix([drawn(n, n)[i] * f.scales[i] for i in f.order])
    for k, pivot in enumerate(f.pivots):
        assert elimination.determinant(B.block(range(k + 1), range(k + 1))) == pivot


@given(any_square)
def test_both_eliminations_agree_on_fractions(B):
    """On fractions, elimination with and without fractions give one determinant and one solution."""
    b = vector(len(B))
    d = fraction_free.determinant(B)
    assert d == elimination.determinant(B)
    if d:
        assert fraction_free.solve(B, b) == elimination.solve(B, b)


@given(st.integers(1, 3).flatmap(lambda n: st.tuples(matrices(n, n, doubles), vectors(n, doubles))))
def test_doubles_are_taken_at_their_exact_value(system):
    """The solution for doubles is the exact rational solution of the system that they are."""
    B, b = system
    f = fraction_free.factor(B)
    if f.rank == len(B):
        assert exact(B) @ f.solve(b) == exact(b)


def test_decimals_are_taken_at_their_exact_value():
    """A decimal is a fraction of a power of ten, and is answered in fractions."""
    F = decimal(20)
    x = fraction_free.solve(Matrix([[F.lift("0.3")]]), Vector([F.lift("0.1")]))
    assert x == (Fraction(1, 3),) and x.kind is Fraction


def test_an_exact_kind_is_answered_in_itself():
    """The answer to strict numbers is made of strict numbers."""
    B = Matrix([STRICT.lift_all(row) for row in A])
    f = fraction_free.factor(B)
    assert f.solve(Vector(STRICT.lift_all([3, 15, 18]))).kind is Strict and type(f.determinant) is Strict
    assert fraction_free.null_space(Matrix([[Strict(1), Strict(2)]]))[0].kind is Strict


@given(any_square, st.integers(1, 4))
def test_the_null_space_is_all_there_is(B, m):
    """n − rank vectors of coprime integers, each with A v = 0, and independent."""
    B = Matrix(B[:m])
    basis = fraction_free.null_space(B)
    assert len(basis) == len(B[0]) - fraction_free.rank(B)
    for v in basis:
        assert not any(B @ v) and all(x.denominator == 1 for x in v)
    assert not basis or fraction_free.rank(Matrix(basis)) == len(basis)


@given(any_square, st.integers(1, 4))
def test_any_matrix_multiplies_back(B, m):
    """P S A = L diag(1 / pₖ₋₁pₖ) U for a matrix of any shape and rank, zero rows and columns included."""
    B = Matrix(B[:m])
    assert set(fraction_free.certify(B, fraction_free.factor(B)).values()) == {0}


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10])
def test_a_singular_matrix_is_refused_with_a_null_vector(n):
    """A singular matrix has determinant zero and no solution: the witness v ≠ 0 has A v = 0."""
    S = of_rank(n, n, n - 1) if n > 1 else Matrix([[Fraction(0)]])
    f = fraction_free.factor(S)
    assert f.determinant == 0 and f.rank == n - 1
    with pytest.raises(NoAnswer, match=f"fraction_free: need a matrix of rank {n}; got rank {n - 1}") as refusal:
        f.solve(vector(n))
    v = refusal.value.witness["null_vector"]
    assert any(v) and not any(S @ v)


def test_what_is_not_square_has_no_determinant():
    """A matrix that is not square has a rank and a null space, but no determinant and no unique solution."""
    f = fraction_free.factor(drawn(2, 3))
    assert f.rank == 2 and len(f.null_space()) == 1
    for question in (lambda: f.determinant, lambda: f.solve(vector(2))):
        with pytest.raises(InvalidInput, match="fraction_free: need a square matrix; got 2 × 3"):
            question()


def test_a_right_side_of_another_length_is_refused():
    """The right side has as many rows as the matrix."""
    with pytest.raises(InvalidInput, match="fraction_free: need a right side of 3 rows; got 2"):
        fraction_free.factor(integers([2, 1, 1], [1, 3, 2], [1, 1, 4])).solve(vector(2))


def test_numbers_stay_within_the_bound_of_hadamard():
    """Every intermediate integer is a minor, hence at most the product of the lengths of the integer rows."""
    f = fraction_free.factor(drawn(10, 10))
    rows = [drawn(10, 10)[i] * f.scales[i] for i in f.order]
    bound = prod(max(row @ row, 1) for row in rows)
    assert max(v * v for row in f.rows for v in row) <= bound


class Whole(int):
    """An integer that counts the multiplications and divisions made with it."""

    multiplied = divided = 0

    def __mul__(self, other):
        Whole.multiplied += 1
        return Whole(int(self) * int(other))

    __rmul__ = __mul__

    def __sub__(self, other):
        return Whole(int(self) - int(other))

    def __add__(self, other):
        return Whole(int(self) + int(other))

    __radd__ = __add__

    def __neg__(self):
        return Whole(-int(self))

    def __floordiv__(self, other):
        Whole.divided += 1
        return Whole(int(self) // int(other))


class Watched(Fraction):
    """A fraction whose numerator counts."""

    def as_integer_ratio(self):
        return Whole(self.numerator), self.denominator


@pytest.mark.parametrize("n", SIZES)
def test_integer_elimination_costs_what_it_says(n):
    """A factor takes n(n − 1)(2n − 1)/3 multiplications and half as many divisions, besides n² of each to clear."""
    B = Matrix([[Watched(v) for v in row] for row in drawn(n, n)])
    Whole.multiplied = Whole.divided = 0
    fraction_free.factor(B)
    each = n * (n - 1) * (2 * n - 1) // 6
    assert (Whole.multiplied - n * n, Whole.divided - n * n) == (2 * each, each)


@pytest.mark.parametrize("n", SIZES)
def test_an_integer_solution_costs_what_it_says(n):
    """A solution takes 3n(n − 1)/2 + n multiplications and n(n + 1)/2 divisions, besides n to restore."""
    f = fraction_free.factor(Matrix([[Watched(v) for v in row] for row in drawn(n, n)]))
    b = vector(n)
    Whole.multiplied = Whole.divided = 0
    f.solve(b)
    assert (Whole.multiplied - n, Whole.divided) == (3 * n * (n - 1) // 2 + n, n * (n + 1) // 2)


@pytest.mark.parametrize("n", [0, 1, 3, 7, fraction_free.LIFTED_ALONE - 1, fraction_free.LIFTED_ALONE])
def test_both_ways_to_one_solution_lead_to_the_same(n):
    """Elimination of few unknowns and p-adic lifting; a matrix with two equal rows has none."""
    rows = [[int(v * 2**60) for v in row] for row in drawn(n, n)] if n else []
    right = [7 * k - 3 for k in range(n)]
    assert fraction_free.solution(rows, right) == dixon.solution(rows, right)
    if n > 1:
        rows[1] = rows[0]
        assert fraction_free.solution(rows, right) is None
