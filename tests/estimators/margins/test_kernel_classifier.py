"""Loss plus penalty as its users meet it: every loss, both norms, three arithmetics, and the texts' two spirals."""

from fractions import Fraction as Q
from random import Random

import pytest

from refclass import SVC, KernelClassifier
from refclass.data import spirals as spiral
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import gram
from refclass.linear.vector import Vector
from refclass.margins.svm import fit
from refclass.margins.svm import isml_listing as listing
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from refclass.oracle import table

X = [[0, 0], [1, 0], [0, 2], [2, 2], [3, 1], [-1, 1], [2, 0], [1, 2]]
Y = ["no", "no", "yes", "yes", "yes", "no", "no", "yes"]
GAUSSIAN = {"name": "gaussian", "gamma": 1}
CONVEX = ("hinge", "squared_hinge", "huberised", "huberised_hinge", "squared")
RAMPS = ("ramp", "squared_ramp")


@pytest.mark.parametrize("norm", ["function", "coefficients"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("loss", [*CONVEX, "deviance", *RAMPS])
def test_every_loss_is_proven_in_floats(loss, intercept, norm):
    """Optimal for convex losses, stationary for the ramps, in both norms, with an intercept and without
    [PEN-SVM.P1] [KLR.P1] [RAMP-FIT.P2] [HSQH-FIT.P1] [ESL-12.29] [ISML-27.6.2-objective]."""
    m = KernelClassifier(loss=loss, kernel=GAUSSIAN, intercept=intercept, norm=norm, penalty=0.3).fit(X, Y)
    c = m.certificate_
    assert c.status == ("stationary" if loss in RAMPS else "optimal")
    assert near(BINARY64, m.objective_, float(c.primal), steps=64) and m.objectives_[-1] == m.objective_
    assert m.classes_ == ["no", "yes"] and (m.intercept_ == [0.0] or intercept)


@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN, {"name": "polynomial", "degree": 2, "c": 1}])
@pytest.mark.parametrize("loss", [*CONVEX, *RAMPS])
def test_exact_arithmetic_leaves_no_violation(loss, kernel):
    """In fractions every condition holds with ==; a Gaussian kernel's doubles are rationals  [RC-20] [RC-21]."""
    m = KernelClassifier(loss=loss, kernel=kernel, penalty="1/3", arithmetic="exact").fit(X, Y)
    c = m.certificate_
    assert c.worst_violation == 0 and c.gap in (0, None) and c.primal == m.objective_
    assert type(m.alpha_[0]) is Q and ("rounded" in c.premise) == (kernel is GAUSSIAN)


@pytest.mark.parametrize("loss", [*CONVEX, "deviance", *RAMPS])
def test_decimals_are_proven_to_their_digits(loss):
    """Thirty digits: the objective of the certificate agrees, and the status is that of the loss  [KLR.P1] [RC-20]."""
    m = KernelClassifier(loss=loss, kernel=GAUSSIAN, penalty="0.3", arithmetic="decimal:30").fit(X, Y)
    F, c = m.field(), m.certificate_
    assert c.status == ("stationary" if loss in RAMPS else "optimal")
    assert near(F, m.objective_, F.lift(c.primal), steps=64)


def test_the_hinge_is_the_support_vector_classifier():
    """penalty = 1/C: the same decision values, λ times the objective, signed multipliers  [PEN-SVM.P1] [ESL-Ex12.1]."""
    one = KernelClassifier(penalty="1/2", kernel=GAUSSIAN, arithmetic="exact").fit(X, Y)
    two = SVC(C=2, kernel=GAUSSIAN, arithmetic="exact").fit(X, Y)
    assert one.objective_ == two.objective_ / 2 and one.decision_function(X) == two.decision_function(X)
    assert [abs(a) for a in one.alpha_] == two.alpha_ and one.intercept_interval_ == two.intercept_interval_


def test_the_norm_of_coefficients_is_another_penalty():
    """½λ‖θ‖² is a linear machine on the columns of the Gram matrix  [SQH-FIT.P1] [ISML-27.6.2-objective]."""
    kernel = {"name": "polynomial", "degree": 2, "c": 1}
    options = {"loss": "squared_hinge", "intercept": False, "penalty": "1/2", "arithmetic": "exact"}
    one = KernelClassifier(norm="coefficients", kernel=kernel, **options).fit(X, Y)
    K = [[(1 + a[0] * b[0] + a[1] * b[1]) ** 2 for b in X] for a in X]
    two = KernelClassifier(kernel="linear", **options).fit(K, Y)
    assert one.alpha_ == two.coef_[0] and one.objective_ == two.objective_
    f = [sum(t * k for t, k in zip(one.alpha_, row)) for row in K]
    assert f == one.decision_function(X)


@pytest.mark.parametrize("loss", [*CONVEX, "deviance"])
def test_an_integer_weight_stands_for_copies_of_a_row(loss):
    """A weight of two is as good as the row twice, a weight of zero as good as none  [SVC-COST-I]."""
    options = {"loss": loss, "kernel": GAUSSIAN, "penalty": 0.5}
    weighted = KernelClassifier(**options).fit(X, Y, sample_weight=[2, 0, *[1] * 6])
    copied = KernelClassifier(**options).fit([X[0], X[0], *X[2:]], [Y[0], Y[0], *Y[2:]])
    assert near(BINARY64, weighted.objective_, copied.objective_, steps=64) and weighted.alpha_[1] == 0
    f, g = weighted.decision_function(X), copied.decision_function(X)
    assert all(near(BINARY64, a, b, 1, 1000) for a, b in zip(f, g))
    assert weighted.certificate_.status == "optimal"


def test_weights_leave_features_in_the_norm_of_coefficients():
    """A row without weight has no loss, but its kernel column stays a feature  [ISML-27.6.2-objective]."""
    m = KernelClassifier(loss="squared_hinge", norm="coefficients", kernel=GAUSSIAN).fit(
        X, Y, sample_weight=[0] + [1] * 7
    )
    assert m.alpha_[0] != 0 and m.certificate_.status == "optimal"


def test_probabilities_are_those_of_the_log_odds():
    """1/(1 + e^(−f)) for the second class, 1 − p for the first, and no other loss gives any
    [ESL-12.31] [ESL-12.32] [KLR-CONTOUR.P1]."""
    m = KernelClassifier(loss="deviance", kernel=GAUSSIAN).fit(X, Y)
    for (q, p), f, label in zip(m.predict_proba(X), m.decision_function(X), m.predict(X)):
        assert near(BINARY64, p + q, 1.0) and near(BINARY64, p, 1 / (1 + BINARY64.exp(-f)), steps=4)
        assert label == ("yes" if p >= q else "no")
    with pytest.raises(InvalidInput, match="deviance"):
        KernelClassifier().fit(X, Y).predict_proba(X)
    assert hasattr(m, "predict_proba") and not hasattr(KernelClassifier(), "predict_proba")


def test_three_classes_are_distinguished_by_the_multinomial_loss():
    """Iris with a Gaussian kernel: proven optimal, probabilities sum to one, multipliers to zero
    [MC-KMULTI.P2] [ESL-12.3.8-multinomial]."""
    t = table.embedded("iris")
    rows = t.numbers(["sepal_length", "sepal_width", "petal_length", "petal_width"], float)[::5]
    labels = t.column("species")[::5]
    m = KernelClassifier(loss="deviance", kernel={"name": "gaussian", "gamma": 0.5}, penalty=0.5).fit(rows, labels)
    assert m.certificate_.status == "optimal" and m.score(rows, labels) > 0.9
    assert all(near(BINARY64, sum(p), 1.0, steps=3) for p in m.predict_proba(rows))
    assert all(abs(sum(row)) < 1e-12 for row in m.alpha_) and len(m.intercept_) == 3
    best = [max(zip(f, m.classes_))[1] for f in m.decision_function(rows)]
    assert best == m.predict(rows)


def test_two_classes_with_twice_the_penalty_are_the_multinomial_machine():
    """A third class of negligible weight: f₂ − f₁ near the two-class log-odds with λ/2  [MC-KMULTI.P1] [RC-11]."""
    rows, labels = [*X, [50, 50]], [*Y, "zz"]
    weights = [1] * 8 + [Q(1, 10**9)]
    options = {"loss": "deviance", "kernel": GAUSSIAN}
    three = KernelClassifier(penalty=1, **options).fit(rows, labels, sample_weight=weights)
    two = KernelClassifier(penalty=0.5, **options).fit(X, Y)
    for f, g in zip(three.decision_function(X), two.decision_function(X)):
        assert abs(f[1] - f[0] - g) < 1e-3


def test_the_linear_kernel_shows_its_coefficients():
    """coef_ = Σ αᵢxᵢ, one row for two classes, one for each of more  [ESL-12.28]."""
    m = KernelClassifier(loss="squared", arithmetic="exact", penalty=1).fit(X, Y)
    assert m.coef_ == [[sum(a * x[j] for a, x in zip(m.alpha_, X)) for j in range(2)]]
    many = KernelClassifier(loss="deviance").fit(X, [0, 0, 1, 1, 2, 2, 2, 1])
    assert len(many.coef_) == 3 and len(many.coef_[0]) == 2
    assert not hasattr(KernelClassifier(kernel=GAUSSIAN).fit(X, Y), "coef_")


def spirals(n=200, seed=1):
    """ISML's two spirals with chance of our own."""
    rows, labels = spiral.points(BINARY64, n, Random(seed))
    return [list(x) for x in rows], list(labels)


@pytest.mark.long
def test_the_spirals_are_separated_by_retargeted_least_squares():
    """Φ = K, h = 1, λ = 1 in the text's halves, a random start, until ‖θ − θ_old‖ < 0.001: no errors in some 200 rounds
    [M-ISML-F27.14/15/16] [ISML-27.6.2-listing] [ISML-27.6.2-retarget] [SQH-IRLS.P2] [SQH-IRLS.P3] [ERR-ISML-11]."""
    rows, labels = spirals()
    chance = Random(2)
    m = KernelClassifier(
        loss="squared_hinge",
        norm="coefficients",
        intercept=False,
        penalty=2,
        kernel={"name": "gaussian", "gamma": 0.5},
        start=[chance.random() for _ in labels],
        tol=0.001,
        max_iter=1000,
    ).fit(rows, labels)
    assert m.score(rows, labels) == 1 and 100 < m.n_iter_ < 400
    assert all(b <= a * (1 + 1e-14) for a, b in zip(m.objectives_, m.objectives_[1:]))
    assert m.certificate_.status == "optimal"


def test_the_spirals_are_separated_by_the_listed_machine_and_by_the_hinge():
    """The program's machine (0.01·I, box 1/(2λ) = 50, no intercept): no errors, all α far inside the box; the hinge
    with the same λ, without its ridge, separates them too  [M-ISML-F27.10/11] [ISML-27.4-listing] [ERR-ISML-02]."""
    rows, labels = spirals()
    points, y = spiral.points(BINARY64, 200, Random(1))[0], Vector(map(float, labels))
    K = gram(BINARY64, Gaussian(0.5), points)
    t = fit.train(BINARY64, listing.printed(K, y, 0.01, 0.01))
    f = K @ t.alpha.times(y)
    assert min(y.times(f)) > 0 and 0.5 < max(t.alpha) < 5 and 120 < sum(a > 0 for a in t.alpha) < 200
    hinge = KernelClassifier(penalty=0.01, intercept=False, kernel={"name": "gaussian", "gamma": 0.5}).fit(rows, labels)
    assert hinge.score(rows, labels) == 1 and hinge.certificate_.status == "optimal"


CLOUD = [[-4], [-3], [-2], [2], [3], [4]], [-1, -1, -1, 1, 1, 1]


@pytest.mark.parametrize("far", [-20, -100])
def test_a_planted_outlier_moves_the_hinge_and_not_the_ramps(far):
    """A positive point far on the negative side: the hinges' functions flatten, the ramps' stay as they are without it
    [LOSS-ROBUST-COMPARE.P1] [RAMP-FIT.P1] [M-ISML-F27.17] [CMP-ROBUST-SVM]."""
    rows, labels = [*CLOUD[0], [far]], [*CLOUD[1], 1]
    for convex, bounded in (("hinge", "ramp"), ("squared_hinge", "squared_ramp")):
        options = {"penalty": "1/4", "arithmetic": "exact"}
        clean, spoilt = (KernelClassifier(loss=convex, **options).fit(*part) for part in (CLOUD, (rows, labels)))
        assert spoilt.coef_[0][0] < clean.coef_[0][0] / 2
        at = KernelClassifier(loss=bounded, **options).fit(*CLOUD)
        start = [*at.alpha_, 0, at.intercept_[0]]
        robust = KernelClassifier(loss=bounded, start=start, **options).fit(rows, labels)
        assert robust.coef_ == at.coef_ and robust.certificate_.status == "stationary"
        assert robust.objective_ == at.objective_ + 1 and robust.alpha_[-1] == 0


def test_the_printed_retarget_is_a_variant_that_is_not_stationary():
    """With a point of negative margin the limit of the text's retarget is no stationary point of the squared ramp, and
    lies higher than that of the corrected one  [ERR-ISML-01] [RAMP2-IRLS-PRINTED.P2] [ISML-27.6.3-retarget]."""
    rows, labels = [*CLOUD[0], [-7]], [*CLOUD[1], 1]
    ends = {
        how: KernelClassifier(loss="squared_ramp", retarget=how, penalty=0.25).fit(rows, labels)
        for how in ("printed", "corrected")
    }
    assert ends["printed"].certificate_.status == "not converged"
    assert ends["corrected"].certificate_.status == "stationary"
    assert ends["corrected"].objective_ < ends["printed"].objective_


def test_a_stochastic_descent_comes_near_and_says_how_near():
    """Near the optimum, never called optimal; the bound holds  [OPT-SGD.P2] [ISML-27.6.2-sgd]."""
    options = {"loss": "squared_hinge", "norm": "coefficients", "intercept": False, "kernel": GAUSSIAN}
    best = KernelClassifier(**options).fit(X, Y)
    near_it = KernelClassifier(solver="stochastic", seed=3, max_iter=4000, **options).fit(X, Y)
    c = near_it.certificate_
    assert c.status.endswith("digits") and c.dual <= Q(best.objective_) <= c.primal <= Q(best.objective_) * Q(21, 20)
    assert near_it.n_iter_ == 4000 and near_it.predict(X) == best.predict(X)


def test_a_string_kernel_and_a_table_do():
    """Words, and a Gram matrix computed elsewhere  [K-NONVEC] [ESL-12.29]."""
    words, sides = ["cat", "car", "cart", "dog", "dot", "god"], [1, 1, 1, 0, 0, 0]
    kernel = {"name": "string", "length": 2, "decay": "1/2", "normalised": False}
    m = KernelClassifier(loss="squared_hinge", kernel=kernel, arithmetic="exact").fit(words, sides)
    assert m.predict(["cad", "dog"]) == [1, 0] and m.certificate_.gap == 0
    K = [[1, 0.5], [0.5, 1]]
    given = KernelClassifier(loss="huberised", kernel="precomputed").fit(K, [0, 1])
    assert given.predict([[1, 0], [0, 1]]) == [0, 1] and given.certificate_.premise == ""


@pytest.mark.parametrize(
    ("options", "need"),
    [
        ({"loss": "log"}, "loss among"),
        ({"norm": "l1"}, "norm among"),
        ({"penalty": 0}, "penalty a finite number > 0"),
        ({"penalty": "much"}, "penalty a finite number"),
        ({"intercept": 1}, "intercept among"),
        ({"retarget": "printed"}, "squared_ramp"),
        ({"retarget": "other", "loss": "squared_ramp"}, "retarget among"),
        ({"solver": "magic"}, "a solver among"),
        ({"max_iter": 0, "loss": "squared_hinge"}, "max_iter None or an integer"),
        ({"tol": -1, "loss": "squared_hinge"}, "tol a finite number > 0"),
        ({"start": [0] * 8}, "no start"),
        ({"start": [0, 1], "loss": "ramp"}, "start of 8 numbers, or 9"),
        ({"start": "here", "loss": "ramp"}, "start of 8 numbers, or 9"),
        ({"start": [0] * 8 + [1], "loss": "ramp", "intercept": False}, "without intercept"),
        ({"seed": 1}, "a whole number as seed"),
        ({"solver": "stochastic"}, "a whole number as seed"),
        ({"solver": "stochastic", "seed": 1}, "features, no intercept"),
        ({"solver": "stochastic", "seed": 1, "tol": 1}, "neither start nor tol"),
    ],
)
def test_bad_parameters_are_refused(options, need):
    """Each in one line that says what was needed  [ESL-12.25]."""
    with pytest.raises(InvalidInput, match=need):
        KernelClassifier(**options).fit(X, Y)


def test_bad_data_are_refused():
    """One class, three classes where two are needed, no weight in a class, another length  [ESL-12.25]."""
    with pytest.raises(InvalidInput, match="two classes"):
        KernelClassifier().fit([[1], [2]], [1, 1])
    with pytest.raises(InvalidInput, match="two classes in y; got 3"):
        KernelClassifier().fit([[1], [2], [3]], [1, 2, 3])
    with pytest.raises(InvalidInput, match="or of more"):
        KernelClassifier(loss="deviance").fit([[1], [2]], [1, 1])
    with pytest.raises(InvalidInput, match="a positive weight in every class"):
        KernelClassifier().fit(X, Y, sample_weight=[int(t == "no") for t in Y])
    with pytest.raises(InvalidInput, match="8 labels"):
        KernelClassifier().fit(X, Y[:-1])
    with pytest.raises(InvalidInput, match="fitted estimator"):
        KernelClassifier().predict(X)
    with pytest.raises(InvalidInput, match="auto or newton"):
        KernelClassifier(loss="deviance", solver="retarget").fit(X, [0, 1, 2, 0, 1, 2, 0, 1])


def test_the_deviance_is_refused_in_exact_arithmetic_and_an_indefinite_kernel_in_any():
    """exp is not rational; a table with a negative eigenvalue is no Gram matrix  [ESL-12.32] [ERR-MMST-31]."""
    with pytest.raises(NotExact, match="rational value of"):
        KernelClassifier(loss="deviance", arithmetic="exact").fit(X, Y)
    with pytest.raises(NoAnswer, match="negative curvature"):
        KernelClassifier(loss="huberised", kernel="precomputed").fit([[0, 1], [1, 0]], [0, 1])
