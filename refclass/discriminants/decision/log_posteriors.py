"""Classes that weigh √sₖ·exp(rₖ): how every Gaussian rule decides, in every arithmetic.

At a point x class k has the exponent rₖ(x), a number, and the constant sₖ, the same for all points: sₖ = πₖ² with one
covariance, πₖ²/|Σₖ| with several. Its score is rₖ + ½ log sₖ. In an exact field rₖ and sₖ are rational and the score is
not, but which score is larger is decided all the same, without rounding, in `exponential_sums`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from refclass.discriminants.decision import decide
from refclass.discriminants.decision.decide import Deciding, Decision
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.sample.metric import Metric

EVEN = Fraction(1, 2**500)  # shares that are larger, and costs between this and its inverse, have ratios and products


@dataclass(frozen=True)
class Weighing:
    """The constants of the classes, and what deciding costs.

    squares    s₁ … s_K in an exact field, else None
    logs       ½ log s₁ … ½ log s_K in a field with logarithms, else None
    costs      the matrix of costs, or None if every error costs the same
    """

    F: Field
    squares: Optional[Vector]
    logs: Optional[Vector]
    costs: Optional[Matrix]

    def scores(self, r: Vector) -> Vector:
        """Return the scores rₖ + ½ log (sₖ/s₁): the logarithms of the posteriors, up to a common shift.

        Exact     only where all sₖ are equal
        """
        return r + self.offsets()

    def preference(self) -> Number:
        """Return log (c₁₂/c₂₁), what costs add to the log-odds of the second of two classes; 0 without  [KIM-2.27].

        Exact     only where it is rational
        """
        if self.costs is None:
            return self.F.kind(0)
        a, b = self.costs[0][1], self.costs[1][0]
        ratio = a / b if self.F.exact or (EVEN < b <= 1 / EVEN and EVEN < a <= 1 / EVEN) else 0
        return self.F.log(ratio) if ratio else self.F.log(a) - self.F.log(b)

    def offsets(self) -> Vector:
        """Return ½ log (sₖ/s₁), the same in every arithmetic: 0 for the first class, and zeros where all are equal.

        Raises    NotExact if one is irrational in an exact field
        """
        if self.logs is not None:
            return Vector.of([v - self.logs[0] for v in self.logs])
        squares = self._squares()
        return Vector.of([self.F.log(s / squares[0]) / 2 for s in squares])

    def posterior(self, r: Vector) -> Vector:
        """Return the posteriors  [YANG-estimation-lda].

            Pr(k | x) = √sₖ exp(rₖ) / Σₗ √sₗ exp(rₗ)

        The largest exponent is taken out of all of them, so that nothing overflows.

        Exact     only where they are rational
        """
        if self.logs is not None:
            return softmax(self.F, r + self.logs)
        squares = self._squares()
        weights = [self.F.sqrt(s / squares[0]) * self.F.exp(v - r[0]) for s, v in zip(squares, r)]
        even: Vector = Vector.of(weights) / sum(weights)
        return even

    def decide(self, r: Vector) -> Decision:
        """Return the decision of largest posterior, or of least expected cost  [KIM-Thm2.1.1].

        Exact     yes: ties are ties
        """
        if self.logs is None:
            return decide.best(len(r), lambda k, l: self._compared(r, k, l))  # noqa: E741
        if self.costs is None:
            return decide.largest(r + self.logs)
        shares = softmax(self.F, decide.within_range(r + self.logs))
        if min(shares) > EVEN:
            return decide.cheapest(self.costs, shares)
        # Method: shares that are zero in rounded numbers may cost more than others; their logarithms do not end.
        scores = [v - top for top in [max(r + self.logs)] for v in r + self.logs]
        return decide.smallest([self._logarithm(row, scores) for row in self.costs])

    def _logarithm(self, costs: Vector, scores: Sequence[Number]) -> Number:
        """Return log Σⱼ cⱼ exp(scoreⱼ), of costs that are zero those left out."""
        terms = [v + self.F.log(c) for c, v in zip(costs, scores) if c]
        top = max(terms)
        return top + self.F.log(sum((self.F.exp(v - top) for v in terms), self.F.kind(0)))

    def _compared(self, r: Vector, k: int, l: int) -> int:  # noqa: E741
        """Return 1 if deciding k is better than deciding l, 0 if it is as good, −1 if it is worse."""
        from refclass.discriminants.decision import exponential_sums  # loaded where fractions are compared

        s = self._squares()
        if self.costs is not None:
            advantage = self.costs[l] - self.costs[k]
            return exponential_sums.sign(zip(advantage, r, s))
        if s[k] == s[l]:
            return int(r[k] > r[l]) - int(r[k] < r[l])
        return exponential_sums.sign([(1, r[k], s[k]), (-1, r[l], s[l])])

    def _squares(self) -> Vector:
        assert self.squares is not None
        return self.squares


class Exponential(Deciding):
    """What every model of normal classes offers: its exponents rₖ(x) are weighed.

    A model defines `weighing` and `exponents`.
    """

    weighing: Weighing

    def exponents(self, x: Vector) -> Vector:
        """Return rₖ(x), up to a common shift."""
        raise NotImplementedError

    def scores(self, x: Vector) -> Vector:
        """Return δₖ(x), the logarithms of the posteriors, up to a common shift  [ESL-4.10] [ESL-4.12].

        Exact     only where the logarithms of the constants are equal or rational
        """
        return self.weighing.scores(self.exponents(x))

    def posterior(self, x: Vector) -> Vector:
        """Return Pr(k | x) = exp δₖ(x) / Σₗ exp δₗ(x)  [YANG-estimation-lda]."""
        return self.weighing.posterior(self.exponents(x))

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x; ties, the points of a boundary, are ties  [KIM-Thm2.1.2] [ESL-4.3-boundary]."""
        return self.weighing.decide(self.exponents(x))


def of_priors(F: Field, priors: Vector, costs: Optional[Matrix] = None) -> Weighing:
    """Return the weighing of classes that share a covariance: sₖ = πₖ²."""
    if F.exact:
        return Weighing(F, priors.times(priors), None, costs)
    return Weighing(F, None, Vector.of(map(F.log, priors)), costs)


def of_metrics(F: Field, priors: Vector, metrics: Sequence[Metric], costs: Optional[Matrix] = None) -> Weighing:
    """Return the weighing of classes with a covariance each: sₖ = πₖ²/|Σₖ|, ½ log sₖ = log πₖ − ½ log|Σₖ|."""
    if F.exact:
        squares = [pi * pi / metric.determinant for pi, metric in zip(priors, metrics)]
        return Weighing(F, Vector.of(squares), None, costs)
    logs = [F.log(pi) - metric.log_determinant(F) / 2 for pi, metric in zip(priors, metrics)]
    return Weighing(F, None, Vector.of(logs), costs)


def softmax(F: Field, scores: Sequence[Number]) -> Vector:
    """Return exp(scoreₖ) / Σₗ exp(scoreₗ), the largest score taken out first.

    Laws      entries in [0, 1], sum one; unchanged when a number is added to all scores

    Example
        >>> from refclass.number.binary64 import BINARY64
        >>> softmax(BINARY64, [1000.0, 1000.0])
        Vector(0.5, 0.5)
    """
    top = max(scores)
    weights = [F.exp(v - top) for v in scores]
    even: Vector = Vector.of(weights) / sum(weights, F.kind(0))
    return even
