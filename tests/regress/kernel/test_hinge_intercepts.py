"""The intercepts along a path: by the order of places, as by the slopes of the sum of losses."""

import random
from fractions import Fraction

import pytest

import refclass
from refclass.kernels.linear import Linear
from refclass.kernels.matrices import gram
from refclass.kernels.matrices.product import exact_product
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate
from refclass.margins.svm.soft import Machine
from refclass.number.binary64 import BINARY64
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
    X = [[3e-8 * i] for i in range(6)]
    found = refclass.SVMPath(kernel={"name": "gaussian", "gamma": 1}).fit(X, [0, 1, 0, 1, 1, 0])._model
    alpha = [0.25, 0.5, 0.125, 0.375, 0, 0.5]
    for cost in (Fraction(1), Fraction(10**9)):
        want = intercept.of_hinges(found.held, found.y, alpha, cost)
        assert intercept.of_hinges(found.held, found.y, alpha, cost, found.K) == want


@pytest.mark.parametrize(("columns", "looked"), [(2, 2), (intercept.MOST + 1, 8)])
def test_of_more_entries_than_the_error_is_proven_for_every_place_is_computed(columns, looked):
    """Of few entries the two places at the ends of the interval alone."""
    near = gram.Rows(BINARY64, Linear(), [(float(i),) * columns for i in range(8)])
    _, places = intercept._candidates(near, Vector([1.0] * 4 + [-1.0] * 4), [0.5] * 8, 1.0)
    assert len(places) == looked
