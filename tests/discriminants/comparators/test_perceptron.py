"""The single-layer perceptron."""

import math
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given

from refclass.discriminants.comparators import perceptron
from refclass.discriminants.gaussian import least_squares
from refclass.errors import NotConverged
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.sample import data
from tests.discriminants.samples import PLANE, exact, few, over, regular
from tests.numbers import STRICT

FLAT = exact(*PLANE)


@few
@given(regular(classes=3, p=2))
def test_trained_to_its_end_it_is_indicator_regression(sample):
    """After at most p + 1 steps the coefficients are those of least squares on the indicators, exactly
    [CMP-SLP] [ESL-4.3-masking].
    """
    states = list(perceptron.steps(RATIONAL, perceptron.problem(sample)))
    assert len(states) <= 4 and not any(map(any, states[-1].gradient))
    got, want = perceptron.fit(RATIONAL, sample).regression, least_squares.indicated(RATIONAL, sample).regression
    assert (got.intercepts, got.coefficients) == (want.intercepts, want.coefficients)


@pytest.mark.parametrize("F", [RATIONAL, BINARY64, decimal(30)])
def test_every_step_lowers_the_error(F):
    """Gradient and value are those of the coefficients, and values fall."""
    asked = perceptron.problem(over(F, FLAT))
    states = list(perceptron.steps(F, asked))
    for state in states:
        state.check(F)
    values = [state.objective for state in states]
    assert values == sorted(values, reverse=True) and values[-1] < values[0]


def test_units_of_variables_do_not_slow_the_training():
    """Variables with units a million apart and far from the origin are brought near to each other by powers of two,
    without an error.
    """
    near = over(BINARY64, FLAT)
    far = data.read(BINARY64, [[1e6 * a + 1e7, b / 1e6] for a, b in near.X], near.labels)
    want = perceptron.fit(BINARY64, near).classify(near.X)
    assert perceptron.fit(BINARY64, far).classify(far.X) == want
    units = perceptron.problem(far).units
    assert all(u == 2.0 ** round(math.log2(u)) for u in units)


def test_outputs_sum_to_one_at_the_end():
    """As those of any regression on indicators with a constant."""
    model = perceptron.fit(RATIONAL, FLAT)
    assert all(model.scores(x).sum() == 1 for x in FLAT.X)


def test_weights_count_as_copies():
    """An integer weight is so many copies, exactly."""
    w = [1 + i % 2 for i in range(19)]
    weighted = data.read(RATIONAL, FLAT.X, FLAT.labels, w)
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    repeated = exact([FLAT.X[i] for i in copies], [FLAT.labels[i] for i in copies])
    assert perceptron.fit(RATIONAL, weighted).regression == perceptron.fit(RATIONAL, repeated).regression


def test_the_scatter_of_weighted_points_is_symmetric():
    """Roundoff differs with the order of factors; the matrix is that of one half."""
    r = Random(3)
    X = [[r.gauss(0, 3) for _ in range(3)] for _ in range(15)]
    sample = data.read(BINARY64, X, [k % 2 for k in range(15)], [r.random() for _ in range(15)])
    perceptron.problem(sample).scatter().symmetric()


def test_a_budget_that_runs_out_hands_over_the_coefficients():
    """NotConverged with the last coefficients; a tolerance ends the training before."""
    with pytest.raises(NotConverged) as refusal:
        perceptron.fit(RATIONAL, FLAT, max_iter=1)
    assert refusal.value.witness["state"].shape == (3, 3)
    early = perceptron.fit(RATIONAL, FLAT, tol=Fraction(1, 2))
    assert early.regression != perceptron.fit(RATIONAL, FLAT).regression


def test_no_float_slips_into_the_training():
    """The iteration runs on fractions that refuse floats."""
    model = perceptron.fit(STRICT, over(STRICT, FLAT))
    assert model.classify(over(STRICT, FLAT).X) == perceptron.fit(RATIONAL, FLAT).classify(FLAT.X)
