"""The proof beside a kernel machine whose loss is no piecewise quadratic: by duality, in sixty digits or more.

    Σ φᵢ(fᵢ) + ½λ‖f‖²  ≥  −Σ φᵢ*(−uᵢ) − ½λ‖Σ (uᵢ/λ) K(xᵢ, ·)‖²        for every u with Σ uᵢ = 0

φᵢ is the loss of point i as a function of fᵢ, φᵢ* its conjugate. With uᵢ = λaᵢ both sides are equal at the optimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.vector import Vector
from refclass.losses.loss import Loss, MarginLoss
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.near import THRESHOLD
from refclass.number.text import approximate
from refclass.optimise.certificate import Certificate
from refclass.regress.dual_proof import balanced
from refclass.regress.product import exact_product
from refclass.regress.smooth import Losses

DIGITS = 60  # or twice as many as the answer has


def certify(
    K: Any,
    loss: Loss,
    y: Vector,
    weights: Vector,
    penalty: Number,
    a: Vector,
    beta0: Number,
    *,
    intercept: bool = True,
    eps: Any = 0,
    premise: str = "",
) -> Certificate:
    """Return the proof of f = Σ aᵢ K(xᵢ, ·) + β₀, whoever found it  [ESL-12.43] [ESL-12.44].

    primal is the objective at f, dual the bound above at the balanced λa: where Σ aᵢ is not zero, the multipliers of
    the sign that weighs more are scaled down. The worst violation is the largest of |λaᵢ + φᵢ′(fᵢ)| and |λ Σ aᵢ|. By
    strong convexity f lies within √(2 gap/λ) of the optimum in the norm ‖f‖.

    Shapes    K: rows of the Gram matrix; the others n
    Units     eps: the spacing of the numbers that a and β₀ were computed in; the status is "optimal" if the violation
              is at most 30 n eps times the size of what it is summed from
    Exact     data and answer are taken as the rationals that they are; the loss, its slopes and its conjugate are
              computed from them in 60 digits, or twice as many as the answer has
    Raises    InvalidInput if the lengths differ
    """
    n = len(y)
    if len(a) != n or len(weights) != n:
        raise InvalidInput("smooth_proof", need=f"{n} multipliers and weights", got=f"{len(a)}, {len(weights)}")
    D = decimal(max(DIGITS, 2 * getattr(a[0], "precision", 0)))
    lam, b = rational(penalty), rational(beta0)
    exact = [rational(v) for v in a]
    values = exact_product(K, exact)
    square = Vector.of(exact) @ values
    losses = Losses(D, loss, Vector.of(map(D.lift, y)), Vector.of(map(D.lift, weights)))
    f = Vector.of([D.lift(v + b) for v in values])
    violations = [abs(lam * v + rational(g)) for v, g in zip(exact, losses.slopes(f))]
    balance = abs(lam * sum(exact, Fraction(0))) if intercept else Fraction(0)
    worst = max(*violations, balance)
    primal = rational(losses.value(f)) + lam * square / 2
    dual = _dual(D, K, losses, [lam * v for v in exact], lam, intercept)
    largest = max(map(abs, exact))
    size = (1 + abs(b) + largest * max(map(abs, map(rational, K.diagonal())))) * max(map(rational, weights))
    good = worst <= THRESHOLD * n * rational(eps) * (size + lam * largest)
    return Certificate(
        status="optimal" if good else "not optimal",
        primal=primal,
        dual=dual,
        gap=None if dual is None else primal - dual,
        worst_violation=worst,
        where=_where(violations, balance),
        unique={"f": True},
        premise="; ".join(filter(None, (premise, f"the loss and its conjugate as {D.name} computes them"))),
    )


def _where(violations: Sequence[Fraction], balance: Fraction) -> str:
    worst = max(violations)
    if balance > worst:
        return f"the penalty times the sum of the multipliers is {approximate(balance):.6g}, not 0"
    return f"point {violations.index(worst)}: multiplier and slope differ" if worst else ""


def _dual(
    D: Field, K: Any, losses: Losses, given: Sequence[Fraction], lam: Fraction, intercept: bool
) -> Optional[Fraction]:
    u = balanced(given) if intercept else Vector.of(given)
    square = u @ exact_product(K, u) / lam
    total = D.kind(0)
    try:
        for v, target, w in zip(map(D.lift, u), losses.y, losses.weights):
            if isinstance(losses.loss, MarginLoss):
                total = total + w * losses.loss.conjugate(D, -v * target / w)
            else:
                total = total + w * losses.loss.conjugate(D, v / w) - v * target
    except NoAnswer:
        return None
    paid: Fraction = rational(total) + square / 2
    return -paid
