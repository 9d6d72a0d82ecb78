"""Kernel logistic regression: the binomial deviance with the penalty of the support vector machine.

    minimise Σ wᵢ log(1 + e^(−yᵢf(xᵢ))) + ½λ‖f‖²,    f = Σ αᵢ K(xᵢ, ·) + β₀

f estimates the log-odds. At the optimum αᵢ = wᵢyᵢ/(λ(1 + e^(yᵢf(xᵢ)))): no coefficient is zero, so there are no support
vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import isfinite
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, lost
from refclass.errors import InvalidInput, NoAnswer, NotConverged, Refusal
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.deviance import Deviance
from refclass.losses.power_hinge import PowerHinge
from refclass.margins.magnification import refuse_denormal
from refclass.margins.penalised.balanced_intercepts import of_margins
from refclass.margins.penalised.multinomial_newton import enough
from refclass.margins.penalised.penalised import Fit, Problem
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.rational import ZERO
from refclass.number.vanishing import vanish
from refclass.regress.kernel import kept_sums, premises, smooth, smooth_certificate
from refclass.regress.kernel.newton import crossover
from refclass.regress.kernel.newton.loss_slopes import Logistic, Power
from refclass.regress.kernel.rounded import rounding

FEW = 60  # points up to which the optimum is computed in decimals where fixed-point numbers do not reach it
FAR = 2**20  # times as large as those of contrasts: diagonal entries of K that cost as many bits
WORK = 20_000  # multiplications of long numbers a step up to which a linear kernel's function gets digits of its own
PLACES = 100  # decimals it is computed in


def probability(F: Field, f: Number) -> Number:
    """Return Pr(+1 | x) for a log-odds f  [ESL-12.32].

        e^f/(1 + e^f) = 1/(1 + e^(−f))

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> probability(BINARY64, 0.0), probability(BINARY64, -800.0)
        (0.5, 0.0)
    """
    e = F.exp(-abs(f))
    return 1 / (1 + e) if f >= 0 else e / (1 + e)


def log_odds(F: Field, p: Number) -> Number:
    """Return log p/(1 − p): the contour of f on which the probability is p  [ESL-12.31].

    The contours of ¼ and ¾ are those of −log 3 and log 3.
    """
    return F.log(p / (1 - p))


def multipliers(F: Field, y: Vector, f: Vector, penalty: Number, weights: Vector) -> Vector:
    """Return the coefficients that decision values f call for at a stationary point  [ESL-12.31].

    αᵢ = wᵢyᵢ/(λ(1 + e^(yᵢfᵢ)))
    """
    return Vector.of([w * t * probability(F, -t * v) / penalty for t, v, w in zip(y, f, weights)])


def newton(problem: Problem, F: Field) -> smooth.Problem:
    """Return the problem of a smooth loss as Newton's method takes it."""
    losses = smooth.Losses(F, problem.loss, problem.y, problem.weights)
    return smooth.Problem(problem.table(), losses, problem.penalty, problem.intercept)


def fit(F: Field, problem: Problem, max_steps: Optional[int] = None) -> Fit:
    """Return the optimum for any smooth convex loss, by Newton's method from f = 0  [ESL-12.31].

    On separable data the optimum exists for every λ > 0; as λ → 0 its norm grows without bound, and its direction tends
    to that of the hard margin  [ESL-12.3.2-separation]. Doubles are proven to nine digits; where they fall short, and
    for a linear kernel with many points of the deviance, the loss is minimised in fixed-point numbers and rounded: the
    deviance, and powers of the hinge, of any exponent above 1.

    Cost      n³/6 + 10n² multiplications a step; np²/2 + p³/6 for a linear kernel with many points
    Raises    NotExact for the deviance in exact arithmetic; NotConverged with the last point after max_steps, or where
              doubles hold not one digit
    """
    found = _balanced(F, problem, _fitted(F, problem, max_steps))
    if F.kind is float:
        refuse_denormal(lambda: problem.exactly().K, found.a, found.values, found.beta0)
    return found


def _balanced(F: Field, problem: Problem, found: Fit) -> Fit:
    """Return a fit whose intercept has digits of a function that vanishes beside one, or as it is if none does."""
    spread = max(found.values) - min(found.values)
    if not problem.intercept or not spread or not vanish(spread, F.eps):
        return found
    exact = problem.exactly()
    beta0 = F.delivered("kernel_logistic", of_margins(exact, found.a, found.beta0))
    again = replace(found, beta0=beta0, interval=(beta0, beta0))
    if found.proven is None:
        return again
    again = _proven(F, exact, again)
    return _valued(F, replace(again, proven=replace(again.proven, ceiling=found.proven.ceiling)))  # type: ignore[type-var]


def _fitted(F: Field, problem: Problem, max_steps: Optional[int]) -> Fit:
    """Return the optimum, its intercept to the digits that the objective needs."""
    if F.kind is not float or not isinstance(problem.loss, (Deviance, PowerHinge)):
        return _newton(F, problem, max_steps) if F.kind is float else _in_the_field(F, problem, max_steps)
    found, proof = None, None
    if max_steps is not None or isinstance(problem.loss, PowerHinge) or not premises.narrow(problem.K):
        found = _tried(F, problem, max_steps)
    exact, start = problem.exactly(), None
    if found is not None:
        found = _proven(F, exact, found)
        proof, start = found.proven, (found.a, found.beta0)
        if _good(found):
            return _valued(F, found) if max_steps is not None or _near(exact, found) else _nearer(F, exact, found)
    return _rounded(F, exact, _found(exact, proof, start))


def _found(
    problem: Problem,
    proof: Optional[Certificate] = None,
    start: Optional[tuple[Vector, Number]] = None,
    more: int = PLACES,
) -> crossover.Optimum:
    """Return the optimum, in fixed-point numbers, and of few points in decimals where they do not find it."""
    try:
        return optimum(problem, start)
    except NotConverged as refusal:
        if "primal" in refusal.witness:
            raise
        if len(problem.y) > FEW:
            raise _unfinished(problem, proof, refusal) from refusal
    return _in_decimals(problem, proof, more)


def _unfinished(problem: Problem, proof: Optional[Certificate], cause: Refusal) -> NotConverged:
    """Return the refusal of a problem whose optimum is not found: the bounds of what was reached, or of f = 0."""

    certified = partial(_bounded, problem)
    proofs = [certified(Vector.of([ZERO] * len(problem.y)), ZERO), *([] if proof is None else [proof])]
    known = [(own.primal, own.dual) for own in proofs]
    primal, dual = crossover.bounds(problem.with_pieces(()), cause, certified, known)
    need, got = f"{ASKED} digits of the objective", str(cause)
    return NotConverged("kernel_logistic", need=need, got=got, primal=primal, dual=dual)


def _in_decimals(problem: Problem, proof: Optional[Certificate] = None, more: int = PLACES) -> crossover.Optimum:
    """Return the optimum of a few points by Newton's method in decimals, so many and those that I + WK/λ can lose.

    Raises    NotConverged with the bounds that are known, for many points, or where that does not find it
    """
    if problem.intercept and not problem.positive:
        return _of_contrasts(problem, lambda own: _in_decimals(own, proof, more))
    share = smooth_certificate.share(problem.penalty, problem.K.diagonal())
    D = decimal(more + smooth_certificate.places(share))
    try:
        if len(problem.y) > FEW:
            raise NotConverged("kernel_logistic", need=f"at most {FEW} points", got=len(problem.y))
        found = smooth.fit(newton(problem.over(D), D), max_steps=enough(share))
    except (NoAnswer, NotConverged) as refusal:  # Premise: K is positive, so that there is an optimum.
        raise _unfinished(problem, proof, refusal) from refusal
    return crossover.Optimum(Vector.of(map(rational, found.a)), rational(found.beta0), None)


def _newton(F: Field, problem: Problem, max_steps: Optional[int]) -> Fit:
    options = {} if max_steps is None else {"max_steps": max_steps}
    found = smooth.fit(newton(problem, F), **options)
    interval = (found.beta0, found.beta0)
    return Fit(found.a, found.beta0, found.values, interval, found.objectives, len(found.objectives) - 1)


def _in_the_field(F: Field, problem: Problem, max_steps: Optional[int]) -> Fit:
    """Return the optimum in numbers other than doubles, with its proof.

    Where Newton's method does not find nine digits of it there, because they are too short, it is the one in longer
    decimals, of many points and of a power of the hinge the one of 27 digits, rounded.

    Raises    NotConverged with its bounds where the numbers hold not one digit of it
    """
    exact, found = problem.exactly(), None
    try:
        found = _proven(F, exact, _newton(F, problem, max_steps))
    except (NoAnswer, InvalidInput, NotConverged, OverflowError, ZeroDivisionError):
        if max_steps is not None:
            raise
    if found is not None and _good(found):
        return _valued(F, found)
    longer = PLACES + getattr(problem.penalty, "precision", 0)
    quick = isinstance(problem.loss, PowerHinge) or (isinstance(problem.loss, Deviance) and len(problem.y) > FEW)
    best = _found(exact, more=longer) if quick else _in_decimals(exact, more=longer)
    return _rounded(F, exact, best, found)


def _tried(F: Field, problem: Problem, max_steps: Optional[int]) -> Optional[Fit]:
    """Return where Newton's method in doubles ends; None where roundoff stops it."""
    try:
        found = _newton(F, problem, max_steps)
    except (NoAnswer, InvalidInput, NotConverged, OverflowError, ZeroDivisionError) as refusal:
        if max_steps is not None and isinstance(refusal, NotConverged):
            raise
        return None
    return found if all(map(isfinite, (*found.a, found.beta0))) else None


def optimum(problem: Problem, start: Optional[tuple[Vector, Number]] = None) -> crossover.Optimum:
    """Return the optimum of the deviance, or of a power of the hinge, to 27 digits, by semismooth Newton's method.

    Shapes    problem: its numbers in fractions; start: multipliers and an intercept
    Raises    NotConverged for too many points of a kernel that is not linear
    """
    if problem.intercept and (not problem.positive or far(problem.K)):
        return _of_contrasts(problem, lambda own: optimum(own, start))
    machine, costs = problem.with_pieces(()), problem.weights / problem.penalty
    if not isinstance(problem.loss, PowerHinge):
        bits = crossover.length(machine, [4 / c for c in costs], kinks=False)
        most = enough(smooth_certificate.share(problem.penalty, problem.K.diagonal()))
        return crossover.solved(machine, Logistic(bits, problem.y, costs), bits, start=start, max_steps=most)
    p = rational(problem.loss.p)
    bits = crossover.length(machine, [1 / (c * p * (p - 1)) for c in costs], kinks=True)
    return crossover.solved(machine, Power(bits, problem.y, costs, p), bits)


def far(K: Any) -> bool:
    """Return whether the points of few rows lie so far from the origin that their contrasts are much smaller."""
    if len(K) > crossover.MOST or premises.narrow(K):
        return False
    diagonal, first = list(map(rational, K.diagonal())), list(map(rational, K.row(0)))
    return max([v - 2 * t + first[0] for v, t in zip(diagonal, first)]) * FAR < max(diagonal)


def _of_contrasts(problem: Problem, solved: Callable[[Problem], crossover.Optimum]) -> crossover.Optimum:
    def shifted(near: crossover.Optimum) -> crossover.Optimum:
        return replace(near, beta0=near.beta0 - Vector.of(map(rational, problem.K.row(0))) @ near.a)

    try:
        return shifted(solved(replace(problem, K=_on_contrasts(problem.K), positive=True)))
    except crossover.Unfinished as refusal:
        refusal.reached = list(map(shifted, refusal.reached))
        raise


def _on_contrasts(K: Matrix) -> Matrix:
    """Return Kᵢⱼ − Kᵢ₀ − K₀ⱼ + K₀₀ in fractions: where Σ aᵢ = 0 another intercept makes it the same function.

    It is positive semidefinite where K is so on the contrasts.
    """
    rows = [Vector.of(map(rational, K.row(i))) for i in range(len(K))]
    first = rows[0]
    return Matrix.of([Vector.of([v - row[0] - u + first[0] for v, u in zip(row, first)]) for row in rows])


def _rounded(F: Field, problem: Problem, best: crossover.Optimum, reached: Optional[Fit] = None) -> Fit:
    """Return the optimum in doubles or decimals, or what these reached where that is better, with its proof.

    Raises    NotConverged where they hold not one digit of it
    """
    fits = [*_roundings(F, problem, best), *([] if reached is None else [reached])]
    points = linear_points(problem.K)
    if points is not None and not any(_good(fit) and _near(problem, fit) for fit in fits):
        lift = partial(F.delivered, "kernel_logistic")
        fits += _proofs(F, problem, best, kept_sums.rounded(points, best.a, lift), None)
    found = max(fits, key=lambda fit: (fit.proven.digits or 0, -fit.proven.primal))  # type: ignore[union-attr]
    return _valued(F, _digits_of(problem, best, found, "doubles" if F.kind is float else F.name))


def _roundings(F: Field, problem: Problem, best: crossover.Optimum) -> list[Fit]:
    """Return the optimum rounded in several ways, each with its proof."""
    # Method: each multiplier to its nearest number, or so that their sum vanishes; f, or the intercept, is kept. A
    # linear function has its own coefficients, or those of the rounded multipliers, whose intercept is theirs.
    lift = partial(F.delivered, "kernel_logistic")
    ways = [list(map(lift, best.a))]
    if problem.intercept:
        ways.append(rounding.doubles(best.a, [lambda v: True] * len(best.a), lift))
    own = crossover.coefficients(problem.with_pieces(()), best.a)
    return [fit for a in ways for fit in _proofs(F, problem, best, a, own)]


def _proofs(
    F: Field, problem: Problem, best: crossover.Optimum, rounded: Sequence[Number], own: Optional[Sequence[Fraction]]
) -> list[Fit]:
    """Return the optimum with multipliers so rounded, and an intercept and coefficients: theirs, or those of it.

    own    the coefficients of the optimum; none where those of the multipliers alone are to be delivered
    """
    lift, fits, a = partial(F.delivered, "kernel_logistic"), [], Vector.of(rounded)
    values = exact_product(problem.K, list(map(rational, a)))
    missing = exact_product(problem.K, best.a) - values
    shifted = best.beta0 + missing.sum() / len(missing) if problem.intercept else best.beta0
    for beta0 in {lift(best.beta0), lift(shifted)}:
        fit = Fit(a, beta0, Vector.of(map(lift, values)), (beta0, beta0), (), 0)
        fits.append(_proven(F, problem, fit))
        if own is not None:
            fits.append(_proven(F, problem, replace(fit, beta=Vector.of(map(lift, own)))))
    return fits


def _proven(F: Field, problem: Problem, found: Fit) -> Fit:
    """Return a fit with its proof; a linear function with its coefficients, those of the multipliers if it has none."""
    if found.beta is None:
        own = crossover.coefficients(problem.with_pieces(()), list(map(rational, found.a)))
        lift = partial(F.delivered, "kernel_logistic")
        found = found if own is None else replace(found, beta=Vector.of(map(lift, own)))
    return replace(found, proven=certify(problem, found))


def _good(found: Fit) -> bool:
    return found.proven is not None and (found.proven.digits or 0) >= ASKED


def _near(problem: Problem, found: Fit) -> bool:
    """Return whether the proof says that f is within 10⁻⁹ of the optimum, or more costs long numbers of many points.

    The objective is flat at its minimum: nine digits of it leave f, and posteriors, four or five. By strong convexity
    |f(x) − f*(x)| ≤ √(2 gap K(x, x)/λ), intercepts aside.
    """
    points, n, proof = linear_points(problem.K), len(problem.y), found.proven
    if n > FEW if points is None else n * len(points[0]) ** 2 > WORK:
        return True
    assert proof is not None
    widest = max(map(rational, problem.K.diagonal()))
    return proof.gap is not None and 2 * proof.gap * widest * 10 ** (2 * ASKED) <= rational(problem.penalty)


def _nearer(F: Field, problem: Problem, found: Fit) -> Fit:
    """Return the optimum of 27 digits, rounded, or the fit where that has as many digits."""
    assert found.proven is not None
    try:
        best = optimum(problem, (found.a, found.beta0))
    except NotConverged:
        return _valued(F, found)
    return _rounded(F, problem, best, found)


def _digits_of(problem: Problem, best: crossover.Optimum, found: Fit, numbers: str) -> Fit:
    """Return the fit, an optimum rounded, with its digits as the ceiling.

    Raises    NotConverged with the bounds of the optimum where the rounded one has not one digit of it
    """
    proof = found.proven
    assert proof is not None
    if proof.digits is not None and proof.digits < 1:
        raise lost("kernel_logistic", proof.digits, _bounded(problem, best.a, best.beta0), numbers)
    return replace(found, proven=replace(proof, ceiling=proof.digits))


def _valued(F: Field, found: Fit) -> Fit:
    """Return the fit with the objective that was proven at the end of its iteration."""
    value = F.delivered("kernel_logistic", found.proven.primal)  # type: ignore[union-attr]
    return replace(found, objectives=(*found.objectives[:-1], value))


def _bounded(problem: Problem, a: Vector, beta0: Fraction) -> Certificate:
    """Return the proof of multipliers in fractions, its primal rounded up and its dual rounded down.

    Proof: computed in m decimals a loss and its conjugate err by less than 10²⁻ᵐ times the sum of w and the loss. None
    of the n partial sums exceeds the sum of all weights or the primal, and each is rounded once. Powers of 1, at
    f = 0, are exact. Losses are nowhere negative, and no optimum is.
    """
    proof = certify(problem, Fit(a, beta0, a, (beta0, beta0), (), 0))
    if proof.primal is None or proof.dual is None:
        return proof
    digits = smooth_certificate.precision(a, problem.weights, rational(problem.penalty))
    sizes = len(a) * (sum(map(rational, problem.weights)) + proof.primal)
    error = sizes / Fraction(10) ** (digits - 2) if any(a) or isinstance(problem.loss, Deviance) else ZERO
    return replace(proof, primal=proof.primal + error, dual=max(proof.dual - error, ZERO))


def certify(problem: Problem, answer: Fit, *, asked: float = ASKED) -> Certificate:
    """Return the proof of a fit by duality, and by strong convexity how far f is from the optimum.

    Exact     data and answer are taken as the rationals that they are; logarithms and exponentials are computed from
              them in 60 digits or more
    """
    machine = problem.with_pieces(())
    return smooth_certificate.certify(
        machine,
        problem.loss,
        problem.weights,
        problem.penalty,
        answer.a,
        answer.beta0,
        beta=answer.beta,
        asked=asked,
    )
