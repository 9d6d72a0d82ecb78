"""Stochastic gradients come near the optimum, and say how near."""

from dataclasses import replace
from fractions import Fraction as Q
from functools import reduce
from operator import add
from random import Random

import pytest
from hypothesis import given

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.losses.hinge import Hinge
from refclass.losses.ramp import Ramp
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.penalised import penalised
from refclass.margins.penalised import stochastic as descent
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.optimise.smooth import sgd
from tests.margins.penalties import problem
from tests.strategies import vectors

POINTS = ([[-2], [-1], [0], [1], [2], [1]], [-1, -1, -1, 1, 1, -1])


@pytest.mark.parametrize("loss", [Hinge(), SquaredHinge()], ids=["hinge", "squared hinge"])
def test_the_bound_holds_and_the_optimum_is_near(loss):
    """dual ≤ optimum ≤ primal, and after many steps the objective is within 2 % of the optimum
    [OPT-SGD.P2] [ISML-27.6.2-sgd] [ISML-27.6.2-objective] [GAP-11]."""
    p = problem(*POINTS, loss, 1, intercept=False, coefficients=True)
    theta = descent.fit(BINARY64, as_doubles(p), Random(7), 4000)
    best = penalised.quadratic(RATIONAL, p).objectives[-1]
    c = descent.certify(RATIONAL, p, theta)
    assert c.dual <= best <= c.primal <= best * Q(102, 100) and c.status in ("not converged", "1.2 digits")


def as_doubles(p):
    """The problem with its features in doubles."""
    features = type(p.K)(BINARY64, p.K.kernel, type(p.K.X)([[float(v) for v in x] for x in p.K.X]))
    y, w = (Vector(map(float, v)) for v in (p.y, p.weights))
    return replace(p, K=features, y=y, weights=w, penalty=float(p.penalty))


def test_the_same_seed_takes_the_same_steps():
    """Chance is an argument  [OPT-SGD]."""
    p = as_doubles(problem(*POINTS, SquaredHinge(), 1, intercept=False, coefficients=True))
    one, two, other = (descent.fit(BINARY64, p, Random(seed), 50) for seed in (1, 1, 2))
    assert one == two != other


@given(vectors(6))
def test_the_gradients_of_the_points_average_to_that_of_all(theta):
    """The mean over the points of what one point sees is the gradient, exactly  [OPT-SGD.P1] [ISML-27.6.2-sgd]."""
    for loss in (Hinge(), SquaredHinge()):
        p = descent.averaged(RATIONAL, problem(*POINTS, loss, 1, intercept=False, coefficients=True))
        each = [sgd.one_gradient(p, theta, i) for i in range(6)]
        assert reduce(add, each) / 6 == sgd.gradient(p, theta)


def test_the_optimum_itself_is_proven():
    """At the exact optimum of the squared hinge the gradient is zero  [SQH-FIT.P1] [ISML-27.6.2-objective]."""
    p = problem(*POINTS, SquaredHinge(), 1, intercept=False, coefficients=True)
    fit = penalised.quadratic(RATIONAL, p)
    c = descent.certify(RATIONAL, p, penalised.coefficients(RATIONAL, fit.a, p.K.X))
    assert c.status == "optimal" and c.gap == 0 and c.primal == fit.objectives[-1]


def test_what_the_plain_route_does_not_take_is_refused():
    """It takes the two hinges, rows of features, no intercept and no weights  [ISML-27.6.2-sgd]."""
    p = problem(*POINTS, SquaredHinge(), 1, intercept=False, coefficients=True)
    with pytest.raises(InvalidInput, match="the hinge or the squared hinge"):
        descent.averaged(RATIONAL, replace(p, loss=Ramp()))
    for other in (replace(p, intercept=True), replace(p, weights=2 * p.weights), replace(p, K=p.table())):
        with pytest.raises(InvalidInput, match="features, no intercept"):
            descent.averaged(RATIONAL, other)
