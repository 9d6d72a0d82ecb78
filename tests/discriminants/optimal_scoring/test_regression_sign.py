"""Two classes by the sign of a regression: BRUTO, MARS and others on −1 and +1."""

import random
from fractions import Fraction
from functools import partial

import pytest

from refclass.discriminants.gaussian import least_squares
from refclass.discriminants.optimal_scoring import regression_sign
from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.regress.bruto import bruto
from refclass.regress.linear import least_squares as lines
from refclass.regress.linear import polynomial
from refclass.regress.mars import mars
from refclass.sample import data
from tests.discriminants.samples import PLANE, exact, over, vector

TWO = exact(PLANE[0], [int(g == 1) for g in PLANE[1]])


def noisy(seed, n=80):
    """Return a sample whose classes depend on the first of three variables only, curvedly; the others are noise."""
    rng = random.Random(seed)
    rows = [[rng.uniform(-2, 2) for _ in range(3)] for _ in range(n)]
    return data.read(BINARY64, rows, [int(abs(x[0]) + rng.gauss(0, 0.3) > 1) for x in rows])


def test_on_straight_lines_it_is_least_squares_on_codes():
    """The sign of the linear regression of −1 and +1, exactly  [CMP-BRUTO] [ESL-T12.2]."""
    model = regression_sign.fit(RATIONAL, TWO, lines.fit)
    want = least_squares.coded(RATIONAL, TWO, vector(-1, 1))
    for x in [*TWO.X, vector(9, -2)]:
        assert model.value(x) == want.value(x) and model.decide(x) == want.decide(x)
    assert model.classify(TWO.X) == want.classify(TWO.X)


def test_bruto_leaves_noise_out_and_bends_what_matters():
    """The class depends on |x₁|: BRUTO smooths the first variable, and leaves the others out  [CMP-BRUTO]."""
    sample = noisy(2)
    model = regression_sign.fit(BINARY64, sample, bruto.fit)
    assert model.regression.types == ("smooth", "excluded", "excluded")
    wrong = sum(a != g for a, g in zip(model.classify(sample.X), sample.labels))
    straight = regression_sign.fit(BINARY64, sample, lines.fit)
    assert wrong < 16 < sum(a != g for a, g in zip(straight.classify(sample.X), sample.labels))


def test_mars_of_all_interactions_finds_a_product():
    """Classes by the sign of a product: MARS of degree 2 gets it, of degree 1 it does not  [CMP-MARS] [ESL-T12.2]."""
    rng = random.Random(5)
    rows = [[rng.uniform(-1, 1), rng.uniform(-1, 1)] for _ in range(120)]
    sample = data.read(BINARY64, rows, [int(a * b > 0) for a, b in rows])
    errors = []
    for degree in (1, 2):
        model = regression_sign.fit(BINARY64, sample, partial(mars.fit, degree=degree))
        errors.append(sum(a != g for a, g in zip(model.classify(sample.X), sample.labels)))
    assert errors[1] < 15 < errors[0]


def test_on_the_boundary_both_classes_tie():
    """f(x) = 0 exactly: a tie, the first class is said; scores differ by f."""
    sample = exact([[-2], [-1], [1], [2]], [0, 0, 1, 1])
    model = regression_sign.fit(RATIONAL, sample, lines.fit)
    assert model.decide(vector(0)).tie and model.predict(vector(0)) == 0 and model.classify([vector(0)]) == [0]
    a, b = model.scores(vector(1))
    assert b - a == model.value(vector(1)) == Fraction(3, 5)


def test_three_classes_are_refused():
    """One sign tells two classes apart."""
    with pytest.raises(InvalidInput):
        regression_sign.fit(RATIONAL, exact(*PLANE), lines.fit)


def test_responses_are_minus_one_and_one():
    """−1 for the first class in order, +1 for the second; weights go to the regression."""
    assert regression_sign.responses(exact([[0], [1], [2]], ["b", "a", "b"])) == Matrix(
        [[Fraction(v)] for v in (1, -1, 1)]
    )
    w = [1 + i % 2 for i in range(19)]
    weighted = data.read(RATIONAL, TWO.X, TWO.labels, w)
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    repeated = exact([TWO.X[i] for i in copies], [TWO.labels[i] for i in copies])
    quadratic = partial(polynomial.fit, degree=2)
    a, b = (regression_sign.fit(RATIONAL, s, quadratic) for s in (weighted, repeated))
    assert a.values(TWO.X) == b.values(TWO.X)
    assert over(BINARY64, TWO).X[0] == Vector([0.0, 0.0])
