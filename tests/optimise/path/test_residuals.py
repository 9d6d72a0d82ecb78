"""The state of a path between two events: its residuals, and what an event costs."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.optimise.path import path_state
from refclass.optimise.path import solution as path
from refclass.optimise.path.residuals import Data
from refclass.optimise.path.segment import Segment
from refclass.optimise.path.segments import PathFollowing
from tests.numbers import Counted, counting
from tests.optimise import paths
from tests.profiles import examples


def scattered(n, kind, seed=1, kernel=paths.linear):
    """n points of two classes that overlap, on a grid of hundredths."""
    state, rows = seed, []
    for i in range(n):
        row = []
        for _ in range(2):
            state = (1103515245 * state + 12345) % 2**31
            row.append(Fraction(state // 2**11 % 200 - 100, 100) + (i % 2))
        rows.append(row)
    return paths.problem(rows, [i % 2 for i in range(n)], kernel, kind)


def reached(problem, events):
    """The segment after so many events, and the residuals computed from its multipliers alone."""
    following = PathFollowing(problem.K, problem.y)
    events_left = following.go()
    for _ in range(events):
        next(events_left)
    segment, y = following.segment, problem.y
    signed = Vector([t * a for t, a in zip(y, segment.alpha)])
    return segment, [segment.parameter * t - problem.K[i] @ signed - segment.alpha0 for i, t in enumerate(y)]


@pytest.mark.parametrize("events", [2, 9, 25])
def test_residuals_brought_up_to_date_are_those_of_the_multipliers(events):
    """With 64 points: residual = λy − Kα − α₀, exactly [ESL-12.3.5-path]."""
    segment, recompute = reached(scattered(64, Fraction), events)
    assert segment.residual == recompute


def test_rates_take_a_multiplication_for_each_point_and_each_on_the_edge():
    """n (m + 2) multiplications for n points and m at the elbow: the Cost of the rates [ESL-12.3.5-path]."""
    problem = scattered(12, Counted)
    segment = Segment(Data.of(problem.K.row, problem.y, problem.y, Counted(0), problem.K.diagonal()))
    one, zero = Counted(1), Counted(0)
    segment.start_at([one] * 12, [zero] * 12, Counted(9), [zero] * 12, zero)
    for m in (1, 2, 3, 5):
        segment.hold(range(m))
        segment.dalpha = [one] * m
        with counting() as c:
            segment.rates()
        assert c.multiply == 12 * (m + 2)


@pytest.mark.parametrize("kernel", [paths.linear, paths.narrow])
def test_a_break_point_costs_points_times_edge_and_the_square_of_the_edge(kernel):
    """At most n(m + 3) + 6(m + 2)² multiplications an event of one point: the Cost of the path [ESL-12.3.5-path]."""
    states, before = path.steps(scattered(16, Counted, seed=5, kernel=kernel)), None
    seen: set[int] = set()
    for _ in range(16):
        with counting() as c:
            state = next(states)
        m = sum(side == 0 for side in (before or state).below)
        if before is not None and len(state.events) == 1 and len(before.events) == 1 and m:
            assert c.multiply <= 16 * (m + 3) + 6 * (m + 2) ** 2
            seen.add(m)
        before = state
    assert len(seen) >= 2


def test_a_matrix_of_ones_has_no_break_point():
    """Where all points are one, residuals stay equal within a class [ERR-ESL-04]."""
    K = Matrix([[Fraction(1)] * 4] * 4)
    y = Vector([Fraction(t) for t in (1, 1, -1, -1)])
    assert path.solve(path_state.Problem(K, y)).states == ()


def sample(seed, n=90, p=2):
    chance = random.Random(seed)
    X = [[chance.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    y = Vector([1.0 if sum(x) + chance.gauss(0, 1) > 0 else -1.0 for x in X])
    return path_state.Problem(Matrix([[(1 + paths.linear(x, z)) ** 2 for z in X] for x in X]), y)


@settings(max_examples=examples(8))
@given(st.integers(0, 10**6))
def test_every_point_is_on_the_side_that_its_residual_says(seed):
    """At every event the residual of each point has the sign of its side [ESL-12.3.5-sets]."""
    case = sample(seed)
    found = path.solve(case)
    for state in found.states[::9]:
        state.check()
    last = found.states[-1]
    signed = last.alpha.times(case.y)
    size = sum(map(abs, signed)) * max(case.K.diagonal())
    for i, side in enumerate(last.below):
        residual = case.y[i] * (last.lam * case.y[i] - dot(signed, case.K[i]) - last.alpha0)
        assert side * residual >= -1e-10 * size


def test_computing_the_residuals_anew_invents_no_event(monkeypatch):
    """Before every segment or before none, the events are the same [OPT-PATH.P2]."""
    case = sample(12)
    seldom = path.solve(case)
    monkeypatch.setattr("refclass.optimise.path.segment.VERIFY_PERIOD", 1)
    always = path.solve(case)
    assert [s.events for s in seldom.states] == [s.events for s in always.states]
