"""Proofs of rules by counting: neighbours, trees, nodes."""

from dataclasses import replace
from random import Random

import pytest

from refclass import ClassificationTree, GaussianNodeNetwork, NearestNeighbors
from refclass.linear.matrix import Matrix

rng = Random(4)
ROWS = [[rng.randrange(8), rng.randrange(8) / 4] for _ in range(40)]
LABELS = ["abc"[(x > 3) + (z > 1)] for x, z in ROWS]


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
def test_counted_rules_are_feasible(arithmetic):
    """Neighbours among ties, and trees of every kind, are what they say, in every arithmetic."""
    for model in (
        NearestNeighbors(n_neighbors=4, arithmetic=arithmetic),
        ClassificationTree(arithmetic=arithmetic),
        ClassificationTree(ccp_alpha="1/50", max_depth=3, min_leaf=2, arithmetic=arithmetic),
        ClassificationTree(combinations=True, arithmetic=arithmetic),
    ):
        assert model.fit(ROWS, LABELS).certificate_.status == "feasible"


def test_a_changed_rule_is_found_out():
    """Another point, a worse split, other counts: each is named."""
    near = NearestNeighbors().fit(ROWS, LABELS)
    near._model = replace(near._model, X=Matrix.of(near._model.X[::-1]))
    assert near.certificate_.where == "the points of the rule"
    tree = ClassificationTree().fit(ROWS, LABELS)
    root = tree._grown.nodes[0]
    worse = replace(root, split=replace(root.split, threshold=root.split.threshold + 1))
    tree._grown = replace(tree._grown, nodes=(worse, *tree._grown.nodes[1:]))
    assert tree.certificate_.status == "infeasible"


def test_another_width_of_the_bumps_is_found_out():
    """Outputs for one γ do not solve the system of another."""
    model = GaussianNodeNetwork(penalty=1).fit(ROWS, LABELS)
    assert model.certificate_.status == "within roundoff"
    other = GaussianNodeNetwork(penalty=1).fit(ROWS, LABELS)
    other.gamma_ = 1.01 * other.gamma_
    assert other.certificate_.digits < 9
