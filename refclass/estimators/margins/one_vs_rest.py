"""Many classes by two-class estimators, one for each class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Optional

from refclass.discriminants.logistic import logistic
from refclass.errors import InvalidInput, quoted, show
from refclass.estimators.protocol.multiclass import Several
from refclass.estimators.protocol.two_class_tasks import Side, Task, fitted, listed
from refclass.kernels.linear import Linear
from refclass.margins.reduction import hidden_labels, one_vs_rest
from refclass.margins.reduction.one_vs_rest import Question
from refclass.margins.svm import fit as train
from refclass.number.vanishing import RESOLVED
from refclass.sample import data


class OneVersusRest(Several):
    """One two-class estimator for each class against all others  [MMST-11.4.1-rest] [KIM-5-rest].

        class of x = argmax_k f_k(x),    f_k > 0 where the k-th estimator says "of class k"

    A tie goes to the class that comes first. By the rule of signs a point has a class only if exactly one estimator
    says yes; `unclassifiable` says which points have none. An estimator's weights by class are those of its labels
    False (another class) and True (the class).

    Parameters
    ----------
    estimator : estimator, str or dict, default "svc"
        A two-class estimator with decision values, or its name: "lda", {"name": "svc", "C": 10}.
    arithmetic : None, "float", "exact" or "decimal:n", default None
        The arithmetic of the two-class estimators; None for their own.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    estimators_ : list of K estimators
        The fitted two-class estimators in the order of classes_, each with classes_ [False, True].
    rows_ : lists of int
        The rows of X that each estimator was fitted to: all.
    certificate_ : Certificate
        The proof of the sum of their problems.

    Raises
    ------
    InvalidInput
        For bad data or parameters; what an estimator refuses, with the name of its question.

    See Also
    --------
    OneVersusOne, SVC

    References
    ----------
    - A. J. Izenman (2008). Modern Multivariate Statistical Techniques, section 11.4.1.

    Examples
    --------
    >>> model = OneVersusRest("lda").fit([[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]], list("aabbcc"))
    >>> model.predict([[2.0], [4.4]]), model.unclassifiable([[2.0], [4.4]])
    (['a', 'b'], [False, True])
    """

    method = "one_vs_rest"
    equations = ("MMST-11.4.1-rest", "KIM-5-rest")

    def questions(self, labels: Sequence[int], classes: int) -> tuple[Question, ...]:
        """Return the questions "this class, or another?"."""
        return one_vs_rest.questions(labels, classes)

    def fit_sets(self, X: Any, sets: Sequence[Any]) -> OneVersusRest:
        """Fit to rows that may belong to several classes, or to none  [MC-SETS] [MMST-11.4.1-rest].

        sets    for each row of X the labels of its classes, a list, a tuple or a set

        Each estimator separates its class from all others. Raises    InvalidInput for a class that no row, or
        every row, belongs to, and for fewer than two classes
        """
        given, members = self.given(X), [_set(labels, i) for i, labels in enumerate(sets)]
        if len(members) != len(given):
            raise InvalidInput(self.method, need=f"{len(given)} sets of labels", got=len(members))
        names = list(data.labels(sorted({label for own in members for label in own}, key=quoted))[0])
        places, tasks = tuple(range(len(members))), []
        for k, name in enumerate(names):
            labels = [name in own for own in members]
            if all(labels) or len(names) < 2:
                raise InvalidInput(self.method, need="two classes, neither of all rows", got=quoted(name))
            question = Question(k, None, places, tuple([1 if own else -1 for own in labels]))
            title = self.called(question, names)
            tasks.append(Task(title, question, self.two_class(), given.part(places), labels, None, True))
        self.assemble(tasks, list(map(fitted, tasks)), names)
        return self

    def predict_sets(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels of all classes whose estimator says yes: several, one or none."""
        self.is_fitted()
        rows = listed(X)
        said = [side.says(rows, False) for side in self._model.machines]
        return [[c for c, own in zip(self.classes_, said) if own[t] > 0] for t in range(len(rows))]

    def called(self, question: Question, classes: Sequence[Any]) -> str:
        """Return a question in words."""
        return f"{show(classes[question.yes])} against the rest"

    def labelled(self, question: Question, labels: Sequence[Any]) -> tuple[list[Any], Any]:
        """Return whether each row is of the class."""
        return [s > 0 for s in question.signs], True

    def model(self, sides: tuple[Side, ...]) -> one_vs_rest.Model:
        """Return the model over the fitted estimators."""
        return one_vs_rest.Model(sides)

    def tied(self, X: Any) -> list[tuple[int, ...]]:
        """Return for each row the numbers of the classes of the largest value.

        Raises    NotExact where rounded intercepts leave two of them alike that are not
        """
        rows, eps = list(self._model.scores(X)), self.field().eps
        alike: set[int] = set()
        for row in rows if eps else ():
            least = max(row) - RESOLVED * eps * max(map(abs, row))
            near = [k for k, v in enumerate(row) if v >= least]
            alike.update(near if len(near) > 1 else ())
        for k in sorted(alike):
            own = _function(self.estimators_[k])
            if own is not None:
                hidden_labels.refuse(self.method, eps, own)
        return [one_vs_rest.largest(row) for row in rows]

    def unclassifiable(self, X: Any) -> list[bool]:
        """Return for each row of X whether the rule of signs gives it no class  [KIM-5-rest]."""
        self.is_fitted()
        said = [side.says(listed(X), strict=True) for side in self._model.machines]
        return [one_vs_rest.alone(row) is None for row in zip(*said)]


def _set(labels: Any, row: int) -> set[Any]:
    """Return the labels of a row, each once.  Raises InvalidInput for what is no collection."""
    if isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable):
        raise InvalidInput("one_vs_rest", need="a list, tuple or set of labels", got=quoted(labels), row=row)
    return set(labels)


def _function(estimator: Any) -> Optional[hidden_labels.Function]:
    """Return the function of a machine, or of a penalised logistic regression; None of other kinds.

    Of the latter the multipliers are those of the deviance, wᵢ(1{gᵢ = 2} − pᵢ)/½λ.
    """
    model, sample = getattr(estimator, "_model", None), getattr(estimator, "_sample", None)
    model = model[0] if isinstance(model, tuple) else model
    if isinstance(model, train.Model):
        if model.beta is not None and model.beta.kind is not float and not any(model.beta):
            return None  # constant: numbers that do not underflow have β = 0 only where it is that, or said to be
        return hidden_labels.Function(model.kernel, model.points, model.coefficients, model.beta0)
    if not isinstance(model, logistic.Model) or not model.penalty or sample is None:
        return None
    p = [model.posterior(x) for x in sample.X]
    a = [2 * w * (own[0] if g else -own[1]) / model.penalty for w, g, own in zip(sample.weights, sample.labels, p)]
    return hidden_labels.Function(Linear(), list(sample.X), a, estimator.intercept_[0])
