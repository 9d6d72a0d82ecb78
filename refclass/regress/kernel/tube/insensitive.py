"""Support vector regression: a tube around the function, inside which a residual costs nothing.

    minimise ½‖β‖² + C Σ (ξᵢ + ξᵢ′)   subject to   yᵢ − f(xᵢ) ≤ ε + ξᵢ′,   f(xᵢ) − yᵢ ≤ ε + ξᵢ,   ξᵢ, ξᵢ′ ≥ 0

ξ′ and its multiplier b belong to points above the tube, ξ and a to points below it; c and d are the multipliers of
ξ ≥ 0 and ξ′ ≥ 0. ESL calls b α* and a α, with C = 1/λ.
"""

from __future__ import annotations

from typing import Any

from refclass.kernels.matrices.product import product
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.loss import Loss
from refclass.number.field import Field, Number
from refclass.optimise.quadratic.certificate import Problem
from refclass.regress.kernel import fitted_machine
from refclass.regress.kernel import machine as dual


def machine(F: Field, K: Any, y: Vector, costs: Vector, loss: Loss, **known: bool) -> dual.Machine:
    """Return the machine that minimises ½‖f‖² + Σ Cᵢ V(rᵢ), for any of the three losses  [ESL-12.36] [MMST-11.113].

    V(r) is max(0, |r| − ε), max(0, |r| − ε)² [MMST-Ex11.2], or max(0, r² − ε).

    Exact     yes, if √ε is rational where the last of them needs it
    """
    return dual.of_residual(K, y, costs, loss.pieces(F), **known)


def multipliers(fitted: fitted_machine.Fitted) -> tuple[Vector, Vector]:
    """Return a and b ≥ 0: what a fit's multipliers are made of below and above the tube  [ESL-12.39] [MMST-11.120].

    With ε = 0 a point has one multiplier of either sign, and ab = 0 is a convention, not a consequence.
    """
    zero = fitted.a.kind(0)
    above = Vector.of([sum([max(v, zero) for v in own], zero) for own in fitted.parts])
    return above - fitted.a, above


def objective(F: Field, square: Number, r: Vector, C: Number, loss: Loss) -> Number:
    """Return ½‖β‖² + C Σ V(rᵢ)  [ESL-12.36] [MMST-11.113].

    With C = 1/λ it is the penalised form Σ V(rᵢ) + ½λ‖β‖², divided by λ.

    Exact     yes
    """
    return square / 2 + C * sum((loss(F, v) for v in r), F.kind(0))


def slacks(r: Vector, epsilon: Number) -> tuple[Vector, Vector]:
    """Return the least slacks ξ and ξ′ that the constraints allow  [MMST-11.114].

        ξᵢ = [−rᵢ − ε]₊        ξᵢ′ = [rᵢ − ε]₊        r = y − f

    Exact     yes
    """
    zero = r.kind(0)
    return Vector([max(-v - epsilon, zero) for v in r]), Vector([max(v - epsilon, zero) for v in r])


def primal(X: Matrix, y: Vector, C: Number, epsilon: Number, *, squared: bool = False) -> Problem:
    """Return the primal as a quadratic problem in (β, β₀, ξ, ξ′)  [MMST-11.113] [MMST-11.114] [MMST-Ex11.2].

    squared takes C Σ (ξ² + ξ′²) instead of C Σ (ξ + ξ′).

    Shapes    X: n × p; the solution is (β₁ … β_p, β₀, ξ₁ … ξ_n, ξ₁′ … ξ_n′)
    Exact     yes
    """
    (n, p), kind = X.shape, X.kind
    zero, one = kind(0), kind(1)
    tail = [2 * C if squared else zero] * (2 * n)
    Q = Matrix.diagonal_of(Vector([*[one] * p, zero, *tail]))
    c = Vector([zero] * (p + 1) + [zero if squared else C] * (2 * n))
    rows, h = [], []
    for i, (x, t) in enumerate(zip(X, y)):
        for sign, place in ((-1, i), (1, n + i)):
            slack = [-one if k == place else zero for k in range(2 * n)]
            rows.append(Vector([*[-sign * v for v in x], kind(-sign), *slack]))
            h.append(epsilon - sign * t)
    lower = (None,) * (p + 1) + (zero,) * (2 * n)
    return Problem(Q, c, lower, (None,) * len(c), G=Matrix(rows), h=Vector(h))


def lagrangian(
    square: Number,
    r: Vector,
    slack: tuple[Vector, Vector],
    tube: tuple[Vector, Vector],
    sign: tuple[Vector, Vector],
    C: Number,
    epsilon: Number,
) -> Number:
    """Return the Lagrange function at any point and any multipliers  [MMST-11.115].

        F = ½‖β‖² + C Σ(ξ + ξ′) − Σa{ε + ξ + r} − Σb{ε + ξ′ − r} − Σcξ − Σdξ′

    Each brace is what its constraint says is not negative, so that a minus goes with a multiplier ≥ 0 [ERR-MMST-01].

    Shapes    slack: (ξ, ξ′); tube: (a, b); sign: (c, d), each of them n
    Exact     yes
    """
    (below, above), (a, b), (c, d) = slack, tube, sign
    cost = C * (below.sum() + above.sum())
    lower = sum(v * (epsilon + s + t) for v, s, t in zip(a, below, r))
    upper = sum(v * (epsilon + s - t) for v, s, t in zip(b, above, r))
    return square / 2 + cost - lower - upper - c @ below - d @ above


def stationarity(
    beta: Vector, X: Matrix, tube: tuple[Vector, Vector], sign: tuple[Vector, Vector], C: Number
) -> tuple[Number, Vector, Vector, Vector]:
    """Return the derivatives of the Lagrangian in β₀, β, ξ and ξ′, all zero where it is stationary.

        ∂/∂β₀ = Σa − Σb                 [MMST-11.116] [MMST-11.121]
        ∂/∂β  = β + Σaᵢxᵢ − Σbᵢxᵢ       [MMST-11.117] [MMST-11.120]
        ∂/∂ξ  = C − a − c               [MMST-11.118] [MMST-11.122]
        ∂/∂ξ′ = C − b − d               [MMST-11.119] [MMST-11.122]

    Exact     yes
    """
    (a, b), (c, d) = tube, sign
    full = Vector([C] * len(a))
    return a.sum() - b.sum(), beta - weights(a, b, X), full - a - c, full - b - d


def weights(a: Vector, b: Vector, X: Matrix) -> Vector:
    """Return β = Σ (bᵢ − aᵢ) xᵢ  [ESL-12.39] [MMST-11.120] [MMST-11.130].

    Exact     yes
    """
    return X.T @ (b - a)


def values(a: Vector, b: Vector, beta0: Number, K: Any) -> Vector:
    """Return f(x) = Σ (bᵢ − aᵢ) K(x, xᵢ) + β₀, one for each row K(x, ·)  [ESL-12.40] [MMST-11.123] [MMST-11.132].

    With K(x, z) = xᵀz it is the linear regression function β₀ + xᵀβ  [MMST-11.112].

    Exact     yes
    """
    return Vector.of([v + beta0 for v in product(K, b - a)])


def dual_objective(a: Vector, b: Vector, y: Vector, K: Any, epsilon: Number) -> Number:
    """Return the dual  [MMST-11.124] [ESL-12.41] [MMST-11.131] [MMST-Ex11.4a].

        F_D = (b − a)ᵀy − ε(b + a)ᵀ1 − ½ (b − a)ᵀK(b − a)        0 ≤ a, b ≤ C,  Σ(b − a) = 0  [MMST-11.125]

    ESL minimises −F_D. Its further constraint a b = 0 holds at the optimum by itself when ε > 0: lowering both by the
    smaller one raises F_D by 2ε times as much [ERR-ESL-14].

    Exact     yes
    Cost      n² + 2n + 1 multiplications
    """
    signed = b - a
    return signed @ y - epsilon * (a.sum() + b.sum()) - signed @ Vector.of(product(K, signed)) / 2


def squared_dual_objective(a: Vector, b: Vector, y: Vector, K: Matrix, epsilon: Number, C: Number) -> Number:
    """Return the dual for the squared excess, a and b without an upper bound  [MMST-Ex11.2] [MMST-Ex11.4b].

        F_D − (1/4C) Σ (a² + b²)        where ξ = a/(2C), ξ′ = b/(2C)

    Exact     yes
    """
    return dual_objective(a, b, y, K, epsilon) - (a @ a + b @ b) / (4 * C)


def residuals(a: Vector, b: Vector, r: Vector, C: Number, epsilon: Number) -> dict[str, Number]:
    """Return how far each optimality condition fails, the worst over the points, slacks being the least ones.

        "below"        |a (−r − ε − ξ)|              [MMST-11.126]
        "above"        |b (r − ε − ξ′)|              [MMST-11.127]
        "both"         |a b| and |ξ ξ′|              [MMST-11.128]
        "bound"        |(a − C) ξ| and |(b − C) ξ′|  [MMST-11.129]
        "box"          how far a or b lies outside [0, C]
        "balance"      |Σ(b − a)|                    [MMST-11.121]

    With β = Σ(b − a)x, all zero is necessary (for ε > 0) and sufficient for an optimum.

    Exact     yes
    """
    below, above = slacks(r, epsilon)
    zero = r.kind(0)
    return {
        "below": max(abs(v * (-t - epsilon - s)) for v, t, s in zip(a, r, below)),
        "above": max(abs(v * (t - epsilon - s)) for v, t, s in zip(b, r, above)),
        "both": max(a.times(b).largest(), below.times(above).largest()),
        "bound": max(max(abs((v - C) * s) for v, s in zip(m, z)) for m, z in ((a, below), (b, above))),
        "box": max(max(zero, -v, v - C) for v in (*a, *b)),
        "balance": abs(a.sum() - b.sum()),
    }


def intercepts(a: Vector, b: Vector, y: Vector, products: Vector, C: Number, epsilon: Number) -> list[Number]:
    """Return the intercept that each free point gives, all equal at an optimum  [MMST-11.126] [MMST-11.127].

        0 < bᵢ < C:  β₀ = yᵢ − Σⱼ(bⱼ − aⱼ)Kᵢⱼ − ε        0 < aᵢ < C:  β₀ = yᵢ − Σⱼ(bⱼ − aⱼ)Kᵢⱼ + ε

    Shapes    products: the n numbers Σⱼ(bⱼ − aⱼ)Kᵢⱼ
    Exact     yes
    """
    above = [t - v - epsilon for m, t, v in zip(b, y, products) if 0 < m < C]
    return above + [t - v + epsilon for m, t, v in zip(a, y, products) if 0 < m < C]
