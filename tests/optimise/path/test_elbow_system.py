from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from refclass.optimise.path.elbow_system import Elbow
from tests.numbers import COUNTED, counting
from tests.strategies import matrices


def bordered(K, members):
    rows = [[Fraction(1), *(K[i][j] for j in members)] for i in members]
    return Matrix([[Fraction(0)] + [Fraction(1)] * len(members), *rows])


def moved(K, moves):
    """Take in and let go the points that the moves name, as far as that is possible."""
    elbow = Elbow(Fraction)
    for i in moves:
        if i in elbow.members:
            elbow.drop(elbow.members.index(i))
        else:
            elbow.append(i, [K[i][j] for j in elbow.members], K[i][i])
    return elbow


@given(matrices(6, 3), st.lists(st.integers(0, 5), max_size=12))
def test_the_solution_solves_the_equations_after_any_comings_and_goings(X, moves):
    """What the updated inverse gives solves the bordered system exactly [ESL-12.3.5-path] [OPT-PATH.P2]."""
    elbow = moved(X @ X.T, moves)
    if not elbow.members:
        return
    right = [Fraction(k + 1, 2) for k in range(len(elbow.members))]
    beta0, a = elbow.solve(Fraction(3), right)
    B = bordered(X @ X.T, elbow.members)
    assert B @ Vector([beta0, *a]) == Vector([Fraction(3), *right])


@given(matrices(6, 2), st.lists(st.integers(0, 5), max_size=12))
def test_a_point_is_refused_exactly_when_its_equation_follows_from_the_others(X, moves):
    """A refused point would make the matrix singular, one taken in leaves it regular [ESL-12.3.5-path]."""
    K, elbow = X @ X.T, Elbow(Fraction)
    for i in moves:
        if i in elbow.members:
            elbow.drop(elbow.members.index(i))
            continue
        together = bordered(K, [*elbow.members, i])
        taken = elbow.append(i, [K[i][j] for j in elbow.members], K[i][i])
        assert taken == regular(together)


def regular(A):
    return elimination.rank(RATIONAL, A) == len(A)


def test_the_stiffness_is_the_diagonal_of_the_inverse():
    """A member's inverse_diagonal is the entry of the inverse at its own place [ESL-12.3.5-path]."""
    K = Matrix([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(3)]])
    elbow = moved(K, [0, 1])
    inverse = elimination.solve(bordered(K, [0, 1]), Matrix.identity(3, Fraction))
    assert [elbow.inverse_diagonal(0), elbow.inverse_diagonal(1)] == [inverse[1][1], inverse[2][2]]


@pytest.mark.parametrize("m", [1, 2, 3, 5, 10])
def test_an_update_costs_two_products_for_each_entry(m):
    """To take in a point, beside the intercept and m others, costs 2(m + 1)² and its own row [ESL-12.3.5-path]."""
    one = COUNTED.lift(1)
    elbow = Elbow(COUNTED.kind)
    for i in range(m):
        elbow.append(i, [one] * i, one + one)
    with counting() as count:
        elbow.append(m, [one] * m, one + one)
    assert count.multiply == 2 * (m + 1) ** 2 + m + 1 and count.divide == m + 2
