"""Entries of thousands of digits: an end, in words or in digits."""

from fractions import Fraction

import pytest

from refclass import HuberRegression
from tests.hunt.examine import limited

HUGE = Fraction(10) ** 5000


@pytest.mark.slow
@pytest.mark.parametrize("c", [1, "1/1000"])
def test_huber_of_few_decimals_ends_on_entries_of_thousands_of_digits(c):
    """Rows of 10⁵⁰⁰⁰ in twenty decimals: 130,000 bits are not halved to find an intercept; what is wrong says so."""
    with limited(10):
        fit = HuberRegression(arithmetic="decimal:20", c=c).fit([[HUGE], [-HUGE], [HUGE / 3], [1]], [1, 2, 3, 4])
    assert fit.certificate_.status == "not converged"
