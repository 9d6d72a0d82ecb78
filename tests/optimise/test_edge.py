from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from refclass.optimise.edge import Edge
from tests.numbers import COUNTED, counting
from tests.strategies import matrices


def bordered(K, members, border):
    rows = [[K[i][j] for j in members] for i in members]
    if border:
        rows = [[Fraction(0)] + [Fraction(1)] * len(members)] + [[Fraction(1), *r] for r in rows]
    return Matrix(rows)


def walked(K, moves, border):
    """Take in and let go the points that the moves name, as far as that is possible."""
    edge = Edge(Fraction, border)
    for i in moves:
        if i in edge.members:
            edge.drop(edge.members.index(i))
        else:
            edge.append(i, [K[i][j] for j in edge.members], K[i][i])
    return edge


@given(matrices(6, 3), st.lists(st.integers(0, 5), max_size=12), st.booleans())
def test_the_solution_solves_the_equations_after_any_comings_and_goings(X, moves, border):
    """What the updated inverse gives solves the bordered system exactly [ESL-12.3.5-path] [OPT-PATH.P2]."""
    edge = walked(X @ X.T, moves, border)
    if not edge.members:
        return
    right = [Fraction(k + 1, 2) for k in range(len(edge.members))]
    beta0, a = edge.solve(Fraction(3), right)
    B = bordered(X @ X.T, edge.members, border)
    solution = Vector([beta0, *a]) if border else Vector(a)
    assert B @ solution == Vector([Fraction(3), *right] if border else right)


@given(matrices(6, 2), st.lists(st.integers(0, 5), max_size=12), st.booleans())
def test_a_point_is_refused_exactly_when_its_equation_follows_from_the_others(X, moves, border):
    """A refused point would make the matrix singular, one taken in leaves it regular [ESL-12.3.5-path]."""
    K, edge = X @ X.T, Edge(Fraction, border)
    for i in moves:
        if i in edge.members:
            edge.drop(edge.members.index(i))
            continue
        together = bordered(K, [*edge.members, i], border)
        taken = edge.append(i, [K[i][j] for j in edge.members], K[i][i])
        assert taken == regular(together)


def regular(A):
    return elimination.rank(RATIONAL, A) == len(A)


def test_the_stiffness_is_the_diagonal_of_the_inverse():
    """A member's stiffness is the entry of the inverse at its own place [ESL-12.3.5-path]."""
    K = Matrix([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(3)]])
    edge = walked(K, [0, 1], False)
    assert [edge.stiffness(0), edge.stiffness(1)] == [Fraction(3, 5), Fraction(2, 5)]


@pytest.mark.parametrize("m", [1, 2, 3, 5, 10])
def test_an_update_costs_two_products_for_each_entry(m):
    """To take in a point costs 2m² multiplications and a few for its own row [ESL-12.3.5-path]."""
    one = COUNTED.lift(1)
    edge = Edge(COUNTED.kind, False)
    for i in range(m):
        edge.append(i, [one] * i, one + one)
    with counting() as count:
        edge.append(m, [one] * m, one + one)
    assert count.multiply == 2 * m * m + m and count.divide == m + 1
