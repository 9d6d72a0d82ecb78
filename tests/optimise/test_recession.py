"""Rays: the proof that an objective falls for ever."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings

from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise import brute, recession
from refclass.optimise.problem import Problem
from tests.laws.solvers import cast, is_ray, machine, machines


def everywhere(problem):
    """A point with no zero entry, so that every variable may be part of the ray."""
    return [problem.kind(1)] * problem.n


@settings(max_examples=60)
@given(problem=machines(per_class=(1, 3)))
def test_there_is_a_ray_if_and_only_if_there_is_no_minimum(problem):
    """On fractions the ray is one exactly, and where brute force finds a minimum there is none [SVC-HARD-DUAL.P2]."""
    ray = recession.ray(problem, everywhere(problem))
    try:
        brute.solve(problem)
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
