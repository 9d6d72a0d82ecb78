"""The optimality conditions as checks, on the closed-form machine of two points and on any small problem."""

from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.margins import conditions, soft
from tests.margins.machines import balanced, machine, machines


@st.composite
def walked(draw):
    """A machine with feasible multipliers."""
    m = draw(machines())
    return m, draw(balanced(m))


@given(walked())
def test_the_support_vectors_alone_carry_the_weights(case):
    """Σ over all points and Σ over α > 0 agree  [SVC-EXPAND.P1] [ESL-12.17] [MMST-11.25] [MMST-11.50]."""
    m, alpha = case
    assert conditions.weights(alpha, m.y, m.K.X) == conditions.weights_of_support(alpha, m.y, m.K.X)


@given(walked())
def test_primal_and_dual_evaluation_agree(case):
    """Σ αᵢyᵢ⟨xᵢ, x⟩ + β₀ is xᵀβ + β₀  [SVC-EXPAND.P1] [KIM-3.48] [ERR-KIM-15] [ESL-12.20]."""
    m, alpha = case
    beta = conditions.weights(alpha, m.y, m.K.X)
    assert soft.decision_values(m, alpha, Q(3)) == Vector([x @ beta + 3 for x in m.K.X])


@given(walked())
def test_no_multiplier_speaks_louder_than_its_cost_times_the_kernel(case):
    """|αᵢyᵢK(xᵢ, x)| ≤ C|K(xᵢ, x)|, and not ≤ C  [SVC-EXPAND.P2] [SVC-OUTLIER-CAP.P2] [ERR-KIM-16]."""
    m, alpha = case
    for i, a in enumerate(alpha):
        for v in m.K.row(i):
            assert abs(a * m.y[i] * v) <= m.costs[i] * abs(v)


def test_a_multiplier_below_one_can_speak_louder_than_its_cost():
    """α = C = 1/4 and K = 16 contribute 4 > C  [ERR-KIM-16]."""
    m = machine([[4], [-4]], [1, -1], Q(1, 32))
    assert m.costs[0] * m.K.row(0)[0] > m.costs[0]


OPTIMUM = machine([[1], [-1], [3]], [1, -1, 1], 1), Vector([Q(1, 2), Q(1, 2), Q(0)])


def test_every_condition_holds_at_the_optimum_of_two_points():
    """All residuals are 0 at α = (½, ½, 0), β₀ = 0  [SVC-L1-KKT.P1] [ESL-12.16] [MMST-11.42] [KIM-3.40] [KIM-3.41]."""
    m, alpha = OPTIMUM
    f = soft.decision_values(m, alpha, Q(0))
    xi = conditions.slacks(f, m.y)
    assert set(conditions.residuals(alpha, xi, f, m.y, m.costs).values()) == {0}
    assert conditions.balance(alpha, m.y) == 0


@given(walked())
def test_multipliers_that_are_not_optimal_break_a_condition(case):
    """Some β₀ makes all residuals vanish if and only if primal equals dual  [SVC-L1-KKT.P2] [SVC-L1-CATS.P2]."""
    m, alpha = case
    try:
        beta0 = soft.intercept_interval(m, alpha)[0]
    except InvalidInput:
        return
    f = soft.decision_values(m, alpha, beta0)
    xi = conditions.slacks(f, m.y)
    broken = any(conditions.residuals(alpha, xi, f, m.y, m.costs).values())
    values = soft.decision_values(m, alpha, Q(0))
    square = sum(a * t * v for a, t, v in zip(alpha, m.y, values))
    gap = soft.primal_objective(square, f, m.y, m.costs) - (alpha.sum() - square / 2)
    assert broken == (gap != 0)


def test_the_three_categories_and_their_margins():
    """The margin fits the multiplier at an optimum  [SVC-L1-CATS.P1] [ISML-27.3-categories] [KIM-3.3-categories]."""
    m, alpha = OPTIMUM
    f = soft.decision_values(m, alpha, Q(0))
    kinds = [conditions.category(a, c) for a, c in zip(alpha, m.costs)]
    assert kinds == ["free", "free", "none"]
    assert all(conditions.agrees(k, t * v) for k, t, v in zip(kinds, m.y, f))
    assert conditions.category(Q(1), Q(1)) == "bounded" and not conditions.agrees("bounded", Q(2))
    assert not conditions.agrees("free", Q(2)) and not conditions.agrees("none", Q(1, 2))


def test_a_bounded_support_vector_may_have_no_slack():
    """α = C with yf = 1 and ξ = 0 satisfies every condition: x = ±1, C = ½  [ERR-YANG-20] [KIM-3.47]."""
    m = machine([[1], [-1]], [1, -1], Q(1, 2))
    alpha = Vector([Q(1, 2), Q(1, 2)])
    f = soft.decision_values(m, alpha, Q(0))
    xi = conditions.slacks(f, m.y)
    assert set(conditions.residuals(alpha, xi, f, m.y, m.costs).values()) == {0} and not any(xi)


def test_every_free_point_gives_the_same_intercept():
    """y − Σ αyK is 0 at both free points, and so is the average  [SVC-L1-BIAS.P1] [ISML-27.4] [KIM-3.49] [KIM-3.74]."""
    m, alpha = OPTIMUM
    each = conditions.intercepts(alpha, m.y, soft.decision_values(m, alpha, Q(0)), m.costs)
    assert each == [0, 0] and conditions.average(each) == 0
    assert conditions.average([]) is None


def test_a_multiplier_outside_the_box_is_refused():
    """A negative multiplier belongs to no category  [KIM-3.42]."""
    with pytest.raises(InvalidInput, match="0 ≤ alpha ≤ C; got -1"):
        conditions.category(Q(-1), Q(1))


def test_slack_above_one_is_an_error_and_slack_of_one_a_tie():
    """ξ > 1 ⇔ yf < 0; ξ = 1 lies on the boundary  [SLACK-BOUND.P2] [ERR-KIM-17] [ERR-YANG-02] [ESL-12.2-errors]."""
    f, y = Vector([Q(-1, 2), Q(0), Q(1, 2)]), Vector([Q(1)] * 3)
    assert conditions.slacks(f, y) == Vector([Q(3, 2), Q(1), Q(1, 2)])
    assert [s > 1 for s in conditions.slacks(f, y)] == [t * v < 0 for t, v in zip(y, f)]
