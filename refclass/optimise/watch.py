"""For how long points far from the edge of the band need no look  [RC-33].

While a parameter falls by δ, the residual of point i falls by δ · rateᵢ. With g = Σ aⱼhⱼ over the points on the edge
and any point c of the feature space,

    rateᵢ = paceᵢ − b₀ − ⟨g, hᵢ⟩ = u − ⟨g, hᵢ − c⟩        u = paceᵢ − b₀ − ⟨g, c⟩

So from one segment, the reference, to a later one, the rates of all points of one pace and label change by no more than

    |u′ − u| + ‖g′ − g‖ ‖hᵢ − c‖

The sum of that times δ over the segments is how far any point can have strayed from where its residual and its rate in
the reference lead it. The products in ‖g′ − g‖² = ‖g′‖² − 2⟨g′, g⟩ + ‖g‖² are sums Σⱼ aⱼ⟨g′, hⱼ⟩, and ⟨g′, hⱼ⟩ is known
where a rate is: paceⱼ − b₀′ − rate′ⱼ.

All of this is a bound, computed in doubles and rounded up, whatever the numbers of the march.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from refclass.linear.vector import dot
from refclass.number.field import Number

SAMPLE = 64  # so many points of a kind make its centre
SLACK = 1 / 2**38  # what roundoff can do to a bound, relative to the sizes that it is made of
UP, DOWN = 1 + 1 / 2**30, 1 - 1 / 2**30
LEAST, MOST = 2**-400, 2**400  # squared norms whose products and sums are doubles


def fit(diagonal: Sequence[Number]) -> bool:
    """Return whether bounds on points with these squared norms can be computed in doubles."""
    return bool(LEAST <= max(diagonal) <= MOST)


class Watch:
    """How far points may stray, and how far they can have strayed.

    kinds     the labels with their paces that there are
    centres   for each kind ⟨c, hⱼ⟩ for all points j
    reach     for each kind the largest distance of its points from c
    size      the largest ‖hᵢ‖
    fallen    how far the parameter has fallen since the reference
    strayed   how far points can have strayed since
    speed     how fast they can stray in the present segment

    Cost      64 rows of K for each kind of point
    """

    def __init__(self, rows: Any, y: Sequence[Number], pace: Sequence[Number], diagonal: Sequence[Number]) -> None:
        self.kinds = list(dict.fromkeys(zip(y, pace)))
        squares = list(map(float, diagonal))
        self.size = sqrt(max(max(squares), 0))
        self.centres, self.reach = [], []
        for kind in self.kinds:
            members = [i for i, other in enumerate(zip(y, pace)) if other == kind]
            few = members[:: 1 + (len(members) - 1) // SAMPLE]
            centre = [sum(column) / len(few) for column in zip(*[map(float, rows(i)) for i in few])]
            square = sum([centre[i] for i in few]) / len(few)
            farthest = max([squares[i] - 2 * centre[i] for i in members]) + square
            self.centres.append(centre)
            self.reach.append(sqrt(max(farthest, 0) + SLACK * self.size**2))
        self.allow(0, 0)

    def allow(self, fall: float, stray: float) -> None:
        """Begin to count here: so far may the parameter fall, and points stray."""
        self.most_fall, self.most_stray = fall, stray
        self.fallen = self.strayed = self.speed = float(0)

    def covers(self, fall: float) -> bool:
        """Return whether the parameter may fall by that much more."""
        strayed = self.strayed + fall * self.speed
        return self.fallen + fall <= self.most_fall and strayed <= self.most_stray

    def advance(self, fall: float) -> None:
        """Let the parameter fall by that much."""
        self.fallen += UP * fall
        self.strayed += UP * fall * self.speed

    def disturb(self, amount: float) -> None:
        """Let every residual change by at most that much besides."""
        self.strayed += UP * amount

    # -- the reference, and what differs from it

    def refer(self, drift: Number, members: Sequence[int], slopes: Sequence[Number], paces: Sequence[Number]) -> None:
        """Let this segment be the reference: b₀, the points on the edge, their slopes aⱼ and their paces."""
        self.members = list(members)
        self.weights = tuple(map(float, slopes))
        self.square, self.middles = self._shape(drift, members, slopes, paces)
        self.total = sum(map(abs, self.weights))

    def _shape(
        self, drift: Number, members: Sequence[int], slopes: Sequence[Number], paces: Sequence[Number]
    ) -> tuple[float, list[float]]:
        """Return ‖g‖² = Σ aⱼ (paceⱼ − b₀), as residuals on the edge stay zero, and u for each kind of point."""
        b, a = float(drift), tuple(map(float, slopes))
        square = sum([v * (float(p) - b) for v, p in zip(a, paces)])
        return square, [
            float(pace) - b - dot(a, [centre[j] for j in members])
            for (_, pace), centre in zip(self.kinds, self.centres)
        ]

    def compare(
        self,
        drift: Number,
        members: Sequence[int],
        slopes: Sequence[Number],
        paces: Sequence[Number],
        values: Sequence[Number],
    ) -> None:
        """Compute the speed of a segment that is not the reference.

        Shapes    values: pace − rate for each point that was on the edge in the reference
        """
        b, total = float(drift), self.total + float(sum(map(abs, slopes)))
        square, middles = self._shape(drift, members, slopes, paces)
        mixed = dot(self.weights, [float(v) - b for v in values])
        rough = SLACK * total * (1 + abs(b) + self.size**2)
        norm = sqrt(max(square - 2 * mixed + self.square, 0) + rough)
        speeds = [abs(u - v) + norm * reach for u, v, reach in zip(middles, self.middles, self.reach)]
        self.speed = UP * max(speeds) + rough
