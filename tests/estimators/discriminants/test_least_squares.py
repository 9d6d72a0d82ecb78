"""LeastSquaresClassifier."""

from fractions import Fraction

import pytest

from refclass import LeastSquaresClassifier as Classifier
from refclass import LinearDiscriminantAnalysis
from refclass.errors import InvalidInput, NoAnswer
from tests.discriminants.samples import PLANE

X, Y = PLANE
TWO = [[0, 1], [1, 0], [2, 2], [3, 1], [4, 4], [1, 3], [2, 0], [5, 2]], list("aababbab")


@pytest.mark.parametrize("coding", [(-1, 1), (0, 1), (5, -2), "indicator"])
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
def test_any_coding_has_the_same_labels(coding, arithmetic):
    """Codes of two classes, reversed ones and indicators included, put every point on the same side
    [LS-LDA.P3] [INDREG.P2].
    """
    want = Classifier(coding=(-1, 1), arithmetic="exact").fit(*TWO).predict(TWO[0])
    model = Classifier(coding=coding, arithmetic=arithmetic).fit(*TWO)
    assert model.predict(TWO[0]) == want
    for f, label in zip(model.decision_function(TWO[0]), want):
        assert label == ("b" if f > 0 else "a")


def test_coefficients_are_those_of_the_regression():
    """For codes −1, 1 the fit is the regression on them; two indicators are shown as their difference, the same numbers
    [INDREG.P2] [LS-LDA.P1].
    """
    coded, indicated = (Classifier(coding=c, arithmetic="exact").fit(*TWO) for c in ((-1, 1), "indicator"))
    assert (coded.coef_, coded.intercept_) == (indicated.coef_, indicated.intercept_)
    direction = LinearDiscriminantAnalysis(arithmetic="exact").fit(*TWO).coef_[0]
    assert coded.coef_[0][0] * direction[1] == coded.coef_[0][1] * direction[0]
    three = Classifier(arithmetic="exact").fit(X, Y)
    assert len(three.coef_) == 3 and sum(three.intercept_) == 1 and all(sum(c) == 0 for c in zip(*three.coef_))


def test_the_cutpoints_differ():
    """midpoint, gaussian and empirical cuts share the direction; the Gaussian one has the labels of linear
    discriminants
    [LS-INTERCEPT.P1] [ESL-4.3-cutpoint].
    """
    rows, labels = TWO[0][:7], TWO[1][:7]
    names = ("midpoint", "gaussian", "empirical")
    cuts = {name: Classifier(coding=(0, 1), cutpoint=name).fit(rows, labels) for name in names}
    assert len({str(m.coef_) for m in cuts.values()}) == 1
    fine = [[i / 7, j / 7] for i in range(-20, 50, 3) for j in range(-20, 50, 3)]
    assert cuts["gaussian"].predict(fine) == LinearDiscriminantAnalysis().fit(rows, labels).predict(fine)
    errors = {name: sum(a != b for a, b in zip(m.predict(rows), labels)) for name, m in cuts.items()}
    assert errors["empirical"] == min(errors.values())


def test_a_penalty_shrinks_and_is_certified():
    """‖β‖ falls as λ grows; the certificate proves the penalised optimum  [LS-CLS.P1]."""
    lengths = []
    for lam in (0, 1, 10):
        model = Classifier(coding=(-1, 1), penalty=lam, arithmetic="exact").fit(*TWO)
        lengths.append(sum(v * v for v in model.coef_[0]))
        assert (model.certificate_.status, model.certificate_.gap) == ("optimal", 0)
    assert lengths == sorted(lengths, reverse=True)
    rounded = Classifier(coding=(-1, 1)).fit([[a / 3, b / 7] for a, b in TWO[0]], TWO[1]).certificate_
    assert 0 <= rounded.gap < Fraction(1, 10**28) and type(rounded.gap) is Fraction


def test_dependent_columns_are_refused_or_taken_shortest():
    """A null vector is the witness; pseudo_inverse=True takes the shortest solution."""
    line = [[0, 0], [1, 2], [5, 10], [7, 14]]
    with pytest.raises(NoAnswer):
        Classifier().fit(line, list("aabb"))
    assert Classifier(pseudo_inverse=True).fit(line, list("aabb")).predict(line) == list("aabb")
    assert Classifier(penalty=1).fit(line, list("aabb")).predict(line) == list("aabb")


def test_ties_lie_on_the_cut():
    """On the cut both classes are named."""
    model = Classifier(coding=(3, 5), arithmetic="exact").fit([[0], [2], [6], [8]], list("aabb"))
    assert model.ties([[4], [3]]) == [["a", "b"], ["a"]]


@pytest.mark.parametrize(
    "options",
    [
        {"coding": (1, 1)},
        {"coding": (1, 2, 3)},
        {"coding": "one-hot"},
        {"coding": 3},
        {"coding": (0, "x")},
        {"cutpoint": "gaussian"},
        {"coding": (0, 1), "cutpoint": "median"},
        {"penalty": -1},
        {"penalty": 1, "pseudo_inverse": True},
    ],
)
def test_what_does_not_go_together_is_refused(options):
    """Codes are two distinct numbers, cutpoints need them, penalties are ≥ 0."""
    with pytest.raises(InvalidInput):
        Classifier(**options).fit(*TWO)


def test_codes_need_two_classes_here_too():
    """Three classes are regressed on indicators only."""
    with pytest.raises(InvalidInput, match="two classes"):
        Classifier(coding=(0, 1)).fit(X, Y)
