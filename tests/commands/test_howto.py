"""The how-tos of the specification: each command of each page gives the lines and exit status that stand there."""

import pathlib
import re
import shlex

import pytest

from refclass.__main__ import main

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "spec" / "howto"
PAGES = sorted(path.stem for path in FOLDER.glob("*-*.md"))
THREADS = {
    "cuml-2686", "scikit-learn-15856", "scikit-learn-12849", "scikit-learn-8212", "scikit-learn-33626", "libsvm-220",
    "qpbenchmark-10",
}  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_its_commands_say(page, tmp_path, monkeypatch, capsys):
    """The files of the page are written, its commands run, and every line under a command is in what it prints."""
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name, content in re.findall(r"^```(?:json|text) (\S+)\n(.*?)^```", text, re.M | re.S):
        (tmp_path / name).write_text(content, encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) >= 2
    for block in blocks:
        command, *lines, last = block.strip().splitlines()
        words = shlex.split(command)
        assert words[:4] == ["$", "python", "-m", "refclass"] and lines
        status = main(words[4:])
        printed = [line.strip().rstrip(",") for line in capsys.readouterr().out.splitlines()]
        assert last == f"exit status {status}", command
        assert [line for line in lines if line not in printed] == [], command


def test_every_thread_has_its_page():
    """The threads that a judge should settle have a page each, and the front page links it."""
    front = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(PAGES) == THREADS and all(f"({page}.md)" in front for page in PAGES)
