"""Retargeted least squares: parabolas above the loss, objectives that fall, and what the printed retarget minimises."""

from dataclasses import replace
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.deviance import Deviance
from refclass.losses.hinge import Hinge
from refclass.losses.huberised import Huberised
from refclass.losses.huberised_hinge import HuberisedHinge
from refclass.losses.ramp import SquaredRamp
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.penalised import penalised, ramp, retargeted
from refclass.margins.penalised.retargeted import CORRECTED, PRINTED
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near, negligible
from tests.margins.penalties import margins, problem, problems
from tests.profiles import examples
from tests.strategies import fractions

few = settings(max_examples=examples(15))
SMOOTH = [SquaredHinge(), Huberised(), HuberisedHinge(), Squared()]


def parabola(loss, m, v):
    """½c(m − v)² with the loss's c."""
    return retargeted.bound(RATIONAL, loss) * (m - v) ** 2 / 2


@pytest.mark.parametrize("loss", [*SMOOTH, SquaredRamp()], ids=lambda loss: type(loss).__name__)
@few
@given(m=fractions, at=fractions)
def test_the_parabola_lies_above_the_loss_and_touches_it(loss, m, at):
    """L(m) ≤ L(m₀) + ½c(m − v)² − ½c(m₀ − v)², with equality at m₀: so that a fixed v loses nothing
    [OPT-MM.P1] [HHINGE.P2] [RC-14] [ERR-ISML-10] [ISML-27.6.2-identity] [ISML-27.6.3-retarget]."""
    v = retargeted.target(RATIONAL, loss, at)
    upper = loss(RATIONAL, at) + parabola(loss, m, v) - parabola(loss, at, v)
    assert loss(RATIONAL, m) <= upper and parabola(loss, at, v) - parabola(loss, at, v) == 0


@pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
def test_the_parabola_of_the_deviance_lies_above_it(F):
    """log(1 + e^(−m)) has L″ ≤ ¼  [OPT-MM.P1] [RC-14]."""
    loss, grid = Deviance(), [F.lift(Q(k, 2)) for k in range(-12, 13)]
    c = retargeted.bound(F, loss)
    for at in grid:
        v = retargeted.target(F, loss, at)
        for m in grid:
            upper = loss(F, at) + c * ((m - v) * (m - v) - (at - v) * (at - v)) / 2
            assert loss(F, m) <= upper + 30 * F.eps * (1 + abs(upper))


@few
@given(fractions)
def test_the_target_of_the_squared_hinge_is_the_larger_of_one_and_the_margin(m):
    """v = m + max(0, 1 − m) = max(1, m), and (v − m)² is the loss
    [SQH-IRLS.P1] [ISML-27.6.2-retarget] [ISML-27.6.2-identity]."""
    v = retargeted.target(RATIONAL, SquaredHinge(), m)
    assert v == m + max(0, 1 - m) == max(1, m)
    assert (v - m) ** 2 == SquaredHinge()(RATIONAL, m)


@few
@given(fractions)
def test_the_printed_parabola_cuts_through_the_squared_ramp(m):
    """For m < 0 the printed v = m + 1 still pulls, where the squared ramp is flat: its parabola is that of the
    Huberised hinge  [ERR-ISML-01] [RAMP2-IRLS-PRINTED.P2] [ISML-27.6.3-retarget]."""
    printed = retargeted.target(RATIONAL, SquaredRamp(), m, PRINTED)
    assert printed == retargeted.target(RATIONAL, HuberisedHinge(), m)
    corrected = retargeted.target(RATIONAL, SquaredRamp(), m, CORRECTED)
    assert (printed == corrected) == (m >= 0) and (m >= 0 or printed == m + 1)
    assert corrected == (1 if 0 <= m <= 1 else m)


@few
@given(problems(losses=SMOOTH, per_class=(1, 2)))
def test_the_objective_never_rises_exactly(p):
    """Five retargeted steps on fractions, both norms, with an intercept and without  [SQH-IRLS.P2] [RC-14]."""
    values = []
    for state in retargeted.steps(RATIONAL, p, max_steps=5):
        state.check()
        values.append(state.objective)
    assert values == sorted(values, reverse=True)


@few
@given(problems(losses=[SquaredRamp()], per_class=(1, 2)), st.sampled_from([CORRECTED, PRINTED]))
def test_the_squared_ramp_never_rises_with_the_corrected_retarget(p, retarget):
    """The corrected retarget lowers the squared ramp, the printed one the Huberised hinge, exactly
    [RAMP2-IRLS-MM.P1] [RAMP2-IRLS-PRINTED.P1] [ERR-ISML-01] [RC-14]."""
    states = list(retargeted.steps(RATIONAL, p, retarget=retarget, max_steps=5))
    for state in states:
        state.check()
    lowered = [s.lowered for s in states]
    assert lowered == sorted(lowered, reverse=True)
    if retarget == CORRECTED:
        assert lowered == [s.objective for s in states]


@few
@given(problems(losses=[SquaredHinge()], per_class=(1, 2)))
def test_each_step_is_the_normal_equations_of_the_text(p):
    """θ = (ΦᵀΦ + λI)⁻¹Φᵀ(v∘y) in the text's halves, λ = penalty/2, is Φᵀa of the step in multipliers; the first with
    v = 1 is least-squares classification  [LS-CLS.P1] [LS-CLS.P2] [SQH-IRLS.P1] [ISML-27.6.2-start] [OPT-LS.P2]."""
    p = replace(p, intercept=False)
    Phi = p.K.X
    lam = p.penalty / 2
    A = Phi.T @ Phi + lam * Matrix.identity(len(Phi[0]), Q)
    v = Vector([Q(1)] * len(p.y))
    for state in retargeted.steps(RATIONAL, p, max_steps=3):
        theta = fraction_free.solve(A, Phi.T @ v.times(p.y))
        assert theta == penalised.coefficients(RATIONAL, state.a, Phi) and Phi @ theta == state.f
        v = Vector([max(Q(1), m) for m in p.y.times(state.f)])


@few
@given(problems(losses=SMOOTH, per_class=(1, 2)))
def test_the_optimum_stands_still(p):
    """Started at the optimum a step leads back to it, and from elsewhere a still state is the optimum
    [SQH-IRLS.P3] [RC-14]."""
    best = penalised.quadratic(RATIONAL, p)
    start = retargeted.Start(best.f, best.square)
    states = list(retargeted.steps(RATIONAL, p, start=start, max_steps=1))
    assert states[1].square == best.square and states[1].objective == best.objectives[-1]
    assert states[1].f == best.f


@few
@given(problems(losses=[SquaredRamp()], per_class=(1, 3)))
def test_a_stationary_point_of_the_squared_ramp_stands_still(p):
    """λθ = Σ yᵢ(1 − mᵢ)φᵢ over 0 ≤ mᵢ ≤ 1 (twice, in the package's scale) is a fixed point of the corrected retarget
    [RAMP2-IRLS-MM.P2] [ISML-27.6.3-squared-objective] [ERR-ISML-03]."""
    fit = ramp.fit(RATIONAL, p)
    m = margins(p, fit)
    pulls = [2 * t * (1 - v) if 0 <= v <= 1 else Q(0) for t, v in zip(p.y, m)]
    assert [p.penalty * a for a in fit.a] == pulls
    states = list(retargeted.steps(RATIONAL, p, start=retargeted.Start(fit.f, fit.square), max_steps=1))
    assert states[1].f == fit.f


CLOUDS = (
    [[-3], [-2], [-2], [-1], [0], [1], [0], [1], [2], [2], [3], [-5], [6]],
    [-1, -1, -1, -1, -1, -1, 1, 1, 1, 1, 1, 1, -1],
)


@pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
def test_the_printed_retarget_ends_at_the_huberised_hinge_from_every_start(F):
    """All starts reach the one minimum of the Huberised hinge, where its gradient is zero and that of the squared ramp
    is not, some m < 0  [RAMP2-IRLS-PRINTED.P1] [RAMP2-IRLS-PRINTED.P2] [ERR-ISML-01] [HHINGE.P1]."""
    exact = problem(*CLOUDS, SquaredRamp(), 2)
    p = exact.over(F)
    want = penalised.quadratic(RATIONAL, retargeted.minimised(exact, PRINTED))
    n = len(p.y)
    for f in ([0] * n, [3] * n, [(-1) ** i * 5 for i in range(n)]):
        start = retargeted.Start(Vector([F.lift(v) for v in f]), F.lift(1))
        *_, last = retargeted.steps(F, p, start=start, retarget=PRINTED, max_steps=1500)
        assert all(negligible(F, v - F.lift(w), F.lift(want.f.largest()), 10**6) for v, w in zip(last.f, want.f))
    assert min(margins(exact, want)) < 0
    assert ramp.certify(RATIONAL, exact, want).status == "not converged"


def test_the_corrected_retarget_depends_on_its_start():
    """Two starts of the squared ramp end at two stationary points, one of them lower  [RAMP2-IRLS-MM.P3] [RC-14]."""
    F = BINARY64
    p = problem(*CLOUDS, SquaredRamp(), Q(1, 5)).over(F)
    ends = []
    for f in (p.y, -p.y):
        start = retargeted.Start(f, 1.0)
        fit = retargeted.fit(F, p, start=start, max_steps=300)
        settled = ramp.fit(F, p, ramp.aside(p.y, fit.f))
        assert settled.objectives[-1] <= fit.objectives[-1] * (1 + 30 * F.eps)
        ends.append(settled.objectives[-1])
    assert ends[0] < 0.9 * ends[1]


def test_the_iteration_ends_at_the_tolerance_and_not_before():
    """It stops once ‖f − f before‖ < tol, as the listing stops at 0.001  [ISML-27.6.2-listing]."""
    F = BINARY64
    p = problem([[-3], [-2], [-1], [1], [2], [3], [30]], [-1] * 3 + [1] * 4, SquaredHinge(), 1).over(F)
    states = list(retargeted.steps(F, p, tol=1e-3))
    assert states[-1].moved < 1e-6 <= states[-2].moved
    assert len(list(retargeted.steps(F, p, max_steps=4))) == 5


def test_what_has_no_targets_is_refused():
    """The hinge has no bounded second derivative; an unknown retarget is no retarget  [ISML-27.6.2-retarget]."""
    p = problem([[0], [1]], [-1, 1], Hinge())
    with pytest.raises(InvalidInput, match="a loss with parabolas above it"):
        retargeted.fit(RATIONAL, p)
    with pytest.raises(InvalidInput, match="corrected or printed"):
        retargeted.fit(RATIONAL, replace(p, loss=SquaredRamp()), retarget="else")
    with pytest.raises(InvalidInput, match="at least one step"):
        retargeted.fit(RATIONAL, replace(p, loss=SquaredHinge()), start=retargeted.Start(p.y, Q(1)), max_steps=0)


@pytest.mark.parametrize("loss", SMOOTH, ids=lambda loss: type(loss).__name__)
def test_doubles_take_the_steps_that_fractions_do(loss):
    """The objectives of five steps agree to roundoff  [SQH-IRLS.P2]."""
    p = problem(*CLOUDS, loss, Q(1, 2))
    exact = retargeted.fit(RATIONAL, p, max_steps=5).objectives
    found = retargeted.fit(BINARY64, p.over(BINARY64), max_steps=5).objectives
    assert all(near(BINARY64, v, float(w), steps=100) for v, w in zip(found, exact))
