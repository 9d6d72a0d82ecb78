"""The interaction spline kernel."""

from fractions import Fraction
from itertools import combinations
from math import prod

import pytest
from hypothesis import given

from refclass import KernelRidge, SemiparametricRegression
from refclass.errors import InvalidInput
from refclass.kernels.interaction_spline import InteractionSpline
from refclass.kernels.spline import Spline
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from tests.strategies import vectors

START = Fraction(-3)


def parts(x, z):
    """The kernel of each variable: uv + k(u, v)."""
    spline = Spline(START)
    return [(s - START) * (t - START) + spline(RATIONAL, Vector([s]), Vector([t])) for s, t in zip(x, z)]


@given(vectors(4), vectors(4))
def test_it_is_the_sum_over_all_sets_of_variables(x, z):
    """For each order the products over every set of so many variables or fewer [ESL-12.3.3-interaction]
    [K-INTERSPLINE.P1]."""
    own = parts(x, z)
    for order in (1, 2, 3):
        total = sum(prod(s) for size in range(1, order + 1) for s in combinations(own, size))
        assert InteractionSpline(START, order)(RATIONAL, x, z) == total


@given(vectors(3), vectors(3))
def test_of_all_orders_it_is_a_product(x, z):
    """Σ over all sets is Π (1 + s) − 1 [ESL-12.3.3-interaction] [KIM-3.64] [K-INTERSPLINE.P2]."""
    assert InteractionSpline(START, 5)(RATIONAL, x, z) == prod(1 + s for s in parts(x, z)) - 1


def test_interactions_fit_what_sums_cannot():
    """y = xz on a grid: additive splines leave residuals at any penalty, interactions none as it falls
    [ESL-12.3.3-interaction] [ESL-12.3.3-additive]."""
    X = [[a, b] for a in range(4) for b in range(4)]
    y = [a * b for a, b in X]

    def away(kernel):
        m = SemiparametricRegression(kernel=kernel, penalty="1/100000", arithmetic="exact").fit(X, y)
        return max(abs(a - b) for a, b in zip(m.predict(X), y))

    assert away("spline") > 1 and away({"name": "interaction_spline", "start": -1}) < Fraction(1, 1000)


@pytest.mark.parametrize("order", [0, 1.5, True])
def test_an_order_is_a_whole_number(order):
    """Orders below 1 name no functions."""
    with pytest.raises(InvalidInput, match="need a whole order ≥ 1"):
        InteractionSpline(START, order)


def test_features_of_smaller_norm_are_shrunk_more():
    """A hierarchical basis: orthogonal features, the second times δ < 1, keep shares 4/(4 + λ) and 4δ²/(4δ² + λ) of
    their least-squares coefficients: the rougher one, given the smaller norm, loses more  [K-HIER.P1] [ESL-12.27]."""
    smooth, rough, lam = [1, 1, -1, -1], [1, -1, 1, -1], 4
    y = [Fraction(a + b) for a, b in zip(smooth, rough)]
    for delta in (Fraction(1, 2), Fraction(1, 4)):
        X = [[a, delta * b] for a, b in zip(smooth, rough)]
        m = KernelRidge(penalty=lam, intercept=False, arithmetic="exact").fit(X, y)
        first, second = m.coef_[0], m.coef_[1] * delta
        assert (first, second) == (Fraction(4, 4 + lam), 4 * delta**2 / (4 * delta**2 + lam)) and second < first
