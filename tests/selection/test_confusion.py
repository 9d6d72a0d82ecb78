"""Confusion counts, error rates, accuracies."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.selection.confusion import confusion, error_rate

pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["a", "b", "c", None])), min_size=1, max_size=12)


@given(pairs)
def test_the_error_rate_is_the_mass_off_the_diagonal(drawn):
    """(1/n) Σ [yᵢ ≠ ŷᵢ] is what lies off the diagonal, and what is undecided, over the total
    [RATE-TRAIN.P1] [RATE-TEST] [YANG-training-error] [YANG-test-error] [MMST-11.3.7-error].
    """
    truth, said = zip(*drawn)
    found = confusion(truth, said)
    off = sum(c for i, row in enumerate(found.counts) for j, c in enumerate(row) if i != j) + sum(found.undecided)
    assert found.errors == off == sum(t != s for t, s in drawn)
    assert found.error_rate == Fraction(off, len(drawn)) == error_rate(truth, said)


@given(pairs, st.randoms(use_true_random=False))
def test_the_order_of_the_observations_does_not_matter(drawn, rng):
    """Permuting truth and answers together changes no count  [RATE-TRAIN.P2]."""
    shuffled = drawn[:]
    rng.shuffle(shuffled)
    assert confusion(*zip(*drawn), classes="abc") == confusion(*zip(*shuffled), classes="abc")


@given(pairs)
def test_the_accuracy_is_the_weighted_mean_of_the_accuracies(drawn):
    """Σ correct/Σ n is the mean of correctₖ/nₖ weighted by nₖ  [ACC-CLASS.P1] [KIM-4.1-accuracy]."""
    found = confusion(*zip(*drawn), classes="abc")
    parts = [a * n for a, n in zip(found.accuracies, found.totals) if a is not None]
    assert found.accuracy == Fraction(sum(parts), found.total) == 1 - found.error_rate


# What the tables print: correct of 258 and of 242 test points, and three percentages, as printed.
TABLES = {
    "M-KIM-T1": (233, 210, "90.31", "86.78", "88.6"),
    "M-KIM-T2": (235, 210, "91.09", "86.78", "89"),
    "M-KIM-T3 cubic": (220, 228, "85.27", "94.21", "89.6"),
    "M-KIM-T3 radial": (242, 216, "93.8", "89.26", "91.6"),
}


@pytest.mark.parametrize("row", list(TABLES.values()), ids=list(TABLES))
def test_the_percentages_of_the_tables_follow_from_their_counts(row):
    """258 and 242 test points: class accuracies and their weighted mean are the printed percentages
    [ACC-CLASS.P1] [M-KIM-T1] [M-KIM-T2] [M-KIM-T3] [KIM-4.1-accuracy].
    """
    first, second, *printed = row
    truth = [1] * 258 + [2] * 242
    said = [1] * first + [2] * (258 - first) + [2] * second + [1] * (242 - second)
    found = confusion(truth, said)
    for value, text in zip([*found.accuracies, found.accuracy], printed):
        assert round(100 * value, len(text.partition(".")[2])) == Fraction(text)


def test_the_cubic_kernel_did_not_hurt():
    """The table has the cubic kernel above the linear one: 89.6 % against 89 %  [ERR-KIM-32]."""
    cubic, linear = (Fraction(a + b, 500) for a, b, *_ in (TABLES["M-KIM-T3 cubic"], TABLES["M-KIM-T2"]))
    assert cubic > linear


def test_undecided_points_are_errors_of_their_own_kind():
    """A point given to no class is counted with its class, but with no answer."""
    found = confusion(["a", "b"], [None, "b"])
    assert found.undecided == (1, 0) and found.totals == (1, 1) and found.errors == 1


def test_a_class_without_observations_has_no_accuracy():
    """An accuracy of 0/0 is None."""
    assert confusion(["a"], ["a"], classes=["a", "b"]).accuracies == (Fraction(1), None)


def test_labels_without_an_order_keep_that_of_their_appearance():
    """Labels of several types are taken in the order in which they come."""
    assert confusion(["b", 1], [1, "b"]).classes == ("b", 1)


@pytest.mark.parametrize(("truth", "said"), [([], []), (["a"], []), (["a"], ["a", "b"])])
def test_what_cannot_be_compared_is_refused(truth, said):
    """There must be as many answers as observations, and at least one."""
    with pytest.raises(InvalidInput):
        confusion(truth, said)
    with pytest.raises(InvalidInput, match="row=0"):
        confusion(["a"], ["z"], classes=["a"])
