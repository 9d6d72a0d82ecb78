"""The methods of a fitted machine, or of several, as `SVC` has them: values, labels, votes, conditions, geometry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

from refclass.estimators.margins.strategies.binary_machine import BinaryMachine
from refclass.estimators.margins.strategies.several_machines import SeveralMachines
from refclass.kernels.spaces.rkhs import Element
from refclass.margins.svm.geometry.fitted_hyperplane import Hyperplane
from refclass.margins.svm.optimality import Optimality


class MachineMethods:
    """The methods that the machine of two classes, or the several of more, answer."""

    @property
    def _machines(self) -> Union[BinaryMachine, SeveralMachines]:
        """The one machine of two classes, or the several of more."""
        raise NotImplementedError

    @property
    def estimators_(self) -> list[Any]:
        """The fitted two-class machines of more than two classes, in order, each with its own classes_.

        Raises    OneMachine for two classes
        """
        return self._machines.estimators_

    def names(self) -> list[str]:
        """Return what each machine separates, in words."""
        return self._machines.names()

    def decision_function(self, X: Any) -> list[Any]:
        """Return f(x) + b for each row of X, positive for classes_[1].

        Of more than two classes, for each row a value for each class, the first of the largest that of `predict`; with
        decision_function_shape="ovo" for each pair.
        """
        return self._machines.decision_function(X)

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; a decision value of zero is given to classes_[1]  [MMST-11.2].

        Of more than two classes the one with the most votes, or with the largest value; a tie goes to the earlier one.
        """
        return self._machines.predict(X)

    @property
    def votes(self) -> Callable[[Any], list[list[int]]]:
        """X -> for each row of X how many pairs each class wins  [MMST-11.4.1-one].

        Raises    NoVotes for more than two classes with multiclass="ovr"
        """
        return self._machines.votes

    def ties(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels that the rule cannot distinguish: one, or several that tie."""
        return self._machines.ties(X)

    def unclassifiable(self, X: Any) -> list[bool]:
        """Return for each row of X whether no class is its own: it lies on a boundary, or no one class wins.

        For more than two classes as `OneVersusOne` and `OneVersusRest` have it  [KIM-5-pairs] [KIM-5-rest].
        """
        return self._machines.unclassifiable(X)

    def conditions(self) -> Union[Optimality, list[Optimality]]:
        """Return what the optimality conditions say of the fit: slacks, multipliers, residuals and more  [ESL-12.14].

        They are computed in fractions from the data as given. Of several machines, a list.
        """
        return self._machines.conditions()

    def hyperplane(self) -> Union[Hyperplane, list[Hyperplane]]:
        """Return the hyperplane of a linear kernel, for distances, feet and margins of any points  [ESL-12.1].

        Of several machines, a list.

        Raises    InvalidInput unless the kernel is linear
        """
        return self._machines.hyperplane()

    def function(self) -> Union[Element, list[Element]]:
        """Return f, without b, as an element of the kernel's Hilbert space: inner products, norms, projections.

        Of several machines, a list  [KIM-3.55] [MMST-11.71].
        """
        return self._machines.function()
