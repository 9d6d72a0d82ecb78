"""The command that reproduces figures and tables: what it writes, continues, and refuses before anything is written."""

import json
import os
from xml.etree import ElementTree

import pytest

from refclass.__main__ import main
from refclass.errors import InvalidInput, NoAnswer
from refclass.report.drawing.figure import Drawing, Figure, Finding
from refclass.report.figures import by_name as figures
from refclass.report.pages import gallery, reproduction
from refclass.report.tables import table
from refclass.report.tables.catalogue import TABLES
from refclass.report.tables.table import Job, Line, Size, Table
from tests.report.drawings import drawn

QUICK = ["losses", "bounded_losses"]
ONCE = Size(quick=True)


def quiet(done, total, what):
    """No progress is shown."""


def reproduced(asked, place):
    """Reproduce into a folder, in this process."""
    return list(reproduction.reproduce(asked, str(place), quiet, ONCE))


def test_a_folder_is_made_with_a_file_for_each_figure_and_a_page(tmp_path, capsys):
    """Each figure asked for, once, and a page of its area that shows it with its numbers, findings and citations."""
    place = tmp_path / "new" / "folder"
    assert main(["reproduce", *QUICK, "--out", str(place)]) == 0
    assert sorted(p.name for p in place.iterdir()) == ["bounded_losses.svg", "index.html", "losses.html", "losses.svg"]
    page = (place / "losses.html").read_text(encoding="utf-8")
    for name in QUICK:
        assert (place / f"{name}.svg").read_text(encoding="utf-8") == figures.FIGURES[name].svg(drawn(name))
        assert f'<section id="{name}">' in page and all(mark in page for mark in figures.FIGURES[name].citations)
        assert f'losses.html#{name}"' in (place / "index.html").read_text(encoding="utf-8")
    root = ElementTree.fromstring(page.split("\n", 1)[1])
    cells = [cell.text for cell in root.iter("td")]
    assert "¼ Huberised squared hinge" in cells and "-2002" in cells
    assert len(list(root.iter("svg"))) == sum(len(drawn(name).panels) for name in QUICK)
    out, err = capsys.readouterr()
    assert out.count("findings hold") == 2 and "index.html" in out and not err


def test_files_that_are_there_are_written_anew(tmp_path):
    """A second run leaves the same bytes and no other file."""
    for _ in range(2):
        reproduced(reproduction.chosen(["losses"]), tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["index.html", "losses.html", "losses.svg"]


def test_names_choose_figures_and_tables():
    """Each once; all figures without a name; groups by their names; an unknown one is refused with those there are."""
    found = reproduction.chosen(["path", "losses", "path", "orange"])
    assert {f.name for f in found.figures} == {"path", "losses"} and [t.name for t in found.tables] == ["orange"]
    assert [f.name for f in reproduction.chosen([]).figures] == list(figures.FIGURES)
    whole = reproduction.chosen(["all"])
    assert whole.book and len(whole.tables) == len(TABLES) and len(whole.figures) == len(figures.FIGURES)
    assert not set(figures.FIGURES) & set(TABLES) and not {*figures.FIGURES, *TABLES} & set(reproduction.GROUPS)
    with pytest.raises(InvalidInput, match="need names among all, .*; got 'loss'"):
        reproduction.chosen(["loss"])


def count(number):
    """A job: each call leaves a trace."""
    DONE.append(number)
    if number == BAD[0]:
        raise KeyboardInterrupt
    return number


DONE, BAD = [], [-1]
COUNTED = Table(
    "counted",
    "Counted",
    ("[A]",),
    "nothing",
    lambda size: [Job(f"counted/{n}", count, (n,)) for n in range(size.of(2, 4))],
    lambda results: [Line(("row", key), 1.0, float(v), 0.5, 0.5) for key, v in results.items()],
    "machines",
)


def test_an_interrupted_run_is_continued(tmp_path):
    """What is finished when it is interrupted is not done again; a longer run adds to a shorter one."""
    asked = reproduction.Chosen((), (COUNTED,))
    DONE.clear()
    BAD[0] = 1
    with pytest.raises(KeyboardInterrupt):
        reproduced(asked, tmp_path)
    assert DONE == [0, 1] and list(json.loads((tmp_path / "results.json").read_text())["finished"]) == ["counted/0"]
    BAD[0] = -1
    reproduced(asked, tmp_path)
    assert DONE == [0, 1, 1]
    list(reproduction.reproduce(asked, str(tmp_path), quiet, Size()))
    assert DONE == [0, 1, 1, 2, 3]
    assert "| row | counted/3 | 1.000 (0.500) | 3.000 (0.500) | +2.000 | +2.8 ✗ |" in (
        tmp_path / "tables.md"
    ).read_text(encoding="utf-8")


def test_a_file_that_no_run_wrote_is_refused(tmp_path):
    """In one line, and it stays."""
    (tmp_path / "results.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InvalidInput, match="a file that `reproduce` wrote, or none"):
        reproduced(reproduction.Chosen((), (COUNTED,)), tmp_path)
    assert (tmp_path / "results.json").read_text(encoding="utf-8") == "[]"


def test_what_needs_data_that_are_absent_is_named(tmp_path):
    """A table whose files are not there is not computed, and the index says which files it needs."""
    lines = reproduced(reproduction.chosen(["spam"]), tmp_path)
    assert any(line.startswith("not computed: E-mail or spam") and "spam.csv" in line for line in lines)
    assert "needs spam.csv" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_differences_are_reported_in_standard_errors():
    """Of both numbers together; none where neither has one; a mean has its s/√n [SIM-50.P1]."""
    line = Line(("a", "b"), 0.5, 0.56, 0.03, 0.04)
    assert line.in_errors == pytest.approx(1.2) and line.cells()[5] == "+1.2"
    assert Line(("a", "b"), 0.5, 0.56).in_errors is None and Line(("a", "b"), None, 1.0).difference is None
    centre, error = table.mean([1.0, 2.0, 3.0, 6.0])
    assert (centre, error) == (3.0, pytest.approx((14 / 3 / 4) ** 0.5))
    with pytest.raises(InvalidInput, match="two values"):
        table.mean([1.0])


def test_figures_are_listed_with_what_they_cite(capsys):
    """--list names all of them, or those asked for, and draws nothing."""
    assert main(["reproduce", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(figures.FIGURES)
    assert main(["reproduce", "--list", "all"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*figures.FIGURES, *TABLES]
    assert main(["reproduce", "--list", "outlier"]) == 0
    assert "M-ISML-F27.17" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_refused_in_one_line(tmp_path, capsys):
    """A file in its place, or above it; nothing is drawn for it."""
    (tmp_path / "file").write_text("here", encoding="utf-8")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        assert main(["reproduce", "losses", "--out", str(place)]) == 2
        err = capsys.readouterr().err
        assert err.startswith("refclass: folder: need a folder that can be written to; got file is no folder")
        assert err.count("\n") == 1
    with pytest.raises(InvalidInput, match="null"):
        reproduced(reproduction.Chosen((), ()), "a\0b")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything may be written by this user")
def test_a_folder_without_permission_is_refused(tmp_path):
    """Before anything is drawn."""
    tmp_path.chmod(0o500)
    with pytest.raises(InvalidInput, match="Permission denied"):
        reproduced(reproduction.chosen(["losses"]), tmp_path / "new")


def test_nothing_is_written_if_a_figure_is_refused(tmp_path, monkeypatch):
    """All are drawn before the first is written."""

    def refused():
        raise NoAnswer("test", need="an answer", got="none")

    broken = Figure("broken", "Broken", (), "nothing", refused)
    monkeypatch.setitem(figures.FIGURES, "broken", broken)
    with pytest.raises(NoAnswer):
        reproduced(reproduction.chosen(["losses", "broken"]), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_no_file_is_left_half_written(tmp_path, monkeypatch):
    """When the disk is full in the middle, the drafts go and the old files stay."""
    reproduced(reproduction.chosen(["losses"]), tmp_path)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    written = []

    def full(path, content):
        written.append(path.name)
        if len(written) == 2:
            raise OSError(28, "No space left on device")
        return original(path, content)

    original = type(tmp_path).write_bytes
    monkeypatch.setattr(type(tmp_path), "write_bytes", full)
    with pytest.raises(InvalidInput, match="No space left on device"):
        reproduced(reproduction.chosen(QUICK), tmp_path)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before and len(written) == 2


@pytest.mark.parametrize(
    ("arguments", "need"),
    [([], "one of the arguments --out --list is required"), (["--out", "x", "--list"], "not allowed with")],
)
def test_the_command_needs_a_folder_or_the_list(arguments, need, capsys):
    """One of the two, in one line."""
    with pytest.raises(SystemExit) as leaving:
        main(["reproduce", "losses", *arguments])
    err = capsys.readouterr().err
    assert leaving.value.code == 2 and need in err and err.count("\n") == 1


def test_an_unknown_name_is_refused_with_those_there_are(capsys, tmp_path):
    """In one line, and nothing is written."""
    assert main(["reproduce", "loses", "--out", str(tmp_path / "new")]) == 2
    assert (
        "need names among all, figures, tables, book, losses" in capsys.readouterr().err
        and not (tmp_path / "new").exists()
    )


def test_a_finding_that_does_not_hold_is_shown_as_such():
    """The page hides nothing, and text is text, whatever it looks like."""
    drawing = Drawing("a < b", drawn("losses").panels, ("<i>",), (("&",),), (Finding("1 > 2", False),))
    figure = Figure("name", "x < y", ("[A]",), "<given>", lambda: drawing)
    page = gallery.pages(gallery.Contents(((figure, drawing),), ()), ())["machines.html"]
    assert "✗ does not hold: 1 &gt; 2" in page and "&lt;i&gt;</th>" in page and "a &lt; b</p>" in page
    ElementTree.fromstring(page.split("\n", 1)[1])


@pytest.mark.parametrize(
    ("holds", "words"),
    [
        ([True], "1 of 1 finding holds"),
        ([False], "0 of 1 finding hold"),
        ([True, True], "2 of 2 findings hold"),
        ([True, False], "1 of 2 findings holds"),
    ],
)
def test_findings_are_counted_in_words(holds, words):
    """One holds, two hold."""
    assert gallery.held([Finding("", one) for one in holds]) == words
