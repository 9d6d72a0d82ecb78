"""Bounds on the error of a machine that separates: from its margin and the ball around the points, without test data.

    dimension ≤ min(⌈R²A²⌉, p) + 1        error ≤ 4 (h [log(2n/h) + 1] − log(η/4))/n  with probability 1 − η

They are worth what they assume: that the ball and A were there before the data, though both are taken from the data
here, as in the book, that the machine errs on no training observation, and that it is canonical, |f(xᵢ)| ≥ 1: f is
divided by the least of these values. Most are above one, and say nothing; the leave-one-out bound
(`leave_one_out.support_share`) says more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.number.field import Field, Number


def printed_dimension(square: Number, norm: Number) -> Number:
    """Return R²A², the bound on the dimension as it is printed  [ESL-12.50]; it is too small by one [ERR-ESL-12].

    square    R², of a ball that encloses the points
    norm      A², the largest ‖β‖² allowed

    Exact     yes
    Raises    InvalidInput for negative numbers
    """
    if square < 0 or norm < 0:
        raise InvalidInput("bounds", need="R² ≥ 0 and A² ≥ 0", got=f"{square}, {norm}")
    return square * norm


def dimension(square: Number, norm: Number, p: Optional[int] = None) -> int:
    """Return a bound on how many points in the ball the canonical hyperplanes of ‖β‖ ≤ A can shatter  [ESL-12.50].

        h ≤ min(⌈R²A²⌉, p) + 1        canonical: |f(xᵢ)| ≥ 1 at every point

    Without that condition ‖β‖ ≤ A excludes no rule, since sign f does not change when f is divided; and without the one
    more, two points at ±R refute it [ERR-ESL-12].

    p    the number of variables; None where the space has no bound on it

    Exact     yes

    Example
        >>> printed_dimension(1, 1), dimension(1, 1, p=1)
        (1, 2)
    """
    product: int = ceil(printed_dimension(square, norm))
    return 1 + (product if p is None else min(product, p))


def canonical_norm(norm: Number, values: Sequence[Number]) -> Number:
    """Return ‖β‖² of f divided by the least |f(xᵢ)|, so that it is canonical on the points  [ERR-ESL-12].

    f divided by it classifies as f does, and is in the class of rules that `dimension` bounds.

    Exact     yes
    Raises    NoAnswer if f is zero at a point: no multiple of it is canonical
    """
    least = min(map(abs, values))
    if not least > 0:
        raise NoAnswer("bounds", need="f other than zero at every point", got=least)
    return norm / (least * least)


@dataclass(frozen=True)
class Bound:
    """A bound on the test error.

    value        which may be above 1
    dimension    h
    """

    value: Number
    dimension: Number

    @property
    def vacuous(self) -> bool:
        """Whether it says nothing: every rule errs on at most all points."""
        return bool(self.value >= 1)


def error_bound(F: Field, n: int, h: Number, eta: Number) -> Bound:
    """Return the bound on the test error of a rule of dimension h that errs on none of n observations  [ESL-12.51].

        4 (h [log(2n/h) + 1] − log(η/4))/n        with probability at least 1 − η; natural logarithms

    The formula rises in h up to 2n and then turns, though the rules only become more: from there on h counts as 2n,
    where the bound is above 8, and vacuous.

    Raises    InvalidInput unless n ≥ 1, h > 0 and 0 < η ≤ 1; NotExact in exact arithmetic

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> bound = error_bound(BINARY64, 1000, 10, 0.05)
        >>> f"{bound.value:.7f}", bound.vacuous
        ('0.2694608', False)
    """
    if n < 1 or not h > 0 or not 0 < eta <= 1:
        raise InvalidInput("bounds", need="n ≥ 1, h > 0 and 0 < η ≤ 1", got=f"n = {n}, h = {h}, η = {eta}")
    counted = F.lift(min(h, 2 * n))
    complexity = counted * (F.log(2 * n / counted) + 1)
    return Bound(4 * (complexity - F.log(F.lift(eta) / 4)) / n, h)


@dataclass(frozen=True)
class Candidate:
    """A trained machine among which to choose.

    cost      C
    norm      ‖β̂(C)‖²
    errors    how many training observations it puts on the wrong side
    least     the least |f(xᵢ)| of the training observations
    """

    cost: Any
    norm: Number
    errors: int
    least: Number

    @property
    def canonical(self) -> Optional[Number]:
        """‖β‖² of f divided by its least value; None if f is zero at a point."""
        return canonical_norm(self.norm, [self.least]) if self.least > 0 else None


def choose(
    F: Field, candidates: Sequence[Candidate], square: Number, n: int, eta: Number, p: Optional[int] = None
) -> tuple[Candidate, list[Optional[Bound]]]:
    """Return the machine of the least bound on the test error, and every machine's bound  [ESL-12.3.8-srm].

    The bound is that of the class of canonical rules with ‖β‖ ≤ A, where A is the norm of f divided by its least value
    on the points (`canonical_norm`). It holds for machines without training errors: others have None. Equal bounds go
    to the least C. The norm so taken need not rise with C, so that the choice need not be the least C without training
    errors (RC-27). Each bound holds with probability 1 − η for a ball and an A that were there before the data; that of
    the machine which is chosen by it among m, with probability 1 − mη.

    square    R² of the smallest ball around the points
    p         the number of variables, None where there is no bound on it

    Raises    NoAnswer if every machine has training errors
    """
    norms = [None if c.errors else c.canonical for c in candidates]
    bounds = [None if v is None else error_bound(F, n, dimension(square, v, p), eta) for v in norms]
    known = [(b.value, c.cost, i) for i, (b, c) in enumerate(zip(bounds, candidates)) if b is not None]
    if not known:
        least = min((c.errors for c in candidates), default="no machine")
        raise NoAnswer("bounds", need="a machine without training errors", got=least)
    return candidates[min(known)[2]], bounds
