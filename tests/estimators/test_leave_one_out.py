"""leave_one_out for estimators."""

import pytest

import refclass
from refclass import leave_one_out
from refclass.errors import InvalidInput, NoAnswer
from refclass.estimators.leave_one_out import copy
from tests.discriminants.samples import PLANE

X, Y = PLANE


@pytest.mark.parametrize("method", ["predict_proba", "predict", "decision_function", "transform"])
def test_each_row_is_what_a_fit_on_the_others_says(method):
    """The i-th answer is that of the estimator fitted without row i  [CV-LOO]."""
    found = leave_one_out(refclass.LinearDiscriminantAnalysis(), X, Y, method=method)
    for i in (0, 7, 18):
        model = refclass.LinearDiscriminantAnalysis().fit(X[:i] + X[i + 1 :], Y[:i] + Y[i + 1 :])
        assert found[i] == getattr(model, method)([X[i]])[0]


def test_the_estimator_itself_stays_unfitted():
    """Parameters are copied, nothing is left behind."""
    model = refclass.QuadraticDiscriminantAnalysis(priors=[0.5, 0.25, 0.25])
    leave_one_out(model, X, Y)
    with pytest.raises(InvalidInput, match="call fit first"):
        model.predict(X)
    twin = copy(model)
    assert twin is not model and twin.get_params() == model.get_params()


def test_a_class_left_out_with_its_only_row_has_probability_zero():
    """Rows keep the order of the full data's classes."""
    rows, labels = [[0.0], [1.0], [9.0], [4.0], [5.0]], list("aabcc")
    found = leave_one_out(refclass.LinearDiscriminantAnalysis(), rows, labels)
    assert found[2][1] == 0.0 and abs(sum(found[2]) - 1) < 1e-12 and len(found[0]) == 3


def test_a_refusal_names_the_row_that_was_left_out():
    """What a fit refuses is refused with the row."""
    rows, labels = [[0, 0], [1, 0], [2, 1], [5, 1], [6, 3], [7, 0]], list("aaabbb")
    with pytest.raises(NoAnswer, match="left_out=0"):
        leave_one_out(refclass.QuadraticDiscriminantAnalysis(), rows, labels)


@pytest.mark.parametrize(
    ("estimator", "rows", "method"),
    [
        (refclass.LinearDiscriminantAnalysis(), X, "predict_probability"),
        (refclass.FisherDiscriminant(), X, "predict_proba"),
        ("lda", X, "predict"),
        (refclass.LinearDiscriminantAnalysis(), X[:5], "predict"),
    ],
)
def test_what_cannot_be_asked_is_refused(estimator, rows, method):
    """Unknown methods, other things than estimators, and rows without labels."""
    with pytest.raises(InvalidInput, match="leave_one_out"):
        leave_one_out(estimator, rows, Y, method=method)
