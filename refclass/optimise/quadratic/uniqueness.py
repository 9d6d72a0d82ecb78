"""Which parts of an optimum are the only ones: decided exactly, or left undecided.

Let x be a minimum with multipliers, and p a direction. x + tp is a minimum, too, for small t > 0, if and only if

    pᵀQp = 0,   Ep = 0,   p = 0 where a bound's multiplier is not zero,   Gp = 0 in rows with a multiplier that is not,
    p points inwards at the other bounds that x touches, and Gp ≤ 0 in the other rows that are tight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, Optional, Union

from refclass.linear.common_denominator import Scaled
from refclass.linear.exact import dixon, fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import rational
from refclass.optimise.limits import FEW_VARIABLES
from refclass.optimise.quadratic.problem import Problem

LARGE = 120  # so many loose variables are not looked at
MOST_EDGES = 100  # sets of rows that may be an edge of a cone, beyond which it is left undecided

Interval = tuple[Optional[Fraction], Optional[Fraction]]


@dataclass(frozen=True)
class Touching:
    """What holds x in its place.

    loose     the variables that no multiplier holds
    inwards   for those of them at a bound, the direction that leads inwards, +1 or −1
    held      the rows of E, and those of G with a multiplier
    edges     the other rows of G that are tight
    """

    loose: Sequence[int]
    inwards: Sequence[tuple[int, int]]
    held: Sequence[Sequence[Any]]
    edges: Sequence[Sequence[Any]]


def of_x(problem: Problem, touching: Touching) -> Optional[bool]:
    """Return whether a minimum x is the only one; None where that is left undecided.

    Undecided are more than 120 loose variables, 30 of them if singular, and the cases in which more than 100 sets of
    bounds and rows, touched without a multiplier, may be an edge of the directions that leave the objective flat.

    Cost      f³/3 multiplications modulo a prime for f loose variables; if singular, an elimination in long integers
              besides, and a small one for each such set
    """
    loose = touching.loose
    if not loose:
        return True
    if len(loose) > LARGE:
        return None
    rows = _equations(problem, touching)
    if dixon.rank(rows) == len(rows):
        return True
    if len(loose) > FEW_VARIABLES:
        return None
    null = fraction_free.null_space(Matrix([Vector(map(Fraction, row)) for row in rows]))
    directions = [dict(zip(loose, v)) for v in null]
    if not directions:
        return True
    return _pointed(touching, directions)


def _pointed(touching: Touching, directions: Sequence[dict[int, Fraction]]) -> Optional[bool]:
    """Return whether no combination p of directions leads inside; None where too many are to be tried.

    Proof: the t for which p = Σ tₖpₖ leads inside are a cone Mt ≥ 0. If it holds more than the origin, it holds a t ≠ 0
    with Mt = 0, or an edge, on which d − 1 independent rows of M are zero, d the number of directions (Minkowski).
    """
    inwards = [Vector([way * p[i] for p in directions]) for i, way in touching.inwards]
    rows = [Vector([-sum(rational(row[i]) * v for i, v in p.items()) for p in directions]) for row in touching.edges]
    M, d = [row for row in (*inwards, *rows) if any(row)], len(directions)
    if not M or any(len({row[k] > 0 for row in M if row[k]}) < 2 for k in range(d)):
        return False
    if d == 1:
        return True
    if fraction_free.null_space(Matrix(M)):
        return False
    if comb(len(M), d - 1) > MOST_EDGES:
        return None
    edges = (t for chosen in combinations(M, d - 1) for t in fraction_free.null_space(Matrix(chosen)))
    return all(len({row @ t > 0 for row in M if row @ t}) == 2 for t in edges)


def _equations(problem: Problem, touching: Touching) -> list[tuple[int, ...]]:
    """Return [Q Aᵀ; A 0] in integers, over the loose variables and the independent ones among the rows held."""
    loose = touching.loose
    A = [Scaled.of([row[j] for j in loose]).integers for row in touching.held]
    A = [row for row in A if any(row)]
    if A:
        independent = fraction_free.factor(Matrix([Vector(map(Fraction, row)) for row in A]).T).columns
        A = [A[k] for k in independent]
    Q = [problem.Q.row(i) for i in loose]
    rows = [Scaled.of([*[row[j] for j in loose], *[a[k] for a in A]]).integers for k, row in enumerate(Q)]
    return rows + [(*a, *[0] * len(A)) for a in A]


def of_nu(problem: Problem, x: Scaled, gradient: Scaled) -> Union[bool, Interval]:
    """Return True if one ν is optimal with x, or else the interval of those that are; None stands for no end.

    For one equality eᵀx = d and no inequalities:  gᵢ + νeᵢ ≤ 0 where xᵢ > lowerᵢ, ≥ 0 where xᵢ < upperᵢ, g = Qx + c.
    """
    least: list[Fraction] = []
    most: list[Fraction] = []
    ends = zip(x.fractions(), gradient.fractions(), problem.E[0] if problem.E else (), problem.lower, problem.upper)
    for v, g, e, low, high in ends:
        if e and (low is None or high is None or low != high):
            at = -g / Fraction(*e.as_integer_ratio())
            if low is None or v != Fraction(*low.as_integer_ratio()):
                (most if e > 0 else least).append(at)
            if high is None or v != Fraction(*high.as_integer_ratio()):
                (least if e > 0 else most).append(at)
    low, high = max(least, default=None), min(most, default=None)
    return True if low is not None and low == high else (low, high)
