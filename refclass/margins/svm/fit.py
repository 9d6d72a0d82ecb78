"""Training a machine: which solver iterations, how its answer becomes exact, and the function that comes of it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact, Refusal
from refclass.kernels.gram import Rows
from refclass.kernels.kernel import Kernel
from refclass.kernels.linear import Linear
from refclass.kernels.product import linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.margins.svm import certificate, crossover, safeguard, squared
from refclass.margins.svm.candidate import candidate, exactly
from refclass.margins.svm.soft import Machine, intercept_interval, primal_objective, product
from refclass.number.binary64 import BINARY64, held
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import crossover as refine
from refclass.optimise.active_set import primal
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import chunking, coordinate_ascent, fixed_size, smo
from refclass.optimise.decomposition import solver as working_set
from refclass.optimise.linear_svm import solver as linear_svm
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.definiteness import definite

SOLVERS: dict[str, Callable[..., quadratic.Answer]] = {
    "active_set": active_set.solve,
    "primal_active_set": primal.solve,
    "working_set": working_set.solve,
    "smo": smo.solve,
    "chunking": chunking.solve,
    "decomposition": fixed_size.solve,
    "gradient_ascent": coordinate_ascent.solve,
}
TO_THE_END = ("active_set", "primal_active_set")  # solvers that need no tolerance, and are exact from the start


@dataclass(frozen=True)
class Trained:
    """A trained machine.

    alpha        n multipliers ≥ 0
    beta0        the intercept: the middle of `interval`
    interval     the least and the largest optimal intercept; equal where it is unique
    square       ‖f‖²
    objective, dual_objective    the values of primal and dual, in the machine's arithmetic
    steps        how many steps the solver took
    ceiling      the digits of the optimum rounded to doubles, where it was computed
    """

    alpha: Vector
    beta0: Number
    interval: tuple[Number, Number]
    square: Number
    objective: Number
    dual_objective: Number
    steps: int
    ceiling: Optional[float] = None


@dataclass(frozen=True)
class Model:
    """A decision function f(x) = Σ cᵢ K(xᵢ, x) + β₀, with β = Σ cᵢ xᵢ where the kernel is linear  [ESL-12.24].

    F, G     the field of its values, and the field in which the kernel is computed
    """

    F: Field
    G: Field
    kernel: Kernel
    points: tuple[Any, ...]
    coefficients: Vector
    beta0: Number
    beta: Optional[Vector]

    def scores(self, Z: Any) -> Vector:
        """Return f(z) for every point z.

        Cost      p multiplications a point for a linear kernel, else a kernel value for each support point
        """
        if self.beta is not None:
            return Vector.of([dot(self.beta, z) + self.beta0 for z in Z])
        rows = (self.kernel.row(self.G, z, self.points) for z in Z)
        if self.G is not self.F:
            rows = (Vector.of(map(self.F.lift, row)) for row in rows)
        return Vector.of([dot(self.coefficients, row) + self.beta0 for row in rows])


def model(F: Field, G: Field, kernel: Kernel, points: tuple[Any, ...], coefficients: Vector, beta0: Number) -> Model:
    """Return the decision function of support points and their signed multipliers  [ESL-12.17] [ESL-12.20]."""
    beta = None
    if isinstance(kernel, Linear):
        beta = Vector.of([dot(coefficients, column) for column in zip(*points)])
    return Model(F, G, kernel, points, coefficients, beta0, beta)


def train(
    F: Field, machine: Machine, *, solver: str = "auto", tol: Any = None, max_iter: Optional[int] = None
) -> Trained:
    """Return the machine trained in its own arithmetic  [ESL-12.13] [ISML-27.3] [MMST-11.48].

    In floats the solver's answer is the answer. In exact arithmetic and in decimals the data are rational numbers: a
    float iteration finds which multipliers lie at 0, at C and between, and the exact optimum is computed from there and
    proven; "active_set" and "primal_active_set" iterate exactly from the start instead. Decimals are that optimum,
    rounded.

    tol         the largest violation at which a solver that has a tolerance stops: all but active_set, long_step,
                primal_active_set, and Newton's method for squared slack, which end at the optimum itself
    max_iter    the most steps that a float iteration may take, or the exact one of active_set, primal_active_set

    Raises      InvalidInput for an unknown solver; NoAnswer if there is no optimum; NotConverged after max_iter steps;
                NotExact where the objective is beyond the range of doubles
    """
    if solver not in ("auto", "long_step", *SOLVERS):
        raise InvalidInput("train", need=f"a solver among auto, long_step, {', '.join(SOLVERS)}", got=repr(solver))
    if F.kind is float:
        if solver != "auto" or tol is not None or max_iter is not None:
            return _asked(machine, solver, tol, max_iter)
        return _default(machine)
    exact = machine if F.exact else over(RATIONAL, machine)
    direction = None if exact.positive else definite(exact.K, exact.intercept)[1]
    if direction is not None:
        return _rounded(F, _stationary(exact, solver, tol, max_iter, direction))
    if solver in TO_THE_END:
        answer = SOLVERS[solver](exact.problem(), max_steps=max_iter, convex=True)
    else:
        answer = refine.solve(exact.problem(), _start(exact, solver, tol, max_iter), convex=True)
    return _rounded(F, trained(exact, answer.x, answer.steps, _values(exact, answer)))


def _stationary(machine: Machine, solver: str, tol: Any, max_iter: Optional[int], direction: Vector) -> Trained:
    """Return a machine whose KKT conditions hold exactly, found as if its Gram matrix were positive semidefinite.

    Raises    NoAnswer, with the direction of negative curvature, where that leads to no such machine
    """
    try:
        answer = refine.solve(machine.problem(), _start(machine, solver, tol, max_iter), convex=True)
        found = trained(machine, answer.x, answer.steps, _values(machine, answer))
        if certificate.certify(machine, found.alpha, found.beta0).worst_violation == 0:
            return found
    except (NoAnswer, NotConverged, ZeroDivisionError):
        pass
    need = "a kernel that is positive semidefinite, or a stationary point"
    raise NoAnswer("train", need=need, got="a direction of negative curvature", direction=direction)


def _default(machine: Machine) -> Trained:
    """Return the machine trained in doubles and safeguarded."""
    found, cause = None, None
    try:
        found = trained(machine, *_walk(machine, "auto", None, None))
    except InvalidInput:
        raise
    except Refusal as refusal:
        if isinstance(refusal, NoAnswer) and not machine.bounded and len(machine.y) > crossover.SMALL:
            raise
        cause = refusal
    except ArithmeticError:
        cause = None
    if found is not None and _sure(machine, found):
        return found
    safe = safeguard.safeguarded(machine, None if found is None else found.alpha, cause)
    return _told(machine, safe, 0 if found is None else found.steps)


def _asked(machine: Machine, solver: str, tol: Any, max_iter: Optional[int]) -> Trained:
    """Return the end of the solver that is asked for, its objectives those of the answer where doubles lose them.

    Raises    NotConverged, with bounds on the objective where the solver tells none but its point
    """
    try:
        signed, steps, _ = _walk(machine, solver, tol, max_iter)
        found = trained(machine, signed, steps)  # Premise: K a afresh; what a solver keeps up to date may be roundoff.
    except NotConverged as refusal:
        known = refusal.witness
        if {"primal", "dual"} <= set(known):
            raise
        exact, n = exactly(machine), len(machine.y)
        x = list(known.get("x", ()))[:n]
        alpha = [abs(rational(v)) for v in x] if len(x) == n and all(v - v == 0 for v in x) else [Fraction(0)] * n
        proof = candidate(exact, certificate.feasible(certificate.lifted(exact), alpha), rational).proof
        witness = {**known, "primal": proof.primal, "dual": proof.dual}
        raise NotConverged(refusal.module, need=refusal.need, got=refusal.got, **witness) from None
    if None in machine.costs or _sure(machine, found):
        return found
    proof = certificate.certify(exactly(machine), found.alpha, found.beta0)
    if proof.primal is None or proof.dual is None:
        return found
    with suppress(OverflowError):
        return replace(found, objective=float(proof.primal), dual_objective=float(proof.dual))
    return found


def _sure(machine: Machine, found: Trained) -> bool:
    return safeguard.sure(machine, found.alpha, found.square, found.objective, found.dual_objective)


def _told(machine: Machine, safe: safeguard.Safe, steps: int) -> Trained:
    """Return a safeguarded answer as a machine, its objectives those that are proven, rounded."""
    best = safe.answer
    primal = best.square / 2 if best.proof.primal is None else best.proof.primal
    dual = best.proof.dual if best.proof.dual is not None else primal
    try:
        objective, dual_objective, square = map(float, (primal, dual, best.square))
    except OverflowError:
        raise NotExact("train", need="an answer within the range of doubles", got="a larger one") from None
    return Trained(best.alpha, best.beta0, best.interval, square, objective, dual_objective, steps, safe.ceiling)


def _walk(machine: Machine, solver: str, tol: Any, max_iter: Optional[int]) -> tuple[Vector, int, Optional[Vector]]:
    """Return the signed multipliers that a float solver ends at, its number of steps, and K a if that is known."""
    points = linear_points(machine.K)
    fits = points is not None and not machine.squared
    if solver == "long_step" and not fits:
        raise InvalidInput("train", need="a linear kernel and hinge loss for long_step", got="another machine")
    if fits and solver in ("auto", "long_step"):
        problem = linear_svm.Problem(points, machine.y, machine.costs, machine.intercept)
        found = linear_svm.solve(problem, max_steps=max_iter)
        return found.alpha.times(machine.y), found.steps, None
    if points is not None and solver == "auto" and None not in machine.costs:
        signed, steps = squared.solve(BINARY64, machine, points, max_steps=max_iter)
        return signed, steps, None
    name = "working_set" if solver == "auto" else solver
    options: dict[str, Any] = {} if tol is None or name in TO_THE_END else {"tol": tol}
    if name in TO_THE_END:
        options["convex"] = machine.positive
    try:
        answer = SOLVERS[name](machine.problem(), max_steps=max_iter, **options)
    except NoAnswer:
        if machine.bounded:  # Premise: there is a minimum; a ray or a singular system is roundoff.
            raise NotConverged(name, need="curvature that doubles can tell from none", got="roundoff") from None
        raise
    return answer.x, answer.steps, _values(machine, answer)


def _values(machine: Machine, answer: quadratic.Answer) -> Vector:
    """Return K a, read off the stationarity of the answer: K a − y + ν1 = at_lower − at_upper."""
    nu = answer.nu[0] if answer.nu is not None else machine.y.kind(0)
    return Vector.of([t - nu + low - high for t, low, high in zip(machine.y, answer.at_lower, answer.at_upper)])


def _start(exact: Machine, solver: str, tol: Any, max_iter: Optional[int]) -> Optional[Vector]:
    """Return approximate signed multipliers for the exact solver to start from; none where floats find none."""
    try:
        return _walk(over(BINARY64, exact), solver, tol, max_iter)[0]
    except (NoAnswer, NotConverged, InvalidInput):
        return None  # Premise: whether there is an optimum is for exact arithmetic to say.


def trained(machine: Machine, signed: Vector, steps: int, values: Optional[Vector] = None) -> Trained:
    """Return the machine of signed multipliers a = y∘α with its intercept and objectives; values are K a, if known."""
    alpha = Vector.of(map(abs, signed))  # yᵢaᵢ ≥ 0
    if values is None:
        values = product(machine.curvature(), signed)
    interval = _interval(machine, alpha, values)
    return _valued(machine, signed, alpha, values, (interval[0] + interval[1]) / 2, interval, steps)


def taken(machine: Machine, signed: Vector, beta0: Number) -> Trained:
    """Return the machine of somebody's signed multipliers and intercept, with its objectives: nothing is solved."""
    values, alpha = product(machine.curvature(), signed), signed.times(machine.y)
    return _valued(machine, signed, alpha, values, beta0, _interval(machine, alpha, values), 0)


def _valued(
    machine: Machine,
    signed: Vector,
    alpha: Vector,
    values: Vector,
    beta0: Number,
    interval: tuple[Number, Number],
    steps: int,
) -> Trained:
    plain = values if not machine.squared else product(machine.K, signed)
    square = signed @ plain
    f = Vector.of([v + beta0 for v in plain])
    costs = tuple([0 if c is None else c for c in machine.costs])  # Premise: at C = ∞ there is no slack to pay for.
    primal = primal_objective(square, f, machine.y, costs, machine.squared)
    dual = alpha.sum() - signed @ values / 2
    return Trained(alpha, beta0, interval, square, held("train", primal), held("train", dual), steps)


def _interval(machine: Machine, alpha: Vector, values: Vector) -> tuple[Number, Number]:
    zero = machine.y.kind(0)
    if not machine.intercept:
        return zero, zero
    low, high = intercept_interval(machine, alpha, values)
    free = [a > 0 and (c is None or machine.squared or a < c) for a, c in zip(alpha, machine.costs)]
    if any(free) and low != high:
        # Premise: a free point fixes the intercept; the ends differ by roundoff only, and the books average.
        each = [t - v for t, v, isfree in zip(machine.y, values, free) if isfree]
        low = high = sum(each) / len(each)
    return low, high


def over(F: Field, machine: Machine) -> Machine:
    """Return the machine with its numbers lifted into F: a linear kernel's points, else the Gram matrix's entries."""
    points = linear_points(machine.K)
    K: Any
    if points is not None:
        K = Rows(F, Linear(), Matrix.of([Vector.of(map(F.lift, x)) for x in points]))
    else:
        K = Matrix.of([Vector.of(map(F.lift, machine.K.row(i))) for i in range(len(machine.y))])
    costs = tuple([None if c is None else F.lift(c) for c in machine.costs])
    return replace(machine, K=K, y=Vector.of(map(F.lift, machine.y)), costs=costs)


def _rounded(F: Field, exact: Trained) -> Trained:
    if F.exact:
        return exact
    alpha = Vector.of(map(F.lift, exact.alpha))
    low, high = map(F.lift, exact.interval)
    square, primal, dual = map(F.lift, (exact.square, exact.objective, exact.dual_objective))
    return Trained(alpha, F.lift(exact.beta0), (low, high), square, primal, dual, exact.steps)
