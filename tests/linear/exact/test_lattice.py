"""Points of a lattice near to a target."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from refclass.linear.exact import fraction_free, lattice
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector


@pytest.mark.parametrize("seed", range(6))
def test_what_is_left_differs_from_the_target_by_a_vector_of_the_lattice(seed):
    """The coefficients are whole numbers, and no point of a small lattice is much nearer."""
    r = Random(seed)
    basis = [[r.randint(-99, 99) for _ in range(3)] for _ in range(3)]
    target = [r.randint(-999, 999) for _ in range(3)]
    left = lattice.nearest(basis, target)
    columns = Matrix.of([Vector.of(map(Fraction, row)) for row in zip(*basis)])
    found = fraction_free.solve(columns, Vector.of([Fraction(t - v) for t, v in zip(target, left)]))
    assert all(v.denominator == 1 for v in found)
    own = sum(v * v for v in left)
    for change in product((-1, 0, 1), repeat=3):
        other = [v + sum(c * row[j] for c, row in zip(change, basis)) for j, v in enumerate(left)]
        assert own <= 4 * sum(v * v for v in other)


def test_sums_of_few_numbers_vanish_nearly_for_large_coefficients():
    """Twelve vectors whose last three entries are of 80 bits, the others of 20: all that is left has 36."""
    r = Random(1)
    basis = [[2**20 * (i == j) for j in range(12)] + [r.randint(-(2**80), 2**80) for _ in range(3)] for i in range(12)]
    left = lattice.nearest(basis, [0] * 12 + [r.randint(-(2**80), 2**80) for _ in range(3)])
    assert max(map(abs, left)) < 2**37
