"""What the documents say of hard and soft margins, row by row, and where they slip."""

from fractions import Fraction as Q

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.kernels.matrices.mercer import judge
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate, conditions, fit, hard, primal, soft
from refclass.margins.svm.geometry import hyperplane
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from tests.margins.machines import (
    balanced,
    hard_lagrangian,
    hard_residuals,
    machine,
    machines,
    plane,
    problems,
    separable,
    solved,
)
from tests.profiles import examples
from tests.strategies import fractions, positive, vectors

few = settings(max_examples=examples(20))

CORNERS = ([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, 1, -1, -1])  # β = (1, 0), two multipliers too many


def margins_of(m, t):
    """The functional margins of a trained machine at its own points."""
    return m.y.times(soft.decision_values(m, t.alpha, t.beta0))


def slacks_of(m, t):
    return conditions.slacks(soft.decision_values(m, t.alpha, t.beta0), m.y)


# ---------------------------------------------------------------------------------------------------- hard margin


@few
@given(separable(), vectors(2), fractions)
def test_no_separating_plane_has_a_wider_margin(case, beta, beta0):
    """Every plane that separates, in canonical scale, has ‖β‖ ≥ ‖β*‖, and is the hard margin's where they are equal: so
    ‖β‖, ‖β‖² and ½‖β‖² have one minimiser, M its inverse the same maximiser
    [SVC-HARD.P1] [SVC-MAXM.P1] [ESL-12.3] [ESL-12.4] [ERR-KIM-13] [YANG-separable-case]."""
    m, t = solved(*case, C=None)
    best, best0 = plane(m, t)
    # What is drawn may separate by itself, and is bent towards the best plane until it does.
    for share in (Q(0), Q(1, 2), Q(9, 10), Q(99, 100)):
        b, b0 = share * best + (1 - share) * beta, share * best0 + (1 - share) * beta0
        if min(hyperplane.functional_margins(m.K.X, m.y, b, b0)) > 0:
            normal, offset = hyperplane.canonical(m.K.X, m.y, b, b0)
            assert normal @ normal >= best @ best
            assert (normal @ normal == best @ best) == ((normal, offset) == (best, best0))


@few
@given(machines(), st.data())
def test_the_matrix_of_the_dual_is_positive_semidefinite(m, data):
    """H_ij = yᵢyⱼKᵢⱼ has no negative eigenvalue, and αᵀHα = ‖Σαᵢyᵢxᵢ‖²
    [SVC-HARD-DUAL.P3] [MMST-11.22] [MMST-11.63]."""
    K = gram(RATIONAL, Linear(), m.K.X)
    H = Matrix([[s * t * v for t, v in zip(m.y, row)] for s, row in zip(m.y, K)])
    alpha = data.draw(vectors(len(m.y)))
    beta = conditions.weights(alpha, m.y, m.K.X)
    assert judge(H).semidefinite and alpha @ (H @ alpha) == beta @ beta
    assert (
        soft.dual_objective(alpha, m.y, K)
        == alpha.sum() - alpha @ (H @ alpha) / 2
        == soft.dual_objective(alpha, m.y, m.K)
    )


@few
@given(separable())
def test_an_infinite_cost_is_the_hard_margins_dual(case):
    """C = ∞ drops the box's upper end, and the dual is the separable one, also with a kernel
    [SVC-L1-DUAL.P2] [ESL-12.8] [MMST-11.61] [MMST-11.62] [KIM-3.28]."""
    m, t = solved(*case, C=None)
    problem = m.dual().problem()
    assert [u if s > 0 else lo for s, lo, u in zip(m.y, problem.lower, problem.upper)] == [None] * len(m.y)
    assert [lo if s > 0 else u for s, lo, u in zip(m.y, problem.lower, problem.upper)] == [0] * len(m.y)
    n, u = solved(*case, C=10**6 + max(t.alpha))
    assert u.objective == t.objective == soft.dual_objective(t.alpha, m.y, m.K) and plane(n, u) == plane(m, t)


@few
@given(separable(), fractions)
def test_the_intercept_is_fixed_by_complementarity_not_by_the_balance(case, shift):
    """Σαᵢyᵢ = 0 holds whatever β0 is; αᵢ(yᵢf(xᵢ) − 1) = 0 holds for one β0 only
    [ERR-KIM-14] [KIM-3.23] [KIM-3.24] [KIM-3.30]."""
    m, t = solved(*case, C=None)
    moved = hard_residuals(m, t.alpha, t.beta0 + shift)
    assert moved["balance"] == 0 and (moved["complementarity"] == 0) == (shift == 0)


@few
@given(separable(), fractions)
def test_only_with_the_balance_is_the_lagrangian_at_the_weights_the_dual(case, beta0):
    """½‖β‖² − Σα(yf − 1) = Σα − ½ΣΣαᵢαⱼyᵢyⱼxᵢᵀxⱼ by β = Σαyx and Σαy = 0, for any β0; with complementarity the middle
    sum would vanish and ½‖β‖² be left; with xᵢᵀxᵢ it is another number
    [ERR-MMST-08] [MMST-11.12] [MMST-11.19] [MMST-11.20] [MMST-11.21]."""
    m, t = solved(*case, C=None)
    alpha = t.alpha / 3  # balanced, and not complementary
    beta = conditions.weights(alpha, m.y, m.K.X)
    value = hard_lagrangian(m, alpha, beta, beta0)
    assert value == soft.dual_objective(alpha, m.y, m.K) != hard.objective(beta @ beta)
    printed = sum(a * b * s * r * (x @ x) for a, s, x in zip(alpha, m.y, m.K.X) for b, r in zip(alpha, m.y))
    assert printed == 0 != beta @ beta  # Σⱼ αⱼyⱼ = 0 can be taken out of the printed double sum


@few
@given(separable())
def test_multipliers_are_not_negative_but_need_not_be_positive(case):
    """The multiplier of a point beyond the band is 0  [ERR-MMST-30] [MMST-11.13] [MMST-11.17] [SVC-HARD-LAG.P1]."""
    X, y = case
    far = max(abs(v) for x in X for v in x) + 9
    m, t = solved([*X, [far, 0]], [*y, 1], C=None)
    assert min(t.alpha) == 0 == t.alpha[-1] and not any(hard_residuals(m, t.alpha, t.beta0).values())


@few
@given(problems())
def test_the_slack_that_is_a_share_of_the_margin_is_a_distance(case):
    """ξ of a point is ‖β‖ times its distance to the edge of its class: its overlap is Mξ, M = 1/‖β‖; the edges lie M on
    either side  [SVC-REL] [ESL-12.6] [M-ESL-F12.1] [M-MMST-F11.1/2]."""
    m, t = solved(*case)
    beta, beta0 = plane(m, t)
    assume(any(beta))
    for x, s, xi in zip(m.K.X, m.y, slacks_of(m, t)):
        overlap = x - hyperplane.foot(x, beta, beta0 - s)
        if xi:
            assert (overlap @ overlap) * t.square == xi**2
        width = hyperplane.foot(x, beta, beta0 - s) - hyperplane.foot(x, beta, beta0)
        assert (width @ width) * t.square == 1


@few
@given(problems(), positive, vectors(3), fractions)
def test_no_plane_within_the_budget_has_a_smaller_norm(case, C, normal, shift):
    """With s = Σξ̂(C): every (β, β0) whose slacks sum to at most s has ‖β‖ ≥ ‖β̂(C)‖, so M = 1/‖β̂‖ is the largest with
    yᵢf(xᵢ) ≥ M(1 − ξᵢ), ‖β‖ = 1  [SVC-REL.P1] [SVC-BUDGET.P1] [ESL-12.6] [ESL-12.7] [YANG-statement-1]
    [YANG-statement-2]."""
    m, t = solved(*case, C=C)
    best, best0 = plane(m, t)
    budget = slacks_of(m, t).sum()
    # The slack of a plane is convex: between the best plane and any other there are planes within the budget.
    for share in (Q(0), Q(1, 3), Q(19, 20)):
        beta = share * best + (1 - share) * Vector(normal[: len(best)])
        beta0 = share * best0 + (1 - share) * shift
        f = Vector([x @ beta + beta0 for x in m.K.X])
        spent = conditions.slacks(f, m.y).sum()
        assert spent > budget or beta @ beta >= t.square
        assert t.square / 2 + C * budget <= beta @ beta / 2 + C * spent


def test_without_slack_there_may_be_no_plane_and_with_a_budget_there_is():
    """Points that no plane separates: the form without slack has no answer, that with a budget has one, which a budget
    of zero makes the former again  [ERR-ESL-18] [ESL-12.4] [ESL-12.7]."""
    X, y = Matrix([[Q(0)], [Q(1)], [Q(2)], [Q(3)]]), Vector([Q(1), Q(-1), Q(1), Q(-1)])
    with pytest.raises(NoAnswer):
        active_set.solve(primal.hard(X, y))
    assert active_set.solve(primal.budget(X, y, Q(3))).x[0] ** 2 > 0
    apart = Vector([Q(1), Q(1), Q(-1), Q(-1)])
    assert active_set.solve(primal.budget(X, apart, Q(0))).x[:2] == active_set.solve(primal.hard(X, apart)).x


# ---------------------------------------------------------------------------------------------------- soft margin


@few
@given(problems(), positive)
def test_the_five_implications_hold_at_the_optimum(case, C):
    """α = 0 ⇒ yf ≥ 1; 0 < α < C ⇒ yf = 1; α = C ⇒ yf ≤ 1; yf > 1 ⇒ α = 0; yf < 1 ⇒ α = C; and ξ = [1 − yf]₊ is 0 but
    where α = C  [SVC-L1-CATS.P1] [ISML-27.3-categories] [KIM-3.3-categories] [MMST-11.29] [MMST-11.3.5-check]."""
    m, t = solved(*case, C=C)
    for a, margin, xi in zip(t.alpha, margins_of(m, t), slacks_of(m, t)):
        assert margin >= 1 if a == 0 else margin == 1 if a < C else margin <= 1
        assert a == 0 or margin <= 1
        assert a == C or (margin >= 1 and xi == 0)
    assert conditions.violators(t.alpha, margins_of(m, t), m.costs) == []


@few
@given(machines(), st.data(), fractions)
def test_multipliers_that_fit_their_margins_are_optimal(m, data, beta0):
    """With Σαy = 0 and β = Σαyx no violator means a gap of zero, and a gap means a violator
    [SVC-L1-CATS.P2] [MMST-11.3.5-check]."""
    t = fit.train(RATIONAL, m)
    for alpha, offset in ((t.alpha, t.beta0), (data.draw(balanced(m)), beta0), (t.alpha, t.beta0 + beta0)):
        f = soft.decision_values(m, alpha, offset)
        square = sum(a * s * v for a, s, v in zip(alpha, m.y, soft.decision_values(m, alpha, Q(0))))
        gap = soft.primal_objective(square, f, m.y, m.costs) - alpha.sum() + square / 2
        assert (gap == 0) == (conditions.violators(alpha, m.y.times(f), m.costs) == [])


@given(machines())
def test_the_short_check_as_printed_passes_what_is_not_optimal(m):
    """α = 0 with ξ = 0 is in the box, balanced, and has ξ(α − C) = 0 at every point, but is no optimum: the margins
    must be looked at  [ERR-MMST-11] [MMST-11.3.5-check] [MMST-11.47] [MMST-11.66]."""
    zero = Vector([Q(0)] * len(m.y))
    xi = zero
    assert all(0 <= a <= c for a, c in zip(zero, m.costs)) and zero @ m.y == 0
    assert not any(s * (a - c) for s, a, c in zip(xi, zero, m.costs))
    assert conditions.violators(zero, zero, m.costs) == list(range(len(m.y)))  # yf = 0 < 1 throughout
    assert (
        soft.primal_objective(Q(0), zero, m.y, m.costs)
        > 0
        == soft.dual_objective(zero, m.y, gram(RATIONAL, Linear(), m.K.X))
    )


@few
@given(problems(), positive)
def test_every_free_point_gives_the_one_intercept(case, C):
    """yᵢ − Σαⱼyⱼxᵢᵀxⱼ, which is 1/yᵢ − xᵢᵀβ, is the same number at every point with 0 < α < C, their average and both
    ends of the interval  [SVC-L1-BIAS.P1] [ISML-27.4] [ISML-27.3-intercept] [KIM-3.49] [KIM-3.74]
    [ESL-12.2.1-intercept]."""
    m, t = solved(*case, C=C)
    beta, _ = plane(m, t)
    each = conditions.intercepts(t.alpha, m.y, soft.decision_values(m, t.alpha, Q(0)), m.costs)
    free = [i for i, a in enumerate(t.alpha) if 0 < a < C]
    assert each == [1 / m.y[i] - m.K.X[i] @ beta for i in free]
    if free:
        assert set(each) == {conditions.average(each)} == set(t.interval)


@few
@given(problems(), positive, st.data())
def test_any_points_without_multipliers_can_go(case, C, data):
    """Deleting some of the points with α = 0 leaves β; the intercepts that were optimal stay so, and are all there are
    where a free point fixes them  [SVC-SPARSE.P1]."""
    X, y = case
    m, t = solved(X, y, C=C)
    gone = {i for i, a in enumerate(t.alpha) if a == 0 and data.draw(st.booleans())}
    kept = [i for i in range(len(y)) if i not in gone]
    n, u = solved([X[i] for i in kept], [y[i] for i in kept], C=C)
    assert plane(n, u)[0] == plane(m, t)[0] and u.objective == t.objective
    assert u.interval[0] <= t.interval[0] <= t.interval[1] <= u.interval[1]
    assert u.interval == t.interval or not any(0 < a < C for a in t.alpha)


@few
@given(problems(p=2), positive, st.integers(1, 4))
def test_no_multiplier_exceeds_the_cost_however_far_its_point_lies(case, C, power):
    """A point moved 10^k away on the wrong side has α = C, not more, and α = C wherever ξ > 0
    [SVC-OUTLIER-CAP.P1] [MMST-11.49] [ERR-MMST-24]."""
    X, y = case
    m, t = solved([*X, [-(10**power), 0], [10**power, 0]], [*y, 1, -1], C=C)
    assert max(t.alpha) <= C
    for a, xi, margin in zip(t.alpha, slacks_of(m, t), margins_of(m, t)):
        assert a == C or xi == 0
        assert a == 0 or margin <= 1  # support vectors: on the edge, or anywhere on its wrong side


@few
@given(problems(), positive)
def test_support_vectors_are_not_all_points_that_meet_the_constraint(case, C):
    """yf ≥ 1 − ξ holds at every point; the sum that makes β runs over those with equality and α > 0
    [ERR-MMST-09] [MMST-11.42] [MMST-11.50]."""
    X, y = case
    far = 9 + max(abs(v) for x in X for v in x)
    m, t = solved([*X, *([s * far] * len(X[0]) for s in (1, -1))], [*y, 1, -1], C=C)
    f = soft.decision_values(m, t.alpha, t.beta0)
    meeting = [s * v >= 1 - xi for s, v, xi in zip(m.y, f, conditions.slacks(f, m.y))]
    support = [i for i, a in enumerate(t.alpha) if a > 0]
    assert all(meeting)
    assert all(m.y[i] * f[i] == 1 - conditions.slacks(f, m.y)[i] for i in support)
    assert conditions.weights_of_support(t.alpha, m.y, m.K.X) == plane(m, t)[0]


def test_a_point_far_beyond_the_band_meets_the_constraint_and_is_no_support_vector():
    """x = ±1 and 3: all three have yf ≥ 1 − ξ, two are support vectors  [ERR-MMST-09] [MMST-11.50]."""
    m, t = solved([[1], [-1], [3]], [1, -1, 1], C=1)
    assert [a > 0 for a in t.alpha] == [True, True, False] and list(margins_of(m, t)) == [1, 1, 3]


@few
@given(problems(), positive)
def test_points_have_no_slack_where_their_margin_is_one_or_more(case, C):
    """ξ = 0 ⇔ yf ≥ 1; yf + ξ ≥ 1, which every point obeys, says nothing of ξ
    [ERR-MMST-10] [MMST-11.32] [MMST-11.33]."""
    m, t = solved(*case, C=C)
    xi, margin = slacks_of(m, t), margins_of(m, t)
    assert all(v + s >= 1 for v, s in zip(margin, xi))
    assert [s == 0 for s in xi] == [v >= 1 for v in margin]


def test_multipliers_at_either_end_of_the_box_may_lie_on_the_edge():
    """α = 0 with yf = 1 (two of four corners), and α = C with yf = 1 (x = ±1, C = ½): the edge belongs to both ends
    [ERR-ISML-08] [SV-DEF.P2] [ISML-27.3-categories] [ERR-YANG-20]."""
    m, t = solved(*CORNERS, C=None)
    assert list(margins_of(m, t)) == [1] * 4
    # Any of the optimal α has the sums ½ and ½; the corners (1, 1), (−1, −1) alone do not make β, two others do.
    two = Vector([Q(1, 4)] * 4), Vector([Q(1, 2), Q(0), Q(1, 2), Q(0)])
    for alpha in two:
        assert not any(hard_residuals(m, alpha, Q(0)).values())
    n, u = solved([[1], [-1]], [1, -1], C=Q(1, 2))
    assert list(u.alpha) == [Q(1, 2)] * 2 and list(margins_of(n, u)) == [1, 1]


def test_what_is_unique_and_what_is_not():
    """β is unique; the intercept, a single slack and the multipliers need not be: two points below C = ½, with one of
    them given twice  [ERR-ESL-15] [ERR-MMST-12] [SVC-L1.P2] [M-X1] [RC-16]."""
    C = Q(1, 4)
    m = machine([[1], [-1], [-1]], [1, -1, -1], [C, C, C])
    splits = [Vector([C, C * t, C * (1 - t)]) for t in (Q(0), Q(1, 3), Q(1))]
    interval = soft.intercept_interval(m, splits[1])
    assert {soft.intercept_interval(m, a) for a in splits} == {interval} and interval[0] == interval[1]
    for alpha in splits:
        f = soft.decision_values(m, alpha, interval[0])
        assert not any(conditions.residuals(alpha, conditions.slacks(f, m.y), f, m.y, m.costs).values())
        assert conditions.weights(alpha, m.y, m.K.X) == Vector([2 * C])
    proven = certificate.certify(m, splits[1], interval[0])
    assert proven.gap == 0 and proven.unique == {"f": True, "intercept": True}
    assert quadratic.certify(m.dual().problem(), active_set.solve(m.dual().problem())).unique["x"] is False
    n = machine([[1], [-1]], [1, -1], C)
    low, high = soft.intercept_interval(n, Vector([C, C]))
    slack = [conditions.slacks(soft.decision_values(n, Vector([C, C]), b), n.y) for b in (low, high)]
    assert low < high and slack[0] != slack[1] and slack[0].sum() == slack[1].sum()
    proofs = [certificate.certify(n, Vector([C, C]), b) for b in (low, high)]
    assert all(p.gap == 0 and p.unique == {"f": True, "intercept": False} for p in proofs)


@few
@given(problems(p=1), positive)
def test_two_copies_share_their_multiplier_in_any_way(case, C):
    """With a point given twice, α moved from one copy to the other is as good: the Gram matrix is positive semidefinite
    and the solution not unique  [ERR-MMST-12] [RC-16]."""
    X, y = case
    m, t = solved([*X, X[0]], [*y, y[0]], C=C)
    total = t.alpha[0] + t.alpha[-1]
    low, high = max(Q(0), total - C), min(C, total)
    for first in (low, high):
        alpha = Vector([first, *t.alpha[1:-1], total - first])
        assert certificate.certify(m, alpha, t.beta0).gap == 0
    answer = active_set.solve(m.dual().problem())
    assert quadratic.certify(m.dual().problem(), answer).unique["x"] is False or low == high


@few
@given(problems(), positive, vectors(3), fractions)
def test_the_objective_has_no_maximum(case, C, normal, shift):
    """½‖β‖² + CΣξ grows beyond every bound along any ray of planes: it is to be minimised  [ERR-YANG-01]."""
    X, y = case
    m = machine(X, y, C)
    beta = Vector(normal[: len(X[0])])
    assume(any(beta))

    def value(scale):
        f = Vector([scale * (x @ beta + shift) for x in m.K.X])
        return soft.primal_objective(scale**2 * (beta @ beta), f, m.y, m.costs)

    bound = value(Q(1)) + 1000
    assert value(2 * bound / (beta @ beta) + 1) > bound


@few
@given(problems(), positive)
def test_one_vector_of_weights_serves_every_point(case, C):
    """β̂ has an entry for each variable, not one for each point, and f(xᵢ) = xᵢᵀβ̂ + β̂0 with the same β̂ for all i
    [ERR-YANG-18] [ESL-12.17] [ISML-27.2-weights]."""
    m, t = solved(*case, C=C)
    beta, beta0 = plane(m, t)
    assert len(beta) == len(m.K.X[0])
    assert soft.decision_values(m, t.alpha, t.beta0) == Vector([x @ beta + beta0 for x in m.K.X])


@few
@given(machines(), st.data(), vectors(3), fractions)
def test_the_dual_that_gets_the_kernel_is_a_lower_bound_of_the_primal(m, data, normal, beta0):
    """With ⟨x, z⟩ the kernel dual is the soft-margin dual, its sums over the n points; the primal, under whose number
    it is introduced, is never below it  [ERR-KIM-22] [KIM-3.33] [KIM-3.46] [KIM-3.71] [KIM-3.72] [MMST-11.65]."""
    alpha = data.draw(balanced(m))
    K = gram(RATIONAL, Linear(), m.K.X)
    assert len(K) == len(alpha) == len(m.y)
    written_out = sum(
        a * b * s * r * (x @ z) for a, s, x in zip(alpha, m.y, m.K.X) for b, r, z in zip(alpha, m.y, m.K.X)
    )
    dual = soft.dual_objective(alpha, m.y, K)
    beta = Vector(normal[: len(m.K.X[0])])
    f = Vector([x @ beta + beta0 for x in m.K.X])
    assert dual == alpha.sum() - written_out / 2
    assert dual <= primal.power_objective(beta @ beta, conditions.slacks(f, m.y), m.costs[0], 1)


# ----------------------------------------------------------------------------- exponents, jitter, sizes


@few
@given(separable(), positive)
def test_squared_slack_tends_to_the_hard_margin(case, C):
    """½‖β_h‖² − Σα_h²/(4C) ≤ the optimum at C ≤ ½‖β_h‖², and ‖β_C − β_h‖² ≤ Σα_h²/(2C): as C → ∞ both exponents give
    the hard margin  [SVC-LP.P1] [KIM-3.33] [MMST-11.33]."""
    m, t = solved(*case, C=None)
    n, u = solved(*case, C=C, squared=True)
    short = t.alpha @ t.alpha / (4 * C)
    assert t.objective - short <= u.objective <= t.objective
    apart = plane(n, u)[0] - plane(m, t)[0]
    assert apart @ apart <= 2 * short
    for power in (1, 2, 3):  # at the hard margin there is no slack to raise to a power
        assert primal.power_objective(t.square, slacks_of(m, t), C, power) == t.objective


@few
@given(problems(), positive, positive)
def test_a_constant_on_the_diagonal_is_a_second_squared_slack(case, C, delta):
    """The dual with K + δI is that of ½‖β‖² + CΣξ + Ση²/(2δ), yf ≥ 1 − ξ − η, η = δα
    [SVC-RIDGED.P1] [ISML-27.2-jitter] [ISML-27.2-qp]."""
    X, y = case
    m = soft.ridged(machine(X, y, C), delta)
    t = fit.train(RATIONAL, m)
    n, p, zero, one = len(y), len(X[0]), Q(0), Q(1)
    size = p + 1 + 2 * n
    diagonal = [one] * p + [zero] * (1 + n) + [1 / delta] * n
    rows = [
        [-s * v for v in x] + [-s] + [-one if j == i else zero for j in range(n)] * 2
        for i, (x, s) in enumerate(zip(machine(X, y).K.X, m.y))
    ]
    c = Vector([zero] * (p + 1) + [C] * n + [zero] * n)
    lower = (None,) * (p + 1) + (zero,) * n + (None,) * n
    both = quadratic.Problem(
        Matrix.diagonal_of(diagonal), c, lower, (None,) * size, G=Matrix(rows), h=Vector([-one] * n)
    )
    found = active_set.solve(both)
    assert quadratic.objective(both, found.x) == t.dual_objective
    assert Vector(found.x[p + 1 + n :]) == delta * t.alpha


@few
@given(problems(), positive, positive)
def test_jitter_lowers_the_dual_by_at_most_its_own_share(case, C, delta):
    """0 ≤ D₀ − D_δ ≤ ½δ‖α₀‖²: as δ → 0 the value is that of the plain machine  [SVC-RIDGED.P1] [ISML-27.2-jitter]."""
    X, y = case
    _, plain = solved(X, y, C=C)
    jittered = fit.train(RATIONAL, soft.ridged(machine(X, y, C), delta))
    assert 0 <= plain.dual_objective - jittered.dual_objective <= delta * (plain.alpha @ plain.alpha) / 2


@given(machines())
def test_the_dual_has_a_variable_for_each_point_and_the_primal_more(m):
    """n against n + p + 1 variables  [M-DUAL-SIZE] [SVC-L1.P1]."""
    p = len(m.K.X[0])
    assert m.dual().problem().n == len(m.y)
    assert primal.soft(m.K.X, m.y, m.costs).n == len(m.y) + p + 1


@given(machines())
def test_without_an_intercept_nothing_is_summed_to_zero(m):
    """The dual of f(x) = xᵀβ has the box and no equality  [SVC-NOINT.P1] [ISML-27.2-no-intercept] [ERR-ISML-12]."""
    without = soft.Machine(m.K, m.y, m.costs, intercept=False).dual().problem()
    assert without.E is None and without.d is None and Matrix([[Q(1)] * len(m.y)]) == m.dual().problem().E
    assert (without.lower, without.upper) == (m.dual().problem().lower, m.dual().problem().upper)
