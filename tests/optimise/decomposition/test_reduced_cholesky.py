"""The factor of the free variables: variables come and go, and L stays what it says."""

import math
from random import Random

import pytest

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from refclass.optimise.decomposition.reduced_cholesky import Factor
from tests.optimise.gram import clouds, gaussian

SIZES = [1, 2, 3, 5, 10, 40]


def symmetric(n, seed=1, rank=None):
    """A positive semidefinite matrix of small random numbers."""
    rng = Random(seed)
    A = [[rng.gauss(0, 1) for _ in range(rank or n)] for _ in range(n)]
    return Matrix([[sum(a * b for a, b in zip(x, y)) for y in A] for x in A])


def curvature(A):
    """What gives the entries of A."""
    return lambda v, members: ([A[v][j] for j in members], A[v][v])


def filled(A, members=None):
    """A factor of all variables, or of some."""
    factor = Factor(curvature(A))
    for i in members if members is not None else range(len(A)):
        assert factor.append(i) is None
    return factor


def lower(factor):
    """L as full rows, from the rows that the factor keeps."""
    factor.half([0.0] * len(factor.members))  # brings the rows up to date
    n = len(factor.members)
    return Matrix([[*row, root, *[0.0] * (n - len(row) - 1)] for row, root in zip(factor.rows, factor.diagonal)])


def assert_true(factor, A):
    """L Lᵀ is the matrix of the members, the squared norms are what they say, rows and columns agree."""
    L, n = lower(factor), len(factor.members)
    want = Matrix([[A[i][j] for j in factor.members] for i in factor.members])
    scale = want.largest()
    got = L @ L.T
    assert all(near(BINARY64, got[i][j], want[i][j], scale, 2 * n) for i in range(n) for j in range(n))
    for k in range(n):
        assert [L[i][k] for i in range(k + 1, n)] == factor.columns[k]
        assert near(BINARY64, factor.row_squares[k], math.hypot(*factor.rows[k]) ** 2, scale, n)
        assert near(BINARY64, factor.column_squares[k], math.hypot(*factor.columns[k]) ** 2, scale, n)


@pytest.mark.parametrize("n", SIZES)
def test_members_that_join_are_factored(n):
    """L Lᵀ is the matrix given."""
    A = symmetric(n)
    assert_true(filled(A), A)


@pytest.mark.parametrize("n", [2, 3, 5, 10, 40])
def test_members_that_leave_take_their_row_along(n):
    """After any order of leaving and joining again the factor is that of the members."""
    A, rng = symmetric(n, seed=n), Random(n)
    factor = filled(A)
    for _ in range(n):
        gone = rng.choice(factor.members)
        factor.drop(gone, [0.0] * len(factor.members))
        assert gone not in factor.members
        assert_true(factor, A) if factor.members else None
        if rng.random() < 0.5:
            factor.append(gone)
            assert_true(factor, A)
        if not factor.members:
            break


@pytest.mark.parametrize("n", [2, 5, 10, 40])
def test_half_solved_equations_survive_a_departure(n):
    """drop turns L⁻¹h with the member into L⁻¹h without it."""
    A, h = symmetric(n, seed=3), [math.sin(i) for i in range(n)]
    factor = filled(A)
    t = factor.half(h)
    for gone in (n // 2, 0):
        if gone in factor.members and len(factor.members) > 1:
            t = factor.drop(gone, t)
            fresh = factor.half([h[i] for i in factor.members])
            scale = max(map(abs, fresh)) * 1e3
            assert all(near(BINARY64, a, b, scale, n * n) for a, b in zip(t, fresh))


@pytest.mark.parametrize("n", SIZES)
def test_both_triangular_systems_solve_the_whole(n):
    """L⁻ᵀ L⁻¹ h solves Q_FF p = h: the residual is roundoff."""
    A, h = symmetric(n, seed=4), [math.cos(i) for i in range(n)]
    p = filled(A).back(filled(A).half(h))
    residual = A @ Vector(p) - Vector(h)
    size = A.largest() * Vector(p).largest()
    assert all(near(BINARY64, v, 0.0, size, 10 * n * n) for v in residual)


@pytest.mark.parametrize("n", [2, 3, 5, 10, 40])
def test_another_reference_changes_the_directions_it_says(n):
    """The factor of ZᵀAZ, each direction eᵢ − e₀, becomes that of the directions from another reference; half-solved
    equations follow: those of Z′ᵀh, solved afresh, are what is returned."""
    A, h = symmetric(n + 1, seed=n), [math.sin(2 * i) for i in range(n + 1)]
    reference = {0: 0}

    def along(v, members):
        b = reference[0]
        row = [A[v][j] - A[b][j] - A[v][b] + A[b][b] for j in range(n + 1)]
        return [row[j] for j in members], row[v]

    factor = Factor(along)
    for v in range(1, n + 1):
        assert factor.append(v) is None
    t = factor.half([h[i] - h[0] for i in factor.members])
    v = (n + 2) // 2
    # Premise: only members after the new reference are rewritten; those before it must not depend on the old one.
    for w in factor.members[: factor.members.index(v)]:
        t = factor.drop(w, t)
    t = factor.rebase(v, 0, dict.fromkeys(factor.members, 1), t)
    reference[0] = v
    fresh = Factor(along)
    for w in factor.members:
        assert fresh.append(w) is None
    m = range(len(factor.members))
    got, want = lower(factor), lower(fresh)
    got, want = got @ got.T, want @ want.T
    assert all(near(BINARY64, got[i][j], want[i][j], A.largest(), 40 * n * n) for i in m for j in m)
    again = factor.half([h[i] - h[v] for i in factor.members])
    scale = 1e4 * max(map(abs, again))
    assert all(near(BINARY64, a, b, scale, n * n) for a, b in zip(t, again))


def test_a_variable_that_follows_from_the_others_is_not_taken_in():
    """Of six points of rank two only two join; the row returned says how the others make it up."""
    A = symmetric(6, seed=6, rank=2)
    factor, rejected = Factor(curvature(A)), {}
    for i in range(6):
        row = factor.append(i)
        if row is not None:
            rejected[i] = row
    assert len(factor.members) == 2 and len(rejected) == 4
    for i, row in rejected.items():
        weights = factor.back(row)
        made = [sum(w * A[j][k] for w, j in zip(weights, factor.members)) for k in range(6)]
        assert all(abs(a - A[i][k]) < 1e-10 for k, a in enumerate(made))


def test_a_direction_of_negative_curvature_is_not_taken_in():
    """The matrix is positive definite on the members, whatever it is elsewhere."""
    factor = Factor(curvature(Matrix([[1.0, 5.0, 0.0], [5.0, 1.0, 0.0], [0.0, 0.0, 1.0]])))
    assert [factor.append(i) is None for i in range(3)] == [True, False, True]


@pytest.mark.parametrize("count", [1, 3, 20])
def test_members_leave_one_by_one_or_all_at_once(count):
    """Whether the factor is updated or built up again, it is that of the members left."""
    X, _ = clouds(40, seed=9)
    K = gaussian(X, 5.0)
    factor = filled(K, members=range(30))
    for v in range(count):
        factor.drop(v, [0.0] * len(factor.members))
    assert factor.members == list(range(count, 30))
    assert_true(factor, K)
