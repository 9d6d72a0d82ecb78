"""A multinomial fit in doubles brought to nine proven digits where the Gram matrix as rounded hides them."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, Callable, Optional

from refclass.certificate import ASKED, lost
from refclass.errors import NoAnswer, NotConverged
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.penalised import balanced_intercepts, multinomial, multinomial_certificate, multinomial_optimum
from refclass.margins.penalised.multinomial_newton import solved
from refclass.number.field import rational
from refclass.number.tolerance import roundoff
from refclass.regress.kernel import kept_sums
from refclass.regress.kernel.rounded import rounding

MANY = 300  # the same where an answer of doubles with a digit is near enough to start there
WIDER = 200  # parameters up to which a Hessian is factored where conjugate gradients leave an answer few digits
SURE = 1e-11  # roundoff of a value below which no proof is needed
CLOSE = 1e-10  # relative gap in doubles, with so little roundoff, below which nine digits are beyond doubt


def fit(problem: Any, exact: Callable[[], Any], max_steps: Optional[int] = None) -> Any:
    """Return the fit of a problem, in doubles `assured` unless only so many steps are allowed.

    Raises    NotConverged with the bounds where decimals are too short; NotExact where intercepts hide the functions
    """
    if max_steps is not None:
        return multinomial.fit(problem, max_steps=max_steps)
    return balanced_intercepts.resolved(problem, exact, _found(problem, exact))


def _found(problem: Any, exact: Callable[[], Any]) -> Any:
    if problem.F.kind is float:
        return assured(problem, exact(), _in_doubles(problem))
    try:
        reached = multinomial.fit(problem)
    except (NoAnswer, NotConverged):  # Premise: what is not found there, because they are too short, there is.
        zero = Vector.of([problem.F.kind(0)] * (problem.classes * (len(problem.labels) + 1)))
        alpha, beta0 = problem.blocks(zero)
        reached = multinomial.Fit(tuple(alpha), beta0, (problem.objective(zero),))
    found = certified(problem, exact(), reached)
    return _valued(problem, found if found[1].digits >= ASKED else _ceiling(problem, exact(), found))


def _in_doubles(problem: Any) -> Any:
    """Return the fit in doubles, by a factored Hessian of more features where conjugate gradients do not end."""
    try:
        return multinomial.fit(problem)
    except NotConverged:
        found = wider(problem)
        if found is None:
            raise
        return found


def wider(problem: Any) -> Any:
    """Return the fit by a factored Hessian of more features; None where they are too many, or it does not end."""
    try:
        found = solved(problem, width=WIDER // problem.classes)
    except (NotConverged, ArithmeticError):
        return None
    return None if found is None else multinomial.Fit(tuple(found[0]), found[1], found[2])


def certified(problem: Any, exact: Any, fit: Any) -> tuple[Any, Any]:
    """Return a fit, with coefficients where the kernel is linear, and its proof."""
    fit = _with_planes(problem, exact, fit)
    return fit, multinomial_certificate.certify(exact, exact.K, fit.alpha, fit.beta0, beta=fit.beta)


def _with_planes(problem: Any, exact: Any, fit: Any, alpha: Any = None) -> Any:
    """Return a fit with the coefficients Σ aᵢxᵢ of its own multipliers, or of these, where the kernel is linear."""
    points = linear_points(exact.K)
    if points is None or fit.beta is not None:
        return fit
    lift = partial(problem.F.delivered, "multinomial")
    sums = [combination(points, Scaled.of(own), len(points[0])) for own in alpha or fit.alpha]
    return replace(fit, beta=tuple([Vector.of(map(lift, own.fractions())) for own in sums]))


def _valued(problem: Any, found: tuple[Any, Any]) -> Any:
    """Return a fit with the objective that was proven at the end of its iteration."""
    fit, proof = found
    value = problem.F.delivered("multinomial", proof.primal)
    return replace(fit, objectives=(*fit.objectives[:-1], value))


def assured(problem: Any, exact: Any, fit: Any) -> Any:
    """Return a fit to nine digits, proven unless they are beyond doubt, or the better one of two.

    exact    the problem with its numbers as given, without rounding
    fit      what `multinomial.fit` ended at

    Where nine digits are missing the functions are fitted to the Gram matrix centred in fractions before it is rounded,
    K − u1ᵀ − 1uᵀ, which keeps what offsets hide, and the intercepts are computed exactly from the multipliers; of few
    points the optimum is computed in decimals, and rounded: its digits are the ceiling.

    Raises    NotConverged with the bounds, those of the answer of the least gap, where less than a digit is proven, or
              less than nine and the optimum, of more multipliers, is not computed
    """
    terms = max(map(abs, problem.K.diagonal())) * max(sum(map(abs, own)) for own in fit.alpha)
    # Premise: what roundoff takes off a sum of multipliers is little beside the least weight, their bound.
    reach = max(sum(map(abs, own)) for own in fit.alpha) / min(problem.weights)
    if roundoff(float) * max(terms, reach) <= SURE and gap(problem, fit) <= CLOSE:
        return _with_planes(problem, exact, fit)
    found: Any = certified(problem, exact, fit)
    for again in (partial(wider, problem), partial(refitted, problem, exact, fit)):
        if found[1].digits < ASKED:
            with suppress(NotConverged):
                other = again()
                found = found if other is None else max(found, certified(problem, exact, other), key=_digits)
    if found[1].digits < ASKED:
        found = _ceiling(problem, exact, found)
    return _valued(problem, found)


def gap(problem: Any, fit: Any) -> float:
    """Return the duality gap as doubles have it, as part of the objective; infinite where multipliers are not feasible.

    q_ik = 1{gᵢ = k} − λα_ik/wᵢ, of the own class one less the others, so that small losses keep their digits.
    """
    lam, products = float(problem.penalty), [problem.K @ own for own in fit.alpha]
    square = lam * sum(own @ p for own, p in zip(fit.alpha, products)) / 2
    lost, entropy = [], []
    for h, a, w, g in zip(zip(*products), zip(*fit.alpha), problem.weights, problem.labels):
        lost.append(w * multinomial.log_loss(problem.F, [v + b for v, b in zip(h, fit.beta0)], g))
        q = [-lam * v / w for k, v in enumerate(a) if k != g]
        others = math.fsum(q)
        if min(q) < -roundoff(float) * max(q) * len(a) or not others < 1:
            return math.inf
        entropy += [-w * v * math.log(v) for v in q if v > 0]
        entropy.append(-w * (1 - others) * math.log1p(-others))
    primal, dual = math.fsum(lost) + square, math.fsum(entropy) - square
    return abs(primal - dual) / primal if primal > 0 else math.inf


def _ceiling(problem: Any, exact: Any, found: Any) -> Any:
    """Return the better one of a fit of few digits and the optimum rounded, whose digits are the ceiling.

    Raises    NotConverged where less than a digit is proven, with the bounds of the optimum where it is computed
    """
    most, known = MANY if found[1].digits >= 1 else multinomial_optimum.FEW, None
    best = multinomial_optimum.in_decimals(problem, exact, found[0], most)
    for ways in (_roundings, _of_kept_sums) if best is not None else ():
        if known is None or known < ASKED:
            for other in ways(problem, exact, best, found[0]):
                near = certified(problem, exact, other)
                known = max(known or 0.0, near[1].digits or 0.0)
                found = max(found, near, key=_digits)
    fit, proof = found
    if proof.digits < 1 or (known is None and proof.digits < ASKED):
        raise _refusal(problem, exact, best, found)
    return replace(fit, ceiling=known), proof


def _refusal(problem: Any, exact: Any, optimum: Any, found: Any) -> NotConverged:
    """Return the refusal of a fit, with the bounds of the optimum where that was computed, else its own."""
    fit, proof = found
    if optimum is None:
        return lost("multinomial", proof.digits, proof, alpha=fit.alpha, beta0=fit.beta0)
    best, numbers = optimum[0], "doubles" if problem.F.kind is float else problem.F.name
    known = multinomial_certificate.certify(exact, exact.K, best.alpha, best.beta0)
    return lost("multinomial", proof.digits, known, numbers, alpha=fit.alpha, beta0=fit.beta0)


def _digits(pair: Any) -> Any:
    return pair[1].digits, -pair[1].gap


def refitted(problem: Any, exact: Any, fit: Any) -> Any:
    """Return the fit to the Gram matrix that is centred before it is rounded."""
    n = len(problem.labels)
    rows: Any = [Scaled.of(exact.K.row(i)).fractions() for i in range(n)]
    if problem.intercept:
        means = [sum(row) / n for row in rows]
        mean = sum(means) / n
        rows = [[v - a - b + mean for v, b in zip(row, means)] for row, a in zip(rows, means)]
    K = Matrix.of([Vector.of(map(float, row)) for row in rows])
    alpha, beta0, objectives, f = solved(replace(problem, K=K, points=None))
    other = replace(fit, alpha=tuple(alpha), beta0=beta0, objectives=objectives)
    if not problem.intercept:
        return other
    return replace(other, beta0=_intercepts(exact, alpha, f))


def _roundings(problem: Any, exact: Any, optimum: Any, fit: Any) -> list[Any]:
    """Return an optimum rounded to the problem's numbers; to doubles also with intercepts that keep f.

    Coefficients of a linear kernel are those of the optimum, rounded, or those of the rounded multipliers.
    """
    lift, (best, f) = problem.F.lift, optimum
    alpha = tuple([Vector.of(map(lift, own)) for own in best.alpha])
    plain = replace(fit, alpha=alpha, beta0=Vector.of(map(lift, best.beta0)), beta=None)
    every = [plain]
    if problem.intercept and problem.F.kind is float:
        evened = tuple([Vector.of(rounding.doubles(own, [lambda v: True] * len(own))) for own in best.alpha])
        every += [replace(plain, alpha=own, beta0=_intercepts(exact, own, f)) for own in (alpha, evened)]
    linear = linear_points(exact.K) is not None
    return [*every, *([_with_planes(problem, exact, own, best.alpha) for own in every] if linear else [])]


def _of_kept_sums(problem: Any, exact: Any, optimum: Any, fit: Any) -> list[Any]:
    """Return an optimum with a linear kernel rounded so that the sums of its multipliers stay."""
    points, (best, _) = linear_points(exact.K), optimum
    if points is None:
        return []
    lift, columns = problem.F.lift, [list(map(rational, own)) for own in best.alpha]
    every = [kept_sums.balanced(points, columns, lift), [kept_sums.rounded(points, own, lift) for own in columns]]
    plain = replace(fit, beta0=Vector.of(map(lift, best.beta0)), beta=None)
    return [replace(plain, alpha=tuple(map(Vector.of, own))) for own in every]


def _intercepts(exact: Any, alpha: Any, f: Any) -> Vector:
    """Return the intercepts, of sum zero, with which functions of these multipliers come nearest to the values f."""
    h = [exact_product(exact.K, [Fraction(v) for v in own]) for own in alpha]
    b = [sum([rational(v) - w for v, w in zip(*pair)]) / len(own) for own, pair in zip(alpha, zip(f, h))]
    middle = sum(b) / len(b)
    return Vector.of([float(v - middle) for v in b])
