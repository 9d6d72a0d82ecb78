"""Independent jobs at any executor."""

import multiprocessing
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from refclass.errors import InvalidInput, NoAnswer
from refclass.selection import executor as jobs
from tests.selection.executors import Backwards, Interrupting, processes

TASKS = {f"job {i}": i for i in range(12)}
SQUARES = {f"job {i}": i * i for i in range(12)}


def square(i):
    """Return i², in whatever process."""
    return i * i


def failing(i):
    """Return i, but refuse 3 and 7."""
    if i in (3, 7):
        raise NoAnswer("job", need="another number", got=i)
    return i


def done(executor, job=square, finished=None):
    """Return the answers, in the order in which they came."""
    found = {} if finished is None else finished
    for key in jobs.steps(job, TASKS, found, executor):
        assert key in found
    return found


def test_answers_do_not_depend_on_the_executor():
    """One after the other, threads, or the last first: the same answers."""
    with ThreadPoolExecutor(3) as threads:
        assert done(None) == done(threads) == done(Backwards(12)) == SQUARES
    backwards = Backwards(12)
    done(backwards)
    assert backwards.done == list(range(11, -1, -1))


@processes
def test_processes_started_from_nothing_do_the_same():
    """Everything that is sent to a process started anew pickles, and so does what comes back."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as others:
        assert done(others) == SQUARES


@pytest.mark.parametrize("make", [lambda: None, lambda: ThreadPoolExecutor(2), lambda: Backwards(12)])
def test_of_several_failures_the_earliest_is_raised(make):
    """Job 3 and job 7 fail: job 3's refusal is raised, whoever failed first, and what came before is kept."""
    found = {}
    with pytest.raises(NoAnswer, match="got 3"):
        done(make(), failing, found)
    assert {f"job {i}": i for i in range(3)}.items() <= found.items()
    assert "job 3" not in found and "job 7" not in found


def test_what_comes_after_a_failure_is_cancelled():
    """The failure of the first job leaves no later job to be begun."""
    gate, begun = threading.Event(), []

    def job(i):
        begun.append(i)
        if i == 0:
            raise NoAnswer("job", need="another number", got=0)
        gate.wait(5)

    with ThreadPoolExecutor(1) as threads:
        threads.submit(gate.wait, 0.05)
        threading.Timer(0.2, gate.set).start()
        with pytest.raises(NoAnswer):
            done(threads, job)
    assert len(begun) < 4


def test_an_interruption_keeps_what_is_finished():
    """Ctrl-C after five jobs: five answers are there, and a second iteration does the other seven only."""
    found = {}
    with pytest.raises(KeyboardInterrupt):
        done(Interrupting(5), finished=found)
    assert found == dict(list(SQUARES.items())[:5])
    asked = []
    assert done(None, lambda i: asked.append(i) or i * i, found) == SQUARES
    assert asked == list(range(5, 12))


def test_an_interrupted_job_keeps_those_before_it():
    """Without an executor the jobs before the interrupted one are kept."""
    found = {}

    def job(i):
        if i == 4:
            raise KeyboardInterrupt
        return i

    with pytest.raises(KeyboardInterrupt):
        done(None, job, found)
    assert list(found.values()) == [0, 1, 2, 3]


def test_an_iteration_that_is_closed_cancels_what_has_not_begun():
    """After the first answer the caller iterations away: jobs that no worker has begun are never done."""
    gate, begun = threading.Event(), []

    def job(i):
        begun.append(i)
        if i:
            gate.wait(5)
        return i

    found = {}
    with ThreadPoolExecutor(1) as threads:
        run = jobs.steps(job, TASKS, found, threads)
        assert next(run) == "job 0"
        run.close()
        gate.set()
    assert len(begun) <= 2 and found["job 0"] == 0


def test_something_else_than_an_executor_is_refused():
    """An executor has submit."""
    with pytest.raises(InvalidInput, match="need an executor with submit.*; got int"):
        done(4)
