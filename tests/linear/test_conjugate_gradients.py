"""Conjugate gradients for bordered systems: the solution that a factor gives, or none."""

import math
import random

import pytest

from refclass.linear import conjugate_gradients
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64

RNG = random.Random(3)
N = 60
FEATURES = [[RNG.uniform(-1, 1) for _ in range(3)] for _ in range(N)]


def system(shift, sign=1):
    """Return a matrix of a multiple of the identity and of rank three, and a right side."""
    rows = [[sign * sum(a * b for a, b in zip(x, z)) for z in FEATURES] for x in FEATURES]
    A = Matrix([[v + (shift if i == j else 0.0) for j, v in enumerate(row)] for i, row in enumerate(rows)])
    return A, Vector([RNG.uniform(-1, 1) for _ in range(N)])


@pytest.mark.parametrize("border", [False, True])
def test_the_solution_is_that_of_a_factor(border):
    """A a + β₀1 = y with roundoff for a residual, and Σ aᵢ = 0 with the border."""
    A, y = system(1.0)
    a, beta0 = conjugate_gradients.solve(A, y, border)
    assert max(abs(t - v - beta0) for t, v in zip(y, A @ a)) <= 64 * BINARY64.eps * A.largest() * math.hypot(*a)
    assert (abs(math.fsum(a)) < 1e-12) if border else beta0 == 0
    right = Vector([t - beta0 for t in y])
    assert max(map(abs, a - cholesky.solve(BINARY64, A, right))) < 1e-12


def test_steps_that_cost_more_than_a_factor_are_not_taken():
    """Of eigenvalues far from each other, and of a matrix that is not positive definite, there is no solution here."""
    scales = Matrix([[10.0 ** (i / 3) if i == j else 0.0 for j in range(N)] for i in range(N)])
    assert conjugate_gradients.solve(scales, Vector([1.0] * N), False) is None
    A, y = system(1.0, sign=-1)
    assert conjugate_gradients.solve(A, y, False) is None


def test_a_factor_is_for_few_and_for_other_numbers():
    """From some hundred doubles on steps are worth trying."""
    few = Matrix([[1.0]])
    assert not conjugate_gradients.worthwhile(few)
