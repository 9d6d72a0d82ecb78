"""Every solver of a loss ends at the same place, and refuses what it has no use for."""

from dataclasses import replace
from fractions import Fraction as Q

import pytest

from refclass import KernelClassifier
from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.deviance import Deviance
from refclass.losses.hinge import Hinge
from refclass.losses.huberised import Huberised
from refclass.losses.huberised_hinge import HuberisedHinge
from refclass.losses.ramp import Ramp, SquaredRamp
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.penalised import fit as minimise
from refclass.margins.penalised import ramp, retargeted
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.kernel import premises
from tests.margins.penalties import CONVEX, QUADRATIC, problem

POINTS = ([[0, 1], [1, 3], [2, 0], [4, 1], [3, 3], [1, 1], [0, 4]], [-1, 1, -1, 1, 1, -1, -1])
ALL = [*CONVEX, Deviance(), Ramp(), SquaredRamp()]


def name(loss):
    """The name of a loss."""
    return type(loss).__name__


def small(loss, **options):
    """Seven points with a quadratic kernel."""
    return problem(*POINTS, loss, Q(3, 2), kernel=QUADRATIC, **options)


@pytest.mark.many
@pytest.mark.parametrize("loss", ALL, ids=name)
@pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
def test_every_solver_of_a_loss_reaches_the_same_objective(F, loss):
    """Quadratic problem, retargeting and Newton's method agree to roundoff on every convex loss
    [SQH-IRLS.P3] [HSQH-FIT.P1] [SQH-FIT.P1] [KLR.P1]."""
    p = small(loss).over(F)
    values = [minimise.minimise(F, p, solver=s).objectives[-1] for s in minimise.solvers(p)]
    assert all(near(F, v, values[0], steps=343) for v in values)


@pytest.mark.parametrize("loss", ALL, ids=name)
def test_convex_losses_are_optimal_and_ramps_stationary_never_otherwise(loss):
    """The status of the proof is that of the loss, in doubles as in decimals  [RAMP-FIT.P2] [HSQH-FIT.P1] [KLR.P1]."""
    exact = small(loss)
    for F in (BINARY64, decimal(30)):
        c = minimise.certify(RATIONAL, exact, minimise.minimise(F, exact.over(F)))
        assert c.status == ("stationary" if isinstance(loss, (Ramp, SquaredRamp)) else "optimal")
        assert (c.gap is None) == (c.status == "stationary")


@pytest.mark.parametrize("loss", [*CONVEX, Ramp(), SquaredRamp()], ids=name)
def test_exact_arithmetic_is_exact(loss):
    """On fractions every violation is zero  [PEN-SVM.P1] [RAMP-FIT.P2] [RC-21]."""
    p = small(loss)
    fit = minimise.minimise(RATIONAL, p)
    c = minimise.certify(RATIONAL, p, fit)
    assert c.worst_violation == 0 and c.primal == fit.objectives[-1] and c.gap in (0, None)


@pytest.mark.parametrize("loss", [SquaredHinge(), Huberised(), HuberisedHinge(), SquaredRamp()], ids=name)
def test_the_objectives_of_an_iteration_fall_to_that_of_its_end(loss):
    """One objective for every retargeted step, from penalised least squares to the limit  [SQH-IRLS.P2]
    [RAMP2-IRLS-MM.P1]."""
    p = small(loss).over(BINARY64)
    fit = minimise.minimise(BINARY64, p, max_steps=12)
    values = fit.objectives
    assert all(b <= a * (1 + 30 * BINARY64.eps) for a, b in zip(values, values[1:]))
    first = next(iter(retargeted.Steps(BINARY64, p)))
    assert values[0] == first.objective and fit.steps == len(values) - 2
    assert values[-1] == p.objective(BINARY64, fit.f, fit.square)


def test_the_deviance_is_retargeted_too():
    """Steps with L″ ≤ ¼, and Newton at the end  [OPT-MM.P1] [KLR.P1]."""
    p = small(Deviance()).over(BINARY64)
    fitted_by_steps = minimise.minimise(BINARY64, p, solver="retarget", max_steps=5)
    assert len(fitted_by_steps.objectives) == 7
    assert near(BINARY64, fitted_by_steps.objectives[-1], minimise.minimise(BINARY64, p).objectives[-1], steps=49)


@pytest.mark.parametrize("F", [BINARY64, RATIONAL, decimal(30)], ids=lambda F: F.name)
def test_the_printed_retarget_ends_at_the_huberised_hinge(F):
    """In every arithmetic the limit of the printed retarget is the minimum of the Huberised hinge
    [RAMP2-IRLS-PRINTED.P1] [ERR-ISML-01]."""
    exact = small(SquaredRamp())
    fit = minimise.minimise(F, exact.over(F), retarget="printed")
    want = minimise.minimise(RATIONAL, retargeted.minimised(exact, "printed"))
    assert near(F, fit.objectives[-1], F.lift(exact.objective(RATIONAL, want.f, want.square)), steps=343)


def test_a_start_decides_where_a_ramp_ends():
    """Starting at f = x or at −x sets other points aside; both ends are stationary
    [RAMP2-IRLS-MM.P3] [RAMP-FIT.P2]."""
    for loss in (Ramp(), SquaredRamp()):
        p = problem([[-3], [-2], [-2], [2], [3], [9], [8], [-9]], [-1, -1, -1, 1, 1, -1, -1, 1], loss, Q(1, 5))
        ends = []
        for sign in (1, -1):
            f = Vector([sign * x[0] for x in p.K.X])
            fit = minimise.minimise(RATIONAL, p, solver="differences", start=retargeted.Start(f, Q(0)))
            assert ramp.certify(RATIONAL, p, fit).status == "stationary"
            ends.append(fit.objectives[-1])
        assert ends[0] < 4 and ends[1] > 5


def test_where_no_retargeted_step_can_be_made_the_limit_is_computed_without():
    """A singular K with a penalty lost in roundoff: no factor, but an optimum all the same  [SQH-IRLS.P3]."""
    K = Matrix([[1.0, 1.0], [1.0, 1.0]])
    p = replace(problem([[1], [1]], [-1, 1], Huberised(), Q(1, 10**20)).over(BINARY64), K=K)
    fit = minimise.minimise(BINARY64, p)
    assert fit.steps >= 0 and len(fit.objectives) == 1 and near(BINARY64, fit.objectives[0], 2.0)
    with pytest.raises(NoAnswer, match="positive definite"):
        minimise.minimise(BINARY64, p, solver="retarget")


@pytest.mark.parametrize(
    ("loss", "options", "need"),
    [
        (Hinge(), {"solver": "newton"}, "a solver among auto, quadratic"),
        (Ramp(), {"solver": "retarget"}, "a solver among auto, differences"),
        (SquaredRamp(), {"solver": "differences", "retarget": "printed"}, "a solver among auto, retarget"),
        (Hinge(), {"start": retargeted.Start(Vector([Q(1)] * 7), Q(1))}, "no start"),
        (Deviance(), {"start": retargeted.Start(Vector([Q(1)] * 7), Q(1))}, "no start"),
        (Squared(), {"tol": Q(1)}, "no tol"),
        (Ramp(), {"max_steps": 3}, "no tol and no max_iter"),
        (
            SquaredRamp(),
            {"retarget": "printed", "start": retargeted.Start(Vector([Q(1)] * 7), Q(1))},
            "without an iteration",
        ),
    ],
)
def test_an_option_without_use_is_refused(loss, options, need):
    """No option is taken and ignored  [ESL-12.25]."""
    with pytest.raises(InvalidInput, match=need):
        minimise.minimise(RATIONAL, small(loss), **options)


def test_many_points_of_few_variables_take_steps_only_where_they_are_asked_for(monkeypatch):
    """More points than variables: the optimum without steps, unless the solver, a tolerance, a number of steps or a
    start is named."""
    monkeypatch.setattr(premises, "NARROW", 3)
    rows = Rows(BINARY64, Linear(), Matrix([[float(v) for v in x] for x in POINTS[0]]))
    p = replace(problem(*POINTS, SquaredHinge(), Q(3, 2)).over(BINARY64), K=rows)
    assert len(minimise.minimise(BINARY64, p).objectives) == 1
    for options in ({"solver": "retarget"}, {"tol": 1e-9}, {"max_steps": 100}):
        assert len(minimise.minimise(BINARY64, p, **options).objectives) > 1


@pytest.mark.parametrize(
    "arithmetic, classes, scale, kernel",
    [
        ("decimal:20", 2, 10**12, "linear"),
        pytest.param("decimal:20", 3, 10**12, "linear", marks=pytest.mark.slow),
        ("decimal:20", 2, 10**7, {"name": "polynomial", "degree": 2}),
        pytest.param("decimal:30", 3, 10**20, "linear", marks=pytest.mark.thorough),
        pytest.param("decimal:50", 3, 10**50, "linear", marks=pytest.mark.thorough),
    ],
)
def test_a_deviance_of_a_positive_kernel_always_has_an_answer(arithmetic, classes, scale, kernel):
    """Decimals too short for values of 10¹⁰⁰ are no reason for NoAnswer: the optimum, or bounds of it  [ESL-12.31]."""
    X = [[scale], [-2 * scale], [scale * 3 // 4], [scale // 3], [-scale]]
    model = KernelClassifier(loss="deviance", kernel=kernel, arithmetic=arithmetic)
    try:
        assert model.fit(X, [i % classes for i in range(5)]).certificate_.digits >= 1
    except NotConverged as refusal:
        assert refusal.witness["primal"] > refusal.witness["dual"]
