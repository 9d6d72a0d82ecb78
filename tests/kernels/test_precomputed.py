"""The kernel that the user has computed."""

from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.kernels.matrices.gram import Rows, gram
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.precomputed import Precomputed
from refclass.kernels.string import String
from refclass.linear.matrix import Matrix
from refclass.number.rational import RATIONAL
from refclass.sample import data

X = Matrix([[Fraction(i), Fraction(i * i - 2)] for i in range(4)])
NEW = Matrix([[Fraction(1, 2), Fraction(3)], [Fraction(-1), Fraction(2)]])


def test_a_precomputed_table_is_its_own_gram_matrix():
    """The Gram matrix of the points of a table is the table  [K-NONVEC.P1]."""
    K = gram(RATIONAL, Polynomial(2), X)
    k = Precomputed()
    points = k.points(RATIONAL, K, data.matrix)
    assert gram(RATIONAL, k, points) == K and Rows(RATIONAL, k, points).row(2) == K[2]


def test_new_rows_are_compared_with_the_training_points():
    """A new row holds K(x, training points); against any choice of those it gives the entries at their places
    [K-NONVEC.P1]."""
    function, k = Polynomial(2), Precomputed()
    training = k.points(RATIONAL, gram(RATIONAL, function, X), data.matrix)
    cross = gram(RATIONAL, function, NEW, X)
    new = k.points(RATIONAL, cross, data.matrix, training)
    assert gram(RATIONAL, k, new, training) == cross
    chosen = [training[3], training[1]]
    assert gram(RATIONAL, k, new, chosen) == gram(RATIONAL, function, NEW, [X[3], X[1]])


def test_points_need_not_be_numbers():
    """The table of a string kernel does for a machine what the strings do  [K-NONVEC.P1] [ISML-27.4-trick]."""
    s = String(2, Fraction(1, 2))
    words = s.points(RATIONAL, ["cat", "car", "tact"], data.matrix)
    k = Precomputed()
    points = k.points(RATIONAL, gram(RATIONAL, s, words), data.matrix)
    assert gram(RATIONAL, k, points) == gram(RATIONAL, s, words)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10])
def test_tables_of_every_size_are_taken(n):
    """From a single training point on, a new row has one value for each of them."""
    k, table = Precomputed(), [[Fraction(min(i, j) + 1) for j in range(n)] for i in range(n)]
    training = k.points(RATIONAL, table, data.matrix)
    (new,) = k.points(RATIONAL, [range(n)], data.matrix, training)
    assert gram(RATIONAL, k, training) == Matrix(table) and k.row(RATIONAL, new, training) == tuple(range(n))


@pytest.mark.parametrize(
    "table, need", [([[1, 2]], "square"), ([[1, 2], [3, 1]], "symmetric"), ([[1, 2], [2]], "2 numbers")]
)
def test_tables_that_are_no_gram_matrices_are_refused(table, need):
    """At training the table must be square and symmetric."""
    with pytest.raises(InvalidInput, match=need):
        Precomputed().points(RATIONAL, table, data.matrix)


def test_new_rows_of_another_length_are_refused():
    """Later rows must have as many entries as there were training points."""
    training = Precomputed().points(RATIONAL, [[1, 0], [0, 1]], data.matrix)
    with pytest.raises(InvalidInput, match="2 numbers in each row"):
        Precomputed().points(RATIONAL, [[1, 0, 0]], data.matrix, training)
