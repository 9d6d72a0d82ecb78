"""The proof of a direct many-class machine: exact, and without solving anything, whoever found α.

For α within its constraints the optimum lies between the dual objective at α and the primal objective at the w that α
makes. The gap between them is a sum over the points, with m_ik = t_ik + f_k(xᵢ) and η_ik = Cᵢ[k = yᵢ] − α_ik,

    primal − dual = Σᵢ Σ_k η_ik (max_l m_il − m_ik)        [RC-31]

so that it is zero if and only if no η_ik > 0 stands where m_ik is not the largest of its point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from operator import mul
from typing import Optional

from refclass.certificate import ASKED, Certificate, digits, relative_digits, status
from refclass.errors import InvalidInput
from refclass.kernels.matrices.product import linear_points, scaled_products
from refclass.linear.common_denominator import Scaled
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.margins.crammer_singer.problem import Machine, primal_objective, slack, square, target
from refclass.number.field import Number, rational
from refclass.number.text import approximate
from refclass.optimise.multiclass import zero_sum
from refclass.optimise.multiclass.zero_sum_crossover import Reduced
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import definiteness, uniqueness
from refclass.optimise.quadratic.problem import Converted

Rows = list[list[Fraction]]

ROUNDED = Fraction(1, 2**40)  # part of the largest multiplier by which a constraint may be missed by roundoff


def certify(
    machine: Machine,
    alpha: Sequence[Sequence[Number]],
    *,
    planes: Optional[Sequence[Sequence[Number]]] = None,
    asked: float = ASKED,
) -> Certificate:
    """Return the proof of α for the machine, exact, whoever found it  [ISML-27.5-dual] [RC-31].

    primal is the objective of the answer: of the w that α makes, or of a linear kernel of the w by which the scores are
    delivered, where these are given. dual is the dual objective at the nearest α within its constraints;
    where a hard margin is missed, primal is that of the w scaled up until it is kept, None where that is impossible.
    The worst violation is the largest entry of αᵢ − P(αᵢ − gᵢ) over the points, gᵢ the gradient of the dual's negative
    and P the nearest block within the constraints: it is zero if and only if every condition of optimality holds at
    point i. The digits are those of the objective, or those to which α keeps its constraints, if these are fewer.

    Shapes    alpha: n × K; planes: of a linear kernel the coefficients of each class, p numbers, by which the scores
              are delivered
    Units     asked: the digits of the objective for which the status is "optimal"
    Exact     yes: floats and decimals are taken as the rationals they are
    Cost      n multiplications of integers for each α that is not zero; for a linear kernel 2np for each class, and np;
              as many for each that is not within its constraints; n³ once for a kernel not known to be positive
              semidefinite
    Raises    InvalidInput if the shape does not fit
    """
    n, size = len(machine.labels), machine.classes
    if len(alpha) != n or any(len(row) != size for row in alpha):
        raise InvalidInput("crammer_singer", need=f"{n} rows of {size} multipliers", got=len(alpha))
    a = [list(map(rational, row)) for row in alpha]
    exact = replace(machine, costs=tuple([None if c is None else rational(c) for c in machine.costs]))
    f, total = _scores(exact, a)
    dual = lower_bound(exact, a, f, total)
    if planes is not None:
        f, total = _of_planes(exact, planes)
    primal = reached(exact, total, f)
    largest = max(abs(v) for row in a for v in row)
    worst, where = _worst(exact, a, f, ROUNDED * largest)
    convex = machine.positive or definiteness.definite(machine.K, False, machine.counted)[0]
    found = relative_digits(primal, dual)  # Premise: the optimum is above 0, since without weights every slack is 1
    if found is not None:
        found = min(found, digits(max([_broken(exact, i, row)[0] for i, row in enumerate(a)]), largest))
    return Certificate(
        status=status(found, asked, convex=convex),
        primal=primal,
        dual=dual if convex else None,
        gap=None if primal is None or not convex else primal - dual,
        worst_violation=worst,
        where=where,
        unique={"w": True, "alpha": only(exact, a, f) if worst == 0 else None} if convex else {},
        premise="the kernel is positive semidefinite; its rounded values are taken as exact" if machine.rounded else "",
        digits=found,
    )


def scores(machine: Machine, alpha: Sequence[Sequence[Number]], planes: Optional[Sequence[Sequence[Number]]]) -> Rows:
    """Return the scores of the points, exact: those of the coefficients that deliver them, or else of α."""
    if planes is not None:
        return _of_planes(machine, planes)[0]
    return _scores(machine, [list(map(rational, row)) for row in alpha])[0]


def _of_planes(machine: Machine, planes: Sequence[Sequence[Number]]) -> tuple[Rows, Fraction]:
    """Return the linear scores of the points, and Σ_k ‖w_k‖², by their coefficients."""
    w = [list(map(rational, own)) for own in planes]
    points = [list(map(rational, as_given(x))) for x in linear_points(machine.K) or ()]
    f = [[sum(map(mul, own, x), Fraction(0)) for own in w] for x in points]
    return f, sum([v * v for own in w for v in own], Fraction(0))


def _scores(machine: Machine, a: Rows) -> tuple[Rows, Fraction]:
    """Return the scores of the points, and Σ_k ‖w_k‖²."""
    f = [list(row) for row in zip(*scaled_products(machine.K, list(map(Scaled.of, zip(*a)))))]
    return f, sum((v * w for own, row in zip(a, f) for v, w in zip(own, row)), Fraction(0))


def lower_bound(machine: Machine, a: Rows, f: Rows, total: Fraction) -> Fraction:
    """Return the dual objective at the nearest multipliers within the constraints; f and total belong to a itself."""
    near = within(machine, a)
    moved = [[v - w for v, w in zip(row, old)] for row, old in zip(near, a)]
    if any(map(any, moved)):
        # Method: ‖w + d‖² = ‖w‖² + 2⟨w, d⟩ + ‖d‖², each product of d once.
        _, rest = _scores(machine, moved)
        total = total + rest + 2 * sum((v * w for row, own in zip(moved, f) for v, w in zip(row, own)), Fraction(0))
    return sum((row[g] for row, g in zip(near, machine.labels)), Fraction(0)) - total / 2


def within(machine: Machine, a: Rows) -> Rows:
    """Return multipliers within the constraints: those of other classes at most 0, the own one what balances them.

    Where the own one would be above its cost, all of the point are scaled down.
    """
    near = []
    for row, g, c in zip(a, machine.labels, machine.costs):
        clipped = [Fraction(0) if k == g else min(v, Fraction(0)) for k, v in enumerate(row)]
        own = -sum(clipped, Fraction(0))
        if c is not None and own > c:
            clipped, own = [v * c / own for v in clipped], c
        near.append([own if k == g else v for k, v in enumerate(clipped)])
    return near


def missed(machine: Machine, f: Sequence[Sequence[Number]]) -> tuple[Number, int]:
    """Return the largest slack of a point that is allowed none, 0 if there is none, and the point."""
    zero = f[0][0] - f[0][0]
    slacks = [slack(v, g) if c is None else zero for v, g, c in zip(f, machine.labels, machine.costs)]
    return max(slacks), slacks.index(max(slacks))


def reached(machine: Machine, total: Fraction, f: Rows) -> Optional[Fraction]:
    """Return the primal objective at scores f and total = Σ_k ‖w_k‖², where w/(1 − s) keeps the margins missed by s."""
    scale = 1 - missed(machine, f)[0]
    if scale <= 0:
        return None
    scaled = Matrix.of([Vector.of([v / scale for v in row]) for row in f])
    value: Fraction = primal_objective(total / (scale * scale), scaled, machine.labels, machine.costs)
    return value


def leads(f: Sequence[Number], label: int) -> list[Number]:
    """Return m_k = t_k + f_k for a point: the slack is how far the largest of them is above the own score."""
    return [v + target(k, label) for k, v in enumerate(f)]


def gaps(machine: Machine, alpha: Sequence[Sequence[Number]], f: Sequence[Sequence[Number]]) -> list[Number]:
    """Return what each point of finite cost contributes to primal − dual: Σ_k η_ik (max m_i − m_ik)  [RC-31]."""
    found = []
    for i, (row, scores, g) in enumerate(zip(alpha, f, machine.labels)):
        m = leads(scores, g)
        ends = [machine.bound(i, k) for k in range(machine.classes)]
        found.append(sum((u - v) * (max(m) - w) for u, v, w in zip(ends, row, m)))
    return found


def _worst(machine: Machine, a: Rows, f: Rows, allowed: Fraction) -> tuple[Fraction, str]:
    """Return the largest violation and, in words, where it is; zero and none at an optimum.

    A constraint that is broken by more than is allowed is named before anything that follows from it.
    """
    found = []
    for i, (row, scores, g) in enumerate(zip(a, f, machine.labels)):
        m, ends = leads(scores, g), bounds(machine, i)
        nearest = zero_sum.minimum(Fraction(1), [v - w for v, w in zip(m, row)], ends)
        found.append(max([abs(v - z) for v, z in zip(row, nearest or row)]))
    broken = [_broken(machine, i, row) for i, row in enumerate(a)]
    amount, words = max(broken)
    i = found.index(max(found))
    if amount > allowed:
        return max(found), words
    return found[i], _words(machine, i, a[i], f[i]) if found[i] else ""


def bounds(machine: Machine, i: int) -> list[Optional[Fraction]]:
    """Return the most that each multiplier of point i may be, exact; None for ∞."""
    ends = [machine.bound(i, k) for k in range(machine.classes)]
    return [None if u is None else rational(u) for u in ends]


def _broken(machine: Machine, i: int, a: list[Fraction]) -> tuple[Fraction, str]:
    """Return by how much the block of point i breaks its constraints, and in words which one most."""
    total, ends = sum(a, Fraction(0)), bounds(machine, i)
    above = [Fraction(0) if u is None else max(v - u, Fraction(0)) for v, u in zip(a, ends)]
    k = above.index(max(above))
    if above[k] < abs(total):
        return abs(total), f"point {i}: alpha sums to {approximate(total):.6g} over the classes, not 0"
    what = "C" if k == machine.labels[i] else "0"
    return above[k], f"point {i}: alpha of class number {k} is {approximate(above[k]):.6g} above {what}"


def _words(machine: Machine, i: int, a: list[Fraction], f: list[Fraction]) -> str:
    """Return which class of point i has no right to its multiplier."""
    m, ends = leads(f, machine.labels[i]), bounds(machine, i)
    behind = [Fraction(0) if _reached(v, u) else max(m) - w for v, u, w in zip(a, ends, m)]
    k = behind.index(max(behind))
    if not behind[k]:
        return _broken(machine, i, a)[1]
    amount = f"{approximate(behind[k]):.3g}"
    return f"point {i}: class number {k} is {amount} short of the largest f + t, but its alpha is below its bound"


# --- what is unique, and what cannot be


def only(machine: Machine, a: Rows, f: Rows) -> Optional[bool]:
    """Return whether an optimal α is the only one; None where that is undecided (see `uniqueness.of_x`)  [RC-31].

    Another one differs by a d with K d_k = 0 for every k, d_ik = 0 where m_ik is not the largest of point i, and
    d_ik ≤ 0 where α_ik is at its bound.
    """
    exchanges: list[tuple[int, int]] = []
    reference: dict[int, int] = {}
    inwards: list[tuple[int, int]] = []
    for i, (row, scores, g) in enumerate(zip(a, f, machine.labels)):
        m, ends = leads(scores, g), bounds(machine, i)
        if ends[g] == 0:
            continue
        top = [k for k, v in enumerate(m) if v == max(m)]
        below = [k for k in top if not _reached(row[k], ends[k])]
        reference[i] = below[0]
        for k in top:
            if k != below[0]:
                if k not in below:
                    inwards.append((len(exchanges), -1))
                exchanges.append((i, k))
    if not exchanges:
        return True
    R = Reduced(Converted(machine.K, rational), exchanges, reference)
    free = (None,) * len(R)
    problem = quadratic.Problem(R, Vector.of([Fraction(0)] * len(R)), free, free)
    return uniqueness.of_x(problem, uniqueness.Touching(range(len(R)), inwards, [], []))


def _reached(v: Fraction, end: Optional[Fraction]) -> bool:
    return end is not None and v >= end


def primal_and_dual(machine: Machine, alpha: Matrix, f: Matrix) -> tuple[Number, Number]:
    """Return the values of primal and dual at α with the scores f, in the machine's arithmetic."""
    total = square(alpha, f)
    costs = tuple([machine.kind(0) if c is None else c for c in machine.costs])  # Premise: at C = ∞ nothing is paid.
    own = sum((row[g] for row, g in zip(alpha, machine.labels)), alpha.kind(0))
    return primal_objective(total, f, machine.labels, costs), own - total / 2
