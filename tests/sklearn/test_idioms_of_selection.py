"""What people write with scikit-learn's model selection."""

import pytest

pytest.importorskip("sklearn", minversion="1.6")


from sklearn import metrics, model_selection, pipeline, preprocessing

from refclass import sklearn as rs
from tests.sklearn.idioms import (
    FRAME,
    GAUSSIAN,
    KNN,
    LDA,
    SERIES,
    SVC,
    X2,
    Idioms,
    X,
    score,
    y,
    y2,
)

IDIOMS = Idioms()
works = IDIOMS.works

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


@IDIOMS.tried()
def test_an_idiom_of_selection_works_or_is_refused_for_its_reason(name):
    """As people write it."""
    assert IDIOMS[name]()
