"""LogisticRegression."""

import math
from random import Random

import pytest

from refclass import LogisticRegression
from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact
from refclass.estimators.protocol import more_digits
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from tests.discriminants.samples import PLANE

X, Y = PLANE
ROWS = [[0, 1], [1, 0], [2, 2], [3, 1], [4, 4], [1, 3], [2, 0], [5, 2], [3, 3], [2, 1]]
TWO = list("aabababbab")


def test_one_row_for_two_classes_and_a_row_for_each_of_more():
    """coef_, intercept_ and standard_errors_ have the shapes of the field  [YANG-logistic-regression]."""
    two, three = LogisticRegression().fit(ROWS, TWO), LogisticRegression().fit(X, Y)
    assert len(two.coef_) == len(two.intercept_) == 1 and len(two.standard_errors_) == 3
    assert len(three.coef_) == len(three.intercept_) == 3 and [len(r) for r in three.standard_errors_] == [3] * 3
    for x, f, p, label in zip(ROWS, two.decision_function(ROWS), two.predict_proba(ROWS), two.predict(ROWS)):
        assert abs(f - sum(a * v for a, v in zip(two.coef_[0], x)) - two.intercept_[0]) < 1e-12
        assert abs(p[1] - 1 / (1 + math.exp(-f))) < 1e-12 and label == ("b" if f > 0 else "a")


def test_the_log_likelihood_is_that_of_the_posteriors():
    """Σ log Pr(yᵢ | xᵢ), the penalty not counted."""
    for penalty in (0, 2):
        model = LogisticRegression(penalty=penalty).fit(X, Y)
        want = math.fsum(math.log(p[g]) for p, g in zip(model.predict_proba(X), Y))
        assert abs(model.log_likelihood_ - want) < 1e-12 * abs(want) and model.n_iter_ > 1


def test_decimals_agree_with_doubles():
    """Thirty digits, rounded, are the doubles' coefficients."""
    a, b = (LogisticRegression(arithmetic=name).fit(ROWS, TWO) for name in ("float", "decimal:30"))
    assert all(abs(u - float(v)) < 1e-12 for u, v in zip([*a.coef_[0], *a.intercept_], [*b.coef_[0], *b.intercept_]))
    assert abs(a.standard_errors_[1] - float(b.standard_errors_[1])) < 1e-12


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
def test_separable_classes_are_refused_with_a_witness(arithmetic):
    """The witness (β₀, β) puts every row on its side, by exact sums; the word says whether strictly  [LOGIT-SEP.P1]."""
    for rows, word in (([[0, 1], [1, 0], [5, 5], [6, 4]], "completely"), ([[0], [1], [1], [4]], "quasi-completely")):
        with pytest.raises(NoAnswer, match=f"got {word} separated") as refusal:
            LogisticRegression(arithmetic=arithmetic).fit(rows, [0, 0, 1, 1])
        theta = refusal.value.witness["direction"]
        assert isinstance(theta, Vector)
        values = [theta[0] + sum(a * v for a, v in zip(theta[1:], x)) for x in rows]
        margins = [-values[0], -values[1], values[2], values[3]]
        assert min(margins) >= 0 and max(margins) > 0 and (min(margins) > 0) == (word == "completely")
    with pytest.raises(NoAnswer) as refusal:
        LogisticRegression(arithmetic=arithmetic).fit([[0], [1], [5], [6], [10], [11]], [0, 0, 1, 1, 2, 2])
    assert isinstance(refusal.value.witness["direction"], Matrix)


def test_a_penalty_has_an_answer_for_all():
    """Separable classes have a penalised maximum, the larger the penalty the shorter the coefficients."""
    rows, labels = [[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]
    slopes = [LogisticRegression(penalty=v).fit(rows, labels).coef_[0][0] for v in (0.01, 1, 100)]
    assert slopes == sorted(slopes, reverse=True) and slopes[-1] > 0
    assert LogisticRegression(penalty=1).fit(rows, labels).predict(rows) == labels


def test_weights_count_rows_twice():
    """A row of weight zero is not there; a weight of two is a row twice."""
    a = LogisticRegression().fit([*ROWS, [9, 9]], [*TWO, "a"], sample_weight=[1] * 9 + [2, 0])
    b = LogisticRegression().fit([*ROWS, ROWS[9]], [*TWO, TWO[9]])
    assert all(abs(u - v) < 1e-10 for u, v in zip(a.coef_[0], b.coef_[0]))
    assert all(abs(u - v) < 1e-10 for u, v in zip(a.standard_errors_, b.standard_errors_))


def test_exact_arithmetic_says_what_it_does_not_have():
    """Overlapping classes have no rational likelihood."""
    with pytest.raises(NotExact):
        LogisticRegression(arithmetic="exact").fit(ROWS, TWO)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"penalty": -1}, InvalidInput),
        ({"max_iter": 0}, InvalidInput),
        ({"max_iter": 1.5}, InvalidInput),
        ({"max_iter": 1}, NotConverged),
    ],
)
def test_bad_budgets_and_penalties_are_refused(options, error):
    """Penalties are ≥ 0, budgets whole numbers ≥ 1, and one too small is reported."""
    with pytest.raises(error):
        LogisticRegression(**options).fit(ROWS, TWO)


def test_the_certificate_says_how_far_the_score_equations_fail():
    """certificate_ holds the log-likelihood to many digits and the worst failure, as rational numbers."""
    found = LogisticRegression().fit(ROWS, TWO).certificate_
    assert found.digits > 13 and 0 <= found.worst_violation < 1e-13
    assert abs(float(found.primal) - LogisticRegression().fit(ROWS, TWO).log_likelihood_) < 1e-12


PENALISED = [
    (1e-12, [[9997.9, 10001.25], [9998.75, 10000.6]], [1, 0]),
    (1e-9, [[0.0, 0.0, 0.0], [0.0, 0.0, 2.0]], [1, 0]),
    (1e-15, [[i % 3, i * i % 3] for i in range(9)], [i * 7 % 4 for i in range(9)]),
]


@pytest.mark.parametrize("penalty, X, y", PENALISED)
def test_any_penalty_has_a_maximum_and_a_proof(penalty, X, y):
    """What doubles call singular or not convex is computed in decimals; dependent columns are no obstacle."""
    model = LogisticRegression(penalty=penalty).fit(X, y)
    assert model.certificate_.digits >= 6
    exact = LogisticRegression(penalty=penalty, arithmetic="decimal:50").fit(X, y)
    assert model.log_likelihood_ == pytest.approx(float(exact.log_likelihood_), rel=1e-9)


@pytest.mark.parametrize("penalty, scale", [(1e33, 1e-6), (1e60, 1), (1e200, 1e-3), (1e290, 1e6)])
def test_a_huge_penalty_leaves_log_shares_and_coefficients_to_their_own_digits(penalty, scale):
    """Three classes of equal size: λβ is what the score equations say, though doubles see the constants' roundoff."""
    rows = [[scale * a, scale * b] for a, b in ([0, 1], [1, 3], [2, 2], [5, 1], [4, 4], [1, 0])]
    model = LogisticRegression(penalty=penalty).fit(rows, list("abcabc"))
    assert model.certificate_.digits > 14
    assert max(map(abs, model.intercept_)) < 1e-15  # log shares, which are equal
    middle = sum(x[0] for x in rows) / 6
    want = sum((x[0] - middle) * (1 - 1 / 3 if y == "a" else -1 / 3) for x, y in zip(rows, "abcabc")) / penalty
    assert abs(model.coef_[0][0] - want) < 1e-12 * abs(want)


def test_posteriors_near_one_keep_the_digits_of_what_they_lack():
    """Columns of 10⁶: nearly separable classes; the score equations and the standard errors hold to roundoff."""
    rows = [[1e6 * a, 1e6 * b] for a, b in ROWS]
    model = LogisticRegression(penalty=1).fit(rows, TWO)
    assert model.certificate_.digits > 12
    model = LogisticRegression(penalty=1).fit([[1e6 * a, 1e6 * b] for a, b in X], Y)
    assert model.certificate_.digits > 12


@pytest.mark.parametrize("offset, classes", [(1e9, 2), (1e12, 2), (1e9, 3), (1e12, 3)])
def test_far_from_zero_the_digits_are_those_of_the_ceiling_that_is_named_or_more(offset, classes):
    """Half as many columns as points: a double leaves the constant as many digits less as the offset has places; the
    coefficients move by some last places so that it is nearly a double  [YANG-logistic-regression].
    """
    draw = Random(classes)
    rows = [[offset + draw.gauss(0, 1) for _ in range(4)] for _ in range(8)]
    proof = LogisticRegression(penalty=0.001).fit(rows, [i % classes for i in range(8)]).certificate_
    assert proof.digits >= 9 or proof.digits >= proof.ceiling
    assert proof.digits >= 9 or f"the ceiling is {math.floor(10 * proof.ceiling) / 10}" in str(proof)


def test_the_coefficient_of_a_constant_column_stays_zero_far_from_zero():
    """A column of ones: no last place is added to a coefficient that is exactly zero  [YANG-logistic-regression]."""
    model = LogisticRegression(penalty=1000).fit([[1.0, -1.03], [1.0, 0.47], [1.0, 0.81]], [0, 1, 2])
    assert all(row[0] == 0 for row in model.coef_) and model.certificate_.status == "within roundoff"


@pytest.mark.parametrize(
    "power", [10, 30, pytest.param(42, marks=pytest.mark.slow), pytest.param(100, marks=pytest.mark.long)]
)
def test_one_value_far_from_the_others_is_answered(power):
    """Newton's method moves the score of that row by about one a step, or by as much as the likelihood allows.

    Its margin is m = log 10ᵖ, about, and its posterior exp(−m) moves by a share of mε where the coefficient is rounded.
    """
    rng = Random(3)
    rows = [[rng.gauss(0, 1), rng.gauss(0, 1)] for _ in range(12)]
    rows[0] = [10**power, 1]
    held = -math.log10(power * math.log(10) * math.ulp(1.0))
    assert LogisticRegression().fit(rows, [0, 1] * 6).certificate_.digits > held


@pytest.mark.slow
@pytest.mark.parametrize("far", [1e12, 1e15, 1e21])
def test_one_value_far_from_all_others_leaves_these_their_digits(far):
    """Score equations that hold to all digits of one row say nothing of the others: the posteriors are those of
    decimals, where doubles gave every other row the shares of the classes  [YANG-logistic-regression].
    """
    rows = [[1e9 + v / 8] for v in (-10, 3, 0, -5, 3, 14, -2, -2, 8, -2, 12, 12, 11, 23, 15)]
    rows[2][0] += far
    labels = [k % 3 for k in range(15)]
    got = LogisticRegression().fit(rows, labels).predict_proba(rows)
    want = LogisticRegression(arithmetic="decimal:60").fit(rows, labels).predict_proba(rows)
    assert want[0][0] > 0.8
    for one, other in zip(got, want):
        assert [float(v) for v in other] == pytest.approx(one, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "far", [1e15, pytest.param(1e12, marks=pytest.mark.slow), pytest.param(1e21, marks=pytest.mark.slow)]
)
def test_doubles_prove_no_digits_of_posteriors_that_one_value_far_away_hides(far, seed, monkeypatch):
    """Where decimals take too long, doubles are refused, or proven to the digits that their posteriors have."""
    rng = Random(seed)
    rows, labels = [[1000 + rng.gauss(0, 1)] for _ in range(12)], [k % 2 for k in range(12)]
    rows[seed][0] += far
    want = LogisticRegression(penalty="1/100", arithmetic="decimal:60").fit(rows, labels).predict_proba(rows)
    monkeypatch.setattr(more_digits, "MOST", 0)
    try:
        model = LogisticRegression(penalty="1/100").fit(rows, labels)
    except NotConverged:
        return
    worst = max(abs(float(v) - u) for one, other in zip(model.predict_proba(rows), want) for u, v in zip(one, other))
    assert worst < 10 ** (1 - model.certificate_.digits)
