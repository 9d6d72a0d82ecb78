"""Answers in decimals that depend on digits of a Gram matrix which doubles, and so the kernel of trust, do not have."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any

from refclass.number.field import rational
from refclass.number.interval import root
from refclass.oracle import kernel
from refclass.oracle.leaves import finite, leaves

WITH_COSTS = ("svc", "svr", "crammer_singer")
PLACES = 60  # digits of the values of a kernel, besides those that terms lose where they cancel
BEYOND = 10**5  # exponents from which on a kernel's value is counted as zero


def undecided(own: kernel.Problem, reported: Mapping[str, Any], asked: float) -> bool:
    """Return whether an answer in decimals depends on digits of its Gram matrix that the kernel of trust does not have.

    Proof: entries of at most 1 that move by u move ½aᵀKa by at most ½u(Σ|aᵢ|)², and slack of costs c by u Σc Σ|aᵢ|;
    of several functions the sums are those over all of them.
    They move by 2⁻⁵², and by what distances move where doubles hold other points than were read.
    """
    if not rounded_kernel(own, reported):
        return False
    fitted = reported["fitted"]
    objective, total = (
        sum((abs(rational(v)) for v in leaves(fitted.get(part, [])) if finite(v)), Fraction(0))
        for part in ("objective", "alpha")
    )
    paid = sum(own.w, kernel.ZERO) * own.C if own.method in WITH_COSTS and own.C else kernel.ZERO
    norm = kernel.ONE
    if own.method == "lee_lin_wahba":  # of mean losses: functions have the coefficients ᾱᵢ − αᵢₖ, over λ Σ wᵢ
        norm, paid = own.lam, max(map(kernel.number, leaves(own.get("costs", None) or [1])))
        total = 2 * total / (own.lam * sum(own.w, kernel.ZERO))
    u = Fraction(1, 2**52) + _steepest(own) * _moved_by_reading(own)
    return bool(u * total * (norm * total / 2 + paid) * Fraction(10) ** math.floor(min(asked, 300)) > objective > 0)


def rounded_kernel(own: kernel.Problem, reported: Mapping[str, Any]) -> bool:
    """Return whether an answer in decimals has a kernel e^(−γd²) or e^(−d/σ), which decimals hold to more digits."""
    given = own.get("kernel", "linear")
    name = given.get("name") if isinstance(given, Mapping) else given
    return str(reported.get("arithmetic", "")).startswith("decimal") and name in ("gaussian", "laplacian")


def values(own: kernel.Problem, signed: Sequence[Fraction], points: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """Return Σ aⱼK(xⱼ, z) at points for a kernel e^(−γd²) or e^(−d/σ), to PLACES digits of the largest term."""
    numbers, laplacian = (
        Context(prec=PLACES, Emax=MAX_EMAX, Emin=MIN_EMIN),
        own.get("kernel", "")["name"] == "laplacian",
    )
    rate, found = _rate(own), []

    def decimal(v: Fraction) -> Decimal:
        return numbers.divide(Decimal(v.numerator), Decimal(v.denominator))

    for z in points:
        total = Fraction(0)
        for a, x in zip(signed, own.x):
            square = sum(((u - v) ** 2 for u, v in zip(x, z)), Fraction(0))
            far = rate * Fraction(numbers.sqrt(decimal(square))) if laplacian else rate * square
            total += a * Fraction(numbers.exp(decimal(-far))) if a and far < BEYOND else 0
        found.append(total)
    return found


def _moved_by_reading(own: kernel.Problem) -> Fraction:
    """Return by how much a distance of two points at most moves where doubles hold their coordinates."""
    try:
        most = max([abs(v - Fraction(float(v))) for x in own.x for v in x])
    except OverflowError:
        return kernel.ZERO
    return 2 * own.p * most


def _steepest(own: kernel.Problem) -> Fraction:
    """Return a bound of the slope of exp(−γd²), at most √(2γ/e) < √γ, or of exp(−d/σ), 1/σ."""
    return _rate(own) if own.get("kernel", "")["name"] == "laplacian" else root(_rate(own))[1]


def _rate(own: kernel.Problem) -> Fraction:
    """Return γ, or 1/σ."""
    given = own.get("kernel", "")
    if given["name"] == "laplacian":
        return 1 / kernel.number(given["sigma"])
    rate: Any = given.get("gamma")
    if rate == "scale":
        entries = [v for x in own.x for v in x]
        mean = sum(entries, kernel.ZERO) / len(entries)
        spread = own.p * sum([(v - mean) ** 2 for v in entries], kernel.ZERO) / len(entries)
        rate = 1 / spread if spread else kernel.ONE
    return kernel.number(rate)
