"""The smallest ball that encloses points, in the space that a kernel spans: what the bound on a dimension needs.

    minimise R²  subject to  ‖φ(xᵢ) − c‖² ≤ R²
    maximise Σ αᵢKᵢᵢ − αᵀKα  over  α ≥ 0, Σ αᵢ = 1        c = Σ αᵢφ(xᵢ),   both have the same value (RC-26)

Only inner products enter: K is a Gram matrix, or rows of one that are computed when asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refclass.certificate import ASKED, Certificate, digits, relative_digits, status
from refclass.errors import NoAnswer, NotConverged
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.optimise.active_set import crossover
from refclass.optimise.decomposition import solver as decomposition
from refclass.optimise.quadratic.convexity import refuse_concave
from refclass.optimise.quadratic.problem import Problem

PRECISION = 2**34  # the share of the points' spread that doubles may miss the least R² by, upside down


@dataclass(frozen=True)
class Ball:
    """A ball about Σ αᵢφ(xᵢ).

    weights    α, n numbers ≥ 0 of sum 1
    square     R², the largest squared distance of a point from the centre
    """

    weights: Vector
    square: Number

    @property
    def support(self) -> list[int]:
        """The points that have a weight: at the optimum they lie on the sphere."""
        return [i for i, a in enumerate(self.weights) if a]


def problem(K: Any) -> Problem:
    """Return the ball's dual as a problem of minimisation, −½ of it: ½αᵀKα − ½Σ αᵢKᵢᵢ on the simplex."""
    diagonal = K.diagonal()
    n, kind = len(diagonal), type(diagonal[0])
    c = Vector.of([v / -2 for v in diagonal])
    ones, total = Matrix.of([Vector.of([kind(1)] * n)]), Vector.of([kind(1)])
    return Problem(K, c, (kind(0),) * n, (None,) * n, ones, total)


def solve(F: Field, K: Any, held: Any = None, *, positive: bool = True) -> Ball:
    """Return the smallest ball that encloses the points of a Gram matrix  [ESL-12.50].

    held        the Gram matrix with every entry at its exact worth; none: K
    positive    the caller's word that K is positive semidefinite, but for the rounding of its entries

    Exact     yes: R² and weights are rational. In doubles the gap is proven to be below 10⁻⁹ of R², else weights are
              the exact ones, rounded, as in decimals; R² is that of the ball about the centre that is returned
    Raises    NoAnswer with a direction if the kernel is not positive semidefinite where Σ αᵢ = 0: it has no distances

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> K = Matrix([[Fraction(a * b) for b in (0, 3, 4)] for a in (0, 3, 4)])
        >>> solve(RATIONAL, K)
        Ball(weights=Vector(1/2, 0, 1/2), square=Fraction(4, 1))
    """
    held = K if held is None else held
    if not positive:
        refuse_concave(problem(held), "ball")
    near = _in_doubles(K) if F.kind is float else None
    if near is not None:
        primal, dual = bounds(held, near)
        if (relative_digits(primal, dual) or 0) >= ASKED:
            return Ball(near, F.lift(primal))
    exact = Vector.of(map(F.lift, crossover.solve(problem(held), near, convex=True).x))
    if near is not None and bounds(held, exact)[0] > primal:
        exact = near
    return Ball(exact, F.lift(bounds(held, exact)[0]))


def _in_doubles(K: Any) -> Vector:
    """Return weights near the optimum, computed in doubles."""
    first, at = K.row(0), K.diagonal()
    spread = max([v - 2 * k + at[0] for v, k in zip(at, first)])
    start = Vector.unit(len(at), 0, float)
    if not spread > 0:
        return start
    try:
        return decomposition.ended(problem(K), start=start, tol=spread / PRECISION).x
    except (NoAnswer, NotConverged):  # Premise: roundoff; the exact Gram matrix decides.
        return start


def centre(weights: Vector, X: Sequence[Vector]) -> Vector:
    """Return the centre Σ αᵢxᵢ in the points' own space.

    Exact     yes
    """
    return Vector.of([sum(a * v for a, v in zip(weights, column)) for column in zip(*X)])


def bounds(K: Any, weights: Vector) -> tuple[Fraction, Fraction]:
    """Return the largest squared distance from the centre, and the dual, at weights made ≥ 0 and of sum 1, exactly.

    Exact     yes
    """
    reported = Scaled.of(weights).fractions()
    total = sum(a for a in reported if a > 0)
    support = [i for i, a in enumerate(reported) if a > 0]
    shares = Scaled.of([reported[i] / total for i in support])
    image = combination((K.row(i) for i in support), shares, len(reported))
    at = Scaled.of(K.diagonal())
    inner = shares @ Scaled.of([image[i] for i in support])
    primal = max((at - image - image).fractions()) + inner
    return primal, shares @ Scaled.of([at[i] for i in support]) - inner


def certify(K: Any, ball: Ball) -> Certificate:
    """Return the proof of a ball, every number taken at its exact value  (RC-26).

    primal             R² of the smallest ball about this centre: the largest squared distance
    dual               Σ αᵢKᵢᵢ − αᵀKα ≤ R² of every ball that encloses the points
    worst_violation    of: weights ≥ 0, their sum 1 (both are put right before anything is computed), R² as reported
    digits             those of the gap, of R² as reported, and of what was put right, whichever are fewest
    unique             the centre, always

    Exact     yes
    """
    reported = Scaled.of(ball.weights).fractions()
    primal, dual = bounds(K, ball.weights)
    wrong = {
        "sum of the weights": (abs(sum(reported, Fraction(0)) - 1), Fraction(1)),
        "sign of a weight": (max(-min(reported), Fraction(0)), Fraction(1)),
        "R²": (abs(Fraction(*ball.square.as_integer_ratio()) - primal), primal),
    }
    amount, where = max((v, name) for name, (v, _) in wrong.items())
    proven = min([digits(primal - dual, primal), *(digits(v, size) for v, size in wrong.values())])
    return Certificate(
        status=status(proven),
        primal=primal,
        dual=dual,
        gap=primal - dual,
        worst_violation=amount,
        where=where if amount else "",
        unique={"centre": True},
        digits=proven,
    )
