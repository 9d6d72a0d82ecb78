"""The rule of two normal classes with one covariance, in every form of its derivation."""

from fractions import Fraction

import pytest

from refclass import GaussianBayesRule
from refclass.errors import InvalidInput, NotExact
from refclass.linear.vector import Vector

KNOWN = {"means": [[0, 0], [2, 1]], "covariances": [[2, 1], [1, 3]], "priors": [0.25, 0.75]}
COSTS = [[0, 2], [7, 0]]
POINTS = [[0, 0], [1, 1], [3, -2], [1, 0]]


def test_every_line_of_the_derivation_is_the_log_ratio():
    """All five lines are equal, in fractions  [KIM-2.20] [KIM-2.21] [KIM-2.22] [KIM-2.23] [KIM-2.24] [KIM-2.25]
    [KIM-2.26].
    """
    rule = GaussianBayesRule(**KNOWN, arithmetic="exact").fit().ratio_rule()
    for x in POINTS:
        lines = rule.log_ratio(x)
        assert len(lines) == 5 and len(set(lines)) == 1 and isinstance(lines[0], Fraction)
    assert rule.log_ratio([1, Fraction(1, 2)])[0] == 0  # half-way between the means


def test_the_ratio_of_densities_decides_as_least_expected_cost_does():
    """f₁/f₂ against (c(1|2)/c(2|1)) (p₂/p₁) gives the labels of `predict`  [KIM-2.10] [KIM-2.11] [KIM-2.1-ratio]."""
    fitted = GaussianBayesRule(**KNOWN, costs=COSTS).fit()
    rule = fitted.ratio_rule()
    assert rule.threshold == 2 * 0.75 / (7 * 0.25)
    assert [rule.decide(x).classes for x in POINTS] == [(k,) for k in fitted.predict(POINTS)]
    with pytest.raises(NotExact):
        GaussianBayesRule(**KNOWN, arithmetic="exact").fit().ratio_rule().decide([0, 0])


def test_the_expected_cost_over_either_region_is_that_over_both():
    """Three forms of one number  [KIM-2.12] [KIM-2.13] [KIM-2.14] [KIM-2.15] [KIM-2.16] [KIM-2.1-other]."""
    fitted = GaussianBayesRule(**KNOWN, costs=COSTS, arithmetic="decimal:30").fit()
    both, first, second = fitted.ratio_rule().expected_costs()
    assert both == fitted.expected_cost_
    assert max(abs(both - first), abs(both - second)) < Fraction(1, 10**27)


def test_with_a_threshold_of_one_it_cuts_half_way():
    """Equal priors, equal costs: the labels are those of the midpoint rule  [KIM-2.28] [KIM-2.29] [KIM-2.30]."""
    fitted = GaussianBayesRule(means=KNOWN["means"], covariances=KNOWN["covariances"], arithmetic="exact").fit()
    cut = fitted.ratio_rule().midpoint()
    assert [
        cut.decide(fitted.ratio_rule().model.means[0] * 0 + x).classes[0] for x in fitted.ratio_rule().model.means
    ] == [0, 1]
    assert cut.score(sum(fitted.ratio_rule().model.means, fitted.ratio_rule().model.means[0] * 0) / 2) == 0


@pytest.mark.parametrize("known", [{"means": [0, 1, 2], "covariances": 1}, {"means": [0, 1], "covariances": [1, 2]}])
def test_other_classes_have_no_such_rule(known):
    """More classes, or two covariances, are refused."""
    with pytest.raises(InvalidInput, match="two classes with one covariance"):
        GaussianBayesRule(**known).fit().ratio_rule()


def test_the_midpoint_rule_has_the_direction_between_the_means():
    """Means (1, 1) and (3, −1), variances one: it cuts at x₁ − x₂ = 2  [KIM-2.28]."""
    known = {"means": [[1, 1], [3, -1]], "covariances": [[1, 0], [0, 1]]}
    rule = GaussianBayesRule(**known, arithmetic="exact").fit().ratio_rule()
    said = [rule.midpoint().decide(Vector([Fraction(a), Fraction(b)])).classes for a, b in ((1, 0), (3, 0), (5, 3))]
    assert said == [(0,), (1,), (0, 1)]
