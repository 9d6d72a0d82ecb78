"""The intercepts along a path: by the order of places, as by the slopes of the sum of losses."""

import random
from fractions import Fraction

import pytest

import refclass
from refclass.kernels.matrices.product import exact_product
from refclass.margins.svm import certificate
from refclass.margins.svm.soft import Machine
from refclass.number.field import rational
from refclass.regress.kernel import intercept


@pytest.mark.parametrize("kernel", ["linear", {"name": "gaussian", "gamma": 0.5}, {"name": "polynomial", "degree": 3}])
def test_the_intercepts_of_equal_costs_lie_between_two_places(kernel):
    """The interval is that of all slopes, with doubles to sort most points out and without."""
    r, y = random.Random(3), [0, 1] * 6 + [1] * 2
    found = refclass.SVMPath(kernel=kernel).fit([[r.gauss(2 * t, 1), r.gauss(0, 1)] for t in y], y)._model
    for lam, alpha in zip(found.lambdas, found.alphas):
        cost = 1 / rational(lam)
        exact = certificate.lifted(Machine(found.held, found.y, (cost,) * len(y), positive=True)).dual()
        values = exact_product(found.held, [rational(a) * rational(t) * cost for a, t in zip(alpha, found.y)])
        want = intercept.best(exact, values)
        assert intercept.of_hinges(found.held, found.y, alpha, cost) == want
        assert intercept.of_hinges(found.held, found.y, alpha, cost, found.K) == want


def test_points_that_doubles_do_not_tell_apart_are_all_looked_at():
    """Where entries of K differ by less than doubles err, every place is computed exactly."""
    X = [[1e-9 * i] for i in range(6)]
    found = refclass.SVMPath(kernel={"name": "gaussian", "gamma": 1}).fit(X, [0, 1, 0, 1, 1, 0])._model
    alpha = [0.25, 0.5, 0.125, 0.375, 0, 0.5]
    for cost in (Fraction(1), Fraction(10**9)):
        want = intercept.of_hinges(found.held, found.y, alpha, cost)
        assert intercept.of_hinges(found.held, found.y, alpha, cost, found.K) == want
