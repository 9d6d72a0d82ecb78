"""Stochastic subgradient descent (Robbins and Monro 1951; Shalev-Shwartz et al. 2011)  [ISML-27.6.2-sgd].

Solves    minimise J(θ) = (1/n) Σ L(yᵢ xᵢᵀθ) + ½λ‖θ‖², L convex: the hinge, the squared hinge
Given     a source of chance; the iteration starts at zero
Yields    the iterate and the average of the iterates after every step, for ever; J need not fall

The document names the method and leaves its steps open [GAP-11]. Here the t-th step takes the gradient of one point,
drawn at random, for that of all; its expectation is ∇J(θ):

    θ ← θ − (1/λt)(λθ + L′(yᵢ xᵢᵀθ) yᵢxᵢ)

The average of the iterates approaches the minimum; they themselves keep oscillating about it. Where L′ is not bounded
(the squared hinge), steps longer than 1/(λ + c‖x‖²), c the largest L″, lead away at first: t then begins later.

J is strongly convex, so that any subgradient g at θ proves how near the end is:  J(θ) − min J ≤ ‖g‖²/2λ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Callable

from refclass.certificate import Certificate
from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.number.field import Number


@dataclass(frozen=True)
class Problem:
    """A penalised loss of margins.

    X        n rows of p numbers: points, or their features
    y        n labels, 1 or −1
    lam      λ > 0
    value    m -> L(m)
    slope    m -> L′(m), any number between the slopes where L has a kink

    Raises    InvalidInput when lengths differ, a label is not ±1, or λ is not positive
    """

    X: Sequence[Vector]
    y: Vector
    lam: Number
    value: Callable[[Number], Number]
    slope: Callable[[Number], Number]

    def __post_init__(self) -> None:
        if len(self.y) != len(self.X):
            raise InvalidInput("stochastic", need=f"{len(self.X)} labels, one for each row", got=len(self.y))
        if not set(self.y) <= {1, -1}:
            raise InvalidInput("stochastic", need="labels 1 and −1", got=sorted(set(self.y) - {1, -1}))
        if not self.lam > 0:
            raise InvalidInput("stochastic", need="λ > 0", got=self.lam)


@dataclass(frozen=True)
class State:
    """A step of the iteration.

    theta      the iterate
    average    the mean of the iterates that count
    count      how many steps were made
    """

    problem: Problem
    theta: Vector
    average: Vector
    count: int

    def check(self) -> None:
        """Assert that no proof is broken: J at the iterate lies above the bound proven at the average."""
        assert objective(self.problem, self.theta) >= certify(self.problem, self.average).dual, "the bound holds"


def objective(problem: Problem, theta: Vector) -> Number:
    """Return J(θ).

    Cost      (n + 1)(p + 1) multiplications, two divisions, and n losses
    """
    losses = [problem.value(t * (x @ theta)) for x, t in zip(problem.X, problem.y)]
    return sum(losses) / len(losses) + problem.lam * (theta @ theta) / 2


def one_gradient(problem: Problem, theta: Vector, i: int) -> Vector:
    """Return λθ + L′(yᵢ xᵢᵀθ) yᵢxᵢ, the gradient of ½λ‖θ‖² + L(yᵢ xᵢᵀθ).

    Cost      3p + 2 multiplications
    Laws      its mean over the points is `gradient`
    """
    x, t = problem.X[i], problem.y[i]
    return Vector.of(theta * problem.lam + x * (problem.slope(t * (x @ theta)) * t))


def gradient(problem: Problem, theta: Vector) -> Vector:
    """Return ∇J(θ), a subgradient where J has a kink.

    Cost      2n(p + 1) + 2p multiplications and p divisions
    """
    total = 0 * theta
    for x, t in zip(problem.X, problem.y):
        total = total + x * (problem.slope(t * (x @ theta)) * t)
    return Vector.of(total / len(problem.y) + theta * problem.lam)


def steps(problem: Problem, rng: Random, *, first: int = 1, skip: int = 0) -> Iterator[State]:
    """Yield the states of the iteration, the start first, without end.

    first    what t counts from
    skip     how many iterates at the beginning do not count in the average
    """
    if first < 1:
        raise InvalidInput("stochastic", need="a count from 1 or more", got=first)
    theta = 0 * problem.X[0]
    total, count = theta, 0
    yield State(problem, theta, theta, 0)
    while True:
        g = one_gradient(problem, theta, rng.randrange(len(problem.y)))
        theta = theta - g / (problem.lam * (first + count))
        count += 1
        total = theta if count <= skip else total + theta
        yield State(problem, theta, total / max(1, count - skip), count)


def solve(problem: Problem, rng: Random, *, count: int, first: int = 1, skip: int = 0) -> Vector:
    """Return the average of the iterates after `count` steps.

    Exact     every step is, for a loss with rational slopes; the iteration approaches the minimum without end
    Cost      3(p + 1) multiplications and 2p divisions a step
    Raises    InvalidInput for a count below 1 or first below 1

    Example
        >>> hinge = Problem([Vector([1.0])], Vector([1.0]), 0.5, lambda m: max(0.0, 1 - m), lambda m: -1.0 * (m < 1))
        >>> round(solve(hinge, Random(1), count=400, skip=200)[0], 2)
        1.0
    """
    if count < 1:
        raise InvalidInput("stochastic", need="at least one step", got=count)
    return next(islice(steps(problem, rng, first=first, skip=skip), count, None)).average


def certify(problem: Problem, theta: Vector) -> Certificate:
    """Return the proof: how far J(θ) lies above the minimum, from strong convexity.

        dual = J(θ) − ‖g‖²/2λ ≤ min J,   g a subgradient at θ

    Exact     as far as value and slope are
    """
    # Proof: J(z) ≥ J(θ) + gᵀ(z − θ) + ½λ‖z − θ‖² for all z; the right side is least at z = θ − g/λ.
    g, value = gradient(problem, theta), objective(problem, theta)
    gap, worst = g @ g / (2 * problem.lam), g.largest()
    where = f"gradient, variable {list(map(abs, g)).index(worst)}" if worst else ""
    return Certificate("feasible" if worst else "optimal", value, value - gap, gap, worst, where, {"theta": True})
