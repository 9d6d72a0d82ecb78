"""Executors for tests: one that does what it is given backwards, one that stops after some jobs as if interrupted."""

import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor

import pytest

# Premise: the executor of some builds of PyPy calls a method that it has under another name.
BROKEN = sys.implementation.name == "pypy" and not hasattr(ProcessPoolExecutor, "_adjust_process_count")
processes = pytest.mark.skipif(BROKEN, reason="this interpreter's executor starts no processes")


class Backwards(Executor):
    """Waits until `count` jobs have been submitted, then does the last first, in a thread of its own."""

    def __init__(self, count):
        self.count, self.jobs, self.done = count, [], []

    def submit(self, job, /, *arguments, **named):
        """Take an order; begin when the last has come."""
        future = Future()
        self.jobs.append((future, job, arguments, named))
        if len(self.jobs) == self.count:
            threading.Thread(target=self.work, daemon=True).start()
        return future

    def work(self):
        """Do the jobs, the last first."""
        for place, (future, job, arguments, named) in reversed(list(enumerate(self.jobs))):
            if future.set_running_or_notify_cancel():
                self.done.append(place)
                try:
                    answer = job(*arguments, **named)
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(answer)


class Interrupting(Executor):
    """Does the first jobs at once, and is interrupted when the next one comes."""

    def __init__(self, count):
        self.count = count

    def submit(self, job, /, *arguments, **named):
        """Do the job, or be interrupted."""
        if not self.count:
            raise KeyboardInterrupt
        self.count -= 1
        future = Future()
        future.set_result(job(*arguments, **named))
        return future
