"""From multipliers near the optimum to the exact one: the equations of the free points, solved in fractions and proven.

A point is free if some part of its multiplier lies strictly between its bounds; the other parts stay at theirs. Nothing
is believed of the near ones but which are free: where the solution misses an optimality condition, the active-set
method goes on from there in fractions (`optimise.active_set.crossover`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import parts_of
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import crossover
from refclass.optimise.quadratic.definiteness import definite
from refclass.optimise.quadratic.problem import Answer, Problem
from refclass.regress.kernel import certificate, fitted_machine
from refclass.regress.kernel.machine import Machine

CLOSE = 2**60  # a part is at its bound if it is nearer to it than the largest multiplier divided by this
CLOSE_IN_DOUBLES = 2**40  # the same of multipliers in doubles
FEW = 20  # points up to which the active-set method in fractions takes tenths of a second


def solved(machine: Machine, a: Vector, close: int = CLOSE) -> Optional[fitted_machine.Fitted]:
    """Return the exact optimum of a machine in fractions, near the multipliers a; None where it is not found so.

    Exact     yes
    Cost      that of `fraction_free.solve` for f free points, or for p + 1 coefficients where a linear kernel has fewer
              variables
    """
    held, free = working(machine, a, close)
    parts = solution(machine, held, free)
    if parts is not None:
        fitted = fitted_machine.described(machine, parts)
        if certificate.certify(machine, fitted.a, fitted.beta0).gap == 0:
            return fitted
    return None


def iterated(machine: Machine, a: Optional[Vector], max_steps: Optional[int] = None) -> fitted_machine.Fitted:
    """Return the exact optimum by the active-set method in fractions, from multipliers that may be near.

    Exact     yes
    Raises    NoAnswer if there is no optimum; NotConverged after max_steps, or as `ended` does, or where rounding made
              K indefinite and decimals do not find a stationary point: without convexity the method may not end
    """
    held = None if a is None else working(machine, a, CLOSE_IN_DOUBLES)[0]
    parts, direction = None if held is None else [v for own in held for v in own], None
    if max_steps is None and machine.positive and machine.rounded and len(machine.y) > FEW:
        direction = definite(machine.K, machine.intercept, machine.counted)[1]
    most = max_steps if direction is None else 0
    try:
        return ended(machine, lambda problem: crossover.solve(problem, parts, convex=True, max_steps=most))
    except NotConverged as refusal:
        raise refusal if direction is None else _roundoff(direction=direction) from None


def ended(machine: Machine, solve: Callable[[Problem], Answer]) -> fitted_machine.Fitted:
    """Return the machine in fractions that a solver of its quadratic problem ends at.

    Raises    NoAnswer if there is no optimum; NotConverged with the solver's witness where the kernel is positive
              semidefinite by a theorem, and its values are not
    """
    exact = in_fractions(machine)
    try:
        answer = solve(exact.problem())
    except NoAnswer as refusal:
        refuse_rounded(exact, refusal)
        raise
    return fitted_machine.fitted(exact, answer, afresh=False)


def in_fractions(machine: Machine) -> Machine:
    """Return the machine over fractions, every number at its exact worth."""
    return machine if machine.kind is Fraction else machine.over(RATIONAL)


def refuse_rounded(machine: Machine, refusal: NoAnswer) -> None:
    """Raises NotConverged where not the machine has no optimum, but rounding made its K indefinite.

    Proof: of a semidefinite K a ray d without curvature has Kd = 0, with an intercept but for a constant. Then no
    function changes Σ dᵢf(xᵢ) = 0, and the losses of the points of d are not all finite.
    """
    ray = refusal.witness.get("ray")
    if ray is not None:
        d = [Fraction(0)] * len(machine.y)
        for i, v in zip(machine.places, ray):
            d[i] += rational(v)
        values = set(exact_product(machine.K, d))
        if len(values) == 1 and (machine.intercept or not any(values)):
            return
    if machine.positive:
        raise _roundoff(**refusal.witness) from None


def _roundoff(**witness: Any) -> NotConverged:
    need = "values of a kernel that keep it positive semidefinite"
    return NotConverged("fit", need=need, got="a direction of negative curvature, roundoff", **witness)


def working(machine: Machine, a: Vector, close: int = CLOSE) -> tuple[list[list[Fraction]], dict[int, int]]:
    """Return the parts of each point, those near a bound at the bound, and the free part of each point that has one."""
    width = a.largest() / close
    held, free = [], {}
    for i, (own, v) in enumerate(zip(machine.pieces, a)):
        parts = parts_of(own, v)
        for k, (piece, w) in enumerate(zip(own, parts)):
            ends = [e for e in (piece.low, piece.high, 0 * w) if e is not None and abs(w - e) <= width]
            two = piece.low != 0 and piece.high != 0
            if ends and not (two and ends == [0]):
                parts[k] = ends[0]
            else:
                free[i] = k
        held.append(parts)
    return held, free


def solution(machine: Machine, held: list[list[Fraction]], free: dict[int, int]) -> Optional[tuple[Any, ...]]:
    """Return the parts that solve the equations of the free ones, exactly; None where they are singular."""
    points = linear_points(machine.K)
    zero, n = Fraction(0), len(held)
    rest = [sum(own, zero) - (own[free[i]] if i in free else 0) for i, own in enumerate(held)]
    if points is not None and len(points[0]) < len(free):
        found = _coefficients(machine, [Scaled.of(x) for x in points], rest, free)
    else:
        found = _multipliers(machine, rest, free)
    if found is None:
        return None
    whole = [list(own) for own in held]
    for i, v in found.items():
        whole[i][free[i]] = v
    return tuple(map(tuple, whole)) if len(whole) == n else None


def _multipliers(machine: Machine, rest: list[Fraction], free: dict[int, int]) -> Optional[dict[int, Fraction]]:
    """Solve (K_FF + κ) v + β₀1 = y − s − K rest, Σ v = −Σ rest."""
    places, one, zero = list(free), Fraction(1), Fraction(0)
    if not places:
        return {}
    pull, points = exact_product(machine.K, rest), linear_points(machine.K)
    scaled = None if points is None else [Scaled.of(points[i]) for i in places]
    rows, right = [], []
    for k, i in enumerate(places):
        piece = machine.pieces[i][free[i]]
        if scaled is None:
            row = machine.K.row(i)
            entries = [rational(row[j]) for j in places]
        else:
            entries = [x @ scaled[k] for x in scaled]
        entries[k] = entries[k] + piece.curvature
        rows.append([*entries, one] if machine.intercept else entries)
        right.append(machine.y[i] - piece.slope - pull[i])
    if machine.intercept:
        rows.append([one] * len(places) + [zero])
        right.append(-sum(rest, zero))
    solved = _system(rows, right)
    return None if solved is None else dict(zip(places, solved))


def _coefficients(
    machine: Machine, points: list[Scaled], rest: list[Fraction], free: dict[int, int]
) -> Optional[dict[int, Fraction]]:
    """Solve the same for a linear kernel in β, β₀ and the multipliers of the pieces without curvature.

    (I + Σ xxᵀ/κ) β + Σ x/κ β₀ − Σ_Z x v = Σ x(rest + t/κ),   xᵀβ + β₀ = t on Z,   t = y − s
    """
    one, zero = Fraction(1), Fraction(0)
    pieces = {i: machine.pieces[i][k] for i, k in free.items()}
    flat = [i for i, piece in pieces.items() if not piece.curvature]
    curved = [i for i, piece in pieces.items() if piece.curvature]
    target = {i: machine.y[i] - piece.slope for i, piece in pieces.items()}
    heavy = Scaled.of([1 / pieces[i].curvature for i in curved])
    columns = [Scaled.of(column) for column in zip(*[x.fractions() for x in points])]
    if machine.intercept:
        columns.append(Scaled.of([one] * len(points)))
    own = [Scaled.of([column[i] for i in curved]) for column in columns]
    pulled, t, held = [c.times(heavy) for c in own], Scaled.of([target[i] for i in curved]), Scaled.of(rest)
    rows, right = [], []
    for j, column in enumerate(columns):
        ridge = one if j < len(points[0]) else zero
        rows.append(
            [*[pulled[j] @ c + (ridge if j == k else 0) for k, c in enumerate(own)], *[-column[i] for i in flat]]
        )
        right.append(column @ held + pulled[j] @ t)
    for i in flat:
        rows.append([*[column[i] for column in columns], *[zero] * len(flat)])
        right.append(target[i])
    solved = _system(rows, right)
    if solved is None:
        return None
    f = combination(columns, Scaled.of(solved[: len(columns)]), len(points))
    found = dict(zip(flat, solved[len(columns) :]))
    # Premise: a part v and what its point holds besides lie on one line: κv = t − f.
    return {**found, **{i: (target[i] - f[i]) / pieces[i].curvature for i in curved}}


def _system(rows: list[list[Fraction]], right: list[Fraction]) -> Optional[list[Fraction]]:
    try:
        return list(fraction_free.solve(Matrix.of(list(map(Vector.of, rows))), Vector.of(right)))
    except NoAnswer:
        return None
