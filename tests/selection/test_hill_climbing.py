"""Hill climbing on a grid of parameters."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass import SVC
from refclass.data import skin_of_the_orange
from refclass.errors import InvalidInput
from refclass.number.binary64 import BINARY64
from refclass.selection import hill_climbing
from refclass.selection.confusion import confusion


@st.composite
def landscapes(draw):
    """Heights on a small grid, with plateaus, and a place to start from."""
    shape = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    heights = {}

    def value(*place):
        return heights.setdefault(place, draw(st.integers(0, 6)))

    start = tuple(draw(st.integers(0, n - 1)) for n in shape)
    return hill_climbing.Problem(value, tuple(map(range, shape))), start


@given(landscapes())
def test_every_move_is_upwards_to_a_neighbour(case):
    """Each state is higher than the one before, and one step away along one axis  [OPT-HILL.P1] [KIM-3.5-hill]."""
    problem, start = case
    run = list(hill_climbing.steps(problem, start))
    for state in run:
        state.check()
    for one, other in zip(run, run[1:]):
        assert sum(abs(a - b) for a, b in zip(one.place, other.place)) == 1
        assert other.value == max(problem.value(*problem.at(p)) for p in problem.neighbours(one.place)) > one.value


@given(landscapes())
def test_the_iteration_ends_where_no_neighbour_is_higher(case):
    """The last place is a maximum among its neighbours, not of the grid  [KIM-3.5-hill]."""
    problem, start = case
    last = hill_climbing.solve(problem, start)
    assert hill_climbing.certify(problem, last)
    assert last.value >= problem.value(*problem.at(start))
    assert not hill_climbing.certify(problem, hill_climbing.State(last.place, last.value + 1, None))


def test_an_iteration_can_end_on_a_lower_hill():
    """From the left of 1, 0, 5 it stays at 1: a local search."""
    problem = hill_climbing.Problem([1, 0, 5].__getitem__, (range(3),))
    assert [hill_climbing.solve(problem, (i,)).value for i in range(3)] == [1, 5, 5]
    assert hill_climbing.solve(hill_climbing.Problem([4, 0, 4].__getitem__, (range(3),)), (1,)).place == (
        0,
    )  # ties: the lower place


def test_no_place_is_looked_at_twice():
    """The value of each place is computed once  [KIM-3.5-hill]."""
    asked = []

    def value(i, j):
        asked.append((i, j))
        return i + j

    hill_climbing.solve(hill_climbing.Problem(value, (range(6), range(6))), (0, 0))
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("start", [(5,), (-1,), (0, 0), ()])
def test_a_start_off_the_grid_is_refused(start):
    """A position on each axis."""
    with pytest.raises(InvalidInput, match="a place of the grid"):
        hill_climbing.solve(hill_climbing.Problem(lambda x: x, (range(5),)), start)


def test_climbing_on_training_accuracy_learns_by_heart():
    """On noisy data the climb over (γ, C) ends where every training point is right, though new points are judged worse
    than at the modest γ it began with  [OPT-HILL.P1] [KIM-3.5-hill] [ERR-KIM-26] [OVERFIT]."""
    X, y = skin_of_the_orange.points(BINARY64, 20, 0, Random(2))
    Z, truth = skin_of_the_orange.points(BINARY64, 100, 0, Random(5))
    gammas, costs = [0.05 * 4**i for i in range(6)], [10.0**i for i in range(-1, 3)]

    def machine(gamma, C):
        return SVC(C=C, kernel={"name": "gaussian", "gamma": gamma}).fit(X, y)

    def training(gamma, C):
        return confusion(y, machine(gamma, C).predict(X)).accuracy

    def later(state):
        return machine(*problem.at(state.place)).score(Z, truth)

    problem = hill_climbing.Problem(training, (gammas, costs))
    run = list(hill_climbing.steps(problem, (0, 1)))
    assert [s.value for s in run] == sorted(s.value for s in run) and run[-1].value == 1 > run[0].value
    assert problem.at(run[-1].place)[0] > gammas[0]
    assert later(run[-1]) < max(map(later, run))
