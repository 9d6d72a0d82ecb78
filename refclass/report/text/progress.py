"""How far long work has come, on standard error, where that is a terminal; silence there lasts two seconds at most."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Any, Optional

SILENT = 2.0  # seconds
WIDTH = 79


class Clearing:
    """An output stream before which a bar is taken away, so that lines do not run into it."""

    def __init__(self, stream: Any, bar: Progress) -> None:
        self.stream, self.bar = stream, bar

    def write(self, text: str) -> Any:
        """Write the text, the bar taken away."""
        self.bar.clear()
        return self.stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class Progress:
    """A bar with what is done, of how much; work that says nothing for two seconds is shown with its seconds.

    It is called with (done, total, what); done ≥ total removes the bar. As a context it watches the work within.
    """

    def __init__(self, stream: Any = None, silent: float = SILENT) -> None:
        self.stream, self.silent = stream, silent
        self.text, self.begun, self.shown = "working", time.monotonic(), False
        self.over = threading.Event()
        self.lock = threading.Lock()

    def __enter__(self) -> Progress:
        self.begun, self.kept = time.monotonic(), sys.stdout
        self.over.clear()
        if self._is_terminal():
            sys.stdout = Clearing(sys.stdout, self)
            with suppress(RuntimeError):  # Premise: some systems have no threads; they show the steps alone.
                threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.over.set()
        sys.stdout = self.kept
        self.clear()

    def clear(self) -> None:
        """Take the bar away, if there is one."""
        self.begun = time.monotonic()
        if self.shown:
            self._write("")

    def __call__(self, done: int, total: int, what: str) -> None:
        """Show that so much is done, of how much, and what is being done."""
        self.begun = time.monotonic()
        if not self._is_terminal():
            return
        if done >= total:
            self.text = "working"
            self._write("")
            return
        bar = ("#" * (30 * done // max(1, total))).ljust(30, ".")
        self.text = f"[{bar}] {done}/{total} {what[:30]}"
        self._write(self.text)

    def _watch(self) -> None:
        while not self.over.wait(self.silent / 4):
            silence = time.monotonic() - self.begun
            if silence >= self.silent:
                self._write(f"{self.text} ({silence:.0f} s)")

    def _write(self, text: str) -> None:
        with self.lock, suppress(ValueError):  # Premise: at the end of the program the stream may be closed.
            out = self._out()
            out.write("\r" + text.ljust(WIDTH)[:WIDTH] + ("" if text else "\r"))
            out.flush()
            self.shown = bool(text)

    def _out(self) -> Any:
        return sys.stderr if self.stream is None else self.stream

    def _is_terminal(self) -> bool:
        return bool(self._out() is not None and self._out().isatty())
