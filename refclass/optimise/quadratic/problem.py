"""A quadratic problem, an answer to it, and the objective.

minimise ½xᵀQx + cᵀx   subject to   E x = d,   G x ≤ h,   lower ≤ x ≤ upper
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Number


@dataclass(frozen=True)
class Problem:
    """Minimise ½xᵀQx + cᵀx subject to E x = d, G x ≤ h, lower ≤ x ≤ upper.

    Q               symmetric: anything with row(i), diagonal() and len(); a `Matrix`, or rows computed when asked for
    c               Vector, n
    lower, upper    n numbers, or None where there is no bound
    E, d            equalities, m × n and m, or None
    G, h            inequalities, q × n and q, or None

    Raises    InvalidInput when shapes or kinds do not fit or Q is not symmetric; NoAnswer when a lower bound lies above
              the upper one
    """

    Q: Any
    c: Vector
    lower: tuple[Any, ...]
    upper: tuple[Any, ...]
    E: Optional[Matrix] = None
    d: Optional[Vector] = None
    G: Optional[Matrix] = None
    h: Optional[Vector] = None

    def __post_init__(self) -> None:
        n, kind = len(self.c), self.kind
        if len(self.Q) != n:
            raise InvalidInput("quadratic", need=f"Q of order {n}, the length of c", got=len(self.Q))
        if type(self.Q.diagonal()[0]) is not kind:
            raise InvalidInput("quadratic", need=f"Q of kind {kind.__name__}", got=type(self.Q.diagonal()[0]).__name__)
        if isinstance(self.Q, Matrix):
            self.Q.symmetric()
        for name in ("lower", "upper"):
            object.__setattr__(self, name, _bounds(name, getattr(self, name), n, kind))
        for i, (low, high) in enumerate(zip(self.lower, self.upper)):
            if low is not None and high is not None and low > high:
                raise NoAnswer("quadratic", need="lower ≤ upper", got=f"{low} > {high}", variable=i)
        _rows("E", "d", self.E, self.d, n, kind)
        _rows("G", "h", self.G, self.h, n, kind)

    @property
    def n(self) -> int:
        """The number of variables."""
        return len(self.c)

    @property
    def kind(self) -> Any:
        """The type of the numbers."""
        return type(self.c[0])


def _bounds(name: str, given: Any, n: int, kind: Any) -> tuple[Any, ...]:
    bounds = tuple([kind(b) if type(b) is int else b for b in given])
    if len(bounds) != n:
        raise InvalidInput("quadratic", need=f"{n} bounds in {name}", got=len(bounds))
    for i, b in enumerate(bounds):
        if b is not None and type(b) is not kind:
            got = type(b).__name__
            raise InvalidInput("quadratic", need=f"{name} of kind {kind.__name__} or None", got=got, variable=i)
        if b is not None and b - b != 0:
            raise InvalidInput("quadratic", need=f"{name} finite, or None for no bound", got=b, variable=i)
    return bounds


def _rows(left: str, right: str, A: Any, b: Any, n: int, kind: Any) -> None:
    if (A is None) != (b is None):
        raise InvalidInput("quadratic", need=f"{left} and {right} together", got="one of them")
    if A is None:
        return
    if A.shape != (len(b), n):
        raise InvalidInput("quadratic", need=f"{left} of shape {(len(b), n)}", got=A.shape)
    if A.kind is not kind or b.kind is not kind:
        got = f"{A.kind.__name__} and {b.kind.__name__}"
        raise InvalidInput("quadratic", need=f"{left} and {right} of kind {kind.__name__}", got=got)


@dataclass(frozen=True)
class Answer:
    """A point with its multipliers: Qx + c + Eᵀν + Gᵀμ − at_lower + at_upper = 0.

    x                     n
    nu                    m numbers of either sign, None without equalities
    mu                    q numbers ≥ 0, None without inequalities
    at_lower, at_upper    n numbers ≥ 0, zero where the bound is not touched
    steps                 how many steps the iteration took
    """

    x: Vector
    nu: Optional[Vector]
    mu: Optional[Vector]
    at_lower: Vector
    at_upper: Vector
    steps: int = 0


def objective(problem: Problem, x: Vector) -> Number:
    """Return ½xᵀQx + cᵀx.

    Cost      as `gradient`, n multiplications and a division more
    """
    # Premise: ½xᵀQx + cᵀx = ½xᵀ((Qx + c) + c).
    return dot(x, gradient(problem, x) + problem.c) / 2


def product(Q: Any, x: Vector) -> Vector:
    """Return Qx; Q is asked only for the rows where x is not zero.

    Cost      n multiplications for each entry of x that is not zero
    """
    support = [i for i, v in enumerate(x) if v]
    if not support:
        return Vector.of([x[0]] * len(x))
    weights = tuple([x[i] for i in support])
    if type(x[0]) is Fraction:  # Method: integers on one denominator, which saves a common divisor for each product
        rows = (Q.row(i) for i in support)
        return Vector.of(combination(rows, Scaled.of(weights), len(x)).fractions())
    return Vector.of([dot(weights, column) for column in zip(*[Q.row(i) for i in support])])


def gradient(problem: Problem, x: Vector) -> Vector:
    """Return Qx + c.

    Cost      as `product`
    """
    return product(problem.Q, x) + problem.c


@dataclass(frozen=True)
class Converted:
    """The rows of a matrix with every number converted, each when it is asked for."""

    Q: Any
    number: Callable[[Any], Number]

    def __len__(self) -> int:
        return len(self.Q)

    def row(self, i: int) -> Vector:
        """Return row i."""
        return Vector.of(map(self.number, self.Q.row(i)))

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        return Vector.of(map(self.number, self.Q.diagonal()))


def converted(problem: Problem, number: Callable[[Any], Number]) -> Problem:
    """Return the problem with every number converted; Q row by row, when asked for."""

    def vector(values: Optional[Sequence[Any]]) -> Optional[Vector]:
        return None if values is None else Vector.of(map(number, values))

    def matrix(rows: Optional[Sequence[Sequence[Any]]]) -> Optional[Matrix]:
        return None if rows is None else Matrix.of([Vector.of(map(number, row)) for row in rows])

    def bounds(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(None if v is None else number(v) for v in values)

    Q, c = Converted(problem.Q, number), Vector.of(map(number, problem.c))
    lower, upper = bounds(problem.lower), bounds(problem.upper)
    return Problem(Q, c, lower, upper, matrix(problem.E), vector(problem.d), matrix(problem.G), vector(problem.h))


def lifted(problem: Problem) -> Problem:
    """Return the problem in fractions, every number at its exact value: a float or a decimal is a rational number."""
    return converted(problem, lambda v: Fraction(*v.as_integer_ratio()))


def recast(answer: Answer, number: Callable[[Any], Number]) -> Answer:
    """Return the answer with every number converted."""

    def vector(values: Vector) -> Vector:
        return Vector.of(map(number, values))

    nu = None if answer.nu is None else vector(answer.nu)
    mu = None if answer.mu is None else vector(answer.mu)
    return Answer(vector(answer.x), nu, mu, vector(answer.at_lower), vector(answer.at_upper), answer.steps)
