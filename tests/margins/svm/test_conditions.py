"""The optimality conditions as checks, on the closed-form machine of two points and on any small problem."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import conditions, fit, hard, soft
from refclass.margins.svm.geometry import hyperplane
from refclass.number.rational import RATIONAL
from tests.margins.machines import balanced, hard_lagrangian, hard_residuals, machine, machines, separable, solved
from tests.profiles import examples
from tests.strategies import fractions, positive, vectors

few = settings(max_examples=examples(20))


@st.composite
def fitted_by_steps(draw):
    """A machine with feasible multipliers."""
    m = draw(machines())
    return m, draw(balanced(m))


@given(fitted_by_steps())
def test_the_support_vectors_alone_carry_the_weights(case):
    """Σ over all points and Σ over α > 0 agree  [SVC-EXPAND.P1] [ESL-12.17] [MMST-11.25] [MMST-11.50]."""
    m, alpha = case
    assert conditions.weights(alpha, m.y, m.K.X) == conditions.weights_of_support(alpha, m.y, m.K.X)


@given(fitted_by_steps())
def test_primal_and_dual_evaluation_agree(case):
    """Σ αᵢyᵢ⟨xᵢ, x⟩ + β₀ is xᵀβ + β₀  [SVC-EXPAND.P1] [KIM-3.48] [ERR-KIM-15] [ESL-12.20]."""
    m, alpha = case
    beta = conditions.weights(alpha, m.y, m.K.X)
    assert soft.decision_values(m, alpha, Q(3)) == Vector([x @ beta + 3 for x in m.K.X])


@given(fitted_by_steps())
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


@given(fitted_by_steps())
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


@st.composite
def anywhere(draw):
    """A machine with any multipliers, plane and slacks: nothing is optimal or feasible."""
    m = draw(machines())
    n, p = len(m.y), len(m.K.X[0])
    return m, draw(vectors(n)), draw(vectors(n)), draw(vectors(p)), draw(fractions), draw(vectors(n))


def lagrangian(m, alpha, mu, beta, beta0, xi):
    f = Vector([x @ beta + beta0 for x in m.K.X])
    return soft.lagrangian(beta @ beta, f, xi, alpha, mu, m.y, m.costs)


@given(anywhere())
def test_the_derivatives_of_the_lagrangian_are_its_differences(case):
    """L is quadratic in β and linear in β₀ and ξ, so that central differences are exact derivatives
    [ESL-12.9] [ESL-12.10] [ESL-12.11] [ESL-12.12] [MMST-11.36] [MMST-11.37] [MMST-11.38] [MMST-11.39] [KIM-3.36]
    [KIM-3.37] [KIM-3.38] [KIM-3.39] [ISML-27.2-lagrangian] [ISML-27.2-stationarity] [YANG-dual-stationarity]."""
    m, alpha, mu, beta, beta0, xi = case
    d_beta, d_beta0, d_xi = conditions.stationarity(alpha, mu, m.y, m.K.X, beta, m.costs)

    def slope(change):
        return (change(Q(1)) - change(Q(-1))) / 2

    for j, d in enumerate(d_beta):
        e = Vector.unit(len(beta), j, Q)
        assert slope(lambda h, e=e: lagrangian(m, alpha, mu, beta + h * e, beta0, xi)) == d
    assert slope(lambda h: lagrangian(m, alpha, mu, beta, beta0 + h, xi)) == d_beta0
    for i, d in enumerate(d_xi):
        e = Vector.unit(len(xi), i, Q)
        assert slope(lambda h, e=e: lagrangian(m, alpha, mu, beta, beta0, xi + h * e)) == d


@given(anywhere())
def test_the_hard_margins_lagrangian_has_the_first_two_derivatives(case):
    """Without slack: ∂/∂β = β − Σαyx and ∂/∂β₀ = −Σαy, at any α ≥ 0 or not
    [MMST-11.12] [MMST-11.13] [MMST-11.14] [MMST-11.15] [KIM-3.21] [KIM-3.22] [KIM-3.23]."""
    m, alpha, mu, beta, beta0, _ = case
    d_beta, d_beta0, _ = conditions.stationarity(alpha, mu, m.y, m.K.X, beta, m.costs)
    up, down = (hard_lagrangian(m, alpha, beta, beta0 + h) for h in (1, -1))
    assert (up - down) / 2 == d_beta0
    for j, d in enumerate(d_beta):
        e = Vector.unit(len(beta), j, Q)
        up, down = (hard_lagrangian(m, alpha, beta + h * e, beta0) for h in (1, -1))
        assert (up - down) / 2 == d


@given(machines())
def test_the_solved_soft_margin_meets_every_condition(m):
    """At the exact optimum every residual is 0, and the multipliers of both constraints add up to C
    [SVC-L1-KKT.P1] [ESL-12.12] [ESL-12.14] [ESL-12.15] [ESL-12.16] [MMST-11.40] [MMST-11.42] [MMST-11.43] [MMST-11.44]
    [MMST-11.45] [MMST-11.46] [MMST-11.47] [MMST-11.49] [KIM-3.40] [KIM-3.41] [KIM-3.42] [KIM-3.43] [KIM-3.44]
    [KIM-3.45] [KIM-3.47] [KIM-3.32] [KIM-3.34] [KIM-3.35] [MMST-11.32] [MMST-11.35] [ISML-27.3-complementarity]
    [ISML-27.3-kkt]."""
    t = fit.train(RATIONAL, m)
    f = soft.decision_values(m, t.alpha, t.beta0)
    xi = conditions.slacks(f, m.y)
    assert set(conditions.residuals(t.alpha, xi, f, m.y, m.costs).values()) == {0}
    mu = conditions.slack_multipliers(t.alpha, m.costs)
    beta = conditions.weights(t.alpha, m.y, m.K.X)
    assert min(mu) >= 0 and not any(
        v for part in conditions.stationarity(t.alpha, mu, m.y, m.K.X, beta, m.costs)[::2] for v in part
    )


@given(machines())
def test_the_solved_machine_gives_its_values_through_every_form(m):
    """The dual value, the weights and the intercept interval agree however they are written
    [ESL-12.13] [ESL-12.17] [ESL-12.18] [ESL-12.19] [ESL-12.20] [ESL-12.24] [ISML-27.3] [ISML-27.2-maxmin]
    [ISML-27.2-weights] [MMST-11.34] [MMST-11.41] [MMST-11.48] [MMST-11.50] [KIM-3.33] [KIM-3.46] [KIM-3.48] [KIM-3.50]
    [KIM-3.71] [KIM-3.72] [KIM-3.73] [KIM-3.75] [YANG-solution-to-svc]."""
    t = fit.train(RATIONAL, m)
    beta = conditions.weights(t.alpha, m.y, m.K.X)
    assert beta == conditions.weights_of_support(t.alpha, m.y, m.K.X)
    f = soft.decision_values(m, t.alpha, t.beta0)
    assert f == Vector([x @ beta + t.beta0 for x in m.K.X])
    assert t.dual_objective == t.alpha.sum() - beta @ beta / 2 == t.objective
    assert soft.intercept_interval(m, t.alpha) == t.interval and t.interval[0] <= t.interval[1]


@few
@given(separable())
def test_the_solved_hard_margin_meets_every_condition(case):
    """Both edges carry points, multipliers are zero off them, balanced, and make β; dual and primal meet; the rule puts
    every point on its side  [SVC-HARD-LAG.P1]
    [MMST-11.4] [MMST-11.5] [MMST-11.8] [MMST-11.9] [MMST-11.10] [MMST-11.11] [MMST-11.16] [MMST-11.17] [MMST-11.18]
    [MMST-11.19] [MMST-11.20] [MMST-11.21] [MMST-11.22] [MMST-11.23] [MMST-11.24] [MMST-11.25] [MMST-11.27] [MMST-11.28]
    [MMST-11.29] [KIM-3.7] [KIM-3.8] [KIM-3.19] [KIM-3.20] [KIM-3.24] [KIM-3.25] [KIM-3.26] [KIM-3.27] [KIM-3.28]
    [KIM-3.29] [KIM-3.31] [ISML-27.1.1-hard] [ISML-27.1.1-positive] [ISML-27.1.1-margin] [ESL-12.2] [ESL-12.4]."""
    m, t = solved(*case, C=None)
    beta = conditions.weights(t.alpha, m.y, m.K.X)
    assert beta == conditions.weights_of_support(t.alpha, m.y, m.K.X)
    f = soft.decision_values(m, t.alpha, t.beta0)
    assert f == Vector([hyperplane.decision(x, beta, t.beta0) for x in m.K.X])
    assert [hyperplane.side(v) for v in f] == list(m.y)
    margins = hyperplane.functional_margins(m.K.X, m.y, beta, t.beta0)
    assert {s for s, v in zip(m.y, margins) if v == 1} == {1, -1} and min(margins) == 1
    assert min(t.alpha) >= 0 == conditions.balance(t.alpha, m.y)
    assert {v for a, v in zip(t.alpha, margins) if a} == {1}
    assert set(hard_residuals(m, t.alpha, t.beta0).values()) == {0}
    assert soft.dual_objective(t.alpha, m.y, m.K) == hard.objective(beta @ beta) == t.objective


@few
@given(separable(), st.data(), positive)
def test_each_condition_of_the_hard_margin_is_measured_by_itself(case, data, step):
    """A multiplier raised breaks the balance, a negative one its sign, a moved intercept the edge
    [SVC-HARD-LAG.P1] [MMST-11.16] [MMST-11.17] [MMST-11.18] [MMST-11.19]."""
    m, t = solved(*case, C=None)
    i = data.draw(st.integers(0, len(m.y) - 1))
    unit = Vector.unit(len(m.y), i, Q)
    assert hard_residuals(m, t.alpha + step * unit, t.beta0)["balance"] == step
    assert hard_residuals(m, t.alpha - (t.alpha[i] + step) * unit, t.beta0)["alpha"] == step
    moved = hard_residuals(m, t.alpha, t.beta0 + step)
    assert moved["margin"] == step and moved["complementarity"] == step * max(t.alpha)


def test_the_hard_margin_of_two_points_in_every_form():
    """x = ±1: α = ½, β = 1, β₀ = 0, dual ½, half-width 1  [M-X1] [MMST-11.31] [KIM-3.28] [ESL-12.4]."""
    m = machine([[1], [-1]], [1, -1], None)
    t = fit.train(RATIONAL, m)
    assert list(t.alpha) == [Q(1, 2), Q(1, 2)] and t.beta0 == 0
    assert conditions.weights(t.alpha, m.y, m.K.X) == Vector([Q(1)])
    assert soft.dual_objective(t.alpha, m.y, m.K) == t.dual_objective == Q(1, 2)
    assert hard.square_of_multipliers(t.alpha, m.costs) == 1


def test_each_condition_is_measured_at_its_worst_point():
    """One point of two violates one condition by one half, the other by nothing: the half is reported  [ESL-12.16]."""
    y, costs = Vector([Q(1), Q(-1)]), (Q(1), Q(1))
    right = {"f": [Q(1), Q(-1)], "xi": [Q(0), Q(0)], "alpha": [Q(1, 2), Q(1, 2)]}
    changes = {
        "margin": ("f", [Q(1, 2), Q(-1)]),
        "slack": ("xi", [Q(-1, 2), Q(0)]),
        "alpha": ("alpha", [Q(-1, 2), Q(1, 2)]),
        "mu": ("alpha", [Q(3, 2), Q(1, 2)]),
    }
    for name, (part, values) in changes.items():
        reported = {**right, part: values}
        found = conditions.residuals(y=y, costs=costs, **{k: Vector(v) for k, v in reported.items()})
        assert found[name] == Q(1, 2), name
    exact = conditions.residuals(y=y, costs=costs, **{k: Vector(v) for k, v in right.items()})
    assert not any(exact.values())


def test_without_support_vectors_the_weights_are_zero():
    """All multipliers zero: β = 0, whatever the points are  [MMST-11.25]."""
    X = Matrix([[Q(1), Q(2)], [Q(3), Q(5)]])
    assert conditions.weights_of_support(Vector([Q(0), Q(0)]), Vector([Q(-1), Q(1)]), X) == Vector([Q(0), Q(0)])


@pytest.mark.parametrize(
    ("kind", "fits"), [("none", (False, True, True)), ("free", (False, True, False)), ("bounded", (True, True, False))]
)
def test_a_margin_of_one_fits_every_multiplier(kind, fits):
    """Below, at and above one  [ISML-27.3-categories] [MMST-11.29]."""
    assert tuple(conditions.agrees(kind, m) for m in (Q(1, 2), Q(1), Q(2))) == fits


def test_residuals_are_sizes_whatever_their_sign():
    """Of α = (1, ¼, 0), y = (−1, 1, 1): a balance of −¾; of a margin of ½ and one of 2 the products −½ and ¼
    [ESL-12.14] [ESL-12.11]."""
    alpha, f, y = Vector([Q(1), Q(1, 4), Q(0)]), Vector([Q(-1, 2), Q(2), Q(1)]), Vector([Q(-1), Q(1), Q(1)])
    found = conditions.residuals(alpha, Vector([Q(0)] * 3), f, y, (Q(1),) * 3)
    assert (found["balance"], found["margin multiplier"], found["margin"]) == (Q(3, 4), Q(1, 2), Q(1, 2))
