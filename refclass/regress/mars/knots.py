"""All knots of one variable under one parent term at once: what each reflected pair would take off the residuals.

With B the parent, the pair at t spans the same space beside B as the two columns

    B x    and    b_t = B (x − t)₊,      because  (x − t)₊ − (t − x)₊ = x − t,

so that a scan needs, for every t, only products of b_t with known columns. For any vector v, as t falls from one data
value to the next below,

    Σ vᵢ Bᵢ (xᵢ − t)₊   grows by   (gap) × Σ_{xᵢ > t} vᵢ Bᵢ,

two running sums over the sorted points. Each column of the model is met once, when it enters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from operator import add, mul, sub
from typing import Optional

from refclass.linear.factorisations.orthogonal_columns import Columns
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD

ALPHA = Fraction(1, 20)  # Friedman's level: the chance that a run of noise is taken for a bend
NEW = Fraction(1, 100)  # mda's bound: the least share of a column's variance that must be new to the model


@dataclass(frozen=True)
class Scan:
    """One variable under one parent term.

    parent       B at the points
    order        by descending x the points where B is positive and the weight is, and those at which a candidate stands
    gaps         the differences between neighbours in that order
    places       the candidates: where in that order each eligible knot stands, by ascending knot
    lengths      ‖b_t‖² for each candidate
    projected    Σ_k (q_kᵀ W b_t)²/d_k over the columns met so far, for each candidate
    line         B (x − centre), less its projection on the columns met so far
    whole        its squared length before any projection
    met          how many columns have been met
    variances    for mda's search the sums of squares of b_t about its mean, for each candidate, and that of B x, which
                 is None where the line is not tried; else None
    """

    parent: Vector
    order: tuple[int, ...]
    gaps: tuple[Number, ...]
    places: tuple[int, ...]
    lengths: tuple[Number, ...]
    projected: tuple[Number, ...]
    line: Vector
    whole: Number
    met: int
    variances: Optional[tuple[tuple[Number, ...], Optional[Number]]] = None

    @property
    def tries_line(self) -> bool:
        """Whether the straight line is tried beside each hinge."""
        return self.variances is None or self.variances[1] is not None

    def products(self, v: Sequence[Number]) -> list[Number]:
        """Return Σ vᵢ (xᵢ − t)₊ for each candidate, for v zero where the parent is.

        Cost    2 additions and a multiplication for each point of the order
        """
        running = accumulate(map(v.__getitem__, self.order))
        return _at(self.places, accumulate(map(mul, running, self.gaps), initial=self.whole * 0))

    def after(self, model: Columns) -> Scan:
        """Return the scan that has met all columns of the model."""
        projected, line = self.projected, self.line
        for k in range(self.met, len(model)):
            inner = self.products(tuple(map(mul, self.parent, model.pulled[k])))
            d = model.squares[k]
            projected = tuple([p + v * v / d for p, v in zip(projected, inner)])
            c = dot(model.pulled[k], line) / d
            line = Vector.of([a - c * q for a, q in zip(line, model.orthogonal[k])])
        return replace(self, projected=projected, line=line, met=len(model))

    def gains(
        self, F: Field, model: Columns, residuals: Sequence[Vector], products: Sequence[Sequence[Number]]
    ) -> list[Number]:
        """Return for each candidate knot by how much the pair lowers the residual sum of squares.

            (uᵀWr)²/uᵀWu + (b_t′ᵀW r′)²/b_t′ᵀW b_t′   summed over the responses

        u is the line and b_t′ the hinge, each less its projection on all before it; r′ = r − (uᵀWr/uᵀWu) u. What
        depends on the rest, up to roundoff, adds nothing.

        Given    for each response the weighted residuals W r, and B times them
        """
        unit = THRESHOLD * len(self.parent) * F.eps
        square = model.square(self.line)
        if self.variances is None:
            least, most = [unit * v for v in self.lengths], unit * self.whole
        else:
            share = F.lift(NEW)
            spread = self.variances[1]
            least, most = [share * v for v in self.variances[0]], square if spread is None else share * spread
        bent = square > most  # whether the line is new to the model
        left: Sequence[Number] = list(map(sub, self.lengths, self.projected))
        totals: Sequence[Number] = [square * 0] * len(self.places)
        straight, along = square * 0, totals
        if bent:
            along = self.products(tuple(map(mul, self.parent, map(mul, self.line, model.weights))))
            left = [v - u * u / square for v, u in zip(left, along)]
        for pulled, product in zip(residuals, products):
            own = self.products(product)
            if bent:
                slope = dot(pulled, self.line) / square
                straight = straight + slope * slope * square
                own = [v - slope * u for v, u in zip(own, along)]
            totals = list(map(add, totals, map(mul, own, own)))
        return [straight + t / v if v > low else straight for t, v, low in zip(totals, left, least)]


def _at(places: Sequence[int], values: Iterable[Number]) -> list[Number]:
    return list(map(list(values).__getitem__, places))


def scan(
    parent: Vector,
    x: Sequence[Number],
    weights: Vector,
    min_span: int,
    end_span: int,
    p: int,
) -> Scan:
    """Return the scan of variable x under a parent, before any column has been met.

    Given    the spans as in `candidates`; p, the number of variables
    Cost     a sort, and 8n multiplications
    """
    support = [i for i, b in enumerate(parent) if b > 0 and weights[i] > 0]
    order = sorted(support, key=x.__getitem__, reverse=True)
    return _unmet(parent, x, weights, order, candidates(order, x, weights, min_span, end_span, p))


def _unmet(parent: Vector, x: Sequence[Number], weights: Vector, order: Sequence[int], places: tuple[int, ...]) -> Scan:
    """Return the scan with an order and candidates, before any column has been met."""
    gaps = tuple(x[a] - x[b] for a, b in zip(order, order[1:]))
    zero = weights[0] * 0
    squares = [weights[i] * parent[i] * parent[i] for i in order]
    # Method: with C₀ = Σ wB², C₁ = Σ wB²(x − t), C₂ = Σ wB²(x − t)² over x > t, a step of t down by h takes C₁ to
    # C₁ + hC₀ and C₂ to C₂ + h(C₁ + new C₁): sums of positive numbers only.
    first = list(accumulate(map(mul, accumulate(squares), gaps), initial=zero))
    second = accumulate((h * (a + b) for h, a, b in zip(gaps, first, first[1:])), initial=zero)
    total = sum(squares, zero)
    centre = sum((s * x[i] for s, i in zip(squares, order)), zero) / total
    line = Vector.of([b * (v - centre) for b, v in zip(parent, x)])
    return Scan(
        parent=parent,
        order=tuple(order),
        gaps=gaps,
        places=places,
        lengths=tuple(_at(places, second)),
        projected=(zero,) * len(places),
        line=line,
        whole=sum((w * v * v for w, v in zip(weights, line)), zero),
        met=0,
    )


def scan_as_mda(parent: Vector, x: Sequence[Number], weights: Vector, p: int, straight: bool) -> Scan:
    """Return the scan of variable x under a parent with the knots that R's mda looks at (search="mda").

    Knots stand on all rows, whatever the parent: see `spaced`. A column counts as new to the model if its residual
    there has a hundredth of its sum of squares about the mean. The straight line B x is tried only if asked for.
    """
    # Premise: of equal values the row that stands first in the data has the lower number.
    order = sorted((i for i, w in enumerate(weights) if w > 0), key=x.__getitem__)[::-1]
    knots = {order[k] for k in spaced(order, x, parent, p)}
    order = [i for i in order if parent[i] > 0 or i in knots]
    places = [k for k, i in enumerate(order) if i in knots]
    found = _unmet(parent, x, weights, order, tuple(places[::-1]))
    zero, n = weights[0] * 0, weights.sum()
    pulled = tuple(map(mul, weights, parent))
    means = [v * v / n for v in found.products(pulled)]
    line = sum((w * b * b * v * v for w, b, v in zip(weights, parent, x)), zero)
    centre = sum((w * b * v for w, b, v in zip(weights, parent, x)), zero)
    spread = line - centre * centre / n if straight else None
    variances = tuple(map(sub, found.lengths, means)), spread
    return replace(found, variances=variances)


def spaced(order: Sequence[int], x: Sequence[Number], parent: Vector, p: int) -> tuple[int, ...]:
    """Return where in the descending order the knots of mda's search stand, by ascending knot.

    With all rows in ascending order of x, numbered from 1: the first, which stands for the straight line, and those
    whose number is a multiple of Friedman's min_span for the parent's support, at least ⌊3 − log₂(α/p)⌋ and at most n
    less that, whose value is above that of the row before, and the row after which is in the support. Ties count as
    rows, and so does a weight above zero, however large.
    """
    n, support = len(order), sum(b > 0 for b in parent)
    step = max(1, math.floor(-math.log2(-math.log(1 - ALPHA) / (p * support)) * 2 / 5))
    end = math.floor(3 - math.log2(ALPHA / p))
    kept = [n - 1]
    for number in range(step, n - end + 1, step):
        place = n - number
        above = number > 1 and x[order[place]] > x[order[place + 1]]
        if number >= end and above and parent[order[place - 1]] > 0:
            kept.append(place)
    return tuple(kept)


def candidates(
    order: Sequence[int], x: Sequence[Number], weights: Vector, min_span: int, end_span: int, p: int
) -> tuple[int, ...]:
    """Return where in the descending order the eligible knots stand, by ascending knot.

    A knot is a data value. At least end_span observations lie at it or below, as many at it or above; from one knot to
    the next, upwards from the lowest, there are at least min_span observations; with both 1 every value is
    eligible. A weight counts for as many observations. A span 0 stands for Friedman's:

        min_span = ⌊−log₂(−ln(1 − α)/(pN))/2.5⌋,   end_span = ⌈3 − log₂(α/p)⌉,   α = 0.05

    N observations in the parent's support, p variables; at least 1.
    """
    total = sum(weights[i] for i in order)
    low = end_span or max(1, math.ceil(3 - math.log2(ALPHA / p)))
    step = min_span or max(1, math.floor(-math.log2(-math.log(1 - ALPHA) / (p * float(total))) * 2 / 5))
    places, below, last, k = [], 0, None, len(order)
    while k > 0:
        value, group = x[order[k - 1]], 0
        while k > 0 and x[order[k - 1]] == value:
            k -= 1
            group = group + weights[order[k]]
        # Premise: counts are compared as > span − 1, which for whole weights is ≥ span, and lets a span of 1 pass all.
        above, below = total - below, below + group
        if below > low - 1 and above > low - 1 and (last is None or below - last > step - 1):
            places.append(k)
            last = below
    return tuple(places)
