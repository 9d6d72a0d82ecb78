"""The points held and the vectors that take their equations apart."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.rational import RATIONAL
from refclass.optimise.linear_svm.dual_basis import DualBasis
from refclass.optimise.linear_svm.iterate import Iterate
from refclass.optimise.linear_svm.screened_points import Points
from tests.numbers import COUNTED, counting
from tests.strategies import matrices

moves = st.lists(st.integers(0, 5), max_size=12)
levels = st.sampled_from([None, Fraction(1), Fraction(5, 2)])


def equations(X, members, bordered):
    """The matrix of the equations, with a row and column of ones for the intercept first."""
    rows = [[dot(X[i], X[j]) for j in members] for i in members]
    if bordered:
        rows = [[Fraction(0)] + [Fraction(1)] * len(members)] + [[Fraction(1), *r] for r in rows]
    return Matrix(rows)


def updated(X, given_moves, level):
    """Take in and let go the points that the moves name, as far as that is possible; yield after each."""
    basis = DualBasis(level)
    for i in given_moves:
        if i in basis.members:
            basis.drop(basis.members.index(i))
        else:
            before = [*basis.members, i]
            taken = basis.take(i, X[i], 0)
            regular = elimination.rank(RATIONAL, equations(X, before, level is not None)) == len(before) + (
                level is not None
            )
            assert taken == regular
    return basis


@given(matrices(6, 3), moves, levels)
def test_a_point_is_held_exactly_when_its_equation_does_not_follow(X, moves, level):
    """A point not held would make the equations singular, one held leaves them regular [ESL-12.3.5-path]."""
    assert len(updated(X, moves, level).members) <= 3 + (level is not None)


@given(matrices(6, 3), moves, levels)
def test_the_vectors_take_the_points_apart_and_lie_in_their_span(X, moves, level):
    """wᵢᵀx̃ⱼ is 1 for i = j and else 0, and W = (X̃X̃ᵀ)⁻¹X̃ [ESL-12.3.5-path]."""
    basis = updated(X, moves, level)
    if basis.members:
        points, duals = Matrix(basis.points), Matrix(basis.duals)
        assert duals @ points.T == Matrix.identity(len(points), Fraction)
        assert elimination.solve(points @ points.T, points) == duals


@given(matrices(6, 3), moves, levels)
def test_the_solution_solves_the_equations_after_any_comings_and_goings(X, moves, level):
    """K a + b = values with Σ a = balance; without an intercept K a = values [ESL-12.3.5-path] [ISML-27.4]."""
    basis = updated(X, moves, level)
    if basis.members:
        right = [Fraction(k + 1, 2) for k in range(len(basis.members))]
        b, a = basis.solve(Fraction(3), right)
        B = equations(X, basis.members, level is not None)
        assert B @ Vector(a if level is None else [b, *a]) == Vector(right if level is None else [Fraction(3), *right])


@given(matrices(6, 3), moves, levels)
def test_stiffness_is_the_diagonal_of_the_inverse(X, moves, level):
    """The entry of the inverse of the equations at the member's own place [ESL-12.3.5-path]."""
    basis = updated(X, moves, level)
    if basis.members:
        B, head = equations(X, basis.members, level is not None), level is not None
        inverse = elimination.solve(B, Matrix.identity(len(B), Fraction))
        assert basis.inverse_diagonal() == [inverse[k][k] for k in range(head, len(B))]


def test_vectors_keep_their_digits_where_inner_products_lose_all():
    """With columns 10⁴ times as large as others, whose squares prepare all digits twice, 10⁻⁶ is left
    [ESL-12.3.5-path]."""
    rng = random.Random(5)
    X = [tuple(rng.gauss(0, 1) * 10.0 ** (4 * (j % 2)) for j in range(8)) for _ in range(9)]
    basis = DualBasis(1e4)
    assert all(basis.take(i, x, 1e-26) for i, x in enumerate(X))
    for place in (4, 2):
        basis.drop(place)
    products = [[dot(w, x) for x in basis.points] for w in basis.duals]
    assert max(abs(v - (i == j)) for i, row in enumerate(products) for j, v in enumerate(row)) <= 1e-6


@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_a_point_costs_three_products_with_each_held(m):
    """To take in a point of p numbers costs 3mp multiplications, and a few for itself [ESL-12.3.5-path]."""
    one, p = COUNTED.lift(1), 6
    rows = [tuple(one if j == i else 0 * one for j in range(p)) for i in range(p)]
    basis = DualBasis()
    for i in range(m):
        basis.take(i, rows[i], 0)
    with counting() as count:
        basis.take(m, rows[m], 0)
    assert count.multiply == 3 * m * p + 3 * p + 2 and count.divide == p


def test_stiffness_is_never_negative():
    """Points along a ray have vectors nearly along their sum: nothing cancels to less than zero, and doubles agree with
    fractions on what is left of them [ESL-12.3.5-path]."""
    rng = random.Random(1)
    for _ in range(200):
        X = [(rng.gauss(0, 1), 1e7 * rng.gauss(0, 1)) for _ in range(2)]
        rounded, exact = DualBasis(1e-8), DualBasis(Fraction(1e-8))
        for i, x in enumerate(X):
            assert rounded.take(i, x, 0) and exact.take(i, tuple(map(Fraction, x)), 0)
        assert min(rounded.inverse_diagonal()) >= 0 and min(exact.inverse_diagonal()) > 0


def test_without_stiffness_a_point_promises_without_end():
    """Where roundoff leaves none, the point is let go first, and nothing is divided by zero [ESL-12.25]."""
    points = Points.of([(0.0,), (1.0,), (2.0,)], [1.0, 1.0, 1.0], [1.0] * 3, True)
    current = Iterate(points, [0.0, 0.0], members=(0, 1))
    current.multipliers = [-1.0, -2.0]
    current.active.inverse_diagonal = lambda: [4.0, 0.0]
    assert current.furthest_out() == (1, False)
    current.active.inverse_diagonal = lambda: [4.0, 4.0]
    assert current.furthest_out() == (1, False)
    current.active.inverse_diagonal = lambda: [0.0, 4.0]
    assert current.furthest_out() == (0, False)


@pytest.mark.parametrize("m", [1, 2, 3, 5])
@pytest.mark.parametrize("bordered", [True, False])
def test_stiffness_costs_a_few_products_for_each_held(m, bordered):
    """For m members of q numbers 3mq + q multiplications with an intercept, mq without [ESL-12.3.5-path]."""
    one, p = COUNTED.lift(1), 6
    basis = DualBasis(one if bordered else None)
    for i in range(m):
        basis.take(i, tuple(one if j == i else 0 * one for j in range(p)), 0)
    q = p + bordered
    with counting() as count:
        basis.inverse_diagonal()
    assert count.multiply == (3 * m * q + q if bordered else m * q)
