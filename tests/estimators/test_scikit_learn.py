"""scikit-learn's clone, cross_val_score, GridSearchCV and Pipeline take the estimators as they are.

A development test: it is skipped where scikit-learn is not installed; the package itself never imports it. Whether the
tags have the shape that scikit-learn reads is tested everywhere.
"""

from collections.abc import Mapping

import pytest

import refclass
from refclass.errors import InvalidInput
from refclass.estimators.protocol.estimator import Classifier
from refclass.kernels.precomputed import Precomputed
from refclass.oracle.table import embedded

KINDS = {kind.method: kind for kind in refclass.estimator_classes()}
GAUSSIAN = {"name": "gaussian", "gamma": 1}


def iris(two=False):
    """Return inputs and labels as arrays, of all classes or of the last two."""
    numpy = pytest.importorskip("numpy")
    table = embedded("iris")
    X = numpy.array(table.numbers(table.names[:4], float))
    y = numpy.array(table.column("species"))
    return (X[50:], (y[50:] == "virginica").astype(int)) if two else (X, y)


def scorers():
    """Return scikit-learn's modules of estimators, model selection, pipelines and scalers; skip without it."""
    pytest.importorskip("sklearn")
    from sklearn import base, model_selection, pipeline, preprocessing

    return base, model_selection, pipeline, preprocessing


@pytest.mark.parametrize("method", sorted(KINDS))
def test_an_estimator_says_what_it_is(method):
    """Classifiers and regressions have the tag of their kind; others have none."""
    given = {"means": [[0], [1]], "covariances": [[[1]], [[1]]]} if method == "bayes" else {}
    model = KINDS[method](**given)
    tags = model.__sklearn_tags__()
    assert tags.estimator_type == model._estimator_type
    assert (tags.estimator_type == "classifier") == isinstance(model, Classifier)
    assert (tags.classifier_tags is not None) == (tags.estimator_type == "classifier")
    assert (tags.regressor_tags is not None) == (tags.estimator_type == "regressor") and not tags.input_tags.pairwise


def test_a_precomputed_kernel_is_reported_by_the_tags():
    """Also of an estimator inside another one."""
    table = refclass.SVC(kernel="precomputed")
    assert table.__sklearn_tags__().input_tags.pairwise
    assert refclass.GridSearch(estimator=table, grid={"C": [1]}).__sklearn_tags__().input_tags.pairwise
    assert refclass.SVC(kernel=Precomputed()).__sklearn_tags__().input_tags.pairwise
    described = refclass.RegressionClassifier(regression={"name": "ridge", "kernel": {"name": "precomputed"}})
    assert described.__sklearn_tags__().input_tags.pairwise


@pytest.mark.parametrize("method", sorted(KINDS))
def test_clone_takes_every_estimator(method):
    """scikit-learn's clone constructs the same with the same parameters, and finds them stored as they were given."""
    base, *_ = scorers()
    given = {"means": [[0], [1]], "covariances": [[[1]], [[1]]]} if method == "bayes" else {}
    twin = base.clone(KINDS[method](**given))
    assert type(twin) is KINDS[method] and twin.get_params() == KINDS[method](**given).get_params()
    described = refclass.SVC(C=3, kernel=dict(GAUSSIAN))
    assert base.clone(described).kernel == GAUSSIAN
    assert base.is_classifier(described) and base.is_regressor(refclass.Ridge())


@pytest.mark.parametrize("scoring", [None, "accuracy", "balanced_accuracy", "f1_macro", "neg_log_loss", "roc_auc_ovr"])
def test_scores_of_three_classes_are_ours(scoring):
    """cross_val_score on arrays with labels of text; its accuracy is that of the same folds here."""
    _, selection, *_ = scorers()
    X, y = iris()
    folds = list(selection.StratifiedKFold(5).split(X, y))
    found = selection.cross_val_score(refclass.QuadraticDiscriminantAnalysis(), X, y, cv=folds, scoring=scoring)
    assert len(found) == 5 and all(v == v for v in found)
    if scoring in (None, "accuracy"):
        own = refclass.cross_validate(refclass.QuadraticDiscriminantAnalysis(), X, y, folds=folds)
        assert [1 - float(r) for r in own.rates] == pytest.approx(list(found))


@pytest.mark.parametrize("scoring", [None, "f1", "roc_auc", "average_precision", "precision"])
@pytest.mark.parametrize("model", [refclass.LinearDiscriminantAnalysis(), refclass.SVC(kernel=GAUSSIAN)])
def test_scores_of_two_classes_are_found(model, scoring):
    """Scorers of two classes, that require classes_ and decision values."""
    _, selection, *_ = scorers()
    X, y = iris(two=True)
    found = selection.cross_val_score(model, X, y, cv=3, scoring=scoring, error_score="raise")
    assert all(0.7 < v <= 1 for v in found)


@pytest.mark.parametrize("scoring", [None, "r2", "neg_mean_squared_error"])
@pytest.mark.parametrize("model", [refclass.Ridge(penalty=1), refclass.KernelRidge(penalty=1, kernel=GAUSSIAN)])
def test_regressions_are_scored_by_their_r2(model, scoring):
    """`score` is R², as scikit-learn's own scorer computes it."""
    _, selection, *_ = scorers()
    X, _ = iris()
    found = selection.cross_val_score(
        model, X[:, 1:], X[:, 0], cv=selection.KFold(3, shuffle=True, random_state=0), scoring=scoring
    )
    own = selection.cross_val_score(
        model, X[:, 1:], X[:, 0], cv=selection.KFold(3, shuffle=True, random_state=0), scoring="r2"
    )
    assert all(v == v for v in found)
    if scoring is None:
        assert list(found) == pytest.approx(list(own))


def test_a_search_of_scikit_learn_reaches_inside_a_kernel():
    """GridSearchCV sets C and kernel__gamma, and refits; the choice is that of the search here on the same folds."""
    _, selection, *_ = scorers()
    X, y = iris(two=True)
    axes = {"C": [1, 10], "kernel__gamma": [0.01, 0.1]}
    folds = list(selection.StratifiedKFold(3).split(X, y))
    found = selection.GridSearchCV(refclass.SVC(kernel=GAUSSIAN), axes, cv=folds).fit(X, y)
    own = refclass.GridSearch(
        estimator=refclass.SVC(kernel=GAUSSIAN), grid={"C": [1, 10], "kernel.gamma": [0.01, 0.1]}, folds=folds
    ).fit(X, y)
    rates = [1 - float(cell.validation.mean) for cell in own.cells_]
    assert rates == pytest.approx(list(found.cv_results_["mean_test_score"]))
    assert found.best_score_ == pytest.approx(max(rates)) and list(found.predict(X)) == own.predict(X)


def test_a_pipeline_ends_in_an_estimator():
    """Scaled inputs, in cross_val_score, and alone with predict, predict_proba and score."""
    _, selection, pipeline, preprocessing = scorers()
    X, y = iris()
    line = pipeline.make_pipeline(preprocessing.StandardScaler(), refclass.LinearDiscriminantAnalysis())
    assert min(selection.cross_val_score(line, X, y, cv=5)) > 0.9
    line.fit(X, y)
    assert line.score(X, y) > 0.95 and len(line.predict_proba(X[:2])) == 2 and list(line.classes_) == sorted(set(y))
    X, y = iris(two=True)
    steps = pipeline.Pipeline([("scale", preprocessing.StandardScaler()), ("machine", refclass.SVC())])
    found = selection.GridSearchCV(steps, {"machine__C": [1, 10]}, cv=3).fit(X, y)
    assert isinstance(found.best_params_, Mapping) and found.score(X, y) > 0.9


def test_a_table_of_kernel_values_is_split_by_scikit_learn():
    """The pairwise tag: rows and columns are taken, and the scores are those of the points themselves."""
    _, selection, *_ = scorers()
    X, y = iris(two=True)
    table = selection.cross_val_score(refclass.SVC(kernel="precomputed"), X @ X.T, y, cv=3)
    assert list(table) == list(selection.cross_val_score(refclass.SVC(), X, y, cv=3))


def test_our_search_inside_theirs():
    """Nested: cross_val_score of a search of this package."""
    _, selection, *_ = scorers()
    X, y = iris()
    search = refclass.GridSearch(estimator=refclass.NearestNeighbors(), grid={"n_neighbors": [1, 5]}, folds=3)
    assert min(selection.cross_val_score(search, X, y, cv=3)) > 0.9


@pytest.mark.slow
def test_tags_say_which_classifiers_are_for_two_classes_only():
    """multi_class is False where three classes are refused, and only there."""
    X, y = [[i % 3 * 4 + i * i % 11, i % 7 + i * i % 13] for i in range(42)], [i % 3 for i in range(42)]
    for kind in refclass.estimator_classes():
        if kind._estimator_type == "classifier" and kind.method not in ("bayes", "logistic", "gaussian_nodes"):
            try:
                refused = bool(kind().fit(X, y) is None)
            except InvalidInput as refusal:
                refused = "two classes" in str(refusal)
            assert kind().__sklearn_tags__().classifier_tags.multi_class is not refused, kind


def test_tags_say_which_estimators_transform():
    """transformer_tags stand where there is a transform."""
    for kind in refclass.estimator_classes():
        if kind.method != "bayes":
            assert (kind().__sklearn_tags__().transformer_tags is not None) == hasattr(kind, "transform"), kind
