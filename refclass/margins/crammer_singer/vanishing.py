"""Crammer and Singer's machine in doubles, also where its scores vanish beside the margin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Any, Optional

from refclass.certificate import ASKED
from refclass.errors import NotConverged, NotExact
from refclass.kernels.matrices import gram
from refclass.kernels.matrices.product import linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.margins.crammer_singer import certificate, optimum
from refclass.margins.crammer_singer.float_fit import (
    Trained,
    approximate,
    assured,
    evaluated,
    finished,
    proof_of,
    reported,
)
from refclass.margins.crammer_singer.problem import Machine, over, values
from refclass.margins.magnification import magnified
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import roundoff
from refclass.number.vanishing import RESOLVED, VANISHING, refuse_ties, vanish
from refclass.regress.kernel import kept_sums

MOST = Fraction(1, 2)  # of a score, so that two of them differ by at most the margin


def fit(machine: Machine) -> Trained:
    """Return the machine trained to nine digits, and scores that vanish beside one to six or more of their own.

    Raises    NotConverged, NoAnswer as `float_fit.assured`; NotConverged with the bounds, too, where scores that vanish
              are not found; NotExact where they are denormal, or roundoff of a kernel hides which is the largest
    """
    known = level(BINARY64, machine)
    if known is not None:
        found = evaluated(machine, Matrix.of([Vector.of(map(float, row)) for row in known]), 0)
        return reported(found, proof_of(over(RATIONAL, machine), found))
    found = approximate(machine)
    f = values(machine.K, found.alpha)
    try:
        _refuse_hidden(machine, found.alpha, f)
    except NotExact:
        best = assured(machine, found)  # which has bounds where the optimum is beyond doubles altogether
        if not _zero(over(RATIONAL, machine), best):
            _refuse_hidden(machine, best.alpha, values(machine.K, best.alpha))
        return best
    # Premise: as long as no score exceeds 1/2 every point pays, 1 − f_y and the largest score of another class.
    if not vanish(f.largest(), roundoff(float)):
        return assured(machine, found)
    exact = over(RATIONAL, machine)
    reach = max(map(abs, exact.K.diagonal())) * sum(c for c in exact.costs if c)
    lost = reach > 1 and not found.alpha.largest()
    if lost or not reach:  # of scores that may be large no multiplier was found, or all are zero with the kernel
        return assured(machine, found)

    def solve(K: Any) -> Trained:
        larger = replace(machine, K=K)
        return assured(larger, approximate(larger))

    def size(own: Trained) -> Fraction:
        alpha = Matrix.of([Vector.of(map(rational, row)) for row in own.alpha])
        return Fraction(values(exact.K, alpha).largest())

    other = magnified(partial(gram.magnified, machine.K), found, solve, size, reach, MOST)
    if other is None:
        if _zero(exact, found):
            return assured(machine, found)
        proof = certificate.certify(exact, found.alpha)
        need, got = "scores that doubles tell from zero beside the margin", "none"
        raise NotConverged("crammer_singer", need=need, got=got, primal=proof.primal, dual=proof.dual)
    found = evaluated(machine, other.alpha, other.steps)
    proof = proof_of(exact, found)
    return reported(found, proof) if (proof.digits or 0) >= ASKED else finished(machine, exact, found, proof)


def _zero(exact: Machine, found: Trained) -> bool:
    """Return whether all scores of the optimum are zero, so that every label is a tie."""
    at = optimum.nearest(exact, list(zip(*found.alpha)))
    return (
        at is not None and at.exact and not values(exact.K, Matrix.of([Vector.of(row) for row in at.alpha])).largest()
    )


def level(F: Field, machine: Machine) -> Optional[Matrix]:
    """Return multipliers that F holds, in fractions, whose scores are zero, or None.

    They are optimal where at no point, with its copies, one class has most of the costs.

    Proof: then what each class pays at a point can be spread over its rows of other classes, no class taking more than
    it pays. Such multipliers are feasible, their functions are zero, and the dual objective is Σ cᵢ, that of zero.
    The multipliers are multiples of one unit, so that scores are zero exactly, and every label is a tie.
    """
    if None in machine.costs:
        return None
    places: dict[Any, list[int]] = {}
    for i, c in enumerate(machine.costs):
        if c:
            places.setdefault(_place(machine.K, i), []).append(i)
    costs = [rational(c) for c in machine.costs]
    paid = [_paid(machine, own, costs) for own in places.values()]
    if not paid or any(2 * max(own) > sum(own) for own in paid):
        return None
    unit = kept_sums.unit(F.lift(max(map(sum, paid))))
    alpha = [Vector.of([Fraction(0)] * machine.classes) for _ in costs]
    for own in places.values():
        for i, row in _spread(machine, sorted(own, key=machine.labels.__getitem__), [c // unit for c in costs]):
            alpha[i] = Vector.of([v * unit for v in row])
    return Matrix.of(alpha)


def _place(K: Any, i: int) -> Any:
    """Return what points that are copies of each other have in common."""
    return tuple(as_given(K.X[i]) if isinstance(K, gram.Rows) else K.row(i))


def _paid(machine: Machine, points: Sequence[int], costs: Sequence[Any]) -> list[Any]:
    """Return the costs of each class among some points."""
    paid = [0 * costs[0]] * machine.classes
    for i in points:
        paid[machine.labels[i]] += costs[i]
    return paid


def _spread(machine: Machine, points: Sequence[int], costs: list[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield for each of some points, class by class, multipliers whose sums over the points are zero in every class.

    The costs stand side by side on a circle, and each is balanced by what stands M further on, M the largest part that
    a class has. That is no more than half of the circle, so that no class meets itself.
    """
    parts = _paid(machine, points, costs)
    excess = max(0, 2 * max(parts) - sum(parts))  # by rounding down
    for i in points:
        if excess and parts[machine.labels[i]] == max(parts):
            costs[i], excess = costs[i] - min(excess, costs[i]), excess - min(excess, costs[i])
    parts = _paid(machine, points, costs)
    ends = list(accumulate(parts))
    here = 0
    for i in points:
        row = [0] * machine.classes
        start, stop = here + max(parts), here + costs[i] + max(parts)
        for k, (end, part) in enumerate(zip(ends, parts)):
            for low in (end - part, end - part + ends[-1]):
                row[k] -= max(0, min(stop, low + part) - max(start, low))
        row[machine.labels[i]] += costs[i]
        here += costs[i]
        yield i, row


def _refuse_hidden(machine: Machine, alpha: Matrix, f: Matrix) -> None:
    """Raise NotExact where values of a kernel that are nearly alike hide, in doubles, which score is the largest."""
    alike = [*machine.K.row(0), *machine.K.diagonal()]
    if VANISHING * (max(alike) - min(alike)) > max(alike):  # Premise: of points like the first all values are alike.
        return
    eps, columns = roundoff(float), list(zip(*f))
    terms = max(machine.K.diagonal()) * max(sum(map(abs, own)) for own in zip(*alpha))
    if max(max(own) - min(own) for own in columns) > RESOLVED * eps * terms or linear_points(machine.K) is not None:
        return
    exact = gram.given(machine.K)
    scores = zip(*values(exact, Matrix.of([Vector.of(map(rational, row)) for row in alpha])))
    known = [(max(own) - min(own), Fraction(sum(own)) / len(own)) for own in scores]
    refuse_ties("crammer_singer", eps, [rational(terms)], [mean for _, mean in known], max(known)[0], of="terms")
