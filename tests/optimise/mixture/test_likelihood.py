"""Mixtures of normal subclasses: shares, and the likelihood by its formula."""

import math
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import polar
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.optimise.mixture.em_steps import LARGE, logistic
from refclass.optimise.mixture.likelihood import (
    Mixture,
    Problem,
    factored,
    hard,
    log_likelihood,
    normalised,
)

D = decimal(40)


def problem(F, rows, labels, weights=None, **options):
    """Return a problem over a field; classes have their shares for priors."""
    n = len(rows)
    w = Vector([F.lift(v) for v in (weights or [1] * n)])
    sizes = [sum((v for v, g in zip(w, labels) if g == k), F.kind(0)) for k in range(1 + max(labels))]
    X = Matrix([[F.lift(v) for v in row] for row in rows])
    return Problem(X, tuple(labels), w, Vector([s / w.sum() for s in sizes]), **options)


def test_the_likelihood_is_that_of_densities():
    """One variable, by hand: log{½(½φ(x; 0, 1) + ½φ(x; 2, 1))} + log{½φ(x; 5, 1)}, for given points
    [YANG-mda-likelihood] [MDA-LL].
    """
    asked = problem(D, [[1], [5]], [0, 1])
    half, one = D.lift(Fraction(1, 2)), D.kind(1)
    parts = Mixture(
        (Vector([half, half]), Vector([one])),
        (Matrix([[one - one], [one + one]]), Matrix([[D.lift(5)]])),
        Matrix([[one]]),
    )
    density = D.exp(-half) / D.sqrt(2 * D.pi())
    want = D.log(half * density) + D.log(half / D.sqrt(2 * D.pi()))
    assert near(D, log_likelihood(D, asked, parts), want, D.kind(5), 10)


def test_class_shares_are_the_best_priors():
    """ℓ at Π̂ₖ = nₖ/n is above that at any other Π, by Σ nₖ log(Π̂ₖ/Πₖ), whatever the mixture  [MDA-LL.P2]."""
    asked = problem(D, [[0], [1], [4], [3], [7], [2]], [0, 0, 1, 1, 1, 1])
    one = D.kind(1)
    parts = Mixture((Vector([one]), Vector([one])), (Matrix([[one]]), Matrix([[4 * one]])), Matrix([[one]]))
    best = log_likelihood(D, asked, parts)
    for p in (Fraction(1, 2), Fraction(1, 4), Fraction(35, 100)):
        other = Vector([D.lift(p), D.lift(1 - p)])
        worse = log_likelihood(D, Problem(asked.X, asked.labels, asked.weights, other), parts)
        gain = sum(n * D.log(a / b) for n, a, b in zip((2, 4), asked.priors, other))
        assert near(D, best - worse, gain, D.kind(10), 20) and worse < best


def test_minimising_the_likelihood_has_no_end():
    """The slides' "minimise": ℓ falls without bound as means move away, so that only its maximum means anything
    [ERR-YANG-06] [MDA-LL] [YANG-mda-likelihood].
    """
    asked = problem(BINARY64, [[0], [1], [3], [5]], [0, 0, 1, 1])
    one = Vector([1.0])
    values = []
    for away in (0.0, 10.0, 1000.0, 1e5):
        parts = Mixture((one, one), (Matrix([[away]]), Matrix([[4.0]])), Matrix([[1.0]]))
        values.append(log_likelihood(BINARY64, asked, parts))
    assert values == sorted(values, reverse=True) and values[-1] < -1e9


def test_exponents_far_apart_neither_overflow_nor_vanish():
    """exp(eᵣ)/Σ exp(eₛ) sums to one, and logs stay finite, for exponents of any size."""
    shares, logs = normalised(BINARY64, [[1000.0, -1e300, 0.0], [-1000.0, -1e300, 0.0]])
    assert shares == ((1.0, 0.5, 0.5), (0.0, 0.5, 0.5)) and logs[0] == 1000.0
    assert normalised(BINARY64, [[3.0, 4.0]]) == (((1.0, 1.0),), [3.0, 4.0])


@pytest.mark.parametrize("F", [BINARY64, D])
@pytest.mark.parametrize("far", [1, LARGE - 1, LARGE, 2000])
def test_exponents_less_the_first_have_the_same_shares(F, far):
    """The first is left out, being zero; with a large one the largest is taken out first  [YANG-mda-e-step]."""
    others = [[F.lift(v) for v in column] for column in ([-far, 0, far, -1], [0, -2 * far, far - 1, -2 * far])]
    (columns, logs), (known, sums) = (
        logistic(F, others, 4, max(map(max, others))),
        normalised(F, [[F.kind(0)] * 4, *others]),
    )
    assert all(near(F, a, b, steps=10) for got, want in zip(columns, known) for a, b in zip(got, want))
    assert all(near(F, a, b, 1, 10 * far) for a, b in zip(logs, sums)) and all(sum(rho) > 0 for rho in zip(*columns))
    assert logistic(F, [], 2, F.kind(0)) == normalised(F, [[F.kind(0)] * 2])


@pytest.mark.parametrize("n", [polar.MANY - 1, polar.MANY, 3 * polar.MANY])
def test_moments_of_many_points_have_the_error_that_is_proven(n):
    """|error| ≤ 14 eps ‖z‖‖x‖ for columns of unlike size, by distances and, of fewer points, by sums."""
    rows = [[math.sin(3 * i), 1e-9 * math.cos(7 * i), 1e9 * math.sin(i * i)] for i in range(n)]
    (group,) = problem(BINARY64, rows, [0] * n).groups
    z = tuple(math.cos(i) ** 2 for i in range(n))
    for moment, column in zip(group.moments(z), group.columns):
        exact = sum(Fraction(a) * Fraction(b) for a, b in zip(z, column))
        assert abs(Fraction(moment) - exact) <= 14 * math.ulp(1.0) * math.hypot(*z) * math.hypot(*column)


def test_whole_shares_follow_the_numbers_given():
    """Each point is wholly in the subclass it is given, and only in one of its own class  [MDA-E.P2]."""
    asked = problem(RATIONAL, [[0], [1], [2], [3]], [0, 1, 0, 1])
    one, zero = Fraction(1), Fraction(0)
    assert hard(asked, [1, 0, 0, 0], [2, 1]) == (((zero, one), (one, zero)), ((one, one),))


def test_a_subclass_without_a_point_is_refused():
    """Naming class and subclass; points of weight zero do not count."""
    for weights, start in (([1, 1, 1], [0, 0, 0]), ([1, 0, 1], [0, 1, 0])):
        with pytest.raises(InvalidInput) as refusal:
            hard(problem(RATIONAL, [[0], [1], [2]], [0, 0, 1], weights), start, [2, 1])
        assert refusal.value.witness == {"label": 0, "subclass": 1}


def test_a_covariance_without_volume_is_refused():
    """A direction in which no point leaves its subclass mean: ℓ would grow without bound."""
    with pytest.raises(NoAnswer) as refusal:
        factored(BINARY64, Matrix([[1.0, 1.0], [1.0, 1.0]]))
    d = refusal.value.witness["direction"]
    assert d[0] + d[1] == 0 and any(d)


def test_old_means_and_a_rank_do_not_go_together():
    """The variant of the slides has free means; unknown variants are refused."""
    for options in ({"variant": "old_means", "rank": 1}, {"variant": "new"}):
        with pytest.raises(InvalidInput):
            problem(RATIONAL, [[0], [1]], [0, 1], **options)


def test_scatter_within_classes_counts_weights():
    """W = Σ wᵢ(xᵢ − x̄ₖ)(xᵢ − x̄ₖ)ᵀ, as with copies."""
    once = problem(RATIONAL, [[0, 1], [2, 0], [5, 5], [6, 1]], [0, 0, 1, 1], [2, 1, 1, 3])
    twice = problem(RATIONAL, [[0, 1], [0, 1], [2, 0], [5, 5], [6, 1], [6, 1], [6, 1]], [0, 0, 0, 1, 1, 1, 1])
    assert once.within == twice.within and once.centre == twice.centre and once.n == 7
