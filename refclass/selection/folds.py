"""Which observations a model is fitted to, and which judge it: folds, leave-one-out, hold-out, repeated splits.

A split is a pair (training places, test places), both ascending, numbers of observations 0 … n − 1 that have none in
common. Chance is a generator of random numbers: without one, folds are dealt in the order of the data.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from random import Random
from typing import Optional

from refclass.errors import InvalidInput, quoted

Places = tuple[int, ...]
Split = tuple[Places, Places]


def k_fold(n: int, k: int, rng: Optional[Random] = None) -> list[Split]:
    """Return k splits whose test sets part the n observations  [CV-KFOLD].

    The observations, in an order that chance has made, are dealt to the folds in turn, so that sizes differ by at most
    one. k = n is leave-one-out.

    Raises    InvalidInput unless 2 ≤ k ≤ n: one fold would leave nothing to fit to, and no fold may be empty

    Example
        >>> k_fold(5, 2)
        [((1, 3), (0, 2, 4)), ((0, 2, 4), (1, 3))]
    """
    return _dealt(_shuffled(range(n), rng), k)


def stratified(labels: Sequence[Hashable], k: int, rng: Optional[Random] = None) -> list[Split]:
    """Return k splits whose test sets part the observations, each class shared out as evenly as can be  [CV-KFOLD].

    The observations of the first class are dealt to the folds in turn, those of the next go on from where they ended:
    the sizes of the folds, and what each has of a class, differ by at most one. A class smaller than k is missing from
    some folds; a class of one observation is missing from the training set that its fold leaves.

    Raises    InvalidInput unless 2 ≤ k ≤ n

    Example
        >>> [test for _, test in stratified("aabbba", 3)]
        [(0, 2), (1, 3), (4, 5)]
    """
    members: dict[Hashable, list[int]] = {}
    for i, label in enumerate(labels):
        members.setdefault(label, []).append(i)
    return _dealt([i for own in members.values() for i in _shuffled(own, rng)], k)


def leave_one_out(n: int) -> list[Split]:
    """Return n splits, each with one observation to judge by  [CV-LOO].  Raises InvalidInput unless n ≥ 2."""
    return k_fold(n, n)


def hold_out(n: int, test: int, rng: Optional[Random] = None) -> Split:
    """Return one split with that many observations to judge by  [VALIDATION].

    Raises    InvalidInput unless 1 ≤ test < n
    """
    (split,) = resplits(n, n - test, 1, rng)
    return split


def resplits(n: int, train: int, times: int, rng: Optional[Random] = None, test: Optional[int] = None) -> list[Split]:
    """Return splits drawn independently: `train` observations to fit to, `test` of the others (all of them)  [RESPLIT].

    Raises    InvalidInput unless train ≥ 1, test ≥ 1, train + test ≤ n and times ≥ 1; without chance unless times = 1

    Example
        >>> resplits(1000, 25, 1)[0][1][:3]
        (25, 26, 27)
    """
    if any(type(count) is not int for count in (train, times, 0 if test is None else test)):
        raise InvalidInput(
            "folds", need="whole numbers of observations and of splits", got=quoted([train, test, times])
        )
    rest = n - train if test is None else test
    if train < 1 or rest < 1 or train + rest > n:
        need = f"at least one observation on either side, and together at most {n}"
        raise InvalidInput("folds", need=need, got=f"{train} to fit to, {rest} to judge by")
    if times < 1 or (times > 1 and rng is None):
        raise InvalidInput("folds", need="at least one split, and chance for more than one", got=times)
    orders = [_shuffled(range(n), rng) for _ in range(times)]
    return [(tuple(sorted(o[:train])), tuple(sorted(o[train : train + rest]))) for o in orders]


def checked(n: int, splits: Iterable[tuple[Iterable[int], Iterable[int]]]) -> list[Split]:
    """Return splits that somebody else has made  [VALIDATION].

    Raises    InvalidInput, naming the split, unless there is one, and in each both sides hold at least one place among
              0 … n − 1, none twice and none on both sides
    """
    found = [(tuple(train), tuple(test)) for train, test in splits]
    if not found:
        raise InvalidInput("folds", need="at least one split", got="none")
    for k, (train, test) in enumerate(found):
        both = train + test
        if not train or not test or len(set(both)) < len(both) or not all(_is_place(i, n) for i in both):
            need = f"different places among 0 … {n - 1} on either side"
            raise InvalidInput("folds", need=need, got=f"{list(train)} and {list(test)}", split=k)
    return found


def _is_place(i: object, n: int) -> bool:
    return type(i) is int and 0 <= i < n


def _shuffled(places: Iterable[int], rng: Optional[Random]) -> list[int]:
    order = list(places)
    if rng is not None:
        rng.shuffle(order)
    return order


def _dealt(order: list[int], k: int) -> list[Split]:
    n = len(order)
    if type(k) is not int or not 2 <= k <= n:
        raise InvalidInput("folds", need=f"a number of folds from 2 to the {n} observations", got=k)
    folds = [0] * n
    for position, i in enumerate(order):
        folds[i] = position % k
    every = sorted(order)
    return [(tuple([i for i, fold in zip(every, folds) if fold != j]), tuple(sorted(order[j::k]))) for j in range(k)]
