"""Mixtures of normal subclasses within known classes, one covariance for all: the parameters and their likelihood.

f(x | k) = Σᵣ πₖᵣ φ(x; μₖᵣ, Σ),    Σᵣ πₖᵣ = 1        ℓ = Σₖ Σ_{i∈Iₖ} wᵢ log{Πₖ f(xᵢ | k)}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import mul, sub, truediv
from typing import Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear import combination, polar
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot, lossless
from refclass.number.field import Field, Number
from refclass.number.tolerance import negligible

# For each class one tuple for each of its subclasses: the shares of its points in the subclass, in row order.
Shares = tuple[tuple[tuple[Number, ...], ...], ...]

VARIANTS = ("exact", "old_means")


@dataclass(frozen=True)
class Group:
    """The points of one class, measured from their mean.

    centre     their mean
    rows       the points, centre taken off
    columns    the same by columns
    weights    one number ≥ 0 for each
    size       Σ wᵢ
    """

    centre: Vector
    rows: tuple[Vector, ...]
    columns: tuple[tuple[Number, ...], ...]
    weights: Vector
    size: Number

    @classmethod
    def of(cls, points: Sequence[Vector], weights: Vector) -> Group:
        """Return the group of the points."""
        # Method: of weights that differ by more than doubles have digits the heaviest would multiply roundoff of means;
        # its point lies near the mean then, and differences from it have their digits.
        size = weights.sum()
        base = points[max(range(len(points)), key=weights.__getitem__)] if set(weights) != {1} else 0 * points[0]
        away = [x - base for x in points]
        middle = Vector.of([dot(weights, column) / size for column in zip(*away)])
        rows = tuple(x - middle for x in away)
        return cls(base + middle, rows, tuple(zip(*rows)), weights, size)

    @cached_property
    def ones(self) -> tuple[Number, ...]:
        """A column of ones."""
        return (self.centre.kind(1),) * len(self.rows)

    @cached_property
    def plain(self) -> bool:
        """Whether every weight is one."""
        return set(self.weights) == {1}

    @cached_property
    def rest(self) -> Vector:
        """Σ wᵢ xᵢ, what rounding leaves of it, summed without loss."""
        total = lossless(self.centre.kind)
        return Vector.of([total(self.pulled(column)) for column in self.columns])

    @cached_property
    def scatter(self) -> Matrix:
        """Σ wᵢ xᵢxᵢᵀ, about the mean."""
        return scatter(self.columns, [self.pulled(column) for column in self.columns])

    @cached_property
    def _alike(self) -> Optional[polar.Columns]:
        """The columns, ready to be multiplied by distances; None where sums of products take no longer."""
        many = polar.FASTER and len(self.rows) >= polar.MANY and self.centre.kind is float
        return polar.Columns(self.columns) if many else None

    def moments(self, pulled: Sequence[Number]) -> Vector:
        """Return Σ zᵢxᵢ.

        Exact     yes
        """
        if self._alike is not None:
            return Vector.of(self._alike(pulled))
        return Vector.of([dot(pulled, c) for c in self.columns])

    def pulled(self, shares: Sequence[Number]) -> Sequence[Number]:
        """Return wᵢρᵢ."""
        return shares if self.plain else tuple(map(mul, self.weights, shares))


@dataclass(frozen=True)
class Problem:
    """Points of known classes, each class a mixture of subclasses.

    X          n × p
    labels     n class numbers 0 … K−1
    weights    n numbers ≥ 0
    priors     Π, K numbers; they shift ℓ and nothing else
    rank       None, or L: the subclass means lie in a plane of L dimensions
    variant    "exact", or "old_means": Σ about the means of the step before, as the slides print it [ERR-YANG-14]
    drop       whether a subclass that has lost its points is left out; else it is refused
    """

    X: Matrix
    labels: tuple[int, ...]
    weights: Vector
    priors: Vector
    rank: Optional[int] = None
    variant: str = "exact"
    drop: bool = False

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS or (self.rank is not None and self.variant != "exact"):
            got = f"variant {self.variant!r}, rank {self.rank}"
            raise InvalidInput("mixture", need='variant "exact", or "old_means" without a rank', got=got)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The points of each class, in class order."""
        found = []
        for k in range(len(self.priors)):
            places = self.members(k)
            found.append(Group.of([self.X[i] for i in places], self.weights.pick(places)))
        return tuple(found)

    def members(self, k: int) -> list[int]:
        """Return the rows of class k."""
        return [i for i, g in enumerate(self.labels) if g == k]

    @cached_property
    def n(self) -> Number:
        """Σ wᵢ."""
        return self.weights.sum()

    @cached_property
    def centre(self) -> Vector:
        """The mean of all points."""
        return Vector.of([dot(self.weights, column) / self.n for column in zip(*self.X)])

    @cached_property
    def within(self) -> Matrix:
        """W, the scatter of the points about the means of their classes."""
        total = Matrix.zeros(len(self.X[0]), len(self.X[0]), self.X.kind)
        for group in self.groups:
            total = total + group.scatter
        return total


@dataclass(frozen=True)
class Mixture:
    """The parameters.

    weights       π: for each class its subclasses' shares, which sum to one
    means         μ: for each class R_k × p
    covariance    Σ, p × p
    """

    weights: tuple[Vector, ...]
    means: tuple[Matrix, ...]
    covariance: Matrix


def hard(problem: Problem, subclasses: Sequence[int], sizes: Sequence[int]) -> Shares:
    """Return the shares under which each point belongs wholly to one subclass of its class, one number for each row.

    sizes    how many subclasses each class has

    Raises    InvalidInput for a subclass without a point of positive weight
    """
    zero, one = problem.X.kind(0), problem.X.kind(1)
    found = []
    for k, size in enumerate(sizes):
        places = problem.members(k)
        for r in range(size):
            if not any(problem.weights[i] for i in places if subclasses[i] == r):
                need = f"a point for each of the {size} subclasses of a class"
                raise InvalidInput("mixture", need=need, got="none", label=k, subclass=r)
        found.append(tuple(tuple(one if subclasses[i] == r else zero for i in places) for r in range(size)))
    return tuple(found)


def linear(group: Group, a: Vector, b: Number) -> list[Number]:
    """Return a·x + b for every point of a class.

    Cost      n·p multiplications, and n
    """
    return combination.total([*a, b], [*group.columns, group.ones])


def normalised(F: Field, exponents: Sequence[Sequence[Number]]) -> tuple[tuple[tuple[Number, ...], ...], list[Number]]:
    """Return exp(eᵣ)/Σₛ exp(eₛ) for columns of exponents, and the logarithms of the sums.

    The largest exponent is taken out first, so that nothing overflows.
    """
    if len(exponents) == 1:
        return (tuple([F.kind(1)] * len(exponents[0])),), list(exponents[0])
    tops = list(map(max, *exponents))
    powers = [list(map(F.exp, map(sub, column, tops))) for column in exponents]
    totals = list(map(sum, zip(*powers)))
    columns = tuple(tuple(map(truediv, column, totals)) for column in powers)
    return columns, [t + F.log(s) for t, s in zip(tops, totals)]


def factored(F: Field, sigma: Matrix) -> cholesky.Factor:
    """Return the factor of the common covariance.

    Raises    NoAnswer with a direction in which no point differs from its subclass mean: ℓ has no maximum
    """
    try:
        return cholesky.factor(F, sigma)
    except NoAnswer as refusal:
        need = "points that vary about their subclass means in every direction, by other columns or fewer subclasses"
        v = refusal.witness["direction"]
        raise NoAnswer("mixture", need=need, got=dependent(F, sigma, v), direction=v) from None


def dependent(F: Field, sigma: Matrix, null: Vector) -> str:
    """Return in words which columns a null vector of a covariance says to be constant, or to depend on each other."""
    # Method: a column counts by what it varies by; a constant one stands alone.
    terms = [v * v * s for v, s in zip(null, sigma.diagonal())]
    named = [j for j, t in enumerate(terms) if not negligible(F, t, max(terms), len(terms))]
    if len(named) > 1:
        return f"columns {', '.join(map(str, named))}, which depend on each other there"
    return f"column {max(range(len(null)), key=lambda j: abs(null[j]))}, which is constant there"


def log_likelihood(F: Field, problem: Problem, mixture: Mixture) -> Number:
    """Return ℓ by its formula, every density by itself  [YANG-mda-likelihood].

    Σₖ Σ_{i∈Iₖ} wᵢ log{Πₖ Σᵣ πₖᵣ φ(xᵢ; μₖᵣ, Σ)}
    """
    known = factored(F, mixture.covariance)
    constant = (known.log_determinant(F) + len(problem.X[0]) * F.log(2 * F.pi())) / 2
    total = F.kind(0)
    for x, g, w in zip(problem.X, problem.labels, problem.weights):
        exponents = []
        for weight, mean in zip(mixture.weights[g], mixture.means[g]):
            d = x - mean
            exponents.append([F.log(weight) - dot(d, known.solve(d)) / 2])
        _, (value,) = normalised(F, exponents)
        total = total + w * (F.log(problem.priors[g]) + value - constant)
    return total


def spread(vectors: Sequence[Vector], masses: Sequence[Number]) -> Matrix:
    """Return Σ mᵢ vᵢvᵢᵀ."""
    columns = list(zip(*vectors))
    return scatter(columns, [tuple(map(mul, masses, column)) for column in columns])


def scatter(columns: Sequence[Sequence[Number]], pulled: Sequence[Sequence[Number]]) -> Matrix:
    """Return the products of columns with pulled columns: Σᵢ zᵢxᵢᵀ, which is symmetric."""
    lower = [[dot(z, columns[j]) for j in range(i + 1)] for i, z in enumerate(pulled)]
    size = range(len(lower))
    return Matrix.of([Vector.of([lower[max(i, j)][min(i, j)] for j in size]) for i in size])
