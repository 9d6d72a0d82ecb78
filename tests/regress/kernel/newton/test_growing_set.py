"""Tests of Newton's method on a growing set: the optimum of all points, whichever are tried first."""

from fractions import Fraction as Q
from functools import partial
from random import Random

import pytest

from refclass import SVC
from refclass.errors import NotConverged
from refclass.kernels.polynomial import Polynomial
from refclass.linear.factorisations.fixed_point import fixed
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.insensitive import Insensitive, SquaredInsensitive
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import certificate, intercept
from refclass.regress.kernel.newton import crossover, growing_set, newton_coordinates, semismooth_newton
from refclass.regress.kernel.newton.loss_slopes import Logistic, Piecewise
from refclass.regress.kernel.newton.newton_coordinates import Multipliers
from tests.regress.tables import machine

BITS, N = 500, 16
X = Matrix([[Q(k), Q(k * k % 7) * 100] for k in range(N)])
K = Matrix([[(1 + u @ v) ** 2 for v in X] for u in X])
Y = Vector([Q(k * k % 5) + Q(k, 3) for k in range(N)])


def problem(loss):
    """Return a machine with a polynomial kernel of unscaled columns, and cost 1."""
    sigma = 1000 if isinstance(loss, Insensitive) else 0
    slopes = Piecewise(BITS, [loss.pieces(RATIONAL)] * N)
    return semismooth_newton.Problem(Multipliers(K, N, BITS), slopes, fixed(Y, BITS), True, fixed([sigma], BITS)[0])


@pytest.mark.parametrize("first", [1, 3, 10])
@pytest.mark.parametrize("loss", [Insensitive(Q(1, 10)), SquaredInsensitive(Q(1))], ids=repr)
@pytest.mark.parametrize("grown", [growing_set.solve, growing_set.follow])
def test_the_end_is_that_of_all_points(monkeypatch, grown, loss, first):
    """f is unique, and so is its value at every point, and at the end of the central path  [ESL-12.36]."""
    monkeypatch.setattr(growing_set, "FIRST", first)
    grown, whole = grown(problem(loss)), semismooth_newton.solve(problem(loss))
    assert all(abs(v - w) < 2 ** (BITS - 60) for v, w in zip(grown.f, whole.f))
    assert abs(grown.beta0 - whole.beta0) < 2 ** (BITS - 60)


def test_the_deviance_of_all_points_is_reached_from_a_few(monkeypatch):
    """One label of eight stands alone: it is among the first points, as one class has no minimum  [ESL-12.31]."""
    n, bits = 8, 250
    y = [Q(1 if k == 3 else -1) for k in range(n)]
    table, costs = Multipliers(K, N, bits).part(range(n)), [Q(1)] * n
    machine = semismooth_newton.Problem(table, Logistic(bits, y, costs), fixed(y, bits), True)
    whole = semismooth_newton.solve(machine)
    monkeypatch.setattr(growing_set, "FIRST", 2)
    sizes, solve = [], semismooth_newton.solve

    def watched(problem, *given):
        sizes.append(len(problem.y))
        return solve(problem, *given)

    monkeypatch.setattr(semismooth_newton, "solve", watched)
    grown = growing_set.solve(machine)
    assert all(abs(v - w) < 2 ** (bits - 60) for v, w in zip(grown.f, whole.f))
    assert len(sizes) > 1 and sizes == sorted(sizes) and sizes[-1] == n


@pytest.mark.parametrize("loss", [Insensitive, SquaredInsensitive])
@pytest.mark.parametrize("share", [Q(1, 10), Q(1, 2), Q(9, 10)])
def test_what_is_reached_when_the_work_ends_bounds_the_objective(monkeypatch, loss, share):
    """Primal and dual hold the optimum between them, and the dual is not that of f = 0."""
    monkeypatch.setattr(growing_set, "FIRST", 3)
    m, spent, solve = machine(X, Y, loss(Q(1, 10)), Q(10), kernel=Polynomial(2)), [], Multipliers.solve

    def watched(self, *given):
        found = solve(self, *given)
        spent.append(self.spent)
        return found

    monkeypatch.setattr(Multipliers, "solve", watched)
    found = crossover.optimum(m)
    best = certificate.certify(m, found.a, found.beta0)
    monkeypatch.setattr(newton_coordinates, "WORK", int(share * spent[-1]))
    with pytest.raises(NotConverged, match="multiplications") as refusal:
        crossover.optimum(m)
    constant = intercept.constant(m)
    primal, dual = crossover.bounds(m, refusal.value, partial(certificate.certify, m), [(constant, Q(0))])
    assert 0 < dual <= best.primal and best.dual <= primal <= constant


@pytest.mark.thorough
def test_tables_hold_few_points_where_few_have_a_multiplier(monkeypatch):
    """Unscaled columns, a polynomial of degree 3, squared slack: at f = 0 all points have slack, at the end few."""
    sizes, solve, r = [], Multipliers.solve, Random(5)

    def watched(self, a, delta, *given):
        sizes.append(sum(map(bool, delta)))
        return solve(self, a, delta, *given)

    monkeypatch.setattr(growing_set, "FIRST", 12)
    monkeypatch.setattr(Multipliers, "solve", watched)
    x = [[(v + 4 * (k % 2)) * s for v, s in zip((r.gauss(0, 1), r.gauss(0, 1)), (1, 60))] for k in range(130)]
    model = SVC(loss="squared_hinge", kernel={"name": "polynomial", "degree": 3}).fit(x, [k % 2 for k in range(130)])
    assert model.certificate_.digits > 9 or model.certificate_.digits == model.certificate_.ceiling
    assert 0 < len(model.support_) < max(sizes) <= 65
