"""Fits kept while one problem is judged many times: fitting is deterministic, so what is judged stays the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Optional

from refclass.oracle.problem import Problem


@contextmanager
def kept(fits: Optional[dict[str, Any]] = None) -> Iterator[None]:
    """Fit each problem once while the block runs, and not again what another block left in the dictionary."""
    known: dict[str, Any] = {} if fits is None else fits
    fitted = Problem.fitted

    def once(self: Problem) -> Any:
        key = repr((self.method, self.arithmetic, self.parameters, self.x, self.y, self.weights))
        if key not in known:
            known[key] = fitted(self)
        return known[key]

    Problem.fitted = once  # type: ignore[method-assign]
    try:
        yield
    finally:
        Problem.fitted = fitted  # type: ignore[method-assign]
