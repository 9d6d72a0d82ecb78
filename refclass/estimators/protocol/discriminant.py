"""What every discriminant estimator provides: labels, ties, decision values and posteriors, read off a model."""

from __future__ import annotations

import inspect
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Optional

from refclass.discriminants.decision import decide
from refclass.errors import InvalidInput, NotExact, Refusal, quoted
from refclass.estimators.protocol import more_digits
from refclass.estimators.protocol.estimator import Classifier, Estimator, clone
from refclass.estimators.protocol.rounded_columns import require_columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, finite
from refclass.number.text import show
from refclass.sample import data
from refclass.sample.observations import Sample

if TYPE_CHECKING:
    from refclass.discriminants.decision.exact import Failure

# The methods that ask a model for nothing but a point's scores, posteriors or class.
DECIDING = ("predict", "predict_proba", "decision_function", "ties")


class Discriminant(Classifier, Estimator):
    """A classifier over a model with `scores`, `decide` and `classify`.

    What is read off the fitted model is computed when first asked for, so that a number that an exact arithmetic does
    not have is refused when it is asked for, and the rest is not.
    """

    state: ClassVar[tuple[str, ...]] = ("_model", "_width")
    priors: Any
    costs: Any
    _sample: Sample
    _more: Any = None  # the same rule in decimals
    measured: ClassVar[tuple[str, ...]] = ()  # what is taken of the numbers delivered, and proven by the certificate
    shifted: ClassVar[bool] = False  # whether scores of three or more classes are determined up to a common shift
    lengthy: ClassVar[bool] = False  # whether decimals take longer tables, too, for some ten seconds

    def read(self, X: Any, y: Any, sample_weight: Any = None) -> Sample:
        """Return the sample and set classes_, what an earlier fit has left being forgotten.

        Raises    InvalidInput, naming row and column, for bad data; NotExact for a column that reading rounds by
                  too large a part of what it varies by
        """
        self.forget()
        sample = data.read(self.field(), X, y, sample_weight)
        require_columns(self.method, sample.X)
        self.classes_ = list(sample.classes)
        self._sample = sample
        return sample

    def undecided(self) -> bool:
        """Return whether a fit in many digits cannot say whether there is an answer, and only fractions can."""
        return False

    def apart(self) -> bool:
        """Return whether an answer in doubles stands where decimals find that there is none."""
        return False

    def blurred(self) -> str:
        """Return in words what hides, in roundoff, which of two classes is nearer, so that labels may be wrong."""
        return ""

    def certain(self, refusal: Refusal) -> bool:
        """Return whether a refusal is proven, or known to be the same in more digits."""
        return False

    def further(self) -> int:
        """Return how many digits more than usual a fit in decimals takes: what data far from one another need."""
        return 0

    def in_decimals(self, name: str) -> Any:
        """Return the estimator in an arithmetic in which it is fitted again."""
        return clone(self).set_params(arithmetic=name)

    def answering(self) -> Any:
        """Return the fit in decimals that answers at points: the one that this one was rounded from."""
        return vars(self).get("_twin")

    def held(self) -> None:
        """Raises NotExact where numbers of the arithmetic hold nothing of what is rounded to them."""
        if hasattr(self._model, "held"):
            self._model.held()

    def work(self) -> int:
        """Return how many multiplications a fit is, about."""
        n, p = self._sample.n, self._sample.p
        return n * p**2 + p**3

    def forget(self) -> None:
        """Remove what an earlier fit has left: everything but the parameters."""
        # Premise: within a pipeline, scikit-learn gives an estimator an attribute of its own while it is fitted.
        for name in [name for name in vars(self) if name not in self.parameters() and name[:8] != "_parent_"]:
            del self.__dict__[name]

    def given_priors(self, F: Field, K: int) -> Optional[Vector]:
        """Return the parameter priors over F, None if there are none.  Raises InvalidInput."""
        return None if self.priors is None else decide.prior_vector(F, self.priors, K)

    def given_costs(self, F: Field, K: int) -> Optional[Matrix]:
        """Return the parameter costs over F, None if there are none.  Raises InvalidInput."""
        return None if self.costs is None else decide.cost_matrix(F, self.costs, K)

    def components(self, most: int) -> Optional[int]:
        """Return the parameter n_components.  Raises InvalidInput unless it is None or an integer from 1 to most."""
        value = getattr(self, "n_components")  # noqa: B009
        if value is None:
            return None
        if type(value) is not int or not 1 <= value <= most:
            need = f"n_components None or an integer from 1 to {most}"
            raise InvalidInput(self.method, need=need, got=quoted(value))
        return value

    def keep(self, model: Any, sample: Sample) -> Any:
        """Store the fitted model and its sample; return the estimator."""
        self._model, self._sample, self._width = model, sample, sample.p
        return self

    def rows(self, X: Any) -> Matrix:
        """Return the rows of X over the estimator's field.  Raises InvalidInput, naming row and column."""
        self.is_fitted()
        return data.matrix(self.field(), X, columns=self._width)

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; a tie goes to the class that comes first in classes_."""
        rows = self.rows(X)
        try:
            found = self._model.classify(rows)
        except (InvalidInput, NotExact, OverflowError, ZeroDivisionError):
            found = self._each(rows, lambda x: self._model.decide(x).classes[0])
        return self.settled("predict", rows, list(map(self.classes_.__getitem__, found)))

    def settled(self, name: str, rows: Matrix, found: list[Any]) -> list[Any]:
        """Return what a method answers at the rows, at those where doubles cancel from a fit in decimals."""
        far = self.coarse(rows)
        if not far or self._more is None:
            return found
        for i, answer in zip(far, more_digits.answers(self, self._more, name, [rows[i] for i in far])):
            found[i] = answer
        return found

    def coarse(self, rows: Matrix) -> list[int]:
        """Return the numbers of the rows at which the model's scores have few digits."""
        return self._model.far(rows) if hasattr(self._model, "far") else []

    def _each(self, rows: Matrix, take: Callable[[Vector], Any]) -> list[Any]:
        """Return what is taken at each row.  Raises InvalidInput, naming the row, where it is beyond the doubles."""
        found = []
        for i, x in enumerate(rows):
            try:
                found.append(take(x))
            except (InvalidInput, OverflowError, ZeroDivisionError):
                found.append(None)
            except NotExact as refusal:
                if self.field().exact:
                    raise
                raise NotExact(refusal.module, need=refusal.need, got=refusal.got, row=i) from None
            if found[-1] is None or not _finite(found[-1]):
                got = f"one as far as {show(max(map(abs, x)))}"
                raise InvalidInput(
                    self.method, need="points whose scores are within the range of numbers", got=got, row=i
                )
        return found

    def ties(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels that the rule cannot distinguish: one, or several that tie."""
        rows = self.rows(X)
        tied = self._each(rows, lambda x: self._model.decide(x).classes)
        return self.settled("ties", rows, [[self.classes_[k] for k in own] for own in tied])

    def reported(self, name: str) -> Any:
        """Return a fitted attribute, None where it is not exact in an exact arithmetic."""
        try:
            return getattr(self, name)
        except NotExact:
            return None

    def labelled(self) -> list[Any]:
        """Return the labels that the classes should have, in order."""
        return list(self._sample.classes)

    def delivered(self) -> list[Failure]:
        """Return whether the classes are the data's, and what is read off the model is what the model gives anew.

        All that a fit in decimals has found is read off it: where coefficients are long, what they leave of a constant
        may be less than the roundoff of its terms, so that equations of doubles would not notice a change.
        """
        from refclass.discriminants.decision.exact import same  # loaded with the certificate that requires it

        failures, known = [same("the classes", list(self.classes_), self.labelled())], self.answering()
        for name in [name for name in self.fitted if name in vars(self) and name not in ("classes_", *self.measured)]:
            found = inspect.getattr_static(type(self), name, None)
            derived = isinstance(found, cached_property)
            if not derived and (known is None or name not in vars(known)):
                continue
            if known is None:
                again = found.func(self)
            else:  # A fit in decimals is delivered as what these give, rounded.
                again = more_digits.rounded(found.func(known) if derived else vars(known)[name], self.field())
            failures.append(same(f"{name}, which is not what the model predicts with", vars(self)[name], again))
        return failures

    def decision_function(self, X: Any) -> list[Any]:
        """Return K scores for each row of X; for two classes one number, positive for classes_[1].

        The class of the largest score is predicted, unless costs of more than two classes say otherwise.
        """
        rows = self.rows(X)
        return self.settled("decision_function", rows, self._each(rows, self.score_of))

    def score_of(self, x: Vector) -> Any:
        """Return the decision value or values at one point."""
        scores = self._model.scores(x)
        return scores[1] - scores[0] if len(self.classes_) == 2 else list(scores)


class Probabilistic:
    """What a discriminant has whose model has posteriors; it is inherited beside `Discriminant`, before it."""

    shifted: ClassVar[bool] = True

    def predict_proba(self: Any, X: Any) -> list[list[Number]]:
        """Return the posterior of each class, in the order of classes_, for each row of X.

        Raises    NotExact in exact arithmetic, where a posterior is irrational
        """
        rows = self.rows(X)
        found: list[list[Number]] = self._each(rows, lambda x: list(self._model.posterior(x)))
        return self.settled("predict_proba", rows, found)  # type: ignore[no-any-return]


def _finite(value: Any) -> bool:
    """Return whether a number, or each of several, is finite."""
    return all(map(_finite, value)) if isinstance(value, (list, tuple)) else finite(value)


def table(A: Matrix) -> list[list[Number]]:
    """Return a matrix as a list of lists."""
    return [list(row) for row in A]
