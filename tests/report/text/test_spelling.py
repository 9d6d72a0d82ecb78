"""Letters that an output's encoding lacks are spelt in ASCII, on every command."""

import contextlib
import io
import subprocess
import sys
import unicodedata

import pytest

from refclass.__main__ import main
from refclass.report.text import spelling
from tests.architecture.tree import ROOT

COMMANDS = ([], ["methods"], ["fit", "lda", "--data", "iris", "--target", "species"])


def written(encoding, text):
    """Return what a stream of that encoding holds after the text was written to it, with the letters spelt."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding)
    spelling.adapt(stream)
    stream.write(text)
    stream.flush()
    return raw.getvalue().decode(encoding)


def test_what_the_encoding_has_stays_as_it_is():
    """UTF-8 loses nothing; latin-1 keeps é and × and spells λ."""
    assert written("utf-8", "Σ̂ λ × é") == "Σ̂ λ × é"
    assert written("latin-1", "λ × é") == "lambda × é"


def test_every_letter_of_the_package_has_a_spelling():
    """No letter that stands in the package's sources is written as a question mark."""
    letters = {
        c
        for path in (ROOT / "refclass").rglob("*.py")
        for c in path.read_text(encoding="utf-8")
        if c > "~" and c != "\ufffd"
    }
    lost = sorted(c for c in letters if "?" in spelling.spelt(c))
    assert not lost, [(c, unicodedata.name(c, "")) for c in lost]


@pytest.fixture(scope="module")
def said():
    """Return what the commands print where every letter can be."""
    found = []
    for command in COMMANDS:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            assert main(command) == 0
        found.append(out.getvalue())
    return "".join(found)


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437", "utf-8"])
def test_commands_can_be_written_in_every_encoding(encoding, said):
    """What the tour, `methods` and `fit` print has no letter that turns into a question mark."""
    text = written(encoding, said)
    assert text.count("?") == said.count("?") and text.count("\n") == said.count("\n")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_command_runs_where_the_output_has_few_letters(encoding):
    """What an 8-bit terminal or a redirected output of Windows requires: exit 0, nothing on standard error."""
    ran = subprocess.run(
        [sys.executable, "-m", "refclass", "fit", "lda", "--data", "iris", "--target", "species"],
        cwd=ROOT,
        env={"PYTHONIOENCODING": encoding, "PATH": ""},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"") and ran.stdout.decode(encoding)
