"""Splits of labelled points by Gini's index."""

from fractions import Fraction
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.comparators import splits, tree
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.sample.observations import Sample
from tests.discriminants.samples import exact, few, over
from tests.strategies import samples


def points(sample):
    """Return the points of a sample."""
    return tree.whole(sample)[0]


def gini(sample, left):
    """Return n_L Σ p(1 − p) + n_R Σ p(1 − p) of a split, by its definition; None if a side is empty."""
    total = Fraction(0)
    for side in (True, False):
        inside = [g for g, here in zip(sample.labels, left) if here is side]
        if not inside:
            return None
        shares = [Fraction(inside.count(k), len(inside)) for k in range(sample.K)]
        total += len(inside) * sum(p * (1 - p) for p in shares)
    return total


@few
@given(samples(classes=3, p=2, per_class=(1, 4)), st.integers(1, 3))
def test_the_best_split_is_found_among_all(drawn, least):
    """No variable and no threshold has a lower Gini index with as many points on either side; among equal ones it is
    the first variable, the lowest threshold  [CMP-CART].
    """
    sample = exact(*drawn)
    found = splits.by_variable(points(sample), least)
    best = None
    for j in range(2):
        values = sorted({x[j] for x in sample.X})
        for a, b in zip(values, values[1:]):
            left = [x[j] <= a for x in sample.X]
            if least <= sum(left) <= sample.n - least:
                index = gini(sample, left)
                if best is None or index < best[0]:
                    best = index, j, (a + b) / 2
    if best is None:
        assert found is None
        return
    (top, bottom), split = found
    assert (sample.n - Fraction(top, bottom), split.variable, split.threshold) == best


@few
@given(samples(classes=2, p=2, per_class=(2, 5)))
def test_a_quality_is_gini_turned_round(drawn):
    """n less the quality is the Gini index of the sides, for any division  [CMP-CART]."""
    sample = exact(*drawn)
    for left in product([True, False], repeat=min(sample.n, 5)):
        sides = [*left, *([True] * (sample.n - len(left)))]
        found, want = splits.quality(points(sample), sides), gini(sample, sides)
        assert (found is None) is (want is None)
        if found is not None:
            assert sample.n - Fraction(*found) == want


@few
@given(samples(classes=3, p=2, per_class=(2, 5)))
def test_a_combination_is_never_worse_than_a_variable(drawn):
    """The search begins with the best split by a variable and only gains; what it says of its line is true
    [CMP-CART-LC].
    """
    sample = exact(*drawn)
    one, many = splits.by_variable(points(sample)), splits.by_combination(points(sample))
    assert (one is None) is (many is None)
    if one is None:
        return
    assert not splits.better(one[0], many[0])
    left = [many[1].left(x) for x in sample.X]
    assert splits.quality(points(sample), left) == many[0]


def test_a_slanting_line_is_found():
    """Two classes on either side of a diagonal: no variable separates them, a combination does."""
    grid = [(a, b) for a in range(5) for b in range(5) if a != b]
    sample = exact([list(x) for x in grid], [int(a > b) for a, b in grid])
    (top, bottom), split = splits.by_combination(points(sample))
    assert Fraction(top, bottom) == 20 and split.direction is not None
    assert splits.better((top, bottom), splits.by_variable(points(sample))[0])
    rounded = splits.by_combination(points(over(BINARY64, sample)))
    assert Fraction(*rounded[0]) == 20


def test_a_combination_of_one_variable_is_a_variable():
    """With one variable there is nothing to combine."""
    sample = exact([[0], [1], [3]], [0, 0, 1])
    assert splits.by_combination(points(sample)) == splits.by_variable(points(sample))


def test_equal_points_cannot_be_split():
    """No threshold between equal values."""
    sample = exact([[1, 2], [1, 2]], [0, 1])
    assert splits.by_variable(points(sample)) is None and splits.by_combination(points(sample)) is None


def test_a_threshold_between_neighbouring_floats_keeps_them_apart():
    """Where the middle is rounded up, the lower of the two is the threshold."""
    a = 1.0
    b = a + 2.0**-52
    assert splits.between(a, b) == a and splits.between(1.0, 2.0) == 1.5
    sample = Sample(Matrix([[a], [b]]), (0, 1), (0, 1), Vector([1.0, 1.0]))
    _, split = splits.by_variable(points(sample))
    assert split.left(Vector([a])) and not split.left(Vector([b]))
