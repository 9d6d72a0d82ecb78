"""QuadraticDiscriminantAnalysis."""

import math
from fractions import Fraction
from random import Random

import pytest

from refclass import QuadraticDiscriminantAnalysis as QDA
from refclass.errors import InvalidInput, NoAnswer, NotExact
from tests.discriminants.samples import PLANE

X, Y = PLANE
TWO = [[0, 1], [1, 0], [2, 2], [3, 1], [4, 4], [1, 3], [2, 0], [5, 2]], list("aababbab")


@pytest.mark.parametrize("arithmetic", ["exact", "decimal:30"])
def test_labels_are_those_of_doubles(arithmetic):
    """Exact and decimal arithmetic predict what doubles do; exactly, although determinants and priors enter through
    logarithms  [ESL-4.12].
    """
    for options in ({}, {"priors": [0.5, 0.25, 0.25]}, {"costs": [[0, 1, 2], [3, 0, 1], [1, 1, 0]]}, {"divisor": "n"}):
        want = QDA(**options).fit(X, Y).predict(X)
        assert QDA(arithmetic=arithmetic, **options).fit(X, Y).predict(X) == want


def test_exact_attributes_are_fractions_but_for_logarithms():
    """Covariances and the condition are fractions; log-determinants are refused when asked for  [RC-21]."""
    model = QDA(arithmetic="exact").fit(X, Y)
    assert all(type(v) is Fraction for S in model.covariances_ for row in S for v in row)
    assert type(model.condition_) is Fraction and model.certificate_.status == "optimal"
    for refused in (
        lambda: model.log_determinants_,
        lambda: model.predict_proba(X),
        lambda: model.decision_function(X),
    ):
        with pytest.raises(NotExact):
            refused()


def test_log_determinants_are_those_of_the_covariances():
    """log |Σ̂ₖ| of 2 × 2 covariances, by hand."""
    model = QDA().fit(X, Y)
    for S, value in zip(model.covariances_, model.log_determinants_):
        assert abs(math.log(S[0][0] * S[1][1] - S[0][1] ** 2) - value) < 1e-12


def test_decision_values_are_log_posteriors():
    """The softmax of decision values is predict_proba; for two classes one number, positive for classes_[1]."""
    model = QDA().fit(X, Y)
    for scores, p, label in zip(model.decision_function(X), model.predict_proba(X), model.predict(X)):
        weights = [math.exp(v - max(scores)) for v in scores]
        assert all(abs(w / sum(weights) - v) < 1e-12 for w, v in zip(weights, p))
        assert label == model.classes_[p.index(max(p))]
    two = QDA(costs=[[0, 3], [1, 0]]).fit(*TWO)
    for f, label in zip(two.decision_function(TWO[0]), two.predict(TWO[0])):
        assert label == ("b" if f > 0 else "a")


def test_the_default_divisor_is_unbiased():
    """Σ̂ₖ has the divisor nₖ − 1; "n" has nₖ."""
    a, b = (QDA(divisor=d, arithmetic="exact").fit(X, Y) for d in ("n-1", "n"))
    assert all(6 * u == 7 * v for u, v in zip(a.covariances_[0][0], b.covariances_[0][0]))
    with pytest.raises(InvalidInput, match="divisor"):
        QDA(divisor="n-k").fit(X, Y)


def test_a_singular_class_is_named():
    """The refusal names the class and a null vector; pseudo_inverse=True goes on."""
    rows, labels = [[0, 0], [1, 1], [2, 2], [5, 1], [6, 3], [7, 0]], list("aaabbb")
    with pytest.raises(NoAnswer, match="label=a"):
        QDA().fit(rows, labels)
    assert QDA(pseudo_inverse=True).fit(rows, labels).predict(rows) == labels


def test_a_certificate_in_doubles_is_a_rational_number():
    """How far the equations fail is said exactly, and where."""
    found = QDA().fit([[v / 3 for v in x] for x in X], Y).certificate_
    assert found.status == "within roundoff" and type(found.worst_violation) is Fraction and found.where
    assert 0 < found.worst_violation < Fraction(1, 10**13)


def small_integers(seed):
    """Return points with small integers as coordinates, two classes in turn: many covariances are zero exactly."""
    r = Random(seed)
    n, p = r.choice([8, 10, 12]), r.choice([2, 3])
    return [[float(round(r.gauss(i % 2, 1))) for _ in range(p)] for i in range(n)], [i % 2 for i in range(n)]


@pytest.mark.parametrize("seeds", [[81, 141, 158], pytest.param(range(600), marks=pytest.mark.thorough)])
def test_columns_without_correlation_are_proven(seeds):
    """Roundoff of a covariance that is zero exactly is beside the two deviations, not all that there is of it."""
    for seed in seeds:
        try:
            model = QDA().fit(*small_integers(seed))
        except NoAnswer:
            continue
        assert model.certificate_.digits > 14, seed


@pytest.mark.parametrize("seed", range(6))
def test_posteriors_of_classes_far_from_zero_beside_one_that_is_spread_widely(seed):
    """Two classes vary by ten to a thousand roundings of their means, a third by as much as it is far: the posteriors
    are those of decimals, to twelve digits  [ESL-4.12].
    """
    r = Random(seed)
    offset = 10.0 ** r.choice([9, 12, 15, 17])
    unit = offset * 2.0**-52 * r.choice([16, 256])
    rows = [[offset + unit * round(4 * r.gauss(k % 3, 1)) for _ in range(1 + seed % 2)] for k in range(12)]
    rows[2] = [v * 10.0 ** r.choice([3, 9]) for v in rows[2]]
    labels, asked = [k % 3 for k in range(12)], [row for k, row in enumerate(rows) if k % 3 < 2]
    got = QDA().fit(rows, labels).predict_proba(asked)
    want = QDA(arithmetic="decimal:80").fit(rows, labels).predict_proba(asked)
    for one, other in zip(got, want):
        assert [float(v) for v in other] == pytest.approx(one, abs=1e-12)
