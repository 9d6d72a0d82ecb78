"""Crammer and Singer's machine in doubles, also where its scores vanish beside the margin."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from refclass.certificate import ASKED
from refclass.errors import NotConverged
from refclass.kernels.matrices import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import certificate
from refclass.margins.crammer_singer.float_fit import Trained, approximate, assured, evaluated, finished, reported
from refclass.margins.crammer_singer.problem import Machine, over, values
from refclass.margins.magnification import magnified
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import roundoff
from refclass.number.vanishing import vanish

MOST = Fraction(1, 2)  # of a score, so that two of them differ by at most the margin


def fit(machine: Machine) -> Trained:
    """Return the machine trained to nine digits, and scores that vanish beside one to six or more of their own.

    Raises    NotConverged, NoAnswer as `float_fit.assured`; NotConverged with the bounds, too, where scores that vanish
              are not found; NotExact where they are denormal
    """
    found = approximate(machine)
    # Premise: as long as no score exceeds 1/2 every point pays, 1 − f_y and the largest score of another class.
    if not vanish(values(machine.K, found.alpha).largest(), roundoff(float)):
        return assured(machine, found)
    exact = over(RATIONAL, machine)
    reach = max(map(abs, exact.K.diagonal())) * sum(c for c in exact.costs if c)
    if not reach:  # Premise: every function of such a kernel is zero.
        return assured(machine, found)

    def solve(K: Any) -> Trained:
        larger = replace(machine, K=K)
        return assured(larger, approximate(larger))

    def size(own: Trained) -> Fraction:
        alpha = Matrix.of([Vector.of(map(rational, row)) for row in own.alpha])
        return Fraction(values(exact.K, alpha).largest())

    other = magnified(partial(gram.magnified, machine.K), found, solve, size, reach, MOST)
    if other is None:
        proof = certificate.certify(exact, found.alpha)
        need, got = "scores that doubles tell from zero beside the margin", "none"
        raise NotConverged("crammer_singer", need=need, got=got, primal=proof.primal, dual=proof.dual)
    found = evaluated(machine, other.alpha, other.steps)
    proof = certificate.certify(exact, found.alpha)
    return reported(found, proof) if (proof.digits or 0) >= ASKED else finished(machine, exact, found, proof)
