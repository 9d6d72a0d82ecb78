"""Problems whose variables come in blocks, one block of K for each of n points, each block summing to zero.

minimise ½ Σ_k x_kᵀ Q x_k + Σ_ik c_ik x_ik   subject to   Σ_k x_ik = 0,   x_ik ≤ upper_ik

Q couples the points, alike for every k, and nothing but the sums couples the k. Over a single block, the others held,
the objective is ½ Q_ii ‖x_i‖² + bᵀx_i, and sorting gives its exact minimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.number.tolerance import THRESHOLD, roundoff
from refclass.optimise.quadratic import certificate as quadratic

Bound = Optional[Number]  # None stands for ∞


@dataclass(frozen=True)
class Problem:
    """Minimise ½ Σ_k x_kᵀ Q x_k + Σ_k c_kᵀx_k subject to Σ_k x_ik = 0 for every i, x_ik ≤ upper_ik.

    Q       symmetric, positive semidefinite, n × n: anything with row(i), diagonal() and len()
    c       K vectors of n numbers
    upper   K times n numbers, None for no bound

    Raises    InvalidInput when shapes do not fit; NoAnswer when the bounds of a point leave no block that sums to zero
    """

    Q: Any
    c: tuple[Vector, ...]
    upper: tuple[tuple[Bound, ...], ...]

    def __post_init__(self) -> None:
        n = len(self.Q)
        for name, parts in (("c", self.c), ("upper", self.upper)):
            if len(parts) != len(self.c) or not parts or any(len(part) != n for part in parts):
                raise InvalidInput("zero_sum", need=f"{len(self.c)} times {n} numbers in {name}", got=len(parts))
        for i, ends in enumerate(zip(*self.upper)):
            if all(u is not None for u in ends) and sum(ends) < 0:
                raise NoAnswer("zero_sum", need="bounds that let a block sum to zero", got=sum(ends), point=i)

    @property
    def n(self) -> int:
        """The number of blocks."""
        return len(self.Q)

    @property
    def size(self) -> int:
        """The number of variables in a block."""
        return len(self.c)

    @property
    def kind(self) -> Any:
        """The type of the numbers."""
        return type(self.c[0][0])

    def quadratic(self) -> quadratic.Problem:
        """Return it as the one quadratic problem, x_ik as variable kn + i."""
        n, size, zero, one = self.n, self.size, self.kind(0), self.kind(1)
        E = [Vector.of([one if j % n == i else zero for j in range(n * size)]) for i in range(n)]
        upper = tuple([u for part in self.upper for u in part])
        c = Vector.of([v for part in self.c for v in part])
        ones, none = Matrix.of(E), (None,) * (n * size)
        return quadratic.Problem(Repeated(self.Q, size, zero), c, none, upper, ones, Vector.of([zero] * n))


@dataclass(frozen=True)
class Repeated:
    """The matrix with Q in each of several blocks on its diagonal; nothing of it is stored."""

    Q: Any
    times: int
    zero: Any

    def __len__(self) -> int:
        return len(self.Q) * self.times

    def row(self, i: int) -> Vector:
        """Return row i."""
        k, j = divmod(i, len(self.Q))
        empty = (self.zero,) * len(self.Q)
        return Vector.of(empty * k + tuple(self.Q.row(j)) + empty * (self.times - 1 - k))

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        return Vector.of(tuple(self.Q.diagonal()) * self.times)


def minimum(a: Number, b: Sequence[Number], upper: Sequence[Bound]) -> Optional[list[Number]]:
    """Return the z that minimises ½a‖z‖² + bᵀz subject to Σ z_k = 0, z ≤ upper; None if there is none  [RC-31].

    For a > 0, z_k = min(upper_k, (μ − b_k)/a) with the one μ for which the sum is zero. As μ rises, the z_k meet their
    bounds in the order of b_k + a upper_k. For a = 0, all z_k but those of the largest b_k lie at their bounds, which
    must exist; those that share the largest b_k take what is missing, the first of them as much as it can.

    Exact     yes
    Cost      a sort of K numbers, at most 2K multiplications and 2K + 1 divisions
    """
    if not a > 0:
        return _linear(b, upper)
    ends = sorted([(v + a * u, v, u) for v, u in zip(b, upper) if u is not None])
    rest, count, held = sum(b), len(b), b[0] - b[0]
    mu = rest / count
    for end, v, u in ends:
        if mu <= end or count == 1:
            break
        rest, count, held = rest - v, count - 1, held + u
        mu = (rest - a * held) / count
    return [(mu - v) / a if u is None else min(u, (mu - v) / a) for v, u in zip(b, upper)]


def _linear(b: Sequence[Number], upper: Sequence[Bound]) -> Optional[list[Number]]:
    most, zero = max(b), b[0] - b[0]
    if any(u is None and v < most for v, u in zip(b, upper)):
        return None
    z: list[Number] = [zero if u is None else u if v < most else min(u, zero) for v, u in zip(b, upper)]
    missing = -sum(z)
    for k, (v, u) in enumerate(zip(b, upper)):
        if v == most:
            step = missing if u is None else min(u - z[k], missing)
            z[k], missing = z[k] + step, missing - step
    return z


def violation(g: Sequence[Number], x: Sequence[Number], upper: Sequence[Bound]) -> Number:
    """Return how far a block is from optimal: max_k g_k − min {g_k : x_k < upper_k}, 0 at an optimum, else more.

    Exact     yes
    """
    loose = [v for v, w, u in zip(g, x, upper) if u is None or w < u]
    return max(g) - min(loose, default=max(g))


def gradient(problem: Problem, x: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """Return Q x_k + c_k for every k.

    Cost      n multiplications for each entry of x that is not zero
    """
    return [list(quadratic.product(problem.Q, Vector.of(part)) + c) for part, c in zip(x, problem.c)]


def objective(problem: Problem, x: Sequence[Sequence[Number]], g: Sequence[Sequence[Number]]) -> Number:
    """Return ½ Σ_k x_kᵀQx_k + Σ_k c_kᵀx_k from the gradient g: ½ Σ_k x_kᵀ(g_k + c_k)."""
    parts = [sum(v * (a + b) for v, a, b in zip(part, own, c)) for part, own, c in zip(x, g, problem.c)]
    return sum(parts) / 2


def answer(
    problem: Problem, x: Sequence[Sequence[Number]], g: Sequence[Sequence[Number]], steps: int
) -> quadratic.Answer:
    """Return x with the multipliers that its gradient implies: ν_i = −max_k g_ik, and at_upper = −(g + ν)."""
    top = [max(own) for own in zip(*g)]
    above = Vector.of([t - v for part in g for v, t in zip(part, top)])
    flat = Vector.of([v for part in x for v in part])
    none = Vector.of([problem.kind(0)] * len(flat))
    return quadratic.Answer(flat, Vector.of([-t for t in top]), None, none, above, steps)


def certify(problem: Problem, found: quadratic.Answer) -> Certificate:
    """Return the proof of an answer, all numbers exact (see `quadratic.certify`)."""
    return quadratic.certify(problem.quadratic(), found, convex=True)


@dataclass(frozen=True)
class State:
    """A point of the iteration.

    x           K times n numbers
    violation   how far the worst block is from optimal
    objective   the value
    previous    the value before the round
    """

    problem: Problem
    x: tuple[tuple[float, ...], ...]
    violation: float
    objective: float
    previous: float

    def check(self) -> None:
        """Assert that x is feasible, and that the objective is x's and has not risen, up to roundoff."""
        for part, ends in zip(self.x, self.problem.upper):
            assert all(u is None or v <= u for v, u in zip(part, ends)), "no variable is above its bound"
        size = sum(sum(map(abs, part)) for part in self.x)
        assert max(abs(sum(block)) for block in zip(*self.x)) <= THRESHOLD * roundoff(float) * size, "blocks sum to 0"
        g = gradient(self.problem, self.x)
        floor = THRESHOLD * self.problem.n * roundoff(float) * (1 + size * (size * max(self.problem.Q.diagonal()) + 1))
        assert abs(objective(self.problem, self.x, g) - self.objective) <= floor, "the objective is that of x"
        assert self.objective - self.previous <= floor, "the objective does not rise"
