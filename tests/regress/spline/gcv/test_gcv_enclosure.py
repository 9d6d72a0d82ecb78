"""Enclosures of RSS and of the trace of a smoother: the exact values lie within, and the bounds are near."""

from fractions import Fraction
from random import Random

import pytest

from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.regress.spline.gcv import gcv_certificate, gcv_enclosure
from refclass.regress.spline.smoother import Smoother

F = decimal(100)


def pooled(seed, n, size=1, responses=1):
    """Return responses on random places with ties and weights, pooled."""
    rng = Random(seed)
    places = [Fraction(rng.randint(0, 3 * n), 7) * size for _ in range(n)]
    weights = Vector([Fraction(rng.randint(1, 5), 3) for _ in range(n)])
    smoother = Smoother.of(places, weights)
    return smoother.pooled([[Fraction(rng.randint(-9, 9), 4) for _ in range(n)] for _ in range(responses)])


@pytest.mark.parametrize("size", [1, Fraction(1, 10**20), 10**20])
@pytest.mark.parametrize("seed", range(4))
def test_exact_values_lie_within(seed, size):
    """RSS and m − tr S, computed in fractions, lie between their bounds, which agree to 20 digits, at all λ."""
    known = pooled(seed, 12, size, responses=1 + seed % 2)
    problem, m = gcv_enclosure.Spline.of(F, known), len(known.smoother.knots)
    for power in range(-12, 13, 3):
        lam = Fraction(10) ** power * size**3
        found, operator = problem.at(F.lift(lam)), known.smoother.at(Fraction(F.lift(lam)))
        for value, (low, high) in (
            (operator.residual(known), found.rss),
            (m - operator.degrees_of_freedom, found.bent),
        ):
            assert Fraction(low) <= value <= Fraction(high)
            assert Fraction(high) - Fraction(low) <= value / 10**20


def test_too_few_digits_bound_nothing():
    """In thirty digits the difference quotients say nothing, and no bounds are given."""
    short = decimal(30)
    assert gcv_enclosure.Spline.of(short, pooled(1, 12)).at(short.lift(1)) is None


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in (1, 2))])
def test_no_exact_value_of_gcv_is_below_the_bound(seed):
    """The certified bound is below GCV in fractions at 300 λ, and the λ that attains it nearly is certified for it."""
    known = pooled(seed, 10)
    n = known.smoother.weights.sum()
    lams = [Fraction(2) ** k * (4 + j) for k in range(-30, 30) for j in range(5)]
    scores = []
    for lam in lams:
        operator = known.smoother.at(lam)
        spare = n - operator.degrees_of_freedom
        scores.append((n * operator.residual(known) / spare / spare, lam))
    value, lam = min(scores)
    made = gcv_certificate.certify(known, lam)
    assert made.dual <= value and value <= made.primal <= value * (1 + Fraction(1, 10**15))
