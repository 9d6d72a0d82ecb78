"""What machines of pairs say of a point, counted once."""

from itertools import combinations, product

import pytest

from refclass.oracle.judging.comparison import counted

CLASSES = ["a", "b", "c"]


@pytest.mark.parametrize("near", list(product([False, True], repeat=3)))
def test_votes_are_possible_if_some_way_to_count_zeros_leads_to_them(near):
    """The first class of each pair wins, or the second where the value is zero; all triples of votes are tried."""
    pairs = list(combinations(range(3), 2))
    sides = [(zero, False) for zero in near]
    ways = product(*[pair if zero else pair[:1] for pair, zero in zip(pairs, near)])
    right = [[won.count(k) for k in range(3)] for won in ways]
    for votes in product(range(3), repeat=3):
        assert counted.possible(sides, {"votes": list(votes)}, CLASSES) == (list(votes) in right)


def test_what_is_said_of_a_point_is_said_of_one_count():
    """f₁₂ is zero, to the digits asked for: a wins two pairs, or each class one; no part of either beside the other."""
    sides = [(True, False), (False, False), (False, False)]
    two = {"votes": [2, 1, 0], "labels": "a", "unclassifiable": False, "decision": [2.1, 1.0, -0.1]}
    one = {"votes": [1, 2, 0], "labels": "b", "unclassifiable": False, "decision": [1.0, 2.1, -0.1]}
    assert counted.possible(sides, two, CLASSES) and counted.possible(sides, one, CLASSES)
    for name in ("votes", "labels", "decision"):
        assert not counted.possible(sides, {**one, name: two[name]}, CLASSES)


def test_zero_is_won_by_nobody_where_points_without_a_class_are_told():
    """Votes go by a rule for ties; that no class wins is right all the same, but not of values other than zero."""
    told = {"votes": [2, 1, 0], "unclassifiable": True}
    assert counted.possible([(True, False), (False, False), (False, False)], told, CLASSES)
    assert not counted.possible([(False, False)] * 3, told, CLASSES)


def test_of_classes_against_all_others_not_exactly_one_says_yes():
    """Values of zero say yes or no."""
    for values, right in (([1, -1, -2], {False}), ([1, 2, -1], {True}), ([0, -1, -1], {False, True})):
        assert {v for v in (False, True) if counted.by_signs({"decision": values, "unclassifiable": v}, 3)} == right
