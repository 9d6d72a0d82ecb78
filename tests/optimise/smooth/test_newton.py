"""Newton's method with step halving."""

import dataclasses
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import NoAnswer, NotConverged
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near, negligible
from refclass.optimise.smooth import newton
from refclass.optimise.smooth.newton import Problem
from tests.strategies import positive, semidefinite, vectors

F = Fraction


def parabola(A, b, modulus=None):
    """Return ½xᵀAx − bᵀx."""
    return Problem(
        lambda x: x @ (A @ x) / 2 - b @ x, lambda x: A @ x - b, lambda x, g: elimination.solve(A, g), modulus
    )


def logistic(field, targets, penalty):
    """Return 1 + Σ log(1 + exp(−t x)) + ½ penalty x², in one variable: smooth, convex, and no parabola.

    log(1 + v) is rounded like 1 + v, however small it is; with the 1 the value is rounded like its parts.
    """

    def share(t, x):
        return 1 / (1 + field.exp(t * x))

    def value(x):
        return 1 + sum(field.log(1 + field.exp(-t * x[0])) for t in targets) + penalty * x[0] ** 2 / 2

    def gradient(x):
        return Vector([-sum(t * share(t, x[0]) for t in targets) + penalty * x[0]])

    def solve(x, g):
        curvature = sum(t * t * share(t, x[0]) * (1 - share(t, x[0])) for t in targets) + penalty
        return Vector([g[0] / curvature])

    return Problem(value, gradient, solve, penalty if penalty else None)


@given(semidefinite(3, 3), vectors(3), vectors(3))
def test_a_parabola_is_left_in_one_step_exactly(A, b, x):
    """On fractions the minimum of a definite quadratic function is the solution of A x = b."""
    A = A + Matrix.identity(3, F)
    found = newton.solve(RATIONAL, parabola(A, b), x)
    assert A @ found.x == b and found.steps <= 1


@given(semidefinite(2, 2), vectors(2), vectors(2), vectors(2))
def test_the_bound_from_strong_convexity_holds_everywhere(A, b, x, z):
    """With modulus 1 below every eigenvalue of A + I, no value lies under the dual bound, whatever x."""
    A = A + Matrix.identity(2, F)
    problem = parabola(A, b, F(1))
    proof = newton.certify(problem, x)
    assert proof.dual <= problem.value(z) and proof.gap >= 0
    assert proof.gap >= problem.value(x) - problem.value(elimination.solve(A, b))


@given(vectors(2), positive)
def test_at_the_minimum_the_proof_is_complete(b, scale):
    """Gradient zero: optimal, gap 0; elsewhere the gradient is the violation."""
    problem = parabola(scale * Matrix.identity(2, F), b, scale)
    proof = newton.certify(problem, b / scale)
    assert (proof.status, proof.gap, proof.worst_violation) == ("optimal", 0, 0)
    off = newton.certify(problem, b / scale + Vector([F(1), F(0)]))
    assert (off.status, off.worst_violation, off.where) == ("feasible", scale, "gradient, variable 0")


def test_without_a_modulus_an_answer_is_stationary_at_best():
    """Convexity alone gives no bound."""
    problem = parabola(Matrix.identity(1, F), Vector([F(1)]))
    assert newton.certify(problem, Vector([F(1)])).status == "stationary"
    assert newton.certify(problem, Vector([F(2)])).status == "feasible"


targets = st.lists(st.sampled_from([-2.0, -1.0, 1.0, 3.0]), min_size=1, max_size=5)


@given(targets, st.floats(-20, 20))
def test_every_state_falls_and_the_last_has_no_gradient(given_targets, start):
    """From anywhere, also from where the curvature is tiny and full steps overshoot, to the minimum in doubles."""
    problem = logistic(BINARY64, given_targets, 0.01)
    states = list(newton.steps(BINARY64, problem, Vector([start])))
    for state in states:
        state.check()
    assert negligible(BINARY64, states[-1].gradient[0], sum(map(abs, given_targets)) + abs(states[-1].x[0]))


def test_steps_are_halved_where_full_ones_overshoot():
    """Σ log(1 + exp(∓x)) from x = 20: the first full step would jump far beyond zero."""
    lengths = [s.length for s in newton.steps(BINARY64, logistic(BINARY64, [1.0, -1.0], 1e-6), Vector([20.0]))]
    assert min(lengths[1:]) < 1 and lengths[-1] == 1


def test_decimals_reach_the_minimum_to_their_own_digits():
    """Thirty digits of the root of 1/(1 + eˣ) = x/4, and of the bound on the value."""
    field = decimal(30)
    problem = logistic(field, [field.lift(1)], field.lift("0.25"))
    found = newton.solve(field, problem, Vector([field.lift(0)]))
    x = found.x[0]
    assert near(field, 1 / (1 + field.exp(x)), x / 4)
    assert newton.certify(problem, found.x).gap < field.lift("1e-55")


def test_a_function_without_a_minimum_runs_out_of_steps():
    """log(1 + exp(−x)) falls for ever: the best point comes with the refusal."""
    with pytest.raises(NotConverged) as refusal:
        newton.solve(BINARY64, logistic(BINARY64, [1.0], 0.0), Vector([0.0]), max_steps=20)
    assert refusal.value.witness["x"][0] > 10


def test_a_function_that_is_not_convex_is_refused_with_the_direction():
    """−x²/2: Newton's step leads up; a wrong gradient: no step falls."""
    with pytest.raises(NoAnswer) as refusal:
        newton.solve(RATIONAL, parabola(Matrix([[F(-1)]]), Vector([F(0)])), Vector([F(3)]))
    assert refusal.value.witness["direction"] == (-3,)
    wrong = Problem(lambda x: x[0], lambda x: Vector([-1.0]), lambda x, g: g)
    with pytest.raises(NoAnswer) as refusal:
        newton.solve(BINARY64, wrong, Vector([1.0]))
    assert refusal.value.need == "a value that falls along the Newton step"


def test_a_state_notices_a_rise():
    """A value above the one before, or a direction that leads up, is an assertion of `check`."""
    problem = parabola(Matrix([[2.0]]), Vector([2.0]))
    state = next(newton.steps(BINARY64, problem, Vector([3.0])))
    state.check()
    with pytest.raises(AssertionError):
        dataclasses.replace(state, previous=state.value - 1).check()
    with pytest.raises(AssertionError):
        dataclasses.replace(state, direction=-state.direction).check()
    assert state.decrement == 8


def test_an_iteration_may_take_exactly_the_steps_it_needs():
    """With as many steps allowed as taken the answer is the same; with one fewer there is none."""
    problem = logistic(BINARY64, [1.0, -2.0], 0.5)
    answer = newton.solve(BINARY64, problem, Vector([3.0]))
    assert newton.solve(BINARY64, problem, Vector([3.0]), max_steps=answer.steps) == answer
    with pytest.raises(NotConverged):
        newton.solve(BINARY64, problem, Vector([3.0]), max_steps=answer.steps - 1)


def test_a_step_that_leads_through_a_wall_is_shortened_to_it_as_fast_as_others_are_lengthened():
    """½(x − 1)² + log(1 + exp M(x − c)) from 0: the wall at c = 10⁻⁸⁰, 10⁻¹⁰⁰ wide, is seen from nowhere else."""
    D = decimal(300)
    M, c = D.kind(10) ** 100, D.kind(10) ** -80

    def share(x):
        u = M * (x[0] - c)
        return D.exp(u) / (1 + D.exp(u)) if u < 0 else 1 / (1 + D.exp(-u))

    def value(x):
        u = M * (x[0] - c)
        return (x[0] - 1) ** 2 / 2 + max(u, 0 * u) + D.log(1 + D.exp(-abs(u)))

    walled = Problem(
        value,
        lambda x: Vector([x[0] - 1 + M * share(x)]),
        lambda x, g: g / (1 + M * M * share(x) * (1 - share(x))),
    )
    start = Vector([D.kind(0)])
    *_, last = newton.steps(D, walled, start, lengthened=True)
    assert abs(last.gradient[0]) < D.kind(10) ** -150 and 0 < last.x[0] < c
    with pytest.raises(NoAnswer, match="a value that falls"):
        list(newton.steps(D, walled, start))
