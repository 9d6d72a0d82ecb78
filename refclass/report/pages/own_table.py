"""The command `report`: the pages of a user's own table.

Methods compared by cross-validation, boundaries or canonical variates, the path, margins, certificates in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from refclass.errors import InvalidInput, Refusal
from refclass.estimators.discriminants.lda import LinearDiscriminantAnalysis
from refclass.estimators.margins.svm_path import SVMPath
from refclass.estimators.selection.cross_validate import cross_validate
from refclass.estimators.standardizer import Standardized
from refclass.oracle import problem
from refclass.report.commands import asking, fitting, trials
from refclass.report.commands.fitting import Progress
from refclass.report.drawing import plane, svg
from refclass.report.drawing.axis import Axis, spanning
from refclass.report.drawing.figure import Drawing, Figure, Finding
from refclass.report.drawing.svg import words as escaped
from refclass.report.pages import gallery, reproduction, style
from refclass.report.text import words

# The methods compared, each with its parameters; all on standardised inputs.
METHODS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("linear discriminants", "lda", {}),
    ("quadratic discriminants", "qda", {}),
    ("between the two, α = ½", "rda", {"alpha": 0.5}),
    ("logistic regression", "logistic", {}),
    ("mixtures, two a class", "mda", {"subclasses": 2}),
    ("flexible discriminants, quadratic", "fda", {"regression": {"name": "polynomial", "degree": 2}}),
    ("nearest neighbours, five", "nearest_neighbors", {"n_neighbors": 5}),
    ("tree", "tree", {"ccp_alpha": 0.01}),
    ("linear machine, C = 1", "svc", {"C": 1}),
    ("Gaussian machine, C = 1", "svc", {"C": 1, "kernel": {"name": "gaussian", "gamma": "1/p"}}),
)
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


def report(options: Any, progress: Progress) -> str:
    """Write the pages that the options ask for, and return where they are."""
    data = asking.read(options.data, options)
    judge = LinearDiscriminantAnalysis()
    columns, X, y = fitting.observations(judge, data, options.target, asking.columns(options))
    given = Given(options.data, columns, options.target, X, y, options.folds, options.seed)
    with trials.stoppable(), trials.workers(options.jobs) as executor:
        files = pages(given, progress, executor)
    reproduction.write(Path(options.out), files)
    return f"{Path(options.out) / 'index.html'}: {len(METHODS)} methods on {len(y)} rows of {options.data}"


def pages(given: Given, progress: Progress, executor: Any = None) -> dict[str, str]:
    """Return the pages by their file names.

    Raises    InvalidInput unless there are two classes or more
    """
    if len(given.classes) < 2:
        raise InvalidInput("report", need="two classes or more in the target", got=len(given.classes))
    compared = []
    for k, (title, method, parameters) in enumerate(METHODS):
        progress(k, len(METHODS), title)
        compared.append(compare(given, title, method, parameters, executor))
    progress(1, 1, "")
    body = [*_table(given), *_methods(given, compared)]
    for figure, drawing in pictures(given, compared):
        body += gallery.figure_section(figure, drawing)
    body += _certificates(compared)
    return {"index.html": style.page(f"{given.source}: {given.target}", body)}


def compare(given: Given, title: str, method: str, parameters: dict[str, Any], executor: Any) -> Compared:
    """Return what cross-validation says of a method, and its fit to all rows."""
    made = problem.make(method, _filled(parameters, len(given.columns)), "float")
    estimator: Any = Standardized(estimator=made)
    try:
        found = cross_validate(estimator, given.X, given.y, folds=given.folds, seed=given.seed, executor=executor)
        refused = f"{len(found.refused)} folds refused: {found.reason}" if found.refused else ""
        return Compared(title, float(found.rate or 0), found.standard_error, estimator.fit(given.X, given.y), refused)
    except Refusal as refusal:
        return Compared(title, None, None, None, str(refusal))


def _filled(value: Any, p: int) -> Any:
    """Return parameters with the number 1/p in the place of its text."""
    if isinstance(value, dict):
        return {name: _filled(inner, p) for name, inner in value.items()}
    return 1 / p if value == "1/p" else value


def _table(given: Given) -> Iterator[str]:
    counts = ", ".join(f"{label}: {given.y.count(label)}" for label in given.classes)
    yield f"<p>{len(given.y)} rows, {len(given.columns)} inputs ({escaped(', '.join(given.columns))}); classes "
    yield f"{escaped(counts)}. Inputs are standardised by the rows that are fitted.</p>"


def _methods(given: Given, compared: Sequence[Compared]) -> Iterator[str]:
    yield f"<section><h2>Methods, {given.folds}-fold cross-validation, seed {given.seed}</h2>"
    rows = []
    for one in sorted(compared, key=lambda one: (one.rate is None, one.rate)):
        rate = "refused" if one.rate is None else f"{100 * one.rate:.1f} %"
        error = "" if one.error is None else f"{100 * one.error:.1f} %"
        train = fitting.errors(one.fitted.predict(given.X), given.y) if one.fitted is not None else None
        rows.append([one.title, rate, error, "" if train is None else words.share(train, len(given.y))])
    yield from style.table(("method", "errors", "standard error", "training errors"), rows)
    reasons = [f"<li>{escaped(one.title)}: {escaped(one.reason)}</li>" for one in compared if one.reason]
    yield from ["<ul>", *reasons, "</ul>"] if reasons else []
    yield "<p class='quiet'>The least of several rates is optimistic: keep rows aside for an honest one.</p></section>"


def pictures(given: Given, compared: Sequence[Compared]) -> Iterator[tuple[Figure, Drawing]]:
    """Yield the pictures that the table allows."""
    fitted = {one.title: one.fitted for one in compared if one.fitted is not None}
    if len(given.columns) == 2:
        yield _figure("boundaries", "Boundaries", boundaries(given, fitted))
    elif "linear discriminants" in fitted:
        yield _figure("variates", "Canonical variates", variates(given, fitted["linear discriminants"]))
    if len(given.classes) == 2 and "linear machine, C = 1" in fitted:
        yield _figure("margins", "Margins", margins(given, fitted["linear machine, C = 1"]))
        if len(given.y) <= MOST:
            yield _figure("path", "The path of the linear machine", path(given))


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


def path(given: Given) -> Drawing:
    """Return the training errors and the support points of the linear machine along its whole path."""
    parts = Standardized(estimator=SVMPath()).fit(given.X, given.y)
    found: Any = parts.estimator_
    lams = [float(v) for v in found.lambdas_ if v > 0]
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


def _certificates(compared: Sequence[Compared]) -> Iterator[str]:
    yield "<section><h2>What is proven</h2><ul>"
    for one in compared:
        if one.fitted is not None:
            yield f"<li>{escaped(one.title)}: {escaped(told(one.fitted))}</li>"
    yield "</ul><p class='quiet'>Computed in exact rational arithmetic from the rows and the fitted numbers.</p>"
    yield "</section>"


def told(model: Any) -> str:
    """Return the certificate of a fitted method as a sentence."""
    try:
        certificate = model.estimator_.certificate_
    except AttributeError:
        return "the method has no optimum to prove: its answer is what its rule says"
    digits = certificate.digits
    if certificate.primal is None:
        return f"its {certificate}"
    if certificate.status == "stationary":
        return f"a stationary point, which need not be the optimum: {certificate}"
    many = "exactly" if certificate.gap == 0 else f"to {float(digits):.0f} digits" if digits else "as far as it says"
    return f"the optimum is proven {many}: {certificate}"
