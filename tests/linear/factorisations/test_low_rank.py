"""Gram matrices as Z Zᵀ: what is small beside an offset keeps its digits, and a high rank is reported."""

from fractions import Fraction as Q
from random import Random

import pytest

from refclass.linear.factorisations import low_rank
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from tests.linear.matrices import lifted
from tests.numbers import COUNTED, Counted, counting


def gram(X):
    """The products of the rows, exact, rounded once."""
    return [[float(sum(Q(a) * Q(b) for a, b in zip(x, z))) for z in X] for x in X]


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e9])
def test_turned_points_have_the_same_products(offset):
    """ZZᵀ = XXᵀ up to roundoff of the largest entry, in as many columns as X has rank [ESL-12.10]."""
    r = Random(1)
    X = [[offset + r.gauss(0, 1), r.gauss(0, 1), 2 * offset] for _ in range(7)]
    Z = low_rank.turned(X)
    K = gram(X)
    assert len(Z[0]) == (3 if offset else 2)
    worst = max(abs(a - b) for row, other in zip(gram(Z), K) for a, b in zip(row, other))
    assert worst <= 1e-14 * max(map(max, K))


def test_distances_survive_an_offset():
    """Beside an offset of 10⁹ the distances of the points are kept to six digits [ESL-12.10]."""
    r = Random(2)
    X = [[1e9 + r.gauss(0, 1) for _ in range(3)] for _ in range(6)]
    Z = low_rank.turned(X)

    def square(rows, i, j):
        return float(sum((Q(a) - Q(b)) ** 2 for a, b in zip(rows[i], rows[j])))

    assert all(abs(square(Z, i, 0) / square(X, i, 0) - 1) < 1e-6 for i in range(1, 6))


def test_pivoted_cholesky_gives_the_matrix_back_or_tells_its_rank():
    """K of rank two has two columns; the identity has too many [ESL-12.10]."""
    X = [[1.0, 0.0], [1.0, 2.0], [0.5, -1.0], [3.0, 1.0]]
    K = Matrix([Vector(row) for row in gram(X)])
    Z = low_rank.factored(K, 3)
    assert len(Z[0]) == 2
    assert max(abs(a - b) for row, other in zip(gram(Z), K) for a, b in zip(row, other)) < 1e-14
    assert low_rank.factored(Matrix.identity(5, float), 4) is None


@pytest.mark.parametrize("n", [5, 12])
def test_points_of_full_rank_tell_a_high_rank_at_their_own_cost(n):
    """n − 1 points without a common plane: n(n − 1)(n − 2)/6 multiplications and the square of the least pivot."""
    with counting() as c:
        assert low_rank.factored(lifted(COUNTED, Matrix.identity(n, Q)), n - 2, Counted(0), COUNTED) is None
    assert c.multiply <= n * (n - 1) * (n - 2) // 6 + 3


@pytest.mark.parametrize("rest, columns", [(2**30, 2), (16, None)])
def test_what_counts_as_roundoff_decides_of_the_points_that_are_tried_first_too(rest, columns):
    """K of rank two and a diagonal of 10⁻⁸ has two columns to 2³⁰ units of roundoff, and more than three to 16."""
    X = [[1.0, 0.0], [1.0, 2.0], [0.5, -1.0], [3.0, 1.0], [0.25, 1.0]]
    K = Matrix([Vector([v + 1e-8 * (i == j) for j, v in enumerate(row)]) for i, row in enumerate(gram(X))])
    Z = low_rank.factored(K, 3, rest)
    assert Z is None if columns is None else len(Z[0]) == columns


def test_equal_points_have_one_column():
    """Points that are all equal, or all zero [ESL-12.10]."""
    assert len(low_rank.turned([[3.0, 4.0]] * 5)[0]) == 1
    assert low_rank.turned([[0.0, 0.0]] * 3) == [(0.0,)] * 3
    assert low_rank.centred([[1e9, 2.0], [1e9 + 2, 4.0]]) == [(-1.0, -1.0), (1.0, 1.0)]
