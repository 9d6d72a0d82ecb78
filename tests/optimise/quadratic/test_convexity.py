"""Convexity on the subspace of the equalities."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.optimise.quadratic import convexity
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast
from tests.numbers import STRICT
from tests.strategies import SIZES, matrices, semidefinite, symmetric

F = Fraction
integers = st.integers(-2, 2).map(Fraction)


def problem(Q, E=None):
    """Return a problem with that Q and those equalities."""
    n = len(Q)
    return Problem(Q, Vector([F(0)] * n), (None,) * n, (None,) * n, E, E and Vector([F(0)] * len(E)))


def indefinite(Q, E=None):
    """Return, by the inertia of ZᵀQZ, whether Q has a negative direction where Ex = 0."""
    Z = fraction_free.null_space(E) if E else tuple(Matrix.identity(len(Q), F))
    return bool(Z) and ldl.factor(Matrix(Z) @ Q @ Matrix(Z).T).inertia[1] > 0


@given(st.integers(1, 4).flatmap(lambda n: symmetric(n, integers)))
def test_a_direction_is_found_if_and_only_if_the_inertia_has_one(Q):
    """Sylvester: pᵀQp < 0 for some p if and only if LDLᵀ has a negative pivot [ERR-ISML-05]."""
    p = convexity.negative_direction(problem(Q))
    assert (p is not None) == indefinite(Q)
    assert p is None or p @ (Q @ p) < 0


@given(st.integers(1, 4).flatmap(lambda n: st.tuples(symmetric(n, integers), matrices(2, n, integers))))
def test_only_directions_that_keep_the_equalities_count(given_matrices):
    """Where Ep = 0 the form may be positive although Q is not; a found direction has Ep = 0."""
    Q, E = given_matrices
    p = convexity.negative_direction(problem(Q, E))
    assert (p is not None) == indefinite(Q, E)
    assert p is None or (p @ (Q @ p) < 0 and not any(E @ p))


@given(st.integers(1, 4).flatmap(lambda n: st.tuples(symmetric(n, integers), matrices(1, n, integers))))
def test_rounded_numbers_and_strict_fractions_say_the_same(given_matrices):
    """On small integers roundoff decides nothing."""
    Q, E = given_matrices
    exact = convexity.negative_direction(problem(Q, E)) is None
    for number in (float, decimal(20).lift, STRICT.lift):
        assert (convexity.negative_direction(cast(problem(Q, E), number)) is None) == exact


@pytest.mark.parametrize("n", SIZES)
def test_minus_the_squared_distance_is_convex_where_the_sum_is_held(n):
    """−|i − j| is positive semidefinite on Σx = 0 and nowhere else: conditionally positive."""
    Q = Matrix([[F(-abs(i - j)) for j in range(n)] for i in range(n)])
    assert convexity.negative_direction(problem(Q, Matrix([[F(1)] * n]))) is None
    assert (convexity.negative_direction(problem(Q)) is None) == (n == 1)


def test_the_dual_of_a_machine_with_fewer_variables_than_points_is_only_semidefinite():
    """(yyᵀ)∘K of three points on a line has rank one: convex, and not positive definite [ERR-ISML-05]."""
    x, y = [F(1), F(2), F(4)], [F(1), F(-1), F(1)]
    H = Matrix([[a * b * u * v for b, v in zip(x, y)] for a, u in zip(x, y)])
    assert convexity.negative_direction(problem(H)) is None and ldl.factor(H).inertia == (1, 0, 2)


@given(st.integers(1, 3).flatmap(lambda n: semidefinite(n, n)))
def test_only_what_is_not_convex_is_refused(Q):
    """A semidefinite Q passes; with its trace and one more taken off the diagonal it is refused with a direction."""
    convexity.refuse_concave(problem(Q), "module")
    bent = Q - Matrix.diagonal_of([Q.trace() + 1] * len(Q))
    with pytest.raises(NoAnswer) as refusal:
        convexity.refuse_concave(problem(bent), "module")
    assert (
        refusal.value.module == "module"
        and refusal.value.witness["direction"] @ (bent @ refusal.value.witness["direction"]) < 0
    )
