"""The factor of the free variables: variables come and go, and L stays what it says."""

import math
from random import Random

import pytest

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from refclass.optimise.decomposition.reduced_cholesky import Face
from tests.optimise.gram import clouds, gaussian

SIZES = [1, 2, 3, 5, 10, 40]


def symmetric(n, seed=1, rank=None):
    """A positive semidefinite matrix of small random numbers."""
    rng = Random(seed)
    A = [[rng.gauss(0, 1) for _ in range(rank or n)] for _ in range(n)]
    return Matrix([[sum(a * b for a, b in zip(x, y)) for y in A] for x in A])


def filled(A, shift=0.0, members=None):
    """A face of all variables, or of some."""
    face = Face(A.row, shift)
    for i in members if members is not None else range(len(A)):
        assert face.append(i) is None
    return face


def lower(face):
    """L as full rows, from the rows that the face keeps."""
    face.half([0.0] * len(face.members))  # brings the rows up to date
    n = len(face.members)
    return Matrix([[*row, root, *[0.0] * (n - len(row) - 1)] for row, root in zip(face.rows, face.roots)])


def assert_true(face, A):
    """L Lᵀ is the matrix of the members, L⁻¹1 and the squared norms are what they say, rows and columns agree."""
    L, n = lower(face), len(face.members)
    want = Matrix([[A[i][j] + face.shift for j in face.members] for i in face.members])
    scale = want.largest()
    got = L @ L.T
    assert all(near(BINARY64, got[i][j], want[i][j], scale, 2 * n) for i in range(n) for j in range(n))
    ones = L @ Vector(face.ones)
    size = L.largest() * Vector(face.ones).largest()
    assert all(near(BINARY64, v, 1.0, size, 10 * n * n) for v in ones)
    for k in range(n):
        assert [L[i][k] for i in range(k + 1, n)] == face.columns[k]
        assert near(BINARY64, face.squares[k], math.hypot(*face.rows[k]) ** 2, scale, n)
        assert near(BINARY64, face.column_squares[k], math.hypot(*face.columns[k]) ** 2, scale, n)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_members_that_join_are_factored(n, shift):
    """L Lᵀ = Q_FF + shift 11ᵀ."""
    A = symmetric(n)
    assert_true(filled(A, shift), A)


@pytest.mark.parametrize("n", [2, 3, 5, 10, 40])
@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_members_that_leave_take_their_row_along(n, shift):
    """After any order of leaving and joining again the factor is that of the members."""
    A, rng = symmetric(n, seed=n), Random(n)
    face = filled(A, shift)
    for _ in range(n):
        gone = rng.choice(face.members)
        face.drop(gone, [0.0] * len(face.members))
        assert gone not in face.members
        assert_true(face, A) if face.members else None
        if rng.random() < 0.5:
            face.append(gone)
            assert_true(face, A)
        if not face.members:
            break


@pytest.mark.parametrize("n", [2, 5, 10, 40])
def test_half_solved_equations_survive_a_departure(n):
    """drop turns L⁻¹h with the member into L⁻¹h without it."""
    A, h = symmetric(n, seed=3), [math.sin(i) for i in range(n)]
    face = filled(A)
    t = face.half(h)
    for gone in (n // 2, 0):
        if gone in face.members and len(face.members) > 1:
            t = face.drop(gone, t)
            fresh = face.half([h[i] for i in face.members])
            scale = max(map(abs, fresh)) * 1e3
            assert all(near(BINARY64, a, b, scale, n * n) for a, b in zip(t, fresh))


@pytest.mark.parametrize("n", SIZES)
def test_both_triangular_systems_solve_the_whole(n):
    """L⁻ᵀ L⁻¹ h solves Q_FF p = h: the residual is roundoff."""
    A, h = symmetric(n, seed=4), [math.cos(i) for i in range(n)]
    p = filled(A).motion(filled(A).half(h))
    residual = A @ Vector(p) - Vector(h)
    size = A.largest() * Vector(p).largest()
    assert all(near(BINARY64, v, 0.0, size, 10 * n * n) for v in residual)


@pytest.mark.parametrize("n", [2, 3, 10, 40])
def test_a_motion_that_keeps_the_sum_solves_the_equations_with_a_multiplier(n):
    """Σp = 0, and Qp − h is the same number for every member: minus the multiplier of the sum."""
    A, h = symmetric(n, seed=5), [math.cos(3 * i) for i in range(n)]
    face = filled(A, shift=2.0)
    p = Vector(face.motion(face.half(h)))
    rest = A @ p - Vector(h)
    size = A.largest() * p.largest() + 1
    assert near(BINARY64, p.sum(), 0.0, p.largest(), n)
    assert all(near(BINARY64, v, rest[0], size, 20 * n * n) for v in rest)


@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_a_variable_that_follows_from_the_others_is_not_taken_in(shift):
    """Of six points of rank two only two join, three where the sum is kept (in the plane three points are independent
    as affine ones); the row returned says how the others make it up."""
    A = symmetric(6, seed=6, rank=2)
    face = Face(A.row, shift)
    rejected = {}
    for i in range(6):
        row = face.append(i)
        if row is not None:
            rejected[i] = row
    assert len(face.members) == (3 if shift else 2)
    for i, row in rejected.items():
        weights = face.back(row[: len(face.members)])
        if len(row) == len(face.members):
            made = [sum(w * (A[j][k] + shift) for w, j in zip(weights, face.members)) for k in range(6)]
            assert all(abs(a - A[i][k] - shift) < 1e-10 for k, a in enumerate(made))


def test_the_shift_rises_until_the_matrix_is_positive_where_the_sum_is_kept():
    """−√(‖x − z‖² + 1) is negative definite on 1 alone and positive definite beside it: it is factored after all."""
    X, _ = clouds(12, seed=2)
    K = Matrix([[-math.hypot(math.dist(x, z), 1.0) for z in X] for x in X])
    face = Face(K.row, 2.0)
    assert all(face.append(i) is None for i in range(12))
    assert face.shift > 2.0
    assert_true(face, K)


def test_a_matrix_that_no_shift_helps_takes_nothing_in_that_curves_down():
    """With a negative direction beside 1 the shift has an end, and the variable is refused."""
    K = Matrix([[1.0, 5.0, 0.0], [5.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    face = Face(K.row, 1.0)
    results = [face.append(i) for i in range(3)]
    assert results[1] is not None
    assert face.shift <= 16 * face.largest


@pytest.mark.parametrize("count", [1, 3, 20])
def test_settling_holds_just_these(count):
    """Members that are not wanted go, one by one or all at once, and those wanted come."""
    X, _ = clouds(40, seed=9)
    K = gaussian(X, 5.0)
    face = filled(K, 2.0, members=range(30))
    wanted = [*range(count, 30), 35, 36]
    face.settle(wanted)
    assert set(face.members) == set(wanted)
    assert_true(face, K)
