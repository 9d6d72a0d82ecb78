"""What an exact answer about rounded kernel values says of the true kernel: an enclosure of its optimum.

A Gaussian or Laplacian kernel is irrational; the exact optimum is that of the binary64 values of its Gram matrix. The
same multipliers and intercept are feasible for the true kernel, whatever it is. With every entry enclosed from the data
as they are said, its primal there is bounded from above and its dual from below, and its own optimum lies between. Of
machines ½‖f‖² + Σ Vᵢ(yᵢ − f(xᵢ) − b), whose Vᵢ are convex and largest at an end of what encloses their argument:

    aᵀy − Σ Vᵢ*(aᵢ) − ½ sup aᵀKa  ≤  optimum of the true kernel  ≤  ½ sup aᵀKa + Σ sup Vᵢ

Crammer and Singer's and Lee, Lin and Wahba's machines have a function for each class, and bounds of the same kind.
Nothing is said of losses that are not piecewise quadratic, whose own values would have to be enclosed, too; of losses
that are not convex, whose dual bounds nothing; of the norm of coefficients, in which multipliers are no coefficients;
and of a whole path, each of whose points is a machine to be asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple, Optional

from refclass.certificate import relative_digits
from refclass.estimators.margins.crammer_singer import CrammerSingerSVC
from refclass.estimators.margins.lee_lin_wahba import LeeLinWahbaSVC
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.laplacian import Laplacian
from refclass.losses.conjugate_pieces import conjugate, value
from refclass.number import text
from refclass.number.field import rational
from refclass.number.interval import GRID, Ends, decaying, root
from refclass.oracle.problem import Problem
from refclass.regress.kernel.fitted_machine import Solved

Bounds = Optional[tuple[Fraction, Fraction]]


def enclosed(problem: Problem, estimator: Any) -> Any:
    """Return an enclosure of the optimum of the true kernel; None for another kernel or method, or no bound.

    estimator    fitted in fractions, with the binary64 values of the kernel; of several machines the sum is enclosed

    Exact     the ends are bounds, whatever the rounding
    Cost      an exponential for each pair of a point and a support vector
    """
    kernel = _kernel(problem, estimator)
    if kernel is None:
        return None
    table = Table([[rational(v) for v in x] for x in problem.x], *kernel[:2])
    found: Bounds
    if isinstance(estimator, CrammerSingerSVC):
        found = _crammer_singer(problem, estimator, table)
    elif isinstance(estimator, LeeLinWahbaSVC):
        found = _lee_lin_wahba(problem, estimator, table)
    else:
        each = [_machine(own, table) for own in _solved(estimator)]
        if not each or None in each:
            return None
        found = sum([own[0] for own in each if own], Fraction(0)), sum([own[1] for own in each if own], Fraction(0))
    if found is None:
        return None
    low, high = max(int(found[0] * GRID) - 1, 0), int(found[1] * GRID) + 1  # no optimum is below zero
    ends = [f"{v // GRID}.{v % GRID:020}" for v in (low, high)]
    return {"kernel": kernel[2], "optimum": ends, "digits": relative_digits(Fraction(high, GRID), Fraction(low, GRID))}


def _solved(estimator: Any) -> list[Solved]:
    try:
        found: list[Solved] = estimator.solved()
    except AttributeError:
        return []
    return found


def _kernel(problem: Problem, estimator: Any) -> Optional[tuple[Any, Fraction, str]]:
    """Return the kernel, γ or 1/σ as the problem says it, and the kernel in words; None for another kernel."""
    given: Any = problem.parameters
    if isinstance(given.get("estimator"), dict):  # of several machines
        given = given["estimator"]
    given = given.get("kernel")
    if not isinstance(given, dict) or given.get("name") not in ("gaussian", "laplacian"):
        return None
    if isinstance(getattr(estimator, "intercept", True), str):
        return None  # Premise: a constant counted with the basis makes another kernel
    if given["name"] == "laplacian":
        said = rational(text.parse(given["sigma"]) if isinstance(given["sigma"], str) else given["sigma"])
        return Laplacian, 1 / said, f"exp(−‖x − z‖/σ), σ = {text.show(said)}"
    value = given.get("gamma")
    if value == "scale":
        entries = [rational(v) for x in problem.x for v in x]
        mean = sum(entries) / len(entries)
        spread = sum((v - mean) ** 2 for v in entries) / len(entries) * len(problem.x[0])
        value = 1 / spread if spread else 1
    said = rational(text.parse(value) if isinstance(value, str) else value)
    return Gaussian, said, f"exp(−γ‖x − z‖²), γ = {text.show(said)}"


class Function(NamedTuple):
    """f = Σ aⱼK(xⱼ, ·) enclosed: its ends at every point, and the upper end of ‖f‖²."""

    values: list[tuple[Fraction, Fraction]]
    square: Fraction


class Table:
    """The entries of a Gram matrix, each enclosed when it is first asked for and kept."""

    def __init__(self, X: Sequence[Sequence[Fraction]], kernel: Any, rate: Fraction) -> None:
        self.q = lcm(*[v.denominator for x in X for v in x])
        self.N = [[v.numerator * (self.q // v.denominator) for v in x] for x in X]
        self.kernel, self.rate = kernel, rate
        self.known: dict[tuple[int, int], Ends] = {}

    def entry(self, i: int, j: int) -> Ends:
        """Return the ends of K(xᵢ, xⱼ) on the grid."""
        key = (i, j) if i < j else (j, i)
        found = self.known.get(key)
        if found is None:
            d = sum([(u - v) * (u - v) for u, v in zip(self.N[i], self.N[j])])
            found = self.known[key] = self._at(d, self.q * self.q)
        return found

    def _at(self, d: int, q: int) -> Ends:
        """Return an enclosure of the kernel at the squared distance d/q."""
        rate = self.rate
        if self.kernel is Gaussian:
            return decaying(rate.numerator * d, rate.denominator * q)
        near, far = (rate * v for v in root(Fraction(d, q)))
        return decaying(far.numerator, far.denominator)[0], decaying(near.numerator, near.denominator)[1]

    def function(self, a: Sequence[Any], places: Optional[Sequence[int]] = None) -> Function:
        """Return the function with multipliers a at the rows in places, all of them if none are named."""
        rows = range(len(self.N)) if places is None else places
        support = [(i, j, int(rational(v) * GRID // 1)) for i, (j, v) in enumerate(zip(rows, a)) if v]
        ends = []
        for i in rows:
            low = high = 0
            for _, j, floor in support:
                down, up = self.entry(i, j)
                if floor >= 0:
                    low, high = low + floor * down, high + (floor + 1) * up
                else:
                    low, high = low + floor * up, high + (floor + 1) * down
            ends.append((low, high))
        square = 0
        for i, _, floor in support:
            low, high = ends[i]
            square += max(floor * low, floor * high, (floor + 1) * low, (floor + 1) * high)
        over = GRID * GRID
        return Function([(Fraction(low, over), Fraction(high, over)) for low, high in ends], Fraction(square, GRID**3))


def _machine(own: Solved, table: Table) -> Bounds:
    """Return the bounds of one machine; None where hard margins are missed, or its kernel matrix is another."""
    machine, f = own.machine, table.function(own.a, own.places)
    b = Fraction(int(own.beta0 * GRID), GRID)  # Premise: any intercept is feasible
    ends = [(t - high - b, t - low - b) for t, (low, high) in zip(machine.y, f.values)]
    lost = [max(v, w) if None not in (v, w) else None for v, w in _both(machine.pieces, ends)]
    upper: Optional[Fraction]
    if None in lost:  # Method: f is scaled up until it keeps the margins that allow no slack
        margins = [(min(t * (low + b), t * (high + b))) for t, (low, high) in zip(machine.y, f.values)]
        least = min([m for m, v in zip(margins, lost) if v is None])
        if least <= 0:
            return None
        ends = [(t - (high + b) / least, t - (low + b) / least) for t, (low, high) in zip(machine.y, f.values)]
        lost = [max(v, w) if None not in (v, w) else None for v, w in _both(machine.pieces, ends)]
        if None in lost:
            return None
        upper = f.square / (2 * least * least) + sum([v for v in lost if v is not None], Fraction(0))
    else:
        upper = f.square / 2 + sum([v for v in lost if v is not None], Fraction(0))
    lower = -f.square / 2
    for t, v, pieces in zip(machine.y, own.a, machine.pieces):
        floor = Fraction(int(v * GRID // 1), GRID)
        near = (v,) if floor == v else (floor, floor + Fraction(1, GRID))
        lower += min([t * w for w in near]) - max([conjugate(pieces, w).value for w in near])
    return own.scale * lower, own.scale * upper


def _both(losses: Any, ends: Any) -> Any:
    return [(value(pieces, low), value(pieces, high)) for pieces, (low, high) in zip(losses, ends)]


def _crammer_singer(problem: Problem, estimator: CrammerSingerSVC, table: Table) -> Bounds:
    """Return the bounds of ½ Σ ‖w_k‖² + Σ Cᵢ maxₖ (fₖ(xᵢ) + [k ≠ yᵢ] − f_yᵢ(xᵢ)) and of its dual  [ISML-27.5-dual]."""
    machine, _ = estimator.machine(problem.x, problem.y, *_weights(problem))
    f = [table.function(column) for column in zip(*estimator.alpha_)]
    square, over = sum([own.square for own in f], Fraction(0)), []
    for i, g in enumerate(machine.labels):
        ends = [own.values[i] for own in f]
        over.append(max([Fraction(0), *[v[1] + 1 - ends[g][0] for k, v in enumerate(ends) if k != g]]))
    missed = max([v for v, c in zip(over, machine.costs) if c is None], default=Fraction(0))
    if missed >= 1:
        return None
    r = 1 / (1 - missed)  # f times r keeps the margins that allow no slack
    paid = [rational(c) * max(r * (v - 1) + 1, Fraction(0)) for v, c in zip(over, machine.costs) if c]
    lower = sum([rational(row[g]) for row, g in zip(estimator.alpha_, machine.labels)], -square / 2)
    return lower, square * r * r / 2 + sum(paid, Fraction(0))


def _lee_lin_wahba(problem: Problem, estimator: LeeLinWahbaSVC, table: Table) -> Bounds:
    """Return the bounds of (1/n) Σ Lᵢₖ[fₖ(xᵢ) + 1/(m − 1)]₊ + ½λ Σ ‖hₖ‖² and its dual  [MMST-11.77] [MMST-11.104]."""
    machine, classes = estimator.machine(problem.x, problem.y, *_weights(problem))
    m, lam = len(classes), rational(machine.penalty)
    total = sum(map(rational, problem.weights)) if problem.weights is not None else Fraction(len(problem.x))
    h = [table.function(column) for column in zip(*estimator.coefficients_)]
    square, paid = sum([own.square for own in h], Fraction(0)), Fraction(0)
    for k, (own, b) in enumerate(zip(h, estimator.intercept_)):
        for row, g, (_, high) in zip(machine.costs, machine.labels, own.values):
            if k != g:
                paid += rational(row[k]) * max(high + rational(b) + Fraction(1, m - 1), Fraction(0))
    linear = sum([rational(v) for row in estimator.alpha_ for v in row], Fraction(0)) / (m - 1) / total
    return linear - lam * square / 2, paid / total + lam * square / 2


def _weights(problem: Problem) -> tuple[Any, ...]:
    return () if problem.weights is None else (problem.weights,)
