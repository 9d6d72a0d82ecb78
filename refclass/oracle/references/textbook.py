"""Gaussian rules and least squares by their textbook formulas, in fractions: nothing of the package's own fits is used.

What is right of an answer follows from the data by a few sums and one exactly solved system, whose residual is checked
with ==. Logarithms and exponentials, and what comes from them, have 60 digits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.errors import NoAnswer
from refclass.number.field import rational
from refclass.oracle.leaves import finite, leaves
from refclass.oracle.problem import Problem, kind_of
from refclass.oracle.references.rows import (
    DIGITS,
    Row,
    Rows,
    determinant,
    dot,
    eigen,
    gramian,
    inflation,
    log,
    mean,
    over,
    root,
    scatter,
    softmax,
    solve,
    weighted,
)
from refclass.sample import data


class Rule:
    """The normal rule of a problem: lda, fisher, qda or rda  [ESL-4.10] [ESL-4.12] [ESL-4.13] [ESL-4.14]."""

    def __init__(self, problem: Problem) -> None:
        method, p = problem.method, given(problem)
        names, labels = data.labels(problem.y, len(problem.x))
        self.classes_, self.method, self.costs = list(names), method, p.get("costs")
        weights = [rational(w) for w in problem.weights or [1] * len(labels)]
        X = [[rational(v) for v in row] for row in problem.x]
        K = len(names)
        counts = [sum((w for w, g in zip(weights, labels) if g == k), Fraction(0)) for k in range(K)]
        n = sum(counts, Fraction(0))
        of = [[i for i, g in enumerate(labels) if g == k] for k in range(K)]
        self.means_ = [mean([X[i] for i in own], [weights[i] for i in own]) for own in of]
        reported = None if method == "fisher" else p.get("priors")
        self.priors_ = [c / n for c in counts] if reported is None else [rational(v) for v in reported]
        each = [scatter([X[i] for i in own], [weights[i] for i in own], m) for own, m in zip(of, self.means_)]
        within = [[sum(v, Fraction(0)) for v in zip(*rows)] for rows in zip(*each)]
        self.covariance_ = over(within, n if p.get("divisor") == "n" and method == "lda" else n - K)
        if method in ("qda", "rda"):
            self.covariances_ = self._covariances(p, each, counts)
        self._problem, self._counts, self._n = problem, counts, n

    def _covariances(self, p: dict[str, Any], each: list[Rows], counts: list[Fraction]) -> list[Rows]:
        if self.method == "qda":
            return [over(S, c if p["divisor"] == "n" else c - 1) for S, c in zip(each, counts)]
        alpha, gamma = rational(p["alpha"]), rational(p["gamma"])
        scalar = sum((row[j] for j, row in enumerate(self.covariance_)), Fraction(0)) / len(self.covariance_)
        shared = [
            [gamma * v + (1 - gamma) * scalar * (i == j) for j, v in enumerate(row)]
            for i, row in enumerate(self.covariance_)
        ]
        if alpha == 0:
            return [shared] * len(each)
        own = [over(S, c - 1) for S, c in zip(each, counts)]
        return [[[alpha * v + (1 - alpha) * w for v, w in zip(a, b)] for a, b in zip(S, shared)] for S in own]

    @property
    def _several(self) -> bool:
        return self.method in ("qda", "rda")

    @cached_property
    def _directions(self) -> Rows:
        """Σ⁻¹μₖ, solved exactly."""
        return solve(self.covariance_, self.means_)

    @cached_property
    def _logs(self) -> Row:
        """The logarithms of the priors; of Fisher's rule there are none."""
        return [Fraction(0)] * len(self.means_) if self.method == "fisher" else [log(v) for v in self.priors_]

    @cached_property
    def log_determinants_(self) -> Row:
        """log|Σₖ|."""
        if not self._several:
            raise AttributeError("log_determinants_")
        return [log(determinant(S)) for S in self.covariances_]

    @cached_property
    def condition_(self) -> Any:
        """The largest variance inflation of a covariance."""
        return max(inflation(S) for S in (self.covariances_ if self._several else [self.covariance_]))

    @cached_property
    def coef_(self) -> Rows:
        """Σ⁻¹μₖ, K rows; of two classes their difference."""
        if self._several:
            raise AttributeError("coef_")
        d = self._directions
        return [[b - a for a, b in zip(*d)]] if len(d) == 2 else d

    @cached_property
    def intercept_(self) -> Row:
        """−½ μₖᵀΣ⁻¹μₖ + log πₖ; of two classes their difference, with what costs add to it."""
        constants = [c - dot(m, d) / 2 for c, m, d in zip(self._logs, self.means_, self._directions)]
        return [constants[1] - constants[0] + self._preference] if len(constants) == 2 else constants

    @property
    def _preference(self) -> Fraction:
        c = self.costs
        if c is None or len(self.classes_) != 2 or self.method == "fisher":
            return Fraction(0)
        return log(rational(c[0][1]) / rational(c[1][0]))

    @cached_property
    def _axes(self) -> tuple[Row, Rows]:
        """The eigenvalues of Σ⁻¹B, and the axes as rows."""
        if self._several:
            raise AttributeError("eigenvalues_")
        masses, K = self._masses, len(self.means_)
        centre = mean(self.means_, masses)
        apart = [[v - c for v, c in zip(m, centre)] for m in self.means_]
        B = gramian(apart, masses)
        trace = sum((row[i] for i, row in enumerate(solve(self.covariance_, B))), Fraction(0))
        if trace == 0:
            raise NoAnswer("textbook", need="class means that differ", got="equal ones")
        if K == 2:
            d = [b - a for a, b in zip(*self.means_)]
            v = solve(self.covariance_, [d])[0]
            return [trace], [[w / root(dot(v, d)) for w in v]]
        # Proof: with E the rows √mₖ(μₖ − μ̄) and EΣ⁻¹Eᵀu = d u, v = Σ⁻¹Eᵀu/√d has B v = EᵀEv = d Σ v and vᵀΣv = 1.
        E = [[root(w) * v for v in row] for w, row in zip(masses, apart)]
        solved = solve(self.covariance_, E)
        values, vectors = eigen([[dot(e, s) for s in solved] for e in E])
        kept = [(d, u) for d, u in zip(values, vectors) if d > trace / 10 ** (DIGITS // 2)]
        axes = [[dot(u, column) / root(d) for column in zip(*solved)] for d, u in kept]
        return [d for d, _ in kept], axes

    @property
    def _masses(self) -> Row:
        """What each class mean counts in B."""
        if self.method == "fisher" and given(self._problem)["between"] == "centroids":
            return [Fraction(1, len(self.means_) - 1)] * len(self.means_)
        return [c / self._n for c in self._counts] if self.method == "fisher" else self.priors_

    @property
    def eigenvalues_(self) -> Row:
        """The variance between the classes along each axis, descending."""
        return self._axes[0]

    @property
    def scalings_(self) -> Rows:
        """The axes as columns, of variance one within the classes."""
        return [list(row) for row in zip(*self._axes[1])]

    def scores(self, point: Any) -> Row:
        """Return δₖ(x), K numbers, determined up to a common shift."""
        x = [rational(v) for v in point]
        if not self._several:
            parts = zip(self._logs, self.means_, self._directions)
            return [c + dot(x, d) - dot(m, d) / 2 for c, m, d in parts]
        out = []
        for pi, m, S, size in zip(self.priors_, self.means_, self.covariances_, self.log_determinants_):
            z = [a - b for a, b in zip(x, m)]
            out.append(log(pi) - size / 2 - dot(z, solve(S, [z])[0]) / 2)
        return out

    def decision_function(self, query: Any) -> list[Any]:
        """Return the scores, of two classes their difference, at each point."""
        scores = [self.scores(x) for x in query]
        return [s[1] - s[0] + self._preference if len(s) == 2 else s for s in scores]

    def predict_proba(self, query: Any) -> Rows:
        """Return the posteriors at each point  [YANG-estimation-lda]."""
        if self.method == "fisher":
            raise AttributeError("predict_proba")
        return [softmax(self.scores(x)) for x in query]

    def ties(self, query: Any) -> list[list[Any]]:
        """Return for each point the labels of the best score, or of the least expected cost."""
        out = []
        for x in query:
            values = self.scores(x)
            if self.costs is not None:
                P = softmax(values)
                values = [-sum((rational(c) * v for c, v in zip(row, P)), Fraction(0)) for row in self.costs]
            best = max(values)
            close = Fraction(1, 10 ** (DIGITS - 10)) * max(Fraction(1), abs(best))
            out.append([label for label, v in zip(self.classes_, values) if best - v <= close])
        return out

    def predict(self, query: Any) -> list[Any]:
        """Return a label for each point; a tie goes to the class that comes first."""
        return [labels[0] for labels in self.ties(query)]


class Normal:
    """Least squares, plain or penalised, by the normal equations  [ESL-12.35] [YANG-linear-regression].

    (XᵀWX + λΩ) B = XᵀWY,    a column of ones in X for the intercept, not penalised
    """

    def __init__(self, problem: Problem) -> None:
        p, method = given(problem), problem.method
        X = [[rational(v) for v in row] for row in problem.x]
        weights = [rational(w) for w in problem.weights or [1] * len(X)]
        constant = method == "least_squares" or p.get("intercept", True) is True
        width = len(X[0])
        self._constant = constant
        self._rows = [([Fraction(1)] if constant else []) + row for row in X]
        self._Y, self.classes_ = self.responses(problem)
        lam = rational(p.get("penalty", 0))
        omega = p.get("omega") or [[int(i == j) for j in range(width)] for i in range(width)]
        self._penalty = [[lam * rational(v) for v in row] for row in omega]
        self._weights = weights
        gram = gramian(self._rows, weights)
        H = [list(row) for row in gram]
        for i in range(width):
            for j in range(width):
                H[i + constant][j + constant] += self._penalty[i][j]
        right = [weighted(self._rows, weights, column) for column in zip(*self._Y)]
        self._solution = solve(H, right)
        self._gram, self._H = gram, H
        self.kept_: Optional[Fraction] = None

    @staticmethod
    def responses(problem: Problem) -> tuple[Rows, list[Any]]:
        """Return the responses, a row for each observation, and the classes: none of a regression."""
        if problem.method != "least_squares":
            return [[rational(v)] for v in problem.y], []
        names, labels = data.labels(problem.y, len(problem.x))
        return [[Fraction(int(g == k)) for k in range(len(names))] for g in labels], list(names)

    @property
    def _terms(self) -> tuple[Rows, Row]:
        rows = [b[self._constant :] for b in self._solution]
        constants = [b[0] if self._constant else Fraction(0) for b in self._solution]
        if len(rows) == 2:
            return [[b - a for a, b in zip(*rows)]], [constants[1] - constants[0]]
        return rows, constants

    @property
    def coef_(self) -> Any:
        """B: a row for each response; of a regression its one row."""
        return self._terms[0] if self.classes_ else self._terms[0][0]

    @property
    def intercept_(self) -> Row:
        """The constants."""
        return self._terms[1]

    @cached_property
    def fitted_values_(self) -> Row:
        """XB, of the one response."""
        return [dot(row, self._solution[0]) for row in self._rows]

    @property
    def objective_(self) -> Fraction:
        """Σ w(y − f)² + λ βᵀΩβ, summed over the responses."""
        return self.squares_

    @cached_property
    def squares_(self) -> Fraction:
        """The same sum, also where a method calls half of it its objective."""
        return self._squares(self._solution)

    def taken(self, fitted: Mapping[str, Any]) -> Normal:
        """Return the same with `kept_`, the sum of squares of the function of one response that is reported.

        Where columns nearly depend, coefficients of 10¹⁷ are right to all their digits and miss the responses all the
        same: what their objective is then is what they say.
        """
        numbers = [*leaves(fitted.get("intercept", None if self._constant else 0)), *leaves(fitted.get("coef"))]
        if not self.classes_ and len(numbers) == len(self._penalty) + 1 and all(map(finite, numbers)):
            self.kept_ = self._squares([list(map(rational, numbers[not self._constant :]))])
        return self

    def _squares(self, solution: Rows) -> Fraction:
        total = Fraction(0)
        for y, b in zip(zip(*self._Y), solution):
            missed = [v - dot(row, b) for v, row in zip(y, self._rows)]
            beta = b[self._constant :]
            total += dot(beta, [dot(row, beta) for row in self._penalty])
            total += sum((w * r * r for w, r in zip(self._weights, missed)), Fraction(0))
        return total

    @cached_property
    def degrees_of_freedom_(self) -> Fraction:
        """tr H⁻¹XᵀWX, the trace of the map from y to the fitted values."""
        return sum((row[i] for i, row in enumerate(solve(self._H, self._gram))), Fraction(0))

    @cached_property
    def condition_(self) -> Fraction:
        """The largest inflation of a coefficient."""
        return inflation(self._H)

    def decision_function(self, query: Any) -> list[Any]:
        """Return the fitted responses of labels at each point; of two indicators their difference."""
        if not self.classes_:
            raise AttributeError("decision_function")
        rows, constants = self._terms
        out = [[c + dot([rational(v) for v in x], b) for b, c in zip(rows, constants)] for x in query]
        return [v[0] if len(v) == 1 else v for v in out]

    def predict(self, query: Any) -> list[Any]:
        """Return the fitted response at each point, or the label of the largest."""
        if self.classes_:
            return [labels[0] for labels in self.ties(query)]
        return [dot([rational(v) for v in x], self.coef_) + self.intercept_[0] for x in query]

    def ties(self, query: Any) -> list[list[Any]]:
        """Return for each point the labels of the largest fitted indicator."""
        out = []
        for value in self.decision_function(query):
            values = value if isinstance(value, list) else [Fraction(0), value]
            out.append([label for label, v in zip(self.classes_, values) if v == max(values)])
        return out


def squares(problem: Problem, coef: Sequence[Sequence[Any]], intercept: Sequence[Any]) -> Fraction:
    """Return Σ w(y − f)² + λ‖β‖² at any coefficients, of indicators; the response of two classes is −1 and +1.

    A coding of two classes is their responses.
    """
    total, lam = Fraction(0), rational(given(problem).get("penalty", 0))
    for column, row, constant in zip(zip(*_targets(problem)), coef, intercept):
        beta, level = [rational(b) for b in row], rational(constant)
        missed = [y - level - dot([rational(v) for v in x], beta) for y, x in zip(column, problem.x)]
        total += lam * dot(beta, beta)
        total += sum((rational(w) * r * r for w, r in zip(problem.weights or [1] * len(missed), missed)), Fraction(0))
    return total


def _targets(problem: Problem) -> Rows:
    """Return the responses of the classes, a row for each observation: indicators, or −1 and +1, or a coding of two."""
    Y, classes = Normal.responses(replace(problem, method="least_squares"))
    targets = [[b - a] for a, b in Y] if len(classes) == 2 else Y
    codes = given(problem).get("coding", "indicator")
    return targets if codes == "indicator" else [[rational(codes[1] if v > 0 else codes[0])] for (v,) in targets]


def reference(problem: Problem) -> Optional[Any]:
    """Return the textbook's answer to a problem; None where a parameter or a method is not in it.

    Raises    NoAnswer, with a null vector, for a singular covariance or dependent columns
    """
    p = problem.parameters
    if any(not isinstance(row, list) for row in problem.x):
        return None
    if problem.method in ("lda", "qda", "rda", "fisher"):
        plain = p.get("cutpoint", "gaussian") == "gaussian" and p.get("n_components") is None
        if plain and p.get("pseudo_inverse", False) is False:
            rule = Rule(problem)
            rule.condition_  # noqa: B018
            return rule
    if problem.method in ("linear_regression", "ridge"):
        return Normal(problem)
    if problem.method == "least_squares" and p.get("pseudo_inverse", False) is False:
        return Normal(problem) if p.get("coding", "indicator") == "indicator" else None
    return None


def given(problem: Problem) -> dict[str, Any]:
    """Return the parameters of a problem, with the defaults of those that are not given."""
    return {**kind_of(problem.method).parameters(), **problem.parameters}
