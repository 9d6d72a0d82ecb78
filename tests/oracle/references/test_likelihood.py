"""The oracle's own likelihood: the same rule whatever the units of the columns."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from refclass.errors import NoAnswer
from refclass.oracle import answer, judge, reading
from refclass.oracle.references import likelihood, rows
from tests.laws.far import posed

X = [[1, 5], [2, 3], [4, 4], [6, 1], [7, 7], [3, 8]]
APART = [[0.25, -2.5], [3.5, 1.25], [0.5, -0.25], [-1.5, -1.75], [4.5, 1.5], [5.25, 2.75]]
LABELS = [list("aabbab"), list("abcabc")]


def found(units, y, penalty=Fraction(1, 3)):
    """The maximum for columns times their units, and the effects of its coefficients."""
    points = [[str(v * u) for v, u in zip(x, units)] for x in X]
    best = likelihood.reference(posed("logistic", {"penalty": str(penalty)}, points, y), {})
    return best, [[b * u for b, u in zip(row, units)] for row in best.coef_]


@pytest.mark.parametrize("y", LABELS)
@pytest.mark.parametrize("unit", [Fraction(10) ** 30, Fraction(1, 10**30)])
def test_units_change_nothing_but_coefficients(y, unit):
    """λ in units of the squares: coefficients, standard errors and the likelihood, to thirty digits."""
    near, effects = found((1, 1), y)
    far, same = found((unit, unit), y, penalty=unit * unit / 3)
    close = Fraction(1, 10**30)
    assert all(abs(a - b) < close for row, other in zip(effects, same) for a, b in zip(row, other))
    errors = [near.standard_errors_, far.standard_errors_]
    first, other = (own if isinstance(own[0], list) else [own] for own in errors)
    for row, scaled in zip(first, other):
        assert abs(row[0] - scaled[0]) < close
        assert all(abs(a - b * unit) < close for a, b in zip(row[1:], scaled[1:]))
    assert abs(near.log_likelihood_ - far.log_likelihood_) < close


@pytest.mark.parametrize("y, decades", [(list("abaabb"), 100), (list("abcabc"), 30)])
def test_classes_apart_in_large_units_are_judged(y, decades):
    """The loss that a penalty of one leaves is 10^−2·decades: it has its own digits, as the coefficients have."""
    given = posed("logistic", {"penalty": 1}, [[v * 10.0**decades for v in x] for x in APART], y)
    own = json.loads(json.dumps(answer.answer(given)))
    assert judge.verify(given, reading.read(json.dumps(own), "A.json"))["accepted"]
    value = own["fitted"]["log_likelihood"]
    assert -(10 ** -(1.8 * decades)) < value < 0
    for name, other in {"log_likelihood": 1.01 * value, "coef": scaled(own["fitted"]["coef"])}.items():
        wrong = {**own, "fitted": {**own["fitted"], name: other}}
        found = judge.verify(given, reading.read(json.dumps(wrong), "A.json"))
        assert not found["accepted"] and name in found["reason"]


def test_weights_far_apart_are_judged():
    """A point of weight 10¹⁰⁰ has all but 10⁻¹⁰⁰ of its posterior, and as much of the likelihood as the others."""
    X, y = [[0.3], [-0.1], [0.2], [0.5]], list("abab")
    given = posed("logistic", {"penalty": 1}, X, y)
    given = replace(given, weights=(1.0, 1.0, 1e100, 1e-100))
    own = json.loads(json.dumps(answer.answer(given)))
    assert judge.verify(given, reading.read(json.dumps(own), "A.json"))["accepted"]
    own["fitted"]["log_likelihood"] += 1
    found = judge.verify(given, reading.read(json.dumps(own), "A.json"))
    assert not found["accepted"] and "log_likelihood" in found["reason"]


def scaled(coef):
    """The first coefficient 1 % larger."""
    return [[1.01 * coef[0][0], *coef[0][1:]], *coef[1:]]


@pytest.mark.parametrize("short", [False, True])
def test_an_inverse_is_that_of_fractions(monkeypatch, short):
    """Its quadratic forms are those of the exact inverse to sixty digits, whatever the units; too short it is exact."""
    monkeypatch.setattr(rows, "BITS", 16 if short else rows.BITS)
    n = 5
    units = [Fraction(10) ** (40 * i) for i in range(n)]
    A = [[(Fraction(1, i + j + 1) + (i == j)) * units[i] * units[j] for j in range(n)] for i in range(n)]
    exact = rows.solve(A, [[Fraction(int(i == j)) for i in range(n)] for j in range(n)])
    near = rows.inverse(A)
    assert (near == exact) == short
    for v in ([1 / u for u in units], [(-1) ** i * u for i, u in enumerate(units)], [0, 0, 1, -1, 0]):
        a, b = (rows.dot(v, [rows.dot(row, v) for row in X]) for X in (near, exact))
        assert abs(a - b) * 10**rows.DIGITS <= b
    with pytest.raises(NoAnswer):
        rows.inverse([[Fraction(1), Fraction(1)], [Fraction(1), Fraction(1)]])
