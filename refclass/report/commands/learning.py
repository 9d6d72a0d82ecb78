"""The commands that fit: fit, cv, grid and predict."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import Any

from refclass.oracle import problem, table
from refclass.oracle.readers import delimited_text
from refclass.report import export
from refclass.report.commands import asking, fitting, interruption, saving, trials, validating
from refclass.report.commands.fitting import Progress
from refclass.report.text import words


def ask(command: Any, progress: Progress) -> None:
    """Add the commands to those of the command line, of which `command` makes one."""
    c = command("fit", partial(_fit, progress=progress), "fit a method to a table: your own, or an embedded data set")
    _ask_for_a_fit(c)
    c.add_argument("--test", metavar="G.csv", help="a table of the same columns to count errors on")
    c.add_argument("--save", metavar="m.json", help="write the fitted model")
    c = command(
        "cv",
        partial(_cv, progress=progress),
        "judge a method on rows that it was not fitted to: folds, or leave-one-out",
    )
    _ask_for_a_fit(c)
    _ask_for_trials(c)
    c = command(
        "grid",
        partial(_grid, progress=progress),
        "search for the parameters with the lowest error rate on rows that the method was not fitted to",
    )
    _ask_for_a_fit(c)
    _ask_for_trials(c)
    c.add_argument(
        "--grid",
        nargs="+",
        action="extend",
        required=True,
        metavar="NAME=V,V,…",
        help="values to try, simplest first; a(b)c stands for steps of b from a to c",
    )
    c.add_argument(
        "--refine",
        nargs="?",
        type=int,
        const=2,
        default=0,
        metavar="M",
        help="then try M values (2) between the best and each neighbour",
    )
    c = command("predict", _predict, "label the rows of a table with a saved model")
    c.add_argument("model", metavar="m.json")
    c.add_argument(
        "--data", required=True, metavar="H.csv", help="a table with the columns of inputs; - reads standard input"
    )
    asking.ask_for_a_form(c)
    c.add_argument("--probabilities", action="store_true", help="with the posterior of each class")
    c.add_argument("--scores", action="store_true", help="with the decision values")
    c.add_argument("--out", metavar="P.csv", help="write a table of predictions")
    _ask_for_an_export(command)


def _ask_for_an_export(command: Any) -> None:
    c = command("export", _export, "write a saved model as a file that predicts, without dependencies")
    c.add_argument("model", metavar="m.json")
    c.add_argument("--to", required=True, choices=sorted(export.LANGUAGES), help="the language")
    c.add_argument("--out", metavar="FILE", help="the file to write (default: standard output)")


def _export(options: Any) -> None:
    loaded = _loaded(options)
    written = saving.exported(loaded, options.to)
    if options.out:
        asking.write(options.out, written)
        print(f"written to {options.out}")
    else:
        print(written, end="")


def _loaded(options: Any) -> saving.Loaded:
    given = problem.decode(delimited_text.content(options.model), options.model, exact=False)
    return saving.load(given, options.model)


def _ask_for_a_fit(c: argparse.ArgumentParser) -> None:
    c.add_argument("method", metavar="METHOD", help="a name that `methods` lists")
    about = f"a table with a header, - for standard input, or an embedded data set: {', '.join(table.EMBEDDED)}"
    c.add_argument("--data", required=True, metavar="F.csv", help=about)
    asking.ask_for_a_form(c)
    asking.ask_for_a_preparation(c)
    c.add_argument("--target", required=True, metavar="COLUMN", help="the column of labels")
    c.add_argument("--columns", metavar="A,B,…", help="the columns of inputs (default: all others)")
    asking.ask_for_parameters(c, "parameters; kernel.gamma=2 reaches inside")
    c.add_argument("--arithmetic", default="float", metavar="A", help="float, exact or decimal:n")


def _ask_for_trials(c: argparse.ArgumentParser) -> None:
    either = c.add_mutually_exclusive_group()
    either.add_argument("--folds", type=int, default=10, metavar="K", help="how many folds (10)")
    either.add_argument("--leave-one-out", action="store_true", help="as many folds as rows")
    c.add_argument(
        "--stratified",
        action=argparse.BooleanOptionalAction,
        help="share each class out evenly (the default for labels)",
    )
    c.add_argument("--seed", type=int, default=0, metavar="S", help="of the folds, and of --rows (0)")
    c.add_argument("--rows", type=int, metavar="N", help="take N rows only, drawn by the seed")
    c.add_argument("--jobs", type=int, default=1, metavar="N", help="do the fits in N processes (1)")
    c.add_argument("--save", metavar="R.json", help="write the results, also those of an interrupted run")
    c.add_argument("--resume", metavar="R.json", help="take over what an earlier run has finished; saved there again")


def _fit(options: Any, progress: Progress) -> None:
    parameters = fitting.parameters(options.set)
    data, test = _whole(options), asking.read(options.test, options) if options.test else None
    names, how = asking.columns(options), asking.preparation(options, data)
    fit = fitting.fit(options.method, parameters, options.arithmetic, data, options.target, names, progress, how)
    for line in fitting.lines(fit, test, progress):
        print(line)
    if options.save:
        asking.write(options.save, json.dumps(saving.saved(fit), ensure_ascii=False))
        print(f"saved to {options.save}")


def _cv(options: Any, progress: Progress) -> int:
    return _judged(options, progress, lambda asked, executor: asked.validation(executor))


def _grid(options: Any, progress: Progress) -> int:
    axes = trials.axes(options.grid)
    return _judged(options, progress, lambda asked, executor: asked.search(axes, options.refine, executor))


def _judged(options: Any, progress: Progress, run: Any) -> int:
    """Do the trials of `cv` or `grid`, print and save what came of them, all of it or what was finished."""
    asked = _asked(options)
    found, path = None, options.save or options.resume
    try:
        with interruption.stoppable(), interruption.workers(options.jobs) as executor:
            found = fitting.shown(run(asked, executor), progress)
    except KeyboardInterrupt:
        progress(1, 1, "")
    finally:
        if path and asked.finished:
            asking.write(path, json.dumps(trials.saved(asked, validating.results(found)), ensure_ascii=False))
    for line in validating.report(asked, found):
        print(line)
    if path:
        print(f"saved to {path}")
    return 130 if found is None else 0


def _asked(options: Any) -> trials.Asked:
    data = _whole(options)
    asked = trials.asked(
        options.method,
        fitting.parameters(options.set),
        options.arithmetic,
        data,
        options.target,
        asking.columns(options),
        options.rows,
        asking.preparation(options, data),
        folds="leave_one_out" if options.leave_one_out else options.folds,
        stratified=options.stratified,
        seed=options.seed,
    )
    if options.resume:
        trials.resumed(
            asked, problem.decode(delimited_text.content(options.resume), options.resume, exact=False), options.resume
        )
    return asked


def _predict(options: Any) -> None:
    loaded = _loaded(options)
    data = _table(options)
    data = data.complete(loaded.how.narrowed(loaded.columns))
    _noted(data)
    found = saving.answers(loaded, data, options.probabilities, options.scores)
    plain = not (options.probabilities or options.scores or options.out)
    lines = [str(label) for label, *_ in found[1:]] if plain else delimited_text.lines(found)
    if options.out:
        asking.write(options.out, "".join(f"{line}\n" for line in lines))
        print(f"{words.counted(len(lines) - 1, 'row')} written to {options.out}")
        return
    for line in lines:
        print(line)


def _table(options: Any) -> table.Table:
    """Return the table of --data."""
    return asking.read(options.data, options)


def _whole(options: Any) -> table.Table:
    """Return the table of --data without the rows that lack a value in a column that is used."""
    data = _table(options)
    data = data.complete([*(asking.columns(options) or data.inputs(options.target)), options.target])
    _noted(data)
    return data


def _noted(data: table.Table) -> None:
    """Tell, beside what is printed, how a table was read."""
    for note in data.notes:
        print(f"refclass: {note}", file=sys.stderr)
