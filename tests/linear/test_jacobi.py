"""The cyclic Jacobi method."""

import dataclasses
from fractions import Fraction
from itertools import combinations, groupby

import pytest
from hypothesis import given

from refclass.errors import InvalidInput, NotConverged, NotExact
from refclass.linear import canon, jacobi, residual
from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD, near
from tests.linear.matrices import (
    EXACT,
    FIELDS,
    ROUNDED,
    any_symmetric,
    definite,
    hilbert,
    integers,
    lifted,
    proven_by_inertia,
    semidefinite,
    symmetric,
    wilkinson,
)
from tests.numbers import COUNTED, Counted, counting

# (a, b, g) whose rotation is rational: tan = 3/4, 5/12, 8/15, both signs.
PLANES = [(0, 7, 12), (7, 0, 12), (0, 7, -12), (3, 10, 12), (0, 119, 60), (-5, 156, 120), (4, 4 - 161, 120)]


@pytest.mark.parametrize(("a", "b", "g"), PLANES)
def test_one_rotation_solves_two_by_two_exactly(a, b, g):
    """The rotation makes the matrix diagonal, exactly where it is rational: a − t g, b + t g  [OPT-EIG.P2]."""
    a, b, g = Fraction(a), Fraction(b), Fraction(g)
    t, c = jacobi.symmetric_schur(RATIONAL, a, b, g)
    J, A = Matrix([[c, t * c], [-t * c, c]]), Matrix([[a, g], [g, b]])
    assert integers([1, 0], [0, 1]) == J.T @ J
    assert integers([a - t * g, 0], [0, b + t * g]) == J.T @ A @ J


@pytest.mark.parametrize(("a", "b", "g"), PLANES)
def test_the_rotation_is_the_smaller_one(a, b, g):
    """Of the two rotations that do it, the one of at most 45° is taken: |tan| ≤ 1."""
    t, c = jacobi.symmetric_schur(RATIONAL, Fraction(a), Fraction(b), Fraction(g))
    assert abs(t) <= 1 and c > 0


def test_equal_diagonals_rotate_by_half_a_right_angle():
    """For a = b the tangent is 1."""
    assert jacobi.symmetric_schur(BINARY64, 2.0, 2.0, -1e-30)[0] == 1


def test_a_tiny_entry_rotates_by_a_tiny_angle():
    """An entry far below roundoff, even one whose quotient overflows, gives a tangent near or equal to zero."""
    assert jacobi.symmetric_schur(BINARY64, 0.0, 1.0, 1e-20)[0] == pytest.approx(1e-20)
    assert jacobi.symmetric_schur(BINARY64, 0.0, 1e200, 1e-200) == (0, 1)


@pytest.mark.parametrize(("a", "b", "g"), PLANES)
def test_off_falls_by_twice_the_pivots_square_exactly(a, b, g):
    """One rotation of a 4 × 4 matrix takes 2a²_pq from off(A)², keeps symmetry, and is JᵀA J and V J, exactly."""
    A = Matrix([[Fraction(v) for v in row] for row in ([5, 1, -2, 3], [1, a, 4, g], [-2, 4, 8, -1], [3, g, -1, b])])
    I = Matrix.identity(4, Fraction)  # noqa: E741
    B, columns = jacobi.rotate(RATIONAL, A, tuple(I), 1, 3)
    J = Matrix.of(columns).T
    assert J.T @ J == I and B.symmetric() == J.T @ (A @ J) and B[1][3] == 0
    assert jacobi.off(B) == jacobi.off(A) - 2 * Fraction(g) ** 2


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("make", [symmetric, definite, lambda n: semidefinite(n, 2)], ids=["any", "definite", "rank 2"])
def test_off_falls_at_every_rotation(F, make):
    """Each state is orthogonally similar to A, and off(A)² has fallen by 2a²_pq: `check` and strict descent."""
    states = list(jacobi.steps(F, lifted(F, make(5))))
    for state in states:
        state.check()
    for before, after in zip(states, states[1:]):
        p, q = after.pivot
        share = 2 * before.matrix[p][q] ** 2
        assert after.before is before.matrix
        assert after.off < before.off or share <= THRESHOLD * 5 * F.eps * before.off
    enough = F.eps * F.eps * sum(v * v for row in states[0].given for v in row)
    assert states[-1].off <= enough < states[0].off


def test_a_sweep_goes_by_rows():
    """In each sweep the pivots are (0, 1), (0, 2), …, (n − 2, n − 1), and the sweeps are numbered from one."""
    states = list(jacobi.steps(BINARY64, lifted(BINARY64, symmetric(5))))[1:]
    sweeps = [[s.pivot for s in group] for _, group in groupby(states, key=lambda s: s.sweep)]
    assert sweeps[0] == sweeps[1] == list(combinations(range(5), 2))
    assert sorted({s.sweep for s in states}) == list(range(1, len(sweeps) + 1))


def test_convergence_is_quadratic():
    """With δ the smallest gap of eigenvalues, once off(A) < δ/4 a sweep takes it below off(A)²/δ  [OPT-EIG.P1]."""
    F = decimal(60)
    states = list(jacobi.steps(F, lifted(F, symmetric(8))))
    values = sorted(states[-1].matrix.diagonal())
    delta = min(b - a for a, b in zip(values, values[1:]))
    ends = [list(group)[-1].off for _, group in groupby(states, key=lambda s: s.sweep)]
    small = [(a, b) for a, b in zip(ends, ends[1:]) if 16 * a < delta * delta and b > F.eps * F.eps]
    assert len(small) >= 3 and all(b * delta * delta <= a * a for a, b in small)


def test_a_state_that_is_wrong_fails_its_check():
    """A matrix that is not similar to A, columns that are not orthogonal, and a pivot left are noticed."""
    state = list(jacobi.steps(BINARY64, lifted(BINARY64, symmetric(3))))[2]
    other = dataclasses.replace(state, given=2.0 * state.given)
    longer = dataclasses.replace(state, columns=tuple(1.5 * v for v in state.columns))
    (p, q), same = state.pivot, state.before
    for wrong in (other, longer, dataclasses.replace(state, matrix=same)):
        with pytest.raises(AssertionError):
            wrong.check()
    assert same[p][q] != 0


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_three_by_three_agrees_with_paper(F):
    """2 on the diagonal and −1 beside it has the eigenvalues 2 ± √2 and 2  [OPT-EIG.P2]."""
    values = jacobi.factor(F, lifted(F, integers([2, -1, 0], [-1, 2, -1], [0, -1, 2]))).eigenvalues
    root = F.sqrt(F.lift(2))
    assert all(near(F, got, want) for got, want in zip(values, (2 + root, F.lift(2), 2 - root)))


@pytest.mark.parametrize("F", EXACT, ids=lambda F: F.name)
def test_rational_rotations_are_exact_and_irrational_ones_are_refused(F):
    """| 0 12 | has the eigenvalues 16 and −9, found in one exact rotation; | 1 1 | needs √5  [OPT-EIG.P2].
       | 12 7 |                                                            | 1 2 |
    """  # fmt: skip
    A = lifted(F, integers([0, 12], [12, 7]))
    *_, last = jacobi.steps(F, A)
    last.check()
    assert last.matrix == Matrix.diagonal_of([F.lift(-9), F.lift(16)]) and last.sweep == 1
    assert jacobi.factor(F, A).eigenvalues == (16, -9)
    with pytest.raises(NotExact):
        jacobi.factor(F, lifted(F, integers([1, 1], [1, 2])))


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_a_diagonal_matrix_is_its_own_answer(F):
    """The eigenvalues of a diagonal matrix are its entries, exactly, in any arithmetic; nothing is rotated."""
    A = lifted(F, Matrix.diagonal_of([Fraction(3), Fraction(0), Fraction(-1)]))
    assert len(list(jacobi.steps(F, A))) == 1
    f = jacobi.factor(F, A)
    assert f.eigenvalues == (3, 0, -1) and f.rank == 2 and f.eigenvectors == Matrix.identity(3, F.kind)


@given(any_symmetric)
def test_singular_and_indefinite_matrices_are_no_exception(A):
    """A V = V diag(λ) and VᵀV = I hold up to roundoff; every eigenvalue is proven by Sylvester's law  [OPT-EIG.P1]."""
    B = lifted(BINARY64, A)
    f = jacobi.factor(BINARY64, B)
    assert max(jacobi.certify(B, f).values()) <= THRESHOLD
    if B.largest():
        proven_by_inertia(BINARY64, B, f.eigenvalues)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize("make", [lambda: hilbert(8), lambda: wilkinson(13)], ids=["hilbert 8", "wilkinson 13"])
def test_hard_spectra_are_the_one_sided_methods(F, make):
    """Tiny and close eigenvalues agree with the one-sided method's up to roundoff of the largest."""
    A = lifted(F, make())
    mine, other = jacobi.factor(F, A), one_sided_jacobi.factor(F, A)
    assert max(jacobi.certify(A, mine).values()) <= THRESHOLD
    assert all(near(F, d, e, scale=A.largest(), steps=len(A)) for d, e in zip(mine.eigenvalues, other.eigenvalues))


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
def test_a_repeated_eigenvalue_has_a_space(F):
    """4 on the diagonal and 1 elsewhere: 8 once, 3 four times, and the projector on the four is I − ones/5."""
    f = jacobi.factor(F, lifted(F, 3 * Matrix.identity(5, Fraction) + Matrix([[Fraction(1)] * 5] * 5)))
    assert canon.groups(F, f.eigenvalues) == [(0,), (1, 2, 3, 4)]
    want = lifted(F, Matrix.identity(5, Fraction) - Matrix([[Fraction(1, 5)] * 5] * 5))
    V = f.eigenvectors.block(range(5), range(1, 5))
    assert residual.equality(V @ V.T, want, 5) <= THRESHOLD


@pytest.mark.parametrize("scale", [Fraction(1, 10**280), Fraction(10**280)])
def test_squares_do_not_leave_the_range_of_doubles(scale):
    """Entries whose squares are no doubles any more are decomposed as well as others."""
    A = lifted(BINARY64, symmetric(5) * scale)
    f = jacobi.factor(BINARY64, A)
    assert max(jacobi.certify(A, f).values()) <= THRESHOLD and f.rank == 5


def test_an_asymmetric_matrix_is_refused_with_its_place():
    """The first entry that differs from its mirror image is named."""
    with pytest.raises(InvalidInput, match=r"need a symmetric matrix; got 2.0 and 3.0 \(row=0, column=1\)"):
        jacobi.factor(BINARY64, Matrix([[1.0, 2.0], [3.0, 4.0]]))


def test_too_few_sweeps_are_refused(monkeypatch):
    """Where off(A) is too large after the last sweep, the matrix that is left is handed back."""
    monkeypatch.setattr(jacobi, "MAX_SWEEPS", 2)
    with pytest.raises(NotConverged, match="jacobi: need off") as refusal:
        jacobi.factor(BINARY64, lifted(BINARY64, symmetric(5)))
    left = refusal.value.witness["matrix"]
    assert left.symmetric().shape == (5, 5) and 0 < jacobi.off(left) < 1


def test_the_answer_is_made_of_the_kind_at_hand():
    """Eigenvalues and eigenvectors are numbers of the field."""
    F = decimal(30)
    f = jacobi.factor(F, lifted(F, symmetric(3)))
    assert f.eigenvalues.kind is F.kind is f.eigenvectors.kind and isinstance(f.eigenvalues, Vector)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_rotation_of_a_matrix_costs_what_it_says(n):
    """8n + 2 multiplications and 4n + 2 additions, besides the 3 and 4 of the angle."""
    A = Matrix([[Counted(i + j + 1) for j in range(n)] for i in range(n)])
    F = dataclasses.replace(COUNTED, sqrt=lambda x: Counted(1))
    with counting() as c:
        jacobi.rotate(F, A, tuple(A), 0, 1)
    assert (c.multiply, c.add) == (8 * n + 2 + 3, 4 * n + 2 + 4)


def test_an_angle_costs_what_it_says():
    """3 multiplications, 4 additions, 3 divisions and 2 roots."""
    roots = []
    F = dataclasses.replace(COUNTED, sqrt=lambda x: roots.append(x) or COUNTED.sqrt(x))
    with counting() as c:
        jacobi.symmetric_schur(F, Counted(0), Counted(7), Counted(12))
    assert (c.multiply, c.add, c.divide, len(roots)) == (3, 4, 3, 2)


@pytest.mark.parametrize("m", [1, 2, 5])
def test_a_rotation_of_two_vectors_costs_what_it_says(m):
    """4m multiplications and 2m additions."""
    x = [Counted(i) for i in range(m)]
    with counting() as c:
        jacobi.rotated(x, x, Counted(3), Counted(4))
    assert (c.multiply, c.add, c.divide) == (4 * m, 2 * m, 0)
