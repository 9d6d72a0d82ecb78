"""A machine trained in doubles, safeguarded: its answer is proven to nine digits, or finished in longer numbers.

Doubles lose the optimum where points lie far from the origin, and where the Gram matrix is ill conditioned. Then

    1  the intercept is chosen anew for the multipliers as they are, from exact decision values
    2  the active-set method goes on from there in decimals of 50 digits and more, to the optimum (crossover)
    3  the optimum is rounded to doubles: entry by entry, and to multiples of one power of two that balance exactly

and the answer of the most proven digits is kept. The digits of the rounded optimum are the answer's ceiling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import frexp, sqrt
from operator import mul
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged, NotExact, Refusal
from refclass.kernels.gram import Rows
from refclass.kernels.precomputed import Similarities
from refclass.linear import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins import proof
from refclass.margins.soft import Machine
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.near import roundoff
from refclass.number.rational import RATIONAL
from refclass.optimise import active_set, refine
from refclass.optimise.certificate import ASKED, Certificate
from refclass.optimise.definite import definite
from refclass.optimise.problem import Converted
from refclass.regress.product import exact_product

ROOM = "safeguard"
LENGTHS = (50, 120, 300)  # digits of the decimals, one after another until they hold the optimum
ENOUGH = 25  # digits that they must prove: those of a double and some more
WORK = 2 * 10**7  # operations with decimals that a crossover may take, about a microsecond each on one core of 2020
FEW, SMALL = 40, 120  # points up to which fractions are as fast as decimals; up to which they take some seconds
MOST = 250  # free points beyond which the equations of an overshoot in decimals take too long
STEPS = 20  # steps for each point, after which longer decimals or fractions are tried
SHOWN = 20  # digits of the bounds in a refusal
TERMS = 1  # units of roundoff of a sum of terms of either sign, each of the size of them all: more than was measured


@dataclass(frozen=True)
class Candidate:
    """Multipliers with the best intercept for them, and their proof.

    interval    all intercepts that are as good
    square      ‖f‖²
    """

    alpha: Vector
    beta0: Number
    interval: tuple[Number, Number]
    square: Fraction
    proof: Certificate

    @property
    def digits(self) -> float:
        """The digits proven, below zero where nothing is bounded."""
        return -1 if self.proof.digits is None else self.proof.digits


@dataclass(frozen=True)
class Safe:
    """An answer in doubles, and the digits that the rounded optimum has, where that was computed."""

    answer: Candidate
    ceiling: Optional[float] = None


def sure(machine: Machine, alpha: Vector, square: float, primal: float, dual: float) -> bool:
    """Return whether an answer's objectives in doubles agree to ten digits, with what roundoff can hide in them.

    Method: yᵢf(xᵢ) is a sum of αⱼKᵢⱼ, off by some units of √Kᵢᵢ Σ αⱼ√Kⱼⱼ; the primal by Cᵢ times that (squared slack:
    times its square) at each point that has slack or may have it. An estimate, to decide whether
    a proof is worth its price.

    Cost      3n multiplications
    """
    roots = [sqrt(abs(v)) for v in machine.K.diagonal()]
    weight = sum(map(mul, alpha, roots))
    unit = TERMS * roundoff(float) * weight
    prices = [
        r * (unit * r * c if machine.squared and c else c or a) for a, r, c in zip(alpha, roots, machine.costs) if a
    ]
    noise = unit * (sum(prices) if machine.squared else weight + sum(prices))
    return bool(abs(primal - dual) + noise <= max(abs(primal), abs(dual)) / 10 ** (ASKED + 1))


def safeguarded(machine: Machine, alpha: Optional[Vector], cause: Optional[Refusal] = None) -> Safe:
    """Return the answer for a machine in doubles whose multipliers are known about, or not at all, for the cause given.

    Exact     no: the answer is in doubles, its proof is exact
    Cost      that of a proof; of a crossover at most WORK operations with decimals for each of their lengths
    Raises    NotConverged, with the bounds, where less than a digit is proven; the cause where nothing is convex
    """
    exact = exactly(machine)
    first = None if alpha is None else _begun(exact, alpha)
    if first is not None and (first.digits >= ASKED or first.proof.status == "stationary"):
        return Safe(first)
    if not machine.positive and not definite(machine.K, machine.intercept)[0]:
        if first is None:
            raise cause or NotConverged(ROOM, need="a stationary point", got="none")
        return Safe(first)
    try:
        found = _optimum(exact, alpha)
    except NoAnswer as refusal:
        raise (cause if isinstance(cause, NoAnswer) else refusal) from None
    if found is None:
        return Safe(_held(first, cause, None))
    try:
        rounded = [candidate(exact, a, float) for a in _rounded(exact, found.alpha)]
    except OverflowError:
        raise NotExact(ROOM, need="an answer within the range of doubles", got="a larger one") from None
    ceiling = max(c.digits for c in rounded)
    if ceiling < ASKED:
        rounded += _overshot(exact, found, rounded[0])
    every = rounded if first is None else [first, *rounded]
    return Safe(_held(max(every, key=lambda c: c.digits), cause, found), ceiling)


def _begun(machine: Machine, alpha: Vector) -> Optional[Candidate]:
    """Return multipliers with their best intercept; None where that is beyond the range of doubles."""
    try:
        return candidate(machine, alpha, float)
    except OverflowError:
        return None


def _held(best: Optional[Candidate], cause: Optional[Refusal], optimum: Optional[Candidate]) -> Candidate:
    """Return the best answer if it has a digit; without an optimum to compare it with, if it has those asked for.

    Raises    NotConverged with the bounds, or the cause where there are none
    """
    if best is not None and best.digits >= (ASKED if optimum is None else 1):
        return best
    if optimum is None and best is None and cause is not None:
        raise cause
    proof = optimum.proof if optimum is not None else best.proof if best is not None else None
    need = "multipliers in doubles that hold a digit" if optimum else f"{ASKED} digits of the objective"
    got = f"{max(0, best.digits) if best is not None else 0} digits"
    shown = decimal(SHOWN).lift
    bounds = {} if proof is None or proof.primal is None else {"primal": shown(proof.primal), "dual": shown(proof.dual)}
    raise NotConverged(ROOM, need=need, got=got, **bounds)


def exactly(machine: Machine) -> Machine:
    """Return the machine with the Gram matrix of a rational kernel computed in fractions; another as it is held."""
    K, points = machine.K, getattr(machine.K, "X", None)
    if not isinstance(K, Rows) or not K.kernel.exact or points is None or isinstance(points[0], Similarities):
        return machine
    if isinstance(points[0], Vector):
        points = Matrix.of([Vector.of(map(RATIONAL.lift, x)) for x in points])
    return replace(machine, K=Rows(RATIONAL, K.kernel.over(RATIONAL), points))


def candidate(machine: Machine, alpha: Vector, number: Any) -> Candidate:
    """Return multipliers with the intercept for which the primal is least, as that number, and their proof.

    Cost      as `proof.certify`
    """
    lifted = proof.lifted(machine)
    signed = Vector.of(map(rational, alpha)).times(lifted.y)
    products = exact_product(machine.K, signed)
    low, high = intercepts(lifted, products) if machine.intercept else (Fraction(0), Fraction(0))
    middle = number((low + high) / 2)
    ends = (middle, middle) if _between(machine, alpha) else (number(low), number(high))
    judged = proof.certify(machine, alpha, middle, products=products)
    return Candidate(alpha, middle, ends, signed @ products, judged)


def intercepts(machine: Machine, values: Vector) -> tuple[Fraction, Fraction]:
    """Return the least and the largest intercept for which the primal is least, f being values plus the intercept.

    With tᵢ = yᵢ − valueᵢ the slack of point i begins at tᵢ, above it where yᵢ = −1 and below it where yᵢ = 1. Points of
    infinite cost bound the intercept; where they contradict each other, it is half-way between.

    Shapes    values: n fractions; labels and costs are fractions
    Exact     yes
    """
    places = [(t - v, t, c) for v, t, c in zip(values, machine.y, machine.costs)]
    low = max([p for p, t, c in places if c is None and t > 0], default=None)
    high = min([p for p, t, c in places if c is None and t < 0], default=None)
    soft = sorted([(p, t, c) for p, t, c in places if c])
    if low is not None and high is not None and (not soft or low >= high):
        return (low, high) if low <= high else ((low + high) / 2,) * 2
    first, last = _flat_parabolas(soft) if machine.squared else _flat_lines(soft)
    ends = [v if low is None else max(v, low) for v in (first, last)]
    first, last = [v if high is None else min(v, high) for v in ends]
    return first, last


def _flat_lines(soft: Sequence[tuple[Fraction, Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Return where Σ Cᵢ[1 − yᵢ(vᵢ + b)]₊ is least: its slope rises by Cᵢ at each tᵢ."""
    slope = -sum([c for _, t, c in soft if t > 0], Fraction(0))
    for k, (p, _, c) in enumerate(soft):
        slope += c
        if slope > 0 or k + 1 == len(soft):
            return p, p
        if slope == 0:
            return p, soft[k + 1][0]
    return Fraction(0), Fraction(0)


def _flat_parabolas(soft: Sequence[tuple[Fraction, Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """Return where Σ Cᵢ[1 − yᵢ(vᵢ + b)]₊² is least: half its slope is ab − s between two neighbouring tᵢ."""
    a = sum([c for _, t, c in soft if t > 0], Fraction(0))
    s = sum([c * p for p, t, c in soft if t > 0], Fraction(0))
    last = soft[0][0] if soft else Fraction(0)
    for p, t, c in soft:
        if a == 0:
            return last, p
        if s < a * p:
            return s / a, s / a
        a, s, last = (a - c, s - c * p, p) if t > 0 else (a + c, s + c * p, p)
    return (last, last) if a == 0 else (s / a, s / a)


def _optimum(machine: Machine, alpha: Optional[Vector]) -> Optional[Candidate]:
    """Return the optimum, its proof of more digits than doubles have; None where that is too much work.

    Raises    NoAnswer where no slack is allowed and the classes cannot be separated
    """
    start = proof.feasible(proof.lifted(machine), [rational(a) for a in alpha or (0,) * len(machine.y)])
    found = _in_decimals(machine, start) if len(start) > FEW else None
    return found if found is not None or len(start) > SMALL else _in_fractions(machine, start)


def _in_fractions(machine: Machine, start: Vector) -> Candidate:
    signed = start.times(Vector.of(map(rational, machine.y)))
    whole = proof.lifted(machine) if type(machine.K.row(0)[0]) is Fraction else machine
    found = refine.solve(whole.problem(), signed, convex=True).x
    return candidate(machine, Vector.of([abs(rational(a)) for a in found]), _same)


def _in_decimals(machine: Machine, start: Vector) -> Optional[Candidate]:
    for length in LENGTHS:
        try:
            signed = _crossover(decimal(length), machine, start)
        except (NoAnswer, NotConverged):
            continue
        if signed is None:
            return None
        found = candidate(machine, Vector.of(map(abs, signed)), _same)
        if found.digits >= ENOUGH:
            return found
    return None


def _same(value: Fraction) -> Fraction:
    return value


def _crossover(F: Field, machine: Machine, start: Vector) -> Optional[Vector]:
    """Return the signed multipliers where the active-set method ends in that field; None beyond WORK operations."""
    n = len(start)
    support = [i for i, a in enumerate(start) if a]
    longer = _over(F, machine)
    each = n * (len(machine.K.X[0]) + 1 if isinstance(longer.K, Rows) else 1)
    spent = len(support) * each
    if spent > WORK:
        return None
    lifted = Vector.of([F.lift(a) * t for a, t in zip(start, longer.y)])
    free = _between(machine, start)
    walk = active_set.begin(longer.problem(), start=lifted, free=free, convex=True, max_steps=STEPS * n)
    for _ in walk:
        working = len(walk.equations.working)
        spent += each + n * working + 3 * working * working
        if spent > WORK:
            return None
    return Vector.of(map(rational, active_set.ended(walk).answer().x))


def _over(F: Field, machine: Machine) -> Machine:
    """Return the machine in that field: a rational kernel's values computed there, others at their exact worth."""
    K = machine.K
    if isinstance(K, Rows) and isinstance(K.X, Matrix) and K.kernel.exact:
        longer: Any = Rows(F, K.kernel.over(F), Matrix.of([Vector.of(map(F.lift, x)) for x in K.X]))
    else:
        longer = Converted(K, F.lift)
    costs = tuple([None if c is None else F.lift(c) for c in machine.costs])
    return replace(machine, K=longer, y=Vector.of(map(F.lift, machine.y)), costs=costs)


def _overshot(machine: Machine, optimum: Candidate, rounded: Candidate) -> list[Candidate]:
    """Return roundings of multipliers whose free points lie a little beyond the edge, as far as roundoff moves them.

    Proof: slack of roundoff at the edge costs Cᵢ times itself. Where the free points have yᵢf(xᵢ) = 1 + δ instead of 1,
    by the equations of the free points and the sum, they have none, and the primal rises by δ Σ αᵢ over them.
    """
    free = _between(machine, optimum.alpha)
    if machine.squared or not 0 < len(free) <= MOST:
        return []
    f = decision_values(machine, rounded)
    delta = max([abs(1 - rational(machine.y[i]) * f[i]) for i in free])
    F, found = decimal(LENGTHS[1]), list[Candidate]()
    try:
        way = _way(F, machine, free)
    except NoAnswer:
        return []
    for k in (2, 8):
        alpha = list(optimum.alpha)
        for i, v in zip(free, way):
            alpha[i] = max(alpha[i] + k * delta * v, Fraction(0))
        found += [candidate(machine, a, float) for a in _rounded(machine, Vector.of(alpha))]
    return found


def decision_values(machine: Machine, found: Candidate) -> list[Fraction]:
    """Return f(xᵢ) at every point, exactly."""
    signed = [rational(a) * rational(t) for a, t in zip(found.alpha, machine.y)]
    return [v + rational(found.beta0) for v in exact_product(machine.K, signed)]


def _between(machine: Machine, alpha: Vector) -> list[int]:
    """Return the points whose multipliers lie strictly within the box."""
    ends = [None if machine.squared or c is None else rational(c) for c in machine.costs]
    return [i for i, (a, c) in enumerate(zip(alpha, ends)) if a > 0 and (c is None or a < c)]


def _way(F: Field, machine: Machine, free: Sequence[int]) -> list[Fraction]:
    """Return how the free multipliers change for each unit by which the margins of their points grow."""
    zero, one = F.lift(0), F.lift(1)
    y = [F.lift(machine.y[i]) for i in free]
    rows = [[F.lift(rational(row[j])) for j in free] for row in map(machine.K.row, free)]
    if machine.intercept:
        rows = [[*row, one] for row in rows] + [[one] * len(free) + [zero]]
    right = Vector([*y, zero] if machine.intercept else y)
    solution = elimination.solve(Matrix(map(Vector, rows)), right)
    return [rational(v * t) for v, t in zip(solution, y)]


def _rounded(machine: Machine, alpha: Vector) -> Iterator[Vector]:
    """Yield the multipliers as doubles: each the nearest, and multiples of one power of two with Σ αᵢyᵢ = 0 exactly."""
    plain = Vector.of(map(float, alpha))
    yield plain
    if not machine.intercept or not any(plain):
        return
    unit = Fraction(2) ** (frexp(max(plain))[1] - 53)
    whole = [a / unit for a in alpha]
    counts = list(map(round, whole))
    excess = sum([k * int(t) for k, t in zip(counts, machine.y)])
    side = 1 if excess > 0 else -1
    # Method: those that rounding moved furthest in the wrong direction are moved by one unit, as many as are needed.
    free = [
        i for i, (a, c) in enumerate(zip(alpha, machine.costs)) if a > 0 and (machine.squared or c is None or a < c)
    ]
    free.sort(key=lambda i: side * int(machine.y[i]) * (whole[i] - counts[i]))
    for i in free[: abs(excess)]:
        counts[i] -= side * int(machine.y[i])
    ends = [None if machine.squared else c for c in machine.costs]
    balanced = [float(max(k, 0) * unit) for k in counts]
    yield Vector.of([a if c is None or a < c else float(c) for a, c in zip(balanced, ends)])
