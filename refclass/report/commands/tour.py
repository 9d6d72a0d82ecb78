"""The main job: the package's methods on the embedded data, with their errors and their proofs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Optional

import refclass
from refclass.oracle import problem
from refclass.oracle.table import EMBEDDED, embedded
from refclass.report.commands.fitting import Progress, errors, labels
from refclass.report.text import words

GAUSSIAN = {"name": "gaussian", "gamma": 1}


@dataclass(frozen=True)
class Stop:
    """One stop of the tour: a method with its parameters on a data set, tested on another if there is one.

    rows    how many rows to take, evenly spread, where all of them would take long in exact arithmetic
    only    two labels to keep, for two-class methods
    """

    title: str
    data: str
    method: str
    parameters: dict[str, Any] = field(default_factory=dict)
    arithmetic: str = "float"
    test: Optional[str] = None
    rows: Optional[int] = None
    only: Optional[tuple[str, str]] = None


STOPS = (
    Stop("linear discriminants", "iris", "lda"),
    Stop("quadratic discriminants", "iris", "qda"),
    Stop("mixtures, two a class", "iris", "mda", {"subclasses": 2}),
    Stop("widest margin", "iris", "svc", {"C": "inf"}, "exact", only=("setosa", "versicolor")),
    Stop("linear discriminants", "synth_tr", "lda", test="synth_te"),
    Stop("quadratic discriminants", "synth_tr", "qda", test="synth_te"),
    Stop("logistic regression", "synth_tr", "logistic", test="synth_te"),
    Stop("least squares", "synth_tr", "least_squares", arithmetic="exact", test="synth_te"),
    Stop("support vectors, linear", "synth_tr", "svc", {"C": 1}, test="synth_te"),
    Stop("support vectors, Gaussian", "synth_tr", "svc", {"C": 1, "kernel": GAUSSIAN}, test="synth_te"),
    Stop("linear discriminants", "mixture", "lda"),
    Stop("flexible discriminants, cubic", "mixture", "fda", {"regression": {"name": "polynomial", "degree": 3}}),
    Stop("kernel logistic regression", "mixture", "kernel_classifier", {"loss": "deviance", "kernel": GAUSSIAN}),
    Stop("support vectors, C = 10000", "mixture", "svc", {"C": 10000}),
    Stop("support vectors, Gaussian", "mixture", "svc", {"C": 1, "kernel": GAUSSIAN}),
    Stop("the same, optimum proven", "mixture", "svc", {"C": 1, "kernel": GAUSSIAN}, "exact"),
)


def lines(progress: Progress, stops: tuple[Stop, ...] = STOPS) -> Iterator[str]:
    """Return the report of the tour, line by line, as far as it has come."""
    yield f"refclass {refclass.__version__}: classical classification in plain Python, every answer with its proof"
    before = None
    for i, stop in enumerate(stops):
        if stop.data != before:
            table = embedded(stop.data)
            yield ""
            yield f"{stop.data}: {len(table.rows)} rows, inputs {', '.join(EMBEDDED[stop.data][1])}"
            before = stop.data
        progress(i, len(stops), f"{stop.title} on {stop.data}")
        report = list(visit(stop))
        progress(len(stops), len(stops), "")
        yield from report
    yield ""
    yield "Zero exactly: computed in rational numbers, for which a rounded number is a fraction like any other."
    yield "Where to look next:"
    yield from words.table(
        [
            ("python3 -m refclass methods", "every method, its equations and parameters"),
            (
                "python3 -m refclass fit lda --data iris --target species",
                "a method on a data set; --data F.csv for your own",
            ),
            ("python3 -m refclass where ESL-12.13", "from an equation to its code and tests"),
            ("python3 -m refclass --help", "solve, verify and the rest"),
        ]
    )


def visit(stop: Stop) -> Iterator[str]:
    """Return the lines of one stop: its errors and its proof."""
    X, y = rows(stop.data, stop.arithmetic, stop.rows, stop.only)
    parameters = {k: float(v) if v == "inf" else v for k, v in stop.parameters.items()}
    estimator: Any = problem.make(stop.method, parameters, stop.arithmetic).fit(X, y)  # type: ignore[attr-defined]
    counts = f"errors {words.share(errors(estimator.predict(X), y), len(y))}"
    if stop.test:
        Z, truth = rows(stop.test, stop.arithmetic, None, stop.only)
        counts += f", on {stop.test} {words.share(errors(estimator.predict(Z), truth), len(truth))}"
    if hasattr(estimator, "support_"):
        counts += f", {len(estimator.support_)} support vectors"
    taken = f" ({len(y)} rows)" if stop.rows or stop.only else ""
    yield f"  {stop.title}{taken}, {stop.arithmetic}: {counts}"
    yield f"      {estimator.certificate_!s}"


def rows(
    name: str, arithmetic: str, most: Optional[int], only: Optional[tuple[str, str]]
) -> tuple[list[list[Any]], list[Any]]:
    """Return inputs and labels of an embedded data set, or of some of its rows."""
    table = embedded(name)
    _, inputs, target = EMBEDDED[name]
    X = table.numbers(inputs, float if arithmetic == "float" else None)
    y = labels(table, target)
    keep = [i for i, label in enumerate(y) if only is None or label in only]
    if most:
        keep = keep[:: -(-len(keep) // most)]
    return [X[i] for i in keep], [y[i] for i in keep]
