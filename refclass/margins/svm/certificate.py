"""The proof of a machine: exact, and without solving anything, whoever found the answer.

Two kinds of answer can be judged: multipliers with an intercept, (α, β₀), and for linear kernels a hyperplane, (β, β₀).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Optional

from refclass.certificate import ASKED, Certificate, relative_digits, status
from refclass.errors import InvalidInput, NoAnswer
from refclass.kernels.matrices.product import linear_points
from refclass.linear.common_denominator import Scaled
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.soft import Machine
from refclass.number.field import Number, rational
from refclass.number.text import approximate
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.regress.kernel import certificate as proof
from refclass.regress.kernel.fitted_machine import dual_objective

# Digits to which yᵢf(xᵢ) is 1 for a point that counts as on the edge, tried one after another.
WIDTHS = (0, 12, 8, 5, 3, 1)
MOST = 100  # points on the edge beyond which a wider one is not tried: their problem is solved in fractions


def certify(
    machine: Machine,
    alpha: Vector,
    beta0: Number,
    *,
    beta: Optional[Vector] = None,
    asked: float = ASKED,
    products: Optional[Vector] = None,
) -> Certificate:
    """Return the proof of (α, β₀) for the machine, exact, whoever found it  [ESL-12.14] [ESL-12.15] [ESL-12.16].

        primal = ½‖β‖² + Σ Cᵢ ξᵢ at (α, β₀),   dual = L_D at the nearest feasible multipliers,   gap = primal − dual

    It is that of the kernel machine with the multipliers yᵢαᵢ. The optimum lies between dual and primal: multipliers
    are clipped to their box, and those of the class that weighs more are scaled down until Σ αᵢyᵢ = 0. Where that
    changes nothing the gap is the sum over the points of (Cᵢ − αᵢ)[1 − yᵢf(xᵢ)]₊ + αᵢ[yᵢf(xᵢ) − 1]₊: it is zero if and
    only if every KKT condition holds. Where points of infinite cost have slack, but their smallest margin m is
    positive, (β/m, β₀/m) is feasible, and primal is its value.

    Where a linear function is delivered by β as well, f(x) = xᵀβ + β₀ is judged, too; the worse of the two counts.

    Shapes    alpha: n; beta: p, for a linear kernel; products, if known: K times the yᵢαᵢ, n fractions
    Units     asked: the decimal digits of the objective that "optimal" stands for
    Exact     yes: floats and decimals are taken as the rationals they are
    Cost      n multiplications of integers for each support vector, more where α is not feasible, and that of
              `definite` where the kernel promises nothing
    Raises    InvalidInput if the lengths differ
    """
    if len(alpha) != len(machine.y):
        raise InvalidInput("soft", need=f"{len(machine.y)} multipliers, one for each point", got=len(alpha))
    a = Scaled.of(alpha).times(Scaled.of(machine.y))
    words = partial(_words, machine)
    return proof.certify(lifted(machine).dual(), a, beta0, beta=beta, asked=asked, products=products, words=words)


def _words(machine: Machine, i: int, a: Fraction, r: Fraction, worst: Fraction) -> str:
    """Return which condition of point i fails, and by how much: its box, or its margin."""
    y, end = rational(machine.y[i]), machine.costs[i]
    v, margin = a * y, 1 - r * y
    end = rational(end) if end is not None and not (machine.squared and end) else None
    if v < 0 or (end is not None and v > end):
        most = "inf" if end is None else f"{approximate(end):.6g}"
        over = -v if end is None or v < 0 else v - end
        return f"point {i}: alpha {approximate(v):.6g} is outside [0, {most}] by {approximate(over):.3g}"
    side = "0" if v == 0 else "C" if v == end else "between 0 and C"
    bent = v / (2 * rational(machine.costs[i])) if machine.squared and machine.costs[i] else Fraction(0)
    said = f"point {i}: y·f − 1 is {approximate(margin + bent - 1):.3g} where alpha is {side}"
    target = max(v + 1 - margin - bent, Fraction(0))
    if target == 0:
        return f"{said}, {approximate(worst):.3g} above 0"
    return f"{said}, {approximate(worst):.3g} below C" if end is not None and target >= end else said


def certify_hyperplane(machine: Machine, beta: Vector, beta0: Number, *, asked: float = ASKED) -> Certificate:
    """Return the proof of (β, β₀) for a machine with a linear kernel, multipliers found beside it  [ESL-12.10].

    primal is ½‖β‖² + Σ Cᵢξᵢ at (β, β₀), scaled as in `certify` where points of infinite cost have slack. For the dual
    side, points inside the band have αᵢ = Cᵢ, points beyond it αᵢ = 0, and those within a width of its edge the αᵢ that
    make the dual largest: a problem in as many variables as there are such points. By weak duality the gap bounds how
    far (β, β₀) is from the best, whatever the multipliers; it is zero at the optimum. Of several widths the one that
    proves the most counts. The worst violation is the largest entry of β − Σ αᵢyᵢxᵢ.

    Shapes    beta: p
    Units     asked: as in `certify`
    Exact     yes
    Raises    InvalidInput if the kernel is not linear or β has another length
    """
    if linear_points(machine.K) is None:
        raise InvalidInput("proof", need="a linear kernel to judge a hyperplane", got="another")
    X = [Vector(map(rational, x)) for x in machine.K.X]
    if len(beta) != len(X[0]):
        raise InvalidInput("proof", need=f"{len(X[0])} coefficients, one for each variable", got=len(beta))
    w, b, exact = Vector(map(rational, beta)), rational(beta0), lifted(machine)
    f = Vector([x @ w + b for x in X])
    primal = proof.least_primal(exact.dual(), w @ w, f)
    dual, pull = max(_bounds(exact, X, f, primal, asked), key=lambda found: found[0])
    proven, worst = relative_digits(primal, dual), (w - pull).largest()
    where = "" if worst == 0 else f"beta is {approximate(worst):.6g} from the nearest sum of alpha·y·x"
    if primal is None:
        i = min([i for i, c in enumerate(exact.costs) if c is None], key=lambda i: exact.y[i] * f[i])
        where = f"point {i}: y·f is {approximate(exact.y[i] * f[i]):.6g}, and no slack is allowed"
    return Certificate(
        status=status(proven, asked),
        primal=primal,
        dual=dual,
        gap=None if primal is None else primal - dual,
        worst_violation=worst,
        where=where,
        unique={"beta": True},
        digits=proven,
    )


def lifted(machine: Machine) -> Machine:
    """Return the machine with labels and costs in fractions; its Gram matrix as it is."""
    y = Vector.of(map(rational, machine.y))
    if machine.given is not None:
        return replace(machine, y=y, costs=machine.given, given=None)
    costs = {c: None if c is None else rational(c) for c in set(machine.costs)}
    return replace(machine, y=y, costs=tuple([costs[c] for c in machine.costs]))


def _bounds(
    machine: Machine, X: Sequence[Vector], f: Vector, primal: Optional[Fraction], asked: float
) -> Iterator[tuple[Fraction, Vector]]:
    """Yield lower bounds for a hyperplane's values f, each with its Σ αᵢyᵢxᵢ, until one proves the digits asked."""
    known: set[tuple[int, ...]] = set()
    for digits in WIDTHS:
        width = Fraction(1, 10**digits) * (1 + f.largest()) if digits else Fraction(0)
        edge = [i for i, (v, t) in enumerate(zip(f, machine.y)) if abs(t * v - 1) <= width and machine.costs[i] != 0]
        if tuple(edge) in known or (known and len(edge) > MOST):
            continue
        known.add(tuple(edge))
        alpha = _multipliers(machine, X, f, edge)
        pull = sum((v * t * x for v, t, x in zip(alpha, machine.y, X) if v), X[0] - X[0])
        dual = dual_objective(machine.dual(), alpha.times(machine.y), pull @ pull)
        yield dual, pull
        proven = relative_digits(primal, dual)
        if proven is not None and proven >= asked:
            return


def _multipliers(machine: Machine, X: Sequence[Vector], f: Vector, edge: Sequence[int]) -> Vector:
    """Return feasible multipliers for the values f of a hyperplane: those of the edge make the dual largest."""
    zero, y, costs = Fraction(0), machine.y, machine.costs
    slack = [1 - t * v for v, t in zip(f, y)]
    if machine.squared:  # Method: αᵢ = 2Cᵢξᵢ by stationarity
        return _feasible(machine, [zero if c is None or v < 0 else 2 * c * v for v, c in zip(slack, costs)])
    alpha = [zero if c is None or v <= 0 else c for v, c in zip(slack, costs)]
    for i in edge:
        alpha[i] = zero
    if not edge:
        return _feasible(machine, alpha)
    rest = sum([v * t * x for v, t, x in zip(alpha, y, X) if v], X[0] - X[0])
    Z = Matrix([y[i] * X[i] for i in edge])
    sums: tuple[Optional[Matrix], Optional[Vector]] = (None, None)
    if machine.intercept:
        sums = (Matrix([[y[i] for i in edge]]), Vector([-sum([v * t for v, t in zip(alpha, y)], zero)]))
    n, ends = len(edge), tuple([costs[i] for i in edge])
    c = Z @ rest - Vector([Fraction(1)] * n)
    try:
        best = active_set.solve(quadratic.Problem(Z @ Z.T, c, (zero,) * n, ends, *sums), convex=True).x
    except NoAnswer:
        best = Vector([zero] * n)  # no multipliers of the edge balance the others, or the dual has no end
    for i, v in zip(edge, best):
        alpha[i] = v
    return _feasible(machine, alpha)


def _feasible(machine: Machine, alpha: Sequence[Fraction]) -> Vector:
    """Return multipliers in the box with Σ αᵢyᵢ = 0 near these."""
    return proof.feasible(machine.dual(), Vector.of(alpha).times(machine.y)).times(machine.y)
