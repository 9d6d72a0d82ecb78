"""Jacobi's rotations."""

import dataclasses
from fractions import Fraction

import pytest

from refclass.errors import NotConverged
from refclass.linear import residual, rotation
from refclass.linear.matrix import Matrix
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.linear.matrices import ROUNDED, drawn, integers, lifted
from tests.numbers import COUNTED, Counted, counting

# (a, b, g) whose rotation is rational: tan = 3/4, 5/12, 8/15, both signs.
PLANES = [(0, 7, 12), (7, 0, 12), (0, 7, -12), (3, 10, 12), (0, 119, 60), (-5, 156, 120), (4, 4 - 161, 120)]


@pytest.mark.parametrize(("a", "b", "g"), PLANES)
def test_one_rotation_solves_two_by_two_exactly(a, b, g):
    """The rotation makes the matrix diagonal, exactly where it is rational: a − t g, b + t g  [OPT-EIG.P2]."""
    a, b, g = Fraction(a), Fraction(b), Fraction(g)
    t, c = rotation.angle(RATIONAL, a, b, g)
    J, A = Matrix([[c, t * c], [-t * c, c]]), Matrix([[a, g], [g, b]])
    assert integers([1, 0], [0, 1]) == J.T @ J
    assert integers([a - t * g, 0], [0, b + t * g]) == J.T @ A @ J


@pytest.mark.parametrize(("a", "b", "g"), PLANES)
def test_the_rotation_is_the_smaller_one(a, b, g):
    """Of the two rotations that do it, the one of at most 45° is taken: |tan| ≤ 1."""
    t, c = rotation.angle(RATIONAL, Fraction(a), Fraction(b), Fraction(g))
    assert abs(t) <= 1 and c > 0


def test_equal_diagonals_turn_by_half_a_right_angle():
    """For a = b the tangent is 1."""
    assert rotation.angle(BINARY64, 2.0, 2.0, -1e-30)[0] == 1


def test_a_tiny_entry_turns_by_a_tiny_angle():
    """An entry far below roundoff, even one whose quotient overflows, gives a tangent near or equal to zero."""
    assert rotation.angle(BINARY64, 0.0, 1.0, 1e-20)[0] == pytest.approx(1e-20)
    assert rotation.angle(BINARY64, 0.0, 1e200, 1e-200) == (0, 1)


@pytest.mark.parametrize("F", ROUNDED, ids=lambda F: F.name)
@pytest.mark.parametrize(("m", "r"), [(1, 1), (3, 2), (5, 5), (10, 10)])
def test_turned_columns_are_orthogonal_and_descend(F, m, r):
    """G W = H with orthogonal columns of H, longest first, and orthonormal W."""
    G = lifted(F, drawn(m, r))
    H, W = (Matrix(c).T for c in rotation.orthogonal(F, G.T, Matrix.identity(r, F.kind)))
    lengths = [F.sqrt(x @ x) for x in H.T]
    assert lengths == sorted(lengths, reverse=True)
    assert residual.orthonormality(Matrix([x / h for x, h in zip(H.T, lengths)]).T) <= 30
    assert residual.orthonormality(W) <= 30 and residual.equality(G @ W, H, m) <= 30


def test_sweeps_that_do_not_end_are_refused():
    """A field that calls nothing small never ends: after 100 sweeps the state is handed back."""
    F = dataclasses.replace(BINARY64, eps=-1e-300)  # its square is zero, and rounded products are not
    with pytest.raises(NotConverged, match="rotation: need orthogonal columns after 100 sweeps") as refusal:
        rotation.orthogonal(F, [[0.1, 0.7, 0.3], [0.7, 0.2, 0.9], [0.3, 0.9, 0.4]])
    assert len(refusal.value.witness["columns"]) == 3


def test_an_angle_costs_what_it_says():
    """3 multiplications, 4 additions, 3 divisions and 2 roots."""
    roots = []
    F = dataclasses.replace(COUNTED, sqrt=lambda x: roots.append(x) or COUNTED.sqrt(x))
    with counting() as c:
        rotation.angle(F, Counted(0), Counted(7), Counted(12))
    assert (c.multiply, c.add, c.divide, len(roots)) == (3, 4, 3, 2)


@pytest.mark.parametrize("m", [1, 2, 5])
def test_a_turn_costs_what_it_says(m):
    """4m multiplications and 2m additions."""
    x = [Counted(i) for i in range(m)]
    with counting() as c:
        rotation.turned(x, x, Counted(3), Counted(4))
    assert (c.multiply, c.add, c.divide) == (4 * m, 2 * m, 0)
