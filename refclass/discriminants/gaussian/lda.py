"""Linear discriminants: normal classes with one covariance.

δₖ(x) = xᵀΣ⁻¹μₖ − ½ μₖᵀΣ⁻¹μₖ + log πₖ        class of x = argmaxₖ δₖ(x)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, Optional

from refclass.discriminants.decision import log_posteriors as weighing
from refclass.discriminants.decision import power_diagram
from refclass.discriminants.decision.log_posteriors import Exponential, Weighing
from refclass.linear import polar, residual
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.sample import covariance, metric
from refclass.sample.mean import Origin, class_means, deviations, distant, mixture, shares
from refclass.sample.metric import Metric
from refclass.sample.observations import Sample


@dataclass(frozen=True)
class Model(Exponential):
    """The linear rule of K normal classes with one covariance  [ESL-4.10].

    Exponents are taken relative to m = Σ πₖμₖ, which shifts all δₖ(x) by the same amount and saves digits when the data
    lie far from the origin:

        rₖ(x) = xᵀΣ⁻¹(μₖ − m) − ½ (μₖ − m)ᵀΣ⁻¹(μₖ + m)

    priors        K
    means         K × p
    metric        that of Σ
    directions    K × p, row k is Σ⁻¹(μₖ − m)
    constants     K, −½ (μₖ − m)ᵀΣ⁻¹(μₖ + m)
    weighing      how priors and costs enter
    away          K × p, μₖ − m, to all the digits that the data have
    origin        m, where the data lie so far from zero that points are measured from it; else None
    """

    priors: Vector
    means: Matrix
    metric: Metric
    directions: Matrix
    constants: Vector
    weighing: Weighing
    away: Matrix
    origin: Optional[Origin] = None

    def exponents(self, x: Vector) -> Vector:
        """Return rₖ(x), δₖ(x) without log πₖ, up to a common shift  [ESL-4.9].

        Exact     yes
        Cost      K·p multiplications
        """
        if self.origin is not None:
            z = self.origin.away(x)
            return Vector.of([dot(d, z) - dot(d, v) / 2 for d, v in zip(self.directions, self.away)])
        return self.directions @ x + self.constants

    def classify(self, rows: Sequence[Vector]) -> list[int]:
        """Return the class number of each row, ties to the first class.

        Many rows of doubles are decided by distances, and by the operations of `decide`, in their order, only those
        whose largest scores roundoff might put in another order.

        Cost      K·p multiplications a row in a field with logarithms, without costs
        Laws      of each row the class that `decide` puts first, in floats, too
        """
        logs = self.weighing.logs
        if logs is None or self.weighing.costs is not None or self.origin is not None:
            return [self.decide(x).classes[0] for x in rows]
        if not (polar.FASTER and power_diagram.worthwhile(rows)):
            return self._by_sums(rows, logs)
        found = self._by_distances(rows, logs)
        again = iter(self._by_sums([x for x, k in zip(rows, found) if k is None], logs))
        return [next(again) if k is None else k for k in found]

    def _by_distances(self, rows: Sequence[Vector], logs: Vector) -> list[Optional[int]]:
        """Return the class number of each row whose largest score roundoff leaves the largest, else None."""
        terms = [abs(c) + abs(log) for c, log in zip(self.constants, logs)]
        cells = power_diagram.diagram(self.directions, self.constants + logs, terms, rows)
        if cells is None:
            return [None] * len(rows)
        steepest, size = max(hypot(*d) for d in self.directions), max(terms)
        share = (len(rows[0]) + 4) * power_diagram.UNIT  # of what a sum of products adds up
        return cells.largest(rows, lambda r: share * (steepest * r + size))

    def _by_sums(self, rows: Sequence[Vector], logs: Vector) -> list[int]:
        """Return the class number of each row, down the columns, as loops in C."""
        weighed = zip(self.directions, self.constants, logs)
        columns = [[dot(d, x) + c + log for x in rows] for d, c, log in weighed]
        totals = list(map(sum, columns))
        if any(v - v != 0 for v in totals):  # one beyond the doubles, or all together: each row by itself
            return [self.decide(x).classes[0] for x in rows]
        return [_first_largest(scores) for scores in zip(*columns)]

    def discriminants(self, x: Vector) -> Vector:
        """Return δₖ(x) − log πₖ as the book writes it: xᵀΣ⁻¹μₖ − ½ μₖᵀΣ⁻¹μₖ  [ESL-4.10].

        Exact     yes
        """
        reached = [self.metric.solve(mu) for mu in self.means]
        return Vector.of([(x - mu / 2) @ v for mu, v in zip(self.means, reached)])

    def distances(self, x: Vector) -> Vector:
        """Return (x − μₖ)ᵀΣ⁻¹(x − μₖ), the nearest-centroid view  [ESL-4.8].

        Exact     yes
        Laws      argminₖ of it minus 2 log πₖ is the decision
        """
        return Vector.of([self.metric.squared(x - mu) for mu in self.means])


def _first_largest(scores: tuple[Number, ...]) -> int:
    return scores.index(max(scores))


def rule(
    F: Field,
    priors: Vector,
    means: Matrix,
    shared: Metric,
    costs: Optional[Matrix] = None,
    away: Optional[Matrix] = None,
    origin: Optional[Origin] = None,
) -> Model:
    """Return the rule of least expected cost for known parameters  [ESL-4.10] [KIM-Thm2.1.2] [KIM-Thm2.1.3].

    Shapes    priors: K; means: K × p; shared: the metric of the p × p covariance
    away      K × p, μₖ − c for some c, where that is known to more digits than the difference of the means
    origin    c, where points are to be measured from it

    Exact     yes, where F is
    """
    m = mixture(priors, means)
    if away is None:
        away = Matrix.of([mu - m for mu in means])
    middle = mixture(priors, away)
    away = Matrix.of([v - middle for v in away])
    directions = Matrix.of([shared.solve(v) for v in away])
    constants = Vector.of([-dot(v, mu + m) / 2 for v, mu in zip(directions, means)])
    origin = None if origin is None else origin.moved(middle)
    return Model(priors, means, shared, directions, constants, weighing.of_priors(F, priors, costs), away, origin)


def fit(
    F: Field,
    sample: Sample,
    *,
    priors: Optional[Vector] = None,
    costs: Optional[Matrix] = None,
    divisor: str = "n-k",
    pseudo_inverse: bool = False,
) -> Model:
    """Return the rule with estimates in place of the parameters  [ESL-4.3-pooled] [ESL-4.11] [KIM-2.27].

        π̂ₖ = nₖ/n,    μ̂ₖ = Σ_{g(i)=k} xᵢ/nₖ,    Σ̂ = W/(n − K)    or, with divisor "n", W/n

    Exact     yes, where F is
    Cost      n·p(p + 1)/2 multiplications for the covariance
    Raises    NoAnswer with a null vector if Σ̂ is singular, unless the pseudo-inverse is asked for: directions in which
              no class varies then do not count
    """
    means = class_means(sample)
    sigma = covariance.pooled(sample, divisor, means)
    shared = _pseudo_inverse(F, sigma) if pseudo_inverse else metric.factor(F, sigma)
    centre = mixture(shares(sample), means)
    away, pi = deviations(sample, means, centre), shares(sample) if priors is None else priors
    return rule(F, pi, means, shared, costs, away, distant(sample.X[0], centre))


def _pseudo_inverse(F: Field, sigma: Matrix) -> Metric:
    from refclass.sample import spectral  # eigenvalues are loaded where they are asked for

    return spectral.pseudo_inverse(F, sigma)


def sphered(F: Field, model: Model) -> tuple[Matrix, Matrix]:
    """Return the sphering matrix D^(−1/2)Uᵀ of the covariance, and the sphered means  [ESL-4.3.2-sphere].

    Shapes    r × p, and K × r
    Laws      the pooled covariance of the sphered data is the identity; the nearest sphered mean, adjusted by log πₖ,
              is the decision
    """
    from refclass.sample import spectral

    white = spectral.factor(F, model.metric.matrix).white(F)
    return white, Matrix.of([white @ mu for mu in model.means])


def log_odds(model: Model) -> tuple[Vector, Number]:
    """Return d and c of the log-odds d·x + c + log(π₂/π₁) of the second of two classes  [ESL-4.9] [ESL-4.11].

        d = Σ⁻¹(μ₂ − μ₁)        c = −½ d·(μ₁ + μ₂)

    Exact     yes
    """
    mu1, mu2 = model.means
    d = model.metric.solve(model.away[1] - model.away[0])
    return d, -dot(d, mu1 + mu2) / 2


def parameters(K: int, p: int) -> int:
    """Return how many parameters the linear boundaries of K classes have: (K − 1)(p + 1)  [ESL-4.3-parameters]."""
    return (K - 1) * (p + 1)


def expansion(x: Vector) -> Vector:
    """Return the quadratic expansion of x: all xⱼ, then all products xᵢxⱼ, i ≤ j  [ESL-4.3-expansion].

    Exact     yes

    Example
        >>> expansion(Vector([2.0, 3.0]))
        Vector(2.0, 3.0, 4.0, 6.0, 9.0)
    """
    products = [x[i] * x[j] for i in range(len(x)) for j in range(i, len(x))]
    return Vector.of([*x, *products])


def certify(model: Model) -> dict[str, Any]:
    """Return the claims of the model with their ratios: Σ times each direction is that mean minus m."""
    m = mixture(model.priors, model.means)
    sigma = model.metric.matrix
    ratios = [residual.solution(sigma, v, mu - m) for v, mu in zip(model.directions, model.means)]
    return {"Σ Σ⁻¹(μₖ − m) = μₖ − m": max(ratios)}
