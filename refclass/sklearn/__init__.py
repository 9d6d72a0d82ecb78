"""The estimators as scikit-learn's own kind: arrays and data frames in, arrays out.

    from refclass.sklearn import SVC
    cross_val_predict(SVC(C=10), X, y, method="decision_function")

The classes have the names and the parameters of those of `refclass`. Each fits the one of its name, which it keeps as
`model_`; its fitted attributes are those of `model_`, as arrays where they are numbers of one shape. GaussianBayesRule,
which has nothing to fit, and SVMPath, which does not predict, are not among them.

scikit-learn 1.6 or later and NumPy are imported here and nowhere else in the package.

Reading order:
    arrays
    adapter
"""

from __future__ import annotations

from typing import Any

from refclass.errors import InvalidInput
from refclass.estimators import names

try:
    from refclass.sklearn.adapter import adapted
except ImportError as error:
    raise ImportError(f"refclass.sklearn: need scikit-learn 1.6 or later; got {error}") from None

__all__ = [kind.__name__ for kind in names.estimators() if hasattr(kind, "predict") and kind.method != "bayes"]

globals().update({name: adapted(names.named(name), __name__) for name in __all__})


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module 'refclass.sklearn' has no attribute {name!r}")


def adapter(estimator: Any) -> Any:
    """Return an estimator of `refclass` as the one of the same name here, with the same parameters, not fitted.

    Raises    InvalidInput for an estimator that has no such class
    """
    if type(estimator).__name__ not in __all__:
        raise InvalidInput("sklearn", need=f"an estimator among {', '.join(__all__)}", got=type(estimator).__name__)
    return globals()[type(estimator).__name__](**estimator.get_params(deep=False))
