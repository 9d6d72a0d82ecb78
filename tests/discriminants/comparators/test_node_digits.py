"""The digits of a network's outputs that its certificate claims, beside the outputs in sixty decimals."""

from random import Random

import pytest

from refclass import GaussianNodeNetwork
from refclass.certificate import digits
from refclass.discriminants.comparators import rbf_network, rule_certificate
from refclass.errors import NoAnswer, NotConverged
from refclass.number.binary64 import BINARY64
from refclass.sample import data


def in_doubles(rows, labels, penalty):
    """Return the outputs in doubles alone, with the digits that are claimed of them, and what fails."""
    sample = data.read(BINARY64, rows, labels)
    model = rbf_network.fit(BINARY64, sample, gamma=1.0, penalty=penalty)
    failures = rule_certificate.bumps(BINARY64, sample, 1.0, penalty, model.outputs, False)
    worst, where = max(failures, key=lambda failure: failure[0])
    return model.outputs, digits(worst, 1), where


@pytest.mark.parametrize("seed", range(6))
def test_no_more_digits_are_claimed_than_the_outputs_have(seed):
    """Smaller and smaller penalties: fewer than nine digits are claimed where fewer are right, never more than are.

    The network itself then has them from decimals, rounded.
    """
    rng = Random(seed)
    rows = [[rng.randrange(4) + rng.random()] for _ in range(9)]
    labels = [i % 3 for i in range(9)]
    given = {"gamma": 1, "penalty": 10.0 ** (-2 * seed - 1)}
    right = GaussianNodeNetwork(**given, arithmetic="decimal:60").fit(rows, labels)
    outputs, claimed, where = in_doubles(rows, labels, given["penalty"])
    for got, want in zip(outputs, right.output_coef_):
        length = sum(float(v) ** 2 for v in want) ** 0.5
        error = sum(float(a - w) ** 2 for a, w in zip(map(type(want[0]), got), want)) ** 0.5 / length
        assert error <= 10.0 ** -min(claimed, 9)
    if seed >= 4:
        assert claimed < 9
        assert where == "the outputs that follow from them"
    model = GaussianNodeNetwork(**given).fit(rows, labels)
    assert model.certificate_.digits > 9
    assert model.output_coef_ == [pytest.approx(list(map(float, row)), rel=1e-9) for row in right.output_coef_]


def test_a_system_of_equal_nodes_has_no_digits_but_by_the_penalty():
    """Equal nodes: few digits follow in doubles with a small penalty, none with a smaller; without one is no answer."""
    rows, labels = [[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1]
    assert in_doubles(rows, labels, 1e-13)[1] < 4
    with pytest.raises(NotConverged, match="more digits, or a larger penalty"):
        in_doubles(rows, labels, 1e-15)
    with pytest.raises(NoAnswer):
        GaussianNodeNetwork(gamma=1, penalty=0).fit(rows, labels)
    for penalty in (1, 1e-13, 1e-15):
        model = GaussianNodeNetwork(gamma=1, penalty=penalty).fit(rows, labels)
        assert model.certificate_.status in ("optimal", "within roundoff")


def test_weights_that_differ_by_300_decades_cost_no_digits():
    """A row of weight 10⁻³⁰⁰ has a penalty of 10³⁰⁰ on its output; the others keep their digits."""
    model = GaussianNodeNetwork(gamma=1, penalty=1).fit([[0], [1], [2.5], [4]], [0, 1, 0, 1], [1, 1e-300, 1, 1])
    assert model.certificate_.digits > 12


def test_nodes_as_regular_as_a_lattice_have_their_digits():
    """Copies, and nodes so far apart that bumps do not meet: the least eigenvalue is found whatever their order."""
    for y in ([0, 1, 0, 1, 0, 1], [0, 0, 0, 1, 1, 1]):
        model = GaussianNodeNetwork(gamma=10**6, penalty=1).fit([[2.0], [-1.0], [2.0], [5.0], [2.0], [7.0]], y)
        assert model.certificate_.digits > 12
