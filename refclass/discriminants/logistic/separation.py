"""Whether a linear function with a constant can separate classes, decided in exact arithmetic, with a witness.

Directions θ₁ … θ_K separate if every point is on the right side of every pair of classes, or between them, and some
point is not between:

    (θ_g(i) − θₗ)·(1, xᵢ) ≥ 0 for all i and all l ≠ g(i),    > 0 for some

Either such directions exist, or positive weights uᵢₗ with Σ uᵢₗ (e_g(i) − eₗ) ⊗ (1, xᵢ) = 0, which no direction can
beat. Logistic regression has a maximum in the second case only: there the gradient of the likelihood is such a sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Optional, Union

from refclass.discriminants.logistic import stiemke
from refclass.discriminants.logistic.balanced_weights import Problem, Weights
from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number, rational


@dataclass(frozen=True)
class Separation:
    """Directions that separate.

    directions    K rows (θ₀, θ) of a constant and p coefficients; that of the first class is zero
    complete      whether every point is strictly on the right side of every pair; else no direction can get more of
                  them there
    """

    directions: tuple[tuple[Fraction, ...], ...]
    complete: bool

    def refusal(self) -> NoAnswer:
        """Return the refusal of a largest likelihood, with the directions as witness."""
        thetas = [Vector(theta) for theta in self.directions]
        got = "completely separated ones" if self.complete else "quasi-completely separated ones"
        need = "classes that overlap, or a penalty > 0"
        return NoAnswer("logistic", need=need, got=got, direction=thetas[1] if len(thetas) == 2 else Matrix(thetas))


def problem(X: Matrix, labels: Sequence[int], K: int) -> Problem:
    """Return the problem for the exact values of the points: a float is a rational."""
    scales, scaled = [1], [[1] * len(X)]
    for column in zip(*X):
        ratios = [v.as_integer_ratio() for v in column]
        s = lcm(*[q for _, q in ratios])
        scales.append(s)
        scaled.append([n * (s // q) for n, q in ratios])
    return Problem(tuple(zip(*scaled)), tuple(scales), tuple(labels), K)


def margins(asked: Problem, directions: Sequence[Sequence[Number]]) -> list[int]:
    """Return (θ_g(i) − θₗ)·(1, xᵢ) for every pair (i, l), exactly, all multiplied by one positive integer."""
    exact = [[rational(v) / s for v, s in zip(theta, asked.scales)] for theta in directions]
    common = lcm(*[v.denominator for theta in exact for v in theta])
    thetas = [[v.numerator * (common // v.denominator) for v in theta] for theta in exact]
    values = [[dot(theta, x) for theta in thetas] for x in asked.points]
    return [values[i][asked.labels[i]] - values[i][k] for i, k in asked.pairs()]


def complete(asked: Problem, directions: Sequence[Sequence[Number]]) -> Optional[Separation]:
    """Return the separation that these directions make if they put every point strictly on its side, else None.

    Exact     yes, for directions of any kind: they are taken at their exact values
    """
    if min(margins(asked, directions)) <= 0:
        return None
    first, *_ = exact = [[rational(v) for v in theta] for theta in directions]
    return _short(asked, [[a - b for a, b in zip(theta, first)] for theta in exact], True)


def decide(asked: Problem) -> Union[Separation, Weights]:
    """Return directions that separate, as many points as can be strictly, or weights that prove that none do.

    Exact     yes
    Cost      simplex iterations over n(K − 1) rows of (K − 1)(p + 1) integers
    """
    pairs = asked.pairs()
    rows = [asked.row(pair) for pair in pairs]
    answer = stiemke.decide(rows)
    if answer.weights is not None:
        return dict(zip(pairs, answer.weights))
    # Method: what the direction found leaves between the classes, another one may still separate; a little of it, added
    # to the first, takes nothing back.
    found = [Fraction(v) for v in answer.direction or ()]
    while between := [row for row in rows if dot(found, row) == 0]:
        answer = stiemke.decide(between)
        if answer.direction is None:
            break
        values = [(dot(found, row), dot(answer.direction, row)) for row in rows]
        share = min([a / -b for a, b in values if a > 0 > b], default=Fraction(2)) / 2
        found = [v + share * w for v, w in zip(found, answer.direction)]
    return witness(asked, found, not between)


def witness(asked: Problem, flat: Sequence[Fraction], complete: bool) -> Separation:
    """Return the separation by directions laid in one row, the first class's left out, in as few digits as will do."""
    return _short(asked, _blocks(asked, flat), complete)


def _blocks(asked: Problem, flat: Sequence[Fraction]) -> list[list[Fraction]]:
    q = len(asked.scales)
    blocks = [[Fraction(0)] * q] + [list(flat[k : k + q]) for k in range(0, len(flat), q)]
    return [[v * s for v, s in zip(block, asked.scales)] for block in blocks]


def _short(asked: Problem, directions: list[list[Fraction]], complete: bool) -> Separation:
    """Return the separation by the directions, of length one and rounded to as few digits as still separate as well."""
    size = max(abs(v) for theta in directions for v in theta)
    exact = [[v / size for v in theta] for theta in directions]
    between = [m == 0 for m in margins(asked, exact)]
    for digits in range(1, 18):
        rounded = [[round(v, digits) for v in theta] for theta in exact]
        found = margins(asked, rounded)
        if min(found) >= 0 and [m == 0 for m in found] == between:
            return Separation(tuple(map(tuple, rounded)), complete)
    return Separation(tuple(map(tuple, exact)), complete)
