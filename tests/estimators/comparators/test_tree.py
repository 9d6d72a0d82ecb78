"""ClassificationTree."""

from fractions import Fraction

import pytest

from refclass import ClassificationTree
from refclass.errors import InvalidInput
from tests.discriminants.samples import PLANE

X, Y = PLANE


def test_a_tree_says_what_it_does():
    """Leaves, depth, splits in words and the prices at which it changes  [CMP-CART]."""
    model = ClassificationTree(arithmetic="exact").fit(X, Y)
    assert model.predict(X) == Y and model.n_leaves_ == len(model.splits_) + 1
    assert model.splits_[0][:2] in ("x0", "x1") and " ≤ " in model.splits_[0]
    prices, leaves, errors = zip(*model.alphas_)
    assert list(prices) == sorted(prices) and leaves[0] == model.n_leaves_ and errors[0] == 0
    assert (leaves[-1], errors[-1]) == (1, 12) and all(isinstance(a, Fraction) for a in prices)
    assert model.depth_ < model.n_leaves_


def test_pruning_again_grows_nothing():
    """`pruned(α)` is the fit with ccp_alpha=α; it leaves the tree as it is."""
    model = ClassificationTree().fit(X, Y)
    small = model.pruned(0.1)
    want = ClassificationTree(ccp_alpha=0.1).fit(X, Y)
    assert small.splits_ == want.splits_ != model.splits_ and small.predict(X) == want.predict(X)
    assert model.predict(X) == Y and small.ccp_alpha == 0.1 and small._grown is model._grown


def test_combinations_are_said_in_words():
    """A slanting split names its coefficients  [CMP-CART-LC]."""
    grid = [[a, b] for a in range(4) for b in range(4) if a != b]
    model = ClassificationTree(combinations=True, arithmetic="exact").fit(grid, [a > b for a, b in grid])
    (words,) = model.splits_
    assert "x0" in words and "x1" in words and " ≤ " in words and model.score(grid, [a > b for a, b in grid]) == 1


def test_limits_are_kept_and_reported():
    """max_depth and min_leaf; the iteration counts points in leaves; posteriors are shares of leaves."""
    model = ClassificationTree(max_depth=1)
    reported = list(model.fit_steps(X, Y))
    assert reported[-1] == (19, 19, "tree: points in leaves") and model.depth_ == 1
    for shares, label in zip(model.predict_proba(X), model.predict(X)):
        assert abs(sum(shares) - 1) < 1e-15 and shares[label] == max(shares)
    assert ClassificationTree(min_leaf=9.5).fit(X, Y).n_leaves_ == 1


@pytest.mark.parametrize(
    "wrong", [{"max_depth": 0}, {"min_leaf": 0}, {"ccp_alpha": -1}, {"combinations": "yes"}], ids=str
)
def test_wrong_parameters_are_refused(wrong):
    """Before anything grows."""
    with pytest.raises(InvalidInput):
        ClassificationTree(**wrong).fit(X, Y)
