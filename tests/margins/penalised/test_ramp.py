"""The ramp losses: monotone iterations, stationary ends, the optimum of tiny samples, and outliers that do not pull."""

import random
from dataclasses import replace
from fractions import Fraction as Q
from operator import mul

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refclass.certificate import ASKED
from refclass.errors import InvalidInput, NotConverged
from refclass.estimators.margins.kernel_classifier import KernelClassifier
from refclass.linear.vector import Vector
from refclass.losses.hinge import Hinge
from refclass.losses.ramp import Ramp, SquaredRamp
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.penalised import penalised, ramp
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.kernel import fitted_machine
from tests.margins.penalties import OUTLIER, QUADRATIC, margins, problem, problems
from tests.profiles import examples
from tests.strategies import fractions, positive, vectors

few = settings(max_examples=examples(15))
RAMPS = [Ramp(), SquaredRamp()]
both = pytest.mark.parametrize("loss", RAMPS, ids=["ramp", "squared ramp"])
ABOVE = {Ramp: Hinge(), SquaredRamp: SquaredHinge()}


@few
@given(problems(losses=RAMPS))
def test_the_iteration_falls_and_ends_at_a_stationary_point(p):
    """Objectives never rise, exactly, and the end is proven stationary, never optimal
    [RAMP-FIT.P2] [RAMP2-IRLS-MM.P2] [ISML-27.6.3-objective]."""
    values = []
    for state in ramp.steps(RATIONAL, p):
        state.check()
        values.append(state.objective)
    fit = ramp.fit(RATIONAL, p)
    assert fit.objectives == tuple(values) and values == sorted(values, reverse=True)
    c = ramp.certify(RATIONAL, p, fit)
    assert c.status == "stationary" and c.primal == values[-1] and c.dual is None and c.gap is None


@few
@given(problems(losses=RAMPS, per_class=(1, 3)), st.data())
def test_any_points_may_be_set_aside_at_first(p, data):
    """From every start the iteration ends at a stationary point no lower than the global optimum  [RAMP-FIT.P2]
    [RAMP2-IRLS-MM.P3]."""
    chosen = data.draw(st.sets(st.integers(0, len(p.y) - 1)))
    fit = ramp.fit(RATIONAL, p, frozenset(chosen))
    assert ramp.certify(RATIONAL, p, fit).status == "stationary"
    assert ramp.brute(RATIONAL, p).objectives[-1] <= fit.objectives[-1]


@few
@given(problems(losses=RAMPS, per_class=(1, 2)), fractions, st.data())
def test_brute_force_finds_no_more_than_any_function_has(p, beta0, data):
    """The least over all sets set aside lies below the objective at any multipliers, and below the number of points
    [RAMP-FIT.P1] [ISML-27.6.3-objective]."""
    best = ramp.brute(RATIONAL, p)
    a = data.draw(vectors(len(p.y)))
    values = p.table() @ a
    f = Vector([v + (beta0 if p.intercept else 0) for v in values])
    assert best.objectives[-1] <= p.objective(RATIONAL, f, a @ values)
    assert best.objectives[-1] <= len(p.y)


@few
@given(problems(losses=RAMPS))
def test_the_ramp_is_never_above_the_hinge(p):
    """At every function the objective is at most that of the hinge, squared for the squared ramp
    [RAMP2-FIT.P1] [ISML-27.6.3-squared-objective]."""
    hinge = replace(p, loss=ABOVE[type(p.loss)])
    fit = penalised.quadratic(RATIONAL, hinge)
    assert p.objective(RATIONAL, fit.f, fit.square) <= fit.objectives[-1]
    assert ramp.fit(RATIONAL, p).objectives[0] <= fit.objectives[-1]


@few
@given(vectors(4), st.sets(st.integers(0, 3)))
def test_the_convex_problem_lies_above_the_ramp_and_touches_it(f, chosen):
    """With the points of negative margin set aside the surrogate plus their number equals the objective, at other
    functions it is larger  [RAMP-FIT.P2] [ISML-27.6.3-ramp]."""
    for loss in RAMPS:
        p = problem([[0], [1], [2], [3]], [-1, 1, -1, 1], loss, 2)
        points = ramp.aside(p.y, f)
        for given_points, at in ((points, f), (frozenset(chosen), f)):
            m = ramp.machine(RATIONAL, p, given_points)
            upper = p.penalty * fitted_machine.primal_objective(m, Q(0), at) + len(given_points)
            value = p.objective(RATIONAL, at, Q(0))
            assert value <= upper and (given_points != points or value == upper)


@pytest.mark.long
@both
@pytest.mark.parametrize("far", [-20, -2000])
def test_a_planted_outlier_does_not_move_the_ramp(loss, far):
    """A point of class +1 far on the other side leaves the global optimum as it is without it, wherever it stands; its
    own loss is 1  [RAMP-FIT.P1] [M-ISML-F27.17] [ISML-27.6.3-objective] [CMP-ROBUST-SVM]."""
    X, y = OUTLIER
    clean = ramp.brute(RATIONAL, problem(X[:-1], y[:-1], loss, Q(1, 4)))
    spoilt = ramp.brute(RATIONAL, problem([*X[:-1], [far]], y, loss, Q(1, 4)))
    assert spoilt.f[:-1] == clean.f and spoilt.a[-1] == 0
    assert spoilt.objectives[-1] == clean.objectives[-1] + 1


@both
def test_a_planted_outlier_moves_the_hinge(loss):
    """The same point turns the hinge's function by more, the further away it stands  [LOSS-ROBUST-COMPARE.P1]
    [M-ISML-F27.17]."""
    X, y = OUTLIER
    convex = ABOVE[type(loss)]
    clean = penalised.quadratic(RATIONAL, problem(X[:-1], y[:-1], convex, Q(1, 4)))
    slopes = [clean.f[5] - clean.f[0]]
    for far in (-5, -8, -20):
        spoilt = penalised.quadratic(RATIONAL, problem([*X[:-1], [far]], y, convex, Q(1, 4)))
        slopes.append(spoilt.f[5] - spoilt.f[0])
    assert slopes[3] < slopes[2] < slopes[1] < slopes[0]


def test_from_the_hinge_the_iteration_leaves_an_outlier_that_is_not_too_far():
    """Difference of convex functions, started at the hinge: the outlier is set aside and loses its pull
    [RAMP-FIT.P2] [M-ISML-F27.17]."""
    X, y = OUTLIER
    p = problem([*X[:-1], [-6]], y, Ramp(), Q(1, 4))
    fit = ramp.fit(RATIONAL, p)
    assert len(fit.objectives) > 1 and fit.objectives[-1] < fit.objectives[0]
    assert margins(p, fit)[-1] < 0 and fit.a[-1] == 0


def test_a_point_on_the_boundary_may_have_any_slope():
    """At m = 0 the ramp has a kink: multipliers from 0 to its cost are allowed, others are not  [RAMP-FIT.P1]."""
    p = problem([[0], [1]], [-1, 1], Ramp(), 1, intercept=False)
    for share, status in ((Q(1, 2), "stationary"), (Q(0), "stationary"), (Q(3, 2), "not converged")):
        a = Vector([-share, Q(1)])
        fit = penalised.Fit(a, Q(0), p.table() @ a, (Q(0), Q(0)), (), 0)
        assert ramp.certify(RATIONAL, p, fit).status == status


def test_another_answer_is_not_stationary():
    """A multiplier that its loss does not allow is named  [RAMP-FIT.P2]."""
    X, y = OUTLIER
    p = problem(X, y, Ramp(), Q(1, 4))
    fit = ramp.fit(RATIONAL, p)
    c = ramp.certify(RATIONAL, p, replace(fit, a=fit.a + Vector([Q(1)] + [Q(0)] * 6)))
    assert c.status == "not converged" and c.worst_violation > 0 and c.where


def test_doubles_end_where_fractions_do():
    """The same points are set aside, and the objectives agree to roundoff  [RAMP-FIT.P2]."""
    for loss in RAMPS:
        p = problem(*OUTLIER, loss, Q(1, 4))
        exact, found = ramp.fit(RATIONAL, p), ramp.fit(BINARY64, p.over(BINARY64))
        assert all(near(BINARY64, v, float(w), steps=49) for v, w in zip(found.objectives, exact.objectives))
        assert ramp.certify(RATIONAL, p, found).status == "stationary"


def test_other_losses_and_larger_samples_are_refused():
    """Only the ramps are iterated on, and brute force takes twelve points  [RAMP-FIT.P2] [GAP-13]."""
    p = problem([[0], [1]], [-1, 1], Hinge())
    with pytest.raises(InvalidInput, match="the ramp or the squared ramp"):
        ramp.fit(RATIONAL, p)
    with pytest.raises(InvalidInput, match="at most 12 points"):
        ramp.brute(RATIONAL, problem([[i] for i in range(14)], [-1, 1] * 7, Ramp()))


def unscaled(seed):
    """Four to ten points whose columns are of sizes 1 to 10⁶, and two classes."""
    r = random.Random(seed)
    n = r.choice((4, 6, 8, 10))
    X = [[r.randint(-5, 5) * 10 ** r.randint(0, 6), r.randint(100, 200) * 1000, r.random()] for _ in range(n)]
    return X, [i % 2 for i in range(n)]


def relative_gap(X, labels, squared, penalty, alpha, beta0):
    """The gap of α and β₀ over the larger bound, in fractions, of the convex problem that the points of negative margin
    make, its dual at the multipliers moved into their bounds; the kernel is (xᵀz + 1)²."""
    y, a = [2 * k - 1 for k in labels], [Q(v) for v in alpha]
    K = [[(sum(Q(v) * Q(w) for v, w in zip(x, z)) + 1) ** 2 for z in X] for x in X]
    values = [sum(k * v for k, v in zip(row, a)) for row in K]
    m = [t * (v + Q(beta0)) for t, v in zip(y, values)]
    primal = penalty * sum(map(mul, a, values)) / 2
    u = []
    for t, v, mi in zip(y, a, m):
        if squared:
            primal += 0 if mi < 0 else max(0, 1 - mi) ** 2
            u.append(0 if mi < 0 else max(Q(0), penalty * t * v))
        else:
            primal += max(0, mi - 1) if mi < 0 else max(0, 1 - mi)
            u.append(min(max(penalty * t * v, Q(-1 if mi < 0 else 0)), Q(0 if mi < 0 else 1)))
    pulls = [t * v for t, v in zip(y, u)]
    up, down = sum(v for v in pulls if v > 0), -sum(v for v in pulls if v < 0)
    pulls = [v * min(1, down / up if v > 0 else up / down) if up and down else Q(0) for v in pulls]
    dual = sum(t * v - (v * v / 4 if squared else 0) for t, v in zip(y, pulls))
    dual -= sum(v * w * k for v, row in zip(pulls, K) for w, k in zip(pulls, row)) / (2 * penalty)
    return (primal - dual) / max(abs(primal), abs(dual), Q(1, 10**300))


@both
@pytest.mark.parametrize("seed", [4, 14, 29, 33])
def test_unscaled_columns_give_so_many_digits_or_bounds(loss, seed):
    """What doubles hold of the stationary point is stated in digits that fractions confirm, at least nine or within one
    of the ceiling; what they do not hold is refused with bounds  [RAMP-FIT.P2]."""
    (X, y), squared = unscaled(seed), isinstance(loss, SquaredRamp)
    name = "squared_ramp" if squared else "ramp"
    kernel = {"name": "polynomial", "degree": 2, "c": 1}
    for penalty in (1, 1000):
        try:
            m = KernelClassifier(loss=name, penalty=penalty, kernel=kernel).fit(X, y)
        except NotConverged as refusal:
            assert 0 < refusal.witness["dual"] <= refusal.witness["primal"] <= len(y)  # f = 0 loses n
            continue
        c = m.certificate_
        assert c.status == "stationary" and c.gap is None
        assert c.digits >= ASKED or c.digits >= max(1, c.ceiling - 1)
        gap = relative_gap(X, y, squared, Q(penalty), m.alpha_, m.intercept_[0])
        assert gap <= 10**-c.digits
        m.alpha_[max(range(len(X)), key=lambda i: abs(m.alpha_[i]))] *= 1 + 1e-9
        del m.__dict__["certificate_"]
        assert m.certificate_.status == "not converged"


@pytest.mark.parametrize("penalty", [1e-9, 1e-3])
def test_a_refusal_has_bounds_on_the_objective_not_on_its_multiple(penalty):
    """Where doubles hold no digit the bounds enclose the exact objective, whatever the penalty is  [RAMP-FIT.P2]."""
    X, y = unscaled(26)
    m = KernelClassifier(loss="squared_ramp", penalty=penalty, kernel={"name": "polynomial", "degree": 2, "c": 1})
    with pytest.raises(NotConverged) as refusal:
        m.fit(X, y)
    m.arithmetic = "exact"
    assert refusal.value.witness["dual"] <= m.fit(X, y).objective_ <= refusal.value.witness["primal"]


def test_a_rounded_answer_that_misses_its_ceiling_by_more_than_a_digit_is_not_stationary():
    """A multiplier changed by a part in 10⁴ is noticed where the ceiling is 7.09 digits; without a ceiling nine are
    asked for  [RAMP-FIT.P2]."""
    X, y = unscaled(27)
    p = problem(X, [2 * k - 1 for k in y], SquaredRamp(), 1000, kernel=QUADRATIC)
    fit = ramp.fit(BINARY64, replace(p.over(BINARY64), whole=lambda: p))
    assert fit.proven.status == "stationary" and 1 < fit.proven.ceiling < ASKED
    wrong = replace(fit, a=Vector([fit.a[0] * (1 + 1e-4), *fit.a[1:]]))
    assert ramp.certify(RATIONAL, p, wrong, ceiling=fit.proven.ceiling).status == "not converged"
    assert ramp.certify(RATIONAL, p, fit).status == "not converged"


@few
@given(problems(losses=RAMPS, per_class=(1, 2)), positive)
@example(problem(*OUTLIER, Ramp()), Q(3))  # the last point is set aside
def test_moving_a_point_that_is_set_aside_further_changes_nothing(p, more):
    """A point of negative margin at the end may lie anywhere on its side with the same function  [RAMP-FIT.P1]."""
    fit = ramp.fit(RATIONAL, p)
    aside = [i for i, m in enumerate(margins(p, fit)) if m < 0]
    assert all(fit.a[i] == 0 for i in aside)


@pytest.mark.parametrize("loss", ["ramp", "squared_ramp"])
@pytest.mark.parametrize(
    "ends", [[[-1, 6], [6, 5]], [[-5, 4], [1, 4]], [[3, 1], [-2, 5], [-6, 0], [6, 2], [4, -3], [0, 1]]]
)
def test_sides_that_are_roundoff_are_decided_in_fractions(loss, ends):
    """Rows equal but for their last bits: f = 0 with an error of a rounding, and each point's side was its sign's."""
    X, y = [[1 + v / 2**52 for v in row] for row in ends], [i % 2 for i in range(len(ends))]
    for penalty in (1e-3, 1):
        assert KernelClassifier(loss=loss, penalty=penalty).fit(X, y).certificate_.status == "stationary"


def test_a_squared_ramp_in_decimals_that_make_k_indefinite_is_no_question_without_an_answer():
    """The first retargeted step has no factor in 20 or 50 decimals of values of 10²⁴: the hinge is where it begins."""
    X, y, w = [[999999.98], [4999.9], [1000001.71], [0.14], [1000000.48], [5001.21]], [0, 0, 1, 1, 0, 0], [1, 2] * 3
    own = {"loss": "squared_ramp", "kernel": {"name": "polynomial", "degree": 4, "c": 0}}
    with pytest.raises(NotConverged, match="an optimum that decimal:20 can hold"):
        KernelClassifier(**own, arithmetic="decimal:20").fit(X, y, sample_weight=w)
    assert (
        KernelClassifier(**own, arithmetic="decimal:50").fit(X, y, sample_weight=w).certificate_.status == "stationary"
    )
