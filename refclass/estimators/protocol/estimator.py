"""What every estimator provides: parameters by name, an arithmetic, and the refusal to answer before `fit`."""

from __future__ import annotations

import inspect
from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, ClassVar, Optional, TypeVar

from refclass.certificate import Certificate, difference, refused
from refclass.errors import InvalidInput, NotExact, quoted
from refclass.estimators.protocol import sklearn_interface
from refclass.number import arithmetic as by_name
from refclass.number.binary64 import denormal
from refclass.number.field import Field, Number
from refclass.sample import data

if TYPE_CHECKING:
    from refclass.estimators.protocol.certificates.claimed import Reported

Answer = TypeVar("Answer")

# How a long fit shows how far it has come: it yields (how much is done, of how much, in words), and returns its answer.
# The total may grow on the way. An estimator with a long fit has `fit_steps(X, y)`, which fits and returns the
# estimator.
Steps = Generator[tuple[int, int, str], None, Answer]


class Estimator:
    """A method with its parameters, to be fitted to data.

    The constructor stores its keyword arguments under their own names; `fit` checks them, and sets the attributes that
    end in an underscore. `arithmetic` is "float", "exact" or "decimal:n".

    method      its name at the command line and in problem files
    equations   the equations it computes, as the documents number them
    fitted      the attributes that `fit` sets, in the order in which they are shown
    arithmetics the arithmetics it runs in
    state       the attributes, beside classes_, that `predict` and `transform` need: what a saved model holds
    history     the attributes that describe the way to the answer: another way may lead to the same answer
    """

    method: ClassVar[str]
    equations: ClassVar[tuple[str, ...]]
    fitted: ClassVar[tuple[str, ...]]
    arithmetics: ClassVar[tuple[str, ...]] = ("float", "exact", "decimal:n")
    state: ClassVar[tuple[str, ...]] = ("_model",)
    history: ClassVar[tuple[str, ...]] = ("n_iter_", "objectives_")
    arithmetic: Any
    only_two_classes: Any = False  # whether `fit` refuses more than two classes
    takes_labels: ClassVar[bool] = False  # whether y holds labels of classes, not numbers
    _estimator_type: ClassVar[Optional[str]] = None  # "classifier" or "regressor", where scikit-learn looks for it

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        sklearn_interface.remembered(cls)

    @classmethod
    def parameters(cls) -> dict[str, Any]:
        """Return the names of the parameters with their default values."""
        return dict(_parameters(cls))  # type: ignore[arg-type]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with `deep` also those of an estimator among them, as `outer__inner`."""
        own = {name: getattr(self, name) for name in self.parameters()}
        if deep:
            for name, value in list(own.items()):
                if isinstance(value, Estimator):
                    own.update({f"{name}__{inner}": v for inner, v in value.get_params().items()})
        return own

    def set_params(self, **values: Any) -> Any:
        """Set parameters by name and return the estimator; kernel__gamma reaches inside a kernel or an estimator.

        Raises    InvalidInput for a name it does not have
        """
        known = self.parameters()
        for name, value in values.items():
            outer, _, inner = name.partition("__")
            if outer not in known:
                raise InvalidInput(self.method, need=f"a parameter among {', '.join(known)}", got=quoted(outer))
            setattr(self, outer, _within(getattr(self, outer), inner, value) if inner else value)
        return self

    def __repr__(self) -> str:
        defaults = self.parameters()
        given = [f"{k}={quoted(v)}" for k, v in self.get_params(deep=False).items() if v is not defaults[k]]
        return f"{type(self).__name__}({', '.join(given)})"

    def __sklearn_tags__(self) -> Any:
        return sklearn_interface.tags(self, sklearn_interface.is_pairwise(self), labelled=True)

    def field(self) -> Field:
        """Return the field of the estimator's arithmetic.  Raises InvalidInput for an unknown name."""
        return by_name.field(self.arithmetic)

    def one_of(self, name: str, *values: Any) -> Any:
        """Return the parameter of that name.  Raises InvalidInput unless it is one of the values."""
        value = getattr(self, name)
        if not any(type(value) is type(v) and value == v for v in values):
            raise InvalidInput(self.method, need=f"{name} among {list(values)}", got=quoted(value))
        return value

    def number(self, F: Field, name: str, *, above: Any = None, least: Any = None, most: Any = None) -> Number:
        """Return the parameter of that name, a number or its text ("1/3"), lifted into F.

        Raises    InvalidInput unless it is a finite number > above, ≥ least, ≤ most, where given; NotExact for one too
                  small for doubles to hold all its digits
        """
        value = getattr(self, name)
        bounds = [f"{s} {b}" for s, b in ((">", above), ("≥", least), ("≤", most)) if b is not None]
        need = f"{name} a finite number" + "".join(f" {b}" for b in bounds)
        try:
            lifted = F.parameter(value)
        except InvalidInput:
            raise InvalidInput(self.method, need=need, got=quoted(value)) from None
        low = (above is not None and not lifted > above) or (least is not None and not lifted >= least)
        if low or (most is not None and not lifted <= most):
            raise InvalidInput(self.method, need=need, got=value)
        if denormal(lifted):
            raise NotExact(self.method, need=f"{name} that doubles hold to all its digits", got=value)
        return lifted

    def integer(self, name: str, least: int, *, or_none: bool = False) -> Any:
        """Return the parameter of that name.  Raises InvalidInput unless it is an integer ≥ least (or None)."""
        value = getattr(self, name)
        if not (or_none and value is None) and (type(value) is not int or value < least):
            need = f"{name} {'None or ' if or_none else ''}an integer ≥ {least}"
            raise InvalidInput(self.method, need=need, got=quoted(value))
        return value

    def without_each(self, X: Any, y: Any, method: str) -> Iterator[Any]:
        """Fit, and return for each row in turn the model that a fit without it would give; None: only a fit will do.

        The models are found from the one of all rows, exactly; `method` is what will be asked.
        """
        return repeat(None)

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take an answer that somebody reports for that of a fit to the data, without solving anything.

        Return False, and take nothing, where an answer is the only one, to be computed anew, or not reported.
        """
        return False

    def proven(self, eps: Any) -> Certificate:
        """Return the proof of the answer, fitted or claimed; eps is the spacing of the numbers it was computed in."""
        found: Certificate = getattr(self, "certificate_")  # noqa: B009
        return found

    def restated(self) -> Any:
        """Return a copy whose fitted attributes are set anew from the model that was proven."""
        return self

    def covering(self, found: Certificate) -> Certificate:
        """Return the certificate of the model, where every fitted attribute is what the model gives; else a refusal."""
        again = vars(self.restated())
        set_by_fit = [name for name in again if name.endswith("_") and not name.startswith("_")]
        for name in dict.fromkeys([*self.fitted, *set_by_fit]):
            if name in again and again[name] != (said := getattr(self, name, None)):
                return refused(found, difference(name, said, again[name]))
        return found

    def is_fitted(self) -> None:
        """Raises InvalidInput if `fit` has not been called."""
        if not hasattr(self, "_model"):
            raise InvalidInput(self.method, need="a fitted estimator (call fit first)", got="none")


@cache
def _parameters(kind: type[Estimator]) -> dict[str, Any]:
    return {name: p.default for name, p in inspect.signature(kind).parameters.items()}


class ClassLabels:
    """The attribute classes_: the labels, in order; an AttributeError before `fit`."""

    def __get__(self, estimator: Any, owner: Any = None) -> Any:
        if estimator is None:
            return self
        if "classes_" not in estimator.__dict__:
            raise AttributeError("classes_: call fit first")
        return estimator.__dict__["classes_"]

    def __set__(self, estimator: Any, labels: Iterable[Hashable]) -> None:
        estimator.__dict__["classes_"] = sklearn_interface.Labels(labels)


class Classifier:
    """What an estimator that separates classes has beside `fit`: classes_, predict, score.

    It is inherited beside `Estimator`, before it.
    """

    method: ClassVar[str]
    classes_ = ClassLabels()
    takes_labels: ClassVar[bool] = True
    _estimator_type: ClassVar[Optional[str]] = "classifier"

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X."""
        raise NotImplementedError

    def score(self, X: Any, y: Any) -> float:
        """Return the share of rows of X whose predicted label is y's."""
        said, truth = self.predict(X), data.sequence(y)
        if len(said) != len(truth):
            raise InvalidInput(self.method, need=f"{len(said)} labels, one for each row of X", got=len(truth))
        return sum(data.alike(a, b) for a, b in zip(said, truth)) / len(truth)


def clone(estimator: Any) -> Any:
    """Return an estimator of the same kind with the same parameters, not fitted; estimators among them are cloned."""
    given = estimator.get_params(deep=False)
    return type(estimator)(**{k: clone(v) if isinstance(v, Estimator) else v for k, v in given.items()})


def _within(outer: Any, name: str, value: Any) -> Any:
    """Return a parameter with one of its parts set: a new description or record, or the same estimator."""
    if isinstance(outer, Estimator):
        return outer.set_params(**{name: value})
    if isinstance(outer, str):
        outer = {"name": outer}
    if isinstance(outer, Mapping):
        head, _, rest = name.partition("__")
        return {**outer, head: _within(outer.get(head), rest, value) if rest else value}
    if is_dataclass(outer) and hasattr(outer, name):
        return replace(outer, **{name: value})  # type: ignore[type-var]
    raise InvalidInput("parameters", need=f"parts in {outer!r}, to set {name}", got="none")
