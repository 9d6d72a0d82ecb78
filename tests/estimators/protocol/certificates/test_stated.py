"""Numbers that stand beside a proof: objectives, coefficients, margins."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from refclass.certificate import Certificate, difference, status
from refclass.estimators.protocol.certificates import stated
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL

PROOF = Certificate("optimal", 10.0, 10.0, 0, 0, "", digits=12.0)


def test_an_objective_within_the_gap_is_right():
    """A gap that was judged allows as much for the objective; beyond it the difference takes digits."""
    loose = Certificate("optimal", 10, 9.999999999, 1e-9, 0, "", digits=10.0)
    assert stated.objectives(BINARY64, loose, 9.9999999995, 9.9999999995) is loose


@pytest.mark.parametrize("primal, dual, name", [(10.001, 10.0, "objective_"), (10.0, 10.01, "dual_objective_")])
def test_an_objective_that_is_off_takes_digits(primal, dual, name):
    """Off by 10⁻³ or 10⁻⁴ of itself, it has as many digits, and the certificate says so, by name."""
    found = stated.objectives(BINARY64, PROOF, primal, dual)
    assert found.digits < 4.1 and found.status == status(found.digits)
    assert found.where.startswith(f"{name} is ")


def test_an_exact_objective_is_equal():
    """In an exact field the last digit counts, where doubles need not have it."""
    assert stated.objectives(BINARY64, PROOF, 10 + 2**-49) is PROOF
    exact = replace(PROOF, digits=inf)
    assert stated.objectives(RATIONAL, exact, 10) is exact
    assert stated.objectives(RATIONAL, exact, 10 + 2**-40).status != "optimal"


def test_a_sum_of_products_misses_by_roundoff_only():
    """Of coefficients 0.1, 0.2, -0.3 the sum is zero up to roundoff of the terms; 10⁻¹² more is refused."""
    points, weights = [[0.1], [0.2], [0.3]], [[1.0, 1.0, -1.0]]
    value = 0.1 + 0.2 - 0.3
    assert stated.combinations(BINARY64, PROOF, "coef_", [[value]], points, weights) is PROOF
    found = stated.combinations(BINARY64, PROOF, "coef_", [[value + 1e-12]], points, weights)
    assert (found.status, found.digits) == ("not converged", 0) and found.where.startswith("coef_[0][0] is ")


def test_a_margin_is_the_inverse_of_a_root():
    """1/√2 to the last digit passes, to three digits it does not."""
    assert stated.reciprocal_root(BINARY64, PROOF, "margin_", 0.5**0.5, 2) is PROOF
    assert stated.reciprocal_root(BINARY64, PROOF, "margin_", 0.707, 2).digits < 4


def test_a_difference_is_named_by_its_place():
    """The first entry that differs, or the lengths, in words."""
    assert difference("a", [[1, 2], [3, 4]], [[1, 2], [3, 5]]) == "a[1][1] is 4, that of the model 5"
    assert difference("a", [1], [1, 2]) == "a has 1 entries, the model 2"
