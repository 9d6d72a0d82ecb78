"""The public names, and the estimators among them by the names of their methods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from refclass.errors import InvalidInput, quoted

# The public names, each with the module that defines it. Modules are imported when first asked for.
PUBLIC: dict[str, str] = {
    "refine": "oracle.refinement",
    "solve_qp": "estimators.solve_qp",
    "gram": "estimators.margins.gram",
    "judge_kernel": "estimators.judge_kernel",
    "log_transform": "estimators.log_transform",
    "leave_one_out": "estimators.selection.leave_one_out",
    "enclosing_ball": "estimators.margins.bounds",
    "risk_bound": "estimators.margins.bounds",
    "cross_validate": "estimators.selection.cross_validate",
    "learning_curve": "estimators.selection.learning_curve",
    "GridSearch": "estimators.selection.grid_search",
    "Standardizer": "estimators.standardizer",
    "Standardized": "estimators.standardizer",
    "GaussianBayesRule": "estimators.discriminants.bayes",
    "LinearDiscriminantAnalysis": "estimators.discriminants.lda",
    "QuadraticDiscriminantAnalysis": "estimators.discriminants.qda",
    "RegularizedDiscriminantAnalysis": "estimators.discriminants.rda",
    "SparseDiscriminant": "estimators.discriminants.sparse_discriminant",
    "FisherDiscriminant": "estimators.discriminants.fisher",
    "LeastSquaresClassifier": "estimators.discriminants.least_squares",
    "LogisticRegression": "estimators.discriminants.logistic",
    "OptimalScoring": "estimators.discriminants.scoring",
    "FlexibleDiscriminantAnalysis": "estimators.discriminants.fda",
    "PenalizedDiscriminantAnalysis": "estimators.discriminants.pda",
    "MixtureDiscriminantAnalysis": "estimators.discriminants.mda",
    "RegressionClassifier": "estimators.discriminants.regression_classifier",
    "NearestNeighbors": "estimators.comparators.nearest",
    "ClassificationTree": "estimators.comparators.tree",
    "Perceptron": "estimators.comparators.perceptron",
    "NeuralNetwork": "estimators.comparators.network",
    "GaussianNodeNetwork": "estimators.comparators.rbf_network",
    "OneVersusOne": "estimators.margins.one_vs_one",
    "PairwiseCoupling": "estimators.margins.pairwise_coupling",
    "OneVersusRest": "estimators.margins.one_vs_rest",
    "SVC": "estimators.margins.svc",
    "ActualDistanceSVC": "estimators.margins.actual_distance",
    "CrammerSingerSVC": "estimators.margins.crammer_singer",
    "SVMPath": "estimators.margins.svm_path",
    "LeeLinWahbaSVC": "estimators.margins.lee_lin_wahba",
    "KernelClassifier": "estimators.margins.kernel_classifier",
    "SemiparametricClassifier": "estimators.margins.semiparametric_classifier",
    "SVR": "estimators.regression.svr",
    "HuberRegression": "estimators.regression.huber",
    "KernelRidge": "estimators.regression.kernel_ridge",
    "SemiparametricRegression": "estimators.regression.semiparametric_regression",
    "Ridge": "estimators.regression.ridge",
    "Lasso": "estimators.regression.lasso",
    "LinearRegression": "estimators.regression.linear_regression",
    "PolynomialRegression": "estimators.regression.polynomial_regression",
    "SmoothingSpline": "estimators.regression.smoothing_spline",
    "BRUTO": "estimators.regression.bruto",
    "MARS": "estimators.regression.mars",
}


def named(name: str) -> Any:
    """Return the class or function of a public name; its module is imported when first asked for."""
    return getattr(import_module("refclass." + PUBLIC[name]), name)


@cache
def estimators() -> tuple[Any, ...]:
    """Return the public estimator classes, in the order of their names: those that are a method with an arithmetic."""
    found = [named(name) for name in PUBLIC]
    return tuple(kind for kind in found if isinstance(kind, type) and getattr(kind, "arithmetics", None))


@cache
def methods(family: type = object) -> Mapping[str, Any]:
    """Return the public estimators, or those of a family, by the names of their methods."""
    return MappingProxyType({kind.method: kind for kind in estimators() if issubclass(kind, family)})


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
        raise InvalidInput(where, need=f"{need}, or a name among {', '.join(known)}", got=quoted(description))
    options = {k: v for k, v in given.items() if k != "name"}
    for option in options:
        if option not in known[name].parameters() or option == "arithmetic":
            parameters = ", ".join(k for k in known[name].parameters() if k != "arithmetic")
            raise InvalidInput(where, need=f"a parameter of {name} among {parameters}", got=quoted(option))
    return known[name](**options, arithmetic=arithmetic)
