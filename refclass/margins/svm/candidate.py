"""Multipliers of a machine as an answer to be judged: with the intercept that is best for them, and their proof.

The intercept that a float solver ends at is a difference of large numbers where points lie far from the origin. Here it
is the minimiser of the primal in the intercept alone, from exact decision values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from refclass.certificate import Certificate, digits
from refclass.kernels.gram import Rows
from refclass.kernels.precomputed import Similarities
from refclass.kernels.product import exact_product
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate as proof
from refclass.margins.svm.soft import Machine
from refclass.number.field import Number, rational
from refclass.number.rational import RATIONAL


@dataclass(frozen=True)
class Candidate:
    """Multipliers with the best intercept for them, and their proof.

    interval    all intercepts that are as good
    square      ‖f‖²
    hard        whether no slack is allowed: the primal is ½‖f‖², of f scaled until no margin is below 1
    """

    alpha: Vector
    beta0: Number
    interval: tuple[Number, Number]
    square: Fraction
    proof: Certificate
    hard: bool = False

    @property
    def digits(self) -> float:
        """The digits proven, below zero where nothing is bounded; without slack, those of f unscaled."""
        proven, primal = self.proof.digits, self.proof.primal
        if proven is None or primal is None or not self.hard:
            return -1 if proven is None else proven
        return min(proven, digits(primal - self.square / 2, primal))


def candidate(machine: Machine, alpha: Vector, number: Any) -> Candidate:
    """Return multipliers with the intercept for which the primal is least, as that number, and their proof.

    Cost      as `proof.certify`
    """
    lifted = proof.lifted(machine)
    signed = Vector.of(map(rational, alpha)).times(lifted.y)
    products = exact_product(machine.K, signed)
    low, high = intercepts(lifted, products) if machine.intercept else (Fraction(0), Fraction(0))
    middle = number((low + high) / 2)
    ends = (middle, middle) if between(machine, alpha) else (number(low), number(high))
    judged = proof.certify(machine, alpha, middle, products=products)
    return Candidate(alpha, middle, ends, signed @ products, judged, None in machine.costs)


def exactly(machine: Machine) -> Machine:
    """Return the machine with the Gram matrix of a rational kernel computed in fractions; another as it is held."""
    K, points = machine.K, getattr(machine.K, "X", None)
    if not isinstance(K, Rows) or not K.kernel.exact or points is None or isinstance(points[0], Similarities):
        return machine
    if isinstance(points[0], Vector):
        points = Matrix.of([Vector.of(map(RATIONAL.lift, x)) for x in points])
    return replace(machine, K=Rows(RATIONAL, K.kernel.over(RATIONAL), points))


def between(machine: Machine, alpha: Vector) -> list[int]:
    """Return the points whose multipliers lie strictly within the box."""
    ends = [None if machine.squared or c is None else rational(c) for c in machine.costs]
    return [i for i, (a, c) in enumerate(zip(alpha, ends)) if a > 0 and (c is None or a < c)]


def intercepts(machine: Machine, values: Vector) -> tuple[Fraction, Fraction]:
    """Return the least and the largest intercept for which the primal is least, f being values plus the intercept.

    With tᵢ = yᵢ − valueᵢ the slack of point i begins at tᵢ, above it where yᵢ = −1 and below it where yᵢ = 1. Points of
    infinite cost bound the intercept; where they contradict each other, it is half-way between.

    Shapes    values: n fractions; labels and costs are fractions
    Exact     yes
    """
    places = [(t - v, t, c) for v, t, c in zip(values, machine.y, machine.costs)]
    low = max([p for p, t, c in places if c is None and t > 0], default=None)
    high = min([p for p, t, c in places if c is None and t < 0], default=None)
    soft = sorted([(p, t, c) for p, t, c in places if c])
    if low is not None and high is not None and (not soft or low >= high):
        return (low, high) if low <= high else ((low + high) / 2,) * 2
    first, last = _flat_parabolas(soft) if machine.squared else _flat_lines(soft)
    ends = [v if low is None else max(v, low) for v in (first, last)]
    first, last = [v if high is None else min(v, high) for v in ends]
    return first, last


def _flat_lines(soft: Sequence[tuple[Fraction, Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Return where Σ Cᵢ[1 − yᵢ(vᵢ + b)]₊ is least: its slope rises by Cᵢ at each tᵢ."""
    slope = -sum([c for _, t, c in soft if t > 0], Fraction(0))
    for k, (p, _, c) in enumerate(soft):
        slope += c
        if slope > 0 or k + 1 == len(soft):
            return p, p
        if slope == 0:
            return p, soft[k + 1][0]
    return Fraction(0), Fraction(0)


def _flat_parabolas(soft: Sequence[tuple[Fraction, Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Return where Σ Cᵢ[1 − yᵢ(vᵢ + b)]₊² is least: half its slope is ab − s between two neighbouring tᵢ."""
    a = sum([c for _, t, c in soft if t > 0], Fraction(0))
    s = sum([c * p for p, t, c in soft if t > 0], Fraction(0))
    last = soft[0][0] if soft else Fraction(0)
    for p, t, c in soft:
        if a == 0:
            return last, p
        if s < a * p:
            return s / a, s / a
        a, s, last = (a - c, s - c * p, p) if t > 0 else (a + c, s + c * p, p)
    return (last, last) if a == 0 else (s / a, s / a)


def decision_values(machine: Machine, found: Candidate) -> list[Fraction]:
    """Return f(xᵢ) at every point, exactly."""
    signed = [rational(a) * rational(t) for a, t in zip(found.alpha, machine.y)]
    return [v + rational(found.beta0) for v in exact_product(machine.K, signed)]
