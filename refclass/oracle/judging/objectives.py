"""What reported coefficients cost: whether linear functions are those that multipliers prove, judged by objectives.

Where terms of Σ aᵢxᵢ cancel, multipliers of 10⁶ say nothing of a coefficient of one: its objective does. All of it is
computed in fractions by the kernel of trust, of a deviance with logarithms in decimals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import UNITS
from refclass.number.field import rational
from refclass.oracle import kernel
from refclass.oracle.leaves import finite, leaves
from refclass.oracle.references.rows import log_loss

SLIP = Fraction(UNITS, 2**52)  # part of the terms of a sum of doubles by which rounding may move it
Cost = tuple[Optional[Fraction], Fraction]  # an objective, none where it is infinite; how much may be roundoff
SIGNED = ("svc", "kernel_classifier")  # machines whose label is the side of one function
LINEAR = {"name": "linear"}


def digits(own: kernel.Problem, fitted: Mapping[str, Any], dual: Any) -> Optional[float]:
    """Return the digits of the objective of what coefficients say, by a lower bound; None where that is not judged."""
    found = _cost(own, fitted) if dual else None
    if found is None:
        return None
    value, slack = found
    if value is None:
        return float(0)
    return kernel.digits(max(value - slack - dual, kernel.ZERO), max(abs(value), abs(dual)))


def primal(own: kernel.Problem, fitted: Mapping[str, Any]) -> Optional[Fraction]:
    """Return the objective of what coefficients say; None where that is infinite, or not judged."""
    found = _cost(own, fitted) if "coef" in fitted else None
    return None if found is None else found[0]


def _cost(own: kernel.Problem, fitted: Mapping[str, Any]) -> Optional[Cost]:
    return of_one(own, fitted) or of_classes(own, fitted) or of_deviance(own, fitted)


def of_one(own: kernel.Problem, fitted: Mapping[str, Any]) -> Optional[Cost]:
    """Return the objective of the linear function that coefficients say, of a piecewise quadratic loss.

    Where terms of Σ aᵢxᵢ cancel, multipliers of 10⁶ say nothing of a coefficient of one: its objective does.
    """
    constant, codes, given = rational(first(fitted.get("intercept", [0]))), [2 * g - 1 for g in own.label], own.get
    found = values(own, fitted, own.x, constant)
    if found is None or given("intercept", True) not in (True, False) or (own.C is None and own.method != "svc"):
        return None
    tube, hub = kernel.number(given("epsilon", "1/10")), kernel.number(given("c", "1.345"))
    one, y = [1] * own.n, list(own.y)
    known: dict[str, Any] = {
        "svc": (given("loss", "hinge"), kernel.ZERO, codes, one, None, 1),
        "kernel_classifier": (given("loss", "hinge"), kernel.ZERO, codes, one, 1, own.lam),
        "svr": (given("loss", "epsilon_insensitive"), tube, one, y, own.C, 1),
        "huber": ("huber", hub, one, y, 1, own.lam),
        "kernel_ridge": ("squared", kernel.ZERO, one, y, 1, 2 * own.lam),
    }
    if own.method not in known or (codes is known[own.method][2] and len(own.names) != 2):
        return None
    loss, e, sign, target, cost, mu = known[own.method]
    if loss == "deviance":
        return None
    target, each = [kernel.number(t) for t in target], costs(own) if cost is None else [cost * w for w in own.w]
    machine = kernel.Machine(kernel.gram(own), kernel.loss(loss, e), sign, target, each, mu)
    beta = [rational(v) for v in leaves(fitted["coef"])]
    primal = machine.primal(kernel.dot(beta, beta), found)
    return primal, kernel.ZERO


def costs(own: kernel.Problem) -> list[Any]:
    """Return C times the weight of each point and its class; None where no slack is allowed."""
    reported = own.get("class_weight", {})
    share = [
        Fraction(own.n, len(own.names) * own.y.count(v))
        if reported == "balanced"
        else kernel.number(reported.get(str(v), 1))
        for v in own.names
    ]
    heavy = [w * share[g] for w, g in zip(own.w, own.label)]
    return [w * own.C if own.C is not None else (w and None) for w in heavy]


def of_classes(own: kernel.Problem, fitted: Mapping[str, Any]) -> Optional[Cost]:
    """Return the same of a direct machine's linear functions, a row of coefficients for each class.

    P = ½ Σ ‖w_k‖² + Σ Cᵢ max_k (f_k + [k ≠ yᵢ] − f_yᵢ)  [ISML-27.5-soft]
    P = (λ/2) Σ ‖β_k‖² + (1/N) Σ L(yᵢ)ₖ[f_k + 1/(K − 1)]₊,  Σ_k f_k = 0  [MMST-11.77]

    Functions that do not sum to zero may cost less than the optimum: they count as much as what they are away from zero
    on the other side.
    """
    if own.method not in kernel.MACHINES[6:]:
        return None
    rows = _rows(own, fitted, len(own.names))
    if rows is None:
        return None
    beta, terms = rows
    f = [[sum(row, kernel.ZERO) for row in each] for each in terms]
    off = [2 * SLIP * max([1 + sum(map(abs, row)) for row in each]) for each in terms]  # what roundoff moves them by
    if own.method == "crammer_singer":
        return _of_margins(own, beta, f, off)
    other: tuple[Any, Any] = _mirrored(beta), list(zip(*_mirrored(list(zip(*f)))))
    return max(_of_sums(own, beta, f, off), _of_sums(own, *other, off))


def _square(beta: Sequence[Sequence[Fraction]]) -> Fraction:
    return sum([kernel.dot(row, row) for row in beta], kernel.ZERO) / 2


def _of_margins(own: kernel.Problem, beta: Any, f: Any, off: Any) -> Cost:
    """Return the objective of Crammer and Singer's machine; functions that miss hard margins are scaled up."""
    points = zip(f, own.label, own.w, off)
    missed = [(w, max([v + (k != g) for k, v in enumerate(row)]) - row[g], o) for row, g, w, o in points]
    if own.C is not None:
        return _less_roundoff(_square(beta), [(w * own.C, v, o) for w, v, o in missed], kernel.ONE)
    worst = max([max(v - o, kernel.ZERO) for w, v, o in missed if w])
    return (_square(beta) / (1 - worst) ** 2 if worst < 1 else None), kernel.ZERO


def _of_sums(own: kernel.Problem, beta: Any, f: Any, off: Any) -> tuple[Fraction, Fraction]:
    """Return the objective of Lee, Lin and Wahba's machine."""
    K, given = len(own.names), own.get("costs", None)
    table = [given[str(v)] for v in own.names] if isinstance(given, Mapping) else given or [[1] * K] * K
    cost = [[w * kernel.number(v) for v in table[g]] for w, g in zip(own.w, own.label)]
    every = [
        (c, v + Fraction(1, K - 1), o)
        for costs, row, g, o in zip(cost, f, own.label, off)
        for k, (c, v) in enumerate(zip(costs, row))
        if k != g
    ]
    return _less_roundoff(own.lam * _square(beta), every, sum(own.w, kernel.ZERO))


def _mirrored(rows: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """Return the rows whose sums are those of other rows times −1, with the same differences."""
    twice = [2 * sum(column, kernel.ZERO) / len(rows) for column in zip(*rows)]
    return [[v - t for v, t in zip(row, twice)] for row in rows]


def _less_roundoff(
    square: Fraction, slack: Sequence[tuple[Fraction, Fraction, Fraction]], total: Fraction
) -> tuple[Fraction, Fraction]:
    """Return an objective, and by how much it is less where each slack is less by what roundoff may move it."""
    own, least = (sum([c * max(v - o * t, kernel.ZERO) for c, v, o in slack], kernel.ZERO) / total for t in (0, 1))
    return square + own, own - least


def of_deviance(own: kernel.Problem, fitted: Mapping[str, Any]) -> Optional[Cost]:
    """Return the same of a deviance, with logarithms of so many digits that those of the objective are right.

    P = (λ/2) Σ ‖β_k‖² + Σ wᵢ(log Σ_k exp f_k − f_yᵢ)        f₀ = 0 of two classes  [ESL-12.3.8-multinomial]
    """
    K = len(own.names)
    if (own.get("loss", None), own.get("norm", "function")) != ("deviance", "function"):
        return None
    rows = _rows(own, fitted, 1 if K == 2 else K)
    if rows is None:
        return None
    beta, terms = rows
    paid = own.lam * sum([kernel.dot(row, row) for row in beta], kernel.ZERO) / 2
    for each, g, w in zip(terms, own.label, own.w):
        f = [sum(row, kernel.ZERO) for row in each]
        paid += w * log_loss([kernel.ZERO, *f] if K == 2 else f, g) if w else kernel.ZERO
    return paid, kernel.ZERO


def _rows(own: kernel.Problem, fitted: Mapping[str, Any], count: int) -> Any:
    """Return rows of coefficients and the terms of each function at each point; None where they are not reported."""
    rows = fitted.get("coef")
    linear = own.get("kernel", "linear") in ("linear", LINEAR)
    if not linear or not isinstance(rows, list) or not all(map(finite, leaves(rows))):
        return None
    rows = [rows] if count == 1 and not isinstance(rows[0], list) else rows
    free = fitted.get("intercept", [0] * count)
    if [len(row) if isinstance(row, list) else 0 for row in rows] != [own.p] * count:
        return None
    beta, b = [[rational(v) for v in row] for row in rows], [rational(v) for v in leaves(free)]
    return beta, [[[c, *[v * w for v, w in zip(row, x)]] for row, c in zip(beta, b)] for x in own.x]


def values(own: kernel.Problem, fitted: Mapping[str, Any], points: Any, constant: Fraction) -> Optional[list[Fraction]]:
    """Return the values that coefficients say of a linear function, judged elsewhere; None where there are none."""
    beta = [rational(v) for v in leaves(fitted.get("coef", [])) if finite(v)]
    if own.get("kernel", "linear") not in ("linear", LINEAR) or len(beta) != own.p:
        return None
    return [sum([c * rational(v) for c, v in zip(beta, z)], constant) for z in points]


def signed_coefficients(own: kernel.Problem, fitted: Mapping[str, Any]) -> Optional[list[Fraction]]:
    """Return the coefficients of the one function of a machine; None where there are several, or none reported."""
    if own.method in kernel.MACHINES[3:6]:
        return [rational(v) for v in leaves(fitted["coefficients"])]
    if own.method not in SIGNED or len(own.names) != 2 or "alpha" not in fitted:
        return None
    signs = [2 * g - 1 if own.method == "svc" else 1 for g in own.label]
    return [rational(v) * sign for v, sign in zip(leaves(fitted["alpha"]), signs)]


def first(value: Any) -> Any:
    """Return a number, or the first of a list of them."""
    return value[0] if isinstance(value, list) else value
