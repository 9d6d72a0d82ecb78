"""The pictures of a user's own table: boundaries, variates, margins and the path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Callable, Optional

from refclass.errors import Refusal
from refclass.estimators.margins.svm_path import SVMPath
from refclass.estimators.standardizer import Standardized
from refclass.report.commands import fitting
from refclass.report.drawing import plane, svg
from refclass.report.drawing.axis import Axis, spanning
from refclass.report.drawing.figure import Drawing, Figure, Finding
from refclass.report.text import words

COLOURS, SHAPES = (svg.BLUE, svg.ORANGE, svg.GREEN, svg.RED), ("circle", "square", "triangle")


LOOKS = tuple((COLOURS[k % 4], SHAPES[k % 3]) for k in range(12))


MOST = 300  # rows up to which the whole path is followed


@dataclass(frozen=True)
class Given:
    """The user's table as it is taken: names of inputs and target, rows and labels, and how methods are judged."""

    source: str
    columns: tuple[str, ...]
    target: str
    X: list[list[float]]
    y: list[Any]
    folds: int
    seed: int

    @property
    def classes(self) -> list[Any]:
        """The labels, each once."""
        return sorted(set(self.y), key=str)


@dataclass(frozen=True)
class Compared:
    """A method on the table: its cross-validation and its fit, or why it was refused."""

    title: str
    rate: Optional[float]
    error: Optional[float]
    fitted: Any
    reason: str = ""


def pictures(given: Given, compared: Sequence[Compared]) -> Iterator[tuple[Figure, Drawing]]:
    """Yield the pictures that the table allows."""
    fitted = {one.title: one.fitted for one in compared if one.fitted is not None}
    asked: list[tuple[str, str, Callable[[], Optional[Drawing]]]] = []
    if len(given.columns) == 2:
        asked.append(("boundaries", "Boundaries", lambda: boundaries(given, fitted)))
    elif "linear discriminants" in fitted:
        asked.append(("variates", "Canonical variates", lambda: variates(given, fitted["linear discriminants"])))
    if len(given.classes) == 2 and "linear machine, C = 1" in fitted:
        asked.append(("margins", "Margins", lambda: margins(given, fitted["linear machine, C = 1"])))
        if len(given.y) <= MOST:
            asked.append(("path", "The path of the linear machine", lambda: path(given)))
    for name, title, draw in asked:
        drawing = None
        with suppress(Refusal):  # equal class means have no variates, and some paths are refused
            drawing = draw()
        if drawing is not None:
            yield _figure(name, title, drawing)


def _figure(name: str, title: str, drawing: Drawing) -> tuple[Figure, Drawing]:
    return Figure(name, title, (), "all rows", lambda: drawing), drawing


def _points(given: Given, at: Sequence[Sequence[Any]]) -> list[svg.Mark]:
    return [
        svg.Points(str(label), tuple(tuple(p) for p, t in zip(at, given.y) if t == label), shape, colour, 2.4)
        for label, (colour, shape) in zip(given.classes, LOOKS * (1 + len(given.classes) // len(LOOKS)))
    ]


def boundaries(given: Given, fitted: dict[str, Any]) -> Drawing:
    """Return the regions of some methods in the plane of the two inputs."""
    names = (given.columns[0], given.columns[1])
    field = plane.around(given.X, names)
    panels, rows = [], []
    for title in ("linear discriminants", "quadratic discriminants", "Gaussian machine, C = 1"):
        if title not in fitted:
            continue
        lines = _between(given, field, fitted[title])
        panels.append(field.panel(title, [*_points(given, given.X), svg.Lines("boundary", lines)]))
        rows.append((title, words.share(fitting.errors(fitted[title].predict(given.X), given.y), len(given.y))))
    about = "The points of each class with the boundaries between the regions of each method, from a lattice."
    return Drawing(about, tuple(panels), ("method", "training errors"), tuple(rows), ())


def _between(given: Given, field: plane.Plane, model: Any) -> tuple[Sequence[svg.Pair], ...]:
    """Return the lines between the regions: of two classes where the function is zero, of more from their labels."""
    if len(given.classes) == 2 and hasattr(model, "decision_function"):
        return field.contour(list(model.decision_function(field.nodes)))
    said = model.predict(field.nodes)
    return tuple(line for t in given.classes[:-1] for line in field.contour([float(s == t) for s in said], 0.5))


def variates(given: Given, model: Any) -> Drawing:
    """Return the rows in the first two canonical variates, or along the only one."""
    Z = [list(row) for row in model.transform(given.X)]
    if len(Z[0]) == 1:  # Method: two classes have one variate; rows are spread upwards in their order
        at = [[row[0], i / len(Z)] for i, row in enumerate(Z)]
        names = ("the discriminant variate", "row, as a share")
    else:
        at, names = [row[:2] for row in Z], ("variate 1", "variate 2")
    axes = [spanning(name, column) for name, column in zip(names, zip(*at))]
    panel = svg.Panel("all rows", axes[0], axes[1], tuple(_points(given, at)))
    rows = tuple(
        (str(t), *(sum(p[j] for p, u in zip(at, given.y) if u == t) / given.y.count(t) for j in (0, 1)))
        for t in given.classes
    )
    about = "The rows of each class where the classes lie furthest apart for the spread within them."
    return Drawing(about, (panel,), ("class", "mean 1", "mean 2"), rows, (), 1)


def margins(given: Given, model: Any) -> Drawing:
    """Return the margins y f of the linear machine in ascending order."""
    first = given.classes[0]
    signs = [-1 if t == first else 1 for t in given.y]
    values = sorted(t * f for t, f in zip(signs, model.decision_function(given.X)))
    if sum(v > 0 for v in values) < len(values) / 2:  # Premise: which class is positive is the estimator's choice.
        values = sorted(-v for v in values)
    points = tuple((i / len(values), v) for i, v in enumerate(values))
    marks = (
        svg.Lines("y f", (points,), svg.BLUE),
        svg.Lines("1: the edge", (((0, 1), (1, 1)),), svg.GREY, "dashed"),
        svg.Lines("0: the boundary", (((0, 0), (1, 0)),), svg.BLACK, "dotted"),
    )
    panel = svg.Panel("margins", Axis("share of the rows", -0.02, 1.02), spanning("y f", values), marks)
    below, wrong = sum(v < 1 for v in values), sum(v < 0 for v in values)
    rows = ((words.share(below, len(values)), words.share(wrong, len(values)), values[0], values[-1]),)
    about = "Each row's margin, ascending: below 0 it is misclassified, below 1 it is inside the band."
    return Drawing(about, (panel,), ("below 1", "below 0", "least", "largest"), rows, (), 1)


def path(given: Given) -> Optional[Drawing]:
    """Return the support points of the linear machine along its whole path; None for a path at rest."""
    found: Any = Standardized(estimator=SVMPath()).fit(given.X, given.y).estimator_
    lams = [float(v) for v in found.lambdas_ if v > 0]
    if not lams:  # the function is constant, whatever the cost
        return None
    kept = [sum(a > 0 for a in row) / len(given.y) for row in found.alphas_[: len(lams)]]
    line = tuple((1 / lam, share) for lam, share in zip(lams, kept))
    shown = tuple((min(c, 100.0), share) for c, share in line if c <= 100) or line[:1]
    panel = svg.Panel(
        "support points along the path",
        spanning("C = 1/λ", [0, *(c for c, _ in shown)]),
        Axis("share of the rows", -0.02, 1.02),
        (svg.Lines("multipliers above zero", (shown,), svg.BLUE),),
    )
    rows = ((len(found.lambdas_), max(lams), min(lams), kept[0], kept[-1]),)
    findings = (Finding(f"the path has {len(found.lambdas_)} break points", True),)
    header = ("break points", "largest λ", "least λ", "support at the first", "at the last")
    return Drawing(
        "The share of rows with a multiplier above zero, as the cost grows.", (panel,), header, rows, findings, 1
    )
