"""Anderson acceleration of the EM algorithm (Anderson 1965; Walker and Ni 2011), safeguarded by the likelihood.

The same fixed points as `em`, the page, in fewer steps. One EM step is a map θ → M(θ) with the residual r = M(θ) − θ.
From the last steps, with ΔR the differences of their residuals and ΔM those of their images,

    γ minimises ‖r − ΔR γ‖,    θ′ = M(θ) − ΔM γ

and the next step of EM begins from θ′, unless ℓ is lower after it; then it begins from the last mixture, and the
differences are collected anew, as in Henderson and Varadhan (2019). θ holds the coefficients of the exponents,
log πₖᵣφ(x; μₖᵣ, Σ) = aₖᵣ·x + bₖᵣ + what all subclasses of a class share: every θ makes shares that are positive and sum
to one, so that θ′ needs no constraints. Lengths are those of the exponents over the points of the class, free of units.

The first steps are those of EM alone, until no share changes by more than a thousandth: they choose among stationary
points. Every later step is one of EM, too, from the shares of the last mixture or of θ′, and the iteration ends where
such a step changes no share by more than is asked: at a fixed point of EM. ℓ never falls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import sub
from typing import Optional

from refclass.errors import NoAnswer
from refclass.linear.combination import total
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.number.tolerance import THRESHOLD
from refclass.optimise.mixture import em
from refclass.optimise.mixture.em import State
from refclass.optimise.mixture.likelihood import Mixture, Problem, Shares, factored, linear, normalised

NEAR = 1000  # one over the largest change of a share at which steps are extrapolated: before, EM chooses the point
MOST = 8  # differences that are kept

Lines = list[list[tuple[Vector, Number]]]  # for each class and subclass a and b


def steps(F: Field, problem: Problem, start: Shares) -> Iterator[State]:
    """Yield the states, as `em.steps` does, until a step of EM changes the shares by no more than roundoff.

    Given     a problem of variant "exact"; subclasses may be dropped on the way
    Cost      n(3R − 2)p multiplications for a step that is extrapolated, for others that of `em`
    Raises    NoAnswer as `em.steps`
    """
    state, known = em.started(F, problem, start), Differences(F, problem)
    yield state
    while not state.settled:
        trial = known.extrapolated()
        found = None if trial is None else _after(state, trial)
        if trial is not None and found is None:
            known.forget()
        if trial is None or found is None:
            begun, state = coefficients(F, problem, state.x), em.advanced(state)
        else:
            begun, state = trial, found
        yield state
        if state.within(F.kind(1) / NEAR):
            known.add(begun, coefficients(F, problem, state.x))
        else:
            known.forget()


class Differences:
    """The differences of the last steps.

    image, residual      M(θ) and M(θ) − θ of the last step; empty without one
    images, residuals    their differences from those of the step before, the oldest first
    products             for each residual difference its inner products with those up to it
    """

    def __init__(self, F: Field, problem: Problem) -> None:
        self.F, self.problem = F, problem
        self.shape: list[int] = []
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.image, self.residual = Vector.of([]), Vector.of([])
        self.images, self.residuals, self.products = list[Vector](), list[Vector](), list[list[Number]]()

    def add(self, begun: Lines, ended: Lines) -> None:
        """Take a step of EM from some coefficients to others."""
        shape = list(map(len, ended))
        if shape != self.shape or list(map(len, begun)) != shape:  # a subclass was dropped
            self.forget()
            self.shape = shape
            if list(map(len, begun)) != shape:
                return
        image = _flat(ended)
        residual = Vector.of(map(sub, image, _flat(begun)))
        if self.image:
            self.images.append(Vector.of(map(sub, image, self.image)))
            self.residuals.append(Vector.of(map(sub, residual, self.residual)))
            self.products.append(self.inner(self.residuals[-1]))
        self.image, self.residual = image, residual
        if len(self.images) > MOST:
            del self.images[0], self.residuals[0], self.products[0]
            self.products = [row[1:] for row in self.products]

    def inner(self, own: Vector) -> list[Number]:
        """Return the inner products with the residual differences, Σ wᵢ(a·xᵢ + b)(c·xᵢ + d) over points and subclasses.

        The points are measured from the mean of their class.
        """
        weighted: list[Number] = []
        p, place = len(self.problem.X[0]), 0
        for group, subclasses in zip(self.problem.groups, self.shape):
            for _ in range(subclasses):
                weighted += [*group.scatter @ Vector.of(own[place : place + p]), group.size * own[place + p]]
                place += p + 1
        return [dot(tuple(weighted), other) for other in self.residuals]

    def extrapolated(self) -> Optional[Lines]:
        """Return θ′; None where no differences are known, or none that is not zero."""
        F, sizes = self.F, [row[-1] for row in self.products]
        if not sizes or not min(sizes) > 0:
            return None
        units, m = list(map(F.sqrt, sizes)), range(len(sizes))
        # Method: the differences shrink as the iteration ends: in units of their lengths, and with some roundoff on the
        # diagonal, the normal equations have a solution whatever depends on what.
        ridge = THRESHOLD**2 * F.eps
        rows = [[self.products[max(i, j)][min(i, j)] / (units[i] * units[j]) for j in m] for i in m]
        for i in m:
            rows[i][i] = 1 + ridge
        b = Vector.of([v / u for v, u in zip(self.inner(self.residual), units)])
        try:
            solved = cholesky.factor(F, Matrix.of(list(map(Vector.of, rows)))).solve(b)
        except NoAnswer:
            return None
        change = total([v / u for v, u in zip(solved, units)], self.images)
        return self._lines(Vector.of(map(sub, self.image, change)))

    def _lines(self, flat: Sequence[Number]) -> Lines:
        found, place, p = list[list[tuple[Vector, Number]]](), 0, len(self.problem.X[0])
        for subclasses in self.shape:
            starts = range(place, place + subclasses * (p + 1), p + 1)
            found.append([(Vector.of(flat[k : k + p]), flat[k + p]) for k in starts])
            place += subclasses * (p + 1)
        return found


def _after(last: State, lines: Lines) -> Optional[State]:
    """Return the state after an EM step from the coefficients; None where ℓ is lower there."""
    F, problem = last.field, last.problem
    try:
        found = em.after(last, _shares(F, problem, lines))
    except NoAnswer:  # a subclass has lost its points, or Σ its rank, beyond what EM itself would do
        return None
    return found if found.value >= last.value - THRESHOLD * F.eps * found.scale else None


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


def _flat(lines: Lines) -> Vector:
    return Vector.of([v for own in lines for a, b in own for v in (*a, b)])


def _shares(F: Field, problem: Problem, lines: Lines) -> Shares:
    """Return the shares that the coefficients make."""
    found = []
    for group, own in zip(problem.groups, lines):
        columns, _ = normalised(F, [linear(group, a, b) for a, b in own])
        found.append(columns)
    return tuple(found)
