"""Figures drawn once for all tests, and what is read back from their SVG text."""

import hashlib
from functools import cache
from unittest.mock import ANY
from xml.etree import ElementTree

import pytest

from refclass.report.drawing import svg
from refclass.report.figures import by_name as figures
from refclass.report.tables.table import Size
from tests.golden.cases import DATA

QUICK = (
    "losses",
    "bounded_losses",
    "residual_losses",
    "margins",
    "path",
    "outlier",
    "linear_machines",
    "directions",
    "quadratic_borders",
    "hyperplanes",
    "optima",
    "similarity",
    "lifted",
    "unequal_variances",
)
THOROUGH = ("mails", "costs", "kernel_logistic", "spirals")
SHARED = ("flexible_vowels",)  # checked in tests/golden/test_vowel_flexible.py, which has its machine, too
LONG = tuple(name for name in figures.FIGURES if name not in (*QUICK, *THOROUGH, *SHARED))
DIGESTS = {  # of the SVG texts: every number that is drawn, on 22 figures
    "losses": "79daccb37b",
    "bounded_losses": "f30cbe085a",
    "residual_losses": "137f211fc8",
    "margins": "2d94d6af9d",
    "path": "c8b539e352",
    "outlier": "5bc770ca06",
    "linear_machines": "2b8099d72f",
    "directions": "e1d88e7ddc",
    "quadratic_borders": "a702fd89d9",
    "hyperplanes": "5d94248f0d",
    "optima": "5ccf185e03",
    "similarity": "6e041aa35f",
    "lifted": "f1d8227de7",
    "unequal_variances": "45eb1e0f4b",
    "kernel_machines": "81b2a33598",
    "kernel_logistic": "fb06e7da17",
    "costs": "15f169fd80",
    "spirals": "73b20e4e34",
    "flexible_borders": "f9bc38f440",
    "four_rules": "91214da4e1",
    "canonical": "4d314246d9",
    "regularised": "c349f754f8",
}
SPACE = "{http://www.w3.org/2000/svg}"
FOLDER = str(DATA)


@cache
def drawn(name):
    """Return the drawing of a figure."""
    if not Size(folder=FOLDER).has(figures.FIGURES[name].needs):
        pytest.skip(f"the data of {name} are not here")
    return figures.FIGURES[name].drawn(FOLDER)


def parsed(text):
    """Return the root of an SVG document."""
    return ElementTree.fromstring(text.encode())


def frames(root):
    """Return the groups of the panels, without the legend's entries: they have a frame."""
    size = {"width": str(svg.WIDTH), "height": str(svg.HEIGHT)}
    return [
        g for g in root.findall(f"{SPACE}g") if any(r.attrib.items() >= size.items() for r in g.iter(f"{SPACE}rect"))
    ]


def pixels(frame):
    """Return the pixels of a panel's lines and points, by the name of the mark."""
    found = {}
    for path in frame.iter(f"{SPACE}path"):
        if path.get("class") == "line":
            numbers = [tuple(map(float, p.split())) for part in path.get("d").split("M")[1:] for p in part.split("L")]
            found.setdefault(path.find(f"{SPACE}title").text, []).extend(numbers)
    for group in frame.iter(f"{SPACE}g"):
        if group.get("class") == "points":
            places = [p.get("transform").split(")")[0].split("(")[1] for p in group.iter(f"{SPACE}path")]
            found.setdefault(group.find(f"{SPACE}title").text, []).extend(tuple(map(float, p.split())) for p in places)
    return found


def holds(name):
    """Assert what a figure says and that it is drawn where its numbers are."""
    figure, drawing = figures.FIGURES[name], drawn(name)
    assert drawing.findings and [f.statement for f in drawing.findings if not f.holds] == []
    assert drawing.rows and {len(row) for row in drawing.rows} == {len(drawing.header)}
    text = figure.svg(drawing)
    assert hashlib.sha256(text.encode()).hexdigest()[:10] == DIGESTS.get(name, ANY), "look at it, then renew its digest"
    found = frames(parsed(text))
    assert len(found) == len(drawing.panels)
    for frame, panel in zip(found, drawing.panels):
        at = pixels(frame)
        assert all(0 <= x <= svg.WIDTH and 0 <= y <= svg.HEIGHT for places in at.values() for x, y in places)
        for mark in panel.marks:
            if isinstance(mark, svg.Points) and mark.name:
                want = [panel.place(p) for p in mark.points]
                have = at.get(mark.name, [])
                assert len(have) >= len(want)
                assert all(any(abs(x - u) <= 0.0051 and abs(y - v) <= 0.0051 for u, v in have) for x, y in want)
