"""Nearest neighbours: a point is given to the class that most of the points around it have.

votes of class k = Σ {wᵢ : g(i) = k, ‖x − xᵢ‖ ≤ r_q(x)}        r_q(x): the distance of the q-th nearest point
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from math import dist, ulp

from refclass.discriminants.decision.decide import Deciding, Decision, largest
from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector, as_given
from refclass.number.field import Number, rational
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.sample.observations import Sample

WHOLE = 2**50  # whole numbers up to which every arithmetic holds their sums


@dataclass(frozen=True)
class Model(Deciding):
    """The rule of the q nearest neighbours: the sample itself  [CMP-KNN].

    Points that lie as far as the q-th nearest all vote, so that the order of the rows does not matter. Distances that
    roundoff could confuse are compared exactly, the points taken at their exact values.

    X          n × p, points of positive weight
    labels     n class numbers
    weights    n numbers > 0: an integer weight stands for copies
    K          the number of classes
    q          how many neighbours vote, copies counted
    """

    X: Matrix
    labels: tuple[int, ...]
    weights: Vector
    K: int
    q: int

    def neighbours(self, x: Vector) -> list[int]:
        """Return the rows of the points that are no further from x than the q-th nearest.

        Exact     yes
        Cost      n·p + 2 multiplications, and those of exact squares where roundoff could confuse distances
        """
        distances = self._distances(x)
        order = sorted(range(len(distances)), key=distances.__getitem__)
        last, seen = 0, self._counted.kind(0)
        for last in order:
            seen = seen + self._counted[last]
            if seen >= self.q:
                break
        if distances[last] - distances[last] != 0:  # beyond the doubles
            return self._exactly(x, [], order)
        unsure = THRESHOLD * len(x) * (roundoff(self.X.kind) * (distances[last] + self._given(x)) + self._spacing)
        border = [i for i in order if abs(distances[i] - distances[last]) <= unsure]
        inside = [i for i in order if distances[last] - distances[i] > unsure]
        return inside + (self._exactly(x, inside, border) if len(border) > 1 else border)

    def _distances(self, x: Vector) -> list[Number]:
        """Return the distances, or, where roots are not at hand, their squares."""
        if self.X.kind is float:
            return list(map(dist, repeat(x), self.X))
        return [(x - z) @ (x - z) for z in self.X]

    def _given(self, x: Vector) -> Number:
        """Return the size of the numbers that points were rounded from, or its square; zero where none was rounded."""
        if not isinstance(x, Rounded) and not isinstance(self.X[0], Rounded):
            return x.kind(0)
        size = max(self._largest, max(map(abs, x)))
        return size if self.X.kind is float else size * size

    @cached_property
    def _largest(self) -> Number:
        return self.X.largest()

    @property
    def _spacing(self) -> Number:
        """The spacing of the least numbers: of doubles alone distances have fewer digits there."""
        return ulp(float(0)) if self.X.kind is float else self.X.kind(0)

    def _exactly(self, x: Vector, inside: Sequence[int], border: Sequence[int]) -> list[int]:
        """Return those of the border that are no further than the q-th nearest, by squares of rational numbers."""
        centre = list(map(rational, as_given(x)))
        squares = {i: sum((c - rational(v)) ** 2 for c, v in zip(centre, as_given(self.X[i]))) for i in border}
        seen = sum((self._counted[i] for i in inside), self._counted.kind(0))
        reach = squares[border[0]]
        for i in sorted(border, key=squares.__getitem__):
            seen, reach = seen + self._counted[i], squares[i]
            if seen >= self.q:
                break
        return [i for i in border if squares[i] <= reach]

    def votes(self, x: Vector) -> Vector:
        """Return the votes of each class, in fractions where roundoff of their sums could make ties.

        Exact     yes
        """
        weights = self._counted
        votes = [weights.kind(0)] * self.K
        for i in self.neighbours(x):
            votes[self.labels[i]] = votes[self.labels[i]] + weights[i]
        return Vector.of(votes)

    def scores(self, x: Vector) -> Vector:
        """Return the votes of each class.

        Exact     yes
        """
        if self._whole:
            return self.votes(x)
        kind = self.weights.kind
        return Vector.of([float(v) if kind is float else kind(v.numerator) / v.denominator for v in self.votes(x)])

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x: the class of most votes; ties are ties."""
        return largest(self.votes(x))

    @cached_property
    def _counted(self) -> Vector:
        """The weights as they are counted: in fractions, as given, where roundoff of their sums could make ties."""
        return self.weights if self._whole else self.weights.exactly()

    @cached_property
    def _whole(self) -> bool:
        """Whether weights are whole numbers whose sums doubles hold, or fractions."""
        exact = not roundoff(self.weights.kind)
        return exact or (max(self.weights) * len(self.weights) < WHOLE and all(w == int(w) for w in self.weights))

    def posterior(self, x: Vector) -> Vector:
        """Return the shares of the votes.

        Exact     yes
        """
        votes = self.scores(x)
        shares: Vector = votes / votes.sum()
        return shares


def fit(sample: Sample, q: int = 1) -> Model:
    """Return the rule of the q nearest neighbours in Euclidean distance  [CMP-KNN].

    Exact     yes
    Raises    InvalidInput unless there are q points, copies counted
    """
    keep = [i for i, w in enumerate(sample.weights) if w > 0]
    weights = sample.weights.pick(keep)
    if not 1 <= q <= weights.exactly().sum():
        raise InvalidInput("nearest", need="neighbours from 1 to the number of points", got=q)
    labels = tuple(sample.labels[i] for i in keep)
    return Model(Matrix.of([sample.X[i] for i in keep]), labels, weights, sample.K, q)
