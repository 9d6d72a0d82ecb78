"""What the machines that separate all classes at once share: how their machine is stated, and how it is told again."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, TypeVar

from refclass.estimators.protocol.estimator import Classifier, Estimator
from refclass.estimators.protocol.given.kernel_input import Given, given

Own = TypeVar("Own", bound="AllClasses")


class AllClasses(Classifier, Estimator):
    """A machine of many classes with a kernel; a subclass says which machine is `_asked` for and `_describe`s it."""

    kernel: Any

    def _asked(self, given: Given, y: Any, sample_weight: Any) -> tuple[list[Any], Any]:
        """Return the labels in class order, and the machine to be trained."""
        raise NotImplementedError

    def _describe(self) -> None:
        """Set the fitted attributes from the machine that was trained."""
        raise NotImplementedError

    def machine(self, X: Any, y: Any, sample_weight: Any = None) -> tuple[Any, list[Any]]:
        """Return the machine to be trained, its data exact, and the labels in class order: nothing is solved."""
        own = given(self.field(), self.kernel, X)
        classes, machine = self._asked(own, y, sample_weight)
        return replace(machine, K=own.exactly()), classes

    def restated(self: Own) -> Own:
        """Return a copy whose fitted attributes are set anew from the machine that was proven."""
        again = copy(self)
        again._describe()
        return again
