"""The inverse of the working matrix under pivots."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from refclass.optimise.active_set.kkt_adjugate import Adjugate
from refclass.optimise.active_set.kkt_inverse import Entering, Inverse
from tests.numbers import COUNTED, counting
from tests.strategies import symmetric

F = Fraction
moves = st.lists(st.tuples(st.sets(st.integers(0, 4), min_size=1, max_size=2)), min_size=1, max_size=8)


def entering(M, working, places):
    """Return the columns of the places that enter."""
    return [Entering(j, [M[j][i] for i in working.index], [M[j][k] for k in places]) for j in places]


def determinant(M, places):
    """Return the minor of some places, 1 for none."""
    return fraction_free.determinant(M.block(places, places)) if places else 1


def fit_steps(working, M, changes):
    """Let places change sides wherever both ends are regular; yield after each change."""
    for (change,) in changes:
        enter, leave = [j for j in change if j not in working.index], [j for j in change if j in working.index]
        after = [i for i in working.index if i not in leave] + enter
        if determinant(M, after):
            working.pivot(entering(M, working, enter), leave)
            yield after


@given(symmetric(5), moves)
def test_the_adjugate_stays_the_inverse_under_any_pivots(M, changes):
    """One place or two, in, out, or one each: solving with it and multiplying back gives the right side, exactly."""
    working = Adjugate()
    for places in fit_steps(working, M, changes):
        assert sorted(working.index) == sorted(places)
        if places:
            b = Vector([F(k + 1, 3) for k in range(len(places))])
            B = M.block(working.index, working.index)
            assert B @ Vector(working.solve(b)) == b
            for k, i in enumerate(working.index):
                assert B @ Vector(working.column(i)) == Vector.unit(len(places), k, F)
                assert working.diagonal(i) == working.column(i)[k]


@given(symmetric(5, st.integers(-5, 5).map(Fraction)), moves)
def test_the_numbers_of_the_adjugate_are_minors(M, changes):
    """D is the determinant up to sign and N the adjugate, so that every division was exact."""
    working = Adjugate()
    for places in fit_steps(working, M, changes):
        assert abs(working.determinant) == abs(determinant(M, working.index) * working.denominator ** len(places))
        for k, i in enumerate(working.index):
            rest = [j for j in working.index if j != i]
            scale = working.denominator ** len(rest)
            assert abs(working.rows[k][k]) == abs(determinant(M, rest)) * scale


@given(symmetric(5, st.integers(-5, 5).map(Fraction)), moves)
def test_the_rounded_inverse_follows_the_exact_one(M, changes):
    """In doubles, the same pivots give the inverse of elimination up to roundoff that the pivots may have magnified."""
    working = Inverse()
    for places in fit_steps(working, M, changes):
        if places:
            B = M.block(working.index, working.index)
            want = elimination.solve(B, Matrix.identity(len(places), F))
            size = float(want.largest()) * max(1.0, float(want.largest() * B.largest())) ** 2
            assume(size < 1e6)
            for i, column in zip(working.index, want.T):
                assert all(near(BINARY64, u, float(v), size, 25) for u, v in zip(working.column(i), column))


def test_two_places_enter_where_neither_can_alone():
    """Of [0 1; 1 0] no diagonal entry is a pivot; both together are."""
    M = Matrix([[F(0), F(1)], [F(1), F(0)]])
    for working in (Adjugate(), Inverse()):
        working.pivot(entering(M, working, [0, 1]), [])
        assert working.solve([F(2), F(3)]) == [3, 2]
        working.pivot([], [0, 1])
        assert len(working) == 0 and working.index == []


def test_a_finer_denominator_rescales_what_is_there():
    """After 2, with denominator 1, the entries ⅓ and ¼ come in: δ becomes 12."""
    M = Matrix([[F(2), F(1, 3)], [F(1, 3), F(1, 4)]])
    working = Adjugate()
    working.pivot(entering(M, working, [0]), [])
    assert working.denominator == 1
    working.pivot(entering(M, working, [1]), [])
    assert working.denominator == 12
    assert Vector(working.solve([F(1), F(0)])) == fraction_free.solve(M, Vector([F(1), F(0)]))


@pytest.mark.parametrize("m", [0, 1, 3, 5])
def test_solving_costs_the_square_of_the_working_places(m):
    """The Cost lines of `solve` and `pivot` are equalities."""
    M = Matrix([[COUNTED.lift(3 * m + 1 if i == j else 1) for j in range(m + 1)] for i in range(m + 1)])
    working = Inverse()
    for j in range(m):
        working.pivot(entering(M, working, [j]), [])
    with counting() as count:
        working.solve([COUNTED.lift(1)] * m)
    assert (count.multiply, count.divide) == (m * m, 0)
    with counting() as count:
        working.pivot(entering(M, working, [m]), [])
    assert (count.multiply, count.divide) == (m * m + m, m + 1)  # its column, all ones, was just solved for
    with counting() as count:
        working.pivot([], [m])
    assert (count.multiply, count.divide) == (m * (m + 1), m + 1)
    with counting() as count:
        working.pivot(entering(M, working, [m]), [])
    assert (count.multiply, count.divide) == (2 * m * m + m, m + 1)


@pytest.mark.parametrize("places", [(1,), (0, 2)])
def test_a_working_matrix_that_becomes_singular_is_a_refusal(places):
    """Only a Q that is not semidefinite where Ex = 0 leads there: a determinant of zero, which divided by zero."""
    M = Matrix([Vector(map(F, row)) for row in ([1, 0, 2], [0, 0, 0], [2, 0, 4])])
    working = Adjugate()
    with pytest.raises(NoAnswer, match="got a singular working matrix"):
        working.pivot(entering(M, working, places), [])
