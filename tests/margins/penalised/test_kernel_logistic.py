"""Kernel logistic regression: stationarity, no sparsity, its limits, and a proof to the digits asked for."""

import math
from dataclasses import replace
from fractions import Fraction as Q
from functools import partial
from random import Random

import pytest

import refclass
from refclass.errors import NoAnswer, NotConverged, NotExact
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows, gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.deviance import Deviance
from refclass.losses.hinge import Hinge
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.penalised import kernel_logistic, penalised
from refclass.margins.penalised.fit import minimise
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near, negligible
from refclass.regress.kernel import premises
from refclass.regress.kernel.newton import growing_set, newton_coordinates
from tests.margins.penalties import problem
from tests.profiles import examples

everywhere = pytest.mark.parametrize("F", [BINARY64, decimal(30)], ids=lambda F: F.name)
X = [[0, 0], [1, 2], [2, 1], [3, 3], [1, 4], [4, 0], [2, 5], [3, 1]]
Y = [-1, -1, 1, 1, 1, -1, -1, 1]
THIRTY = decimal(30)


def gaussian(F, penalty="1/2", intercept=True, weights=None):
    """A problem with a Gaussian kernel, computed in F."""
    rows = Matrix([[F.lift(v) for v in x] for x in X])
    K = gram(F, Gaussian(F.lift(Q(1, 4))), rows)
    w = Vector([F.lift(v) for v in weights or [1] * len(Y)])
    return penalised.Problem(
        K, Vector(map(F.lift, Y)), w, Deviance(), F.lift(Q(penalty)), intercept, positive=True, rounded=True
    )


@everywhere
@pytest.mark.parametrize("intercept", [True, False])
def test_the_coefficients_are_what_the_probabilities_leave_over(F, intercept):
    """αᵢ = yᵢ/(λ(1 + e^(yᵢfᵢ))) and, with an intercept, Σαᵢ = 0  [KLR.P1] [ESL-12.31]."""
    p = gaussian(F, intercept=intercept)
    fit = kernel_logistic.fit(F, p)
    called_for = kernel_logistic.multipliers(F, p.y, fit.f, p.penalty, p.weights)
    assert negligible(F, (fit.a - called_for).largest(), called_for.largest(), 64)
    assert negligible(F, fit.a.sum(), called_for.largest(), 64) or not intercept


@everywhere
def test_every_point_has_a_coefficient(F):
    """No α is zero, its sign is that of the label: there are no support vectors  [KLR.P2]."""
    p = gaussian(F)
    assert all(a * t > 0 for a, t in zip(kernel_logistic.fit(F, p).a, p.y))


@pytest.mark.parametrize("weights", [None, [1, 2, 1, 3, 1, 1, 2, 1]])
def test_gradient_and_objective_are_certified_in_thirty_decimals(weights):
    """The objective is known to twice the digits of the answer: 0 ≤ gap ≤ 10⁻⁵⁰, the slopes off by 10⁻²⁸
    [KLR.P1] [ESL-12.29] [RC-4]."""
    p = gaussian(THIRTY, weights=weights)
    fit = kernel_logistic.fit(THIRTY, p)
    c = kernel_logistic.certify(p, fit)
    assert c.status == "optimal" and 0 <= c.gap <= Q(1, 10**50)
    assert c.worst_violation <= Q(1, 10**28)
    assert near(THIRTY, fit.objectives[-1], THIRTY.lift(c.primal), steps=8)
    assert "rounded values" in c.premise and "decimal:60" in c.premise


def test_doubles_end_where_decimals_do():
    """The same objective and decision values, to the digits of a double  [KLR.P1]."""
    p, q = gaussian(BINARY64), gaussian(THIRTY)
    fit, digits = kernel_logistic.fit(BINARY64, p), kernel_logistic.fit(THIRTY, q)
    assert near(BINARY64, fit.objectives[-1], float(digits.objectives[-1]), steps=64)
    assert all(near(BINARY64, v, float(w), 10.0, 64) for v, w in zip(fit.f, digits.f))
    assert kernel_logistic.certify(p, fit).status == "optimal"


@everywhere
def test_the_objective_falls_at_every_step(F):
    """The objectives of Newton's iteration fall until roundoff is all that is left  [KLR.P1]."""
    values = kernel_logistic.fit(F, gaussian(F, "1/100")).objectives
    assert all(b <= a + 30 * F.eps * a for a, b in zip(values, values[1:])) and len(values) > 4


def test_exact_arithmetic_is_refused():
    """The exponential of a rational number other than zero is not rational  [ESL-12.32]."""
    with pytest.raises(NotExact, match="rational value of"):
        kernel_logistic.fit(RATIONAL, problem(X, Y, Deviance()))


def test_with_a_linear_kernel_a_vanishing_penalty_gives_logistic_regression():
    """Overlapping classes: as λ → 0 the coefficients tend to those without a penalty, whose gradient Σ(y* − p)x is zero
    [KLR.P3] [ESL-12.31]."""
    F = decimal(40)
    points = [[0], [1], [2], [3], [4], [5]]
    labels = [-1, -1, 1, -1, 1, 1]
    far = []
    for lam in (Q(1, 10**4), Q(1, 10**8)):
        p = problem(points, labels, Deviance(), lam).over(F)
        f = kernel_logistic.fit(F, p).f
        left = [F.lift((t + 1) // 2) - kernel_logistic.probability(F, v) for t, v in zip(labels, f)]
        gradient = abs(sum(F.lift(x[0]) * r for x, r in zip(points, left)))
        far.append(gradient)
    assert far[1] * 5000 < far[0] and far[1] < F.lift("1/10000000")


def test_on_separable_data_the_norm_grows_and_the_direction_settles():
    """λ → 0: ‖β̂‖ grows without bound, β̂/‖β̂‖ tends to the hard margin's direction
    [ESL-12.3.2-separation] [ESL-12.3.2-margin] [MARGIN-MAX.P1]."""
    F = decimal(30)
    points, labels = [[0, 0], [1, 3], [4, 1], [5, 5]], [-1, -1, 1, 1]
    hard = penalised.quadratic(RATIONAL, problem(points, labels, Hinge(), Q(1, 100)))
    want = [sum(a * x[j] for a, x in zip(hard.a, points)) for j in range(2)]
    norms, sines = [], []
    for lam in (Q(1, 10), Q(1, 10**3), Q(1, 10**6)):
        fit = kernel_logistic.fit(F, problem(points, labels, Deviance(), lam).over(F))
        beta = [sum(a * x[j] for a, x in zip(fit.a, points)) for j in range(2)]
        norms.append(fit.square)
        cross = beta[0] * F.lift(want[1]) - beta[1] * F.lift(want[0])
        sines.append(abs(cross) / F.sqrt(fit.square * F.lift(want[0] ** 2 + want[1] ** 2)))
    assert norms[0] < norms[1] < norms[2] and sines[2] < sines[1] < sines[0] and sines[2] < F.lift("1/20")


@everywhere
def test_probabilities_are_those_of_the_log_odds(F):
    """p = e^f/(1 + e^f), log p/(1 − p) = f; ¼ and ¾ are the contours ∓log 3, and both tails are safe
    [KLR-CONTOUR.P1] [ESL-12.31] [ESL-12.32] [M-ESL-F12.5]."""
    three = F.log(F.lift(3))
    assert near(F, kernel_logistic.log_odds(F, F.lift(Q(3, 4))), three)
    assert near(F, kernel_logistic.probability(F, three), F.lift(Q(3, 4)))
    assert near(F, kernel_logistic.probability(F, -three), F.lift(Q(1, 4)))
    assert kernel_logistic.probability(F, F.lift(-800)) < F.eps**2
    assert kernel_logistic.probability(F, F.lift(800)) == 1


def test_the_proof_names_its_premise_about_the_kernel():
    """Rounded values of a positive kernel are named in the premise; of another it is decided  [RC-20]."""
    p = gaussian(BINARY64)
    fit = kernel_logistic.fit(BINARY64, p)
    assert "positive semidefinite" in kernel_logistic.certify(p, fit).premise
    assert "kernel" not in kernel_logistic.certify(replace(p, positive=False), fit).premise
    assert "kernel" not in kernel_logistic.certify(replace(p, rounded=False), fit).premise


@pytest.mark.parametrize(("digits", "again"), [(kernel_logistic.ASKED, 0), (8.99, 1), (None, 1)])
def test_newtons_method_in_doubles_is_enough_where_nine_digits_are_proven(monkeypatch, digits, again):
    """With nine digits it is the answer; with fewer, or none, the optimum is computed in longer numbers."""
    proof, optimum, tried = kernel_logistic.certify, kernel_logistic.optimum, []
    monkeypatch.setattr(kernel_logistic, "certify", lambda *given: replace(proof(*given), digits=digits))
    monkeypatch.setattr(kernel_logistic, "optimum", lambda *given: tried.append(given) or optimum(*given))
    kernel_logistic.fit(BINARY64, problem([[0], [1], [3]], [-1, 1, 1], Deviance()).over(BINARY64))
    assert len(tried) == again


@pytest.mark.parametrize(("few", "witness", "refused"), [(3, {}, False), (2, {}, True), (3, {"primal": 1}, True)])
def test_a_few_points_are_computed_in_decimals_where_fixed_point_numbers_end(monkeypatch, few, witness, refused):
    """Up to so many points, and unless bounds of the optimum were reported with the refusal."""

    def ended(*given):
        raise NotConverged("newton", need="steps", got="none", **witness)

    monkeypatch.setattr(kernel_logistic, "FEW", few)
    monkeypatch.setattr(kernel_logistic, "optimum", ended)
    monkeypatch.setattr(kernel_logistic, "_tried", lambda *given: None)
    p = problem([[0], [1], [3]], [-1, 1, 1], Deviance()).over(BINARY64)
    if refused:
        with pytest.raises(NotConverged):
            kernel_logistic.fit(BINARY64, p)
    else:
        assert kernel_logistic.fit(BINARY64, p).proven.digits > 9


def test_an_indefinite_matrix_is_refused_before_any_step(monkeypatch):
    """zᵀKz < 0 with Σ zᵢ = 0: the loss falls without end along z, a direction of the refusal."""
    for step in ("_tried", "optimum"):
        monkeypatch.setattr(kernel_logistic, step, lambda *given: pytest.fail("a step was taken"))
    p = problem([[0], [1], [3]], [-1, 1, 1], Deviance()).over(BINARY64)
    K = Matrix([[0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    with pytest.raises(NoAnswer) as refusal:
        minimise(BINARY64, replace(p, K=K, positive=False))
    assert "direction" in refusal.value.witness


def test_steps_that_are_too_few_are_passed_on():
    """The solver of the loss plus penalty hands them to Newton's method."""
    p = problem([[0], [1], [3]], [-1, 1, 1], Deviance()).over(decimal(20))
    with pytest.raises(NotConverged):
        minimise(decimal(20), p, max_steps=1)
    assert len(minimise(decimal(20), p).a) == 3


def test_steps_that_are_asked_for_are_taken_in_doubles(monkeypatch):
    """Many points of a linear kernel are not tried in doubles first, unless the steps are counted: one is too few."""
    monkeypatch.setattr(kernel_logistic.premises, "narrow", lambda K: True)
    p = problem([[0], [1], [3]], [-1, 1, 1], Deviance()).over(BINARY64)
    assert kernel_logistic.fit(BINARY64, p).proven.digits > 9
    with pytest.raises(NotConverged, match="after 1 steps"):
        kernel_logistic.fit(BINARY64, p, max_steps=1)


@pytest.mark.parametrize("offset", [1e9])
def test_a_power_of_the_hinge_far_from_the_origin_keeps_its_digits(offset):
    """With an intercept the contrasts of the points decide, which are small; the rest of K costs bits for nothing."""
    rng = Random(1)
    X = [[offset + rng.gauss(2 * (i % 2), 1), offset + rng.gauss(0, 1)] for i in range(8)]
    loss = {"name": "power_hinge", "p": 1.5}
    found = refclass.KernelClassifier(loss=loss, penalty=1e-3).fit(X, [i % 2 for i in range(8)])
    assert found.certificate_.digits >= 9


def test_the_refusal_of_a_power_of_the_hinge_has_bounds(monkeypatch):
    """Where numbers of no kind reach the optimum, as of too many points, what is known of it stands in the refusal."""
    monkeypatch.setattr(kernel_logistic, "FEW", 0)

    def given_up(problem, start=None):
        raise NotConverged("semismooth", need="a minimum", got="none")

    monkeypatch.setattr(kernel_logistic, "optimum", given_up)
    monkeypatch.setattr(kernel_logistic, "_tried", lambda F, problem, max_steps: None)
    with pytest.raises(NotConverged) as refusal:
        refclass.KernelClassifier(loss={"name": "power_hinge", "p": 1.5}).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    assert 0 <= refusal.value.witness["dual"] <= refusal.value.witness["primal"] <= 3


@pytest.mark.parametrize("p, row", [(1.1, [3e5, 4e3]), (1.5, [3e5]), (3, [1e9])])
def test_powers_of_the_hinge_on_few_points_are_solved_in_decimals(p, row):
    """Equal points far away, and one of 10⁹ among others: fixed-point numbers end without a digit, after seconds."""
    X, y = [row] * 6, [1, 0, 0, 1, 0, 1]
    if p > 2:
        X, y = [[-0.2], [0.4], row, [0.7], [-1.1], [0.3]], [0, 1, 0, 1, 1, 0]
    loss = {"name": "power_hinge", "p": p}
    assert refclass.KernelClassifier(loss=loss, penalty=0.001).fit(X, y).certificate_.digits >= 9


@pytest.mark.slow
def test_a_deviance_that_is_not_finished_is_refused_with_what_was_reached(monkeypatch):
    """Doubles hold nothing of a polynomial of large columns; the bounds are those of the last step."""
    monkeypatch.setattr(kernel_logistic, "FEW", 5)
    x = [[1e5 * (k * k % 11), 1e4 * k] for k in range(12)]
    machine = refclass.KernelClassifier(loss="deviance", kernel={"name": "polynomial", "degree": 3}, penalty=0.01)
    with pytest.raises(NotConverged, match="an optimum that doubles can hold; got 0.0 digits") as refusal:
        machine.fit(x, [0, 1] * 6)
    best = refusal.value.witness
    assert 0 < best["primal"] - best["dual"] < best["primal"] / 10**20
    known = []
    for first, work in ((60, 10_000), (6, 120_000)):
        monkeypatch.setattr(growing_set, "FIRST", first)
        monkeypatch.setattr(newton_coordinates, "WORK", work)
        with pytest.raises(NotConverged, match="multiplications") as refusal:
            machine.fit(x, [0, 1] * 6)
        known.append(refusal.value.witness)
        assert 0 < known[-1]["dual"] <= best["primal"] and best["dual"] <= known[-1]["primal"]
    assert known[0]["primal"] < 12 * math.log(2) and 1000 * known[0]["dual"] < known[1]["dual"]


def test_newtons_method_minimises_the_loss_that_is_given_on_many_points_of_a_line(monkeypatch):
    """Of the squared hinge, too, its slopes are the coefficients: λaᵢ = 2yᵢ[1 − yᵢfᵢ]₊, and Σaᵢ = 0  [ESL-12.31]."""
    monkeypatch.setattr(premises, "NARROW", 20)
    n = premises.NARROW + 1
    K = Rows(BINARY64, Linear(), Matrix([[i / 5] for i in range(n)]))
    y = Vector([1.0 if i * i % 7 < 3 else -1.0 for i in range(n)])
    found = kernel_logistic.fit(
        BINARY64, penalised.Problem(K, y, Vector([1.0] * n), SquaredHinge(), 1.0, positive=True)
    )
    slopes = Vector([2 * t * max(1 - t * v, 0.0) for t, v in zip(y, found.f)])
    assert negligible(BINARY64, (found.a - slopes).largest(), 3.0, 64)
    assert negligible(BINARY64, found.a.sum(), 3.0 * n, 64)


def test_functions_below_the_normal_doubles_are_refused_in_doubles_alone():
    """x = ∓10⁻¹⁶⁰: f is a multiple of 10⁻³²⁰, which decimals hold."""
    fits = {}
    for F in (BINARY64, decimal(20)):
        points = Matrix([[F.lift(Q(s, 10**160))] for s in (-1, 1)])
        y = Vector([F.lift(-1), F.lift(1)])
        p = penalised.Problem(points @ points.T, y, y.times(y), Deviance(), F.lift(1), False, positive=True)
        fits[F.name] = partial(kernel_logistic.fit, F, p)
    with pytest.raises(NotExact, match="normal doubles"):
        fits["float"]()
    assert abs(rational(fits["decimal:20"]().values[1]) * 10**320 - 1) < Q(1, 10**9)


@pytest.mark.parametrize("seed", range(examples(4)))
def test_functions_have_nine_digits_where_the_objective_has(seed):
    """A linear function of small penalty: the objective is flat at its minimum, f is that of fifty decimals."""
    r = Random(seed)
    size = r.choice([10, 1000])
    X = [[size * r.gauss(0, 1) for _ in range(2)] for _ in range(15)]
    y = [int(sum(x) / size + r.gauss(0, 1) > 0) for x in X]
    fits = [refclass.KernelClassifier(loss="deviance", penalty=1e-8, arithmetic=a) for a in ("float", "decimal:50")]
    near, best = ([p for _, p in own.fit(X, y).predict_proba(X)] for own in fits)
    assert max(abs(Q(a) / rational(b) - 1) for a, b in zip(near, best)) < Q(1, 10**9)
