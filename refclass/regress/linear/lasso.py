"""Least squares with an absolute penalty (Tibshirani 1996), as the text compares it with the ridge  [CMP-LASSO].

    minimise Σ wᵢ(yᵢ − hᵢᵀβ)² + λ Σ|β_j|

With β = u − v, u, v ≥ 0, it is a convex quadratic programme, solved exactly. For any β and r = y − Hβ the point
θ = 2r, brought to |HᵀWθ| ≤ λ by the least motion, gives θᵀWy − θᵀWθ/4, which is at most the minimum: the gap is a
proof. W is the diagonal matrix of the weights, all one if none are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Optional

from refclass.certificate import ASKED, Certificate, lost, relative_digits, status
from refclass.errors import InvalidInput
from refclass.linear.exact import fraction_free
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational
from refclass.optimise.active_set import solver
from refclass.optimise.quadratic.problem import Problem


def objective(
    H: Matrix, y: Vector, beta: Sequence[Number], penalty: Number, weights: Optional[Vector] = None
) -> Number:
    """Return Σ wᵢ(yᵢ − hᵢᵀβ)² + λ Σ|β_j|  [CMP-LASSO]."""
    r = y - H @ Vector.of(list(beta))
    return r @ _times(weights, r) + penalty * sum(map(abs, beta), penalty * 0)


def _times(weights: Optional[Vector], v: Vector) -> Vector:
    """Return the entries times their weights."""
    return v if weights is None else weights.times(v)


def _weighted(H: Matrix, weights: Optional[Vector]) -> Matrix:
    """Return the rows times their weights."""
    return H if weights is None else Matrix.of([w * row for w, row in zip(weights, H)])


def dual(H: Matrix, y: Vector, beta: Sequence[Number], penalty: Number, weights: Optional[Vector] = None) -> Number:
    """Return a lower bound of the minimum, from the residuals of any β; at the minimum it is the minimum.

        max θᵀWy − ¼θᵀWθ   over |h_jᵀWθ| ≤ λ

    θ = 2r is moved so that its slopes h_jᵀWθ are what they are at the minimum for the signs of β, or else within the
    bounds; the better of the two counts. Of long columns roundoff in β moves slopes by far more than λ. Where columns
    depend on one another, those of a basis are given their slopes, of columns with a β_j other than zero as far as
    there are any, and θ is scaled down until no slope is beyond its bounds. For λ = 0 the bound is the minimum itself.

    Exact     yes
    """
    theta = 2 * (y - H @ Vector.of(list(beta)))
    WH = _weighted(H, weights)
    slopes = WH.T @ theta
    inside = [max(-penalty, min(penalty, v)) for v in slopes]
    signed = [v if not b else penalty if b > 0 else -penalty for v, b in zip(inside, beta)]
    bounds = []
    for target in [inside] if inside == signed else [inside, signed]:
        near, excess = theta, Vector.of([v - t for v, t in zip(slopes, target)])
        if any(excess):
            near = theta - _moved(H, WH, excess, beta)
        steep = (WH.T @ near).largest()
        near = near * (penalty / steep) if steep > penalty else near
        bounds.append(near @ _times(weights, y - near / 4))
    return max(bounds)


def _moved(H: Matrix, WH: Matrix, excess: Vector, beta: Sequence[Number]) -> Vector:
    """Return the shortest vector with these slopes along the columns of a basis, those with β_j ≠ 0 first."""
    G, order = H.T @ WH, sorted(range(len(beta)), key=lambda j: not beta[j])
    basis = [order[k] for k in fraction_free.factor(G.block(order, order)).columns]
    shares = dict(zip(basis, elimination.solve(G.block(basis, basis), excess.pick(basis)) if basis else ()))
    return H @ Vector.of([shares.get(j, 0 * v) for j, v in enumerate(excess)])


def fit(H: Matrix, y: Vector, penalty: Number, weights: Optional[Vector] = None) -> Vector:
    """Return the coefficients β, in fractions  [CMP-LASSO] [L1-NO-KERNEL].

    Shapes    H: n × M; y: n; weights: n numbers ≥ 0
    Exact     yes
    Cost      that of `solver.solve` in 2M variables
    Raises    InvalidInput for a penalty below zero
    """
    if penalty < 0:
        raise InvalidInput("lasso", need="a penalty ≥ 0", got=penalty)
    M, zero = len(H[0]), Fraction(0)
    WH = _weighted(H, weights)
    G, b = H.T @ WH, WH.T @ y
    rows = [[2 * (1 if (i < M) == (j < M) else -1) * G[i % M][j % M] for j in range(2 * M)] for i in range(2 * M)]
    c = Vector([penalty - 2 * v for v in b] + [penalty + 2 * v for v in b])
    x = solver.solve(Problem(Matrix(rows), c, (zero,) * (2 * M), (None,) * (2 * M))).x
    return Vector(x[:M]) - Vector(x[M:])


@dataclass(frozen=True)
class Model:
    """Coefficients in a field.

    optimum    the exact coefficients that they were rounded from, None where these are not known
    """

    F: Field
    beta: Vector
    optimum: Optional[Vector] = None

    @classmethod
    def of(cls, F: Field, optimum: Vector) -> Model:
        """Return exact coefficients rounded to a field."""
        return cls(F, Vector.of(map(F.lift, optimum)), optimum)

    def exact(self) -> Vector:
        """Return the coefficients as the rationals that they are."""
        return Vector.of(map(rational, self.beta))

    def certificate(self, H: Matrix, y: Vector, penalty: Number, weights: Optional[Vector] = None) -> Certificate:
        """Return the proof of the coefficients; of exact ones "optimal" stands for the optimum itself."""
        asked = inf if self.F.exact else ASKED
        found = certify(H, y, self.exact(), penalty, weights, asked=asked, optimum=self.optimum)
        if self.optimum is None or found.digits is None or found.digits >= asked:
            return found
        nearest = Vector.of([rational(self.F.lift(v)) for v in self.optimum])
        best = certify(H, y, nearest, penalty, weights, asked=asked, optimum=self.optimum).digits
        return replace(found, status=status(found.digits, asked, ceiling=best), ceiling=best)


def certify(
    H: Matrix,
    y: Vector,
    beta: Vector,
    penalty: Number,
    weights: Optional[Vector] = None,
    *,
    asked: float = ASKED,
    optimum: Optional[Vector] = None,
) -> Certificate:
    """Return the proof of coefficients, exact, whoever found them: the objective, and the bound that r proves.

    optimum    coefficients whose residuals prove a bound, too: of long columns and dependent ones those of rounded
               coefficients prove less

    The worst violation is the largest of |2h_jᵀWr − λ sign β_j|, and of (|2h_jᵀWr| − λ)₊ where β_j = 0.

    Shapes    H: n × M; y, weights: n; beta: M, all in fractions
    Exact     yes
    """
    primal = objective(H, y, beta, penalty, weights)
    lower = max([dual(H, y, own, penalty, weights) for own in (beta, optimum) if own is not None])
    slopes = _weighted(H, weights).T @ (2 * (y - H @ beta))
    zero = penalty * 0
    away = [abs(g - penalty * (1 if b > 0 else -1)) if b else max(abs(g) - penalty, zero) for g, b in zip(slopes, beta)]
    worst = max(away)
    proven = relative_digits(
        primal, lower, 0 if penalty else y @ _times(weights, y)
    )  # without a penalty the bound is the minimum
    return Certificate(
        status=status(proven, asked),
        primal=primal,
        dual=lower,
        gap=primal - lower,
        worst_violation=worst,
        where=f"coefficient {away.index(worst)}" if worst else "",
        unique={"coef": None},
        digits=proven,
    )


def require(method: str, found: Certificate, F: Field) -> None:
    """Raise NotConverged, with the bounds, where less than one digit of the objective is proven."""
    if found.digits is not None and found.digits < 1:
        raise lost(method, found.digits, found, F.name if F.name != "float" else "doubles")
