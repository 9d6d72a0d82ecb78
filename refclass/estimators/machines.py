"""What several support vector machines say together: the attributes of each, as lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refclass.estimators.several import Several


def described(rule: Several, n: int) -> dict[str, Any]:
    """Return the fitted attributes of all machines of a rule that was fitted to n rows, by name.

    Shapes    alpha_: machines × n; dual_coef_: machines × support vectors; coef_: machines × p; the others: machines
    """
    each = rule.estimators_
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
