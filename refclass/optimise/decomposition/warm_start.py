"""A first guess at the solution of a large problem, from samples of its variables.

The multipliers of a machine mostly sit at 0 or at C. Its function is then a sum over very many points, and a quarter of
them, each four times as heavy, gives nearly the same function. So the problem on a sample, its bounds widened in
proportion, is solved roughly first, beginning with a sample of the sample; its gradient, continued to all variables,
says for most of them at which bound they will end. Solutions of small problems that begin larger ones: Graf, Cosatto,
Bottou, Dourdanovic and Vapnik (2005); Razzaghi and Safro (2015).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.quadratic import box_rows
from refclass.optimise.quadratic.certificate import Problem

LARGE = 1500  # variables from which on a sample is worth its price
PART, SMALL = 4, 125  # a sample has one variable in four, but not fewer than these if it is a sample's
LOOSE, TIGHT = 0.75, 0.35  # share of the support that may lie between its bounds, in samples of samples and of all
NEAR, MOST, LEAST = 0.1, 0.25, 240  # part of the variables left at zero; more, up to the next, if these are too few


def possible(problem: Problem) -> bool:
    """Return whether a guess is worth its price: many variables, Q computed by parts, zero between all bounds."""
    if problem.n < LARGE or not hasattr(problem.Q, "part") or (problem.d is not None and problem.d[0] != 0):
        return False
    return all(
        low is not None and high is not None and low <= 0 <= high for low, high in zip(problem.lower, problem.upper)
    )


def samples(problem: Problem) -> Iterator[tuple[Problem, Problem, list[int]]]:
    """Yield a sample of the problem, after those of that sample and so on, from the smallest on.

    Each comes with what it is a sample of, before it, and with the places of its variables there, after it.
    """
    nested = [(problem, *_sample(problem, problem.n // PART))]
    while nested[-1][1].n >= 2 * SMALL:
        whole = nested[-1][1]
        nested.append((whole, *_sample(whole, max(SMALL, whole.n // PART))))
    return reversed(nested)


def _sample(problem: Problem, size: int) -> tuple[Problem, list[int]]:
    """Return the problem on about `size` variables, bounds widened in proportion, and the places of its variables.

    The variables are taken evenly from the order of their cᵢ, so that the classes keep their shares.
    """
    step = problem.n // size
    places = sorted(sorted(range(problem.n), key=problem.c.__getitem__)[step // 2 :: step])
    wider = problem.n / len(places)
    E = None if problem.E is None else Matrix.of([Vector.of([problem.kind(1)] * len(places))])
    lower, upper = (tuple([ends[i] * wider for i in places]) for ends in (problem.lower, problem.upper))
    return Problem(problem.Q.part(places), problem.c.pick(places), lower, upper, E, problem.d), places


def trusted(part: Problem, x: Sequence[float], last: bool) -> bool:
    """Return whether few enough variables of a sample's solution lie between their bounds, of all or of a sample."""
    support = [low < v < high for v, low, high in zip(x, part.lower, part.upper) if v]
    return support.count(True) <= (TIGHT if last else LOOSE) * max(1, len(support))


def extend(problem: Problem, places: Sequence[int], x: Sequence[float], nu: float) -> list[float]:
    """Return the guess for all variables from the solution x, ν on the sample: a bound, or zero near the level."""
    moved = [k for k, v in enumerate(x) if v]
    g = box_rows.combine(problem.c, [x[k] for k in moved], [problem.Q.row(places[k]) for k in moved])
    falls = [v + nu for v in g]
    order = sorted(range(problem.n), key=lambda i: abs(falls[i]))
    cut = int(max(NEAR * problem.n, min(LEAST, MOST * problem.n)))
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
