"""Residuals in units of roundoff."""

from fractions import Fraction
from math import inf

import pytest

from refclass.linear import residual
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from tests.linear.matrices import FIELDS, drawn, integers, lifted

EPS = BINARY64.eps


def test_a_ratio_agrees_with_paper():
    """An error of 8 units in the last place of 4, over sums of 2 terms: 8 · 4 eps / (2 · eps · 4) = 4."""
    got, want = Matrix([[4.0 + 32 * EPS, 1.0]]), Matrix([[4.0, 1.0]])
    assert residual.equality(got, want, 2) == 4


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_a_true_claim_has_ratio_zero(F):
    """A claim that is exactly true has ratio 0 in any field."""
    A = lifted(F, drawn(3, 3))
    assert residual.equality(A, A, 3) == 0 and residual.orthonormality(Matrix.identity(3, F.kind)) == 0
    x = lifted(F, integers([1, 2, 4])[0])
    assert residual.solution(Matrix.identity(3, F.kind), x, x) == 0


def test_an_exact_claim_that_is_false_is_infinitely_false():
    """On fractions there is no tolerance."""
    A = integers([1, 2], [3, 4])
    assert residual.equality(A, A + Matrix.identity(2, Fraction) / 10**30, 2) == inf
    assert residual.orthonormality(A) == inf
    assert residual.solution(A, Vector([Fraction(1)] * 2), Vector([Fraction(1)] * 2)) == inf


def test_a_claim_about_zeros_forgives_nothing():
    """Where the wanted matrix is zero there is no size to measure an error by."""
    assert residual.equality(Matrix([[1e-300]]), Matrix([[0.0]]), 1) == inf


def test_a_wrong_solution_is_reported():
    """A solution off by 10⁻¹⁰ has a ratio far beyond 30, one off by roundoff a small one."""
    A, b = Matrix([[2.0, 1.0], [1.0, 3.0]]), Vector([3.0, 4.0])
    assert residual.solution(A, Vector([1.0, 1.0 + EPS]), b) <= 1
    assert residual.solution(A, Vector([1.0, 1.0 + 1e-10]), b) > 30


def test_turned_axes_that_are_not_orthonormal_are_reported():
    """Columns off by 10⁻¹⁰ from length one are no orthonormal columns."""
    assert residual.orthonormality(Matrix([[0.6, -0.8], [0.8, 0.6]])) <= 1
    assert residual.orthonormality(Matrix([[0.6, -0.8], [0.8, 0.6 + 1e-10]])) > 30
