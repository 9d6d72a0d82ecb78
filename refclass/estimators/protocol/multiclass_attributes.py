"""What several support vector machines say together, the attributes of each as lists, and what one does not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refclass.errors import InvalidInput, NoAnswer
from refclass.estimators.protocol.multiclass import Several


class NoMargin(NoAnswer, AttributeError):
    """The decision function is constant; an AttributeError, too, so that `hasattr` says so."""


class NoPosterior(InvalidInput, AttributeError):
    """The loss estimates no probabilities; an AttributeError, too, so that `hasattr` says so."""


class OneMachine(InvalidInput, AttributeError):
    """Two classes are separated by one machine; an AttributeError, too, so that `hasattr` says so."""


class NoVotes(InvalidInput, AttributeError):
    """Machines of one class against the rest do not vote; an AttributeError, too, so that `hasattr` says so."""


def described(rule: Several) -> dict[str, Any]:
    """Return the fitted attributes of all machines of a rule, by name.

    Shapes    alpha_: machines × n; dual_coef_: machines × support vectors; coef_: machines × p; the others: machines
    """
    each, n = rule.estimators_, 1 + max(map(max, rule.rows_))
    alpha, signed = [], []
    for machine, rows in zip(each, rule.rows_):
        zeros = [0 * machine.alpha_[0]] * n
        alpha.append(placed(zeros, rows, machine.alpha_))
        signed.append(placed(zeros, [rows[i] for i in machine.support_], machine.dual_coef_[0]))
    support = sorted({rows[i] for machine, rows in zip(each, rule.rows_) for i in machine.support_})
    lists = ("intercept_interval_", "objective_", "dual_objective_", "n_iter_")
    found = {name: [getattr(machine, name) for machine in each] for name in lists}
    found.update(alpha_=alpha, support_=support, rows_=rule.rows_)
    found["dual_coef_"] = [[own[i] for i in support] for own in signed]
    found["intercept_"] = [machine.intercept_[0] for machine in each]
    if all(hasattr(machine, "coef_") for machine in each):
        found["coef_"] = [machine.coef_[0] for machine in each]
    return found


def placed(zeros: Sequence[Any], places: Sequence[int], values: Sequence[Any]) -> list[Any]:
    """Return the zeros with the values in their places."""
    full = list(zeros)
    for i, v in zip(places, values):
        full[i] = v
    return full
