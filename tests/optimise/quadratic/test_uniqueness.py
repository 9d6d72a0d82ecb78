"""Which parts of an optimum are the only ones."""

from fractions import Fraction

import pytest
from hypothesis import example, given, settings

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import exact_data, phase_one
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import machine, machines, quadratics
from tests.optimise import enumeration
from tests.profiles import examples

F = Fraction


def unique(problem):
    """Return what is unique of the problem's minimum."""
    return quadratic.certify(problem, active_set.solve(problem)).unique


def box(Q, c, lower, upper, **rows):
    """Return a problem of fractions."""
    fraction = [[F(v) for v in row] for row in Q]
    return Problem(Matrix(fraction), Vector(map(F, c)), lower, upper, **rows)


@pytest.mark.parametrize(
    "problem, answer",
    [
        (box([[1, 0], [0, 1]], [0, 0], (None, None), (None, None)), True),
        (box([[1, 1], [1, 1]], [-1, -1], (None, None), (None, None)), False),
        (box([[1, 1], [1, 1]], [0, 0], (0, 0), (None, None)), True),  # x + y = 0 touches the corner only
        (box([[1, 1], [1, 1]], [-1, -1], (0, 0), (None, None)), False),
        (box([[0]], [0], (0,), (1,)), False),
        (box([[0]], [1], (0,), (1,)), True),
        (box([[0]], [0], (1,), (1,)), True),
    ],
)
def test_cases_on_paper_are_decided(problem, answer):
    """Definite, singular, at a corner, held by a multiplier, held by two bounds that meet."""
    assert unique(problem)["x"] is answer


@settings(max_examples=examples(40))
@given(quadratics(most=3))
@example(box([[1, 1], [1, 1]], [-1, -1], (0, 0), (None, None)))  # a second minimum
def test_what_is_called_unique_has_no_second_minimum_on_any_active_set(problem):
    """Of all points that brute force tries, and with the variables in the reverse order, only the minimum itself has
    the least value; and else another has."""
    try:
        answer = active_set.solve(problem)
    except ArithmeticError:
        return
    least = quadratic.objective(problem, answer.x)
    verdict = quadratic.certify(problem, answer).unique["x"]
    found = [s.x for s in _feasible(problem) if s.objective == least] + [
        _reversed(active_set.solve(_turned(problem)).x)
    ]
    if any(x != answer.x for x in found):
        assert verdict is not True


def _turned(problem):
    """Return the problem with its variables in the reverse order."""
    rows = [None if A is None else Matrix(map(_reversed, A)) for A in (problem.E, problem.G)]
    Q = Matrix(map(_reversed, list(problem.Q)[::-1]))
    ends = problem.lower[::-1], problem.upper[::-1]
    return Problem(Q, _reversed(problem.c), *ends, rows[0], problem.d, rows[1], problem.h)


def _reversed(x):
    return Vector(list(x)[::-1])


def _feasible(problem):
    for state in enumeration.steps(problem):
        if phase_one.within(problem, state.x) == state.x and phase_one.meets(problem, state.x):
            yield state


def test_a_point_given_twice_is_not_unique():
    """Two copies of a free point share its multiplier in any way."""
    assert unique(machine([[-1], [1], [1]], [0, 1, 1], [5, 5, 5], kind=F))["x"] is False
    assert unique(machine([[-1], [1]], [0, 1], [5, 5], kind=F))["x"] is True


def test_the_multiplier_of_the_sum_is_an_interval_when_no_point_is_free():
    """x = ±1, C = ¼: the intercept may be anything in [−½, ½]; with C = 1 it is zero [M-X1] [SVC-L1-BIAS.P2]."""
    assert unique(machine([[-1], [1]], [0, 1], [F(1, 4)] * 2, kind=F))["nu"] == (F(-1, 2), F(1, 2))
    assert unique(machine([[-1], [1]], [0, 1], [1, 1], kind=F))["nu"] is True


@given(machines())
@example(machine([[-1], [1]], [0, 1], [F(1, 4)] * 2))  # no point is free: an interval
def test_every_multiplier_in_the_interval_is_optimal_and_none_outside(problem):
    """At the ends, and halfway, every condition holds; one beyond an end, some condition fails [SVC-L1-BIAS.P2]."""
    try:
        answer = active_set.solve(problem)
    except ArithmeticError:
        return
    found = quadratic.certify(problem, answer).unique.get("nu", True)
    if found is True:
        return

    def status(nu):
        return quadratic.certify(problem, exact_data.answer(problem, answer.x, Vector([nu]), None)).status

    low, high = found
    ends = [v for v in found if v is not None] or [F(0)]
    assert all(status(v) == "optimal" for v in (*ends, sum(ends) / len(ends)))
    assert low is None or status(low - 1) != "optimal"
    assert high is None or status(high + 1) != "optimal"


def flat(*sum_row):
    """Return whether x = 0 is the only minimum of the function zero on aᵀx = 0, x ≥ 0."""
    n, rows = len(sum_row), {"E": Matrix([[F(v) for v in sum_row]]), "d": Vector([F(0)])}
    return unique(box([[0] * n] * n, [0] * n, (0,) * n, (None,) * n, **rows))["x"]


def test_flat_directions_at_bounds_are_decided_together():
    """x + y + z = 0 leaves only x = 0 though no single direction shows it; x + y = z + w leaves a cone.

    Of twenty variables there are more sets of bounds than are tried.
    """
    assert flat(1, 1, 1) is True and flat(2, 3, 5, 7) is True
    assert flat(1, 1, -1, -1) is False and flat(1, 1, -3) is False and flat(1, 1, 1, 0) is False
    assert flat(*[1] * 20) is None
