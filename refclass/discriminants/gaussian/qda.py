"""Quadratic discriminants: normal classes, each with its own covariance.

δₖ(x) = −½ log|Σₖ| − ½ (x − μₖ)ᵀΣₖ⁻¹(x − μₖ) + log πₖ        class of x = argmaxₖ δₖ(x)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from math import dist
from typing import Any, Optional

from refclass.discriminants.decision import log_posteriors as weighing
from refclass.discriminants.decision import power_diagram
from refclass.discriminants.decision.decide import Decision
from refclass.discriminants.decision.log_posteriors import Exponential, Weighing
from refclass.discriminants.gaussian import expansion, tangents
from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, rational
from refclass.sample import covariance, metric, sherman_morrison, spectral
from refclass.sample.mean import FAR as FROM_ZERO
from refclass.sample.mean import Origin, class_means, class_origins, shares, shares_without, sizes
from refclass.sample.metric import Metric
from refclass.sample.observations import Sample

FAR = 2**20  # from this size on, differences of exponents are computed in fractions
BEYOND = 10**300  # what a larger difference of exponents is cut to


@dataclass(frozen=True)
class Model(Exponential):
    """The quadratic rule of K normal classes  [ESL-4.12] [KIM-2.3-plugin].

    priors      K
    means       K × p
    metrics     those of Σ₁ … Σ_K
    weighing    how priors, determinants and costs enter
    whites      the sphering matrix of each class, and its sphered mean; None in an exact field
    origins     the means as points c + r, where one is so far from zero that a point is measured from each of them
    """

    priors: Vector
    means: Matrix
    metrics: tuple[Metric, ...]
    weighing: Weighing
    whites: Optional[tuple[tuple[Matrix, Vector], ...]]
    origins: Optional[tuple[Origin, ...]] = None

    def exponents(self, x: Vector) -> Vector:
        """Return −½ (x − μₖ)ᵀΣₖ⁻¹(x − μₖ).

        Exact     yes
        Cost      K·p(p + 1) multiplications and K divisions
        """
        if self.whites is None:
            return Vector.of([metric.squared(x - mu) / -2 for metric, mu in zip(self.metrics, self.means)])
        if self.origins is not None:
            deviations = [white @ origin.away(x) for (white, _), origin in zip(self.whites, self.origins)]
            return Vector.of([v @ v / -2 for v in deviations])
        if type(x[0]) is float:
            lengths = [dist([dot(r, x) for r in white], centre) for white, centre in self.whites]
            return Vector.of([v * v / -2 for v in lengths])
        deviations = [white @ x - centre for white, centre in self.whites]
        return Vector.of([v @ v / -2 for v in deviations])

    def contrasts(self, x: Vector) -> Vector:
        """Return the exponents less their largest; far away, where doubles hold no differences, by fractions.

        Exact     yes, where F is; else but for the roundoff of one number
        """
        r = self.exponents(x)
        if self.weighing.F.exact or all(abs(v) < FAR for v in r):
            return r
        squares = [_squared(known, away) for known, away in zip(self.metrics, self._deviations(x))]
        least = min(squares)
        lift, most = self.weighing.F.lift, Fraction(BEYOND)
        return Vector.of([lift((least - s) / 2 if (s - least) / 2 < most else -most) for s in squares])

    def _deviations(self, x: Vector) -> list[list[Fraction]]:
        """Return x − μₖ for each class: of the point and the means as they are, or of their difference, rounded."""
        if self.origins is not None:
            return [list(map(rational, origin.away(x))) for origin in self.origins]
        return [[rational(a) - rational(b) for a, b in zip(x, mu)] for mu in self.means]

    def far(self, rows: Sequence[Vector]) -> list[int]:
        """Return the numbers of the rows where exponents differ by less than the roundoff of the metrics leaves exact.

        Method: roundoff moves an exponent by about its size times eps times the condition of the metric; of the
        difference of the largest two, or of 1 where that is less, it is to leave six digits.
        """
        if self.weighing.F.exact or self._near(rows):
            return []
        eps = 4 * max(known.condition for known in self.metrics) * self.weighing.F.eps * FAR
        found = []
        for i, x in enumerate(rows):
            r = self.exponents(x)
            reach = max(map(abs, r))
            if reach >= FAR and reach * eps > max(1, -sorted(self.contrasts(x))[-2]):
                found.append(i)
        return found

    def _near(self, rows: Sequence[Vector]) -> bool:
        """Return whether all exponents are less than FAR at the rows, as bounds of their norms show."""
        # Proof: ½‖W(x − μ)‖² ≤ ½ tr(WᵀW) (‖x‖ + ‖μ‖)².
        points = (*rows, *self.means)
        if self.weighing.F.kind is float:
            norm = max(map(dist, points, repeat(0 * points[0])))
            square = norm * norm
        else:
            square = max([dot(x, x) for x in points])
        traces = [dot(known.weights, [z @ z for z in known.rows]) for known in self.metrics]
        return bool(2 * max(traces) * square < FAR)

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x; ties are ties."""
        return self.weighing.decide(self.contrasts(x))

    def posterior(self, x: Vector) -> Vector:
        """Return Pr(k | x)."""
        return self.weighing.posterior(self.contrasts(x))

    def classify(self, rows: Sequence[Vector]) -> list[int]:
        """Return the class number of each row, ties to the first class.

        Many rows of doubles are decided by linear parts, where covariances are alike, or in the quadratic expansion; by
        the operations of `decide`, in their order, only those whose largest exponents roundoff might put in another
        order.

        Laws      of each row the class that `decide` puts first, in floats, too
        """
        logs, whites = self.weighing.logs, self.whites
        near = self.origins is None and type(rows[0][0]) is float
        if logs is None or whites is None or self.weighing.costs is not None or not near:
            return [self.decide(x).classes[0] for x in rows]
        found: list[Optional[int]] = [None] * len(rows)
        if len(rows) >= power_diagram.MANY:
            found = tangents.largest(whites, logs, self.means, rows, FAR)
            if power_diagram.worthwhile(rows) and expansion.worthwhile(*self.means.shape):
                found = _filled(found, rows, lambda left: expansion.largest(whites, logs, self.means, left, FAR))
        return _filled(found, rows, self._by_products)

    def _by_products(self, rows: Sequence[Vector]) -> list[int]:
        """Return the class number of each row, the numbers of `decide` down the columns, as loops in C."""
        assert self.whites is not None and self.weighing.logs is not None
        columns = []
        for (white, centre), log in zip(self.whites, self.weighing.logs):
            images = zip(*[[dot(r, x) for x in rows] for r in white])
            columns.append([log - v * v / 2 for v in map(dist, images, repeat(centre))])
        return [
            scores.index(max(scores)) if min(scores) > -FAR else self.decide(x).classes[0]
            for x, scores in zip(rows, zip(*columns))
        ]


def _filled(
    found: Sequence[Optional[int]], rows: Sequence[Vector], decide: Callable[[list[Vector]], Sequence[Optional[int]]]
) -> list[Any]:
    """Return what was found, and what is decided of the rows of which nothing was."""
    left = [x for x, k in zip(rows, found) if k is None]
    again = iter(decide(left) if left else ())
    return [next(again) if k is None else k for k in found]


def _squared(known: Metric, away: Sequence[Fraction]) -> Fraction:
    """Return (x − μ)ᵀΣ⁻¹(x − μ) for the metric as it is and x − μ, exactly."""
    images = [sum((rational(z) * v for z, v in zip(row, away)), Fraction(0)) for row in known.rows]
    return sum((rational(w) * v * v for w, v in zip(known.weights, images)), Fraction(0))


def rule(
    F: Field,
    priors: Vector,
    means: Matrix,
    metrics: Sequence[Metric],
    costs: Optional[Matrix] = None,
    origins: Optional[tuple[Origin, ...]] = None,
) -> Model:
    """Return the rule of least expected cost for known parameters  [ESL-4.12] [KIM-2.3-plugin].

    origins    the means as points c + r, where points are to be measured from them

    Exact     yes, where F is
    """
    whites = None
    if not F.exact:
        matrices = [metric.white(F) for metric in metrics]
        whites = tuple((white, white @ mu) for white, mu in zip(matrices, means))
    constants = weighing.of_metrics(F, priors, metrics, costs)
    return Model(priors, means, tuple(metrics), constants, whites, origins)


def of_sample(
    F: Field, sample: Sample, metrics: Sequence[Metric], priors: Optional[Vector], costs: Optional[Matrix]
) -> Model:
    """Return the rule with the means of a sample; points are measured from these where one is far from zero.

    A mean in doubles is off by a part of itself, which is much of what a class varies by where that is little: a point
    that the classes have in common is no better where they are far from each other.

    Exact     yes, where F is
    """
    means = class_means(sample)
    far = not F.exact and any(_is_far(F, mu, known) for mu, known in zip(means, metrics))
    origins = class_origins(sample, means) if far else None
    return rule(F, shares(sample) if priors is None else priors, means, metrics, costs, origins)


def _is_far(F: Field, mean: Vector, known: Metric) -> bool:
    """Return whether a mean is more than FROM_ZERO standard deviations from zero in a column."""
    return any(abs(v) > FROM_ZERO * F.sqrt(s) for v, s in zip(mean, known.matrix.diagonal()))


def fit(
    F: Field,
    sample: Sample,
    *,
    priors: Optional[Vector] = None,
    costs: Optional[Matrix] = None,
    divisor: str = "n-1",
    pseudo_inverse: bool = False,
) -> Model:
    """Return the rule with a mean and a covariance estimated for each class  [ESL-4.12] [KIM-2.1-moments].

        Σ̂ₖ = Σ_{g(i)=k} (xᵢ − μ̂ₖ)(xᵢ − μ̂ₖ)ᵀ / (nₖ − 1)    or, with divisor "n", / nₖ

    Exact     yes, where F is
    Raises    NoAnswer with the class and a null vector if a covariance is singular, unless the pseudo-inverse is
              asked for
    """
    sigmas = covariance.of_classes(sample, divisor)
    metrics = factor_all(F, sigmas, sample.classes, pseudo_inverse)
    return of_sample(F, sample, metrics, priors, costs)


def factor_all(F: Field, sigmas: Sequence[Matrix], classes: Sequence[Any], pseudo_inverse: bool) -> list[Metric]:
    """Return the metric of each class's covariance.  Raises NoAnswer, naming the class, if one is singular."""
    metrics = []
    for sigma, label in zip(sigmas, classes):
        try:
            metrics.append(spectral.pseudo_inverse(F, sigma) if pseudo_inverse else metric.factor(F, sigma))
        except NoAnswer as refusal:
            got, witness = refusal.got, refusal.witness
            raise NoAnswer(refusal.module, need=refusal.need, got=got, label=label, **witness) from None
    return metrics


def by_eigenvalues(F: Field, model: Model) -> Model:
    """Return the same rule, its distances and determinants computed from eigenvalues  [ESL-4.3.2-eigen].

    (x − μ)ᵀΣₖ⁻¹(x − μ) = ‖D^(−1/2)Uᵀ(x − μ)‖²        log|Σₖ| = Σ log dₗ
    """
    metrics = [spectral.factor(F, known.matrix) for known in model.metrics]
    return rule(F, model.priors, model.means, metrics, model.weighing.costs)


def hessian(model: Model, k: int, l: int) -> Matrix:  # noqa: E741
    """Return the Hessian of δₖ − δₗ, the same at every point: Σₗ⁻¹ − Σₖ⁻¹  [ESL-4.3-boundary].

    Exact     yes
    """
    identity = Matrix.identity(model.means.shape[1], model.means.kind)
    return model.metrics[l].solve(identity) - model.metrics[k].solve(identity)


def parameters(K: int, p: int) -> int:
    """Return how many parameters the quadratic boundaries of K classes have  [ESL-4.3-parameters].

    (K − 1){p(p + 3)/2 + 1}
    """
    return (K - 1) * (p * (p + 3) // 2 + 1)


def certify(model: Model) -> dict[str, Any]:
    """Return the claims of the model with their ratios: Σₖ is what its metric undoes."""
    claims = [(k, metric.certify(known)) for k, known in enumerate(model.metrics)]
    return {f"class {k}: {claim}": ratio for k, claim_of in claims for claim, ratio in claim_of.items()}


def without_each(
    F: Field, sample: Sample, model: Model, *, divisor: str = "n-1", given: bool = False
) -> Iterator[Optional[Model]]:
    """Yield for each observation the quadratic rule fitted to all the others; None where only a fit will do.

        Σ̂_g₍ᵢ₎ = (W_g − s n_g v vᵀ)/(n_g − w − 1)    or, with divisor "n", / (n_g − w);    the other classes stay

    model      the rule fitted to all observations, with that divisor
    given      whether its priors were given, and stay; otherwise they are the shares of those that are left

    Exact     yes, where F is
    Cost      6p² multiplications an observation
    """
    n_k, lost = sizes(sample), 1 if divisor == "n-1" else 0
    steep = [sherman_morrison.is_steep(F, known) for known in model.metrics]
    for x, g, w in zip(sample.X, sample.labels, sample.weights):
        left = n_k[g] - lost - w
        if steep[g] or n_k[g] <= w or left <= 0 or model.origins is not None:
            yield None
            continue
        v, s = x - model.means[g], w / (n_k[g] - w)
        known = sherman_morrison.downdated(model.metrics[g], v, s * n_k[g] / (n_k[g] - lost), (n_k[g] - lost) / left)
        priors = model.priors if given else shares_without(n_k, g, w)
        yield None if known is None else _with_class(F, model, priors, g, model.means[g] - s * v, known)


def _with_class(F: Field, model: Model, priors: Vector, g: int, centre: Vector, known: Metric) -> Model:
    """Return the rule with these priors, and another mean and metric of class g."""
    metrics = (*model.metrics[:g], known, *model.metrics[g + 1 :])
    means = Matrix.of([*model.means[:g], centre, *model.means[g + 1 :]])
    whites = model.whites
    if whites is not None:
        white = known.white(F)
        whites = (*whites[:g], (white, white @ centre), *whites[g + 1 :])
    return Model(priors, means, metrics, weighing.of_metrics(F, priors, metrics, model.weighing.costs), whites)
