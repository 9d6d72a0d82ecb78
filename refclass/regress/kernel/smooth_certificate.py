"""The proof beside a kernel machine whose loss is no piecewise quadratic: by duality, in sixty digits or more.

    Σ φᵢ(fᵢ) + ½λ‖f‖²  ≥  −Σ φᵢ*(−uᵢ) − ½λ‖Σ (uᵢ/λ) K(xᵢ, ·)‖²        for every u with Σ uᵢ = 0

φᵢ is the loss of point i as a function of fᵢ, φᵢ* its conjugate. With uᵢ = λaᵢ both sides are equal at the optimum.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, relative_digits, status
from refclass.errors import InvalidInput, NoAnswer
from refclass.kernels.matrices.product import exact_product
from refclass.linear.vector import Vector
from refclass.losses.loss import Loss, MarginLoss
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.text import approximate
from refclass.optimise.quadratic.definiteness import definite
from refclass.regress.kernel.certificate import ROUNDED, balanced, linear
from refclass.regress.kernel.machine import Machine
from refclass.regress.kernel.smooth import Losses

DIGITS = 60  # or twice as many as the answer has
STEP = 20  # decimals are lengthened by multiples of so many


def certify(
    machine: Machine,
    loss: Loss,
    weights: Vector,
    penalty: Number,
    a: Vector,
    beta0: Number,
    *,
    beta: Optional[Vector] = None,
    asked: float = ASKED,
) -> Certificate:
    """Return the proof of f = Σ aᵢ K(xᵢ, ·) + β₀, whoever found it  [ESL-12.43] [ESL-12.44].

    primal is the objective at f, dual the bound above at the balanced λa: where Σ aᵢ is not zero, the multipliers of
    the sign that weighs more are scaled down. The worst violation is the largest of |λaᵢ + φᵢ′(fᵢ)| and |λ Σ aᵢ|. By
    strong convexity f lies within √(2 gap/λ) of the optimum in the norm ‖f‖. Where a linear function is delivered by β
    as well, f(x) = xᵀβ + β₀ is judged, too; the primal is the larger of the two.

    Shapes    machine: of its points, its pieces unused; beta: p, for a linear kernel; the others n
    Units     asked: the decimal digits of the objective that "optimal" stands for
    Exact     data and answer are taken as the rationals that they are; the loss, its slopes and its conjugate are
              computed from them in 60 digits, or twice as many as the answer has, and those of the penalty
    Raises    InvalidInput if the lengths differ
    """
    n, K = len(machine.y), machine.K
    if len(a) != n or len(weights) != n:
        raise InvalidInput("smooth_proof", need=f"{n} multipliers and weights", got=f"{len(a)}, {len(weights)}")
    lam, b = rational(penalty), rational(beta0)
    exact = [rational(v) for v in a]
    D = decimal(precision(a, weights, lam))
    values = exact_product(K, exact)
    square = Vector.of(exact) @ values
    losses = Losses(D, loss, Vector.of(map(D.lift, machine.y)), Vector.of(map(D.lift, weights)))
    f = Vector.of([D.lift(v + b) for v in values])
    violations = [abs(lam * v + _rational(D, g)) for v, g in zip(exact, losses.slopes(f))]
    balance = abs(lam * sum(exact, Fraction(0))) if machine.intercept else Fraction(0)
    worst = max(*violations, balance)
    primal = _rational(D, losses.value(f)) + lam * square / 2
    primal = primal if beta is None else max(primal, _of_plane(D, losses, linear(K, beta), b, lam))
    given = [lam * v for v in exact]
    dual = _dual(D, K, losses, given, lam, machine.intercept)
    if dual is None and isinstance(loss, MarginLoss):
        # Method: roundoff beyond where a conjugate is finite is taken off; balancing only shrinks multipliers.
        bounds = [(t, rational(w)) for t, w in zip(machine.y, weights)]
        inside = [rational(t) * min(max(v * rational(t), Fraction(0)), w) for v, (t, w) in zip(given, bounds)]
        dual = _dual(D, K, losses, inside, lam, machine.intercept)
    convex = machine.positive or definite(K, machine.intercept)[0]
    proven = relative_digits(primal, dual) if dual is not None else float(0)
    computed = f"the loss and its conjugate as {D.name} computes them"
    return Certificate(
        status=status(proven, asked, convex=convex),
        primal=primal,
        dual=dual if convex else None,
        gap=None if dual is None or not convex else primal - dual,
        worst_violation=worst,
        where=_where(violations, balance),
        unique={"f": convex or None},
        premise="; ".join(filter(None, (ROUNDED if machine.positive and machine.rounded else "", computed))),
        digits=proven if convex else None,
    )


def precision(a: Sequence[Number], weights: Sequence[Number], lam: Fraction) -> int:
    """Return in how many decimals the losses of those multipliers are computed."""
    most = max([abs(rational(v)) / rational(w) for v, w in zip(a, weights)])
    return max(DIGITS, 2 * getattr(a[0], "precision", 0)) + places(lam * most)


def places(share: Fraction) -> int:
    """Return how many decimals more are needed to compute with 1 − share, a number > 0, as with the share itself.

    Of a tiny penalty all losses are of its size: log(1 + e⁻ᶠ) of 10⁻¹⁰⁰ needs a hundred digits before its first.
    """
    bits = share.denominator.bit_length() - share.numerator.bit_length()
    return STEP * (bits * 3 // (10 * STEP)) if share and bits > 0 else 0  # Method: few different lengths.


def share(penalty: Number, diagonal: Sequence[Number]) -> Fraction:
    """Return λ over the largest value of K, if that is above 1: what I + WK/λ and the losses come down to at worst."""
    largest: Fraction = max(map(rational, diagonal))
    return rational(penalty) / max(Fraction(1), largest)


def _rational(D: Field, value: Number) -> Fraction:
    """Return a computed number, one next to zero as 10⁻¹⁰⁰⁰: of the exponentials of doubles it has too many digits."""
    small = abs(value) * D.kind(10) ** 1000 < 1
    return Fraction(bool(value), 10**1000) if small else rational(value)


def _of_plane(D: Field, losses: Losses, plane: tuple[Any, Fraction], b: Fraction, lam: Fraction) -> Fraction:
    """Return the objective of a linear function, given by its values and ‖β‖²."""
    values, square = plane
    return _rational(D, losses.value(Vector.of([D.lift(v + b) for v in values]))) + lam * square / 2


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
