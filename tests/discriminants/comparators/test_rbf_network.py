"""The Gaussian node network."""

from fractions import Fraction

import pytest

from refclass.discriminants.comparators import rbf_network
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.sample import data
from refclass.sample.indicator import indicator
from tests.discriminants.samples import PLANE, exact, over

D = decimal(40)
FLAT = exact(*PLANE)


@pytest.mark.parametrize("F", [BINARY64, D])
def test_without_a_penalty_the_outputs_at_the_nodes_are_the_indicators(F):
    """λ = 0: a bump on every point interpolates, and no training point is misclassified  [CMP-GNN]."""
    sample = over(F, FLAT)
    model = rbf_network.fit(F, sample, gamma=F.kind(1), penalty=F.kind(0))
    for x, y in zip(sample.X, indicator(sample)):
        assert (model.scores(x) - y).largest() < 1000 * F.eps
    assert model.classify(sample.X) == list(sample.labels) and len(model.nodes) == 19


def test_with_a_penalty_the_equations_of_ridge_hold():
    """λc = W(y − f) at every node, whatever the weights; points of weight zero are no nodes  [CMP-GNN]."""
    w = [1 + i % 2 for i in range(18)] + [0]
    sample = data.read(D, over(D, FLAT).X, FLAT.labels, w)
    lam = D.lift(Fraction(1, 3))
    model = rbf_network.fit(D, sample, gamma=D.lift(Fraction(1, 5)), penalty=lam)
    assert len(model.nodes) == 18
    for i, (x, y) in enumerate(zip(sample.X[:18], indicator(sample))):
        missed = y - model.scores(x)
        for k in range(3):
            assert abs(lam * model.outputs[k][i] - w[i] * missed[k]) < D.lift(Fraction(1, 10**36))


def test_the_scale_is_the_spread_of_the_points():
    """γ = 1/(p · mean variance): one for two variables of variance ½; points that do not vary have none."""
    square = exact([[a, b] for a in (0, 1) for b in (0, 1)], [0, 0, 1, 1])
    assert rbf_network.scale(square) == 2
    with pytest.raises(InvalidInput):
        rbf_network.scale(exact([[1], [1]], [0, 1]))


def test_coincident_nodes_need_a_penalty():
    """Two equal points of two classes: no interpolant; with a penalty their labels tie."""
    sample = data.read(BINARY64, [[0.0], [0.0], [3.0]], [0, 1, 1])
    with pytest.raises(NoAnswer, match="penalty"):
        rbf_network.fit(BINARY64, sample, gamma=1.0, penalty=0.0)
    model = rbf_network.fit(BINARY64, sample, gamma=1.0, penalty=0.5)
    assert model.predict(Vector([2.9])) == 1 and model.decide(Vector([2.9])).classes == (1,)


def test_what_no_network_can_do_is_refused():
    """A negative penalty; exponentials of fractions."""
    with pytest.raises(InvalidInput):
        rbf_network.fit(BINARY64, over(BINARY64, FLAT), gamma=1.0, penalty=-1.0)
    with pytest.raises(NotExact):
        rbf_network.fit(RATIONAL, FLAT, gamma=Fraction(1), penalty=Fraction(0))
