"""ClassificationTree."""

from fractions import Fraction
from random import Random

import pytest

from refclass import ClassificationTree
from refclass.errors import InvalidInput
from tests.discriminants.samples import PLANE
from tests.profiles import examples

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


def grown(rows, labels, weights, least):
    """The tree by its definition, in fractions: a label of each row; of ties the first variable, lowest threshold."""

    def count(places):
        return [sum(weights[i] for i in places if labels[i] == k) for k in range(max(labels) + 1)]

    def impure(places):
        total = sum(count(places))
        return total - sum(v * v for v in count(places)) / total

    def node(places):
        own = count(places)
        errors, alike = sum(own) - max(own), {i: own.index(max(own)) for i in places}
        found = []
        for j in range(len(rows[0]) if errors else 0):
            for c in sorted({rows[i][j] for i in places})[:-1]:
                sides = [[i for i in places if (rows[i][j] > c) == right] for right in (False, True)]
                if min(sum(weights[i] for i in side) for side in sides) >= least:
                    found.append((sum(map(impure, sides)), j, c, sides))
        if not found:
            return errors, alike
        (left, one), (right, other) = map(node, min(found, key=lambda split: split[:3])[3])
        return (left + right, {**one, **other}) if left + right < errors else (errors, alike)

    return node([i for i, w in enumerate(weights) if w])[1]


@pytest.mark.parametrize("least", [1, Fraction(1, 10**8)])
def test_rows_that_weigh_less_than_a_leaf_have_none_of_their_own(least):
    """min_leaf is a weight: at 1, rows of one half or 10⁻⁶ share a leaf with others, and may have their label; with a
    smaller one distinct rows are told apart, but for splits that save no error  [CMP-CART].
    """
    shared = 0
    for seed in range(examples(6)):
        rng = Random(seed)
        rows = [[Fraction(rng.randrange(9)), Fraction(rng.randrange(9))] for _ in range(10)]
        labels, weights = (
            [k % 3 for k in range(10)],
            [Fraction(rng.choice(["1", "2", "1/2", "1e-6", "0"])) for _ in rows],
        )
        want = grown(rows, labels, weights, least)
        got = ClassificationTree(min_leaf=least, arithmetic="exact").fit(rows, labels, weights).predict(rows)
        assert all(got[i] == label for i, label in want.items())
        shared += any(got[i] != labels[i] for i in want)
    assert shared or least != 1
