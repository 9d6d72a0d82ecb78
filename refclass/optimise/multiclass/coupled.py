"""Problems in one vector for each class, centred by their mean: the dual of the multiclass machine  [MMST-11.104].

    minimise ½ Σ_k (α_k − ᾱ)ᵀK(α_k − ᾱ) + Σ_k c_kᵀα_k     ᾱ the mean of α_1 … α_m
    subject to 0 ≤ α_k ≤ u_k, and 1ᵀα_k the same for every k

With g_k = K(α_k − ᾱ) + c_k the gradient, m = −g, α is optimal if and only if levels ν_1 … ν_m with Σ ν_k = 0 part those
that can rise from those that can fall:

    m_ik ≤ ν_k where α_ik < u_ik        m_ik ≥ ν_k where α_ik > 0

As the sums of all classes rise and fall together, two kinds of motion can lower the objective: within one class, one
entry up and another down; and across the classes, one entry of each class up, or one of each class down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import mul
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import product

Columns = Sequence[Sequence[Number]]  # one sequence of n numbers for each class
End = Optional[Number]  # None stands for no end


@dataclass(frozen=True)
class Problem:
    """Minimise ½ Σ_k (α_k − ᾱ)ᵀK(α_k − ᾱ) + Σ_k c_kᵀα_k subject to 0 ≤ α_k ≤ u_k and equal sums 1ᵀα_k.

    K        n × n, positive semidefinite where entries sum to zero: anything with row(i), diagonal() and len()
    c        a Vector of n numbers for each class
    upper    the u_k: a Vector of n numbers ≥ 0 for each class; an entry with u_ik = 0 stays at zero

    Raises    InvalidInput unless there are two classes or more, all of length n and of one kind, with upper ≥ 0
    """

    K: Any
    c: tuple[Vector, ...]
    upper: tuple[Vector, ...]

    def __post_init__(self) -> None:
        if len(self.c) < 2 or len(self.upper) != len(self.c):
            got = f"{len(self.c)} and {len(self.upper)}"
            raise InvalidInput("centred", need="two classes or more, as many in upper as in c", got=got)
        for k, v in enumerate((*self.c, *self.upper)):
            if len(v) != self.n or v.kind is not self.kind:
                need = f"{self.n} numbers of kind {self.kind.__name__} for each class"
                raise InvalidInput("centred", need=need, got=f"{len(v)} of {v.kind.__name__}", column=k)
        if any(v < 0 for own in self.upper for v in own):
            raise InvalidInput("centred", need="upper bounds ≥ 0", got=min(map(min, self.upper)))

    @property
    def n(self) -> int:
        """The number of entries of each class."""
        return len(self.K)

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.c)

    @property
    def kind(self) -> Any:
        """The type of the numbers."""
        return type(self.c[0][0])

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The entries (i, k) that can move, those with u_ik > 0, point by point."""
        return tuple((i, k) for i in range(self.n) for k, own in enumerate(self.upper) if own[i] > 0)

    def gradient(self, alpha: Columns) -> list[list[Number]]:
        """Return g_k = K(α_k − ᾱ) + c_k for each class.

        Cost      n multiplications for each entry of α that is not zero
        """
        images = [product(self.K, Vector.of(own)) for own in alpha]
        return self.slopes(images)

    def slopes(self, images: Columns) -> list[list[Number]]:
        """Return the gradient from the products Kα_k."""
        # Method: Σ_k Kα_k is summed once; K(α_k − ᾱ) is Kα_k less its m-th part.
        mean = [v / self.classes for v in map(sum, zip(*images))]
        return [[v - t + c for v, t, c in zip(own, mean, costs)] for own, costs in zip(images, self.c)]

    def objective(self, alpha: Columns, gradient: Optional[Columns] = None) -> Number:
        """Return the objective: ½ Σ_k α_kᵀ(g_k + c_k)."""
        # Proof: Σ_k (α_k − ᾱ)ᵀK(α_k − ᾱ) = Σ_k α_kᵀK(α_k − ᾱ), as Σ_k (α_k − ᾱ) = 0.
        g = self.gradient(alpha) if gradient is None else gradient
        terms = [dot(tuple(a), tuple(own)) + dot(tuple(a), tuple(c)) for a, own, c in zip(alpha, g, self.c)]
        return sum(terms, self.kind(0)) / 2

    def plain(self) -> quadratic.Problem:
        """Return the problem in the one form that every solver and certificate takes, over `places`.

        Its rows of E are 1ᵀα_k − 1ᵀα_m for k < m: m − 1 of them, as many as are independent  [MC-LLW-DUAL.P2].
        """
        zero, one, last = self.kind(0), self.kind(1), self.classes - 1
        rows = [
            Vector.of([one if own == k else -one if own == last else zero for _, own in self.places])
            for k in range(last)
        ]
        return quadratic.Problem(
            Coupled(self.K, self.classes, self.places),
            Vector.of([self.c[k][i] for i, k in self.places]),
            tuple([zero] * len(self.places)),
            tuple([self.upper[k][i] for i, k in self.places]),
            E=Matrix.of(rows),
            d=Vector.of([zero] * last),
        )

    def spread(self, x: Sequence[Number]) -> tuple[Vector, ...]:
        """Return the columns that entries over `places` stand for."""
        out = [[self.kind(0)] * self.n for _ in self.c]
        for (i, k), v in zip(self.places, x):
            out[k][i] = v
        return tuple(map(Vector.of, out))


@dataclass(frozen=True)
class Coupled:
    """The Hessian over some places (i, k): entries K_ij (1 − 1/m) within a class, −K_ij/m between two."""

    K: Any
    classes: int
    places: Sequence[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.places)

    def row(self, v: int) -> Vector:
        """Return the row of place v."""
        i, k = self.places[v]
        row = self.K.row(i)
        share = type(row[0])(1) / self.classes
        return Vector.of([row[j] * (1 - share) if own == k else -row[j] * share for j, own in self.places])

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        d = self.K.diagonal()
        share = type(d[0])(1) / self.classes
        return Vector.of([d[i] * (1 - share) for i, _ in self.places])


@dataclass(frozen=True)
class Answer:
    """A minimum with its multipliers.

    alpha    a Vector of n numbers for each class
    nu       the levels, a number for each class, which sum to zero
    steps    how many steps the iteration took
    """

    alpha: tuple[Vector, ...]
    nu: Vector
    steps: int = 0


def certify(problem: Problem, answer: Answer, *, convex: Optional[bool] = None) -> Certificate:
    """Return the proof of an answer in exact numbers, as `quadratic.certify` gives it for the problem's plain form."""
    plain = problem.plain()
    x = Vector.of([answer.alpha[k][i] for i, k in problem.places])
    return quadratic.certify(plain, quadratic.answer(plain, x, Vector.of(answer.nu[:-1]), None), convex=convex)


@dataclass(frozen=True)
class State:
    """A step of an iteration.

    alpha        the feasible point
    objective    its value
    previous     the value before the step
    violation    how far the worst motion violates optimality; 0 when α is optimal
    """

    problem: Problem
    alpha: tuple[Vector, ...]
    objective: Number
    previous: Number
    violation: Number

    @property
    def x(self) -> Vector:
        """The entries that can move, in the order of the problem's places."""
        return Vector.of([self.alpha[k][i] for i, k in self.problem.places])

    def check(self) -> None:
        """Assert that α is feasible and that the objective is α's and has not risen; in floats up to roundoff."""
        p, zero = self.problem, self.problem.kind(0)
        sums = [own.sum() for own in self.alpha]
        total = sum(sums, zero)
        unit = THRESHOLD * p.n * roundoff(p.kind)
        floor = unit * total * (max(p.K.diagonal()) * total + max(own.largest() for own in p.c))
        assert all(0 <= v <= most for own, top in zip(self.alpha, p.upper) for v, most in zip(own, top)), "α in its box"
        assert max(sums) - min(sums) <= unit * total, "the sums are equal"
        assert abs(p.objective(self.alpha) - self.objective) <= floor, "the objective is that of α"
        assert self.objective <= self.previous + floor, "the objective does not rise"


# --- optimality ---


def ends(m: Columns, rise: Sequence[Sequence[bool]], fall: Sequence[Sequence[bool]]) -> tuple[list[End], list[End]]:
    """Return for each class max m_ik over the entries that can rise, and min m_ik over those that can fall."""
    lows = [max(compress(own, up), default=None) for own, up in zip(m, rise)]
    highs = [min(compress(own, down), default=None) for own, down in zip(m, fall)]
    return lows, highs


def closed(ends: Sequence[End]) -> bool:
    """Return whether all ends exist."""
    return all(v is not None for v in ends)


def violation(lows: Sequence[End], highs: Sequence[End]) -> Number:
    """Return how far the best motion violates optimality: what the worst pair gains, or the worst tuple for each entry.

    max of 0, low_k − high_k for each k, (1/m) Σ low_k if every class can rise, −(1/m) Σ high_k if every class can fall
    """
    found = [a - b for a, b in zip(lows, highs) if a is not None and b is not None]
    if closed(lows):
        found.append(sum(lows) / len(lows))  # type: ignore[arg-type]
    if closed(highs):
        found.append(-sum(highs) / len(highs))  # type: ignore[arg-type]
    return max([v for v in found if v > 0], default=0)


def tightened(lows: Sequence[End], highs: Sequence[End]) -> tuple[list[End], list[End]]:
    """Return, for each k, the least and the largest ν_k of {ν : low_k ≤ ν_k ≤ high_k, Σ ν_k = 0}, which is not empty.

    Exact     yes
    """
    # Proof: ν_k = −Σ_{l≠k} ν_l, and the other terms reach every sum between those of their ends.
    out_low, out_high = [], []
    for k, (low, high) in enumerate(zip(lows, highs)):
        rest_low = [v for j, v in enumerate(lows) if j != k]
        rest_high = [v for j, v in enumerate(highs) if j != k]
        least = -sum(rest_high) if closed(rest_high) else None  # type: ignore[arg-type]
        most = -sum(rest_low) if closed(rest_low) else None  # type: ignore[arg-type]
        out_low.append(max([v for v in (low, least) if v is not None], default=None))
        out_high.append(min([v for v in (high, most) if v is not None], default=None))
    return out_low, out_high


def levels(lows: Sequence[End], highs: Sequence[End], zero: Number) -> list[Number]:
    """Return the chosen ν with low_k ≤ ν_k ≤ high_k and Σ ν_k = 0; where there is none, one that is as near as it can.

    Where all ends exist once tightened, the same share of the way from the lower to the upper ends; for two classes
    that is the middle. Where some do not exist, the ν nearest to zero. Ends out of order count as their middle, and
    what the sum lacks is divided among the classes.

    Exact     yes
    """
    ordered = [(a, b) if a is None or b is None or a <= b else ((a + b) / 2,) * 2 for a, b in zip(lows, highs)]
    low, high = [a for a, _ in ordered], [b for _, b in ordered]
    for side, sign in ((low, 1), (high, -1)):
        if closed(side) and sign * sum(side) > 0:  # type: ignore[arg-type]
            loose = [k for k, (a, b) in enumerate(ordered) if a is None or b is None or a != b] or range(len(low))
            excess = sum(side) / len(loose)  # type: ignore[arg-type]
            return [v - excess if k in loose else v for k, v in enumerate(side)]  # type: ignore[operator]
    low, high = tightened(low, high)
    if not (closed(low) and closed(high)):
        return _nearest_to_zero(low, high, zero)
    room = sum(high) - sum(low)  # type: ignore[arg-type]
    share = -sum(low) / room if room else zero  # type: ignore[arg-type]
    return [a + share * (b - a) for a, b in zip(low, high)]  # type: ignore[operator]


def _nearest_to_zero(low: Sequence[End], high: Sequence[End], zero: Number) -> list[Number]:
    """Return the ν nearest to zero: ν_k = t clipped to its ends, with the t that makes the sum zero."""

    def at(t: Number) -> list[Number]:
        clipped = [t if a is None or t > a else a for a in low]
        return [v if b is None or v < b else b for v, b in zip(clipped, high)]

    # Method: the sum rises with t, on straight pieces between the ends; the piece with the sign change holds t.
    knots = sorted({v for v in (*low, *high) if v is not None} | {zero})
    sums = [sum(at(t)) for t in knots]
    if sums[0] >= 0 or sums[-1] <= 0:
        t, s = (knots[0], sums[0]) if sums[0] >= 0 else (knots[-1], sums[-1])
        moving = sum((a is None) if s >= 0 else (b is None) for a, b in zip(low, high))
        return at(t - s / moving if s else t)
    j = next(j for j, s in enumerate(sums) if s >= 0)
    (p, q), (a, b) = knots[j - 1 : j + 1], sums[j - 1 : j + 1]
    return at(p - a * (q - p) / (b - a))


def choose(problem: Problem, alpha: Columns, gradient: Columns) -> Vector:
    """Return the levels at a minimum: where entries lie between their bounds, the mean of theirs; else as `levels`."""
    lows, highs = _fixed(problem, alpha, gradient)
    return Vector.of(_summing_to_zero(levels(lows, highs, problem.kind(0))))


def _summing_to_zero(nu: list[Number]) -> list[Number]:
    excess = sum(nu) / len(nu)
    return [v - excess for v in nu] if excess else nu


def _fixed(problem: Problem, alpha: Columns, gradient: Columns) -> tuple[list[End], list[End]]:
    """Return the ends of the levels; in a class with entries between their bounds, twice the mean of what they say."""
    m = [[-v for v in own] for own in gradient]
    rise = [[v < top for v, top in zip(own, most)] for own, most in zip(alpha, problem.upper)]
    fall = [[v > 0 for v in own] for own in alpha]
    lows, highs = ends(m, rise, fall)
    for k, own in enumerate(m):
        free = list(compress(own, map(mul, rise[k], fall[k])))
        if free:
            lows[k] = highs[k] = sum(free) / len(free)
    return lows, highs
