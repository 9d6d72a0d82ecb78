"""Tests of the semismooth Newton method: optimality conditions to many bits, from any start."""

from fractions import Fraction as Q

import pytest

from refclass.errors import NotConverged
from refclass.linear.factorisations.fixed_point import fixed
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.huber import Huber
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.number.rational import RATIONAL
from refclass.regress.kernel.newton import semismooth_newton
from refclass.regress.kernel.newton.loss_slopes import Piecewise
from refclass.regress.kernel.newton.newton_coordinates import Coefficients, Multipliers

BITS = 500
X = Matrix([[Q(k), Q(k * k % 7) * 1000] for k in range(9)])
Y = Vector([Q(k * k % 5) + Q(k, 3) for k in range(9)])


def problem(loss, coordinates, sigma=0):
    """Return the machine of a loss with cost 1."""
    space = Coefficients(X, BITS) if coordinates else Multipliers(X @ X.T, 9, BITS)
    slopes = Piecewise(BITS, [loss.pieces(RATIONAL)] * 9)
    return semismooth_newton.Problem(space, slopes, fixed(Y, BITS), True, fixed([sigma], BITS)[0])


@pytest.mark.parametrize("coordinates", [True, False])
@pytest.mark.parametrize("loss", [Huber(Q(1)), Insensitive(Q(1, 10)), QuadraticInsensitive(Q(1, 9))], ids=repr)
@pytest.mark.parametrize("start", [0, 5000])
def test_at_the_end_the_multipliers_are_those_that_the_residuals_call_for(loss, coordinates, start):
    """f = Σ aᵢK(xᵢ, ·), Σ aᵢ = 0, a(r) = a, to 25 digits, from the origin and from far away  [ESL-12.44]."""
    p = problem(loss, coordinates, 0 if isinstance(loss, Huber) else 1000)
    end = semismooth_newton.solve(p, fixed([start] * p.space.size, BITS))
    assert abs(sum(end.a)) < 2 ** (BITS - 80)
    assert all(abs(v - w) < 2 ** (BITS - 60) for v, w in zip(p.space.of(end.a), end.x))
    a = [Q(v, 2**BITS) for v in end.a]
    f = (X @ X.T) @ Vector(a)
    r = [t - v - Q(end.beta0, 2**BITS) for t, v in zip(Y, f)]
    if isinstance(loss, Insensitive):
        assert all(abs(abs(t) - Q(1, 10)) < Q(1, 10**20) for v, t in zip(a, r) if 0 < abs(v) < 1)
        assert all(abs(t) < Q(1, 10) + Q(1, 10**20) for v, t in zip(a, r) if abs(v) < 1)
    if isinstance(loss, Huber):
        assert all(abs(v - max(-1, min(1, t))) < Q(1, 10**20) for v, t in zip(a, r))


@pytest.mark.parametrize("loss", [Huber(Q(1)), SquaredInsensitive(Q(1, 10))], ids=repr)
@pytest.mark.parametrize("coordinates", [True, False])
@pytest.mark.parametrize("start", [0, 5000])
def test_whole_steps_end_where_searched_ones_do(monkeypatch, loss, coordinates, start):
    """The minimum is the same, and where slack is squared no more steps lead there  [ESL-12.44]."""
    ends, steps = [], []
    for tried in (0, semismooth_newton.TRIED):
        monkeypatch.setattr(semismooth_newton, "TRIED", tried)
        p = problem(loss, coordinates)
        spent = []
        monkeypatch.setattr(p.space, "solve", lambda *given, own=p.space.solve, n=spent: n.append(1) or own(*given))
        ends.append(semismooth_newton.solve(p, fixed([start] * p.space.size, BITS)))
        steps.append(len(spent))
    assert all(abs(v - w) < 2 ** (BITS - 60) for v, w in zip(ends[0].f, ends[1].f))
    assert isinstance(loss, Huber) or steps[1] <= steps[0]


def test_too_many_steps_are_refused(monkeypatch):
    """The budget is a number of steps  [RC-21]."""
    monkeypatch.setattr(semismooth_newton, "STEPS", 0)
    with pytest.raises(NotConverged, match="within 0 steps"):
        semismooth_newton.solve(problem(Huber(Q(1)), True))


def test_an_intercept_is_found_at_which_the_multipliers_balance():
    """The sum falls as the intercept rises, and is zero to the last unit where V has no kink."""
    p = problem(Huber(Q(10**6)), True)
    level = semismooth_newton.levelled(p, semismooth_newton.Point([0, 0], 0, [0] * 9, []))
    assert abs(Q(level.beta0, 2**BITS) - Y.sum() / 9) < Q(1, 10**100)
