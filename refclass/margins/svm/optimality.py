"""What the optimality conditions say of a machine's multipliers, all of them at once: the page of a fit.

Each number is computed by the function that carries the mark of its equation: those of the soft margin where slack
costs Cᵢξᵢ, those of the hard margin where there is none. Squared slack is a hard margin, too, of K + diag(1/(2C)).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Optional

from refclass.kernels.matrices.product import linear_points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import conditions, hard, soft
from refclass.margins.svm.soft import Machine
from refclass.number.field import Number
from refclass.regress.kernel import fitted_machine


@dataclass(frozen=True)
class Optimality:
    """The quantities of the optimality conditions at (α, β₀), exact if these are.

    rows             the points with a cost above zero, in order: those of the numbers below
    f                the values f(xᵢ)
    slacks           ξᵢ
    slack_multipliers  μᵢ = Cᵢ − αᵢ; None for the hard margin and for squared slack
    categories       of each point "none", "free" or "bounded"
    residuals        how far each condition fails, the worst over the points; all zero at the optimum and only there
    violators        the points, among `rows`, whose margin does not fit their multiplier
    errors           how many points lie on the wrong side
    intercepts       the intercept that each free point gives; their average, None if there are none
    primal, dual     the two objectives; primal is None where a point has slack that may have none
    lagrangian       the Lagrange function, with the least slacks: between the two
    weights          β = Σ αᵢyᵢxᵢ, over the support vectors; None unless the kernel is linear
    derivatives      of the Lagrangian in β, β₀ and ξ; None unless the kernel is linear and slack costs Cᵢξᵢ
    """

    rows: tuple[int, ...]
    f: Vector
    slacks: Vector
    slack_multipliers: Optional[Vector]
    categories: tuple[str, ...]
    residuals: dict[str, Number]
    violators: tuple[int, ...]
    errors: int
    intercepts: tuple[Number, ...]
    intercept: Optional[Number]
    primal: Optional[Number]
    dual: Number
    lagrangian: Number
    weights: Optional[Vector]
    derivatives: Optional[tuple[Vector, Number, Vector]]


def optimality(machine: Machine, alpha: Vector, beta0: Number) -> Optimality:
    """Return what the conditions say of (α, β₀), for a machine whose costs are all finite, or all infinite or zero.

    Points of cost zero, with αᵢ = 0, have no condition.

    Exact     yes
    Cost      that of K α
    Raises    InvalidInput for a multiplier outside [0, Cᵢ]
    """
    rows = tuple([i for i, c in enumerate(machine.costs) if c is None or c > 0])
    y, a, costs = machine.y.pick(rows), alpha.pick(rows), tuple([machine.costs[i] for i in rows])
    f = soft.decision_values(machine, alpha, beta0).pick(rows)
    values = Vector.of([v - beta0 for v in f])
    points = linear_points(machine.K)
    X = None if points is None else Matrix.of([Vector.of(points[i]) for i in rows])
    own = replace(machine, y=y, costs=costs)
    found = _hard(own, a, values, f) if None in costs or machine.squared else _soft(own, a, values, f, X)
    weights = None if X is None else conditions.weights_of_support(a, y, X)
    if not machine.intercept:  # Premise: without an intercept Σ αᵢyᵢ = 0 is no condition.
        del found.residuals["balance"]
    return replace(found, rows=rows, weights=weights)


def _soft(machine: Machine, a: Vector, values: Vector, f: Vector, X: Optional[Matrix]) -> Optimality:
    """Return the conditions of slack that costs Cᵢξᵢ."""
    y, costs = machine.y, machine.costs
    square, dual = a.times(y) @ values, machine.dual()
    xi, mu = conditions.slacks(f, y), conditions.slack_multipliers(a, costs)
    offsets = conditions.intercepts(a, y, values, costs)
    beta = None if X is None else conditions.weights(a, y, X)
    return Optimality(
        rows=(),
        f=f,
        slacks=xi,
        slack_multipliers=mu,
        categories=tuple([conditions.category(v, c) for v, c in zip(a, costs)]),
        residuals=conditions.residuals(a, xi, f, y, costs),
        violators=tuple(conditions.violators(a, f.times(y), costs)),
        errors=conditions.errors(xi),
        intercepts=tuple(offsets),
        intercept=conditions.average(offsets),
        primal=fitted_machine.primal_objective(dual, square, f),
        dual=fitted_machine.dual_objective(dual, a.times(y), square),
        lagrangian=soft.lagrangian(square, f, xi, a, mu, y, costs),
        weights=None,
        derivatives=None if beta is None or X is None else conditions.stationarity(a, mu, y, X, beta, costs),
    )


def _hard(machine: Machine, a: Vector, values: Vector, f: Vector) -> Optimality:
    """Return the conditions of the hard margin, and of squared slack, the hard margin of K + diag(1/(2C))."""
    y, costs, dual = machine.y, machine.costs, machine.dual()
    square, none = a.times(y) @ values, tuple([None for _ in costs])
    if None in costs:
        xi, inside = a - a, f
    else:
        xi = conditions.squared_slacks(a, costs)
        inside = f + xi.times(y)
    total = square + a @ xi  # ‖β‖² in the space with a coordinate for each slack
    offsets = conditions.intercepts(a, y, values + xi.times(y), none)
    return Optimality(
        rows=(),
        f=f,
        slacks=xi,
        slack_multipliers=None,
        categories=tuple([conditions.category(v, None) for v in a]),
        residuals={**hard.residuals(a, y, inside), "norm": abs(square - hard.square_of_multipliers(a, costs))},
        violators=tuple(conditions.violators(a, inside.times(y), none)),
        errors=conditions.errors(conditions.slacks(f, y)),
        intercepts=tuple(offsets),
        intercept=conditions.average(offsets),
        primal=fitted_machine.primal_objective(dual, square, f),
        dual=fitted_machine.dual_objective(dual, a.times(y), square),
        lagrangian=hard.lagrangian(a, y, total, inside),
        weights=None,
        derivatives=None,
    )
