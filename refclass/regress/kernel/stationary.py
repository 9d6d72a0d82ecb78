"""Stationary points of a machine that is not convex: exact, and rounded to numbers that hold their conditions."""

from __future__ import annotations

from fractions import Fraction
from typing import Optional

from refclass.certificate import ASKED
from refclass.errors import NoAnswer, NotConverged
from refclass.kernels.matrices.product import exact_product
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, rational
from refclass.regress.kernel import certificate, free_points
from refclass.regress.kernel.fitted_machine import Fitted
from refclass.regress.kernel.machine import Machine
from refclass.regress.kernel.newton import crossover
from refclass.regress.kernel.premises import SMALL, direction_of, fraction
from refclass.regress.kernel.rounded import rounding
from refclass.regress.kernel.rounded.rounding import Rounded

STEPS = 10  # for each point, on the way to a stationary point: without convexity the active-set method may not end


def exactly(machine: Machine, near: Optional[Fitted], direction: Vector) -> Fitted:
    """Return a machine whose KKT conditions hold exactly, found as if its Gram matrix were positive semidefinite.

    Raises    NoAnswer, with a direction, where the dual falls for ever along it; NotConverged, with one of negative
              curvature, where no stationary point is found: there may be one, and is if multipliers are bounded
    """
    need = "a kernel that is positive semidefinite, or a stationary point"
    try:
        found = free_points.iterated(machine, fraction(near), max_steps=STEPS * (len(machine.y) + 1))
        if certificate.certify(machine, found.a, found.beta0).worst_violation == 0:
            return found
    except NoAnswer as refusal:
        ray = _falling(machine, refusal.witness.get("direction") or refusal.witness.get("ray"))
        if ray is not None:
            got = "negative curvature, and a direction along which the dual falls for ever"
            raise NoAnswer("train", need=need, got=got, direction=ray) from None
    except (NotConverged, ZeroDivisionError):
        pass
    got = "a direction of negative curvature, and an iteration that ends elsewhere"
    raise NotConverged("train", need=need, got=got, direction=direction)


def _falling(machine: Machine, motion: Optional[Vector]) -> Optional[Vector]:
    """Return the multipliers d of a motion of the parts that no bound ends, if the dual falls along it for ever.

    Proof: along d its slope changes by dᵀKd + Σ κv². Where that is zero, and Kd is constant or, without an intercept,
    zero, the slope is Σ (s − yᵢ)v at every feasible point: Σ aᵢ = 0 there.
    """
    if motion is None:
        return None
    parts = list(zip(machine.places, [p for own in machine.pieces for p in own], motion))
    if any(v and (p.high if v > 0 else p.low) is not None for _, p, v in parts):
        return None
    d, zero = [Fraction(0)] * len(machine.y), Fraction(0)
    for i, _, v in parts:
        d[i] += v
    ray, pull = Vector.of(d), exact_product(machine.K, d)
    bend = ray @ pull + sum([p.curvature * v * v for _, p, v in parts], zero)
    slope = sum([(p.slope - machine.y[i]) * v for i, p, v in parts], zero)
    level = len(set(pull)) == 1 if machine.intercept else not any(pull)
    balanced = not machine.intercept or ray.sum() == 0
    return ray if balanced and (bend < 0 or (bend == 0 and level and slope < 0)) else None


def in_decimals(F: Field, machine: Machine, exact: Fitted, found: Fitted) -> Fitted:
    """Return an exact stationary point in decimals: each number rounded, `found`, or otherwise.

    Raises    NotConverged with its objective where its conditions hold to fewer than nine digits
    """
    beta = None if found.beta is None else Vector.of(map(rational, found.beta))
    proof = certificate.certify(machine, Vector.of(map(rational, found.a)), rational(found.beta0), beta=beta)
    if proof.status == "stationary":
        return found
    for near in rounding.candidates(machine, exact.a, crossover.coefficients(machine, exact.a), True, F.lift):
        if near.proof.status == "stationary":
            return rounding.in_decimals(machine, near, found, F.lift)
    raise _not_held(F, proof.primal)


def in_doubles(machine: Machine, found: Optional[Fitted], first: Optional[Rounded]) -> Rounded:
    """Return an exact stationary point in doubles, where its conditions hold to nine digits.

    found, first    where a solver in doubles ended, and the proof of it; none where it refused what is not convex

    Raises    NotConverged with the objective of the answer that doubles ended at; NoAnswer with a direction
    """
    direction = direction_of(machine)
    if direction is not None and len(machine.y) <= SMALL:
        exact = exactly(machine, found, direction)
        for near in rounding.candidates(machine, exact.a, crossover.coefficients(machine, exact.a), True):
            first = first or near
            if near.proof.status == "stationary":
                return near
    raise _not_held(BINARY64, first.proof.primal if first else None)


def _not_held(F: Field, primal: Optional[Fraction]) -> NotConverged:
    need, got = f"{ASKED} digits of the conditions of a stationary point", f"fewer in {F.name} (scale K)"
    return NotConverged("fit", need=need, got=got, primal=primal)
