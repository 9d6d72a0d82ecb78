"""What splits say together: pooled errors, means, standard errors, confusion."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD
from refclass.selection import validate
from refclass.selection.confusion import confusion
from refclass.selection.folds import k_fold
from refclass.selection.validate import Fold, Validation
from tests.numbers import STRICT
from tests.strategies import fractions

# Tables 11.2 and 11.3: rows and rates, as printed.
TABLES = [
    (569, ".0158"), (4601, ".0691"), (351, ".0427"), (208, ".1010"), (345, ".2522"),
    (178, ".0169"), (150, ".0200"), (105, ".0286"), (43500, ".0019"), (145, ".0414"), (10992, ".0031"),
    (336, ".1280"), (846, ".1501"), (20000, ".0183"), (214, ".0093"), (1484, ".3935"),
]  # fmt: skip


@st.composite
def validations(draw):
    """Labels, what a rule says of each, and the validation by some folds."""
    truth = draw(st.lists(st.sampled_from("abc"), min_size=2, max_size=25))
    said = [draw(st.sampled_from("abc")) for _ in truth]
    k = draw(st.integers(2, len(truth)))
    splits = k_fold(len(truth), k, Random(draw(st.integers(0, 9))))
    found = [
        Fold(test, tuple(said[i] for i in test), tuple(int(said[i] != truth[i]) for i in test)) for _, test in splits
    ]
    return truth, said, Validation(tuple(found), tuple(truth))


@given(validations())
def test_pooled_errors_are_those_of_the_confusion(case):
    """The sum of losses is the confusion's count of errors, and n times the pooled rate  [CV-KFOLD.P3]."""
    truth, said, found = case
    table = confusion(truth, said)
    assert found.n == len(truth) and found.errors == table.errors
    assert found.rate == table.error_rate and (found.rate * found.n).denominator == 1
    assert found.confusion.counts == confusion(truth, said, found.confusion.classes).counts
    assert found.predictions == said and found.refused == [] and found.reason is None


@given(validations())
def test_the_mean_of_folds_is_the_pooled_rate_for_equal_sizes(case):
    """Folds of one size: the mean of their rates is the pooled rate; in general its weighted mean is  [CV-KFOLD]."""
    _, _, found = case
    sizes = [len(fold.test) for fold in found.folds]
    assert sum(Fraction(n, found.n) * r for n, r in zip(sizes, found.rates)) == found.rate
    if len(set(sizes)) == 1:
        assert found.mean == found.rate


@pytest.mark.parametrize(("n", "printed"), TABLES)
def test_each_printed_rate_is_a_count_of_errors(n, printed):
    """Some whole number of errors among n rounds to the printed rate  [CV-KFOLD.P3] [MMST-T11.2] [MMST-T11.3]."""
    rate, half = Fraction(printed), Fraction(1, 20000)
    count = round(rate * n)
    assert any(abs(Fraction(c, n) - rate) <= half for c in (count - 1, count, count + 1))


def test_the_folds_of_the_mail_data_have_the_printed_mean():
    """The ten accuracies printed have the mean .93088, an error of .0691: 318 of 4601  [MMST-T11.2] [M-MMST-SPAM]."""
    printed = [".9043", ".9478", ".9304", ".9261", ".9109", ".9413", ".9326", ".9500", ".9326", ".9328"]
    accuracies = [Fraction(v) for v in printed]
    assert validate.mean(accuracies) == Fraction(93088, 100000)
    assert round(1 - validate.mean(accuracies), 4) == round(Fraction(318, 4601), 4) == Fraction("0.0691")


@given(st.lists(fractions, min_size=2, max_size=8))
def test_the_variance_is_that_of_pairs(values):
    """Σ(vᵢ − v̄)²/(m − 1) is half the mean squared difference of pairs, exactly  [ESL-T12.2]."""
    m = len(values)
    pairs = [(a - b) ** 2 for i, a in enumerate(values) for b in values[:i]]
    assert validate.variance(values) == sum(pairs) / (m * (m - 1))
    assert validate.mean(values) == sum(values) / m


def test_the_standard_error_of_fifty_simulations_is_their_spread_by_root_fifty():
    """s.e. = sd/√50: for 25 zeros and 25 twos, sd² = 50/49 and the error is 1/7  [SIM-50.P1] [ESL-T12.2]."""
    values = [Fraction(0), Fraction(2)] * 25
    assert validate.mean(values) == 1 and validate.variance(values) == Fraction(50, 49)
    assert validate.standard_error(RATIONAL, values) == Fraction(1, 7)
    F = decimal(40)
    rounded = validate.standard_error(F, [F.lift(v) for v in values])
    assert abs(rounded * 7 - 1) <= THRESHOLD * F.eps
    assert validate.standard_error(BINARY64, [0.0, 2.0] * 25) == pytest.approx(1 / 7, abs=THRESHOLD * BINARY64.eps)


def test_one_value_has_no_spread():
    """A standard error needs two values, a mean one."""
    with pytest.raises(InvalidInput, match="at least two values"):
        validate.standard_error(RATIONAL, [Fraction(1)])
    with pytest.raises(InvalidInput, match="at least one value"):
        validate.mean([])
    assert Validation((Fold((0, 1), (1, 1), (0, 1)),), (1, 0)).standard_error is None


def test_means_are_exact_in_every_kind_of_number():
    """Whole numbers have a fraction for their mean; strict numbers meet no float."""
    assert validate.mean([0, 1, 1]) == Fraction(2, 3) and type(validate.mean([1, 1])) is Fraction
    strict = [STRICT.lift(v) for v in (1, 2, 6)]
    assert validate.mean(strict) == 3 and validate.variance(strict) == 7


def test_a_refused_fold_is_not_counted():
    """Its reason is kept; rate, mean and confusion are those of the others."""
    good = Fold((0, 2), ("a", "a"), (0, 1))
    found = Validation((good, Fold((1, 3), refused="NoAnswer: lda: need more")), ("a", "a", "b", "b"))
    assert found.n == 2 and found.rate == found.mean == Fraction(1, 2) and found.refused == [1]
    assert found.reason == "NoAnswer: lda: need more" and found.predictions == ["a", None, "a", None]
    assert found.confusion.total == 2 and found.confusion.classes == ("a", "b")
    none = Validation((Fold((0,), refused="no"),), ("a",))
    assert none.rate is None and none.mean is None and none.n == 0 and none.errors == 0


def test_numbers_have_no_confusion():
    """Squared residuals have a mean, but no table of labels."""
    found = Validation((Fold((0, 1), (Fraction(1), Fraction(2)), (Fraction(1, 4), Fraction(1, 2))),))
    assert found.rate == Fraction(3, 8) and found.predictions == [1, 2]
    with pytest.raises(InvalidInput, match="need labels; got numbers"):
        found.confusion  # noqa: B018
