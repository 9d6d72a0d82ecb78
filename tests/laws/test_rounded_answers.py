"""Fits that are made again in decimals: what is delivered is judged as it is, rounded, or refused with its bounds.

Every estimator whose fit may come from decimals. Its status says how many digits the numbers delivered have; fewer than
nine stand beside their ceiling; no more digits of a sum of squares are stated than its gap leaves; an objective is that
of the coefficients beside it.
"""

from fractions import Fraction
from random import Random

import pytest

import refclass
from refclass.certificate import ASKED, digits
from refclass.errors import Refusal
from refclass.number.field import rational
from tests.profiles import examples

PARAMETERS = {
    "FlexibleDiscriminantAnalysis": {"regression": {"name": "polynomial", "degree": 2}},
    "LogisticRegression": {"penalty": 1},
    "MixtureDiscriminantAnalysis": {"subclasses": 2, "n_components": 1},
    "OptimalScoring": {"n_components": 1},
    "PenalizedDiscriminantAnalysis": {"penalty": "1/1000", "n_components": 1},
    "RegressionClassifier": {"regression": {"name": "polynomial", "degree": 2}},
    "RegularizedDiscriminantAnalysis": {"alpha": "1/2", "gamma": "1/2"},
}
AGAIN = {
    kind.__name__: kind
    for kind in refclass.estimator_classes()
    if hasattr(kind, "doubtful") and kind is not refclass.GaussianBayesRule
}


def nearly_dependent(r, x):
    return [[*a, r.choice([2, 0.1]) * a[0] + 7] for a in x]


def copies(r, x):
    return [[v + (1e-13 if i % 2 else 0) for v in x[i // 2]] for i in range(len(x))]


def far(r, x):
    offset = 10.0 ** r.choice([9, 12, 15])
    return [[offset + v for v in a] for a in x]


def small_sum(r, x):
    return [[*a, sum(a) + 1e-12 * r.random()] for a in x]


def table(seed):
    """Return rows that doubles can hardly tell apart, labels, weights or None, and an arithmetic."""
    r = Random(seed)
    n, p = r.choice([6, 9, 14]), r.choice([1, 2, 3])
    y = [i % 2 for i in range(n)]
    kind = r.choice([nearly_dependent, nearly_dependent, copies, far, small_sum])
    X = kind(r, [[r.gauss(g, 1) for _ in range(p)] for g in y])
    weights = [r.choice([1, 1, 1e30]) for _ in y] if r.random() < 0.2 else None
    return X, y, weights, r.choice(["float", "float", "decimal:20"])


def half_squares(model, X, y, weights):
    """Return ½ Σ w‖y − f‖² of the outputs of two classes (1 ± d)/2, d the function that coefficients say."""
    (beta,), (b,) = model.coef_, model.intercept_
    total = Fraction(0)
    for x, g, w in zip(X, y, weights or [1] * len(y)):
        d = rational(b) + sum(rational(v) * Fraction(u) for v, u in zip(beta, x))
        total += rational(w) * (2 * g - 1 - d) ** 2
    return total / 4


def judged(model):
    """Check that what is delivered is proven, or at its ceiling, and that no more is stated than the gap leaves."""
    found = model.certificate_
    assert found.status != "not converged", found
    if found.digits is not None and found.digits < ASKED:
        assert found.ceiling is not None and found.digits >= found.ceiling - 1, found
    if found.gap and found.dual and not found.premise:
        assert found.digits <= digits(found.gap, found.primal), found
    return found


@pytest.mark.parametrize("name", AGAIN)
def test_what_is_rounded_from_decimals_is_judged_as_it_is_delivered(name):
    """Columns that depend but for the last digits, near copies, offsets to 10¹⁵, weights of 10³⁰."""
    answered = 0
    for seed in range(examples(12)):
        X, y, weights, arithmetic = table(seed)
        try:
            model = AGAIN[name](**PARAMETERS.get(name, {}), arithmetic=arithmetic).fit(X, y, weights)
        except Refusal as refusal:
            assert "\n" not in str(refusal)
            continue
        answered += 1
        judged(model)
        if name == "Perceptron":
            want = half_squares(model, X, y, weights)
            assert abs(rational(model.objective_) - want) <= want / 10**15
    assert answered


@pytest.mark.parametrize("kind", [refclass.LeastSquaresClassifier, refclass.Perceptron])
def test_coefficients_that_hold_nothing_are_delivered_with_what_they_hold(kind):
    """A column that is the sum of others but for its last digits: 10¹⁵ of them, rounded, miss by as much as zero does.

    Labels are those of the decimals; the status counts what the coefficients themselves have.
    """
    r = Random(4)
    X, y = [[r.gauss(g, 1), r.gauss(0, 1)] for g in (0, 1) * 3], [0, 1] * 3
    X = [[a, b, 2 * a + 1] for a, b in X]
    model, exact = (kind(arithmetic=name).fit(X, y) for name in ("float", "exact"))
    found, want = model.certificate_, exact.certificate_
    assert found.ceiling == found.digits < 2 and found.status == f"{int(10 * found.digits) / 10} digits"
    assert found.dual == want.primal and found.primal > want.primal
    assert model.predict(X) == exact.predict(X)
    changed = [[row[0] * 1.1, *row[1:]] for row in model.coef_]
    del vars(model)["certificate_"]
    model.coef_ = changed
    assert model.certificate_.status == "not converged"


def test_a_mixture_without_a_maximum_is_refused_however_long_its_fit_is():
    """Copied rows of five classes, each with as many subclasses as it has distinct points: Σ is singular."""
    r = Random(1853)
    X = [row for row in [[r.gauss(0, 1) for _ in range(3)] for _ in range(6)] for _ in range(2)]
    y = [i % 5 for i in range(12)]
    for repeats in (1, 20):
        with pytest.raises(Refusal):
            refclass.MixtureDiscriminantAnalysis(subclasses=2, n_components=1).fit(X * repeats, y * repeats)


def test_a_mixture_of_weights_that_differ_by_100_decades_is_proven():
    """In fractions it is exact: fifty decimals took its covariance for a singular one."""
    r = Random(2)
    X, y = [[r.gauss(g, 1), r.gauss(0, 1)] for g in (0, 1) * 5], [0, 1] * 5
    weights = [Fraction(10) ** (100 * (i % 3 == 0)) for i in range(10)]
    model = refclass.MixtureDiscriminantAnalysis(subclasses=1, arithmetic="exact").fit(X, y, weights)
    assert model.certificate_.status == "stationary" and model.certificate_.digits > 40


def test_fewer_coordinates_of_a_fit_in_decimals_are_those_that_decimals_have():
    """μ next to 1 are told apart by decimals alone: `reduced` is the fit with fewer coordinates from the start."""
    r = Random(1)
    X = [[1e30 * r.gauss(0, 1) for _ in range(6)] for _ in range(4)]
    kind = refclass.PenalizedDiscriminantAnalysis
    whole, one = kind(penalty=1).fit(X, [0, 1, 2, 0]), kind(penalty=1, n_components=1).fit(X, [0, 1, 2, 0])
    found = whole.reduced(1)
    assert found.scalings_ == one.scalings_ and found.weights_ == one.weights_
    assert found.certificate_.digits >= ASKED
    right = [[float(v) for v in row] for row in one.whole().scalings_]
    assert right == whole.scalings_


def of_sevenths(seed):
    """Return rows of sevenths, some 10⁵ away from the others, which neither doubles nor decimals hold; and signs."""
    r = Random(seed)
    n, p = r.choice([10, 12, 14]), r.choice([1, 2, 3])
    X = [[Fraction(round(r.gauss(0, 1) * 100), 700) + r.choice([0, 0, 10**5]) for _ in range(p)] for _ in range(n)]
    return X, [r.choice([-1, 1]) for _ in range(n)]


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_knots_are_the_numbers_of_rows_as_they_were_given(arithmetic):
    """Reading rounds rows and knots alike: a fit through all points is one, and its RSS that of its coefficients."""
    for seed in (1, 29, 32, 67):
        X, y = of_sevenths(seed)
        found = refclass.MARS(arithmetic=arithmetic).fit(X, y).certificate_
        assert found.digits >= ASKED or found.digits == found.ceiling > 1


def test_knots_in_groups_far_apart_keep_their_distances_in_decimals():
    """Gaps of 10⁻⁷ at 10⁷, read into twenty decimals: 0.7 to 5 digits had been returned beside ceilings of 20."""
    for seed in (0, 10):
        r = Random(seed)
        X = [[r.choice([0, 1e7]) + 1e-6 * round(r.gauss(0, 3), 1)] for _ in range(12)]
        y = [i % 4 - 1 + r.gauss(0, 0.3) for i in range(12)]
        assert refclass.SmoothingSpline(penalty=0.1, arithmetic="decimal:20").fit(X, y).certificate_.digits >= ASKED


def test_few_digits_of_least_squares_stand_beside_their_ceiling_in_decimals():
    """Columns that depend but for roundoff have coefficients of 10²², of which twenty decimals hold few digits."""
    for seed in (1, 2, 14):
        r = Random(seed)
        X = [[round(r.gauss(0, 1), r.choice([2, 3])), round(r.gauss(0, 1), 2)] for _ in range(r.choice([5, 7, 9]))]
        X, y = [[a, b, a + b] for a, b in X], [1e6 * r.gauss(0, 1) for _ in X]
        found = refclass.LinearRegression(arithmetic="decimal:20").fit(X, y).certificate_
        assert found.digits < ASKED and found.ceiling == found.digits
