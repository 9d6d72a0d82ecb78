"""RSS and N² of the criterion by Chebyshev interpolation: within their bounds, and what these prove."""

import random

import pytest

from refclass import SmoothingSpline
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64 as F
from refclass.regress.spline import spline
from refclass.regress.spline.gcv import gcv_criterion, gcv_expansion
from refclass.regress.spline.smoother import Smoother


def heavy(seed, most=9):
    """Return places and responses with heavy tails."""
    chance = random.Random(seed)
    n = chance.choice([6, 9, 14, 20, 30])
    power, other = chance.choice([3, 5, 5, 7, most]), chance.choice([1, 1, 5])
    return [chance.gauss(0, 1) ** power for _ in range(n)], [chance.gauss(0, 1) ** other for _ in range(n)]


def interval(seed):
    """Return the criterion at a place, an interval of log λ, and its expansion."""
    chance = random.Random(seed)
    x, y = heavy(seed, 5)
    smoother = Smoother.of(x, Vector([1.0] * len(x)))
    criterion = gcv_criterion.Criterion(smoother.pooled([Vector(y)]), float(len(x)), 1.0, 0.0, 0.0)
    low = F.log(smoother.unit) + chance.uniform(-9, 9)

    def at(t):
        return criterion.point(F, smoother.at(F.exp(t)))

    a, b = at(low), at(low + chance.uniform(0.2, 2))
    return at, a, b, gcv_expansion.expanded(F, at, a, b, criterion.least)


@pytest.mark.parametrize("seed", range(5))
def test_a_bound_over_an_interval_holds_where_it_is_proven_and_is_nearly_the_lowest_value(seed):
    """What is 1e-11 below the lowest of a grid is proven, what is as much above it is not  [GAP-9]."""
    at, a, b, found = interval(seed)
    values = [at(a.place + (b.place - a.place) * k / 60).high for k in range(61)]
    place = found.lowest(1e-12)
    least = min(*values, at(place).high)
    assert a.place <= place <= b.place and min(at(place).high, a.high, b.high) <= min(values) + 1e-9
    assert found.above(least - 1e-9) and not found.above(least + 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [pytest.param(180, marks=pytest.mark.thorough), 776])
def test_a_flat_criterion_is_searched_to_the_end(seed):
    """GCV constant but for 10⁻⁸ over decades, or gaps that differ by 10²⁵: the fit proves nine digits; it refused."""
    x, y = heavy(seed)
    model = SmoothingSpline(cost=2 if seed == 776 else 1).fit([[v] for v in x], y)
    assert model.certificate_.status == "optimal" and model.certificate_.digits >= 9


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, 150, 50))
def test_every_table_of_heavy_tails_is_answered(first):
    """Nine digits of GCV, or those that doubles hold."""
    for seed in range(first, first + 50):
        x, y = heavy(seed)
        proof = SmoothingSpline().fit([[v] for v in x], y).certificate_
        assert proof.digits >= 9 or proof.digits >= proof.ceiling - 1, seed


def test_uneven_gaps_leave_the_trace_its_digits():
    """Where gaps differ by 10²⁵ doubles had a trace of 2.96 for 3.63; second derivatives hold the criterion."""
    x, y = heavy(776)
    model = spline.fit(F, Matrix([[v] for v in x]), Matrix([[v] for v in y]), degrees_of_freedom=3.5)
    assert abs(model.degrees_of_freedom - 3.5) <= 1e-12
    assert SmoothingSpline(degrees_of_freedom=3.5).fit([[v] for v in x], y).certificate_.digits > 9


@pytest.mark.thorough
def test_a_proof_takes_more_digits_where_enclosures_are_wide():
    """Ninth powers of normal numbers: a hundred digits enclosed GCV to three, and proved 2.8 of the right λ."""
    r = random.Random(116)
    n, power = r.choice([6, 10, 20, 40, 60]), r.choice([3, 5, 9])
    x = [r.gauss(0, 1) ** power for _ in range(n)]
    y = [r.gauss(0, 1) ** r.choice([1, 5]) + v / max(map(abs, x)) for v in x]
    assert SmoothingSpline().fit([[v] for v in x], y).certificate_.digits > 9


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6, 8, 21])
def test_a_line_far_away_is_a_line(seed):
    """Noise about a line at 10⁹: residuals that rounding had hidden left less than a digit; doubles hold seven."""
    chance = random.Random(seed)
    x = [1e9 + chance.gauss(0, 1) for _ in range(20)]
    proof = SmoothingSpline().fit([[v] for v in x], [v + chance.gauss(0, 1) for v in x]).certificate_
    assert proof.digits >= 7 and (proof.digits >= 9 or proof.digits >= proof.ceiling - 1)
