"""Folds, hold-out sets and repeated splits."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.selection import folds

SIZES = st.integers(2, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(2, n)))
SEEDS = st.one_of(st.none(), st.integers(0, 99))


def chance(seed):
    """Return the generator of a seed, None for none."""
    return None if seed is None else Random(seed)


def is_partition(n, splits):
    """Return whether each of the n observations judges exactly once, and is fitted to whenever it does not judge."""
    tested = sorted(i for _, test in splits for i in test)
    return tested == list(range(n)) and all(len(train) + len(test) == n for train, test in splits)


@given(SIZES, SEEDS)
def test_the_folds_part_the_observations(size, seed):
    """Each observation judges exactly once, and is fitted to whenever it does not judge  [CV-KFOLD.P1]."""
    n, k = size
    found = folds.k_fold(n, k, chance(seed))
    assert len(found) == k and is_partition(n, found)
    for train, test in found:
        assert list(train) == sorted(train) and list(test) == sorted(test)
        assert sorted(train + test) == list(range(n))


@given(SIZES, SEEDS)
def test_folds_differ_in_size_by_at_most_one(size, seed):
    """The first n mod k folds are one larger  [CV-KFOLD]."""
    n, k = size
    assert [len(test) for _, test in folds.k_fold(n, k, chance(seed))] == [n // k + (j < n % k) for j in range(k)]


@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=30), SEEDS, st.data())
def test_strata_are_shared_out_evenly(labels, seed, data):
    """What folds have of a class differs by at most one, and so do their sizes; they part the data  [CV-KFOLD.P1]."""
    k = data.draw(st.integers(2, len(labels)))
    found = folds.stratified(labels, k, chance(seed))
    assert is_partition(len(labels), found)
    sizes = [len(test) for _, test in found]
    assert max(sizes) - min(sizes) <= 1
    for label in set(labels):
        counts = [Counter(labels[i] for i in test)[label] for _, test in found]
        assert max(counts) - min(counts) <= 1


@given(st.integers(2, 30))
def test_as_many_folds_as_observations_leave_one_out(n):
    """k = n is leave-one-out, in the order of the data where nothing is shuffled  [CV-KFOLD.P2]."""
    found = folds.leave_one_out(n)
    assert [test for _, test in found] == [(i,) for i in range(n)]
    assert sorted(folds.k_fold(n, n, Random(1)), key=lambda split: split[1]) == found


def test_the_seed_decides_the_folds():
    """The same generator gives the same folds, another one others  [CV-KFOLD]."""
    assert folds.k_fold(50, 5, Random(3)) == folds.k_fold(50, 5, Random(3)) != folds.k_fold(50, 5, Random(4))
    labels = [i % 3 for i in range(50)]
    assert folds.stratified(labels, 5, Random(3)) == folds.stratified(labels, 5, Random(3))
    assert folds.stratified(labels, 5, Random(3)) != folds.stratified(labels, 5, Random(4))


@pytest.mark.parametrize("k", [0, 1, 6, -2, 2.0, True])
def test_folds_that_cannot_be_are_refused(k):
    """One fold leaves nothing to fit to, more than observations leaves folds empty  [CV-KFOLD]."""
    for make in (lambda: folds.k_fold(5, k), lambda: folds.stratified("aabbb", k)):
        with pytest.raises(InvalidInput, match="need a number of folds from 2 to the 5 observations"):
            make()


def test_nothing_cannot_be_split():
    """No observation, or one, is refused by every kind of split."""
    for make in (
        lambda: folds.k_fold(0, 2),
        lambda: folds.stratified([], 2),
        lambda: folds.leave_one_out(1),
        lambda: folds.hold_out(1, 1),
        lambda: folds.resplits(0, 0, 1),
        lambda: folds.checked(5, []),
    ):
        with pytest.raises(InvalidInput, match="folds"):
            make()


def test_a_class_smaller_than_the_folds_is_missing_from_some():
    """A class of one observation judges once, and the training set of that split has none of it  [CV-KFOLD]."""
    labels = "aaaab"
    held = [[labels[i] for i in test].count("b") for _, test in folds.stratified(labels, 3, Random(0))]
    assert sorted(held) == [0, 0, 1]
    (train,) = [train for train, test in folds.stratified(labels, 3, Random(0)) if 4 in test]
    assert {labels[i] for i in train} == {"a"}


@given(st.integers(2, 30), SEEDS, st.data())
def test_what_is_held_out_is_not_fitted_to(n, seed, data):
    """The two sides of a hold-out split have nothing in common, and together are everything  [VALIDATION.P1]."""
    count = data.draw(st.integers(1, n - 1))
    train, test = folds.hold_out(n, count, chance(seed))
    assert len(test) == count and not set(train) & set(test) and sorted(train + test) == list(range(n))


@pytest.mark.parametrize("train", [975, 950, 900, 750, 600, 500, 250, 100, 50, 25])
def test_the_sides_of_a_resplit_sum_to_all(train):
    """Kim's sizes: each training set and its test set sum to the 1000 points  [RESPLIT.P1] [KIM-4.2-learning]."""
    for fitted, judging in folds.resplits(1000, train, 3, Random(train)):
        assert (len(fitted), len(judging)) == (train, 1000 - train)
        assert sorted(fitted + judging) == list(range(1000))


def test_resplits_are_drawn_anew_each_time():
    """Splits differ from each other; of given sizes, some observations are left over  [RESPLIT]."""
    found = folds.resplits(20, 5, 4, Random(1), test=6)
    assert len({test for _, test in found}) == 4
    assert all(len(train) == 5 and len(test) == 6 and not set(train) & set(test) for train, test in found)
    assert not is_partition(20, found)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((10, 0, 1), "0 to fit to, 10 to judge by"),
        ((10, 10, 1), "10 to fit to, 0 to judge by"),
        ((10, 6, 1, None, 5), "6 to fit to, 5 to judge by"),
        ((10, 6, 0), "at least one split"),
        ((10, 6, 2), "chance for more than one"),
    ],
)
def test_resplits_that_cannot_be_are_refused(given, said):
    """Both sides hold something, and many splits need chance  [RESPLIT]."""
    with pytest.raises(InvalidInput, match=said):
        folds.resplits(*given)


@pytest.mark.parametrize("bad", [((0,), (0,)), ((0, 0), (1,)), ((), (1,)), ((0,), ()), ((0,), (5,)), ((0,), (-1,))])
def test_splits_of_others_are_checked(bad):
    """A place on both sides, twice, or outside, or an empty side, is refused with the split's number  [VALIDATION]."""
    good = ([0, 1], [2])
    assert folds.checked(5, [good]) == [((0, 1), (2,))]
    with pytest.raises(InvalidInput, match=r"split=1"):
        folds.checked(5, [good, bad])
