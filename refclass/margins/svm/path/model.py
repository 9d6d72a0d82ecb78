"""The model of a path: the machine of every λ, in the arithmetic of the answers  [ESL-12.33] [ESL-12.34]."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import repeat
from math import isfinite
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.margins.svm import certificate
from refclass.margins.svm.soft import Machine
from refclass.number.decimals import decimal
from refclass.number.field import Number, finite, rational
from refclass.optimise.path.path_state import State
from refclass.optimise.path.residuals import LEFT
from refclass.optimise.path.solution import Path, Solution
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import fitted_machine, intercept
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.fitted_machine import Fitted
from refclass.regress.kernel.newton import crossover
from refclass.regress.kernel.rounded import rounding


@dataclass(frozen=True)
class Rounding:
    """Multipliers and the intercept of a break point in the arithmetic of the answers.

    beta0      None where it is computed when it is asked for, the best for these multipliers
    ceiling    their digits, the most of all roundings that were tried; None where they are as many as are asked for
    """

    alpha: tuple[Number, ...]
    beta0: Optional[Number]
    ceiling: Optional[float]


@dataclass(frozen=True)
class Model:
    """Every solution for one set of points.

    K             the Gram matrix as given, or a store of its rows
    y             the labels, in the arithmetic of the answers
    path          the path; in decimals where doubles lose it
    held          the Gram matrix with every entry at its exact worth
    moved         (c, the points less c) where the path's inner products are ⟨x − c, z − c⟩
    positive      whether K is known to be positive semidefinite, by a theorem on its kernel
    roundings     None where every break point is reported as the path has it; else one entry for each that is reported:
                  how its multipliers are rounded, None where each is the nearest number

    lambdas       the break points that are reported, falling; equal where numbers do not tell them apart
    alphas        the multipliers αᵢ in [0, 1] there, n for each
    intercepts    β₀ = α₀/λ there
    events        the points that join or leave the edge there: pairs (kind, row), kind one of from_left, from_right,
                  to_left, to_right
    """

    K: Any
    y: Vector
    path: Path
    held: Any
    moved: Optional[tuple[Vector, Matrix]] = None
    positive: bool = True
    roundings: Optional[tuple[Optional[Rounding], ...]] = None

    @property
    def states(self) -> tuple[State, ...]:
        """The break points that are reported, as the path has them."""
        return self.path.states[: None if self.roundings is None else len(self.roundings)]

    @property
    def least(self) -> Number:
        """λ down to which every break point is reported; 0 where there are no more."""
        if len(self.states) < len(self.path.states):
            return self.reported(self.states[-1].lam)
        goes_on = not self.states or LEFT in self.states[-1].below
        return self.reported(self.path.least) if self.path.least and goes_on else self.y.kind(0)

    @property
    def lambdas(self) -> list[Number]:
        """The break points."""
        return [self.reported(s.lam) for s in self.states]

    @property
    def alphas(self) -> list[list[Number]]:
        """The multipliers at each break point  [ESL-12.33]."""
        pairs = zip(self.states, self.roundings or repeat(None))
        return [list(best.alpha if best else self._as_reported(s.alpha)) for s, best in pairs]

    @cached_property
    def intercepts(self) -> list[Number]:
        """β₀ at each break point; of points far from the origin, and where decimals were rounded, for α as rounded."""
        same = self.moved is None and self.path.problem.y.kind is self.y.kind
        found: list[Number] = []
        for s, best in zip(self.states, self.roundings or repeat(None)):
            if best is not None and best.beta0 is not None:
                found.append(best.beta0)
                continue
            near = self.reported(s.alpha0 / s.lam) - self._shift(s.alpha / s.lam)
            alpha = best.alpha if best else self._as_reported(s.alpha)
            found.append(near if same else self.levelled(self.reported(s.lam), alpha, near))
        return found

    def levelled(self, lam: Number, alpha: Sequence[Number], beta0: Number) -> Number:
        """Return the intercept nearest to β₀ that is best for multipliers as rounded, whose rounding moves all of f."""
        if not lam > 0 or not finite(1 / lam):
            return beta0
        cost = 1 / rational(lam)
        near = self.K if self.moved is None and self.positive and self.y.kind is float else None
        low, high = intercept.of_hinges(self.held, self.y, alpha, cost, near)
        return self.reported(min(max(rational(beta0), low), high))

    @property
    def events(self) -> list[list[tuple[str, int]]]:
        """What happens at each break point."""
        return [[(e.kind, e.row) for e in s.events] for s in self.states]

    def reported(self, value: Number) -> Number:
        """Return a number of the path in the arithmetic of the answers."""
        kind = self.y.kind
        if type(value) is kind:
            return value
        return kind(value) if kind is float else decimal(kind.precision).lift(rational(value))

    def _as_reported(self, values: Vector) -> Vector:
        """Return numbers of the path in the arithmetic of the answers."""
        return values if values.kind is self.y.kind else Vector.of(map(self.reported, values))

    def _shift(self, alpha: Vector) -> Number:
        """Return ⟨c, β⟩, β = Σ αᵢyᵢ(xᵢ − c): by so much the intercept is less than that of inner products about c."""
        if self.moved is None:
            return self.y.kind(0)
        origin, points = self.moved
        signed = self._as_reported(alpha).times(self.y)
        return dot(origin, [dot(signed, column) for column in zip(*points)])

    def unmoved(self) -> Path:
        """Return the path with the α₀ that belong to inner products about the origin."""
        found = self.path
        if self.moved is None:
            return found
        states = tuple([replace(s, alpha0=s.alpha0 - self._shift(s.alpha)) for s in found.states])
        head = found.head and (found.head[0], found.head[1] - self._shift(found.start))
        return replace(found, states=states, head=head)

    def machine(self, lam: Number) -> Machine:
        """Return the machine of cost 1/λ  [ESL-12.25].  Raises InvalidInput for λ ≤ 0."""
        if not lam > 0:
            raise InvalidInput("path", need="λ > 0", got=lam)
        return Machine(self.K, self.y, (1 / lam,) * len(self.y), positive=self.positive)

    def at(self, lam: Number) -> Fitted:
        """Return the machine of cost 1/λ trained: multipliers αᵢ/λ, read off the path.

        Exact     yes; of rounded numbers the objectives are those of the answer returned, computed exactly and rounded
        Cost      n, and n multiplications for each support vector
        Raises    InvalidInput for λ ≤ 0; NotConverged for one below `Path.least`
        """
        machine = self.machine(lam)
        if self.y.kind is not float:
            here = self._solution(lam)
            alpha = self._as_reported(here.alpha / here.lam)
            found = fitted_machine.of_multipliers(machine.dual(), alpha.times(self.y))
            return found if self.y.kind is Fraction else self._delivered(machine, found)
        near, held = self.rounded(lam), self._exactly(machine)
        return replace(rounding.delivered(held, near), interval=near.interval)

    def _delivered(self, machine: Machine, found: Fitted) -> Fitted:
        """Return a machine in decimals, a linear one with its coefficients, and with the objectives of these."""
        exact = self._exactly(machine)
        beta = crossover.coefficients(exact, list(map(rational, found.a)))
        if beta is not None:
            found = replace(found, beta=Vector.of(map(self.reported, beta)))
        return training.of_decimals(exact, found)

    def _exactly(self, machine: Machine) -> dual.Machine:
        """Return a machine with its numbers at their exact worth."""
        return certificate.lifted(replace(machine, K=self.held)).dual()

    def _solution(self, lam: Number) -> Solution:
        """Return what the path says of a λ."""
        kind = self.path.problem.y.kind
        return self.path.at(lam if type(lam) is kind else kind(lam))

    def optimum(self, lam: Number, fitted: Fitted) -> Optional[Fitted]:
        """Return the optimum at λ, found from near this answer, rounded, with its proof; None where it is too far."""
        exact = self._exactly(self.machine(lam))
        try:
            best = crossover.optimum(exact, (fitted.a, fitted.beta0))
        except NotConverged:
            return None
        return rounding.delivered(exact, rounding.best(exact, best, together=True), best=best)

    def rounded(self, lam: float) -> rounding.Rounded:
        """Return the answer in doubles at a λ, with its proof.  Raises NotConverged where these do not hold it."""
        machine, here = self.machine(lam), self._solution(lam)
        alpha = here.alpha / here.lam
        low, high = [self.reported(v / here.lam) - self._shift(alpha) for v in here.interval]
        alpha = Vector.of([min(self.reported(a), c) for a, c in zip(alpha, machine.costs)])
        if not all(map(isfinite, (*alpha, low, high))):
            raise NotConverged("path", need="multipliers within the range of doubles", got="larger ones", lam=lam)
        exactly, beta0, signed = replace(machine, K=self.held), (low + high) / 2, alpha.times(self.y)
        exact = crossover.coefficients(exactly.dual(), list(map(rational, signed)))
        beta = None if exact is None else Vector.of(map(float, exact))
        proof = certificate.certify(exactly, alpha, beta0, beta=beta)
        near = rounding.Rounded(signed, beta0, beta, proof, (low, high))
        if near.digits >= ASKED:
            return near
        # Method: the intercept that is best for rounded multipliers, which move f alike at all points far away. Those
        # of a break point change fast beside it: λ as reported may be a little off, and they are better there.
        held, every = self._exactly(machine), [near]
        for values in [alpha, *self._here(lam)]:
            own = Vector.of(values).times(self.y)
            slopes = crossover.coefficients(held, list(map(rational, own)))
            every.append(rounding.judged(held, own, slopes))
        return max(every, key=lambda one: one.digits)

    def _here(self, lam: float) -> Iterator[list[float]]:
        """Yield α/λ of each break point that is reported at λ, where it is a number."""
        for state, best in zip(self.states, self.roundings or repeat(None)):
            if self.reported(state.lam) == lam:
                alpha = best.alpha if best else self._as_reported(state.alpha)
                values = [min(a / lam, 1 / lam) for a in alpha]
                if all(map(isfinite, values)):
                    yield values


def certify(model: Model, lam: Number) -> Certificate:
    """Return the proof of the path's machine at λ, exact  [ESL-12.14] [ESL-12.15] [ESL-12.16]."""
    if model.y.kind is float:
        return model.rounded(lam).proof
    found, machine = model.at(lam), model.machine(lam)
    return certificate.certify(replace(machine, K=model.held), found.alpha, found.beta0)
