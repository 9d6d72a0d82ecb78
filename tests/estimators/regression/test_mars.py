"""MARS, as the user meets it."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from refclass import MARS
from refclass.errors import InvalidInput, NotConverged
from refclass.estimators.regression import mars
from tests.profiles import examples

POINTS = [list(p) for p in product(range(6), repeat=2)]
Y = [max(0, a - 2) + 3 * max(0, 4 - b) * max(0, a - 1) for a, b in POINTS]


def value(terms, coefficients, x):
    """Return Σ β Π (sign (x − knot))₊ from the public attributes alone."""
    total = 0
    for term, beta in zip(terms, coefficients):
        piece = beta
        for j, sign, knot in term:
            piece *= max(0, sign * (x[j] - knot))
        total += piece
    return total


def test_terms_and_coefficients_are_the_model():
    """Predictions follow from terms_ and coefficients_ alone; the constant is the empty term and comes first."""
    model = MARS(degree=2, threshold=0, arithmetic="exact").fit(POINTS, Y)
    assert model.terms_[0] == [] and model.rss_ == 0
    for x in [*POINTS, [9, -3]]:
        assert model.predict([x]) == [value(model.terms_, model.coefficients_, x)]
    assert model.degrees_of_freedom_ == len(model.terms_) <= len(model.forward_terms_)


def test_several_responses_share_their_terms():
    """For rows of responses coefficients_ has a row for each term."""
    model = MARS(degree=2, arithmetic="exact", threshold=0).fit(POINTS, [[v, 2 * v - 1] for v in Y])
    assert [len(row) for row in model.coefficients_] == [2] * len(model.terms_)
    assert all(b[1] == 2 * b[0] for b in model.coefficients_[1:])


def test_defaults_depend_on_the_degree_and_the_variables():
    """penalty None is 2 for degree 1, else 3; max_terms None is max(21, 2p + 1)."""
    rows = [[(k * j) % 29 for j in range(1, 13)] for k in range(29)]
    y = [(k * k) % 17 for k in range(29)]
    for degree, penalty in ((1, 2), (2, 3)):
        plain = MARS(degree=degree).fit(rows, y)
        reported = MARS(degree=degree, penalty=penalty, max_terms=25).fit(rows, y)
        assert (plain.terms_, plain.gcv_) == (reported.terms_, reported.gcv_)


def test_signs_of_responses_classify():
    """On ±1 responses the sign of the fit is a classifier  [CMP-MARS]."""
    labels = [1 if abs(a - 2) + abs(b - 3) < 2 else -1 for a, b in POINTS]
    model = MARS(degree=2).fit(POINTS, labels)
    assert sum((f > 0) != (t > 0) for f, t in zip(model.fitted_values_, labels)) <= 2


def test_the_steps_can_be_followed():
    """steps(X, y) yields the states that fit goes through, forward and then backward."""
    states = list(MARS(degree=2).steps(POINTS, Y))
    model = MARS(degree=2).fit(POINTS, Y)
    phases = [s.phase for s in states]
    assert phases == sorted(phases, reverse=True) and set(phases) == {"forward", "backward"}
    assert model.gcv_ is not None and min(s.gcv for s in states if s.gcv is not None) <= model.gcv_ * (1 + 1e-9)


def test_wider_spans_leave_fewer_knots():
    """With min_span and end_span knots keep their distance; 0 requires Friedman's formula."""
    rows, y = [[Fraction(k)] for k in range(20)], [(k * k) % 7 for k in range(20)]
    model = MARS(min_span=4, end_span=3, threshold=0, arithmetic="exact").fit(rows, y)
    knots = sorted({int(t) for term in model.forward_terms_ for _, _, t in term})
    assert knots and all(k in (2, 6, 10, 14) for k in knots)
    automatic = MARS(min_span=0, end_span=0, threshold=0).fit(rows, y)
    assert all(7 <= t <= 12 for term in automatic.forward_terms_ for _, _, t in term)


def test_parameters_out_of_range_are_refused():
    """degree, max_terms and spans are integers, penalty and threshold numbers ≥ 0."""
    for option in (
        {"degree": 0},
        {"degree": "2"},
        {"max_terms": 0},
        {"penalty": -1},
        {"penalty": float("nan")},
        {"threshold": -0.1},
        {"min_span": -1},
        {"end_span": 0.5},
    ):
        with pytest.raises(InvalidInput):
            MARS(**option).fit(POINTS, Y)


def test_columns_far_away_given_in_more_digits_than_doubles_have():
    """Hinges near 10⁸ as read are off by 10⁻⁸: fitted values, RSS and GCV are those of the columns as given."""
    rows = [[10**8 + Fraction(k * k % 23, 9)] for k in range(23)]
    model = MARS(max_terms=5).fit(rows, [abs(k * k % 23 - 11) + k % 3 for k in range(23)])
    assert model.certificate_.digits >= 9


def test_coefficients_that_doubles_do_not_hold_are_refused_with_bounds():
    """Values of 10²⁰ beside others of one are searched in decimals; rounded, the model has no digit of its sum."""
    r = Random(3)
    X = [[r.gauss(0, 1), r.gauss(0, 1)] for _ in range(14)]
    y = [x[1] + 0.3 * r.gauss(0, 1) for x in X]
    X[0], X[5], y[3] = [1e20, 1.0], [-1e17, 2.0], 1e20
    with pytest.raises(NotConverged) as caught:
        MARS().fit(X, y)
    assert 0 <= caught.value.witness["dual"] < caught.value.witness["primal"]


def test_one_response_far_from_all_others_is_proven_or_refused():
    """Coefficients of 10²⁰ leave the residuals of the others no digit: the sum had been far above the least one."""
    answered = 0
    for seed in range(examples(20)):
        r = Random(seed)
        n, p = r.choice([6, 10, 16]), r.choice([1, 2])
        X = [[r.gauss(0, 1) for _ in range(p)] for _ in range(n)]
        y = [x[0] + r.gauss(0, 1) for x in X]
        y[1] *= 10.0 ** r.choice([6, 12, 20, 60, 100])
        try:
            found = MARS().fit(X, y).certificate_
        except NotConverged as refusal:
            assert "primal" in refusal.witness
            continue
        answered += 1
        assert found.digits >= 1 and found.status != "not converged"
    assert answered


def pairs(seed, width):
    """Rows that come in pairs, a width apart, and responses."""
    r = Random(seed)
    rows = [[r.gauss(0, 1), r.gauss(0, 1)] for _ in range(7)]
    twice = [[v * (1 + width * r.randrange(9)) for v in rows[i // 2]] for i in range(14)]
    return twice, [i % 4 - 1 + r.gauss(0, 0.3) for i in range(14)]


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_knots_that_rounded_numbers_do_not_tell_apart_are_searched_in_decimals(arithmetic):
    """Every arithmetic takes the terms of fractions, hinges beside one of a knot 10⁻¹³ away among them  [CMP-MARS]."""
    for seed in range(examples(3)):
        X, y = pairs(seed, 1e-13)
        want = MARS(arithmetic="exact", max_terms=9).fit([[Fraction(v) for v in x] for x in X], y).forward_terms_
        found = MARS(arithmetic=arithmetic, max_terms=9).fit(X, y).forward_terms_
        assert [[(j, s, float(t)) for j, s, t in term] for term in want] == [
            [(j, s, float(t)) for j, s, t in term] for term in found
        ]


def test_a_search_too_long_for_decimals_says_that_knots_are_not_told_apart(monkeypatch):
    """The premise of the certificate names the arithmetic; of knots that doubles tell apart it does not."""
    monkeypatch.setattr(mars, "FEW", 10)
    assert "float does not tell" in MARS(max_terms=3).fit(*pairs(1, 1e-13)).certificate_.premise
    assert "float" not in MARS(max_terms=3).fit(*pairs(1, 0.1)).certificate_.premise
