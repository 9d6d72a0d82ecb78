"""What a decomposition method requires of a problem, and of the part of it that is a working set.

The constraints are the argument of the method: bounds and one sum, or none (`one_sum`); bounds and sums that are equal
for all classes (`multiclass.equal_sums`); bounds and one sum for each point (`multiclass.block_sums`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import mul
from typing import Any, Optional, Protocol

MAX_STEPS_PER_VARIABLE = 8  # steps in closed form before Newton's method takes over
MIN_INSIDE = 20  # of them those that meet no bound, one more for each entry that Newton's method has yet to take in
FACTOR_STEPS = 36  # a factor of f entries, and what changes it, takes as long as f³ over so many times n steps


class WorkingSet(Protocol):
    """The variables of a working set.

    names            their numbers in the problem
    x, m             the point, and minus its gradient
    lower, upper     bounds, None where there is none
    rise, fall       whether an entry can rise, can fall
    value            how much the objective has changed
    """

    names: Any
    x: list[float]
    m: list[float]
    lower: Any
    upper: Any
    rise: list[bool]
    fall: list[bool]
    value: float

    def violation(self) -> float:
        """Return how far the worst motion violates optimality."""

    def move(self, k: int, t: float) -> None:
        """Raise entry k by t, within its bounds; m is left as it is."""

    def add(self, moved: Sequence[int], steps: Sequence[float]) -> None:
        """Bring m up to date where these entries have risen by these steps."""

    def descend(self, target: float, alone: bool, held: int) -> Optional[dict[int, float]]:
        """Move in closed form towards violations of at most the target; return a ray if there is one.

        alone    whether that alone is to reach the target, unless it takes longer than Newton's method
        held     how many variables the factor of Newton's method has
        """


class Stepwise(WorkingSet, Protocol):
    """A working set whose entries move a few at a time, along the motion that violates optimality most.

    steps    how many motions it has taken
    """

    steps: int

    def steepest(self, tol: float) -> Any:
        """Return the motion, or None if none violates optimality by more than tol."""

    def entries(self, motion: Any) -> Iterable[int]:
        """Return the entries that it moves."""

    def take(self, motion: Any) -> Any:
        """Go to the least value along the motion; return a ray if there is one."""


def descend(part: Stepwise, target: float, alone: bool, held: int) -> Any:
    """Go along one motion after another until too many met no bound; return a ray if any.

    They are too many if they are more than the free entries that the factor does not have; where motions alone are to
    reach the target, if Newton's method would take less time.
    """
    inside, free, size = 0, sum(map(mul, part.rise, part.fall)), len(part.x)
    for _ in range(MAX_STEPS_PER_VARIABLE * size):
        motion = part.steepest(target)
        if motion is None or inside > MIN_INSIDE + max(0, free - held) + (
            free**3 / (FACTOR_STEPS * size) if alone else 0
        ):
            return None
        entries = set(part.entries(motion))
        before = sum([part.rise[k] and part.fall[k] for k in entries])
        ray = part.take(motion)
        part.steps += 1
        if ray is not None:
            return ray
        after = sum([part.rise[k] and part.fall[k] for k in entries])
        free += after - before if alone else 0
        inside += before == after == len(entries)
    return None


class Constraints(Protocol):
    """What a decomposition method needs of a problem: variables, bounds, sums.

    lower, upper    bounds of the variables
    scale           the largest entry of the linear part
    roots           √Qᵢᵢ of the variables
    sums            how many sums are kept, each of many variables
    common          the number of groups whose sums need only be equal; 0 where each is kept
    """

    lower: Any
    upper: Any
    scale: float
    roots: list[float]
    sums: int
    common: int

    def group(self, v: int) -> Optional[int]:
        """Return the group of a variable: one that rises is made up for by others of its group; None for none."""

    def start(self, x: Any) -> list[float]:
        """Return a feasible point near x, or near zero."""

    def gradient(self, x: Sequence[float]) -> list[float]:
        """Return Qx + c."""

    def added(self, g: Sequence[float], moved: Sequence[int], steps: Sequence[float]) -> list[float]:
        """Return the gradient where these variables have risen by these steps."""

    def objective(self, x: Sequence[float], g: Sequence[float]) -> float:
        """Return the objective at a point with its gradient."""

    def violation(self, m: Sequence[float], rise: Sequence[bool], fall: Sequence[bool]) -> float:
        """Return how far the worst motion violates optimality, m minus the gradient."""

    def entering(
        self, m: Sequence[float], rise: Sequence[bool], fall: Sequence[bool], enter: int
    ) -> tuple[list[int], list[int]]:
        """Return the free variables, and about so many others that enter the working set."""

    def part(self, names: Sequence[int], x: Sequence[float], m: Sequence[float]) -> Any:
        """Return the working set of these variables."""

    def curvature(self, v: int, members: Sequence[int], reference: dict[int, int]) -> tuple[Sequence[float], float]:
        """Return the curvature between the direction of a variable and those of others, and along it."""

    def levels(self, part: Any, means: dict[Any, float]) -> dict[Any, float]:
        """Return the level that m has at an optimum on the free variables of each group, given their means."""

    def falls(self, p: dict[int, float]) -> bool:
        """Return whether the objective falls along a direction without curvature or bound, by more than roundoff."""

    def refuse(self, ray: dict[int, float], part: Any, x: Sequence[float]) -> None:
        """Raise NoAnswer where the objective falls for ever along a ray from x, NotConverged if roundoff hides it."""

    def search(self, x: Sequence[float]) -> None:
        """Raise NoAnswer if a ray is found from x."""
