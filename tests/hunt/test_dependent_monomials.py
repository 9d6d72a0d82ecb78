"""Polynomials of columns that depend on each other but for their last digits: own answers are verified.

Of monomials that doubles cannot tell apart others than the first independent ones were taken, and predictions followed
from coefficients of 10¹⁵ that hold few digits of them. Far from the origin the terms of a coefficient cancel.
"""

import random
from fractions import Fraction
from math import log10, prod

import pytest

from refclass import PolynomialRegression
from refclass.errors import NotConverged
from tests.hunt.own_and_changed import own, verdict


def table(seed):
    """Return a problem of a polynomial of degree two or three, and a point of the table among the queries."""
    r = random.Random(seed)
    n, p, noise = r.choice([6, 9]), r.choice([2, 3]), 10.0 ** r.choice([-4, -6, -7])
    x = [[r.gauss(0, 1) for _ in range(p - 1)] for _ in range(n)]
    x = [[*row, sum(row) + noise * r.gauss(0, 1)] for row in x]
    y = [round(r.gauss(0, 1), 3) for _ in x]
    query = [x[0], [v * 1.5 for v in x[-1]]]
    return {"method": "polynomial", "parameters": {"degree": r.choice([2, 3])}, "x": x, "y": y, "query": query}


@pytest.mark.parametrize("seeds", [(0, 1, 2, 71, 87), pytest.param(range(290), marks=pytest.mark.thorough)])
def test_predictions_are_those_of_the_exact_polynomial(seeds):
    """Where there are as many monomials as rows, the predictions at the rows are the responses."""
    for seed in seeds:
        given = table(seed)
        asked, said = own({**given, "arithmetic": "float"})
        assert verdict(asked, said)["accepted"], (seed, verdict(asked, said)["verdict"])
        try:
            model = PolynomialRegression(**given["parameters"]).fit(given["x"], given["y"])
        except NotConverged:
            assert held(given) < 2, seed  # refused below one; about means that differ by roundoff another may remain
            continue
        if model.degrees_of_freedom_ == len(given["x"]):
            assert model.predict(given["x"]) == pytest.approx(given["y"], abs=1e-8 * max(map(abs, given["y"]))), seed


def held(given):
    """Return how many digits the exact polynomial about the means has whose coefficients are rounded to doubles."""
    middle = [sum(column) / len(column) for column in zip(*given["x"])]
    x = [[Fraction(v) - Fraction(m) for v, m in zip(row, middle)] for row in given["x"]]
    y = [Fraction(str(v)) for v in given["y"]]
    exact = PolynomialRegression(arithmetic="exact", **given["parameters"]).fit(x, y)
    powers = [[prod(v**e for v, e in zip(row, own)) for own in exact.exponents_] for row in x]
    values = [sum(Fraction(float(c)) * h for c, h in zip(exact.coefficients_, own)) for own in powers]
    mean = sum(y) / len(y)
    return -log10(sum((v - f) ** 2 for v, f in zip(y, values)) / sum((v - mean) ** 2 for v in y))


def far(seed):
    """Return a problem of a polynomial of degree two: columns far from the origin, or nearly the same, or both."""
    r = random.Random(seed)
    n, offset, noise = r.choice([6, 7, 9]), r.choice([0.0, 1.0, 1e3, 1e7]), 10.0 ** r.uniform(-11, -2)
    ways = [offset + r.gauss(0, 1) * max(offset / 3, 1) for _ in range(n)]
    x = [[v, v + max(offset, 1) * noise * r.gauss(0, 1)] for v in ways]
    y = [r.gauss(0, 1) * max(offset, 1) for _ in x]
    given = {
        "method": "polynomial",
        "parameters": {"degree": 2},
        "x": x,
        "y": y,
        "query": [x[0], [1.5 * v for v in x[1]]],
    }
    return {**given, "arithmetic": r.choice(["float", "float", "decimal:20"])}


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(300), marks=pytest.mark.thorough)])
def test_coefficients_about_the_origin_have_their_digits(seeds):
    """Or a fit is refused where numbers hold no digit of it; a coefficient a thousandth off is refuted."""
    for seed in seeds:
        asked, said = own(far(seed))
        assert verdict(asked, said)["accepted"], (seed, verdict(asked, said)["verdict"])
        if "refusal" not in said:
            told = [Fraction(v) for v in said["fitted"]["coefficients"]]
            place = max(range(len(told)), key=lambda k: abs(told[k]))
            told[place] *= Fraction(1001, 1000)
            other = {**said, "fitted": {**said["fitted"], "coefficients": list(map(float, told))}}
            assert not verdict(asked, other)["accepted"], seed
