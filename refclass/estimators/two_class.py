"""A two-class estimator by its name, for the classifiers made of several."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from refclass.errors import InvalidInput
from refclass.estimators.estimator import Classifier, Estimator, clone

# The classifiers by method name: the class, and the room where it is not called as the method.
NAMES = {
    "bayes": "GaussianBayesRule",
    "lda": "LinearDiscriminantAnalysis",
    "qda": "QuadraticDiscriminantAnalysis",
    "rda": "RegularizedDiscriminantAnalysis",
    "fisher": "FisherDiscriminant",
    "least_squares": "LeastSquaresClassifier",
    "logistic": "LogisticRegression",
    "scoring": "OptimalScoring",
    "fda": "FlexibleDiscriminantAnalysis",
    "pda": "PenalizedDiscriminantAnalysis",
    "mda": "MixtureDiscriminantAnalysis",
    "regression_classifier": "RegressionClassifier",
    "nearest_neighbors": "NearestNeighbors",
    "tree": "ClassificationTree",
    "perceptron": "Perceptron",
    "network": "NeuralNetwork",
    "gaussian_nodes": "GaussianNodeNetwork",
    "svc": "SVC",
    "crammer_singer": "CrammerSingerSVC",
    "lee_lin_wahba": "LeeLinWahbaSVC",
    "kernel_classifier": "KernelClassifier",
}
ROOMS = {"regression_classifier": "signed", "nearest_neighbors": "nearest", "gaussian_nodes": "nodes"}
OWED = ("fit", "decision_function", "get_params")  # what a two-class estimator must have, whoever wrote it


def fresh(description: Any, arithmetic: Any, method: str) -> Any:
    """Return a classifier to be fitted: a clone of an estimator, or one by name, "lda" or {"name": "svc", "C": 2}.

    arithmetic    that of the classifier it is for; None leaves an estimator its own

    Raises    InvalidInput for an unknown name or parameter, an estimator without decision values, or one with another
              arithmetic of its own
    """
    if isinstance(description, (str, Mapping)):
        return _named(description, "float" if arithmetic is None else arithmetic, method)
    if isinstance(description, type) or not all(callable(getattr(description, name, None)) for name in OWED):
        raise InvalidInput(method, need="a two-class estimator with decision values", got=repr(description))
    made = clone(description)
    if arithmetic is not None and isinstance(made, Estimator):
        if made.arithmetic not in (made.parameters()["arithmetic"], arithmetic):
            need = f"an estimator without an arithmetic of its own, or with {arithmetic!r}"
            raise InvalidInput(method, need=need, got=repr(made.arithmetic))
        made.arithmetic = arithmetic
    return made


def _named(description: Any, arithmetic: Any, method: str) -> Classifier:
    given = {"name": description} if isinstance(description, str) else description
    name = given.get("name")
    if not isinstance(name, str) or name not in NAMES:
        raise InvalidInput(method, need=f"an estimator, or a name among {', '.join(NAMES)}", got=repr(name))
    kind = getattr(import_module(f"refclass.estimators.{ROOMS.get(name, name)}"), NAMES[name])
    options = {k: v for k, v in given.items() if k != "name"}
    for option in options:
        if option not in kind.parameters() or option == "arithmetic":
            known = ", ".join(k for k in kind.parameters() if k != "arithmetic")
            raise InvalidInput(method, need=f"a parameter of {name} among {known}", got=repr(option))
    made: Classifier = kind(**options, arithmetic=arithmetic)
    return made
