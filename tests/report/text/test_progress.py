"""How far long work has come is shown where there is a terminal, and nowhere else."""

import io
import sys
import time

import pytest

from refclass.report.text.progress import Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        """It is one."""
        return True


def test_steps_are_a_bar():
    """What is done, of how much; at the end nothing is left."""
    screen = Terminal()
    bar = Progress(screen)
    bar(1, 3, "fold 2")
    assert screen.getvalue().endswith("[##########....................] 1/3 fold 2".ljust(79))
    bar(3, 3, "")
    assert screen.getvalue().endswith("\r" + " " * 79 + "\r")


def test_work_that_says_nothing_is_shown_with_its_seconds(monkeypatch):
    """After the silent time; what is printed takes the bar away first, and the stream is given back."""
    screen, out = Terminal(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    with Progress(screen, silent=0.02) as bar:
        end = time.monotonic() + 5
        while "working (" not in screen.getvalue() and time.monotonic() < end:
            time.sleep(0.01)
        bar(0, 2, "proof")
        print("done")
        assert screen.getvalue().endswith("\r" + " " * 79 + "\r") or "proof (" in screen.getvalue()
    assert "working (" in screen.getvalue() and out.getvalue() == "done\n" and sys.stdout is out


@pytest.mark.parametrize("stream", [io.StringIO()])
def test_no_terminal_no_bar(stream):
    """A file or a pipe stays clean."""
    with Progress(stream, silent=0.001) as bar:
        bar(1, 2, "x")
        time.sleep(0.01)
    assert stream.getvalue() == ""
