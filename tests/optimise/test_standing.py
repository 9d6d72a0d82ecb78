"""Where a march stands: residuals brought up to date when they are asked for."""

from fractions import Fraction

import pytest

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise import path
from refclass.optimise.course import Course
from refclass.optimise.march import March
from tests.numbers import Counted, counting
from tests.optimise import paths


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


def marched(problem, events):
    """The march after so many events, and the residuals computed from its multipliers alone."""
    course = Course(problem.K, problem.y)
    walk = course.go()
    for _ in range(events):
        next(walk)
    march, y = course.march, problem.y
    signed = Vector([t * a for t, a in zip(y, march.alpha)])
    return march, [march.level * t - problem.K[i] @ signed - march.alpha0 for i, t in enumerate(y)]


@pytest.mark.parametrize("events", [2, 9, 25])
def test_residuals_brought_up_to_date_are_those_of_the_multipliers(events):
    """With 64 points, most of which are not looked at: residual = λy − Kα − α₀, exactly [ESL-12.3.5-path]
    [RC-33]."""
    march, anew = marched(scattered(64, Fraction), events)
    assert [anew[i] for i in march.nearby] == march.residual
    march.measure()
    assert march.whole and march.residual == anew


def test_only_some_points_are_looked_at():
    """Of 64 points a part is looked at for a while, and all points on the edge are among them [RC-33]."""
    problem = scattered(64, Fraction)
    course = Course(problem.K, problem.y)
    walk, looked = course.go(), []
    for _ in range(20):
        next(walk)
        assert set(course.march.held) <= set(course.march.nearby)
        looked.append(len(course.march.nearby))
    assert min(looked) < 64


def test_where_looking_at_few_points_does_not_last_all_are_looked_at():
    """Each time that a choice of points lasts for fewer than four segments, the pause before the next is longer."""
    problem = scattered(64, float, kernel=paths.narrow)
    course = Course(problem.K, problem.y)
    pauses = [course.march.pause for _ in course.go()]
    assert set(pauses) <= {0, 4, 12, 28, 60, 64} and max(pauses) >= 12


def test_rates_take_a_multiplication_for_each_point_and_each_on_the_edge():
    """n (m + 1) multiplications for n points looked at and m on the edge: the Cost of the rates [ESL-12.3.5-path]."""
    problem = scattered(12, Counted)
    march = March(problem.K.row, problem.y, problem.y, Counted(0))
    one, zero = Counted(1), Counted(0)
    march.stand([one] * 12, [zero] * 12, Counted(9), [zero] * 12, zero)
    for m in (1, 2, 3, 5):
        march.settle(range(m))
        march.slopes = [one] * m
        with counting() as c:
            march.rates()
        assert c.multiply == 12 * (m + 2)


@pytest.mark.parametrize("kernel", [paths.linear, paths.narrow])
def test_a_break_point_costs_points_times_edge_and_the_square_of_the_edge(kernel):
    """At most n(m + 3) + 6(m + 2)² multiplications an event of one point: the Cost of the path [ESL-12.3.5-path]."""
    walk, before = path.steps(scattered(16, Counted, seed=5, kernel=kernel)), None
    seen: set[int] = set()
    for _ in range(16):
        with counting() as c:
            state = next(walk)
        m = sum(side == 0 for side in (before or state).below)
        if before is not None and len(state.events) == 1 and len(before.events) == 1 and m:
            assert c.multiply <= 16 * (m + 3) + 6 * (m + 2) ** 2
            seen.add(m)
        before = state
    assert len(seen) >= 2


def test_a_matrix_of_ones_has_nobody_to_look_at_twice():
    """Where all points are one, residuals stay equal within a class [ERR-ESL-04]."""
    K = Matrix([[Fraction(1)] * 4] * 4)
    y = Vector([Fraction(t) for t in (1, 1, -1, -1)])
    assert path.solve(path.Problem(K, y)).states == ()
