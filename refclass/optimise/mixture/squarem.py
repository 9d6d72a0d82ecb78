"""Squared iterative methods for the EM algorithm (Varadhan and Roland 2008, scheme S3), safeguarded by the likelihood.

The same fixed points as `em`, the page, in fewer steps. One EM step is a map θ → M(θ); from two of them,

    r = θ₁ − θ₀,    v = (θ₂ − θ₁) − r,    α = −‖r‖/‖v‖,    θ′ = θ₀ − 2αr + α²v

and M(θ′) is the next iterate where ℓ is no lower there than at θ₂, which is it otherwise. θ holds the coefficients of
the exponents, log πₖᵣφ(x; μₖᵣ, Σ) = aₖᵣ·x + bₖᵣ + what all subclasses of a class share: every θ makes shares that are
positive and sum to one, so that θ′ needs no constraints. Lengths are those of the exponents over the points of the
class, free of units.

The first steps are those of EM alone, until no share changes by more than a thousandth: they choose among stationary
points. Every later step is one of EM, too, from the shares of the last mixture or of θ′, and the iteration ends where
such a step changes no share by more than is asked: at a fixed point of EM. ℓ never falls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Optional

from refclass.errors import NoAnswer
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.mixture import em
from refclass.optimise.mixture.em import State
from refclass.optimise.mixture.likelihood import Mixture, Problem, Shares, factored, linear, normalised

NEAR = 1000  # one over the largest change of a share at which steps are extrapolated: before, EM chooses the point
GROWTH = 4  # the factor by which the longest step grows where it was taken, and shrinks where it failed

Lines = list[list[tuple[Vector, Number]]]  # for each class and subclass a and b


@dataclass
class _Longest:
    """The longest α allowed, in size; one is the step of EM itself."""

    alpha: Number

    def changed(self, used: Number, good: bool) -> None:
        """Let it grow where the longest step was good, and shrink below a step that was not."""
        if good and used >= self.alpha:
            self.alpha = self.alpha * GROWTH
        elif not good:
            self.alpha = max(used / GROWTH, used / used)


def steps(F: Field, problem: Problem, start: Shares) -> Iterator[State]:
    """Yield the states, as `em.steps` does, until a step of EM changes the shares by no more than roundoff.

    Given     a problem of variant "exact"; subclasses may be dropped on the way
    Cost      for every three steps those of `em`, and n·R·p multiplications and n·R exponentials more
    Raises    NoAnswer as `em.steps`
    """
    longest = _Longest(F.kind(GROWTH))
    state = em.started(F, problem, start)
    yield state
    while not state.settled:
        path = [state]
        while len(path) < 3 and not path[-1].settled:
            path.append(em.advanced(path[-1]))
            yield path[-1]
        state = path[-1]
        if not state.settled and state.change * NEAR <= 1:
            found = _extrapolated(path, longest)
            if found is not None:
                state = found
                yield state


def _extrapolated(path: Sequence[State], longest: _Longest) -> Optional[State]:
    """Return the state after an EM step from the extrapolated coefficients; None where ℓ is lower there."""
    last = path[-1]
    F, problem = last.field, last.problem
    lines = [coefficients(F, problem, state.x) for state in path]
    if any([len(c) for c in found] != [len(c) for c in lines[0]] for found in lines):
        return None
    r, v = _differences(lines)
    long, bent = _square(problem, r), _square(problem, v)
    if not long > 0 or not bent > 0:
        return None
    alpha = min(F.sqrt(long / bent), longest.alpha)
    if not alpha > 1:
        longest.changed(longest.alpha, True)
        return None
    moved = [
        [(a + 2 * alpha * da + alpha * alpha * ea, b + 2 * alpha * db + alpha * alpha * eb)
         for (a, b), (da, db), (ea, eb) in zip(*each)]
        for each in zip(lines[0], r, v)
    ]  # fmt: skip
    try:
        found = em.after(last, _shares(F, problem, moved))
    except NoAnswer:  # a subclass has lost its points, or Σ its rank, beyond what EM itself would do
        longest.changed(alpha, False)
        return None
    good = bool(found.value >= last.value - THRESHOLD * F.eps * found.scale)
    longest.changed(alpha, good)
    return found if good else None


def coefficients(F: Field, problem: Problem, mixture: Mixture) -> Lines:
    """Return a and b of each subclass, less the means over the subclasses of the class, which no share depends on."""
    known, found = factored(F, mixture.covariance), []
    for group, pi, means in zip(problem.groups, mixture.weights, mixture.means):
        away = [mean - group.centre for mean in means]
        own = [known.solve(v) for v in away]
        constants = [F.log(weight) - dot(a, v) / 2 for weight, a, v in zip(pi, own, away)]
        middle, level = sum(own[1:], own[0]) / len(own), sum(constants[1:], constants[0]) / len(own)
        found.append([(a - middle, b - level) for a, b in zip(own, constants)])
    return found


def _differences(lines: Sequence[Lines]) -> tuple[Lines, Lines]:
    """Return r = θ₁ − θ₀ and v = θ₂ − 2θ₁ + θ₀."""
    first, second, third = lines
    r = [[(b[0] - a[0], b[1] - a[1]) for a, b in zip(A, B)] for A, B in zip(first, second)]
    s = [[(b[0] - a[0], b[1] - a[1]) for a, b in zip(A, B)] for A, B in zip(second, third)]
    v = [[(b[0] - a[0], b[1] - a[1]) for a, b in zip(A, B)] for A, B in zip(r, s)]
    return r, v


def _square(problem: Problem, lines: Lines) -> Number:
    """Return Σ wᵢ(a·xᵢ + b)² over the points of each class and its subclasses, x measured from the class mean."""
    total = problem.X.kind(0)
    for group, own in zip(problem.groups, lines):
        for a, b in own:
            total = total + dot(a, group.scatter @ a) + group.size * b * b
    return total


def _shares(F: Field, problem: Problem, lines: Lines) -> Shares:
    """Return the shares that the coefficients make."""
    found = []
    for group, own in zip(problem.groups, lines):
        columns, _ = normalised(F, [linear(group, a, b) for a, b in own])
        found.append(columns)
    return tuple(found)
