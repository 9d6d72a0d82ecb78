"""The soft-margin machines of every λ at once: model of the path  [ESL-12.33] [ESL-12.34] [ESL-12.3.5-path].

    minimise Σ [1 − yᵢf(xᵢ)]₊ + (λ/2) ‖f‖²,   f = (1/λ) (Σ αᵢyᵢK(·, xᵢ) + α₀),   0 ≤ αᵢ ≤ 1

At λ that is the machine of cost C = 1/λ, whose multipliers are αᵢ/λ. The printed [ESL-12.34] omits α₀ [ERR-ESL-05].

Doubles follow a path well where inner products differ by more than their roundoff. They are taken about a point among
the data where those lie far from the origin, and the last break point is proven, exactly. Where that proof fails, where
doubles lose the path, and where they cannot decide whether more break points follow, decimals of 200 digits go on from
the last one that is proven, or from the first; their answers are rounded. Where decimals lose all of the path, as where
K is of low rank and its entries are far larger than their differences, few points are followed in fractions. Where the
decimals asked for lose the path, as a cubic kernel's of points far from the origin, 200 digits follow it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, NoAnswer, NotConverged
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.margins.svm import certificate
from refclass.margins.svm.path_numbers import (
    DIGITS,
    WORK,
    about_median,
    decimal_problem,
    lifted_problem,
    problem,
    table,
)
from refclass.margins.svm.soft import Machine
from refclass.number.decimals import decimal
from refclass.number.field import Number, rational
from refclass.number.rational import RATIONAL
from refclass.optimise.path import hastie, path_state
from refclass.optimise.path import solution as path
from refclass.optimise.path.residuals import ELBOW, LEFT
from refclass.optimise.path.segments import Place
from refclass.optimise.path.solution import Path, Solution
from refclass.optimise.quadratic.definiteness import definite
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import fitted_machine, intercept, rounding
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.fitted_machine import Fitted
from refclass.regress.kernel.newton import crossover

SOLVERS = ("auto", "hastie")
FEW, LONGER = 60, 20  # points up to which fractions follow where decimals lose the path, and what their units cost
NEXT = Fraction(1, 2**20)  # of the way to the next break point: where decimals go on
FAR = 2**8  # the squared size of points over that of their differences from which on inner products are taken elsewhere


@dataclass(frozen=True)
class Model:
    """Every solution for one set of points.

    K             the Gram matrix as given, or a store of its rows
    y             the labels, in the arithmetic of the answers
    path          the path; in decimals where doubles lose it
    held          the Gram matrix with every entry at its exact worth
    moved         (c, the points less c) where the path's inner products are ⟨x − c, z − c⟩
    positive      whether K is known to be positive semidefinite, by a theorem on its kernel

    lambdas       the break points, falling
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

    @property
    def lambdas(self) -> list[Number]:
        """The break points."""
        return [self._reported(s.lam) for s in self.path.states]

    @property
    def alphas(self) -> list[list[Number]]:
        """The multipliers at each break point  [ESL-12.33]."""
        return [list(self._as_reported(s.alpha)) for s in self.path.states]

    @cached_property
    def intercepts(self) -> list[Number]:
        """β₀ at each break point; of points far from the origin, and where decimals were rounded, for α as rounded."""
        found = [self._reported(s.alpha0 / s.lam) - self._shift(s.alpha / s.lam) for s in self.path.states]
        if self.moved is None and self.path.problem.y.kind is self.y.kind:
            return found
        return list(map(self._levelled, self.lambdas, self.alphas, found))

    def _levelled(self, lam: Number, alpha: Sequence[Number], beta0: Number) -> Number:
        """Return the intercept nearest to β₀ that is best for multipliers as rounded, whose rounding moves all of f."""
        if not lam > 0 or not isfinite(1 / lam):
            return beta0
        cost = 1 / rational(lam)
        near = self.K if self.moved is None and self.positive and self.y.kind is float else None
        low, high = intercept.of_hinges(self.held, self.y, alpha, cost, near)
        return self._reported(min(max(rational(beta0), low), high))

    @property
    def events(self) -> list[list[tuple[str, int]]]:
        """What happens at each break point."""
        return [[(e.kind, e.row) for e in s.events] for s in self.path.states]

    def _reported(self, value: Number) -> Number:
        """Return a number of the path in the arithmetic of the answers."""
        kind = self.y.kind
        if type(value) is kind:
            return value
        return kind(value) if kind is float else decimal(kind.precision).lift(rational(value))

    def _as_reported(self, values: Vector) -> Vector:
        """Return numbers of the path in the arithmetic of the answers."""
        return values if values.kind is self.y.kind else Vector.of(map(self._reported, values))

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
            found = replace(found, beta=Vector.of(map(self._reported, beta)))
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
        """Return the answer in doubles at a λ, with its proof."""
        machine, here = self.machine(lam), self._solution(lam)
        alpha = here.alpha / here.lam
        low, high = [self._reported(v / here.lam) - self._shift(alpha) for v in here.interval]
        alpha = Vector.of([min(self._reported(a), c) for a, c in zip(alpha, machine.costs)])
        held, beta0, signed = replace(machine, K=self.held), (low + high) / 2, alpha.times(self.y)
        exact = crossover.coefficients(held.dual(), list(map(rational, signed)))
        beta = None if exact is None else Vector.of(map(float, exact))
        proof = certificate.certify(held, alpha, beta0, beta=beta)
        return rounding.Rounded(signed, beta0, beta, proof, (low, high))


def fit(K: Any, y: Vector, held: Any = None, *, solver: str = "auto", positive: bool = True) -> Model:
    """Return the whole path for a Gram matrix and labels ±1.

    K         anything with row(i), diagonal() and len()
    held      the same with every entry at its exact worth, if that is another; proofs are about it
    solver    "auto", or "hastie": the algorithm as its paper states it, without decimals where doubles lose the path
    positive  whether K is known to be positive semidefinite, by a theorem on its kernel
    Exact     yes
    Cost      n m + m² multiplications a break point, m points on the edge
    Raises    InvalidInput unless both classes are there; NotConverged where doubles and decimals lose all of the path,
              or the kernel's values, once rounded, are no longer positive semidefinite; NoAnswer with a
              direction of negative curvature where the kernel of a lost path has one
    """
    held = K if held is None else held
    try:
        return replace(_followed(K, y, held, solver), positive=positive)
    except (NoAnswer, NotConverged) as refusal:
        direction = None if positive else definite(held, True)[1]
        if direction is None:
            if isinstance(refusal, NotConverged):
                raise _bounded(refusal, y, held) from None
            need, got = "a Gram matrix that is convex as it is held", "one that roundoff has left without"
            raise _bounded(NotConverged("path", need=need, got=got), y, held) from None
    need = "a kernel that is positive semidefinite, or a path of stationary points"
    raise NoAnswer("path", need=need, got="a direction of negative curvature", direction=direction)


def _bounded(refusal: NotConverged, y: Vector, held: Any) -> NotConverged:
    """Return the refusal of a lost path with bounds on the machine's objective at the λ where it was lost, or at 1.

    They are those of the multipliers known there, else of multipliers that are even in each class, α₀ = 0.
    """
    witness = dict(refusal.witness)
    even = {t: Fraction(min(y.count(1), y.count(-1)), y.count(t)) for t in (1, -1)}
    lam = witness.get("lam", 1)
    cost = 1 / rational(lam) if lam > 0 else Fraction(1)
    machine = Machine(held, y, (cost,) * len(y), positive=True)
    known = [(witness["alpha"], rational(witness["alpha0"]))] if "alpha" in witness else []
    for alpha, alpha0 in (*known, ([even[int(t)] for t in y], Fraction(0))):
        inside = [min(max(rational(a), Fraction(0)), Fraction(1)) * cost for a in alpha]
        proof = certificate.certify(machine, Vector.of(inside), alpha0 * cost)
        if proof.dual is not None and proof.primal is not None:
            break
    bounds = {"lam": 1 / cost, "primal": proof.primal, "dual": proof.dual}
    return NotConverged(refusal.module, need=refusal.need, got=refusal.got, **{**witness, **bounds})


def _followed(K: Any, y: Vector, held: Any, solver: str) -> Model:
    if solver == "hastie":
        return Model(K, y, hastie.solve(path_state.Problem(table(K), y)), held)
    if y.kind is not float:
        return _as_asked(K, y, held)
    try:
        found = _in_doubles(K, y, held)
    except NotConverged:
        return _in_decimals(K, y, held)
    known = _proven(found)
    if not known:
        return _in_decimals(K, y, held)
    if known == len(found.path.states) and not found.path.least and LEFT not in found.path.states[-1].below:
        return found
    return _resumed(found, known)


def _as_asked(K: Any, y: Vector, held: Any) -> Model:
    """Return the path in the arithmetic of the answers, fractions or decimals; in more decimals where these lose it."""
    found, few = None, getattr(y.kind, "precision", DIGITS) < DIGITS
    try:
        found = Model(K, y, path.solve(path_state.Problem(table(K), y)), held)
        if not (few and found.path.least):
            return found
        return _in_decimals(K, y, held)
    except NotConverged:
        if found is not None:
            return found
        if not few:
            raise
    return _in_decimals(K, y, held)


def _in_doubles(K: Any, y: Vector, held: Any) -> Model:
    """Return the path in doubles, with inner products about the points' median where they lie far from the origin."""
    points, far = linear_points(K), False
    if points is not None:
        _, about = about_median(points)
        far = bool(max([dot(x, x) for x in points]) > FAR * max([dot(x, x) for x in about]))
    doubles, moved = problem(K, y, held, decimals=False, about=far)
    return Model(K, y, path.solve(doubles), held, moved)


def _in_decimals(K: Any, y: Vector, held: Any) -> Model:
    """Return the path in decimals, as far as the work goes; in fractions where decimals lose all of it."""
    try:
        return Model(K, y, path.solve(decimal_problem(held, y), WORK), held)
    except NotConverged:
        if len(y) > FEW:
            raise
        return Model(K, y, path.solve(lifted_problem(held, y, RATIONAL), WORK // LONGER), held)


def _proven(model: Model) -> int:
    """Return how many of the break points, from the first on, lead down to one that is proven to the digits asked for.

    Method: bisection. Roundoff grows relative to λ as λ falls.
    """
    good, bad = 0, len(model.path.states) + 1
    while bad - good > 1:
        middle = bad - 1 if bad > len(model.path.states) else (good + bad) // 2
        digits = certify(model, model.path.states[middle - 1].lam).digits
        if digits is not None and digits >= ASKED:
            good = middle
        else:
            bad = middle
    return good


def _resumed(model: Model, known: int) -> Model:
    """Return the path with what follows its known break points in decimals, or no more than these."""
    states = model.path.states
    here, spent = states[known - 1], sum(map(path.cost, states))
    whole = known == len(states) and not model.path.least
    affordable = here.below.count(ELBOW) ** 3 + path.cost(here) <= WORK // 4
    try:
        if affordable and (whole or spent <= WORK):
            before = model.unmoved()
            going = path.resumed(decimal_problem(model.held, model.y), before, _place(model, known), WORK)
            return model if going is before else replace(model, path=going, moved=None)
    except NotConverged:
        if spent <= WORK:
            with suppress(NotConverged):
                return _in_decimals(model.K, model.y, model.held)
    if whole and not affordable:
        return model
    return replace(model, path=replace(model.path, states=states[:known], least=here.lam))


def _place(model: Model, known: int) -> Place:
    """Return a place just below the last of the known break points."""
    F, states = decimal(DIGITS), model.path.states
    here, step = states[known - 1], F.lift(NEXT)
    lam = F.lift(here.lam) * (1 - step)
    if known < len(states):
        lam = lam + F.lift(states[known].lam) * step
    inside = [rational(t) if s == LEFT else Fraction(0) for t, s in zip(model.y, here.below)]
    return Place(lam, here.below, Vector.of(map(F.lift, exact_product(model.held, inside))))


def certify(model: Model, lam: Number) -> Certificate:
    """Return the proof of the path's machine at λ, exact  [ESL-12.14] [ESL-12.15] [ESL-12.16]."""
    if model.y.kind is float:
        return model.rounded(lam).proof
    found, machine = model.at(lam), model.machine(lam)
    return certificate.certify(replace(machine, K=model.held), found.alpha, found.beta0)
