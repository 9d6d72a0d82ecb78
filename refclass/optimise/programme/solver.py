"""Convex quadratic programmes: an interior point method, the exact crossover, the parametric active-set method.

Solves    minimise ½xᵀPx + qᵀx subject to l ≤ Ax ≤ u, None for no bound, for P positive semidefinite where the
          equalities hold
Given     the programme in fractions
Exact     the optimum; or a point in doubles, proven to nine digits

    1  `semidefinite` decides whether the programme is convex
    2  `presolve` reduces it
    3  `interior_point` in doubles, on a scaled programme, determines which sides are active
    4  `crossover` solves their equations exactly, and checks all conditions
    5  where they do not hold, `parametric` goes on from there in fractions until they do, or until a contradiction or
       a ray is proven
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, lost
from refclass.errors import NoAnswer, NotConverged, Refusal
from refclass.number.rational import ZERO
from refclass.optimise.limits import DOUBLE_DIGITS
from refclass.optimise.programme import interior_point
from refclass.optimise.programme.arguments import MODULE
from refclass.optimise.programme.certificate import FAR, certify, duality_gap, lower_bound, residuals
from refclass.optimise.programme.crossover import Guess, crossover, guess, working_sets
from refclass.optimise.programme.parametric.method import Method
from refclass.optimise.programme.presolve import Contradiction, Presolved, presolve
from refclass.optimise.programme.problem import ROUNDOFF, Point, Programme
from refclass.optimise.programme.refinement import refined
from refclass.optimise.programme.rounding import balanced, doubles, multipliers
from refclass.optimise.programme.scaling import Scaling, equilibrated, scaled
from refclass.optimise.programme.semidefinite import concave_direction, negative_part
from refclass.optimise.programme.uniqueness import is_unique

NEAR = Fraction(1, 10**ASKED)  # residuals and gap of doubles, in the programme's units, that are small enough
SMALL = 300  # variables and rows of a programme whose exact optimum is sought first
FEW = 300  # changes of the working set, at most, for an answer in doubles; a fifth where one has the digits asked for


@dataclass(frozen=True)
class Solution:
    """A point with the multipliers of the rows, and its proof."""

    x: list[Fraction]
    y: list[Fraction]
    certificate: Certificate


def exact(p: Programme, *, convex: bool = False) -> Solution:
    """Return an exact optimum.

    convex    whether the programme is known to be convex; else that is decided

    Exact     yes
    Raises    NoAnswer with multipliers that contradict, with a ray and a point, or with a direction of negative
              curvature; NotConverged after the most changes of the working set
    """
    if not convex:
        refuse_concave(p)
    reduced = _presolved(p)
    start, _ = _guess(reduced.programme)
    found = None if start is None else crossover(reduced.programme, deepcopy(start))
    point = found or _parametric(p, reduced, start)
    return _proven(p, reduced.restored(point))


def optimal_value(p: Programme, x: Sequence[Fraction], y: Sequence[Fraction]) -> Optional[Fraction]:
    """Return the exact optimum of a convex programme whose active rows are those at which a point has multipliers.

    None where they are not, and where the programme is large.
    """
    if p.n + p.m > SMALL:
        return None
    sides = []
    for w, low, high in zip(y, p.l, p.u):
        side = high if w > 0 else low
        sides.append(2 if low is not None and low == high else 0 if side is None else (w > 0) - (w < 0))
    point = crossover(p, Guess(list(x), list(y), [0] * p.n, sides))
    return None if point is None else certify(p, point.x, point.y).dual


def unique(p: Programme, solution: Solution) -> bool:
    """Return whether the exact optimum is the only one."""
    return is_unique(p, solution.x, solution.y, lambda cone: exact(cone).x)


def rounded(p: Programme, *, convex: bool = False, fractions: bool = True) -> Solution:
    """Return a point in doubles whose certificate has nine digits, or as many as the rounded exact optimum has.

    convex       whether the programme is known to be convex; else that is decided
    fractions    whether fractions go on where doubles do not end with nine digits

    Sides that are nothing but roundoff beside their row are tried as zeros, too; what is found is proven for the
    programme that is given. A contradiction of no more than that is not reported as one, nor is negative curvature.

    Raises    as `exact`
    """
    negative = ZERO if convex else negative_part(p)
    if negative is None:
        refuse_concave(p)
    best: Optional[Solution] = None
    for solution in _attempts(p, negative or ZERO):
        best = solution if best is None else max(best, solution, key=lambda own: _rank(p, own))
        if _digits(best) >= ASKED and _error(p, best) <= NEAR:
            return best
    if best and _digits(best) >= ASKED and (negative or _digits(best) >= DOUBLE_DIGITS):
        return best
    if negative:
        refuse_concave(p)
    if not fractions and (best is None or _digits(best) < ASKED):
        raise NotConverged(MODULE, need=f"{ASKED} proven digits", got="fewer in doubles")
    reason: Optional[Refusal] = None
    most = FEW // 5 if best and _digits(best) >= ASKED else FEW
    try:
        reduced = _presolved(p)
        found = _in_doubles(p, reduced.restored(_parametric(p, reduced, _guess(reduced.programme)[0], most)))
    except NotConverged as refusal:
        reason = refusal
    except NoAnswer as refusal:
        if best is None or "y" not in refusal.witness or least_excess(p, refusal.witness["y"]) > ROUNDOFF:
            raise
        reason = refusal
    if reason is None:
        proven = found.certificate
        if _digits(found) < 1:
            raise lost(MODULE, proven.digits, replace(proven, primal=proven.dual), "doubles")
        if best is not None:
            proof = certify(p, best.x, best.y, bound=proven.dual, certain=True)
            found = max(found, replace(best, certificate=proof), key=lambda own: _rank(p, own))
        return replace(found, certificate=replace(found.certificate, ceiling=proven.digits))
    if best is None:
        raise reason
    known = best.certificate
    if _digits(best) >= ASKED:
        return best
    got = f"{known.status}: {known.where} by {float(known.worst_violation):.3g}"
    witness: dict[str, list[Any]] = {"y": reason.witness["y"]} if "y" in reason.witness else {}
    if witness:
        got += f"; in fractions the rows contradict by {float(least_excess(p, witness['y'])):.3g} of their entries"
    witness["x"] = list(map(float, best.x))
    raise NotConverged(MODULE, need=f"{ASKED} proven digits", got=got, **witness) from reason


def _attempts(p: Programme, negative: Fraction) -> Iterator[Solution]:
    """Yield points in doubles: of the programme, then of the one without sides that are roundoff.

    negative    the part of its diagonal by which P is to be longer to be semidefinite
    """
    cleared = _without_roundoff(p)
    for own in (p, cleared) if (p.l, p.u) != (cleared.l, cleared.u) else (p,):
        reduced, amount = _reconciled(own)
        if reduced is None:
            continue
        for point in _candidates(reduced.programme, convex=not negative):
            try:
                found = _in_doubles(p, reduced.restored(point), negative)
            except OverflowError:
                continue
            known, words = found.certificate, [found.certificate.premise]
            if own is not p:
                words.append("sides of less than 1e-10 of their row are taken for zero")
            elif amount:
                words.append(f"in fractions rows contradict by {float(amount):.2g} of their entries")
            found = replace(found, certificate=replace(known, premise="; ".join(filter(None, words))))
            yield found


def _reconciled(p: Programme) -> tuple[Optional[Presolved], Fraction]:
    """Return the reduced programme, its rows moved where they contradict by roundoff, and by how much they do.

    Sides that a contradiction combines are moved by the least by which some row is left, so that they meet. Where rows
    contradict by more than roundoff, there is no reduced programme.
    """
    first = ZERO
    for _ in range(p.m + 1):
        try:
            return presolve(p), first
        except Contradiction as found:
            amount = least_excess(p, found.y)
            first = first or amount
            if amount > ROUNDOFF:
                return None, first
            low, high = list(p.l), list(p.u)
            for i, w in enumerate(found.y):
                a, b = p.l[i], p.u[i]
                move = amount * max(map(abs, p.A[i].values()), default=Fraction(1))
                if w > 0 and b is not None:
                    low[i], high[i] = a + move if a == b else a, b + move
                elif w < 0 and a is not None:
                    low[i], high[i] = a - move, b - move if a == b else b
            p = replace(p, l=low, u=high)
    return None, first


def _without_roundoff(p: Programme) -> Programme:
    """Return the programme with zeros for sides that are less than 10⁻¹⁰ of the largest entry of their row."""
    sizes = [max(map(abs, row.values()), default=ZERO) * ROUNDOFF for row in p.A]
    low, high = [[b if b is None or abs(b) > size else ZERO for b, size in zip(sides, sizes)] for sides in (p.l, p.u)]
    return replace(p, l=low, u=high)


def least_excess(p: Programme, y: Sequence[Fraction]) -> Fraction:
    """Return how far, at least, each point leaves some row beside its largest entry, by its contradiction."""
    total, weight = ZERO, ZERO
    for w, row, low, high in zip(y, p.A, p.l, p.u):
        side = high if w > 0 else low
        if w and side is not None:
            total -= w * side
            weight += abs(w) * max(map(abs, row.values()), default=Fraction(1))
    return total / weight


def refuse_concave(p: Programme) -> None:
    """Raise NoAnswer with a direction of negative curvature where the programme is not convex."""
    d = concave_direction(p)
    if d is not None:
        raise NoAnswer(
            MODULE, need="P positive semidefinite where the equalities hold", got="negative curvature", direction=d
        )


def _presolved(p: Programme) -> Presolved:
    """Return the reduced programme.  Raises NoAnswer with multipliers where presolve finds a contradiction."""
    try:
        return presolve(p)
    except Contradiction as found:
        raise NoAnswer(MODULE, need="constraints that hold together", got="a contradiction", y=found.y) from None


def _cold(p: Programme) -> Guess:
    """Return the start at zero: equalities active, nothing else."""
    sides = [2 if low is not None and low == high else 0 for low, high in zip(p.l, p.u)]
    return Guess([ZERO] * p.n, [ZERO] * p.m, [0] * p.n, sides)


def _guess(p: Programme) -> tuple[Optional[Guess], Scaling]:
    """Return the point and the sides that the interior point method finds, None where it ends before it begins."""
    columns, rows = equilibrated(p)
    if not p.n:
        return Guess([], [ZERO] * p.m, [], [0] * p.m), Scaling(columns, rows, 0)
    doubles, by = scaled(p, columns, rows)
    found = interior_point.solve(doubles)
    return None if found is None else guess(p, found, by), by


def _candidates(p: Programme, *, convex: bool = True) -> Iterator[Point]:
    """Yield points to be rounded: solutions of working sets in doubles, refined, the last one first; the iterate.

    An exact optimum, where one is found, is the first of a small programme that is convex, and the last of the others.
    """
    start, by = _guess(p)
    if start is None:
        return
    small = convex and p.n + p.m <= SMALL
    optimum = crossover(p, deepcopy(start)) if small else None
    yield from [optimum] if optimum else []
    try:
        found = list(working_sets(p, deepcopy(start), lambda p, start: refined(p, start, by), ROUNDOFF))
        yield from [point for point, _ in reversed(found)]
    except (OverflowError, ZeroDivisionError):
        pass
    yield Point(start.x, start.y, start.multipliers(p))
    optimum = None if small else crossover(p, start)
    yield from [optimum] if optimum else []


def _parametric(p: Programme, reduced: Presolved, start: Optional[Guess], most: Optional[int] = None) -> Point:
    """Return the optimum of the reduced programme.  Raises NoAnswer with a witness for the given one."""
    inner = reduced.programme
    try:
        return Method(inner, _cold(inner) if start is None else deepcopy(start), most).run()
    except NoAnswer as refusal:
        n, m = inner.n, inner.m
        zeros = [ZERO] * (n + m)
        if "ray" in refusal.witness:
            ray = reduced.restored(Point(refusal.witness["ray"], zeros[n:], zeros[:n]), homogeneous=True).x
            x = feasible(p)
            raise NoAnswer(MODULE, need=refusal.need, got=refusal.got, ray=ray, x=x) from None
        y = reduced.restored(Point(zeros[:n], refusal.witness["y"], refusal.witness["z"]), homogeneous=True).y
        raise NoAnswer(MODULE, need=refusal.need, got=refusal.got, y=y) from None


def feasible(p: Programme) -> list[Fraction]:
    """Return a point of the rows.  Raises NoAnswer with multipliers that contradict where there is none."""
    zeros: list[Fraction] = [ZERO] * p.n
    return exact(replace(p, P=[{} for _ in p.P], q=zeros)).x


def _proven(p: Programme, point: Point) -> Solution:
    return Solution(point.x, point.y, certify(p, point.x, point.y))


def _in_doubles(p: Programme, point: Point, negative: Fraction = ZERO) -> Solution:
    """Return the point rounded to doubles, proven by the bound that the point itself gives.

    negative    the part of its diagonal by which P is to be longer to be semidefinite: no bound is proven of P itself

    Multipliers are moved so that the gap of the doubles themselves, too, is near zero.
    """
    x, y = doubles(point.x), multipliers(p, point.y)
    bound, certain = (None, False) if negative else lower_bound(p, point.x, point.y)
    every = [y]
    gap = duality_gap(p, x, y)
    if abs(gap) > NEAR:
        every.append(balanced(p, y, gap))
    found = max(
        [Solution(x, own, certify(p, x, own, bound=bound, certain=certain, negative=negative)) for own in every],
        key=lambda own: _rank(p, own),
    )
    if certain or bound is None:
        return found
    known = found.certificate
    far = f"no optimum has an entry of more than {float(FAR * max(map(abs, point.x))):.3g}"
    premise = "; ".join(filter(None, (known.premise, far)))
    return replace(found, certificate=replace(known, premise=premise))


def _digits(solution: Solution) -> float:
    found = solution.certificate.digits
    return 0 if found is None else found


def _error(p: Programme, solution: Solution) -> Fraction:
    """Return the largest of primal residual, dual residual and gap, absolute."""
    missed, balances = residuals(p, solution.x, solution.y)
    return max([*missed, *balances, abs(duality_gap(p, solution.x, solution.y))])


def _rank(p: Programme, solution: Solution) -> tuple[float, Fraction]:
    return min(_digits(solution), ASKED), -_error(p, solution)
