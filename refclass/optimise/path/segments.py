"""Path following: from the first break point to the next, until λ = 0  [ESL-12.3.5-path]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Optional

from refclass.errors import NotConverged
from refclass.linear import combination
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.optimise.limits import ROUNDOFF_UNITS
from refclass.optimise.path import initial, residuals
from refclass.optimise.path.equal_points import Distinct
from refclass.optimise.path.progress import Progress
from refclass.optimise.path.residuals import ELBOW, LEFT, TIE_UNITS, Data
from refclass.optimise.path.segment import Segment
from refclass.optimise.quadratic.box_rows import gatherer


class Place(NamedTuple):
    """A place within a segment of the path.

    lam           λ
    sides         LEFT, ELBOW or RIGHT for every point
    inside_sum    Σⱼ Kᵢⱼyⱼ over the points j inside the band, for every point i
    """

    lam: Number
    sides: Sequence[int]
    inside_sum: Sequence[Number]


def cost(n: int, m: int) -> int:
    """Return the units of work that a break point takes: n m + m², with n points that differ and m at the elbow."""
    return n * m + m * m


class PathFollowing:
    """The iteration from the first break point to the last.

    place    where to go on within a segment; None: from λ = ∞
    points   the points that differ, what follows is about them
    highest  their multipliers above the first break point
    head     (slope, constant) of α₀ above it; None where α₀ is free
    lam      λ at the present break point, None if there is none
    least    λ above which no event follows the last; above zero where decimals do not tell the next one from λ = 0
    """

    def __init__(self, K: Any, y: Vector, place: Optional[Place] = None) -> None:
        self.points, self.within = Distinct.of(K, y), place is not None
        K, y, sizes = self.points.K, self.points.y, self.points.sizes
        data = Data.of(K.row, y, y, y[0] - y[0], K.diagonal(), sizes)
        self.segment = Segment(data)
        self.highest = Vector.of(sizes if place else initial.multipliers(K, y, sizes))
        total = sum(self.highest)
        unseen = residuals.unseen(y.kind, total, data.largest)
        self.floor = max(ROUNDOFF_UNITS * data.eps * total * data.largest, unseen)
        self.unseen, self.least = unseen, data.zero
        self.head: Optional[tuple[Number, Number]] = None
        self.lam: Optional[Number] = None
        if place is None:
            self.head, self.lam = self._first()
        else:
            self._enter(place)

    def go(self) -> Iterator[tuple[Number, Vector, Number, tuple[int, ...], tuple[int, ...]]]:
        """Yield the break points: λ, α, α₀, and the sides of the points just above and just below.

        Raises    NotConverged when roundoff hides the next one, or is found to have spoilt the last ones
        """
        segment, points = self.segment, self.points
        progress = Progress(len(points.y), segment.data.eps)
        if self.lam is None:
            return
        above = tuple(segment.side)
        if not self.within:
            segment.near(self.lam + self.floor)
        while True:
            changed = not self.within and segment.update_sets(self.lam + self.floor)
            if changed:
                below = tuple(segment.side)
                alpha = points.shares(segment.alpha)
                yield self.lam, alpha, segment.alpha0, points.every(above), points.every(below)
                above = below
            self.within = False
            fall = self._next()
            if fall is None:
                if segment.data.eps and segment.steps:
                    segment.verify()
                return
            if progress.stalled(changed=changed, fell=self.lam - fall < self.lam):
                raise NotConverged("path", need="the next break point", got="roundoff", lam=self.lam)
            self.lam = self.lam - fall

    @property
    def start(self) -> Vector:
        """The multipliers of all points above the first break point."""
        return self.points.shares(self.highest)

    def cost(self) -> int:
        """Return the units of work that the present break point takes."""
        return cost(len(self.points.y), len(self.segment.held))

    def end(self) -> tuple[Vector, Number]:
        """Return the multipliers and α₀ to which the last segment leads, at λ = 0."""
        segment, data, alpha = self.segment, self.segment.data, list(self.segment.alpha if self.lam else self.highest)
        if self.lam is None or not segment.held:
            return self.points.shares(alpha), data.zero
        if LEFT not in segment.side:  # no slack is left: f is that of the hard margin, and α = λ times its multipliers
            return self.points.shares(data.zero * Vector.of(alpha)), data.zero
        for j, a in zip(segment.held, segment.dalpha):
            alpha[j] = min(max(alpha[j] - self.lam * data.y[j] * a, data.zero), data.upper[j])
        return self.points.shares(alpha), segment.alpha0 - self.lam * segment.dalpha0

    def _first(self) -> tuple[Optional[tuple[Number, Number]], Optional[Number]]:
        """Go to the first break point; return how α₀ behaves above it, and its λ, None if there is none.

        Above it α stands still. A point of the majority between its bounds stays at the elbow, which fixes α₀; without
        one α₀ is free, as long as no positive point inside the band need be above a negative one.
        """
        y, alpha, segment, K = self.points.y, self.highest, self.segment, self.points.K
        signed = alpha.times(y)
        g = [dot(signed, K.row(i)) for i in range(len(y))]
        elbow, head = [i for i, (a, most) in enumerate(zip(alpha, segment.data.upper)) if 0 < a < most], None
        if elbow:
            major = y[elbow[0]]
            level = sum(g[i] for i in elbow) / len(elbow)
            lam = max(major * (level - v) for v, t in zip(g, y) if t != major) / 2
            alpha0, head = lam * major - level, (major, -level)
        else:
            top = max(v for v, a, t in zip(g, alpha, y) if a and t > 0)
            lam = (top - min(v for v, a, t in zip(g, alpha, y) if a and t < 0)) / 2
            alpha0 = lam - top
        segment.begin(alpha, [segment.data.zero] * len(y), lam, g, alpha0)
        self._ends_at(lam)
        return head, lam if lam > self.floor else None

    def _enter(self, place: Place) -> None:
        """Go to the place, its multipliers from the equations of the points at the elbow alone.

        Raises    NotConverged where these do not determine multipliers between their bounds
        """
        segment, y, upper, self.lam = self.segment, self.points.y, self.points.sizes, place.lam
        pick = gatherer(self.points.firsts)
        sides, inside_sum = pick(place.sides), pick(place.inside_sum)
        elbow = [i for i, s in enumerate(sides) if s == ELBOW]
        segment.hold(elbow)
        if not elbow or not segment.regular:
            raise NotConverged("path", need="independent equations of the points at the elbow", got=len(elbow))
        alpha = [w if s == LEFT else segment.data.zero for s, w in zip(sides, upper)]
        balance = segment.data.zero - sum([t * a for t, a in zip(y, alpha)])
        alpha0, signed = segment.elbow.solve(balance, [place.lam * y[i] - inside_sum[i] for i in elbow])
        for i, v in zip(elbow, signed):
            alpha[i] = v * y[i]
        if not all(0 < alpha[i] < upper[i] for i in elbow):
            raise NotConverged("path", need="multipliers between their bounds at the elbow", got="others")
        g = combination.total([segment.data.one, *signed], [inside_sum, *map(self.points.K.row, elbow)])
        segment.start_at(alpha, [segment.data.zero] * len(y), place.lam, g, alpha0)
        segment.solve_slopes()

    def _ends_at(self, lam: Number) -> None:
        """Take note of the λ of an event that is not followed, unless it is surely none."""
        if self.unseen and abs(lam) <= self.floor + TIE_UNITS * self.segment.data.eps * abs(self.segment.parameter):
            self.least = self.floor

    def _next(self) -> Optional[Number]:
        """Go to the next event; return how far λ falls to it, None if there is none above zero."""
        segment, lam = self.segment, self.lam
        if LEFT not in segment.side:
            return None  # Proof: α and α₀ times λ′/λ satisfy every condition at any smaller λ′.
        if segment.held:
            fall, rates = segment.next_event()
        else:
            fall, rates = segment.close(), list(segment.data.dtarget)
        if lam is None or fall is None:
            return None
        if lam - fall <= self.floor + TIE_UNITS * segment.data.eps * lam:
            self._ends_at(lam - fall)
            return None
        segment.advance(fall, rates)
        if not segment.held:
            segment.near(segment.parameter + self.floor)
        return fall
