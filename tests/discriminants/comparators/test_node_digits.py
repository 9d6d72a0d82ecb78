"""The digits of a network's outputs that its certificate claims, beside the outputs in sixty decimals."""

from random import Random

import pytest

from refclass import GaussianNodeNetwork
from refclass.errors import NoAnswer, NotConverged


@pytest.mark.parametrize("seed", range(6))
def test_no_more_digits_are_claimed_than_the_outputs_have(seed):
    """Smaller and smaller penalties: fewer than nine digits are claimed where fewer are right, never more than are."""
    rng = Random(seed)
    rows = [[rng.randrange(4) + rng.random()] for _ in range(9)]
    labels = [i % 3 for i in range(9)]
    given = {"gamma": 1, "penalty": 10.0 ** (-2 * seed - 1)}
    reported = GaussianNodeNetwork(**given).fit(rows, labels)
    right = GaussianNodeNetwork(**given, arithmetic="decimal:60").fit(rows, labels)
    claimed = reported.certificate_.digits
    for got, want in zip(reported.output_coef_, right.output_coef_):
        length = sum(float(v) ** 2 for v in want) ** 0.5
        error = sum(float(a - w) ** 2 for a, w in zip(map(type(want[0]), got), want)) ** 0.5 / length
        assert error <= 10.0 ** -min(claimed, 9)
    if seed >= 4:
        assert claimed < 9
        assert reported.certificate_.where == "the outputs that follow from them"


def test_a_system_of_equal_nodes_has_no_digits_but_by_the_penalty():
    """Equal nodes: few digits follow with a small penalty, none with a smaller, and without one there is no answer."""
    rows, labels = [[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1]
    assert GaussianNodeNetwork(gamma=1, penalty=1e-13).fit(rows, labels).certificate_.digits < 4
    with pytest.raises(NotConverged, match="more digits, or a larger penalty"):
        GaussianNodeNetwork(gamma=1, penalty=1e-15).fit(rows, labels)
    with pytest.raises(NoAnswer):
        GaussianNodeNetwork(gamma=1, penalty=0).fit(rows, labels)
    assert GaussianNodeNetwork(gamma=1, penalty=1).fit(rows, labels).certificate_.status in (
        "optimal",
        "within roundoff",
    )
