"""The machine in all its forms is one machine, whoever solves it."""

import math
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import SVC
from refclass.kernels.kernel import kernel
from refclass.kernels.matrices.gram import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate, conditions, fit, primal, soft
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import chunking
from refclass.optimise.quadratic import certificate as quadratic
from refclass.selection.leave_one_out import support_share
from tests.margins.machines import mixture, plane, problems, signed, solved
from tests.profiles import examples
from tests.strategies import positive, samples, vectors

few = settings(max_examples=examples(20))

KERNELS = ["linear", {"name": "polynomial", "degree": 2}, {"name": "spline", "start": -7}]


def hinges(m, f):
    """Σ [1 − yᵢfᵢ]₊."""
    return conditions.slacks(f, m.y).sum()


@few
@given(problems(), positive)
def test_cost_penalty_and_budget_are_three_names_of_one_machine(case, C):
    """½‖β‖² + CΣξ, Σ hinge + (λ/2)‖β‖² with λ = 1/C, and ½‖β‖² with Σξ ≤ Σξ̂(C) have one β, and their values are each
    other's  [SVC-L1.P1] [SVC-BUDGET.P1] [PEN-SVM.P1] [EX-ESL-12.1] [ESL-12.7] [ESL-12.8] [ESL-12.25] [RC-7]."""
    m, t = solved(*case, C=C)
    beta, p = plane(m, t)[0], len(m.K.X[0])
    spent = hinges(m, soft.decision_values(m, t.alpha, t.beta0))
    assert (spent + beta @ beta / C / 2) * C == t.objective == t.dual_objective
    bounded = active_set.solve(primal.budget(m.K.X, m.y, spent))
    assert bounded.x[:p] == active_set.solve(primal.soft(m.K.X, m.y, m.costs)).x[:p] == beta
    price = bounded.mu[-1]  # of a unit of the budget: a cost that buys the same machine, C or another
    assert not price or plane(*solved(*case, C=price))[0] == beta


def finite(K, y, lam):
    """Σξ + (λ/2)αᵀKα over β0, α and ξ, α of either sign and without bounds: (12.29) as a quadratic programme."""
    n, zero, one = len(y), Q(0), Q(1)
    top = [[zero] * (1 + 2 * n)]
    Qm = Matrix(top + [[zero, *(lam * row), *[zero] * n] for row in K] + [[zero] * (1 + 2 * n)] * n)
    c = Vector([zero] * (1 + n) + [one] * n)
    G = Matrix(
        [[-t, *(-t * row), *(-one if j == i else zero for j in range(n))] for i, (t, row) in enumerate(zip(y, K))]
    )
    lower = (None,) * (1 + n) + (zero,) * n
    return quadratic.Problem(Qm, c, lower, (None,) * (1 + 2 * n), G=G, h=Vector([-one] * n))


@few
@given(samples(p=2, per_class=(1, 3)), positive, st.sampled_from(KERNELS))
def test_the_finite_criterion_has_the_solution_of_the_machine(sample, lam, description):
    """min Σ hinge + (λ/2)αᵀKα, α free, has the fitted values and the value of the machine of cost 1/λ, of which the
    dual in the box is another function: its value, times λ, is the largest lower bound of this one
    [EX-ESL-12.2] [PEN-KERNEL.P1] [ESL-12.19] [ESL-12.29] [ERR-ESL-08]."""
    X, labels = sample
    points = tuple(Vector(map(Q, x)) for x in X)
    K = gram(RATIONAL, kernel(RATIONAL, description), points)
    y = Vector(map(Q, signed(labels)))
    m = soft.Machine(K, y, (1 / lam,) * len(y))
    t = fit.train(RATIONAL, m)
    programme = finite(K, y, lam)
    found = active_set.solve(programme)
    alpha = Vector(found.x[1 : 1 + len(y)])
    assert quadratic.objective(programme, found.x) == lam * t.objective == lam * soft.dual_objective(t.alpha, y, K)
    assert K @ alpha == K @ t.alpha.times(y)  # the same f, up to the intercept; and the same norm
    assert alpha @ (K @ alpha) == t.square and t.interval[0] <= found.x[0] <= t.interval[1]


@few
@given(samples(p=2, per_class=(1, 3)), positive, vectors(6), vectors(1))
def test_every_value_of_the_finite_criterion_is_above_every_value_of_the_dual(sample, lam, values, offset):
    """(12.29) at any (β0, α) is at least λ times (12.19) at the optimum, at α = 0 it counts the points where that is 0:
    two criteria  [ERR-ESL-08] [ESL-12.19] [ESL-12.29]."""
    X, labels = sample
    m, t = solved(X, signed(labels), C=1 / lam)
    K = gram(RATIONAL, m.K.kernel, m.K.X)
    alpha = Vector(values[: len(m.y)])

    def criterion(a, b):
        f = Vector([v + b for v in K @ a])
        return hinges(m, f) + lam / 2 * (a @ (K @ a))

    zero = alpha - alpha
    assert criterion(alpha, offset[0]) >= lam * soft.dual_objective(t.alpha, m.y, K)
    assert criterion(zero, Q(0)) == len(m.y) > soft.dual_objective(zero, m.y, K) == 0


@few
@given(samples(p=2, per_class=(1, 4)), positive, st.sampled_from(KERNELS))
def test_primal_and_dual_meet_whatever_the_kernel(sample, C, description):
    """½‖f‖² + CΣξ = Σα − ½ΣΣααyyK at the optimum, with the fitted function's own values
    [SVC-DUALITY.P1] [SVC-L1-DUAL.P1] [KERNEL-SVC] [MMST-11.64] [MMST-11.65] [MMST-11.66] [KIM-3.71] [KIM-3.73]."""
    s = SVC(C=C, kernel=description, arithmetic="exact").fit(*sample)
    X, labels = sample
    f, y = s.decision_function(X), signed(labels)
    points = tuple(Vector(map(Q, x)) for x in X)
    K = gram(RATIONAL, kernel(RATIONAL, description), points)
    a = Vector([v * t for v, t in zip(s.alpha_, y)])
    assert f == [v + s.intercept_[0] for v in K @ a] and a.sum() == 0 and 0 <= min(s.alpha_) <= max(s.alpha_) <= C
    primal_value = a @ (K @ a) / 2 + C * sum(max(Q(0), 1 - t * v) for t, v in zip(y, f))
    assert primal_value == sum(s.alpha_) - a @ (K @ a) / 2 == s.objective_ == s.dual_objective_


@few
@given(samples(p=2, per_class=(1, 5)), positive)
def test_all_solvers_of_floats_find_the_exact_machine(sample, C):
    """Each solver's objective is the exact optimum, its β the exact β, to the accuracy it promises
    [OPT-SMO.P3] [OPT-CHUNK.P1] [OPT-DECOMP.P2]."""
    X, labels = sample
    exact = SVC(C=C, arithmetic="exact").fit(X, labels)
    for solver in ("auto", "long_step", *fit.SOLVERS):
        tol = None if solver in ("auto", "long_step", "active_set") else 1e-10
        s = SVC(C=float(C), solver=solver, tol=tol).fit(X, labels)
        assert abs(s.objective_ - float(exact.objective_)) <= 1e-7 * (1 + float(exact.objective_)), solver
        assert max(abs(a - float(b)) for a, b in zip(s.coef_[0], exact.coef_[0])) <= 1e-4, solver


@few
@given(problems(), positive)
def test_solvers_that_end_exactly_agree_exactly(case, C):
    """Active set, chunking, and refinement from floats: one β, one value, on fractions
    [OPT-CHUNK.P1] [OPT-QP.P1] [SVC-DUALITY.P1]."""
    m, t = solved(*case, C=C)
    problem = m.dual().problem()
    for solve in (active_set.solve, lambda p: chunking.solve(p, size=2)):
        a = solve(problem).x
        assert m.K.X.T @ a == plane(m, t)[0]
        assert -quadratic.objective(problem, a) == t.dual_objective


@settings(max_examples=examples(12))
@given(problems(per_class=(2, 4)), positive)
def test_leaving_a_point_out_errs_only_where_there_is_a_multiplier(case, C):
    """Without a point of α = 0, β stays and so does an optimal intercept, with which the point is on its side: the
    errors are at most the share of support vectors  [ESL-12.2.2-loo] [LOO-SV.P1] [LOO-SV.P3] [RC-19]."""
    X, y = case
    m, t = solved(X, y, C=C)
    errors = 0
    for i in range(len(y)):
        n, u = solved(X[:i] + X[i + 1 :], y[:i] + y[i + 1 :], C=C)
        beta0 = min(max(t.beta0, u.interval[0]), u.interval[1])
        margin = m.y[i] * (m.K.X[i] @ plane(n, u)[0] + beta0)
        errors += margin <= 0
        assert t.alpha[i] > 0 or (plane(n, u)[0] == plane(m, t)[0] and beta0 == t.beta0 and margin >= 1)
    assert Q(errors, len(y)) <= support_share(t.alpha)


@few
@given(samples(p=2, per_class=(1, 4)), positive)
def test_a_decision_value_of_zero_goes_to_the_positive_class(sample, C):
    """sign f with +1 where f = 0: the label is classes_[1] exactly where f ≥ 0  [MMST-11.1] [MMST-11.2] [GAP-1]."""
    X, labels = sample
    s = SVC(C=C, arithmetic="exact").fit(X, labels)
    tie = [-s.intercept_[0] * v / sum(w * w for w in s.coef_[0]) for v in s.coef_[0]] if any(s.coef_[0]) else X[0]
    rows = [*X, tie]
    f = s.decision_function(rows)
    assert s.predict(rows) == [s.classes_[v >= 0] for v in f] and (f[-1] == 0 or not any(s.coef_[0]))


@given(st.fractions(Q(1, 100), 3))
def test_two_points_in_closed_form(C):
    """x = ±1: hard α = (½, ½), β = 1, β0 = 0, Σα = ‖β‖² = 1; for C < ½ α = (C, C), β = 2C, Σξ = 2 − 4C, β0 anywhere in
    [−(1 − 2C), 1 − 2C]  [M-X1] [SVC-L1-BIAS.P2] [SVC-HARD-NORM.P1]."""
    m, t = solved([[1], [-1]], [1, -1], C=C)
    if Q(1, 2) <= C:
        n, t = solved([[1], [-1]], [1, -1], C=None)
        assert t.square == t.alpha.sum() == 1 and t.objective == Q(1, 2) == t.dual_objective
        assert plane(n, t) == (Vector([Q(1)]), 0) and t.interval == (0, 0)
        assert list(solved([[1], [-1]], [1, -1], C=C)[1].alpha) == list(t.alpha) == [Q(1, 2)] * 2
    else:
        assert list(t.alpha) == [C, C] and plane(m, t)[0] == Vector([2 * C])
        assert t.interval == (-(1 - 2 * C), 1 - 2 * C)
        for b in t.interval:
            assert hinges(m, soft.decision_values(m, t.alpha, b)) == 2 - 4 * C


def test_xor_in_closed_form_through_every_solver():
    """(1 + xᵀz)² on (±1, ±1), y = x₁x₂: α = ⅛, ‖β‖² = ½, dual ¼, in floats by each solver  [M-X2] [OPT-QP.P1]."""
    X, y = [[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]
    for solver in fit.SOLVERS:
        s = SVC(C=math.inf, kernel={"name": "polynomial", "degree": 2, "c": 1}, solver=solver).fit(X, y)
        assert max(abs(a - 0.125) for a in s.alpha_) < 1e-8 and abs(s.dual_objective_ - 0.25) < 1e-8
        assert abs(s.intercept_[0]) < 1e-7 and abs(s.margin_ - math.sqrt(2)) < 1e-7


@few
@given(problems(per_class=(2, 2), p=2))
def test_a_small_cost_sums_the_classes(case):
    """Balanced classes and C below the first break point: β = C(Σ₊x − Σ₋x), every point at its bound  [M-X9]."""
    X, y = case
    C = Q(1, 2 * (1 + sum(abs(v) for x in X for v in x)) ** 2)
    m, t = solved(X, y, C=C)
    assert list(t.alpha) == [C] * 4
    assert plane(m, t)[0] == C * sum((s * x for s, x in zip(m.y, m.K.X)), m.K.X[0] - m.K.X[0])


@pytest.mark.slow
def test_the_share_of_support_points_on_the_mixture_data():
    """At C = .01 168 of 200 points have α > 0, 84 % where 85 % are printed, 169 lie on or inside the band at the lower
    end of the intercepts' interval; at C = 10000 it is 124, 62 %
    [ERR-ESL-17] [M-ESL-F12.2] [M-YANG-SVC] [ESL-12.2.1-intercept]."""
    X, y = mixture()
    s = SVC(C=Q(1, 100), arithmetic="exact").fit(X, y)
    low, high = s.intercept_interval_
    assert len(s.support_) == 168 and s.certificate_.gap == 0
    assert (round(float(low), 6), round(float(high), 6)) == (-0.275025, -0.274189)
    shifted = [v - s.intercept_[0] + low for v in s.decision_function(X)]
    assert sum((1 if k == s.classes_[1] else -1) * v <= 1 for v, k in zip(shifted, y)) == 169
    assert len(SVC(C=10000).fit(X, y).support_) == 124


def test_in_floats_the_certificate_of_the_mixture_is_that_of_the_primal():
    """(β, β0) alone, without multipliers, is proven optimal by multipliers found beside it  [SVC-DUALITY.P1] [RC-4]."""
    X, y = mixture()
    s = SVC(C=1).fit(X, y)
    judged = certificate.certify_hyperplane(s._held.machine, Vector(s.coef_[0]), s.intercept_[0])
    assert judged.status == "optimal" and abs(judged.gap) <= 1e-9 * judged.primal


@pytest.mark.parametrize("C", [Q(1, 3), Q(2)])
def test_a_point_of_another_arithmetic_changes_nothing(C):
    """The exact machine of halves and thirds, in decimals of 40 digits and in floats: one machine  [SVC-L1.P2]."""
    X, y = [[Q(1, 2), Q(1, 3)], [0, 1], [Q(-2, 3), 0], [1, -1]], [1, 1, 0, 0]
    exact = SVC(C=C, arithmetic="exact").fit(X, y)
    decimals = SVC(C=C, arithmetic="decimal:40").fit(X, y)
    floats = SVC(C=float(C)).fit([[float(v) for v in x] for x in X], y)
    for a, b, c in zip(exact.alpha_, decimals.alpha_, floats.alpha_):
        assert abs(Q(*b.as_integer_ratio()) - a) < Q(1, 10**38) and abs(c - float(a)) < 1e-9
