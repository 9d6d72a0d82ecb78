"""Leave-one-out."""

from fractions import Fraction

from refclass.discriminants.gaussian import lda
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from refclass.sample import data
from refclass.selection.leave_one_out import left_out, support_share

ROWS, LABELS = [[0], [1], [2], [9], [8], [10], [3]], [0, 0, 0, 1, 1, 1, 1]
SAMPLE = data.read(RATIONAL, ROWS, LABELS)


def judge(others, x):
    """Return the class number that a rule fitted to the others gives to x."""
    return lda.fit(RATIONAL, others).predict(x)


def test_each_observation_is_judged_by_the_others():
    """The i-th answer is that of a model fitted without observation i, asked about it  [CV-LOO]."""
    found = list(left_out(SAMPLE, judge))
    for i, said in enumerate(found):
        rest = data.read(RATIONAL, ROWS[:i] + ROWS[i + 1 :], LABELS[:i] + LABELS[i + 1 :])
        assert said == lda.fit(RATIONAL, rest).predict(SAMPLE.X[i])
    assert found[-1] == 0  # it lies among the other class


def test_the_apparent_error_flatters():
    """The rule errs on no fewer left-out observations than on those it was fitted to."""
    model = lda.fit(RATIONAL, SAMPLE)
    apparent = sum(model.predict(x) != g for x, g in zip(SAMPLE.X, SAMPLE.labels))
    assert sum(g != said for g, said in zip(SAMPLE.labels, left_out(SAMPLE, judge))) >= apparent == 1


def test_the_share_of_support_vectors_counts_multipliers_above_zero():
    """Two of four multipliers are above zero  [ESL-12.2.2-loo]."""
    assert support_share(Vector([Fraction(0), Fraction(1, 3), Fraction(0), Fraction(1)])) == Fraction(1, 2)
