"""Training a machine: which solver walks, how its answer becomes exact, and the function that comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput
from refclass.kernels.kernel import Kernel
from refclass.kernels.linear import Linear
from refclass.linear.vector import Vector, dot
from refclass.margins.soft import Machine, intercept_interval
from refclass.number.field import Field, Number
from refclass.optimise import active_set, chunking, decomposition, gradient_ascent, quadratic, smo, working_set

SOLVERS: dict[str, Callable[..., quadratic.Answer]] = {
    "active_set": active_set.solve,
    "smo": smo.solve,
    "chunking": chunking.solve,
    "decomposition": decomposition.solve,
    "gradient_ascent": gradient_ascent.solve,
    "working_set": working_set.solve,
}


@dataclass(frozen=True)
class Trained:
    """A trained machine.

    alpha        n multipliers ≥ 0
    beta0        the intercept: the middle of `interval`
    interval     the least and the largest optimal intercept; equal where it is unique
    square       ‖f‖²
    objective, dual_objective    the values of primal and dual, in the machine's arithmetic
    steps        how many steps the solver took
    """

    alpha: Vector
    beta0: Number
    interval: tuple[Number, Number]
    square: Number
    objective: Number
    dual_objective: Number
    steps: int


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
    float walk finds which multipliers lie at 0, at C and between, and the exact optimum is computed from there and
    proven; `solver="active_set"` walks exactly from the start instead. Decimals are that optimum, rounded.

    Raises    InvalidInput for an unknown solver; NoAnswer if there is no optimum; NotConverged after max_iter steps
    """
    if solver != "auto" and solver not in SOLVERS:
        raise InvalidInput("train", need=f"a solver among auto, {', '.join(SOLVERS)}", got=repr(solver))
    if F.kind is float:
        return _trained(F, machine, _walk(machine, solver, tol, max_iter))
    exact = _over(RATIONAL, machine)
    if solver == "active_set":
        answer = active_set.solve(exact.problem(), **_given(max_steps=max_iter))
    else:
        answer = refine.solve(exact.problem(), _start(exact, solver, tol, max_iter))
    return _rounded(F, _trained(RATIONAL, exact, answer))
