"""A second opinion on an accepted answer: the kernel of trust, which shares no code with what solved or proved it.

An answer that the package finds right is refuted where the kernel's own bounds or equations, or decision values from
the kernel's own Gram matrix, leave it fewer digits than were asked for. Methods, parameters and forms that the kernel
does not know it leaves alone; so it does large problems, whose proof in fractions would take long.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Callable, NamedTuple, Optional

from refclass.errors import Refusal
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle import alignment, kernel, reading
from refclass.oracle.judging import objectives, undecided, verdict
from refclass.oracle.judging.comparison import scales
from refclass.oracle.judging.comparison.attributes import LEAST, UNITS
from refclass.oracle.leaves import finite, leaves
from refclass.oracle.problem import Problem
from refclass.oracle.references import ridge_trace, scoring

MOST = 300  # rows
EXACT = 300  # digits from which on all are asked for
BESIDE = 1  # digits by which two ways to count them may differ
ROUNDING = 14  # digits of numbers that differ from the exact ones by no more than a few roundings
Compare = Callable[[dict[str, Any]], dict[str, Any]]


class Opinion(NamedTuple):
    """What the kernel of trust finds wrong, in words, and the digits of the objective of what coefficients say.

    None if nothing is wrong, or cannot be judged; None where no coefficients are judged
    """

    words: Optional[str] = None
    digits: Optional[float] = None


def dissent(problem: Problem, reported: Mapping[str, Any], asked: float, held: float) -> Optional[str]:
    """Return what the kernel of trust finds wrong, in words; None if nothing, or if it cannot judge the answer."""
    return opinion(problem, reported, asked, held).words


def opinion(
    problem: Problem, reported: Mapping[str, Any], asked: float, held: float, dual: Optional[Fraction] = None
) -> Opinion:
    """Return what the kernel of trust says of an answer.

    held    the digits that the answer was found to have, where doubles hold no more than these
    dual    the bound that was proven; of a deviance, which the kernel does not prove, coefficients are judged by it
    """
    fitted = dict(reported["fitted"])
    needed, each = (max(0, v - BESIDE) if v < EXACT else 12 for v in (min(held, asked), asked))
    if len(problem.x) > MOST or not fitted:
        return Opinion()
    try:
        question = asking(problem)
        own = kernel.Problem(question)
        if fitted.get("classes", own.names) != own.names:
            return Opinion()
        if own.get("loss", None) == "deviance":
            return _planes(problem, own, reported, dual, asked, held)
        held_in = "float" if reported.get("arithmetic", "float") in reading.DOUBLES else "exact"
        found = kernel.judge(question, {"fitted": _formed(own, fitted), "arithmetic": held_in}, needed)
    except (ValueError, KeyError, TypeError, IndexError, ZeroDivisionError, OverflowError, AttributeError):
        return Opinion()  # Premise: what the kernel does not cover it refuses, in one of these ways.
    if undecided.undecided(own, reported, needed):
        return Opinion(_functions(problem, own, reported, needed))
    if found["verdict"] != "accepted" and not _at_ceiling(problem, question, fitted, found["digits"], needed):
        where = f", {found['where']}" if found["where"] else ""
        return Opinion(f"a second check in fractions finds {found['digits']} digits{where}")
    judged = Opinion()
    if problem.method != "svm_path":  # Premise: its bounds are those of one break point only.
        plane = objectives.primal(own, fitted) if "primal" in found else None
        away = _bounds(found, reported, each, plane)
        judged = Opinion(away) if away else _planes(problem, own, reported, found.get("dual"), asked, held)
    return judged if judged.words else judged._replace(words=_functions(problem, own, reported, needed, asked))


def _planes(
    problem: Problem, own: kernel.Problem, reported: Mapping[str, Any], dual: Any, asked: float, held: float
) -> Opinion:
    """Return what is said of coefficients: their objective has the digits asked for, or the multipliers' but one.

    Fewer are right within a digit of what those of the package's own answer have, rounded as these are.
    """
    got = objectives.digits(own, reported["fitted"], dual) if "coef" in reported["fitted"] else None
    if got is None or got >= max(0, min(asked, held - BESIDE) if asked < EXACT else 12):
        return Opinion(None, got)
    most, name = None, str(reported.get("arithmetic", "float"))
    if name != "exact":
        with suppress(Refusal):
            best = replace(problem, arithmetic="float" if name in reading.DOUBLES else name).fitted()
            fitted = {n: listed(getattr(best, n + "_")) for n in ("coef", "intercept") if n in reported["fitted"]}
            most = objectives.digits(own, fitted, dual)
    if most is not None and got >= max(1, most - BESIDE):
        return Opinion(None, got)
    return Opinion(f"coef: the objective of what they say has {got:.1f} digits", got)


def of_coefficients(problem: Problem, fitted: Mapping[str, Any], dual: Fraction) -> Optional[float]:
    """Return the digits of the objective of what coefficients say, by a lower bound; None where that is not judged."""
    with suppress(ValueError, KeyError, TypeError):  # Premise: what the kernel does not cover it refuses so.
        return objectives.digits(kernel.Problem(asking(problem)), fitted, dual) if len(problem.x) <= MOST else None
    return None


def _at_ceiling(
    problem: Problem, question: Mapping[str, Any], fitted: Mapping[str, Any], got: float, needed: float
) -> bool:
    """Return whether an answer in rounded numbers has the digits, but for one, that the best one has, rounded alike.

    That is asked of paths, of kernel ridge regression, of least squares, whose coefficients may lie below the range of
    doubles, and of the regressions of optimal scores: their answers are compared with the exact ones. No rounding
    excuses an answer whose exact optimum the kernel of trust finds wrong, too.
    """
    if problem.method not in ROUNDED or problem.arithmetic == "exact":
        return False
    try:
        best = _best(problem, fitted)
    except Refusal:
        return False
    if best is None:
        return False
    if kernel.judge(question, {"fitted": best}, needed)["verdict"] != "accepted":
        return False
    if problem.method == "scoring":
        held = _held(best, fitted)
        if held < needed or held >= ROUNDING:
            return held >= needed
    rounded = {name: reading.in_arithmetic(problem.arithmetic, values) for name, values in best.items()}
    return got >= float(kernel.judge(question, {"fitted": rounded}, 0)["digits"]) - BESIDE


def _held(best: Mapping[str, Any], fitted: Mapping[str, Any]) -> float:
    """Return to how many digits each coefficient and constant of the scores is that of the exact regression."""
    pairs = [pair for name in ROUNDED["scoring"] for pair in zip(leaves(fitted[name]), leaves(best[name]))]
    return min(kernel.digits(rational(got) - want, abs(want)) for got, want in pairs)


def _best(problem: Problem, fitted: Mapping[str, Any]) -> Optional[dict[str, Any]]:
    """Return the exact optimum; of optimal scoring the exact regression of the scores that are reported."""
    if problem.method == "scoring":
        exact = scoring.regression_of(problem, fitted["scores"])
        known = {name: fitted[name] for name in ("scores", "eigenvalues")}
        return None if exact is None else {**known, "coef": listed(exact[0]), "intercept": listed(exact[1])}
    optimum = replace(problem, arithmetic="exact").fitted()
    return {name: listed(getattr(optimum, name + "_")) for name in ROUNDED[problem.method]}


ROUNDED = {
    "svm_path": ("lambdas", "alphas", "intercepts"),
    "kernel_ridge": ("coefficients", "intercept"),
    "least_squares": ("coef", "intercept"),
    "scoring": ("coef", "intercept"),
}


def listed(value: Any) -> Any:
    """Return nested sequences as lists."""
    return [listed(v) for v in value] if hasattr(value, "__iter__") else value


def _bounds(
    found: Mapping[str, Any], reported: Mapping[str, Any], asked: float, plane: Optional[Fraction]
) -> Optional[str]:
    """Return which bound that is reported lies away from the kernel's, or from that of coefficients, in words."""
    scale = max([abs(found[name]) for name in ("primal", "dual") if name in found], default=kernel.ZERO)
    claims = [
        (f"certificate.{name}", reported.get("certificate", {}).get(name), name) for name in ("primal", "dual", "gap")
    ]
    claims.append(("dual_objective", reported["fitted"].get("dual_objective"), "dual"))
    for where, value, name in claims:
        if name in found and value is not None and scale:
            got = sum((rational(text.read(v) if isinstance(v, str) else v) for v in leaves(value)), kernel.ZERO)
            missed = [abs(got - found[name])]
            if plane is not None and name != "dual":  # Premise: a certificate is by the worse of both.
                missed.append(abs(got - plane + (found["dual"] if name == "gap" else kernel.ZERO)))
            beyond = max(min(missed) - 10 * abs(found.get("gap", kernel.ZERO)) - LEAST, kernel.ZERO)
            if kernel.digits(beyond, scale) < asked:
                return f"{where}: got {text.approximate(got):.12g}, want {text.approximate(found[name]):.12g}"
    return None


def seconded(found: dict[str, Any], problem: Problem, reported: Mapping[str, Any], asked: float) -> dict[str, Any]:
    """Return the verdict on an answer, refuted where the kernel of trust dissents."""
    if not found["accepted"]:
        return found
    least, dual = found.get("digits", {}).get("objective"), found.get("certificate", {}).get("dual")
    held = math.inf if least in (None, "all") else least
    words, got = opinion(problem, reported, asked, held, None if dual is None else rational(dual))
    if got is not None:
        known = found["digits"].get("coef", "all")
        found = {**found, "digits": {**found["digits"], "coef": got if known == "all" else min(got, known)}}
        found = verdict.no_more({**found, "digits": verdict.plain(found["digits"])}, got)
    return found if words is None else {**found, "accepted": False, "verdict": f"wrong: {words}", "reason": words}


def asking(problem: Problem) -> dict[str, Any]:
    """Return the problem as the kernel reads it."""
    return {
        "method": problem.method,
        "parameters": {name: _plain(v) for name, v in problem.parameters.items()},
        "x": [list(row) for row in problem.x],
        "y": list(problem.y),
        "weights": problem.weights,
    }


def _plain(value: Any) -> Any:
    return {str(k): _plain(v) for k, v in value.items()} if isinstance(value, Mapping) else value


def _formed(own: kernel.Problem, fitted: dict[str, Any]) -> dict[str, Any]:
    """Return the fitted values without scores in another form than one row for each class, or for two together.

    Axes whose eigenvalues are all below 10⁻⁶, the scale of their digits, have no directions to be judged.
    """
    reported = [rational(v) for v in leaves(fitted.get("eigenvalues", [])) if finite(v)]
    if own.method in kernel.RULES and reported and max(map(abs, reported)) < scales.SLIGHT:
        fitted = {name: v for name, v in fitted.items() if name not in ("eigenvalues", "scalings")}
    if own.method in (*kernel.RULES, "least_squares") and "coef" in fitted:
        K = len(own.names)
        rows = fitted["coef"]
        if not isinstance(rows, list) or len(rows) != (1 if K == 2 else K):
            return {name: v for name, v in fitted.items() if name not in ("coef", "intercept")}
    return {name: v for name, v in fitted.items() if v is not None}


def _functions(
    problem: Problem, own: kernel.Problem, reported: Mapping[str, Any], needed: float, asked: float = 0
) -> Optional[str]:
    """Return which values of a machine's function do not follow from its coefficients, in words.

    needed    the digits of each value that an answer is excused by; values in doubles follow from coefficients to
              those that were asked for, but one, however few the coefficients have
    """
    fitted = reported["fitted"]
    signed = objectives.signed_coefficients(own, fitted)
    if signed is None:
        return None
    constant = rational(objectives.first(fitted.get("intercept", [0])))
    absorbed, numbers = isinstance(own.get("intercept", True), str), own.method in kernel.MACHINES[3:6]
    least = UNITS * LEAST if reported.get("arithmetic", "float") in reading.DOUBLES else kernel.ZERO
    pairs: list[tuple[str, Any, Any]] = [("fitted_values", fitted.get("fitted_values"), problem.x)]
    pairs.append(("decision", reported.get("predictions", {}).get("decision"), problem.query))
    if numbers:
        pairs.append(("labels", reported.get("predictions", {}).get("labels"), problem.query))
    digits = max(needed, asked - BESIDE) if asked < EXACT and least else needed
    for name, values, points in pairs:
        flat = isinstance(values, list) and all(finite(v) and not isinstance(v, (list, bool)) for v in values)
        if not flat or points is None or not comparable(own, name):
            continue
        right = at_points(problem, own, signed, points, reported)
        right = [v + (0 if absorbed else constant) for v in right]
        # Premise: classes are told by margins of one; far points say nothing of the digits at others.
        floor = max(map(abs, map(rational, own.y))) if numbers else kernel.ONE
        sizes = [max(floor, abs(v)) or kernel.ONE for v in right]
        beside = objectives.values(own, fitted, points, constant)
        for i, (got, want) in enumerate(zip(values, right)):
            missed = min([abs(rational(got) - v) for v in (want, *([beside[i]] if beside else ()))])
            if kernel.digits(max(missed - least, kernel.ZERO), sizes[i]) < digits:
                return f"{name}[{i}]: got {text.approximate(rational(got)):.12g}, want {text.approximate(want):.12g}"
        if name == "decision" and own.method in objectives.SIGNED:
            given = reported["predictions"].get("labels")
            # Premise: coefficients are judged elsewhere; where terms of multipliers cancel they have other digits.
            words = [_labels(own.names, side, given, sizes, needed) for side in (right, beside) if side]
            if all(words):
                return words[0]
    return _trace(own, fitted, needed) or _sides(own, fitted, needed)


def or_by_gram(
    found: dict[str, Any], problem: Problem, reported: Mapping[str, Any], asked: float, compare: Compare
) -> dict[str, Any]:
    """Return the verdict, or that without predictions where these are the values of the multipliers by the kernel.

    Where terms of a sum cancel, multipliers that are right in every digit have values of fewer, and doubles of a Gram
    matrix others than its decimals.

    compare    the verdict on an answer
    """
    if found["accepted"] or not reported.get("predictions"):
        return found
    try:
        own = kernel.Problem(asking(problem))
        known = len(problem.x) <= MOST and own.method in kernel.MACHINES[3:6] and comparable(own, "labels")
        if not known or _functions(problem, own, reported, asked):
            return found
    except (ValueError, KeyError, TypeError):
        return found  # Premise: what the kernel does not cover it refuses, in one of these ways.
    alone = compare({**reported, "predictions": {}})
    return alone if alone["accepted"] else found


def _labels(
    names: Sequence[Any], values: Sequence[Fraction], labels: Any, sizes: Sequence[Fraction], asked: float
) -> Optional[str]:
    """Return which label is not that of the side its point lies on, in words; on the boundary either is right."""
    for i, (f, got, size) in enumerate(zip(values, labels or (), sizes)):
        want = names[f > 0]
        if kernel.digits(f, size) < asked and not alignment.same(got, want):
            return f"labels[{i}]: got {got}, want {want}"
    return None


def _sides(own: kernel.Problem, fitted: Mapping[str, Any], asked: float) -> Optional[str]:
    """Return which coefficient is not the difference of its two multipliers, both ≥ 0, in words  [ESL-12.37]."""
    if own.method != "svr" or not {"alpha", "alpha_star"} <= set(fitted):
        return None
    size = max([abs(rational(v)) for v in leaves(fitted["coefficients"])], default=kernel.ONE) or kernel.ONE
    rows = zip(*[list(map(rational, leaves(fitted[name]))) for name in ("alpha", "alpha_star", "coefficients")])
    for i, (below, above, c) in enumerate(rows):
        both = min(below, above) if kernel.number(own.get("epsilon", "1/10")) else kernel.ZERO  # [MMST-11.128]
        worst = max(-below, -above, abs(above - below - c), both, kernel.ZERO)
        if kernel.digits(worst, size) < asked:
            return f"alpha[{i}]: alpha_star less alpha is not the coefficient, or one is negative, or none is zero"
    return None


def comparable(own: kernel.Problem, name: str) -> bool:
    """Return whether new points leave the kernel as it is."""
    reported = own.get("kernel", "linear")
    scaled = isinstance(reported, Mapping) and reported.get("gamma") == "scale"
    return reported != "precomputed" and (name == "fitted_values" or not scaled)


def at_points(
    problem: Problem, own: kernel.Problem, signed: Sequence[Fraction], points: Any, reported: Mapping[str, Any]
) -> list[Fraction]:
    """Return Σ aⱼK(xⱼ, z) at points, from the Gram matrix of these and the rows; of an answer in decimals in more."""
    if undecided.rounded_kernel(own, reported):
        return undecided.values(own, signed, [list(map(kernel.number, z)) for z in points])
    table = _beside(problem, own, points)
    return list(table.times([*signed, *[kernel.ZERO] * len(points)]))[own.n :]


def terms_at(problem: Problem, own: kernel.Problem, signed: Sequence[Fraction], points: Any) -> list[Fraction]:
    """Return the sums of the sizes of the terms of the same, Σ |aⱼK(xⱼ, z)|."""
    table, total = _beside(problem, own, points), [kernel.ZERO] * len(points)
    for j, a in enumerate(signed):
        if a:
            total = [t + abs(a * v) / table.q for t, v in zip(total, list(table.row(j))[own.n :])]
    return total


def _beside(problem: Problem, own: kernel.Problem, points: Any) -> kernel.Gram:
    """Return the Gram matrix of the rows and then the points."""
    rows = [*problem.x, *points]
    y = [*problem.y, *[problem.y[0]] * len(points)]
    both = kernel.Problem(asking(replace(problem, x=rows, y=y, weights=None)))
    return kernel.gram(both, int(isinstance(own.get("intercept", True), str)))


def _trace(own: kernel.Problem, fitted: Mapping[str, Any], asked: float) -> Optional[str]:
    """Return whether the degrees of freedom of kernel ridge regression are another number, in words  [ESL-12.35]."""
    if own.method != "kernel_ridge" or "degrees_of_freedom" not in fitted:
        return None
    right, got = ridge_trace.degrees_of_freedom(own), rational(objectives.first(fitted["degrees_of_freedom"]))
    if right is not None and kernel.digits(got - right, max(kernel.ONE, abs(right))) < asked:
        return f"degrees_of_freedom: got {text.approximate(got):.12g}, want {text.approximate(right):.12g}"
    return None
