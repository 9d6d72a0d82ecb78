"""Stochastic subgradients: right on average, near the end after long, and a proof of how near."""

from fractions import Fraction as Q
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.optimise.smooth import sgd
from tests.optimise.gram import clouds
from tests.strategies import fractions, positive, vectors


def hinge(m):
    """[1 − m]₊."""
    return max(1 - m, 0 * m)


def hinge_slope(m):
    """−1 left of the kink, 0 from it on."""
    return (0 * m - 1) if m < 1 else 0 * m


def squared_hinge(m):
    """[1 − m]₊²."""
    return hinge(m) * hinge(m)


def squared_hinge_slope(m):
    """−2[1 − m]₊."""
    return -2 * hinge(m)


LOSSES = {"hinge": (hinge, hinge_slope), "squared hinge": (squared_hinge, squared_hinge_slope)}


@st.composite
def problems(draw, loss=None):
    """A penalised loss of a few rational points."""
    p, n = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    X = tuple(draw(vectors(p)) for _ in range(n))
    y = Vector([draw(st.sampled_from([Q(1), Q(-1)])) for _ in range(n)])
    value, slope = LOSSES[loss or draw(st.sampled_from(sorted(LOSSES)))]
    return sgd.Problem(X, y, draw(positive), value, slope)


def clouded(loss, lam, n=60):
    """Two clouds in the plane with a constant feature."""
    X, labels = clouds(n, seed=3)
    value, slope = LOSSES[loss]
    rows = tuple(Vector([*x, 1.0]) for x in X)
    return sgd.Problem(rows, Vector([1.0 if k else -1.0 for k in labels]), lam, value, slope)


@given(problem=problems(), data=st.data())
def test_the_gradient_of_one_point_is_right_on_average(problem, data):
    """The mean over the points of what each sees is the gradient of the whole, exactly [OPT-SGD.P1]
    [ISML-27.6.2-sgd]."""
    theta = data.draw(vectors(len(problem.X[0])))
    n = len(problem.X)
    mean = sum((sgd.one_gradient(problem, theta, i) for i in range(1, n)), sgd.one_gradient(problem, theta, 0))
    assert mean / n == sgd.gradient(problem, theta)


@given(problem=problems(loss="squared hinge"), data=st.data())
def test_the_gradient_is_the_slope_of_the_objective(problem, data):
    """For the smooth loss a central difference of a piecewise quadratic is exact where no margin crosses 1."""
    p = len(problem.X[0])
    theta, way = data.draw(vectors(p)), data.draw(vectors(p))
    h = Q(1, 10**9)
    margins = [[t * (x @ (theta + s * way)) - 1 for s in (h, -h)] for x, t in zip(problem.X, problem.y)]
    if all(a * b > 0 for a, b in margins):
        ahead, behind = (sgd.objective(problem, theta + s * way) for s in (h, -h))
        assert (ahead - behind) / (2 * h) == sgd.gradient(problem, theta) @ way


@given(problem=problems(), data=st.data())
def test_the_bound_lies_below_every_value(problem, data):
    """J(z) ≥ J(θ) − ‖g‖²/2λ for every z and every subgradient: the hinge's at its kink, too."""
    p = len(problem.X[0])
    theta, z = data.draw(vectors(p)), data.draw(vectors(p))
    assert sgd.certify(problem, theta).dual <= sgd.objective(problem, z)


@pytest.mark.slow
@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_the_iteration_comes_near_the_minimum(loss):
    """After 20000 steps the average lies within a hundredth of the best value of a long iteration of full gradients
    [OPT-SGD.P2]."""
    problem = clouded(loss, 0.1)
    start = 1 if loss == "hinge" else 200
    average = sgd.solve(problem, Random(5), count=20000, first=start, skip=2000)
    theta = 0 * average
    for t in range(1, 3000):
        theta = theta - sgd.gradient(problem, theta) / (0.1 * (t + start))
    best = sgd.certify(problem, theta)
    value = sgd.objective(problem, average)
    assert best.dual <= value <= best.primal + 0.01


def test_longer_iterations_are_nearer():
    """The proven gap of the smooth loss falls as the iteration gets longer, to a third at most from 300 steps to
    30000.
    """
    problem = clouded("squared hinge", 0.5)
    gaps = [
        sgd.certify(problem, sgd.solve(problem, Random(2), count=n, first=50, skip=n // 2)).gap for n in (300, 30000)
    ]
    assert gaps[1] < gaps[0] / 3


@given(problem=problems())
def test_every_state_keeps_its_promise_and_steps_are_rational(problem):
    """On fractions the iteration is exact, its states pass their check, and the average is that of the iterates."""
    states = list(islice(sgd.steps(problem, Random(1)), 6))
    for state in states:
        state.check()
    total = sum((s.theta for s in states[2:]), states[1].theta)
    assert states[-1].average == total / 5
    assert {type(v) for v in states[-1].theta} == {Q}


def test_chance_is_an_argument():
    """The same source gives the same iteration."""
    problem = clouded("hinge", 0.1)
    one, other = (sgd.solve(problem, Random(seed), count=50) for seed in (7, 7))
    assert one == other != sgd.solve(problem, Random(8), count=50)


def test_what_makes_no_problem_is_refused():
    """Labels that are not ±1, lengths that differ, λ ≤ 0, no steps, a count from zero."""
    X, y = (Vector([1.0]), Vector([2.0])), Vector([1.0, -1.0])
    for wrong in ((X, Vector([1.0]), 1.0), (X, Vector([1.0, 2.0]), 1.0), (X, y, 0.0)):
        with pytest.raises(InvalidInput, match="stochastic: need"):
            sgd.Problem(*wrong, hinge, hinge_slope)
    problem = sgd.Problem(X, y, 1.0, hinge, hinge_slope)
    with pytest.raises(InvalidInput, match="at least one step"):
        sgd.solve(problem, Random(1), count=0)
    with pytest.raises(InvalidInput, match="a count from 1"):
        sgd.solve(problem, Random(1), count=5, first=0)


@given(problem=problems(), theta=fractions)
def test_the_proof_at_a_minimum_has_no_gap(problem, theta):
    """Where the gradient vanishes the certificate says optimal; elsewhere it names the worst entry."""
    point = Vector([theta] * len(problem.X[0]))
    proof = sgd.certify(problem, point)
    g = sgd.gradient(problem, point)
    assert (proof.status == "optimal") == (not any(g)) == (proof.gap == 0)
    assert proof.worst_violation == g.largest()
