"""The multinomial machine: stationarity, sums of zero, two classes as one function, and a proof."""

from fractions import Fraction as Q

import pytest

from refclass.errors import InvalidInput, NotExact
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows, gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.deviance import Deviance
from refclass.margins.penalised import kernel_logistic, multinomial, multinomial_certificate, penalised
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near, negligible

everywhere = pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
X = [[0, 0], [1, 2], [2, 1], [3, 3], [1, 4], [4, 0], [2, 5], [3, 1]]
LABELS = (0, 0, 1, 1, 2, 1, 2, 0)


def problem(F, labels=LABELS, classes=3, penalty="1/2", intercept=True, weights=None):
    """A problem with a Gaussian kernel."""
    rows = Matrix([[F.lift(v) for v in x] for x in X])
    K = gram(F, Gaussian(F.lift(Q(1, 4))), rows)
    w = Vector([F.lift(v) for v in weights or [1] * len(X)])
    return multinomial.Problem(F, K, labels, classes, w, F.lift(Q(penalty)), intercept)


def flat(fit):
    """A fit as one vector."""
    return Vector([v for own in fit.alpha for v in own] + list(fit.beta0))


@everywhere
@pytest.mark.parametrize("intercept", [True, False])
def test_the_multipliers_are_what_the_probabilities_leave_over(F, intercept):
    """λα_ik = w(1{gᵢ = k} − p_k), and with intercepts Σᵢ α_ik = 0  [MC-KMULTI.P2] [ESL-12.3.8-multinomial]."""
    p = problem(F, intercept=intercept, weights=[1, 2, 1, 1, 1, 3, 1, 1])
    fit = multinomial.fit(p)
    assert negligible(F, p.violation(flat(fit)), F.lift(3), 64)


@everywhere
def test_multipliers_and_intercepts_sum_to_zero_over_the_classes(F):
    """Σ_k α_ik = 0 at every point, Σ_k β_k = 0  [MC-KMULTI.P2] [ESL-12.3.8-multinomial]."""
    fit = multinomial.fit(problem(F))
    assert all(negligible(F, sum(column), F.lift(2), 64) for column in zip(*fit.alpha))
    assert negligible(F, fit.beta0.sum(), F.lift(1) + fit.beta0.largest(), 64)


@everywhere
@pytest.mark.parametrize("intercept", [True, False])
def test_two_classes_are_kernel_logistic_regression_with_half_the_penalty(F, intercept):
    """f₂ − f₁ is the log-odds found with λ/2, and the objectives are one
    [MC-KMULTI.P1] [RC-11] [ESL-12.3.8-multinomial] [ESL-12.31]."""
    labels = tuple(g % 2 for g in LABELS)
    p = problem(F, labels, 2, "3/4", intercept)
    fit = multinomial.fit(p)
    y = Vector([F.lift(2 * g - 1) for g in labels])
    two = penalised.Problem(p.K, y, p.weights, Deviance(), p.penalty / 2, intercept)
    one = kernel_logistic.fit(F, two)
    first, second = (Vector.of([v + b for v in p.K @ a]) for a, b in zip(fit.alpha, fit.beta0))
    assert negligible(F, (second - first - one.f).largest(), one.f.largest() + 1, 64)
    assert near(F, fit.objectives[-1], one.objectives[-1], steps=64)


@everywhere
def test_the_proof_bounds_the_objective_to_twice_the_digits(F):
    """0 ≤ gap ≤ eps^(3/2), and the status is optimal  [MC-KMULTI.P2] [RC-4]."""
    p = problem(F, weights=[1, 2, 1, 1, 1, 3, 1, 1])
    fit = multinomial.fit(p)
    c = multinomial_certificate.certify(p, p.K, fit.alpha, fit.beta0)
    assert c.status == "optimal" and c.gap >= 0 and c.gap**2 <= Q(F.eps) ** 3 * c.primal
    assert near(F, fit.objectives[-1], F.lift(c.primal), steps=8)


def test_the_proof_without_intercepts_needs_no_balance():
    """Without intercepts any probabilities give a bound  [MC-KMULTI.P2]."""
    p = problem(BINARY64, intercept=False)
    fit = multinomial.fit(p)
    c = multinomial_certificate.certify(p, p.K, fit.alpha, fit.beta0)
    assert c.status == "optimal" and 0 <= c.gap < Q(1, 10**20)


def test_the_proof_of_another_answer_bounds_the_optimum_from_below():
    """f = 0 and multipliers far off: dual ≤ optimum ≤ primal, and not optimal  [RC-4]."""
    p = problem(BINARY64)
    best = multinomial.fit(p).objectives[-1]
    for size in (0.0, 5.0):
        alpha = [[size * (1 if g == k else -0.5) for g in LABELS] for k in range(3)]
        c = multinomial_certificate.certify(p, p.K, alpha, [0.0, 0.0, 0.0])
        assert c.status == "not converged" and c.dual <= best <= c.primal and c.where


def test_the_proof_of_linear_functions_delivered_beside_multipliers_has_the_larger_objective():
    """Of points that are unit vectors β is α: with β another α the primal is the larger one of the two  [RC-4]."""
    K = Rows(RATIONAL, Linear(), Matrix.identity(3, Q))
    p = multinomial.Problem(RATIONAL, K, (0, 1, 2), 3, Vector([Q(1), Q(2), Q(1)]), Q(1, 2))
    some = [[Vector([Q(size if i == k else 0) for i in range(3)]) for k in range(3)] for size in (0, 1, 8)]
    free = [Q(1, 3), Q(0), Q(0)]
    alone = [multinomial_certificate.certify(p, K, own, free).primal for own in some]
    for a, own in zip(alone, some):
        for b, beta in zip(alone, some):
            assert multinomial_certificate.certify(p, K, own, free, beta=beta).primal == max(a, b)


def test_probabilities_that_meet_their_conditions_are_found_near_any_answer():
    """Rows are probabilities and weighted sums those of the classes, exactly  [MC-KMULTI.P2]."""
    p = problem(BINARY64, weights=[1, 2, 1, 1, 1, 3, 1, 1])
    weights, a = list(map(Q, p.weights)), [[Q(i * k % 5 - 2, 2) for i in range(8)] for k in range(3)]
    near = multinomial_certificate.feasible(p, a, weights, Q(1, 2))
    q = [[(g == k) - Q(1, 2) * near[k][i] / w for k in range(3)] for i, (g, w) in enumerate(zip(LABELS, weights))]
    assert all(sum(row) == 1 and min(row) >= 0 for row in q)
    for k in range(3):
        assert sum(w * row[k] for w, row in zip(weights, q)) == sum(w for w, g in zip(weights, LABELS) if g == k)


@everywhere
def test_no_state_lies_higher_than_the_one_before(F):
    """Every step of the iteration lowers the objective, up to roundoff  [MC-KMULTI.P2]."""
    for state in multinomial.steps(problem(F, penalty="1/20")):
        state.check()


@everywhere
def test_the_loss_is_safe_for_any_values(F):
    """−log p_k = log Σ e^{f_l} − f_k for values large and small, and keeps the digits of a small loss
    [ESL-12.3.8-multinomial]."""
    f = [F.lift(v) for v in (800, 0, -800)]
    assert multinomial.log_loss(F, f, 0) < F.eps and near(F, multinomial.log_loss(F, f, 2), F.lift(1600))
    small = [F.lift(40), F.lift(0)]
    e = F.exp(F.lift(-40))
    assert near(F, multinomial.log_loss(F, small, 0), e - e * e / 2, steps=4)
    assert near(F, multinomial.probabilities(F, f).sum(), F.lift(1))
    assert multinomial.log_loss(F, [F.lift(0)] * 3, 1) == F.log(F.lift(3))


def test_exact_arithmetic_and_other_lengths_are_refused():
    """Exponentials are not rational; a proof needs multipliers for every class and point  [ESL-12.3.8-multinomial]."""
    one = Vector([Q(1)] * 2)
    p = multinomial.Problem(RATIONAL, Matrix.identity(2, Q), (0, 1), 2, one, Q(1))
    x = Vector([Q(1), Q(0), Q(0), Q(2), Q(0), Q(0)])
    with pytest.raises(NotExact):
        p.objective(x)
    with pytest.raises(InvalidInput, match="2 multipliers"):
        multinomial_certificate.certify(p, p.K, [one], [Q(0), Q(0)])


def test_the_better_bound_is_looked_for_where_more_digits_are_asked():
    """Multipliers of zero bound the minimum by 0; with digits asked the probabilities of f bound it better; decimals
    are judged in twice their digits  [ESL-12.3.8-multinomial]."""
    p = problem(BINARY64)
    zero, none = [Vector([0.0] * 8)] * 3, [0.0] * 3
    least, more = (multinomial_certificate.certify(p, p.K, zero, none, asked=asked) for asked in (0, 9))
    assert least.primal == more.primal and least.dual < more.dual < more.primal
    D = decimal(40)
    fine = [Vector([D.lift(0)] * 8)] * 3
    assert multinomial_certificate.certify(p, p.K, fine, none).premise.endswith("as decimal:80 computes them")
    for alpha in ([zero[0], zero[0], Vector([0.0] * 7)], zero[:2]):
        with pytest.raises(InvalidInput, match="8 multipliers for each of 3 classes"):
            multinomial_certificate.certify(p, p.K, alpha, none)


def test_small_multipliers_are_judged_in_more_digits():
    """λ = ¼ and |α|/w = 2⁻¹⁰⁰ once, else 2⁻¹⁴⁰: log₂ of the largest share is −102, for which twenty digits more are
    taken  [ESL-12.3.8-multinomial]."""
    one, heavy, small = Matrix.identity(2, Q), Vector([Q(2**40)] * 2), Q(1, 2**100)
    p = multinomial.Problem(RATIONAL, one, (0, 1), 2, heavy, Q(1, 4))
    alpha = [Vector([small, small]), Vector([small, Q(-1, 2**60)])]
    found = multinomial_certificate.certify(p, one, alpha, [Q(0), Q(0)])
    assert found.premise.endswith("as decimal:80 computes them")
