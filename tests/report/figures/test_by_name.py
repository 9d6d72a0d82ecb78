"""The figures: what they show holds, what they draw lies within their axes, and every drawing is the same."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from refclass.oracle.equations import marks, specification
from refclass.report.figures import by_name as figures
from tests.report.drawings import LONG, QUICK, THOROUGH, drawn, holds

ROOT = Path(__file__).resolve().parents[3]
every = pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *[pytest.param(name, marks=pytest.mark.slow) for name in LONG],
        *[pytest.param(name, marks=pytest.mark.thorough) for name in THOROUGH],
    ],
)


@pytest.mark.many
@every
def test_a_figure_shows_what_it_says(name):
    """Every finding, counted when the figure is drawn, holds, and there is at least one; the SVG is the one that was
    looked at, is valid XML, has a frame for each panel, and every pixel in it is that of a number within the axes;
    every row of the table is as long as its header, and there is one at least
    [M-ESL-F4.6] [M-ESL-F4.9] [M-ESL-F12.1] [M-ESL-F12.2] [M-ESL-F12.3] [M-ESL-F12.4] [M-ESL-F12.5] [M-ESL-F12.6]
    [M-ESL-F12.7] [M-ESL-F12.8] [M-ISML-F27.10/11] [M-ISML-F27.12/13/18] [M-ISML-F27.14/15/16] [M-ISML-F27.17]
    [M-MMST-F11.1/2] [M-MMST-F11.4/5] [M-KIM-F2.1/2.2] [M-KIM-F4.1-4.4] [M-YANG-MDA] [M-YANG-FDA]
    [M-ISML-F27.1-5,7-9] [M-ISML-F27.6] [M-KIM-F3.1-3.8] [M-ESL-F4.4] [M-ESL-F4.7] [M-ESL-F4.8] [M-YANG-F12.10]
    [M-MMST-SPAM].
    """
    holds(name)


@pytest.mark.parametrize("name", QUICK)
def test_a_figure_drawn_again_has_the_same_bytes(name):
    """Chance is seeded, order is kept."""
    figure = figures.FIGURES[name]
    assert figure.svg(figure.drawn()) == figure.svg(drawn(name))


@pytest.mark.long
def test_another_process_draws_the_same_bytes():
    """Whatever Python's hashes are, a figure has the same text."""
    code = "import sys; from refclass.report.figures.by_name import FIGURES\n"
    code += f"for name in {QUICK}: sys.stdout.buffer.write(FIGURES[name].svg(FIGURES[name].draw()).encode())"
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True)
    assert not run.stderr, run.stderr.decode()
    assert run.stdout.decode() == "".join(figures.FIGURES[name].svg(drawn(name)) for name in QUICK)


@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_figure_cites_what_its_drawing_cites(name):
    """The citations shown to the reader are those of the code, and the specification knows them all."""
    figure = figures.FIGURES[name]
    assert list(figure.citations) == marks.MARK.findall(figure.draw.__doc__)
    assert all(marks.known(mark, specification.specification()) for mark in figure.citations)
    assert re.fullmatch("[a-z_]+", name) and figure.title and figure.given
