"""Whether a Gram matrix is positive semidefinite on the motions of a machine."""

import math
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.optimise.quadratic import definiteness as module
from refclass.optimise.quadratic.definiteness import definite
from tests.strategies import symmetric

F = Fraction
integers = st.integers(-3, 3).map(Fraction)


def on_contrasts(K):
    """Return K on the motions eᵢ − e₀, in fractions; None where there are none."""
    rows = [[F(v) for v in row] for row in K]
    inner = [[v - row[0] - u + rows[0][0] for v, u in zip(row[1:], rows[0][1:])] for row in rows[1:]]
    return Matrix(map(Vector, inner)) if inner else None


def has_negative(K, intercept):
    """Return, by the inertia of an exact factor, whether K has a negative eigenvalue on the motions."""
    inner = on_contrasts(K) if intercept else Matrix([Vector(map(F, row)) for row in K])
    return inner is not None and ldl.factor(inner).inertia[1] > 0


def assert_decided(K, intercept):
    """Assert that the verdict is that of the exact inertia, and that its direction is one."""
    good, d = definite(K, intercept)
    assert good == (not has_negative(K, intercept)) == (d is None)
    if d is not None:
        assert sum(v * w * F(K.row(i)[j]) for i, v in enumerate(d) for j, w in enumerate(d)) < 0
        assert not intercept or sum(d) == 0


@given(st.integers(1, 5).flatmap(lambda n: symmetric(n, integers)), st.booleans())
def test_the_verdict_is_that_of_the_exact_inertia(K, intercept):
    """Sylvester: K is positive semidefinite on the motions if and only if an exact factor has no negative pivot."""
    assert_decided(K, intercept)
    assert_decided(Matrix([Vector(map(float, row)) for row in K]), intercept)
    assert (
        definite(Matrix([Vector(map(decimal(30).lift, row)) for row in K]), intercept)[0] == definite(K, intercept)[0]
    )


@given(st.integers(1, 3), st.integers(1, 5), st.randoms(use_true_random=False), st.booleans(), st.integers(-1, 1))
def test_one_unit_in_the_last_place_of_a_singular_matrix_decides(p, n, random, intercept, units):
    """Products of integers are semidefinite exactly; a diagonal entry one unit lower is seen, one higher is not one."""
    X = [[random.randint(-4, 4) for _ in range(p)] for _ in range(n)]
    rows = [[float(sum(a * b for a, b in zip(x, z))) for z in X] for x in X]
    rows[-1][-1] += units * math.ulp(rows[-1][-1])
    assert_decided(Matrix(map(Vector, rows)), intercept)


@pytest.mark.parametrize("size", [1e-150, 1.0, 1e150, 5e-324])
@pytest.mark.parametrize("gamma", [1e-6, 0.1, 5.0])
def test_gram_matrices_of_any_condition_and_size_are_decided(gamma, size):
    """A wide Gaussian has eigenvalues far below roundoff, whose rounded values decide; a narrow one is definite."""
    random = Random(3)
    X = [[random.gauss(0, 1) for _ in range(2)] for _ in range(12)]
    K = Matrix([Vector([size * math.exp(-gamma * math.dist(x, z) ** 2) for z in X]) for x in X])
    assert_decided(K, True)
    assert_decided(K, False)


@pytest.mark.parametrize("intercept", [True, False])
def test_each_stage_says_what_the_exact_one_says(intercept, monkeypatch):
    """The bounds of doubles and of integers of fixed length decide nothing wrongly: without them it is the same."""
    random = Random(5)
    tables = []
    for _ in range(40):
        rows = [[random.choice([0.0, 0.1, 0.3, 1.0, -0.7]) for _ in range(5)] for _ in range(5)]
        tables.append(
            Matrix([Vector([rows[max(i, j)][min(i, j)] + 2.0 * (i == j) for j in range(5)]) for i in range(5)])
        )
    want = [not has_negative(K, intercept) for K in tables]
    assert {True, False} <= set(want)
    assert [definite(K, intercept)[0] for K in tables] == want
    monkeypatch.setattr(module, "_surely", lambda K, intercept: False)
    assert [definite(K, intercept)[0] for K in tables] == want
    monkeypatch.setattr(module, "_fixed", lambda B: (False, None))
    assert [definite(K, intercept)[0] for K in tables] == want


def test_copies_of_points_change_no_verdict():
    """A point twice adds a null vector: the Gram matrix is singular, and as definite as before."""
    random = Random(7)
    X = [[random.gauss(0, 1)] for _ in range(6)] * 2
    K = Matrix([Vector([math.exp(-(math.dist(x, z) ** 2)) for z in X]) for x in X])
    assert definite(K) == (True, None) == definite(K, intercept=False)


def test_the_matrix_of_the_review_is_not_convex():
    """Six points on which another feasible point has a larger dual: there is a direction of negative curvature."""
    K = [[-1, -2, 3, -3, 1, 3], [-2, -1, 1, 2, 3, 1], [3, 1, -2, -1, -3, 2]]
    K += [[-3, 2, -1, -3, 3, 2], [1, 3, -3, 3, -1, 0], [3, 1, 2, 2, 0, 1]]
    assert_decided(Matrix([Vector(map(float, row)) for row in K]), True)
    assert not definite(Matrix([Vector(map(float, row)) for row in K]))[0]
