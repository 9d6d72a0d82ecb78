"""The executable reference of classical classification.

    from refclass import SVC
    machine = SVC(C=1, kernel={"name": "gaussian", "gamma": 1}).fit(X, y)
    machine.predict(X), machine.certificate_

Every method of five texts, in plain Python, in float, exact or decimal arithmetic, with a proof beside every answer.
`python3 -m refclass` shows it at work; `refclass.methods()` lists the methods with their equations.

Floors, each importing only from those before it:
    errors
    number
    linear
    sample | kernels | losses | bases | optimise
    regress
    discriminants | margins
    selection
    estimators
    oracle
    report
    __main__
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# The public face: each name and the room it lives in. Rooms are imported when first asked for.
FACE: dict[str, str] = {
    "gram": "estimators.gram",
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


def __getattr__(name: str) -> Any:
    if name in FACE:
        return getattr(import_module("refclass." + FACE[name]), name)
    raise AttributeError(f"module 'refclass' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*FACE, "__version__", "estimator_classes", "methods"])


def estimator_classes() -> list[Any]:
    """Return the estimator classes of the public face, in its order: those that are a method with an arithmetic."""
    found = [__getattr__(name) for name in FACE]
    return [kind for kind in found if isinstance(kind, type) and getattr(kind, "arithmetics", None)]


def methods() -> list[dict[str, Any]]:
    """Return every method: its name, class, summary, equations, parameters with defaults, arithmetics, attributes."""
    return [
        {
            "method": kind.method,
            "class": kind.__name__,
            "summary": (kind.__doc__ or "").strip().splitlines()[0].partition("  [")[0],
            "equations": list(kind.equations),
            "parameters": kind.parameters(),
            "arithmetic": list(kind.arithmetics),
            "fitted": list(kind.fitted),
        }
        for kind in estimator_classes()
    ]
