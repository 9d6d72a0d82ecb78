"""Slack in actual distance: the soft margin solves it, too."""

from fractions import Fraction
from math import cos, fsum, inf, pi, sin
from random import Random

import pytest

from refclass import SVC, ActualDistanceSVC
from refclass.errors import InvalidInput, NoAnswer, NotExact

r = Random(7)
X = [[r.gauss(k, 1.2), r.gauss(-k, 1)] for k in (0, 2) for _ in range(15)]
Y = [-1] * 15 + [1] * 15


def largest_margin(u, budget):
    """The largest M for a direction: for each offset Σ [M − yᵢ(xᵢᵀu + u₀)]₊ = B has one solution."""
    z = [sum(a * b for a, b in zip(row, u)) for row in X]

    def margin(u0):
        values = sorted(y * (v + u0) for v, y in zip(z, Y))
        total = 0.0
        for k, v in enumerate(values):  # M between values k − 1 and k leaves k terms
            if k and k * v - total >= budget:
                return (budget + total) / k
            total += v
        return (budget + total) / len(values)

    share, low, high = (5**0.5 - 1) / 2, -20.0, 20.0  # M is concave in the offset: golden sections
    a, b = high - share * (high - low), low + share * (high - low)
    at_a, at_b = margin(a), margin(b)
    for _ in range(75):  # to 40 × 0.618⁷⁵, 10⁻¹⁴
        if at_a < at_b:
            low, a, at_a = a, b, at_b
            b = low + share * (high - low)
            at_b = margin(b)
        else:
            high, b, at_b = b, a, at_a
            a = high - share * (high - low)
            at_a = margin(a)
    return margin((low + high) / 2)


@pytest.mark.parametrize("budget", [10, pytest.param(20, marks=pytest.mark.slow)])
def test_no_direction_has_a_larger_margin(budget):
    """Over 500 directions of the plane none has a larger M within the budget; the one found has it to nine digits
    [ESL-12.5] [RC-31] [SVC-ABS.P1]."""
    m = ActualDistanceSVC(budget=budget).fit(X, Y)
    assert m.budget_ == pytest.approx(budget, rel=1e-11) and m.certificate_.status == "optimal"
    directions = [(cos(2 * pi * k / 500), sin(2 * pi * k / 500)) for k in range(500)]
    assert max(largest_margin(u, m.budget_) for u in directions) <= m.distance_ * (1 + 1e-9)
    assert largest_margin(m.coef_[0], m.budget_) == pytest.approx(m.distance_, rel=1e-9)


def test_the_constraints_hold():
    """A unit normal, yᵢ(xᵢᵀu + u₀) ≥ M − ξᵢ, ξᵢ ≥ 0  [ESL-12.5] [YANG-nonseparable-case]."""
    m = ActualDistanceSVC(budget=12).fit(X, Y)
    assert fsum(v * v for v in m.coef_[0]) == pytest.approx(1, rel=1e-15)
    assert all(y * d >= m.distance_ - s - 1e-12 and s >= 0 for y, d, s in zip(Y, m.decision_function(X), m.slack_))


@pytest.mark.slow
def test_the_budget_falls_as_the_cost_grows():
    """Each soft margin has a budget of its own, smaller at a larger cost  [RC-31]."""
    costs = [ActualDistanceSVC(budget=b).fit(X, Y).cost_ for b in (8, 10, 15, 30)]
    assert costs == sorted(costs, reverse=True)


def test_no_budget_is_the_hard_margin():
    """Separable points, B = 0: the hard margin divided by its norm  [ESL-12.5] [ESL-12.3]."""
    apart = [[a + 9 * (y > 0), b] for (a, b), y in zip(X, Y)]
    m, hard = ActualDistanceSVC(budget=0).fit(apart, Y), SVC(C=inf).fit(apart, Y)
    assert m.distance_ == pytest.approx(hard.margin_, rel=1e-12)


@pytest.mark.parametrize(
    ("change", "kind", "line"),
    [
        ({"budget": 1e-3}, NoAnswer, "need a budget that some soft margin has"),
        ({"budget": -1}, InvalidInput, "actual_distance: need budget a finite number ≥ 0; got -1"),
        ({"arithmetic": "exact"}, NotExact, "rational"),
    ],
)
def test_what_cannot_be_is_refused(change, kind, line):
    """Budgets below those of the soft margins, and arithmetics without roots  [ESL-12.5]."""
    with pytest.raises(kind) as refusal:
        ActualDistanceSVC(**change).fit(X, [1, *Y[1:]])
    assert line in str(refusal.value)


@pytest.mark.parametrize(
    ("rows", "labels", "budget"),
    [
        ([[0.0], [1e-9], [2e-9], [1.0]], [0, 1, 0, 1], 1e6),  # a cost far below those of the points' extent
        ([[1e12, 0.5], [-0.4, 0.2], [0.1, 1.4]], [1, 0, 0], 1e-6),  # slack that is roundoff of the values
        ([[1e6], [1e6 + 1], [1e6 + 3], [1e6 + 4]], [0, 0, 1, 1], 1e-6),
    ],
)
def test_a_budget_is_met_to_twelve_digits_where_doubles_do_not_tell_costs_apart(rows, labels, budget):
    """The rest of the way is gone in fractions; the constraints hold there."""
    m = ActualDistanceSVC(budget=budget).fit(rows, labels)
    assert m.budget_ == pytest.approx(budget, rel=1e-12) and fsum(m.slack_) == pytest.approx(budget, rel=1e-12)
    assert m.certificate_.digits >= 9 and isinstance(m.cost_, float)


@pytest.mark.parametrize("unit", [5e-320, 1e-309])
def test_margins_beyond_doubles_are_refused(unit):
    """The margin of points that reach 10⁻³¹⁹ at C = 1 is 10³¹⁸: it was "inf", β₀ 0, and the proof said optimal."""
    x = [[-5 * unit], [6 * unit], [12 * unit], [-6 * unit]]
    with pytest.raises(NotExact, match="within the range of doubles"):
        ActualDistanceSVC().fit(x, [0, 1, 0, 1])
    m = ActualDistanceSVC(arithmetic="decimal:20").fit(x, [0, 1, 0, 1])
    assert m.distance_ > 10**308 and m.intercept_[0] != 0


def test_margins_below_the_normal_doubles_are_refused():
    """So few digits of M are held that nothing is left to be proven."""
    with pytest.raises(NotExact, match="normal doubles"):
        ActualDistanceSVC(budget=0).fit([[0], [1e-310]], [0, 1])


def test_the_offset_of_small_coefficients_is_kept():
    """β₀ is below the doubles, β₀/‖β‖ is not."""
    x = [[-2.5e-200], [3e-200], [6e-200], [-3e-200]]
    m = ActualDistanceSVC(C=1e-20).fit(x, [0, 1, 0, 1])
    exact = ActualDistanceSVC(C=Fraction(1, 10**20), arithmetic="exact").fit(x, [0, 1, 0, 1])
    assert m.intercept_[0] == pytest.approx(float(exact.intercept_[0]), rel=1e-12, abs=0)


@pytest.mark.parametrize("unit", [1e-155, 1e150])
def test_budgets_whose_costs_are_beyond_doubles_are_refused(unit):
    """2**b was an OverflowError, or C = 0."""
    with pytest.raises(NotExact, match="scale the columns"):
        ActualDistanceSVC(budget=6 * unit).fit([[0], [unit], [3 * unit], [2 * unit]], [0, 0, 0, 1])
