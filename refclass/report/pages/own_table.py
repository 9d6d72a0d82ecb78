"""The command `report`: the pages of a user's own table.

Methods compared by cross-validation, boundaries or canonical variates, the path, margins, certificates in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from refclass.errors import InvalidInput, Refusal
from refclass.estimators.discriminants.lda import LinearDiscriminantAnalysis
from refclass.estimators.selection.cross_validate import cross_validate
from refclass.estimators.standardizer import Standardized
from refclass.oracle import problem
from refclass.report.commands import asking, fitting, interruption
from refclass.report.commands.fitting import Progress
from refclass.report.drawing.rendering import words as escaped
from refclass.report.pages import gallery, reproduction, style
from refclass.report.pages.own_pictures import Compared, Given, pictures
from refclass.report.text import words
from refclass.selection import folds

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


def report(options: Any, progress: Progress) -> str:
    """Write the pages that the options require, and return where they are."""
    data = asking.read(options.data, options)
    judge = LinearDiscriminantAnalysis()
    columns, X, y = fitting.observations(judge, data, options.target, asking.columns(options))
    folds.k_fold(len(y), options.folds)  # refuse early what cannot be
    reproduction.writable(Path(options.out))
    given = Given(options.data, columns, options.target, X, y, options.folds, options.seed)
    with interruption.stoppable(), interruption.workers(options.jobs) as executor:
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
        refused = f"{words.counted(len(found.refused), 'fold')} refused: {found.reason}" if found.refused else ""
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
    yield "<p class='quiet'>The least of several rates is optimistic; rows kept aside give a fair one.</p></section>"


def _certificates(compared: Sequence[Compared]) -> Iterator[str]:
    yield "<section><h2>What is proven</h2><ul>"
    for one in compared:
        if one.fitted is not None:
            yield f"<li>{escaped(one.title)}: {escaped(reported(one.fitted))}</li>"
    yield "</ul><p class='quiet'>Computed in exact rational arithmetic from the rows and the fitted numbers.</p>"
    yield "</section>"


def reported(model: Any) -> str:
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
