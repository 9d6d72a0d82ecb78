"""What `solve` answers of a discriminant, `verify` accepts: offsets of 10⁶ to 10¹², columns of 10⁻⁶ to 10⁶.

Points are measured from the mean of the data, in fractions and rounded once: predictions keep the digits that an offset
destroys. What doubles cannot hold, a mean beside its spread, has a ceiling that the verdict names.
"""

import json
import random

import pytest

from refclass.oracle import answer, judge, reading
from tests.laws.far import posed

DISCRIMINANTS = {
    "LDA": ("lda", {}, 3),
    "reduced rank": ("lda", {"n_components": 1}, 3),
    "QDA": ("qda", {}, 2),
    "regularised": ("rda", {"alpha": "1/2", "gamma": "1/2"}, 3),
    "Fisher": ("fisher", {}, 3),
    "logistic": ("logistic", {"penalty": 1}, 3),
    "logistic, two classes": ("logistic", {"penalty": "1/100"}, 2),
    "indicators": ("least_squares", {}, 3),
    "penalised": ("pda", {"penalty": 1}, 3),
    "penalised, two classes": ("pda", {"penalty": "1/1000"}, 2),
    "flexible": ("fda", {}, 3),
    "scores": ("scoring", {}, 3),
    "mixtures": ("mda", {"subclasses": 2}, 2),
    "one subclass each": ("mda", {"subclasses": 1}, 3),
}
PLACES = [(o, s) for o in (0.0, 1e6, -1e8, 1e9, 1e10, 1e12) for s in (1e-6, 0.01, 0.3, 1.0, 1e6) if s * 1e12 >= abs(o)]


def data(seed, offset, scale, classes, n=12):
    """Rows of two columns of a spread about an offset."""
    r, labels = random.Random(seed), [i % classes for i in range(n)]
    return [[offset + scale * r.gauss(1.2 * g, 1), offset + scale * r.gauss(-g, 1)] for g in labels], labels


def verdict(name, seed, offset, scale, n=12):
    """The problem, the answer of `solve`, and the verdict of `verify` on it."""
    method, parameters, classes = DISCRIMINANTS[name]
    x, y = data(seed, offset, scale, classes, n)
    asked = posed(method, parameters, x, y, query=x[:2])
    found = json.loads(json.dumps(answer.answer(asked)))
    return asked, found, judge.verify(asked, reading.read(json.dumps(found), "A.json"))


@pytest.mark.parametrize("place", range(len(DISCRIMINANTS)))
def test_an_answer_of_solve_about_a_discriminant_is_accepted(place):
    """Each discriminant at two of the places; its decision values have nine digits."""
    name = list(DISCRIMINANTS)[place]
    for k in (0, 14):
        offset, scale = PLACES[(2 * place + k) % len(PLACES)]
        found = verdict(name, 7, offset, scale)[2]
        assert found["accepted"], (offset, scale, found["reason"])
        digits = found["digits"]["decision"]
        assert digits == "all" or digits >= 9, (offset, scale, digits)


def test_a_verdict_names_the_ceiling_of_what_doubles_do_not_hold():
    """Means at 10¹² with a spread of one: a double beside them is a ten-thousandth away, and the verdict says so."""
    asked, found, said = verdict("LDA", 7, 1e12, 1.0)
    assert said["accepted"] and 4 <= said["ceiling"] <= 5 and "the ceiling is" in said["verdict"]
    means = [row[:] for row in found["fitted"]["means"]]
    means[0][0] += 0.01  # a hundred spacings of the doubles there
    wrong = {**found, "fitted": {**found["fitted"], "means": means}}
    wrong.pop("certificate")
    assert not judge.verify(asked, reading.read(json.dumps(wrong), "A.json"))["accepted"]


def test_predictions_computed_from_doubles_are_accepted_and_wrong_ones_refuted():
    """Scores of LDA from a query read as doubles at 10¹⁰, as any program computes them; and a score off by more."""
    asked, found, _ = verdict("LDA", 7, 1e10, 1.0)
    rows, constants = found["fitted"]["coef"], found["fitted"]["intercept"]
    query = [[float(v) for v in x] for x in asked.query]
    values = [[sum(a * b for a, b in zip(row, x)) + c for row, c in zip(rows, constants)] for x in query]
    for off, right in ((0, True), (1e-3, False)):
        moved = [[v + off * k for k, v in enumerate(own)] for own in values]
        given = {"fitted": {"classes": found["fitted"]["classes"]}, "predictions": {"decision": moved}}
        given["arithmetic"] = "float"
        assert judge.verify(asked, reading.read(json.dumps(given), "A.json"))["accepted"] is right


@pytest.mark.thorough
@pytest.mark.parametrize("name", DISCRIMINANTS)
def test_every_answer_of_solve_about_a_discriminant_is_accepted(name):
    """All places, two sizes."""
    for offset, scale in PLACES:
        for seed, n in ((1, 12), (2, 25)):
            found = verdict(name, seed, offset, scale, n)[2]
            assert found["accepted"], (offset, scale, seed, found["reason"])


@pytest.mark.parametrize("name", ["LDA", "QDA", "Fisher", "indicators", "scores", "flexible"])
def test_a_column_of_one_decimal_has_no_variance(name):
    """3.1 is no double: what rounding takes off it is no variance, and the problem is refused with its null vector."""
    method, parameters, classes = DISCRIMINANTS[name]
    x, y = data(3, 0.0, 1.0, classes, 9)
    asked = posed(method, parameters, [[row[0], 3.1] for row in x], y)
    found = json.loads(json.dumps(answer.answer(asked)))
    assert found["refusal"]["type"] == "NoAnswer"
    assert judge.verify(asked, reading.read(json.dumps(found), "A.json"))["accepted"]


@pytest.mark.parametrize("name", ["penalised", "logistic"])
def test_a_column_of_one_decimal_has_no_coefficient(name):
    """With a penalty there is an answer, whose certificate has its digits."""
    method, parameters, classes = DISCRIMINANTS[name]
    x, y = data(3, 0.0, 1.0, classes, 9)
    asked = posed(method, parameters, [[row[0], 3.1] for row in x], y)
    found = json.loads(json.dumps(answer.answer(asked)))
    assert found["certificate"]["digits"] > 12 and all(abs(row[1]) < 1e-15 for row in found["fitted"]["coef"])
