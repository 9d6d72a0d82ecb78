"""Means of all observations and of each class, and coordinates measured from them where columns lie far from zero.

There z·β + b is a small difference of large numbers, and a point in doubles is another one than was given. Measured
from the mean, in fractions and rounded once, both keep their digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from refclass.errors import InvalidInput, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector, dot
from refclass.number.binary64 import denormal
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import roundoff
from refclass.sample.observations import Block, Sample

FAR = 1000  # a column is far from zero if its mean is so many times larger than what it varies by


def mean(block: Block) -> Vector:
    """Return the weighted mean.

        x̄ = Σᵢ wᵢxᵢ / Σᵢ wᵢ

    In rounded arithmetic the mean of a column far from zero is corrected by that of what it leaves,
    x̄ + Σᵢ wᵢ(xᵢ − x̄)/Σᵢ wᵢ: it is then right to roundoff of itself, and equal numbers have their own value for a
    mean.

    Exact     yes
    Cost      n·p additions, p divisions; n·p multiplications with weights; for columns far from zero twice that
    Source    Chan, Golub and LeVeque (1983)
    """
    rounded, size = roundoff(block.weights.kind), block.size
    found = []
    for j, column in enumerate(block.columns):
        about = _sum(block, column) / size
        if rounded and FAR * abs(column[0] - about) < abs(about):
            about = about + _sum(block, block.less(j, about)) / size
        found.append(about)
    return Vector.of(found)


def _sum(block: Block, column: Sequence[Number]) -> Number:
    return sum(column, block.weights.kind(0)) if block.plain else dot(block.weights, column)


def mean_of(block: Block, column: Sequence[Number]) -> Number:
    """Return the weighted mean of a column of numbers, one for each observation."""
    return _sum(block, column) / block.size


def centred(block: Block, centre: Vector) -> list[tuple[Number, ...]]:
    """Return the columns less their mean, as computed, and less the mean of what that leaves, far from zero.

    Exact     yes
    Laws      columns sum to zero, to roundoff of their own size and not of the mean's
    """
    rounded, found = roundoff(block.weights.kind), []
    for j, c in enumerate(centre):
        away = block.less(j, c)
        if rounded and FAR * abs(away[0]) < abs(c):
            left = _sum(block, away) / block.size
            away = tuple([v - left for v in away])
        found.append(away)
    return found


def deviations(sample: Sample, means: Matrix, centre: Vector) -> Matrix:
    """Return μ̂ₖ − c for each class, in rounded arithmetic from the differences xᵢ − c themselves.

    Far from zero the difference of two rounded means has lost digits that the data still have.

    Shapes    means: the class means, K × p; centre: p numbers, near the data
    Exact     yes
    """
    rounded, rows = roundoff(sample.kind), [list(mu - centre) for mu in means]
    given = any(block.given is not None for block in sample.blocks)
    for j, c in enumerate(centre):
        far = [k for k, row in enumerate(rows) if rounded and FAR * abs(row[j]) < abs(c)]
        # Of numbers that were rounded all classes alike: what rounding takes off c is in each.
        away = sample.whole.less(j, c) if far and given else ()
        for k in far:
            block = sample.blocks[k]
            own = tuple([v for v, g in zip(away, sample.labels) if g == k]) if given else block.less(j, c)
            rows[k][j] = mean_of(block, own)
    return Matrix.of(list(map(Vector.of, rows)))


def class_means(sample: Sample) -> Matrix:
    """Return the mean of each class, one a row  [ESL-4.12] [KIM-2.27].

        μ̂ₖ = Σ_{g(i)=k} wᵢxᵢ / nₖ    nₖ = Σ_{g(i)=k} wᵢ

    Shapes    K × p
    Exact     yes
    """
    return Matrix.of([mean(block) for block in sample.blocks])


def class_origins(sample: Sample, means: Matrix) -> tuple[Origin, ...]:
    """Return each class mean as a point c + r, r from the differences xᵢ − c of the class itself.

    Shapes    means: the class means, K × p
    """
    pairs = zip(sample.blocks, means)
    return tuple(
        Origin(mu, Vector.of([mean_of(block, block.less(j, c)) for j, c in enumerate(mu)])) for block, mu in pairs
    )


def sizes(sample: Sample) -> Vector:
    """Return the number of observations of each class, copies counted: nₖ."""
    return Vector.of([block.size for block in sample.blocks])


def shares(sample: Sample) -> Vector:
    """Return the share of each class among the observations, the usual estimate of the priors: π̂ₖ = nₖ/n.

    Raises    NotExact where doubles do not hold one
    """
    n = sizes(sample)
    pi: Vector = n / n.sum()
    if any(v and (p == 0 or denormal(p)) for v, p in zip(n, pi)):
        need = "shares of the classes in the weights that doubles hold"
        raise NotExact("data", need=need, got=f"one of {min(pi):.3g}")
    return pi


def mixture(weights: Vector, means: Matrix) -> Vector:
    """Return the mean of the means under weights that sum to one: m = Σₖ πₖμₖ."""
    return Vector.of([dot(weights, column) for column in means.T])


def shares_without(n_k: Vector, g: int, w: Number) -> Vector:
    """Return the shares of the classes without weight w of class g, from the weights of the classes.

    Exact     yes
    """
    left = Vector.of([*n_k[:g], n_k[g] - w, *n_k[g + 1 :]])
    pi: Vector = left / left.sum()
    return pi


@dataclass(frozen=True)
class Origin:
    """A point c + r.

    centre    c, p numbers as they are rounded
    rest      r, what rounding has taken off
    far       whether a column of the data lies far from zero
    """

    centre: Vector
    rest: Vector
    far: bool = True

    def away(self, x: Vector) -> Vector:
        """Return x − c − r, the first difference from the numbers that x was rounded from."""
        return less(x, self.centre) - self.rest

    def measured(self, sample: Sample) -> Sample:
        """Return the sample with every row measured from the point."""
        X = Matrix.of([self.away(x) for x in sample.X])
        return Sample(X, sample.labels, sample.classes, sample.weights)

    def moved(self, by: Vector) -> Origin:
        """Return the point c + r + by."""
        return Origin(self.centre, self.rest + by, self.far)


def less(x: Vector, centre: Vector) -> Vector:
    """Return x − c, entries far from zero from the numbers that they were rounded from.

    Example
        >>> near = Rounded.from_given([1e9], [Fraction(10**10 + 1, 10)])
        >>> less(near, Vector([1e9]))
        Vector(0.1)
    """
    found = x - centre
    if not isinstance(x, Rounded):
        return found
    kind = x.kind
    return Vector.of(
        [
            _rounded(kind, given - rational(c)) if FAR * abs(d) < abs(c) else d
            for d, c, given in zip(found, centre, x.given)
        ]
    )


def _rounded(kind: type, value: Fraction) -> Number:
    return float(value) if kind is float else kind(value.numerator) / value.denominator


def of_fractions(F: Field, X: Matrix, weights: Optional[Vector]) -> Optional[Origin]:
    """Return the mean of points in fractions as an origin in a rounded field; None where it is beyond its range."""
    block = Block.of(X, Vector.of([Fraction(1)] * len(X)) if weights is None else weights)
    middle = mean(block)
    far = _is_far(X[0], middle)
    try:
        centre = Vector.of(map(F.lift, middle))
        return Origin(centre, Vector.of([F.lift(c - rational(v)) for c, v in zip(middle, centre)]), far)
    except InvalidInput:
        return None


def distant(x: Vector, centre: Vector) -> Optional[Origin]:
    """Return a centre of the observations as an origin; None where no column is far from zero, or nothing is rounded.

    x    an observation, the first: how far it is from the centre stands for what a column varies by
    """
    return Origin(centre, 0 * centre) if roundoff(centre.kind) and _is_far(x, centre) else None


def of_block(block: Block, centre: Vector) -> Optional[Origin]:
    """Return a centre of the observations as an origin; None where nothing is rounded."""
    first = Vector.of([column[0] for column in block.columns])
    return Origin(centre, 0 * centre, _is_far(first, centre)) if roundoff(block.weights.kind) else None


def of_columns(block: Block, centre: Vector, columns: Sequence[Sequence[Number]]) -> Optional[Origin]:
    """Return the same of the centre from which the columns are measured, as `centred` returns them."""
    origin = of_block(block, centre)
    if origin is None or not origin.far:
        return origin
    lost = [mean_of(block, block.less(j, c)) - mean_of(block, v) for j, (c, v) in enumerate(zip(centre, columns))]
    return origin.moved(Vector.of(lost))


def _is_far(x: Vector, centre: Vector) -> bool:
    return any(FAR * abs(v - c) < abs(c) for v, c in zip(x, centre))
