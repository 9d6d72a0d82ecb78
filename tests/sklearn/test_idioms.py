"""What people write with scikit-learn every day: each idiom works, or is refused for a reason."""

import pytest

pytest.importorskip("sklearn", minversion="1.6")
pandas = pytest.importorskip("pandas")

import copy
import pickle
import sys

import joblib
import numpy as np
from sklearn import (
    base,
    calibration,
    compose,
    datasets,
    dummy,
    ensemble,
    feature_selection,
    inspection,
    metrics,
    model_selection,
    multiclass,
    multioutput,
    pipeline,
    preprocessing,
    utils,
)  # fmt: skip
from sklearn.exceptions import NotFittedError

import refclass
from refclass import sklearn as rs
from refclass.errors import InvalidInput, Refusal

X, y = datasets.load_iris(return_X_y=True)
NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FRAME, SERIES = pandas.DataFrame(X, columns=NAMES), pandas.Series(y, name="species")
WORDS = np.array(["setosa", "versicolor", "virginica"])[y]
X2, y2 = X[50:], y[50:] - 1
LENGTH = X[:, 0]
GAUSSIAN = {"name": "gaussian", "gamma": 0.5}
TEXT = {"name": "string", "length": 2, "decay": 0.5}
LDA, SVC, KNN = rs.LinearDiscriminantAnalysis, rs.SVC, rs.NearestNeighbors
CV = model_selection.StratifiedKFold(3)
R = np.random.RandomState(0)
IDIOMS = {}


def idiom(test):
    """Add an idiom, a function that asserts what it should give."""
    IDIOMS[test.__doc__] = test
    return test


def works(name, *tests):
    """Add idioms that give something true."""
    for i, test in enumerate(tests):
        IDIOMS[f"{name} {i + 1}" if len(tests) > 1 else name] = test


def score(model, X=X, y=y, **options):
    """Return the mean of a cross-validated score, errors raised."""
    return model_selection.cross_val_score(model, X, y, cv=3, error_score="raise", **options).mean()


def refused(kind, call, words):
    """Return whether a call is refused by that kind of error, with those words."""
    with pytest.raises(kind, match=words):
        call()
    return True


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

# model selection
works(
    "cross_val_score",
    *(
        lambda s=s: (
            score(rs.QuadraticDiscriminantAnalysis(), scoring=s) == score(rs.QuadraticDiscriminantAnalysis(), scoring=s)
        )
        for s in ("accuracy", "f1_macro", "neg_log_loss", "roc_auc_ovr")
    ),
)
works(
    "cross_val_score of two classes",
    *(lambda s=s: score(SVC(), X2, y2, scoring=s) > 0.8 for s in ("roc_auc", "f1", "average_precision")),
)
works(
    "top-k accuracy of pairs is the accuracy",
    lambda: metrics.top_k_accuracy_score(y, SVC().fit(X, y).decision_function(X), k=1) == SVC().fit(X, y).score(X, y),
)
works("cross_val_score of a frame", lambda: score(LDA(), FRAME, SERIES) > 0.9)
works(
    "cross_val_predict",
    lambda: model_selection.cross_val_predict(LDA(), X, y).shape == (150,),
    *(
        lambda m=m: model_selection.cross_val_predict(LDA(), X, y, method=m).shape == (150, 3)
        for m in ("predict_proba", "decision_function", "predict_log_proba")
    ),
)
works(
    "cross_validate",
    lambda: (
        model_selection.cross_validate(LDA(), X, y, return_train_score=True, return_estimator=True)["train_score"].min()
        > 0.9
    ),
)
works(
    "a grid",
    lambda: grid().best_score_ > 0.9,
    lambda: grid().predict(FRAME).shape == (150,),
    lambda: len(grid().cv_results_["params"]) == 4,
)
works(
    "a random search",
    lambda: (
        model_selection.RandomizedSearchCV(KNN(), {"n_neighbors": [1, 3, 5]}, n_iter=2, random_state=0)
        .fit(X, y)
        .best_score_
        > 0.9
    ),
)
works("a halving search", lambda: halving().best_score_ > 0.8)
works("a learning curve", lambda: len(model_selection.learning_curve(LDA(), X, y, shuffle=True, random_state=0)) == 3)
works(
    "a validation curve",
    lambda: len(model_selection.validation_curve(SVC(), X, y, param_name="C", param_range=[1, 10])) == 2,
)
works("a permutation test", lambda: model_selection.permutation_test_score(LDA(), X, y, n_permutations=5)[2] < 0.5)
works(
    "leave one out",
    lambda: model_selection.cross_val_score(LDA(), X, y, cv=model_selection.LeaveOneOut()).mean() == 0.98,
)
works("two jobs", lambda: model_selection.cross_val_score(LDA(), X, y, n_jobs=2).mean() > 0.9)
works("train_test_split", lambda: split())
works("a precomputed kernel", lambda: score(SVC(kernel="precomputed"), X2 @ X2.T, y2) == score(SVC(), X2, y2))

# composition
works(
    "a pipeline",
    lambda: score(pipeline.make_pipeline(preprocessing.StandardScaler(), SVC())) > 0.9,
    lambda: (
        pipeline.make_pipeline(preprocessing.StandardScaler(), LDA(n_components=2), KNN()).fit(X, y).score(X, y) > 0.9
    ),
)
works("a part of a pipeline", lambda: pipeline.make_pipeline(LDA(), KNN()).fit(X, y)[:-1].transform(X).shape[0] == 150)
works("a column transformer", lambda: score(pipeline.make_pipeline(columns(), LDA()), FRAME, SERIES) > 0.9)
works(
    "a column transformer of ours",
    lambda: (
        compose.ColumnTransformer([("a", LDA(), NAMES[:2]), ("b", "passthrough", NAMES[2:])])
        .fit_transform(FRAME, SERIES)
        .shape[0]
        == 150
    ),
)
works(
    "a feature union",
    lambda: (
        pipeline.make_union(LDA(n_components=1), preprocessing.StandardScaler()).fit_transform(X, y).shape == (150, 5)
    ),
)
works(
    "calibration",
    *(
        lambda m=m: (
            calibration.CalibratedClassifierCV(SVC(), method=m, cv=3).fit(X, y).predict_proba(X).shape == (150, 3)
        )
        for m in ("sigmoid", "isotonic")
    ),
)
works(
    "stacking",
    lambda: (
        ensemble.StackingClassifier([("lda", LDA()), ("svc", SVC())], final_estimator=rs.LogisticRegression(penalty=1))
        .fit(X, y)
        .score(X, y)
        > 0.9
    ),
)
works(
    "voting",
    *(
        lambda v=v: (
            ensemble.VotingClassifier([("lda", LDA()), ("qda", rs.QuadraticDiscriminantAnalysis())], voting=v)
            .fit(X, y)
            .score(X, y)
            > 0.9
        )
        for v in ("hard", "soft")
    ),
)
works(
    "bagging",
    lambda: (
        ensemble.BaggingClassifier(rs.ClassificationTree(), n_estimators=5, random_state=0).fit(X, y).score(X, y) > 0.9
    ),
)
works(
    "AdaBoost",
    lambda: (
        ensemble.AdaBoostClassifier(rs.ClassificationTree(max_depth=1, min_leaf=1e-6), n_estimators=10)
        .fit(X, y)
        .score(X, y)
        > 0.9
    ),
)
works(
    "AdaBoost of regressions",
    lambda: (
        ensemble.AdaBoostRegressor(rs.Ridge(penalty=1), n_estimators=3, random_state=0)
        .fit(X[:, 1:], LENGTH)
        .score(X[:, 1:], LENGTH)
        > 0.7
    ),
)
works("one against the rest", lambda: multiclass.OneVsRestClassifier(SVC()).fit(X, y).score(X, y) > 0.6)
works("one against one", lambda: multiclass.OneVsOneClassifier(SVC()).fit(X, y).score(X, y) > 0.9)
works(
    "several outputs",
    lambda: rs.LinearRegression().fit(X[:, :2], X[:, 2:]).predict(X[:, :2]).shape == (150, 2),
    lambda: multioutput.MultiOutputRegressor(rs.SVR()).fit(X[:, :2], X[:, 2:]).predict(X[:, :2]).shape == (150, 2),
)
works(
    "a transformed target",
    lambda: (
        compose.TransformedTargetRegressor(rs.Ridge(penalty=1), func=np.log, inverse_func=np.exp)
        .fit(X[:, 1:], LENGTH)
        .score(X[:, 1:], LENGTH)
        > 0.7
    ),
)
works(
    "recursive elimination",
    lambda: feature_selection.RFE(SVC(), n_features_to_select=2).fit(X, y).support_.sum() == 2,
    lambda: feature_selection.RFECV(SVC(), cv=3).fit(X, y).n_features_ >= 1,
)
works("selection from a model", lambda: feature_selection.SelectFromModel(SVC()).fit(X, y).transform(X).shape[0] == 150)
works(
    "sequential selection",
    lambda: (
        feature_selection.SequentialFeatureSelector(LDA(), n_features_to_select=2, cv=3).fit(X, y).get_support().sum()
        == 2
    ),
)
works(
    "our machines of many classes over theirs",
    lambda: rs.OneVersusRest(estimator=SVC(C=10)).fit(X, y).score(X, y) > 0.9,
)
works("a self-training classifier", lambda: self_training() > 0.9)

# inspection and output
works("a decision boundary", lambda: boundary(SVC(kernel=GAUSSIAN)), lambda: boundary(LDA()))
works(
    "permutation importance",
    lambda: inspection.permutation_importance(LDA().fit(X, y), X, y, n_repeats=2).importances_mean.shape == (4,),
)
works("partial dependence", lambda: inspection.partial_dependence(LDA().fit(X, y), X, [0])["average"].shape[0] == 3)
works(
    "displays",
    lambda: metrics.ConfusionMatrixDisplay.from_estimator(LDA().fit(X, y), X, y).confusion_matrix.sum() == 150,
    lambda: metrics.RocCurveDisplay.from_estimator(SVC().fit(X2, y2), X2, y2).roc_auc > 0.9,
)
works("a report", lambda: "accuracy" in metrics.classification_report(WORDS, LDA().fit(X, WORDS).predict(X)))
works("fit_transform", lambda: LDA().fit_transform(X, y).shape == (150, 2))
works("names of coordinates", lambda: LDA().fit(X, y).get_feature_names_out()[0] == "lineardiscriminantanalysis0")
works(
    "a frame out",
    lambda: type(LDA().set_output(transform="pandas").fit(FRAME, SERIES).transform(FRAME)) is pandas.DataFrame,
)
works("the page's picture", lambda: "SVC" in SVC()._repr_html_())
works("repr", lambda: repr(SVC(C=3)) == "SVC(C=3)")

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


def grid():
    """Return a search over a machine and a scaler in a pipeline, on a frame."""
    line = pipeline.Pipeline([("scale", preprocessing.StandardScaler().set_output(transform="pandas")), ("svc", SVC())])
    return model_selection.GridSearchCV(line, {"svc__C": [1, 10], "svc__loss": ["hinge", "squared_hinge"]}, cv=3).fit(
        FRAME, SERIES
    )


def halving():
    """Return a halving search."""
    from sklearn.experimental import enable_halving_search_cv

    assert enable_halving_search_cv is not None
    return model_selection.HalvingGridSearchCV(KNN(), {"n_neighbors": [1, 3, 5, 7]}, cv=3, random_state=0).fit(X, y)


def split():
    """Fit to one part of the rows, score on the other."""
    train, test, a, b = model_selection.train_test_split(FRAME, SERIES, random_state=0, stratify=SERIES)
    return SVC(kernel=GAUSSIAN).fit(train, a).score(test, b) > 0.9


def columns():
    """Return a transformer of named columns."""
    return compose.ColumnTransformer(
        [("scale", preprocessing.StandardScaler(), NAMES[:2]), ("rest", "passthrough", NAMES[2:])]
    )


def self_training():
    """Return the score of a classifier that labels rows itself."""
    from sklearn.semi_supervised import SelfTrainingClassifier

    return SelfTrainingClassifier(LDA()).fit(X, np.where(np.arange(150) % 3, y, -1)).score(X, y)


def boundary(model):
    """Draw a decision boundary."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    return (
        inspection.DecisionBoundaryDisplay.from_estimator(model.fit(X[:, :2], y), X[:, :2], grid_resolution=10)
        is not None
    )


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


@pytest.mark.skipif(sys.version_info < (3, 10), reason="idioms of recent versions of scikit-learn")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", IDIOMS)
def test_an_idiom_of_scikit_learn_works_or_is_refused_for_its_reason(name):
    """As people write it."""
    assert IDIOMS[name]()
