"""The normal density and distribution function."""

from __future__ import annotations

from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.sample.metric import Metric

FAR = 2  # from here on the tail is computed by itself, and not as what is left of one


def log_density(F: Field, x: Vector, mean: Vector, metric: Metric) -> Number:
    """Return the logarithm of the normal density  [ESL-4.8] [KIM-2.17].

        log f(x) = −½ (x − μ)ᵀΣ⁻¹(x − μ) − ½ log |Σ| − (p/2) log 2π

    A singular Σ, factored as its pseudo-inverse, has a density on the affine space in which it varies.

    Shapes    x, mean: p
    Cost      the metric's, and r + 1 logarithms
    """
    constant = metric.log_determinant(F) + metric.rank * F.log(2 * F.pi())
    return -(metric.squared(x - mean) + constant) / 2


def density(F: Field, x: Vector, mean: Vector, metric: Metric) -> Number:
    """Return the normal density f(x)  [ESL-4.8] [KIM-2.17]."""
    return F.exp(log_density(F, x, mean, metric))


def distribution(F: Field, x: Number) -> Number:
    """Return Φ(x), the probability that a standard normal variable is x or less.

        Φ(x) = ½ (1 + erf(x/√2))

    Both tails keep their digits: Φ(−x) is not computed as 1 − Φ(x).

    Exact     at 0 only
    """
    if x == 0:
        return (x + 1) / 2
    if x > FAR:
        return 1 - _tail(F, x)
    if x < -FAR:
        return _tail(F, -x)
    return (1 + F.erf(x / F.sqrt(F.kind(2)))) / 2


def _tail(F: Field, x: Number) -> Number:
    # Method: Laplace's continued fraction φ(x)/(x + 1/(x + 2/(x + 3/(x + …)))), by the convergents' recurrence; for
    # x > 0 the convergents lie on alternate sides, so that two that agree enclose the value.
    density = F.exp(-x * x / 2) / F.sqrt(2 * F.pi())
    before, now = (F.kind(1), F.kind(0)), (x, F.kind(1))  # (denominator, numerator) of two convergents
    last, k = now[1] / now[0], 1
    while True:
        before, now = now, (x * now[0] + k * before[0], x * now[1] + k * before[1])
        before, now = tuple(v / now[0] for v in before), (F.kind(1), now[1] / now[0])
        if abs(now[1] - last) <= F.eps * now[1]:
            return density * now[1]
        last, k = now[1], k + 1
