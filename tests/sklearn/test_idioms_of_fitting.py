"""What people write with one estimator: to fit, to predict, to set and to copy it, and what is refused."""

import pytest

pytest.importorskip("sklearn", minversion="1.6")


import copy
import pickle

import joblib
import numpy as np
from sklearn import base, dummy, model_selection, utils
from sklearn.exceptions import NotFittedError

import refclass
from refclass import sklearn as rs
from refclass.errors import InvalidInput, Refusal
from tests.sklearn.idioms import (
    FRAME,
    GAUSSIAN,
    KNN,
    LDA,
    LENGTH,
    NAMES,
    SERIES,
    SVC,
    WORDS,
    X2,
    Idioms,
    X,
    pandas,
    refused,
    y,
    y2,
)

IDIOMS = Idioms()
works = IDIOMS.works

# fit, predict, attributes
works(
    "arrays", lambda: LDA().fit(X, y).predict(X).shape == (150,), lambda: type(LDA().fit(X, y).predict(X)) is np.ndarray
)
works("a data frame and a series", lambda: (SVC().fit(FRAME, SERIES).predict(FRAME) == y).mean() > 0.95)
works("the names of features", lambda: list(LDA().fit(FRAME, SERIES).feature_names_in_) == NAMES)
works("no names without a frame", lambda: not hasattr(LDA().fit(X, y), "feature_names_in_"))
works(
    "other names", lambda: refused(ValueError, lambda: LDA().fit(FRAME, y).predict(FRAME[NAMES[::-1]]), "feature names")
)
works("the number of features", lambda: LDA().fit(X, y).n_features_in_ == 4)
works(
    "another number of features", lambda: refused(ValueError, lambda: LDA().fit(X, y).predict(X[:, :3]), "3 features")
)
works("text labels", lambda: set(SVC().fit(X, WORDS).predict(X)) == set(WORDS))
works("labels as categories", lambda: len(LDA().fit(X, pandas.Categorical(WORDS)).classes_) == 3)
works("labels true and false", lambda: SVC().fit(X, y == 0).predict(X).dtype == bool)
works("labels −1 and 1", lambda: set(SVC().fit(X2, 2 * y2 - 1).predict(X2)) == {-1, 1})
works("labels as a column", lambda: refused_or_warned())
works("chained fit and predict", lambda: KNN(n_neighbors=5).fit(X, y).predict(X)[y == 0].sum() == 0)
works("a column of probabilities", lambda: LDA().fit(X2, y2).predict_proba(X2)[:, 1].shape == (100,))
works("probabilities sum to one", lambda: np.allclose(LDA().fit(X, y).predict_proba(X).sum(axis=1), 1))
works("log-probabilities", lambda: LDA().fit(X, y).predict_log_proba(X).shape == (150, 3))
works("one decision value for two classes", lambda: SVC().fit(X2, y2).decision_function(X2).shape == (100,))
works(
    "one column a class",
    *(lambda k=k: k().fit(X, y).decision_function(X).shape == (150, 3) for k in (SVC, rs.OneVersusRest)),
)
works(
    "the largest column is the prediction",
    lambda: (SVC().fit(X, y).decision_function(X).argmax(1) == SVC().fit(X, y).predict(X)).all(),
)
works("pairs on request", lambda: SVC(decision_function_shape="ovo").fit(X, y).decision_function(X).shape == (150, 3))
works("support vectors", lambda: SVC().fit(X2, y2).support_vectors_.shape[1] == 4)
works("coefficients", lambda: SVC().fit(X2, y2).coef_.shape == (1, 4) and SVC().fit(X2, y2).intercept_.shape == (1,))
works("dual coefficients", lambda: SVC().fit(X2, y2).dual_coef_.shape == (1, len(SVC().fit(X2, y2).support_)))
works("means", lambda: LDA().fit(X, y).means_.shape == (3, 4))
works(
    "the score",
    lambda: LDA().fit(X, y).score(X, y) == 0.98,
    lambda: 0 < rs.Ridge(penalty=1).fit(X[:, 1:], LENGTH).score(X[:, 1:], LENGTH) < 1,
)
works("a weighted score", lambda: LDA().fit(X, y).score(X, y, sample_weight=(y == 0)) == 1)
works("weights", lambda: SVC().fit(X, y, sample_weight=np.ones(150)).score(X, y) > 0.9)
works("weights as a series", lambda: LDA().fit(FRAME, SERIES, sample_weight=SERIES + 1).score(FRAME, SERIES) > 0.9)
works(
    "class weights",
    lambda: SVC(class_weight="balanced").fit(X, y).score(X, y) > 0.9,
    lambda: SVC(class_weight={0: 2}).fit(X2, y2).score(X2, y2) > 0.9,
)
works("integers", lambda: LDA().fit((10 * X).astype(int), y).score((10 * X).astype(int), y) > 0.9)
works("float32", lambda: LDA().fit(X.astype(np.float32), y).score(X, y) > 0.9)
works("columns in Fortran order", lambda: LDA().fit(np.asfortranarray(X), y).score(X, y) > 0.9)
works("lists", lambda: LDA().fit(X.tolist(), y.tolist()).score(X.tolist(), y.tolist()) > 0.9)
works("a read-only array", lambda: LDA().fit(utils.as_float_array(X), y).score(X, y) > 0.9)
works("exact arithmetic", lambda: SVC(arithmetic="exact").fit(X2, y2).certificate_.gap == 0)
works("the certificate", lambda: SVC().fit(X2, y2).certificate_.digits >= 9)
works(
    "the estimator of the package",
    lambda: type(SVC().fit(X2, y2).model_) is refclass.SVC,
    lambda: rs.adapter(refclass.SVC(C=3)).C == 3,
)

# refusals
works(
    "not fitted", *(lambda k=k: refused(NotFittedError, lambda: k().predict(X), "not fitted") for k in (LDA, rs.Ridge))
)
works("a continuous target", lambda: refused(ValueError, lambda: LDA().fit(X, LENGTH), "Unknown label type"))
works("NaN", lambda: refused(ValueError, lambda: LDA().fit(np.where(X > 7, np.nan, X), y), "NaN"))
works("infinity", lambda: refused(ValueError, lambda: LDA().fit(np.where(X > 7, np.inf, X), y), "infinity"))
works("one class", lambda: refused(ValueError, lambda: LDA().fit(X[:50], y[:50]), "1 class"))
works("lengths that differ", lambda: refused(ValueError, lambda: LDA().fit(X, y[:9]), "inconsistent"))
works("a flat array", lambda: refused(ValueError, lambda: LDA().fit(LENGTH, y), "Reshape"))
works("text in a column", lambda: refused(ValueError, lambda: LDA().fit(FRAME.assign(a="x"), y), "could not convert"))
works("a sparse matrix", lambda: refused(TypeError, lambda: LDA().fit(sparse(), y), "dense data is required"))
works(
    "an unknown parameter",
    lambda: refused(TypeError, lambda: SVC(kernl="linear"), "kernl"),
    lambda: refused(ValueError, lambda: SVC().set_params(kernl=1), "kernl"),
)
works("a bad parameter", lambda: refused(InvalidInput, lambda: SVC(C=-1).fit(X2, y2), "C a finite number > 0"))
works(
    "no posterior without one",
    lambda: not hasattr(rs.KernelClassifier(), "predict_proba"),
    lambda: hasattr(rs.KernelClassifier(loss="deviance"), "predict_proba"),
    lambda: not hasattr(SVC(), "predict_proba"),
)
works(
    "separable classes have no likelihood",
    lambda: refused(Refusal, lambda: rs.LogisticRegression().fit(X, y), "separat"),
)
works("three classes for two", lambda: refused(ValueError, lambda: rs.RegressionClassifier().fit(X, y), "binary"))

# parameters, copies
works("clone", lambda: base.clone(SVC(kernel=GAUSSIAN)).kernel == GAUSSIAN)
works("get and set parameters", lambda: SVC().set_params(C=7).get_params()["C"] == 7)
works("what it is", lambda: base.is_classifier(SVC()) and base.is_regressor(rs.SVR()) and not base.is_regressor(SVC()))
works("pickle", lambda: (pickle.loads(pickle.dumps(SVC().fit(X, y))).predict(X) == SVC().fit(X, y).predict(X)).all())
works("copy", lambda: copy.deepcopy(LDA().fit(X, y)).score(X, y) == 0.98)
works("joblib", lambda: dumped())
works("a second fit forgets the first", lambda: LDA().fit(X, y).fit(X2, y2).classes_.shape == (2,))
works("metadata routing", lambda: routed())
works(
    "as good as guessing, at least", lambda: LDA().fit(X, y).score(X, y) > dummy.DummyClassifier().fit(X, y).score(X, y)
)


def refused_or_warned():
    """A column of labels is taken with scikit-learn's own warning."""
    with pytest.warns(Warning, match="column-vector"):
        return LDA().fit(X, y[:, None]).score(X, y) > 0.9


def sparse():
    """Return the inputs as a sparse matrix."""
    from scipy.sparse import csr_array

    return csr_array(X)


def dumped():
    """Write a model with joblib, and read it."""
    import io

    stream = io.BytesIO()
    joblib.dump(SVC().fit(X, y), stream)
    stream.seek(0)
    return (joblib.load(stream).predict(X) == SVC().fit(X, y).predict(X)).all()


def routed():
    """Weights reach the machine in cross-validation."""
    from sklearn import config_context

    with config_context(enable_metadata_routing=True):
        model = LDA().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        found = model_selection.cross_validate(model, X, y, params={"sample_weight": np.ones(150)}, error_score="raise")
        return found["test_score"].mean() > 0.9


@IDIOMS.tried()
def test_an_idiom_of_fitting_works_or_is_refused_for_its_reason(name):
    """As people write it."""
    assert IDIOMS[name]()
