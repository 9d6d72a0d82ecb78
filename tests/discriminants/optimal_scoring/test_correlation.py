"""Canonical correlation."""

import pytest

from refclass.discriminants.optimal_scoring import correlation
from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.tolerance import near
from refclass.sample import data
from tests.discriminants.samples import PLANE


def test_one_variable_against_one_is_the_correlation():
    """With one variable on each side ρ² is the squared correlation  [ESL-4.3.3-correlation]."""
    X, Y = Matrix([[1.0], [2.0], [3.0], [4.0]]), Matrix([[2.0], [1.0], [4.0], [5.0]])
    found = correlation.fit(BINARY64, X, Y)
    assert near(BINARY64, found.squares[0], 6.0**2 / (5 * 10), steps=10)


def test_a_linear_function_correlates_fully():
    """If Y is an invertible linear function of X, every ρ² is one."""
    F = decimal(30)
    X = data.matrix(F, PLANE[0])
    Y = Matrix([[x[0] + 2 * x[1], x[0] - x[1]] for x in X])
    assert all(near(F, v, F.kind(1), steps=100) for v in correlation.fit(F, X, Y).squares)


def test_correlations_do_not_change_with_units():
    """Regular linear maps of either side leave ρ² as it is."""
    F = decimal(30)
    sample = data.read(F, *PLANE)
    moved = data.read(F, [[3 * a + b, a - 5 * b] for a, b in PLANE[0]], [2 - g for g in PLANE[1]])
    a, b = (correlation.with_classes(F, s).squares for s in (sample, moved))
    assert all(near(F, u, v, F.kind(1), 100) for u, v in zip(a, b))


def test_dependent_variables_are_refused():
    """Linearly dependent variables on either side have a null vector as witness; rows must be as many."""
    X, Y = Matrix([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]), Matrix([[1.0], [5.0], [2.0]])
    for pair in ((X, Y), (Y, X)):
        with pytest.raises(NoAnswer):
            correlation.fit(BINARY64, *pair)
    with pytest.raises(InvalidInput):
        correlation.fit(BINARY64, X, Matrix([[1.0]]))


def test_combinations_have_unit_sums_of_squares():
    """Two variables against one: one correlation, aᵀSxx a = 1 about the mean, its square that of the best linear
    function of X  [ESL-4.3.3-correlation]."""
    X, Y = Matrix([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [2.0, 2.0]]), Matrix([[1.0], [2.0], [3.0], [6.0]])
    found = correlation.fit(BINARY64, X, Y)
    assert len(found.squares) == 1 and found.vectors.shape == (2, 1)
    assert near(BINARY64, found.squares[0], 1.0, steps=20)
    (a,) = found.vectors.T
    centred = [[x[0] - 2.0, x[1] - 0.5] for x in X]
    assert near(BINARY64, sum((a[0] * u + a[1] * v) ** 2 for u, v in centred), 1.0, steps=20)
    other = correlation.fit(BINARY64, Y, X)
    assert len(other.squares) == 1 and near(BINARY64, other.vectors[0][0] ** 2, 1 / 14, steps=20)


@pytest.mark.parametrize("X", [[[1.0]], [[1.0, 5.0], [2.0, 3.0]]])
def test_too_few_observations_are_refused(X):
    """One observation of one variable on either side has no sum of squares; two of two leave a combination without one
    [ESL-4.3.3-correlation]."""
    with pytest.raises(NoAnswer):
        correlation.fit(BINARY64, Matrix(X), Matrix(X))
