"""Tables of text: what is read, and what is refused in one line that names the place."""

from fractions import Fraction as Q

import pytest

from refclass.errors import InvalidInput
from refclass.number.binary64 import BINARY64
from refclass.oracle import table


def test_numbers_are_read_exactly_and_then_lifted():
    """0.1 is one tenth, or the nearest double after lifting."""
    t = table.parse("a,b,label\n0.1,1/3,u\n-2e-3,4,v\n", "given")
    assert t.numbers(["b", "a"]) == [[Q(1, 3), Q(1, 10)], [Q(4), Q(-1, 500)]]
    assert t.numbers(["a"], BINARY64.lift) == [[0.1], [-0.002]]
    assert t.column("label") == ["u", "v"]


def test_blank_lines_are_passed_over_and_lines_are_counted():
    """A refusal names the line of the file, blank ones counted."""
    with pytest.raises(InvalidInput, match=r"given: need a number .*--indicators.*; got 'x' \(line=4, column=a\)"):
        table.parse("a\n\n1\nx\n", "given").numbers(["a"])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "need a header line and rows of cells; got nothing"),
        ("a,b\n", "need at least one row below the header; got none"),
        ("a,a\n1,2\n", "need a header line of different names; got 'a' twice"),
        ("a,b\n1,2\n3\n", r"need 2 cells in each row; got 1 cell \(line=3\)"),
        ("a,b\n1,nan\n", r"need a number \(--na .*; got 'nan' \(line=2, column=b\)"),
        ("a,b\n1,1e999999\n", r"need a number; got '1e999999' \(line=2, column=b\)"),
        ("a,b\n1,\n", r"need a number \(--na .*; got '' \(line=2, column=b\)"),
    ],
)
def test_bad_tables_are_refused_naming_the_place(text, complaint):
    """Each fault of a table has its one line."""
    with pytest.raises(InvalidInput, match=complaint):
        table.parse(text, "given").numbers(["b"])


def test_a_missing_column_is_refused_naming_those_there_are():
    """The message lists the header."""
    with pytest.raises(InvalidInput, match="need a column among a, b; got 'c'"):
        table.parse("a,b\n1,2\n", "given").column("c")


def test_an_empty_label_is_refused():
    """A label must be there."""
    with pytest.raises(InvalidInput, match=r"need a value; got an empty cell \(line=3, column=b\)"):
        table.parse("a,b\n1,x\n2, \n", "given").column("b")


def test_a_missing_file_is_refused_with_the_systems_reason(tmp_path):
    """The file's name and why it cannot be read."""
    with pytest.raises(InvalidInput, match="No such file or directory"):
        table.read(str(tmp_path / "none.csv"))
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="need text in the encoding utf-8"):
        table.read(str(tmp_path / "binary.csv"))


@pytest.mark.parametrize(("name", "rows"), [("iris", 150), ("mixture", 200), ("synth_tr", 250), ("synth_te", 1000)])
def test_the_embedded_data_are_whole(name, rows):
    """Every embedded set has its rows, inputs that are numbers, and its target."""
    t = table.embedded(name)
    _, inputs, target = table.EMBEDDED[name]
    assert len(t.rows) == len(t.numbers(inputs)) == len(t.column(target)) == rows


def test_an_unknown_data_set_is_refused():
    """The message lists the embedded sets."""
    with pytest.raises(InvalidInput, match="among iris, mixture, synth_tr, synth_te; got 'vowel'"):
        table.embedded("vowel")


def test_cells_are_stripped_as_the_header_is():
    """Blanks around a name or a cell do not count."""
    t = table.parse(" x , class \n 1 , alpha\n2,beta \n", "given")
    assert t.names == ("x", "class") and t.column("class") == ["alpha", "beta"] and t.numbers(["x"]) == [[1], [2]]


@pytest.mark.parametrize(
    ("header", "complaint"),
    [("a,,b", r"a name for each column in the header; got an empty one \(column=2\)"), ("a,b,a", "'a' twice")],
)
def test_a_header_is_refused_for_its_true_reason(header, complaint):
    """An empty name and a repeated one are separated."""
    with pytest.raises(InvalidInput, match=complaint):
        table.parse(header + "\n1,2,3\n", "given")
