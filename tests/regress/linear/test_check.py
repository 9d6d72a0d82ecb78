"""The sample of a regression, checked."""

from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL as F
from refclass.regress.linear import check

X = Matrix([[Fraction(1)], [Fraction(2)]])


def test_no_weights_are_weights_of_one():
    """Without weights every row counts once."""
    assert check.weights(F, "module", X, X) == Vector([Fraction(1)] * 2)


def test_a_sample_that_does_not_fit_is_refused_in_the_name_of_its_room():
    """Rows that differ in number, negative weights, nothing but zero weights: refused by the module that asked."""
    cases = ((X, Matrix(X[:1]), None), (X, X, [1]), (X, X, [1, -1]), (X, X, [0, 0]))
    for rows, responses, weights in cases:
        w = None if weights is None else Vector(map(Fraction, weights))
        with pytest.raises(InvalidInput) as refusal:
            check.weights(F, "module", rows, responses, w)
        assert refusal.value.module == "module"
