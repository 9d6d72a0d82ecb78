"""Discriminants and comparators where doubles cancel, overflow or round all away: answers are those of more digits."""

import random
from fractions import Fraction
from operator import mul

import pytest

import refclass
from refclass.errors import NoAnswer, NotConverged, NotExact
from refclass.estimators.protocol import more_digits
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.arithmetic import field
from refclass.sample import metric
from tests.laws.test_dependent_columns import near_copies, proven


def points(n, p, seed=1):
    """Return rows of standard normal numbers, those of odd places further on, and labels."""
    r = random.Random(seed)
    labels = [i % 2 for i in range(n)]
    return [[r.gauss(g, 1) for _ in range(p)] for g in labels], labels


@pytest.mark.parametrize("kind", [refclass.QuadraticDiscriminantAnalysis, refclass.RegularizedDiscriminantAnalysis])
def test_far_points_of_classes_that_nearly_coincide_are_decided_as_in_decimals(kind):
    """Exponents of 10¹² and more that differ by 10⁻³: doubles hold no digit of that."""
    X, y = near_copies(1)
    far = [[1e6 * v for v in x] for x in X[:3]]
    model, want = kind().fit(X, y), kind(arithmetic="decimal:60").fit(X, y)
    assert model.decision_function(far) == pytest.approx([float(v) for v in want.decision_function(far)], rel=1e-9)
    assert model.predict(far) == want.predict(far) and model.ties(far) == want.ties(far)


def test_known_covariances_that_nearly_coincide_are_told_apart_far_away():
    """The Bayes rule of covariances that differ by 10⁻¹³, at 10⁸ standard deviations."""
    given = {"means": [[0, 0], [0, 0]], "covariances": [[[1, 0.1], [0.1, 2]], [[1 + 1e-13, 0.1], [0.1, 2]]]}
    rule, want = (refclass.GaussianBayesRule(**given, arithmetic=a).fit() for a in ("float", "decimal:60"))
    far = [[1e8, 3e7], [2e7, 1e9]]
    assert rule.decision_function(far) == pytest.approx([float(v) for v in want.decision_function(far)], rel=1e-9)


def test_decimals_that_weights_exceed_are_made_again_in_more():
    """Weights of 10²⁰⁰ beside 1: sixty decimals said that class means are equal."""
    X, y = points(6, 3)
    weights = [1e200 if g else 1 for g in y]
    found = [
        refclass.OptimalScoring(pseudo_inverse=True, arithmetic=a).fit(X, y, weights).eigenvalues_
        for a in ("float", "decimal:60", "decimal:500")
    ]
    assert [float(v) for v in found[1]] == pytest.approx([float(v) for v in found[2]], rel=1e-12)
    assert found[0] == pytest.approx([float(v) for v in found[2]], rel=1e-12)


def test_a_mixture_of_weights_that_differ_has_its_covariance_or_is_refused():
    """At 10¹⁵ doubles hold it, though roundoff of a mean times the weight exceeds it; at 10²⁰⁰ they hold no mean."""
    X, y = points(8, 2)
    model = refclass.MixtureDiscriminantAnalysis(subclasses=1).fit(X, y, [1e10, 1e10, 1e10, 1e10, 1e10, 1e10, 1, 1])
    assert proven(model) > 9
    with pytest.raises(NotExact):
        refclass.MixtureDiscriminantAnalysis(subclasses=1).fit(X, y, [1, 1e200, 1, 1, 1e200, 1, 1, 1])


def test_numbers_given_as_denormal_decimals_keep_their_digits():
    """A column of 10⁻³²⁰ has four digits as doubles; the fit has those that were given."""
    X = [[Fraction(v, 10**324)] for v in (12345, -54321, 23456, 65432, -98765, 43215, 31415)]
    labels = [0, 0, 0, 1, 0, 1, 1]
    model = refclass.FlexibleDiscriminantAnalysis().fit(X, labels)
    want = refclass.FlexibleDiscriminantAnalysis(arithmetic="decimal:60").fit(X, labels)
    assert model.eigenvalues_ == pytest.approx([float(v) for v in want.eigenvalues_], rel=1e-12)


def test_counts_and_votes_of_huge_weights_are_exact():
    """A leaf of weight 10³⁰⁰ has shares; a vote of 1 beside 10²⁰ decides."""
    X, y = points(8, 2)
    tree = refclass.ClassificationTree(combinations=True).fit(X, y, [1e150, 1e-150] * 4)
    assert all(sum(p) == 1 for p in tree.predict_proba(X))
    model = refclass.NearestNeighbors(n_neighbors=10**20 + 1).fit(
        [[0], [0], [0]], ["b", "a", "a"], [10.0**20, 10.0**20, 1]
    )
    assert (model.predict([[0]]) == ["a"] and proven(model) == 99) or model.certificate_.where == ""


def test_a_perceptron_that_ends_early_ends_in_the_same_place_in_every_arithmetic():
    """Its units are powers of two everywhere: with more columns than rows the answer depends on them."""
    X, y = points(4, 6)
    X = [[v * 3.0**j for j, v in enumerate(x)] for x in X]
    found = [
        refclass.Perceptron(tol="1/1000", arithmetic=a).fit(X, y).coef_[0] for a in ("float", "exact", "decimal:40")
    ]
    for other in found[1:]:
        assert found[0] == pytest.approx([float(v) for v in other], rel=1e-9)


@pytest.mark.parametrize("kind", [refclass.LinearDiscriminantAnalysis, refclass.QuadraticDiscriminantAnalysis])
def test_costs_whose_ratio_is_no_double_decide_by_their_logarithms(kind):
    """Costs of 10^±200 move the boundary by 921 in log-odds; a share that is zero in doubles is dear all the same."""
    X, y = points(12, 2)
    model = kind(costs=[[0, 1e200], [1e-200, 0]]).fit(X, y)
    plain = kind().fit(X, y)
    far = [[a * 2**j, b * 2**j] for j in range(14) for a, b in ((1, 0), (-1, 0), (-1, -1))]
    moved = [v + 400 * 2.302585092994046 for v in plain.decision_function(far)]
    assert model.decision_function(far) == pytest.approx(moved, rel=1e-9)
    assert model.predict(far) == [int(v > 0) for v in moved] and len(set(model.predict(far))) == 2


def test_pseudo_inverses_are_proven_where_means_differ_beyond_the_span_of_the_covariance():
    """Four rows of four columns: no direction a has Σ̂ a = μ₂ − μ₁, and the certificate does not ask for one."""
    X, y = points(4, 4)
    for kind in (refclass.FisherDiscriminant, refclass.LinearDiscriminantAnalysis):
        assert proven(kind(pseudo_inverse=True).fit(X, y)) > 12


def test_the_gaussian_cut_of_codes_does_not_depend_on_units():
    """Columns of 10⁻¹⁵⁵, whose squares are no doubles."""
    X, y = points(9, 1)
    small = [[v * 2.0**-515 for v in x] for x in X]
    rule, tiny = (
        refclass.LeastSquaresClassifier(coding=[-1, 1], cutpoint="gaussian").fit(rows, y) for rows in (X, small)
    )
    assert tiny.decision_function(small) == pytest.approx(rule.decision_function(X), rel=1e-12)


def test_least_squares_of_columns_as_far_as_doubles_reach_is_about_the_mean():
    """At 10¹⁶ the mean is rounded by as much as columns vary: the coefficients are those near zero."""
    near = [[0, 4], [-2, -4], [2, 4], [0, 10], [4, -2]]
    y = [0, 1, 0, 1, 1]
    far = [[10**16 + v for v in row] for row in near]
    found, want = (refclass.LeastSquaresClassifier(coding=[-1, 1]).fit(rows, y).coef_[0] for rows in (far, near))
    assert found == pytest.approx(want, rel=1e-12)


def test_logarithmic_odds_of_rows_of_all_sizes_are_those_of_decimals():
    """Rows of 10^±12: the information has a condition of 10²⁰ and more."""
    X, y = points(9, 2, seed=5)
    X = [[v * 10.0 ** (6 * (i % 3 - 1)) for v in x] for i, x in enumerate(X)]
    model, want = (refclass.LogisticRegression(penalty=1, arithmetic=a).fit(X, y) for a in ("float", "decimal:60"))
    assert model.coef_[0] == pytest.approx([float(v) for v in want.coef_[0]], rel=1e-9)


@pytest.mark.parametrize("n, p, seed", [(6, 1, 0), (9, 2, 4), (9, 2, 11)])
def test_polynomials_of_rows_of_all_sizes_decide_as_in_decimals(n, p, seed):
    """Nine digits of the least sum of squares are four of the polynomial, where monomials reach from 10⁻²⁴ to 10²⁴."""
    (X, y), r = points(n, p), random.Random(seed)
    X, parabola = [[v * 10.0 ** r.choice([-12, 0, 12]) for v in x] for x in X], {"name": "polynomial", "degree": 2}
    for kind in (refclass.FlexibleDiscriminantAnalysis, refclass.RegressionClassifier):
        model, want = (kind(regression=parabola, arithmetic=a).fit(X, y) for a in ("float", "decimal:60"))
        found = model.decision_function(X)
        assert found == pytest.approx([float(v) for v in want.decision_function(X)], rel=1e-9)


def test_weights_of_all_sizes_make_no_columns_dependent():
    """Classes that overlap have a maximum: doubles that cannot hold it say so; a null vector is one in fractions."""
    r, refused = random.Random(1), 0
    for seed in range(5):
        (X, y), weights = points(8, 2, seed), [10.0 ** r.choice([-150, 0, 150]) for _ in range(16)]
        X, y = [*X, *X], [*y, *[1 - g for g in y]]
        try:
            refclass.LogisticRegression().fit(X, y, weights)
        except NotConverged as small:
            refused += "positive definite beyond roundoff" in str(small)
    assert refused
    X = [[int(4 * a), int(4 * b), int(4 * a) - 2 * int(4 * b) + 3] for a, b in X]
    with pytest.raises(NoAnswer) as refusal:
        refclass.LogisticRegression().fit(X, y, weights)
    null = refusal.value.witness["null_vector"]
    assert any(null) and len({sum(map(mul, null, x)) for x in X}) == 1


def test_mixtures_that_nearly_coincide_are_decided_far_away_as_what_is_reported_says():
    """At 10⁹ standard deviations from subclass means that differ by 10⁻¹³: doubles hold two digits of that."""
    X, y = near_copies(1)
    model, D = refclass.MixtureDiscriminantAnalysis(subclasses=2, degenerate="drop").fit(X, y), field("decimal:80")
    sigma = metric.factor(D, Matrix.of([vector(D, row) for row in model.covariance_]))
    far = [[s * v for v in x] for s in (1e6, -1e9) for x in X[:3]]
    for x, found, label in zip(far, model.decision_function(far), model.predict(far)):
        scores = []
        for weights, means in zip(model.weights_, model.means_):
            reached = [
                D.log(D.lift(w)) - sigma.squared(vector(D, x) - vector(D, mu)) / 2 for w, mu in zip(weights, means)
            ]
            scores.append(max(reached) + D.log(sum(D.exp(v - max(reached)) for v in reached)))
        assert found == pytest.approx(float(scores[1] - scores[0]), rel=1e-9)
        assert label == int(scores[1] > scores[0])


DISTANT = [
    (refclass.LinearDiscriminantAnalysis, {}),
    (refclass.LinearDiscriminantAnalysis, {"n_components": 1}),
    (refclass.FisherDiscriminant, {}),
    (refclass.FlexibleDiscriminantAnalysis, {}),
    (refclass.OptimalScoring, {}),
    (refclass.PenalizedDiscriminantAnalysis, {"penalty": 1}),
    (refclass.MixtureDiscriminantAnalysis, {"subclasses": 1}),
    (refclass.LeastSquaresClassifier, {}),
    (refclass.RegularizedDiscriminantAnalysis, {"alpha": 0, "gamma": 1}),
]


@pytest.mark.parametrize("kind, parameters", DISTANT)
def test_classes_beside_one_that_is_far_away_are_told_apart(kind, parameters):
    """A class 10⁴ to 10¹² standard deviations off: doubles of scores lose which of two others is nearer."""
    for seed, far in enumerate((1e4, 1e8, 1e10, 1e12)):
        r = random.Random(seed)
        y = [i % 3 for i in range(9)]
        X = [[r.gauss(g, 1) + (far if g == 2 else 0) for _ in range(1 + seed % 2)] for g in y]
        near = [x for x, g in zip(X, y) if g < 2]
        model, want = (kind(**parameters, arithmetic=a).fit(X, y) for a in ("float", "decimal:60"))
        assert model.predict(near) == want.predict(near), far


@pytest.mark.parametrize("kind", [refclass.LinearDiscriminantAnalysis, refclass.FisherDiscriminant])
def test_many_rows_beside_a_class_that_is_far_away_are_refused(kind, monkeypatch):
    """Decimals take too long for them, and doubles would give wrong labels; at 10⁴ these are right."""
    for limit in ("MOST", "LONG"):
        monkeypatch.setattr(more_digits, limit, 0)
    y = [i % 3 for i in range(9)]
    for far in (1e4, 1e10):
        r = random.Random(1)
        X = [[r.gauss(g, 1) + (far if g == 2 else 0)] for g in y]
        if far < 1e10:
            assert kind().fit(X, y).predict(X) == kind(arithmetic="decimal:60").fit(X, y).predict(X)
            continue
        with pytest.raises(NotExact):
            kind().fit(X, y)


@pytest.mark.parametrize("far", [1e5, 1e6])
def test_many_rows_of_two_classes_that_are_far_apart_have_the_digits_that_are_promised(far, monkeypatch):
    """Doubles leave the share that a ridge explains 5 digits, or 3: decimals have all; longer tables are refused."""
    monkeypatch.setattr(more_digits, "MOST", 0)
    r, y = random.Random(1), [i % 2 for i in range(12)]
    X = [[r.gauss(0, 1) + far * g, r.gauss(0, 1)] for g in y]
    assert refclass.PenalizedDiscriminantAnalysis(penalty=1).fit(X, y).certificate_.digits >= 9
    monkeypatch.setattr(more_digits, "LONG", 0)
    with pytest.raises(NotConverged, match="need 9 digits of its equations; got [2-6]"):
        refclass.PenalizedDiscriminantAnalysis(penalty=1).fit(X, y)


def test_scores_that_are_explained_wholly_are_held_for_any_number_of_rows():
    """At 1 − 60·n·eps, as the docstring says; from 24 rows on they had been refused."""
    for n in (5, 24):
        X, y = [[g] for g in (0, 1, 3) for _ in range(n)], [g for g in range(3) for _ in range(n)]
        assert refclass.FlexibleDiscriminantAnalysis().fit(X, y).predict(X) == y


def vector(D, values):
    """Return the numbers as they are over a field."""
    return Vector.of(map(D.lift, values))
