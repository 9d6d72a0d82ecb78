"""Misclassification probabilities and expected costs."""

import math
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.discriminants.decision import decide, risk
from refclass.discriminants.gaussian import bayes, lda
from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.tolerance import near
from refclass.sample import covariance, data, gaussian, metric
from tests.discriminants.decision.test_decide import worlds
from tests.discriminants.samples import few, matrix, vector
from tests.strategies import positive

rules = st.lists(st.sampled_from([0, 1, None]), min_size=3, max_size=3)
complete = st.lists(st.integers(0, 1), min_size=3, max_size=3)


def simpson(f, a, b, steps=2000):
    """Return the integral of f from a to b, by Simpson's rule."""
    h = (b - a) / steps
    return h / 3 * math.fsum(f(a + i * h) * (1 if i in (0, steps) else 4 if i % 2 else 2) for i in range(steps + 1))


@few
@given(worlds(), rules)
def test_misclassification_is_a_sum_over_the_region(world, rule):
    """P(i|j) is the sum of fⱼ over the points given to i  [MISCLASS-COND.P1] [KIM-2.1] [KIM-2.2]."""
    _, densities, _ = world
    P = risk.misclassification(densities, rule)
    for i in range(2):
        for j in range(2):
            assert P[i][j] == sum((f for f, d in zip(densities[j], rule) if d == i), Fraction(0))
    assert all(P[0][j] + P[1][j] + sum(f for f, d in zip(densities[j], rule) if d is None) == 1 for j in range(2))


@few
@given(worlds(), complete)
def test_joint_errors_sum_to_the_error_rate(world, rule):
    """p₁P(2|1) + p₂P(1|2) = 1 − Pr(correct)
    [MISCLASS-JOINT.P1] [KIM-2.3] [KIM-2.4] [KIM-2.5] [KIM-2.6] [KIM-2.7] [KIM-2.8].
    """
    priors, densities, _ = world
    P = risk.misclassification(densities, rule)
    J = risk.joint(P, priors)
    assert (J[1][0], J[0][1]) == (P[1][0] * priors[0], P[0][1] * priors[1])
    assert J[1][0] + J[0][1] == risk.error_rate(P, priors) == 1 - J[0][0] - J[1][1]


@few
@given(worlds(), complete, positive, positive)
def test_the_error_rate_is_linear_in_the_prior(world, rule, a, b):
    """For a fixed rule the error rate at a mixture of two priors is that mixture of the error rates
    [MISCLASS-JOINT.P2].
    """
    _, densities, _ = world
    P, t = risk.misclassification(densities, rule), a / (a + b)
    low, high = vector("1/5", "4/5"), vector("2/3", "1/3")
    mixed = t * low + (1 - t) * high
    assert risk.error_rate(P, mixed) == t * risk.error_rate(P, low) + (1 - t) * risk.error_rate(P, high)


@few
@given(worlds(), st.sets(st.integers(0, 2)))
def test_the_three_forms_of_the_expected_cost_agree(world, R1):
    """Over both regions, over R₁ alone and over R₂ alone, for any R₁, R₂ the rest
    [ECM.P1] [KIM-2.9] [KIM-2.12] [KIM-2.13] [KIM-2.14] [KIM-2.15] [KIM-2.16] [KIM-2.1-other].
    """
    priors, densities, costs = world
    rule = [0 if i in R1 else 1 for i in range(3)]
    P = risk.misclassification(densities, rule)
    cost = risk.expected_cost(costs, P, priors)
    R2 = {0, 1, 2} - R1
    assert cost == costs[1][0] * priors[0] * P[1][0] + costs[0][1] * priors[1] * P[0][1]
    assert cost == risk.expected_cost_over_first(costs, priors, densities, R1)
    assert cost == risk.expected_cost_over_second(costs, priors, densities, R2)


def test_the_second_prior_is_that_of_the_second_class():
    """With the prior as printed, p₁ twice, the three forms disagree  [ERR-KIM-01] [KIM-2.9]."""
    priors, costs = vector("1/4", "3/4"), matrix([0, 5], [2, 0])
    densities = matrix(["1/2", "1/2"], ["1/3", "2/3"])
    P = risk.misclassification(densities, [0, 1])
    printed = costs[1][0] * P[1][0] * priors[0] + costs[0][1] * P[0][1] * priors[0]
    right = risk.expected_cost(costs, P, priors)
    assert printed != right == risk.expected_cost_over_first(costs, priors, densities, {0})


@few
@given(worlds(), complete, positive)
def test_unit_costs_count_errors_and_costs_scale(world, rule, t):
    """With unit costs the expected cost is the error rate; costs times t cost t times as much  [ECM.P2] [ECM.P3]."""
    priors, densities, costs = world
    P = risk.misclassification(densities, rule)
    assert risk.expected_cost(decide.unit_costs(2, Fraction), P, priors) == risk.error_rate(P, priors)
    assert risk.expected_cost(t * costs, P, priors) == t * risk.expected_cost(costs, P, priors)


def test_a_rule_must_say_something_of_every_point():
    """Decisions are as many as points."""
    with pytest.raises(InvalidInput):
        risk.misclassification(matrix([1, 0], [0, 1]), [0])


@pytest.mark.parametrize("k", [-2.5, -0.75, 0.0, 0.3, 1.5])
def test_two_normals_err_as_integrals_say(k):
    """P(2|1) = Φ((k − Δ²/2)/Δ) and P(1|2) = Φ(−(k + Δ²/2)/Δ) are the integrals of the densities over the regions of
    "L(x) > k", here on the line with μ = 3, 1 and σ = 2  [MISCLASS-COND.P2] [KIM-Thm2.1.2] [KIM-2.1] [KIM-2.2].
    """
    F = BINARY64
    shared = metric.factor(F, Matrix([[4.0]]))
    mean1, mean2 = Vector([3.0]), Vector([1.0])
    # L(x) = (x − 2)/2 grows with x, so that the first class's region is x > 2 + 2k
    assert near(F, bayes.linear(Vector([2 + 2 * k]), mean1, mean2, shared), k, 1.0, 4)
    P = risk.two_normals(F, 1.0, k)
    first = simpson(lambda x: gaussian.density(F, Vector([x]), mean1, shared), -17.0, 2 + 2 * k)
    second = simpson(lambda x: gaussian.density(F, Vector([x]), mean2, shared), 2 + 2 * k, 21.0)
    assert abs(P[1][0] - first) < 1e-11 and abs(P[0][1] - second) < 1e-11
    assert near(F, P[0][0] + P[1][0], 1.0) and near(F, P[0][1] + P[1][1], 1.0)


@few
@given(positive)
def test_at_threshold_zero_both_errors_are_the_same(delta):
    """k = 0: both are Φ(−Δ/2)  [MISCLASS-COND.P3]."""
    F = decimal(30)
    d = F.lift(delta)
    P = risk.two_normals(F, d * d, F.kind(0))
    want = gaussian.distribution(F, -d / 2)
    assert near(F, P[0][1], want, steps=50) and near(F, P[1][0], want, steps=50)


def test_two_normals_must_differ():
    """Equal means leave nothing to tell apart."""
    with pytest.raises(InvalidInput):
        risk.two_normals(BINARY64, 0.0, 0.0)


@pytest.mark.parametrize("k", [-1.0, 0.0, 2.0])
def test_intervals_on_the_line_agree_with_the_linear_rule(k):
    """P(i|j) from the ends of intervals is that of the closed form for two normal classes."""
    F = BINARY64
    line = risk.intervals(F, Vector([3.0, 1.0]), Vector([2.0, 2.0]), [2 + 2 * k], [1, 0])
    closed = risk.two_normals(F, 1.0, k)
    assert all(near(F, a, b, steps=10) for u, v in zip(line, closed) for a, b in zip(u, v))


def test_unequal_variances_make_the_midpoint_poor():
    """N(0, 1) against N(4, 9), equal priors: densities are equal at 1.672988…, the positive root of
    8x² + 8x = 16 + 18 log 3, the risk there is .13307 against .13762 at the midpoint 2, where the best linear cut lies
    nearer to the narrower class  [FISHER-UNEQ.P1] [M-X8] [KIM-2.2-unequal].
    """
    F = decimal(30)
    a, c = F.kind(8), -(16 + 18 * F.log(F.kind(3)))
    cut = (-a + F.sqrt(a * a - 4 * a * c)) / (2 * a)
    means, deviations, half = Vector([F.kind(0), F.kind(4)]), Vector([F.kind(1), F.kind(3)]), F.kind(1) / 2
    risks = [
        risk.error_rate(risk.intervals(F, means, deviations, [end], [0, 1]), Vector([half, half]))
        for end in (cut, F.kind(2))
    ]
    assert [str(round(v, 5)) for v in (cut, *risks)] == ["1.67299", "0.13307", "0.13762"]


@few
@given(st.lists(st.integers(-8, 8), min_size=2, max_size=4), st.lists(st.integers(-8, 8), min_size=2, max_size=4))
def test_no_fitted_rule_errs_less_than_bayes_does(first, second):
    """The population risk of a rule fitted to a sample is never below that of the Bayes rule  [BAYES-ERR.P2]."""
    F = BINARY64
    X, y = [[v / 4] for v in [*first, *second]], [0] * len(first) + [1] * len(second)
    half = Vector([0.5, 0.5])
    best = bayes.rule(F, half, Matrix(map(Vector, [[-1.0], [1.0]])), [metric.factor(F, Matrix([[1.0]]))])
    sample = data.read(F, X, y)
    assume(covariance.pooled(sample)[0][0] > 0)
    d, c = lda.log_odds(lda.fit(F, sample, priors=half))
    assume(d[0] != 0)
    said = [0, 1] if d[0] > 0 else [1, 0]
    P = risk.intervals(F, Vector([-1.0, 1.0]), Vector([1.0, 1.0]), [-c / d[0]], said)
    assert risk.error_rate(P, half) >= risk.error_rate(bayes.misclassification(F, best), half) * (1 - 1e-14)


def test_the_skin_of_the_orange_has_its_bayes_error():
    """Four standard normal variables against the same given 9 ≤ ‖x‖² ≤ 16, equal priors: inside the shell the second
    class
    is likelier everywhere, so that the error is half the shell's probability, ½(5.5 e^(−4.5) − 9 e^(−8)) = .0290402
    [BAYES-ERR.P1] [M-ORANGE-BAYES].
    """
    inside = 5.5 * math.exp(-4.5) - 9 * math.exp(-8)
    half = Vector([0.5, 0.5])

    def least(r):
        """Return the smaller joint density at radius r: what the Bayes rule gets wrong there."""
        plain = r**3 / 2 * math.exp(-r * r / 2)
        shell = plain / inside if 3 <= r <= 4 else 0.0
        said = decide.bayes(half, Vector([plain, shell])).classes[0]
        return half[1 - said] * (shell if said == 0 else plain)

    assert abs(simpson(least, 3, 4) - inside / 2) < 1e-12 and simpson(least, 0, 2.999) == simpson(least, 4.001, 40) == 0
    assert round(inside / 2, 7) == 0.0290402
