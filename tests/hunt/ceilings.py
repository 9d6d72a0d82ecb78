"""Few points on which doubles hold few digits: each answer beside the exact optimum, and that optimum rounded.

The exact optimum is that of `arithmetic="exact"`, proven by the kernel of trust, which evaluates the objective at what
is delivered, too: at the multipliers, and at the coefficients of a linear function. A case is all that a seed draws.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

from refclass import errors
from refclass.oracle import kernel
from tests.hunt import kinds
from tests.hunt.examine import ASKED, delivered, limited, rational, refused, reported

SIZES = (2, 2, 2, 3, 3, 4, 5, 6, 8)
SECONDS = 20
ROOT = 30  # digits to which an optimum is known where √ε is replaced by a rational number
EXCUSED = 1  # digits that an answer may have less than the optimum, rounded; beyond them a refusal is a failure, too


@dataclass(frozen=True)
class Weighted(kinds.Case):
    """A fit with a weight for each row."""

    weights: tuple = ()

    def fit(self, arithmetic="float"):
        """Return the fitted estimator, of a path its machine at λ."""
        if self.lam:
            return super().fit(arithmetic)
        return self.estimator(arithmetic).fit(self.X, self.y, sample_weight=list(self.weights))

    def problem(self):
        """Return the problem as JSON has it."""
        return {**super().problem(), **({} if self.lam else {"weights": list(self.weights)})}


def anywhere(r, n, p):
    """Normal rows of scales from 10⁻⁶ to 10⁶ at offsets of up to 10⁹."""
    scale, middle = 10.0 ** r.choice([-6, -3, 0, 0, 3, 6]), r.choice([0, 0, 1e3, 1e6, 1e9])
    return [[middle + scale * r.gauss(0, 1) for _ in range(p)] for _ in range(n)]


def spaced(r, n, p):
    """Copies of few rows, one number of each up to three doubles away."""
    few, found = anywhere(r, max(1, n // 2), p), []
    for _ in range(n):
        row, j = list(r.choice(few)), r.randrange(p)
        for _ in range(r.choice([0, 1, 1, 3])):
            row[j] += r.choice([-1, 1]) * math.ulp(row[j])
        found.append(row)
    return found


def heavier(r, n, p):
    """Odd powers of normal numbers, up to the fifteenth."""
    return [[r.gauss(0, 1) ** r.choice([5, 9, 15]) for _ in range(p)] for _ in range(n)]


def repeated(r, n, p):
    """Copies of half as many rows."""
    few = anywhere(r, max(1, n // 2), p)
    return [list(r.choice(few)) for _ in range(n)]


def tiny(r, n, p):
    """Normal columns of 10⁻⁹ to 10⁻⁶⁰."""
    scale = 10.0 ** r.choice([-12, -9, -30, -60])
    return [[scale * r.gauss(0, 1) for _ in range(p)] for _ in range(n)]


ROWS = (anywhere, anywhere, spaced, spaced, heavier, repeated, tiny, kinds.prices, kinds.offset, kinds.mixed)
ROWS += (kinds.equal, kinds.collinear, kinds.ties)


def table(r, kernels):
    """Return the description of a kernel; Gaussian ones from flat to steep."""
    gaussian = {"name": "gaussian", "gamma": r.choice([1e-12, 1e-9, 1e-6, 1e-3, 1, 1e3, 1e6])}
    return gaussian if r.random() < 0.2 else kernels(r)


def method(r):
    """Return the name and the parameters of a machine."""
    draw = r.random()
    name, own = kinds.two_class(r) if draw < 0.5 else kinds.regression(r) if draw < 0.9 else ("svm_path", {})
    if name == "ridge":
        name, own = "kernel_ridge", {**own, "intercept": r.random() < 0.8}
    own = {**own, "kernel": table(r, kinds.kernel)}
    if "epsilon" in own:
        own["epsilon"] = r.choice([0, 1e-9, 1e-3, 0.1, 0.25])
    return name, own


def case(seed, sizes=SIZES):
    """Return the case that a seed stands for."""
    r = random.Random(f"ceilings {seed}")
    rows, n, p, (name, own) = r.choice(ROWS), r.choice(sizes), r.choice([1, 1, 2, 2, 3]), method(r)
    X, labelled = rows(r, n, p), name in ("svc", "kernel_classifier", "svm_path")
    y = kinds.labels(r, rows.__name__, X, 2) if labelled else kinds.responses(r, X)
    if labelled and r.random() < 0.3:  # separated by the first column
        order = sorted(range(n), key=lambda i: X[i])
        y = [int(order.index(i) >= n // 2) for i in range(n)]
    weights = [r.choice([1e-6, 1.0, 1.0, 1e3, 1e6]) for _ in y] if r.random() < 0.2 else [1.0] * n
    lam = kinds.penalty(r) if name == "svm_path" else 0
    return Weighted(rows.__name__, name, own, X, y, lam, tuple(weights))


def primal(given, estimator, fitted):
    """Return the larger of the objectives at the multipliers and at the coefficients, the verdict beside it."""
    verdict = kernel.judge(given.problem(), {"fitted": fitted}, ASKED)
    shown = {f"{name}_": fitted[name] for name in ("coef", "intercept") if name in fitted}
    other = delivered(given, SimpleNamespace(**shown, classes_=getattr(estimator, "classes_", None)), verdict)
    return (None if verdict.get("primal") is None or other is None else max(verdict["primal"], other)), verdict


def digits(value, best, zero):
    """Return the digits that an objective has of the least one, −1 for an infinite one; zero: that of f = 0."""
    return -1 if value is None else kernel.digits(value - best, max(value, best, zero if not best else 0))


def at_zero(given):
    """Return the objective of f = 0 for the scale of an optimum of zero."""
    n = len(given.y)
    name = "coefficients" if given.method in ("svr", "huber", "kernel_ridge") else "alpha"
    return primal(given, None, {name: [0] * n, "intercept": [0], "classes": [0, 1]})[0] or 0


def machine_of(given, estimator):
    """Return the case with the cost that a machine of a path was fitted with: 1/λ, rounded."""
    if not given.lam:
        return given
    own = {**given.parameters, "C": estimator.C}
    return Weighted(given.kind, "svc", own, given.X, given.y, 0, (1.0,) * len(given.y))


def examined(given):
    """Return what is wrong with the fit of a case, in words, and its digits; empty if nothing is."""
    try:
        with limited(SECONDS):
            estimator = given.fit()
            certificate = estimator.certificate_
    except errors.Refusal as refusal:
        return (refused(given, refusal) or unexcused(given, refusal)) if kept(refusal) else "", None
    given = machine_of(given, estimator)
    optimum = best_of(given)
    if optimum is None:
        return "", None
    exact, best = optimum
    zero = at_zero(given) if best == 0 else 0
    found = digits(primal(given, estimator, reported(estimator))[0], best, zero)
    most = digits(primal(given, exact, reported(exact, rounded=True))[0], best, zero)
    said = f"{found} digits, rounded {most}, {certificate.status}, {certificate.digits} of {certificate.ceiling}"
    right = found >= min(ASKED, most - EXCUSED) and (found >= ASKED or certificate.status != "optimal")
    ceiling = certificate.ceiling
    own = ceiling is None or certificate.digits >= min(ASKED, ceiling - EXCUSED)
    # Premise: of an optimum that is rational only nearly, no more digits are known.
    return ("" if right and own and certificate.digits <= max(found, ROOT) else said), found


def kept(refusal):
    """Return whether a refusal is to be judged: not what is beyond the doubles, nor a path that none of them begins."""
    return not isinstance(refusal, errors.NotExact) and refusal.module != "path"


def best_of(given):
    """Return the exact fit and the least objective; None where exact arithmetic has none, or is not proven."""
    given = rational(given)
    try:
        with limited(SECONDS):
            exact = given.fit("exact")
    except errors.Refusal:
        return None
    value, verdict = primal(given, exact, reported(exact))
    assert verdict["digits"] == math.inf or value is None, "the exact optimum is not proven"
    return None if value is None else (exact, value)


def unexcused(given, refusal):
    """Return what is wrong with a refusal in doubles: bounds beside the optimum, or digits that it has, rounded."""
    optimum = best_of(given) if isinstance(refusal, errors.NotConverged) else None
    if optimum is None:
        return ""
    exact, best = optimum
    most = digits(primal(given, exact, reported(exact, rounded=True))[0], best, at_zero(given) if best == 0 else 0)
    low, high = refusal.witness["dual"], refusal.witness["primal"]
    beyond = max((low or best) - best, best - (best if high is None else high), Fraction(0))
    if kernel.digits(beyond, best) < ROOT:
        return f"bounds {low} and {high} beside {best}"
    return f"refused, rounded {most}" if most >= 1 + EXCUSED else ""


def beside(given, estimator):
    """Return the most digits of the delivered numbers with one of them the next double, or one and the intercept."""
    fitted = reported(estimator)
    best = best_of(given)
    if best is None:
        return -1
    zero, most = at_zero(given) if best[1] == 0 else 0, -1
    names = [name for name in ("alpha", "coefficients", "coef") if name in fitted]
    for shift in (0, 1, -1):
        intercept = [v + shift * Fraction(math.ulp(v)) for v in estimator.intercept_]
        for name in names:
            nested = isinstance(fitted[name][0], list)
            values = fitted[name][0] if nested else fitted[name]
            for i, v in enumerate(values):
                for way in (1, -1) if v else ():
                    moved = [*values[:i], v + way * Fraction(math.ulp(float(v))), *values[i + 1 :]]
                    own = {**fitted, "intercept": intercept, name: [moved] if nested else moved}
                    most = max(most, digits(primal(given, estimator, own)[0], best[1], zero))
    return most
