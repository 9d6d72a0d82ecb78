"""Independent jobs, done one after the other, or by whoever takes orders.

An executor is anything with `submit(job, task)` that returns a future: processes or threads of
`concurrent.futures`, those of a cluster. What comes of the jobs does not depend on it, nor on who is first to finish.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, MutableMapping
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput

PATIENCE = 1  # seconds until a waiting iteration looks up, so that it can be interrupted on systems where a lock cannot


def steps(
    job: Callable[[Any], Any],
    tasks: Mapping[Any, Any],
    finished: MutableMapping[Any, Any],
    executor: Optional[Executor] = None,
) -> Iterator[Hashable]:
    """Do the jobs that are not yet finished, and yield the key of each that is, its answer being in `finished`.

    job         takes a task and returns an answer; for processes a function of a module, and what it takes must pickle
    tasks       what is to be done, by key
    finished    answers by key; those that are there before are kept, so that an interrupted iteration can be gone on
                with

    However the iteration ends, by Ctrl-C, by being closed or by a job's failure, orders that no worker has begun are
    cancelled, and every answer that has come in is in `finished`.

    Raises    what a job raises: of several failures that of the earliest task, whoever was first to fail
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
        need = "an executor with submit, as concurrent.futures has them"
        raise InvalidInput("jobs", need=need, got=type(executor).__name__)
    open_tasks = {key: task for key, task in tasks.items() if key not in finished}
    if executor is None:
        for key, task in open_tasks.items():
            finished[key] = job(task)
            yield key
        return
    orders = _Orders(finished)
    try:
        for key, task in open_tasks.items():
            orders.add(key, executor.submit(job, task))
        yield from orders
    finally:
        orders.close()


class _Orders:
    """Futures that answers are awaited from: iterate for the keys in the order in which the answers come."""

    def __init__(self, finished: MutableMapping[Any, Any]) -> None:
        self.finished = finished
        self.open: dict[Future[Any], tuple[int, Any]] = {}
        self.ended: SimpleQueue[Future[Any]] = SimpleQueue()
        self.failures: dict[int, BaseException] = {}

    def add(self, key: Any, future: Future[Any]) -> None:
        self.open[future] = len(self.open), key
        future.add_done_callback(self.ended.put)

    def __iter__(self) -> Iterator[Any]:
        while self.open:
            try:
                future = self.ended.get(timeout=PATIENCE)
            except Empty:
                continue
            place, key = self.open.pop(future)
            if self.kept(future, key):
                yield key
            elif not future.cancelled():
                self.fail(place, future)
        if self.failures:
            raise self.failures[min(self.failures)]

    def kept(self, future: Future[Any], key: Any) -> bool:
        """Keep the future's answer, if it has one, and return whether it has."""
        if not future.done() or future.cancelled() or future.exception() is not None:
            return False
        self.finished[key] = future.result()
        return True

    def fail(self, place: int, future: Future[Any]) -> None:
        """Note the failure; what comes after it need not be done, but what comes before may fail, too."""
        error = future.exception()
        assert error is not None
        self.failures[place] = error
        for other, (later, _) in list(self.open.items()):
            if later > place:
                other.cancel()

    def close(self) -> None:
        """Cancel what has not begun, and keep what has ended unseen."""
        for future, (_, key) in self.open.items():
            future.cancel()
            self.kept(future, key)
