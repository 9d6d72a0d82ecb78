"""The record of a proof."""

import dataclasses
import math
from fractions import Fraction as Q

import pytest

from refclass.certificate import Certificate, digits, equation_status, relative_digits, status


def test_a_certificate_cannot_be_changed():
    """A proof is data: its fields are set once."""
    proof = Certificate("optimal", 1, 1, 0, 0, "")
    with pytest.raises(dataclasses.FrozenInstanceError):
        proof.status = "feasible"


def test_nothing_is_claimed_unique_unless_it_is_said():
    """By default nothing is unique and nothing is presumed."""
    proof = Certificate("feasible", 1, 0, 1, 0, "")
    assert proof.unique == {} and proof.premise == ""


@pytest.mark.parametrize("power", [0, 1, 9, 16, 300, 1000])
def test_digits_are_a_lower_bound_that_powers_of_ten_attain(power):
    """An error of 10⁻ᵏ of the scale leaves k digits exactly; a little more leaves less."""
    assert digits(Q(1, 10**power), 1) == power
    assert digits(Q(10**6 + 1, 10 ** (power + 6)), 1) == max(0, power - 0.01)


def test_no_gap_is_infinitely_many_digits_and_a_gap_as_large_as_the_scale_none():
    """The two ends; a scale of 0 holds no error."""
    assert digits(0, 5) == math.inf and digits(5, 5) == digits(7, 5) == digits(1, 0) == 0


def test_a_gap_is_measured_against_the_larger_bound():
    """primal 1 and dual 1 − 10⁻¹⁰ prove ten digits whatever the constant; a missing bound proves nothing."""
    assert relative_digits(1, 1 - Q(1, 10**10), 10**6) == 10
    assert relative_digits(None, 0) is None and relative_digits(1, None) is None


def test_where_the_optimum_is_zero_the_scale_is_that_of_a_constant():
    """An optimum of 0 leaves no ratio; the objective of f = 0 gives the scale."""
    assert relative_digits(Q(1, 10**12), 0) == 0
    assert relative_digits(Q(1, 10**12), 0, 10) == 13
    assert relative_digits(Q(1, 10**12), -Q(1, 10**12), 10) == 0


def test_statuses_follow_from_the_digits():
    """One vocabulary: optimal, a number of digits, stationary, not converged, infeasible, within roundoff."""
    assert status(9) == "optimal" and status(8.99) == "8.9 digits" and status(0.99) == "not converged"
    assert status(6, asked=6) == "optimal" and status(9, convex=False) == "stationary"
    assert status(8, convex=False) == "not converged" and status(None) == "infeasible"
    assert equation_status(Q(30, 2**52), Q(1, 2**52)) == "within roundoff"
    assert equation_status(Q(31, 2**52), Q(1, 2**52)) == "14.1 digits" and equation_status(1, 0) == "not converged"


def test_a_ceiling_of_all_digits_is_left_out_of_the_line():
    """Rounding may lose nothing: the ceiling is infinite, and no number of digits."""
    assert "ceiling" not in str(Certificate("optimal", 2, 2, 0, 0, "", digits=math.inf, ceiling=math.inf))
