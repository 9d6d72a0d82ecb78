"""Classification trees: growth and pruning."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.comparators import tree
from refclass.errors import InvalidInput
from refclass.iteration import ending
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.sample import data
from tests.discriminants.samples import PLANE, exact, few, over, vector
from tests.numbers import STRICT
from tests.strategies import samples

FLAT = exact(*PLANE)
GROWN = ending(tree.steps(FLAT))


@pytest.mark.parametrize("combinations", [False, True])
def test_a_full_tree_makes_no_training_error(combinations):
    """On distinct points a tree grown to its end has pure leaves, also where no single split gains anything
    [CMP-CART] [CMP-CART-LC].
    """
    grown = ending(tree.steps(FLAT, combinations=combinations))
    assert grown.classify(FLAT.X) == list(FLAT.labels)
    assert all(grown.nodes[i].errors == 0 for i in grown.leaves)
    crossed = exact([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    for model in (tree.fit(crossed, combinations=combinations), tree.fit(crossed)):
        assert model.classify(crossed.X) == [0, 0, 1, 1]


@few
@given(samples(classes=3, p=2, per_class=(2, 5)))
def test_a_monotone_transform_changes_no_label(drawn):
    """x → x³ in one variable and 5x + 2 in the other: the same labels on the sample, exactly  [CMP-CART]."""
    sample = exact(*drawn)
    bent = exact([[a**3, 5 * b + 2] for a, b in sample.X], sample.labels)
    a, b = ending(tree.steps(sample)), ending(tree.steps(bent))
    assert a.classify(sample.X) == b.classify(bent.X)
    assert [n.counts for n in a.nodes] == [n.counts for n in b.nodes]


def test_every_point_reaches_a_leaf_of_its_own_box():
    """Counts of a node are those of the points that reach it; children share their parent's."""
    for node in GROWN.nodes:
        if node.split is not None:
            below = [GROWN.nodes[node.left].counts, GROWN.nodes[node.right].counts]
            assert tuple(map(sum, zip(*below))) == node.counts
    reached = [GROWN.leaf(x) for x in FLAT.X]
    for i in GROWN.leaves:
        labels = [g for g, at in zip(FLAT.labels, reached) if at == i]
        assert GROWN.nodes[i].counts == tuple(labels.count(k) for k in range(3))


def test_posteriors_are_the_shares_of_the_leaf():
    """Also in floats; a leaf of equal counts ties."""
    stump = tree.fit(exact([[0], [0], [1], [1], [1]], [0, 1, 1, 1, 0]), max_depth=1)
    assert stump.posterior(vector(5)) == vector(Fraction(2, 5), Fraction(3, 5)) == stump.scores(vector(5))
    even = tree.fit(exact([[0], [0]], [0, 1]))
    assert even.decide(vector(0)).tie and even.predict(vector(0)) == 0 and even.depth == 0


@few
@given(samples(classes=3, p=2, per_class=(2, 5)), st.fractions(0, Fraction(1, 3), max_denominator=40))
def test_pruning_finds_the_cheapest_subtree(drawn, alpha):
    """R(T) + α|T| is least among all subtrees, and no smaller one costs as little; the weakest-link sequence has it
    [CMP-CART].
    """
    grown = ending(tree.steps(exact(*drawn)))
    best = tree.pruned(grown, alpha)
    costs = [(cost(t, alpha), len(t.leaves)) for t in subtrees(grown)]
    assert (cost(best, alpha), len(best.leaves)) == min(costs)
    sequence = tree.sequence(grown)
    assert [s for a, s in sequence if a <= alpha][-1] == best
    alphas = [a for a, _ in sequence]
    assert alphas == sorted(alphas) and len(set(alphas)) == len(alphas)
    sizes = [len(t.leaves) for _, t in sequence]
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] == 1


def cost(model, alpha):
    """Return R(T) + α|T|."""
    total = sum(model.nodes[0].counts)
    return sum(Fraction(model.nodes[i].errors, total) + alpha for i in model.leaves)


def subtrees(model):
    """Return every subtree with the same root, small trees only."""

    def below(i):
        node = model.nodes[i]
        yield frozenset([i])
        if node.split is not None:
            for a in below(node.left):
                for b in below(node.right):
                    yield a | b

    for leaves in list(below(0))[:400]:
        cut = {i for i in leaves if model.nodes[i].split is not None}
        yield tree._without(model, cut)


def test_limits_of_growth_are_kept():
    """Depth, and the weight of a leaf."""
    assert tree.fit(FLAT, max_depth=2).depth <= 2
    wide = ending(tree.steps(FLAT, least=Fraction(5)))
    assert min(sum(wide.nodes[i].counts) for i in wide.leaves) >= 5
    assert ending(tree.steps(FLAT, least=Fraction(20))).leaves == [0]


def test_integer_weights_are_copies_and_fractions_have_a_unit():
    """Weights 2 and 0 grow the tree of copies; weights in halves are brought to whole numbers."""
    w = [i % 3 for i in range(19)]
    weighted = data.read(RATIONAL, FLAT.X, FLAT.labels, w)
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    repeated = exact([FLAT.X[i] for i in copies], [FLAT.labels[i] for i in copies])
    a, b = tree.fit(weighted), tree.fit(repeated)
    assert [n.counts for n in a.nodes] == [n.counts for n in b.nodes]
    halves = data.read(BINARY64, [[0.0], [1.0], [2.0]], [0, 1, 1], [0.5, 1.5, 1.0])
    model = tree.fit(halves)
    assert model.unit == 2 and model.nodes[0].counts == (1, 5)


def test_progress_counts_the_points_in_leaves():
    """The iteration says how many points are settled, of how many, and ends with all."""
    reported = list(tree.steps(FLAT))
    assert reported == sorted(reported) and reported[-1] == (19, 19)


def test_a_negative_price_is_refused():
    """α ≥ 0."""
    with pytest.raises(InvalidInput):
        tree.pruned(GROWN, Fraction(-1, 10))


@pytest.mark.parametrize("combinations", [False, True])
def test_no_float_slips_into_a_tree(combinations):
    """Trees grow on fractions that refuse floats; in floats of small integers they are the same."""
    plain = tree.fit(FLAT, combinations=combinations)
    strict = tree.fit(over(STRICT, FLAT), combinations=combinations)
    assert [n.counts for n in strict.nodes] == [n.counts for n in plain.nodes]
    rounded = tree.fit(over(BINARY64, FLAT))
    assert [n.counts for n in rounded.nodes] == [n.counts for n in tree.fit(FLAT).nodes]
