"""What the optimality conditions say of a Lee–Lin–Wahba machine's multipliers, all of them at once.

Each number is computed by the function that carries the mark of its equation.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import conditions, simplex
from refclass.margins.lee_lin_wahba.problem import Machine, coefficients, dual, primal, slacks
from refclass.margins.lee_lin_wahba.simplex import Columns
from refclass.number.field import Number


@dataclass(frozen=True)
class Optimality:
    """The quantities of the optimality conditions at (α, β_0), exact if these are; for each class n numbers.

    f, slacks, slack_multipliers    f_k(xᵢ), ξ_ik and γ_ik
    zero_sum_multiplier             δᵢ = −ᾱᵢ
    zero_sums                       Σ_k f_k(xᵢ), zero at every point
    residuals                       how far each condition fails, the worst over points and classes
    derivatives                     of the Lagrangian in β_0k, β_k and ξ_k
    lagrangian, primal, dual        values of nλ times the objective: equal at the optimum
    squared_norms                   ‖h_k‖²
    last                            coefficients and intercept of the last function, from those of the others
    """

    f: Columns
    slacks: Columns
    slack_multipliers: Columns
    zero_sum_multiplier: Vector
    zero_sums: Vector
    residuals: dict[str, Number]
    derivatives: tuple[Vector, tuple[Vector, ...], tuple[Vector, ...]]
    lagrangian: Number
    primal: Number
    dual: Number
    squared_norms: tuple[Number, ...]
    last: tuple[Vector, Number]


def optimality(machine: Machine, alpha: Columns, intercepts: Vector) -> Optimality:
    """Return what the conditions say of α and β_0, the functions being taken less their mean  [MMST-11.89].

    Exact     yes
    Cost      (5m − 1)n² multiplications for m classes
    """
    beta, beta0 = simplex.centred(coefficients(machine, alpha), intercepts)
    f = simplex.values(machine.K, beta, beta0)
    xi, gamma = slacks(machine, f), conditions.slack_multipliers(machine, alpha)
    delta = conditions.zero_sum_multiplier(alpha)
    squares = tuple([simplex.square(machine.K, own) for own in beta])
    return Optimality(
        f=f,
        slacks=xi,
        slack_multipliers=gamma,
        zero_sum_multiplier=delta,
        zero_sums=simplex.sums(machine.K, beta, beta0),
        residuals=conditions.residuals(machine, alpha, f, xi),
        derivatives=conditions.stationarity(machine, beta, alpha, gamma, delta),
        lagrangian=conditions.lagrangian(machine, beta, beta0, xi, alpha, gamma, delta),
        primal=primal(machine, xi, _total(squares)),
        dual=-dual(machine, alpha) / machine.scale,
        squared_norms=squares,
        last=simplex.last(beta[:-1], Vector.of(beta0[:-1])),
    )


def _total(numbers: Any) -> Number:
    return sum(numbers, Fraction(0))
