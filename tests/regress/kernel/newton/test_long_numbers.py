"""Entries of thousands of digits: an end, in words or in digits."""

from fractions import Fraction

import pytest

from refclass import HuberRegression
from refclass.errors import NotConverged
from tests.hunt.examine import limited

HUGE = Fraction(10) ** 5000


@pytest.mark.thorough
@pytest.mark.parametrize("c", [1, "1/1000"])
def test_huber_of_few_decimals_ends_on_entries_of_thousands_of_digits(c):
    """Rows of 10⁵⁰⁰⁰ in twenty decimals: 130,000 bits are not halved to find an intercept; what is wrong says so."""
    with limited(10), pytest.raises(NotConverged, match="an optimum that decimal:20 can hold") as refusal:
        HuberRegression(arithmetic="decimal:20", c=c).fit([[HUGE], [-HUGE], [HUGE / 3], [1]], [1, 2, 3, 4])
    assert 0 < refusal.value.witness["dual"] <= refusal.value.witness["primal"]
