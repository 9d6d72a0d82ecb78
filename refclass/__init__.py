"""Discriminant analysis and support vector machines, every answer with its proof: a reference in plain Python.

    from refclass import SVC
    machine = SVC(C=1, kernel={"name": "gaussian", "gamma": 1}).fit(X, y)
    machine.predict(X), machine.certificate_

Every method of five texts, in plain Python, in float, exact or decimal arithmetic, with a proof beside every answer.
`python3 -m refclass` shows it at work; `refclass.methods()` lists the methods with their equations.

Layers, each importing only from those before it:
    errors
    number | registry
    certificate | iteration
    linear
    sample | kernels | losses | bases | optimise
    data | regress
    discriminants
    margins
    selection
    estimators
    oracle
    report
    assertions | testing
    plugin | sklearn | __main__
"""

import sys
from typing import TYPE_CHECKING, Any

if sys.version_info < (3, 9):  # noqa: UP036  # before anything that an older Python cannot read
    needed = "refclass: need Python 3.9 or later; got " + ".".join(map(str, sys.version_info[:3]))
    raise SystemExit(needed) if sys.argv[:1] == ["-m"] else ImportError(needed)

from refclass.estimators import names
from refclass.estimators.names import PUBLIC

__version__ = "0.1.0"

__all__ = [*PUBLIC, "estimator_classes", "methods"]

if TYPE_CHECKING:  # what a type checker and an editor know of the names above; a test holds the two lists together
    from refclass.estimators.comparators.nearest import NearestNeighbors as NearestNeighbors
    from refclass.estimators.comparators.network import NeuralNetwork as NeuralNetwork
    from refclass.estimators.comparators.perceptron import Perceptron as Perceptron
    from refclass.estimators.comparators.rbf_network import GaussianNodeNetwork as GaussianNodeNetwork
    from refclass.estimators.comparators.tree import ClassificationTree as ClassificationTree
    from refclass.estimators.discriminants.bayes import GaussianBayesRule as GaussianBayesRule
    from refclass.estimators.discriminants.fda import FlexibleDiscriminantAnalysis as FlexibleDiscriminantAnalysis
    from refclass.estimators.discriminants.fisher import FisherDiscriminant as FisherDiscriminant
    from refclass.estimators.discriminants.lda import LinearDiscriminantAnalysis as LinearDiscriminantAnalysis
    from refclass.estimators.discriminants.least_squares import LeastSquaresClassifier as LeastSquaresClassifier
    from refclass.estimators.discriminants.logistic import LogisticRegression as LogisticRegression
    from refclass.estimators.discriminants.mda import MixtureDiscriminantAnalysis as MixtureDiscriminantAnalysis
    from refclass.estimators.discriminants.pda import PenalizedDiscriminantAnalysis as PenalizedDiscriminantAnalysis
    from refclass.estimators.discriminants.qda import QuadraticDiscriminantAnalysis as QuadraticDiscriminantAnalysis
    from refclass.estimators.discriminants.rda import (
        RegularizedDiscriminantAnalysis as RegularizedDiscriminantAnalysis,
    )
    from refclass.estimators.discriminants.regression_classifier import RegressionClassifier as RegressionClassifier
    from refclass.estimators.discriminants.scoring import OptimalScoring as OptimalScoring
    from refclass.estimators.discriminants.sparse_discriminant import SparseDiscriminant as SparseDiscriminant
    from refclass.estimators.judge_kernel import judge_kernel as judge_kernel
    from refclass.estimators.log_transform import log_transform as log_transform
    from refclass.estimators.margins.actual_distance import ActualDistanceSVC as ActualDistanceSVC
    from refclass.estimators.margins.bounds import enclosing_ball as enclosing_ball
    from refclass.estimators.margins.bounds import risk_bound as risk_bound
    from refclass.estimators.margins.crammer_singer import CrammerSingerSVC as CrammerSingerSVC
    from refclass.estimators.margins.gram import gram as gram
    from refclass.estimators.margins.kernel_classifier import KernelClassifier as KernelClassifier
    from refclass.estimators.margins.lee_lin_wahba import LeeLinWahbaSVC as LeeLinWahbaSVC
    from refclass.estimators.margins.one_vs_one import OneVersusOne as OneVersusOne
    from refclass.estimators.margins.one_vs_rest import OneVersusRest as OneVersusRest
    from refclass.estimators.margins.pairwise_coupling import PairwiseCoupling as PairwiseCoupling
    from refclass.estimators.margins.semiparametric_classifier import (
        SemiparametricClassifier as SemiparametricClassifier,
    )
    from refclass.estimators.margins.svc import SVC as SVC
    from refclass.estimators.margins.svm_path import SVMPath as SVMPath
    from refclass.estimators.regression.bruto import BRUTO as BRUTO
    from refclass.estimators.regression.huber import HuberRegression as HuberRegression
    from refclass.estimators.regression.kernel_ridge import KernelRidge as KernelRidge
    from refclass.estimators.regression.lasso import Lasso as Lasso
    from refclass.estimators.regression.linear_regression import LinearRegression as LinearRegression
    from refclass.estimators.regression.mars import MARS as MARS
    from refclass.estimators.regression.polynomial_regression import PolynomialRegression as PolynomialRegression
    from refclass.estimators.regression.ridge import Ridge as Ridge
    from refclass.estimators.regression.semiparametric_regression import (
        SemiparametricRegression as SemiparametricRegression,
    )
    from refclass.estimators.regression.smoothing_spline import SmoothingSpline as SmoothingSpline
    from refclass.estimators.regression.svr import SVR as SVR
    from refclass.estimators.selection.cross_validate import cross_validate as cross_validate
    from refclass.estimators.selection.grid_search import GridSearch as GridSearch
    from refclass.estimators.selection.learning_curve import learning_curve as learning_curve
    from refclass.estimators.selection.leave_one_out import leave_one_out as leave_one_out
    from refclass.estimators.solve_qp import solve_qp as solve_qp
    from refclass.estimators.standardizer import Standardized as Standardized
    from refclass.estimators.standardizer import Standardizer as Standardizer
    from refclass.oracle.refinement import refine as refine
else:

    def __getattr__(name: str) -> Any:
        if name in PUBLIC:
            return names.named(name)
        raise AttributeError(f"module 'refclass' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*PUBLIC, "__version__", "estimator_classes", "methods"])


def estimator_classes() -> list[Any]:
    """Return the public estimator classes, in their order: those that are a method with an arithmetic."""
    return list(names.estimators())


def methods() -> list[dict[str, Any]]:
    """Return every method: its name, class, summary, equations, parameters with defaults, arithmetics, attributes.

    Parameters without a default are listed as required, too.
    """
    from inspect import Parameter

    return [
        {
            "method": kind.method,
            "class": kind.__name__,
            "summary": (kind.__doc__ or "").strip().splitlines()[0].partition("  [")[0],
            "equations": list(kind.equations),
            "parameters": {k: None if v is Parameter.empty else v for k, v in kind.parameters().items()},
            "required": [k for k, v in kind.parameters().items() if v is Parameter.empty],
            "arithmetic": list(kind.arithmetics),
            "fitted": list(kind.fitted),
        }
        for kind in estimator_classes()
    ]
