"""The oracle's own likelihood: the same rule whatever the units of the columns."""

import json
from fractions import Fraction

import pytest

from refclass.oracle import answer, judge, reading
from refclass.oracle.references import likelihood
from tests.laws.far import posed

X = [[1, 5], [2, 3], [4, 4], [6, 1], [7, 7], [3, 8]]
APART = [[0.25, -2.5], [3.5, 1.25], [0.5, -0.25], [-1.5, -1.75], [4.5, 1.5], [5.25, 2.75]]
LABELS = [list("aabbab"), list("abcabc")]


def found(units, y, penalty=Fraction(1, 3)):
    """The maximum for columns times their units, and the effects of its coefficients."""
    rows = [[str(v * u) for v, u in zip(x, units)] for x in X]
    best = likelihood.reference(posed("logistic", {"penalty": str(penalty)}, rows, y), {})
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


def scaled(rows):
    """The first coefficient 1 % larger."""
    return [[1.01 * rows[0][0], *rows[0][1:]], *rows[1:]]
