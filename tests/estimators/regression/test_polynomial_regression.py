"""Polynomial regression, as the user meets it."""

from fractions import Fraction

import pytest

from refclass import PolynomialRegression
from refclass.errors import InvalidInput


def test_coefficients_stand_in_the_order_of_the_exponents():
    """coefficients_[m] belongs to the monomial with the powers exponents_[m]; for several responses it is a row."""
    rows = [[a, b] for a in range(4) for b in range(3)]
    model = PolynomialRegression(degree=2, arithmetic="exact")
    model.fit(rows, [[1 + 2 * a * b, b * b] for a, b in rows])
    table = {tuple(a): row for a, row in zip(model.exponents_, model.coefficients_)}
    assert table == {
        (0, 0): [1, 0],
        (1, 0): [0, 0],
        (0, 1): [0, 0],
        (2, 0): [0, 0],
        (1, 1): [2, 0],
        (0, 2): [0, 1],
    }
    assert model.degrees_of_freedom_ == 6 and type(model.coefficients_[0][0]) is Fraction


def test_degrees_that_are_none_are_refused():
    """degree is an integer ≥ 0."""
    for degree in (-1, 1.0, "2", True, None):
        with pytest.raises(InvalidInput):
            PolynomialRegression(degree=degree).fit([[1], [2]], [1, 2])
