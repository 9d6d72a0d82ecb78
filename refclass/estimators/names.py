"""The public names, and the estimators among them by the names of their methods."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from refclass.errors import InvalidInput

# The public face: each name and the room it lives in. Rooms are imported when first asked for.
PUBLIC: dict[str, str] = {
    "refine": "oracle.refinement",
    "gram": "estimators.gram",
    "judge_kernel": "estimators.judge_kernel",
    "leave_one_out": "estimators.leave_one_out",
    "enclosing_ball": "estimators.bounds",
    "risk_bound": "estimators.bounds",
    "cross_validate": "estimators.cross_validate",
    "learning_curve": "estimators.learning_curve",
    "GridSearch": "estimators.grid_search",
    "GaussianBayesRule": "estimators.bayes",
    "LinearDiscriminantAnalysis": "estimators.lda",
    "QuadraticDiscriminantAnalysis": "estimators.qda",
    "RegularizedDiscriminantAnalysis": "estimators.rda",
    "FisherDiscriminant": "estimators.fisher",
    "LeastSquaresClassifier": "estimators.least_squares",
    "LogisticRegression": "estimators.logistic",
    "OptimalScoring": "estimators.scoring",
    "FlexibleDiscriminantAnalysis": "estimators.fda",
    "PenalizedDiscriminantAnalysis": "estimators.pda",
    "MixtureDiscriminantAnalysis": "estimators.mda",
    "RegressionClassifier": "estimators.signed",
    "NearestNeighbors": "estimators.nearest",
    "ClassificationTree": "estimators.tree",
    "Perceptron": "estimators.perceptron",
    "NeuralNetwork": "estimators.network",
    "GaussianNodeNetwork": "estimators.nodes",
    "OneVersusOne": "estimators.one_vs_one",
    "OneVersusRest": "estimators.one_vs_rest",
    "SVC": "estimators.svc",
    "CrammerSingerSVC": "estimators.crammer_singer",
    "SVMPath": "estimators.svm_path",
    "LeeLinWahbaSVC": "estimators.lee_lin_wahba",
    "KernelClassifier": "estimators.kernel_classifier",
    "SVR": "estimators.svr",
    "HuberRegression": "estimators.huber",
    "KernelRidge": "estimators.kernel_ridge",
    "Ridge": "estimators.ridge",
    "LinearRegression": "estimators.linear_regression",
    "PolynomialRegression": "estimators.polynomial_regression",
    "SmoothingSpline": "estimators.smoothing_spline",
    "BRUTO": "estimators.bruto",
    "MARS": "estimators.mars",
}


def named(name: str) -> Any:
    """Return the class or function of a public name; its module is imported when first asked for."""
    return getattr(import_module("refclass." + PUBLIC[name]), name)


def estimators() -> list[Any]:
    """Return the public estimator classes, in the order of their names: those that are a method with an arithmetic."""
    found = [named(name) for name in PUBLIC]
    return [kind for kind in found if isinstance(kind, type) and getattr(kind, "arithmetics", None)]


@cache
def methods(family: type) -> dict[str, Any]:
    """Return the public estimators of a family by the names of their methods."""
    return {kind.method: kind for kind in estimators() if issubclass(kind, family)}


def alone(family: type) -> dict[str, Any]:
    """Return the methods of a family that are not made of another estimator."""
    return {name: kind for name, kind in methods(family).items() if "estimator" not in kind.parameters()}


def made(family: type, description: Any, arithmetic: Any, where: str, need: str) -> Any:
    """Return an estimator of a family, not fitted, by its method's name: "lda" or {"name": "svc", "C": 2}.

    Raises    InvalidInput for an unknown name or parameter
    """
    given = {"name": description} if isinstance(description, str) else description
    known = alone(family)
    name = given.get("name") if hasattr(given, "get") else None
    if not isinstance(name, str) or name not in known:
        raise InvalidInput(where, need=f"{need}, or a name among {', '.join(known)}", got=repr(description))
    options = {k: v for k, v in given.items() if k != "name"}
    for option in options:
        if option not in known[name].parameters() or option == "arithmetic":
            parameters = ", ".join(k for k in known[name].parameters() if k != "arithmetic")
            raise InvalidInput(where, need=f"a parameter of {name} among {parameters}", got=repr(option))
    return known[name](**options, arithmetic=arithmetic)
