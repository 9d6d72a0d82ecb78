"""The score of a fit."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.number.binary64 import BINARY64
from refclass.regress.spline.gcv import gcv as score
from tests.strategies import positive


@given(positive, st.integers(1, 9), st.integers(0, 8))
def test_the_score_is_the_mean_square_over_the_squared_share_kept(rss, n, charge):
    """(RSS/n)/(1 − C/n)², and no score once C reaches n  [GAP-9]."""
    got = score.gcv(rss, Fraction(n), Fraction(charge))
    assert got == (None if charge >= n else n * rss / Fraction(n - charge) ** 2)


@given(positive, positive, st.integers(0, 3))
def test_the_score_rises_with_the_residuals_and_with_the_charge(rss, more, charge):
    """A larger RSS, or a larger charge, has a higher score."""
    n = Fraction(5)
    assert score.lower(score.gcv(rss, n, charge), score.gcv(rss + more, n, charge))
    assert score.lower(score.gcv(rss, n, charge), score.gcv(rss, n, charge + 1))


def test_no_score_is_higher_than_any():
    """None is lower than nothing; any number is lower than None; roundoff is not clearly lower."""
    assert score.lower(1, None) and not score.lower(None, 1) and not score.lower(None, None)
    assert score.clearly_lower(BINARY64, 1.0, None, 3) and not score.clearly_lower(BINARY64, 1.0 - 1e-16, 1.0, 3)
    assert score.clearly_lower(BINARY64, 0.99, 1.0, 3) and not score.clearly_lower(BINARY64, 1.0, 0.99, 3)
