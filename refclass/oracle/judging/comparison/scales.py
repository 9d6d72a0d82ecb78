"""The scale on which each attribute counts its digits: that of the data and terms it comes from, never zero by chance.

A number that is zero, or nearly so because its terms cancel, has no relative error; on the scale of the terms it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, Optional

from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.oracle.leaves import finite, leaves
from refclass.oracle.problem import Problem, kind_of
from refclass.sample import data as samples

ONE = Fraction(1)
CANCELLED = 100  # two digits that an answer reported to two more than are asked for may lose where its terms cancel
DISTANCES = ("actual_distance",)  # methods whose values are distances of points
PENALISED = ("ridge", "logistic", "least_squares")  # methods whose λβ is a sum of rows times residuals
INDICATED = ("perceptron", "least_squares")  # regressions on indicators of the classes
SLIGHT = Fraction(1, 10**6)  # of a score or a log-odds: a coefficient that does no more counts its digits on this


@dataclass(frozen=True)
class Data:
    """What sizes the data have.

    spreads    for each column of x the largest distance from its middle; sizes: its largest |x|; 1 where it is 0
    response   the largest distance of a response from the middle; 1 for labels, the size of x where f is a distance
    constant   Σ (y − ȳ)², of a regression on indicators Σ w‖y − ȳ‖²; 0 for other labels
    labelled   whether y are labels
    n          the number of rows
    bulk       Σ |multipliers| of a machine that is reported: what its coefficients are summed from; 0 for other methods
    reach      what coefficients are at most, over the largest entries of their columns: the bulk of a machine, and of a
               penalised regression or likelihood a bound of Σ w|residuals|/λ; 0 where nothing bounds them
    """

    spreads: tuple[Fraction, ...]
    sizes: tuple[Fraction, ...]
    response: Fraction
    constant: Fraction
    size: Fraction
    labelled: bool
    n: int
    bulk: Fraction = Fraction(0)
    reach: Fraction = Fraction(0)


def data(problem: Problem, labelled: bool, fitted: Optional[Mapping[str, Any]] = None) -> Data:
    """Return the sizes of the problem's data; of text and of precomputed kernels there are none by column."""
    spreads, sizes = [], []
    if problem.x and all(isinstance(row, (list, tuple)) for row in problem.x):
        for column in zip(*problem.x):
            values = [rational(v) for v in column]
            sizes.append(max(map(abs, values)) or ONE)
            spreads.append((max(values) - min(values)) / 2 or sizes[-1])
    response, size = ONE, ONE
    constant = _of_indicators(problem) if problem.method in INDICATED else Fraction(0)
    if problem.method in DISTANCES and sizes:
        response = size = max(sizes)
    if not labelled:
        y = [rational(v) for v in problem.y]
        middle = sum(y, Fraction(0)) / max(1, len(y))
        size = max(map(abs, y)) or ONE
        response = (max(y) - min(y)) / 2 or size
        constant = sum(((v - middle) ** 2 for v in y), Fraction(0)) or size * size
    bulk = _bulk(fitted or {})
    reach = bulk or _penalised(problem, response)
    return Data(tuple(spreads), tuple(sizes), response, constant, size, labelled, len(problem.x), bulk, reach)


def _of_indicators(problem: Problem) -> Fraction:
    """Return Σ w‖y − ȳ‖² of the indicators of the classes: Σ nₖ(1 − nₖ/n)."""
    names, labels = samples.labels(problem.y, len(problem.x))
    weights = [rational(w) for w in problem.weights or [1] * len(labels)]
    sizes = [sum((w for w, g in zip(weights, labels) if g == k), Fraction(0)) for k in range(len(names))]
    n = sum(sizes, Fraction(0))
    return sum((v * (1 - v / n) for v in sizes), Fraction(0)) if n else Fraction(0)


def _bulk(fitted: Mapping[str, Any]) -> Fraction:
    for name in ("coefficients", "alpha", "dual_coef"):
        if name in fitted:
            return sum((abs(rational(v)) for v in leaves(fitted[name]) if finite(v)), Fraction(0))
    return Fraction(0)


def _penalised(problem: Problem, response: Fraction) -> Fraction:
    """Return what bounds Σ w|residuals|/λ where λ times a coefficient is the sum of a column times these."""
    given = {**kind_of(problem.method).parameters(), **problem.parameters}
    plain = problem.method in PENALISED and given.get("omega") is None and finite(given.get("penalty"))
    lam = rational(given["penalty"]) if plain else Fraction(0)
    weights = [rational(w) for w in problem.weights or [1] * len(problem.y)]
    return 2 * response * sum(weights, Fraction(0)) / lam if lam else lam


def scale(name: str, want: Any, d: Data) -> Any:
    """Return the scale of an attribute: a number, or one for each of its entries, in the order of its leaves."""
    if name in BY_NAME:
        return BY_NAME[name](want, d)
    return _largest(want) or ONE


def _largest(want: Any) -> Fraction:
    return max((abs(rational(v)) for v in leaves(want) if finite(v)), default=Fraction(0))


def _unit(want: Any, d: Data) -> Fraction:
    return ONE


def _values(want: Any, d: Data) -> Any:
    """Return for each value the largest one of its point: points far away say nothing of the digits at others."""
    if not isinstance(want, (list, tuple)):
        return max(_largest(want), d.response)
    return [max(_largest([row]), d.response) for row in want for _ in leaves([row])]


def _columns(want: Any, d: Data) -> Any:
    """Return the spread of each column, row by row."""
    rows = _rows(want)
    if not rows or any(len(row) != len(d.spreads) for row in rows):
        return _largest(want) or ONE
    return [s for _ in rows for s in d.spreads]


def _coefficients(want: Any, d: Data) -> Any:
    """Return for each coefficient the largest effect of any, over the spread of its own column.

    Effects that are small beside the responses count on the scale of these, but on no larger one than that of the terms
    whose sum a coefficient is: columns of 10⁻¹²⁰ leave it few effects, and all its digits.
    """
    rows = _rows(want)
    if not rows or any(len(row) != len(d.spreads) for row in rows):
        return max(_largest(want), d.response if not d.labelled else Fraction(0)) or ONE
    effect = max(abs(rational(v)) * s for row in rows for v, s in zip(row, d.spreads))
    least = SLIGHT * d.response if d.labelled else d.response
    columns = list(zip(d.spreads, d.sizes))
    floor = [min(least / s, d.reach * size) if d.reach else least / s for s, size in columns]
    each = [max(effect / s, d.bulk * s / CANCELLED, v) for s, v in zip(d.spreads, floor)]
    return [v for _ in rows for v in each]


def _directions(want: Any, d: Data) -> Any:
    """Return the same for columns of coefficients."""
    rows = _rows(want)
    if len(rows) != len(d.spreads):
        return _largest(want) or ONE
    effects = [max(abs(rational(v)) * s for v, s in zip(column, d.spreads)) or ONE for column in zip(*rows)]
    return [e / s for s in d.spreads for e in effects]


def _intercept(want: Any, d: Data) -> Fraction:
    return max(_largest(want), d.size)


def _squares(want: Any, d: Data) -> Fraction:
    """Return √(want · constant): a sum of squares is known to the digits of the residuals it is the sum of.

    Proof: coefficients that miss the fitted values by δ of the responses, Σ w‖Xb − Xβ‖² = δ² constant, have a sum of
    squares that is so much above the least one; six digits on this scale are δ ≤ 10⁻⁶ where the least one is nothing.
    """
    if not d.constant:
        return _largest(want) or ONE
    value = max(_largest(want), d.constant / 10**12)
    return max(value, _square_root(value * d.constant)) if value < d.constant else value


def _square_root(value: Fraction) -> Fraction:
    """Return the square root of a number of any size to 20 digits at least."""
    return Fraction(isqrt(value.numerator * value.denominator * 10**40), value.denominator * 10**20)


def _covariance(want: Any, d: Data) -> Any:
    """Return √(σⱼⱼσₗₗ), or the product of the spreads where a variance is zero."""
    matrices = want if want and want[0] and isinstance(want[0][0], (list, tuple)) else [want]
    out = []
    for matrix in matrices:
        roots = [_root(matrix[j][j], s) for j, s in zip(range(len(matrix)), d.spreads)]
        out += [a * b for a in roots for b in roots]
    return out


def _root(variance: Any, spread: Fraction) -> Fraction:
    number = approximate(rational(variance))
    found = Fraction(number**0.5) if 0 < number < float("inf") else Fraction(0)
    return found or spread


def _each(want: Any, d: Data) -> list[Fraction]:
    return [abs(rational(v)) or ONE if finite(v) else ONE for v in leaves(want)]


def _rows(want: Any) -> list[Sequence[Any]]:
    if not isinstance(want, (list, tuple)) or not want:
        return []
    return list(want) if isinstance(want[0], (list, tuple)) else [want]


def _slack(want: Any, d: Data) -> Fraction:
    """Slack is a distance between points."""
    return max([_largest(want), *d.spreads])


BY_NAME = {
    "priors": _unit,
    "weights": _each,
    "posterior": _unit,
    "means": _columns,
    "coef": _coefficients,
    "scalings": _directions,
    "intercept": _intercept,
    "intercept_interval": _intercept,
    "decision": _values,
    "labels": _values,
    "fitted_values": _values,
    "objective": _squares,
    "dual_objective": _squares,
    "rss": _squares,
    "gcv": _squares,
    "covariance": _covariance,
    "covariances": _covariance,
    "log_determinants": lambda want, d: max(_largest(want), ONE),
    "eigenvalues": lambda want, d: max(_largest(want), Fraction(1, 10**6)),
    "lambdas": _each,
    "intercepts": _intercept,
    "slack": _slack,
    "budget": _slack,
}
