"""When a path gains nothing more: in rounded numbers the same events may come again and again."""

from __future__ import annotations

from typing import Any

from refclass.optimise.limits import PATIENCE

MAX_EVENTS_PER_POINT = 4  # times the number of points: so many events at one value of the parameter


class Progress:
    """How many events in a row have left the sets of points as they were, and how many the parameter.

    Example
        >>> progress = Progress(1, eps=0)
        >>> progress.stalled(changed=False, fell=True), progress.stalled(changed=False, fell=True)
        (False, True)
    """

    def __init__(self, n: int, eps: Any) -> None:
        self.n, self.eps = n, eps
        self.idle = self.still = 0

    def stalled(self, *, changed: bool, fell: bool) -> bool:
        """Take note of an event; say whether too many have changed no set, or of rounded numbers not the parameter."""
        self.idle = 0 if changed else self.idle + 1
        self.still = 0 if fell else self.still + 1
        still = bool(self.eps) and self.still > MAX_EVENTS_PER_POINT * self.n
        return still or self.idle > (PATIENCE if self.eps else self.n)
