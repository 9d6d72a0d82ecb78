"""Exact moments of the classes, however far the data lie from zero, against the formulas in fractions."""

from fractions import Fraction
from random import Random

import pytest

from refclass.errors import InvalidInput, NoAnswer
from refclass.number.binary64 import BINARY64
from refclass.sample import covariance, data, scatter
from refclass.sample.mean import class_means, mixture, shares
from refclass.sample.moments import moments
from refclass.sample.observations import representable, units
from tests.discriminants.samples import exact

rng = Random(3)
LABELS = [0, 1, 2] * 5
ROWS = [[rng.gauss(k, 1), 10**6 + rng.gauss(0, 1e-3)] for k in LABELS]
WEIGHTS = [rng.choice([1, 2, 0.5]) for _ in ROWS]


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_moments_of_doubles_are_those_of_their_exact_values(weights):
    """Means, scatter, covariances and the scatter between the classes are those of fractions, with ==."""
    got = moments(data.read(BINARY64, ROWS, LABELS, weights))
    want = exact([[Fraction(v) for v in row] for row in ROWS], LABELS, weights)
    assert got.means == class_means(want) and got.shares == shares(want)
    assert got.within == scatter.within(want) and got.pooled("n-k") == covariance.pooled(want)
    assert got.of_class(1, "n-1") == covariance.of_class(want, 1) and got.pooled("n") == covariance.pooled(want, "n")
    assert got.between(got.shares) == covariance.between(want)
    assert got.centre == mixture(shares(want), class_means(want))


def test_too_few_observations_are_refused():
    """No pooled covariance with n = K, none of a class of one."""
    two = moments(exact([[0], [1]], [0, 1]))
    with pytest.raises(NoAnswer):
        two.pooled("n-k")
    with pytest.raises(NoAnswer):
        two.of_class(0, "n-1")


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e9, 1e12])
def test_rounded_moments_keep_the_digits_that_the_data_have(offset):
    """Far from zero the scatter in doubles is right to roundoff, and of a constant column it is zero."""
    sample = data.read(BINARY64, [[offset + x, offset + 0.1] for x, _ in ROWS], LABELS)
    want, got = moments(sample).within, scatter.within(sample)
    assert abs(Fraction(got[0][0]) - want[0][0]) < want[0][0] / 10**13
    assert got[0][1] == got[1][1] == 0


def test_units_are_powers_of_two_for_what_has_no_square():
    """Ordinary columns keep their unit; tiny and huge ones, denormals too, are brought near to one."""
    found = units([[1.0, -3.0], [1e-160, 0.0], [5e-324, 0.0], [-1e300, 1.0], [0.0, 0.0]])
    assert found[0] == found[4] == 1
    assert [1 <= abs(v / u) < 2 for v, u in zip((1e-160, 5e-324, -1e300), found[1:4])] == [True] * 3
    with pytest.raises(InvalidInput, match="column=0"):
        units([[float("inf")]])


@pytest.mark.parametrize("size", [1e-158, 5e-324, 1e158, 1.5e308])
def test_columns_without_squares_are_refused_by_number(size):
    """The column whose variances no double holds is named; constant ones are no fault of theirs."""
    sample = data.read(BINARY64, [[1.0, 7e-200, size * i] for i in (0, 1, 1, 0)], [0, 0, 1, 1])
    with pytest.raises(InvalidInput, match="column=2"):
        representable(sample, "test")
    representable(data.read(BINARY64, [[1.0, 7e-200, 1e-140 * i] for i in (0, 1, 1, 0)], [0, 0, 1, 1]), "test")


@pytest.mark.parametrize("weights", [None, [1.5, 0.25, 3.0, 1.0, 2.0, 0.5]])
@pytest.mark.parametrize("size", [1.0, 1e-150, 1e150, 5e-324])
def test_packed_products_are_those_of_pairs(size, weights):
    """Scatter of six columns, packed into one integer a row, is that of the rationals one by one, at all sizes."""
    rng = Random(3)
    X = [[rng.choice([-1, 1]) * rng.random() * size * 2.0 ** rng.randint(-9, 9) for _ in range(6)] for _ in range(6)]
    sample = data.read(BINARY64, X, [0, 0, 0, 1, 1, 1], weights)
    found = moments(sample)
    for k in range(2):
        rows = [i for i, g in enumerate(sample.labels) if g == k]
        w = [Fraction(sample.weights[i]) for i in rows]
        means = [sum(v * Fraction(X[i][j]) for v, i in zip(w, rows)) / sum(w) for j in range(6)]
        for a in range(6):
            for b in range(6):
                terms = [v * (Fraction(X[i][a]) - means[a]) * (Fraction(X[i][b]) - means[b]) for v, i in zip(w, rows)]
                assert found.scatters[k][a][b] == sum(terms)
