"""What `cv` and `grid` are asked, and the file that keeps what is finished."""

import json
import os
import signal
import time
from dataclasses import replace
from fractions import Fraction

import pytest

import refclass
from refclass.errors import InvalidInput
from refclass.estimators.selection import cross_validate
from refclass.iteration import ending
from refclass.oracle import problem, table
from refclass.report.commands import interruption, trials
from tests.selection.executors import Interrupting, processes

ROWS = "a,b,label\n" + "".join(f"{i % 7},{(3 * i + i * i) % 11},{'xy'[i % 2]}\n" for i in range(24))


def asked(method="lda", given=None, target="label", rows=None, **how):
    """Return a question about the table above."""
    how = {"folds": 4, "stratified": None, "seed": 0, **how}
    arithmetic = how.pop("arithmetic", "float")
    return trials.asked(method, given or {}, arithmetic, table.parse(ROWS, "rows.csv"), target, None, rows, **how)


def test_the_axes_of_a_grid_are_read_exactly():
    """Numbers, names, steps, and lists in brackets; a name stands once, with at least one value  [GRID-SPAM]."""
    found = trials.axes(["C=10,100,inf", "kernel.gamma=1e-5(1e-5)3e-5,1/2", "loss=hinge", 'kernel={"name":"a","g":1}'])
    assert found["C"] == [10, 100, float("inf")] and found["loss"] == ["hinge"]
    assert found["kernel.gamma"] == [Fraction(k, 100000) for k in (1, 2, 3)] + [Fraction(1, 2)]
    assert found["kernel"] == [{"name": "a", "g": 1}]
    assert len(trials.axes(["g=0.00001(0.00001)0.0001(0.0001)0.002(0.001)0.01(0.01)0.04"])["g"]) == 40
    for bad in (["C"], ["=1"], ["C="], ["C=1", "C=2"], ["C=1(2)4"]):
        with pytest.raises(InvalidInput, match="grid: need"):
            trials.axes(bad)


def test_rows_are_drawn_by_the_seed():
    """Some rows, in their order; the same for the same seed; no more than there are."""
    one, same, other = asked(rows=10, seed=1), asked(rows=10, seed=1), asked(rows=10, seed=2)
    assert one.X == same.X != other.X and len(one.y) == 10
    whole = asked()
    assert [x for x in whole.X if x in one.X][:1] == one.X[:1] and asked(rows=24).X == whole.X
    for rows in (1, 25, -3):
        with pytest.raises(InvalidInput, match="need a number of rows from 2 to the 24 there are"):
            asked(rows=rows)


@pytest.mark.parametrize("method", ["lda", "ridge", "nearest_neighbors"])
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:20"])
def test_what_is_finished_goes_through_a_file(method, arithmetic):
    """Through JSON text and back, bit for bit: nothing is left to be fitted."""
    if method != "ridge":
        first = asked(method, arithmetic=arithmetic)
    else:
        numbers = "a,b\n" + "".join(f"{i % 7},{(3 * i + i * i) % 11}\n" for i in range(12))
        how = {"folds": 4, "stratified": None, "seed": 0}
        first = trials.asked(method, {"penalty": 1}, arithmetic, table.parse(numbers, "n.csv"), "b", None, None, **how)
    found = ending(first.validation(None))
    text = json.dumps(trials.saved(first, None))
    again = replace(first, finished={})
    assert trials.resumed(again, problem.decode(text, "r.json", exact=False), "r.json") == 4
    assert again.finished == first.finished and ending(again.validation(Interrupting(0))) == found


def test_a_file_of_another_question_is_not_gone_on_with():
    """Another method, other data, other folds: refused, naming what differs; so is a file of another kind."""
    first = asked()
    ending(first.validation(None))
    content = json.loads(json.dumps(trials.saved(first, None)))
    for other, name in (
        (asked("qda"), "method"),
        (asked(seed=1), "seed"),
        (asked(folds=5), "folds"),
        (asked(rows=12), "data"),
        (asked(given={"divisor": "n"}), "parameters"),
    ):
        with pytest.raises(InvalidInput, match=f"need results for the same {name}"):
            trials.resumed(other, content, "r.json")
    for bad in ([], {"finished": 3}, {"finished": {}}):
        with pytest.raises(InvalidInput, match="need a file that `cv --save` or `grid --save` wrote"):
            trials.resumed(asked(), bad, "r.json")


@pytest.mark.parametrize("method", ["lda", "qda", "nearest_neighbors"])
def test_leaving_one_out_is_the_plain_loop_however_it_is_done(method):
    """By one fit where the method has one, else by n: the same labels as n refits  [CV-LOO.P1]."""
    one = asked(method, folds="leave_one_out")
    quick = ending(one.validation(None))
    plain = ending(cross_validate.fit_steps(one.estimator, one.X, one.y, folds="leave_one_out"))
    assert quick == plain and len(quick.folds) == 24


@processes
def test_one_job_needs_no_process():
    """One job is done here; fewer are refused; an interruption ends the processes that were made."""
    with interruption.workers(1) as executor:
        assert executor is None
    for jobs in (0, -2):
        with pytest.raises(InvalidInput, match="need a number of processes ≥ 1"), interruption.workers(jobs):
            pass
    with pytest.raises(KeyboardInterrupt), interruption.workers(2) as executor:
        assert executor.submit(abs, -3).result() == 3
        raise KeyboardInterrupt
    with pytest.raises(RuntimeError):
        executor.submit(abs, -3)


@processes
def test_processes_search_as_one_does():
    """Two processes started from nothing: the same cells as without."""
    axes = trials.axes(["n_neighbors=1,3"])
    alone = ending(asked("nearest_neighbors").search(axes, 1, None))
    with interruption.workers(2) as executor:
        assert ending(asked("nearest_neighbors").search(axes, 1, executor)).cells_ == alone.cells_
    assert [cell.parameters["n_neighbors"] for cell in alone.cells_] == [1, 2, 3]
    assert isinstance(alone, refclass.GridSearch)


@processes
def test_a_process_that_dies_is_reported_in_one_line():
    """What ends a worker from outside is no traceback."""
    with (
        pytest.raises(InvalidInput, match="need processes that live until they have answered"),
        interruption.workers(2) as two,
    ):
        two.submit(os._exit, 1).result()


@pytest.mark.skipif(os.name != "posix", reason="signals of a batch system")
def test_a_batch_system_interrupts_as_ctrl_c_does():
    """The signal to terminate is an interruption within the block, and what it was before afterwards."""
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), interruption.stoppable():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(5)
    assert signal.getsignal(signal.SIGTERM) == before


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a system without a timer")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_waits_until_the_executors_own_code_returns(number):
    """Cut short, that code may leave a lock taken, for which its threads wait for ever: first it returns."""
    executors = {"__name__": "concurrent.futures.process"}
    exec("def submit(act):\n    act()\n    return 'unharmed'", executors)
    ended, before = [], {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), interruption.stoppable():
            ended.append(executors["submit"](lambda: (signal.raise_signal(number), time.sleep(0.1))))
            time.sleep(5)
        assert ended == ["unharmed"] and signal.getitimer(signal.ITIMER_REAL)[0] == 0
        assert signal.getsignal(signal.SIGALRM) == before[signal.SIGALRM]
    finally:
        for n, handler in before.items():
            signal.signal(n, handler)


@pytest.mark.skipif(os.name != "posix", reason="signals of a batch system")
def test_an_interrupt_does_not_wait_for_a_pool_that_runs_the_whole_program():
    """Our own code is interrupted at once, though a worker of somebody's pool has called it."""
    ours, pool = {"__name__": "refclass.selection.executor"}, {"__name__": "multiprocessing.process"}
    exec("def work(act):\n    act()\n    return 'not interrupted'", ours)
    exec("def run(work, act):\n    return work(act)", pool)
    with pytest.raises(KeyboardInterrupt), interruption.stoppable():
        pytest.fail(pool["run"](ours["work"], lambda: signal.raise_signal(signal.SIGTERM)))


def test_a_system_without_timers_can_be_interrupted(monkeypatch):
    """Where signals exist but no timer does (WebAssembly), the block runs and an interrupt goes through."""
    monkeypatch.delattr(interruption.signal, "setitimer")
    with interruption.stoppable():
        done = 1
    assert done
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background process starts without one
    try:
        with pytest.raises(KeyboardInterrupt), interruption.stoppable():
            interruption.signal.raise_signal(interruption.signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_system_without_threads_refuses_processes_in_one_line(monkeypatch):
    """Where no thread can start, more than one job is refused, and not with a traceback."""

    def unable(self, *arguments):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(interruption.ProcessPoolExecutor, "submit", unable)
    complaint = r"jobs: need a system that can start processes.*can't start new thread"
    with pytest.raises(InvalidInput, match=complaint), interruption.workers(2):
        pass
