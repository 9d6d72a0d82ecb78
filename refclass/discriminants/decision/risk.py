"""What a rule gets wrong, and what that costs: exact sums on finite supports, closed forms for normal classes.

P(i|j) is the probability that a point of class j is given to class i; here always the matrix P[i][j], columns that sum
to one, or to less where points are given to no class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.sample.gaussian import distribution

Region = frozenset[int]


def regions(decisions: Sequence[Optional[int]], K: int) -> list[Region]:
    """Return for each class the places of the support that a rule gives to it."""
    return [frozenset(i for i, d in enumerate(decisions) if d == k) for k in range(K)]


def misclassification(densities: Matrix, decisions: Sequence[Optional[int]]) -> Matrix:
    """Return P(i|j) of a rule on a finite support  [KIM-2.1] [KIM-2.2].

        P(i|j) = Σ_{x in Rᵢ} fⱼ(x)

    Shapes    densities: K × m, row j the probabilities that class j gives to the m points; decisions: m
    Exact     yes
    """
    K, m = densities.shape
    if len(decisions) != m:
        raise InvalidInput("risk", need=f"{m} decisions, one for each point of the support", got=len(decisions))
    zero = densities.kind(0)
    places = regions(decisions, K)
    return Matrix.of([Vector.of([sum((f[i] for i in R), zero) for f in densities]) for R in places])


def joint(P: Matrix, priors: Vector) -> Matrix:
    """Return the probability that the truth is j and i is decided  [KIM-2.3] [KIM-2.6].

        P(i|j) πⱼ  [KIM-2.4] [KIM-2.5] [KIM-2.7] [KIM-2.8]

    Exact     yes
    """
    return Matrix.of([row.times(priors) for row in P])


def error_rate(P: Matrix, priors: Vector) -> Number:
    """Return the probability of deciding another class than the true one: 1 − Σ πₖ P(k|k)."""
    return 1 - dot(P.diagonal(), priors)


def expected_cost(costs: Matrix, P: Matrix, priors: Vector) -> Number:
    """Return the expected cost of misclassification  [KIM-2.9] [KIM-2.12].

        ECM = Σᵢⱼ c(i|j) P(i|j) πⱼ        two classes: c(2|1) P(2|1) p₁ + c(1|2) P(1|2) p₂

    Exact     yes
    """
    return sum(map(dot, costs, joint(P, priors)), P.kind(0))


def expected_cost_over_first(costs: Matrix, priors: Vector, densities: Matrix, R1: Iterable[int]) -> Number:
    """Return the expected cost of two classes as a sum over R₁ alone  [KIM-2.13] [KIM-2.14] [KIM-2.15] [KIM-2.16].

        ECM = Σ_{R₁} [c(1|2) p₂f₂ − c(2|1) p₁f₁] + c(2|1) p₁

    Every point outside R₁ is given to class 2: the form rests on R₁ and R₂ leaving nothing out.

    Exact     yes
    """
    gain = [costs[0][1] * priors[1] * f2 - costs[1][0] * priors[0] * f1 for f1, f2 in zip(*densities)]
    return sum((gain[i] for i in R1), densities.kind(0)) + costs[1][0] * priors[0]


def expected_cost_over_second(costs: Matrix, priors: Vector, densities: Matrix, R2: Iterable[int]) -> Number:
    """Return the expected cost of two classes as a sum over R₂ alone  [KIM-2.1-other].

        ECM = Σ_{R₂} [c(2|1) p₁f₁ − c(1|2) p₂f₂] + c(1|2) p₂

    Exact     yes
    """
    gain = [costs[1][0] * priors[0] * f1 - costs[0][1] * priors[1] * f2 for f1, f2 in zip(*densities)]
    return sum((gain[i] for i in R2), densities.kind(0)) + costs[0][1] * priors[1]


def rules(K: int, m: int) -> Iterable[tuple[int, ...]]:
    """Return every deterministic rule on m points: all Kᵐ of them, for proof by exhaustion."""
    return product(range(K), repeat=m)


def two_normals(F: Field, squared: Number, threshold: Number) -> Matrix:
    """Return P(i|j) of the linear rule for two normal classes with one covariance  [KIM-Thm2.1.2].

        class 1 iff L(x) > k:    P(2|1) = Φ((k − Δ²/2)/Δ),    P(1|2) = Φ(−(k + Δ²/2)/Δ)

    squared is Δ² = (μ₁ − μ₂)ᵀΣ⁻¹(μ₁ − μ₂), threshold is k; L(x) is normal with variance Δ² and mean ±Δ²/2.

    Shapes    2 × 2
    Raises    InvalidInput unless Δ² > 0
    """
    if not squared > 0:
        raise InvalidInput("risk", need="two means that differ", got=f"squared distance {squared}")
    delta, half = F.sqrt(squared), squared / 2
    miss1 = distribution(F, (threshold - half) / delta)
    miss2 = distribution(F, -(threshold + half) / delta)
    hit1 = distribution(F, (half - threshold) / delta)
    hit2 = distribution(F, (threshold + half) / delta)
    return Matrix([[hit1, miss2], [miss1, hit2]])


def intervals(
    F: Field, means: Vector, deviations: Vector, ends: Sequence[Number], decisions: Sequence[Optional[int]]
) -> Matrix:
    """Return P(i|j) of a rule on the line for normal classes, of equal variances or not  [KIM-2.2-unequal].

        decisions[t] holds on (ends[t − 1], ends[t]), the first from −∞, the last to +∞

    Shapes    means, deviations: K; ends: m, ascending; decisions: m + 1
    """
    rows = []
    below = [[distribution(F, (e - mu) / s) for e in ends] for mu, s in zip(means, deviations)]
    above = [[distribution(F, (mu - e) / s) for e in ends] for mu, s in zip(means, deviations)]
    for i in range(len(means)):
        rows.append(Vector([_mass(F, lo, hi, [d == i for d in decisions]) for lo, hi in zip(below, above)]))
    return Matrix(rows)


def _mass(F: Field, below: list[Number], above: list[Number], inside: list[bool]) -> Number:
    """Return the probability of the union of intervals, from those below and above each end."""
    zero, one = F.kind(0), F.kind(1)
    lo, hi = [zero, *below, one], [one, *above, zero]
    total = zero
    for t, chosen in enumerate(inside):
        if chosen:  # the difference of the smaller numbers keeps more digits
            total = total + (lo[t + 1] - lo[t] if lo[t + 1] <= hi[t] else hi[t] - hi[t + 1])
    return total


def of_plane(F: Field, beta: Vector, beta0: Number, means: Matrix, covariances: Sequence[Matrix]) -> tuple[Number, ...]:
    """Return for two normal classes the probability that a linear rule errs  [RISK-ACTUAL] [PLUGIN].

        Φ((βᵀμ₁ + β₀)/σ₁),   Φ(−(βᵀμ₂ + β₀)/σ₂),   σ_k² = βᵀΣ_kβ;      f > 0 is the second class

    The rule may come from anywhere: one that is estimated has its actual error rate here, never below the optimum's.

    Raises    NotExact where the answer is irrational; NoAnswer for β = 0
    """
    found = []
    for mu, S, sign in zip(means, covariances, (1, -1)):
        variance = beta @ (S @ beta)
        if not variance > 0:
            raise NoAnswer("risk", need="a direction in which the classes vary", got=variance)
        t = sign * (beta @ mu + beta0) / F.sqrt(variance)
        found.append(distribution(F, t))
    return tuple(found)
