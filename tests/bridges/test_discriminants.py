"""Theorems that join discriminants, exact wherever no eigenvalue is needed.

LDA = Fisher = least squares = canonical variate = canonical correlation = optimal scoring; corners of RDA; costs,
priors and
codes that say the same.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.decision import log_posteriors
from refclass.discriminants.gaussian import fisher, lda, least_squares, qda, rda, variates
from refclass.discriminants.logistic import logistic
from refclass.discriminants.optimal_scoring import correlation, scoring
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.penalised import retargeted
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.linear import ridge
from refclass.sample import covariance, data, metric, scatter
from refclass.sample.mean import class_means, shares
from tests.discriminants.gaussian.test_fisher import many
from tests.discriminants.gaussian.test_least_squares import codes
from tests.discriminants.samples import PLANE, apart, few, multiple, over, regular, vector
from tests.margins import penalties
from tests.strategies import vectors

F = decimal(40)
SAMPLE = data.read(F, *many())
UNIT = F.kind(1)


@few
@given(regular(), codes)
def test_three_roads_lead_to_one_direction(sample, t):
    """LDA, Fisher and least squares with any codes have one direction, exactly
    [FISHER-2.P1] [LS-LDA.P1] [LDA-2MID.P1] [RC-3] [RC-21] [ESL-Ex4.2] [EX-ESL-4.2].
    """
    means = apart(sample)
    model = lda.fit(RATIONAL, sample)
    d, _ = lda.log_odds(model)
    assert d == fisher.direction(means, model.metric)
    assert multiple(least_squares.coded(RATIONAL, sample, t).rule.direction, d)
    assert fisher.criterion(d, means[1] - means[0], model.metric.matrix) == model.metric.squared(means[1] - means[0])


@few
@given(regular())
def test_three_more_roads_lead_there_too(sample):
    """The canonical variate, the canonical correlation with the indicators and the optimal score have that
    direction, to the
    last of 40 digits  [OS-LDA.P1] [CCA-LINK.P2] [FISHER-RQ.P2] [RC-3].
    """
    apart(sample)
    d, _ = lda.log_odds(lda.fit(RATIONAL, sample))
    s = over(F, sample)
    means, within = class_means(s), metric.factor(F, covariance.pooled(s))
    found = [
        variates.weighted(F, means, within, shares(s)).vectors.column(0),
        correlation.with_classes(F, s).vectors.column(0),
        _scored(s),
    ]
    place = max(range(len(d)), key=lambda j: abs(d[j]))
    want = [F.lift(v / d[place]) for v in d]
    for v in found:
        assert all(near(F, a / v[place], b, UNIT, 10**5) for a, b in zip(v, want))


def _crossed(sample):
    """Return YᵀŶ/n of the regression on indicators."""
    from refclass.sample.indicator import indicator

    model = least_squares.indicated(F, sample)
    return Matrix([[v / sample.n for v in row] for row in indicator(sample).T @ model.regression.fitted])


def _scored(sample):
    """Return the coefficients of the first optimal score."""
    theta = scoring.scores(F, _crossed(sample), shares(sample)).theta
    return least_squares.indicated(F, sample).regression.coefficients @ theta.column(0)


@pytest.mark.parametrize("field", [BINARY64, F], ids=lambda F: F.name)
def test_correlations_scores_and_variates_have_the_same_values(field):
    """μₗ = ρₗ² and dₗ = ρₗ²/(1 − ρₗ²) for sums of squares, direction by direction, for five classes of different sizes
    [CCA-LINK.P1] [CCA-LINK.P2] [OS-LDA.P1] [ESL-4.3.3-correlation] [RC-3].
    """
    sample = data.read(field, *many())
    within = metric.factor(field, scatter.within(sample))
    n = field.kind(sample.n)
    axes = variates.weighted(field, class_means(sample), within, shares(sample))
    rho = correlation.with_classes(field, sample)
    mu = scoring.fit(field, sample).optimal.values
    for k, d in enumerate(axes.eigenvalues):
        assert near(field, mu[k], rho.squares[k], field.kind(1), 200)
        assert near(field, n * d, mu[k] / (1 - mu[k]), n * axes.eigenvalues[0], 1000)
        v, u = axes.vectors.column(k), rho.vectors.column(k)
        place = max(range(3), key=lambda j: abs(v[j]))
        assert all(near(field, a / v[place], b / u[place], field.kind(1), 10**5) for a, b in zip(v, u))


def test_the_scale_of_the_scores_is_known():
    """vₗ = β̂ₗ/√(μₗ(1 − μₗ)) has vₗᵀ(W/n)vₗ = 1, and is the canonical variate
    [OS-LDA.P2] [YANG-connection-with-lda] [RC-3].
    """
    model = scoring.fit(F, SAMPLE)
    likely = covariance.pooled(SAMPLE, "n")
    axes = variates.weighted(F, class_means(SAMPLE), metric.factor(F, likely), shares(SAMPLE))
    V = model.variates
    for k in range(len(model.weights)):
        v, u = V.column(k), axes.vectors.column(k)
        assert near(F, v @ (likely @ v), UNIT, steps=1000)
        side = 1 if v @ u > 0 else -1
        assert all(near(F, side * a, b, u.largest(), 10**5) for a, b in zip(v, u))


def test_unweighted_means_have_other_directions_than_scores():
    """With classes of different sizes the unweighted between matrix gives another first direction
    [OS-LDA.P3] [CLASH-5].
    """
    likely = metric.factor(F, covariance.pooled(SAMPLE, "n"))
    v = variates.unweighted(F, class_means(SAMPLE), likely).vectors.column(0)
    u = scoring.fit(F, SAMPLE).variates.column(0)
    cosine = abs(v @ (likely.matrix @ u))  # both have length one in this metric
    assert cosine < F.lift("0.9999")


@few
@given(regular(classes=3, p=2, own=True, per_class=(3, 4)), vectors(2))
def test_the_corners_of_the_regularised_rule(sample, x):
    """(1, ·) is QDA, (0, 1) LDA, (0, 0) with equal priors the nearest mean, exactly
    [RDA-A.P1] [RDA-G.P1] [RDA-AG.P2] [RC-8] [RC-21].
    """
    zero, one = Fraction(0), Fraction(1)
    assert rda.fit(RATIONAL, sample, alpha=one, gamma=zero).decide(x) == qda.fit(RATIONAL, sample).decide(x)
    assert rda.fit(RATIONAL, sample, alpha=zero, gamma=one).decide(x) == lda.fit(RATIONAL, sample).decide(x)
    even = rda.fit(RATIONAL, sample, alpha=zero, gamma=zero, priors=fisher.equal_priors(sample))
    squared = [(x - mu) @ (x - mu) for mu in class_means(sample)]
    assert even.decide(x).classes == tuple(k for k, v in enumerate(squared) if v == min(squared))


@few
@given(regular(per_class=(4, 4)), st.data())
def test_equal_sizes_make_three_rules_one(sample, more):
    """n₁ = n₂: LDA, Fisher's midpoint and least squares decide alike at every point, ties included
    [LS-INTERCEPT.P1] [FISHER-ALLOC.P1] [LDA-2MID.P1].
    """
    means = apart(sample)
    x = more.draw(vectors(sample.p))
    model = lda.fit(RATIONAL, sample)
    assert model.decide(x) == fisher.allocation(means, model.metric).decide(x)
    assert model.decide(x) == least_squares.coded(RATIONAL, sample, vector(0, 7)).decide(x)


@few
@given(regular(classes=3), st.data())
def test_costs_are_priors_in_disguise(sample, more):
    """Costs cⱼ of missing class j, whatever is said instead, decide as priors πⱼcⱼ, divided by their sum, do
    [COST-RATIO.P1] [COST-K.P2].
    """
    x = more.draw(vectors(sample.p))
    c = vector(1, 4, "1/3")
    costs = Matrix([[c[j] if i != j else Fraction(0) for j in range(3)] for i in range(3)])
    pi = shares(sample)
    tilted = pi.times(c) / (pi @ c)
    assert lda.fit(RATIONAL, sample, costs=costs).decide(x) == lda.fit(RATIONAL, sample, priors=tilted).decide(x)


def test_argmax_of_softmax_is_not_the_nearest_fit():
    """The "softmax" of fitted indicators decides as the indicators do, and not as the nearest mean in the space of the
    same fits, which is the linear rule: here it masks the middle class  [SOFTMAX-FIT.P1] [SOFTMAX-FIT.P2].
    """
    rows = [[c + s] for c in (0, 8, 16) for s in (-1, 0, 1)]
    sample = data.read(F, rows, [k for k in range(3) for _ in range(3)])
    model = least_squares.indicated(F, sample)
    said = model.classify(sample.X)
    for x, k in zip(sample.X, said):
        p = log_posteriors.softmax(F, model.scores(x))
        assert p.index(max(p)) == k
    nearest = scoring.fit(F, sample).classify(sample.X)
    assert 1 not in said[3:6:2] and nearest == list(sample.labels)
    assert nearest == lda.fit(F, sample, divisor="n").classify(sample.X)


def test_the_logistic_direction_tends_to_the_widest_margin():
    """Separable data: as λ falls ‖β‖ grows without bound and the angle to the hard-margin direction falls
    [LOGIT-SEP.P1] [LOGIT-SEP.P2] [ESL-12.3.2-separation].
    """
    import refclass

    rows, labels = [[0, 0], [1, 1], [0, 2], [4, 1], [5, 3], [6, 0]], [0, 0, 0, 1, 1, 1]
    widest = refclass.SVC(C=float("inf"), arithmetic="exact").fit(rows, labels).coef_[0]
    w = Vector([F.lift(v) for v in widest])
    sample = data.read(F, rows, labels)
    lengths, cosines = [], []
    for j in (0, 2, 4, 8, 16):
        beta, _ = logistic.fit(F, sample, penalty=F.kind(10) ** -j).log_odds()
        lengths.append(F.sqrt(beta @ beta))
        cosines.append(beta @ w / (lengths[-1] * F.sqrt(w @ w)))
    assert lengths == sorted(lengths) and lengths[-1] > 5 * lengths[0]
    assert cosines == sorted(cosines) and cosines[-1] > F.lift("0.999")


@few
@given(regular(classes=3))
def test_probabilities_of_linear_and_quadratic_rules_agree_for_one_covariance(sample):
    """A quadratic rule whose classes share Σ̂ has the posteriors of the linear rule  [QDA.P1] [LDA-K.P1]."""
    s = over(F, sample)
    model = lda.fit(F, s)
    same = qda.rule(F, model.priors, model.means, [model.metric] * 3)
    for x in s.X:
        assert all(near(F, a, b, UNIT, 10**5) for a, b in zip(model.posterior(x), same.posterior(x)))


@few
@given(regular(p=2), st.integers(1, 6).map(Fraction))
def test_ridge_codes_start_the_retargeted_iteration(sample, lam):
    """The iteration of retargeted least squares for the squared hinge, whose curvature is 2, starts from the ridge fit
    of the codes
    ±1 with λ/2  [LS-CLS.P2] [ISML-27.6.2-start].
    """
    y = [2 * g - 1 for g in sample.labels]
    asked = penalties.problem(sample.X, y, SquaredHinge(), lam, intercept=False)
    first = next(retargeted.steps(RATIONAL, asked, max_steps=1))
    target = Matrix([[Fraction(t)] for t in y])
    fit = ridge.fit(RATIONAL, sample.X, target, penalty=lam / 2, intercept=False)
    assert first.f == fit.fitted.column(0)


def test_floats_decide_as_fractions_do():
    """On data without near ties every rule says in doubles what it says exactly."""
    exactly, rounded = data.read(RATIONAL, *PLANE), data.read(BINARY64, *PLANE)
    for fit in (lda.fit, qda.fit, least_squares.indicated, fisher.fit):
        assert fit(BINARY64, rounded).classify(rounded.X) == fit(RATIONAL, exactly).classify(exactly.X)
