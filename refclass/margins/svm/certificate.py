"""The proof of a machine: exact, and without solving anything, whoever found the answer.

Two kinds of answer can be judged: multipliers with an intercept, (α, β₀), and for linear kernels a hyperplane, (β, β₀).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Optional

from refclass.certificate import ASKED, Certificate, relative_digits, status
from refclass.errors import InvalidInput, NoAnswer
from refclass.kernels.product import exact_product, linear_points
from refclass.linear.common_denominator import Scaled
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.soft import Machine, intercept_interval, primal_objective
from refclass.number.field import Number, rational
from refclass.number.text import approximate
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.definiteness import definite

ROUNDED = "the kernel is positive semidefinite; its rounded values are taken as exact"
# Digits to which yᵢf(xᵢ) is 1 for a point that counts as on the edge, tried one after another.
WIDTHS = (0, 12, 8, 5, 3, 1)
MOST = 100  # points on the edge beyond which a wider one is not tried: their problem is solved in fractions


def certify(
    machine: Machine, alpha: Vector, beta0: Number, *, asked: float = ASKED, products: Optional[Vector] = None
) -> Certificate:
    """Return the proof of (α, β₀) for the machine, exact, whoever found it  [ESL-12.14] [ESL-12.15] [ESL-12.16].

        primal = ½‖β‖² + Σ Cᵢ ξᵢ at (α, β₀),   dual = L_D at the nearest feasible multipliers,   gap = primal − dual

    The optimum lies between dual and primal: multipliers are clipped to their box, and those of the class that weighs
    more are scaled down until Σ αᵢyᵢ = 0. Where that changes nothing the gap is the sum over the points of
    (Cᵢ − αᵢ)[1 − yᵢf(xᵢ)]₊ + αᵢ[yᵢf(xᵢ) − 1]₊: it is zero if and only if every KKT condition holds. Where points of
    infinite cost have slack, but their smallest margin m is positive, (β/m, β₀/m) is feasible, and primal is its value.
    The worst violation is the largest of |Σ αᵢyᵢ| and, over the points, |αᵢ − clip(αᵢ + 1 − yᵢf(xᵢ), 0, Cᵢ)|, zero if
    and only if the three conditions of point i hold. (Squared slack: yᵢf(xᵢ) + αᵢ/(2Cᵢ) in place of yᵢf(xᵢ).)

    A kernel that does not promise to be positive semidefinite is decided by `definite`. Without convexity no dual
    bounds the primal; the sum above still says how well the conditions hold: to the digits asked, "stationary".

    Shapes    alpha: n; products, if known: K times the yᵢαᵢ, n fractions
    Units     asked: the decimal digits of the objective that "optimal" stands for
    Exact     yes: floats and decimals are taken as the rationals they are
    Cost      n multiplications of integers for each support vector, twice that where α is not feasible; that of
              `definite` besides
    Raises    InvalidInput if the lengths differ
    """
    n = len(machine.y)
    if len(alpha) != n:
        raise InvalidInput("soft", need=f"{n} multipliers, one for each point", got=len(alpha))
    exact = lifted(machine)
    y, costs, b = exact.y, exact.costs, rational(beta0)
    a = Vector.of(map(rational, alpha))
    signed = a.times(y)
    products = exact_product(machine.K, signed) if products is None else products
    f = Vector.of([v + b for v in products])
    square = Scaled.of(signed) @ Scaled.of(products)
    shifts = _shifts(exact, a)
    margins = [t * v + s for t, v, s in zip(y, f, shifts)]
    ends = [c if not (machine.squared and c) else None for c in costs]
    targets = [_clip(v + 1 - m, end) for v, m, end in zip(a, margins, ends)]
    residuals = [abs(v - t) for v, t in zip(a, targets)]
    balance = sum(signed, Fraction(0)) if machine.intercept else Fraction(0)
    worst = max(abs(balance), *residuals)
    primal, dual = _least_primal(exact, square, f), _dual(exact, a, signed, products)
    convex = machine.positive or definite(machine.K, machine.intercept)[0]
    proven = relative_digits(primal, dual)
    interval = (b, b)
    if machine.intercept and worst == 0 and convex:
        interval = intercept_interval(exact, a, Vector.of([v + t * s for v, t, s in zip(products, y, shifts)]))
    return Certificate(
        status=status(proven, asked, convex=convex),
        primal=primal,
        dual=dual if convex else None,
        gap=None if primal is None or not convex else primal - dual,
        worst_violation=worst,
        where=_where(worst, a, margins, targets, ends, balance),
        unique={"f": convex or None, "intercept": interval[0] == interval[1] if worst == 0 and convex else None},
        premise=ROUNDED if machine.positive and machine.rounded else "",
        digits=proven if convex else None,
    )


def lifted(machine: Machine) -> Machine:
    """Return the machine with labels and costs in fractions; its Gram matrix as it is."""
    costs = tuple([None if c is None else rational(c) for c in machine.costs])
    return replace(machine, y=Vector.of(map(rational, machine.y)), costs=costs)


def _shifts(machine: Machine, a: Sequence[Fraction]) -> list[Fraction]:
    """Return αᵢ/(2Cᵢ) where slack is squared and costs something, else zero."""
    return [v / (2 * c) if machine.squared and c else Fraction(0) for v, c in zip(a, machine.costs)]


def _clip(v: Fraction, end: Optional[Fraction]) -> Fraction:
    """Return the nearest number in [0, end], None for ∞."""
    return max(v if end is None else min(v, end), Fraction(0))


def _least_primal(machine: Machine, square: Fraction, f: Vector) -> Optional[Fraction]:
    """Return the primal at f, or at f/m where points of infinite cost have margins down to m > 0; else None."""
    hard = [t * v for v, t, c in zip(f, machine.y, machine.costs) if c is None]
    m = min(hard, default=Fraction(1))
    if m <= 0:
        return None
    if m < 1:
        square, f = square / (m * m), f / m
    value: Optional[Fraction] = primal_objective(square, f, machine.y, machine.costs, machine.squared)
    return value


def feasible(machine: Machine, a: Sequence[Fraction]) -> Vector:
    """Return multipliers in the box with Σ αᵢyᵢ = 0 near these: clipped, the heavier class scaled down, exactly."""
    ends = [c if not (machine.squared and c) else None for c in machine.costs]
    clipped = Vector.of([_clip(v, end) for v, end in zip(a, ends)])
    if not machine.intercept:
        return clipped
    sums = {s: sum([v for v, t in zip(clipped, machine.y) if t == s], Fraction(0)) for s in (1, -1)}
    least = min(sums.values())
    shares = {s: least / total if total else Fraction(0) for s, total in sums.items()}
    return Vector.of([v * shares[int(t)] for v, t in zip(clipped, machine.y)])


def _dual(machine: Machine, a: Vector, signed: Vector, products: Vector) -> Fraction:
    """Return L_D at the feasible multipliers near α; signed are yᵢαᵢ, products K times them."""
    near = feasible(machine, a)
    if near != a:
        signed = near.times(machine.y)
        products = exact_product(machine.K, signed)
    shifts = _shifts(machine, near)
    return Scaled.of(near) @ Scaled.of([1 - (t * v + s) / 2 for t, v, s in zip(machine.y, products, shifts)])


def _where(
    worst: Fraction,
    a: Sequence[Fraction],
    margins: Sequence[Fraction],
    targets: Sequence[Fraction],
    ends: Sequence[Optional[Fraction]],
    balance: Fraction,
) -> str:
    """Return where the largest violation is, and what it is the size of, in words; none at an optimum."""
    if worst == 0:
        return ""
    if worst == abs(balance):
        return f"sum of alpha·y is {approximate(balance):.6g}, not 0"
    i = next(i for i, (v, t) in enumerate(zip(a, targets)) if abs(v - t) == worst)
    v, target, end = a[i], targets[i], ends[i]
    if _clip(v, end) == target != v:
        most = "inf" if end is None else f"{approximate(end):.6g}"
        return f"point {i}: alpha {approximate(v):.6g} is outside [0, {most}] by {approximate(worst):.3g}"
    side = "0" if v == 0 else "C" if v == end else "between 0 and C" if _clip(v, end) == v else "outside [0, C]"
    said = f"point {i}: y·f − 1 is {approximate(margins[i] - 1):.3g} where alpha is {side}"
    if target not in (0, end):
        return said
    return f"{said}, {approximate(worst):.3g} {'above 0' if target == 0 else 'below C'}"


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
    primal = _least_primal(exact, w @ w, f)
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
        dual = sum([v - v * s / 2 for v, s in zip(alpha, _shifts(machine, alpha))], Fraction(0)) - pull @ pull / 2
        yield dual, pull
        proven = relative_digits(primal, dual)
        if proven is not None and proven >= asked:
            return


def _multipliers(machine: Machine, X: Sequence[Vector], f: Vector, edge: Sequence[int]) -> Vector:
    """Return feasible multipliers for the values f of a hyperplane: those of the edge make the dual largest."""
    zero, y, costs = Fraction(0), machine.y, machine.costs
    slack = [1 - t * v for v, t in zip(f, y)]
    if machine.squared:  # Method: αᵢ = 2Cᵢξᵢ by stationarity
        return feasible(machine, [zero if c is None or v < 0 else 2 * c * v for v, c in zip(slack, costs)])
    alpha = [zero if c is None or v <= 0 else c for v, c in zip(slack, costs)]
    for i in edge:
        alpha[i] = zero
    if not edge:
        return feasible(machine, alpha)
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
    return feasible(machine, alpha)
