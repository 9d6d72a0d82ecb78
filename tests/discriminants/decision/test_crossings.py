"""All roots of sums of Gaussian bumps, against a fine grid of signs and against paper."""

import math
from random import Random

import pytest

from refclass import GaussianBayesRule
from refclass.discriminants.decision import crossings
from refclass.number.decimals import decimal

D = decimal(40)


def terms(*given):
    return [crossings.term(list(map(D.lift, P)), tuple(map(D.lift, q))) for P, q in given]


def test_roots_agree_with_paper():
    """eˣ = 2, a polynomial with its roots, a bump twice as wide and half as high, and none."""
    (found,) = crossings.roots(D, terms(([1], [0, 1, 0]), ([-2], [0, 0, 0])))
    assert abs(found - D.log(D.kind(2))) < D.kind(10) ** -35
    cubic = crossings.roots(D, terms(([-6, 11, -6, 1], [0, 0, 0])))
    assert [round(float(v), 30) for v in cubic] == [1, 2, 3]
    low, high = crossings.roots(D, terms(([2], [0, 0, -4]), ([-1], [0, 0, -1])))
    assert low == -high and abs(high * high - D.log(D.kind(2)) / 3) < D.kind(10) ** -35
    assert crossings.roots(D, terms(([1], [0, 1, 0]), ([1], [0, 0, -1]))) == []
    assert crossings.roots(D, terms(([1], [0, 1, 0]), ([-1], [0, 1, 0]))) == []


@pytest.mark.parametrize("seed", range(8))
def test_every_change_of_sign_on_a_grid_is_found(seed):
    """Sums of three or four bumps of any widths and signs have as many roots as their signs change, at those places."""
    rng = Random(seed)
    bumps = [(rng.uniform(-2, 2), rng.uniform(-4, 4), rng.uniform(0.3, 3)) for _ in range(3 + seed % 2)]
    given = terms(*[([a * math.exp(-m * m / 2 / v)], [0, m / v, -1 / (2 * v)]) for a, m, v in bumps])
    found = crossings.roots(D, given)
    grid = [i / 100 for i in range(-1500, 1501)]
    value = [sum(a * math.exp(-((x - m) ** 2) / 2 / v) for a, m, v in bumps) for x in grid]
    seen = [x for x, u, w in zip(grid, value, value[1:]) if (u > 0) != (w > 0)]
    near = [v for v in found if -15 <= v <= 15]
    assert len(near) == len(seen) and all(0 <= float(v) - x <= 0.0101 for v, x in zip(near, seen))


@pytest.mark.thorough
def test_probabilities_with_costs_of_three_classes_are_those_of_quadrature():
    """P[i][j] of the rule of least expected cost in one variable, by sums over a fine grid  [KIM-2.1] [KIM-2.9]."""
    rule = GaussianBayesRule(
        means=[0, 2, 5], covariances=[1, 4, 2], priors=[0.3, 0.4, 0.3], costs=[[0, 5, 1], [2, 0, 3], [9, 1, 0]]
    ).fit()
    width = 0.002
    grid = [-20 + width * (i + 0.5) for i in range(25000)]
    said = rule.predict([[x] for x in grid])
    for j, (m, v) in enumerate(((0, 1), (2, 4), (5, 2))):
        mass = [0.0] * 3
        for x, i in zip(grid, said):
            mass[i] += width * math.exp(-((x - m) ** 2) / 2 / v) / math.sqrt(2 * math.pi * v)
        assert all(abs(row[j] - w) < 2e-3 for row, w in zip(rule.misclassification_probabilities_, mass))
    assert rule.certificate_.status == "within roundoff" or rule.certificate_.digits > 12
