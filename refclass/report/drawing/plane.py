"""Rules in the plane: the points they were fitted to, and the lines where their functions pass a level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Callable

from refclass.number.text import approximate
from refclass.report.drawing import contours, svg
from refclass.report.drawing.axis import Axis, spanning

Function = Callable[[list[list[Any]]], Sequence[Any]]  # from rows to a number for each

LOOKS = ((svg.BLUE, "circle"), (svg.ORANGE, "square"), (svg.GREEN, "triangle"))  # of the first, second, third class
FINE = 61  # nodes of the lattice, across and up


@dataclass(frozen=True)
class Plane:
    """A part of the plane with a lattice over it  [ESL-4.3-lattice]."""

    x: Axis
    y: Axis
    fine: int = FINE

    @cached_property
    def across(self) -> list[float]:
        """The first coordinates of the nodes."""
        return contours.ticks(self.x.low, self.x.high, self.fine)

    @cached_property
    def up(self) -> list[float]:
        """The second coordinates of the nodes."""
        return contours.ticks(self.y.low, self.y.high, self.fine)

    @cached_property
    def nodes(self) -> list[list[float]]:
        """The nodes, row by row."""
        return [[x, y] for y in self.up for x in self.across]

    def panel(self, title: str, marks: Sequence[svg.Mark]) -> svg.Panel:
        """Return the panel of this part of the plane."""
        return svg.Panel(title, self.x, self.y, tuple(marks))

    def contour(self, values: Sequence[Any], level: Any = 0.0) -> tuple[Sequence[svg.Pair], ...]:
        """Return the lines where a function, given at the nodes, passes the level."""
        return tuple(contours.contour(values, self.across, self.up, level))

    def straight(self, beta: Sequence[Any], beta0: Any, level: int = 0) -> tuple[Sequence[svg.Pair], ...]:
        """Return the line βᵀx + β₀ = level inside this part of the plane.

        Exact     yes: β and β₀ are taken as the rationals they are, and both ends lie on the line
        """
        a, b, c = map(Fraction, (*beta, beta0))
        across, up = ([Fraction(axis.low), Fraction(axis.high)] for axis in (self.x, self.y))
        corners = [a * x + b * y + c for y in up for x in across]
        return tuple(contours.contour(corners, across, up, Fraction(level)))


def around(X: Sequence[Sequence[Any]], names: tuple[str, str] = ("x₁", "x₂"), fine: int = FINE) -> Plane:
    """Return the part of the plane that holds the points, with a margin."""
    x, y = (spanning(name, column) for name, column in zip(names, zip(*X)))
    return Plane(x, y, fine)


def to_scale(field: Plane) -> Plane:
    """Return the part of the plane, widened one way or the other so that a unit is as long up as across."""
    unit = max((field.x.high - field.x.low) / svg.WIDTH, (field.y.high - field.y.low) / svg.HEIGHT)
    axes = []
    for axis, size in ((field.x, svg.WIDTH), (field.y, svg.HEIGHT)):
        middle, half = (axis.low + axis.high) / 2, unit * size / 2
        axes.append(Axis(axis.name, min(axis.low, middle - half), max(axis.high, middle + half)))
    return Plane(axes[0], axes[1], field.fine)


def classes(X: Sequence[Sequence[Any]], y: Sequence[Any], size: float = 2.6) -> list[svg.Points]:
    """Return the points of each class, in the order of its label, each with its colour and shape."""
    return [
        svg.Points(f"class {label}", tuple([tuple(x) for x, g in zip(X, y) if g == label]), shape, colour, size)
        for label, (colour, shape) in zip(sorted(set(y)), LOOKS)
    ]


def ringed(name: str, X: Sequence[Sequence[Any]], places: Sequence[int], colour: str = svg.BLACK) -> svg.Points:
    """Return rings around some of the points."""
    return svg.Points(name, tuple([tuple(X[i]) for i in places]), "circle", colour, 4.6, filled=False)


def banded(plane: Plane, function: Function, level: float = 1.0, edges: str = "f = ±1") -> tuple[list[svg.Mark], float]:
    """Return the boundary f = 0 and the band's edges f = ±level, and how far f is from them at most on what is drawn.

    Between two nodes the lines are straight: that is what makes the distance, and it falls with the lattice.
    """
    values = function(plane.nodes)
    drawn = {height: plane.contour(values, height) for height in (0.0, level, -level)}
    marks: list[svg.Mark] = [
        svg.Lines("f = 0", drawn[0.0], svg.BLACK),
        svg.Lines(edges, drawn[level] + drawn[-level], svg.GREY, "dashed", 1.2),
    ]
    return marks, max(off(function, lines, height) for height, lines in drawn.items())


def off(function: Function, lines: Sequence[Sequence[svg.Pair]], level: Any = 0.0) -> float:
    """Return the largest distance of a function from a level at the points of some lines."""
    points = [list(p) for line in lines for p in line]
    return max([abs(approximate(f - level)) for f in function(points)], default=0.0) if points else 0.0
