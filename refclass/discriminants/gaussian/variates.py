"""Canonical variates: the directions in which the class means lie furthest apart, for the spread within the classes.

B vₗ = dₗ W vₗ,    vₗᵀW vₘ = δₗₘ,    d₁ ≥ d₂ ≥ …
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Optional

from refclass.discriminants.decision import log_posteriors as weighing
from refclass.discriminants.decision.log_posteriors import Exponential, Weighing
from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import canon, residual
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.sample.mean import Origin, mixture
from refclass.sample.metric import Metric


@dataclass(frozen=True)
class Variates:
    """The canonical variates Zₗ = vₗᵀ(x − c).

    eigenvalues    d, descending: the variance between classes of each variate, that within being one
    vectors        p × L, columns vₗ with vᵀWv = 1, the first entry of largest modulus positive
    centre         c, the mean of the class means under the weights they are given
    origin         the same, where the data lie so far from zero that points are measured from it; else None
    """

    eigenvalues: Vector
    vectors: Matrix
    centre: Vector
    origin: Optional[Origin] = None

    @cached_property
    def axes(self) -> Matrix:
        """The vectors as rows: L × p."""
        return self.vectors.T

    def transform(self, x: Vector) -> Vector:
        """Return the coordinates vₗᵀ(x − c)  [ESL-4.3.3-variates]."""
        return self.axes @ (x - self.centre if self.origin is None else self.origin.away(x))

    def leading(self, L: int) -> Variates:
        """Return the first L variates.  Raises InvalidInput unless 1 ≤ L ≤ their number."""
        if not 1 <= L <= len(self.eigenvalues):
            raise InvalidInput("variates", need=f"1 to {len(self.eigenvalues)} variates", got=L)
        chosen = range(L)
        vectors = self.vectors.block(range(len(self.vectors)), chosen)
        return Variates(self.eigenvalues.pick(chosen), vectors, self.centre, self.origin)


def weighted(
    F: Field,
    means: Matrix,
    within: Metric,
    shares: Vector,
    away: Optional[Matrix] = None,
    origin: Optional[Origin] = None,
) -> Variates:
    """Return the variates for means that count as their shares do  [ESL-4.3.3-variates] [ESL-4.3.3-rayleigh].

        B = Σₖ πₖ (μₖ − m)(μₖ − m)ᵀ,    m = Σₖ πₖμₖ

    away      K × p, the means measured from any point, where that is known to more digits
    origin    that point, where others are to be measured from it
    """
    return _variates(F, means, within, shares, shares, away, origin)


def unweighted(
    F: Field, means: Matrix, within: Metric, away: Optional[Matrix] = None, origin: Optional[Origin] = None
) -> Variates:
    """Return the variates for means that all count the same  [ESL-4.3.3-variates] [ESL-4.3.3-rayleigh].

    B = (1/(K − 1)) Σₖ (μₖ − m)(μₖ − m)ᵀ,    m = (1/K) Σₖ μₖ
    """
    K, one = len(means), means.kind(1)
    shares = Vector.of([one / K] * K)
    return _variates(F, means, within, Vector.of([one / (K - 1)] * K), shares, away, origin)


def _variates(
    F: Field,
    means: Matrix,
    within: Metric,
    masses: Vector,
    shares: Vector,
    away: Optional[Matrix],
    origin: Optional[Origin],
) -> Variates:
    centre = mixture(shares, means)
    points = means if away is None else away
    middle = mixture(shares, points)
    deviations = [mu - middle for mu in points]
    origin = None if origin is None else origin.moved(middle)
    if not any(map(any, deviations)):
        raise NoAnswer("variates", need="class means that differ", got="equal ones")
    if len(means) == 2:
        return replace(_two(F, points, within, masses, centre), origin=origin)
    from refclass.linear.eigen import svd  # loaded where more than two classes require singular values

    # Method: sphere the means, M* = diag(√mass) (M − c) W^(−1/2); the principal axes of B* = M*ᵀM* are the right
    # singular vectors v* of M*, their variances the squares of its singular values; and v = W^(−1/2) v*. No more than
    # min(p, K − 1) of them are not zero [ESL-4.3.3-subspace].
    white = within.white(F)
    sphered = Matrix.of([F.sqrt(mass) * (white @ d) for mass, d in zip(masses, deviations)])
    axes = svd.factor(F, sphered)
    count = min(axes.rank, len(means) - 1, sum([s > THRESHOLD * F.eps for s in axes.values]))
    if not count:
        raise NoAnswer("variates", need="class means that differ by more than roundoff", got="equal ones")
    vectors = canon.signs(white.T @ axes.right.block(range(len(white)), range(count)))
    return Variates(Vector.of([s * s for s in axes.values[:count]]), vectors, centre, origin)


def _two(F: Field, points: Matrix, within: Metric, masses: Vector, centre: Vector) -> Variates:
    # Proof: with two classes B = c d dᵀ for d = μ₂ − μ₁, so that W⁻¹d is the one axis, and its value c dᵀW⁻¹d. Divided
    # by √(dᵀW⁻¹d) it has variance one within the classes [KIM-4.2].
    value, d = two_class_value(points, within, masses), points[1] - points[0]
    axis = within.solve(d)
    vector = canon.sign(axis / F.sqrt(axis @ d))
    return Variates(Vector.of([value]), Matrix.of([vector]).T, centre)


def two_class_value(points: Matrix, within: Metric, masses: Vector) -> Any:
    """Return the one eigenvalue that two classes have, without a root: of means measured from any point.

        m₁m₂/(m₁ + m₂) · (μ₂ − μ₁)ᵀW⁻¹(μ₂ − μ₁)

    Exact     yes
    Raises    NoAnswer where the means do not differ, or by no more than roundoff of the spread within the classes
    """
    squared = within.squared(points[1] - points[0])
    if squared <= (THRESHOLD * roundoff(points.kind)) ** 2:
        raise NoAnswer("variates", need="class means that differ where the classes vary", got="equal ones")
    return masses[0] * masses[1] / masses.sum() * squared


@dataclass(frozen=True)
class Model(Exponential):
    """The nearest class mean in the leading variates, adjusted by the priors  [ESL-4.3.3-reduced].

        class of x = argminₖ Σ_{l≤L} (vₗᵀx − vₗᵀμₖ)² − 2 log πₖ

    variates     L of them
    centroids    K × L, the class means in their coordinates
    weighing     how priors and costs enter
    """

    variates: Variates
    centroids: Matrix
    weighing: Weighing

    @cached_property
    def directions(self) -> Matrix:
        """The coefficients of the scores, which are linear: K × p, rows V zₖ for a class mean zₖ."""
        return Matrix.of([self.variates.vectors @ z for z in self.centroids])

    @cached_property
    def constants(self) -> Vector:
        """The constants of the scores, without priors: −½ ‖zₖ‖² − cᵀV zₖ, with c the centre."""
        centre = self.variates.centre
        return Vector.of([-(z @ z) / 2 - v @ centre for z, v in zip(self.centroids, self.directions)])

    def exponents(self, x: Vector) -> Vector:
        """Return z·zₖ − ½ ‖zₖ‖² for z = Vᵀ(x − c): −½ of the squared distances, less what is the same for all."""
        z = self.variates.transform(x)
        return Vector.of([z @ own - own @ own / 2 for own in self.centroids])


def model(
    F: Field,
    variates: Variates,
    means: Matrix,
    priors: Vector,
    costs: Optional[Matrix] = None,
    away: Optional[Matrix] = None,
) -> Model:
    """Return the rule that looks at these variates only.

    away    μₖ − c with the centre c of the variates, where that is known to more digits than the means have
    """
    points = [mu - variates.centre for mu in means] if away is None else away
    return Model(variates, Matrix.of([variates.axes @ v for v in points]), weighing.of_priors(F, priors, costs))


def certify(B: Matrix, W: Matrix, variates: Variates) -> dict[str, Any]:
    """Return the claims of the variates with their ratios."""
    V, n = variates.vectors, len(W)
    scaled = Matrix.of([row.times(variates.eigenvalues) for row in W @ V])
    within = V.T @ (W @ V)
    return {
        "B V = W V diag(d)": residual.equality(B @ V, scaled, 4 * n),
        "VᵀWV = I": residual.equality(within, Matrix.identity(len(within), V.kind), 4 * n),
    }
