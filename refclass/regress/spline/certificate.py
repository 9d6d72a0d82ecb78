"""The proof beside a smoothing spline: how far a curve is from the minimiser, in exact arithmetic and linear time.

A natural spline with values g and second derivatives γ at its knots minimises Σ w(y − g)² + λ ∫ f″² if and only if

    e = Qᵀg − Rγ = 0    and    v = λQγ − W(y − g) = 0

Where they are not zero, the gradient at g is 2u with u = v + λQR⁻¹e. As R is dominated by its diagonal,
|R⁻¹e| ≤ 6 max|e|/min(hᵢ + hᵢ₊₁); as the Hessian is at least 2W, no curve is lower by more than Σ u²/w.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.number.field import rational
from refclass.regress.spline.curve import Curve
from refclass.regress.spline.smoother import Line, Operator, Pooled

ZERO = Fraction(0)
NONE = "doubles hold no digit of the criterion; its scale is that of the best constant's"
ROUNDINGS = "the responses lie on the curve but for roundoff; the scale is that of the best constant's criterion"


def rationals(rows: Any) -> Matrix:
    """Return the matrix at its exact rational value."""
    return Matrix([[rational(v) for v in as_given(row)] for row in rows])


def rational_curve(curve: Curve) -> Curve:
    """Return the curve at its exact rational value."""
    return Curve(rationals([curve.knots])[0], tuple(rationals(curve.values)), tuple(rationals(curve.seconds)))


def values(X: Matrix, curves: Sequence[Optional[Curve]], intercept: Sequence[Any]) -> tuple[Matrix, Matrix]:
    """Return α + Σ f_j at the rows of X, and the sum of the sizes of these, exact: n × q each.

    Rows that reading has rounded count as they are held, for the knots are: the values at knots are what is proven.
    """
    rows, sizes = [], []
    held = Matrix([[rational(v) for v in row] for row in X])
    used = [(column, rational_curve(c)) for column, c in zip(held.T, curves) if c is not None]
    constant = rationals([intercept])[0]
    found = [[curve(x) for x in column] for column, curve in used]
    for i in range(len(X)):
        terms = [constant, *(own[i] for own in found)]
        rows.append(Vector.of([sum(column) for column in zip(*terms)]))
        sizes.append(Vector.of([sum(map(abs, column)) for column in zip(*terms)]))
    return Matrix.of(rows), Matrix.of(sizes)


@dataclass(frozen=True)
class Slack:
    """What a curve leaves of its conditions.

    worst    the largest entry of e and v
    size     what the largest numbers add up to that e and v are differences of
    rough    λ ∫ f″², from below and from above
    lost     a bound on how much lower the criterion can be
    """

    worst: Fraction
    size: Fraction
    rough: tuple[Fraction, Fraction]
    lost: Fraction


def slack(operator: Operator, y: Vector, g: Vector, gamma: Vector, terms: Fraction = ZERO) -> Slack:
    """Return what the curve with values g and second derivatives γ at the knots leaves of its conditions.

    Given     the operator and y, the responses pooled at its knots, at their exact values; terms: the size of what y
              are differences of, where that is larger than y
    Exact     yes
    Cost      O(m)
    """
    w, zero = operator.smoother.weights, Fraction(0)
    if isinstance(operator, Line):
        (line,) = operator.curve(Pooled(operator.smoother, (), (y,))).values
        u = w.times(g - line)
        size = max(c * (max(abs(a), terms) + abs(b)) for c, a, b in zip(w, y, g))
        return Slack(u.largest(), size, (zero, zero), len(w) * max(v * v / c for v, c in zip(u, w)))
    made, lam, inner = operator.smoother._bands, operator.lam, Vector.of(gamma[1:-1])
    bent = made.stretched(inner)
    e = made.differences(g) - bent
    pull = lam * made.spread(inner)
    v = pull - w.times(y - g)
    apart, sharp, zero = e.largest(), inner.largest(), Fraction(0)
    # Proof: four times the larger of 1/h on its two sides bounds the sum of a row of |Q|.
    steep = [max(a, b) for a, b in zip((zero, *made.inverse), (*made.inverse, zero))]
    narrow = min(1 / a + 1 / b for a, b in zip(made.inverse, made.inverse[1:]))
    beyond = 6 * apart / narrow
    lost = len(w) * max((abs(a) + lam * 4 * beyond * s) ** 2 / c for a, s, c in zip(v, steep, w))
    rough = sum((b * c for b, c in zip(bent, inner)), zero)
    spare = 2 * apart * sum(map(abs, inner))
    size = max(
        4 * max(g.largest(), terms) * max(steep) + max(map(abs, bent)),
        max(lam * 4 * s * sharp + c * (max(abs(a), terms) + abs(b)) for s, c, a, b in zip(steep, w, y, g)),
    )
    # Proof: as in `bounds`.
    above = lam * (rough + 2 * (e @ inner) + 2 * sum((a * a / d for a, d in zip(e, made.diagonal)), zero))
    return Slack(max(apart, v.largest()), size, (lam * (rough - spare), above), lost)


def bounds(operator: Operator, y: Vector, g: Vector, gamma: Vector) -> tuple[Fraction, Fraction]:
    """Return Σ w(y − g)² + λ ∫ f″² of the natural spline f through g, from above, and a lower bound of its minimum.

    Given     as `slack`; y are means at the knots, so that what lies within ties is left out of both
    Exact     yes
    Cost      O(m)
    """
    # Proof: with z = Qᵀy and B = R + λQᵀW⁻¹Q the minimum is λzᵀB⁻¹z, the maximum over all γ of λ(2zᵀγ − γᵀBγ).
    # With e = Qᵀg − Rγ, ∫ f″² = (Rγ + e)ᵀR⁻¹(Rγ + e) = γᵀRγ + 2γᵀe + eᵀR⁻¹e, and R ≥ diag((hᵢ + hᵢ₊₁)/6).
    w = operator.smoother.weights
    missed = sum((c * (a - b) * (a - b) for c, a, b in zip(w, y, g)), Fraction(0))
    if isinstance(operator, Line):
        (line,) = operator.curve(Pooled(operator.smoother, (), (y,))).values
        least = sum((c * (a - b) * (a - b) for c, a, b in zip(w, y, line)), Fraction(0))
        return max(missed, least + abs(missed - least)), least
    made, lam, inner = operator.smoother._bands, operator.lam, Vector.of(gamma[1:-1])
    z, pull, energy = made.differences(y), made.spread(inner), made.energy(inner)
    dual = lam * (2 * (z @ inner) - energy - lam * sum((v * v / c for v, c in zip(pull, w)), Fraction(0)))
    e = made.differences(g) - made.stretched(inner)
    beyond = sum((v * v / d for v, d in zip(e, made.diagonal)), Fraction(0)) * 2
    return missed + lam * (energy + 2 * (inner @ e) + beyond), dual
