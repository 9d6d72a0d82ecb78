"""The counter of the package's own operations counts what `Counted` numbers count, and leaves the package as it was."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest

from refclass.kernels.gaussian import Gaussian
from refclass.linear import combination
from refclass.linear.factorisations import triangular
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.binary64 import BINARY64
from tests.numbers import Counted, counting
from tests.operations import operations

pytestmark = pytest.mark.slow

KINDS = (float, Fraction, int, Decimal)


def solved(kind):
    """Solve a triangular system of four unknowns."""
    L = Matrix([[kind(i + j + 1 if j <= i else 0) for j in range(4)] for i in range(4)])
    return triangular.solve_lower(L, Vector([kind(v) for v in (1, 2, 3, 4)]))


@pytest.mark.parametrize("kind", [float, Fraction])
def test_it_counts_what_numbers_that_count_count(kind):
    """Multiplications and divisions of a triangular system."""
    with counting() as want:
        solved(Counted)
    with operations() as found:
        solved(kind)
    assert (found.multiply, found.divide) == (want.multiply, want.divide) and want.multiply and want.divide


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_every_kind_are_counted(kind):
    """Three multiplications for each of three weights."""
    with operations() as found:
        combination.total([kind(2)] * 3, [[kind(1)] * 3] * 3)
    assert found.multiply == 9


def test_loops_in_c_count_their_products():
    """A distance of five coordinates, or the sum of their squares, and one or two for a Gaussian kernel of it."""
    x, z = Vector([1.0] * 5), Vector([2.0] * 5)
    with operations() as one:
        Gaussian(1.0).row(BINARY64, x, [z])
    with operations() as two:
        Gaussian(1.0).row(BINARY64, x, [z, z])
    assert two.multiply - one.multiply in (5 + 1, 5 + 2)


def test_what_is_no_product_of_numbers_is_not_counted():
    """Lists that are repeated, and products with a truth value."""
    with operations() as found:
        Matrix.zeros(3, 3, float)
    assert found.multiply == 0


def test_the_package_is_left_as_it_was():
    """Also where the block raises: its functions have their own code and its modules their own imports."""
    before = triangular.solve_lower.__code__, combination.total.__code__, dot, vars(combination).get("dot")
    with pytest.raises(ArithmeticError), operations():
        raise ArithmeticError
    after = triangular.solve_lower.__code__, combination.total.__code__, dot, vars(combination).get("dot")
    assert all(a is b for a, b in zip(before, after)) and math.dist((0.0,), (1.0,)) == 1.0
