"""The interval of optimal intercepts: every one in it is proven as good as the answer's, and none beyond it is."""

from fractions import Fraction
from random import Random

import pytest

from refclass import SVC
from refclass.certificate import ASKED
from refclass.margins.svm import certificate
from refclass.number.field import rational

GAUSSIAN = {"name": "gaussian", "gamma": "1/2"}


def drawn(seed):
    """Return points of two classes on a small grid, where intercepts are often not unique."""
    rng = Random(seed)
    points = [[rng.randint(0, 4), rng.randint(0, 4)] for _ in range(8)]
    return points, rng.sample([True, False] * 4, 8)


def proofs(model):
    """Return the certificates of the multipliers with the ends of the interval, and of a point beyond each end."""
    held = model._held
    low, high = map(rational, model.intercept_interval_)
    beyond = Fraction(1, 100)
    at = [certificate.certify(held.machine, held.trained.alpha, b) for b in (low, high, (low + high) / 2)]
    off = [certificate.certify(held.machine, held.trained.alpha, b) for b in (low - beyond, high + beyond)]
    return at, off


@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN])
@pytest.mark.parametrize("seed", range(12))
def test_exact_intervals_hold_the_optimal_intercepts_and_no_others(seed, kernel):
    """At both ends and in the middle the gap is zero, beyond either end it is not  [RC-1]."""
    X, y = drawn(seed)
    model = SVC(C="1/32", kernel=kernel, arithmetic="exact").fit(X, y)
    at, off = proofs(model)
    assert [proof.gap for proof in at] == [0, 0, 0]
    assert all(proof.gap > 0 for proof in off)


@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN])
@pytest.mark.parametrize("seed", range(12))
def test_intervals_of_doubles_prove_as_many_digits(seed, kernel):
    """In doubles both ends prove the digits that are asked for, and points beyond them fewer."""
    X, y = drawn(seed)
    at, off = proofs(SVC(C=0.03125, kernel=kernel).fit(X, y))
    assert all(proof.digits >= ASKED for proof in at)
    assert all(proof.digits < ASKED for proof in off)


def test_some_of_these_intervals_are_no_points():
    """The law speaks of intervals that have a length, not of unique intercepts alone."""
    lengths = []
    for seed in range(12):
        X, y = drawn(seed)
        low, high = SVC(C="1/32", arithmetic="exact").fit(X, y).intercept_interval_
        lengths.append(high - low)
    assert sum(length > 0 for length in lengths) >= 3
