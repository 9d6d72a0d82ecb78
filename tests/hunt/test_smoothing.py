"""Own answers of smoothing methods are accepted and proven; verdicts and certificates notice a changed number.

Columns copied, collinear but for roundoff, constant, near each other, with one huge entry; splines, additive models,
BRUTO and MARS, alone and within discriminants, in doubles and decimals.
"""

from fractions import Fraction

import pytest

from refclass import SmoothingSpline
from refclass.errors import NotConverged
from tests.hunt.own_and_changed import unnoticed, unproven
from tests.hunt.smoothing import case, criterion, spline
from tests.profiles import examples

# Two of copies and multiples of a column, one of a multiple but for roundoff; three of an entry of 10⁹.
FOUND = [45, 50, 75, 112, 207, 212]


@pytest.mark.slow
@pytest.mark.parametrize("seed", FOUND)
def test_one_changed_number_is_noticed(seed):
    """Verdict and certificate."""
    assert not unnoticed(seed, case) and not unproven(seed, case), case(seed)


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("first", range(0, examples(20), 20))
def test_one_changed_number_is_noticed_on_many_tables(first):
    """Twenty in each block."""
    found = {seed: (unnoticed(seed, case), unproven(seed, case)) for seed in range(first, first + 20)}
    assert not {seed: words for seed, words in found.items() if any(words)}


def value(fitted, x, y, lam):
    """Return the criterion of a fit, from its knots and values alone."""
    model = fitted._model
    one = len(x[0]) == 1
    curves = [model.curve] if one else model.curves
    return criterion(x, y, lam, 0 if one else model.intercept[0], [c.values[0] for c in curves])


def wrong(seed):
    """Return what is wrong with the spline of a seed in decimals of 30 digits, in words; empty if nothing is."""
    x, y, lam = spline(seed)
    best = value(SmoothingSpline(penalty=lam, arithmetic="exact").fit(x, y), x, y, lam)
    try:
        fitted = SmoothingSpline(penalty=lam, arithmetic="decimal:30").fit(x, y)
    except NotConverged as refusal:
        low, high = refusal.witness["dual"], refusal.witness["primal"]
        return "" if low <= best <= high and high - low <= high / 10**9 else f"bounds {low} to {high}"
    found = fitted.certificate_
    if found.digits < 9 and (found.ceiling is None or found.digits < max(1, found.ceiling - 1)):
        return f"{found.digits} digits, ceiling {found.ceiling}"
    rows = list(map(Fraction, y))
    size = best or sum((v - sum(rows) / len(y)) ** 2 for v in rows)  # where the optimum is 0, the best constant's
    missed = value(fitted, x, y, lam) - best
    return "" if missed <= size / 10 ** int(min(found.digits, 25)) or found.premise else f"{found} misses"


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, pytest.param(200, marks=pytest.mark.thorough), *range(10, examples(12), 10)])
def test_no_spline_in_decimals_is_poor_or_silent(first):
    """Nine digits, or one less than thirty decimals can hold, or refused with the bounds of the optimum.

    Of λ = 10^±20, of gaps of 10⁻¹⁵, of columns that are nearly copies.
    """
    found = {seed: wrong(seed) for seed in range(first, first + 10)}
    assert not {seed: words for seed, words in found.items() if words}
