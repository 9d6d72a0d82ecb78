"""Estimators that keep scikit-learn's contract, over those of the package that keep its own.

What they add is the contract alone: validation and tags, arrays, names of columns, NotFittedError, requests of
metadata. Every number comes from the estimator of the package, `model_`.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

import numpy
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from refclass.errors import InvalidInput, Refusal
from refclass.estimators.protocol import sklearn_interface
from refclass.kernels.string import String
from refclass.sklearn.arrays import array, listed


class Adapter(BaseEstimator):  # type: ignore[misc]
    """An estimator of scikit-learn's kind over one of the package.

    kind      the class of the package's estimator
    model_    the fitted estimator
    """

    kind: ClassVar[Any]

    def core(self) -> Any:
        """Return the package's estimator with the same parameters, not fitted; adapters among them become theirs."""
        given = self.get_params(deep=False)
        return self.kind(**{name: v.core() if isinstance(v, Adapter) else v for name, v in given.items()})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = sklearn_interface.is_pairwise(self)
        tags.input_tags.string = self._takes_text()
        return tags

    def __getattr__(self, name: str) -> Any:
        """Return a fitted attribute of `model_`, as an array where it is numbers of one shape."""
        if name.endswith("_") and not name.startswith("_") and "model_" in self.__dict__:
            return array(getattr(self.__dict__["model_"], name))
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _takes_text(self) -> bool:
        """Return whether X is text, of which a string kernel takes one for each row."""
        kernel = self.get_params(deep=False).get("kernel")
        return (kernel.get("name") if hasattr(kernel, "get") else kernel) == "string" or isinstance(kernel, String)

    def _type(self) -> Any:
        """Return the type that X is converted to: doubles; as it comes, for an arithmetic that has more numbers."""
        return numpy.float64 if getattr(self, "arithmetic", "float") in ("float", None) else None

    def _rows(self, X: Any) -> Any:
        """Return the rows that the package's estimator is asked about, of a table like the one that was fitted."""
        check_is_fitted(self)
        if self._takes_text():
            return listed(X)
        return listed(validate_data(self, X, reset=False, dtype=self._type()))

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        if self._takes_text():
            rows, y = listed(X), numpy.asarray(y)
        else:
            rows, y = validate_data(self, X, y, dtype=self._type(), **self._options())
        weights = {}
        if sample_weight is not None:
            weights = {"sample_weight": listed(_check_sample_weight(sample_weight, rows))}
        self._read(y)
        try:
            self.model_ = self.core().fit(listed(rows), listed(y), **weights)
        except Refusal as refusal:
            if len(rows) > 1:
                raise
            raise InvalidInput(self.kind.method, need="more rows than 1 sample", got=str(refusal)) from None
        self._keep(rows)
        return self

    def _options(self) -> dict[str, Any]:
        """Return what the validation of the data is asked for besides."""
        return {}

    def _read(self, y: Any) -> None:
        """Check the responses, and set what is read off them."""

    def _keep(self, rows: Any) -> None:
        """Set what is read off the rows that were fitted."""


class Classifier(ClassifierMixin, Adapter):  # type: ignore[misc]
    """A classifier: one column for each class, in the order of classes_."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = not getattr(self.core(), "only_two_classes", False)
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit to the rows of X with labels y; a weight multiplies what its row counts."""
        return self._fit(X, y, sample_weight)

    def _read(self, y: Any) -> None:
        check_classification_targets(y)
        classes = numpy.unique(y)
        if len(classes) < 2:
            raise InvalidInput(self.kind.method, need="at least 2 classes", got=f"1 class, {classes[0]!r}")
        if len(classes) > 2 and not self.__sklearn_tags__().classifier_tags.multi_class:
            # Premise: scikit-learn's checks require these words.
            need, got = "two classes. Only binary classification is supported.", f"{len(classes)} classes"
            raise InvalidInput(self.kind.method, need=need, got=got)
        self.classes_ = classes

    def _keep(self, rows: Any) -> None:
        support = vars(self.model_).get("support_")
        if support is not None and hasattr(rows, "shape"):
            self.support_vectors_ = rows[support]

    def predict(self, X: Any) -> Any:
        """Return the label of each row of X."""
        rows = self._rows(X)
        return numpy.array(self.model_.predict(rows), dtype=self.classes_.dtype)

    def decision_function(self, X: Any) -> Any:
        """Return a value for each class and row of X; of two classes one number, positive for classes_[1]."""
        rows = self._rows(X)
        found = array(self.model_.decision_function(rows))
        if len(self.classes_) > 2 or found.ndim == 1:
            return found
        return found[:, 0] if found.shape[1] == 1 else found[:, 1] - found[:, 0]


def _has_posterior(estimator: Any) -> bool:
    getattr(estimator.__dict__.get("model_", None) or estimator.core(), "predict_proba")  # noqa: B009
    return True


class Posterior(Classifier):
    """A classifier with posteriors."""

    @available_if(_has_posterior)  # type: ignore[untyped-decorator, unused-ignore]
    def predict_proba(self, X: Any) -> Any:
        """Return the posterior of each class, in the order of classes_, for each row of X."""
        rows = self._rows(X)
        return array(self.model_.predict_proba(rows))

    @available_if(_has_posterior)  # type: ignore[untyped-decorator, unused-ignore]
    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of each posterior."""
        with numpy.errstate(divide="ignore"):
            return numpy.log(self.predict_proba(X).astype(numpy.float64))


class Regressor(RegressorMixin, Adapter):  # type: ignore[misc]
    """A regression of one response or, where the package's takes them, several."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self._several()
        return tags

    def _several(self) -> bool:
        return "_flat" in self.kind.state

    def _options(self) -> dict[str, Any]:
        return {"multi_output": self._several(), "y_numeric": True}

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit y on the rows of X; a weight multiplies what its row counts."""
        return self._fit(X, y, sample_weight)

    def predict(self, X: Any) -> Any:
        """Return the fitted function at the rows of X."""
        rows = self._rows(X)
        return array(self.model_.predict(rows))


class Transforming(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Adapter):  # type: ignore[misc]
    """An estimator with coordinates of rows, besides."""

    def transform(self, X: Any) -> Any:
        """Return the coordinates of each row of X: the first n_components of them."""
        rows = self._rows(X)
        return array(self.model_.transform(rows))

    @property
    def _n_features_out(self) -> int:
        return len(self.model_.transform([[0] * self.n_features_in_])[0])


def _unweighted(self: Any, X: Any, y: Any) -> Any:
    """Fit to the rows of X and their responses y."""
    return self._fit(X, y)


_unweighted.__name__ = "fit"


def adapted(kind: Any, module: str) -> Any:
    """Return the class of scikit-learn's kind over an estimator's class of the package."""
    bases = [Regressor] if kind._estimator_type == "regressor" else []
    if kind._estimator_type == "classifier":
        bases = [Posterior if hasattr(kind, "predict_proba") else Classifier]
    if hasattr(kind, "transform"):
        bases.insert(0, Transforming)
    signature = inspect.signature(kind)

    def __init__(self: Any, *positional: Any, **named: Any) -> None:  # noqa: N807
        bound = signature.bind(*positional, **named)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            setattr(self, name, value)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = inspect.Signature([own, *signature.parameters.values()])  # type: ignore[attr-defined]
    content = {"__init__": __init__, "__doc__": kind.__doc__, "__module__": module, "kind": kind}
    if "sample_weight" not in inspect.signature(kind.fit).parameters:
        content["fit"] = _unweighted
    return type(kind.__name__, tuple(bases), content)
