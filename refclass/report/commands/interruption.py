"""Who does the work of many fits, and how it is stopped."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Optional

from refclass.errors import InvalidInput

GUARDED = ("concurrent.", "multiprocessing.", "threading")  # modules that an interrupt must not cut short
OURS = "refclass."  # those that it may, even where the whole program runs in a process of somebody's pool
LATER = 0.02  # seconds until it is tried again
ENDING = 2  # seconds that an executor's thread has to end once its processes are


@contextmanager
def workers(jobs: int) -> Iterator[Optional[ProcessPoolExecutor]]:
    """Give that many processes to work with, none for one job: they end with the block, at once if it is interrupted.

    Raises    InvalidInput unless jobs ≥ 1, and where the system has no processes
    """
    if jobs < 1:
        raise InvalidInput("jobs", need="a number of processes ≥ 1", got=jobs)
    if jobs == 1:
        yield None
        return
    others, threads = set(multiprocessing.active_children()), set(threading.enumerate())
    try:
        context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
        pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_undisturbed)
        with _held_back():
            for _ in range(jobs):  # each starts a process
                pool.submit(int)  # Premise: where processes cannot start, the first job is what fails
    except (ImportError, OSError, NotImplementedError, AttributeError, RuntimeError) as error:
        need = "a system that can start processes and threads, for more than one"
        raise InvalidInput("jobs", need=need, got=str(error)) from None
    try:
        yield pool
    except BrokenExecutor:
        need, got = "processes that live until they have answered", "one that ended before (out of memory?)"
        raise InvalidInput("jobs", need=need, got=got) from None
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        # Premise: a thread that closes its pipes while the interpreter ends lets that write to a closed one.
        for thread in set(threading.enumerate()) - threads:
            thread.join(ENDING)
        raise
    pool.shutdown()


@contextmanager
def _held_back() -> Iterator[None]:
    """Let Ctrl-C wait for the end of the block, in the processes that it starts for ever."""
    mask = getattr(signal, "pthread_sigmask", None)
    before = mask(signal.SIG_BLOCK, {signal.SIGINT}) if mask else None
    try:
        yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, before)


@contextmanager
def stoppable() -> Iterator[None]:
    """Let Ctrl-C, and the signal by which batch systems end a program, interrupt the block; not code of executors.

    Premise: an exception out of the midst of that code may leave a lock taken, for which its threads, and at the end
    the interpreter, would wait for ever. Where the system has a timer, the interrupt is tried again a little later.
    """
    alarm = getattr(signal, "SIGALRM", None) if hasattr(signal, "setitimer") else None

    def interrupt(number: int, frame: Optional[FrameType]) -> None:
        if alarm is None or not _executing(frame):
            raise KeyboardInterrupt
        signal.setitimer(signal.ITIMER_REAL, LATER)

    wanted = [signal.SIGTERM, *([] if signal.getsignal(signal.SIGINT) is signal.SIG_IGN else [signal.SIGINT])]
    wanted += [] if alarm is None else [alarm]
    try:
        before = [(number, signal.signal(number, interrupt)) for number in wanted]
    except ValueError:  # Premise: only the main thread may say what becomes of signals.
        yield
        return
    try:
        yield
    finally:
        if alarm is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before:
            signal.signal(number, handler)


def _executing(frame: Optional[FrameType]) -> bool:
    """Return whether a frame runs code of executors, processes or threads, or is called by it and not by ours."""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith(GUARDED) or name.startswith(OURS):
            return name.startswith(GUARDED)
        frame = frame.f_back
    return False


def _undisturbed() -> None:
    # Premise: Ctrl-C reaches every process of the terminal; the one that hands out the work decides what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
