"""Whether a path of machines is whole: optimal halfway between its break points, and followed to its end.

Between two break points α and λβ₀ are linear in λ, and the conditions of optimality are linear in α, λβ₀ and λ: a break
point that is left out shows halfway. Where the path ends, the other of the two algorithms is asked  [ESL-12.3.5-path].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any, Optional, cast

from refclass.errors import InvalidInput, Refusal
from refclass.estimators.protocol.given import kernel_input
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number import arithmetic
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.oracle import kernel, reading
from refclass.oracle.judging import consistency, trusted, verdict
from refclass.oracle.judging.comparison.attributes import Reference
from refclass.oracle.judging.paths import events
from refclass.oracle.leaves import finite
from refclass.oracle.problem import Problem
from refclass.sample import data

HOW = "break points proven one by one in fractions; the path is optimal halfway between them, and goes to its end"
NEAR = Fraction(1, 10**6)  # of a λ: so near two are taken for the same break point
LOST = 1  # digits that a point between two others may have less than these


def on_matrix(problem: Problem, reported: Mapping[str, Any]) -> Problem:
    """Return the problem of a path in decimals with the Gram matrix that these hold, where its kernel is not rational.

    Of points whose values differ in their last digits alone each rounding of the matrix has a path of its own.
    """
    name, estimator = consistency.own(reported), cast(Any, problem.estimator())
    if not name.startswith("decimal"):
        return problem
    given = kernel_input.given(arithmetic.field(name), estimator.kernel, problem.x)
    if given.kernel.exact:
        return problem
    rows = [list(row) for row in given.exact_table()]
    return replace(problem, x=rows, parameters={**problem.parameters, "kernel": "precomputed"})


def _followed(asked_of: Problem, problem: Problem, digits: str, name: str) -> Any:
    """Return the path in that arithmetic, of decimals by so many digits more as the entries of its matrix have."""
    if problem is asked_of:
        return replace(problem, arithmetic=name).fitted()
    name = f"decimal:{int(name.partition(':')[2]) + int(digits)}" if name.startswith("decimal") else name
    F, path = arithmetic.field(name), cast(Any, replace(asked_of, arithmetic=name).estimator())
    known = Matrix.of([Vector.of(map(F.lift, row)) for row in problem.x])
    # Premise: the kernel is positive semidefinite by a theorem, however its values are rounded.
    return path.fit_given(replace(kernel_input.given(F, path.kernel, asked_of.x), known=known), asked_of.y)


def judge(asked_of: Problem, reported: dict[str, Any], asked: float) -> dict[str, Any]:
    """Return the verdict on a path: as it is found anew, or, where break points coincide, each point by itself.

    Of a path that is said to be reported down to some λ only, that part is judged; it must be no less than the
    package's own path in the answer's arithmetic reports.
    """
    problem, name = on_matrix(asked_of, reported), consistency.own(reported)
    make = partial(_followed, asked_of, problem, name.partition(":")[2])
    reference = Reference(make, name, consistency.REFITTED)
    down = _told(reported)
    if down:
        short = _shorter(asked_of, reported, down)
        if short:
            return {"accepted": False, "verdict": f"wrong: {short}", "reason": short}
        reference = Reference(partial(_part, reference, down), reference.own, reference.how)
    fitted = reported["fitted"]
    if "events" not in fitted or not set(POINTS) <= set(fitted):
        return _points(problem, reference, reported, asked)
    others = {**reported, "fitted": {name: v for name, v in fitted.items() if name != "events"}}
    found = _points(problem, reference, others, asked)
    return _with_events(reference, fitted, asked, found) if found["accepted"] else found


def _with_events(
    reference: Reference, fitted: Mapping[str, Any], asked: float, found: dict[str, Any]
) -> dict[str, Any]:
    """Return the verdict on a path whose break points are right, with its events."""
    words, left = reference.read(lambda right: events.dissent(right, fitted, asked))[0]
    if words:
        return {**found, "accepted": False, "verdict": f"wrong: {words}", "reason": words}
    if left:
        return {**found, "not_judged": {**found["not_judged"], "events": left}}
    return {**found, "digits": {**found["digits"], "events": "all"}}


def _points(problem: Problem, reference: Reference, reported: dict[str, Any], asked: float) -> dict[str, Any]:
    """Return the verdict on break points."""
    try:
        found = consistency.agreement(problem, reference, reported, asked)
    except Refusal as refusal:
        # Premise: a matrix that is not positive semidefinite, by its roundings, may have no path to the end.
        known = isinstance(refusal, InvalidInput) or (_told(reported) and not _convex(problem))
        alone = _by_points(problem, reported, asked) if known else None
        if alone is None:
            raise
        found = alone
    if not found["accepted"] and (found.get("wrong") or {}).get("attribute") in POINTS[1:]:
        found = _levelled(problem, reference, reported, asked) or found
    words = dissent(problem, reported, asked) if found["accepted"] else None
    return found if words is None else {**found, "accepted": False, "verdict": f"wrong: {words}", "reason": words}


def _told(reported: Mapping[str, Any]) -> Fraction:
    """Return λ down to which a path is said to be reported; 0 for all of it."""
    down = reported["fitted"].get("least_lambda") or 0
    return max(rational(down), Fraction(0)) if finite(down) else Fraction(0)


def _shorter(problem: Problem, reported: Mapping[str, Any], down: Fraction) -> str:
    """Return in words that an answer ends above where the package's own path in its arithmetic does; empty if not."""
    try:
        own: Any = replace(problem, arithmetic=str(reported.get("arithmetic", "float"))).fitted()
    except Refusal:
        return ""
    if down <= rational(own.least_lambda_) * (1 + NEAR):
        return ""
    return f"the path is reported down to {approximate(down):.9g}, but can be to {approximate(own.least_lambda_):.9g}"


def _part(reference: Reference, down: Fraction, name: str) -> Any:
    """Return the path in that arithmetic, as far down as that."""
    found = copy(reference.over(name))
    count = sum(rational(lam) >= down * (1 - NEAR) for lam in found.lambdas_)
    for part in (*POINTS, "events"):
        setattr(found, part + "_", getattr(found, part + "_")[:count])
    found.least_lambda_ = found.field().lift(down)
    return found


def _levelled(
    problem: Problem, reference: Reference, reported: dict[str, Any], asked: float
) -> Optional[dict[str, Any]]:
    """Return the verdict on a path whose intercepts are those of its multipliers as rounded; None if it is not right.

    Far from the origin the rounding of multipliers moves all of f, by more than the digits asked for of an intercept.
    Of points that are copies of each other several multipliers are optimal, and to the digits asked for so they are of
    points whose kernel values nearly depend on each other's: every machine is then proven to these digits, or to those
    but one that doubles or decimals hold of it.
    """
    alone = _by_points(problem, reported, asked)
    if alone is None:
        return None
    several = _copies(problem) or (alone["accepted"] and _balanced(problem, reported, asked))
    name, held = consistency.own(reported), list[float]()
    if not alone["accepted"]:
        if name == "exact":
            return None
        held = _held(problem, reference, name, reported, asked)
        digits = [_digits(problem, point, asked) for point in _machines(reported["fitted"])]
        if any(own < min(asked, max(1, most - LOST)) for own, most in zip(digits, held)):
            return None
    free = POINTS[1:] if several else POINTS[2:]
    fitted = {name: v for name, v in reported["fitted"].items() if name not in free}
    found = consistency.agreement(problem, reference, {**reported, "fitted": fitted}, asked)
    if not found["accepted"]:
        return None
    objective = alone["digits"]["objective"]
    found = verdict.limited(found, "objective", inf if objective == "all" else objective)
    if min(held, default=asked) < asked:
        words = f"{'doubles' if name == 'float' else 'decimals'} hold fewer digits than are asked for"
        left = {f"intercepts[{i}]": words for i, most in enumerate(held) if most < asked}
        found["verdict"] += f"; the ceiling is {verdict.shown(min(held))}"
        found = {**found, "ceiling": min(held), "not_judged": {**found["not_judged"], **left}}
    return found


def _held(problem: Problem, reference: Reference, name: str, reported: Mapping[str, Any], asked: float) -> list[float]:
    """Return for each break point the digits that doubles or decimals hold of it: those of the package's own path.

    In decimals it is the right one with every number rounded. Of another number of break points all have the fewest
    digits of any; where there is no path in doubles, all that are asked for.
    """
    count = len(reported["fitted"]["lambdas"])
    try:
        path = replace(problem, arithmetic=name).fitted() if name == "float" else reference.read(lambda right: right)[0]
    except Refusal:
        return [asked + LOST] * count
    fitted = {part: trusted.listed(getattr(path, part + "_")) for part in POINTS}
    rounded = {part: reading.in_arithmetic(name, values) for part, values in fitted.items()}
    digits = [_digits(problem, point, 0) for point in _machines(rounded)]
    return digits if len(digits) == count else [min(digits, default=asked)] * count


def _machines(fitted: Mapping[str, Any]) -> list[tuple[Fraction, list[Fraction], Fraction]]:
    """Return λ, the multipliers and λβ₀ at each break point."""
    return [
        (lam, list(map(rational, alpha)), lam * rational(b))
        for lam, alpha, b in zip(map(rational, fitted["lambdas"]), fitted["alphas"], fitted["intercepts"])
    ]


def _balanced(problem: Problem, reported: Mapping[str, Any], asked: float) -> bool:
    """Return whether the multipliers of each machine sum to zero to the digits asked for: a proof balances them."""
    classes = list(data.labels(problem.y)[0])
    signs = [1 if v == classes[-1] else -1 for v in problem.y]
    for alpha in reported["fitted"]["alphas"]:
        a = list(map(rational, alpha))
        excess = sum((v * t for v, t in zip(a, signs)), Fraction(0))
        if excess and kernel.digits(excess, sum(map(abs, a), Fraction(0))) < asked:
            return False
    return True


def _copies(problem: Problem) -> bool:
    """Return whether some points are equal."""
    rows = [tuple(x) for x in problem.x]
    return len(set(rows)) < len(rows)


def _by_points(problem: Problem, reported: Mapping[str, Any], asked: float) -> Optional[dict[str, Any]]:
    """Return the verdict on the machines at the break points; None if they are not reported, or not known."""
    try:
        own = {name: reported["fitted"][name] for name in POINTS}
        found = kernel.judge(trusted.asking(problem), {"fitted": own}, asked)
    except (ValueError, TypeError, KeyError, IndexError):
        return None
    good, digits = found["verdict"] == "accepted", float(found["digits"])
    words = f"right to {verdict.shown(digits)}" if good else f"wrong: {found['where']}"
    left = {
        name: "where break points coincide, others are right, too" for name in reported["fitted"] if name not in own
    }
    out = {"accepted": good, "verdict": words, "reason": words, "digits": verdict.plain({"objective": digits})}
    return {**out, "how": HOW, "not_judged": left}


POINTS = ("lambdas", "alphas", "intercepts")


def dissent(problem: Problem, reported: Mapping[str, Any], asked: float) -> Optional[str]:
    """Return where a path is broken, in words; None if nowhere, or if that is not known.

    Proof: of a path without break points the multipliers stand still, and λ‖f‖² grows without bound as λ falls, unless
    f is constant. If so for one λ, then the same multipliers satisfy every condition at any other. This, and that two
    algorithms end at one λ, holds where the kernel is positive semidefinite.
    """
    fitted = reported["fitted"]
    if not set(POINTS) <= set(fitted) or len(problem.x) > trusted.MOST:
        return None
    points = [point for point in _machines(fitted) if point[0] > 0]
    convex = _convex(problem)
    if not points:
        alike = not convex or _constant(problem)
        return None if alike else "it has no break points, and the machines are not constant"
    try:
        for (l0, a0, b0), (l1, a1, b1) in zip(points, points[1:]):
            half = ((l0 + l1) / 2, [(v + w) / 2 for v, w in zip(a0, a1)], (b0 + b1) / 2)
            held = min(asked, *(_digits(problem, p, asked) for p in ((l0, a0, b0), (l1, a1, b1))))
            if _digits(problem, half, held) < held - LOST:
                return f"between the breakpoints {approximate(l0):.9g} and {approximate(l1):.9g} there is another one"
    except (ValueError, TypeError, KeyError):
        return None
    other = None if _told(reported) or not convex else _other(problem)
    end = min(map(rational, other.lambdas_), default=None) if other is not None else None
    last = points[-1][0]
    on = end is not None and kernel.digits(max(last - end, kernel.ZERO), last) < asked / 2
    if on and _bends(problem, other, last):
        return f"the path goes on below {approximate(last):.9g}, to {approximate(end):.9g}"
    return None


def _bends(problem: Problem, path: Any, last: Fraction) -> bool:
    """Return whether λ(f − β₀) is no linear function of λ below some λ: else multipliers alone have break points."""
    lams = [last, *(lam for lam in map(rational, path.lambdas_) if lam < last)]
    known = []
    for lam in (*lams, lams[-1] / 2):
        f = [rational(v) for v in path.at(path.field().lift(lam)).decision_function(problem.x)]
        known.append((lam, [lam * (v - f[0]) for v in f]))
    for (l0, g0), (l1, g1), (l2, g2) in zip(known, known[1:], known[2:]):
        size = max(map(abs, [*g0, *g1, *g2]))
        if any(abs((l1 - l2) * (u - v) - (l0 - l1) * (v - w)) > NEAR * size * (l0 - l2) for u, v, w in zip(g0, g1, g2)):
            return True
    return False


def _digits(problem: Problem, point: tuple[Fraction, Sequence[Fraction], Fraction], asked: float) -> float:
    lam, alpha, b = point
    fitted = {"lambdas": [lam], "alphas": [list(alpha)], "intercepts": [b / lam]}
    return float(kernel.judge(trusted.asking(problem), {"fitted": fitted}, asked)["digits"])


def _convex(problem: Problem) -> bool:
    """Return whether the machine of each λ is the optimum; else two paths of stationary points may end apart."""
    estimator: Any = problem.estimator()
    if kernel_input.given(estimator.field(), estimator.kernel, problem.x).kernel.positive:
        return True
    try:
        own = kernel.Problem(trusted.asking(problem))
        return kernel.gram(own).convex(range(own.n), True)
    except (ValueError, TypeError, KeyError):
        return False  # of a kernel that is not positive, and that the kernel of trust does not know


def _constant(problem: Problem) -> bool:
    """Return whether f is constant at λ = 1, in fractions, by a solver that follows no path; True if it is unknown."""
    kept = {name: v for name, v in problem.parameters.items() if name == "kernel"}
    try:
        found: Any = replace(problem, method="svc", arithmetic="exact", parameters=kept).fitted()
    except Refusal:
        return True
    return len({*found.decision_function(problem.x)}) == 1


def _other(problem: Problem) -> Any:
    """Return the path that the algorithm finds which the problem does not name; None if it finds none."""
    other = "auto" if problem.parameters.get("solver") == "hastie" else "hastie"
    for name in ("exact", "decimal:40"):
        with suppress(Refusal):
            return replace(problem, arithmetic=name, parameters={**problem.parameters, "solver": other}).fitted()
    return None
