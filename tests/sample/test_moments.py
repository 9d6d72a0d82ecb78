"""Means, scatter and covariances: on paper, invariant, adding up, and weights as repeated rows."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import polar
from refclass.linear.matrix import Matrix
from refclass.linear.polar import gram
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.sample import covariance, data, scatter
from refclass.sample.mean import class_means, mean, mixture, shares, sizes
from tests.numbers import COUNTED, STRICT, counting
from tests.profiles import examples
from tests.strategies import fractions, samples

few = settings(max_examples=examples(20))

labelled = st.integers(2, 4).flatmap(lambda K: samples(classes=K, per_class=(2, 4)))


def exact(drawn, weights=None):
    """Return a drawn sample over the fractions."""
    return data.read(RATIONAL, *drawn, weights)


def test_means_and_scatter_agree_with_paper():
    """Points 0, 2 and 6, 10 have means 1 and 8, W = 2 + 8, B = 4 · (7/2)², T = 59."""
    sample = exact(([[0], [2], [6], [10]], [0, 0, 1, 1]))
    assert class_means(sample) == Matrix([[Fraction(1)], [Fraction(8)]])
    assert (scatter.within(sample)[0][0], scatter.between(sample)[0][0], scatter.total(sample)[0][0]) == (10, 49, 59)
    assert covariance.pooled(sample)[0][0] == 5 and covariance.pooled(sample, "n")[0][0] == Fraction(5, 2)
    assert [S[0][0] for S in covariance.of_classes(sample)] == [2, 8]
    assert covariance.total(sample)[0][0] == Fraction(59, 4)


@few
@given(labelled)
def test_the_total_is_within_and_between(drawn):
    """T = W + B for sums of squares and products, the means counted as often as their classes are
    [TOTAL-BW.P1] [MOMENTS.P3] [ESL-4.3.3-total] [ERR-ESL-02].
    """
    sample = exact(drawn)
    assert scatter.total(sample) == scatter.within(sample) + scatter.between(sample)


def test_the_printed_decomposition_fails():
    """With the unweighted covariance of the means and the pooled covariance B + W is not T
    [TOTAL-BW.P2] [ERR-ESL-02].
    """
    sample = exact(([[0], [2], [6], [10], [11]], [0, 0, 1, 1, 1]))
    B, W = covariance.between(sample, weighted=False), covariance.pooled(sample)
    assert B + W not in (covariance.total(sample), covariance.total(sample, "n-1"))
    weighted = covariance.between(sample) + covariance.pooled(sample, "n")
    assert weighted == covariance.total(sample, "n")


@few
@given(labelled)
def test_the_pooled_covariance_is_a_convex_combination(drawn):
    """Σ̂ = Σ (nₖ − 1)/(n − K) Sₖ, weights that are not negative and sum to one
    [MOMENTS.P1] [KIM-2.1-moments] [ERR-KIM-04].
    """
    sample = exact(drawn)
    n = sizes(sample)
    lam = [(v - 1) / (n.sum() - sample.K) for v in n]
    parts = [c * S for c, S in zip(lam, covariance.of_classes(sample))]
    assert sum(parts[1:], parts[0]) == covariance.pooled(sample)
    assert min(lam) >= 0 and sum(lam) == 1


@few
@given(labelled, st.lists(fractions, min_size=3, max_size=3))
def test_a_shift_moves_means_and_nothing_else(drawn, shift):
    """Adding a constant to all rows adds it to the means and leaves the covariances as they are, exactly
    [MOMENTS.P2].
    """
    X, y = drawn
    moved = exact(([[v + c for v, c in zip(x, shift)] for x in X], y))
    sample = exact(drawn)
    assert covariance.of_classes(moved) == covariance.of_classes(sample)
    assert covariance.pooled(moved) == covariance.pooled(sample)
    offset = Vector([Fraction(c) for c in shift[: sample.p]])
    assert class_means(moved) == Matrix([m + offset for m in class_means(sample)])


@few
@given(labelled, st.data())
def test_integer_weights_are_repeated_rows(drawn, more):
    """Means, covariances of every divisor and shares are those of the sample with each row repeated as its weight
    says.
    """
    X, y = drawn
    w = [more.draw(st.integers(1, 3)) for _ in y]
    weighted = exact(drawn, w)
    repeated = exact(([x for x, c in zip(X, w) for _ in range(c)], [g for g, c in zip(y, w) for _ in range(c)]))
    assert class_means(weighted) == class_means(repeated)
    assert shares(weighted) == shares(repeated)
    for divisor in ("n-k", "n"):
        assert covariance.pooled(weighted, divisor) == covariance.pooled(repeated, divisor)
    for divisor in ("n-1", "n"):
        assert covariance.of_classes(weighted, divisor) == covariance.of_classes(repeated, divisor)
        assert covariance.total(weighted, divisor) == covariance.total(repeated, divisor)
    for way in (True, False):
        assert covariance.between(weighted, way) == covariance.between(repeated, way)


@few
@given(labelled)
def test_a_weight_of_zero_is_a_row_left_out(drawn):
    """An observation of weight zero changes nothing."""
    X, y = drawn
    more = exact(([*X, [5] * len(X[0])], [*y, 0]), [1] * len(y) + [0])
    assert covariance.pooled(more) == covariance.pooled(exact(drawn))


@few
@given(labelled)
def test_the_mixture_of_the_means_is_the_grand_mean(drawn):
    """Σ π̂ₖμ̂ₖ = x̄."""
    sample = exact(drawn)
    assert mixture(shares(sample), class_means(sample)) == mean(sample.whole)


@few
@given(labelled)
def test_a_total_covariance_and_the_means_give_the_pooled_one(drawn):
    """What a total covariance holds besides the means is the pooled covariance  [KIM-4.1] [TOTAL-BW.P1]."""
    sample = exact(drawn)
    total = covariance.total(sample, "n-1")
    assert covariance.pooled_from_total(total, sizes(sample), class_means(sample)) == covariance.pooled(sample)


def test_too_few_observations_are_refused():
    """A class of one has no unbiased covariance, and n = K no pooled one; the other divisors have."""
    sample = exact(([[0], [1]], ["a", "b"]))
    with pytest.raises(NoAnswer, match=r"more than 1 observations \(divisor n-1\); got 1 \(label=a\)"):
        covariance.of_class(sample, 0)
    with pytest.raises(NoAnswer, match="more than 2 observations"):
        covariance.pooled(sample)
    assert covariance.pooled(sample, "n") == Matrix([[Fraction(0)]])
    with pytest.raises(InvalidInput, match="divisor"):
        covariance.pooled(sample, "n-1")


def test_scatter_stays_exact_and_costs_what_it_says():
    """Strict numbers meet no float; n·p(p + 1)/2 multiplications."""
    X, y = [[1, 2, 3], [4, 5, 7], [0, 1, 1], [2, 2, 9]], [0, 0, 1, 1]
    strict = data.read(STRICT, X, y)
    assert covariance.pooled(strict)[0][0].value == covariance.pooled(exact((X, y)))[0][0]
    block = data.read(COUNTED, X, y).whole
    centre = mean(block)
    with counting() as c:
        scatter.scatter(block, centre)
    assert c.multiply == 4 * 3 * 4 // 2 and c.divide == 0


def test_floats_far_from_the_origin_keep_their_digits():
    """The scatter of doubles is taken about the mean: a shift by 2²⁰ costs no digit of a half-integer sample."""
    X = [[0.5, 1.0], [2.0, -1.5], [3.5, 2.0], [1.0, 0.0]]
    far = [[v + 2.0**20 for v in x] for x in X]
    y = [0, 0, 1, 1]
    assert scatter.within(data.read(BINARY64, far, y)) == scatter.within(data.read(BINARY64, X, y))


def test_scatter_of_many_doubles_is_that_of_sums_to_roundoff(monkeypatch):
    """Products from distances differ from sums by at most 60 eps √(SᵢᵢSⱼⱼ), with columns of all sizes; weights of two
    are two copies [MOMENTS.P3].
    """
    rng = random.Random(3)
    n = 2 * polar.MANY
    X = [[rng.gauss(0, 1), 1e6 * rng.gauss(3, 1), 1e-9 * rng.random()] for _ in range(n)]
    sample = data.read(BINARY64, X, [i % 2 for i in range(n)])
    twice = data.read(BINARY64, X, [i % 2 for i in range(n)], [2] * n)
    monkeypatch.setattr(polar, "IN_C", True)
    near, weighted = scatter.within(sample), scatter.within(twice)
    monkeypatch.setattr(polar, "IN_C", False)
    sums = scatter.within(sample)
    assert near != sums
    for i in range(3):
        for j in range(3):
            unit = (sums[i][i] * sums[j][j]) ** 0.5 * BINARY64.eps
            assert abs(near[i][j] - sums[i][j]) <= 60 * unit
            assert abs(2 * near[i][j] - weighted[i][j]) <= 120 * unit


@pytest.mark.parametrize("F, short, by_distances", [(BINARY64, 0, 1), (BINARY64, 1, 0), (RATIONAL, 0, 0)])
def test_products_of_many_doubles_alone_are_computed_from_distances(monkeypatch, F, short, by_distances):
    """From `MANY` rows on, in doubles; fractions stay exact."""
    asked = []
    monkeypatch.setattr(polar, "gram", lambda columns: asked.append(columns) or gram(columns))
    monkeypatch.setattr(polar, "IN_C", True)
    columns = [tuple(map(F.lift, range(polar.MANY - short)))]
    found, square = scatter.products(columns, columns)[0][0], sum(v * v for v in columns[0])
    assert type(found) is F.kind and abs(found - square) <= 14 * F.eps * square
    assert len(asked) == by_distances
