"""What reported coefficients cost: whether linear functions are those that multipliers prove, judged by objectives.

Where terms of Σ aᵢxᵢ cancel, multipliers of 10⁶ say nothing of a coefficient of one: its objective does. All of it is
computed in fractions by the kernel of trust, of a deviance with logarithms in decimals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import reduce
from typing import Any, Optional

from refclass.certificate import UNITS
from refclass.number.field import rational
from refclass.oracle import kernel
from refclass.oracle.leaves import finite, leaves

SLIP = Fraction(UNITS, 2**52)  # part of the terms of a sum of doubles by which rounding may move it
PLACES, LEAST = 100, -1500  # digits of logarithms; exponents of ten below which a loss counts as zero
LOGS = Context(prec=PLACES, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])
Cost = tuple[Fraction, Fraction]  # an objective, and how much of it may be roundoff
SIGNED = ("svc", "kernel_classifier")  # machines whose label is the side of one function
LINEAR = {"name": "linear"}


def digits(own: kernel.Problem, fitted: Mapping[str, Any], dual: Any) -> Optional[float]:
    """Return the digits of the objective of what coefficients say, by a lower bound; None where that is not judged."""
    found = None
    for cost in (of_one, of_classes, of_deviance):
        found = cost(own, fitted) if found is None and dual else found
    if found is None:
        return None
    primal, slack = found
    return kernel.digits(max(primal - slack - dual, kernel.ZERO), max(abs(primal), abs(dual)))


def of_one(own: kernel.Problem, fitted: Mapping[str, Any]) -> Optional[Cost]:
    """Return the objective of the linear function that coefficients say, of a piecewise quadratic loss.

    Where terms of Σ aᵢxᵢ cancel, multipliers of 10⁶ say nothing of a coefficient of one: its objective does.
    """
    constant, codes, given = rational(first(fitted.get("intercept", [0]))), [2 * g - 1 for g in own.label], own.get
    found = values(own, fitted, own.x, constant)
    weighed = given("class_weight", None) is not None or given("C", 1) in ("inf", math.inf)
    if found is None or weighed or given("intercept", True) not in (True, False):
        return None
    tube, hub = kernel.number(given("epsilon", "1/10")), kernel.number(given("c", "1.345"))
    one, y = [1] * own.n, list(own.y)
    known: dict[str, Any] = {
        "svc": (given("loss", "hinge"), kernel.ZERO, codes, one, own.C, 1),
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
    target, costs = [kernel.number(t) for t in target], [cost * w for w in own.w]
    machine = kernel.Machine(kernel.gram(own), kernel.loss(loss, e), sign, target, costs, mu)
    beta = [rational(v) for v in leaves(fitted["coef"])]
    primal = machine.primal(kernel.dot(beta, beta), found)
    return None if primal is None else (primal, kernel.ZERO)


def of_classes(own: kernel.Problem, fitted: Mapping[str, Any]) -> Optional[Cost]:
    """Return the same of a direct machine's linear functions, a row of coefficients for each class.

    P = ½ Σ ‖w_k‖² + Σ Cᵢ max_k (f_k + [k ≠ yᵢ] − f_yᵢ)  [ISML-27.5-soft]
    P = (λ/2) Σ ‖β_k‖² + (1/N) Σ [f_k + 1/(K − 1)]₊ over the classes k ≠ yᵢ  [MMST-11.77]
    """
    K = len(own.names)
    if own.method not in kernel.MACHINES[6:] or own.get("costs", None) is not None or not own.C:
        return None
    rows = _rows(own, fitted, K)
    if rows is None:
        return None
    beta, terms = rows
    square = sum([kernel.dot(row, row) for row in beta], kernel.ZERO) / 2
    f = [[sum(row, kernel.ZERO) for row in each] for each in terms]
    off = [2 * SLIP * max([1 + sum(map(abs, row)) for row in each]) for each in terms]  # what roundoff moves them by
    points = list(zip(f, own.label, own.w, off))
    if own.method == "crammer_singer":
        every = [(w * own.C, max([v + (k != g) for k, v in enumerate(row)]) - row[g], o) for row, g, w, o in points]
        return _less_roundoff(square, every, kernel.ONE)
    ends = Fraction(1, K - 1)
    every = [(w, v + ends, o) for row, g, w, o in points for k, v in enumerate(row) if k != g]
    return _less_roundoff(own.lam * square, every, sum(own.w, kernel.ZERO))


def _less_roundoff(square: Fraction, slack: Sequence[tuple[Fraction, Fraction, Fraction]], total: Fraction) -> Cost:
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
        paid += w * _log_loss([kernel.ZERO, *f] if K == 2 else f, g) if w else kernel.ZERO
    return paid, kernel.ZERO


def _log_loss(f: Sequence[Fraction], g: int) -> Fraction:
    """Return log Σ exp f_k − f_g, a sum of exponentials below 10^−PLACES as it is."""
    top = max(f)
    place = list(f).index(top)
    small = [v - top for k, v in enumerate(f) if k != place]
    powers = [LOGS.exp(LOGS.divide(Decimal(v.numerator), Decimal(v.denominator))) for v in small]
    rest = reduce(LOGS.add, powers)
    if rest.adjusted() < LEAST:
        return top - f[g]
    if rest.adjusted() > -PLACES // 2:  # else log(1 + x) is x but for x²/2
        rest = LOGS.ln(LOGS.add(Decimal(1), rest))
    return top - f[g] + Fraction(rest)


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
