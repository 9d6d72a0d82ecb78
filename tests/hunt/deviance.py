"""The deviance, judged apart from the package: primal and dual from fractions, logarithms in decimals of 80 digits.

    P = ½λ Σₖ aₖᵀKaₖ + Σᵢ (log Σₖ e^(fᵢₖ) − fᵢ,yᵢ)        f = Ka + b
    D = Σᵢ H(qᵢ) − (1/2λ) Σₖ uₖᵀKuₖ ≤ min P,               u = e − q,   qᵢ probabilities,   Σᵢ uᵢₖ = 0 where b is free

for any q, by log Σₖ e^(fₖ) ≥ qᵀf + H(q); at the optimum u = λa. Of two classes separated by one f the two functions
are ±½f, so that the penalty and u are those of one function. q is moved to where it must be exactly.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

from refclass.oracle import kernel

PLACES = 80
LEAST = -2000  # exponents of ten below which a number counts as zero: its fraction would have too many digits
ZERO, HALF = Fraction(0), Fraction(1, 2)


def digits(case, reported):
    """Return the digits of the objective that are proven of an answer, and its bounds."""
    problem = kernel.Problem(case.problem())
    K, lam = kernel.gram(problem), Fraction(case.parameters["penalty"])
    side = [reported["classes"].index(label) for label in case.y]
    free = case.parameters.get("intercept", True)
    bounds = paired if len(reported["classes"]) == 2 else several
    with localcontext() as context:
        context.prec = PLACES
        context.Emax, context.Emin = 10**9, -(10**9)
        primal, dual = bounds(K, lam, side, reported, free)
    gap = max(primal - dual, 0)
    return kernel.digits(gap, max(abs(primal), abs(dual))), {"primal": primal, "dual": dual}


def paired(K, lam, side, reported, free):
    """Return primal and dual of one function, positive for the second class."""
    a, b = list(map(Fraction, reported["alpha"])), Fraction(reported["intercept"][0])
    f, y = K.times(a), [2 * s - 1 for s in side]
    primal = lam * kernel.dot(a, f) / 2 + sum(losses([0, -t * (v + b)], 0) for t, v in zip(y, f))
    q = [min(max(lam * v * t, Fraction(0)), Fraction(1)) for v, t in zip(a, y)]
    if free:
        weight = {t: sum((v for v, s in zip(q, y) if s == t), Fraction(0)) for t in (-1, 1)}
        least = min(weight.values())
        q = [v * least / weight[t] if weight[t] else v for v, t in zip(q, y)]
    u = [v * t for v, t in zip(q, y)]
    return primal, sum(entropy([v, 1 - v]) for v in q) - kernel.dot(u, K.times(u)) / (2 * lam)


def several(K, lam, side, reported, free):
    """Return primal and dual of a function for each class."""
    columns, b = (
        [list(map(Fraction, column)) for column in zip(*reported["alpha"])],
        list(map(Fraction, reported["intercept"])),
    )
    functions = [K.times(a) for a in columns]
    rough = sum(kernel.dot(a, f) for a, f in zip(columns, functions))
    rows = [[v + c for v, c in zip(row, b)] for row in zip(*functions)]
    primal = lam * rough / 2 + sum(losses(row, s) for row, s in zip(rows, side))
    ones = [[Fraction(k == s) for k in range(len(b))] for s in side]
    q = [[max(e - lam * v, Fraction(0)) for e, v in zip(one, row)] for one, row in zip(ones, zip(*columns))]
    q = moved(q, [side.count(k) for k in range(len(b))] if free else None)
    u = [[e - v for e, v in zip(one, row)] for one, row in zip(ones, q)]
    return primal, sum(map(entropy, q)) - sum(kernel.dot(c, K.times(c)) for c in zip(*u)) / (2 * lam)


def moved(q, totals):
    """Return a table near to one of numbers ≥ 0 whose rows sum to 1, and its columns to totals, if they are given."""
    sums = [sum(row) for row in q]
    if totals is None:
        return [[v / s for v in row] if s else [Fraction(1, len(row))] * len(row) for row, s in zip(q, sums)]
    q = [[v / max(s, 1) for v in row] for row, s in zip(q, sums)]
    shrunk = [min(Fraction(1), Fraction(t) / s) if s else Fraction(1) for t, s in zip(totals, map(sum, zip(*q)))]
    q = [[v * c for v, c in zip(row, shrunk)] for row in q]
    left, lacking = [1 - sum(row) for row in q], [t - s for t, s in zip(totals, map(sum, zip(*q)))]
    whole = sum(left) or Fraction(1)
    return [[v + r * c / whole for v, c in zip(row, lacking)] for row, r in zip(q, left)]


def number(value):
    """Return a fraction as a decimal."""
    value = Fraction(value)
    return Decimal(value.numerator) / Decimal(value.denominator)


def logarithm(more):
    """Return log(1 + x) of a decimal x > −1, as a fraction, to 80 digits; 0 for one within 10⁻²⁰⁰⁰ of 0.

    An x within 10⁻⁸⁰ is its own logarithm. Otherwise 1 + x is written with as many digits more as x has zeros.
    """
    if not more or more.adjusted() < LEAST:
        return Fraction(0)
    if more.adjusted() < -PLACES:
        return Fraction(more)
    with localcontext() as context:
        context.prec += max(0, -more.adjusted())
        return Fraction((1 + more).ln())


def losses(row, own):
    """Return log Σ e^(fₖ) − f of its own class, as a fraction, to 80 digits."""
    top = max(row)
    small = [number(v - top).exp() for v in row]
    small.remove(max(small))
    return logarithm(sum(small)) + top - row[own]


def entropy(q):
    """Return −Σ q log q, as a fraction, to 80 digits."""
    return -sum((v * (logarithm(number(v - 1)) if v > HALF else Fraction(number(v).ln())) for v in q if v > 0), ZERO)
