"""Ridge regression with a kernel, its constant left out, free, or penalised with the rest.

    minimise Σ wᵢ(yᵢ − f(xᵢ) − β₀)² + λ‖f‖²        f = Σ αᵢ K(xᵢ, ·)        [ESL-12.45] [ESL-12.49]

In the form Σ V(rᵢ) + ½λ′‖f‖² with V = r² the penalty is λ′ = 2λ [ERR-ESL-07]; with V = r²/2 it is λ′ = λ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.errors import InvalidInput, NotConverged
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows, whole
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.linear import bordered
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import fixed_point
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.insensitive import SquaredInsensitive
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import fitted_machine
from refclass.regress.kernel import machine as dual
from refclass.regress.kernel.newton import crossover
from refclass.regress.kernel.newton.newton_coordinates import Coefficients

TRACED = 25  # digits of a trace that fixed-point integers prove


@dataclass(frozen=True)
class Model:
    """A fitted kernel ridge regression.

    alpha        n coefficients
    beta0        the constant, zero if there is none
    values       Σⱼ αⱼKᵢⱼ at every point, without the constant
    equations    (K + λ/w) α + β₀1 = y
    weights      n numbers > 0
    penalty      λ
    """

    alpha: Vector
    beta0: Number
    values: Vector
    equations: bordered.Equations
    weights: Vector
    penalty: Number

    @property
    def system(self) -> bordered.Factor:
        """The factored system."""
        return self.equations.factor

    @property
    def square(self) -> Number:
        """‖f‖² = αᵀKα."""
        return self.alpha @ self.values

    @cached_property
    def degrees_of_freedom(self) -> Number:
        """The trace of the map from responses to fitted values, n − λ Σ Pᵢᵢ/wᵢ with α = P y.

        Cost    n solutions with the factor of the system
        """
        shares = [v / w for v, w in zip(self.system.diagonal(), self.weights)]
        return len(shares) - self.penalty * Vector.of(shares).sum()


def fit(
    F: Field, K: Matrix, y: Vector, weights: Vector, *, penalty: Number, intercept: bool, positive: bool = False
) -> Model:
    """Return the fit  [ESL-12.48] [ESL-12.49] [ESL-Ex12.3].

        no constant      (K + λI) α = y                                       hence ŷ = Kα = (K + λI)⁻¹Ky
        a free one       | K + λI  1 | | α  | = | y |
                         |  1ᵀ     0 | | β₀ |   | 0 |

    A weight wᵢ puts λ/wᵢ in place of λ. A constant that is penalised, or absorbed in the basis, is the first of these
    with K + 1 as the kernel, and is Σ αᵢ (`with_constant`).

    Given     positive: whether K is known to be positive semidefinite
    Shapes    K: n × n; y, weights: n
    Exact     yes, where F is; elsewhere the solution is corrected once by that of its residual
    Cost      n³/6 multiplications for the factor, fewer where conjugate gradients take its place; as many evaluations
              of the kernel as K has entries on and below its diagonal  [ESL-12.3.7-cost]
    Raises    InvalidInput for a negative penalty or a weight that is not positive; NoAnswer if the system is singular
    Laws      λ αᵢ = wᵢ(yᵢ − f(xᵢ)); residuals times weights sum to zero where the constant is free
    """
    if penalty < 0 or min(weights) <= 0:
        got = f"{penalty}, {min(weights)}"
        raise InvalidInput("kernel_ridge", need="a penalty ≥ 0 and weights > 0", got=got)
    D = Vector.of([penalty / w for w in weights])
    equations = bordered.equations(F, K, D, border=intercept, positive=positive and penalty > 0)
    alpha, beta0 = equations.solution(y)
    return Model(alpha, beta0, K @ alpha, equations, weights, penalty)


def with_constant(K: Any) -> Any:
    """Return the Gram matrix of the basis with a constant 1 put in: K + 11ᵀ  [ESL-12.45].

    Shapes    K: a Matrix, or a store of rows; of a linear kernel the points get a coordinate 1
    Exact     yes
    """
    points = linear_points(K)
    if points is not None:
        return Rows(K.F, Linear(), Matrix.of([Vector.of([*x, K.F.kind(1)]) for x in points]))
    return Matrix.of([Vector.of([v + 1 for v in row]) for row in whole(K)])


def degrees_of_freedom(machine: dual.Machine) -> Fraction:
    """Return the trace of the map from responses to fitted values, to 27 digits  [ESL-12.48].

        n − Σ κᵢPᵢᵢ, P the map from y to a of (K + κ)a + β₀1 = y
        p − tr (XᵀX/κ + I)⁻¹, and one for a free constant, of a linear kernel

    Shapes    machine: that of the fit, κᵢ = λ/wᵢ
    Cost      n³/6 multiplications of integers; np²/2 + p³/6 for a linear kernel with p < n
    """
    curvatures = [rational(own[0].curvature) for own in machine.pieces]
    bits = crossover.length(machine, curvatures, kinks=False)
    space = crossover.space(machine, bits)
    delta = fixed_point.fixed(curvatures, bits)
    rows = (
        space.table(delta, machine.intercept)
        if isinstance(space, Coefficients)
        else space.table(delta, range(space.size))
    )
    known = fixed_point.factor(rows, bits)
    if known is None:
        raise NotConverged("kernel_ridge", need="a positive definite table", got="one that is not, to so many digits")
    inverse, unit = known.inverse_diagonal(), Fraction(1, 1 << bits)
    if isinstance(space, Coefficients):
        return space.size - sum(inverse[: space.size]) * unit + int(machine.intercept)
    if machine.intercept:
        ones = known.solve([1 << bits] * len(inverse))
        inverse = [v - w * w // sum(ones) for v, w in zip(inverse, ones)]
    return len(inverse) - sum([k * v for k, v in zip(delta, inverse)]) * unit * unit


def trace_bounds(machine: dual.Machine) -> tuple[Fraction, Fraction]:
    """Return bounds of the trace of the map from responses to fitted values, from the data as given  [ESL-12.48].

    Shapes    machine: over fractions
    Exact     for a kernel that is not definite; else to 27 digits
    """
    try:
        found = degrees_of_freedom(machine)
    except NotConverged:
        inverse = [1 / rational(own[0].curvature) for own in machine.pieces]
        solved = fit(RATIONAL, whole(machine.K), machine.y, Vector.of(inverse), penalty=1, intercept=machine.intercept)
        return solved.degrees_of_freedom, solved.degrees_of_freedom
    unit = Fraction(len(machine.y), 10**TRACED)
    return found - unit, found + unit


def constant(
    machine: dual.Machine, a: Sequence[Fraction], beta: Optional[Sequence[Fraction]]
) -> tuple[Fraction, Fraction]:
    """Return the best constant beside given coefficients, Σ wᵢ(yᵢ − f(xᵢ))/Σ wᵢ, and the mean size of its terms.

    Of a linear kernel the function is that of beta; else a term is as large as |yᵢ| + √Kᵢᵢ Σ √Kⱼⱼ|aⱼ|, Kᵢⱼ² ≤ KᵢᵢKⱼⱼ.

    Exact     yes, but for the size
    """
    w = [1 / rational(own[0].curvature) for own in machine.pieces]
    y, points = list(map(rational, machine.y)), linear_points(machine.K)
    if beta is not None and points is not None:
        terms = [[rational(v) * b for v, b in zip(x, beta)] for x in points]
        values, sizes = [sum(row, Fraction(0)) for row in terms], [sum(map(abs, row), Fraction(0)) for row in terms]
    else:
        values = list(exact_product(machine.K, a))
        diagonal = [abs(rational(v)) for v in machine.K.diagonal()]
        roots = [Fraction(math.isqrt(v.numerator * v.denominator << 128), v.denominator << 64) for v in diagonal]
        total = sum([r * abs(v) for r, v in zip(roots, a)], Fraction(0))
        sizes = [r * total for r in roots]
    mass = sum(w, Fraction(0))
    best = sum([u * (t - v) for u, t, v in zip(w, y, values)], Fraction(0)) / mass
    return best, sum([u * (abs(t) + s) for u, t, s in zip(w, y, sizes)], Fraction(0)) / mass


def machine(F: Field, K: Any, y: Vector, weights: Vector, penalty: Number, **known: bool) -> dual.Machine:
    """Return the fit as a kernel machine, ½‖f‖² + Σ (wᵢ/2λ) rᵢ²: what its proof is made from  [ESL-12.43].

    Its objective times 2λ is that of the fit.
    """
    return dual.of_residual(K, y, weights / (2 * penalty), SquaredInsensitive(F.kind(0)).pieces(F), **known)


def unsolved(machine: dual.Machine) -> fitted_machine.Fitted:
    """Return the multipliers zero: all points are free, and the linear system is all that is left to be solved."""
    return fitted_machine.of_multipliers(machine, Vector.of([0 * t for t in machine.y]))


def objective(model: Model, y: Vector) -> Number:
    """Return Σ wᵢ(yᵢ − f(xᵢ))² + λ‖f‖²  [ESL-12.45].

    Exact     yes
    """
    r = Vector.of([t - v - model.beta0 for t, v in zip(y, model.values)])
    return r @ model.weights.times(r) + model.penalty * model.square


# --- ridge regression in the basis itself, and its dual ---


def coefficients(H: Matrix, y: Vector, penalty: Number) -> Vector:
    """Return the minimiser of (y − Hβ)ᵀ(y − Hβ) + λ‖β‖², from M × M inner products  [ESL-12.45] [ESL-12.47].

        (HᵀH + λI) β = Hᵀy

    Shapes    H: n × M, on fractions; y: n
    Exact     yes
    Raises    NoAnswer if HᵀH + λI is singular
    """
    A = H.T @ H + penalty * Matrix.identity(len(H[0]), H.kind)
    return Vector.of(fraction_free.solve(A, H.T @ y))


def gradient(H: Matrix, y: Vector, beta: Vector, penalty: Number) -> Vector:
    """Return −Hᵀ(y − Hβ) + λβ, zero at the minimiser  [ESL-12.47].

    Exact     yes
    """
    pull: Vector = beta * penalty
    return pull - H.T @ (y - H @ beta)


def fitted_values(K: Matrix, y: Vector, penalty: Number) -> Vector:
    """Return ŷ = (HHᵀ + λI)⁻¹ HHᵀ y, from n × n inner products alone  [ESL-12.46] [ESL-12.48].

    As printed the last factor is H y, which cannot be formed: H is n × M and y has n entries [ERR-ESL-01].

    Shapes    K = HHᵀ: n × n, on fractions; y: n
    Exact     yes
    Raises    NoAnswer if K + λI is singular
    """
    A = K + penalty * Matrix.identity(len(K), K.kind)
    return Vector.of(fraction_free.solve(A, K @ y))


def dual_objective(alpha: Vector, y: Vector, K: Matrix, penalty: Number) -> Number:
    """Return the dual of min λ‖β‖² + Σ ξᵢ² subject to yᵢ − xᵢᵀβ = ξᵢ  [MMST-Ex11.5].

        αᵀy − αᵀKα/(4λ) − αᵀα/4        greatest at α = 2λ(K + λI)⁻¹y, where β = Xᵀα/(2λ) and ξ = α/2

    Exact     yes
    """
    return alpha @ y - alpha @ (K @ alpha) / (4 * penalty) - alpha @ alpha / 4


def dual_solution(y: Vector, K: Matrix, penalty: Number) -> Vector:
    """Return the multipliers α = 2λ(K + λI)⁻¹y of that dual  [MMST-Ex11.5].

    Shapes    K: n × n, on fractions; y: n
    Exact     yes
    """
    A = K + penalty * Matrix.identity(len(K), K.kind)
    right: Vector = y * (2 * penalty)
    return fraction_free.solve(A, right)
