"""The largest likelihood of logistic regression, by Newton's method in decimals  [YANG-logistic-regression].

    maximise Σᵢ wᵢ log Pr(g(i) | xᵢ) − ½λ Σₖ ‖βₖ‖²,    Pr(k | x) = exp fₖ(x) / Σₗ exp fₗ(x),    Σₖ fₖ = 0

The score equations of what is reached are checked; the problem is strictly concave, so that nothing else is the
maximum. The package's own fit has no part in it. Columns are measured from their means, in units of the largest
distance from these, so that steps and digits count alike for columns of any size; λ becomes λ/s² for a unit s.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.number.decimals import decimal
from refclass.number.field import Field, rational
from refclass.oracle.alignment import minus
from refclass.oracle.leaves import finite, leaves, shape
from refclass.oracle.problem import Problem
from refclass.oracle.references.rows import Row, Rows, dot, inverse, log_loss, root, softmax
from refclass.oracle.references.textbook import given
from refclass.sample import data

DIGITS = 60
STEPS = 60
Numbers = list[Any]


class Likelihood:
    """The maximum: coef_ and intercept_, log_likelihood_, standard_errors_, and what they predict."""

    def __init__(self, problem: Problem, thetas: Rows, H: list[Numbers], units: Rows) -> None:
        names, self._labels = data.labels(problem.y, len(problem.x))
        self.classes_, self._problem, self._H, self._units = list(names), problem, H, units
        own = [[Fraction(0)] * len(units), *([dot(t, unit) for unit in units] for t in thetas)]
        mean = [sum(column, Fraction(0)) / len(own) for column in zip(*own)]
        self._rows = [[v - m for v, m in zip(row, mean)] for row in own]

    @property
    def coef_(self) -> Rows:
        """β: K rows that sum to zero, or the difference of two."""
        rows = [row[1:] for row in self._rows]
        return [[b - a for a, b in zip(*rows)]] if len(rows) == 2 else rows

    @property
    def intercept_(self) -> Row:
        """β₀: K numbers that sum to zero, or the difference of two."""
        constants = [row[0] for row in self._rows]
        return [constants[1] - constants[0]] if len(constants) == 2 else constants

    @cached_property
    def log_likelihood_(self) -> Fraction:
        """Σ wᵢ log Pr(g(i) | xᵢ)."""
        weights = [rational(w) for w in self._problem.weights or [1] * len(self._labels)]
        losses = [log_loss(self.scores(x), g) for x, g in zip(self._problem.x, self._labels)]
        return -dot(weights, losses)

    @cached_property
    def penalised_(self) -> Fraction:
        """The log-likelihood less ½λ Σ ‖βₖ‖², of rows that sum to zero: what is maximised."""
        lam = rational(given(self._problem)["penalty"])
        return self.log_likelihood_ - lam * sum((dot(row[1:], row[1:]) for row in self._rows), Fraction(0)) / 2

    @property
    def standard_errors_(self) -> Any:
        """√(cᵀH⁻¹c) of the constant and of each coefficient, of the log-odds or of each class."""
        K, units = len(self.classes_), self._units
        shares = [[Fraction(int(k == j)) - Fraction(1, K) for j in range(1, K)] for k in range(K)]
        sides = [
            [s * v for s in own for v in unit] for own in ([[Fraction(1)]] if K == 2 else shares) for unit in units
        ]
        parts = [[(i, v) for i, v in enumerate(c) if v] for c in sides]
        X = self._inverse
        errors = [root(sum((v * w * X[i][j] for i, v in own for j, w in own), Fraction(0))) for own in parts]
        width = len(units)
        rows = [errors[i : i + width] for i in range(0, len(errors), width)]
        return rows[0] if K == 2 else rows

    @cached_property
    def condition_(self) -> Fraction:
        """The largest variance inflation of a parameter."""
        return max(Fraction(row[i]) * self._inverse[i][i] for i, row in enumerate(self._H))

    @cached_property
    def _inverse(self) -> Rows:
        return inverse([[Fraction(v) for v in row] for row in self._H])

    def scores(self, x: Any) -> Row:
        """Return f₁(x) … f_K(x)."""
        point = [Fraction(1), *(rational(v) for v in x)]
        return [dot(row, point) for row in self._rows]

    def decision_function(self, query: Any) -> list[Any]:
        """Return the scores, or the log-odds of the second of two classes, at each point."""
        scores = [self.scores(x) for x in query]
        return [s[1] - s[0] if len(s) == 2 else s for s in scores]

    def predict_proba(self, query: Any) -> Rows:
        """Return the posteriors at each point."""
        return [softmax(self.scores(x)) for x in query]

    def ties(self, query: Any) -> list[list[Any]]:
        """Return for each point the labels of the largest score."""
        return [[c for c, s in zip(self.classes_, own) if s == max(own)] for own in map(self.scores, query)]

    def predict(self, query: Any) -> list[Any]:
        """Return a label for each point."""
        return [labels[0] for labels in self.ties(query)]


def reference(problem: Problem, fitted: Mapping[str, Any]) -> Optional[Likelihood]:
    """Return the maximum of a logistic regression's likelihood, found from the report; None if none is reached."""
    if problem.method != "logistic":
        return None
    asked, centre, sizes = _asked(problem)
    F, K, width, found = asked[0], asked[-1], len(centre) + 1, None
    for thetas in (_start(F, fitted, K, centre, sizes), _constant(asked, width)):
        found = found or _ascended(asked, thetas)
    if found is None:
        return None
    best = [[Fraction(v) for v in row] for row in found[0]]
    # The constant and the coefficients of x, each a sum of those of (x − c)/s.
    units = [[Fraction(1), *(-c / s for c, s in zip(centre, sizes))]]
    units += [[Fraction(int(i == j)) / s for i in range(width)] for j, s in enumerate(sizes, 1)]
    return Likelihood(problem, best, found[1], units)


def reported(problem: Problem, fitted: Mapping[str, Any]) -> Fraction:
    """Return the penalised log-likelihood at the coefficients that are reported; at zero where none is."""
    asked, centre, sizes = _asked(problem)
    return Fraction(_state(asked, _start(asked[0], fitted, asked[-1], centre, sizes))[0])


def _asked(problem: Problem) -> tuple[Any, Row, Row]:
    """Return decimals that hold what follows, rows (x − c)/s, labels, weights, all λ/s², how many classes; c, s."""
    names, labels = data.labels(problem.y, len(problem.x))
    X = [[rational(v) for v in row] for row in problem.x]
    centre = [sum(column, Fraction(0)) / len(X) for column in zip(*X)]
    sizes = [max(abs(v - c) for v in column) or Fraction(1) for column, c in zip(zip(*X), centre)]
    lam = [rational(given(problem)["penalty"]) / (s * s) for s in sizes]
    own = [rational(w) for w in problem.weights or [1] * len(X)]
    # Premise: a heavy point's posterior is one but for as small a part as the others weigh.
    parts = [v for v in (*lam, *(w / max(own) for w in own if w)) if v]
    longer = max([(v.denominator.bit_length() - v.numerator.bit_length()) * 3 // 10 for v in parts], default=0)
    F = decimal(DIGITS + 20 + max(0, longer))
    rows = [[F.kind(1), *(F.lift((v - c) / s) for v, c, s in zip(row, centre, sizes))] for row in X]
    weights = list(map(F.lift, own))
    return (F, rows, labels, weights, list(map(F.lift, lam)), len(names)), centre, sizes


def _start(F: Field, fitted: Mapping[str, Any], K: int, centre: Row, sizes: Row) -> list[Numbers]:
    """Return the report as functions of the rows (x − c)/s, relative to the first class; zeros where nothing is."""
    width = len(centre) + 1
    zeros = [[F.kind(0)] * width for _ in range(K - 1)]
    rows: Any
    coef, constants = fitted.get("coef"), fitted.get("intercept")
    if not isinstance(coef, list) or not isinstance(constants, list) or len(coef) != len(constants):
        return zeros
    rows = [[b, *row] if isinstance(row, list) else [] for row, b in zip(coef, constants)]
    if any(len(row) != width or not all(map(finite, leaves(row))) for row in rows) or len(rows) > K:
        return zeros
    if len(rows) == K:
        rows = [minus(row, rows[0]) for row in rows[1:]]
    if shape(rows) != shape(zeros):
        return zeros
    own = [list(map(rational, t)) for t in rows]
    return [[F.lift(t[0] + dot(t[1:], centre)), *(F.lift(v * s) for v, s in zip(t[1:], sizes))] for t in own]


def _constant(asked: Any, width: int) -> list[Numbers]:
    """Return the maximum where all coefficients are zero, the log-odds of the weights; zeros if a class has none."""
    F, _, labels, weights, _, K = asked
    totals = [sum((w for w, g in zip(weights, labels) if g == k), F.kind(0)) for k in range(K)]
    odds = [F.log(t / totals[0]) if min(totals) > 0 else F.kind(0) for t in totals[1:]]
    return [[v, *[F.kind(0)] * (width - 1)] for v in odds]


def _ascended(asked: Any, thetas: list[Numbers]) -> Optional[tuple[list[Numbers], list[Numbers]]]:
    """Return the maximum and the information there; None where Newton's steps do not get there."""
    F, (value, gradient, H) = asked[0], _state(asked, thetas)
    close, least = F.lift(Fraction(1, 10 ** (DIGITS // 2))), F.lift(Fraction(1, 10**DIGITS))  # of a step
    for _ in range(STEPS):
        step = _solved(F, H, [v for row in gradient for v in row])
        if step is None:
            return None
        width = len(thetas[0])
        size = max(map(abs, step))
        for _ in range(30):
            trial = [[v + step[k * width + j] for j, v in enumerate(row)] for k, row in enumerate(thetas)]
            after = _state(asked, trial)
            if after[0] >= value or size < close:
                break
            step = [v / 2 for v in step]
        else:
            return None
        thetas, (value, gradient, H) = trial, after
        if size <= least * (1 + max(abs(v) for row in thetas for v in row)):
            return thetas, H
        if max(abs(v) for row in thetas for v in row) > 10**8:
            return None
    return None


def _state(asked: Any, thetas: list[Numbers]) -> tuple[Any, list[Numbers], list[Numbers]]:
    """Return the penalised log-likelihood, its gradient, and the negative of its Hessian."""
    F, rows, labels, weights, lam, K = asked
    width = len(rows[0])
    value, zero = F.kind(0), F.kind(0)
    gradient = [[zero] * width for _ in thetas]
    H = [[zero] * (width * (K - 1)) for _ in range(width * (K - 1))]
    for x, g, w in zip(rows, labels, weights):
        scores = [zero, *(sum((a * b for a, b in zip(t, x)), zero) for t in thetas)]
        top = max(scores)
        parts = [F.exp(v - top) for v in scores]
        total = sum(parts, zero)
        P = [v / total for v in parts]
        value += w * (scores[g] - top - F.log(total))
        outer = [[w * a * b for b in x] for a in x]
        for k in range(1, K):
            missed = w * (int(g == k) - P[k])
            gradient[k - 1] = [a + missed * b for a, b in zip(gradient[k - 1], x)]
            for j in range(1, K):
                c = P[k] * (int(k == j) - P[j])
                for a in range(width):
                    own = H[(k - 1) * width + a]
                    for b in range(width):
                        own[(j - 1) * width + b] += c * outer[a][b]
    for k in range(1, K):  # Σₖ ‖βₖ‖² of rows that sum to zero is Σ ‖θₖ‖² − ‖Σ θₖ‖²/K of rows relative to the first
        for a in range(1, width):
            total = sum((t[a] for t in thetas), zero)
            pull = thetas[k - 1][a] - total / K
            value -= lam[a - 1] * thetas[k - 1][a] * pull / 2
            gradient[k - 1][a] -= lam[a - 1] * pull
            for j in range(1, K):
                H[(k - 1) * width + a][(j - 1) * width + a] += lam[a - 1] * (int(k == j) - F.kind(1) / K)
    return value, gradient, H


def _solved(F: Field, H: list[Numbers], b: Numbers) -> Optional[Numbers]:
    """Return H⁻¹b by elimination with pivots from the diagonal; None if one is not positive."""
    A = [[*row, v] for row, v in zip(H, b)]
    n = len(A)
    for i in range(n):
        if A[i][i] <= 0:
            return None
        for r in range(i + 1, n):
            share = A[r][i] / A[i][i]
            if share:
                A[r] = [v - share * w for v, w in zip(A[r], A[i])]
    x = [F.kind(0)] * n
    for i in reversed(range(n)):
        x[i] = (A[i][n] - sum((A[i][j] * x[j] for j in range(i + 1, n)), F.kind(0))) / A[i][i]
    return x
