"""Where decimals do not tell the next break point from λ = 0, a path is whole only if fractions say so."""

from random import Random

import pytest

from refclass import SVMPath
from tests.hunt import test_paths as paths


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
@pytest.mark.parametrize("size", [1e100, 1e150])
def test_a_path_that_decimals_cannot_follow_to_its_end_says_how_far_it_is_reported(size, arithmetic):
    """A column of 10¹⁰⁰ beside one of 1: nine break points below λ = 2 were denied by `least_lambda_` of 0."""
    r = Random(3)
    X = [[size * (1 + r.randint(-8, 8) / 64), r.randint(-8, 8) / 8] for _ in range(10)]
    y = [i % 2 for i in range(10)]
    right = SVMPath(arithmetic="exact").fit(X, y)
    found = SVMPath(arithmetic=arithmetic).fit(X, y)
    assert sum(lam >= found.least_lambda_ for lam in right.lambdas_) == len(found.lambdas_) < len(right.lambdas_)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "count"),
    [pytest.param(220, 6, marks=pytest.mark.thorough), (76, 0), pytest.param(13, 75, marks=pytest.mark.thorough)],
)
def test_a_path_whose_last_event_is_at_zero_is_whole(seed, count):
    """Decimals find an event at 10⁻¹⁹⁰ or less, of either sign; that none follows is decided in fractions."""
    kernel, X, y = paths.path(seed, (30, 60, 100, 160))
    found = SVMPath(kernel=kernel).fit(X, y)
    assert (len(found.lambdas_), found.least_lambda_) == (count, 0)
