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
from operator import mul
from typing import Optional, Union

from refclass.discriminants.logistic import stiemke
from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number, rational

Pair = tuple[int, int]  # a point i and a class l that is not its own
Weights = dict[Pair, Fraction]


@dataclass(frozen=True)
class Problem:
    """Labelled points over the integers.

    points    n points (s₀, s₁x₁, …, s_p x_p), the scales sⱼ > 0 the same for all
    scales    s₀ … s_p
    labels    n class numbers
    K         the number of classes
    """

    points: tuple[tuple[int, ...], ...]
    scales: tuple[int, ...]
    labels: tuple[int, ...]
    K: int

    def pairs(self) -> list[Pair]:
        """Return all pairs (i, l)."""
        return [(i, k) for i, g in enumerate(self.labels) for k in range(self.K) if k != g]

    def row(self, pair: Pair) -> list[int]:
        """Return (e_g(i) − eₗ) ⊗ (1, xᵢ), without the block of the first class: its direction is zero."""
        i, other = pair
        q = len(self.scales)
        entries = [0] * (q * (self.K - 1))
        for k, s in ((self.labels[i], 1), (other, -1)):
            if k:
                entries[(k - 1) * q : k * q] = [s * v for v in self.points[i]]
        return entries


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


def overlaps(asked: Problem, u: Weights) -> bool:
    """Return whether u proves that nothing separates: every weight positive, and the weighted sum of all rows zero."""
    if set(u) != set(asked.pairs()) or min(u.values()) <= 0:
        return False
    total = [Fraction(0)] * (len(asked.scales) * (asked.K - 1))
    for pair, weight in u.items():
        total = [t + weight * v for t, v in zip(total, asked.row(pair))]
    return not any(total)


def decide(asked: Problem) -> Union[Separation, Weights]:
    """Return directions that separate, as many points as can be strictly, or weights that prove that none do.

    Exact     yes
    Cost      a simplex iteration over n(K − 1) rows of (K − 1)(p + 1) integers
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


def balanced(asked: Problem, P: Sequence[Sequence[Number]]) -> Optional[Weights]:
    """Return weights that prove overlap, near to approximate posteriors P whose score equations nearly hold, or None.

    At a maximum of the likelihood Σ Pᵢₗ (e_g(i) − eₗ) ⊗ (1, xᵢ) = 0. Each class in turn hands what is missing on to
    another one, along a tree of the classes that overlap most, by changing the weights of p + 1 points, exactly.

    Exact     yes: what is returned balances with ==. None decides nothing
    Cost      n·K·(p + 1) multiplications, K − 1 systems of p + 1 equations, all of integers
    """
    units = {(i, k): int(rational(P[i][k]) * UNIT) + 1 for i, k in asked.pairs()}
    u = {pair: Fraction(v, UNIT) for pair, v in units.items()}
    missing = _missing(asked, units)
    for a, b in _leaves_first(asked, units):
        chosen = _independent(asked, units, a, b)
        if chosen is None:
            return None
        system = Matrix([[Fraction(s * asked.points[i][j]) for i, _, s in chosen] for j in range(len(asked.scales))])
        changes = fraction_free.solve(system, Vector([-v for v in missing[a]]))
        for (i, k, _), change in zip(chosen, changes):
            u[i, k] += change
            if u[i, k] <= 0:
                return None
        missing[b] = [x + y for x, y in zip(missing[b], missing[a])]
    return u


UNIT = 1 << 80  # the weights begin as multiples of its inverse
CROWD = 10  # how many points are looked at, for each equation
NOTHING = 10**24  # whatever is smaller than its inverse


def _missing(asked: Problem, units: dict[Pair, int]) -> list[list[Fraction]]:
    """Return Σ uᵢₗ (e_g(i) − eₗ) ⊗ (1, xᵢ), class by class."""
    signed = [[0] * len(asked.points) for _ in range(asked.K)]
    for (i, k), weight in units.items():
        signed[asked.labels[i]][i] += weight
        signed[k][i] -= weight
    columns = list(zip(*asked.points))
    return [[Fraction(sum(map(mul, row, column)), UNIT) for column in columns] for row in signed]


def _leaves_first(asked: Problem, units: dict[Pair, int]) -> list[Pair]:
    """Return the edges (class, the class it hands on to) of a tree of largest overlaps, a leaf before its parent."""
    overlap = [[0] * asked.K for _ in range(asked.K)]
    for (i, k), weight in units.items():
        g = asked.labels[i]
        overlap[g][k] += weight
        overlap[k][g] += weight
    reached, edges = [0], []
    while len(reached) < asked.K:
        left = [k for k in range(asked.K) if k not in reached]
        a, b = max(((k, j) for k in left for j in reached), key=lambda edge: overlap[edge[0]][edge[1]])
        reached.append(a)
        edges.append((a, b))
    return edges[::-1]


def _independent(asked: Problem, units: dict[Pair, int], a: int, b: int) -> Optional[list[tuple[int, int, int]]]:
    """Return p + 1 triples (i, l, ±1) of classes a and b whose points are linearly independent, or None.

    The pair (i, l) enters class a's sum with that sign.
    """
    # Method: pivoted Gram-Schmidt in doubles, on the points of largest weight, times their weights. What it picks only
    # has to do, not to be best: the system that follows is solved exactly.
    pool = [(i, b, 1) for i, g in enumerate(asked.labels) if g == a]
    pool += [(i, a, -1) for i, g in enumerate(asked.labels) if g == b]
    pool.sort(key=lambda name: -units[name[:2]])
    scale = [max(map(abs, column)) or 1 for column in zip(*asked.points)]
    left = []
    for i, k, t in pool[: CROWD * len(scale)]:
        weight = units[i, k] / UNIT
        left.append(([weight * (v / s) for v, s in zip(asked.points[i], scale)], (i, k, t)))
    chosen: list[tuple[int, int, int]] = []
    for _ in scale:
        row, place = max(left, key=lambda entry: dot(entry[0], entry[0]))
        square = dot(row, row)
        if square * NOTHING < 1:
            return None
        chosen.append(place)
        lengths = [dot(row, other) / square for other, _ in left]
        left = [([v - c * w for v, w in zip(other, row)], name) for c, (other, name) in zip(lengths, left)]
    return chosen
