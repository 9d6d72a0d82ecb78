"""Tables as people and programs write them: each kind is read as it was meant, or refused in one line."""

import pytest

from refclass.errors import InvalidInput
from refclass.oracle import table
from refclass.oracle.readers import delimited_text
from refclass.oracle.readers.delimited_text import Form
from refclass.oracle.table import INDEX

ROWS = [["1", "2", "u"], ["3", "4.5", "v"]]
NAMES = ["a", "b", "c"]
PLAIN = "a,b,c\n1,2,u\n3,4.5,v\n"
SEMI, TAB, BLANK = {"delimiter": ";"}, {"delimiter": "tab"}, {"delimiter": "space"}

# Every kind that holds the same table: its bytes, and the options it needs.
SAME = {
    "plain": (PLAIN, {}),
    "no newline at the end": (PLAIN.rstrip(), {}),
    "lines of Windows": (PLAIN.replace("\n", "\r\n"), {}),
    "lines of old Macs": (PLAIN.replace("\n", "\r"), {}),
    "a byte order mark": ("\ufeff" + PLAIN, {}),
    "blank lines": ("\n" + PLAIN.replace("\n", "\n\n"), {}),
    "lines of commas": (PLAIN + ",,\n", {}),
    "blanks around cells": (" a , b , c \n 1 , 2 , u \n3,4.5 ,v\n", {}),
    "tabs around cells": ("a,\tb,c\t\n1,\t2,u\n3,4.5,v\n", {}),
    "quoted names": ('"a","b","c"\n1,2,u\n3,4.5,v\n', {}),
    "quoted words": ('a,b,c\n1,2,"u"\n3,4.5,"v"\n', {}),
    "quoted numbers": ('a,b,c\n"1","2",u\n"3","4.5",v\n', {}),
    "all quoted": ('"a","b","c"\n"1","2","u"\n"3","4.5","v"\n', {}),
    "blanks before quotes": ('a, "b", c\n1, "2", "u"\n3, "4.5" ,v\n', {}),
    "semicolons": (PLAIN.replace(",", ";"), SEMI),
    "semicolons, quoted": ('"a";"b";"c"\n1;2;"u"\n3;4.5;"v"\n', SEMI),
    "tabs": (PLAIN.replace(",", "\t"), TAB),
    "tabs, written \\t": (PLAIN.replace(",", "\t"), {"delimiter": "\\t"}),
    "bars": (PLAIN.replace(",", "|"), {"delimiter": "|"}),
    "colons": (PLAIN.replace(",", ":"), {"delimiter": ":"}),
    "blanks": (PLAIN.replace(",", " "), BLANK),
    "several blanks": (PLAIN.replace(",", "   "), BLANK),
    "blanks, quoted": ('"a" "b" "c"\n1 2 "u"\n3 4.5 "v"\n', BLANK),
    "columns in line": ("  a    b  c\n  1    2  u\n  3  4.5  v\n", BLANK),
    "UTF-16": (PLAIN.encode("utf-16"), {"encoding": "utf-16"}),
    "UTF-32": (PLAIN.encode("utf-32"), {"encoding": "utf-32"}),
    "UTF-16 without a mark": (PLAIN.encode("utf-16-le"), {"encoding": "utf-16-le"}),
    "code page 1252": (PLAIN.encode("cp1252"), {"encoding": "cp1252"}),
    "EBCDIC": (PLAIN.encode("cp037"), {"encoding": "cp037"}),
}

# Kinds with something more: bytes, options, the names and the rows that are meant.
OTHER = {
    "R's write.csv": ('"","a","b"\n"1",1,"u"\n"2",3,"v"\n', {}, [INDEX, "a", "b"], [["1", "1", "u"], ["2", "3", "v"]]),
    "pandas' to_csv": (",a,b\n0,1,u\n1,3,v\n", {}, [INDEX, "a", "b"], [["0", "1", "u"], ["1", "3", "v"]]),
    "pandas' index alone": (",a\n0,1\n", {}, [INDEX, "a"], [["0", "1"]]),
    "R's write.csv2": ('"";"a"\n"1";1,5\n', {**SEMI, "decimal": ","}, [INDEX, "a"], [["1", "1,5"]]),
    "R's write.table": (
        '"a" "b"\n"1" 1 "u"\n"2" 3 "v"\n',
        BLANK,
        [INDEX, "a", "b"],
        [["1", "1", "u"], ["2", "3", "v"]],
    ),
    "R's write.table with tabs": ("a\tb\n1\t5\tu\n", TAB, [INDEX, "a", "b"], [["1", "5", "u"]]),
    "no header": ("1,2,u\n3,4.5,v\n", {"header": False}, ["1", "2", "3"], ROWS),
    "no header, tabs": ("1\t2\tu\n3\t4.5\tv\n", {"header": False, **TAB}, ["1", "2", "3"], ROWS),
    "a comma in quotes": ('a,b\n1,"u, v"\n', {}, ["a", "b"], [["1", "u, v"]]),
    "a quote in quotes": ('a,b\n1,"u ""v"""\n', {}, ["a", "b"], [["1", 'u "v"']]),
    "a quote within a word": ('a,b\n1,5" pipe\n', {}, ["a", "b"], [["1", '5" pipe']]),
    "blanks in quotes are kept": ('a,b\n1," u "\n', {}, ["a", "b"], [["1", " u "]]),
    "a line break in quotes": ('a,b\n1,"u\nv"\n2,w\n', {}, ["a", "b"], [["1", "u\nv"], ["2", "w"]]),
    "an empty quoted cell": ('a,b\n1,""\n', {}, ["a", "b"], [["1", ""]]),
    "01 and 1": ("a,b\n1,01\n2,1\n", {}, ["a", "b"], [["1", "01"], ["2", "1"]]),
    "letters of all kinds": ("länge,种\n1,ü\n", {}, ["länge", "种"], [["1", "ü"]]),
    "one column": ("a\n1\n2\n", {}, ["a"], [["1"], ["2"]]),
    "a name broken into lines": ('"sepal\r\nlength",class\n1,u\n', {}, ["sepal length", "class"], [["1", "u"]]),
    "names with blanks": ("sepal length,class\n1,u\n", {}, ["sepal length", "class"], [["1", "u"]]),
    "names that are numbers": ("1,2\n3,u\n", {}, ["1", "2"], [["3", "u"]]),
}

# Kinds that are refused, with the words that say why.
BAD = {
    "nothing": ("", {}, "need a header line and rows of cells; got nothing"),
    "only blanks": (" \n\n", {}, "need a header line and rows of cells; got nothing"),
    "a header alone": ("a,b\n", {}, "need at least one row below the header"),
    "a name twice": ("a,a\n1,2\n", {}, "'a' twice"),
    "an empty name": ("a,,c\n1,2,3\n", {}, r"got an empty one \(column=2\)"),
    "a short row": ("a,b\n1\n", {}, r"need 2 cells in each row; got 1 cell \(line=2\)"),
    "a comma too many": ("a,b\n1,2,\n", {}, r"need 2 cells in each row; got 3 cells \(line=2\)"),
    "an open quote": ('a,b\n1,"u\n', {}, r"need quotes that are closed; got .* \(line=2\)"),
    "semicolons unsaid": ("a;b\n1;2\n", {}, "or --delimiter ';'"),
    "tabs unsaid": ("a\tb\n1\t2\n", {}, "or --delimiter 'tab'"),
    "another encoding": ("é,b\n1,2\n".encode("latin-1"), {}, "need text in the encoding utf-8"),
    "UTF-16 unsaid": (PLAIN.encode("utf-16"), {}, "need text in the encoding utf-8"),
    "a decimal comma unsaid": ("a;b\n1,5;2\n", SEMI, "need a number .--decimal , for decimal commas.; got '1,5'"),
    "a spreadsheet's first line": ("sep=,\na,b\n1,2\n", {}, "need a header line first, .*'sep='; got 'sep='"),
    "a comment first": (
        "# by hand\na,b\n",
        {},
        r"1 cell in each row, as in the header '# by hand'; got 2 cells .line=2",
    ),
    "UTF-16 without a mark, unsaid": (
        PLAIN.encode("utf-16-le"),
        {},
        r"need text without NUL .*utf-16.; got one .line=1",
    ),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\xff", {}, "need text in the encoding utf-8"),
}


def read(tmp_path, content, options):
    """Return the table of a file with that content."""
    path = tmp_path / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return table.read(str(path), Form(**options))


@pytest.mark.parametrize("kind", SAME)
def test_every_kind_holds_the_same_table(tmp_path, kind):
    """Names and rows are those of the plain one."""
    found = read(tmp_path, *SAME[kind])
    assert list(found.names) == NAMES and list(map(list, found.rows)) == ROWS and found.notes == ()


@pytest.mark.parametrize("kind", OTHER)
def test_every_kind_is_read_as_it_was_meant(tmp_path, kind):
    """Names, cells, and the index that is reported of."""
    content, options, names, rows = OTHER[kind]
    found = read(tmp_path, content, options)
    assert list(found.names) == names and list(map(list, found.rows)) == rows
    assert (INDEX in names) == any("an index, which is left out" in note for note in found.notes)
    assert INDEX not in found.inputs(names[-1])


@pytest.mark.parametrize("kind", BAD)
def test_every_bad_kind_is_refused_in_one_line(tmp_path, kind):
    """What was needed, what came, and where."""
    content, options, words = BAD[kind]
    with pytest.raises(InvalidInput, match=words) as refusal:
        read(tmp_path, content, options).numbers(["a"])
    assert "\n" not in str(refusal.value)


def test_numbers_with_a_decimal_comma_are_numbers():
    """1,5 is three halves, and 1.5 still is."""
    found = table.parse("a;b\n1,5;2.5\n", "given", Form(delimiter=";", decimal=","))
    assert [[float(v) for v in row] for row in found.numbers(["a", "b"])] == [[1.5, 2.5]]


def test_the_sign_of_minus_is_a_minus():
    """U+2212 before a number, as some countries' spreadsheets write it."""
    assert table.parse("a\n\N{MINUS SIGN}1.5\n", "given").numbers(["a"]) == [[-1.5]]


def test_rows_with_missing_values_are_left_out_and_noted():
    """Only those with one in a column that is used; all of them missing is refused."""
    found = table.parse("a,b,c\n1,NA,u\n2,3,v\n?,4,w\n", "given", Form(missing=("NA", "?")))
    assert [row[2] for row in found.complete(["b", "c"]).rows] == ["v", "w"]
    assert found.complete(["b"]).notes == ("1 row of given with a missing value left out",)
    assert found.complete(["a", "b"]).notes == ("2 rows of given with a missing value left out",)
    assert found.complete(["c"]) is found
    with pytest.raises(InvalidInput, match="a row with a value in every column"):
        table.parse("a\nNA\n", "given", Form(missing=("NA",))).complete(["a"])


def test_words_become_indicators_of_their_levels():
    """All but the first, in order; a level that was not there is refused."""
    found = table.parse("a,b\n1,x\n2,z\n3,y\n", "given")
    wide = found.with_indicators({"b": found.levels("b")})
    assert wide.names == ("a", "b=y", "b=z") and wide.rows == (("1", "0", "0"), ("2", "0", "1"), ("3", "1", "0"))
    with pytest.raises(InvalidInput, match=r"need a level of b among x, y; got 'z' \(line=3\)"):
        found.with_indicators({"b": ("x", "y")})


@pytest.mark.parametrize("options", [{"delimiter": ",,"}, {"delimiter": '"'}, {"decimal": ";"}, {"decimal": ","}])
def test_signs_that_cannot_do_their_work_are_refused(options):
    """One character, no quote, and a decimal point that is no delimiter."""
    with pytest.raises(InvalidInput, match="need a delimiter|need decimal"):
        Form(**options)


def test_lines_are_read_back():
    """What is written is quoted where it must be."""
    rows = [("a", "b"), ("u, v", ' "x" '), (1, "y\nz")]
    assert delimited_text.lines(rows) == ["a,b", '"u, v"," ""x"" "', '1,"y\nz"']
    assert table.parse("\n".join(delimited_text.lines(rows)), "given").rows == (("u, v", ' "x" '), ("1", "y\nz"))
