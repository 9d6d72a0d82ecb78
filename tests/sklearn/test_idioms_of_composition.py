"""What people write with pipelines, ensembles, feature selection, inspection and displays."""

import pytest

pytest.importorskip("sklearn", minversion="1.6")


import numpy as np
from sklearn import (
    calibration,
    compose,
    ensemble,
    feature_selection,
    inspection,
    metrics,
    multiclass,
    multioutput,
    pipeline,
    preprocessing,
)

from refclass import sklearn as rs
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
    score,
    y,
    y2,
)

IDIOMS = Idioms()
works = IDIOMS.works

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


@IDIOMS.tried()
def test_an_idiom_of_composition_works_or_is_refused_for_its_reason(name):
    """As people write it."""
    assert IDIOMS[name]()
