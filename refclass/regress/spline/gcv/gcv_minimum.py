"""The global minimum of a GCV criterion, isolated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter
from typing import Any, Optional

from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.regress.spline.gcv import branch_and_bound
from refclass.regress.spline.gcv.gcv_criterion import Criterion, Ends
from refclass.regress.spline.gcv.gcv_expansion import Expansion, expanded
from refclass.regress.spline.smoother import Operator

GAP = Fraction(1, 2 * 10**10)  # of log GCV, between the λ chosen and the bound on all others


@dataclass(frozen=True)
class Terms:
    """What `branch_and_bound` requires; log is a lower bound of the logarithm, exp an upper one of the exponential."""

    ends: Ends
    log: Any
    exp: Any

    def floor(self, a: Optional[branch_and_bound.Point], b: Optional[branch_and_bound.Point]) -> Optional[Number]:
        """Return log RSS(a) − 2 log N(b), its limits at the ends of the line; None where that is −∞."""
        ends = self.ends
        module = ends.most if b is None else b.given.module[1]
        if a is not None:
            rss = a.given.rss[0]
        elif b is not None and ends.least == 0 and ends.within == 0:
            lam = b.given.operator.lam
            rss, module = b.given.rss[0] / lam / lam, ends.pace
        else:
            rss = ends.within
        return self.log(rss) + 2 * self.log(1 / module) if rss > 0 and module > 0 else None

    def bend(self, a: branch_and_bound.Point, b: branch_and_bound.Point) -> Number:
        """Return α on the interval, from the means of s and x over it, and how fast they can change."""
        low, high, width = a.given, b.given, b.place - a.place
        one = width / width
        if width > 100:
            return one
        least = (high.logs[0][0] - low.logs[0][1]) / width / 2
        most = (high.logs[0][1] - low.logs[0][0]) / width / 2
        wide, twice = self.exp(width), self.exp(2 * width)
        s = min(one / 2, _odds(twice, most, one - most), _odds(wide, one - least, least))
        slow = (high.logs[1][0] - low.logs[1][1]) / width
        fastest = max(0 * one, wide * (high.logs[1][1] - low.logs[1][0]) / width)  # N rises, but for roundoff
        slowest = max(0 * one, slow / (wide * self.exp(fastest * width))) if fastest * width < 1 else 0 * one
        if self.ends.least == 0:
            slowest = max(slowest, one - twice * (one - slow))
        ratio = low.module[0] / max(self.ends.most - low.module[0], low.module[0] / 10**20)
        x = min(max(one / (2 + 4 * ratio), slowest), max(slowest, fastest))
        return max(0 * one, 2 * s * (1 - s) + x * (2 - (2 + 4 * ratio) * x))


def _odds(factor: Number, p: Number, q: Number) -> Number:
    """Return p′ with p′/(1 − p′) = factor · p/q; one where q is not positive."""
    return factor * p / (factor * p + q) if p > 0 and q > 0 else p * 0 + (1 if p > 0 else 0)


def lowest(
    F: Field, criterion: Criterion, rungs: Sequence[Operator], *, closed: bool = False, gap: Any = GAP
) -> Operator:
    """Return the operator of lowest GCV over λ ∈ [0, ∞], to a share `gap` of GCV; the line where none is lower by GAP.

    Given     operators with λ over the whole range, ascending; closed: whether no λ below them is allowed
    Exact     no
    """
    return isolated(F, criterion, rungs, closed=closed, gap=gap)[0]


def isolated(
    F: Field, criterion: Criterion, rungs: Sequence[Operator], *, closed: bool = False, gap: Any = GAP
) -> tuple[Operator, Optional[Number]]:
    """Return what `lowest` does, and a lower bound of GCV over all λ allowed; None where GCV has no value."""
    smoother, ends = criterion.pooled.smoother, criterion.ends()
    line, through = smoother.at(math.inf), smoother.at(smoother.unit * 0)
    if not ends.most > 0:
        return line, None
    # Premise: where the residuals of the line are roundings of the responses, they say nothing of λ.
    if ends.line <= criterion.noise(F):
        return line, ends.line * 0
    if ends.least > 0 and ends.within == 0 and not closed:
        return through, ends.line * 0
    if len(smoother.knots) == 3:
        found = _single(criterion, ends)
        found = rungs[0] if closed and found.lam < rungs[0].lam else found
        return found, criterion(found)
    known: list[tuple[Number, Operator]] = [(F.log(ends.line) - 2 * F.log(ends.most), line)]
    if not closed and (ends.least > 0 or criterion._limiting(through)):
        known.append((F.log(criterion(through) / criterion.n), through))
    value, end = min(known, key=itemgetter(0))
    points = [criterion.point(F, rung) for rung in rungs]
    while points[-1].high is None or len(points) < 2:
        points.append(criterion.point(F, smoother.at(16 * points[-1].given.operator.lam)))
    finite = 1 + max((k for k, p in enumerate(points) if p.high is None), default=-1)  # N rises, but for roundoff

    def at(t: Number) -> branch_and_bound.Point:
        return criterion.point(F, smoother.at(F.exp(t)))

    def over(a: branch_and_bound.Point, b: branch_and_bound.Point) -> Optional[Expansion]:
        # Premise: where RSS is replaced by a larger number, it is not analytic.
        return expanded(F, at, a, b, ends.least) if a.given.rss[0] > criterion.slightest(F) else None

    searched = branch_and_bound.lowest(
        at,
        points[max(0, finite - 1) :],
        Terms(ends, F.log, F.exp),
        value,
        F.lift(gap),
        closed=closed,
        expanded=over,
    )
    if searched.best is not None:
        value, end = searched.best.high, searched.best.given.operator
    clear = known[0][0] - value > max(THRESHOLD * len(smoother.place) * F.eps, F.lift(GAP))
    return end if clear else line, criterion.n * F.exp(searched.least)


def nearby(F: Field, criterion: Criterion, operator: Operator, steps: int = 8) -> Optional[Operator]:
    """Return the operator of lowest GCV near another one, by Newton's method with differences; None if it leaves it.

    Where GCV is smooth about the minimum, λ is found to a thousandth, which is a millionth of GCV's curvature; after
    fewer steps less precisely.
    """
    x, step = criterion.point(F, operator), F.lift(Fraction(1, 16))
    for k in range(steps):
        if x.high is None:
            return None
        at = [criterion.point(F, criterion.pooled.smoother.at(F.exp(x.place + d))) for d in (-step, step)]
        if at[0].high is None or at[1].high is None:
            return None
        bend = at[0].high + at[1].high - 2 * x.high
        if not bend > 0:
            return None
        move = step * (at[0].high - at[1].high) / (2 * bend)
        if abs(move) > 2:
            return None
        if abs(move) <= F.lift(Fraction(1, 1000)):
            kept: Operator = x.given.operator
            return kept
        near = criterion.pooled.smoother.at(F.exp(x.place + move))
        if k + 1 == steps:
            return near
        x, step = criterion.point(F, near), min(step, abs(move))
    return None


def _single(criterion: Criterion, ends: Ends) -> Operator:
    """Return the operator of lowest GCV for three knots: RSS = W + z²u² and N = least + cost · u, u = λd/(1 + λd).

    GCV falls while z²u · least < cost · W, and rises beyond; the line where that is nowhere.
    """
    smoother, cost = criterion.pooled.smoother, criterion.cost
    square = ends.line - ends.within
    if not ends.least * square > cost * ends.within:
        return smoother.at(math.inf)
    u = cost * ends.within / (ends.least * square)
    return smoother.at(smoother.unit * u / (1 - u))  # unit is 1/d
