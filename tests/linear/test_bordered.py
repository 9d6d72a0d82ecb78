"""Bordered kernel systems: solved exactly, refused with a witness."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import bordered
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD
from tests.numbers import STRICT, Strict
from tests.profiles import examples
from tests.strategies import SIZES, positive, semidefinite, vectors

few = settings(max_examples=examples(25))


@st.composite
def systems(draw):
    """A semidefinite K, a positive diagonal, a right side, and whether there is a border."""
    n = draw(st.sampled_from(SIZES[:4]))
    return draw(semidefinite(n, 2)), Vector([draw(positive) for _ in range(n)]), draw(vectors(n)), draw(st.booleans())


@few
@given(systems())
def test_the_solution_satisfies_the_bordered_system(system):
    """(K + D)a + β₀1 = y and 1ᵀa = 0, exactly; without a border β₀ = 0  [KRR-CENTER.P1] [ESL-Ex12.3]."""
    K, D, y, border = system
    a, beta0 = bordered.factor(RATIONAL, K, D, border=border).solve(y)
    assert K @ a + D.times(a) == Vector([t - beta0 for t in y])
    assert (a.sum() if border else beta0) == 0


@few
@given(systems())
def test_the_diagonal_is_that_of_the_map_to_the_multipliers(system):
    """Entry i is aᵢ for the i-th unit vector in place of y  [ESL-12.49]."""
    K, D, y, border = system
    f = bordered.factor(RATIONAL, K, D, border=border)
    assert list(f.diagonal()) == [f.solve(Vector.unit(len(y), i, Q))[0][i] for i in range(len(y))]


@few
@given(systems())
def test_doubles_solve_it_to_roundoff(system):
    """The residuals of the refined solution are roundoff  [OPT-LS.P1]."""
    K, D, y, border = system
    K = Matrix([[float(v) for v in row] for row in K])
    D, y = (Vector(map(float, v)) for v in (D, y))
    f = bordered.factor(BINARY64, K, D, border=border)
    assert all(ratio <= THRESHOLD for ratio in bordered.certify(f, y, *f.refined(y)).values())


def test_strict_fractions_pass_through_a_system():
    """Nothing but fractions of the one kind meets in the elimination  [ESL-Ex12.3]."""
    K = Matrix([[Strict(2), Strict(1)], [Strict(1), Strict(2)]])
    one, y = Vector([Strict(1)] * 2), Vector([Strict(1), Strict(3)])
    a, beta0 = bordered.factor(STRICT, K, one, border=True).solve(y)
    assert [v.value for v in a] == [Q(-1, 2), Q(1, 2)] and beta0.value == 2


def test_a_singular_system_is_refused_with_a_null_vector():
    """K + D = 0 in a direction is a witness; so is a border that K + D cannot carry  [KRR.P3]."""
    K, zero = Matrix([[Q(1), Q(1)], [Q(1), Q(1)]]), Vector([Q(0), Q(0)])
    with pytest.raises(NoAnswer):
        bordered.factor(RATIONAL, K, zero, border=False)
    indefinite = Matrix([[Q(1), Q(0)], [Q(0), Q(-1)]])
    with pytest.raises(NoAnswer, match="singular") as refusal:
        bordered.factor(RATIONAL, indefinite, zero, border=True)
    assert refusal.value.witness["null"].sum() == 0
    with pytest.raises(NoAnswer, match="positive definite"):
        bordered.factor(BINARY64, Matrix([[1.0, 2.0], [2.0, 1.0]]), Vector([0.0, 0.0]), border=False)


def test_another_length_is_refused():
    """The diagonal has as many numbers as K has rows  [ESL-Ex12.3]."""
    with pytest.raises(InvalidInput, match="2 numbers"):
        bordered.factor(RATIONAL, Matrix([[Q(1), Q(0)], [Q(0), Q(1)]]), Vector([Q(1)]), border=False)


def test_a_system_is_solved_by_steps_where_it_is_known_to_be_positive(monkeypatch):
    """Then no factor is made until it is asked for; where steps do not pay, or are not allowed, it is."""
    n = 24
    K, D = Matrix([[1.0] * n] * n), Vector([2.0] * n)
    y = Vector([float(i % 3) for i in range(n)])
    for module, name, value in (("ORDER", 12, True), ("ORDER", 100, False)):
        monkeypatch.setattr(bordered.conjugate_gradients, module, name)
        known = bordered.equations(BINARY64, K, D, border=True, positive=True)
        a, beta0 = known.solution(y)
        assert ("factor" not in vars(known)) == value
        assert all(ratio <= THRESHOLD for ratio in bordered.certify(known.factor, y, a, beta0).values())
