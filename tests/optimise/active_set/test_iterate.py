"""The point at which the active-set method stands."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import negligible
from refclass.optimise.active_set.iterate import Driver, Point
from refclass.optimise.active_set.kkt_system import Equations
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import phase_one
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import quadratics

F = Fraction


def at(problem):
    """Return the point of the bounds nearest to zero, with no working places."""
    return Point(Equations(problem), phase_one.nearest_to_zero(problem))


@given(quadratics())
def test_what_is_measured_is_what_the_formulas_say(problem):
    """Gradient, value and slacks at a point without multipliers; equalities have no slack."""
    point, x = at(problem), phase_one.nearest_to_zero(problem)
    assert point.gradient == list(quadratic.gradient(problem, x))
    assert point.value == quadratic.objective(problem, x)
    m = len(problem.E or ())
    slack = problem.h - problem.G @ x if problem.G else ()
    assert point.slack[:m] == [0] * m and point.slack[m:] == [max(v, 0) for v in slack]


@given(quadratics(), st.data())
def test_a_motion_has_the_slope_and_curvature_of_the_objective_along_it(problem, data):
    """f(x + tp) = f(x) + t·slope + ½t²·curvature, and the gradient moves at its rate."""
    point = at(problem)
    j, sign = data.draw(st.integers(0, problem.n - 1)), data.draw(st.sampled_from([1, -1]))
    motion = point.motion(Driver(j, sign))
    p, x = Vector([F(dict(motion.moving).get(i, 0)) for i in range(problem.n)]), Vector(point.x)
    t = F(2, 3)
    value = quadratic.objective(problem, x + t * p)
    assert value == point.value + t * motion.slope + t * t * motion.curvature / 2
    assert quadratic.gradient(problem, x + t * p) == Vector(point.gradient) + t * Vector(motion.gradient)


@given(quadratics(), st.data())
def test_what_blocks_first_is_the_end_of_the_feasible_part(problem, data):
    """Up to the block every bound and row holds; a little further one does not."""
    point = at(problem)
    if not phase_one.meets(problem, Vector(point.x)):
        return
    j, sign = data.draw(st.integers(0, problem.n - 1)), data.draw(st.sampled_from([1, -1]))
    motion = point.motion(Driver(j, sign))
    block = point.block(motion)
    p, x = Vector([F(dict(motion.moving).get(i, 0)) for i in range(problem.n)]), Vector(point.x)

    def is_feasible(z):
        return phase_one.within(problem, z) == z and phase_one.meets(problem, z)

    if block is None:
        assert is_feasible(x + 1000 * p)
    else:
        assert is_feasible(x + block.step * p) and not is_feasible(x + (block.step + F(1, 1000)) * p)


def corner():
    """Return a point at the origin of a box with a row, in fractions."""
    Q = Matrix.identity(2, F)
    rows = {"G": Matrix([[F(1), F(1)]]), "h": Vector([F(1)])}
    return at(Problem(Q, Vector([F(-3), F(0)]), (0, 0), (2, 2), **rows))


def test_moving_to_a_row_and_arriving_there_leaves_no_slack():
    """From the origin along x, the row x + y ≤ 1 blocks at 1; the value has fallen to ½ − 3."""
    point = corner()
    motion = point.motion(Driver(0, 1))
    block = point.block(motion)
    assert (block.place, block.step) == (2, 1)
    point.move(motion, block.step)
    assert point.arrive(block, motion) == "meets row 0"
    assert point.x == [1, 0] and point.slack == [0] and point.value == F(-5, 2) and not point.standing


def test_a_step_of_length_zero_is_noticed():
    """Nothing moves, and the point says so."""
    point = corner()
    point.move(point.motion(Driver(0, 1)), F(0))
    assert point.standing and point.x == [0, 0]


def test_shifting_multipliers_shifts_the_gradient():
    """λ + 2 on the row adds 2 to both entries; shifting nothing changes nothing."""
    point = corner()
    point.shift([(0, F(2))])
    assert point.multipliers == [2] and point.gradient == [-1, 2]
    point.shift([])
    assert point.gradient == [-1, 2]


def test_the_tolerance_is_zero_for_exact_numbers_and_roundoff_for_others():
    """Exact signs are taken as they are."""
    assert corner().tolerance() == 0
    rounded = at(Problem(Matrix.identity(1, float), Vector([-3.0]), (0,), (2,)))
    assert rounded.tolerance() > 0 and negligible(BINARY64, rounded.tolerance(), 3)


@pytest.mark.parametrize("shift", [1e-9, 1e-3])
def test_polishing_removes_what_the_working_equations_lack(shift):
    """A point that was moved off its equations by an error returns to them."""
    Q = Matrix([[2.0, 1.0], [1.0, 3.0]])
    point = at(Problem(Q, Vector([-1.0, -1.0]), (None, None), (None, None)))
    for j in (0, 1):
        point.equations.change([j], [])
    point.x = [0.4 + shift, 0.2 - shift]
    point.polish()
    assert all(negligible(BINARY64, v, 1) for v in point.residual())
