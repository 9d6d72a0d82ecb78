"""GCV of a smoothing spline as a function of λ, and its lowest value over λ ∈ [0, ∞], proven.

In the eigenbasis of the smoother (Demmler and Reinsch), with uᵢ = λdᵢ/(1 + λdᵢ), v = 1 − u, t = log λ, W the squares
within ties, and N what n is left after the charge,

    RSS = W + Σ zᵢ²uᵢ²,   N = n − spent − cost · (2 + Σ vᵢ),   GCV = n RSS/N²

RSS and N rise with λ, which bounds GCV between two λ; and log GCV + αt²/2 is convex in t with

    α = 2s(1 − s) + 2x − (2 + 4κ)x² ≤ 1,   s = RSS′/(2 RSS) ∈ [0, 1],   x = N′/N,   κ = N/(cost Σv)

so that `branch_and_bound` isolates the minimum. No eigenvalue is computed; every value costs O(m).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Optional

from refclass.linear.vector import Vector
from refclass.number.binary64 import held
from refclass.number.field import Field, Number
from refclass.regress.spline.gcv import branch_and_bound
from refclass.regress.spline.smoother import Cubic, Operator, Pooled

# Proof of α: u′ = uv, so that RSS′ = 2Σz²u²v = 2s RSS, s a mean of the v (those of W are 0), and
# RSS″ = 2Σz²u²(3v² − v), where s² ≤ mean v² ≤ s. Hence −2s(1 − s) ≤ (log RSS)″ ≤ 4s(1 − s): the logarithm of
# s/(1 − s) has a slope from −1 to 2. N′ = cost Σuv ≥ 0 and N″ = N′ − 2 cost Σu²v with (Σuv)² ≤ Σu²v Σv, so that
# −2(log N)″ ≥ 2x² − 2x + 4κx², κ = N/(cost Σv), which rises. As |N″| ≤ N′, −1 − x ≤ (log x)′ ≤ 1; where N = cost Σu,
# 1 − x = Σu²/Σu, whose logarithm has a slope of at most 2.


def roundings(eps: Number, n: Number, responses: Sequence[Vector]) -> Number:
    """Return the RSS that rounding leaves of n responses that are fitted exactly."""
    size = 16 * eps * max(y.largest() for y in responses)
    return n * size * size


@dataclass(frozen=True)
class Given:
    """What bounds are computed from at a λ: enclosures of RSS and of N, and of their logarithms."""

    operator: Operator
    rss: tuple[Number, Number]
    module: tuple[Number, Number]
    logs: tuple[tuple[Number, Number], ...] = ()


@dataclass(frozen=True)
class Ends:
    """What is known at the ends of λ ∈ [0, ∞], each number a bound on the safe side, rounded or exact.

    within    W
    line      RSS of the line, from above
    least     N at λ = 0, from above (of either sign; exact where it is zero)
    most      N at λ = ∞, from above
    pace      lim N/λ at λ → 0 where N → 0, from above
    """

    within: Number
    line: Number
    least: Number
    most: Number
    pace: Number


@dataclass(frozen=True)
class Criterion:
    """GCV over the smoothing of one variable, the others held.

    pooled    the responses
    n         the sum of the weights
    cost      what a degree of freedom costs
    spent     what is charged besides cost · tr S
    nothing   the RSS that counts as none: a smaller one scores as this does
    """

    pooled: Pooled
    n: Number
    cost: Number
    spent: Number
    nothing: Number

    def module(self, operator: Operator) -> Number:
        """Return N = n − spent − cost · tr S, from whichever end nothing cancels."""
        if isinstance(operator, Cubic) and self.least >= 0:
            return self.least + self.cost * operator.remainder
        return self.n - self.spent - self.cost * operator.degrees_of_freedom

    @cached_property
    def least(self) -> Number:
        """N at λ = 0."""
        return self.n - self.spent - self.cost * len(self.pooled.smoother.knots)

    def __call__(self, operator: Operator) -> Optional[Number]:
        """Return GCV; at λ = 0, where both RSS and N may vanish, its limit; None where it has no value."""
        if isinstance(operator, Cubic) and self._limiting(operator):
            pace = self.cost * operator.pace
            return self.n * operator.slope(self.pooled) / pace / pace
        module = self.module(operator)
        rss = max(held("gcv", operator.residual(self.pooled)), self.nothing)
        return self.n * rss / module / module if module > 0 else None

    def _limiting(self, operator: Operator) -> bool:
        return bool(operator.lam == 0 and self.least == 0 and self.pooled.within == 0)

    def noise(self, F: Field) -> Number:
        """Return the RSS that counts as none: what rounding leaves of responses on a line, at least."""
        return max(self.nothing, roundings(F.eps, self.n, self.pooled.means))

    def slightest(self, F: Field) -> Number:
        """Return the RSS that a smaller one is replaced by, before its logarithm."""
        return F.eps * F.eps * self.noise(F)

    def ends(self) -> Ends:
        """Return what is known at both ends."""
        smoother = self.pooled.smoother
        line, through = smoother.at(math.inf), Cubic(smoother, smoother.unit * 0)
        return Ends(
            self.pooled.within, line.residual(self.pooled), self.least, self.module(line), self.cost * through.pace
        )

    def point(self, F: Field, operator: Operator) -> branch_and_bound.Point:
        """Return log GCV (less log n) at log λ.  Raises NotExact where residuals are beyond the range of doubles."""
        place, module = F.log(operator.lam), self.module(operator)
        rss = max(held("gcv", operator.residual(self.pooled)), self.slightest(F))
        if not module > 0:
            return branch_and_bound.Point(place, None, None, Given(operator, (rss, rss), (module, module)))
        logs = F.log(rss), F.log(module)
        value = logs[0] - 2 * logs[1]
        given = Given(operator, (rss, rss), (module, module), ((logs[0], logs[0]), (logs[1], logs[1])))
        return branch_and_bound.Point(place, value, value, given)
