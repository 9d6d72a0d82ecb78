"""The lowest point of a semiconvex function of one variable, and the proof that there is none lower."""

import math
import random
from fractions import Fraction

import pytest

from refclass.errors import NotConverged
from refclass.number.decimals import decimal
from refclass.regress.spline.gcv import branch_and_bound


class Sines:
    """f(t) = Σ aₖ sin(kt + bₖ) + t²/8 with the bounds that follow from it: f″ ≥ ¼ − Σ k²|aₖ|, f ≥ t²/8 − Σ|aₖ|."""

    def __init__(self, terms):
        self.terms = terms

    def __call__(self, t):
        value = sum(a * math.sin(k * t + b) for k, a, b in self.terms) + t * t / 8
        return branch_and_bound.Point(t, value, value, None)

    def floor(self, a, b):
        low, high = (-math.inf if a is None else a.place), (math.inf if b is None else b.place)
        near = min(abs(low), abs(high)) if low > 0 or high < 0 else 0.0
        return near * near / 8 - sum(abs(c) for _, c, _ in self.terms)

    def bend(self, a, b):
        return max(0.0, sum(k * k * abs(c) for k, c, _ in self.terms) - 0.25)


def sines(seed):
    """Return a function with several valleys."""
    chance = random.Random(seed)
    return Sines([(k, chance.uniform(-1, 1) / k, chance.uniform(0, 6)) for k in range(1, 6)])


@pytest.mark.parametrize("seed", range(12))
def test_no_point_of_a_fine_grid_is_lower_than_the_bound(seed):
    """The bound holds everywhere, and the point found is within the tolerance of it, whatever the first points were."""
    f = sines(seed)
    found = branch_and_bound.lowest(f, [f(-8.0), f(1.0), f(9.0)], f, math.inf, 1e-9)
    assert found.best.high - found.least <= 1e-9
    assert all(f(k / 500).high >= found.least for k in range(-5000, 5001))


def test_a_value_known_beforehand_may_be_the_lowest():
    """Where an end of the line is lower than all points, no point is returned, and the bound says so."""
    f = sines(1)
    found = branch_and_bound.lowest(f, [f(-1.0), f(1.0)], f, -100.0, 1e-9)
    assert found.best is None and found.least <= -100.0


class Walled(Sines):
    """Sines less log(t − 1), infinite for t ≤ 1; the logarithm is convex, and falls."""

    def __call__(self, t):
        if t <= 1:
            return branch_and_bound.Point(t, None, None, None)
        value = super().__call__(t).high - math.log(t - 1)
        return branch_and_bound.Point(t, value, value, None)

    def floor(self, a, b):
        return None if b is None or b.place <= 1 else super().floor(a, b) - math.log(b.place - 1)


def test_places_where_the_function_is_infinite_bound_the_line():
    """f infinite for t ≤ 1 is searched from 1 on only, and from the left the bound rises to infinity."""
    f = Walled(sines(2).terms)
    points = [f(0.0), *(f(2.0 + k) for k in range(10))]
    closing = type("Closing", (), {"floor": lambda self, a, b: 5.0 if b is None else f.floor(a, b), "bend": f.bend})()
    found = branch_and_bound.lowest(f, points, closing, math.inf, 1e-7)
    assert found.best.place > 1 and all(f(1 + k / 500).high >= found.least for k in range(1, 5000))


def test_a_closed_line_begins_at_its_first_point():
    """Where the line is closed nothing is looked at below its first point, which may be the lowest."""
    f = Sines([])
    found = branch_and_bound.lowest(f, [f(1.0), f(2.0), f(3.0)], f, math.inf, 1e-9, closed=True)
    assert found.best.place == found.points[0].place == 1.0


def test_decimals_search_as_deep_as_they_are_asked():
    """In 30 digits the valley of a parabola is known to 1e-12 of its value."""
    D = decimal(30)
    target = D.lift("0.123456789")

    class Parabola:
        def floor(self, a, b):
            inside = (a is None or a.place <= target) and (b is None or target <= b.place)
            ends = [p.place - target for p in (a, b) if p is not None]
            return D.kind(0) if inside else min(v * v for v in ends)

        def bend(self, a, b):
            return D.kind(0)

    def f(t):
        value = (t - target) * (t - target) + 1
        return branch_and_bound.Point(t, value, value, None)

    tolerance = D.lift(Fraction(1, 10**12))
    found = branch_and_bound.lowest(f, [f(D.lift(k)) for k in (-3, -1, 1, 3)], Parabola(), D.lift(5), tolerance)
    assert found.best.high - 1 <= tolerance and found.least >= 1 - tolerance


class Parabola:
    """f(t) = t², about which no more is known than that f(t) + t² is convex, and f ≥ −1."""

    def __call__(self, t):
        return branch_and_bound.Point(t, t * t, t * t, None)

    def floor(self, a, b):
        return type((a or b).place)(-1 if a is not None and b is not None else 1)

    def bend(self, a, b):
        return a.place * 0 + 2


def test_cells_too_narrow_for_their_slopes_are_not_divided():
    """A tolerance that only cells below 10⁻¹⁷ would reach is refused with the bound: their slopes would be roundoff."""
    F, f = decimal(100), Parabola()
    ends = [f(F.lift(v)) for v in (-2, 1, 3)]
    found = branch_and_bound.lowest(f, ends, f, F.lift(9), F.lift(Fraction(1, 10**20)))
    assert 0 <= found.best.high <= found.least + F.lift(Fraction(1, 10**20))
    with pytest.raises(NotConverged, match="cells wider"):
        branch_and_bound.lowest(f, ends, f, F.lift(9), F.lift(Fraction(1, 10**60)))
