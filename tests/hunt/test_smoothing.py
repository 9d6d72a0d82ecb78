"""Own answers of smoothing methods are accepted and proven; verdicts and certificates notice a changed number.

Columns copied, collinear but for roundoff, constant, near each other, with one huge entry; splines, additive models,
BRUTO and MARS, alone and within discriminants, in doubles and decimals.
"""

import pytest

from tests.hunt.own_and_changed import unnoticed, unproven
from tests.hunt.smoothing import case
from tests.profiles import examples

# Two of copies and multiples of a column, one of a multiple but for roundoff; three of an entry of 10⁹.
FOUND = [45, 112, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (50, 75, 207, 212))]


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [45, 112, *(pytest.param(s, marks=pytest.mark.thorough) for s in FOUND if s not in (45, 112))]
)
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
