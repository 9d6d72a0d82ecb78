"""Multipliers rounded together: what the roundings move the function by cancels."""

from fractions import Fraction
from random import Random

import pytest

from refclass import KernelClassifier, KernelRidge
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.field import rational
from refclass.regress.kernel import certificate
from refclass.regress.kernel.rounded import cancelling


def solved(model, X, y):
    """Return the machine of a fit in fractions, and its exact multipliers."""
    [found] = model.fit(X, y).solved()
    return certificate.lifted(found.machine), found.a


def gap(machine, a, beta0):
    """Return the gap of multipliers with the intercept of the optimum."""
    return certificate.certify(machine, Vector.of(map(rational, a)), beta0).gap


def large(seed, n, p):
    """Return rows of 10⁸ to 10⁹, and labels."""
    r = Random(seed)
    return [[r.uniform(1e8, 1e9) for _ in range(p)] for _ in range(n)], [i % 2 for i in range(n)]


def test_the_smallest_multiplier_takes_up_what_the_others_miss():
    """What rounding moves f by is Σ δᵢxᵢ: a last digit of the smallest moves it by least."""
    rows = [[1], [2], [3]]
    model = KernelRidge(penalty="1e-12", intercept=False, arithmetic="exact")
    machine, a = solved(model, rows, [1, 3, "4.2000001"])

    def moved(b):
        return abs(sum([(rational(v) - w) * x for v, w, (x,) in zip(b, a, rows)]))

    found = cancelling.rounded(machine, a, certificate.certify(machine, a, 0).primal)
    assert 0 < moved(found) * 10**3 < moved(list(map(float, a)))


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("lift", [float, decimal(20).lift], ids=["doubles", "decimals"])
def test_the_gap_is_far_below_that_of_the_nearest_numbers(intercept, lift):
    """By nine powers of ten; multipliers keep eight digits, and their sums of points."""
    X, y = large(1, 10, 2)
    model = KernelClassifier(loss="squared", penalty="1e-7", intercept=intercept, arithmetic="exact")
    machine, a = solved(model, X, y)
    b = model.intercept_[0]
    found = cancelling.rounded(machine, a, certificate.certify(machine, a, b).primal, lift)
    assert gap(machine, found, b) * 10**9 < gap(machine, list(map(lift, a)), b)
    assert all(abs(rational(v) - w) * 10**8 < abs(w) for v, w in zip(found, a))
    assert all(abs(sum((rational(v) - w) * Fraction(x) for v, w, x in zip(found, a, column))) < 1 for column in zip(*X))


def test_multipliers_at_their_bounds_stay():
    """Those of points beyond the margin are zero, and no other changes its sign."""
    X = [[1e8 * k + 1 / 3] for k in (1, 2, 3, 4, 5, 6, 7, 8, 9, 20)]
    model = KernelClassifier(loss="squared_hinge", penalty="1e-4", arithmetic="exact")
    machine, a = solved(model, X, [0, 1, 0, 1, 0, 1, 0, 1, 1, 1])
    found = cancelling.rounded(machine, a, certificate.certify(machine, a, model.intercept_[0]).primal)
    assert [bool(v) for v in found] == [bool(v) for v in a] and not all(a)
    assert all(v * w >= 0 for v, w in zip(map(rational, found), a))


def test_few_free_points_and_wide_rows_are_left_to_the_other_roundings():
    """One multiplier cancels nothing, and more than 20 points of another kernel, or of many columns, take too long."""
    one = KernelRidge(penalty=1, intercept=False, arithmetic="exact")
    machine, a = solved(one, [[1], [0]], [1, 0])
    assert cancelling.rounded(machine, a, Fraction(1)) is None
    wide = KernelRidge(penalty=1, kernel={"name": "polynomial", "degree": 2}, arithmetic="exact")
    machine, a = solved(wide, [[k, k * k % 7] for k in range(21)], [k % 3 for k in range(21)])
    assert cancelling.rounded(machine, a, Fraction(1)) is None
