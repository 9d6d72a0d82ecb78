"""Fitting a kernel machine: floats first, what doubles cannot prove in longer numbers, and the proof beside it.

    1  a solver in doubles finds multipliers
    2  their gap in doubles, with what roundoff may hide of it, may say that they are good to ten digits
    3  else the intercept is chosen anew for them, from exact decision values, and the exact gap says how good they are
    4  and where that is not enough, the optimum is computed to 27 digits (`crossover`) and rounded (`rounding`)

In exact arithmetic and in decimals the data are rational numbers: the multipliers in doubles say which points are free,
their equations are solved exactly, and the solution is proven; decimals are that optimum, rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from math import isfinite
from typing import Optional

from refclass.certificate import ASKED, lost
from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact, Refusal
from refclass.kernels.matrices.product import exact_product
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import roundoff
from refclass.number.vanishing import vanish
from refclass.regress.kernel import certificate, fitted_machine, free_points, intercept
from refclass.regress.kernel import stationary as stationary_points
from refclass.regress.kernel.fitted_machine import Fitted
from refclass.regress.kernel.machine import Machine
from refclass.regress.kernel.newton import crossover
from refclass.regress.kernel.newton.crossover import Optimum
from refclass.regress.kernel.premises import (
    SMALL,
    direction_of,
    doubles_suffice,
    fraction,
    in_doubles,
    refuse_indefinite,
    refuse_inseparable,
)
from refclass.regress.kernel.rounded import rounding
from refclass.regress.kernel.rounded.rounding import Rounded

ENOUGH = 20  # digits that an optimum must prove before it is rounded: those of a double and some more

Solver = Callable[[Machine], Fitted]


def fit(
    F: Field,
    machine: Machine,
    exact: Optional[Callable[[], Machine]] = None,
    *,
    solver: Optional[Solver] = None,
    together: bool = False,
    stationary: bool = False,
    asked: int = ASKED,
) -> Fitted:
    """Return the machine fitted in its own arithmetic; floats are proven to nine digits, or to all that they can hold.

    exact         -> the machine with its numbers at their exact worth, as the user gave them; none: as it has them
    solver        what finds multipliers in doubles
    together      whether coefficients of a linear kernel may be those of the rounded multipliers, which are as much the
                  answer as they are
    stationary    whether, where K is not positive semidefinite, a stationary point is an answer
    asked         the digits of the objective that an answer of the solver in doubles must prove to be the answer

    Exact     yes, where F is; decimals are the exact optimum, rounded
    Raises    NoAnswer with a direction if K is not positive semidefinite where Σ aᵢ = 0, and with a ray where losses
              are infinite and no function keeps them finite; NotConverged with the bounds on the objective where not
              even one digit can be proven
    """

    @cache
    def whole() -> Machine:
        return certificate.lifted(machine if exact is None else exact())

    if not machine.positive and not stationary:
        refuse_indefinite(whole())
    if F.kind is float:
        return _in_doubles(machine, whole, solver or in_doubles, together, stationary, asked)
    given = machine if F.exact else whole()
    given = certificate.lifted(free_points.in_fractions(given))
    found = _exactly(given, solver or in_doubles)
    if F.kind is Fraction:
        return found
    beta = crossover.coefficients(given, list(map(rational, found.a)))
    return held(F, given, found if beta is None else replace(found, beta=Vector.of(beta)))


@contextmanager
def bounds_of(factor: Number, constant: Number = 0) -> Iterator[None]:
    """Refuse with bounds on an objective that is a factor times the machine's, and a constant  [ESL-Ex12.1]."""
    try:
        yield
    except NotConverged as refusal:
        known = {name: refusal.witness[name] for name in ("primal", "dual") if refusal.witness.get(name) is not None}
        own = {name: rational(factor) * rational(v) + rational(constant) for name, v in known.items()}
        witness = {**refusal.witness, **own}
        raise NotConverged(refusal.module, need=refusal.need, got=refusal.got, **witness) from refusal


# --- exactly ---


def _exactly(machine: Machine, solver: Solver) -> Fitted:
    """Return the exact optimum of a machine in fractions; of one that is not convex a stationary point."""
    direction = direction_of(machine)
    try:
        near, refusal = _tried(machine.over(BINARY64), solver)
    except (InvalidInput, OverflowError):  # Premise: what is beyond the doubles is for exact arithmetic to say.
        near, refusal = None, None
    if direction is not None:
        return stationary_points.exactly(machine, near, direction)
    start = fraction(near)
    if start is not None:
        found = free_points.solved(machine, start, free_points.CLOSE_IN_DOUBLES)
        if found is not None:
            return found
    good = near is not None and doubles_suffice(machine.over(BINARY64), near)
    if not good and machine.bounded:
        try:
            start = crossover.optimum(machine, None if near is None else (near.a, near.beta0)).a
            found = free_points.solved(machine, start)
        except NotConverged:
            found = None
        if found is not None:
            return found
    elif refusal is not None:
        refuse_inseparable(machine, refusal)
    return free_points.iterated(machine, start)


def held(F: Field, machine: Machine, exact: Fitted) -> Fitted:
    """Return an exact optimum in decimals, with the proof of what is left of it.

    Where each number rounded has fewer than nine digits, other roundings are tried, as for doubles.

    Raises    NotConverged with the bounds on the objective where not even one digit is held, without convexity where
              fewer than nine digits of the conditions are
    """
    found = of_decimals(machine, fitted_machine.rounded(F, exact))
    if found.proven is None:
        return stationary_points.in_decimals(F, machine, exact, found)
    digits = found.proven.digits or float(0)
    if digits < ASKED:
        beta = None if exact.beta is None else Vector.of(map(rational, exact.beta))
        optimum = Optimum(Vector.of(map(rational, exact.a)), rational(exact.beta0), beta)
        near = rounding.best(machine, optimum, together=True, lift=F.lift)
        other = of_decimals(machine, rounding.in_decimals(machine, near, found, F.lift))
        if other.proven is not None and (other.proven.digits or 0) > digits:
            found, digits = other, other.proven.digits or float(0)
    if digits >= 1:
        return found
    raise lost("fit", digits, certificate.certify(machine, exact.a, exact.beta0), F.name)


def of_decimals(machine: Machine, found: Fitted) -> Fitted:
    """Return a fit that was rounded to decimals with its proof, and with the objectives of the answer as delivered.

    Shapes    machine: its numbers at their exact worth
    """
    beta, beta0 = None if found.beta is None else Vector.of(map(rational, found.beta)), rational(found.beta0)
    proof = certificate.certify(machine, Vector.of(map(rational, found.a)), beta0, beta=beta)
    primal = proof.primal
    if proof.dual is None:
        return found
    if primal is not None and beta is not None:  # Premise: the function is delivered by β.
        f, square = certificate.linear(machine.K, beta)
        primal = certificate.least_primal(machine, square, f.plus(beta0))
    values = None if primal is None else (primal, proof.dual)
    return replace(found, proven=replace(proof, ceiling=proof.digits), objectives=values)


# --- in doubles ---


def _in_doubles(
    machine: Machine, whole: Callable[[], Machine], solver: Solver, together: bool, stationary: bool, asked: int
) -> Fitted:
    found, refusal = _tried(machine, solver)
    faint = found is not None and machine.intercept and _vanishes(machine, found)
    if found is not None and not faint and asked <= ASKED and doubles_suffice(machine, found):
        return _with_sure_ends(machine, whole, found)
    first = None if found is None else _judged(whole(), found, anew=faint)
    if found is not None and first is not None and first.digits >= asked:
        return rounding.delivered(whole(), first, found.steps)
    if stationary and (first.proof.dual is None if first is not None else direction_of(whole()) is not None):
        if first is None and refusal is not None and len(machine.y) > SMALL:
            raise refusal
        if first is None:
            return rounding.delivered(whole(), stationary_points.in_doubles(whole(), None, None))
        good = first.proof.status == "stationary"
        return rounding.delivered(whole(), first if good else stationary_points.in_doubles(whole(), found, first))
    try:
        best = _optimum(whole(), found, first, refusal)
    except NotConverged as cause:
        raise _unfinished(whole(), first, cause) from cause
    try:
        near = rounding.best(whole(), best, together=together)
    except OverflowError:
        raise NotExact("fit", need="an answer within the range of doubles", got="a larger one") from None
    if near.digits < ASKED and (other := _another(whole(), found)) is not None:
        beside = rounding.best(whole(), other, together=together)
        near, best = (beside, other) if beside.digits > near.digits else (near, best)
    ceiling = near.digits
    source: Optional[Optimum] = best
    # Premise: where more digits are asked of doubles, it is for the sake of what the objective hides; of a rounded
    # optimum the function has them.
    least = ceiling if asked <= ASKED else asked if ceiling >= ASKED else max(ASKED, ceiling + 1)
    if first is not None and first.digits > least:
        near, source = first, None
    if near.digits < 1:
        raise lost("fit", near.digits, certificate.certify(whole(), best.a, best.beta0), "doubles")
    final = rounding.delivered(whole(), near, 0 if found is None else found.steps, source)
    assert final.proven is not None
    return replace(final, proven=replace(final.proven, ceiling=max(ceiling, near.digits)))


def _with_sure_ends(machine: Machine, whole: Callable[[], Machine], found: Fitted) -> Fitted:
    """Return the fit, its interval of intercepts computed exactly where the multipliers at their bounds do not balance.

    Proof: between the ends no multiplier lies inside a piece, and the slope of the primal in b is −Σ aᵢ. Bounds of
    10⁻¹⁰⁰ beside others of one are nothing in a sum of doubles, yet leave one end alone.
    """
    low, high = found.interval
    if low == high or low is None or high is None:
        return found
    total = Fraction(0)
    for own, exact, parts in zip(machine.pieces, whole().pieces, found.parts):
        for p, q, v in zip(own, exact, parts):
            total += rational(q.low if v == p.low else q.high if v == p.high else v)
    if not total:
        return found
    exact = Vector.of(map(rational, found.a))
    low, high = map(float, intercept.best(whole(), exact_product(whole().K, exact)))
    return fitted_machine.valued(machine, replace(found, beta0=(low + high) / 2, interval=(low, high)))


def _tried(machine: Machine, solver: Solver) -> tuple[Optional[Fitted], Optional[Refusal]]:
    """Return what a solver in doubles finds, or why it gives up."""
    try:
        found = solver(machine)
    except (OverflowError, ZeroDivisionError):
        return None, None
    except InvalidInput as refusal:
        if refusal.module in ("gram", "data"):
            raise
        return None, None
    except Refusal as refusal:
        return None, refusal
    numbers = (*found.a, found.beta0, found.square)
    return (found, None) if all(map(isfinite, numbers)) else (None, None)


def _vanishes(machine: Machine, found: Fitted) -> bool:
    """Return whether doubles of the residuals have few digits of the function that the intercept is to balance."""
    spread = max(found.values) - min(found.values)
    return spread > 0 and vanish(spread, roundoff(float) * max(map(abs, machine.y)))


def _judged(machine: Machine, found: Fitted, anew: bool) -> Optional[Rounded]:
    """Return multipliers in doubles with their best intercept and their proof; None beyond the range of doubles.

    anew    whether the intercept found is not to be kept
    """
    try:
        a = rounding.balanced(machine, found.a)
        beta = rounding.settled(machine, a, crossover.coefficients(machine, list(map(rational, a))))
        reported = rounding.judged(machine, a, beta, None if beta is None or not any(beta) else found.beta0)
        kept = beta is None or (reported.digits >= ASKED and not anew)
        return reported if kept else rounding.judged(machine, a, beta)
    except OverflowError:
        return None


def _optimum(
    machine: Machine, found: Optional[Fitted], first: Optional[Rounded], refusal: Optional[Refusal]
) -> Optimum:
    """Return the optimum to 27 digits, or exactly."""
    if isinstance(refusal, NoAnswer) and not machine.bounded:
        if len(machine.y) <= SMALL:
            try:
                return _fractions(machine)
            except NotConverged:  # of a K that rounding made indefinite; few of its points may show a ray
                refuse_inseparable(machine, refusal, most=free_points.FEW)
                raise
        refuse_inseparable(machine, refusal)
    # Method: where not one digit is proven Newton's method takes long, and few points are solved at once in fractions.
    if len(machine.y) <= free_points.FEW and (first is None or first.digits < 1):
        return _fractions(machine)
    # Premise: from an answer that is worse than a constant the way to the optimum is longer than from zero.
    start, most = None, intercept.constant(machine)
    reached = None if first is None else first.proof.primal
    if found is not None and reached is not None and (most is None or reached < most):
        start = found.a, found.beta0
    try:
        best = crossover.optimum(machine, start)
    except NotConverged:
        if len(machine.y) > SMALL:
            raise
        return _fractions(machine, found)
    if len(machine.y) > SMALL or (certificate.certify(machine, best.a, best.beta0).digits or 0) >= ENOUGH:
        return best
    # Premise: where the objective is far smaller than its terms, 27 digits of these are not enough.
    exact = free_points.solved(machine, best.a)
    return best if exact is None else Optimum(exact.a, exact.beta0, crossover.coefficients(machine, exact.a))


def _another(machine: Machine, found: Optional[Fitted]) -> Optional[Optimum]:
    """Return the exact optimum whose free points are those of multipliers in doubles: of several, another may round.

    Where these points do not determine it, as those of copies, it is that of the active-set method, whose free points
    do: of copies all but one are at their bounds, which doubles hold, and that one takes what the others leave. None
    where there is no other.
    """
    if machine.strict:
        return None
    start = fraction(found) if len(machine.y) <= SMALL else None
    exact = None if start is None else free_points.solved(machine, start, free_points.CLOSE_IN_DOUBLES)
    if exact is not None:
        return Optimum(exact.a, exact.beta0, crossover.coefficients(machine, exact.a))
    try:
        return _fractions(machine, found) if len(machine.y) <= free_points.FEW else None
    except (NoAnswer, NotConverged):  # a table that rounding made indefinite has no optimum in fractions
        return None


def _fractions(machine: Machine, near: Optional[Fitted] = None) -> Optimum:
    fitted = free_points.iterated(machine, fraction(near))
    return Optimum(fitted.a, fitted.beta0, crossover.coefficients(machine, fitted.a))


def _unfinished(machine: Machine, first: Optional[Rounded], cause: NotConverged) -> NotConverged:
    """Return the refusal of a machine whose optimum is not found, with what is known of its objective."""
    zero = Vector.of([Fraction(0)] * len(machine.y))
    known = [(intercept.constant(machine), fitted_machine.dual_objective(machine, zero, Fraction(0)))]
    if first is not None:
        known.append((first.proof.primal, first.proof.dual))
    primal, dual = crossover.bounds(machine, cause, partial(certificate.certify, machine), known)
    got = f"fewer: {cause.module} needs {cause.need} and got {cause.got}"
    return NotConverged("fit", need=f"{ASKED} digits of the objective", got=got, primal=primal, dual=dual)
