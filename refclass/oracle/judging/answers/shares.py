"""The shares that several machines have in one answer: what it says of each of them, as if it stood alone.

An answer may list its machines, each with fitted values of its own ("estimators"), or give a row or a number for each
in alpha, dual_coef, coef, intercept, the objectives and the margin, as `SVC` does. The order is that of the answer's
own classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refclass.errors import InvalidInput
from refclass.estimators.protocol.two_class_tasks import Task
from refclass.margins.reduction import one_vs_one
from refclass.margins.reduction.one_vs_rest import Question
from refclass.number.field import rational

ENTRIES = ("objective", "dual_objective", "margin", "intercept_interval")  # an entry for each machine, as it stands


@dataclass(frozen=True)
class Share:
    """What an answer says of one machine.

    fitted    its values, those for rows being in the order of the machine's own rows
    stray     in words, a value for a row that has no part in the machine; empty if there is none
    """

    fitted: dict[str, Any]
    stray: str = ""


def shares(tasks: Sequence[Task], classes: Sequence[Any], n: int, fitted: Mapping[str, Any]) -> list[Share]:
    """Return the share of each machine, in the order of the tasks; n is the number of all rows.

    Raises    InvalidInput if the answer's form does not fit the machines
    """
    order = list(fitted.get("classes", classes))
    if len(order) != len(classes) or any(label not in order for label in classes):
        raise InvalidInput("verify", need=f"classes {list(classes)}", got=order)
    places = [_place(task.question, classes, order) for task in tasks]
    if "estimators" in fitted:
        given = _entries("estimators", fitted["estimators"], len(tasks))
        if not all(isinstance(own, Mapping) for own in given):
            raise InvalidInput("verify", need="fitted values of each machine in estimators", got="others")
        return [Share({**heads, **given[m]}) for m, heads in places]
    return [_share(task.question, fitted, m, heads, len(tasks), n) for task, (m, heads) in zip(tasks, places)]


def _place(question: Question, classes: Sequence[Any], order: list[Any]) -> tuple[int, dict[str, Any]]:
    """Return the machine's number in the answer's order, and its two labels as the answer has them, earlier first."""
    k = order.index(classes[question.yes])
    if question.no is None:
        return k, {}
    j = order.index(classes[question.no])
    pair = (min(j, k), max(j, k))
    return one_vs_one.pairs(len(order)).index(pair), {"classes": [order[pair[0]], order[pair[1]]]}


def _entries(name: str, values: Any, machines: int) -> Sequence[Any]:
    if not isinstance(values, list) or len(values) != machines:
        got = len(values) if isinstance(values, list) else values
        raise InvalidInput("verify", need=f"{machines} entries in {name}, one for each machine", got=got)
    return values


def _share(question: Question, fitted: Mapping[str, Any], m: int, own: dict[str, Any], machines: int, n: int) -> Share:
    found, stray = dict(own), ""
    for name in ("intercept", "coef"):
        if name in fitted:
            found[name] = [_entries(name, fitted[name], machines)[m]]
    for name in ENTRIES:
        if name in fitted:
            found[name] = _entries(name, fitted[name], machines)[m]
    rows = {i: place for place, i in enumerate(question.places)}
    if "alpha" in fitted:
        alpha = _entries("alpha", fitted["alpha"], machines)[m]
        whole = isinstance(alpha, list) and len(alpha) == n
        found["alpha"] = [alpha[i] for i in rows] if whole else alpha
        stray = _stray("alpha", list(enumerate(alpha)) if whole else [], rows)
    elif "dual_coef" in fitted:
        signed: Any = _entries("dual_coef", fitted["dual_coef"], machines)[m]
        support: Any = fitted.get("support")
        sound = isinstance(support, list) and all(type(i) is int and 0 <= i < n for i in support)
        if not sound or len(set(support)) < len(support):
            raise InvalidInput("verify", need=f"support, different row numbers from 0 to {n - 1}", got=support)
        if not isinstance(signed, list) or len(support) != len(signed):
            raise InvalidInput("verify", need="in dual_coef a number for each row in support", got=signed)
        pairs = list(zip(support, signed))
        found["support"] = [rows[i] for i in support if i in rows]
        found["dual_coef"] = [v for i, v in pairs if i in rows]
        stray = _stray("dual_coef", pairs, rows)
    return Share(found, stray)


def _stray(name: str, values: Sequence[tuple[int, Any]], rows: Mapping[int, int]) -> str:
    for i, v in values:
        if i not in rows and rational(v) != 0:
            return f"{name} is {v} at row {i}, which has no part in it"
    return ""
