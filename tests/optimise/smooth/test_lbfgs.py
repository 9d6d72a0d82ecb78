"""Limited-memory quasi-Newton steps."""

from fractions import Fraction
from math import hypot

import pytest

from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.optimise.smooth import lbfgs

D = decimal(30)


def valley(F):
    """Return Rosenbrock's function (1 − a)² + 100(b − a²)², lowest at (1, 1), and its gradient."""

    def evaluate(x):
        a, b = x
        u, v = 1 - a, b - a * a
        return u * u + 100 * v * v, Vector([-2 * u - 400 * a * v, 200 * v])

    return lbfgs.Problem(evaluate)


@pytest.mark.parametrize("F", [BINARY64, D])
def test_every_step_falls_to_the_bottom_of_a_valley(F):
    """Values fall strictly, states are true, and the iteration ends at (1, 1)."""
    states = list(lbfgs.steps(F, valley(F), Vector([F.lift(Fraction(-12, 10)), F.kind(1)])))
    for state in states:
        state.check()
        assert state.objective == state.value
    assert (states[-1].x - Vector([F.kind(1)] * 2)).largest() < F.sqrt(F.eps)
    assert len(states) < 100


def test_a_quadratic_bowl_takes_few_steps():
    """In n variables far fewer than steepest descent would take."""

    def evaluate(x):
        g = Vector([(10 * i + 1) * v for i, v in enumerate(x)])
        return g @ x / 2, g

    iteration = lbfgs.steps(BINARY64, lbfgs.Problem(evaluate), Vector([1.0] * 20))
    assert next(state.step for state in iteration if state.value < 1e-12) < 60


def test_a_flat_start_is_the_end():
    """Where the gradient is zero the iteration has one state, and the certificate says stationary, not optimal."""
    saddle = lbfgs.Problem(lambda x: (x[0] * x[0] - x[1] * x[1], Vector([2 * x[0], -2 * x[1]])))
    start = Vector([0.0, 0.0])
    (only,) = lbfgs.steps(BINARY64, saddle, start)
    assert only.x == start and only.previous is None
    proof = lbfgs.certify(saddle, start)
    assert proof.status == "stationary" and proof.worst_violation == 0 and "convex" in proof.premise
    near = lbfgs.certify(saddle, Vector([1.0, 3.0]))
    assert near.status == "feasible" and near.worst_violation == 6 and near.where.endswith("variable 1")


def test_a_step_across_a_hill_is_shortened():
    """f = x⁴ − 4x² from near the top: negative curvature is not remembered, and a minimum is reached."""
    hill = lbfgs.Problem(lambda x: (x[0] ** 4 - 4 * x[0] * x[0], Vector([4 * x[0] ** 3 - 8 * x[0]])))
    last = list(lbfgs.steps(BINARY64, hill, Vector([0.01])))[-1]
    assert abs(abs(last.x[0]) - 2**0.5) < 1e-6
    for state in lbfgs.steps(BINARY64, hill, Vector([5.0])):
        state.check()


def test_a_function_that_does_not_fall_ends_the_iteration():
    """A gradient that points the wrong way: no step makes the value fall, and the iteration ends where it began."""
    wrong = lbfgs.Problem(lambda x: (x[0] * x[0], Vector([-2 * x[0]])))
    assert [s.x for s in lbfgs.steps(BINARY64, wrong, Vector([1.0]))] == [Vector([1.0])]


def test_a_minimum_that_roundoff_of_the_value_hides_is_reached_by_the_gradient():
    """f = 10⁸ + √(1 + x²) + ½·10¹²(y − 10⁻¹²)²: its values are level 10⁻⁴ from the minimum."""

    def evaluate(x):
        value = 1e8 + hypot(1, x[0]) + 1e12 * (x[1] - 1e-12) ** 2 / 2
        return value, Vector([x[0] / hypot(1, x[0]), 1e12 * (x[1] - 1e-12)])

    units, start = Vector([1.0, 1e-6]), Vector([3.0, 2.0])
    plain = list(lbfgs.steps(BINARY64, lbfgs.Problem(evaluate, units), start))
    known = list(lbfgs.steps(BINARY64, lbfgs.Problem(evaluate, units, 2.0**-48), start))
    assert known[-1].gradient.largest() < 1e-12 < 1e-9 < plain[-1].gradient.largest() and len(known) < 30
    for state in known:
        state.check()
