"""The direct machine for many classes (Crammer and Singer): primal, dual, Lagrangian, training, prediction.

    minimise ½ Σ_k ‖w_k‖² + Σ Cᵢξᵢ   subject to   w_{yᵢ}ᵀxᵢ − w_kᵀxᵢ ≥ t_ik − ξᵢ for every k,   t_ik = [k ≠ yᵢ]

For k = yᵢ this says ξᵢ ≥ 0. With Cᵢ = ∞ (None) no slack is allowed: the hard margin. There are no intercepts. Classes
are 0 … K − 1. α has a row for each point and a column for each class; w_k = Σᵢ α_ik h(xᵢ) is never formed unless the
kernel is linear: ‖w_k‖² = Σ α_ik α_jk K_ij.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.kernels.kernel import Kernel
from refclass.kernels.linear import Linear
from refclass.kernels.matrices import expansions, gram
from refclass.kernels.matrices.product import product
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given, dot
from refclass.margins.svm.soft import Cost
from refclass.number.field import Field, Number
from refclass.optimise.multiclass import zero_sum


def target(k: int, label: int) -> int:
    """Return t_ik, the margin by which the score of the own class must lead that of class k: 0 if they are the same.

    [ISML-27.5-soft]
    """
    return int(k != label)


@dataclass(frozen=True)
class Machine:
    """A machine for many classes, to be trained.

    K            n × n Gram matrix: a Matrix, or a store that computes rows when asked
    labels       the class of each point, from 0 to classes − 1
    classes      how many classes there are, at least 2
    costs        n costs Cᵢ ≥ 0, None for ∞; a point of cost zero does not count
    positive     whether K is known to be positive semidefinite, by a theorem on its kernel
    rounded      whether K holds rounded values of its kernel, which are then taken as they are

    Raises    InvalidInput for fewer than two classes, a label out of range, lengths that differ, or a negative cost
    """

    K: Any
    labels: tuple[int, ...]
    classes: int
    costs: tuple[Cost, ...]
    positive: bool = True
    rounded: bool = False

    def __post_init__(self) -> None:
        n, last = len(self.labels), self.classes - 1
        if self.classes < 2:
            raise InvalidInput("crammer_singer", need="at least two classes", got=self.classes)
        for i, g in enumerate(self.labels):
            if not 0 <= g <= last:
                raise InvalidInput("crammer_singer", need=f"labels from 0 to {last}", got=g, point=i)
        for name, size in (("costs", len(self.costs)), ("rows of K", len(self.K))):
            if size != n:
                raise InvalidInput("crammer_singer", need=f"{n} {name}, one for each label", got=size)
        for i, c in enumerate(self.costs):
            if c is not None and c < 0:
                raise InvalidInput("crammer_singer", need="costs ≥ 0", got=c, point=i)

    @property
    def kind(self) -> Any:
        """The type of the numbers."""
        return type(self.K.diagonal()[0])

    @property
    def counted(self) -> list[int]:
        """The points that count."""
        return [i for i, c in enumerate(self.costs) if c != 0]

    def bound(self, i: int, k: int) -> Cost:
        """Return Cᵢ(1 − t_ik), the most that α_ik may be: Cᵢ for the own class, 0 for every other  [ISML-27.5-dual]."""
        return self.costs[i] if k == self.labels[i] else self.kind(0)

    def problem(self) -> zero_sum.Problem:
        """Return the dual as a problem in blocks, one for each point  [ISML-27.5-dual].

        minimise ½ Σ_k α_kᵀKα_k − Σᵢ α_{i,yᵢ}   subject to   Σ_k α_ik = 0,   α_ik ≤ Cᵢ(1 − t_ik)
        """
        kind, n = self.kind, range(len(self.labels))
        c = [Vector.of([kind(target(k, g) - 1) for g in self.labels]) for k in range(self.classes)]
        upper = [tuple([self.bound(i, k) for i in n]) for k in range(self.classes)]
        return zero_sum.Problem(self.K, tuple(c), tuple(upper))


def over(F: Field, machine: Machine) -> Machine:
    """Return the machine with its numbers lifted into F."""
    return replace(
        machine, K=gram.over(F, machine.K), costs=tuple([None if c is None else F.lift(c) for c in machine.costs])
    )


# --- the functions of a point (α or w), for any labels


def weights(alpha: Matrix, X: Sequence[Vector]) -> Matrix:
    """Return the weights of the classes, row by row  [ISML-27.5-weights].

        w_k = Σᵢ α_ik xᵢ

    Shapes    alpha: n × K; X: n rows of p; K × p
    Exact     yes
    """
    return Matrix.of([expansions.normal(own, X) for own in zip(*alpha)])


def values(K: Any, alpha: Matrix) -> Matrix:
    """Return the scores of the points themselves, f_k(xᵢ) = Σⱼ α_jk K(xⱼ, xᵢ)  [ISML-27.5-predict].

    Shapes    n × K
    Exact     yes
    Cost      n multiplications for each α that is not zero; for a linear kernel np for each class
    """
    return Matrix.of([Vector.of(row) for row in zip(*[product(K, Vector.of(own)) for own in zip(*alpha)])])


def square(alpha: Matrix, f: Matrix) -> Number:
    """Return Σ_k ‖w_k‖² = Σᵢ Σ_k α_ik f_k(xᵢ)."""
    return sum((dot(a, v) for a, v in zip(alpha, f)), alpha.kind(0))


def slack(f: Sequence[Number], label: int) -> Number:
    """Return the least slack that the constraints allow a point with scores f  [ISML-27.5-soft].

        ξ = max_k (t_k + f_k) − f_y

    Exact     yes
    """
    return max([v + target(k, label) for k, v in enumerate(f)]) - f[label]


def primal_objective(total: Number, f: Matrix, labels: Sequence[int], costs: Sequence[Cost]) -> Number:
    """Return the value of the primal at scores f and total = Σ_k ‖w_k‖²  [ISML-27.5-soft] [ISML-27.5-hard].

        ½ Σ_k ‖w_k‖² + Σ Cᵢξᵢ

    None if a point of infinite cost has slack: w is not feasible.
    Exact     yes
    """
    result = total / 2
    for row, g, c in zip(f, labels, costs):
        xi = slack(row, g)
        if c is None and xi > 0:
            return None
        if c is not None:
            result = result + c * xi
    return result


def dual_objective(alpha: Matrix, labels: Sequence[int], K: Any) -> Number:
    """Return the value of the dual  [ISML-27.5-dual].

        Σᵢ α_{i,yᵢ} − ½ Σᵢⱼ Σ_k α_ik α_jk K_ij

    Exact     yes
    Laws      at most the primal objective of any w, for α within its constraints; concave for semidefinite K
    """
    own = sum((row[g] for row, g in zip(alpha, labels)), alpha.kind(0))
    return own - square(alpha, values(K, alpha)) / 2


def multipliers(alpha: Matrix, labels: Sequence[int], costs: Sequence[Number]) -> Matrix:
    """Return the multipliers of the primal's constraints, η_ik = Cᵢ[k = yᵢ] − α_ik  [RC-31].

    α within its constraints is η ≥ 0 with Σ_k η_ik = Cᵢ.
    Exact     yes
    """
    rows = zip(alpha, labels, costs)
    return Matrix.of([Vector.of([c * (1 - target(k, g)) - v for k, v in enumerate(row)]) for row, g, c in rows])


def lagrangian(
    total: Number, f: Matrix, xi: Sequence[Number], eta: Matrix, labels: Sequence[int], costs: Sequence[Number]
) -> Number:
    """Return the Lagrange function at any w, given by its scores and total = Σ_k ‖w_k‖², any ξ and any η  [RC-31].

        ½ Σ_k ‖w_k‖² + Σ Cᵢξᵢ − Σᵢ Σ_k η_ik {f_{yᵢ}(xᵢ) − f_k(xᵢ) − t_ik + ξᵢ}

    Exact     yes
    """
    result = total / 2 + sum(c * s for c, s in zip(costs, xi))
    for row, s, own, g in zip(f, xi, eta, labels):
        result = result - sum(e * (row[g] - v - target(k, g) + s) for k, (e, v) in enumerate(zip(own, row)))
    return result


# --- the trained machine


@dataclass(frozen=True)
class Model:
    """The scores f_k(x) = Σᵢ α_ik K(xᵢ, x) of the classes; with a linear kernel f_k(x) = w_kᵀx  [ISML-27.5-predict].

    F, G            the field of the scores, and the field in which the kernel is computed
    points          the support points, and `coefficients` their α, class by class
    weights         w_k, row by row, for a linear kernel
    """

    F: Field
    G: Field
    kernel: Kernel
    points: tuple[Any, ...]
    coefficients: tuple[tuple[Number, ...], ...]
    weights: Optional[Matrix]

    def scores(self, Z: Any) -> list[Vector]:
        """Return the K scores of every point  [ISML-27.5-rule] [ISML-27.5-predict].

        Cost      p multiplications for each class for a linear kernel, else a kernel value for each support point
        """
        zero = self.F.kind(0)
        if self.weights is not None:
            return expansions.linear([(w, zero) for w in self.weights], Z)
        functions = [(own, zero) for own in self.coefficients]
        return expansions.expanded(self.F, self.G, self.kernel, self.points, functions, Z)

    def predict(self, Z: Any) -> list[int]:
        """Return the class with the largest score for every point, the first of them in a tie  [ISML-27.5-rule]."""
        return [row.index(max(row)) for row in self.scores(Z)]


def slopes(alpha: Sequence[Sequence[Number]], points: Sequence[Any], lift: Callable[[Any], Any] = float) -> Matrix:
    """Return the weights Σ α_ik xᵢ of multipliers, each summed in fractions and rounded once."""
    rows = [Scaled.of(as_given(x)) for x in points]
    sums = [combination(rows, Scaled.of(own), len(points[0])) for own in zip(*alpha)]
    return Matrix.of([Vector.of(map(lift, own.fractions())) for own in sums])


def model(
    F: Field, G: Field, kernel: Kernel, points: Sequence[Any], alpha: Matrix, planes: Optional[Matrix] = None
) -> Model:
    """Return the scores that α makes of the points; those whose α is zero are left out  [ISML-27.5-weights].

    planes    the weights of a linear kernel, where they are not those of α, rounded
    """
    support = [i for i, row in enumerate(alpha) if any(row)] or [0]
    held, rows = tuple([points[i] for i in support]), [alpha[i] for i in support]
    if isinstance(kernel, Linear) and planes is None:
        planes = slopes(rows, held, float if F.kind is float else F.lift)
    return Model(F, G, kernel, held, tuple(zip(*rows)), planes)
