"""Lee, Lin and Wahba's machine in doubles, also where its functions vanish beside their intercepts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from refclass.certificate import ASKED
from refclass.errors import NotConverged
from refclass.kernels.matrices import gram
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate
from refclass.margins.lee_lin_wahba.float_fit import approximate, assured, finished, optima, proof_of, reported
from refclass.margins.lee_lin_wahba.problem import Machine, over
from refclass.margins.lee_lin_wahba.trained_machine import Trained, rounded, trained
from refclass.margins.magnification import magnified, refuse_below_normal
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import roundoff
from refclass.number.vanishing import refuse_ties, vanish

MODULE = "lee_lin_wahba"
LEFT = 10**9  # one over the part of what the functions change in the losses by which conditions may fail


def fit(machine: Machine, found: Trained) -> Trained:
    """Return the machine trained to nine digits, and functions that vanish beside one to digits of their own.

    found    what doubles end at

    Which points pay for which class does not depend on the size of the functions, but for ends of the intercepts: these
    are computed from the multipliers in fractions, and the conditions on the scale of the functions.

    Raises    NotConverged as `float_fit.assured`, and with the bounds where functions that vanish are not found;
              NotExact where roundoff of the intercepts hides which function is the largest, or they are denormal
    """
    if not vanish(max(max(own) - min(own) for own in found.values), roundoff(float)):
        return assured(machine, found)
    exact = over(RATIONAL, machine)
    larger = partial(gram.magnified, machine.K, about_first=True)
    reach = max(map(abs, larger(0).diagonal())) * sum(map(sum, exact.costs)) / exact.scale
    lost = reach > 1 and not any(map(any, found.alpha))
    if lost or not reach:  # of functions that may be large no multiplier was found, or all are zero with the kernel
        if not reach:
            refuse_below_normal(_largest_contrast(exact.K))
        return assured(machine, found)

    def solve(K: Any) -> Trained:
        other = replace(machine, K=K)
        return assured(other, approximate(other))

    def size(own: Trained) -> Fraction:
        return _spread(_exactly(exact, own))

    other = magnified(larger, found, solve, size, rational(reach), Fraction(1, 2 * machine.classes))
    best = _exactly(exact, found if other is None else other)
    if other is None or _missed(exact, best):
        known = [trained(exact, alpha, found.steps) for alpha in optima(exact, found, ASKED)]
        if not all(map(_spread, known)):
            return assured(machine, found)  # whose functions are constants, and their multiples roundoff
        nearest = [_exactly(exact, rounded(exact, one, float)) for one in known]
        held = next((own for own in nearest if not _missed(exact, own)), None)
        if held is None:
            best = (known or [best])[0]
            proof = certificate.certify(exact, best.alpha, best.beta0)
            need, got = "functions that doubles tell from their intercepts", "none"
            raise NotConverged(MODULE, need=need, got=got, primal=proof.primal, dual=proof.dual)
        best = held
    means = [own.sum() / len(own) for own in best.values]
    refuse_ties(MODULE, roundoff(float), list(best.beta0), means, _spread(best))
    delivered = rounded(exact, best, float)
    proof = proof_of(exact, delivered)
    return reported(delivered, proof) if (proof.digits or 0) >= ASKED else finished(exact, delivered, proof)


def _missed(machine: Machine, found: Trained) -> bool:
    """Return whether conditions fail by more than a part of what the functions change in the losses."""
    return LEFT * _failing(machine, found) > _spread(found) * sum(map(sum, machine.costs))


def _largest_contrast(K: Any) -> Fraction:
    """Return the largest square of a distance from the first point, in fractions: doubles of it may be zero."""
    first = K.row(0)
    return Fraction(max(v - 2 * u + first[0] for v, u in zip(K.diagonal(), first)))


def _exactly(exact: Machine, found: Trained) -> Trained:
    return trained(exact, tuple([Vector.of(map(rational, own)) for own in found.alpha]), found.steps)


def _spread(found: Trained) -> Fraction:
    return Fraction(max(max(own) - min(own) for own in found.values))


def _failing(machine: Machine, found: Trained) -> Fraction:
    """Return Σ (L − α)[f − y]₊ + α[y − f]₊ over points and classes, n times the gap of multipliers of equal sums."""
    lost = Fraction(0)
    for i, (f, alpha, costs) in enumerate(zip(zip(*found.values), zip(*found.alpha), machine.costs)):
        for v, y, a, top in zip(f, machine.code(i), alpha, costs):
            lost += (top - a) * max(v - y, 0) + a * max(y - v, 0)
    return lost
