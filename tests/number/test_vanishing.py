"""Which functions vanish beside the margins, and which differences roundoff hides."""

from fractions import Fraction

import pytest

from refclass.errors import NotExact
from refclass.number.vanishing import refuse_hidden, refuse_ties, vanish

EPS = Fraction(1, 2**20)


def refused(call, *given):
    """Return whether a call is refused as not exact."""
    try:
        call("machine", *given)
    except NotExact:
        return True
    return False


@pytest.mark.parametrize("size, vanishes", [(0, True), (10**6, True), (10**6 + 1, False)])
def test_functions_of_a_million_roundings_of_one_vanish(size, vanishes):
    """Six digits are left of more than that."""
    assert vanish(size * EPS, EPS) is vanishes


@pytest.mark.parametrize("spread, hidden", [(0, False), (Fraction(1, 9), True), (999, True), (1000, False)])
def test_what_varies_by_less_than_a_thousand_roundings_is_hidden(spread, hidden):
    """Constants are not: there is nothing to hide."""
    assert refused(refuse_hidden, spread * EPS, EPS) is hidden


@pytest.mark.parametrize(
    "b, means, spread, hidden",
    [
        ([3, -5], [0, 4, 0], 1, True),  # as near as f varies, and beside 5 nothing varies by 1000 eps
        ([3, -5], [0, 5, 9], 1, True),
        ([3, -5], [0, 4, 9], 1, False),  # the largest mean is far above the others
        ([3, -5], [0, 4, 0], Fraction(5000, 2**20), False),  # so is it here
        ([3, -5], [0, 0, 0], Fraction(5000, 2**20), False),  # what varies by 5000 eps stands beside 5
        ([3, -5], [0, 0, 0], Fraction(4999, 2**20), True),
        ([3, -5], [0, Fraction(1, 50), 0], Fraction(4999, 2**20), False),
    ],
)
def test_a_tie_within_what_functions_vary_by_is_refused_where_intercepts_are_rounded_by_more(b, means, spread, hidden):
    """The largest two means at most four times the spread apart, and the largest intercept a thousandfold rounded."""
    eps = EPS if spread != 1 else Fraction(1, 1000)
    assert refused(refuse_ties, eps, list(map(Fraction, b)), list(map(Fraction, means)), Fraction(spread)) is hidden
