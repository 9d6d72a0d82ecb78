"""Householder's factor with column pivoting; least squares of any rank."""

import dataclasses
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput, NotExact
from refclass.linear import residual
from refclass.linear.factorisations import householder
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.linear.matrices import ROUNDED, SIZES, drawn, hilbert, integers, lifted, of_rank, vector
from tests.numbers import COUNTED, Counted, counting

# rows, columns, rank
SHAPES = [(1, 1, 1), (3, 1, 1), (1, 3, 1), (3, 3, 3), (5, 3, 2), (3, 5, 2), (10, 5, 5), (10, 10, 4), (5, 10, 5)]


def normal_residual(F, A, x, b):
    """Return |Aᵀ(A x − b)| in units of roundoff of what it is computed from."""
    scale = A.largest() * (len(A) * A.largest() * x.largest() * len(x) + b.largest())
    return (A.T @ (A @ x - b)).largest() / (scale * len(A) * F.eps)


def test_the_factor_agrees_with_paper():
    """The longer column (3, 4) goes to (−5, 0), with it (0, 1) to (−4/5, 3/5), whose last entry then goes to −3/5."""
    f = householder.factor(RATIONAL, integers([0, 3], [1, 4]))
    assert f.order == (1, 0) and f.rank == 2
    assert f.upper == integers([-5, Fraction(-4, 5)], [0, Fraction(-3, 5)])
    assert f.orthonormal @ f.upper == integers([3, 0], [4, 1])


def test_an_irrational_length_is_not_exact():
    """√2 is no fraction: exact numbers refuse it by name."""
    with pytest.raises(NotExact, match=r"√\(2\)"):
        householder.factor(RATIONAL, integers([1], [1]))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "n", "r"), SHAPES)
def test_the_rank_survives_rounding(F, m, n, r):
    """A product of rank r, rounded, has rank r up to roundoff, and R has r rows that are not zero."""
    f = householder.factor(F, lifted(F, of_rank(m, n, r) * Fraction(1, 7)))
    assert f.rank == r and [any(row) for row in f.upper] == [i < r for i in range(min(m, n))]


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "n", "r"), SHAPES)
def test_the_basic_solution_satisfies_the_normal_equations(F, m, n, r):
    """The basic solution has Aᵀ(A x − b) = 0 up to roundoff  [OPT-LS.P1]."""
    A, b = lifted(F, of_rank(m, n, r) * Fraction(1, 7)), lifted(F, vector(m))
    assert normal_residual(F, A, householder.factor(F, A).solve(b), b) <= 30


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "n", "r"), SHAPES)
def test_the_basic_solution_uses_as_many_columns_as_the_rank(F, m, n, r):
    """The basic solution is zero at the columns beyond the rank."""
    f = householder.factor(F, lifted(F, of_rank(m, n, r) * Fraction(1, 7)))
    x = f.solve(lifted(F, vector(m)))
    assert all(x[j] == 0 for j in f.order[r:])


def test_the_basic_solution_agrees_with_paper():
    """Of all x + y = 2 the basic solution takes the first column alone: (2, 0)."""
    assert householder.factor(BINARY64, Matrix([[1.0, 1.0]])).solve(Vector([2.0])) == (2.0, 0.0)


def test_of_zeros_the_solution_is_zero():
    """The zero matrix has rank 0, and the solution is zero."""
    f = householder.factor(BINARY64, Matrix.zeros(3, 2, float))
    b = Vector([1.0, 2.0, 3.0])
    assert (f.rank, f.solve(b)) == (0, (0, 0))
    assert max(householder.certify(Matrix.zeros(3, 2, float), f).values()) == 0


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("n", SIZES)
def test_the_diagonal_descends(F, n):
    """Column pivoting makes |rₖₖ| descend, and no later entry of a column below it larger."""
    R = householder.factor(F, lifted(F, drawn(n, n))).upper
    sizes = list(map(abs, R.diagonal()))
    assert all(a * (1 + 30 * F.eps) >= b for a, b in zip(sizes, sizes[1:]))


@pytest.mark.parametrize("scale", [Fraction(1, 10**250), Fraction(10**250)])
def test_squares_do_not_leave_the_range_of_doubles(scale):
    """Entries whose squares are no doubles any more are factored as well as others."""
    A = lifted(BINARY64, drawn(5, 3) * scale)
    f = householder.factor(BINARY64, A)
    assert f.rank == 3 and max(householder.certify(A, f).values()) <= 30


def test_the_hilbert_matrix_keeps_its_rank():
    """The Hilbert matrix of order 8 has rank 8 in doubles, though condition 10¹⁰."""
    assert householder.factor(BINARY64, lifted(BINARY64, hilbert(8))).rank == 8


def test_vectors_of_another_length_are_refused():
    """Q turns vectors with as many entries as the matrix has rows."""
    f = householder.factor(BINARY64, lifted(BINARY64, drawn(3, 2)))
    for call in (f.apply_transpose, f.solve):
        with pytest.raises(InvalidInput, match="householder: need a right side of 3 rows; got 2"):
            call(Vector([1.0, 2.0]))
    with pytest.raises(InvalidInput, match="householder: need a vector of length 3; got 2"):
        f.apply(Vector([1.0, 2.0]))


def test_turning_and_turning_back_is_nothing():
    """Q Qᵀb = b up to roundoff."""
    f, b = householder.factor(BINARY64, lifted(BINARY64, drawn(10, 5))), lifted(BINARY64, vector(10))
    assert residual.equality(Matrix([f.apply(f.apply_transpose(b))]), Matrix([b]), 10) <= 30


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_the_factor_costs_what_it_says(n):
    """A square matrix of full rank: n(n + 1)(2n + 1)/2 multiplications, n(3n − 1)/2 divisions, n roots."""
    A, roots = lifted(COUNTED, drawn(n, n)), []
    F = dataclasses.replace(COUNTED, sqrt=lambda x: roots.append(x) or Counted(Fraction(float(x) ** 0.5)))
    with counting() as c:
        householder.factor(F, A)
    assert (c.multiply, c.divide, len(roots)) == (n * (n + 1) * (2 * n + 1) // 2, n * (3 * n - 1) // 2, n)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 2), (5, 5), (10, 3)])
def test_turning_costs_what_it_says(m, n):
    """With r reflectors: r(2m − r + 1) multiplications and r divisions."""
    F = dataclasses.replace(COUNTED, sqrt=lambda x: Counted(Fraction(float(x) ** 0.5)))
    f, b = householder.factor(F, lifted(COUNTED, drawn(m, n))), lifted(COUNTED, vector(m))
    with counting() as c:
        f.apply_transpose(b)
    assert (c.multiply, c.divide) == (n * (2 * m - n + 1), n)
