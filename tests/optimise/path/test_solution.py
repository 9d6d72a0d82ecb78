import math
import random
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.path import path_state
from refclass.optimise.path import solution as path
from refclass.optimise.path.residuals import ELBOW, LEFT, RIGHT
from refclass.report.figures.geometry import POINTS
from tests.numbers import STRICT
from tests.optimise.paths import inquiries, linear, narrow, problem, problems, violation


@given(problems())
def test_every_solution_satisfies_the_conditions_of_optimality_exactly(case):
    """Above, at, between and below the break points, also at both ends of the intercept's interval
    [ESL-12.3.5-sets] [ESL-12.33] [OPT-PATH.P2]."""
    found = path.solve(case)
    for lam in inquiries(found):
        at = found.at(lam)
        for alpha0 in {at.alpha0, *at.interval}:
            assert violation(case, lam, at.alpha, alpha0) <= 0


@given(problems())
@example(problem([[-2], [-1], [1], [3], [0], [2]], [0, 0, 0, 1, 1, 1]))  # several break points
def test_at_every_break_point_sets_and_margins_agree(case):
    """Left, elbow and right are inside, on and beyond the band, just above and just below [ESL-12.3.5-sets]."""
    before = None
    for state in path.steps(case):
        state.check()
        assert before is None or (state.lam < before.lam and state.above == before.below)
        before = state


@given(problems(kind=float))
def test_in_doubles_the_conditions_hold_up_to_roundoff(case):
    """The same in floats, to 1e-9 [OPT-PATH.P2]."""
    found = path.solve(case)
    for state in found.states:
        state.check()
    for lam in inquiries(found):
        at = found.at(lam)
        assert violation(case, lam, at.alpha, at.alpha0) <= 1e-9


@given(problems())
def test_doubles_and_fractions_see_the_same_events(case):
    """Same number and order of events, the same λ to ten digits [OPT-PATH.P1]."""
    rounded = path_state.Problem(Matrix([list(map(float, row)) for row in case.K]), Vector(map(float, case.y)))
    exact, floats = path.solve(case).states, path.solve(rounded).states
    assert [s.events for s in exact] == [s.events for s in floats]
    assert all(abs(a.lam - Fraction(b.lam)) <= a.lam / 10**10 for a, b in zip(exact, floats))


@given(problems())
def test_multipliers_and_intercept_are_linear_between_break_points(case):
    """At the middle of a segment α is the mean of its values at thirds, and so is α₀ where it is unique, and it joins
    the break points continuously [OPT-PATH.P1] [ESL-12.3.5-path]."""
    found = path.solve(case)
    for above, below in zip(found.states, found.states[1:]):
        third = (above.lam - below.lam) / 3
        ends, inner = [above, below], [found.at(above.lam - third), found.at(below.lam + third)]
        assert ends[0].alpha + ends[1].alpha == inner[0].alpha + inner[1].alpha
        assert 2 * inner[0].alpha - inner[1].alpha == above.alpha
        if ELBOW in above.below:
            assert 2 * inner[0].alpha0 - inner[1].alpha0 == above.alpha0


@given(problems(), st.randoms(use_true_random=False))
def test_permuting_the_points_permutes_the_path(case, chance):
    """Also where the multipliers are not unique: the slopes of least norm are [OPT-PATH.P2]."""
    order = list(range(len(case.y)))
    chance.shuffle(order)
    turned = path_state.Problem(case.K.block(order, order), case.y.pick(order))
    plain, permuted = path.solve(case).states, path.solve(turned).states
    assert [s.lam for s in plain] == [s.lam for s in permuted]
    for a, b in zip(plain, permuted):
        assert a.alpha.pick(order) == b.alpha
        assert {(e.kind, e.row) for e in a.events} == {(e.kind, order[e.row]) for e in b.events}


@given(problems())
def test_equal_points_of_equal_label_move_together(case):
    """Duplicates share their multiplier at the elbow [OPT-PATH.P2]."""
    twins = [
        (i, j)
        for i in range(len(case.y))
        for j in range(i)
        if case.y[i] == case.y[j] and case.K[i] == case.K[j] and case.K[i][i] == case.K[i][j]
    ]
    for state in path.solve(case).states:
        assert all(state.alpha[i] == state.alpha[j] for i, j in twins)


@given(problems())
def test_turning_the_labels_keeps_the_multipliers(case):
    """y → −y leaves every λ and α and turns α₀ [SVC-L1.P3]."""
    turned = path_state.Problem(case.K, -case.y)
    for a, b in zip(path.solve(case).states, path.solve(turned).states):
        assert (a.lam, a.alpha, a.alpha0) == (b.lam, b.alpha, -b.alpha0)


@given(problems())
def test_the_norm_grows_and_the_slack_falls_along_the_path(case):
    """As λ falls ‖f‖ does not fall and Σξ does not rise [SVC-C-LIMITS.P3] [SVC-BUDGET.P2]."""
    before = None
    for state in path.solve(case).states:
        signed = state.alpha.times(case.y)
        norm = signed @ (case.K @ signed) / state.lam**2
        slack = sum(max(1 - m, Fraction(0)) for m in state.margins())
        assert before is None or (norm >= before[0] and slack <= before[1])
        before = norm, slack


def test_two_points_leave_the_start_at_two():
    """x = ±1: one break point, λ = 2; above it β = 2/λ and β₀ is free, below it β = 1 [M-X1]."""
    case = problem([[1], [-1]], [1, 0])
    found = path.solve(case)
    assert [(s.lam, s.alpha0, s.events) for s in found.states] == [(2, 0, (("from_left", 0), ("from_left", 1)))]
    above, below = found.at(Fraction(5)), found.at(Fraction(1, 3))
    assert above.alpha == (1, 1) and above.interval == (-3, 3)  # β₀ within 1 − 2C = 3/5 of zero, times λ
    assert below.alpha == (Fraction(1, 6), Fraction(1, 6)) and below.interval == (0, 0)


def test_balanced_classes_start_with_every_point_at_its_bound():
    """n₊ = n₋: above the first break point every α is 1 [ESL-12.3.5-path] [SVC-C-LIMITS.P2]."""
    found = path.solve(problem([[2, 1], [0, 1], [-1, 2], [1, -1]], [1, 1, 0, 0]))
    assert set(found.start) == {1} and found.head is None


def test_unbalanced_classes_do_not_start_with_every_point_at_its_bound():
    """n₊ ≠ n₋: Σ αᵢyᵢ = 0 forbids α = 1 for all; the majority shares n₋, some of it at the elbow, and β₀ → ±1
    [ERR-ESL-04] [SVC-C-LIMITS.P2]."""
    case = problem([[2, 1], [0, 1], [-1, 2], [3, 0], [-2, -2]], [1, 1, 1, 1, 0], narrow)
    found = path.solve(case)
    far = found.at(Fraction(10**6))
    assert sum(case.y) != 0 and found.start[4] == 1 and sum(found.start[:4]) == 1
    assert any(0 < a < 1 for a in far.alpha) and abs(far.alpha0 / far.lam - 1) < Fraction(1, 10**5)


def test_the_unbalanced_start_has_the_least_norm():
    """No other share of the majority gives a shorter β: checked against every vertex and midpoint [ERR-ESL-04]."""
    case = problem([[2, 1], [0, 1], [-1, 2], [-2, -2]], [1, 1, 1, 0], narrow)

    def norm(alpha):
        signed = Vector(alpha).times(case.y)
        return signed @ (case.K @ signed)

    corners = [[Fraction(int(i == j)) for j in range(3)] + [Fraction(1)] for i in range(3)]
    others = corners + [[(a + b) / 2 for a, b in zip(u, v)] for u in corners for v in corners]
    assert all(norm(path.solve(case).start) <= norm(other) for other in others)


def test_without_the_intercept_the_margins_would_not_fit():
    """(12.34) as printed lacks α₀: a point at the elbow then has yf ≠ 1 [ERR-ESL-05] [ESL-12.34]."""
    case = problem([[1], [3], [0]], [1, 1, 0])
    state = path.solve(case).states[-1]
    i = state.below.index(ELBOW)
    printed = case.y[i] * (case.K[i] @ state.alpha.times(case.y)) / state.lam
    assert state.margins()[i] == 1 and printed != 1


def test_the_sets_of_the_small_example_keep_their_books():
    """Twelve points with the sets of figure 12.7 at λ = ½: Σ αᵢyᵢ = 0 leaves α₇ = α₂ + α₆
    [OPT-PATH.P3] [M-ESL-F12.7] [ESL-12.3.5-sets]."""
    case = problem(POINTS, [0] * 6 + [1] * 6)
    found = path.solve(case)
    sides = next(s for s in reversed(found.states) if s.lam > Fraction(1, 2)).below
    assert [i + 1 for i, s in enumerate(sides) if s == ELBOW] == [2, 6, 7]
    assert [i + 1 for i, s in enumerate(sides) if s == LEFT] == [3, 5, 10, 12]
    assert [i + 1 for i, s in enumerate(sides) if s == RIGHT] == [1, 4, 8, 9, 11]
    alpha = found.at(Fraction(1, 2)).alpha
    assert alpha[6] == alpha[1] + alpha[5]


def test_several_events_happen_at_one_break_point():
    """A square of alternating corners is symmetric: all four points arrive, and leave, at once [OPT-PATH.P1]."""
    corners = [[1, 1], [-1, -1], [1, -1], [-1, 1]]
    found = path.solve(problem(corners, [1, 1, 0, 0], narrow))
    assert [sorted({e.kind for e in s.events}) for s in found.states] == [["from_left"]]
    assert len(found.states[0].events) == 4


def test_more_points_on_the_edge_than_dimensions_make_no_trouble():
    """Three collinear points of a class and three of the other on the line: the elbow's equations are singular, the
    multipliers of least norm follow [OPT-PATH.P2]."""
    case = problem([[0, 1], [1, 1], [2, 1], [0, 0], [1, 0], [2, 0]], [1, 1, 1, 0, 0, 0])
    found = path.solve(case)
    assert found.states[-1].below.count(ELBOW) == 6
    assert all(violation(case, lam, found.at(lam).alpha, found.at(lam).alpha0) <= 0 for lam in inquiries(found))


def test_classes_that_cannot_be_separated_have_a_path_without_break_points():
    """The same point in both classes: f is constant for every λ, and β₀ anything in [−1, 1] [OPT-PATH.P2]."""
    found = path.solve(problem([[1, 2], [1, 2]], [1, 0]))
    at = found.at(Fraction(7))
    assert found.states == () and at.alpha == (1, 1) and at.interval == (-7, 7)


def test_separable_classes_end_in_the_hard_margin():
    """Once no point is left inside, α/λ stands still: the hard margin's multipliers [SVC-C-LIMITS.P1]."""
    found = path.solve(problem([[0], [1], [3], [5]], [0, 0, 1, 1]))
    last = found.states[-1].lam
    assert LEFT not in found.states[-1].below
    assert {found.at(last / k).alpha / (last / k) for k in (1, 2, 9)} == {
        Vector([Fraction(v, 2) for v in (0, 1, 1, 0)])
    }


def test_strict_numbers_run_along_the_path():
    """No float enters an exact path [ESL-12.3.5-path]."""
    one = STRICT.lift(1)
    K = Matrix([[STRICT.lift(linear(x, z)) for z in ([1], [3], [0])] for x in ([1], [3], [0])])
    found = path.solve(path_state.Problem(K, Vector([one, one, -one])))
    assert found.states and all(type(s.lam) is STRICT.kind for s in found.states)


@pytest.mark.parametrize("y, complaint", [([1.0], "2 labels"), ([1.0, 1.0], "both"), ([1.0, 2.0], "labels 1 and")])
def test_what_does_not_fit_is_refused(y, complaint):
    """Labels are checked on entry [OPT-PATH.P2]."""
    with pytest.raises(InvalidInput, match=complaint):
        path_state.Problem(Matrix([[1.0, 0.0], [0.0, 1.0]]), Vector(y))


def test_a_lambda_that_is_not_positive_is_refused():
    """There is a machine for λ > 0 only [ESL-12.25]."""
    with pytest.raises(InvalidInput, match="λ > 0"):
        path.solve(problem([[1], [-1]], [1, 0])).at(Fraction(0))


def test_on_scattered_points_no_event_is_lost_or_invented_by_roundoff():
    """Forty points with three decimals: the same events in floats and fractions, in the same order [OPT-PATH.P1]."""
    chance = random.Random(5)
    X = [[Fraction(round(1000 * chance.gauss(k % 2, 1)), 1000) for _ in range(2)] for k in range(40)]
    case = problem(X, [k % 2 for k in range(40)])
    rounded = path_state.Problem(Matrix([list(map(float, row)) for row in case.K]), Vector(map(float, case.y)))
    exact, floats = path.solve(case).states, path.solve(rounded).states
    assert len(exact) > 30 and [s.events for s in exact] == [s.events for s in floats]


@pytest.mark.parametrize("seed", range(4))
def test_the_multipliers_balance_to_the_last_digit_however_large_the_slopes_were(seed):
    """Σ αᵢyᵢ = 0 to 2n units of roundoff, where edges of points close to each other made slopes of 10⁸ on the way
    [ESL-12.10]."""
    rng = random.Random(seed)
    X, labels = zip(*[((rng.gauss(0, 1),), rng.random() < 0.5) for _ in range(40)])
    case = problem(X, labels, lambda x, z: math.exp(-10 * (x[0] - z[0]) ** 2), float)
    for state in path.solve(case).states:
        assert abs(math.fsum(a * t for a, t in zip(state.alpha, case.y))) <= 2 * len(X) * 2.0**-52


@pytest.mark.parametrize("seed", [0, 1, 8, 11])
def test_on_columns_of_all_sizes_doubles_find_the_start(seed):
    """A column a thousand times as large, one class in the midst of the other: the break points are those of fractions,
    often none, and the start has as small a norm [ERR-ESL-04]."""
    rng = random.Random(seed)
    X = [[1000 * round(rng.gauss(0, 1), 2), round(rng.gauss(0, 1), 2)] for _ in range(16)]
    labels = [k < 4 for k in range(16)]
    exact = path.solve(problem([list(map(Fraction, x)) for x in X], labels))
    case = problem(X, labels, kind=float)
    found = path.solve(case)
    assert [s.events for s in found.states] == [s.events for s in exact.states]
    pull = case.K @ found.start.times(case.y)
    least = exact.problem.K @ exact.start.times(exact.problem.y)
    assert abs(found.start.times(case.y) @ pull - exact.start.times(exact.problem.y) @ least) <= 1e-9 * case.K.largest()


def test_a_fall_as_long_as_twice_the_level_ends():
    """Three points of the majority share what the minority has, in floats by thirds: the start is found
    [ERR-ESL-04]."""
    case = problem([[0], [0], [0], [3], [4]], [1, 1, 1, 1, 0], narrow, kind=float)
    found = path.solve(case)
    assert abs(sum(found.start[:4]) - 1) <= 1e-12 and found.start[4] == 1


def test_where_roundoff_hides_the_path_it_says_so():
    """A Gaussian kernel so wide that its points are nearly one: what is seen of the path is right, and the rest is
    refused [ESL-12.3.5-path]."""
    chance = random.Random(2)
    X = [[chance.gauss(0, 1) + 1.5 * (i % 2), chance.gauss(0, 1)] for i in range(60)]
    rows = [[math.exp(-0.02 * math.dist(x, z) ** 2) for z in X] for x in X]
    case = path_state.Problem(Matrix(rows), Vector([1.0 - 2 * (i % 2) for i in range(60)]))
    found = path.solve(case)
    assert 0 < found.least < found.states[-1].lam * (1 + 1e-9)
    assert all(violation(case, s.lam, s.alpha, s.alpha0) <= 1e-9 for s in found.states)
    with pytest.raises(NotConverged, match="below which it is not known"):
        found.at(found.least / 2)
