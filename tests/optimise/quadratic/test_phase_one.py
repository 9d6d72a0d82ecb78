"""Feasible points, and the proof that there are none."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import phase_one
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, outcome, quadratics
from tests.optimise import enumeration
from tests.strategies import fractions

F = Fraction


@given(quadratics(), st.lists(fractions, min_size=4, max_size=4))
def test_the_nearest_point_within_the_bounds_is_within_and_nearest(problem, values):
    """Each entry is clipped; what is within stays."""
    x = Vector(values[: problem.n])
    y = phase_one.within(problem, x)
    for v, w, low, high in zip(x, y, problem.lower, problem.upper):
        assert (low is None or w >= low) and (high is None or w <= high)
        assert w == v or w == (low if v < w else high)
    assert phase_one.nearest_to_zero(problem) == phase_one.within(problem, 0 * x)


@given(quadratics(), st.lists(fractions, min_size=4, max_size=4))
def test_meeting_the_rows_is_what_the_formulas_say(problem, values):
    """Ex = d and Gx ≤ h, with == on fractions."""
    x = Vector(values[: problem.n])
    equal = problem.E is None or problem.E @ x == problem.d
    below = problem.G is None or all(v <= w for v, w in zip(problem.G @ x, problem.h))
    assert phase_one.meets(problem, x) == (equal and below)


def test_rounded_rows_are_met_up_to_roundoff():
    """0.1 + 0.2 = 0.3 for doubles, and 0.3 + 1e-12 is not."""
    rows = {"E": Matrix([[1.0, 1.0]]), "d": Vector([0.3])}
    p = Problem(Matrix.identity(2, float), Vector([0.0, 0.0]), (None, None), (None, None), **rows)
    assert phase_one.meets(p, Vector([0.1, 0.2])) and not phase_one.meets(p, Vector([0.1, 0.2 + 1e-12]))


@given(quadratics(most=3))
def test_the_relaxed_problem_starts_at_a_feasible_point(problem):
    """Whatever x within the bounds, ρ and ω make up for what the rows lack."""
    x = phase_one.nearest_to_zero(problem)
    relaxed, start = phase_one.relaxed(problem, x)
    assert phase_one.meets(relaxed, start) and phase_one.within(relaxed, start) == start and start[: problem.n] == x


@given(quadratics(most=2, equalities=2, inequalities=1))
def test_the_minimum_of_the_relaxed_problem_is_zero_if_and_only_if_a_point_is_feasible(problem):
    """Its value is half the squared distance of the rows from being met; else its multipliers contradict them."""
    relaxed, start = phase_one.relaxed(problem, phase_one.nearest_to_zero(problem))
    answer = active_set.solve(relaxed, start=start)
    infeasible = outcome(enumeration.solve, problem)[0] == "none"
    assert (quadratic.objective(relaxed, answer.x) > 0) == infeasible
    assert (phase_one.contradiction(problem, answer.nu, answer.mu) > 0) == infeasible


CROSSED = Problem(
    Matrix.identity(1, F),
    Vector([F(0)]),
    (0,),
    (1,),
    Matrix([[F(1)]]),
    Vector([F(2)]),
    Matrix([[F(1)]]),
    Vector([F(3)]),
)


def test_a_contradiction_on_paper_has_its_amount():
    """x = 2 with x ≤ 1: ν = −1 gives −1·x + 1·x ≤ −2 + 1, that is 0 ≤ −1."""
    assert phase_one.contradiction(CROSSED, Vector([F(-1)]), Vector([F(0)])) == 1


def test_multipliers_that_prove_nothing_count_zero():
    """The wrong sign, a negative μ, or a bound that is needed and does not exist."""
    zero = Vector([F(0)])
    assert phase_one.contradiction(CROSSED, Vector([F(1)]), zero) == 0
    assert phase_one.contradiction(CROSSED, Vector([F(-1)]), Vector([F(-1)])) == 0
    assert phase_one.contradiction(replace(CROSSED, upper=(None,)), Vector([F(-1)]), zero) == 0


@given(quadratics())
def test_a_feasible_problem_is_contradicted_by_no_multipliers(problem):
    """Farkas: both cannot be."""
    try:
        x = active_set.solve(problem).x
    except ArithmeticError:
        return
    g = quadratic.gradient(problem, x)
    nu = problem.d and Vector([v + i for i, v in enumerate([g[0]] * len(problem.d))])
    mu = problem.h and Vector([abs(g[0])] * len(problem.h))
    assert phase_one.contradiction(problem, nu, mu) == 0


def test_the_tail_has_ones_at_the_end_of_its_diagonal():
    """Rows, diagonal and order of the relaxed objective's matrix; rounded numbers, too."""
    tail = phase_one.Tail(3, 1, float)
    assert [tail.row(i) for i in range(3)] == [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    assert tail.diagonal() == (0.0, 1.0, 1.0) and len(tail) == 3


@given(quadratics())
def test_rounding_a_feasible_start_leaves_it_feasible(problem):
    """A point that is feasible on small fractions with power-of-two denominators stays so in doubles."""
    try:
        x = active_set.solve(problem).x
    except ArithmeticError:
        return
    assert phase_one.meets(cast(problem, float), Vector(map(float, x)))
