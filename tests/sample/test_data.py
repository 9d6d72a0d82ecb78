"""Input: what is accepted, in which order it is checked, and how the rest is refused."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.sample import data

FIELDS = [BINARY64, RATIONAL, decimal(30)]


class Frame:
    """Stands for rows of another library: it only iterates."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return iter(self.values)


class Array(Frame):
    """Stands for an array of another library: it knows how to become a list of Python's own numbers, too."""

    def tolist(self):
        return self.values


@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_numbers_of_every_kind_are_lifted(F):
    """Integers, floats, fractions and decimals become numbers of the field."""
    X = data.matrix(F, [[1, 0.5], [Fraction(1, 2), Decimal("0.25")]])
    assert all(type(v) is F.kind for row in X for v in row)
    assert float(X[1][1]) == 0.25


@pytest.mark.parametrize("F", FIELDS[1:], ids=lambda F: F.name)
def test_texts_are_numbers_where_they_are_exact(F):
    """Decimal texts and p/q are let in by exact and decimal arithmetic; for floats text is refused (see below)."""
    assert data.matrix(F, [["1/2", "2.5e-1"]]) == data.matrix(F, [[Fraction(1, 2), Decimal("0.25")]])


def test_floats_keep_their_value():
    """Doubles are let in as they are, exact fields take them at their exact value."""
    assert data.matrix(BINARY64, [[0.1, 0.2]])[0] == (0.1, 0.2)
    assert data.matrix(RATIONAL, [[0.1]])[0][0] == Fraction(3602879701896397, 36028797018963968)


def test_the_quick_way_in_is_the_long_way_in():
    """Rows of doubles, read at once, are the same matrix as rows that are read one number after the other."""
    rows = [[1.5, 2.0, -3.0], [0.0, 1e300, 5e-324]]
    quick, long = data.matrix(BINARY64, rows), data.matrix(BINARY64, Frame([iter(row) for row in rows]))
    assert quick == long and type(quick[0]) is type(long[0]) is Vector


def test_doubles_whose_sum_overflows_are_let_in():
    """A sum beyond the range of doubles does not mean that an entry is infinite."""
    assert data.matrix(BINARY64, [[1e308, 1e308], [1e308, 1e308]])[1] == (1e308, 1e308)


def test_arrays_become_numbers_of_python():
    """What knows how to become a list is asked to, so that no foreign number enters."""
    sample = data.read(BINARY64, Array([[1.0], [2.0]]), Array(["b", "a"]))
    assert Matrix([[1.0], [2.0]]) == sample.X and sample.classes == ("a", "b")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, "x", None, 1j, [1.0]])
@pytest.mark.parametrize("F", FIELDS, ids=lambda F: F.name)
def test_what_is_no_finite_number_is_refused_by_its_place(F, bad):
    """NaN, infinities, text and other things are refused, naming row and column."""
    with pytest.raises(InvalidInput) as refusal:
        data.matrix(F, [[1.0, 2.0], [3.0, bad]])
    assert refusal.value.witness == {"row": 1, "column": 1}


@pytest.mark.parametrize("rows", [[[1.0], [1.0, 2.0]], [[1.0, 2.0], []], [[]], [], [1.0], "12", 3, ["12"]])
def test_what_is_no_table_is_refused(rows):
    """Ragged, empty and flat input and text are refused."""
    with pytest.raises(InvalidInput):
        data.matrix(BINARY64, rows)


def test_rows_of_another_length_are_refused():
    """A row must have as many numbers as are asked for."""
    with pytest.raises(InvalidInput, match=r"need 3 numbers in each row of X; got 2 \(row=0\)"):
        data.matrix(BINARY64, [[1.0, 2.0]], columns=3)


def test_labels_are_sorted_where_they_can_be():
    """Classes stand in sorted order; labels without an order among them in that of their appearance."""
    assert data.labels([3, 1, 3])[0] == (1, 3)
    assert data.labels(["b", 1, "b"]) == (("b", 1), (0, 1, 0))


@pytest.mark.parametrize("bad", [None, math.nan, ["list"]])
def test_a_missing_label_is_refused_by_its_row(bad):
    """None, NaN and labels that cannot be hashed are refused, naming the row."""
    with pytest.raises(InvalidInput) as refusal:
        data.labels(["a", bad])
    assert refusal.value.witness == {"row": 1}


@pytest.mark.parametrize("y", ["ab", 3, ["a"], ["a", "b", "c"]])
def test_labels_of_another_number_are_refused(y):
    """There must be a label for each row, and text is no sequence of labels."""
    with pytest.raises(InvalidInput):
        data.labels(y, 2)


def test_one_class_is_refused():
    """A sample to tell classes apart needs two of them."""
    with pytest.raises(InvalidInput, match="at least 2 classes"):
        data.read(BINARY64, [[1.0], [2.0]], ["a", "a"])


@pytest.mark.parametrize(("weights", "match"), [([1, -1], "≥ 0"), ([1], "2 numbers"), ([0, 1], "positive weight")])
def test_bad_weights_are_refused(weights, match):
    """Weights are as many as rows, none negative, and no class has zeros only."""
    with pytest.raises(InvalidInput, match=match):
        data.read(BINARY64, [[1.0], [2.0]], ["a", "b"], weights)


def test_blocks_hold_each_class_on_its_side():
    """A block is the columns of the rows of a class, with their weights."""
    sample = data.read(RATIONAL, [[1, 2], [3, 4], [5, 6]], ["b", "a", "b"], [1, 2, 3])
    a, b = sample.blocks
    assert a.columns == ((3,), (4,)) and b.columns == ((1, 5), (2, 6))
    assert a.size == 2 and b.size == 4 and not b.plain
    assert sample.whole.columns == ((1, 3, 5), (2, 4, 6))


def test_leaving_one_out_keeps_the_classes():
    """A class stays when its only observation is left out; its block is then refused."""
    sample = data.read(BINARY64, [[1.0], [2.0], [3.0]], ["a", "a", "b"]).without(2)
    assert sample.n == 2 and sample.K == 2 and sample.members(0) == [0, 1] and sample.members(1) == []
    with pytest.raises(InvalidInput, match="an observation in every class"):
        _ = sample.blocks


def test_a_vector_names_the_row_of_what_is_no_number():
    """The refusal of a response names its row."""
    with pytest.raises(InvalidInput, match=r"row=1"):
        data.vector(BINARY64, [1.0, "x"])
    for bad in ("12", 3, [], [1.0]):
        with pytest.raises(InvalidInput):
            data.vector(BINARY64, bad, 2)
