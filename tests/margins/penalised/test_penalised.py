"""Loss plus penalty: convex losses solved exactly, and the forms of the texts that say the same."""

from dataclasses import replace
from fractions import Fraction as Q
from functools import partial

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NotExact
from refclass.kernels.linear import Linear
from refclass.kernels.matrices import eigen
from refclass.kernels.matrices.gram import gram
from refclass.kernels.matrices.product import product
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.hinge import Hinge
from refclass.losses.huberised import Huberised
from refclass.losses.ramp import Ramp
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.penalised import objectives, penalised
from refclass.margins.svm import fit as train
from refclass.margins.svm import soft
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near, negligible
from tests.margins.penalties import CONVEX, QUADRATIC, margins, problem, problems
from tests.profiles import examples
from tests.strategies import matrices, positive, vectors

few = settings(max_examples=examples(15))


def fitted(p):
    """The exact optimum."""
    return penalised.quadratic(RATIONAL, p)


def value(p, f):
    """The objective of a fit."""
    return p.objective(RATIONAL, f.f, f.square)


@few
@given(problems())
def test_a_convex_fit_is_proven_optimal_with_a_gap_of_zero(p):
    """Primal and dual are equal as fractions, for five losses, both norms, with an intercept and without
    [PEN-SVM.P1] [HSQH-FIT.P1] [SQH-FIT.P1] [ESL-12.25] [ESL-12.29]."""
    fit = fitted(p)
    c = penalised.certify(RATIONAL, p, fit)
    assert c.status == "optimal" and c.gap == 0 and c.worst_violation == 0
    assert c.primal == fit.objectives[-1] == value(p, fit)


@few
@given(problems(losses=[Hinge()], coefficients=False))
def test_the_subgradients_balance_the_penalty(p):
    """λβ = Σ aᵢyᵢxᵢ with aᵢ in [0, 1], 1 inside the band, 0 beyond it, and Σ aᵢyᵢ = 0 with an intercept
    [PEN-SVM.P2] [PEN-KERNEL.P1] [ESL-12.25] [ISML-27.6.1-objective]."""
    fit = fitted(p)
    shares = (p.penalty * fit.a).times(p.y)
    assert all(0 <= a <= 1 for a in shares)
    assert all(a == (1 if m < 1 else 0) for a, m in zip(shares, margins(p, fit)) if m != 1)
    assert not p.intercept or fit.a.sum() == 0


@few
@given(problems(losses=[SquaredHinge(), Huberised()]))
def test_the_slopes_are_the_multipliers(p):
    """λaᵢ = −yᵢL′(mᵢ): for the squared hinge 2yᵢ[1 − mᵢ]₊, and points beyond the band contribute nothing
    [HSQH-FIT.P1] [HSQH-FIT.P2] [SQH-FIT.P1] [ISML-27.6.2-objective]."""
    fit = fitted(p)
    m = margins(p, fit)
    assert [p.penalty * a for a in fit.a] == [-t * p.loss.slope(RATIONAL, v) for t, v in zip(p.y, m)]
    assert all(a == 0 for a, v in zip(fit.a, m) if v > 1)


@few
@given(problems(losses=[Hinge()], coefficients=False, intercept=True))
def test_the_penalty_form_is_the_cost_form(p):
    """C = 1/λ gives the same function, and the objective is λ times that of the machine
    [PEN-SVM.P1] [ESL-Ex12.1] [EX-ESL-12.1] [YANG-penalization-method] [RC-7]."""
    cost = objectives.cost(p.penalty)
    machine = soft.Machine(p.K, p.y, (cost,) * len(p.y))
    t = train.train(RATIONAL, machine)
    fit = fitted(p)
    assert product(p.K, t.alpha.times(p.y)) == fit.values and t.interval == fit.interval
    assert fit.objectives[-1] == p.penalty * t.objective


@few
@given(problems(losses=[Hinge()], coefficients=False, intercept=True))
def test_the_kernel_form_has_the_same_solution(p):
    """Σ[1 − yf]₊ + (λ/2)αᵀKα with f = β₀ + Kα: αᵢ = yᵢaᵢ/λ, and ‖β‖² = αᵀKα
    [PEN-KERNEL.P1] [PEN-KERNEL.P2] [ESL-12.28] [ESL-12.29] [ESL-Ex12.2] [EX-ESL-12.2] [ISML-27.6.1-model]."""
    fit = fitted(p)
    K = p.table()
    beta = p.K.X.T @ fit.a
    f = penalised.values(K, fit.a, fit.beta0)
    assert f == fit.f == Vector([x @ beta + fit.beta0 for x in p.K.X])
    assert beta @ beta == fit.a @ (K @ fit.a)
    assert objectives.objective(RATIONAL, p.loss, p.y, f, beta @ beta, p.penalty) == fit.objectives[-1]


@few
@given(problems(losses=[Hinge()], coefficients=False))
def test_with_slacks_it_is_the_programme_of_the_text(p):
    """Σξ + (λ/2)θᵀKθ at the least slacks is the objective; larger slacks cost more  [PEN-KERNEL.P2] [ISML-27.5]
    [ISML-27.6.1-slack]."""
    fit = fitted(p)
    xi = Vector([max(1 - m, Q(0)) for m in margins(p, fit)])
    least = objectives.slack_objective(xi, fit.a, p.table(), p.penalty)
    assert least == fit.objectives[-1]
    assert objectives.slack_objective(xi + xi + Vector([Q(1)] * len(xi)), fit.a, p.table(), p.penalty) > least


@few
@given(problems(losses=[Hinge()], coefficients=False, intercept=True))
def test_the_averaged_form_is_the_cost_form(p):
    """(1/n)Σ[1 − yf]₊ + λ‖f‖² has C = 1/(2nλ), and the same value as the sum over n
    [PEN-SVM-N.P1] [MMST-11.68] [MMST-11.71] [MMST-11.73] [RC-7]."""
    n = len(p.y)
    averaged = replace(p, penalty=2 * n * p.penalty)
    assert objectives.cost(averaged.penalty) == objectives.averaged_cost(n, p.penalty)
    fit = fitted(averaged)
    objective = objectives.averaged_objective(RATIONAL, p.loss, p.y, fit.f, fit.square, p.penalty)
    assert n * objective == fit.objectives[-1]


@few
@given(problems(losses=[Hinge()], coefficients=False, intercept=True, per_class=(1, 2)))
def test_copies_of_the_sample_change_the_sum_but_not_the_average(p):
    """Every point twice: at the penalty 2nλ of the average the function stays, at the same λ in the sum it need not
    [PEN-SVM-N.P2] [MMST-11.68]."""
    X = p.K.X
    doubled = problem([*X, *X], [*p.y, *p.y], p.loss, 2 * p.penalty)
    first, second = fitted(p), fitted(doubled)
    assert Vector(second.values[: len(p.y)]) == first.values
    assert second.interval == first.interval


def test_copies_do_change_the_sum():
    """x = ±1 with λ = 4: β = 2/λ; twice each point, 4/λ  [PEN-SVM-N.P2] [ESL-12.25]."""
    X, y = [[1], [-1]], [1, -1]
    one, two = fitted(problem(X, y, Hinge(), 4)), fitted(problem(X + X, y + y, Hinge(), 4))
    assert one.f == Vector([Q(1, 2), Q(-1, 2)]) and two.f[0] == 1


@few
@given(vectors(3), positive, vectors(3), vectors(2))
def test_a_general_penalty_of_half_the_norm_is_the_kernel_form(y, lam, f, theta):
    """λJ(f) with J = ½‖f‖² is (λ/2)‖f‖²  [PEN-GEN.P1] [ESL-12.30]."""
    loss, square = Hinge(), theta @ theta
    form = objectives.general_objective(RATIONAL, loss, y, f, square / 2, lam)
    assert form == objectives.objective(RATIONAL, loss, y, f, square, lam)


def test_a_structured_space_is_a_kernel_that_is_a_sum():
    """f = f₁ + f₂ with ‖f₁‖² + ‖f₂‖², each in the space of its own variable's kernel: K = K₁ + K₂
    [PEN-GEN.P2] [ESL-12.30] [ESL-12.3.3-additive]."""
    X, y = [[0, 3], [1, 1], [2, 0], [3, 3], [1, 4]], [-1, -1, 1, 1, 1]
    one = gram(RATIONAL, QUADRATIC, Matrix([[Q(x[0])] for x in X]))
    two = gram(RATIONAL, QUADRATIC, Matrix([[Q(x[1])] for x in X]))
    p = replace(problem(X, y, Hinge(), Q(1, 2)), K=one + two)
    fit = fitted(p)
    parts = [one @ fit.a, two @ fit.a]
    assert parts[0] + parts[1] == fit.values
    J = (fit.a @ parts[0] + fit.a @ parts[1]) / 2
    assert objectives.general_objective(RATIONAL, p.loss, p.y, fit.f, J, p.penalty) == fit.objectives[-1]


def test_the_eigenbasis_gives_the_same_objective():
    """With K = Σ δφφᵀ on the points and θ = δ∘φᵀa, (λ/2)Σθ²/δ is (λ/2)aᵀKa and the fitted values agree
    [PEN-EIG.P1] [ESL-12.26] [ESL-12.27]."""
    F = decimal(30)
    X, y = [[0, 1], [1, 0], [2, 2], [3, 1]], [-1, 1, -1, 1]
    p = problem(X, y, Hinge(), Q(1, 3), kernel=QUADRATIC).over(F)
    fit = penalised.quadratic(F, p)
    e = eigen.expand(F, p.table())
    theta = e.weights(fit.a)
    f = Vector.of([v + fit.beta0 for v in e.functions @ theta])
    value = objectives.eigen_objective(F, p.loss, p.y, f, theta, e.values, p.penalty)
    assert near(F, value, fit.objectives[-1], steps=100)
    assert negligible(F, (f - fit.f).largest(), p.table().largest() * fit.a.largest(), 100)


@few
@given(problems(losses=[SquaredHinge()], intercept=False))
def test_the_squared_hinge_is_the_two_norm_machine(p):
    """Σ[1 − m]₊² + ½λ‖θ‖² without intercept is the 2-norm machine with C = 1/λ; in ISML's halves C = 1/(2λ)
    [SQH-FIT.P2] [ISML-27.6.2-loss] [ISML-27.6.2-objective]."""
    t = train.train(RATIONAL, soft.Machine(p.K, p.y, (1 / p.penalty,) * len(p.y), True, False))
    fit = fitted(p)
    assert product(p.K, t.alpha.times(p.y)) == fit.values
    halves = sum((max(1 - m, Q(0)) ** 2 for m in margins(p, fit)), Q(0)) / 2 + (p.penalty / 2) * fit.square / 2
    assert 2 * halves == fit.objectives[-1]


@few
@given(problems(losses=[Huberised()]))
@example(problem([[-1], [1]] * 6 + [[-3]], [-1, 1] * 6 + [1], Huberised(), Q(1, 10)))  # a margin below −1
def test_the_huberised_fit_is_the_squared_hinge_fit_where_no_margin_is_below_minus_one(p):
    """If all m ≥ −1 the two optima are one  [HSQH-FIT.P3] [ESL-T12.1]."""
    plain = fitted(replace(p, loss=SquaredHinge()))
    if min(margins(p, plain)) >= -1:
        assert fitted(p).values == plain.values
    else:
        assert value(p, fitted(p)) <= value(p, plain)


def test_the_huberised_fit_differs_where_a_margin_is_far_below():
    """A far point on the wrong side pulls with 4 at most, the squared hinge with more  [HSQH-FIT.P3] [HSQH-FIT.P2]."""
    X, y = [[v] for v in (-3, -2, -1, 1, 2, 3)] * 6 + [[-4]], [-1, -1, -1, 1, 1, 1] * 6 + [1]
    one, two = (fitted(problem(X, y, loss, Q(1, 4))) for loss in (Huberised(), SquaredHinge()))
    assert one.f[5] - one.f[0] > two.f[5] - two.f[0]
    assert one.a[-1] / 4 == 4 < two.a[-1] / 4


@few
@given(problems(losses=[Squared()]))
def test_squared_error_is_penalised_least_squares(p):
    """½‖y − Φθ‖² + (λ/2)‖θ‖², twice: λaᵢ = 2(yᵢ − fᵢ), the gradient is zero  [LS-CLS.P1] [ESL-T12.1]."""
    fit = fitted(p)
    assert p.penalty * fit.a == 2 * (p.y - fit.f)


@few
@given(matrices(3, 2), vectors(3), vectors(3))
def test_multipliers_of_features_are_their_coefficients(Phi, a, y):
    """θ = Φᵀa has Φθ = ΦΦᵀa and ‖θ‖² = aᵀΦΦᵀa: the norm of coefficients is that of another kernel
    [SQH-FIT.P1] [ISML-27.6.2-objective]."""
    theta = penalised.coefficients(RATIONAL, a, Phi)
    K = Phi @ Phi.T
    assert Phi @ theta == K @ a and theta @ theta == a @ (K @ a)


@few
@given(problems(losses=CONVEX, per_class=(1, 2)), st.integers(2, 3))
def test_an_integer_weight_stands_for_copies_of_a_point(p, w):
    """A weight w on the first point is as good as w copies of it, in the norm of the function  [SVC-COST-I]."""
    X = p.K.X
    heavy = problem(X, p.y, p.loss, p.penalty, intercept=p.intercept, weights=[w] + [1] * (len(p.y) - 1))
    copied = problem([X[0]] * (w - 1) + [*X], [p.y[0]] * (w - 1) + [*p.y], p.loss, p.penalty, intercept=p.intercept)
    one, two = fitted(heavy), fitted(copied)
    assert Vector(two.values[w - 1 :]) == one.values and one.interval == two.interval
    assert one.objectives == two.objectives


@pytest.mark.parametrize("loss", CONVEX, ids=lambda loss: type(loss).__name__)
def test_decimals_are_the_exact_optimum_rounded(loss):
    """Decimals agree with fractions to the last digits, and their proof says optimal  [HSQH-FIT.P1]."""
    F = decimal(40)
    p = problem([[0, 1], [1, 3], [2, 0], [4, 1]], [-1, 1, -1, 1], loss, Q(2, 7), kernel=QUADRATIC)
    exact, rounded = fitted(p), penalised.quadratic(F, p.over(F))
    assert near(F, rounded.objectives[-1], F.lift(exact.objectives[-1]), steps=16)
    assert penalised.certify(RATIONAL, p, rounded).status == "optimal"


def test_other_losses_are_refused():
    """A ramp has no convex problem of its own  [RAMP-FIT]."""
    with pytest.raises(InvalidInput, match="convex piecewise quadratic"):
        fitted(problem([[0], [1]], [-1, 1], Ramp()))


def test_a_linear_kernel_of_features_is_the_norm_of_coefficients():
    """K = ΦΦᵀ is the linear kernel on rows of features  [ISML-27.6.2-objective]."""
    p = problem([[0], [1], [2]], [-1, 1, 1], Hinge(), coefficients=True)
    Phi = gram(RATIONAL, Linear(), Matrix([[Q(0)], [Q(1)], [Q(2)]]))
    assert p.table() == Phi @ Phi.T


@pytest.mark.parametrize("loss, times", [(Hinge(), 2), (SquaredHinge(), 4), (Squared(), 4)], ids=str)
def test_functions_below_the_normal_doubles_are_refused_in_doubles_alone(loss, times):
    """x = ∓10⁻¹⁶⁰, λ = 1: f = ±2·10⁻³²⁰ of the hinge, ±4·10⁻³²⁰ of its square, which decimals hold."""
    fits = {}
    for F in (BINARY64, decimal(20)):
        points = Matrix([[F.lift(Q(s, 10**160))] for s in (-1, 1)])
        y = Vector([F.lift(-1), F.lift(1)])
        p = penalised.Problem(points @ points.T, y, y.times(y), loss, F.lift(1), False, positive=True)
        fits[F.name] = partial(penalised.quadratic, F, p)
    with pytest.raises(NotExact, match="normal doubles"):
        fits["float"]()
    assert rational(fits["decimal:20"]().values[1]) == Q(times, 10**320)
