"""The proof that a smoothing parameter has the lowest GCV of all: a lower bound over λ ∈ [0, ∞], from enclosures.

The digits of λ itself say little: where GCV is flat, it determines half of the digits of λ. A λ is judged by its GCV.

Every value of GCV is enclosed (`gcv_enclosure`). What branch and bound computes from the enclosures is rounded, to 100
digits or more, and `SPARE` moves the bound outwards for it.

Proof that it covers: decimals round each operation, logarithms among them, correctly. A bound of a cell takes fewer
than 50 operations on numbers below 10¹⁰ in size, and divides only by distances of places; the search divides no cell
narrower than 10⁻¹⁷, at a sixteenth of its width or more from its ends, so that these are above 10⁻¹⁹. An error of
10⁻⁹⁹ relative to 10¹⁰ thus grows to no more than 50 · 10⁻⁸⁹ · (10¹⁰ · 10¹⁹)² < 10⁻²⁹ of log GCV, below `SPARE`, 10⁻²⁰.
An expansion is made of sums of 24 products, and halved 40 times: 10⁻⁹⁰ of its largest coefficient, which bounds of its
error exceed.

At λ = 0 and ∞ GCV is that of the interpolant's limit and of the line, in as many digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import digits
from refclass.errors import NotConverged, Refusal
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.regress.spline.degrees_of_freedom import ladder, limited
from refclass.regress.spline.gcv import branch_and_bound
from refclass.regress.spline.gcv.gcv_criterion import Criterion, Given
from refclass.regress.spline.gcv.gcv_enclosure import Enclosure, Spline
from refclass.regress.spline.gcv.gcv_minimum import GAP, isolated
from refclass.regress.spline.smoother import Operator, Pooled, Smoother

DIGITS = (100, 200)  # of the decimals, the second where the first enclose too little
LONGER = (400, 800, 1600, 3200)  # where the bounds of one λ are asked for
SPARE = Fraction(1, 10**20)  # by which bounds are moved outwards, for what is computed from the enclosures
STEPS = 8  # of Newton's method, from the least λ that a limit allows as doubles have found it
WIDE = Fraction(1, 10**8)  # of λ, for the difference quotient of tr S
CLOSE = Fraction(1, 10**20)  # of λ: Newton's last step, and what the least λ is made smaller by


@dataclass(frozen=True)
class Choice:
    """What is proven of a smoothing parameter that was chosen.

    primal    its GCV, from above
    dual      a lower bound on GCV over all λ that are allowed
    digits    the digits of GCV that the two prove; None where GCV has no value
    """

    primal: Optional[Fraction]
    dual: Optional[Fraction]
    digits: Optional[float]


@dataclass(frozen=True)
class Scores:
    """Bounds, low and high, of the degrees of freedom at a λ, and of its GCV; None where it has no value."""

    degrees: tuple[Fraction, Fraction]
    gcv: Optional[tuple[Fraction, Fraction]]


class _TooFew(Exception):
    """So many digits enclose nothing at some λ."""


@dataclass(frozen=True)
class _Enclosed(Criterion):
    """GCV over the smoothing of one variable, by enclosures.

    spline    the same problem, its numbers rounded once
    """

    spline: Spline

    def point(self, F: Field, operator: Operator) -> branch_and_bound.Point:
        """Return bounds on log GCV (less log n) at log λ."""
        rss, module = self.parts(F, operator.lam)
        place = F.log(operator.lam)
        if not module[0] > 0:  # Premise: N is negative, or so near to zero that GCV is beyond all others.
            return branch_and_bound.Point(place, None, None, Given(operator, rss, module))
        logs = (F.log(rss[0]), F.log(rss[1])), (F.log(module[0]), F.log(module[1]))
        low, high = logs[0][0] - 2 * logs[1][1], logs[0][1] - 2 * logs[1][0]
        return branch_and_bound.Point(place, low, high, Given(operator, rss, module, logs))

    def parts(self, F: Field, lam: Number) -> tuple[tuple[Number, Number], tuple[Number, Number]]:
        """Return bounds on RSS and on N."""
        found, least = self.enclosed(lam), self.slightest(F)
        low, high = found.bent
        module = self.least + self.cost * low, self.least + self.cost * high
        return (max(found.rss[0], least), max(found.rss[1], least)), module

    def enclosed(self, lam: Number) -> Enclosure:
        """Return bounds on RSS and on m − tr S.  Raises _TooFew where there are none."""
        found = self.spline.at(lam)
        if found is None:
            raise _TooFew
        return found

    def above(self, F: Field, lam: Any) -> Optional[Number]:
        """Return GCV at λ, from above; None where it has no value."""
        if not 0 < lam < math.inf or len(self.pooled.smoother.knots) < 3:
            return self(self.pooled.smoother.at(lam if lam == math.inf else F.lift(lam)))
        rss, module = self.parts(F, F.lift(lam))
        return self.n * rss[1] / module[0] / module[0] if module[0] > 0 else None


def certify(
    pooled: Pooled,
    lam: Any,
    *,
    cost: Any = 1,
    spent: Any = 0,
    most: Any = None,
    n: Any = None,
    nothing: Any = 0,
    about: Any = None,
    gap: Any = GAP,
) -> Choice:
    """Return how low the GCV of λ is, beside all others.

    Given     the responses pooled at their knots, exact; what is charged besides cost · tr S; a limit on tr S; n, the
              sum of the weights; nothing, the RSS that counts as none: where the line leaves no more, the digits are
              those of GCV beside `about`, the mean square of the responses if it is not given; gap: to what share of
              GCV the lowest is bounded
    Exact     the bounds are
    Cost      O(m) for each of some hundred λ, in 100 digits
    """
    found = Choice(None, None, None)
    for count in DIGITS:
        F = decimal(count)
        criterion = _enclosed(F, pooled, cost, spent, n)
        own = criterion.pooled
        try:
            primal, dual, narrow = _bounds(F, criterion, pooled, lam, most, gap)
        except _TooFew:
            continue
        if primal is None or dual is None:
            break
        scale = primal
        if own.smoother.at(math.inf).residual(own) <= F.lift(rational(nothing)):
            scale = max(primal, Fraction(own.square / criterion.n) if about is None else rational(about))
        found = Choice(primal, dual, digits(primal - dual, scale))
        if narrow:
            break
    return found


def chosen(pooled: Pooled, *, cost: Any = 1, most: Any = None) -> Optional[Any]:
    """Return the λ of lowest GCV, a decimal or infinity, found by enclosures; None where 200 digits enclose too little.

    Given     as for `certify`
    """
    for count in DIGITS:
        F = decimal(count)
        criterion = _enclosed(F, pooled, cost)
        own = criterion.pooled.smoother
        limit = None if most is None else F.lift(rational(most))
        closed = limited(own, limit)
        rungs = ladder(F, own, limit) if closed else _rungs(F, pooled.smoother, own, None)
        try:
            return isolated(F, criterion, rungs, closed=closed)[0].lam
        except (_TooFew, NotConverged):  # intervals about values too wide, or as wide as bounds are apart
            continue
    return None


def scores(pooled: Pooled, lam: Any, *, cost: Any = 1) -> Optional[Scores]:
    """Return bounds of the degrees of freedom and of the GCV of λ; None where 3200 digits bound nothing.

    Given     the responses pooled at their knots, exact
    Exact     the bounds are
    """
    m = len(pooled.smoother.knots)
    for count in (*DIGITS, *LONGER):
        F = decimal(count)
        criterion = _enclosed(F, pooled, cost)
        if lam == 0 or lam == math.inf or m < 3:
            own: Criterion = criterion
            if lam:  # the line's are fractions
                none = Fraction(0)
                own = Criterion(pooled, pooled.smoother.weights.sum(), rational(cost), none, none)
            operator = own.pooled.smoother.at(lam or F.lift(0))
            value = own(operator)
            return Scores(_spared(operator.degrees_of_freedom), None if value is None else _spared(value))
        found = criterion.spline.at(F.lift(rational(lam)))
        if found is None:
            continue
        low, high = (criterion.least + criterion.cost * bent for bent in found.bent)
        # Method: digits are added while they leave open whether n − cost · tr S is positive: with gaps of h between
        # knots it may be as small as λ/h³, 10⁻⁶⁰⁰ where h is 10²⁰⁰.
        if low <= 0 < high and count < LONGER[-1]:
            continue
        squares = [criterion.n * v for v in found.rss]
        gcv = _spared(squares[0] / high / high, squares[1] / low / low) if low > 0 else None
        return Scores(_spared(m - found.bent[1], m - found.bent[0]), gcv)
    return None


def _spared(low: Number, high: Optional[Number] = None) -> tuple[Fraction, Fraction]:
    """Return bounds moved outwards, for what is computed from the enclosures."""
    return Fraction(low) * (1 - SPARE), Fraction(low if high is None else high) * (1 + SPARE)


def _enclosed(F: Field, pooled: Pooled, cost: Any, spent: Any = 0, n: Any = None) -> _Enclosed:
    """Return the criterion of responses pooled at their knots, in decimals."""
    total = pooled.smoother.weights.sum() if n is None else n
    price, charged = (F.lift(rational(v)) for v in (cost, spent))
    return _Enclosed(_lifted(F, pooled), F.lift(rational(total)), price, charged, 0 * price, Spline.of(F, pooled))


def _bounds(
    F: Field, criterion: _Enclosed, pooled: Pooled, lam: Any, most: Any, gap: Any
) -> tuple[Optional[Fraction], Optional[Fraction], bool]:
    """Return GCV at λ from above, and a lower bound of it over all λ, None where it has no value; and whether
    enclosures were narrow enough for the search to end.
    """
    own = criterion.pooled
    limit = None if most is None else F.lift(rational(most))
    value = criterion.above(F, lam if lam == math.inf else rational(lam))
    least, narrow = value, True
    if len(own.smoother.knots) > 2 and (limit is None or limit > 2):
        rungs, closed = _rungs(F, pooled.smoother, own.smoother, most), limited(own.smoother, limit)
        if limit is not None and closed:
            first = _least(F, criterion, rungs[0].lam, len(own.smoother.knots) - limit)
            rungs = [own.smoother.at(first), *(r for r in rungs[1:] if r.lam > first)]
        try:
            least = isolated(F, criterion, rungs, closed=closed, gap=gap)[1]
        except NotConverged as lost:  # its bound holds all the same
            dual, narrow = lost.witness["dual"], False
            least = None if dual is None else criterion.n * F.exp(dual)
    if value is None or least is None:
        return None, None, True
    primal = Fraction(value) * (1 + SPARE)
    return primal, min(primal, Fraction(least) * (1 - SPARE)), narrow


def _least(F: Field, criterion: _Enclosed, near: Number, bent: Number) -> Number:
    """Return a λ whose m − tr S is proven to be no more than a number, and little less: Newton's method, then a margin.

    Given     near: a λ near it, found in doubles
    """
    lam, wide, close = near, F.lift(WIDE), F.lift(CLOSE)
    for _ in range(STEPS):
        low, high = (sum(criterion.enclosed(v).bent) / 2 for v in (lam, lam * (1 + wide)))
        moved = lam * wide * (bent - low) / (high - low) if high > low else 0 * lam
        lam = min(max(lam + moved, lam / 16), 16 * lam)
        if abs(moved) <= close * lam:
            break
    margin = close
    while criterion.enclosed(lam * (1 - margin)).bent[1] > bent:
        margin = min(16 * margin, (1 + margin) / 2)
    return lam * (1 - margin)


def _rungs(F: Field, exact: Smoother, own: Smoother, most: Any) -> list[Operator]:
    """Return operators over the whole range of λ, or over what a limit allows, found in doubles."""
    try:
        knots, weights = (Vector.of(map(BINARY64.lift, v)) for v in (exact.knots, exact.weights))
        if len(set(knots)) < len(knots):
            raise OverflowError
        rounded = Smoother(knots, exact.place, weights, Vector.of(map(BINARY64.lift, exact.points)))
        limit = None if most is None else BINARY64.lift(most)
        found = [rational(rung.lam) for rung in ladder(BINARY64, rounded, limit)]
        if not all(found):  # λ is of the size of the cube of the knots' distance
            raise OverflowError
    except (Refusal, ArithmeticError):  # beyond the range of doubles
        return ladder(F, own, None if most is None else F.lift(rational(most)))
    return [own.at(F.lift(lam)) for lam in found]


def _lifted(F: Field, pooled: Pooled) -> Pooled:
    """Return the responses and their smoother in decimals."""
    own = pooled.smoother
    knots, weights, points = (Vector.of(map(F.lift, v)) for v in (own.knots, own.weights, own.points))
    smoother = Smoother(knots, own.place, weights, points)
    larger = Pooled(smoother, (), tuple(Vector.of(map(F.lift, y)) for y in pooled.means))
    larger.__dict__["within"] = F.lift(pooled.within)
    return larger
