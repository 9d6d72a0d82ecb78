"""What the ways to separate many classes by two-class estimators share: their estimator, their fits, their proof."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput, quoted
from refclass.estimators.protocol.estimator import Classifier, Estimator, Steps
from refclass.estimators.protocol.given import classifier_by_name
from refclass.estimators.protocol.two_class_tasks import Side, Table, Task, fitted, listed, side
from refclass.iteration import ending
from refclass.margins.reduction import certificate
from refclass.margins.reduction.one_vs_rest import Question
from refclass.number import arithmetic as by_name
from refclass.number.field import Field
from refclass.regress.kernel.fitted_machine import Solved
from refclass.sample import data
from refclass.selection import executor as jobs


class Several(Classifier, Estimator):
    """A classifier of many classes made of two-class estimators.

    A subclass says which `questions` they answer, how one is `called` and `labelled`, and which classes are `tied`.
    """

    fitted = ("classes_", "rows_", "estimators_")

    def __init__(self, estimator: Any = "svc", *, arithmetic: Any = None) -> None:
        self.estimator = estimator
        self.arithmetic = arithmetic

    def questions(self, labels: Sequence[int], classes: int) -> tuple[Question, ...]:
        """Return what is to be asked."""
        raise NotImplementedError

    def called(self, question: Question, classes: Sequence[Any]) -> str:
        """Return a question in words."""
        raise NotImplementedError

    def labelled(self, question: Question, labels: Sequence[Any]) -> tuple[list[Any], Any]:
        """Return the labels of the rows in a question, and that of its class `yes`."""
        raise NotImplementedError

    def tied(self, X: Any) -> list[tuple[int, ...]]:
        """Return for each row the numbers of the classes that the rule cannot distinguish: one, or several that tie."""
        raise NotImplementedError

    def field(self) -> Field:
        """Return the field of the arithmetic, that of the two-class estimators."""
        made = self.two_class()
        return made.field() if hasattr(made, "field") else by_name.field(getattr(made, "arithmetic", "float"))

    def two_class(self) -> Any:
        """Return a two-class estimator to be fitted.  Raises InvalidInput for what is none."""
        return classifier_by_name.fresh(self.estimator, self.arithmetic, self.method)

    # --- the fits ---

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, executor: Optional[Executor] = None) -> Any:
        """Fit to the rows of X with labels y of two classes or more; weights ≥ 0 go to the two-class estimators.

        executor    any `concurrent.futures.Executor`, to which the fits are given; the answers do not depend on it
        """
        return ending(self.fit_steps(X, y, sample_weight, executor=executor))

    def fit_steps(
        self, X: Any, y: Any, sample_weight: Any = None, *, executor: Optional[Executor] = None
    ) -> Steps[Any]:
        """Fit as `fit` does, and yield on the way how much is done, of how much, in words; return the estimator."""
        return (yield from self.fit_given_steps(self.given(X), y, sample_weight, executor=executor))

    def given(self, X: Any) -> Any:
        """Return what X stands for, from which the machines take parts."""
        estimator = self.two_class()
        read = getattr(estimator, "given", None)
        return Table(data.matrix(self.field(), X)) if read is None else read(X)

    def fit_given_steps(
        self, given: Any, y: Any, sample_weight: Any = None, *, executor: Optional[Executor] = None
    ) -> Steps[Any]:
        """Fit to what is given in place of X, as `iteration` does."""
        y = data.sequence(y)
        tasks = self.tasks(given, y, sample_weight)
        done: dict[int, Any] = {}
        order: Any = jobs.steps(fitted, dict(enumerate(tasks)), done, executor)
        for m in order:
            yield len(done), len(tasks), tasks[m].name
        return self.assemble(tasks, [done[m] for m in range(len(tasks))], y)

    def assemble(self, tasks: Sequence[Task], machines: Sequence[Any], y: Any) -> Any:
        """Take fitted machines, one for each task, for one's own; return the estimator."""
        self.__dict__.pop("certificate_", None)
        self._named, self._asked = list(data.labels(y)[0]), [task.question.places for task in tasks]
        self.classes_, self.rows_ = self._named, list(map(list, self._asked))
        self._masses = [len(t.question.places) if t.weights is None else t.weights.sum() for t in tasks]
        self._model = self.model(tuple([side(machine, task.yes) for machine, task in zip(machines, tasks)]))
        return self

    def model(self, sides: tuple[Side, ...]) -> Any:
        """Return the model of layer 5 over the fitted estimators."""
        raise NotImplementedError

    def tasks(self, given: Any, y: Any, sample_weight: Any = None) -> list[Task]:
        """Return what is to be fitted, in order; nothing is fitted yet.

        Raises    InvalidInput for labels of fewer than two classes, or bad weights
        """
        names, numbers = data.labels(y, len(given))
        if len(names) < 2:
            raise InvalidInput("data", need="at least 2 classes", got=f"{len(names)}: {quoted(list(names))}")
        weights = None if sample_weight is None else data.weight_vector(self.field(), sample_weight, len(given))
        found = []
        for question in self.questions(numbers, len(names)):
            labels, yes = self.labelled(question, [names[numbers[i]] for i in question.places])
            own = None if weights is None else weights.pick(question.places)
            name, part = self.called(question, names), given.part(question.places)
            found.append(Task(name, question, self.two_class(), part, labels, own, yes))
        return found

    # --- what a fitted classifier says ---

    @property
    def estimators_(self) -> list[Any]:
        """The fitted two-class estimators, in order, each with its own classes_."""
        self.is_fitted()
        return [side.estimator for side in self._model.machines]

    def solved(self) -> list[Solved]:
        """Return the machines that were solved, with their multipliers.  Raises AttributeError for other estimators."""
        each = [(own, rows) for e, rows in zip(self.estimators_, self._asked) for own in e.solved()]
        return [replace(own, places=[rows[i] for i in own.places]) for own, rows in each]

    def names(self) -> list[str]:
        """Return what each machine separates, in words."""
        return self.named(self.classes_)

    def named(self, classes: Sequence[Any]) -> list[str]:
        """Return what each machine separates, of these classes."""
        return [self.called(question, classes) for question in self.questions(range(len(classes)), len(classes))]

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof of all machines as one problem, the sum of theirs; each has its own, too."""
        self.is_fitted()
        names = self.named(self._named)
        return self.covering(certificate.certify([(name, e.certificate_) for name, e in zip(names, self.estimators_)]))

    def restated(self) -> Any:
        """Return a copy with the classes and the rows that the machines were fitted to."""
        again = copy(self)
        again.classes_, again.rows_ = self._named, list(map(list, self._asked))
        return again

    def decision_function(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the values of all machines, in order."""
        self.is_fitted()
        return list(map(list, self._model.scores(listed(X))))

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; a tie goes to the class that comes first in classes_."""
        self.is_fitted()
        return [self.classes_[min(found)] for found in self.tied(listed(X))]

    def unclassifiable(self, X: Any) -> list[bool]:
        """Return for each row of X whether no one class wins."""
        raise NotImplementedError

    def ties(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels that the rule cannot distinguish: one, or several that tie."""
        self.is_fitted()
        return [[self.classes_[k] for k in found] for found in self.tied(listed(X))]
