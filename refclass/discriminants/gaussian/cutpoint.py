"""Two classes separated by a number: a direction and a cut on it.

class 2 (number 1) iff d·x > c, class 1 iff d·x < c, a tie at d·x = c
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from refclass.discriminants.decision.decide import Decision
from refclass.linear.clearing import dot
from refclass.linear.common_denominator import cleared
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.number.field import Number, rational
from refclass.number.rational import RATIONAL
from refclass.sample import metric
from refclass.sample.observations import Sample

WORK = 500_000  # multiplications up to which the empirical cut is decided in fractions


@dataclass(frozen=True)
class Rule:
    """A direction d and a cut c on it; number 1 of the classes lies above.

    The midpoint rule of Fisher's direction is one of these  [KIM-2.31] [KIM-2.34] [KIM-2.35].
    """

    direction: Vector
    cut: Number

    def score(self, x: Vector) -> Number:
        """Return d·x − c: positive means class number 1."""
        return self.direction @ x - self.cut

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x; on the cut both classes tie  [KIM-Thm2.2.2]."""
        v = self.score(x)
        return Decision((1,) if v > 0 else (0,) if v < 0 else (0, 1))


def midpoint(direction: Vector, mean0: Vector, mean1: Vector) -> Rule:
    """Return the rule that cuts half-way between the projected means  [KIM-2.30] [KIM-2.31] [KIM-2.34] [KIM-2.35].

        m̂ = ½ d·(x̄₁ + x̄₂)

    It is what the rule of least expected cost becomes with a threshold of log 1 = 0  [KIM-2.28] [KIM-2.29].

    Exact     yes
    """
    return Rule(direction, direction @ (mean0 + mean1) / 2)


@dataclass(frozen=True)
class Empirical:
    """The cut of fewest training errors, and how many there are (weights counted)."""

    cut: Number
    errors: Number


def empirical(values: Sequence[Number], labels: Sequence[int], weights: Vector) -> Empirical:
    """Return the cut on projected points that misclassifies the fewest of them  [ESL-4.3-cutpoint].

    Class number 1 lies above. All gaps between distinct values are tried, and both ends. Among several best gaps the
    widest is taken, the lowest of several equally wide ones, and its middle is the cut. An end, where all points fall
    on one side, is taken only if no gap is as good: the cut then lies beyond the outermost point, half as far as the
    points are spread (or 1, if they coincide).

    Exact     yes
    Cost      a sort: n log n comparisons
    """
    points = sorted(zip(values, labels, weights), key=lambda point: point[0])
    zero = weights.kind(0)
    errors = sum((w for _, g, w in points if g == 0), zero)  # with the cut below all points
    spread = points[-1][0] - points[0][0]
    margin = spread / 2 if spread > 0 else zero + 1
    ends, gaps = [(errors, zero, points[0][0] - margin)], []
    for i, (value, g, w) in enumerate(points):
        errors = errors - w if g == 0 else errors + w
        if i + 1 == len(points):
            ends.append((errors, zero, value + margin))
        elif points[i + 1][0] > value:
            following = points[i + 1][0]
            gaps.append((errors, value - following, (value + following) / 2))
    fewest, _, cut = min(gaps + ends)  # of a gap its width, negative, so that the widest comes first
    return Empirical(cut, fewest)


def exactly(sample: Sample, A: Matrix, b: Vector, *, pseudo_inverse: bool = False, level: Number = 0) -> Empirical:
    """Return the empirical cut on f(x) = level + (A⁻¹b)·(x − x̄), or on A⁺b, from the data as given.

    Roundoff does not order points that are level, nor gaps that are equally wide.

    Shapes    A: p × p; b: p; both of fractions
    Exact     yes
    Raises    NoAnswer with a null vector if A is singular, unless the pseudo-inverse is asked for
    """
    known = metric.pseudo(A) if pseudo_inverse else metric.factor(RATIONAL, A)
    d, D = cleared(known.solve(b))
    rows, E = cleared([v for x in sample.X for v in as_given(x)])
    heights = [dot(d, rows[i : i + len(d)]) for i in range(0, len(rows), len(d))]
    weights = Vector.of(map(rational, as_given(sample.weights)))
    middle = sum((w * v for w, v in zip(weights, heights)), Fraction(0)) / sum(weights, Fraction(0))
    return empirical([rational(level) + (v - middle) / (D * E) for v in heights], sample.labels, weights)
