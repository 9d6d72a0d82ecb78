"""A refusal as an answer: proven by its witness, or compared with what the problem, put anew, is refused with."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, digits
from refclass.errors import InvalidInput, NotConverged, NotExact, Refusal, quoted
from refclass.estimators.margins.gram import gram
from refclass.estimators.protocol.rounded_columns import lost_column
from refclass.number import arithmetic, text
from refclass.number.field import rational
from refclass.number.tolerance import roundoff
from refclass.number.vanishing import vanish
from refclass.oracle import answer, kernel, kernel_gram, reading
from refclass.oracle.judging import trusted, verdict, witness
from refclass.oracle.judging.answers import machine
from refclass.oracle.judging.ceiling import LARGEST
from refclass.oracle.judging.comparison import scales
from refclass.oracle.judging.consistency import REFITTED
from refclass.oracle.leaves import finite, leaves
from refclass.oracle.problem import Problem, kind_of
from refclass.oracle.references import likelihood, ridge_trace, scoring, textbook
from refclass.oracle.references.rows import mean
from refclass.sample import data


def judge(problem: Problem, reported: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict on a refusal: right if its witness proves it, or the problem, put anew, is refused alike.

    It is not where the kernel of trust computes other values of a machine's kernel than what refuses it.
    """
    found = _judged(problem, reported)
    words = _other_values(problem) if found["accepted"] else ""
    return {"accepted": False, "verdict": f"wrong: {words}", "reason": words} if words else found


def _other_values(problem: Problem) -> str:
    """Return which exact value of a kernel is another one by the kernel of trust, in words; empty if none is."""
    given = problem.parameters.get("kernel", "linear")
    if problem.method not in kernel.MACHINES or len(problem.x) > ridge_trace.SMALL:
        return ""
    try:
        if not kernel_gram.is_exact(kernel_gram.described(given, kernel.number)):
            return ""
        own = kernel.gram(kernel.Problem(trusted.asking(problem)))
        table = gram(problem.x, kernel=given, arithmetic="exact")
    except (Refusal, ValueError, KeyError, TypeError):
        return ""  # Premise: what the kernel of trust does not cover it refuses, in one of these ways.
    for i, row in enumerate(table):
        for j, (got, want) in enumerate(zip(row, own.row(i))):
            if got != Fraction(want, own.q):
                shown = text.approximate(Fraction(want, own.q))
                return f"K({i}, {j}): {text.approximate(got):.10g} is used, a second computation finds {shown:.10g}"
    return ""


def _judged(problem: Problem, reported: Mapping[str, Any]) -> dict[str, Any]:
    given = reported.get("witness", {})
    if not isinstance(given, Mapping):
        raise InvalidInput("verify", need="witness as an object", got=quoted(given))
    checked = witness.check(problem, given) if reported.get("type", "NoAnswer") == "NoAnswer" else None
    if checked:
        return verdict.wrong("refusal", "a witness that proves nothing", "one that does") | {"reason": checked}
    if checked == "":
        return {"accepted": True, "verdict": "refused", "reason": "its witness proves that there is no answer"}
    if reported.get("type") == "NotExact" and _rounded_away(problem):
        return _refused_alike(problem, reported, given)
    held = reported.get("type") == "InvalidInput" or (reported.get("type"), problem.arithmetic) == ("NotExact", "float")
    if held and _usual(problem) and (words := _answerable(problem)):
        return {"accepted": False, "verdict": f"wrong: {words}", "reason": words}
    denied = reported.get("type", "NoAnswer") == "NoAnswer"
    if (denied or reported.get("type") == "NotConverged") and (words := _answerable(problem, denied)):
        # Premise: that doubles hold no digit of the optimum, or none of its functions, denies no optimum.
        beyond = reported.get("type") == "NotConverged" and (_beyond_doubles(problem) or _vanishing(problem))
        if beyond and (found := _not_converged(problem)):
            told, most = _proven(problem, given), _ceiling(problem)
            if told < (LEAST if most is not None and most < LEAST else ENOUGH):
                return _alike(found, reported, given)
            words = f"the multipliers of its witness have {told:.3g} digits between their bounds"
        return {"accepted": False, "verdict": f"wrong: {words}", "reason": words}
    if reported.get("type") == "NotExact" and problem.arithmetic == "float" and _held(problem):
        words = "there is an answer, and doubles hold its numbers"
        return {"accepted": False, "verdict": f"wrong: {words}", "reason": words}
    try:
        machine.alone(problem).fitted()
    except NotExact:
        return _refused_alike(problem, reported, given)
    except Refusal as refusal:
        # Premise: that one of several machines has no answer is no contradiction to another that doubles do not hold.
        own = _not_converged(problem) if reported.get("type") == "NotConverged" else None
        return _alike(own or refusal, reported, given)
    return _refused_alike(problem, reported, given)


def _rounded_away(problem: Problem) -> bool:
    """Return whether reading rounds a column by so much of what it varies by that a method may refuse it."""
    rows = all(isinstance(row, list) for row in problem.x)
    return rows and lost_column(data.matrix(arithmetic.field(problem.arithmetic), problem.x)) is not None


def _answerable(problem: Problem, denied: bool = False) -> str:
    """Return why there is an answer, in words: it is computed without the package's fits, or a theorem says so.

    denied    whether an answer is said not to exist at all, and not only not to be held by numbers
    """
    try:
        if any(v is not None for v in (textbook.reference(problem), scoring.reference(problem))):
            return "there is an answer: its equations were solved in fractions"
        if likelihood.reference(problem, {}) is not None:
            return "there is an answer: its equations were solved in fractions"
    except Refusal:
        return ""
    p = textbook.given(problem)
    hurried = any(problem.parameters.get(name) is not None for name in ("max_iter", "max_steps"))
    bounded = not hurried and p.get("C", 1) not in ("inf", math.inf) and p.get("penalty", 1) not in (0, None)
    convex = "ramp" not in str(p.get("loss")) and all(rational(w) > 0 for w in problem.weights or ())
    told = all(rational(p[v]) > 0 or (v == "epsilon" and not p[v]) for v in COSTS if finite(p.get(v)))
    K = _classes(problem)
    enough = K in (0, 2) or (K > 2 and not problem.estimator().only_two_classes)
    convex = convex and _positive(p.get("kernel", "linear"), denied)
    if problem.method in EXISTING and bounded and convex and told and enough:
        return "there is an answer: the objective is convex, finite and grows without bound"
    return ""


def _positive(given: Any, denied: bool) -> bool:
    """Return whether Gram matrices of a kernel are positive semidefinite by a theorem, and in range if not denied."""
    name = given.get("name") if isinstance(given, Mapping) else given
    if name in ("linear", "gaussian", "laplacian") or not denied:
        return name in ("linear", "gaussian", "laplacian")
    try:
        return kernel_gram.is_positive(kernel_gram.described(given, kernel.number))
    except ValueError:
        return False


def _usual(problem: Problem) -> bool:
    """Return whether nothing of a problem can be invalid or beyond doubles: costs alone are given, and in range."""
    numbers = [*leaves(problem.x), *problem.parameters.values(), *(() if _classes(problem) else problem.y)]
    moderate = all(finite(v) and (v == 0 or WITHIN > abs(rational(v)) > 1 / WITHIN) for v in numbers)
    return moderate and problem.weights is None and set(problem.parameters) <= set(COSTS)


def _classes(problem: Problem) -> int:
    """Return how many classes a problem has; none where the method takes numbers."""
    return len(data.labels(problem.y)[0]) if kind_of(problem.method).takes_labels else 0


def _beyond_doubles(problem: Problem) -> bool:
    """Return whether doubles hold no digit of the optimum, but for one: so the exact one says, each number rounded.

    Where it is not computed, numbers of the problem must differ so much in size that it may be so.
    """
    found = _ceiling(problem)
    return _unscaled(problem) if found is None else found < LEAST


def _vanishing(problem: Problem) -> bool:
    """Return whether the functions of several classes vanish beside one: doubles hold an objective, and no function."""
    if problem.method != "lee_lin_wahba" or machine.number_of_multipliers(problem) > LARGEST:
        return False
    try:
        best: Any = replace(problem, arithmetic="exact").fitted()
        rows = best.decision_function(problem.x)
    except Refusal:
        return False
    columns = zip(*[row if isinstance(row, (list, tuple)) else [row] for row in rows])
    return vanish(max(max(own) - min(own) for own in columns), roundoff(float))


def _ceiling(problem: Problem) -> Optional[float]:
    """Return the digits that the kernel of trust proves of the exact optimum, rounded to doubles; None if not known."""
    if problem.method in ("polynomial", "svm_path"):
        return _of_polynomial(problem) if problem.method == "polynomial" else _of_path(problem)
    known = problem.method in kernel.MACHINES and problem.method != "svm_path"
    if not known or len(problem.x) > trusted.MOST or machine.number_of_multipliers(problem) > LARGEST:
        return None
    try:
        best = answer.fitted(replace(problem, arithmetic="exact").fitted())
        question = trusted.asking(problem)
        exact = {name: answer.tree(value) for name, value in best.items() if name in MULTIPLIERS}
        rounded = {name: reading.in_doubles(value) for name, value in exact.items()}
        if float(kernel.judge(question, {"fitted": exact}, 0)["digits"]) < math.inf:
            return None  # Premise: what is no optimum in fractions says nothing of what doubles can hold.
        return float(kernel.judge(question, {"fitted": rounded}, 0)["digits"])
    except Refusal:
        return None
    except (ValueError, KeyError, TypeError, IndexError):
        return None  # Premise: what the kernel does not cover it refuses, in one of these ways.


def _of_polynomial(problem: Problem) -> Optional[float]:
    """Return the digits of the sum of squares of a polynomial whose coefficients about the mean are each rounded.

    They are relative to that sum, or to that of the best constant where the least one is zero.
    """
    F, X = arithmetic.field(problem.arithmetic), [[rational(v) for v in row] for row in problem.x]
    weights = [rational(w) for w in problem.weights or [1] * len(X)]
    centre = [rational(F.lift(v)) for v in mean(X, weights)]
    found = scoring.reference(replace(problem, x=[[v - c for v, c in zip(row, centre)] for row in X]))
    if not isinstance(found, scoring.Curve):
        return None
    own = found.least
    held = own.taken({"intercept": F.lift(own.intercept_[0]), "coef": F.lift_all(own.coef_)}).kept_
    if held is None:
        return None
    return digits(held - own.squares_, held if own.squares_ else scales.data(problem, False).constant)


def _of_path(problem: Problem) -> Optional[float]:
    """Return the digits of the machine at the first break point of the exact path, rounded; 0 where no λ is held."""
    if len(problem.x) > ridge_trace.SMALL:
        return None
    try:
        path: Any = replace(problem, arithmetic="exact").fitted()
        names = ("lambdas", "alphas", "intercepts")
        first = {
            n: reading.in_arithmetic(problem.arithmetic, trusted.listed(getattr(path, n + "_"))[:1]) for n in names
        }
        if not any(first["lambdas"]):
            return float(0) if path.lambdas_ else None
        return float(kernel.judge(trusted.asking(problem), {"fitted": first}, 0)["digits"])
    except (Refusal, ValueError, KeyError, TypeError):
        return None  # Premise: what the kernel does not cover it refuses, in one of these ways.


def _unscaled(problem: Problem) -> bool:
    """Return whether numbers of the problem differ so much in size that doubles may hold no digit of the optimum."""
    columns = [[rational(v) for v in column if finite(v)] for column in zip(*problem.x)]
    far = [c for c in columns if c and max(map(abs, c)) > UNEQUAL * (max(c) - min(c))]
    told = [*leaves(textbook.given(problem)), *(problem.weights or ())]
    numbers = [v for c in columns for v in c] + [rational(v) for v in told if finite(v)]
    sizes = [abs(v) for v in numbers if v]
    return bool(far) or (bool(sizes) and max(sizes) > UNEQUAL * min(sizes))


def _not_converged(problem: Problem) -> Optional[Refusal]:
    """Return the refusal of the problem put anew in its own arithmetic, where the fit does not converge there."""
    try:
        problem.fitted()
    except NotConverged as refusal:
        return refusal
    except Refusal:
        return None
    return None


def _proven(problem: Problem, given: Mapping[str, Any]) -> float:
    """Return the digits that the kernel of trust proves of the multipliers of a direct machine's witness; 0 if none."""
    alpha = given.get("alpha")
    if problem.method not in kernel.MACHINES[6:] or not isinstance(alpha, list) or len(problem.x) > trusted.MOST:
        return 0
    beta0 = given.get("beta0")
    try:
        if problem.arithmetic == "float":  # a text of 17 digits stands for the double that it is nearest to
            alpha, beta0 = [list(map(float, row)) for row in alpha], beta0 and list(map(float, beta0))
        rows = [list(row) for row in zip(*alpha)] if problem.method == "lee_lin_wahba" else alpha
        fitted = {"alpha": rows, "intercept": beta0}
        return float(kernel.judge(trusted.asking(problem), {"fitted": fitted}, 0)["digits"])
    except (ValueError, KeyError, TypeError, IndexError):
        return 0  # Premise: what the kernel does not cover it refuses, in one of these ways.


def _held(problem: Problem) -> bool:
    """Return whether the data, their powers and the answer of the equations lie far within the range of doubles."""
    try:
        found = textbook.reference(problem) or scoring.reference(problem)
    except Refusal:
        return False
    if found is None:
        return False
    names = ("coef_", "coefficients_", "intercept_", "eigenvalues_", "scores_", "covariances_")
    numbers = [*leaves(problem.x), *leaves([getattr(found, name, 0) for name in names])]
    return all(v == 0 or WITHIN > abs(rational(v)) > 1 / WITHIN for v in numbers if finite(v))


def _meets(own: Mapping[str, Any], given: Mapping[str, Any]) -> Optional[bool]:
    """Return whether an optimum may lie, to nine digits, between bounds given and between the own ones; None without.

    Premise: bounds of a least value, the dual below the primal.
    """
    bounds = [reading.numbers(known.get(name), False) for known in (own, given) for name in ("dual", "primal")]
    if not all(finite(v) for v in bounds):
        return None
    least, most, low, high = map(rational, bounds)
    if least > most:
        return None
    unit = max(abs(least), abs(most)) / 10**ASKED
    return bool(low <= most + unit and high >= least - unit and low <= high + unit)


COSTS = ("C", "penalty", "epsilon")  # positive numbers, the width of a tube perhaps 0
WITHIN = Fraction(10**20)  # and above its inverse: numbers whose powers, up to the fifteenth, are doubles
UNEQUAL = 10**4  # of a column's largest entry to its spread, or of the largest number to the least
MULTIPLIERS = ("alpha", "alpha_star", "coefficients", "intercept")
ENOUGH = 1.5  # digits, half a one more than a direct machine has that is refused with its bounds
LEAST = 2  # digits of the ceiling: the one that an answer has at least, and the one by which it may miss the ceiling
EXISTING = (
    "svc",
    "svr",
    "huber",
    "kernel_ridge",
    "crammer_singer",
    "svm_path",
    "lee_lin_wahba",
    "kernel_classifier",
)  # with slack, of kernels ≥ 0


def _refused_alike(problem: Problem, reported: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        problem.fitted()
    except Refusal as refusal:
        return _alike(refusal, reported, given)
    return {"accepted": False, "verdict": "wrong: there is an answer", "reason": "there is an answer"}


def _alike(refusal: Refusal, reported: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    kind = type(refusal).__name__
    if reported.get("type", kind) != kind:
        return verdict.wrong("refusal", reported["type"], f"{kind}: {refusal}")
    met = _meets(refusal.witness, given) if kind == "NotConverged" else None
    if met is False:
        words = "there is no optimum between the bounds of its witness"
        return {"accepted": False, "verdict": f"wrong: {words}", "reason": words}
    unseen = [name for name in given if met is None or name not in ("dual", "primal")]
    left = {f"witness.{name}": "no check of it is known; the problem was put anew" for name in unseen}
    return {"accepted": True, "verdict": "refused", "reason": str(refusal), "how": REFITTED, "not_judged": left}
