"""Fisher's discriminants: directions that spread the class means and not the classes; no density is assumed.

max aᵀBa / aᵀWa        two classes: max (wᵀ(x̄₂ − x̄₁))² / wᵀSw, at w = S⁻¹(x̄₂ − x̄₁)
"""

from __future__ import annotations

from typing import Optional

from refclass.discriminants.gaussian import lda
from refclass.discriminants.gaussian.cutpoint import Rule, midpoint
from refclass.errors import InvalidInput
from refclass.linear import canon
from refclass.linear.eigen import pencil
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.sample import covariance, metric, spectral
from refclass.sample.mean import class_means, deviations, distant, mixture
from refclass.sample.metric import Metric
from refclass.sample.observations import Sample


def quotient(a: Vector, B: Matrix, W: Matrix) -> Number:
    """Return Rayleigh's quotient  [ESL-4.15] [ESL-4.16].

        aᵀBa / aᵀWa

    Exact     yes
    Raises    InvalidInput where aᵀWa is zero
    Laws      unchanged when a is multiplied by a number
    """
    within = a @ (W @ a)
    if within == 0:
        raise InvalidInput("fisher", need="a direction with some variance within the classes", got=a)
    return a @ (B @ a) / within


def criterion(w: Vector, d: Vector, S: Matrix) -> Number:
    """Return Fisher's two-class criterion for a difference d of means  [KIM-2.32] [KIM-2.2-within] [KIM-2.33].

        J(w) = (wᵀd)² / wᵀSw

    It does not change with the length of w, so that ‖w‖ = 1 restricts nothing.

    Exact     yes
    Laws      J(w) ≤ dᵀS⁻¹d, with equality iff w is a multiple of S⁻¹d  [KIM-Thm2.2.1]
    """
    return quotient(w, Matrix.outer(d, d), S)


def direction(means: Matrix, within: Metric) -> Vector:
    """Return the direction of two classes, pointing from the first to the second  [KIM-2.32] [KIM-2.33].

        w = S⁻¹(x̄₂ − x̄₁)

    Exact     yes
    """
    w: Vector = within.solve(means[1] - means[0])
    return w


def allocation(means: Matrix, within: Metric) -> Rule:
    """Return the rule that cuts half-way between the projected means  [KIM-Thm2.2.2] [KIM-2.34] [KIM-2.35].

    Class number 1 lies above; on the cut both tie.

    Exact     yes
    """
    return midpoint(direction(means, within), means[0], means[1])


def sequence(F: Field, B: Matrix, W: Matrix, count: int) -> list[tuple[Number, Vector]]:
    """Return the directions one after the other, each with its quotient  [ESL-4.3.3-rayleigh] [ESL-Ex4.1].

    Direction l maximises the quotient among those that are W-orthogonal to all before, aₗᵀW aₘ = 0; aₗᵀW aₗ = 1.

    Shapes    B, W: p × p; count ≤ p
    Laws      the quotients fall, from the K-th on they are zero
    """
    # Method: write a = N u with the columns of N a basis of what the constraints leave, so that every step is the first
    # step of a smaller problem: max uᵀ(NᵀBN)u / uᵀ(NᵀWN)u.
    found: list[tuple[Number, Vector]] = []
    constraints: list[Vector] = []
    basis = Matrix.identity(len(W), W.kind)
    for _ in range(count):
        if constraints:
            basis = Matrix.of(elimination.null_space(F, Matrix.of(constraints))).T
        turned = basis.T
        best = pencil.factor(F, _even(turned @ (B @ basis)), _even(turned @ (W @ basis)))
        a = canon.sign(basis @ best.vectors.column(0))
        found.append((best.eigenvalues[0], a))
        constraints.append(W @ a)
    return found


def _even(A: Matrix) -> Matrix:
    """Return a product that is symmetric but for roundoff, made symmetric."""
    return (A + A.T) / 2


def fit(F: Field, sample: Sample, *, pseudo_inverse: bool = False) -> lda.Model:
    """Return the rule of the nearest class mean in the metric of the pooled covariance: no priors, no density.

    Two classes: the midpoint rule [KIM-2.34]. In the canonical variates, all of them, it is the nearest mean, too.

    Exact     yes, where F is
    Raises    NoAnswer with a null vector if the pooled covariance is singular, unless the pseudo-inverse is asked for
    """
    means = class_means(sample)
    sigma = covariance.pooled(sample, "n-k", means)
    within = spectral.pseudo_inverse(F, sigma) if pseudo_inverse else metric.factor(F, sigma)
    centre = mixture(equal_priors(sample), means)
    away = deviations(sample, means, centre)
    return lda.rule(F, equal_priors(sample), means, within, away=away, origin=distant(sample.X[0], centre))


def equal_priors(sample: Sample, K: Optional[int] = None) -> Vector:
    """Return K priors 1/K."""
    count = sample.K if K is None else K
    return Vector.of([sample.kind(1) / count] * count)
