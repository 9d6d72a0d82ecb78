"""RegularizedDiscriminantAnalysis."""

from fractions import Fraction

import pytest

from refclass import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from refclass import RegularizedDiscriminantAnalysis as RDA
from refclass.errors import InvalidInput
from tests.discriminants.samples import PLANE

X, Y = PLANE


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
def test_the_corners_are_the_other_estimators(arithmetic):
    """(1, ·) predicts what QDA does, (0, 1) what LDA does, in every arithmetic  [RDA-A.P1] [RDA-AG.P2]."""
    quadratic = QuadraticDiscriminantAnalysis(arithmetic=arithmetic).fit(X, Y)
    linear = LinearDiscriminantAnalysis(arithmetic=arithmetic).fit(X, Y)
    for gamma in (0, 1):
        assert RDA(alpha=1, gamma=gamma, arithmetic=arithmetic).fit(X, Y).predict(X) == quadratic.predict(X)
    assert RDA(alpha=0, gamma=1, arithmetic=arithmetic).fit(X, Y).predict(X) == linear.predict(X)


def test_attributes_say_what_was_shrunk():
    """covariance_ is the pooled one, covariances_ the shrunken ones: Σ̂ₖ(½, 1) is half-way  [ESL-4.13]."""
    model = RDA(alpha=Fraction(1, 2), arithmetic="exact").fit(X, Y)
    own = QuadraticDiscriminantAnalysis(arithmetic="exact").fit(X, Y).covariances_
    pooled = LinearDiscriminantAnalysis(arithmetic="exact").fit(X, Y).covariance_
    assert model.covariance_ == pooled
    assert model.covariances_[1][0][1] == (own[1][0][1] + pooled[0][1]) / 2
    assert model.certificate_.status == "optimal"
    assert 0 < RDA(alpha=0.3, gamma=0.7).fit(X, Y).certificate_.worst_violation < Fraction(1, 10**13)


def test_costs_and_priors_enter():
    """Priors shift the labels as they do for QDA, and so do costs."""
    tilted = RDA(alpha=1, priors=[0.9, 0.05, 0.05]).fit(X, Y)
    assert tilted.predict(X) == QuadraticDiscriminantAnalysis(priors=[0.9, 0.05, 0.05]).fit(X, Y).predict(X)
    costs = [[0, 1, 1], [9, 0, 1], [9, 1, 0]]
    said = RDA(alpha=1, costs=costs).fit(X, Y).predict(X)
    assert said == QuadraticDiscriminantAnalysis(costs=costs).fit(X, Y).predict(X)


@pytest.mark.parametrize("options", [{"alpha": -0.1}, {"alpha": 1.1}, {"gamma": 2}, {"alpha": "x"}, {"gamma": None}])
def test_parameters_outside_the_unit_square_are_refused(options):
    """alpha and gamma lie between 0 and 1."""
    with pytest.raises(InvalidInput, match="alpha|gamma"):
        RDA(**options).fit(X, Y)
