"""The forms of the support vector classifier, solved exactly, and the theorems that join them."""

import math
from fractions import Fraction as Q

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass import SVC
from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import conditions, fit, hard, primal, soft
from refclass.margins.svm.geometry import hyperplane
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from tests.margins.machines import hard_lagrangian, hard_residuals, machine, plane, problems, separable, signed, solved
from tests.profiles import examples
from tests.strategies import fractions, positive, samples, vectors

few = settings(max_examples=examples(20))


# ---------------------------------------------------------------------------------------------------- hard margin


@pytest.mark.slow
@few
@given(separable())
def test_the_hard_margin_dual_meets_the_primal(case):
    """max 1ᵀα − ½αᵀHα is ½‖β‖² at the optimum of both  [SVC-HARD-DUAL.P1] [MMST-11.22] [KIM-3.28] [SVC-DUALITY.P1]."""
    m, t = solved(*case, C=None)
    answer = active_set.solve(primal.hard(m.K.X, m.y))
    p = len(m.K.X[0])
    beta = Vector(answer.x[:p])
    assert hard.objective(beta @ beta) == t.objective == t.dual_objective
    assert beta == plane(m, t)[0]


@few
@given(separable())
def test_the_squared_norm_is_the_sum_of_the_multipliers(case):
    """‖β‖² = Σα, and the optimum is ½Σα  [SVC-HARD-NORM.P1] [SVC-HARD-NORM.P2] [ID-MMST-11.30] [MMST-11.30]."""
    _, t = solved(*case, C=None)
    assert t.square == t.alpha.sum() == 2 * t.objective


@few
@given(separable(), vectors(8), vectors(2), fractions)
def test_the_hard_margin_satisfies_its_conditions_at_a_saddle(case, values, normal, shift):
    """KKT residuals are 0, and L(β*, β0*, α) ≤ L(β*, β0*, α*) ≤ L(β, β0, α*) for every α ≥ 0 and every plane
    [SVC-HARD-LAG.P1] [SVC-HARD-LAG.P2] [MMST-11.12] [MMST-11.13] [KIM-3.21]."""
    m, t = solved(*case, C=None)
    beta, beta0 = plane(m, t)
    assert not any(hard_residuals(m, t.alpha, beta0).values())
    best = hard_lagrangian(m, t.alpha, beta, beta0)
    other = Vector([abs(v) for v in values[: len(m.y)]])
    assert hard_lagrangian(m, other, beta, beta0) <= best == t.objective
    assert best <= hard_lagrangian(m, t.alpha, normal, shift)


@few
@given(separable())
def test_both_edges_carry_points_and_agree_on_the_intercept(case):
    """Each class has a point with yf = 1; any pair and the mean give β₀
    [SVC-HARD.P2] [SVC-HARD-BIAS.P1] [SVC-HARD-BIAS.P2]
    [KIM-3.30] [MMST-11.26]."""
    m, t = solved(*case, C=None)
    beta, beta0 = plane(m, t)
    margins = hyperplane.functional_margins(m.K.X, m.y, beta, beta0)
    edge = [i for i, v in enumerate(margins) if v == 1]
    positive_edge = [i for i in edge if m.y[i] > 0]
    negative_edge = [i for i in edge if m.y[i] < 0]
    pairs = {hyperplane.intercept_between(m.K.X[i], m.K.X[j], beta) for i in positive_edge for j in negative_edge}
    values = soft.decision_values(m, t.alpha, Q(0))
    each = conditions.intercepts(t.alpha, m.y, values, m.costs)
    assert pairs == set(each) == {beta0} and conditions.average(each) == beta0
    assert {i for i, a in enumerate(t.alpha) if a > 0} <= set(edge)  # [SV-DEF.P1]


@few
@given(separable())
def test_the_square_of_the_margin_is_one_over_the_sum_of_the_multipliers(case):
    """M = 1/‖β‖ = (Σα)^(−½): the least squared distance of a point is 1/Σα  [MARGIN-GEO.P1] [MMST-11.31]."""
    m, t = solved(*case, C=None)
    beta, beta0 = plane(m, t)
    feet = [x - hyperplane.foot(x, beta, beta0) for x in m.K.X]
    assert min(v @ v for v in feet) * t.alpha.sum() == 1


@few
@given(separable(), st.sampled_from([Q(1, 2), Q(3)]))
def test_a_rotation_and_a_scale_move_the_normal_as_they_must(case, s):
    """x → sQx + t: β → Qβ/s and f stays, with Q the exact rotation (3, 4; −4, 3)/5  [SVC-HARD.P3]."""
    X, y = case
    turned = [[s * (3 * Q(a) + 4 * b) / 5 + 7, s * (3 * Q(b) - 4 * a) / 5 - 2] for a, b in X]
    m, t = solved(X, y, C=None)
    moved, u = solved(turned, y, C=None)
    (a, b), (c, d) = plane(m, t)[0], plane(moved, u)[0]
    assert (c, d) == ((3 * a + 4 * b) / (5 * s), (3 * b - 4 * a) / (5 * s))
    assert soft.decision_values(moved, u.alpha, u.beta0) == soft.decision_values(m, t.alpha, t.beta0)
    assert u.objective * s * s == t.objective


@few
@given(separable())
def test_the_three_objectives_have_one_minimiser(case):
    """½‖β‖² and ‖β‖² give the same β; the multipliers of the latter are doubled
    [SVC-HARD.P1] [CLASH-18] [KIM-3.19]."""
    m, t = solved(*case, C=None)
    p = primal.hard(m.K.X, m.y)
    double = quadratic.Problem(2 * p.Q, p.c, p.lower, p.upper, G=p.G, h=p.h)
    one, two = active_set.solve(p), active_set.solve(double)
    assert one.x == two.x
    assert sum(two.mu) == 2 * sum(one.mu) == 2 * t.alpha.sum()


@few
@given(problems(p=2))
def test_the_dual_is_unbounded_exactly_where_the_hulls_meet(case):
    """No hard margin ⇔ the refusal's ray is a point shared by both hulls  [SVC-HARD-DUAL.P2] [SEPARABLE.P2]."""
    X, y = case
    m = machine(X, y, None)
    try:
        t = fit.train(RATIONAL, m)
    except NoAnswer as refusal:
        ray = refusal.witness["ray"].times(m.y)
        common = hard.common_point(ray, m.y, m.K.X)
        assert sum(w for w, s in zip(common.weights, m.y) if s > 0) == 1
    else:
        assert min(hyperplane.functional_margins(m.K.X, m.y, *plane(m, t))) == 1


def test_points_on_the_edge_need_not_be_support_vectors():
    """Four corners: β = (1, 0) is carried by two of the four points on the edges  [SV-DEF.P2] [CLASH-4]."""
    m, t = solved([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, 1, -1, -1], C=None)
    margins = hyperplane.functional_margins(m.K.X, m.y, *plane(m, t))
    assert list(margins) == [1] * 4 and 2 <= sum(a > 0 for a in t.alpha) < 4


# ---------------------------------------------------------------------------------------------------- soft margin


@few
@given(problems(), positive)
def test_the_soft_margin_primal_and_dual_agree(case, C):
    """The primal programme in (β, β₀, ξ) has the dual's β and value
    [SVC-L1.P2] [SVC-L1-DUAL.P1] [ESL-12.8] [ISML-27.2] [YANG-statement-3] [YANG-dual-optimization]."""
    m, t = solved(*case, C=C)
    answer = active_set.solve(primal.soft(m.K.X, m.y, m.costs))
    p = len(m.K.X[0])
    assert Vector(answer.x[:p]) == plane(m, t)[0]
    assert quadratic.objective(primal.soft(m.K.X, m.y, m.costs), answer.x) == t.objective == t.dual_objective
    assert t.interval[0] <= answer.x[p] <= t.interval[1]


@few
@given(problems(), positive)
def test_the_norm_identity_of_the_soft_margin(case, C):
    """‖β‖² = Σα − CΣξ  [SVC-L1-NORM.P1]."""
    m, t = solved(*case, C=C)
    f = soft.decision_values(m, t.alpha, t.beta0)
    assert t.square == t.alpha.sum() - C * conditions.slacks(f, m.y).sum()


@few
@given(problems(), positive)
def test_turning_the_labels_turns_the_plane(case, C):
    """y → −y gives (−β, −β₀)  [SVC-L1.P3]."""
    X, y = case
    m, t = solved(X, y, C=C)
    n, u = solved(X, [-v for v in y], C=C)
    assert plane(n, u)[0] == -plane(m, t)[0] and u.interval == (-t.interval[1], -t.interval[0])


@few
@given(problems(), positive)
def test_the_budget_form_at_the_slack_spent_is_the_cost_form(case, C):
    """With s = Σξ̂(C) the budget problem has the same β, so M is the same
    [SVC-BUDGET.P1] [SVC-REL.P1] [ESL-12.7] [ESL-12.6]."""
    m, t = solved(*case, C=C)
    assume(t.square > 0)
    spent = conditions.slacks(soft.decision_values(m, t.alpha, t.beta0), m.y).sum()
    answer = active_set.solve(primal.budget(m.K.X, m.y, spent))
    assert Vector(answer.x[: len(m.K.X[0])]) == plane(m, t)[0]


@few
@given(problems(), positive)
def test_a_larger_cost_buys_slack_with_norm(case, C):
    """Σξ̂(C) falls and ‖β̂(C)‖ rises with C; the two letters C run opposite ways  [SVC-BUDGET.P2] [SVC-C-LIMITS.P3]
    [ERR-YANG-03] [CLASH-2]."""
    m, t = solved(*case, C=C)
    n, u = solved(*case, C=2 * C)
    spent = [conditions.slacks(soft.decision_values(k, v.alpha, v.beta0), k.y).sum() for k, v in ((m, t), (n, u))]
    assert t.square <= u.square and spent[1] <= spent[0]


@few
@given(problems())
def test_a_budget_of_twice_the_smaller_class_needs_no_normal(case):
    """s ≥ 2 min(n₊, n₋) makes β = 0 optimal  [SVC-BUDGET.P3]."""
    X, y = case
    m = machine(X, y)
    most = 2 * min(y.count(1), y.count(-1))
    answer = active_set.solve(primal.budget(m.K.X, m.y, Q(most)))
    assert not any(answer.x[: len(m.K.X[0])])


@few
@given(problems(), positive)
def test_errors_are_bounded_by_slack_and_by_bounded_multipliers(case, C):
    """#{yf < 0} ≤ Σξ, and ξ > 0 ⇔ inside the band
    [SLACK-BOUND.P1] [SLACK-BOUND.P2] [ESL-12.2-errors] [ERR-YANG-02] [YANG-optimization-formulation]."""
    m, t = solved(*case, C=C)
    f = soft.decision_values(m, t.alpha, t.beta0)
    xi = conditions.slacks(f, m.y)
    assert sum(s * v < 0 for s, v in zip(m.y, f)) == conditions.errors(xi) <= xi.sum()
    assert [s > 0 for s in xi] == [s * v < 1 for s, v in zip(m.y, f)]
    assert all(0 <= a <= C for a in t.alpha)  # [SVC-OUTLIER-CAP.P1]


@few
@given(problems(), positive)
def test_points_without_a_multiplier_can_go(case, C):
    """Refitting on the support vectors alone gives the same f and value
    [SVC-SPARSE.P1] [SVC-SPARSE.P2] [LOO-SV.P3]."""
    X, y = case
    m, t = solved(X, y, C=C)
    keep = [i for i, a in enumerate(t.alpha) if a > 0]
    n, u = solved([X[i] for i in keep], [y[i] for i in keep], C=C)
    assert plane(n, u)[0] == plane(m, t)[0] and u.dual_objective == t.dual_objective
    assert u.interval[0] <= t.interval[0] and t.interval[1] <= u.interval[1]


@few
@given(problems(), positive)
def test_a_weight_is_a_number_of_copies(case, C):
    """Integer Cᵢ/C equals so many copies of the point; equal costs are the plain machine
    [SVC-COST-I.P1] [SVC-COST-I.P3]."""
    X, y = case
    copies = [1 + i % 3 for i in range(len(y))]
    m, t = solved(X, y, C=[C * k for k in copies])
    n, u = solved(
        [x for x, k in zip(X, copies) for _ in range(k)], [v for v, k in zip(y, copies) for _ in range(k)], C=C
    )
    assert plane(m, t)[0] == plane(n, u)[0] and t.objective == u.objective and t.interval == u.interval
    assert solved(X, y, C=[C] * len(y))[1].objective == solved(X, y, C=C)[1].objective


@few
@given(problems(), positive)
def test_a_point_that_costs_nothing_is_not_there(case, C):
    """Cᵢ = 0 removes the point  [SVC-COST-I.P2] [KIM-3.3-costs]."""
    X, y = case
    m, t = solved(X, y, C=C)
    n, u = solved([*X, [9] * len(X[0])], [*y, 1], C=[C] * len(y) + [0])
    assert plane(m, t)[0] == plane(n, u)[0] and t.interval == u.interval and u.alpha[-1] == 0


@few
@given(problems(), positive)
def test_raising_the_cost_of_a_class_does_not_raise_its_slack(case, C):
    """C₂ up ⇒ Σ ξ over class 2 not up, whichever optimal intercepts are taken  [SVC-COST-CLASS.P2] [KIM-3.3-costs]."""
    X, y = case
    spent = []
    for k in (1, 3):
        m, t = solved(X, y, C=[C * k if v > 0 else C for v in y])
        each = [conditions.slacks(soft.decision_values(m, t.alpha, b), m.y) for b in t.interval]
        spent.append([sum(s for s, v in zip(xi, y) if v > 0) for xi in each])
    assert max(spent[1]) <= min(spent[0])


@few
@given(separable())
def test_beyond_the_largest_multiplier_the_cost_does_not_matter(case):
    """Every C ≥ max α̂ of the hard margin gives the hard margin  [SVC-C-LIMITS.P1] [SVC-LP.P1] [MARGIN-MAX.P3]."""
    m, t = solved(*case, C=None)
    n, u = solved(*case, C=max(t.alpha))
    assert plane(m, t)[0] == plane(n, u)[0] and t.objective == u.objective


@few
@given(problems())
def test_under_a_small_cost_the_smaller_class_is_at_its_bound(case):
    """For C small: balanced, α = C everywhere and β = C(Σ₊x − Σ₋x); else the minority is at C
    [SVC-C-LIMITS.P2] [M-X9]."""
    X, y = case
    C = Q(1, 10**6)
    m, t = solved(X, y, C=C)
    less = min(y.count(1), y.count(-1))
    minority = [a for a, v in zip(t.alpha, y) if y.count(v) == less]
    assert set(minority) == {C} and t.alpha.sum() == 2 * C * less
    if y.count(1) == y.count(-1):
        difference = sum((s * x for s, x in zip(m.y, m.K.X)), m.K.X[0] - m.K.X[0])
        assert plane(m, t)[0] == C * difference


# ---------------------------------------------------------------------------------- 2-norm, no intercept, jitter


@few
@given(problems(), positive)
def test_squared_slack_needs_no_sign_constraint(case, C):
    """Dropping ξ ≥ 0 changes nothing, and 2Cξ = α
    [SVC-L2.P1] [MMST-Ex11.3] [MMST-Ex11.3a] [MMST-Ex11.3b] [EX-MMST-11.3a] [EX-MMST-11.3b]."""
    m, t = solved(*case, C=C, squared=True)
    with_sign = active_set.solve(primal.soft(m.K.X, m.y, m.costs, squared=True))
    without = active_set.solve(primal.soft(m.K.X, m.y, m.costs, squared=True, nonnegative=False))
    assert with_sign.x == without.x
    p = len(m.K.X[0])
    assert Vector(without.x[:p]) == plane(m, t)[0]
    assert without.x[p + 1 :] == conditions.squared_slacks(t.alpha, m.costs) == t.alpha / (2 * C)


@few
@given(problems(), positive)
def test_the_norm_identity_of_squared_slack(case, C):
    """‖β‖² = Σα − Σα²/(2C); the width is 2 over its root
    [SVC-L2.P2] [MMST-Ex11.3d] [EX-MMST-11.3d] [ERR-MMST-32]."""
    m, t = solved(*case, C=C, squared=True)
    assert t.square == hard.square_of_multipliers(t.alpha, m.costs) == t.alpha.sum() - t.alpha @ t.alpha / (2 * C)
    assert t.objective == t.dual_objective


@few
@given(problems(), positive)
def test_squared_slack_is_a_hard_margin_with_a_shifted_kernel(case, C):
    """K + I/(2C) with C = ∞ has the same multipliers; a constant on the diagonal is soft slack
    [SVC-L2.P3] [SVC-RIDGED.P2]
    [ISML-27.2-jitter]."""
    m, t = solved(*case, C=C, squared=True)
    u = fit.train(RATIONAL, soft.ridged(soft.Machine(m.K, m.y, (None,) * len(m.y)), 1 / (2 * C)))
    assert u.alpha == t.alpha


@few
@given(problems(), positive)
def test_without_an_intercept_the_categories_hold_and_the_balance_need_not(case, C):
    """The dual without Σαy = 0 satisfies the three categories  [SVC-NOINT.P1] [ISML-27.2-no-intercept]."""
    m, t = solved(*case, C=C, intercept=False)
    f = soft.decision_values(m, t.alpha, Q(0))
    kinds = [conditions.category(a, C) for a in t.alpha]
    assert all(conditions.agrees(k, s * v) for k, s, v in zip(kinds, m.y, f))
    assert t.beta0 == 0 and t.objective == t.dual_objective


@few
@given(samples(classes=2, p=2), positive)
def test_a_symmetric_sample_needs_no_intercept(sample, C):
    """Points with their mirror images x → −x, y → −y: both models have the same f  [SVC-NOINT.P2]."""
    X, labels = sample
    y = signed(labels)
    X, y = X + [[-v for v in x] for x in X], y + [-v for v in y]
    (m, t), (n, u) = solved(X, y, C=C), solved(X, y, C=C, intercept=False)
    assert plane(m, t)[0] == plane(n, u)[0] and t.interval[0] <= 0 <= t.interval[1]


@pytest.mark.parametrize("C", [Q(1, 3), Q(1), Q(7)])
def test_one_point_without_an_intercept(C):
    """x = 1, y = 1: β = min(1, C)  [SVC-NOINT.P3] [M-X3]."""
    m = soft.Machine(machine([[1], [-1]], [1, -1]).K, Vector([Q(1), Q(-1)]), (C, Q(0)), intercept=False)
    t = fit.train(RATIONAL, m)
    assert conditions.weights(t.alpha, m.y, m.K.X) == Vector([min(Q(1), C)])


def test_the_jittered_dual_tends_to_the_plain_one():
    """K + δI in the box: α → α̂ as δ → 0, where α̂ is unique  [SVC-RIDGED.P1]."""
    X, y = [[0], [2]], [-1, 1]
    plain = solved(X, y, C=1)[1]
    far = []
    for delta in (Q(1, 10), Q(1, 1000)):
        m = soft.ridged(machine(X, y, 1), delta)
        far.append((fit.train(RATIONAL, m).alpha - plain.alpha).largest())
    assert 0 < far[1] < far[0] / 50


@given(fractions.map(abs), positive)
def test_slack_in_actual_distance_is_not_convex(distance, more):
    """With M = 1/‖w‖ put in, yᵢ(xᵢᵀw + w0) ≥ 1 − ξᵢ‖w‖: w = (3, ±4), ‖w‖ = 5, both meet it with ξ = (1 + 3d)/5; their
    middle (3, 0), ‖w‖ = 3, with the middle of their slacks, which is the same, does not  [SVC-ABS.P1] [ESL-12.5]
    [YANG-nonseparable-case]."""
    X = Matrix([[-distance, Q(0)], [distance + 1, Q(0)]])  # one positive point on the wrong side, one on its own
    y, xi = Vector([Q(1), Q(1)]), Vector([(1 + 3 * distance) / 5, Q(0)])
    ends = [Vector([Q(3), Q(4)]), Vector([Q(3), Q(-4)])]
    for w in ends:
        assert primal.meets_absolute(X, y, w / 5, Q(0), Q(1, 5), xi, xi.sum() + more)
    middle = (ends[0] + ends[1]) / 2
    assert not primal.meets_absolute(X, y, middle / 3, Q(0), Q(1, 3), xi, xi.sum() + more)
    assert not primal.meets_absolute(X, y, middle / 5, Q(0), -xi.sum(), xi, xi.sum())  # nor is it of length one itself
    least = Vector([(1 + 3 * distance) / 3, Q(0)])  # what the middle would need is more than either end has
    assert primal.meets_absolute(X, y, middle / 3, Q(0), Q(1, 3), least, least.sum())


def test_the_exponent_of_the_slack():
    """½‖β‖² + CΣξ^p for p = 1, 2, 3  [SVC-LP] [KIM-3.33] [MMST-11.33]."""
    xi = Vector([Q(0), Q(2)])
    assert [primal.power_objective(Q(4), xi, Q(3), k) for k in (1, 2, 3)] == [8, 14, 26]


# ------------------------------------------------------------------------------------------------------- kernels


def test_xor_in_the_quadratic_feature_space():
    """(1 + ⟨x, z⟩)² on (±1, ±1), y = x₁x₂: α = ⅛, β₀ = 0, f = x₁x₂, ‖β‖² = ½, dual ¼  [M-X2] [KERNEL-SVC.P1]."""
    X = [[1, 1], [1, -1], [-1, 1], [-1, -1]]
    kernel = {"name": "polynomial", "degree": 2, "c": 1}
    s = SVC(C=math.inf, kernel=kernel, arithmetic="exact").fit(X, [1, -1, -1, 1])
    assert s.alpha_ == [Q(1, 8)] * 4 and s.intercept_ == [0] and s.dual_objective_ == Q(1, 4)
    assert s.decision_function([[3, 5], [-2, 7]]) == [15, -14]
    assert s._trained.square == Q(1, 2)


@few
@given(problems(p=2), positive)
def test_a_kernel_machine_is_the_linear_one_on_its_features(case, C):
    """K = ⟨h, h⟩ with h the six-term map gives the same f, up to the free intercept  [KERNEL-SVC.P1] [BASIS-SVC.P1]."""
    X, y = case
    by_kernel = SVC(C=C, kernel={"name": "polynomial", "degree": 2, "c": 0}, arithmetic="exact").fit(X, y)
    doubled = [[a * a, b * b, a * b, a * b] for a, b in X]  # (√2ab)² = ab·ab twice
    linear = SVC(C=C, arithmetic="exact").fit(doubled, y)
    assert by_kernel.decision_function(X) == linear.decision_function(doubled)


@few
@given(problems(p=2), positive, st.integers(1, 5))
def test_a_constant_added_to_the_kernel_changes_nothing(case, C, c):
    """K + c leaves the machine with intercept unchanged, because Σαy = 0  [KERNEL-SVC.P3]."""
    X, y = case
    plain = SVC(C=C, kernel={"name": "polynomial", "degree": 1, "c": 0}, arithmetic="exact").fit(X, y)
    shifted = SVC(C=C, kernel={"name": "polynomial", "degree": 1, "c": c}, arithmetic="exact").fit(X, y)
    assert plain.decision_function(X) == shifted.decision_function(X)


@few
@given(problems(p=2), positive)
def test_the_linear_kernel_is_the_linear_machine(case, C):
    """The polynomial kernel of degree 1 without constant, and precomputed values, give the linear machine
    [KERNEL-SVC.P2]
    [K-NONVEC.P1]."""
    X, y = case
    linear = SVC(C=C, arithmetic="exact").fit(X, y)
    table = [[sum(a * b for a, b in zip(x, z)) for z in X] for x in X]
    given_values = SVC(C=C, kernel="precomputed", arithmetic="exact").fit(table, y)
    assert linear.decision_function(X) == given_values.decision_function(table)


def test_moving_a_far_point_outwards_leaves_the_machine():
    """A point strictly beyond the band has no say: the classifier stays as it moves away  [LDA-VS-SVC.P1]."""
    near_by = SVC(C=math.inf, arithmetic="exact").fit([[0, 0], [2, 0], [5, 1]], [-1, 1, 1])
    far = SVC(C=math.inf, arithmetic="exact").fit([[0, 0], [2, 0], [50, 7]], [-1, 1, 1])
    assert near_by.coef_ == far.coef_ == [[1, 0]] and near_by.intercept_ == far.intercept_ == [-1]
