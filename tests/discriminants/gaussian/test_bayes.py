"""Known normal classes: the linear form, its derivation, and how often the best rule errs."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.decision import decide, risk
from refclass.discriminants.gaussian import bayes, lda, qda
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.sample import gaussian, metric
from tests.discriminants.decision.test_risk import simpson
from tests.discriminants.gaussian.test_lda import populations
from tests.discriminants.samples import few, matrix, vector
from tests.strategies import vectors


@few
@given(populations(), vectors(2))
def test_every_line_of_the_derivation_has_the_same_value(known, x):
    """From the difference of distances to the linear form nothing changes but the form
    [LDA-2POP.P1] [TH-KIM-2.1.2] [KIM-2.20] [KIM-2.21] [KIM-2.22] [KIM-2.23] [KIM-2.24] [KIM-2.25] [KIM-2.26] [ESL-4.9].
    """
    mean1, mean2, shared = known
    lines = bayes.steps(x, mean1, mean2, shared)
    assert len(set(lines)) == 1
    assert lines[0] == bayes.exponent(x, mean1, mean2, shared) == bayes.linear(x, mean1, mean2, shared)
    reached = shared.solve(x)
    assert -(reached @ mean2) - shared.solve(mean2) @ x == -2 * (shared.solve(mean2) @ x)
    assert reached @ mean1 + shared.solve(mean1) @ x == 2 * (shared.solve(mean1) @ x)


def test_the_linear_form_is_the_log_ratio_of_densities():
    """L(x) = log f₁(x) − log f₂(x)  [LDA-2POP.P1] [KIM-2.17] [KIM-2.18] [KIM-2.19]."""
    F = decimal(40)
    shared = metric.factor(F, Matrix([[F.kind(2), F.kind(1)], [F.kind(1), F.kind(3)]]))
    mean1, mean2, x = (Vector([F.lift(v) for v in entries]) for entries in ([1, 2], [4, -1], [3, 3]))
    ratio = gaussian.log_density(F, x, mean1, shared) - gaussian.log_density(F, x, mean2, shared)
    assert near(F, bayes.linear(x, mean1, mean2, shared), ratio, F.kind(10), 20)


@few
@given(populations())
def test_the_linear_form_at_the_means(known):
    """L vanishes half-way between the means, and is ±Δ²/2 at them  [LDA-2POP.P2]."""
    mean1, mean2, shared = known
    squared = shared.squared(mean1 - mean2)
    values = [bayes.linear(x, mean1, mean2, shared) for x in ((mean1 + mean2) / 2, mean1, mean2)]
    assert values == [0, squared / 2, -squared / 2]


@few
@given(populations(), vectors(2))
def test_the_posterior_of_common_covariances_is_logistic(known, x):
    """The log-odds are L(x) + log(π₁/π₂), linear in x: the logistic form with β = Σ⁻¹(μ₁ − μ₂)
    [LOGIT-LDA.P1] [ESL-4.9].
    """
    mean1, mean2, shared = known
    model = lda.rule(RATIONAL, vector("1/3", "2/3"), Matrix([mean1, mean2]), shared)
    r = model.exponents(x)
    beta = shared.solve(mean1 - mean2)
    assert r[0] - r[1] == beta @ x - beta @ (mean1 + mean2) / 2
    F = decimal(40)
    lifted = lda.rule(
        F,
        Vector([F.lift("1/3"), F.lift("2/3")]),
        Matrix([[F.lift(v) for v in mu] for mu in (mean1, mean2)]),
        metric.factor(F, Matrix([[F.lift(v) for v in row] for row in shared.matrix])),
    )
    p = lifted.posterior(Vector([F.lift(v) for v in x]))
    odds = F.exp(F.lift(r[0] - r[1])) * F.lift("1/2")
    assert near(F, p[0], odds / (1 + odds), F.kind(1), 10**6)


def test_one_metric_is_linear_and_several_are_quadratic():
    """With one covariance the rule is linear, with one for each class quadratic  [KIM-2.3-plugin] [ERR-KIM-24]."""
    one = metric.factor(RATIONAL, matrix([2]))
    means, half = matrix([0], [4]), vector("1/2", "1/2")
    assert isinstance(bayes.rule(RATIONAL, half, means, [one]), lda.Model)
    two = bayes.rule(RATIONAL, half, means, [one, metric.factor(RATIONAL, matrix([18]))])
    assert isinstance(two, qda.Model)
    assert [two.predict(vector(x)) for x in (-8, 0, 4)] == [1, 0, 1]


COSTS = [[0.0, 3.0], [1.0, 0.0]]


@pytest.mark.long
@pytest.mark.parametrize("costs", [None, Matrix(map(Vector, COSTS))])
@pytest.mark.parametrize("variances", [[1.0], [1.0, 9.0], [4.0, 0.25]])
def test_errors_on_the_line_are_integrals_over_its_regions(variances, costs):
    """P(i|j) in one variable is the integral of fⱼ where class i is decided: quadrature over a fine lattice agrees
    [KIM-2.1] [KIM-2.2] [MISCLASS-COND.P2].
    """
    F = BINARY64
    metrics = [metric.factor(F, Matrix([[v]])) for v in variances]
    model = bayes.rule(F, Vector([0.25, 0.75]), Matrix([[0.0], [2.0]]), metrics, costs)
    P = bayes.misclassification(F, model)
    for j in range(2):
        known = metrics[j % len(metrics)]

        def part(x, i, j=j, known=known):
            inside = model.decide(Vector([x])).classes[0] == i
            return gaussian.density(F, Vector([x]), model.means[j], known) if inside else 0.0

        for i in range(2):
            assert abs(simpson(lambda t, i=i, part=part: part(t, i), -25.0, 27.0, 6000) - P[i][j]) < 4e-3
        assert near(F, P[0][j] + P[1][j], 1.0, steps=4)


def test_three_classes_on_the_line_have_two_cuts():
    """Equal variances and priors: the cuts are the midpoints, and the errors tails beyond them."""
    F = decimal(30)
    one = [metric.factor(F, Matrix([[F.kind(1)]]))]
    third = Vector([F.lift("1/3")] * 3)
    P = bayes.misclassification(F, bayes.rule(F, third, Matrix([[F.kind(v)] for v in (0, 2, 6)]), one))
    tail = [gaussian.distribution(F, -F.kind(v)) for v in range(6)]
    want = [[1 - tail[1], tail[1], tail[5]], [tail[1] - tail[4], 1 - tail[1] - tail[2], tail[2] - tail[5]],
            [tail[4], tail[2], 1 - tail[2]]]  # fmt: skip
    assert all(near(F, a, b, F.kind(1), 9) for u, v in zip(P, want) for a, b in zip(u, v))


def test_the_cost_of_the_linear_rule_is_the_least():
    """Moving the threshold either way from log[(c(1|2)/c(2|1))(p₂/p₁)] costs more  [ECM-RULE.P1] [KIM-Thm2.1.2]."""
    F = decimal(30)
    priors, costs = Vector([F.lift("1/4"), F.lift("3/4")]), Matrix([[F.kind(0), F.kind(5)], [F.kind(2), F.kind(0)]])
    shared = metric.factor(F, Matrix([[F.kind(2), F.kind(1)], [F.kind(1), F.kind(2)]]))
    model = bayes.rule(F, priors, Matrix([[F.kind(0), F.kind(0)], [F.kind(2), F.kind(1)]]), [shared], costs)
    k, squared = bayes.log_threshold(F, model), shared.squared(model.means[0] - model.means[1])
    assert near(F, k, F.log(F.lift("15/2")), steps=5)
    best = risk.expected_cost(costs, bayes.misclassification(F, model), priors)
    for step in (F.lift("0.01"), F.lift("-0.01"), F.kind(1)):
        assert risk.expected_cost(costs, risk.two_normals(F, squared, k + step), priors) > best


def test_where_no_closed_form_is_known_none_is_made_up():
    """Three classes in the plane are refused, and irrational answers in exact arithmetic; equal costs of three classes
    on the line are as none.
    """
    F = BINARY64
    plane = [metric.factor(F, Matrix.identity(2, float))]
    third = Vector([1 / 3] * 3)
    with pytest.raises(NoAnswer, match="3 classes in 2 variables"):
        bayes.misclassification(F, bayes.rule(F, third, Matrix([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), plane))
    line, means = [metric.factor(F, Matrix([[1.0]]))], Matrix([[0.0], [1.0], [2.0]])
    costly = bayes.misclassification(F, bayes.rule(F, third, means, line, decide.unit_costs(3, float)))
    free = bayes.misclassification(F, bayes.rule(F, third, means, line))
    assert (costly - free).largest() < 1e-14
    one = [metric.factor(RATIONAL, matrix([1]))]
    with pytest.raises(NotExact):
        bayes.misclassification(RATIONAL, bayes.rule(RATIONAL, vector("1/2", "1/2"), matrix([0], [2]), one))


def test_identical_classes_leave_nothing_to_cut():
    """Two classes of one density and equal priors: every point is a tie, the first class gets all of them."""
    known = [metric.factor(BINARY64, Matrix([[1.0]]))] * 2
    model = bayes.rule(BINARY64, Vector([0.5, 0.5]), Matrix([[1.0], [1.0]]), known)
    assert bayes.misclassification(BINARY64, model) == Matrix([[1.0, 1.0], [0.0, 0.0]])


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3))
def test_roots_are_roots(a, b, c):
    """The ends of intervals satisfy their quadratic up to roundoff, and none is missed."""
    found = bayes._roots(BINARY64, a, b, c)
    for x in found:
        scale = abs(a * x * x) + abs(b * x) + abs(c)
        if math.isfinite(scale) and scale > 1e-290:
            assert abs(a * x * x + b * x + c) <= 1e-12 * scale
    if a * c < 0 and abs(a * c) > 1e-6:
        assert len(found) == 2


def test_far_away_exponents_are_told_less_their_largest():
    """−x²/(2σ²) for σ² = 2 and 8: as they are near the means, from 2²⁰ on as their difference, −3x²/16 and 0, which
    stops at 10³⁰⁰; fractions as they are  [ESL-4.12]."""
    means = [[0], [0]]
    for F in (BINARY64, RATIONAL):
        metrics = [metric.factor(F, Matrix([[F.kind(v)]])) for v in (2, 8)]
        model = bayes.rule(F, Vector([F.kind(1) / 2] * 2), Matrix([[F.kind(v) for v in m] for m in means]), metrics)
        far = Vector([F.kind(-(2**12))])
        assert list(map(float, model.contrasts(Vector([F.kind(2)])))) == pytest.approx([-1, -0.25], rel=1e-14)
        if F is RATIONAL:
            assert model.contrasts(far) == Vector([F.kind(-(2**22)), F.kind(-(2**20))])
        else:
            assert list(model.contrasts(far)) == pytest.approx([-3 * 2**20, 0], rel=1e-14)
            assert list(model.contrasts(Vector([1e200]))) == [-1e300, 0]
            assert list(model.contrasts(Vector([2.0**11.25]))) == pytest.approx([-3 * 2**18.5, 0], rel=1e-14)


@pytest.mark.parametrize("between", [[], [[0.0, 0.0]]])
def test_rows_whose_scores_leave_the_doubles_are_refused_among_others(between):
    """∞ − ∞ in the scores of all classes, or of all but one: not the class of whatever number comes first."""
    means = [[-1.0, -1.0], *between, [1.0, 1.0]]
    one = metric.factor(BINARY64, Matrix([[1 / 40, 0.0], [0.0, 1 / 40]]))
    model = bayes.rule(BINARY64, Vector([1 / len(means)] * len(means)), Matrix(means), [one])
    assert model.classify([Vector([2.0, 2.0]), Vector([-2.0, -2.0])]) == [len(means) - 1, 0]
    with pytest.raises(InvalidInput, match="within the range"):
        model.classify([Vector([2.0, 2.0]), Vector([1e308, -1e308])])


def test_one_row_of_one_column_is_classified_near_and_far():
    """Two variances about zero: near it the smaller one's class, elsewhere the other's, at any distance  [ESL-4.12]."""
    metrics = [metric.factor(BINARY64, Matrix([[v]])) for v in (2.0, 8.0)]
    model = bayes.rule(BINARY64, Vector([0.5, 0.5]), Matrix([[0.0], [0.0]]), metrics)
    assert [model.classify([Vector([x])]) for x in (0.5, 4.0, -1e4, 1e100)] == [[0], [1], [1], [1]]
