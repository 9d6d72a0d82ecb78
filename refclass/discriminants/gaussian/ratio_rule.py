"""The rule of two normal classes with one covariance, in the forms that its derivation goes through (KIM, section 2.1).

All forms of a number are equal, and all forms of the rule give the same decision; each is computed by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from refclass.discriminants.decision import decide, risk
from refclass.discriminants.decision.decide import Decision
from refclass.discriminants.gaussian import bayes, cutpoint, lda
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.sample.gaussian import density


@dataclass(frozen=True)
class RatioRule:
    """The rule of least expected cost of two classes as a rule for the ratio of their densities.

    F        the field of its numbers
    model    the rule, linear in x
    costs    what errors cost, 2 × 2
    """

    F: Field
    model: lda.Model
    costs: Matrix

    @property
    def threshold(self) -> Number:
        """What f₁/f₂ exceeds for the first class: (c(1|2)/c(2|1)) (p₂/p₁)  [KIM-2.10]."""
        return decide.ratio_threshold(self.costs, self.model.priors)

    def log_ratio(self, x: Iterable[Any]) -> list[Number]:
        """Return log f₁(x) − log f₂(x), once for each line of its derivation  [KIM-2.20] … [KIM-2.26]."""
        first, second = self.model.means
        return bayes.steps(Vector.of(map(self.F.lift, x)), first, second, self.model.metric)

    def decide(self, x: Iterable[Any]) -> Decision:
        """Return the decision by the ratio of the densities  [KIM-2.11] [KIM-2.1-ratio].

        Raises    NotExact in exact arithmetic: densities are irrational
        """
        point = Vector.of(map(self.F.lift, x))
        f1, f2 = [density(self.F, point, mean, self.model.metric) for mean in self.model.means]
        return decide.likelihood_ratio(f1, f2, self.threshold)

    def midpoint(self) -> cutpoint.Rule:
        """Return the rule where log(threshold) = 0: it cuts half-way between the means  [KIM-2.28] … [KIM-2.30]."""
        first, second = self.model.means
        return cutpoint.midpoint(self.model.metric.solve(second - first), first, second)

    def expected_costs(self) -> tuple[Number, Number, Number]:
        """Return the expected cost over both regions, over R₁ alone, and over R₂ alone  [KIM-2.12] … [KIM-2.16].

        Raises    NotExact in exact arithmetic
        """
        P, priors = bayes.misclassification(self.F, self.model), self.model.priors
        inside = [Matrix.of([Vector.of([v]) for v in row]) for row in P]  # the densities, summed over each region
        return (
            risk.expected_cost(self.costs, P, priors),
            risk.expected_cost_over_first(self.costs, priors, inside[0], (0,)),
            risk.expected_cost_over_second(self.costs, priors, inside[1], (0,)),
        )
