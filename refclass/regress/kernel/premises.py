"""Premises of a fit in doubles: curvature, range, and which refusal is due."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import repeat
from math import dist, fsum, inf, isfinite, sqrt, ulp
from operator import mul
from typing import Any, Optional

from refclass.certificate import ASKED
from refclass.errors import NoAnswer, NotConverged, Refusal
from refclass.kernels.matrices.product import linear_points
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Pieces, alike, conjugate, value, within
from refclass.number.field import Number
from refclass.number.tolerance import roundoff
from refclass.optimise.decomposition import solver as decomposition
from refclass.optimise.quadratic import definiteness
from refclass.regress.kernel import fitted_machine, free_points
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.fitted_machine import Fitted
from refclass.regress.kernel.machine import Machine

SETS = 200  # working sets, and one more for each point, after which doubles make no more progress: most fits take ten
NARROW = 100  # points of a linear kernel beyond which Newton's method in longer numbers is as fast as doubles
SINGULAR = 600  # points up to which Newton's method takes seconds, where decomposition in doubles cycles
SMALL = 120  # points up to which the active-set method in fractions takes some seconds
SPARE = 10  # the gap in doubles must be so many times smaller than is asked for


def in_doubles(machine: Machine) -> Fitted:
    """Return the machine as decomposition leaves it, its multipliers clipped to their bounds.

    Raises    NotConverged where roundoff stops it, and, if the losses are smooth, where Newton's method in longer
              numbers is as fast: on many points of a linear kernel, and on few where K + κ is singular in doubles
    """
    refuse_singular(machine)
    if _least_curvature(machine) and narrow(machine.K):
        raise NotConverged("fit", need="few points, or a kink", got="many points of a linear kernel")
    return fitted_machine.fitted(machine, decomposition.ended(machine.problem(), max_steps=SETS + len(machine.y)))


def refuse_singular(machine: Machine) -> None:
    """Raises NotConverged where the losses are smooth, the points are few, and K + κ is singular in doubles."""
    least, n = _least_curvature(machine), len(machine.y)
    if least and n <= SINGULAR and n * roundoff(float) * max(map(abs, machine.K.diagonal())) > least:
        raise NotConverged("fit", need="a system that doubles can hold", got="a singular one")


def _least_curvature(machine: Machine) -> Number:
    pieces = [p for own in machine.pieces for p in own if p.low != 0 or p.high != 0]
    return min([p.curvature for p in pieces], default=float(0))


def narrow(K: object) -> bool:
    """Return whether K is the Gram matrix of so many points of a linear kernel that its coefficients are fewer."""
    points = linear_points(K)
    return points is not None and len(points) > max(NARROW, len(points[0]))


def refuse_indefinite(machine: Machine) -> None:
    """Raises NoAnswer, with a direction, unless K at its exact worth is positive semidefinite where Σ aᵢ = 0."""
    # Premise: curvatures of pieces are ≥ 0 and parts of one point share its row, so that only K is in question.
    if not machine.positive:
        definiteness.refuse_indefinite(machine.K, machine.intercept, "dual", machine.counted)


def direction_of(machine: Machine) -> Optional[Vector]:
    """Return a direction of negative curvature; None where the machine is a convex problem."""
    return None if machine.positive else definiteness.definite(machine.K, machine.intercept, machine.counted)[1]


def fraction(near: Optional[Fitted]) -> Optional[Vector]:
    """Return the multipliers of a fit as fractions, None without one."""
    return None if near is None else Vector.of(map(Fraction, near.a))


def refuse_inseparable(machine: Machine, refusal: Refusal, *, every: bool = False, most: int = SMALL) -> None:
    """Raises NoAnswer with an exact ray where a ray in doubles says that no function keeps all losses finite.

    The points with an entry in the ray are few, and a ray of theirs is one of all, unless roundoff made K indefinite:
    then NotConverged is raised (`free_points.refuse_rounded`).

    every    whether points without an entry are taken too, as long as they are few
    most     points that are taken: those of the largest entries
    """
    weights = refusal.witness.get("weights", {})
    ray = refusal.witness.get("ray") or [weights.get(i, 0) for i in range(len(machine.y))]
    if len(ray) != len(machine.y):
        return
    places = sorted(sorted(range(len(ray)), key=lambda i: -abs(ray[i]))[:most])
    places = [i for i in places if every or ray[i]]
    if not places:
        return
    few = dual.part(machine, places)
    try:
        free_points.iterated(few, None)
    except NoAnswer as proven:
        reported = proven.witness.get("ray")
        if reported is None:
            raise
        exact = [Fraction(0)] * len(ray)
        for i, v in zip(places, reported):
            exact[i] = v
        whole = NoAnswer(refusal.module, need=refusal.need, got=refusal.got, ray=Vector.of(exact))
        free_points.refuse_rounded(machine, whole)
        raise whole from None


def doubles_suffice(machine: Machine, found: Fitted) -> bool:
    """Return whether doubles are enough to show that the gap is far below what is asked for, and the objective so well.

    Method: an entry of Ka is a sum of terms aⱼKᵢⱼ, off by some units of `terms`, and the residual with it. An estimate,
    to decide whether a proof is worth its price.

    Cost      3 evaluations of its loss for each point whose multiplier is no slope at its residual
    """
    unit, beta0, sizes = roundoff(float), found.beta0, list(map(abs, found.a))
    points, shift = linear_points(machine.K), abs(beta0)
    pull = terms(machine.K, found.a, machine.positive)
    groups = [(own, _conjugate(own, v), v, places) for own, v, places in alike(machine.pieces, found.a)]
    residuals = [t - v - beta0 for t, v in zip(machine.y, found.values)]
    largest = max(pull) + max(map(abs, machine.y)) + shift
    gap, slack = [], float(0)
    for own, known, a, places in groups:
        if known is None:
            return False
        paid, left, right = known
        there = [residuals[i] for i in places]
        # Premise: where a is a slope of V at r, V(r) + V*(a) = ar.
        if left <= min(there) - unit * largest and max(there) + unit * largest <= right:
            continue
        for i, r in zip(places, there):
            moved = unit * (pull[i] + abs(machine.y[i]) + shift)
            if left <= r - moved and r + moved <= right:
                continue
            # Premise: V(r) + V*(a) − ar is convex in r, and largest at an end.
            near = [(value(own, e), e) for e in (r - moved, r, r + moved)]
            lost, _ = near[1]
            if lost is None:
                slack = max(slack, abs(r))
            gap.append(max([abs((v or 0) + paid - a * e) for v, e in near]))
    if machine.intercept:
        gap.append(abs(fsum(found.a)) * largest)
    # Premise: Σ |aᵢ| times by how much roundoff may move residual i; and what underflow takes from each product.
    hidden = unit * (fsum(map(mul, sizes, pull)) + fsum(map(mul, sizes, map(abs, machine.y))) + shift * fsum(sizes))
    most = 1 + fsum(sizes)
    hidden += ulp(float(0)) * (len(sizes) + (1 if points is None else len(points[0]))) * most * most
    whole = fsum(gap) + slack * found.square
    objective = found.objective
    return bool(isfinite(whole) and isfinite(objective) and max(whole * SPARE, hidden) * 10**ASKED <= objective)


def terms(K: Any, a: Sequence[Number], positive: bool) -> list[float]:
    """Return a bound on Σⱼ |aⱼKᵢⱼ| for every i, in doubles: that sum itself, or √Kᵢᵢ Σ |aⱼ|√Kⱼⱼ of a positive K.

    Cost      n values of the kernel for each a that is not zero, where it is not positive; else n
    """
    points, sizes = linear_points(K), [float(abs(v)) for v in a]
    if not positive:
        sums = [float(0)] * len(sizes)
        for j, v in enumerate(sizes):
            if v:
                sums = [t + v * float(abs(k)) for t, k in zip(sums, K.row(j))]
        return sums
    if points is None:
        roots = [sqrt(float(abs(v))) for v in K.diagonal()]
    else:
        roots = list(map(dist, points, repeat((float(0),) * len(points[0]))))
    weight = fsum(map(mul, sizes, roots))
    return [root * weight for root in roots]


def _conjugate(pieces: Pieces, a: float) -> Optional[tuple[float, float, float]]:
    """Return V*(a) and its slopes to the left and to the right; None where V*(a) is infinite."""
    if not within(pieces, a):
        return None
    paid, left, right = conjugate(pieces, a)
    return paid, -inf if left is None else left, inf if right is None else right
