"""Lloyd's iteration to prototypes."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.mixture import kmeans
from tests.strategies import integers, matrices, positive, vectors


def problem(points, weights=None):
    """Return points of a line over the fractions."""
    n = len(points)
    return kmeans.Problem(Matrix([[Fraction(v)] for v in points]), Vector([Fraction(v) for v in (weights or [1] * n)]))


@given(matrices(9, 2), vectors(9, positive), st.integers(0, 5))
def test_every_state_is_nearest_and_no_worse(X, weights, seed):
    """Every point is with its nearest centre, and the sum of squares never rises, exactly; the end is a fixed point."""
    asked = kmeans.Problem(X, weights)
    try:
        centres = kmeans.seeds(asked, 3, random.Random(seed))
    except InvalidInput:
        assert len(set(X)) < 3
        return
    states = list(kmeans.steps(asked, centres))
    for state in states:
        state.check()
    assert states[-1].value <= states[0].value
    assert kmeans.solve(asked, states[-1].x).value == states[-1].value


def test_the_sum_of_squares_is_that_of_the_groups():
    """0, 1 and 8, 10 from centres 0 and 1: centres ½ and 9, squares ½ + 2."""
    state = kmeans.solve(problem([0, 1, 8, 10]), Matrix([[Fraction(0)], [Fraction(1)]]))
    assert state.groups == (0, 0, 1, 1) and state.value == Fraction(5, 2) and state.objective == state.value
    assert list(state.x) == [Vector([Fraction(1, 2)]), Vector([Fraction(9)])]


def test_a_point_between_two_centres_goes_to_the_first():
    """Ties are for the centre that comes first."""
    states = list(kmeans.steps(problem([0, 1, 2]), Matrix([[Fraction(0)], [Fraction(2)]])))
    assert states[0].groups == (0, 0, 1)


def test_a_centre_without_points_moves_to_the_furthest_point():
    """From centres 0 and 100 all points are with the first; the second goes to the one that is furthest from it."""
    states = list(kmeans.steps(problem([0, 1, 2, 9]), Matrix([[Fraction(1)], [Fraction(100)]])))
    assert set(states[0].groups) == {0} and states[1].x[1] == Vector([Fraction(9)])
    assert states[-1].groups == (0, 0, 0, 1)


def test_integer_weights_are_copies():
    """The same centres with weights and with copies; weight zero is no point."""
    start = Matrix([[Fraction(0)], [Fraction(5)]])
    once = kmeans.solve(problem([0, 1, 5, 9, 30], [3, 1, 1, 2, 0]), start)
    many = kmeans.solve(problem([0, 0, 0, 1, 5, 9, 9]), start)
    assert once.x == many.x and once.value == many.value


@given(st.integers(0, 100), st.lists(integers, min_size=4, max_size=8, unique=True))
def test_seeds_are_distinct_points_and_come_again(seed, points):
    """Centres to start from are points of positive weight, all different, the same for the same seed."""
    asked = problem(points, [1] * (len(points) - 1) + [0])
    found = kmeans.seeds(asked, 3, random.Random(seed))
    assert len(set(found)) == 3 and set(found) <= set(asked.X[:-1])
    assert found == kmeans.seeds(asked, 3, random.Random(seed))


def test_more_prototypes_than_distinct_points_are_refused():
    """Two distinct points cannot have three prototypes."""
    with pytest.raises(InvalidInput, match="3 distinct points"):
        kmeans.seeds(problem([1, 1, 2]), 3, random.Random(0))
