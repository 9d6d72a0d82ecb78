"""One case of the hunt: fitted within its time, judged by the kernel of trust, and what is wrong with it in words."""

from __future__ import annotations

import contextlib
import math
import signal
import threading
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from refclass import errors
from refclass.oracle import kernel
from refclass.oracle.answer import fitted
from tests.hunt import deviance

ASKED = 9  # digits that a default fit proves, or one less than the ceiling
ROUNDED = 15  # digits to which a number that is exact but for one rounding agrees
SECONDS = 20
CLASSIFIERS = ("svc", "svm_path", "kernel_classifier")
LOSSES = {"huber": "huber", "kernel_ridge": "squared"}


class TooLong(BaseException):
    """The time limit is over; no handler of ordinary exceptions takes it for its own."""


@contextlib.contextmanager
def limited(seconds):
    """Raise TooLong in the block after so many seconds of processor time, where signals exist."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_):
        raise TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def reported(estimator, rounded=False):
    """Return the fitted values as JSON would hold them, exact ones, or rounded to doubles."""

    def plain(value):
        if isinstance(value, (Fraction, Decimal)):
            return near(value) if rounded else Fraction(value)
        if isinstance(value, (list, tuple)):
            return [plain(v) for v in value]
        return value

    names = ("classes", "alpha", "coefficients", "intercept", "coef")
    return {name: plain(value) for name, value in fitted(estimator).items() if name in names}


def digits(case, estimator, rounded=False):
    """Return the digits that the kernel of trust proves of the estimator's answer, and its bounds."""
    if case.method == "ridge":
        return least_squares(case, estimator, rounded)
    if case.parameters.get("loss") == "deviance":
        return deviance.digits(case, reported(estimator, rounded))
    verdict = kernel.judge(case.problem(), {"fitted": reported(estimator, rounded)}, ASKED)
    return verdict["digits"], verdict


def least_squares(case, estimator, rounded):
    """Return the digits of a penalised sum of squares beside that of the exact answer, whose equations hold."""
    exact = case.fit("exact")
    proven = kernel.judge(case.problem(), {"fitted": reported(exact)})
    assert proven["digits"] == math.inf
    lam, values = Fraction(case.parameters["penalty"]), []
    for answer in (reported(estimator, rounded), reported(exact)):
        beta, b = [Fraction(v) for v in answer["coef"]], Fraction(answer["intercept"][0])
        left = [Fraction(t) - b - kernel.dot(beta, [Fraction(v) for v in x]) for x, t in zip(case.X, case.y)]
        values.append(kernel.dot(left, left) + lam * kernel.dot(beta, beta))
    found, best = values
    return kernel.digits(found - best, max(found, best)), {"primal": found, "dual": best}


def ceiling(case, estimator):
    """Return the digits of the exact optimum rounded to doubles, judged alike; None where it cannot be had."""
    own = getattr(getattr(estimator, "certificate_", None), "ceiling", None)
    if own is not None:
        return own
    smooth = case.parameters.get("loss") == "deviance"  # whose optimum is not rational
    for arithmetic in ("decimal:100", "decimal:200") if smooth else ("exact",):
        try:
            with limited(3 * SECONDS):
                best = case.fit(arithmetic) if smooth else rational(case).fit(arithmetic)
        except (TooLong, errors.Refusal):
            continue
        return digits(case, best, rounded=True)[0]
    return None


def rational(case):
    """Return the case with an ε whose root is rational, nearer than 10⁻⁵⁰, where the root of ε is asked for."""
    if case.parameters.get("loss") != "quadratic_epsilon_insensitive":
        return case
    root = Fraction(math.isqrt(int(Fraction(case.parameters["epsilon"]) * 2**400)), 2**200)
    return replace(case, parameters={**case.parameters, "epsilon": root * root})


def refused(case, refusal):
    """Return what is wrong with a refusal; nothing where the hard margin has none, as exact arithmetic confirms."""
    words = f"{type(refusal).__name__}: {refusal}"[:200]
    if isinstance(refusal, errors.NotConverged):
        bounds = {"primal", "dual"} <= set(refusal.witness)
        return "" if bounds else f"no bounds in {words}"
    if case.parameters.get("C") == math.inf and isinstance(refusal, errors.NoAnswer):
        try:
            case.fit("exact")
        except errors.NoAnswer:
            return ""
    return words


def examine(case, seconds=SECONDS):
    """Return what is wrong with the default fit of a case, in words; empty if nothing is."""
    try:
        with limited(seconds):
            estimator = case.fit()
            certificate = getattr(estimator, "certificate_", None)
            fitted(estimator)
    except errors.Refusal as refusal:
        return refused(case, refusal)
    except TooLong:
        return f"no end within {seconds} s"
    except Exception as error:
        return f"bare {type(error).__name__}: {error}"[:200]
    found, verdict = digits(case, estimator)
    if found < ASKED and case.parameters.get("loss") == "deviance":
        found, verdict = beside_decimals(case, verdict, found)
    status = getattr(certificate, "status", "")
    if status == "optimal" and found < ASKED:
        return f'"optimal" with {found} digits, {bounds(verdict)}'
    if found < ASKED:
        most = ceiling(case, estimator)
        if most is None or found < min(most - 1, ASKED):
            return f"{found} digits ({status}), ceiling {most}, {bounds(verdict)}"
    return reported_wrong(case, estimator, verdict, found)


def beside_decimals(case, verdict, found):
    """Return the digits of a deviance beside the dual of its optimum in decimals, and the bounds, if they are more.

    Multipliers that doubles hold to few digits bound it less from below than the optimum is near.
    """
    try:
        with limited(3 * SECONDS):
            dual = digits(case, case.fit("decimal:100"))[1]["dual"]
    except (TooLong, errors.Refusal):
        return found, verdict
    primal = verdict["primal"]
    more = kernel.digits(max(primal - dual, 0), max(abs(primal), abs(dual)))
    return (more, {**verdict, "dual": dual}) if more > found else (found, verdict)


def bounds(verdict):
    """Return primal and dual in words."""
    shown = [f"{name} {near(verdict[name]):.12g}" for name in ("primal", "dual") if verdict.get(name) is not None]
    return ", ".join(shown) or f"missed by {near(verdict['worst_violation']):.3g} at {verdict['where']}"


def near(value):
    """Return the nearest double, an infinite one beyond their range."""
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def reported_wrong(case, estimator, verdict, proven):
    """Return whether the objective that is reported is another than that of the answer as delivered.

    It agrees to nine digits; where fewer are proven of a machine it is computed exactly and rounded, to fifteen. Of
    several machines the digits are those of the worst, so that others may agree to nine, as a deviance, which is no
    fraction, may. That of a hard margin is
    compared with the value at the function scaled up to keep the margin.
    """
    value, primal = getattr(estimator, "objective_", None), delivered(case, estimator, verdict)
    if value is None or primal is None:
        return ""
    several = isinstance(value, list) and len(value) > 1
    value = sum(map(Fraction, value)) if isinstance(value, list) else Fraction(value)
    rational = case.parameters.get("loss") != "deviance"
    least = ROUNDED if rational and not several and proven < ASKED else ASKED
    if kernel.digits(value - primal, max(abs(primal), abs(value))) < least:
        return f"objective_ {near(value):.17g}, but that of the answer is {near(primal):.17g}"
    return ""


def delivered(case, estimator, verdict):
    """Return the primal of the answer; of linear functions with multipliers and coefficients that of these."""
    coefficients, of, n = getattr(estimator, "coef_", None), dict(case.parameters), len(case.y)
    known = case.method in (*CLASSIFIERS, "svr", "huber", "kernel_ridge") and of.get("loss") != "deviance"
    if coefficients is None or not known:
        return verdict.get("primal")
    if case.lam:
        of["C"] = 1 / Fraction(case.lam)
    if case.method in CLASSIFIERS:
        machines = [(side, [1] * n) for side in sides(case, estimator)]
    else:
        machines, coefficients = [([1] * n, case.y)], [coefficients]
    rows = [[Fraction(v) for v in x] for x in case.X]
    V = kernel.loss(LOSSES.get(case.method, of.get("loss", "hinge")), Fraction(of.get("epsilon", of.get("c", 0))))
    cost = None if of.get("C") == math.inf else Fraction(of.get("C", 1))
    weights = [Fraction(w) for w in case.problem().get("weights") or [1] * n]
    mu = Fraction(of.get("penalty", 1)) * (2 if case.method == "kernel_ridge" else 1)
    found = []
    for (side, target), own, reported_intercept in zip(machines, coefficients, estimator.intercept_):
        beta, b = [Fraction(v) for v in own], Fraction(reported_intercept) if of.get("intercept", True) else 0
        costs, target = [cost and cost * w if s else 0 for s, w in zip(side, weights)], [Fraction(t) for t in target]
        machine = kernel.Machine(None, V, [s or 1 for s in side], target, costs, mu)
        found.append(machine.primal(kernel.dot(beta, beta), [kernel.dot(beta, x) + b for x in rows]))
    return None if None in found else sum(found)


def sides(case, estimator):
    """Return for each machine the signs of the points, 0 for those of classes that it leaves out."""
    names = estimator.classes_
    m = len(names)
    if m > 2 and case.parameters.get("multiclass", "ovo") == "ovr":
        return [[1 if t == own else -1 for t in case.y] for own in names]
    pairs = [(names[j], names[k]) for j in range(m) for k in range(j + 1, m)]
    return [[(t == b) - (t == a) for t in case.y] for a, b in pairs]
