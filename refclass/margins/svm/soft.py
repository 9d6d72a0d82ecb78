"""The soft-margin machine: the problem, its Lagrangian, its dual, and the interval of its intercept.

    minimise ½‖β‖² + Σ Cᵢ ξᵢ^q   subject to   yᵢ f(xᵢ) ≥ 1 − ξᵢ,  ξᵢ ≥ 0        q = 1: hinge, q = 2: squared hinge

With Cᵢ = ∞ (None) no slack is allowed: the hard margin. K is the Gram matrix of the points, Kᵢⱼ = ⟨h(xᵢ), h(xⱼ)⟩, so
that β = Σ αᵢyᵢh(xᵢ) is never formed: ‖β‖² = Σ αᵢαⱼyᵢyⱼKᵢⱼ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.kernels.matrices.product import product
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Piece, scaled
from refclass.losses.hinge import Hinge
from refclass.losses.squared_hinge import SquaredHinge
from refclass.number.field import Number
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import fitted_machine
from refclass.regress.kernel import machine as dual

Cost = Optional[Number]  # None stands for ∞


@dataclass(frozen=True)
class Machine:
    """A two-class machine to be trained.

    K            n × n Gram matrix: a Matrix, or a store that computes rows when asked
    y            n labels ±1, one for each point  [MMST-11.1]
    costs        n costs Cᵢ ≥ 0, None for ∞; a point of cost zero does not count  [KIM-3.3-costs]
    squared      whether slack is squared
    intercept    whether f has an intercept
    positive     whether K is known to be positive semidefinite, by a theorem on its kernel
    rounded      whether K holds rounded values of its kernel, which are then taken as they are
    given        the costs that these were rounded from, None where nothing was
    """

    K: Any
    y: Vector
    costs: tuple[Cost, ...]
    squared: bool = False
    intercept: bool = True
    positive: bool = True
    rounded: bool = False
    given: Optional[tuple[Cost, ...]] = None

    def dual(self) -> dual.Machine:
        """Return the machine in signed multipliers aᵢ = yᵢαᵢ, with the losses Cᵢξᵢ or Cᵢξᵢ²  [ESL-12.25] [MMST-11.67].

        Where Cᵢ = ∞ only 0 ≤ yᵢaᵢ is left  [MMST-11.62]; at cost zero, only aᵢ = 0. With squared slack the box has no
        upper end, and αᵢ²/(4Cᵢ) is paid  [MMST-Ex11.3c].
        """
        kind, zero = self.y.kind, self.y.kind(0)
        loss = SquaredHinge() if self.squared else Hinge()
        unit = [
            tuple([Piece(*[None if v is None else kind(v.numerator) / v.denominator for v in piece]) for piece in own])
            for own in (loss.of_label(RATIONAL, 1), loss.of_label(RATIONAL, -1))
        ]
        hard = Piece(zero, zero, zero, None)
        # Method: points of the same label and cost share their pieces; fractions, which are slow to hash, by identity.
        keys = list(zip([t > 0 for t in self.y], self.costs if kind is float else map(id, self.costs)))
        known = {
            (here, name): scaled(unit[not here], c) if c is not None else (hard if here else hard.mirrored(),)
            for (here, name), c in dict(zip(keys, self.costs)).items()
        }
        pieces = tuple(map(known.__getitem__, keys))
        return dual.Machine(self.K, self.y, pieces, self.intercept, self.positive, self.rounded)


def ridged(machine: Machine, delta: Number) -> Machine:
    """Return the machine with a constant added to the diagonal of its Gram matrix  [ISML-27.2-jitter].

        K + δI        makes any semidefinite K definite; a slack η with the price η²/(2δ) beside the slack ξ

    Exact     yes
    """
    return replace(machine, K=dual.Parts(machine.K, None, Vector([delta] * len(machine.y))))


def slack(f: Number, t: Number) -> Number:
    """Return the least slack that the constraints allow a point of label t  [ESL-12.16] [MMST-11.42] [KIM-3.32].

        ξ = [1 − t f]₊

    Exact     yes
    """
    return max(1 - t * f, t - t)


def primal_objective(square: Number, f: Vector, y: Vector, costs: tuple[Cost, ...], squared: bool = False) -> Number:
    """Return the value of the primal at decision values f and square = ‖β‖²  [ESL-12.8] [MMST-11.34] [KIM-3.33].

        ½‖β‖² + Σ Cᵢ ξᵢ        or Σ Cᵢ ξᵢ², with ξᵢ = [1 − yᵢ f(xᵢ)]₊

    None if a point of infinite cost has slack: (β, β₀) is not feasible.
    Exact     yes
    """
    return fitted_machine.primal_objective(Machine(None, y, costs, squared).dual(), square, f)


def dual_objective(alpha: Vector, y: Vector, K: Any) -> Number:
    """Return the dual at alpha  [ESL-12.13] [MMST-11.41] [KIM-3.46] [ISML-27.3].

        L_D(α) = Σᵢ αᵢ − ½ Σᵢⱼ αᵢ αⱼ yᵢ yⱼ Kᵢⱼ

    For squared slack K carries 1/(2Cᵢ) on its diagonal: then it is the dual without slack  [MMST-Ex11.3c].

    Shapes    alpha, y: n; K: n × n
    Exact     yes
    Cost      n² + 9n multiplications
    Raises    InvalidInput if the lengths differ
    """
    a = alpha.times(y)  # [ESL-12.10]
    unbounded = Machine(K, y, (None,) * len(y)).dual()
    return fitted_machine.dual_objective(unbounded, a, a @ Vector.of(product(K, a)))


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


def intercept_interval(machine: Machine, alpha: Vector, values: Optional[Vector] = None) -> tuple[Number, Number]:
    """Return the least and the largest intercept that the optimality conditions allow at alpha  [ISML-27.4] [KIM-3.49].

    With gᵢ = yᵢ − Σⱼ αⱼyⱼKᵢⱼ (the intercept that puts point i on the band's edge; Kᵢᵢ shifted for squared slack):

        αᵢ < Cᵢ  ⇒  yᵢ f(xᵢ) ≥ 1  ⇒  β₀ ≥ gᵢ if yᵢ = +1, β₀ ≤ gᵢ if yᵢ = −1
        αᵢ > 0   ⇒  yᵢ f(xᵢ) ≤ 1  ⇒  β₀ ≤ gᵢ if yᵢ = +1, β₀ ≥ gᵢ if yᵢ = −1

    At an optimum the first number is at most the second; any free point makes both equal to its gᵢ.

    Shapes    alpha: n; values, if known: n numbers Σⱼ αⱼyⱼKᵢⱼ
    Exact     yes
    Raises    InvalidInput if no point bounds the intercept from one side (one class only, or none has a cost)
    """
    signed = alpha.times(machine.y)
    low, high = fitted_machine.interval(
        machine.dual(), [(v,) for v in signed], product(machine.K, signed) if values is None else values
    )
    if low is None or high is None:
        raise InvalidInput("soft", need="points of both classes with a cost above zero", got="one class")
    return low, high
