"""Theorems that join flexible, penalised and mixture discriminants with the others, through the public face.

FDA on lines = LDA = optimal scoring; FDA on a basis = LDA in it; PDA without penalty = FDA; MDA with one subclass = LDA
with divisor n; the perceptron = indicator regression; Gaussian nodes = kernel ridge regression.
"""

import math
from fractions import Fraction

import pytest
from hypothesis import given

from refclass import (
    BRUTO,
    ClassificationTree,
    FlexibleDiscriminantAnalysis,
    GaussianNodeNetwork,
    KernelRidge,
    LeastSquaresClassifier,
    LinearDiscriminantAnalysis,
    LinearRegression,
    MixtureDiscriminantAnalysis,
    NearestNeighbors,
    NeuralNetwork,
    OptimalScoring,
    PenalizedDiscriminantAnalysis,
    Perceptron,
    PolynomialRegression,
    RegressionClassifier,
    Ridge,
)
from tests.discriminants.gaussian.test_fisher import many
from tests.discriminants.samples import PLANE, few
from tests.strategies import samples

X, Y = PLANE
EVEN = [Fraction(1, 3)] * 3
QUERY = [[Fraction(1, 2), 3], [7, -2], [3, Fraction(10, 3)]]
EXACT = {"arithmetic": "exact"}


def alike(a, b, points):
    """Return whether two exact estimators agree: labels, ties, and scores up to a shift common to all classes."""
    if a.predict(points) != b.predict(points) or a.ties(points) != b.ties(points):
        return False
    for p, q in zip(a.decision_function(points), b.decision_function(points)):
        shift = [u - v for u, v in zip(p, q)]
        if any(v != shift[0] for v in shift):
            return False
    return True


def wide(rows):
    """Return 1, 2 and all products of two of a row's numbers, without the constant."""
    return [[a, b, a * a, a * b, b * b] for a, b in rows]


STRAIGHT = [
    LinearRegression(),
    "linear_regression",
    PolynomialRegression(degree=1),
    {"name": "smoothing_spline", "penalty": math.inf},
    {"name": "ridge", "penalty": 0},
]


@pytest.mark.parametrize("regression", STRAIGHT, ids=str)
def test_flexible_on_straight_lines_is_linear(regression):
    """Any regression that fits straight lines gives linear discriminants with divisor n, exactly: labels, ties and
    scores  [FDA-ALG.P1] [FDA-SPLINE.P1] [RC-8] [RC-3].
    """
    a = FlexibleDiscriminantAnalysis(regression=regression, priors=EVEN, **EXACT).fit(X, Y)
    b = LinearDiscriminantAnalysis(divisor="n", priors=EVEN, **EXACT).fit(X, Y)
    assert alike(a, b, X + QUERY)


def test_flexible_on_lines_is_optimal_scoring():
    """Eigenvalues, coordinates, centroids and posteriors agree to roundoff; with Σ̂ = W/n LDA's, too  [FDA-CRIT.P1]
    [OS-LDA.P2].
    """
    rows, labels = many()
    a = FlexibleDiscriminantAnalysis().fit(rows, labels)
    b, c = OptimalScoring().fit(rows, labels), LinearDiscriminantAnalysis(divisor="n").fit(rows, labels)
    assert all(abs(u - v) < 1e-12 for u, v in zip(a.eigenvalues_, b.eigenvalues_))
    assert all(abs(u / (1 - u) - v) < 1e-9 * v for u, v in zip(a.eigenvalues_, c.eigenvalues_))
    for name in ("transform", "predict_proba"):
        for p, q in zip(getattr(a, name)(rows), getattr(b, name)(rows)):
            assert all(abs(u - v) < 1e-9 for u, v in zip(p, q))
    assert all(abs(u - v) < 1e-9 for p, q in zip(a.centroids_, b.centroids_) for u, v in zip(p, q))


def test_flexible_on_a_basis_is_linear_in_it():
    """FDA on quadratic regression is LDA on x, y, x², xy, y² with divisor n, exactly  [FDA-POLY.P1] [RC-8]."""
    a = FlexibleDiscriminantAnalysis(regression={"name": "polynomial", "degree": 2}, priors=EVEN, **EXACT).fit(X, Y)
    b = LinearDiscriminantAnalysis(divisor="n", priors=EVEN, **EXACT).fit(wide(X), Y)
    assert a.predict(X + QUERY) == b.predict(wide(X + QUERY))
    for p, q in zip(a.decision_function(X + QUERY), b.decision_function(wide(X + QUERY))):
        assert len({u - v for u, v in zip(p, q)}) == 1


def test_without_a_penalty_penalised_is_flexible_and_linear():
    """λ = 0: the scores of FDA on lines and of LDA with divisor n, exactly  [PDA-CRIT.P1] [RC-8]."""
    a = PenalizedDiscriminantAnalysis(penalty=0, priors=EVEN, **EXACT).fit(X, Y)
    b = FlexibleDiscriminantAnalysis(priors=EVEN, **EXACT).fit(X, Y)
    c = LinearDiscriminantAnalysis(divisor="n", priors=EVEN, **EXACT).fit(X, Y)
    assert alike(a, b, X + QUERY) and alike(a, c, X + QUERY)
    assert a.decision_function(X) == b.decision_function(X)
    shifts = [[u - v for u, v in zip(p, q)] for p, q in zip(a.coef_, c.coef_)]
    assert shifts[0] == shifts[1] == shifts[2]


def test_penalised_is_flexible_on_ridge():
    """Any λ and Ω: the same discriminants by both names, exactly  [PDA-CRIT.P2]."""
    omega = [[2, 1], [1, 1]]
    a = PenalizedDiscriminantAnalysis(penalty=3, omega=omega, **EXACT).fit(X, Y)
    b = FlexibleDiscriminantAnalysis(regression=Ridge(penalty=3, omega=omega), **EXACT).fit(X, Y)
    assert a.predict(X) == b.predict(X) and a.degrees_of_freedom_ == b.degrees_of_freedom_
    assert a.certificate_.worst_violation == b.certificate_.worst_violation == 0


@few
@given(samples(classes=2, p=2, per_class=(3, 5)))
def test_a_mixture_of_one_subclass_is_linear(drawn):
    """R = 1: linear discriminants with divisor n, exactly: means, Σ, labels, ties  [MDA-LDA.P1] [RC-8]."""
    half = [Fraction(1, 2)] * 2
    try:
        a = MixtureDiscriminantAnalysis(subclasses=1, priors=half, **EXACT).fit(*drawn)
    except ArithmeticError:
        with pytest.raises(ArithmeticError):
            LinearDiscriminantAnalysis(divisor="n", priors=half, **EXACT).fit(*drawn)
        return
    b = LinearDiscriminantAnalysis(divisor="n", priors=half, **EXACT).fit(*drawn)
    assert [A[0] for A in a.means_] == b.means_ and a.covariance_ == b.covariance_
    assert a.predict(drawn[0]) == b.predict(drawn[0]) and a.ties(drawn[0]) == b.ties(drawn[0])
    assert a.certificate_.status == "stationary" and a.certificate_.worst_violation < 1e-40


def test_a_mixture_of_one_subclass_is_linear_in_floats_too():
    """Posteriors to roundoff; with equal priors the labels of any divisor  [MDA-LDA.P1]."""
    a = MixtureDiscriminantAnalysis(subclasses=1).fit(X, Y)
    b = LinearDiscriminantAnalysis(divisor="n").fit(X, Y)
    for p, q in zip(a.predict_proba(X), b.predict_proba(X)):
        assert all(abs(u - v) < 1e-13 for u, v in zip(p, q))
    c, d = (kind.fit(X, Y) for kind in (MixtureDiscriminantAnalysis(subclasses=1, priors=[1 / 3] * 3),
                                       LinearDiscriminantAnalysis(priors=[1 / 3] * 3)))  # fmt: skip
    assert c.predict(X) == d.predict(X)


def test_bruto_that_may_not_bend_is_linear():
    """At most one degree of freedom for each variable and no price: every term a line, and the labels LDA's
    [FDA-BRUTO.P1].
    """
    regression = BRUTO(max_degrees_of_freedom=1, cost=1e-9, tol=1e-12)
    a = FlexibleDiscriminantAnalysis(regression=regression).fit(X, Y)
    assert a._model.regression.types == ("linear", "linear")
    b = LinearDiscriminantAnalysis(divisor="n").fit(X, Y)
    for p, q in zip(a.predict_proba(X), b.predict_proba(X)):
        assert all(abs(u - v) < 1e-6 for u, v in zip(p, q))


def test_the_perceptron_is_indicator_regression():
    """Trained to its end: coefficients and decision values of least squares on indicators, exactly  [CMP-SLP]."""
    a, b = Perceptron(**EXACT).fit(X, Y), LeastSquaresClassifier(**EXACT).fit(X, Y)
    assert (a.coef_, a.intercept_) == (b.coef_, b.intercept_)
    assert a.decision_function(QUERY) == b.decision_function(QUERY) and a.certificate_.gap == 0


def test_the_sign_of_a_line_is_least_squares_on_codes():
    """A linear regression of −1 and +1: the same decision values, exactly  [CMP-BRUTO] [LS-LDA.P1]."""
    two = [int(g == 1) for g in Y]
    a = RegressionClassifier(regression="linear_regression", **EXACT).fit(X, two)
    b = LeastSquaresClassifier(coding=(-1, 1), **EXACT).fit(X, two)
    assert a.decision_function(X + QUERY) == b.decision_function(X + QUERY) and a.ties(X) == b.ties(X)


def test_gaussian_nodes_are_kernel_ridge_regression():
    """Each output is kernel ridge regression of an indicator with the Gaussian kernel  [CMP-GNN]."""
    a = GaussianNodeNetwork(gamma=0.3, penalty=0.2).fit(X, Y)
    for k, row in enumerate(a.output_coef_):
        kernel = {"name": "gaussian", "gamma": 0.3}
        b = KernelRidge(penalty=0.2, kernel=kernel, intercept=False).fit(X, [float(g == k) for g in Y])
        assert all(abs(u - v) < 1e-11 for u, v in zip(row, b.coefficients_))
        scores = [s[k] for s in a.decision_function(QUERY)]
        assert all(abs(u - v) < 1e-11 for u, v in zip(scores, b.predict(QUERY)))


def test_a_tree_of_one_split_is_a_sign():
    """A stump says on either side of its threshold what a rule with one cut says; grown fully it agrees with the
    nearest neighbour on the sample  [CMP-CART] [CMP-KNN].
    """
    stump = ClassificationTree(max_depth=1, **EXACT).fit(X, Y)
    (words,) = stump.splits_
    j, c = int(words[1]), Fraction(words.partition("≤ ")[2])
    sides = {x[j] <= c: label for x, label in zip(X, stump.predict(X))}
    assert stump.predict(QUERY) == [sides[x[j] <= c] for x in QUERY]
    assert ClassificationTree().fit(X, Y).predict(X) == NearestNeighbors().fit(X, Y).predict(X) == Y


@pytest.mark.parametrize(
    "estimator",
    [
        MixtureDiscriminantAnalysis(subclasses=2, restarts=2),
        MixtureDiscriminantAnalysis(subclasses=2, start=[i % 2 for i in range(19)]),
        NeuralNetwork(hidden=2, max_iter=20),
        FlexibleDiscriminantAnalysis(regression={"name": "bruto", "cost": 0.5}),
        FlexibleDiscriminantAnalysis(regression={"name": "polynomial", "degree": 2}),
        ClassificationTree(combinations=True),
    ],
    ids=lambda e: type(e).__name__,
)
def test_identical_starts_give_identical_bits(estimator):
    """Fitted twice, also with the iteration looked at: the same model, bit for bit  [MDA-INIT.P1]."""
    first = estimator.fit(X, Y)._model
    reported = list(estimator.fit_steps(X, Y))
    assert reported and all(0 <= done <= total for done, total, _ in reported)
    again = estimator._model
    assert repr(first) == repr(again) and first.classify(estimator.rows(X)) == again.classify(estimator.rows(X))


def test_a_spline_tells_apart_what_no_line_can():
    """A class between the two halves of the other one: the line errs on it, the smoothing spline does not
    [FDA-SPLINE.P1].
    """
    rows, labels = [[float(i)] for i in range(24)], [int(8 <= i < 16) for i in range(24)]
    labels[3], labels[12] = 1, 0
    spline = FlexibleDiscriminantAnalysis(regression={"name": "smoothing_spline", "degrees_of_freedom": 4})
    line = FlexibleDiscriminantAnalysis()
    assert spline.fit(rows, labels).score(rows, labels) > 0.85 > line.fit(rows, labels).score(rows, labels)
