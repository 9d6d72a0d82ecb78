"""Training a machine: which solver iterates, how its answer becomes exact, and the function that comes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Callable, Optional

from refclass.certificate import ASKED, lost
from refclass.errors import InvalidInput, NoAnswer, NotConverged, quoted
from refclass.kernels.kernel import Kernel
from refclass.kernels.linear import Linear
from refclass.kernels.matrices import expansions, gram
from refclass.kernels.matrices.product import linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.magnification import refuse_denormal
from refclass.margins.svm import certificate, squared
from refclass.margins.svm.soft import Machine
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, Number, finite, rational
from refclass.optimise.active_set import primal
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import chunking, coordinate_ascent, fixed_size, smo
from refclass.optimise.decomposition import solver as working_set
from refclass.optimise.linear_svm import solver as linear_svm
from refclass.optimise.quadratic import certificate as quadratic
from refclass.regress.kernel import certificate as proven
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import fitted_machine, free_points, premises, stationary
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.fitted_machine import Fitted
from refclass.regress.kernel.newton import crossover
from refclass.regress.kernel.rounded import rounding
from refclass.sample.mean import FAR

SOLVERS: dict[str, Callable[..., quadratic.Answer]] = {
    "active_set": active_set.solve,
    "primal_active_set": primal.solve,
    "working_set": working_set.solve,
    "smo": smo.solve,
    "chunking": chunking.solve,
    "decomposition": fixed_size.solve,
    "gradient_ascent": coordinate_ascent.solve,
}
INSEPARABLE = {  # with an intercept, and without
    True: {"need": "classes that a hyperplane separates", "got": "a point in the convex hulls of both"},
    False: {
        "need": "classes that a hyperplane through the origin separates",
        "got": "the origin in the convex hull of the points of one class and the negatives of the other",
    },
}
MOST_MEASURED = 500  # points, up to which a solver that is asked for is tried again: n² kernel values in fractions
TO_THE_END = ("active_set", "primal_active_set")  # solvers that need no tolerance, and are exact from the start


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
            rows = expansions.linear([(self.beta, self.beta0)], Z)
        else:
            functions = [(self.coefficients, self.beta0)]
            rows = expansions.expanded(self.F, self.G, self.kernel, self.points, functions, Z)
        return Vector.of([f for (f,) in rows])


def model(
    F: Field, G: Field, kernel: Kernel, points: Any, coefficients: Vector, beta0: Number, beta: Optional[Vector] = None
) -> Model:
    """Return the decision function of support points and their signed multipliers  [ESL-12.17] [ESL-12.20].

    beta    the coefficients of a linear function, where they are known to more digits than the multipliers give
    """
    if beta is None and isinstance(kernel, Linear):
        beta = expansions.normal(coefficients, points)
    return Model(F, G, kernel, points, coefficients, beta0, beta)


def train(
    F: Field, machine: Machine, *, solver: str = "auto", tol: Any = None, max_iter: Optional[int] = None
) -> Fitted:
    """Return the machine trained in its own arithmetic, signed multipliers  [ESL-12.13] [ISML-27.3] [MMST-11.48].

    By default it is fitted as every kernel machine is (`regress.kernel.fit`): doubles are proven to nine digits, or to
    all that they can hold. In floats the answer of a solver that is asked for is the answer. In exact arithmetic and in
    decimals the solver finds which multipliers lie at 0, at C and between, and the exact optimum is computed from there
    and proven; "active_set" and "primal_active_set" iterate exactly from the start instead.

    tol         the largest violation at which a solver that has a tolerance stops: all but active_set, long_step,
                primal_active_set, and Newton's method for squared slack, which end at the optimum itself
    max_iter    the most steps that a float iteration may take, or the exact one of active_set, primal_active_set

    Raises      InvalidInput for an unknown solver; NoAnswer if there is no optimum; NotConverged after max_iter steps;
                NotExact where the objective is beyond the range of doubles
    """
    try:
        return _trained(F, machine, solver, tol, max_iter)
    except NoAnswer as refusal:
        if not machine.positive or not {"ray", "weights"} & set(refusal.witness):
            raise
        raise NoAnswer(refusal.module, **INSEPARABLE[machine.intercept], **refusal.witness) from None


def _trained(F: Field, machine: Machine, solver: str, tol: Any, max_iter: Optional[int]) -> Fitted:
    if solver not in ("auto", "long_step", *SOLVERS):
        raise InvalidInput("train", need=f"a solver among auto, long_step, {', '.join(SOLVERS)}", got=quoted(solver))
    if F.kind is float and (solver != "auto" or tol is not None or max_iter is not None):
        return _asked(machine, solver, tol, max_iter)
    if solver in TO_THE_END and machine.positive:
        exact = free_points.in_fractions(certificate.lifted(machine if F.exact else exactly(machine)).dual())
        found = free_points.ended(exact, partial(SOLVERS[solver], max_steps=max_iter, convex=True))
        return found if F.exact else training.held(F, exact, found)

    def own(doubles: dual.Machine) -> Fitted:
        return solved(
            machine if F.kind is float else of_dual(machine, BINARY64, doubles), doubles, solver, tol, max_iter
        )

    def whole() -> dual.Machine:
        return certificate.lifted(exactly(machine)).dual()

    found = training.fit(F, machine.dual(), whole, solver=own, together=True, stationary=True)
    if F.kind is float:
        refuse_denormal(lambda: whole().K, found.a, found.values, found.beta0)
    return found


def _asked(machine: Machine, solver: str, tol: Any, max_iter: Optional[int]) -> Fitted:
    """Return the end of the solver that is asked for, with its proof where doubles alone do not show its digits.

    Raises    NoAnswer, with an exact ray, where classes of infinite cost cannot be separated; NotConverged, with
              bounds on the machine's objective: those that a solver reports are its own problem's; so too where less
              than one digit is proven of its end
    """
    try:
        found = solved(machine, machine.dual(), solver, tol, max_iter, afresh=True)
        if not finite(found.square):
            raise NotConverged(solver, need="multipliers of which doubles hold ‖f‖²", got=f"‖f‖² = {found.square}")
    except (NoAnswer, NotConverged) as refusal:
        if isinstance(refusal, NoAnswer) and not machine.positive:
            return _stationary(machine, refusal)
        exact, n = certificate.lifted(exactly(machine)).dual(), len(machine.y)
        # Where the user limits the steps, others from another start are none of them.
        again = None if max_iter is not None else _about_the_first_point(machine, exact, solver, tol, max_iter)
        if again is not None:
            return again
        known, need, got = refusal.witness, refusal.need, refusal.got
        if isinstance(refusal, NoAnswer):  # a solver in doubles finds a ray to a tolerance
            known, need, got = {}, "a function that separates the classes, or a proof that none does", "roundoff"
            try:
                premises.refuse_inseparable(exact, refusal, every=True)
            except NotConverged as rounded:
                known, need, got = rounded.witness, rounded.need, rounded.got
        x = list(known.get("x", ()))[:n]
        reported = Vector.of(x if len(x) == n and all(v - v == 0 for v in x) else [float(0)] * n)
        proof = rounding.judged(exact, proven.feasible(exact, Vector.of(map(rational, reported)))).proof
        raise NotConverged(
            refusal.module, need=need, got=got, **{**known, "primal": proof.primal, "dual": proof.dual}
        ) from None
    if premises.doubles_suffice(machine.dual(), found):
        return found
    whole = exactly(machine)
    coefficients = crossover.coefficients(whole.dual(), list(map(rational, found.a)))
    beta = None if coefficients is None else Vector.of(map(float, coefficients))
    proof = certificate.certify(whole, found.alpha, found.beta0, beta=beta)
    digits = proof.digits or float(0)
    if proof.dual is not None and max_iter is None and digits < ASKED and (digits < 1 or _is_far(machine)):
        again = _about_the_first_point(machine, certificate.lifted(whole).dual(), solver, tol, max_iter)
        if again is not None and again.proven is not None and (again.proven.digits or 0) > digits:
            return again
    if proof.dual is not None and proof.status == "not converged":
        raise lost(solver, proof.digits, proof)
    return found if proof.dual is None else replace(found, proven=proof, objectives=None, beta=beta)


def _is_far(machine: Machine) -> bool:
    """Return whether points lie so much further from the origin than from the first one that K loses their digits."""
    first, at = machine.K.row(0), machine.K.diagonal()
    return bool(max(at) > FAR * FAR * max([v - 2 * k + at[0] for v, k in zip(at, first)]))


def _about_the_first_point(
    machine: Machine, exact: dual.Machine, solver: str, tol: Any, max_iter: Optional[int]
) -> Optional[Fitted]:
    """Return what the solver that is asked for ends at where K is rounded after it is measured from the first point.

    With an intercept Kᵢⱼ − Kᵢ₀ − K₀ⱼ + K₀₀ has the same optima, since multipliers sum to zero; far from the origin it
    has the digits that doubles of K lose. None where the solver refuses that, too, less than a digit is proven, or of
    many points.
    """
    n = len(machine.y)
    if not machine.intercept or solver not in SOLVERS or n > MOST_MEASURED or not machine.positive:
        return None
    rows = [exact.K.row(i) for i in range(n)]
    first = [v - rows[0][0] / 2 for v in rows[0]]
    try:
        K = Matrix.of([Vector.of([float(v - a - b) for v, b in zip(row, first)]) for row, a in zip(rows, first)])
        doubles = replace(machine.dual(), K=K)
        found = fitted_machine.fitted(doubles, _iterated(machine, doubles, SOLVERS[solver], solver, tol, max_iter))
    except (NoAnswer, NotConverged, OverflowError):
        return None
    near = list(map(rational, found.a))
    ways = rounding.candidates(exact, Vector.of(near), crossover.coefficients(exact, near), together=True)
    best = max(ways, key=lambda one: one.digits)
    return rounding.delivered(exact, best, found.steps) if best.digits >= 1 else None


def _iterated(
    machine: Machine, doubles: dual.Machine, engine: Any, name: str, tol: Any, max_iter: Optional[int]
) -> quadratic.Answer:
    """Return the end of a solver by its name, with the options that it takes."""
    options: dict[str, Any] = {} if tol is None or name in TO_THE_END else {"tol": tol}
    if name in TO_THE_END:
        options["convex"] = machine.positive
    return engine(doubles.problem(), max_steps=max_iter, **options)  # type: ignore[no-any-return]


def _stationary(machine: Machine, refusal: NoAnswer) -> Fitted:
    """Return a stationary point in doubles where a solver refused what is not convex, as in the other arithmetics.

    Raises    the refusal where the problem is convex, or has more than `premises.SMALL` points
    """
    exact = certificate.lifted(exactly(machine)).dual()
    if len(machine.y) > premises.SMALL or premises.direction_of(exact) is None:
        raise refusal
    return rounding.delivered(exact, stationary.in_doubles(exact, None, None))


def solved(
    machine: Machine,
    doubles: dual.Machine,
    solver: str = "auto",
    tol: Any = None,
    max_iter: Optional[int] = None,
    afresh: bool = False,
) -> Fitted:
    """Return the machine in doubles that a solver ends at.

    afresh    whether K a is computed anew: what a solver keeps up to date may be roundoff
    """
    points = linear_points(machine.K)
    fits = points is not None and not machine.squared
    if solver == "long_step" and not fits:
        raise InvalidInput("train", need="a linear kernel and hinge loss for long_step", got="another machine")
    if fits and solver in ("auto", "long_step"):
        problem = linear_svm.Problem(points, machine.y, machine.costs, machine.intercept)
        found = linear_svm.solve(problem, max_steps=max_iter)
        parts = fitted_machine.settled(doubles, tuple(zip(found.alpha.times(machine.y))))
        return fitted_machine.described(doubles, parts, found.steps)
    if points is not None and solver == "auto" and None not in machine.costs:
        signed, steps = squared.solve(BINARY64, machine, points, max_steps=max_iter)
        return fitted_machine.of_multipliers(doubles, signed, steps=steps)
    if solver == "auto" and doubles.positive:
        premises.refuse_singular(doubles)
    name = "working_set" if solver == "auto" else solver
    try:
        engine = working_set.ended if solver == "auto" else SOLVERS[name]
        answer = _iterated(machine, doubles, engine, name, tol, max_iter)
    except NoAnswer:
        if doubles.bounded:  # Premise: there is a minimum; a ray or a singular system is roundoff.
            raise NotConverged(name, need="curvature that doubles distinguish from none", got="roundoff") from None
        raise
    return fitted_machine.fitted(doubles, answer, afresh=afresh)


def exactly(machine: Machine) -> Machine:
    """Return the machine with the Gram matrix of a rational kernel computed in fractions; another as it is held."""
    K = machine.K
    return replace(machine, K=gram.exactly(K.kernel, K.X, K)) if isinstance(K, gram.Rows) else machine


def of_dual(machine: Machine, F: Field, lifted: dual.Machine) -> Machine:
    """Return the machine over F whose dual is known."""
    costs = tuple([None if c is None else F.lift(c) for c in machine.costs])
    return replace(machine, K=lifted.K, y=lifted.y, costs=costs)
