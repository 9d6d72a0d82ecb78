"""The iteration of the active-set method: its choices, and that it ends."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set.iteration import ActiveSetIteration
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import phase_one
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import machine, quadratics

F = Fraction


def beale():
    """Return Beale's linear programme, on which the largest multiplier and the first row go round for ever."""
    c = Vector([F(-3, 4), F(150), F(-1, 50), F(6)])
    rows = [[F(1, 4), F(-60), F(-1, 25), F(9)], [F(1, 2), F(-90), F(-1, 50), F(3)], [F(0), F(0), F(1), F(0)]]
    G, h = Matrix(rows), Vector([F(0), F(0), F(1)])
    return Problem(Matrix.zeros(4, 4, F), c, (0,) * 4, (None,) * 4, G=G, h=h)


def test_a_problem_made_to_go_round_ends():
    """Beale's example has its minimum −1/20 at (1/25, 0, 1, 0)."""
    problem = beale()
    following = ActiveSetIteration(problem, phase_one.nearest_to_zero(problem))
    assert len(list(following)) < 20
    assert following.answer().x == (F(1, 25), 0, 1, 0) and following.at.value == F(-1, 20)


@given(st.integers(0, 10**6))
def test_degenerate_linear_programmes_end(seed):
    """All rows pass through the starting vertex: first steps have length zero, and still the iteration ends."""
    rng = Random(seed)
    n, q = rng.randint(2, 5), rng.randint(2, 6)
    G = Matrix([[F(rng.randint(-3, 3)) for _ in range(n)] for _ in range(q)])
    c = Vector([F(rng.randint(-3, 3)) for _ in range(n)])
    problem = Problem(Matrix.zeros(n, n, F), c, (0,) * n, (1,) * n, G=G, h=Vector([F(0)] * q))
    following = ActiveSetIteration(problem, phase_one.nearest_to_zero(problem))
    for _ in following:
        pass
    assert quadratic.certify(problem, following.answer()).status == "optimal"


@given(quadratics())
@example(beale())  # rows that are active
def test_the_gradient_vanishes_on_the_free_variables_all_along(problem):
    """After every event the working equations hold exactly, but for a row that is just leaving."""
    x = phase_one.nearest_to_zero(problem)
    if phase_one.meets(problem, x):
        following = ActiveSetIteration(problem, x)
        try:
            for _ in following:
                (free, active), s = following.working(), following.equations
                assert not any(following.at.gradient[i] for i in free)
                assert all(sum(a * v for a, v in zip(s.A[i], following.at.x)) == s.b[i] for i in active)
        except NoAnswer:
            pass


@given(quadratics())
def test_what_the_iteration_keeps_is_what_is_there(problem):
    """Gradient, slacks and value, updated step by step, are those computed anew."""
    x = phase_one.nearest_to_zero(problem)
    if not phase_one.meets(problem, x):
        return
    following = ActiveSetIteration(problem, x)
    try:
        for _ in following:
            kept = (following.at.gradient, following.at.slack, following.at.value)
            following.at.measure()
            assert kept == (following.at.gradient, following.at.slack, following.at.value)
    except NoAnswer:
        pass


@given(quadratics(), st.data())
def test_any_guess_of_the_free_variables_leads_to_the_same_value(problem, data):
    """Variables taken as free at the start, also too many for B to be regular, change the way and not the end."""
    x = phase_one.nearest_to_zero(problem)
    if not phase_one.meets(problem, x):
        return
    free = data.draw(st.lists(st.integers(0, problem.n - 1), max_size=4))
    ends = []
    for guess in ((), free):
        try:
            following = ActiveSetIteration(problem, x, guess)
            list(following)
            ends.append(following.at.value)
        except NoAnswer as refusal:
            ends.append(refusal.got)
    assert ends[0] == ends[1]


def test_the_budget_ends_the_iteration_with_the_best_point_and_its_gap():
    """After one step of several: the point so far, and a gap above zero."""
    problem = machine([[-2], [-1], [1], [2]], [0, 0, 1, 1], [1] * 4)
    with pytest.raises(NotConverged) as refusal:
        list(ActiveSetIteration(problem, phase_one.nearest_to_zero(problem), max_steps=1))
    assert refusal.value.witness["gap"] > 0 and len(refusal.value.witness["x"]) == 4


def test_events_say_what_happened():
    """Two points: the sum is met, both multipliers are freed together."""
    problem = machine([[-1], [1]], [0, 1], [F(1)] * 2)
    assert list(ActiveSetIteration(problem, phase_one.nearest_to_zero(problem))) == ["meets row 0", "frees variable 1"]
