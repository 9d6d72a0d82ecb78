"""Tests of the central path of a kernel machine: its end is the optimum, its parts are conjugate."""

from fractions import Fraction as Q
from random import Random

import pytest

import refclass
from refclass.errors import NotConverged
from refclass.linear.factorisations.fixed_point import fixed
from refclass.linear.matrix import Matrix
from refclass.losses.conjugate_pieces import Piece
from refclass.losses.huber import Huber
from refclass.losses.insensitive import Insensitive
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.regress.kernel.newton import central_path, newton_coordinates, semismooth_newton
from refclass.regress.kernel.newton.loss_slopes import Piecewise, Power
from refclass.regress.kernel.newton.newton_coordinates import Coefficients, Multipliers

BITS, N = 400, 8
X = [[Q(k), Q(k * k % 5)] for k in range(N)]
K = Matrix([[u[0] * v[0] + u[1] * v[1] for v in X] for u in X])
CLOSE = 2 ** -Q(120)


def problem(slopes, y, space=None, intercept=True):
    """Return a linear machine in fixed-point numbers."""
    return semismooth_newton.Problem(space or Multipliers(K, N, BITS), slopes, fixed(y, BITS), intercept)


def labelled(p):
    """Return labels that no line parts, and the slopes of a power of the hinge."""
    y = [Q(1 if k in (1, 2, 5, 7) else -1) for k in range(N)]
    return Power(BITS, y, [Q(k + 1, 3) for k in range(N)], Q(p)), y


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("p", [Q(11, 10), Q(3, 2), Q(3)])
def test_residuals_call_for_the_multipliers_at_the_end(p, intercept):
    """a = cpd^(p−1) at every slack d, to seventeen digits of the largest, and Σ a = 0 with an intercept  [KIM-3.33]."""
    slopes, y = labelled(p)
    m = problem(slopes, y, intercept=intercept)
    path = central_path.Parts(m)
    state = central_path.solve(path, path.F.lift(CLOSE))
    found = central_path.point(m, state.a, state.beta0)
    called = [slopes(i, t - v - found.beta0).a for i, (t, v) in enumerate(zip(m.y, found.f))]
    assert max(abs(v - w) for v, w in zip(called, found.a)) < 2 ** (BITS - 56) * max(1, max(map(abs, found.a)) >> BITS)
    assert not intercept or abs(sum(found.a)) < 2 ** (BITS - 66)


@pytest.mark.parametrize("loss", [Insensitive(Q(1, 10)), Huber(Q(1))], ids=repr)
def test_coefficients_and_multipliers_end_alike(loss):
    """The same function, whichever its variables are  [ESL-12.36]."""
    y = [Q(k * k % 7) for k in range(N)]
    ends = []
    for space in (Multipliers(K, N, BITS), Coefficients(X, BITS)):
        m = problem(Piecewise(BITS, [loss.pieces(RATIONAL)] * N), y, space)
        path = central_path.Parts(m)
        state = central_path.solve(path, path.F.lift(CLOSE))
        ends.append(central_path.point(m, state.a, state.beta0))
    one, other = ends
    assert max(abs(v + one.beta0 - w - other.beta0) for v, w in zip(one.f, other.f)) < 2 ** (BITS - 36)


@pytest.mark.parametrize("v", ["0.1", "1", "2.5"])
def test_a_part_and_its_conjugate_meet_where_the_slope_says(v):
    """Φ(v) + Φ*(Φ′(v)) = vΦ′(v), and Φ″ is the derivative of Φ′  [KIM-3.33]."""
    F, step = decimal(60), decimal(60).lift(Q(1, 10**20))
    v, one = F.lift(Q(v)), F.kind(1)
    for part in (
        central_path.Parabola(F, 0, 1, 3 * one, one / 10, one),
        central_path.Parabola(F, 0, 1, None, one, one / 7),
        central_path.Conjugate(F, 0, 1, 9 * one, 2 * one, 10 * one),
    ):
        slope, curvature = part.slopes(v)
        assert abs(part.paid(v) + part.conjugate(slope) - v * slope) * 10**35 < max(1, v * slope)
        assert abs((part.slopes(v + step)[0] - slope) / step - curvature) < max(1, curvature) / 10**15
        assert part.conjugate(-one) == part.conjugate(0 * one) == 0


def test_losses_that_are_infinite_have_no_interior():
    """A multiplier without a bound or a curvature has no place to start from."""
    hard = [(Piece(Q(1), Q(0), Q(0), None),)]
    assert not central_path.finite(Piecewise(BITS, hard))
    assert central_path.finite(Piecewise(BITS, [Insensitive(Q(1)).pieces(RATIONAL)]))


def test_a_refusal_says_what_was_reached(monkeypatch):
    """Where the work is done before the gap is closed."""
    slopes, y = labelled(Q(3, 2))
    monkeypatch.setattr(newton_coordinates, "WORK", 2000)
    path = central_path.Parts(problem(slopes, y))
    with pytest.raises(NotConverged, match="a relative gap of") as refusal:
        central_path.solve(path, path.F.lift(CLOSE))
    (a,), _ = refusal.value.witness["reached"]
    assert len(a) == N and any(a)


@pytest.mark.parametrize("bits, good", [(67, True), (65, False)])
def test_twenty_digits_are_enough_where_the_work_ends(monkeypatch, bits, good):
    """Doubles hold sixteen; with fewer than twenty the end is refused."""
    slopes, y = labelled(Q(3, 2))
    path = central_path.Parts(problem(slopes, y))
    one = path.F.kind(1)
    last = central_path.State(path.a, 0, one, one - path.F.lift(2 ** -Q(bits)))
    monkeypatch.setattr(central_path.interior_point, "solve", lambda path, close: last)
    if good:
        assert central_path.solve(path, path.F.lift(CLOSE)) is last
    else:
        with pytest.raises(NotConverged, match="a relative gap of"):
            central_path.solve(path, path.F.lift(CLOSE))


@pytest.mark.thorough
@pytest.mark.parametrize("degree, kind, digits", [(2, "outlier", 9), (3, "offset", 0)])
def test_powers_below_two_end_on_degenerate_columns(degree, kind, digits):
    """Newton's method in the primal creeps there for more than 60 steps; bounds agree where doubles hold no digit."""
    rng = Random(7)
    X = [[rng.gauss(0, 1) + (1e6 if kind == "offset" else 0) for _ in range(2)] for _ in range(45)]
    X[3][0] = 1e9 if kind == "outlier" else X[3][0]
    y = [rng.randrange(2) for _ in X]
    kernel, loss = {"name": "polynomial", "degree": degree}, {"name": "power_hinge", "p": 1.5}
    machine = refclass.KernelClassifier(loss=loss, penalty=0.1, kernel=kernel)
    try:
        assert machine.fit(X, y).certificate_.digits >= digits > 0
    except NotConverged as refusal:
        primal, dual = (float(refusal.witness[name]) for name in ("primal", "dual"))
        assert digits == 0 and abs(primal - dual) < 1e-9 * primal
