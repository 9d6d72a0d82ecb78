"""Every active set of a tiny problem."""

from fractions import Fraction

import pytest
from hypothesis import given, settings

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.optimise.quadratic import phase_one
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, is_ray, machine, quadratics
from tests.optimise import enumeration
from tests.profiles import examples

F = Fraction


def box(Q, c, lower, upper, **rows):
    """Return a problem of fractions."""
    return Problem(Matrix([[F(v) for v in row] for row in Q]), Vector(map(F, c)), lower, upper, **rows)


@pytest.mark.parametrize(
    "problem, x",
    [
        (box([[2]], [-2], (None,), (None,)), [1]),
        (box([[2]], [-2], (None,), (F(1, 2),)), [F(1, 2)]),
        (box([[2, 0], [0, 2]], [-2, -4], (0, 0), (F(1, 2), None)), [F(1, 2), 2]),
        (box([[1, 0], [0, 1]], [0, 0], (None,) * 2, (None,) * 2, E=Matrix([[F(1), F(1)]]), d=Vector([F(2)])), [1, 1]),
        (box([[0, 0], [0, 0]], [1, 2], (0, 0), (1, 1), G=Matrix([[F(-1), F(-1)]]), h=Vector([F(-1)])), [1, 0]),
    ],
)
def test_minima_on_paper_are_found(problem, x):
    """Free, at a bound, on an equality, a linear programme [OPT-QP.P2]."""
    assert list(enumeration.solve(problem).x) == x


def test_the_two_point_machine_is_found():
    """x = ±1: hard α = (½, ½); C = ¼ gives α = (¼, ¼) [M-X1]."""
    assert list(enumeration.solve(machine([[-1], [1]], [0, 1], [None] * 2)).x) == [F(-1, 2), F(1, 2)]
    assert list(enumeration.solve(machine([[-1], [1]], [0, 1], [F(1, 4)] * 2)).x) == [F(-1, 4), F(1, 4)]


def test_the_machine_that_learns_exclusive_or_is_found():
    """Four corners, kernel (1 + ⟨x, z⟩)²: α = ⅛ each, dual value ¼ [M-X2]."""
    problem = machine([[-1, -1], [-1, 1], [1, -1], [1, 1]], [1, 0, 0, 1], [None] * 4, degree=2)
    answer = enumeration.solve(problem)
    assert list(map(abs, answer.x)) == [F(1, 8)] * 4
    assert enumeration.certify(problem, answer).primal == -F(1, 4)


@given(quadratics(most=3))
def test_every_active_set_is_stationary_and_only_the_last_is_optimal(problem):
    """Each state has no gradient on its free variables and tight rows; the search stops at the first optimum."""
    states = list(enumeration.steps(problem))
    for state in states:
        state.check()
    assert not any(state.optimal for state in states[:-1])


@settings(max_examples=examples(40))
@given(quadratics(most=3))
def test_the_found_minimum_is_no_larger_than_any_feasible_state(problem):
    """No other active set that is feasible has a lower value [OPT-QP.P2]."""
    states = list(enumeration.steps(problem))
    if states and states[-1].optimal:
        within = [s for s in states if phase_one.within(problem, s.x) == s.x and phase_one.meets(problem, s.x)]
        assert min(s.objective for s in within) == states[-1].objective


@pytest.mark.long
@settings(max_examples=examples(40))
@given(quadratics(most=3))
def test_a_refusal_is_proven(problem):
    """A ray, or multipliers that contradict the constraints."""
    try:
        enumeration.solve(problem)
    except NoAnswer as refusal:
        if "ray" in refusal.witness:
            assert is_ray(problem, refusal.witness["ray"])
        else:
            assert phase_one.contradiction(problem, refusal.witness["nu"], refusal.witness["mu"]) > 0


def test_a_concave_problem_is_refused():
    """−x² on a box has minima, but none that these conditions prove."""
    with pytest.raises(NoAnswer) as refusal:
        enumeration.solve(box([[-1]], [0], (-1,), (1,)))
    assert refusal.value.witness["direction"] == (1,)


def test_large_problems_are_refused():
    """Thirteen variables are half a million active sets too many."""
    n = 13
    with pytest.raises(InvalidInput):
        enumeration.solve(Problem(Matrix.identity(n, F), Vector([F(0)] * n), (None,) * n, (None,) * n))


@given(quadratics(most=2))
def test_rounded_numbers_are_solved_at_their_exact_values(problem):
    """From floats or decimals the answer comes in fractions, and is that of the lifted problem."""
    for number in (float, decimal(25).lift):
        rounded = cast(problem, number)
        try:
            answer = enumeration.solve(rounded)
        except NoAnswer:
            continue
        assert answer.x.kind is F and answer.x == enumeration.solve(enumeration.lifted(rounded)).x
