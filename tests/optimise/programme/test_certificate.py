"""Digits of a programme whose optimum is zero: beside the terms that it is the sum of."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from refclass.estimators.solve_qp import programme
from refclass.optimise.programme.certificate import certify
from refclass.oracle import kernel_qp

SQUARE = {
    "P": [[0, 0, 2], [0, 1, -2], [1, 0, -2], [1, 1, 2]],
    "q": [0, 0],
    "A": [[0, 0, 1], [0, 1, 1]],
    "l": [2],
    "u": [3],
}
LINE = {"P": [], "q": [1, -1], "A": [[0, 0, 1], [0, 1, -1], [1, 0, 1], [1, 1, 1]], "l": [0, 1], "u": [None, 3]}


def read(given):
    """Return a programme as the solver has it."""
    return programme(
        *[[tuple(own) for own in given[name]] if name in "PA" else given[name] for name in ("P", "q", "A", "l", "u")]
    )


def judged(given, x, y):
    """Return the digits of the certificate, which are those of the kernel of trust."""
    x, y = [[Fraction(v) for v in own] for own in (x, y)]
    found = certify(read(given), x, y).digits
    lacking, _, _ = kernel_qp.errors(kernel_qp.Programme(given), x, y)
    assert min([kernel_qp.digits(error, scale) for error, scale, _ in lacking]) == pytest.approx(found, abs=0.011)
    return found


@pytest.mark.parametrize(
    ("given", "x", "y"),
    [
        (LINE, [1 + 1e-12, 1], [-1, 0]),
        (LINE, [1 - 1e-12, 1], [-1 - 1e-13, 0]),
        (LINE, [1 + 3e-12, 1 + 1e-12], [-1 + 1e-12, 0]),
    ],
)
def test_an_optimum_of_zero_has_the_digits_of_its_terms(given, x, y):
    """x₀ − x₁, zero by cancelling: an answer 1e-12 off its terms of size one has about 12 digits."""
    assert 11 < judged(given, x, y) < 14


def test_terms_of_a_curvature_that_cancels_count_where_the_optimum_is_known():
    """(x₀ − x₁)² is zero by cancelling: 1e-12 off has 12 digits and more of its terms, where zero is a lower bound.

    Without a bound they do not count: such terms are as large at a point far away, however wrong.
    """
    near = [Fraction(1 + 1e-12), Fraction(1)]
    for x, y in ((near, [Fraction(0)]), (near, [Fraction(1e-14)]), ([Fraction(1 - 1e-12)] * 2, [Fraction(1e-14)])):
        assert judged(SQUARE, x, y) < 3
        known = certify(read(SQUARE), x, y, bound=Fraction(0), certain=True)
        assert known.digits > 11 and known.dual == 0
        assert certify(read(SQUARE), x, y, bound=Fraction(-1), certain=True).digits < 1


def test_an_error_of_the_size_of_the_terms_has_no_digits():
    """Where answer and terms are equally far from zero nothing is proven: min x over x ≥ 0 knows no unit."""
    for size in (1, 1e-12):
        assert judged({"P": [], "q": [1], "A": [[0, 0, 1]], "l": [0], "u": [None]}, [size], [-1]) == 0
    assert judged({"P": [], "q": [1], "A": [[0, 0, 1]], "l": [0], "u": [None]}, [0], [-1]) == math.inf


def test_an_optimum_other_than_zero_is_judged_beside_itself():
    """1 + 1e-6 where 1 is optimal has six digits, also where terms of 10⁶ cancel to it."""
    given = {"P": [], "q": [1, -1], "A": [[0, 0, 1], [0, 1, -1], [1, 1, 1]], "l": [1, 0], "u": [None, 10**6]}
    assert 5.9 < judged(given, [10**6 + 1 + 1e-6, 10**6], [-1, 0]) < 6.1
