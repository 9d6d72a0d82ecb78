"""A quadratic problem and an answer as the rationals that they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.vector import Vector
from refclass.optimise.quadratic.problem import Answer as Answer
from refclass.optimise.quadratic.problem import Problem as Problem
from refclass.optimise.quadratic.problem import gradient as gradient
from refclass.optimise.quadratic.problem import objective as objective
from refclass.optimise.quadratic.problem import product as product


def reduced_gradient(problem: Problem, x: Vector, nu: Optional[Vector], mu: Optional[Vector]) -> Vector:
    """Return Qx + c + Eᵀν + Gᵀμ, what the multipliers of the bounds must balance."""
    g = gradient(problem, x)
    for A, multipliers in ((problem.E, nu), (problem.G, mu)):
        if A is not None and multipliers is not None:
            for row, m in zip(A, multipliers):
                if m:
                    g = g + m * row
    return g


def answer(problem: Problem, x: Vector, nu: Optional[Vector], mu: Optional[Vector], steps: int = 0) -> Answer:
    """Return the answer at x, the multipliers of the bounds read off the reduced gradient g.

        at_lower = max(g, 0) where there is a lower bound,   at_upper = max(−g, 0) where there is an upper one

    These are the multipliers that make the dual value at (x, ν, μ) largest.
    """
    g = reduced_gradient(problem, x, nu, mu)
    zero = problem.kind(0)
    at_lower = Vector.of([v if v > 0 and low is not None else zero for v, low in zip(g, problem.lower)])
    at_upper = Vector.of([-v if v < 0 and high is not None else zero for v, high in zip(g, problem.upper)])
    return Answer(x, nu, mu, at_lower, at_upper, steps)


@dataclass(frozen=True)
class Bounds:
    """Lower or upper bounds with their multipliers; where there is no bound, `exists` is False and the value 0."""

    value: Scaled
    exists: list[bool]
    multiplier: Scaled


@dataclass(frozen=True)
class Exact:
    """A problem and an answer lifted to exact rationals; Q only as the product Qx.

    pull = Eᵀν + Gᵀμ; wrong is what must be added to it when negative μ are taken as zero.
    """

    x: Scaled
    Qx: Scaled
    c: Scaled
    lower: Bounds
    upper: Bounds
    nu: Scaled
    mu: Scaled
    equality: Scaled
    inequality: Scaled
    d: Scaled
    h: Scaled
    pull: Scaled
    wrong: Scaled


def exact(problem: Problem, answer: Answer) -> Exact:
    """Return the problem at the answer in exact rationals: a float is a rational number.

    Cost      n multiplications of integers for each entry of x that is not zero
    Raises    InvalidInput when lengths do not fit
    """
    n = problem.n
    for name, v in (("x", answer.x), ("at_lower", answer.at_lower), ("at_upper", answer.at_upper)):
        if len(v) != n:
            raise InvalidInput("quadratic", need=f"{name} of length {n}", got=len(v))
    x = Scaled.of(answer.x)
    support = [i for i, k in enumerate(x.integers) if k]
    weights = Scaled(tuple([x.integers[i] for i in support]), x.denominator)
    E, d, nu = _constraints("nu", problem.E, problem.d, answer.nu)
    G, h, mu = _constraints("mu", problem.G, problem.h, answer.mu)
    return Exact(
        x=x,
        Qx=combination((problem.Q.row(i) for i in support), weights, n),
        c=Scaled.of(problem.c),
        lower=_bounds(problem.lower, answer.at_lower),
        upper=_bounds(problem.upper, answer.at_upper),
        nu=nu,
        mu=mu,
        equality=_products(E, x) - d,
        inequality=_products(G, x) - h,
        d=d,
        h=h,
        pull=combination(E, nu, n) + combination(G, mu, n),
        wrong=combination(G, (-mu).positive(), n),
    )


def _bounds(given: Sequence[Any], multiplier: Vector) -> Bounds:
    value = Scaled.of([0 if v is None else v for v in given])
    return Bounds(value, [v is not None for v in given], Scaled.of(multiplier))


def _constraints(name: str, A: Any, b: Any, multipliers: Any) -> tuple[Any, Scaled, Scaled]:
    if A is None:
        return (), Scaled.zeros(0), Scaled.zeros(0)
    if multipliers is None or len(multipliers) != len(b):
        got = "none" if multipliers is None else len(multipliers)
        raise InvalidInput("quadratic", need=f"{len(b)} multipliers in {name}", got=got)
    return A, Scaled.of(b), Scaled.of(multipliers)


def _products(A: Any, x: Scaled) -> Scaled:
    return Scaled.of([Scaled.of(row) @ x for row in A])
