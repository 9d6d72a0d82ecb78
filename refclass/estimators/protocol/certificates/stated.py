"""Whether the numbers that an estimator shows beside its multipliers are those of the proof: objectives, coefficients.

Such numbers are computed from the multipliers in rounded arithmetic. They are compared with their exact values: an
objective within the proven bounds, or to the digits asked; a sum of n products within its rounding error (Higham,
Accuracy and Stability of Numerical Algorithms, 3.1: γₙ Σ|aᵢbᵢ|), and within what rounding multipliers to a sum of zero
moves it by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any, Callable, Optional

from refclass.certificate import ASKED, Certificate, digits, lost, refused, shown, status
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, as_given
from refclass.number.field import Field, rational
from refclass.number.text import approximate
from refclass.regress.kernel.inactive_points import LEAST


def functions(found: Certificate, models: Sequence[Any], primal: Any, dual: Any = None) -> Certificate:
    """Return the certificate, with fewer digits where the objectives or the hyperplanes of functions have fewer.

    models    the functions of `margins.svm.fit`, one for each class or machine, on the same points
    """
    first = models[0]
    found = objectives(first.F, found, primal, dual)
    if first.beta is None:
        return found
    rows, weights = [m.beta for m in models], [m.coefficients for m in models]
    return combinations(first.F, found, "coef_", rows, first.points, weights)


def require(module: str, found: Certificate) -> None:
    """Refuse a fit whose optimum is proven, but not what it states of it.  Raises NotConverged with the bounds."""
    if found.status == "not converged":
        raise lost(
            module, found.digits, found, need=f"numbers that have {ASKED} digits of what is proven: {found.where}"
        )


def objectives(F: Field, found: Certificate, primal: Any, dual: Any = None) -> Certificate:
    """Return the certificate with no more digits than the objectives, as stated, have of those that were proven.

    An objective is right within the gap, which has been judged, and within the least positive double: beyond these the
    difference counts, relative to the exact value; in an exact field there is none.
    """
    found = _near(F, found, "objective_", primal, found.primal)
    return _near(F, found, "dual_objective_", dual, found.dual)


def _near(F: Field, found: Certificate, name: str, stated: Any, exact: Optional[Any]) -> Certificate:
    """Return the certificate, with the digits of the stated number where these are fewer than are asked for."""
    if stated is None or exact is None or found.digits is None:
        return found
    allowed = Fraction(0) if F.exact else abs(rational(found.gap or 0)) + (LEAST if F.kind is float else 0)
    missed = max(abs(rational(stated) - rational(exact)) - allowed, Fraction(0))
    return _right(
        F, found, missed, exact, lambda: f"{name} is {shown(stated)}, {approximate(missed):.3g} from what is proven"
    )


def number(F: Field, found: Certificate, name: str, said: Any, exact: Any, size: Any = None) -> Certificate:
    """Return the certificate with no more digits than a number has of its exact value; None is right where both are.

    Given     size: that of the terms that it is a sum of, which the digits are relative to; None for its own
    """
    if said is None or exact is None:
        return found if said is exact else refused(found, f"{name} is {said}, that of the model {exact}")
    scale = exact if size is None else size
    return _right(F, found, abs(rational(said) - rational(exact)), scale, lambda: f"{name} is {shown(said)}")


def between(F: Field, found: Certificate, name: str, said: Any, bounds: Any) -> Certificate:
    """Return the certificate with no more digits than a number has that lies between bounds."""
    if said is None or bounds is None:
        if said is bounds:
            return found
        told, ends = "None" if said is None else shown(said), " to ".join(map(shown, bounds or ["None"]))
        return refused(found, f"{name} is {told}, but its bounds are {ends}")
    low, high = bounds
    missed = max(low - rational(said), rational(said) - high, Fraction(0))
    return _right(F, found, missed, high, lambda: f"{name} is {shown(said)}, not {shown(low)}")


def values(
    F: Field, found: Certificate, name: str, stated: Any, proven: tuple[Matrix, Matrix], weights: Sequence[Any]
) -> Certificate:
    """Return the certificate with no more digits than the values of a fit have, relative to the terms summed up.

    What a certificate bounds by a gap holds values wᵢ(f − f*)² ≤ gap from those of the optimum: so far values of the
    optimum and of the coefficients may be apart.

    Shapes    stated: n × q; proven: the values from the coefficients, and the sizes of their terms, n × q each
    """
    exact, sizes = proven
    if len(stated) != len(exact) or any(len(v) != len(e) for v, e in zip(stated, exact)):
        return refused(found, f"{name} has other rows or columns than y")
    gap = Fraction(0) if F.exact or found.gap is None else rational(found.gap)
    worst, share, where = Fraction(0), Fraction(0), ""
    least = LEAST if F.kind is float else Fraction(0)  # no double is nearer than half of it
    for i, (row, own, size, w) in enumerate(zip(stated, exact, sizes, weights)):
        for q, (v, e, s) in enumerate(zip(row, own, size)):
            missed = abs(rational(v) - e)
            if 2 * missed > least and missed > share * s and missed * missed * rational(w) > gap:
                worst, share, where = missed, missed / s if s else Fraction(1), f"{name}[{i}][{q}]"
    return _right(F, found, share, 1, lambda: f"{where} is {approximate(worst):.3g} from what the model gives")


def reciprocal_root(F: Field, found: Certificate, name: str, stated: Any, square: Fraction) -> Certificate:
    """Return the certificate with no more digits than a number stated has of 1/√square."""
    value = rational(stated)
    missed = abs(value * value * square - 1)
    return _right(
        F, found, missed, 1, lambda: f"{name} is {shown(stated)}, the inverse of the root of {shown(square)} is another"
    )


def _right(F: Field, found: Certificate, missed: Fraction, scale: Any, where: Callable[[], str]) -> Certificate:
    """Return the certificate, or one of fewer digits where a number misses what is proven before the digits asked."""
    asked, right = inf if F.exact else ASKED, digits(missed, scale)
    if found.digits is None or right >= min(asked, found.digits):
        return found
    word = status(right, asked, convex=found.status != "stationary")
    return replace(found, status=word, digits=right, worst_violation=missed, where=where())


def combinations(
    F: Field, found: Certificate, name: str, stated: Sequence[Any], points: Any, weights: Iterable[Sequence[Any]]
) -> Certificate:
    """Return the certificate, or a refusal where a row stated is not Σᵢ wᵢxᵢ up to roundoff.

    A row is computed from the weights, whose n products are rounded, or from the exact optimum: then the row and the
    weights are both roundings of it.

    Shapes    points: n × p; stated: a row of p for each of the weights, which are n each

    Cost      2n(p + 1) multiplications of integers a row
    """
    for k, (row, own) in enumerate(zip(stated, weights)):
        support = [i for i, v in enumerate(own) if v]
        rows = [points[i] for i in support]
        w = own.pick(support) if isinstance(own, Rounded) else [own[i] for i in support]
        each, alone = [Scaled.of(as_given(x)) for x in rows], Scaled.of(as_given(w))
        exact = combination(each, alone, len(row))
        sizes = combination([x.absolute() for x in each], alone.absolute(), len(row))
        unit, least = (len(support) + 1) * rational(F.eps), (len(support) + 1) * LEAST if F.kind is float else 0
        for j, value in enumerate(row):
            missed = abs(rational(value) - exact[j])
            own_miss = unit * sizes[j] + least
            if missed > own_miss and missed > own_miss + _balancing(F, rows, w, j) + _moved(rows, w, j):
                where = f"{name}[{k}][{j}] is {shown(value)}, {approximate(missed):.3g} from Σ wᵢxᵢ"
                return refused(found, where, missed)
    return found


def _balancing(F: Field, points: Sequence[Any], weights: Sequence[Any], j: int) -> Fraction:
    """Return by how much Σ wᵢxᵢⱼ may move where weights are rounded so that their sum stays zero (`rounded.rounding`).

    Proof: let u = ε max|wᵢ|, and no less than the least double: at least the last digit of the largest weight. Either
    the smallest weights take what the others miss, at most n·u/2, which moves the sum by n·u/2 · max|xᵢⱼ|; or all are
    multiples of one power of two ≤ u, rounded by u/2 and moved by one unit more, which moves the sum by 3u/2 · Σ|xᵢⱼ|.
    """
    column = [abs(rational(x[j])) for x in points]
    last = rational(F.eps) * max((abs(rational(w)) for w in weights), default=Fraction(0))
    last = max(last, LEAST) if F.kind is float else last
    return last * max(3 * sum(column), len(column) * max(column, default=Fraction(0))) / 2


def _moved(points: Sequence[Any], weights: Sequence[Any], j: int) -> Fraction:
    """Return Σ |wᵢ − gᵢ||xᵢⱼ| of weights that keep numbers gᵢ beside: both say the row, which is of either."""
    if not isinstance(weights, Rounded):
        return Fraction(0)
    return sum(
        [abs((rational(w) - g) * rational(x[j])) for w, g, x in zip(weights, weights.given, points)], Fraction(0)
    )
