"""Two answers to one problem: which conventions explain their difference, and to how many digits they agree.

Each answer is judged as the problem asks, and else under the conventions that programs are known to differ in. A
convention explains an answer if the answer is right under it and the right answer to the problem is not: what a
convention leaves as it is, it does not explain. Several that explain an answer alike are all named. Then what both
report is compared, in digits on the scale of each attribute.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, Optional

from refclass.errors import InvalidInput, Refusal, quoted
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.oracle import alignment, answer, judge, reading
from refclass.oracle.conventions import presets
from refclass.oracle.judging import quadratic, verdict
from refclass.oracle.judging.answers import machine
from refclass.oracle.judging.comparison import scales
from refclass.oracle.judging.comparison.attributes import Comparison
from refclass.oracle.leaves import finite, leaves, shape
from refclass.oracle.problem import Problem, kind_of
from refclass.oracle.references import rows
from refclass.sample import data

SAME = "as asked"
EXPLAINED = 120  # rows up to which the convention that explains a refuted answer is looked for
TOGETHER = 3  # conventions of a program that are tried at a time
PARTS = ("fitted", "predictions")
APART = 1  # digits that the right answer lacks, at least, under a convention that explains another answer

Variant = tuple[str, Problem, dict[str, Any]]


def compare(
    problem: Problem,
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    digits: float = judge.DIGITS,
    programs: Sequence[Optional[str]] = (None, None),
) -> dict[str, Any]:
    """Return by which conventions two answers are right, and the digits to which they agree.

    programs    whose answers they are, where that is known: conventions of theirs are tried together, too

    Raises    InvalidInput if an answer's form does not fit the problem, or for an unknown program
    """
    if problem.programme is not None:
        return quadratic.compare(problem, first, second, digits)
    for program in programs:
        if program is not None and program not in presets.PRESETS:
            raise InvalidInput("compare", need=f"a program among {', '.join(presets.PROGRAMS)}", got=quoted(program))
    found = [_explained(problem, reported, digits, program) for reported, program in zip((first, second), programs)]
    comparison = _beside(problem, first, second, digits)
    agreed = bool(comparison.digits) and comparison.agrees
    if agreed:
        words = f"they agree to {verdict.shown(min(comparison.digits.values()))}"
    elif all(one["convention"] for one in found):
        words = _both(found[0], found[1], bool(comparison.digits))
    else:
        right = [name for name, one in zip("AB", found) if one["convention"]]
        words = f"they differ, and {' and '.join(right) or 'neither'} is right under the conventions known here"
    names = ("A", "B")
    return {
        "accepted": agreed,
        "verdict": words,
        "asked": "all" if digits == math.inf else digits,
        "answers": dict(zip(names, found)),
        "digits": verdict.plain(comparison.digits),
        "first_difference": None if comparison.wrong is None else str(comparison.wrong),
        "not_compared": comparison.left,
        **_lengths(first, second),
    }


def _lengths(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Return by which factor each axis of the second answer is longer, where the axes are the same but for that."""
    reported = [reading.numbers(one.get("fitted", {}).get("scalings"), False) for one in (first, second)]
    if any(not isinstance(axes, list) or not axes or not isinstance(axes[0], list) for axes in reported):
        return {}
    form = [shape(axes) for axes in reported]
    if form[0] != form[1] or form[0] != [[None] * len(form[0][0])] * len(form[0]):
        return {}
    if not all(map(finite, leaves(reported))):
        return {}
    factors = []
    for a, b in zip(zip(*reported[0]), zip(*reported[1])):
        largest = max(range(len(a)), key=lambda j: abs(a[j]))
        if not a[largest]:
            return {}
        factor = rational(b[largest]) / rational(a[largest])
        if any(abs(v * factor - w) > abs(b[largest]) / 10**judge.DIGITS for v, w in zip(a, b)):
            return {}
        factors.append(approximate(factor))
    return {"axes": "the same but for their lengths and signs", "lengths": factors}


def explained(
    problem: Problem, reported: Mapping[str, Any], found: dict[str, Any], digits: float = judge.DIGITS
) -> dict[str, Any]:
    """Return a verdict with the conventions under which an answer that it refutes is right, where there are any."""
    if found["accepted"] or problem.programme is not None or len(problem.x) > EXPLAINED or "refusal" in reported:
        return found
    by = _explained(problem, reported, digits)
    if by["convention"] in (None, SAME):
        return found
    return {**found, "convention": by["convention"], "reason": f"{found['reason']}; {_by(by)} it is right"}


def _both(first: Mapping[str, Any], second: Mapping[str, Any], compared: bool) -> str:
    """Return in words how two answers differ that are both right."""
    if first["convention"] != second["convention"]:
        return f"they differ by convention: A is right {_by(first)}, B {_by(second)}"
    if not compared:
        return f"both are right {_by(first)}; no number that is unique is reported by both"
    return f"both are right {_by(first)}, to the digits asked for; their numbers differ beyond these"


def _by(found: Mapping[str, Any]) -> str:
    if found["convention"] == SAME:
        return SAME
    several = " (these data do not decide which)" if len(found["conventions"]) > 1 else ""
    return f"with {found['convention']}{several}"


def _explained(
    problem: Problem, reported: Mapping[str, Any], digits: float, program: Optional[str] = None
) -> dict[str, Any]:
    """Return the conventions that explain an answer, with the verdict under the first; else the verdict as asked."""
    plain = {name: value for name, value in reported.items() if name not in ("parameters", "certificate")}
    found = _verdict(problem, plain, digits)
    if found["accepted"]:
        return {"convention": SAME, "conventions": [SAME], "verdict": found["verdict"]}
    right = _right(problem, plain)
    for tried in (*_together(problem, plain, program), variants):
        explaining: dict[str, dict[str, Any]] = {}
        own = {} if right is None else {name: (p, t) for name, p, t in tried(problem, right)}
        for name, other, given in tried(problem, plain):
            under = _verdict(other, given, digits)
            if not under["accepted"]:
                continue
            theirs = _verdict(*own[name], digits) if name in own else None
            if theirs is None or (not theirs["accepted"] and _least(under) >= _least(theirs) + APART):
                explaining[name] = under
        if explaining:
            said = next(iter(explaining.values()))["verdict"]
            return {"convention": " or ".join(explaining), "conventions": list(explaining), "verdict": said}
    return {"convention": None, "conventions": [], "verdict": found["verdict"]}


def _verdict(problem: Problem, reported: Mapping[str, Any], digits: float) -> dict[str, Any]:
    try:
        return judge.verify(problem, reported, digits)
    except Refusal as refusal:
        return {"accepted": False, "verdict": f"not judged: {refusal}"}


def _least(found: Mapping[str, Any]) -> float:
    """Return the digits of a verdict, at most those of doubles; 0 of an answer that is infeasible or not judged."""
    reported = [15.0 if v == "all" else min(15.0, float(v)) for v in found.get("digits", {}).values()]
    if found["verdict"].startswith("infeasible"):
        return 0.0
    return min(reported, default=15.0 if found["accepted"] else 0.0)


def _right(problem: Problem, reported: Mapping[str, Any]) -> Optional[dict[str, Any]]:
    """Return the right answer to a problem in the form of one that is reported; None if there is none.

    It is exact where all that is reported has exact values; else in decimals, or as the problem asks.
    """
    best: Optional[dict[str, Any]] = None
    wanted = sum(len(reported.get(part, {})) for part in PARTS)
    for name in (machine.arithmetic(problem), "decimal:30", problem.arithmetic):
        own = answer.answer(replace(problem, arithmetic=name))
        if "fitted" not in own:
            continue
        out = {**reported, "arithmetic": own["arithmetic"]}
        for part in PARTS:
            out[part] = {n: own[part][n] for n in reported.get(part, {}) if n in own[part]}
        if best is None or sum(len(out[part]) for part in PARTS) > sum(len(best[part]) for part in PARTS):
            best = out
        if sum(len(best[part]) for part in PARTS) == wanted:
            break
    return best


def variants(problem: Problem, reported: dict[str, Any]) -> Iterator[Variant]:
    """Yield the problem and the answer under one convention after another, each with its name."""
    for name, change in _answers(problem, reported):
        yield name, problem, {**reported, "fitted": change}
    for name, parameters in _parameters(problem):
        yield name, replace(problem, parameters={**problem.parameters, **parameters}), reported
    yield from _data(problem, reported)


def _together(problem: Problem, reported: dict[str, Any], program: Optional[str]) -> Iterator[Any]:
    """Yield what yields the problem and the answer under so many of a program's conventions, few before many."""
    names = presets.conventions(program, problem.method) if program is not None else ()
    for count in range(1, min(len(names), TOGETHER) + 1):
        yield partial(_several, tuple(combinations(names, count)))


def _several(chosen: Sequence[Sequence[str]], problem: Problem, reported: dict[str, Any]) -> Iterator[Variant]:
    """Yield the problem and the answer under several conventions at once, where all of them fit."""
    for names in chosen:
        other, given = problem, reported
        for name in names:
            change = next(((p, t) for n, p, t in variants(other, given) if n == name), None)
            if change is None:
                break
            other, given = change
        else:
            yield " and ".join(names), other, given


def _scaled(problem: Problem) -> Problem:
    """Return the problem with each variable at mean 0 and variance 1, divisor n − 1, to 60 digits."""
    X = [[rational(v) for v in row] for row in problem.x]
    centre = rows.mean(X, [Fraction(1)] * len(X))
    spread = [sum((row[j] - m) ** 2 for row in X) / (len(X) - 1) for j, m in enumerate(centre)]
    roots = [rows.root(Fraction(v)) if v else Fraction(1) for v in spread]

    def moved(points: Any) -> list[list[Fraction]]:
        return [[(rational(v) - m) / s for v, m, s in zip(row, centre, roots)] for row in points]

    return replace(problem, x=moved(X), query=None if problem.query is None else moved(problem.query))


def _answers(problem: Problem, reported: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    fitted = reported.get("fitted", {})
    one = {name: reading.numbers(value, False) for name, value in fitted.items() if name not in reading.WORDS}
    if "intercept" in one:
        yield "an intercept of the other sign (f − rho)", {**fitted, "intercept": alignment.negated(one["intercept"])}
    turned = {name: alignment.negated(v) for name, v in one.items() if name in alignment.SIGNED}
    if turned:
        yield "the classes in the other order", {**fitted, **turned}
    labels = data.labels(problem.y)[1] if kind_of(problem.method).takes_labels else ()
    alpha = one.get("alpha")
    alpha = alpha if isinstance(alpha, list) else []
    two = bool(alpha) and len(alpha) == len(labels) and set(labels) == {0, 1}
    if two and all(map(finite, alpha)):  # from either form into the other
        signed = any(v < 0 for v in alpha)
        other = [abs(v) if signed else v * (2 * g - 1) for v, g in zip(alpha, labels)]
        yield "multipliers with the sign of their class", {**fitted, "alpha": other}


def _parameters(problem: Problem) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the parameters that another convention reads into the same letters."""
    p = {**kind_of(problem.method).parameters(), **problem.parameters}
    n = Fraction(len(problem.x))
    if problem.method in ("lda", "qda"):
        for divisor in ("n", "n-k") if problem.method == "lda" else ("n", "n-1"):
            if p["divisor"] != divisor:
                yield f"divisor {divisor} of the covariance", {"divisor": divisor}
    for letter in ("C", "penalty"):
        if letter not in p or isinstance(p[letter], (str, type(None))) or p[letter] == math.inf:
            continue
        v = rational(p[letter])
        for name, value in (
            (f"{letter}/n", v / n),
            (f"{letter} n", v * n),
            (f"{letter}/2", v / 2),
            (f"2 {letter}", v * 2),
            (f"1/{letter}", 1 / v if v else v),
            (f"1/({letter} n)", 1 / (v * n) if v else v),
            (f"1/(2 {letter} n)", 1 / (2 * v * n) if v else v),
        ):
            yield f"{name} in place of {letter}", {letter: value}
    if p.get("loss") in ("hinge", "squared_hinge"):
        yield "the other power of the slack", {"loss": "hinge" if p["loss"] == "squared_hinge" else "squared_hinge"}
    if p.get("intercept") is True:
        yield "no intercept", {"intercept": False}
    kernel = p.get("kernel")
    if isinstance(kernel, Mapping) and "gamma" in kernel and kernel["gamma"] != "scale":
        g = rational(kernel["gamma"])
        widths = {
            "1/(2γ²)": 1 / (2 * g * g),
            "1/γ": 1 / g,
            "2γ": 2 * g,
            "γ/2": g / 2,
            "1/p": Fraction(1, len(problem.x[0])),
        }
        for name, width in widths.items():
            yield f"{name} in place of γ", {"kernel": {**kernel, "gamma": width}}


def _data(problem: Problem, reported: dict[str, Any]) -> Iterator[tuple[str, Problem, dict[str, Any]]]:
    """Yield the problem with an intercept that is penalised, and with covariances pooled by given priors."""
    p = {**kind_of(problem.method).parameters(), **problem.parameters}
    linear = p.get("kernel") in ("linear", {"name": "linear"})
    if problem.method in ("svc", "svr") and linear and p["intercept"] is True:
        wide = [[*row, 1] for row in problem.x]
        query = None if problem.query is None else [[*row, 1] for row in problem.query]
        changes: dict[str, Any] = {
            "parameters": {**problem.parameters, "intercept": False},
            "conventions": {"intercept": "penalised"},
        }
        yield "a penalised intercept", replace(problem, x=wide, query=query, **changes), reported
    numbers = all(isinstance(row, list) and all(map(finite, row)) for row in problem.x)
    if problem.method in ("svc", "svr") and p["kernel"] != "precomputed" and numbers and len(problem.x) > 1:
        yield presets.SCALED, _scaled(problem), reported
    if problem.method == "lda" and p["priors"] is not None and problem.weights is None:
        labels = data.labels(problem.y)[1]
        counts = [labels.count(k) for k in range(len(set(labels)))]
        n = len(labels)
        weights = [n * rational(p["priors"][g]) / counts[g] for g in labels]
        parameters = {**problem.parameters, "divisor": "n"}
        yield "covariances pooled by priors", replace(problem, weights=weights, parameters=parameters), reported


def regular(value: Any) -> bool:
    """Return whether lists within a list are as deep as each other, and hold no null.

    Example
        >>> regular([[1, 2], [3]]), regular([[1, 2], None]), regular([[1], 2])
        (True, False, False)
    """
    if not isinstance(value, list):
        return value is not None
    return len({isinstance(v, list) for v in value}) <= 1 and all(map(regular, value))


def _beside(problem: Problem, first: Mapping[str, Any], second: Mapping[str, Any], digits: float) -> Comparison:
    """Compare what both answers report; the scales are those of the first."""
    labelled = kind_of(problem.method).takes_labels
    comparison = Comparison(digits, Fraction(0), scales.data(problem, labelled))
    for part in ("fitted", "predictions"):
        a, b = (reading.exact(problem, reading.formed(dict(reported), "answer"))[part] for reported in (first, second))
        for name in [name for name in a if name in b]:
            got, want = b[name], a[name]
            if not regular(got) or not regular(want):
                raise InvalidInput("compare", need=f"{name} as numbers or names, in rows of one length", got="another")
            if name in ("alpha", "dual_coef", "support", "coefficients", "estimators"):
                comparison.left[name] = "one of many where points coincide; the verdicts above judge it"
                continue
            if problem.method in alignment.SHIFTED and name in alignment.BY_CLASS:
                K = len(set(map(str, problem.y)))
                got, want = alignment.shifted(name, got, want, K)
            for group in alignment.AXES.get(problem.method, ()):
                if name in group:
                    want = alignment.turned(name, got, want, {}, name in alignment.ROWS)
            if shape(got) == shape(want):
                comparison.against(name, got, want)
            else:
                comparison.left[name] = "of another shape"
    return comparison
