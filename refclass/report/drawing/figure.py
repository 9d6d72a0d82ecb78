"""What a figure of the package is: panels, the numbers drawn, and what they show, counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

from refclass.report.drawing import rendering, svg

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Finding:
    """A statement about the numbers drawn, and whether they bear it out: it is counted, not asserted."""

    statement: str
    holds: bool


@dataclass(frozen=True)
class Drawing:
    """A picture with its numbers.

    about       what is seen, in a sentence or two
    panels      what is drawn
    header      the names of the table's columns
    rows        its rows: words and numbers
    findings    what the picture shows
    """

    about: str
    panels: tuple[svg.Panel, ...]
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]
    columns: int = 2


@dataclass(frozen=True)
class Figure:
    """A figure by name.

    title        what it is called
    citations    the rows, figures and equations of the documents that it draws
    given        where its numbers come from: the data, the seed, the settings
    draw         computes it; given the folder of data where it needs files of it
    area         the page that it stands on
    needs        the files of the folder of data that it reads
    """

    name: str
    title: str
    citations: tuple[str, ...]
    given: str
    draw: Callable[..., Drawing]
    area: str = "machines"
    needs: tuple[str, ...] = ()

    def drawn(self, folder: Optional[str] = None) -> Drawing:
        """Return the picture with its numbers."""
        return self.draw(folder) if self.needs else self.draw()

    def svg(self, drawing: Drawing) -> str:
        """Return the picture as SVG text."""
        return rendering.render(self.title, drawing.about, drawing.panels, drawing.columns)
