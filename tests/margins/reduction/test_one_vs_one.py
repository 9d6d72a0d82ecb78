"""One machine for each pair: votes, ties, and the points that no one class wins."""

from fractions import Fraction as Q
from itertools import combinations, permutations
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.margins.reduction import one_vs_one
from tests.margins.reduction.test_one_vs_rest import Z, machines, means, rows
from tests.numbers import STRICT
from tests.profiles import examples
from tests.strategies import fractions, samples


@st.composite
def values(draw):
    """A number of classes, and a value for each of their pairs."""
    K = draw(st.integers(2, 5))
    m = K * (K - 1) // 2
    return K, draw(st.lists(fractions, min_size=m, max_size=m))


@settings(max_examples=examples(20))
@given(samples(classes=4, p=2, per_class=(1, 2)))
def test_each_pair_is_separated_by_its_own_rows_for_any_two_class_model(sample):
    """The model of the pair (j, k) has seen the rows of j and k, k being positive  [MMST-11.4.1-one]."""
    X, y = rows(sample[0]), sample[1]
    seen = []

    def fit(question):
        seen.append(question)
        return means(X)(question)

    model = one_vs_one.fit(y, 4, fit)
    assert [(q.no, q.yes) for q in seen] == list(combinations(range(4), 2)) and len(model.machines) == 6
    for q in seen:
        assert list(q.places) == [i for i, g in enumerate(y) if g in (q.no, q.yes)]
        assert [y[i] for i in q.places] == [q.yes if s > 0 else q.no for s in q.signs]


@given(values())
def test_votes_total_the_number_of_pairs(drawn):
    """Σ votes = K(K−1)/2, a value of zero being a vote for the later class  [MC-OVO.P1] [MMST-11.4.1-one]."""
    K, v = drawn
    assert sum(one_vs_one.votes(one_vs_one.winners(v, K), K)) == K * (K - 1) // 2


@settings(max_examples=examples(20))
@given(samples(classes=3, p=2, per_class=(1, 3)))
def test_the_value_of_a_pair_changes_its_sign_with_their_order(sample):
    """Fitted with the classes in the opposite order, every machine has −f: f_jk = −f_kj  [MC-OVO.P2]."""
    X, y = rows(sample[0]), sample[1]
    fit = machines(X, [Q(1)] * len(X))
    forth, back = one_vs_one.fit(y, 3, fit), one_vs_one.fit([2 - g for g in y], 3, fit)
    for f, b in zip(forth.scores(Z), back.scores(Z)):
        F, B = one_vs_one.table(f, 3), one_vs_one.table(b, 3)
        assert all(F[j][k] == -F[k][j] == B[2 - j][2 - k] for j in range(3) for k in range(3))


@settings(max_examples=examples(20))
@given(samples(classes=2, p=2))
def test_two_classes_are_one_machine(sample):
    """One pair, whose machine decides as it does alone; the votes are 0 and 1  [MC-OVO.P3]."""
    X, y = rows(sample[0]), sample[1]
    fit = machines(X, [Q(1)] * len(X))
    model = one_vs_one.fit(y, 2, fit)
    alone = fit(one_vs_one.questions(y, 2)[0]).scores(Z)
    assert [f for (f,) in model.scores(Z)] == list(alone)
    assert model.predict(Z) == [1 if f >= 0 else 0 for f in alone]
    assert model.votes(Z) == [(0, 1) if f >= 0 else (1, 0) for f in alone]


@settings(max_examples=examples(20))
@given(samples(classes=3, p=2, per_class=(1, 3)), st.permutations(range(3)))
def test_relabelling_the_classes_relabels_the_votes(sample, order):
    """Class k called order[k]: it has the same votes, but where a value is zero  [MMST-11.4.1-one]."""
    X, y = rows(sample[0]), sample[1]
    fit = machines(X, [Q(1, 2)] * len(X))
    old, new = one_vs_one.fit(y, 3, fit), one_vs_one.fit([order[g] for g in y], 3, fit)
    for values, before, after in zip(old.scores(Z), old.votes(Z), new.votes(Z)):
        if all(values):
            assert all(after[order[k]] == before[k] for k in range(3))
    for before, after in zip(old.decided(Z), new.decided(Z)):
        assert after == (None if before is None else order[before])


@given(values())
def test_the_unclassifiable_are_those_that_no_one_class_wins_most(drawn):
    """Counted by hand over ordered pairs: f_kj > 0 for more j than for any other class  [KIM-5-pairs]."""
    K, v = drawn
    table = one_vs_one.table(v, K)
    wins = [sum(table[k][j] > 0 for j in range(K)) for k in range(K)]
    best = [k for k in range(K) if wins[k] == max(wins)]
    found = one_vs_one.alone(one_vs_one.winners(v, K, strict=True), K)
    assert found == (best[0] if len(best) == 1 else None)


def test_a_circle_of_three_is_a_tie_that_is_reported():
    """Each class beats one of the others: three votes of one, the tie rule of the caller, undecided  [KIM-5-pairs]."""
    circles = [v for v in permutations([-1, 1, 1], 3) if one_vs_one.votes(one_vs_one.winners(v, 3), 3) == (1, 1, 1)]
    assert set(circles) == {(1, -1, 1)}
    model = one_vs_one.Model(tuple([SimpleNamespace(scores=lambda Z, f=f: [f] * len(Z)) for f in (1, -1, 1)]), 3)
    assert model.votes([0]) == [(1, 1, 1)] and model.decided([0]) == [None]
    assert model.predict([0]) == [0] and model.predict([0], tie=max) == [2]
    assert model.predict([0], tie=lambda tied: tied[len(tied) // 2]) == [1]


def test_a_point_on_a_boundary_is_won_by_nobody_in_the_strict_sense():
    """f = 0 is a vote for the later class, and none for Kim  [KIM-5-pairs] [MMST-11.2]."""
    assert one_vs_one.winners([0], 2) == (1,) and one_vs_one.winners([0], 2, strict=True) == (None,)
    model = one_vs_one.Model((SimpleNamespace(scores=lambda Z: Vector([Q(0)] * len(Z))),), 2)
    assert model.predict([0]) == [1] and model.decided([0]) == [None]


def test_the_votes_are_exact_in_every_kind_of_number():
    """Strict numbers meet no float."""
    v = [STRICT.lift(x) for x in ("-1/3", "1/7", 0)]
    assert one_vs_one.votes(one_vs_one.winners(v, 3), 3) == (1, 0, 2)
    assert one_vs_one.table(v, 3)[2][0] == STRICT.lift("1/7")


def test_one_class_has_no_pair():
    """Fewer than two classes are refused."""
    with pytest.raises(InvalidInput, match="at least two classes"):
        one_vs_one.pairs(1)


def test_a_column_for_each_class_keeps_the_votes_and_orders_equal_ones():
    """Three classes in a circle, one vote each: the largest part goes to the first, whoever has earned it."""
    values = [Q(-1), Q(3), Q(-1)]
    won = one_vs_one.votes(one_vs_one.winners(values, 3), 3)
    assert won == (1, 1, 1)
    found = one_vs_one.columns(won, values)
    assert found == sorted(found, reverse=True) and found == [1 + Q(1, 24), 1 + Q(0), 1 - Q(1, 24)]
    assert one_vs_one.columns((0, 1, 2), [Q(5), Q(5), Q(5)]) == [Q(-5, 18), Q(1), 2 + Q(5, 18)]
