"""RegressionClassifier."""

import random

import pytest

from refclass import BRUTO, MARS, FlexibleDiscriminantAnalysis, PolynomialRegression, RegressionClassifier
from refclass.certificate import ASKED
from refclass.errors import InvalidInput, NotConverged
from refclass.estimators.protocol import more_digits
from refclass.regress.linear import polynomial
from tests.discriminants.samples import PLANE

X, Y = PLANE
TWO = ["in" if g == 1 else "out" for g in Y]


def test_the_sign_of_the_regression_is_the_label():
    """Positive values speak for classes_[1], zero for both  [CMP-BRUTO] [CMP-MARS] [ESL-T12.2]."""
    for regression in ({"name": "polynomial", "degree": 2}, BRUTO(cost=0.5), MARS(penalty=0, threshold=0)):
        model = RegressionClassifier(regression=regression).fit(X, TWO)
        for f, label in zip(model.decision_function(X), model.predict(X)):
            assert label == ("out" if f > 0 else "in")
        assert model.certificate_.worst_violation < 1e-5 and model.degrees_of_freedom_ >= 1
    even = RegressionClassifier(regression="linear_regression", arithmetic="exact").fit([[-1], [1]], [0, 1])
    assert even.decision_function([[0]]) == [0] and even.ties([[0]]) == [[0, 1]] and even.predict([[0]]) == [0]


def test_the_iteration_is_the_regression_s():
    """Reported as the regression tells it."""
    model = RegressionClassifier(regression=MARS(penalty=0, threshold=0))
    assert [words[:4] for _, _, words in model.fit_steps(X, TWO)].count("mars") > 3 and model.predict(X)


def test_more_than_two_classes_are_refused():
    """And unknown regressions."""
    with pytest.raises(InvalidInput, match="two classes"):
        RegressionClassifier(regression="linear_regression").fit(X, Y)
    with pytest.raises(InvalidInput):
        RegressionClassifier(regression="forest").fit(X, TWO)


REGRESSIONS = [
    "linear_regression",
    {"name": "ridge", "penalty": 1},
    {"name": "polynomial", "degree": 2},
    "smoothing_spline",
    {"name": "smoothing_spline", "penalty": 2},
    "bruto",
    "mars",
]
LINE = [[1e6 + i * i % 17 + 0.5 * i] for i in range(14)]


@pytest.mark.parametrize("regression", REGRESSIONS, ids=str)
@pytest.mark.parametrize("classifier", [RegressionClassifier, FlexibleDiscriminantAnalysis])
def test_the_regression_of_a_classifier_is_proven_as_the_regression_alone(classifier, regression):
    """Its values and scores, too, whichever it is."""
    model = classifier(regression=regression).fit(LINE, [int(i * i % 17 > 7) for i in range(14)])
    found = getattr(model, "regression_certificate_", model.certificate_)
    assert found.digits >= min(ASKED, (found.ceiling or ASKED) - 1), found


def test_weights_of_10_to_the_100_leave_the_regression_to_decimals():
    """Doubles hold no digit of its coefficients; what is predicted, and proven, follows from decimals."""
    y, weights = [int(i * i % 17 > 7) for i in range(14)], [10.0 ** (100 * (i % 4 == 1)) for i in range(14)]
    for classifier in (FlexibleDiscriminantAnalysis, RegressionClassifier):
        model = classifier(regression="mars").fit(LINE, y, weights)
        assert getattr(model, "regression_certificate_", model.certificate_).digits > ASKED


def nearly_dependent(noise):
    """Return sixty rows of two normal numbers, and a tenth of the first and seven beside noise, and labels."""
    r = random.Random(1)
    rows = [[r.gauss(0, 1), r.gauss(0, 1)] for _ in range(60)]
    labels = [int(a + b + r.gauss(0, 1) > 0) for a, b in rows]
    return [[*x, 0.1 * x[0] + 7 + noise * r.gauss(0, 1)] for x in rows], labels


CLASSIFIERS = [RegressionClassifier, FlexibleDiscriminantAnalysis]
SQUARE = {"name": "polynomial", "degree": 2}


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_polynomials_of_nearly_dependent_columns_are_refused_where_decimals_are_long(classifier, monkeypatch):
    """Doubles lose monomials of 10⁻⁹ times another column: no digit is proven, and bounds are what is told."""
    for limit in ("WORK", "LONG"):
        monkeypatch.setattr(polynomial, limit, 0)
    monkeypatch.setattr(more_digits, "MOST", 0)
    x, y = nearly_dependent(1e-9)
    with pytest.raises(NotConverged, match="9 digits of the objective; got 0.* between its bounds") as refusal:
        classifier(regression=SQUARE).fit(x, y)
    assert refusal.value.witness["dual"] < refusal.value.witness["primal"]


@pytest.mark.parametrize("noise", [pytest.param(1e-9, marks=pytest.mark.slow), 1])
@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_polynomials_too_long_to_be_proven_at_once_are_what_shorter_ones_are(classifier, noise, monkeypatch):
    """Where they are made again in decimals, and where doubles hold them."""
    x, y = nearly_dependent(noise)
    expected = classifier(regression=SQUARE).fit(x, y).predict(x)
    monkeypatch.setattr(polynomial, "WORK", 0)
    model = classifier(regression=SQUARE).fit(x, y)
    assert model.predict(x) == expected and model.certificate_.digits > ASKED


def test_exactly_dependent_monomials_are_not_doubted(monkeypatch):
    """The square of zero or one is itself; the rank of doubles is that of the points, and nothing is proven at once."""
    monkeypatch.setattr(polynomial, "WORK", 0)
    x, y = nearly_dependent(1)
    model = PolynomialRegression(degree=2).fit([[a, float(b > 0)] for a, b, _ in x], y)
    assert not model._model.steep and model.degrees_of_freedom_ == 5
