"""Systems in fixed-point numbers, against fractions, where doubles take the matrix for a singular one."""

from fractions import Fraction as Q
from functools import partial

import pytest

from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import fixed_point
from refclass.linear.factorisations.fixed_point import fixed
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector

BITS = 200


def hilbert(n):
    """Return Hilbert's matrix, whose condition is e^(3.5 n)."""
    return Matrix([[Q(1, i + j + 1) for j in range(n)] for i in range(n)])


def scaled(A):
    """Return a matrix in units of 2^−BITS."""
    return [fixed(row, BITS) for row in A]


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_the_solution_is_that_of_fractions_to_many_digits(n):
    """Of Hilbert's matrix of order 12, condition 10¹⁶, forty digits are right  [RC-2]."""
    b = [Q(1, k + 3) for k in range(n)]
    known = fixed_point.factor(scaled(hilbert(n)), BITS)
    want = fraction_free.solve(hilbert(n), Vector(b))
    found = known.solve(fixed(b, BITS))
    assert all(abs(Q(v, 2**BITS) - w) <= Q(1, 10**30) * abs(w) for v, w in zip(found, want))


def test_the_diagonal_of_the_inverse_is_that_of_fractions():
    """Σ (L⁻¹)ₖᵢ²/dₖ is the entry of A⁻¹  [RC-2]."""
    inverse = fraction_free.solve(hilbert(6), Matrix.identity(6, Q))
    found = fixed_point.factor(scaled(hilbert(6)), BITS).inverse_diagonal()
    assert all(abs(Q(v, 2**BITS) - inverse[i][i]) < Q(1, 10**30) * inverse[i][i] for i, v in enumerate(found))


def test_a_table_that_is_not_positive_definite_has_no_factor():
    """For a pivot that is not positive the factor is None."""
    assert fixed_point.factor(scaled([[1, 2], [2, 1]]), BITS) is None


def test_numbers_are_rounded_down():
    """One third and minus one third, in eighths."""
    assert fixed([Q(1, 3), Q(-1, 3)], 3) == [2, -3]


def table(A, least, bits):
    """Return A as a table, this part of its diagonal apart."""
    rows = [[v - (least if i == j else 0) for j, v in enumerate(row)] for i, row in enumerate(A)]
    return fixed_point.Table(bits, [fixed(row, bits) for row in rows], bits, fixed([least] * len(rows), bits))


@pytest.mark.parametrize("n", [1, 5, 9])
@pytest.mark.parametrize("known", [0, 1])
def test_a_short_factor_corrected_solves_as_a_long_one(n, known):
    """Hilbert's matrix of order 9, condition 10¹³, in 300 bits with a factor of 118: fifty digits, also where the
    first rows of the factor are known  [RC-2]."""
    b, bits, own = [Q(1, k + 3) for k in range(n)], 300, partial(table, least=Q(1, 10**13), bits=300)
    first = fixed_point.refined(own(hilbert(n))).short.leading(known * (n // 2 + 1))
    found, rise = fixed_point.refined(own(hilbert(n)), first).solve(fixed(b, bits))
    want = fraction_free.solve(hilbert(n), Vector(b))
    assert rise == 0
    assert all(abs(Q(v, 2**bits) - w) <= Q(1, 10**50) * want.largest() for v, w in zip(found, want))


def test_a_short_factor_solves_with_a_sum():
    """A x + β1 = b and Σ x = 5, to fifty digits  [ESL-12.44]."""
    b, bits = [Q(1, k + 3) for k in range(6)], 300
    x, beta = fixed_point.refined(table(hilbert(6), Q(1, 10**9), bits)).solve(fixed(b, bits), 5 << bits)
    x, beta = Vector([Q(v, 2**bits) for v in x]), Q(beta, 2**bits)
    left = [abs(Vector(row) @ x + beta - v) for row, v in zip(hilbert(6), b)]
    assert max(*left, abs(x.sum() - 5)) < Q(1, 10**50)


def test_a_factor_that_is_not_shorter_is_not_made():
    """Hilbert's matrix of order 12 in 150 bits: its condition, 10¹⁶, takes 118 of them."""
    assert fixed_point.refined(table(hilbert(12), Q(1, 10**16), 150)) is None
