"""A first guess at the solution of a large problem, from samples of its variables.

The multipliers of a machine mostly sit at 0 or at C. Its function is then a sum over very many points, and a quarter of
them, each four times as heavy, gives nearly the same function. So the problem on a sample, its bounds widened in
proportion, is solved roughly first; its gradient, continued to all variables, says for most of them at which bound they
will end. Solutions of small problems that begin larger ones: Graf, Cosatto, Bottou, Dourdanovic and Vapnik (2005);
Razzaghi and Safro (2015).
"""

from __future__ import annotations

from collections.abc import Sequence

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.quadratic import box_rows
from refclass.optimise.quadratic.certificate import Problem

LARGE = 1500  # variables from which on a sample is worth its price
PART = 4  # a sample has one variable in so many
FREE = 0.35  # share of the support that may lie between its bounds
NEAR = 0.1  # part of the variables that is left at zero


def possible(problem: Problem) -> bool:
    """Return whether a guess is worth its price: many variables, Q computed by parts, zero between all bounds."""
    if problem.n < LARGE or not hasattr(problem.Q, "part") or (problem.d is not None and problem.d[0] != 0):
        return False
    return all(
        low is not None and high is not None and low <= 0 <= high for low, high in zip(problem.lower, problem.upper)
    )


def sample(problem: Problem) -> tuple[Problem, list[int]]:
    """Return the problem on a part of its variables, bounds widened in proportion, and the places of its variables.

    The variables are taken evenly from the order of their cᵢ, so that the classes keep their shares.
    """
    places = sorted(sorted(range(problem.n), key=problem.c.__getitem__)[PART // 2 :: PART])
    wider = problem.n / len(places)
    E = None if problem.E is None else Matrix.of([Vector.of([problem.kind(1)] * len(places))])
    lower, upper = (tuple([ends[i] * wider for i in places]) for ends in (problem.lower, problem.upper))
    return Problem(problem.Q.part(places), problem.c.pick(places), lower, upper, E, problem.d), places


def trusted(part: Problem, x: Sequence[float]) -> bool:
    """Return whether few enough variables of a sample's solution lie between their bounds."""
    support = [low < v < high for v, low, high in zip(x, part.lower, part.upper) if v]
    return support.count(True) <= FREE * max(1, len(support))


def extend(problem: Problem, places: Sequence[int], x: Sequence[float], nu: float) -> list[float]:
    """Return the guess for all variables from the solution x, ν on the sample: a bound, or zero near the level."""
    moved = [k for k, v in enumerate(x) if v]
    g = box_rows.combine(problem.c, [x[k] for k in moved], [problem.Q.row(places[k]) for k in moved])
    falls = [v + nu for v in g]
    order = sorted(range(problem.n), key=lambda i: abs(falls[i]))
    cut = int(NEAR * problem.n)
    guess = [problem.kind(0)] * problem.n
    for i in order[cut:]:
        guess[i] = problem.lower[i] if falls[i] > 0 else problem.upper[i]
    if problem.E is not None:
        _balance(guess, order[cut:])
    return guess


def _balance(guess: list[float], order: Sequence[int]) -> None:
    """Make the sum of the guess zero by moving those nearest to the level back towards zero."""
    excess = sum(guess)
    for i in order:
        if guess[i] * excess > 0:
            back = guess[i] if abs(guess[i]) <= abs(excess) else excess
            guess[i], excess = guess[i] - back, excess - back
