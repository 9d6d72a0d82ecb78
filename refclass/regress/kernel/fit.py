"""Training a kernel machine: floats first, what doubles cannot prove in longer numbers, and the proof beside it.

    1  a solver in doubles finds multipliers
    2  their gap in doubles, with a bound on what roundoff hides of it, may say that they are good to ten digits
    3  else the exact gap says how good they are
    4  and where it is not enough, the optimum is computed to 27 digits and rounded (`crossover`)

In exact arithmetic and in decimals the data are rational numbers: the exact optimum is computed from the one to 27
digits, and proven; decimals are that optimum, rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import fsum, isfinite
from typing import Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact
from refclass.kernels.product import exact_product, linear_points
from refclass.linear.vector import Vector
from refclass.number.binary64 import held
from refclass.number.field import Field, rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import roundoff
from refclass.regress.kernel import certificate, crossover, free_points
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.machine import Fitted, Machine

SMALL = 100  # points of a linear kernel up to which doubles are tried first: beyond, Newton's method is as fast as they
SPARE = 4  # the gap in doubles must be so many times smaller than is asked for
LOST = 64  # units of roundoff that an entry of the Gram matrix times its multiplier may carry


def fit(
    F: Field,
    machine: Machine,
    exact: Optional[Callable[[], Machine]] = None,
    *,
    solver: Callable[[Machine], Fitted] = dual.fit_in_doubles,
) -> Fitted:
    """Return the machine fitted in its own arithmetic; floats are proven to nine digits, or to all that they can hold.

    exact     -> the machine with its numbers at their exact worth, as the user gave them; none: as the machine has them
    solver    what finds multipliers in doubles

    Exact     yes, where F is; decimals are the exact optimum, rounded
    Raises    NoAnswer with a direction if K, not known to be positive semidefinite, is not where Σ aᵢ = 0; NotConverged
              with the bounds on the objective where not even one digit can be proven
    """
    whole = _Once(exact or (lambda: _exactly(machine)))
    if not machine.positive:
        dual.refuse_indefinite(whole())
    if F.kind is float:
        return _in_doubles(machine, whole, solver)
    found = _long(machine if F.exact else whole())
    return found if F.exact else dual.rounded(F, _with_coefficients(whole(), found))


class _Once:
    """A machine that is made when it is first asked for."""

    def __init__(self, make: Callable[[], Machine]) -> None:
        self.make = make
        self.made: Optional[Machine] = None

    def __call__(self) -> Machine:
        if self.made is None:
            self.made = self.make()
        return self.made


def _exactly(machine: Machine) -> Machine:
    return certificate.lifted(machine)


def _long(machine: Machine) -> Fitted:
    """Return the exact optimum of a machine in fractions."""
    exact = certificate.lifted(machine)
    try:
        near = crossover.optimum(exact).a
    except NotConverged:
        return dual.fit(RATIONAL, exact)
    return free_points.exactly(exact, near)


def _in_doubles(machine: Machine, whole: _Once, solver: Callable[[Machine], Fitted]) -> Fitted:
    found, start = _tried(machine, solver), None
    if found is not None:
        if comfortable(machine, found):
            return found
        found = _in_doubles_too(whole(), found)
        proof = certificate.certify(whole(), found.a, found.beta0, beta=found.beta)
        if proof.digits is not None and proof.digits >= ASKED:
            return replace(found, proven=proof)
        # Premise: from an answer that is worse than a constant the way to the optimum is longer than from zero.
        if proof.primal is not None and proof.primal < certificate.constant(certificate.lifted(whole())):
            start = found.a, found.beta0
    try:
        best = crossover.optimum(whole(), start)
    except NotConverged as refusal:
        if found is None:  # what the best constant and the multipliers zero prove is known without a fit
            exact = certificate.lifted(whole())
            zero = Vector.of([Fraction(0)] * len(exact.y))
            bounds = certificate.constant(exact), dual.dual_objective(exact, zero, Fraction(0))
        else:
            bounds = proof.primal, proof.dual
        need = f"{ASKED} digits of the objective"
        raise NotConverged("training", need=need, got=str(refusal), primal=bounds[0], dual=bounds[1]) from refusal
    return finished(machine, whole(), best)


def _with_coefficients(exact: Machine, found: Fitted) -> Fitted:
    """Return the fit with β = Σ aᵢxᵢ, of a linear kernel."""
    beta = crossover.coefficients(exact, list(map(rational, found.a)))
    return found if beta is None else replace(found, beta=Vector.of(beta))


def _in_doubles_too(exact: Machine, found: Fitted) -> Fitted:
    """Return the fit with β = Σ aᵢxᵢ rounded once, of a linear kernel."""
    whole = _with_coefficients(exact, found)
    if whole.beta is None:
        return found
    beta = Vector.of([float(held("training", v)) for v in whole.beta])
    return replace(found, beta=beta, square=float(certificate.linear(exact.K, beta)[1]))


def narrow(K: object) -> bool:
    """Return whether K is the Gram matrix of so many points of a linear kernel that its coefficients are fewer."""
    points = linear_points(K)
    return points is not None and len(points) > max(SMALL, len(points[0]))


def _tried(machine: Machine, solver: Callable[[Machine], Fitted]) -> Optional[Fitted]:
    """Return what a solver in doubles finds; None where it gives up, and where Newton's method is as fast."""
    smooth = all(p.curvature or (p.low == 0 and p.high == 0) for own in machine.pieces for p in own)
    if smooth and narrow(machine.K):
        return None
    try:
        found = solver(machine)
    except (NoAnswer, NotConverged, NotExact, OverflowError, ZeroDivisionError):
        return None
    except InvalidInput as refusal:
        if refusal.module in ("gram", "data"):
            raise
        return None
    numbers = (*found.a, found.beta0, found.square)
    return found if all(map(isfinite, numbers)) else None


def comfortable(machine: Machine, found: Fitted) -> bool:
    """Return whether doubles are enough to tell that the gap is far below what is asked for.

    Premise: with |Kᵢⱼ| ≤ max K an entry of Ka loses at most LOST units of max K Σ|a|; a loss, which is convex, rises
    by no more than at the ends of the residuals that are so near, and the bound falls by no more than that times Σ|a|.
    """
    unit, total = roundoff(float), fsum(map(abs, found.a))
    size = max(map(abs, machine.K.diagonal())) * total
    moved = LOST * unit * (size + abs(found.beta0) + machine.y.largest())
    gap, raised, primal = [], [], [found.square / 2]
    for own, t, v, a in zip(machine.pieces, machine.y, found.values, found.a):
        r = t - v - found.beta0
        lost = dual.loss(own, r)
        if lost is None or not dual.within(own, a):
            return False
        ends = dual.loss(own, r - moved), dual.loss(own, r + moved)
        if None in ends:
            return False
        raised.append(max(ends) - lost)
        gap.append(abs(lost + dual.conjugate(own, a).value - a * r))
        primal.append(lost)
    hidden = moved * total + fsum(raised)
    if machine.intercept:
        hidden += abs(fsum(found.a)) * (machine.y.largest() + abs(found.beta0) + size)
    whole = fsum(gap) + hidden
    return bool(isfinite(whole) and whole * SPARE * 10**ASKED <= fsum(primal))


def finished(machine: Machine, exact: Machine, best: crossover.Optimum) -> Fitted:
    """Return the fit in doubles that an optimum of the exact machine is rounded to, with its proof.

    Raises    NotConverged, with the bounds, where the optimum has not one digit in doubles
    """
    (a, beta0, beta), proof = _rounded(exact, best)
    if proof.digits is not None and proof.digits < 1:
        need, got = "an optimum that doubles can hold", f"{proof.digits} digits of it"
        raise NotConverged("training", need=need, got=got, primal=proof.primal, dual=proof.dual)
    parts = tuple([tuple(dual.parts_of(own, v)) for own, v in zip(machine.pieces, a)])
    if beta is None:
        values = exact_product(exact.K, list(map(Fraction, a)))
        square = Vector.of(map(Fraction, a)) @ values
    else:
        values, square = certificate.linear(exact.K, beta)
    proof = replace(proof, ceiling=proof.digits)
    f = Vector.of(map(float, values))
    return Fitted(a, parts, f, beta0, _interval(exact, best, beta0), float(square), 0, proof, beta)


def _rounded(machine: Machine, best: crossover.Optimum) -> tuple[crossover.Rounded, Certificate]:
    """Return the rounding of an optimum that proves the most digits, the first that proves enough, with its proof."""
    found: list[tuple[crossover.Rounded, Certificate]] = []
    for level in (False, True):
        for near in crossover.rounded(machine, best, level=level):
            found.append((near, certificate.certify(machine, near.a, near.beta0, beta=near.beta)))
            if (found[-1][1].digits or 0) >= ASKED:
                return found[-1]
    return max(found, key=lambda pair: pair[1].digits or 0)


def _interval(machine: Machine, best: crossover.Optimum, beta0: float) -> tuple[Optional[float], Optional[float]]:
    """Return the ends of the optimal intercepts in doubles; β₀ twice where there is but one."""
    if not machine.intercept:
        return beta0, beta0
    ends = dual.interval(machine, free_points.working(machine, best.a)[0], exact_product(machine.K, best.a))
    low, high = (None if end is None else float(end) for end in ends)
    return (beta0, beta0) if low is not None and high is not None and low >= high else (low, high)
