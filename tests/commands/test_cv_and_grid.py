"""The commands cv and grid."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from functools import partial

import pytest

from refclass.__main__ import main
from refclass.report.commands import interruption
from tests.commands.test_refusals import refused
from tests.golden.cases import DATA
from tests.selection.executors import Interrupting

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MACHINE = [
    "svc",
    "--data",
    "iris",
    "--target",
    "species",
    "--set",
    "C=100",
    "kernel.name=gaussian",
    "kernel.gamma=.002",
]


def said(capsys, *arguments, status=0):
    """Return the lines that a command prints."""
    assert main(list(arguments)) == status
    return capsys.readouterr().out.splitlines()


@pytest.mark.slow
def test_the_row_of_the_irises_is_that_of_the_table(capsys):
    """C = 100, γ = .002, inputs as they are, one against one: 3 of 150 in ten folds drawn without strata.

    The folds of the table are not reported; other draws give 1 to 4  [MMST-T11.3] [M-MMST-T11.3].
    """
    lines = said(capsys, "cv", *MACHINE, "--no-stratified", "--seed", "2")
    assert lines[0].endswith("on 150 rows, 4 columns; target species; 10 folds, seed 2")
    assert lines[1] == "errors: 3 of 150 (2.0 %)"
    assert lines[2].startswith("by fold: ") and lines[3].startswith("mean of the folds: 2.00 %, standard error ")
    counts = [said(capsys, "cv", *MACHINE, "--no-stratified", "--seed", str(s))[1] for s in range(3, 8)]
    assert all(line.split()[1] in "1234" for line in counts)


def test_leave_one_out_is_a_cross_validation_too(capsys):
    """One line of errors, the confusion, no fold by fold."""
    lines = said(capsys, "cv", "lda", "--data", "iris", "--target", "species", "--leave-one-out")
    assert lines[0].endswith("leave-one-out") and lines[1] == "errors: 3 of 150 (2.0 %)"
    assert lines[2].split() == ["predicted", "\\", "true", "setosa", "versicolor", "virginica"]
    assert sum(int(c) for line in lines[3:6] for c in line.split()[1:]) == 150


def test_a_regression_is_judged_by_squared_residuals(capsys):
    """The mean squared error over all rows, and in each fold."""
    lines = said(capsys, "cv", "ridge", "--data", "iris", "--target", "sepal_width", "--columns", "petal_width")
    assert lines[1].startswith("mean squared error: 0.1") and lines[1].endswith(" over 150 rows")
    assert len(lines[2].split()) == 12


@pytest.mark.slow
def test_a_grid_is_shown_in_two_ways_with_its_best(capsys, tmp_path):
    """A two-way table with a star, what to keep in mind; the same as JSON  [GRID-2STAGE] [MMST-11.3.6-grid]."""
    path = tmp_path / "r.json"
    asked = ["grid", *MACHINE, "--grid", "C=10,100", "kernel.gamma=.02,.002", "--folds", "5", "--save", str(path)]
    lines = said(capsys, *asked)
    assert lines[1] == "errors in percent:" and lines[2].split() == ["kernel.gamma", "\\", "C", "10", "100"]
    assert sum(line.count("*") for line in lines) == 1
    best = json.loads(path.read_text(encoding="utf-8"))["results"]
    assert best["best"]["errors"] == min(cell["errors"] for cell in best["cells"]) and best["optimistic"] is True
    assert any(line.startswith("best: C = ") for line in lines) and "optimistic" in "\n".join(lines)
    finer = said(capsys, *asked[:-2], "--refine", "1")
    assert len(finer) > len(lines)


def test_a_grid_of_one_parameter_is_a_list(capsys):
    """One line for each value, with the end of the axis reported where the best lies there."""
    lines = said(
        capsys, "grid", "nearest_neighbors", "--data", "iris", "--target", "species", "--grid", "n_neighbors=1,5,149"
    )
    assert [line.split()[0] for line in lines[3:6]] == ["1", "5", "149"] and "n_neighbors" in lines[2]


@contextmanager
def interrupted(jobs):
    """Give an executor that is interrupted after three fits."""
    yield Interrupting(3)


def test_an_interrupted_grid_prints_and_keeps_what_is_finished(capsys, tmp_path, monkeypatch):
    """Status 130, three fits reported and saved; resumed, the result is that of an uninterrupted run."""
    path, whole = tmp_path / "r.json", tmp_path / "w.json"
    asked = ["grid", "nearest_neighbors", "--data", "iris", "--target", "species", "--grid", "n_neighbors=1,5,9"]
    asked += ["--folds", "4"]
    with monkeypatch.context() as patch:
        patch.setattr(interruption, "workers", interrupted)
        lines = said(capsys, *asked, "--save", str(path), status=130)
    assert lines[1] == "interrupted: 3 fits finished"
    assert lines[2].startswith("  n_neighbors=1: 3 of 4 folds, errors: ") and len(lines) == 4
    assert len(json.loads(path.read_text(encoding="utf-8"))["finished"]) == 3
    resumed = said(capsys, *asked, "--resume", str(path))
    assert resumed[:-1] == said(capsys, *asked, "--save", str(whole))[:-1]
    one, other = (json.loads(p.read_text(encoding="utf-8")) for p in (path, whole))
    assert one["results"] == other["results"] and one["finished"] == other["finished"]


@contextmanager
def started(*arguments):
    """Give a process of the command line, in a group of its own, and the terminal that its standard error is."""
    # Premise: what runs in the background of a shell ignores interrupts, and so would all that it starts.
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    terminal, theirs = os.openpty()
    options = {"cwd": ROOT, "start_new_session": True, "preexec_fn": heard, "stdout": subprocess.PIPE}
    run = subprocess.Popen([sys.executable, "-m", "refclass", *arguments], stderr=theirs, **options)
    os.close(theirs)
    try:
        yield run, terminal
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        os.close(terminal)


def shown(terminal):
    """Yield what a terminal shows, up to the end of the processes that write to it."""
    with suppress(OSError):  # how a terminal tells its end
        while text := os.read(terminal, 4096):
            yield text.decode()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of a terminal")
def test_an_interrupt_ends_the_processes_and_keeps_what_is_finished(tmp_path):
    """Ctrl-C, which reaches all processes, once the bar shows that a fit is finished: reported, saved, no traceback."""
    path = tmp_path / "r.json"
    asked = ["grid", *MACHINE[:5], "--set", "kernel.name=gaussian", "--leave-one-out", "--save", str(path)]
    with started(*asked, "--grid", "C=1,10,100,1000", "kernel.gamma=1(1)40", "--jobs", "2") as (run, terminal):
        err, interrupted = "", False
        for text in shown(terminal):
            err += text
            if not interrupted and re.search(r"\] [1-9]\d*/\d+ ", err):
                interrupted = True
                os.killpg(run.pid, signal.SIGINT)
        out = run.stdout.read().decode()
        assert (run.wait(), interrupted) == (130, True)
    assert "Traceback" not in err and "interrupted: " in out
    assert json.loads(path.read_text(encoding="utf-8"))["finished"]


@pytest.mark.long
def test_the_grid_of_the_mail_data_runs_on_some_rows(capsys):
    """A corner of the grid on 60 of the 4601 messages, the steps in MMST's notation  [GRID-SPAM] [MMST-11.3.7-spam]."""
    if not (DATA / "spam.csv").is_file():
        pytest.skip("the data set spam.csv is not here")
    asked = [
        "svc",
        "--data",
        str(DATA / "spam.csv"),
        "--target",
        "type",
        "--rows",
        "60",
        "--set",
        "kernel.name=gaussian",
    ]
    lines = said(capsys, "grid", *asked, "--grid", "C=10,100", "kernel.gamma=1e-5(1e-5)3e-5", "--folds", "3")
    assert "on 60 rows, 57 columns; target type; 3 folds, stratified, seed 0" in lines[0]
    assert [line.split()[0] for line in lines[3:6]] == ["1e-05", "2e-05", "3e-05"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ["cv", "lda", "--data", "iris", "--target", "species", "--folds", "1"],
            "need a number of folds from 2 to the 150",
        ),
        (["cv", "lda", "--data", "iris", "--target", "species", "--folds", "151"], "need a number of folds from 2"),
        (["cv", "lda", "--data", "iris", "--target", "species", "--folds", "3", "--leave-one-out"], "not allowed with"),
        (["cv", "lda", "--data", "iris", "--target", "species", "--rows", "1"], "need a number of rows from 2"),
        (["cv", "lda", "--data", "iris", "--target", "species", "--jobs", "0"], "need a number of processes ≥ 1"),
        (["cv", "svc", "--data", "synth_tr", "--target", "yc", "--set", "C=0"], "need C a finite number > 0; got 0"),
        (["cv", "svm_path", "--data", "synth_tr", "--target", "yc"], "need an estimator that predicts"),
        (["cv", "lda", "--data", "iris", "--target", "species", "--resume", "none.json"], "No such file"),
        (
            ["cv", "ridge", "--data", "iris", "--target", "sepal_width", "--columns", "petal_width", "--stratified"],
            "strat",
        ),
        (["grid", "svc", "--data", "iris", "--target", "species"], "the following arguments are required: --grid"),
        (["grid", "svc", "--data", "iris", "--target", "species", "--grid", "C"], "need axes of the form NAME=V,V"),
        (["grid", "svc", "--data", "iris", "--target", "species", "--grid", "c=1"], "need a parameter among C, kernel"),
        (["grid", "svc", "--data", "iris", "--target", "species", "--grid", "C=1", "--refine", "-1"], "need refine"),
    ],
)
def test_a_run_that_cannot_be_says_why_in_one_line(capsys, arguments, complaint):
    """Exit 2, one line, no traceback."""
    assert complaint in refused(capsys, *arguments)
