"""A first guess at the solution of a large problem, from a sample of its variables.

In a machine whose multipliers mostly sit at 0 or at C, the decision function is a sum over very many points, and a
quarter of them, each four times as heavy, gives nearly the same function. So the problem on the sample, its bounds
widened in proportion, is solved first. Its gradient, continued to all variables, says for most of them at which bound
they will end; those near the level ν, for which it does not, are the first working set. A large sample gets its own
first guess from a sample of itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Number
from refclass.optimise.quadratic import box
from refclass.optimise.quadratic.certificate import Problem

LARGE = 800  # variables from which on a sample is worth its price
PART, SMALL = 4, 125  # a sample has one variable in four, but not fewer than these if it is a sample's
LOOSE, TIGHT = 0.75, 0.35  # share of the support that may lie between its bounds, in samples of samples and of all
NEAR, MOST = 0.1, 0.25  # part of the variables, those nearest to the level, that remain undecided; more, up to MOST,
LEAST = 240  # if they are fewer than these


def possible(problem: Problem) -> bool:
    """Return whether a guess is worth its price: many variables, Q computed by parts, bounds around zero."""
    if problem.n < LARGE or not hasattr(problem.Q, "part") or (problem.d is not None and problem.d[0] != 0):
        return False
    return all(
        low is not None and high is not None and low <= 0 <= high for low, high in zip(problem.lower, problem.upper)
    )


def sample(problem: Problem, size: int) -> tuple[Problem, list[int]]:
    """Return the problem on about `size` variables, bounds widened in proportion, and the places of its variables.

    The variables are taken evenly from the order of their cᵢ, so that the classes keep their shares.
    """
    step = problem.n // size
    places = sorted(sorted(range(problem.n), key=problem.c.__getitem__)[step // 2 :: step])
    wider = problem.n / len(places)
    E, d = None, problem.d
    if problem.E is not None:
        E = Matrix.of([Vector.of([problem.kind(1)] * len(places))])
    lower = tuple([problem.lower[i] * wider for i in places])
    upper = tuple([problem.upper[i] * wider for i in places])
    return Problem(problem.Q.part(places), problem.c.pick(places), lower, upper, E, d), places


def samples(problem: Problem) -> Iterator[tuple[Problem, Problem, list[int]]]:
    """Yield a sample of the problem, after those of that sample and so on, from the smallest on.

    Each comes with what it is a sample of, before it, and with the places of its variables there, after it.
    """
    nested = [(problem, *sample(problem, problem.n // PART))]
    while nested[-1][1].n >= 2 * SMALL:
        whole = nested[-1][1]
        nested.append((whole, *sample(whole, max(SMALL, whole.n // PART))))
    return reversed(nested)


def share_between(problem: Problem, x: Sequence[Number]) -> float:
    """Return the share of variables between their bounds among those that are not zero."""
    support = [(v, low, high) for v, low, high in zip(x, problem.lower, problem.upper) if v]
    between = [low < v < high for v, low, high in support]
    return between.count(True) / max(1, len(between))


def extend(problem: Problem, places: Sequence[int], x: Sequence[Number], nu: Number) -> tuple[list[Number], list[int]]:
    """Return the guess for all variables, and those left undecided, from the solution x, ν on the sample."""
    moved = [k for k, v in enumerate(x) if v]
    g = box.combine(problem.c, [x[k] for k in moved], [problem.Q.row(places[k]) for k in moved])
    wishes = [-v - nu for v in g]
    order = sorted(range(problem.n), key=lambda i: abs(wishes[i]))
    cut = int(max(NEAR * problem.n, min(LEAST, MOST * problem.n)))
    guess: list[Any] = [problem.kind(0)] * problem.n
    for i in order[cut:]:
        guess[i] = problem.upper[i] if wishes[i] > 0 else problem.lower[i]
    near = order[:cut]
    return guess, near + (_balance(guess, order[cut:]) if problem.E is not None else [])


def _balance(guess: list[Any], order: Sequence[int]) -> list[int]:
    """Make the sum of the guess zero by moving those nearest to the level back towards zero; return who moved."""
    excess, moved = sum(guess), []
    for i in order:
        if guess[i] * excess > 0:
            back = guess[i] if abs(guess[i]) <= abs(excess) else excess
            guess[i], excess = guess[i] - back, excess - back
            moved.append(i)
    return moved
