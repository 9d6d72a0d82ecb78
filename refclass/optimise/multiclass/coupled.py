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
from refclass.optimise.multiclass.intercept_levels import Columns, End, ends, levels
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import exact_data
from refclass.optimise.quadratic.problem import product


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
            raise InvalidInput("coupled", need="two classes or more, as many in upper as in c", got=got)
        for k, v in enumerate((*self.c, *self.upper)):
            if len(v) != self.n or v.kind is not self.kind:
                need = f"{self.n} numbers of kind {self.kind.__name__} for each class"
                raise InvalidInput("coupled", need=need, got=f"{len(v)} of {v.kind.__name__}", column=k)
        if any(v < 0 for own in self.upper for v in own):
            raise InvalidInput("coupled", need="upper bounds ≥ 0", got=min(map(min, self.upper)))

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

        Cost      n multiplications for each entry of α that is not zero, and n divisions
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
    return quadratic.certify(plain, exact_data.answer(plain, x, Vector.of(answer.nu[:-1]), None), convex=convex)


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


def choose(problem: Problem, alpha: Columns, gradient: Columns) -> Vector:
    """Return the levels at a minimum: where entries lie between their bounds, the mean of theirs; else as `levels`."""
    lows, highs = _fixed(problem, alpha, gradient)
    nu = levels(lows, highs, problem.kind(0))
    excess = sum(nu) / len(nu)
    return Vector.of([v - excess for v in nu] if excess else nu)


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
