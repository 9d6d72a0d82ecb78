"""Letters that an output's encoding lacks are spelt in ASCII, on every command."""

import io
import subprocess
import sys
import unicodedata

import pytest

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


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437"])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: " ".join(c[:2]) or "tour")
def test_commands_run_in_every_encoding(encoding, command):
    """What an 8-bit terminal or a redirected output of Windows asks for: exit 0, nothing on standard error."""
    ran = subprocess.run(
        [sys.executable, "-m", "refclass", *command],
        cwd=ROOT,
        env={"PYTHONIOENCODING": encoding, "PATH": ""},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"") and ran.stdout.decode(encoding)
