"""Tests of the roundings of an optimum: points held by a kink are moved beyond it until roundoff costs nothing."""

from random import Random

import pytest

from refclass import SVC, SVR, KernelClassifier
from refclass.errors import NotConverged
from refclass.regress.kernel.rounded import rounding
from tests.profiles import examples

CUBIC = {"name": "polynomial", "degree": 3, "c": 1, "scale": 1}


def digits(machine, X, y, weights=None):
    """Return the digits that are proven of a fit."""
    return machine.fit(X, y, sample_weight=weights).certificate_.digits


@pytest.mark.parametrize("seed", [51, *range(examples(2))])
def test_an_overshoot_grows_until_nine_digits_are_proven(seed):
    """Of a cubic kernel on columns of 1 to 1000 multipliers that are moved may be rounded worse than the others.

    Slack of 10⁻¹¹ costs more than an objective of 10⁻¹²; an overshoot of 10⁻¹⁰ raises it by 10⁻¹⁰ of itself.
    """
    r = Random(seed)
    X = [[r.uniform(1, 2) * 10.0**k for k in (0, 0, 1, 1, 2, 2, 3, 3)] for _ in range(40)]
    assert digits(SVC(kernel=CUBIC), X, [int(x[6] + x[7] > 3000) for x in X]) >= 9


@pytest.mark.parametrize("seed", [6, *range(examples(4))])
def test_an_overshoot_is_measured_at_the_coefficients_that_are_delivered(seed):
    """Of a point far away the multipliers may be exact enough, their rounded coefficients not: an optimum of 10⁻¹⁸."""
    r = Random(seed)
    X = [[1e9 * r.uniform(1, 2), r.gauss(0, 1)], *[[r.gauss(0, 1), r.gauss(0, 1)] for _ in range(3)]]
    assert digits(SVC(C=0.1), X, [1, 0, 0, 0]) >= 9


@pytest.mark.parametrize("seed", range(examples(30)))
def test_an_intercept_is_rounded_to_the_side_of_a_kink_that_costs_less(seed):
    """Points of one class that each cost 10¹¹ stand at a kink: the intercept moves them by a unit in its last place."""
    r = Random(seed)
    X = [[r.gauss(0, 1) for _ in range(2)] for _ in range(6)]
    machine = SVC(kernel={"name": "gaussian", "gamma": 1})
    assert digits(machine, X, [0, 1, 0, 1, 0, 1], [1e11, 1e-3] * 3) >= 9


@pytest.mark.parametrize("seed", [15, *range(examples(4))])
def test_a_function_of_points_that_are_equal_is_a_constant(seed):
    """Of points that are equal, f = (Σ aᵢ)K + β₀ and Σ aᵢ = 0: f is the same everywhere, however large K is."""
    r = Random(seed)
    X = [[r.choice([3e5, 4e3, 1e6, 0.1]) for _ in range(2)]] * 6
    y = [0, 1, *[r.randrange(2) for _ in range(4)]]
    weights = [r.choice([1, 2, 0.3]) for _ in X]
    machine = SVC(C=100, kernel={"name": "polynomial", "degree": 2, "c": 1}).fit(X, y, sample_weight=weights)
    here, away = machine.decision_function([X[0], [0, 0]])
    assert abs(away - here) < 1e-6


@pytest.mark.parametrize("seed", [24, 65, *range(examples(20))])
def test_a_slack_that_roundoff_hides_is_left_out(seed):
    """Two points, or copies of them, far away: the slack of λ|αᵢ| is less than roundoff, whose square costs far more.

    Slack of 10⁻¹⁶ costs 10⁻³² where an optimum is 10⁻²⁴; points moved beyond the margin cost nothing.
    """
    r = Random(seed)
    middle, n = 10.0 ** r.choice([0, 1, 2, 3]), r.choice([2, 3, 4])
    two = [[middle * r.uniform(1, 9)], [-middle * r.uniform(1, 9)]]
    loss = r.choice(["squared_hinge", "huberised", "huberised_hinge"])
    machine = KernelClassifier(
        loss=loss, penalty=r.choice([1e-6, 1e-9]), kernel={**CUBIC, "degree": r.choice([1, 2, 3])}
    )
    assert digits(machine, [two[i % 2] for i in range(n)], [i % 2 for i in range(n)]) >= 9


@pytest.mark.slow
def test_an_overshoot_ends_where_roundoff_of_other_points_costs_the_digits(monkeypatch):
    """An entry of 10⁴⁰⁰ in one row moves f there by 10³⁵⁰, whatever the overshoot of the points at kinks is."""
    r, tried, overshot = Random(5), [], rounding.overshot
    X = [[round(r.gauss(0, 1), 3) for _ in range(2)] for _ in range(20)]
    y, X[3][0] = [round(r.gauss(0, 1), 3) for _ in X], "1e400"

    def counted(*args):
        for a in overshot(*args):
            tried.append(a)
            yield a

    monkeypatch.setattr(rounding, "overshot", counted)
    with pytest.raises(NotConverged) as refusal:
        SVR(arithmetic="decimal:50").fit([[str(v) for v in x] for x in X], y)
    assert {"primal", "dual"} <= set(refusal.value.witness)
    assert len(tried) < 10
