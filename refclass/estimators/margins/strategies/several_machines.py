"""Support vector machines of more than two classes, with the methods of `SVC`: one rule over two-class machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from refclass.certificate import Certificate
from refclass.estimators.margins.one_vs_one import OneVersusOne
from refclass.estimators.margins.one_vs_rest import OneVersusRest
from refclass.estimators.protocol import multiclass_attributes
from refclass.estimators.protocol.multiclass import Several
from refclass.estimators.protocol.multiclass_attributes import NoVotes
from refclass.kernels.spaces.rkhs import Element
from refclass.margins.svm.geometry.fitted_hyperplane import Hyperplane
from refclass.margins.svm.optimality import Optimality
from refclass.number.field import Field

RULES: dict[str, type[Several]] = {"ovo": OneVersusOne, "ovr": OneVersusRest}


def rule(machine: Any, name: str, shape: str) -> Any:
    """Return the way to separate many classes by machines like this one, whose decision values have that shape."""
    return shaped(RULES[name](machine), shape)


def shaped(rule: Several, shape: str) -> Any:
    """Return the rule, the shape of its decision values set where there is a choice."""
    if isinstance(rule, OneVersusOne):
        rule.decision_function_shape = shape
    return rule


@dataclass(frozen=True)
class SeveralMachines:
    """The machines of a rule, with the methods of a `BinaryMachine`.

    method    the name of the estimator, for refusals
    rule      one machine for each pair, or for each class against the rest, fitted
    """

    method: str
    rule: Several

    def attributes(self) -> dict[str, Any]:
        """Return the fitted attributes by name, with an entry for each machine."""
        return multiclass_attributes.described(self.rule)

    @property
    def estimators_(self) -> list[Any]:
        """The fitted two-class machines."""
        return self.rule.estimators_

    def names(self) -> list[str]:
        """Return what each machine separates, in words."""
        return self.rule.names()

    def margin(self, F: Field) -> Any:
        """Return the margin of each machine."""
        return [machine.margin_ for machine in self.estimators_]

    def certificate(self, margin: Any) -> Certificate:
        """Return the proof of all machines as one problem, the sum of theirs."""
        return self.rule.certificate_

    def conditions(self) -> list[Optimality]:
        """Return what the optimality conditions say of each machine."""
        return [machine.conditions() for machine in self.estimators_]

    def hyperplane(self) -> list[Hyperplane]:
        """Return the hyperplane of each machine."""
        return [machine.hyperplane() for machine in self.estimators_]

    def function(self) -> list[Element]:
        """Return the function of each machine."""
        return [machine.function() for machine in self.estimators_]

    def decision_function(self, X: Any) -> list[Any]:
        """Return for each row of X a value for each class, or each machine."""
        return self.rule.decision_function(X)

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X."""
        return self.rule.predict(X)

    @property
    def votes(self) -> Callable[[Any], list[list[int]]]:
        """X -> for each row of X how many pairs each class wins.  Raises NoVotes unless the machines are of pairs."""
        if not isinstance(self.rule, OneVersusOne):
            raise NoVotes(self.method, need='multiclass="ovo" for votes', got="'ovr'")
        return self.rule.votes

    def ties(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels that the rule cannot distinguish."""
        return self.rule.ties(X)

    def unclassifiable(self, X: Any) -> list[bool]:
        """Return for each row of X whether no one class wins."""
        return self.rule.unclassifiable(X)
