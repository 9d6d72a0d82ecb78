"""One machine for each class: any two-class model, two rules, and where they disagree with Bayes."""

from fractions import Fraction as Q
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.reduction import one_vs_rest
from refclass.margins.svm import fit as train
from refclass.margins.svm.soft import Machine
from refclass.number.rational import RATIONAL
from tests.numbers import STRICT
from tests.profiles import examples
from tests.strategies import fractions, samples

Z = [Vector([Q(a), Q(b)]) for a in range(-3, 4, 2) for b in range(-3, 4, 2)]


def means(X, weight=1):
    """A two-class model of means: f(z) = (z − (a + b)/2)ᵀ(a − b), a and b the means of the two sides."""

    def fit(question):
        sides = []
        for side in (1, -1):
            rows = [X[i] for i, s in zip(question.places, question.signs) if s == side]
            sides.append(Vector([sum(column) / Q(len(rows)) for column in zip(*rows)]))
        a, b = sides
        return SimpleNamespace(scores=lambda points: [(z - (a + b) / 2) @ (a - b) for z in points])

    return fit


def machines(X, costs):
    """Support vector machines with a linear kernel, exact, each row with its own cost."""

    def fit(question):
        points = Matrix([X[i] for i in question.places])
        own = tuple([costs[i] for i in question.places])
        y = Vector([Q(s) for s in question.signs])
        found = train.train(RATIONAL, Machine(gram(RATIONAL, Linear(), points), y, own), solver="active_set")
        return train.model(RATIONAL, RATIONAL, Linear(), tuple(points), found.alpha.times(y), found.beta0)

    return fit


def rows(X):
    """Rows of fractions."""
    return [Vector([Q(v) for v in x]) for x in X]


@settings(max_examples=examples(20))
@given(samples(classes=3, p=2))
def test_the_largest_value_wins_for_any_two_class_model(sample):
    """f_k is the value of the k-th model fitted to class k against all other rows; argmax_k f_k  [MMST-11.4.1-rest]."""
    X, y = rows(sample[0]), sample[1]
    model = one_vs_rest.fit(y, 3, means(X))
    for z, row, said in zip(Z, model.scores(Z), model.predict(Z)):
        for k in range(3):
            a, b = (Vector([sum(c) / Q(len(p)) for c in zip(*p)]) for p in (
                [x for x, g in zip(X, y) if g == k], [x for x, g in zip(X, y) if g != k]))  # fmt: skip
            assert row[k] == (z - (a + b) / 2) @ (a - b)
        assert row[said] == max(row)


@settings(max_examples=examples(20))
@given(samples(classes=2, p=2))
def test_for_two_classes_one_value_is_the_other_turned_round(sample):
    """f_1 = −f_2 for support vector machines of the same cost, so that the rule is the binary one  [MC-OVR.P1]."""
    X, y = rows(sample[0]), sample[1]
    model = one_vs_rest.fit(y, 2, machines(X, [Q(1)] * len(X)))
    for (first, second), said in zip(model.scores(Z), model.predict(Z)):
        assert first == -second and said == (0 if first >= second else 1)


@settings(max_examples=examples(20))
@given(samples(classes=3, p=2, per_class=(1, 3)), st.permutations(range(3)))
def test_relabelling_the_classes_relabels_the_values(sample, order):
    """Class k called order[k]: value order[k] of the one is value k of the other  [MC-OVR.P2] [MMST-11.4.1-rest]."""
    X, y = rows(sample[0]), sample[1]
    fit = machines(X, [Q(1, 2)] * len(X))
    old, new = one_vs_rest.fit(y, 3, fit), one_vs_rest.fit([order[g] for g in y], 3, fit)
    for before, after in zip(old.scores(Z), new.scores(Z)):
        assert all(after[order[k]] == before[k] for k in range(3))
        assert set(one_vs_rest.largest(after)) == {order[k] for k in one_vs_rest.largest(before)}


def lawful(laws, C):
    """The points 0, 1, … of the line with a law each as weights of three classes, and the exact machines for them."""
    X = [Vector([Q(x)]) for x in range(len(laws)) for _ in range(3)]
    y = [k for _ in laws for k in range(3)]
    return one_vs_rest.fit(y, 3, machines(X, [C * Q(p) for law in laws for p in law]))


@pytest.mark.parametrize("C", [Q(1, 10), Q(1), Q(100)])
def test_without_a_majority_every_machine_says_no_with_the_same_value(C):
    """p_k < ½ for all classes: f_1 = f_2 = f_3 = −1 exactly, while Bayes' rule names another class at each point
    [MC-OVR.P3] [RC-24] [BAYES-RULE]."""
    laws = [("3/10", "3/10", "4/10"), ("3/10", "9/20", "1/4")]
    model, points = lawful(laws, C), rows([[0], [1]])
    assert model.scores(points) == [Vector([Q(-1)] * 3)] * 2
    bayes = [max(range(3), key=lambda k: Q(law[k])) for law in laws]
    assert model.predict(points) == [0, 0] and bayes == [2, 1] and model.decided(points) == [None, None]


def test_without_a_majority_the_rule_may_be_wrong_without_a_tie():
    """At 0 class 0 is the most probable without a majority; class 1, which has it at 1, takes both
    [MC-OVR.P3] [RC-24]."""
    laws = [("9/20", "7/20", "1/5"), ("1/20", "9/10", "1/20")]
    model, points = lawful(laws, Q(5)), rows([[0], [1]])
    assert model.scores(points) == [Vector([Q(-1), Q(-1, 2), Q(-1)]), Vector([Q(-1), Q(1), Q(-1)])]
    assert model.predict(points) == [1, 1]
    assert max(range(3), key=lambda k: Q(laws[0][k])) == 0


@given(st.lists(fractions, min_size=2, max_size=5))
def test_the_rule_of_signs_agrees_with_the_largest_value_wherever_it_decides(values):
    """One positive value is the largest  [MC-OVR-SIGN.P1] [KIM-5-rest]."""
    found = one_vs_rest.alone(values)
    assert found is None or one_vs_rest.largest(values) == (found,)


@given(st.lists(fractions, min_size=2, max_size=5))
def test_the_unclassifiable_have_no_positive_value_or_several(values):
    """None if and only if the number of positive values is not one; zero is not positive
    [MC-OVR-SIGN.P2] [KIM-5-rest]."""
    assert (one_vs_rest.alone(values) is None) == (sum(v > 0 for v in values) != 1)


def test_the_caller_chooses_among_those_that_tie():
    """The earliest by default; the set of them is what the rule is given  [MC-OVR.P2]."""
    stub = SimpleNamespace
    model = one_vs_rest.Model(tuple([stub(scores=lambda Z, v=v: [v] * len(Z)) for v in (1, 3, 3)]))
    assert model.predict([0]) == [1] and model.predict([0], tie=max) == [2]
    seen = []
    model.predict([0], tie=lambda tied: seen.append(tied) or tied[0])
    assert seen == [(1, 2)]


def test_the_rules_are_exact_in_every_kind_of_number():
    """Strict numbers meet no float."""
    values = [STRICT.lift(v) for v in ("-1/3", "1/7", "1/7")]
    assert one_vs_rest.largest(values) == (1, 2) and one_vs_rest.alone(values) is None
    assert one_vs_rest.positives(values) == (1, 2)


def test_one_class_asks_no_question():
    """Fewer than two classes are refused."""
    with pytest.raises(InvalidInput, match="at least two classes"):
        one_vs_rest.questions([0, 0], 1)
