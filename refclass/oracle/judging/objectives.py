"""What reported coefficients cost: whether linear functions are those that multipliers prove, judged by objectives.

Where terms of Σ aᵢxᵢ cancel, multipliers of 10⁶ say nothing of a coefficient of one: its objective does. All of it is
computed in fractions by the kernel of trust.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import UNITS
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle import kernel
from refclass.oracle.leaves import finite, leaves

SLIP = Fraction(UNITS, 2**52)  # part of the terms of a sum of doubles by which rounding may move it
SIGNED = ("svc", "kernel_classifier")  # machines whose label is the side of one function
LINEAR = {"name": "linear"}


def of_one(own: kernel.Problem, fitted: Mapping[str, Any], dual: Any, asked: float) -> Optional[str]:
    """Return whether the linear function that coefficients say is worse than its multipliers are proven, in words.

    Where terms of Σ aᵢxᵢ cancel, multipliers of 10⁶ say nothing of a coefficient of one: its objective does.
    """
    constant, codes, given = rational(first(fitted.get("intercept", [0]))), [2 * g - 1 for g in own.label], own.get
    found = values(own, fitted, own.x, constant)
    weighed = given("class_weight", None) is not None or given("C", 1) in ("inf", math.inf)
    if found is None or not dual or weighed or given("intercept", True) not in (True, False):
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
    target, costs = [kernel.number(t) for t in target], [cost * w for w in own.w]
    machine = kernel.Machine(kernel.gram(own), kernel.loss(loss, e), sign, target, costs, mu)
    beta = [rational(v) for v in leaves(fitted["coef"])]
    return _above(machine.primal(kernel.dot(beta, beta), found), dual, asked)


def of_classes(own: kernel.Problem, fitted: Mapping[str, Any], dual: Any, asked: float) -> Optional[str]:
    """Return the same of a direct machine's linear functions, a row of coefficients for each class, in words.

    P = ½ Σ ‖w_k‖² + Σ Cᵢ max_k (f_k + [k ≠ yᵢ] − f_yᵢ)  [ISML-27.5-soft]
    P = (λ/2) Σ ‖β_k‖² + (1/N) Σ [f_k + 1/(K − 1)]₊ over the classes k ≠ yᵢ  [MMST-11.77]
    """
    K, rows, unweighed = len(own.names), fitted.get("coef"), own.get("costs", None) is None
    linear = own.get("kernel", "linear") in ("linear", LINEAR)
    if own.method not in kernel.MACHINES[6:] or not (linear and unweighed and dual and own.C):
        return None
    if not isinstance(rows, list) or [len(row) for row in rows] != [own.p] * K:
        return None
    beta = [[rational(v) for v in row] for row in rows]
    free = [rational(v) for v in fitted.get("intercept", [0] * K)]
    square = sum([kernel.dot(row, row) for row in beta], kernel.ZERO) / 2
    terms = [[[b, *[c * rational(v) for c, v in zip(row, x)]] for row, b in zip(beta, free)] for x in own.x]
    f = [[sum(row, kernel.ZERO) for row in each] for each in terms]
    off = [2 * SLIP * max([1 + sum(map(abs, row)) for row in each]) for each in terms]  # what roundoff moves them by
    points = list(zip(f, own.label, own.w, off))
    if own.method == "crammer_singer":
        gaps = [(w * own.C, max([v + (k != g) for k, v in enumerate(row)]) - row[g] - o) for row, g, w, o in points]
        return _above(max(dual, square + sum([c * max(v, kernel.ZERO) for c, v in gaps])), dual, asked)
    ends = Fraction(1, K - 1)
    slack = [w * max(v + ends - o, kernel.ZERO) for row, g, w, o in points for k, v in enumerate(row) if k != g]
    return _above(max(dual, own.lam * square + sum(slack, kernel.ZERO) / sum(own.w)), dual, asked)


def of_deviance(own: kernel.Problem, fitted: Mapping[str, Any], asked: float) -> Optional[str]:
    """Return whether coefficients are those of another linear function than multipliers of a deviance prove, in words.

    Proof: V(m) ≥ −V*(−a) − am for every slope −a, so that a function with β and β₀ costs at least
    D(a) + ½λ‖β − Σ aᵢxᵢ‖² − λ|β₀ Σ aᵢ|; the function zero costs Σ wᵢ log 2, more than the optimum.
    """
    signed = signed_coefficients(own, fitted)
    beta = [rational(v) for v in leaves(fitted.get("coef", [])) if finite(v)]
    if signed is None or len(beta) != own.p or own.get("kernel", "linear") not in ("linear", LINEAR):
        return None
    away = [b - kernel.dot(signed, column) for b, column in zip(beta, zip(*[map(rational, x) for x in own.x]))]
    beside = abs(rational(first(fitted.get("intercept", [0]))) * sum(signed, kernel.ZERO))
    missed = own.lam * (kernel.dot(away, away) / 2 - beside)
    if kernel.digits(max(missed, kernel.ZERO), sum(own.w)) >= asked:
        return None
    return f"coef: the objective of what they say is {text.approximate(missed):.3g} above the bound at least"


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


def _above(primal: Optional[Fraction], dual: Fraction, asked: float) -> Optional[str]:
    """Return that the objective of what coefficients say has fewer digits than were asked for, in words."""
    if primal is None or kernel.digits(primal - dual, max(abs(primal), abs(dual))) >= asked:
        return None
    own_value, bound = text.approximate(primal), text.approximate(dual)
    return f"coef: the objective of what they say is {own_value:.12g}, the bound {bound:.12g}"
