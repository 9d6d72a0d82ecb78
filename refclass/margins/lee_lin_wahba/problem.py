"""The machine of Lee, Lin and Wahba: one problem for all classes, its dual, and the functions that come of it.

    minimise (1/n) Σᵢ L(yᵢ)ᵀ(f(xᵢ) − yᵢ)₊ + (λ/2) Σ_k ‖h_k‖²   subject to   Σ_k f_k = 0,   f_k = β_0k + h_k

A point pays where the function of a wrong class exceeds −1/(m − 1); its own class never costs anything. The functions
h_k are unique; the multipliers need not be, nor the intercepts where no multiplier fixes them (RC-28).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional

from refclass.kernels.matrices import gram
from refclass.linear.vector import Vector, dot
from refclass.margins.lee_lin_wahba import simplex
from refclass.margins.lee_lin_wahba.simplex import Columns
from refclass.number.field import Field, Number
from refclass.optimise.multiclass import coupled, intercept_levels
from refclass.optimise.multiclass.intercept_levels import End


@dataclass(frozen=True)
class Machine:
    """A multiclass machine to be trained.

    K            n × n Gram matrix: a Matrix, or a store that computes rows when asked
    labels       n class numbers
    costs        for each point the costs L(yᵢ), a number for each class; all zero: the point does not count
    penalty      λ > 0
    total        what the loss is divided by, n unless weights say otherwise
    positive     whether K is known to be positive semidefinite, by a theorem on its kernel
    rounded      whether K holds rounded values of its kernel, which are then taken as they are
    given        a machine with the costs, the penalty and the total that these were rounded from
    """

    K: Any
    labels: tuple[int, ...]
    costs: tuple[Vector, ...]
    penalty: Number
    total: Optional[Number] = None
    positive: bool = True
    rounded: bool = False
    given: Optional[Machine] = None

    @property
    def n(self) -> int:
        """The number of points."""
        return len(self.labels)

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.costs[0])

    @property
    def kind(self) -> Any:
        """The type of the numbers."""
        return type(self.penalty)

    @property
    def divisor(self) -> Number:
        """What the loss is divided by: n, or the sum of the weights."""
        return self.n if self.total is None else self.total

    @property
    def scale(self) -> Number:
        """nλ, what turns the objective's penalty into the dual's."""
        return self.divisor * self.penalty

    @property
    def counted(self) -> list[int]:
        """The points that count."""
        return [i for i, L in enumerate(self.costs) if any(L)]

    def code(self, i: int) -> Vector:
        """Return the label of point i as a vector  [MMST-11.4.2-code]."""
        return simplex.code(self.labels[i], self.classes, self.kind)

    def problem(self) -> coupled.Problem:
        """Return the dual  [MMST-11.104] [MMST-11.105] [MMST-11.106].

        minimise F_D = ½ Σ_k (α_k − ᾱ)ᵀK(α_k − ᾱ) + nλ Σ_k α_kᵀy_k
        subject to 0 ≤ α_k ≤ L_k,   (α_k − ᾱ)ᵀ1 = 0
        """
        codes = {k: self.scale * simplex.code(k, self.classes, self.kind) for k in set(self.labels)}
        c = tuple(map(Vector.of, zip(*[codes[k] for k in self.labels])))
        return coupled.Problem(self.K, c, tuple(map(Vector.of, zip(*self.costs))))

    def without(self, i: int) -> Machine:
        """Return the machine with point i out of the loss, and n as it was  [MMST-11.110].

        A point whose costs are zero has multipliers zero: it is as good as absent.
        """
        free = Vector.of([self.kind(0)] * self.classes)
        return replace(self, costs=(*self.costs[:i], free, *self.costs[i + 1 :]), given=None)


# --- values of primal and dual ---


def mean_loss(machine: Machine, f: Columns) -> Number:
    """Return the mean loss of the values f_k(x_i)  [MMST-11.77].

    (1/n) Σᵢ g(yᵢ, f(xᵢ))
    """
    return sum(losses(machine, f), machine.kind(0)) / machine.divisor


def losses(machine: Machine, f: Columns) -> list[Number]:
    """Return the loss of each point  [MMST-11.110]."""
    rows = zip(zip(*f), machine.costs)
    return [simplex.loss(row, machine.code(i), L) for i, (row, L) in enumerate(rows)]


def objective(machine: Machine, f: Columns, squares: Number) -> Number:
    """Return what the machine minimises, at values f_k(x_i) and squares = Σ_k ‖h_k‖²  [MMST-11.77] [MMST-11.110].

        I_λ = (1/n) Σᵢ g(yᵢ, f(xᵢ)) + J_λ,    J_λ = (λ/2) Σ_k ‖h_k‖²        one term for each class [ERR-MMST-07]

    Exact     yes
    """
    return mean_loss(machine, f) + machine.penalty * squares / 2


def slacks(machine: Machine, f: Columns) -> tuple[Vector, ...]:
    """Return the least slacks ξ_k ≥ 0 with f_k(x_i) − y_ik ≤ ξ_ik  [MMST-11.93] [MMST-11.94]."""
    zero = machine.kind(0)
    rows = [[max(v - t, zero) for v, t in zip(row, machine.code(i))] for i, row in enumerate(zip(*f))]
    return tuple(map(Vector.of, zip(*rows)))


def primal(machine: Machine, xi: Columns, squares: Number) -> Number:
    """Return the primal's value, n times that of the objective  [MMST-11.92].

        Σ_k L_kᵀξ_k + (nλ/2) Σ_k β_kᵀKβ_k

    Exact     yes
    """
    cost = sum([dot(L, row) for L, row in zip(machine.costs, zip(*xi))], machine.kind(0))
    return cost + machine.scale * squares / 2


def dual(machine: Machine, alpha: Columns) -> Number:
    """Return the dual's value F_D, to be made small  [MMST-11.104].

    The primal at its optimum is −F_D/(nλ), and the objective −F_D/(n²λ).
    Exact     yes
    """
    return machine.problem().objective(alpha)


def coefficients(machine: Machine, alpha: Columns) -> tuple[Vector, ...]:
    """Return the coefficients of the functions h_k  [MMST-11.107].

        β_k = −(nλ)⁻¹(α_k − ᾱ)

    Exact     yes
    """
    scale, mean = machine.scale, [v / machine.classes for v in map(sum, zip(*alpha))]
    return tuple([Vector.of([(t - v) / scale for v, t in zip(own, mean)]) for own in alpha])


def support(beta: Columns) -> list[int]:
    """Return the support vectors: the points with (β_i1 … β_im) ≠ 0  [MMST-11.4.2-support].

    As α_ik = 0 for the own class, these are the points with (α_i1 … α_im) ≠ 0.
    """
    return [i for i, row in enumerate(zip(*beta)) if any(row)]


def intercept_ends(machine: Machine, alpha: Columns, f: Columns) -> tuple[list[End], list[End]]:
    """Return the least and the largest intercept of each class among the optimal ones  [MMST-11.102] [MMST-11.103].

    With h = f without intercepts, α_ik > 0 requires β_0k ≥ y_ik − h_k(x_i), α_ik < L_ik for β_0k ≤ y_ik − h_k(x_i); the
    optimal intercepts are those within these ends that sum to zero, a polytope (RC-28). None: no end.

    Shapes    alpha, f: a Vector of n for each class, f the values Σ_l β_lk K(x_l, x_i)
    Exact     yes
    """
    slack = [[y - v for y, v in zip(machine.code(i), row)] for i, row in enumerate(zip(*f))]
    lows: list[End] = []
    highs: list[End] = []
    for k, own in enumerate(alpha):
        L = [row[k] for row in machine.costs]
        lows.append(max([r[k] for r, v in zip(slack, own) if v > 0], default=None))
        highs.append(min([r[k] for r, v, top in zip(slack, own, L) if v < top], default=None))
    return intercept_levels.tightened(lows, highs)


# --- training ---


def over(F: Field, machine: Machine) -> Machine:
    """Return the machine with its numbers lifted into F."""
    held = machine if machine.given is None else machine.given
    costs = tuple([Vector.of(map(F.lift, row)) for row in held.costs])
    total = None if held.total is None else F.lift(held.total)
    return replace(
        machine, K=gram.over(F, machine.K), costs=costs, penalty=F.lift(held.penalty), total=total, given=None
    )
