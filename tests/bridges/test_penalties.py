"""Theorems that join losses, penalties and machines, exact where they can be."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import SVC, SVR, HuberRegression, KernelClassifier, KernelRidge, LogisticRegression, Ridge
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.insensitive import Insensitive, SquaredInsensitive
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.kernel import fit as training
from refclass.regress.kernel.tube import insensitive
from tests.profiles import examples
from tests.strategies import positive, samples

few = settings(max_examples=examples(15))
SEPARABLE = [[0, 0], [1, 3], [4, 1], [5, 5], [6, 2], [0, 2]], [-1, -1, 1, 1, 1, -1]
X = [[0, 1], [1, 0], [2, 2], [3, 1], [1, 4], [0, 0], [2, 0]]
NUMBERS = [1, 0, 3, 2, 7, -1, 4]
KERNEL = {"name": "polynomial", "degree": 2, "c": 1}


def sine(u, v):
    """The squared sine of the angle between two directions in the plane."""
    cross = u[0] * v[1] - u[1] * v[0]
    return cross * cross / (sum(a * a for a in u) * sum(a * a for a in v))


def hard():
    """The exact hard margin of the separable points."""
    return SVC(C="inf", arithmetic="exact").fit(*SEPARABLE)


@pytest.mark.parametrize("loss", ["squared_hinge", "huberised", "huberised_hinge"])
def test_margin_maximising_losses_tend_to_the_hard_margin(loss):
    """λ → 0 on separable data: the angle to the hard margin falls at least as fast as λ
    [MARGIN-MAX.P1] [ESL-12.3.2-margin]."""
    want, sines = hard().coef_[0], []
    for lam in (Q(1, 10), Q(1, 10**3), Q(1, 10**5)):
        m = KernelClassifier(loss=loss, penalty=lam, arithmetic="exact").fit(*SEPARABLE)
        sines.append(sine(m.coef_[0], want))
    assert sines[2] <= sines[1] / 9000 or sines[2] == 0
    assert sines[2] < Q(1, 10**8)


def test_the_hinge_reaches_the_hard_margin_at_a_positive_penalty():
    """For λ ≤ 1/max α̂ of the hard margin the function is the same, exactly; just above it is not
    [MARGIN-MAX.P3] [ESL-12.3.2-margin] [RC-7]."""
    m = hard()
    edge = 1 / max(m.alpha_)
    for lam, same in ((edge, True), (edge / 7, True), (edge * Q(11, 10), False)):
        other = KernelClassifier(penalty=lam, arithmetic="exact").fit(*SEPARABLE)
        assert (other.coef_ == m.coef_) == same


def test_squared_error_does_not_maximise_the_margin():
    """Unbalanced separable data: as λ → 0 the direction of least squares stays away from the hard margin's
    [MARGIN-MAX.P2] [ESL-12.3.2-margin] [LS-CLS.P3]."""
    rows, labels = [*SEPARABLE[0], [20, 0], [30, 1], [25, -2]], [*SEPARABLE[1], 1, 1, 1]
    want = SVC(C="inf", arithmetic="exact").fit(rows, labels).coef_[0]
    sines = [
        sine(KernelClassifier(loss="squared", penalty=lam, arithmetic="exact").fit(rows, labels).coef_[0], want)
        for lam in (Q(1, 10**3), Q(1, 10**6))
    ]
    assert min(sines) > Q(1, 20) and abs(sines[0] - sines[1]) < Q(1, 1000)


@few
@given(samples(per_class=(1, 4)), positive)
def test_squared_error_on_labels_is_kernel_ridge_with_half_the_penalty(sample, lam):
    """Σ(1 − yf)² + ½λ‖f‖² = Σ(y − f)² + (λ/2)‖f‖²  [LS-CLS.P1] [MMST-11.67] [ERR-ESL-07]."""
    rows, labels = sample
    y = [2 * k - 1 for k in labels]
    one = KernelClassifier(loss="squared", penalty=lam, kernel=KERNEL, arithmetic="exact").fit(rows, y)
    two = KernelRidge(penalty=lam / 2, kernel=KERNEL, intercept=True, arithmetic="exact").fit(rows, y)
    assert one.alpha_ == two.coefficients_ and one.intercept_ == two.intercept_
    assert one.objective_ == two.objective_


@few
@given(samples(per_class=(1, 4)), positive)
def test_the_squared_hinge_is_the_two_norm_machine(sample, C):
    """C = 1/λ, with an intercept: the same function, λ times the objective  [SVC-L2.P4]."""
    one = KernelClassifier(loss="squared_hinge", penalty=1 / C, kernel=KERNEL, arithmetic="exact").fit(*sample)
    two = SVC(C=C, loss="squared_hinge", kernel=KERNEL, arithmetic="exact").fit(*sample)
    assert C * one.objective_ == two.objective_
    assert one.decision_function(sample[0]) == two.decision_function(sample[0])


def test_kernel_logistic_regression_with_a_linear_kernel_is_logistic_regression():
    """For two classes λ is half of the λ that penalises both f₁ and f₀ = −f₁; for three it is the same
    [KLR.P3] [MC-KMULTI.P1] [ESL-12.31] [ESL-12.3.8-multinomial] [RC-11]."""
    for labels, factor in (([0, 1, 0, 1, 1, 0, 1], 0.5), ([0, 1, 2, 1, 2, 0, 2], 1)):
        for lam in (0.5, 0.01):
            one = KernelClassifier(loss="deviance", penalty=lam * factor).fit(X, labels)
            two = LogisticRegression(penalty=lam).fit(X, labels)
            for u, v in zip([*one.coef_, one.intercept_], [*two.coef_, two.intercept_]):
                assert all(near(BINARY64, a, b, 10.0, 1000) for a, b in zip(u, v))


def test_without_a_tube_the_squared_machine_is_the_limit():
    """ε → 0: the squared-loss fit tends to kernel ridge with λ = 1/(2C), linearly in ε  [SVR-L2.P2] [RC-17]
    [MMST-Ex11.5]."""
    ridge = KernelRidge(penalty="1/4", kernel=KERNEL, arithmetic="exact").fit(X, NUMBERS).predict(X)
    options = {"C": 2, "loss": "squared_epsilon_insensitive", "kernel": KERNEL, "arithmetic": "exact"}
    far = []
    for epsilon in (Q(1, 100), Q(1, 1000), Q(0)):
        f = SVR(epsilon=epsilon, **options).fit(X, NUMBERS).predict(X)
        far.append(max(abs(a - b) for a, b in zip(f, ridge)))
    assert far[2] == 0 and far[1] * 10 == far[0] > 0


def test_huber_with_a_vanishing_c_is_least_absolute_deviations():
    """V/c → |r|: with penalty cλ the fit tends to support vector regression with ε = 0 and C = 1/λ
    [HUBER-FIT.P1] [SVR-EPS0.P1] [LOSS-HUBER.P2]."""
    svr = SVR(C=2, epsilon=0, arithmetic="exact").fit(X, NUMBERS)
    values = []
    for c in (Q(1, 10), Q(1, 1000)):
        m = HuberRegression(c=c, penalty=c / 2, arithmetic="exact").fit(X, NUMBERS)
        f, beta = m.predict(X), m.coef_
        lost = sum(abs(y - v) for y, v in zip(NUMBERS, f))
        values.append(sum(b * b for b in beta) / 2 + 2 * lost - svr.objective_)
    assert 0 <= values[1] < values[0] / 50


@few
@given(st.lists(st.integers(-6, 6), min_size=3, max_size=5), positive, positive)
def test_the_penalised_form_of_the_tube_is_its_cost_form(values, lam, epsilon):
    """ΣV(r) + (λ/2)‖β‖² has C = 1/λ, for the linear and the squared loss, and λ times the optimum
    [SVR-PEN.P1] [ESL-12.36] [MMST-11.113]."""
    points = Matrix([[Q(i)] for i in range(len(values))])
    K, y = gram(RATIONAL, Linear(), points), Vector([Q(v) for v in values])
    for loss in (Insensitive(epsilon), SquaredInsensitive(epsilon)):
        m = insensitive.machine(RATIONAL, K, y, Vector([1 / lam] * len(values)), loss)
        fit = training.fit(RATIONAL, m)
        r = Vector([t - v - fit.beta0 for t, v in zip(y, fit.values)])
        penalised = sum(loss(RATIONAL, v) for v in r) + lam * fit.square / 2
        assert penalised == lam * insensitive.objective(RATIONAL, fit.square, r, 1 / lam, loss)
        name = "epsilon_insensitive" if isinstance(loss, Insensitive) else "squared_epsilon_insensitive"
        m = SVR(C=1 / lam, epsilon=epsilon, loss=name, arithmetic="exact").fit(
            [[v] for v in range(len(values))], values
        )
        assert m.objective_ * lam == penalised


def test_ridge_through_its_dual_is_ridge():
    """β = Xᵀα/(2λ) with α = 2λ(K + λI)⁻¹y, without a constant  [RIDGE-DUAL.P1] [EX-MMST-11.5] [MMST-Ex11.5]."""
    options = {"penalty": "3/4", "intercept": False, "arithmetic": "exact"}
    one, two = KernelRidge(**options).fit(X, NUMBERS), Ridge(**options).fit(X, NUMBERS)
    assert one.coef_ == two.coef_ and one.objective_ == two.objective_
