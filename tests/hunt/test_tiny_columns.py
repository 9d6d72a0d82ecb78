"""Labels of multinomial deviances on columns of 10⁻⁹ to 10⁻¹⁵⁰ are those of longer decimals, or refused."""

from random import Random

import pytest

from refclass import KernelClassifier
from refclass.errors import NotExact
from tests.profiles import thorough

SEEDS = range(60) if thorough() else range(4, 8)


def drawn(seed):
    """Return rows of sixty-fourths, and labels of two to five classes, with equal and unequal counts."""
    r, K = Random(seed), 2 + seed % 4
    counts = [[r.choice([2, 3, 4]) for _ in range(K)], [3] * K, [3, 3, *[2] * (K - 2)]][seed // 4 % 3]
    y = [k for k, count in enumerate(counts) for _ in range(count)]
    r.shuffle(y)
    return [[round(64 * (r.gauss(0, 0.7) + 3 * (k == j) + (k > 1) * (j == 0) * k)) / 64 for j in (0, 1)] for k in y], y


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("decades", [9, 60, 150] if thorough() else [9])
def test_labels_of_tiny_columns_are_those_of_longer_decimals(seed, decades):
    """The optimum does not change with the length of the numbers that it is computed in."""
    X, y = drawn(seed)
    tiny, how = [[v * 10.0**-decades for v in x] for x in X], {"loss": "deviance", "penalty": 1}
    try:
        found = KernelClassifier(**how).fit(tiny, y).predict(tiny)
    except NotExact as refusal:
        assert "roundoff of their intercepts" in str(refusal)
        return
    assert found == KernelClassifier(**how, arithmetic=f"decimal:{60 + 4 * decades}").fit(tiny, y).predict(tiny)
