"""Hard margins of many classes on unscaled data: proven by the kernel of trust, or refused for a reason."""

import math
import random

import pytest

from tests.hunt.examine import examine
from tests.hunt.kinds import KINDS, Case, kernel
from tests.profiles import examples

STEP = 20


def hard(seed):
    """Return the case of a seed: few points, in classes by the order of a column or by chance, no slack allowed."""
    r = random.Random(f"hard margins {seed}")
    kind, n, p, K = r.choice(KINDS), r.choice([2, 3, 4, 5, 6, 8]), r.choice([1, 2, 2, 3]), r.choice([2, 3])
    X = kind(r, n, p)
    order = sorted(range(n), key=lambda i: X[i]) if r.random() < 0.7 else r.sample(range(n), n)
    y = [0] * n
    for place, i in enumerate(order):
        y[i] = place * min(K, n) // n
    return Case(kind.__name__, "crammer_singer", {"C": math.inf, "kernel": kernel(r)}, X, y)


@pytest.mark.parametrize("first", range(0, examples(60), STEP))
def test_no_hard_margin_of_many_classes_is_poor_or_called_impossible(first):
    """Nine digits or one less than the ceiling; NotConverged with bounds; NoAnswer where exact arithmetic says so."""
    cases = {seed: hard(seed) for seed in range(first, first + STEP)}
    found = {seed: words for seed, own in cases.items() if (words := examine(own))}
    assert not found, found
