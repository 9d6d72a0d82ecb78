"""Rays: the proof that an objective falls for ever."""

import random
from fractions import Fraction as Q

import pytest
from hypothesis import example, given, settings

from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.margins.svm.soft import Machine
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.active_set import recession
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, is_ray, machine, machines
from tests.optimise import enumeration
from tests.profiles import examples


def everywhere(problem):
    """A point with no zero entry, so that every variable may be part of the ray."""
    return [problem.kind(1)] * problem.n


@settings(max_examples=examples(60))
@given(problem=machines(per_class=(1, 3)))
@example(machine([[0], [0]], [0, 1], [None, None]))  # one point in two classes
def test_there_is_a_ray_if_and_only_if_there_is_no_minimum(problem):
    """On fractions the ray is one exactly, and where brute force finds a minimum there is none [SVC-HARD-DUAL.P2]."""
    ray = recession.ray(problem, everywhere(problem))
    try:
        enumeration.solve(problem)
    except NoAnswer:
        assert is_ray(problem, ray)
    else:
        assert ray is None


def test_a_ray_in_doubles_is_one_up_to_roundoff():
    """Points 0 and 2 of one class around 1 of the other: half and half against one."""
    problem = cast(machine([[0], [1], [2]], [1, 0, 1], [None] * 3), float)
    ray = recession.ray(problem, everywhere(problem))
    assert (problem.Q @ ray).largest() < 1e-12 and problem.c @ ray < 0


def test_only_variables_that_have_moved_are_looked_at():
    """The ray of the last test needs all three: with one of them at zero there is none."""
    problem = machine([[0], [1], [2]], [1, 0, 1], [None] * 3)
    assert recession.ray(problem, [Q(1), Q(-2), Q(0)]) is None
    assert recession.ray(problem, [Q(1), Q(-2), Q(1)]) is not None


def test_bounds_on_both_sides_leave_no_ray():
    """A box is bounded, and nothing is refused."""
    problem = machine([[0], [1], [2]], [1, 0, 1], [Q(1)] * 3)
    assert recession.bounded(problem)
    recession.refuse(problem, everywhere(problem), "box")
    assert recession.ray(problem, everywhere(problem)) is None


def test_without_the_sum_a_single_variable_may_be_a_ray():
    """Q = 0 and c < 0: up for ever."""
    problem = Problem(Matrix([[Q(0)]]), Vector([Q(-1)]), (Q(0),), (None,))
    with pytest.raises(NoAnswer, match="smo: need an objective bounded below"):
        recession.refuse(problem, [Q(5)], "smo")


def scaled(ridge):
    """The hard margin of eight points of two classes that overlap, one variable thirty times the other, and a ridge on
    the Gram matrix, whose largest entry is some 10⁴."""
    rng = random.Random(3)
    X = [[rng.gauss(0, 30), rng.gauss(0, 1)] for _ in range(8)]
    y = [float(rng.choice((-1, 1))) for _ in X]
    K = Matrix([Vector([dot(x, z) + (ridge if i == j else 0.0) for j, z in enumerate(X)]) for i, x in enumerate(X)])
    return Machine(K, Vector(y), (None,) * len(X)).dual().problem()


@pytest.mark.parametrize(("ridge", "there"), [(0.0, True), (1e-7, False)])
def test_a_small_ridge_on_a_scaled_gram_matrix_leaves_no_ray(ridge, there):
    """Without a ridge the classes share a point and the dual is unbounded; with 10⁻¹¹ of the largest entry the
    objective is strongly convex [SVC-HARD-DUAL.P2] [MMST-Ex11.3c] [ISML-27.2-jitter]."""
    problem = scaled(ridge)
    assert (recession.ray(problem, everywhere(problem)) is not None) == there


def test_what_is_flat_up_to_roundoff_is_distinguished_from_what_is_curved():
    """Curvature of half the unit that roundoff explains counts as none, of twice as much as some; zero is flat in any
    arithmetic, and on fractions nothing else is [SVC-HARD-DUAL.P2]."""
    r = Vector([1.0, -1.0, 1.0, -1.0])
    unit = THRESHOLD * 3 * roundoff(float) * 100.0
    assert recession.flat(r, (unit / 2) * r, 100.0) and not recession.flat(r, (2 * unit) * r, 100.0)
    exact = Vector([Q(1), Q(-1)])
    assert recession.flat(exact, 0 * exact, Q(100)) and not recession.flat(exact, Q(1, 10**30) * exact, Q(100))
