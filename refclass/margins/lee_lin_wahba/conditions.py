"""The optimality conditions of the Lee–Lin–Wahba machine, one function each, for any small problem by hand.

α_k are the multipliers of f_k − y_k ≤ ξ_k, γ_k those of ξ_k ≥ 0, δ that of the zero sum at the points.
"""

from __future__ import annotations

from functools import reduce
from operator import add

from refclass.kernels.matrices.product import product
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import simplex
from refclass.margins.lee_lin_wahba.problem import Machine, primal
from refclass.margins.lee_lin_wahba.simplex import Columns
from refclass.number.field import Number


def lagrangian(
    machine: Machine, beta: Columns, beta0: Vector, xi: Columns, alpha: Columns, gamma: Columns, delta: Vector
) -> Number:
    """Return the Lagrange function at any functions, slacks and multipliers  [MMST-11.96] [MMST-11.92] [MMST-11.95].

        F_P = Σ_k L_kᵀξ_k + (nλ/2) Σ_k β_kᵀKβ_k + Σ_k α_kᵀ(β_0k 1 + Kβ_k − y_k − ξ_k) − Σ_k γ_kᵀξ_k
              + δᵀ((Σ_k β_0k)1 + K Σ_k β_k)

    Exact     yes
    """
    f = simplex.values(machine.K, beta, beta0)
    squares = sum([simplex.square(machine.K, own) for own in beta], machine.kind(0))
    exceeding = sum([a @ e for a, e in zip(alpha, excess(machine, f, xi))], machine.kind(0))
    unused = sum([g @ s for g, s in zip(gamma, xi)], machine.kind(0))
    return primal(machine, xi, squares) + exceeding - unused + delta @ simplex.sums(machine.K, beta, beta0)


def excess(machine: Machine, f: Columns, xi: Columns) -> tuple[Vector, ...]:
    """Return f_k(x_i) − y_ik − ξ_ik, at most zero for slacks that suffice  [MMST-11.93]."""
    codes = [Vector.of(column) for column in zip(*[machine.code(i) for i in range(machine.n)])]
    return tuple([own - y - s for own, y, s in zip(f, codes, xi)])


def stationarity(
    machine: Machine, beta: Columns, alpha: Columns, gamma: Columns, delta: Vector
) -> tuple[Vector, tuple[Vector, ...], tuple[Vector, ...]]:
    """Return the derivatives of the Lagrangian in β_0k, β_k and ξ_k, all zero where it is stationary.

        ∂/∂β_0k = (α_k + δ)ᵀ1                     [MMST-11.97]
        ∂/∂β_k  = nλKβ_k + Kα_k + Kδ              [MMST-11.98]
        ∂/∂ξ_k  = L_k − α_k − γ_k                 [MMST-11.99]

    They vanish for β_k = −(nλ)⁻¹(α_k − ᾱ) and δ = −ᾱ  [MMST-11.107]; with K positive definite and Σ_k β_k = 0 for no
    other δ [ERR-MMST-19].

    Exact     yes
    """
    bias = Vector.of([(own + delta).sum() for own in alpha])
    left_over = tuple([Vector.of(product(machine.K, machine.scale * b + a + delta)) for b, a in zip(beta, alpha)])
    return bias, left_over, tuple([L - a - g for L, a, g in zip(cost_columns(machine), alpha, gamma)])


def cost_columns(machine: Machine) -> tuple[Vector, ...]:
    """Return L_k, for each class what each point pays for it  [MMST-11.4.2-cost]."""
    return tuple(map(Vector.of, zip(*machine.costs)))


def slack_multipliers(machine: Machine, alpha: Columns) -> tuple[Vector, ...]:
    """Return γ_k = L_k − α_k  [MMST-11.99]."""
    return tuple([L - a for L, a in zip(cost_columns(machine), alpha)])


def zero_sum_multiplier(alpha: Columns) -> Vector:
    """Return δ = −ᾱ  [MMST-11.97] [ERR-MMST-19]."""
    return -reduce(add, alpha) / len(alpha)


def residuals(machine: Machine, alpha: Columns, f: Columns, xi: Columns) -> dict[str, Number]:
    """Return how far each KKT condition fails, the worst over points and classes.

        "margin"               [f_k(x_i) − y_ik − ξ_ik]₊           [MMST-11.93]
        "slack"                [−ξ_ik]₊                            [MMST-11.94]
        "zero sum"             |Σ_k f_k(x_i)|                      [MMST-11.95]
        "alpha", "gamma"       [−α_ik]₊, [−γ_ik]₊, γ = L − α       [MMST-11.100] [MMST-11.101] [MMST-11.105]
        "margin multiplier"    |α_ik (f_k(x_i) − y_ik − ξ_ik)|     [MMST-11.102]
        "slack multiplier"     |γ_ik ξ_ik|                         [MMST-11.103]
        "balance"              |(α_k − ᾱ)ᵀ1|                       [MMST-11.106]

    The products are of equal places, point by point and class by class: those of different points, which the outer
    products have besides, do not vanish [ERR-MMST-03]. With β_k from α, all zero is necessary and sufficient for an
    optimum.

    Exact     yes
    """
    zero = machine.kind(0)
    gamma = slack_multipliers(machine, alpha)
    over = excess(machine, f, xi)
    sums = Vector.of([own.sum() for own in alpha])
    return {
        "margin": max([max(e, zero) for own in over for e in own]),
        "slack": max([max(-s, zero) for own in xi for s in own]),
        "zero sum": reduce(add, f).largest(),
        "alpha": max([max(-a, zero) for own in alpha for a in own]),
        "gamma": max([max(-g, zero) for own in gamma for g in own]),
        "margin multiplier": max([a.times(e).largest() for a, e in zip(alpha, over)]),
        "slack multiplier": max([g.times(s).largest() for g, s in zip(gamma, xi)]),
        "balance": max([abs(v - sums.sum() / len(sums)) for v in sums]),
    }


def outer_products(alpha: Vector, over: Vector) -> Matrix:
    """Return α_k (β_0k 1 + Kβ_k − y_k − ξ_k)ᵀ of one class, n² products  [MMST-11.102] [ERR-MMST-03].

    Only those on the diagonal vanish at an optimum.
    """
    return Matrix.outer(alpha, over)
