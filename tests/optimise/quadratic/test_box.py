"""The box and the sum: feasible points, violations, the interval of the intercept, parts of a problem."""

import gc
import sys
import weakref
from array import array
from fractions import Fraction as Q
from operator import mul

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.decomposition import smo
from refclass.optimise.quadratic import box, box_rows, exact_data
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, machine, machines
from tests.numbers import STRICT
from tests.optimise import enumeration
from tests.strategies import fractions, semidefinite, vectors


def wishes(problem, x):
    """m = −(Qx + c), and who can rise and fall."""
    m = [-v for v in quadratic.gradient(problem, x)]
    return m, box.rising(x, problem.upper), box.falling(x, problem.lower)


def test_other_constraints_are_refused_by_name():
    """Inequalities, two equalities and a row that is not all ones are not a machine's."""
    two, c, free = Matrix.identity(2, Q), Vector([Q(0), Q(0)]), (None, None)
    row, zero = Matrix([[Q(1), Q(1)]]), Vector([Q(0)])
    for options in (
        {"G": row, "h": zero},
        {"E": Matrix([[Q(1), Q(2)]]), "d": zero},
        {"E": Matrix([[Q(1), Q(1)], [Q(1), Q(-1)]]), "d": Vector([Q(0), Q(0)])},
    ):
        with pytest.raises(InvalidInput, match="smo: need"):
            box.summed(Problem(two, c, free, free, **options), "smo")
    assert box.summed(Problem(two, c, free, free, row, zero), "smo")
    assert not box.summed(Problem(two, c, free, free), "smo")


@given(data=st.data(), n=st.integers(1, 5), total=fractions)
def test_the_start_is_feasible_or_there_is_no_feasible_point(data, n, total):
    """Bounds and sum are met exactly; the refusal is right: the sum lies outside what the bounds can reach."""
    ends = st.one_of(st.none(), fractions)
    pairs = [(data.draw(ends), data.draw(ends)) for _ in range(n)]
    lower, upper = zip(*[(a, b) if a is None or b is None or a <= b else (b, a) for a, b in pairs])
    E, d = Matrix([[Q(1)] * n]), Vector([total])
    problem = Problem(Matrix.identity(n, Q), Vector([Q(0)] * n), lower, upper, E, d)
    try:
        x = box.start(problem, data.draw(vectors(n)))
    except NoAnswer as refusal:
        low, high = (None if None in ends else sum(ends) for ends in (lower, upper))
        assert refusal.witness["reach"] in (low, high)
        assert (high is not None and high < total) or (low is not None and low > total)
    else:
        assert sum(x) == total
        assert all((a is None or v >= a) and (b is None or v <= b) for v, a, b in zip(x, lower, upper))


@pytest.mark.parametrize(("lower", "upper", "total", "reach"), [((0, 1), (2, 3), 6, 5), ((0, 1), (None, 3), 0, 1)])
def test_a_sum_beyond_the_bounds_is_refused_with_what_they_reach(lower, upper, total, reach):
    """The largest sum is below the total, or the smallest above it."""
    Q2, E = Matrix.identity(2, Q), Matrix([[Q(1)] * 2])
    with pytest.raises(NoAnswer) as refusal:
        box.start(Problem(Q2, Vector([Q(0)] * 2), lower, upper, E, Vector([Q(total)])), Vector([Q(0)] * 2))
    assert refusal.value.witness["reach"] == reach


@given(problem=machines(per_class=(1, 3)))
@example(machine([[0], [0]], [0, 1], [None, None]))  # one point in two classes: no minimum
def test_no_violation_means_a_minimum_and_only_that(problem):
    """The worst violation at a feasible x is zero if and only if x is a minimum [SVC-L1-CATS.P2] [MMST-11.6-smo]."""
    start = Vector(box.start(problem))
    paired = problem.E is not None
    try:
        least = enumeration.solve(problem).x
    except NoAnswer:
        assert box.violation(*wishes(problem, start), paired) > 0
        return
    assert box.violation(*wishes(problem, least), paired) == 0
    at_start = box.violation(*wishes(problem, start), paired)
    gain = quadratic.objective(problem, start) - quadratic.objective(problem, least)
    assert (at_start == 0) == (gain == 0)


@pytest.mark.parametrize("C", [Q(1, 10), Q(1, 4), Q(2, 5)])
def test_two_points_leave_the_intercept_an_interval(C):
    """At ±1 with C below one half both are at C, and every intercept in [−(1 − 2C), 1 − 2C] is optimal
    [SVC-L1-BIAS.P2]."""
    problem = machine([[1], [-1]], [1, 0], [C, C])
    x = Vector([C, -C])
    g = quadratic.gradient(problem, x)
    assert box.interval(problem, x, g) == (-(1 - 2 * C), 1 - 2 * C)
    assert box.intercept(problem, x, g) == 0


@given(problem=machines(per_class=(1, 3)))
def test_every_intercept_of_the_interval_is_optimal_and_no_other(problem):
    """The ends of the interval satisfy every condition with ==, what lies beyond them does not [SVC-L1-BIAS.P1]."""
    if problem.E is None:
        return
    try:
        x = enumeration.solve(problem).x
    except NoAnswer:
        return
    low, high = box.interval(problem, x, quadratic.gradient(problem, x))

    def worst(nu):
        answer = exact_data.answer(problem, x, Vector([nu]), None)
        return quadratic.certify(problem, answer).worst_violation

    for end, outward in ((low, -1), (high, 1)):
        if end is not None:
            assert worst(end) == 0 and worst(end + outward) > 0
    if low is not None and high is not None:
        assert low <= high


def test_an_interval_with_one_end_gives_that_and_one_without_gives_zero():
    """Where nothing bounds the intercept from above it is taken at its least value, and at zero where nothing does."""
    Z, c, ends = Matrix([[Q(1), Q(0)], [Q(0), Q(1)]]), Vector([Q(-1), Q(-3)]), (Q(0), Q(0))
    sums = Matrix([[Q(1), Q(1)]]), Vector([Q(0)])
    can_rise = Problem(Z, c, ends, (Q(1), Q(1)), *sums)
    assert box.intercept(can_rise, ends, c) == 3
    assert box.intercept(Problem(Z, c, ends, ends, *sums), ends, c) == 0


@given(data=st.data(), n=st.integers(1, 20), rows=st.integers(0, 19))
def test_combinations_are_sums_of_multiples(data, n, rows):
    """Eight rows at a time or one by one, the sum is the same."""
    numbers = st.lists(st.integers(-9, 9).map(Q), min_size=n, max_size=n)
    total, given_rows = data.draw(numbers), [data.draw(numbers) for _ in range(rows)]
    weights = [Q(k - 5, 3) for k in range(rows)]
    want = [t + sum((w * row[j] for w, row in zip(weights, given_rows)), Q(0)) for j, t in enumerate(total)]
    assert box_rows.combine(total, weights, given_rows) == want


class Row(list):
    """A row that can be looked for."""


@pytest.mark.parametrize("kinds", [1, 3, 200])
def test_of_many_rows_few_are_held_at_a_time(kinds):
    """Rows that a store has forgotten are not kept alive by the sum of them, however many weights there are."""
    known, most = [], []
    every = 8 if sys.implementation.name == "cpython" else 90  # elsewhere each search goes through all objects

    def rows():
        for k in range(200):
            row = Row([Q(k), Q(k * k % 7), Q(1)])
            known.append(weakref.ref(row))
            if k % every == 0:
                gc.collect(1)
                most.append(sum(there() is not None for there in known))
            yield row

    weights = [Q(k % kinds - 1, 3) for k in range(200)]
    found = box_rows.combine([Q(0)] * 3, weights, rows())
    assert max(most) <= 80
    assert found == [sum(map(mul, weights, column)) for column in zip(*rows())]


@given(A=semidefinite(4, 3), c=vectors(4), x=vectors(4), z=vectors(2))
def test_a_part_of_a_problem_differs_from_the_whole_by_a_constant(A, c, x, z):
    """Moving only the variables of a part changes its objective as much as that of the whole."""
    problem = Problem(A, c, (None,) * 4, (None,) * 4)
    places = [2, 0]
    part = box_rows.restrict(problem, places, x, quadratic.gradient(problem, x))
    moved = list(x)
    moved[2], moved[0] = z
    change = quadratic.objective(problem, Vector(moved)) - quadratic.objective(problem, x)
    assert quadratic.objective(part, z) - quadratic.objective(part, x.pick(places)) == change


@given(problem=machines(per_class=(1, 2)))
def test_the_answer_is_that_of_the_quadratic_room(problem):
    """The multipliers read off a gradient at hand are those computed afresh."""
    x = Vector(box.start(problem))
    answer = box.answer(problem, x, quadratic.gradient(problem, x), 7)
    assert answer == exact_data.answer(problem, x, answer.nu, None, 7)


@given(problem=machines(per_class=(1, 2)))
def test_a_state_that_lies_is_caught(problem):
    """The check refuses a wrong objective, a rising one, and a point outside the box or off the sum."""
    x = Vector(box.start(problem))
    value = quadratic.objective(problem, x)
    box.State(problem, x, value, value, Q(0)).check()
    outside = Vector([(b or Q(0)) + 1 if b is not None else v for v, b in zip(x, problem.upper)])
    lies = [(x, value + 1, value + 1), (x, value, value - 1)]
    if outside != x:
        lies.append((outside, quadratic.objective(problem, outside), quadratic.objective(problem, outside)))
    for point, objective, previous in lies:
        with pytest.raises(AssertionError):
            box.State(problem, point, objective, previous, Q(0)).check()


def test_no_float_enters():
    """Fractions that refuse every other number pass through the whole module."""
    problem = cast(machine([[1], [-1], [0]], [1, 0, 1], [Q(1)] * 3), STRICT.kind)
    x = Vector(box.start(problem))
    g = quadratic.gradient(problem, x)
    assert box.violation(*wishes(problem, x), True) == 2
    part = box_rows.restrict(problem, [0, 1], x, g)
    assert [v.value for v in box.answer(part, x[:2], quadratic.gradient(part, Vector(x[:2])), 0).x] == [0, 0]


def test_an_iteration_that_outlasts_its_budget_shows_where_it_stands():
    """NotConverged carries the point reached."""
    with pytest.raises(NotConverged) as refusal:
        smo.solve(machine([[1], [-1], [2], [-3]], [1, 0, 0, 1], [Q(1)] * 4), tol=Q(1, 10**6), max_steps=1)
    assert len(refusal.value.witness["x"]) == 4


def test_the_rows_of_one_place_are_rows_too():
    """A restriction to a single variable has a row and a diagonal of one entry."""
    part = box_rows.Restricted(Matrix([[Q(1), Q(2)], [Q(2), Q(5)]]), [1])
    assert (len(part), part.row(0), part.diagonal()) == (1, Vector([Q(5)]), Vector([Q(5)]))


@pytest.mark.parametrize("in_c", [True, False])
def test_rows_of_a_working_set_are_kept_once(monkeypatch, in_c):
    """The entries at the places, gathered once; in an array where loops are C's, as they are elsewhere."""
    monkeypatch.setattr(box_rows, "IN_C", in_c)
    kept = box_rows.Kept(Matrix([[4.0, 1.0, 2.0], [1.0, 5.0, 3.0], [2.0, 3.0, 6.0]]), [2, 0])
    assert list(kept.row(1)) == [2.0, 4.0] and kept.row(1) is kept.row(1)
    assert isinstance(kept.row(0), array) == in_c
