"""The command that reproduces figures: what it writes, and what it refuses before anything is written."""

import os
from xml.etree import ElementTree

import pytest

from refclass.__main__ import main
from refclass.errors import InvalidInput, NoAnswer
from refclass.report import figures, gallery
from refclass.report.drawing import Drawing, Figure, Finding
from tests.report.drawings import drawn

QUICK = ["losses", "bounded_losses"]


def quiet(done, total, what):
    """No progress is shown."""


def test_a_folder_is_made_with_a_file_for_each_figure_and_a_page(tmp_path, capsys):
    """Each figure asked for, once, and a page that shows it with its numbers, findings and citations."""
    place = tmp_path / "new" / "folder"
    assert main(["reproduce", *QUICK, "--out", str(place)]) == 0
    assert sorted(p.name for p in place.iterdir()) == ["bounded_losses.svg", "index.html", "losses.svg"]
    page = (place / "index.html").read_text(encoding="utf-8")
    for name in QUICK:
        assert (place / f"{name}.svg").read_text(encoding="utf-8") == figures.FIGURES[name].svg(drawn(name))
        assert f'<img src="{name}.svg"' in page and all(mark in page for mark in figures.FIGURES[name].citations)
    root = ElementTree.fromstring(page.split("\n", 1)[1])
    cells = [cell.text for cell in root.iter("td")]
    assert "¼ Huberised squared hinge" in cells and "-2002" in cells
    out, err = capsys.readouterr()
    assert out.count("findings hold") == 2 and "index.html" in out and not err


def test_files_that_are_there_are_written_anew(tmp_path):
    """A second run leaves the same bytes and no other file."""
    for _ in range(2):
        list(gallery.reproduce(figures.chosen(["losses"]), str(tmp_path), quiet))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["index.html", "losses.svg"]


def test_figures_are_listed_with_what_they_cite(capsys):
    """--list names all of them, or those asked for, and draws nothing."""
    assert main(["reproduce", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(figures.FIGURES)
    assert main(["reproduce", "--list", "outlier"]) == 0
    assert "M-ISML-F27.17" in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_refused_in_one_line(tmp_path, capsys):
    """A file in its place, or above it; nothing is drawn for it."""
    (tmp_path / "file").write_text("here", encoding="utf-8")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        assert main(["reproduce", "losses", "--out", str(place)]) == 2
        err = capsys.readouterr().err
        assert err.startswith("refclass: reproduce: need a folder that can be written to; got file is no folder")
        assert err.count("\n") == 1
    with pytest.raises(InvalidInput, match="null"):
        list(gallery.reproduce([], "a\0b", quiet))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything may be written by this user")
def test_a_folder_without_permission_is_refused(tmp_path):
    """Before anything is drawn."""
    tmp_path.chmod(0o500)
    with pytest.raises(InvalidInput, match="Permission denied"):
        list(gallery.reproduce(figures.chosen(["losses"]), str(tmp_path / "new"), quiet))


def test_nothing_is_written_if_a_figure_is_refused(tmp_path):
    """All are drawn before the first is written."""

    def refused():
        raise NoAnswer("test", need="an answer", got="none")

    broken = Figure("broken", "Broken", (), "nothing", refused)
    with pytest.raises(NoAnswer):
        list(gallery.reproduce([*figures.chosen(["losses"]), broken], str(tmp_path / "new"), quiet))
    assert not (tmp_path / "new").exists()


def test_no_file_is_left_half_written(tmp_path, monkeypatch):
    """When the disk is full in the middle, the drafts go and the old files stay."""
    list(gallery.reproduce(figures.chosen(["losses"]), str(tmp_path), quiet))
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
        list(gallery.reproduce(figures.chosen(QUICK), str(tmp_path), quiet))
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
    assert "need names among losses" in capsys.readouterr().err and not (tmp_path / "new").exists()


def test_a_finding_that_does_not_hold_is_shown_as_such():
    """The page hides nothing, and text is text, whatever it looks like."""
    drawing = Drawing("a < b", drawn("losses").panels, ("<i>",), (("&",),), (Finding("1 > 2", False),))
    page = gallery.page([(Figure("name", "x < y", ("[A]",), "<given>", lambda: drawing), drawing)])
    assert "✗ does not hold: 1 &gt; 2" in page and "<th>&lt;i&gt;</th>" in page and 'alt="a &lt; b"' in page
    ElementTree.fromstring(page.split("\n", 1)[1])
