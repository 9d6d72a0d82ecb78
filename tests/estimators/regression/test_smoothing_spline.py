"""The smoothing spline, as the user meets it: by penalty, by degrees of freedom, by GCV; in one variable or several."""

import math
from fractions import Fraction
from random import Random

import pytest

from refclass import SmoothingSpline
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near

X = [[k % 13, (k * 5) % 7] for k in range(30)]
Y = [math.sin(a / 2) + b / 5 + (k % 3) / 10 for k, (a, b) in enumerate(X)]
ONE = [[a] for a, _ in X]


def test_penalty_degrees_of_freedom_and_gcv_are_three_ways_to_one_curve():
    """The λ of lowest GCV, given as penalty or by its degrees of freedom, gives the same fit."""
    chosen = SmoothingSpline().fit(ONE, Y)
    by_penalty = SmoothingSpline(penalty=chosen.penalty_).fit(ONE, Y)
    by_degrees = SmoothingSpline(degrees_of_freedom=chosen.degrees_of_freedom_).fit(ONE, Y)
    assert by_penalty.fitted_values_ == chosen.fitted_values_ and by_penalty.gcv_ == chosen.gcv_
    assert near(BINARY64, by_degrees.penalty_, chosen.penalty_, steps=10**4)


def test_an_infinite_penalty_is_the_straight_line():
    """penalty=inf and degrees_of_freedom=2 are least squares on lines, in exact arithmetic too  [FDA-SPLINE.P1]."""
    for options in ({"penalty": math.inf}, {"degrees_of_freedom": 2}):
        line = SmoothingSpline(arithmetic="exact", **options).fit([[0], [1], [2], [4]], [1, 3, 5, 9])
        assert line.predict([[10]]) == [Fraction(21)] and line.penalty_ == math.inf
        assert line.degrees_of_freedom_ == 2


def test_a_higher_penalty_leaves_fewer_degrees_of_freedom():
    """tr S_λ falls from the number of distinct x towards 2  [FDA-SPLINE.P2]."""
    df = [SmoothingSpline(penalty=lam).fit(ONE, Y).degrees_of_freedom_ for lam in (0, 0.1, 10, 1e6)]
    assert df[0] == 13 and df[0] > df[1] > df[2] > df[3] > 2


def test_several_variables_are_added():
    """With several variables each has its own curve; one penalty for all, or a list; inf among them is a line."""
    same = SmoothingSpline(penalty=2).fit(X, Y)
    listed = SmoothingSpline(penalty=[2, 2]).fit(X, Y)
    assert same.fitted_values_ == listed.fitted_values_ and listed.penalty_ == [2.0, 2.0] and same.gcv_ is None
    lines = SmoothingSpline(penalty=[1, math.inf]).fit(X, Y)
    f = lines.predict([[3, 0], [3, 1], [3, 2]])
    assert near(BINARY64, f[2] - f[1], f[1] - f[0], scale=1, steps=10)


def test_degrees_of_freedom_may_be_given_for_each_variable():
    """In several variables the constant counts once: 1 + Σ (trace − 1)."""
    model = SmoothingSpline(degrees_of_freedom=[4, 3]).fit(X, Y)
    assert near(BINARY64, model.degrees_of_freedom_, 6, steps=100)


def test_what_cannot_be_meant_is_refused():
    """Both ways at once, none in several variables, numbers out of range, lists of another length."""
    for options, rows in (
        ({"penalty": 1, "degrees_of_freedom": 3}, ONE),
        ({}, X),
        ({"penalty": -1}, ONE),
        ({"penalty": "much"}, ONE),
        ({"penalty": [1, 2, 3]}, X),
        ({"degrees_of_freedom": 1}, ONE),
        ({"degrees_of_freedom": 99}, ONE),
        ({"degrees_of_freedom": math.inf}, ONE),
        ({"cost": 0}, ONE),
        ({"penalty": 1, "tol": 0}, X),
    ):
        with pytest.raises(InvalidInput):
            SmoothingSpline(**options).fit(rows, Y)


def test_exact_arithmetic_says_what_it_cannot_do():
    """A search for λ has no exact answer; interpolants of variables that determine each other are not unique."""
    with pytest.raises(NotExact):
        SmoothingSpline(arithmetic="exact").fit(ONE, [int(10 * v) for v in Y])
    few = [[0, 1], [1, 0], [2, 2], [3, 1], [4, 5]]
    exact = SmoothingSpline(penalty=1, arithmetic="exact").fit(few, [1, 0, 2, 5, 1])
    rough = SmoothingSpline(penalty=1).fit(few, [1, 0, 2, 5, 1])
    assert type(exact.fitted_values_[0]) is Fraction
    assert all(abs(a - b) < 1e-6 for a, b in zip(exact.fitted_values_, rough.fitted_values_))
    with pytest.raises(NoAnswer):
        SmoothingSpline(penalty=0, arithmetic="exact").fit([[a, a] for a, _ in few], [1, 0, 2, 5, 1])


def test_places_near_to_each_other_keep_the_digits():
    """Gaps of 10⁻⁷ beside gaps of one cost doubles their digits; the curves are then computed in decimals, and proven
    to more than the nine digits that are promised.
    """
    rng = Random(4)
    places = [v for i in range(15) for v in (i + rng.random(), i + rng.random())]
    places += [v + 1e-7 for v in places]
    y = [math.sin(v / 4) + rng.gauss(0, 0.3) for v in places]
    for options in ({"penalty": 2.0}, {}):
        model = SmoothingSpline(**options).fit([[v] for v in places], y)
        assert model.certificate_.status == "optimal" and model.certificate_.digits >= 9


def test_nearly_a_line_on_uneven_gaps_is_proven_by_its_second_derivatives():
    """Gaps from 10⁻⁶ to 10, y at 1000, two degrees of freedom: the spline through the values has few digits."""
    draw = Random(25)
    x = [[10 ** draw.uniform(-6, 1)] for _ in range(50)]
    y = [1000 + a + draw.gauss(0, 1) for (a,) in x]
    assert SmoothingSpline(degrees_of_freedom=2.001).fit(x, y).certificate_.digits > 15


def uneven(draw, n):
    """Return points whose gaps reach from 10⁻²⁵ to 1, in one order, and responses of heavy tails and a line."""
    x, at = [], 0.0
    for _ in range(n):
        at += draw.choice([1, 1, 10.0 ** -draw.choice([7, 12, 18, 25])]) * draw.random()
        x.append(draw.choice([at, 10.0 ** draw.uniform(-25, 0), draw.gauss(0, 1) ** 9]))
    return x, [draw.gauss(0, 1) ** draw.choice([1, 5]) + v / max(map(abs, x)) for v in x]


def test_uneven_gaps_leave_no_fit_without_digits():
    """Every λ: nine digits, where doubles had refused a fit without one."""
    for seed in range(8):
        draw = Random(seed)
        x, y = uneven(draw, draw.choice([6, 20]))
        model = SmoothingSpline(penalty=draw.choice([1e-3, 1, 1e3, 1e8])).fit([[v] for v in x], y)
        assert model.certificate_.digits >= 9


def test_a_small_gap_at_an_end_leaves_the_line_beyond_it_its_digits():
    """Values in doubles 10⁻¹³ apart have no slope: beyond the ends predictions are those of decimals."""
    draw = Random(5)
    x = sorted(draw.gauss(0, 1) for _ in range(12))
    x = [x[0] - 1e-13, *x, x[-1] + 1e-9]
    y, far = [v + draw.gauss(0, 0.3) for v in x], [[x[0] - 3], [x[-1] + 4]]
    for lam in (1e-3, 1, 100):
        doubles, decimals = (
            SmoothingSpline(penalty=lam, arithmetic=name).fit([[v] for v in x], y).predict(far)
            for name in ("float", "decimal:40")
        )
        assert all(abs(a - float(b)) < 1e-12 for a, b in zip(doubles, decimals))


def test_an_exact_line_counts_its_digits_beside_the_best_constant():
    """y = 3x at an offset: the criterion is zero but for roundings; its scale is not that of the numbers themselves."""
    x = [[1e6 + k] for k in range(7)]
    y = [3 * a for (a,) in x]
    found = SmoothingSpline(penalty=0.1).fit(x, y).certificate_
    spread = sum((v - sum(y) / 7) ** 2 for v in y)
    assert found.digits >= 9 and found.gap <= spread * Fraction(1, 10**9)


def test_heavy_tails_of_the_abscissae_are_fitted():
    """Gaps from 10^-18 to 10^2: N of neighbouring λ is the same but for roundoff, of either sign."""
    x = [-275.836970598179, -2.26526749173554, -0.014844047350605639, -5.759083412342974e-07, -8.123113004848671e-08]
    x += [-1.3198394648264933e-08, -8.814330920227399e-13, -3.070178132355367e-18, -1.4454569201498118e-18]
    x += [1.556508449058007e-10, 0.00021953869561102773, 0.0009967480890122602, 0.3999313009503707, 66.51558611978903]
    model = SmoothingSpline().fit([[v] for v in x], [-1, 1] * 7)
    assert all(abs(v) < 2 for v in model.predict([[v] for v in x])) and 2 <= model.degrees_of_freedom_ <= 14


WIDE = [
    (30, "float"),
    (60, "float"),
    (30, "decimal:30"),
    (100, "exact"),
    pytest.param(200, "exact", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("scale, arithmetic", WIDE)
def test_the_gcv_of_a_curve_that_all_but_interpolates_is_bounded(scale, arithmetic):
    """Knots 10ˢ apart, λ = 10⁶: n − tr S is about 10^(6 − 3s), GCV that of knots one apart and λ = 10^(6 − 3s)."""
    places, y = [0, 1, 3, 4, 7, 9], [Fraction(v) for v in (0, 2, -1, 3, 1, 1)]
    want = SmoothingSpline(penalty=Fraction(10) ** (6 - 3 * scale), arithmetic="exact").fit([[v] for v in places], y)
    model = SmoothingSpline(penalty=10**6, arithmetic=arithmetic).fit([[v * 10**scale] for v in places], y)
    assert want.certificate_.digits == math.inf
    assert model.certificate_.status == "optimal"
    assert abs(Fraction(model.gcv_) / want.gcv_ - 1) < Fraction(1, 10**9)
