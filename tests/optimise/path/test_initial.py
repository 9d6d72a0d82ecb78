import math
import random
from unittest import mock

import pytest

from refclass.linear.matrix import Matrix
from refclass.optimise.path import initial, progress
from refclass.optimise.path.segment import Segment
from tests.profiles import examples


def near_copies(seed, n):
    """Return the Gram matrix and labels of points 10⁻⁶ from one another, or far away, one to three of two classes."""
    r = random.Random(seed)
    points = [(r.randint(0, n // 6), r.randint(-8, 8) / 8e6) for _ in range(n)]
    K = Matrix([[math.exp(-((a - b) ** 2)) if g == h else 0.0 for h, b in points] for g, a in points])
    return K, [1.0 if i < n // 4 else -1.0 for i in range(n)]


@pytest.mark.parametrize("n", [12, 16, pytest.param(20, marks=pytest.mark.slow)])
def test_the_start_ends_where_roundoff_lets_the_same_event_come_again(n):
    """The multipliers of the majority have their sum, after no more events than points and what is waited for."""
    for seed in range(examples(12)):
        K, y = near_copies(seed, n)
        with mock.patch.object(Segment, "update_sets", autospec=True, side_effect=Segment.update_sets) as events:
            found = initial.multipliers(K, y)
        assert events.call_count <= 2 * n + progress.PATIENCE
        assert sum(a * t for a, t in zip(found, y)) == pytest.approx(0, abs=1e-12)
        assert all(0 <= a <= 1 for a in found)
