"""A kernel machine with a convex piecewise quadratic loss, through its dual: one quadratic problem for every loss.

    minimise ½‖f‖² + Σ Vᵢ(rᵢ),   rᵢ = yᵢ − f(xᵢ) − β₀,   f = Σ aᵢ K(xᵢ, ·)

    minimise ½aᵀKa − yᵀa + Σ Vᵢ*(aᵢ)   subject to Σ aᵢ = 0

V* is the conjugate of V, written as pieces (`conjugate_pieces`), and an optimal aᵢ is a slope of Vᵢ at rᵢ. The support
vector machines for classification and regression, Huber's, ridge regression and every other machine that separates two
classes are of this form: for labels y = ±1 and a loss L of the margin V(r) = L(1 − yr), and aᵢ = yᵢαᵢ. Without an
intercept the sum is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows, rounded
from refclass.kernels.matrices.product import linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Pieces, scaled
from refclass.number.field import Field
from refclass.optimise.quadratic import certificate as quadratic


@dataclass(frozen=True)
class Machine:
    """A kernel machine to be fitted.

    K            n × n Gram matrix: a Matrix, or a store that computes rows when asked
    y            n numbers
    pieces       for each point the pieces of its Vᵢ*, those that rise in the order of their slopes, and those that fall
    intercept    whether f has an intercept
    positive     whether K is known to be positive semidefinite, by a theorem on its kernel
    rounded      whether K holds rounded values of its kernel, which are then taken as they are
    """

    K: Any
    y: Vector
    pieces: tuple[Pieces, ...]
    intercept: bool = True
    positive: bool = True
    rounded: bool = False

    @property
    def bounded(self) -> bool:
        """Whether the dual has a maximum whatever the points are.

        Proof: K is positive semidefinite and every loss is finite, so that any function is feasible and none costs less
        than zero; weak duality bounds the dual.
        """
        ends = {(p.curvature, e) for own in self.pieces for p in own for e in (p.low, p.high) if e is None}
        return self.positive and not any(not curvature for curvature, _ in ends)

    @property
    def strict(self) -> bool:
        """Whether the dual is strictly convex, its optimum the only one: parts that may move pay for their squares."""
        return self.positive and all(p.curvature or p.low == p.high for own in self.pieces for p in own)

    @property
    def counted(self) -> list[int]:
        """The points whose multipliers may be other than zero: those that cost something."""
        return [i for i, own in enumerate(self.pieces) if any(p.low is None or p.low != p.high for p in own)]

    @property
    def places(self) -> list[int]:
        """The number of the point that each part belongs to."""
        return [i for i, own in enumerate(self.pieces) for _ in own]

    def problem(self) -> quadratic.Problem:
        """Return the dual as a quadratic problem in the parts  [ESL-12.41] [MMST-11.124] [MMST-11.125].

        For the hinge aᵢ = yᵢαᵢ  [ESL-12.13] [ISML-27.3] [MMST-11.49] [KIM-3.47]  [YANG-dual-optimization]:

            minimise ½ aᵀKa − yᵀa   subject to   Σ aᵢ = 0,   0 ≤ yᵢaᵢ ≤ Cᵢ        [MMST-11.66] [KIM-3.72]

        The multiplier of Σ v = 0 is the intercept, without which the sum is free  [ISML-27.2-no-intercept]; squared
        slack adds 1/(2Cᵢ) to Kᵢᵢ.
        """
        places, parts = self.places, [piece for own in self.pieces for piece in own]
        zero, one = self.y.kind(0), self.y.kind(1)
        curvature = Vector.of([p.curvature for p in parts])
        single = len(parts) == len(self.pieces)
        Q = self.K if single and not any(curvature) else Parts(self.K, None if single else tuple(places), curvature)
        sums = (Matrix.of([Vector.of([one] * len(parts))]), Vector.of([zero])) if self.intercept else (None, None)
        return quadratic.Problem(
            Q,
            Vector.of([p.slope - self.y[i] for i, p in zip(places, parts)]),
            tuple([p.low for p in parts]),
            tuple([p.high for p in parts]),
            *sums,
        )

    def over(self, F: Field) -> Machine:
        """Return the machine with its numbers lifted into F: a linear kernel's points, else the entries of K."""
        points, n = linear_points(self.K), len(self.y)
        if points is not None and F.kind is not float and rounded(points):
            points = [x.exactly() for x in points]
        K: Any = Matrix.of([Vector.of(map(F.lift, row)) for row in (points or map(self.K.row, range(n)))])
        K = K if points is None else Rows(F, Linear(), K)
        known = {id(own): own for own in self.pieces}  # points with the same loss and weight share their pieces
        lifted = {name: tuple([p.lifted(F) for p in own]) for name, own in known.items()}
        pieces = tuple([lifted[id(own)] for own in self.pieces])
        return replace(self, K=K, y=Vector.of(map(F.lift, self.y)), pieces=pieces)

    @property
    def kind(self) -> Any:
        """The type of the entries of K; a linear kernel's is that of its points."""
        points = linear_points(self.K)
        return type((self.K.row(0) if points is None else points[0])[0])


@dataclass(frozen=True)
class Parts:
    """The Gram matrix with a row for each part, the row of its point, and the curvatures on its diagonal.

    places    the point of each part; none: each point has one
    """

    K: Any
    places: Optional[tuple[int, ...]]
    curvature: Vector

    def __len__(self) -> int:
        return len(self.curvature)

    def row(self, v: int) -> Vector:
        """Return row v."""
        given = self.K.row(v if self.places is None else self.places[v])
        row = list(given) if self.places is None else [given[i] for i in self.places]
        row[v] = row[v] + self.curvature[v]
        return Vector.of(row)

    def diagonal(self) -> Vector:
        """Return the diagonal."""
        given = self.K.diagonal()
        return (given if self.places is None else given.pick(self.places)) + self.curvature  # type: ignore[no-any-return]


def part(machine: Machine, places: Sequence[int]) -> Machine:
    """Return the machine of some of the points."""
    K = machine.K
    small: Any = K.part(places) if isinstance(K, Rows) else Matrix.of([K.row(i).pick(places) for i in places])
    return replace(machine, K=small, y=machine.y.pick(places), pieces=tuple([machine.pieces[i] for i in places]))


def of_residual(K: Any, y: Vector, costs: Vector, unit: Optional[Pieces], **known: bool) -> Machine:
    """Return the machine ½‖f‖² + Σ Cᵢ V(rᵢ) for a loss of the residual with these pieces.

    Raises    InvalidInput for a loss that has none
    """
    if unit is None:
        raise InvalidInput("machine", need="a convex piecewise quadratic loss of the residual", got="another")
    of_cost = {c: scaled(unit, c) for c in costs}
    return Machine(K, y, tuple([of_cost[c] for c in costs]), **known)
