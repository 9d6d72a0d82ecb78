"""What an exact answer about rounded kernel values says of the true kernel: an enclosure of its optimum.

A Gaussian or Laplacian kernel is irrational; the exact optimum is that of the binary64 values of its Gram matrix. The
same multipliers and intercept are feasible for the true kernel, whatever it is. With every entry enclosed from the data
as they are said, its primal there is bounded from above and its dual from below, and its own optimum lies between:

    Σ αᵢ − ½ sup αᵀHα  ≤  optimum of the true kernel  ≤  ½ sup αᵀHα + Σ Cᵢ sup ξᵢ
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Optional

from refclass.certificate import relative_digits
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.laplacian import Laplacian
from refclass.margins.svm.soft import Machine
from refclass.number import text
from refclass.number.field import rational
from refclass.number.interval import GRID, Ends, decaying, root
from refclass.oracle.problem import Problem


def enclosed(problem: Problem, machine: Machine, kernel: Any, a: Sequence[Fraction], beta0: Fraction) -> Any:
    """Return an enclosure of the optimum of the true kernel; None for another kernel, or where margins are missed.

    machine   its labels and costs; its Gram matrix is not read
    a         the signed multipliers αᵢyᵢ, in their box, of sum zero where there is an intercept

    Exact     the ends are bounds, whatever the rounding
    Cost      an exponential for each point and support vector
    """
    if not isinstance(kernel, (Gaussian, Laplacian)):
        return None
    rate, words = _rate(problem, kernel)
    X = [[rational(v) for v in x] for x in problem.x]
    values, square = _values(X, a, lambda d, q: _entry(kernel, rate, d, q))
    margins = []
    for t, (low, high) in zip(machine.y, values):
        margins.append(Fraction(low, GRID * GRID) + beta0 if t > 0 else Fraction(-high, GRID * GRID) - beta0)
    upper = _primal(machine, margins, Fraction(square, GRID**3))
    if upper is None:
        return None
    rounded = [Fraction(int(abs(v) * GRID), GRID) for v in a]
    paid = [(v + Fraction(1, GRID)) ** 2 / (4 * rational(c)) for v, c in zip(rounded, machine.costs) if c]
    lower = sum(rounded) - Fraction(square, 2 * GRID**3) - (sum(paid) if machine.squared else 0)
    low, high = max(int(lower * GRID) - 1, 0), int(upper * GRID) + 1  # no optimum is below zero
    ends = [f"{v // GRID}.{v % GRID:020}" for v in (low, high)]
    return {"kernel": words, "optimum": ends, "digits": relative_digits(Fraction(high, GRID), Fraction(low, GRID))}


def _rate(problem: Problem, kernel: Any) -> tuple[Fraction, str]:
    """Return γ, or 1/σ, as the problem says it, and the kernel in words."""
    given = problem.parameters.get("kernel")
    name = "gamma" if isinstance(kernel, Gaussian) else "sigma"
    value = given.get(name) if isinstance(given, dict) else None
    if value == "scale":
        entries = [rational(v) for x in problem.x for v in x]
        mean = sum(entries) / len(entries)
        spread = sum((v - mean) ** 2 for v in entries) / len(entries) * len(problem.x[0])
        value = 1 / spread if spread else 1
    said = rational(getattr(kernel, name) if value is None or isinstance(value, str) else value)
    if isinstance(kernel, Gaussian):
        return said, f"exp(−γ‖x − z‖²), γ = {text.show(said)}"
    return 1 / said, f"exp(−‖x − z‖/σ), σ = {text.show(said)}"


def _entry(kernel: Any, rate: Fraction, d: int, q: int) -> Ends:
    """Return an enclosure of the kernel at the squared distance d/q."""
    if isinstance(kernel, Gaussian):
        return decaying(rate.numerator * d, rate.denominator * q)
    near, far = (rate * v for v in root(Fraction(d, q)))
    return decaying(far.numerator, far.denominator)[0], decaying(near.numerator, near.denominator)[1]


def _values(X: Sequence[Sequence[Fraction]], a: Sequence[Fraction], entry: Any) -> tuple[list[Ends], int]:
    """Return the ends of Σ aⱼK(xⱼ, xᵢ) for every point, and the upper end of aᵀKa, over GRID² and GRID³."""
    q = lcm(*[v.denominator for x in X for v in x])
    N = [[v.numerator * (q // v.denominator) for v in x] for x in X]
    support = [(j, int(v * GRID // 1)) for j, v in enumerate(a) if v]
    known: dict[tuple[int, int], Ends] = {}
    values = []
    for i, x in enumerate(N):
        low = high = 0
        for j, floor in support:
            ends = known.pop((j, i), None)
            if ends is None:
                ends = entry(sum([(u - v) * (u - v) for u, v in zip(x, N[j])]), q * q)
                if i < j and a[i]:
                    known[i, j] = ends
            down, up = ends
            if floor >= 0:
                low, high = low + floor * down, high + (floor + 1) * up
            else:
                low, high = low + floor * up, high + (floor + 1) * down
        values.append((low, high))
    square = 0
    for i, floor in support:
        low, high = values[i]
        square += max(floor * low, floor * high, (floor + 1) * low, (floor + 1) * high)
    return values, square


def _primal(machine: Machine, margins: Sequence[Fraction], square: Fraction) -> Optional[Fraction]:
    """Return the primal at margins that are no larger than they are; where hard ones are missed, of f scaled up."""
    least = min([m for m, c in zip(margins, machine.costs) if c is None], default=Fraction(1))
    if least <= 0:
        return None
    r = 1 / min(least, Fraction(1))
    slacks = [(max(1 - r * m, Fraction(0)), rational(c)) for m, c in zip(margins, machine.costs) if c is not None]
    return square * r * r / 2 + sum([c * (s * s if machine.squared else s) for s, c in slacks], Fraction(0))
