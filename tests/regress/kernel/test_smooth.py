"""Kernel machines with any smooth loss: Newton's method ends where the slopes are the multipliers."""

from dataclasses import dataclass
from fractions import Fraction as Q
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.deviance import Deviance
from refclass.losses.huber import Huber
from refclass.losses.huberised import Huberised
from refclass.losses.insensitive import Insensitive, SquaredInsensitive
from refclass.losses.loss import Loss
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near, negligible
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import fitted_machine, machine, smooth, smooth_certificate
from refclass.regress.kernel.ridge import kernel_ridge
from tests.profiles import examples

few = settings(max_examples=examples(15))
FIELDS = [BINARY64, decimal(30)]
everywhere = pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)


@dataclass(frozen=True)
class LogCosh(Loss):
    """V(r) = log cosh r, a smooth loss that no module of the package has: V′ = tanh r, V″ = 1 − tanh² r."""

    exact: ClassVar[bool] = False

    def value(self, F, t):
        e = F.exp(-2 * abs(t))
        return abs(t) + F.log((1 + e) / 2)

    def slopes(self, F, t):
        s = F.tanh(t)
        return s, s

    def curvature(self, F, t):
        s = F.tanh(t)
        return 1 - s * s

    def conjugate(self, F, s):
        return ((1 + s) * F.log(1 + s) + (1 - s) * F.log(1 - s)) / 2


X = [[0, 0], [1, 2], [2, 1], [3, 3], [1, 4], [4, 0], [2, 5]]
Y = [0, 2, "3/2", 4, 9, -1, 3]
SIGNS = [-1, -1, 1, 1, 1, -1, -1]


def points(p):
    """Return the machine of a problem's points, as its proof takes it."""
    return machine.Machine(p.K, p.losses.y, (), p.intercept)


def problem(F, loss, y, penalty="1/2", intercept=True, kernel=True, weights=None):
    """A machine on seven points with a Gaussian kernel, or the linear one."""
    rows = Matrix([[F.lift(v) for v in x] for x in X])
    K = gram(F, Gaussian(F.lift("1/4") if F.kind is not float else 0.25), rows) if kernel else rows @ rows.T
    w = Vector([F.lift(v) for v in weights or [1] * len(X)])
    return smooth.Problem(K, smooth.Losses(F, loss, y, w), F.lift(Q(penalty)), intercept)


def numbers(F, values):
    """The numbers in a field."""
    return Vector([F.lift(Q(v)) for v in values])


def stationary(F, p, fit):
    """Whether λa = −g and Σg = 0 up to roundoff."""
    f = Vector.of([v + fit.beta0 for v in fit.values])
    g = p.losses.slopes(f)
    size = g.largest() * len(f) * p.K.largest() + 1
    balanced = negligible(F, g.sum(), size, len(f)) if p.intercept else fit.beta0 == 0
    return balanced and negligible(F, (g + p.penalty * fit.a).largest(), size, len(f))


@everywhere
@pytest.mark.parametrize("intercept", [True, False])
def test_at_the_end_the_slopes_are_the_multipliers(F, intercept):
    """αᵢ = V′(rᵢ)/λ and Σ V′(rᵢ) = 0, for a loss given by its value, slope and curvature
    [REG-KERNEL-GEN.P1] [ESL-12.42] [ESL-12.43] [ESL-12.44] [ERR-ESL-06]."""
    p = problem(F, LogCosh(), numbers(F, Y), intercept=intercept)
    assert stationary(F, p, smooth.fit(p))


@everywhere
@pytest.mark.parametrize("loss", [LogCosh(), Deviance()], ids=["log cosh", "deviance"])
def test_the_proof_bounds_the_objective_from_below(F, loss):
    """By duality the gap is roundoff squared, and never negative  [REG-KERNEL-GEN.P1] [ESL-12.43] [KLR.P1]."""
    y = numbers(F, SIGNS if isinstance(loss, Deviance) else Y)
    p = problem(F, loss, y, weights=[1, 2, 1, 1, 3, 1, 1])
    fit = smooth.fit(p)
    c = smooth_certificate.certify(points(p), loss, p.losses.weights, p.penalty, fit.a, fit.beta0)
    assert c.status == "optimal" and 0 <= c.gap <= Q(F.eps) * c.primal
    assert near(F, fit.objectives[-1], F.lift(c.primal), steps=len(y))


def test_the_proof_of_another_answer_still_bounds_the_optimum():
    """f = 0 is proven not to be optimal: its dual lies below, its primal above the optimum  [RC-4]."""
    F, y = BINARY64, numbers(BINARY64, SIGNS)
    p = problem(F, Deviance(), y)
    best = smooth.fit(p).objectives[-1]
    zero = Vector([0.0] * len(y))
    c = smooth_certificate.certify(points(p), Deviance(), p.losses.weights, p.penalty, zero, 0.5)
    assert c.status == "not converged" and c.dual <= best <= c.primal and "point" in c.where
    far = Vector([10.0 * v for v in y])  # beyond the bounds of the conjugate: the dual is that of what is taken back
    c = smooth_certificate.certify(points(p), Deviance(), p.losses.weights, p.penalty, far, 0.0)
    assert c.status == "not converged" and c.dual <= best <= c.primal


@everywhere
@pytest.mark.parametrize("loss", [SquaredHinge(), Huberised()], ids=["squared hinge", "huberised"])
def test_newton_ends_where_the_quadratic_problem_does(F, loss):
    """For piecewise quadratic losses of the margin both routes reach the same objective  [HSQH-FIT.P1] [SQH-FIT.P1]."""
    p = problem(F, loss, numbers(F, SIGNS))
    fit = smooth.fit(p)
    unit = [loss.of_label(F, t) for t in p.losses.y]
    m = machine.Machine(p.K, p.losses.y, tuple(tuple(q.scaled(1 / p.penalty) for q in own) for own in unit))
    other = training.fit(F, m)
    f = Vector.of([v + other.beta0 for v in other.values])
    assert near(F, fit.objectives[-1], p.penalty * fitted_machine.primal_objective(m, other.square, f), steps=49)


@everywhere
def test_newton_on_huber_ends_where_the_quadratic_problem_does(F):
    """Huber's loss, by Newton and through its dual  [HUBER-FIT.P1] [REG-KERNEL-GEN.P1]."""
    loss, p = Huber(F.lift(1)), problem(F, Huber(F.lift(1)), numbers(F, Y))
    m = machine.Machine(p.K, p.losses.y, (tuple(q.scaled(1 / p.penalty) for q in loss.pieces(F)),) * len(Y))
    other = training.fit(F, m)
    f = Vector.of([v + other.beta0 for v in other.values])
    value = p.penalty * fitted_machine.primal_objective(m, other.square, f)
    assert near(F, smooth.fit(p).objectives[-1], value, steps=49)


@everywhere
def test_the_squared_loss_is_solved_in_one_step(F):
    """V = r² is kernel ridge with λ/2, one Newton step away from anywhere  [REG-KERNEL-GEN.P1] [ERR-ESL-07]."""
    p = problem(F, SquaredInsensitive(F.lift(0)), numbers(F, Y))
    fit = smooth.fit(p)
    ridge = kernel_ridge.fit(F, p.K, p.losses.y, p.losses.weights, penalty=p.penalty / 2, intercept=True)
    assert near(F, fit.objectives[1], fit.objectives[-1], steps=49)
    assert negligible(F, (fit.a - ridge.alpha).largest(), fit.a.largest(), 49)


@everywhere
def test_no_state_of_the_iteration_lies_higher_than_the_one_before(F):
    """The objective falls with every Newton step, up to roundoff  [KLR.P1]."""
    states = list(smooth.steps(problem(F, Deviance(), numbers(F, SIGNS), penalty="1/100")))
    for state in states:
        state.check()
    assert len(states) > 3


def test_where_no_point_has_curvature_the_intercept_goes_downhill():
    """All margins beyond both ends of the parabola: a step moves β₀ by one, and the iteration ends  [HSQH-FIT.P1]."""
    F = BINARY64
    p = problem(F, Huberised(), numbers(F, SIGNS))
    start = Vector([0.0] * len(X) + [50.0])
    assert start[-1] - p.newton_step(start)[-1] == 49.0
    assert stationary(F, p, smooth.fit(p))


def test_a_loss_with_kinks_is_refused():
    """Newton's method requires a continuous slope  [ESL-12.37]."""
    with pytest.raises(NoAnswer, match="kink|continuous slope"):
        smooth.fit(problem(BINARY64, Insensitive(0.0), numbers(BINARY64, Y)))


@few
@given(st.lists(st.fractions(-3, 3), min_size=4, max_size=4), st.booleans())
def test_the_gradient_is_that_of_the_objective(values, intercept):
    """Along any direction the objective of a convex loss rises at least as its gradient says, exactly
    [ESL-12.43]."""
    K = Matrix([[Q(2), Q(1), Q(0)], [Q(1), Q(3), Q(1)], [Q(0), Q(1), Q(1)]])
    y = Vector([Q(1), Q(-1), Q(1)])
    p = smooth.Problem(K, smooth.Losses(RATIONAL, SquaredHinge(), y, Vector([Q(1), Q(2), Q(1)])), Q(1, 3), intercept)
    x = Vector(values if intercept else [*values[:3], Q(0)])
    step = Vector([Q(1, 3), Q(-1, 2), Q(1, 5), Q(1, 7) if intercept else Q(0)])
    low, high = p.gradient(x) @ step, p.gradient(x + step) @ step
    assert low <= p.objective(x + step) - p.objective(x) <= high


def test_an_answer_that_is_a_little_off_has_fewer_digits():
    """Multipliers that are off by one part in 10⁵ prove nine digits, by one in a hundred fewer  [RC-20]."""
    F, y = BINARY64, numbers(BINARY64, SIGNS)
    p = problem(F, Deviance(), y)
    fit = smooth.fit(p)
    found = []
    for part in (1e-5, 1e-2):
        nudged = Vector([v * (1 + part * (-1) ** i) for i, v in enumerate(fit.a)])
        found.append(smooth_certificate.certify(points(p), Deviance(), p.losses.weights, p.penalty, nudged, fit.beta0))
    assert found[0].status == "optimal" and found[1].status.endswith("digits")
    assert 9 <= found[0].digits < 12 and 3 <= found[1].digits < 6
