"""Bounds on dimension and error, and the choice of C by them."""

import math
from fractions import Fraction as Q
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear.matrix import Matrix
from refclass.margins import enclosing_ball
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.selection import bounds
from tests.margins.machines import plane, separable, solved
from tests.profiles import examples
from tests.strategies import fractions, positive

some = settings(max_examples=examples(8))


@given(positive, positive, positive)
def test_the_bound_on_the_dimension_rises_with_radius_and_norm(square, norm, more):
    """As printed it rises strictly, with the next integer it does not fall  [VC-MARGIN.P1] [ESL-12.50]."""
    least = bounds.printed_dimension(square, norm)
    assert least < bounds.printed_dimension(square + more, norm)
    assert least < bounds.printed_dimension(square, norm + more)
    for p in (None, 1, 3):
        assert bounds.dimension(square, norm, p) <= bounds.dimension(square + more, norm, p)
        assert bounds.dimension(square, norm, p) <= bounds.dimension(square, norm + more, p)
        assert p is None or bounds.dimension(square, norm, p) <= p + 1


def shattering(rows):
    """Return the least A² with which canonical hyperplanes reach every labelling; None if some labelling is not."""
    norms = []
    for y in product((-1, 1), repeat=len(rows)):
        if len(set(y)) == 1:
            continue  # Premise: β = 0, β0 = ±1
        try:
            m, t = solved(rows, list(y), C=None)
        except NoAnswer:
            return None
        norms.append(t.square)
        assert min(abs(v) for v in conditions_of(m, t)) == 1
    return max(norms, default=Q(0))


def conditions_of(m, t):
    """Return f at the points of a trained machine."""
    beta, beta0 = plane(m, t)
    return [x @ beta + beta0 for x in m.K.X]


@given(positive)
def test_two_points_on_a_line_refute_the_printed_bound(R):
    """±R are shattered with A = 1/R, by β = ±1/R, β0 = 0 and β = 0, β0 = ±1, though R²A² = 1; with ⌈R²A²⌉ + 1 there is
    module for both  [VC-MARGIN.P2] [ERR-ESL-12] [ESL-12.50] [RC-27]."""
    norm = 1 / (R * R)
    said = set()
    for beta, beta0 in ((1 / R, 0), (-1 / R, 0), (0, 1), (0, -1)):
        f = [beta * x + beta0 for x in (-R, R)]
        assert beta * beta <= norm and min(map(abs, f)) == 1
        said.add(tuple(v > 0 for v in f))
    assert len(said) == 4
    assert bounds.printed_dimension(R * R, norm) == 1 < 2 == bounds.dimension(R * R, norm, p=1)


@some
@given(st.lists(st.lists(fractions, min_size=2, max_size=2), min_size=2, max_size=3))
def test_points_that_are_shattered_are_no_more_than_the_bound(rows):
    """With A the norm that the hardest labelling needs and R from the smallest ball, m ≤ min(⌈R²A²⌉, p) + 1
    [VC-MARGIN.P2] [ESL-12.50] [RC-27]."""
    norm = shattering(rows)
    assume(norm is not None)
    X = Matrix(rows)
    square = enclosing_ball.solve(RATIONAL, X @ X.T).square
    assert len(rows) <= bounds.dimension(square, norm, p=2)


def test_the_integer_part_would_be_too_small():
    """Three points nearly of a regular triangle are shattered with 1 < R²A² < 2: the next integer is needed
    [ERR-ESL-12] [RC-27]."""
    rows = [[Q(0), Q(1)], [Q(13, 15), Q(-1, 2)], [Q(-13, 15), Q(-1, 2)]]
    norm, X = shattering(rows), Matrix(rows)
    printed = bounds.printed_dimension(enclosing_ball.solve(RATIONAL, X @ X.T).square, norm)
    assert 1 < printed < 2 and math.floor(printed) + 1 < 3 == bounds.dimension(printed, 1, p=2)


@given(positive, positive)
def test_the_norm_alone_excludes_no_rule(norm, share):
    """Divided by any number f gives the same rule, so that ‖β‖ ≤ A bounds nothing but for canonical f; of those the
    norm is that of f over its least value  [ERR-ESL-12]."""
    values = [Q(3), Q(-1, 2), Q(5)]
    canonical = bounds.canonical_norm(norm, values)
    assert canonical == 4 * norm == bounds.canonical_norm(norm * share**2, [v * share for v in values])
    with pytest.raises(NoAnswer):
        bounds.canonical_norm(norm, [Q(1), Q(0)])


def test_the_bound_on_the_error_in_numbers():
    """n = 1000, h = 10, η = 0.05: 0.2694608  [VC-ERROR.P1] [ESL-12.51] [M-X5]."""
    assert f"{bounds.error_bound(BINARY64, 1000, 10, 0.05).value:.7f}" == "0.2694608"


@given(st.integers(1, 5000), st.integers(1, 5000), st.integers(1, 400), st.floats(0.001, 0.9))
def test_the_bound_falls_with_observations_and_rises_with_dimension_and_confidence(n, more, h, eta):
    """Decreasing in n and η, increasing in h up to 2n, and no less beyond  [VC-ERROR.P2] [ESL-12.51]."""
    value = lambda *a: bounds.error_bound(BINARY64, *a).value  # noqa: E731
    assert h >= 2 * n or value(n + more, h, eta) < value(n, h, eta)
    assert value(n, h, eta / 2) > value(n, h, eta)
    assert value(n, h + 1, eta) >= value(n, h, eta) * (1 - 1e-12)
    assert h + 1 > 2 * n or value(n, h + 1, eta) > value(n, h, eta)


def test_a_bound_above_one_says_nothing():
    """It is flagged; beyond 2n the formula turns and would promise an error below zero, the bound does not
    [VC-ERROR.P3]."""
    assert not bounds.error_bound(BINARY64, 1000, 10, 0.05).vacuous
    for h in (100, 200, 400, 10**6):
        assert bounds.error_bound(BINARY64, 100, h, 0.05).vacuous
    assert 4 * (10**6 * (math.log(200 / 10**6) + 1) - math.log(0.0125)) / 100 < 0
    assert bounds.Bound(1.0, 1).vacuous and not bounds.Bound(0.999, 1).vacuous


@pytest.mark.parametrize(("n", "h", "eta"), [(0, 1, 0.1), (10, 0, 0.1), (10, 1, 0), (10, 1, 1.5)])
def test_what_has_no_bound_is_refused(n, h, eta):
    """No observations, no dimension, no confidence."""
    with pytest.raises(InvalidInput, match="bounds"):
        bounds.error_bound(BINARY64, n, h, eta)


def test_lengths_that_are_negative_are_refused():
    """R² and A² are squares; and a logarithm has no place among fractions."""
    with pytest.raises(InvalidInput):
        bounds.printed_dimension(Q(-1), Q(1))
    with pytest.raises(NotExact):
        bounds.error_bound(RATIONAL, 10, 3, Q(1, 20))


GRID = [Q(1, 10), Q(1), Q(10), Q(100)]


@some
@given(separable())
def test_the_norm_never_falls_as_the_cost_grows(case):
    """‖β̂(C)‖² along a grid of C  [RC-27]."""
    norms = [solved(*case, C=C)[1].square for C in GRID]
    assert norms == sorted(norms)


@some
@given(separable())
def test_the_cost_of_the_least_bound_is_chosen(case):
    """Of the machines without training errors one of the least bound is taken, at the least C; its rules are canonical
    [SRM-C.P1] [ESL-12.3.8-srm] [ESL-12.51] [RC-27]."""
    X, y = case
    grid = [*GRID, Q(10**6)]
    trained = [solved(X, y, C=C) for C in grid]
    errors = [sum(t * v <= 0 for t, v in zip(y, conditions_of(*one))) for one in trained]
    least = [min(map(abs, conditions_of(*one))) for one in trained]
    candidates = [bounds.Candidate(C, t.square, e, v) for C, (_, t), e, v in zip(grid, trained, errors, least)]
    assume(0 in errors)
    K = Matrix([[Q(v) for v in x] for x in X])
    square = enclosing_ball.solve(RATIONAL, K @ K.T).square
    best, known = bounds.choose(BINARY64, candidates[::-1], square, len(y), 0.05, p=2)
    assert [b is None for b in known[::-1]] == [e > 0 for e in errors]
    values = {c.cost: b.value for c, b in zip(candidates[::-1], known) if b is not None}
    assert values[best.cost] == min(values.values())
    assert best.cost == min(C for C, v in values.items() if v == values[best.cost])
    for C, (_, t), e, v in zip(grid, trained, errors, least):
        if not e:
            h = bounds.dimension(square, t.square / (v * v), p=2)
            assert values[C] == bounds.error_bound(BINARY64, len(y), h, 0.05).value


def test_a_small_norm_of_small_values_promises_nothing():
    """f/1000 has a millionth of the norm and is the same rule: its bound is that of f, not a smaller one  [RC-27]."""
    f = bounds.Candidate(1, Q(4), 0, Q(1))
    small = bounds.Candidate(2, Q(4, 10**6), 0, Q(1, 1000))
    best, known = bounds.choose(BINARY64, [f, small], Q(100), 10**5, 0.05)
    assert best == f and known[0] == known[1] and known[0].dimension == 401


def test_the_norm_of_canonical_rules_may_fall_as_the_cost_grows():
    """‖β‖ rises with C, but ‖β‖ over the least |f| falls here: the least C without errors is not the best [RC-27]."""
    costs = [Q(1, 100), Q(100)]
    X, y = [[Q(-3)], [Q(-1)], [Q(1)], [Q(4)]], [-1, -1, 1, 1]
    trained = [solved(X, y, C=C) for C in costs]
    values = [conditions_of(*one) for one in trained]
    assert all(t * v > 0 for f in values for t, v in zip(y, f))
    norms = [t.square for _, t in trained]
    assert norms[0] < norms[1]
    canonical = [bounds.canonical_norm(v, f) for v, f in zip(norms, values)]
    assert canonical[0] > canonical[1]


def test_machines_that_all_err_are_refused():
    """The bound holds for rules that separate."""
    with pytest.raises(NoAnswer, match="without training errors"):
        bounds.choose(BINARY64, [bounds.Candidate(1, Q(1), 2, Q(1))], Q(1), 10, 0.05)


def test_a_ball_or_a_norm_of_zero_has_the_dimension_zero_as_printed():
    """R² = 0 and A² = 0 are no mistakes; numbers below zero are, each by itself  [ESL-12.50]."""
    assert bounds.printed_dimension(Q(0), Q(4)) == bounds.printed_dimension(Q(4), Q(0)) == 0
    for square, norm in ((Q(-1), Q(1)), (Q(1), Q(-1))):
        with pytest.raises(InvalidInput, match="R² ≥ 0 and A² ≥ 0"):
            bounds.printed_dimension(square, norm)


def test_a_dimension_above_twice_the_observations_counts_as_that():
    """The bound of h = 25 is that of h = 20 where n = 10, and above that of h = 19  [ESL-12.51]."""
    most, beyond, below = (bounds.error_bound(BINARY64, 10, h, 0.05).value for h in (20, 25, 19))
    assert beyond == most > below


def test_where_every_machine_errs_the_fewest_errors_are_told():
    """Of machines with 3 and with 2 training errors none has a bound; the refusal names 2  [ESL-12.3.8-srm]."""
    all_err = [bounds.Candidate(1, Q(1), errors, Q(0)) for errors in (3, 2)]
    with pytest.raises(NoAnswer, match="got 2"):
        bounds.choose(BINARY64, all_err, Q(1), 10, 0.05)


def test_a_confidence_of_nothing_is_allowed():
    """η = 1 says nothing, and is a probability; beyond it there is none."""
    assert bounds.error_bound(BINARY64, 1000, 10, 1).value < bounds.error_bound(BINARY64, 1000, 10, 0.5).value
    with pytest.raises(InvalidInput):
        bounds.error_bound(BINARY64, 1000, 10, 1.5)
