"""The command `reproduce`: figures and tables computed, in as many processes as are allowed, and written as pages.

What tables need is done job by job; each result is kept in results.json of the folder as it comes, so that a run that
ended early is continued by the next, and one of few repetitions by one of many.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

import refclass
from refclass.errors import InvalidInput, NoAnswer, quoted
from refclass.report.commands import interruption
from refclass.report.commands.fitting import Progress
from refclass.report.drawing.figure import Figure
from refclass.report.figures import by_name as figures
from refclass.report.pages import book, gallery
from refclass.report.tables.catalogue import TABLES
from refclass.report.tables.table import Job, Size, Table
from refclass.selection import executor

RESULTS, INDEX = "results.json", "index.html"
GROUPS = ("all", "figures", "tables", "book")
SAVED = 10  # seconds from one writing of the results to the next


@dataclass(frozen=True)
class Chosen:
    """What is asked for: figures, tables, and whether the pages of the book."""

    figures: tuple[Figure, ...]
    tables: tuple[Table, ...]
    book: bool = False

    @property
    def parts(self) -> list[Union[Figure, Table]]:
        """Figures and tables."""
        return [*self.figures, *self.tables]

    def listed(self) -> list[tuple[str, str, str]]:
        """Return name, title and citations of each."""
        return [(one.name, one.title, " ".join(one.citations)) for one in self.parts]


def chosen(names: Sequence[str]) -> Chosen:
    """Return what these names stand for, each once; without a name all figures.

    Raises    InvalidInput for a name that nothing has

    Example
        >>> found = chosen(["losses", "orange"])
        >>> [one.name for one in found.figures], [one.name for one in found.tables]
        (['losses'], ['orange'])
    """
    known = {**figures.FIGURES, **TABLES}
    for name in names:
        if name not in known and name not in GROUPS:
            raise InvalidInput("reproduce", need=f"names among {', '.join([*GROUPS, *known])}", got=quoted(name))
    asked = set(names) or {"figures"}
    both = "all" in asked
    return Chosen(
        tuple(f for f in figures.FIGURES.values() if f.name in asked or both or "figures" in asked),
        tuple(t for t in TABLES.values() if t.name in asked or both or "tables" in asked),
        both or "book" in asked,
    )


def draw(name: str, folder: Optional[str]) -> Any:
    """Return the drawing of a figure."""
    return figures.FIGURES[name].drawn(folder)


def perform(job: Job) -> Any:
    """Return the result of a job: what processes are to do."""
    return job()


def reproduce(asked: Chosen, folder: str, progress: Progress, size: Size, jobs: int = 1) -> Iterator[str]:
    """Compute what is asked for and write it to a folder, which is made if it is not there; yield what was written.

    Pages are written when everything is computed, and no file is ever half there. An interrupted run leaves
    results.json, from which the next one goes on.

    Raises    InvalidInput, with the system's reason, if the folder cannot be written to
    """
    place = Path(folder)
    writable(place)
    figures_here = [f for f in asked.figures if size.has(f.needs)]
    tables_here = [t for t in asked.tables if size.has(t.needs)]
    drawings = {f"figure/{f.name}": Job(f.name, draw, (f.name, size.folder)) for f in figures_here}
    computed = {job.key: job for table in tables_here for job in table.jobs(size)}
    finished: dict[str, Any] = {key: value for key, value in _resumed(place).items() if key in computed}
    _perform({**drawings, **computed}, finished, place, progress, jobs)
    results = {key: finished[key] for key in computed}
    absent = [
        (one.title, f"needs {', '.join(one.needs)} in the folder of --data")
        for one in asked.parts
        if not size.has(one.needs)
    ]
    contents = gallery.Contents(
        tuple((f, finished[f"figure/{f.name}"]) for f in figures_here),
        tuple((t, tuple(t.lines(results))) for t in tables_here),
        tuple(absent),
    )
    yield from _written(place, asked, contents)


def _perform(tasks: dict[str, Job], finished: dict[str, Any], place: Path, progress: Progress, jobs: int) -> None:
    """Do the jobs that are not finished, keeping the results of tables in the folder on the way."""
    done, last = len(finished), time.monotonic()
    try:
        with interruption.stoppable(), interruption.workers(jobs) as pool:
            for key in executor.steps(perform, tasks, finished, pool):
                done += 1
                progress(done, len(tasks), str(key))
                if time.monotonic() - last > SAVED:
                    _keep(place, finished)
                    last = time.monotonic()
    finally:
        progress(1, 1, "")
        _keep(place, finished)


def _written(place: Path, asked: Chosen, contents: gallery.Contents) -> Iterator[str]:
    links = gallery.links(contents)
    files = {f"{figure.name}.svg": figure.svg(drawing) for figure, drawing in contents.drawn}
    others: list[tuple[str, str]] = []
    reason = ""
    if asked.book:
        try:
            files.update(book.pages())
            others = book.links()
        except NoAnswer as refusal:  # an installed package has no folder spec/
            reason = str(refusal)
    files.update(gallery.pages(contents, links))
    files[INDEX] = gallery.index(contents, others)
    if contents.tables:
        files["tables.md"] = gallery.markdown(contents)
    write(place, files)
    for figure, drawing in contents.drawn:
        yield f"{place / figure.name}.svg: {figure.title}; {gallery.held(drawing.findings)}"
    for table, lines in contents.tables:
        yield f"{place / table.area}.html#{table.name}: {table.title}; {gallery.summary(lines)}"
    for title, why in contents.absent:
        yield f"not computed: {title}: {why}"
    if reason:
        yield f"the pages of the book are not written: {reason}"
    yield f"{place / INDEX}: all of them, with their numbers and sources"


def _resumed(place: Path) -> dict[str, Any]:
    """Return the results that an earlier run of the same version left in the folder.

    Raises    InvalidInput for a file that no run wrote
    """
    path = place / RESULTS
    if not path.is_file():
        return {}
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        version, finished = kept["refclass"], dict(kept["finished"])
    except (OSError, ValueError, KeyError, TypeError):
        need = "a file that `reproduce` wrote, or none"
        raise InvalidInput("reproduce", need=need, got="another file", file=str(path)) from None
    return finished if version == refclass.__version__ else {}


def _keep(place: Path, finished: dict[str, Any]) -> None:
    """Write what is finished of the tables, and what earlier runs left there of others."""
    results = {key: value for key, value in finished.items() if not key.startswith("figure/")}
    if results:
        kept = {"refclass": refclass.__version__, "finished": {**_resumed(place), **results}}
        write(place, {RESULTS: json.dumps(kept, indent=0)})


def _refused(place: Path, reason: Any) -> InvalidInput:
    return InvalidInput("folder", need="a folder that can be written to", got=reason, folder=str(place))


def writable(place: Path) -> None:
    """Refuse early, before anything is computed, a folder that there cannot be."""
    if "\0" in str(place):
        raise _refused(place, "a name with a null character")
    existing = next(p for p in (place.absolute(), *place.absolute().parents) if os.path.lexists(p))
    if not existing.is_dir():
        raise _refused(place, f"{existing.name} is no folder")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise _refused(place, "Permission denied")


def write(place: Path, files: dict[str, str]) -> None:
    """Write the files beside their names first, then give all of them their names.

    Raises    InvalidInput, with the system's reason
    """
    beside = {place / f".{name}.{os.getpid()}": place / name for name in files}
    try:
        place.mkdir(parents=True, exist_ok=True)
        for draft, content in zip(beside, files.values()):
            draft.write_bytes(content.encode())
        for draft, name in beside.items():
            os.replace(draft, name)
    except OSError as error:
        raise _refused(place, error.strerror) from None
    finally:
        for draft in beside:
            if draft.parent.is_dir():
                draft.unlink(missing_ok=True)
