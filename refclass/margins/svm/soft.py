"""The soft-margin machine: the problem, its Lagrangian, its dual, and the interval of its intercept.

    minimise ½‖β‖² + Σ Cᵢ ξᵢ^q   subject to   yᵢ f(xᵢ) ≥ 1 − ξᵢ,  ξᵢ ≥ 0        q = 1: hinge, q = 2: squared hinge

With Cᵢ = ∞ (None) no slack is allowed: the hard margin. K is the Gram matrix of the points, Kᵢⱼ = ⟨h(xᵢ), h(xⱼ)⟩, so
that β = Σ αᵢyᵢh(xᵢ) is never formed: ‖β‖² = Σ αᵢαⱼyᵢyⱼKᵢⱼ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import mul
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.kernels.product import linear_points
from refclass.linear import combination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot, lossless
from refclass.number.field import Number
from refclass.optimise.quadratic import certificate as quadratic

Cost = Optional[Number]  # None stands for ∞


@dataclass(frozen=True)
class Machine:
    """A two-class machine to be trained.

    K            n × n Gram matrix: a Matrix, or a store that computes rows when asked
    y            n labels ±1, one for each point  [MMST-11.1]
    costs        n costs Cᵢ ≥ 0, None for ∞; a point of cost zero has no say  [KIM-3.3-costs]
    squared      whether slack is squared
    intercept    whether f has an intercept
    positive     whether K is known to be positive semidefinite, by a theorem on its kernel
    rounded      whether K holds rounded values of its kernel, which are then taken as they are
    """

    K: Any
    y: Vector
    costs: tuple[Cost, ...]
    squared: bool = False
    intercept: bool = True
    positive: bool = True
    rounded: bool = False

    @property
    def bounded(self) -> bool:
        """Whether the dual has a maximum whatever the points are.

        Proof: K is positive semidefinite and slack has a price everywhere, so that any function is feasible and none
        costs less than zero; weak duality bounds the dual.
        """
        return self.positive and None not in self.costs

    def problem(self) -> quadratic.Problem:
        """Return the dual in signed multipliers aᵢ = yᵢαᵢ  [ESL-12.13] [ISML-27.3] [MMST-11.49] [KIM-3.47].

            minimise ½ aᵀKa − yᵀa   subject to   Σ aᵢ = 0,   0 ≤ yᵢaᵢ ≤ Cᵢ        [MMST-11.66] [KIM-3.72]
            [YANG-dual-optimization]

        Where Cᵢ = ∞ only 0 ≤ yᵢaᵢ is left  [MMST-11.62]; without an intercept Σ aᵢ = 0 goes  [ISML-27.2-no-intercept].
        With squared slack the box has no upper end, and 1/(2Cᵢ) is added to Kᵢᵢ  [MMST-Ex11.3c].
        """
        zero, one = self.y.kind(0), self.y.kind(1)
        ends = [(zero if c == 0 else None) if self.squared else c for c in self.costs]
        lower = tuple(zero if t > 0 else (None if e is None else -e) for t, e in zip(self.y, ends))
        upper = tuple(e if t > 0 else zero for t, e in zip(self.y, ends))
        n = len(self.y)
        sums = (Matrix([[one] * n]), Vector([zero])) if self.intercept else (None, None)
        return quadratic.Problem(self.curvature(), -self.y, lower, upper, E=sums[0], d=sums[1])

    def curvature(self) -> Any:
        """Return K, with 1/(2Cᵢ) added to its diagonal where slack is squared and costs something  [MMST-Ex11.3c]."""
        if not self.squared:
            return self.K
        shift = tuple(1 / (2 * c) if c else self.y.kind(0) for c in self.costs)
        return Shifted(self.K, Vector(shift)) if any(shift) else self.K


@dataclass(frozen=True)
class Shifted:
    """A matrix of rows plus a diagonal: K + diag(shift)."""

    K: Any
    shift: Vector

    def __len__(self) -> int:
        return len(self.shift)

    def row(self, i: int) -> Vector:
        """Return row i."""
        row = list(self.K.row(i))
        row[i] = row[i] + self.shift[i]
        return Vector.of(row)

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        return self.K.diagonal() + self.shift  # type: ignore[no-any-return]


def ridged(machine: Machine, delta: Number) -> Machine:
    """Return the machine with a constant added to the diagonal of its Gram matrix  [ISML-27.2-jitter].

        K + δI        makes any semidefinite K definite; a slack η with the price η²/(2δ) beside the slack ξ

    Exact     yes
    """
    return replace(machine, K=Shifted(machine.K, Vector([delta] * len(machine.y))))


def slack(f: Number, t: Number) -> Number:
    """Return the least slack that the constraints allow a point of label t  [ESL-12.16] [MMST-11.42] [KIM-3.32].

        ξ = [1 − t f]₊

    Exact     yes
    """
    return max(1 - t * f, t - t)


def primal_objective(square: Number, f: Vector, y: Vector, costs: tuple[Cost, ...], squared: bool = False) -> Number:
    """Return the value of the primal at decision values f and square = ‖β‖²  [ESL-12.8] [MMST-11.34] [KIM-3.33].

        ½‖β‖² + Σ Cᵢ ξᵢ        or Σ Cᵢ ξᵢ², with ξᵢ = [1 − yᵢ f(xᵢ)]₊        [KIM-3.3-costs] [MMST-Ex11.3]

    None if a point of infinite cost has slack: (β, β₀) is not feasible.
    Exact     yes
    """
    inside = [(1 - t * v, c) for v, t, c in zip(f, y, costs) if t * v < 1]  # the others' slack is zero
    if any(c is None for _, c in inside):
        return None
    return square / 2 + sum([c * (xi * xi if squared else xi) for xi, c in inside])


def dual_objective(alpha: Vector, y: Vector, K: Matrix) -> Number:
    """Return the dual at alpha  [ESL-12.13] [ESL-12.19] [MMST-11.41] [KIM-3.46] [KIM-3.71] [ISML-27.3].

        L_D(α) = Σᵢ αᵢ − ½ Σᵢⱼ αᵢ αⱼ yᵢ yⱼ Kᵢⱼ = 1ᵀα − ½ αᵀHα        [MMST-11.61] [MMST-11.65]

    H_ij = yᵢyⱼKᵢⱼ  [MMST-11.63]. Where Σ αᵢyᵢ = 0 and μ = C − α it is the least value of the Lagrangian over β, β₀ and
    ξ  [ISML-27.2-maxmin]. For squared slack K carries 1/(2Cᵢ) on its diagonal (`Machine.curvature`).

    Shapes    alpha, y: n; K: n × n
    Exact     yes
    Cost      n² + 2n multiplications
    Raises    InvalidInput if the lengths differ
    Laws      concave in α where K is positive semidefinite  [MMST-Ex11.11]
    """
    a = alpha.times(y)  # [ESL-12.10]
    return alpha.sum() - a @ (K @ a) / 2


def lagrangian(
    square: Number, f: Vector, xi: Vector, alpha: Vector, mu: Vector, y: Vector, costs: tuple[Number, ...]
) -> Number:
    """Return the Lagrange function at any point and any multipliers  [ESL-12.9] [MMST-11.36] [KIM-3.36].

        L_P = ½‖β‖² + Σ Cᵢξᵢ − Σ αᵢ[yᵢ f(xᵢ) − (1 − ξᵢ)] − Σ μᵢξᵢ        [ISML-27.2-lagrangian]

    Exact     yes
    """
    cost = sum(c * s for c, s in zip(costs, xi))
    margins = sum(a * (t * v - (1 - s)) for a, t, v, s in zip(alpha, y, f, xi))
    return square / 2 + cost - margins - mu @ xi


def decision_values(machine: Machine, alpha: Vector, beta0: Number) -> Vector:
    """Return f(xᵢ) at every training point  [ESL-12.20] [ESL-12.24] [MMST-11.64] [KIM-3.48] [KIM-3.73].

    f(xᵢ) = Σⱼ αⱼ yⱼ K(xⱼ, xᵢ) + β₀
    """
    return Vector.of([v + beta0 for v in product(machine.K, alpha.times(machine.y))])


def product(K: Any, a: Vector) -> Vector:
    """Return K a; K is asked only for the rows where a is not zero, and a linear kernel for none: K a = X(Xᵀa).

    Raises    InvalidInput for doubles whose sums are beyond their range
    """
    if isinstance(K, Shifted):
        return product(K.K, a) + a.times(K.shift)
    support = [i for i, v in enumerate(a) if v]
    if not support:
        return a
    weights = tuple([a[i] for i in support])
    points = linear_points(K)
    if points is not None:
        # Premise: of floats these are sums in which large terms cancel; they are summed without loss.
        total = lossless(a.kind)
        beta = tuple([total(map(mul, weights, column)) for column in zip(*[points[i] for i in support])])
        return Vector.of(combination.total(beta, list(zip(*points))))
    return Vector.of([dot(weights, column) for column in zip(*[K.row(i) for i in support])])


def intercept_interval(machine: Machine, alpha: Vector, values: Optional[Vector] = None) -> tuple[Number, Number]:
    """Return the least and the largest intercept that the optimality conditions allow at alpha  [ISML-27.4] [KIM-3.49].

    With gᵢ = yᵢ − Σⱼ αⱼyⱼKᵢⱼ (the intercept that puts point i on the band's edge; Kᵢᵢ shifted for squared slack):

        αᵢ < Cᵢ  ⇒  yᵢ f(xᵢ) ≥ 1  ⇒  β₀ ≥ gᵢ if yᵢ = +1, β₀ ≤ gᵢ if yᵢ = −1
        αᵢ > 0   ⇒  yᵢ f(xᵢ) ≤ 1  ⇒  β₀ ≤ gᵢ if yᵢ = +1, β₀ ≥ gᵢ if yᵢ = −1

    At an optimum the first number is at most the second; any free point makes both equal to its gᵢ.

    Shapes    alpha: n; values, if known: n numbers Σⱼ αⱼyⱼKᵢⱼ (shifted)
    Exact     yes
    Raises    InvalidInput if no point bounds the intercept from one side (one class only, or none has a cost)
    """
    if values is None:
        values = product(machine.curvature(), alpha.times(machine.y))
    least: list[Number] = []
    most: list[Number] = []
    for a, t, c, v in zip(alpha, machine.y, machine.costs, values):
        below = c is None or (machine.squared and c > 0) or a < c
        if below:
            (least if t > 0 else most).append(t - v)
        if a > 0:
            (most if t > 0 else least).append(t - v)
    if not least or not most:
        raise InvalidInput("soft", need="points of both classes with a cost above zero", got="one class")
    return max(least), min(most)
