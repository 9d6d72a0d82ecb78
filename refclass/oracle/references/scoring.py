"""Optimal scores of a linear regression on any basis, by its normal equations: scoring, flexible, penalised.

    B = (HᵀWH + λΩ)⁻¹HᵀWY, H centred,    N = YᵀWHB/n,    Nθ = μDθ, D = diag(π), θᵀDθ = 1    [YANG-computation-of-fda]

What needs no root is exact: the coefficients, of two classes μ, and with all coordinates the scores of the classes,
those of linear discriminants with the covariance (Σ_W + (λ/n)Ω)  [YANG-pda-distance]. No code that fits is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import Any, Optional

from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.number.field import rational
from refclass.oracle.problem import Problem
from refclass.oracle.references.rows import (
    DIGITS,
    Row,
    Rows,
    dot,
    eigen,
    gramian,
    inflation,
    log,
    mean,
    root,
    scatter,
    softmax,
    solve,
    transposed,
)
from refclass.oracle.references.textbook import Normal, given
from refclass.sample import data

ONE, ZERO = Fraction(1), Fraction(0)
EXPLAINED = Fraction(1, 10**30)  # of the largest μ: what is less explains nothing
WHOLLY = Fraction(1, 10**12)  # of 1 − μ: what is less leaves no variance within the classes


class Scores:
    """The discriminants on a regression: the attributes of `OptimalScoring`, `fda` and `pda`."""

    def __init__(self, problem: Problem, H: Rows, penalty: Rows, basis: Any) -> None:
        names, labels = data.labels(problem.y, len(problem.x))
        p, K = given(problem), len(names)
        weights = [rational(w) for w in problem.weights or [1] * len(labels)]
        self.classes_, self._basis, self._penalty = list(names), basis, penalty
        sizes = [sum((w for w, g in zip(weights, labels) if g == k), ZERO) for k in range(K)]
        self._n = sum(sizes, ZERO)
        self._shares = [v / self._n for v in sizes]
        of = [[i for i, g in enumerate(labels) if g == k] for k in range(K)]
        self._means = [mean([H[i] for i in own], [weights[i] for i in own]) for own in of]
        self._centre = mean(H, weights)
        self.priors_ = self._shares if p.get("priors") is None else [rational(v) for v in p["priors"]]
        total = scatter(H, weights, self._centre)
        away = [[s * (v - c) for v, c in zip(m, self._centre)] for s, m in zip(sizes, self._means)]
        self._A = [[v + w for v, w in zip(a, b)] for a, b in zip(total, penalty)]
        self._B = solve(self._A, away)
        self.degrees_of_freedom_ = 1 + sum((row[i] for i, row in enumerate(solve(self._A, total))), ZERO)
        self._N = [[dot(g, b) / self._n for b in self._B] for g in away]
        between = gramian([[v - c for v, c in zip(m, self._centre)] for m in self._means], sizes)
        rough = [[(v - b + w) / self._n for v, b, w in zip(*rows)] for rows in zip(total, between, penalty)]
        apart = [[v - c for v, c in zip(m, self._centre)] for m in self._means]
        self._directions = solve(rough, apart)
        self._count = p.get("n_components")

    def whole(self) -> Scores:
        """Return the same with all its coordinates."""
        found = copy(self)
        found._count = None
        found.__dict__.pop("_pairs", None)
        return found._anew(found._pairs)

    def along(self, Q: Matrix) -> Scores:
        """Return the same in coordinates that are all of them times Q: where some μ are equal, one choice of many."""
        known = self.whole()._pairs
        thetas = [[dot(row, part) for part in zip(*[theta for _, theta in known])] for row in Q.T]
        return copy(self)._anew([(mu, theta) for (mu, _), theta in zip(known, thetas)])

    def _anew(self, pairs: list[tuple[Fraction, Row]]) -> Scores:
        """Forget what followed from other coordinates."""
        for name in ("_axes", "_coordinates", "_linear"):
            self.__dict__.pop(name, None)
        self._pairs = pairs
        return self

    @cached_property
    def condition_(self) -> Fraction:
        """The largest inflation of a coefficient."""
        return inflation(self._A)

    @cached_property
    def _pairs(self) -> list[tuple[Fraction, Row]]:
        """Return μ and θ of each score that explains something, descending."""
        roots = [root(v) for v in self._shares]
        scaled = [[v / (a * b) for v, b in zip(row, roots)] for row, a in zip(self._N, roots)]
        if not any(map(any, self._N)):
            return []
        values, vectors = eigen(scaled)
        if len(roots) == 2:
            values[0] = sum((row[k] / self._shares[k] for k, row in enumerate(self._N)), ZERO)
        kept = [(mu, row) for mu, row in zip(values, vectors) if mu > EXPLAINED * values[0]][: self._count]
        return [(mu, self._improved(mu, [v / r for v, r in zip(row, roots)])) for mu, row in kept]

    def _improved(self, mu: Fraction, theta: Row) -> Row:
        """Return θ = Nθ/(μπ): scores of the smallest shares have no digit in an eigenvector of length 1."""
        return [dot(row, theta) / (mu * share) for row, share in zip(self._N, self._shares)]

    @property
    def eigenvalues_(self) -> Row:
        """μ, the share of each score that the regression explains."""
        return [mu for mu, _ in self._pairs]

    @property
    def scores_(self) -> Rows:
        """θ: a column for each coordinate."""
        return transposed([theta for _, theta in self._pairs])

    @property
    def weights_(self) -> Row:
        """w = 1/(μ(1 − μ))."""
        return [1 / (mu * (1 - mu)) for mu in self.eigenvalues_]

    @cached_property
    def _axes(self) -> tuple[Rows, Row]:
        """Return β and the constant of each coordinate."""
        return self.regressed([theta for _, theta in self._pairs])

    def regressed(self, thetas: Rows) -> tuple[Rows, Row]:
        """Return β = Bθ of each of these scores, and its constant, exactly."""
        beta = [[dot(theta, column) for column in zip(*self._B)] for theta in thetas]
        # Σ πₖθₖ = 0: the fit is zero at the centre.
        return beta, [-dot(b, self._centre) for b in beta]

    @cached_property
    def _coordinates(self) -> Rows:
        """Return the class means of η, K rows."""
        return [[dot(b, m) + c for b, c in zip(*self._axes)] for m in self._means]

    @property
    def centroids_(self) -> Rows:
        """The class means of η√w."""
        roots = [root(w) for w in self.weights_]
        return [[v * r for v, r in zip(row, roots)] for row in self._coordinates]

    @property
    def scalings_(self) -> Rows:
        """β√w, as columns."""
        return transposed([[v * root(w) for v in b] for b, w in zip(self._axes[0], self.weights_)])

    @cached_property
    def _linear(self) -> tuple[Rows, Row]:
        """Return the functions of h that separate the classes, with log πₖ: K rows, K constants."""
        rows, middles = self._directions, [[(v + c) / 2 for v, c in zip(m, self._centre)] for m in self._means]
        constants = [-dot(d, m) for d, m in zip(rows, middles)]
        if self._count is not None:
            beta, places = self._axes[0], self._coordinates
            pulls = [[w * v for w, v in zip(self.weights_, own)] for own in places]
            rows = [[dot(pull, column) for column in zip(*beta)] for pull in pulls]
            constants = [dot(pull, self._axes[1]) - dot(pull, own) / 2 for pull, own in zip(pulls, places)]
        return rows, [c + log(v) for c, v in zip(constants, self.priors_)]

    def scores(self, x: Any) -> Row:
        """Return δₖ(x), determined up to a common shift."""
        h = self._basis(x)
        return [dot(h, d) + c for d, c in zip(*self._linear)]

    def decision_function(self, query: Any) -> list[Any]:
        """Return the scores, of two classes their difference, at each point."""
        return [s[1] - s[0] if len(s) == 2 else s for s in map(self.scores, query)]

    def predict_proba(self, query: Any) -> Rows:
        """Return the posteriors at each point."""
        return [softmax(self.scores(x)) for x in query]

    def ties(self, query: Any) -> list[list[Any]]:
        """Return for each point the labels of the best score."""
        out = []
        for values in map(self.scores, query):
            close = max(ONE, abs(max(values))) / 10 ** (DIGITS - 10)
            out.append([c for c, v in zip(self.classes_, values) if max(values) - v <= close])
        return out

    def predict(self, query: Any) -> list[Any]:
        """Return a label for each point; a tie goes to the class that comes first."""
        return [labels[0] for labels in self.ties(query)]


class Optimal(Scores):
    """Optimal scoring: the coefficients are those of η."""

    @property
    def coef_(self) -> Rows:
        """β of each coordinate."""
        return self._axes[0]

    @property
    def intercept_(self) -> Row:
        """The constant of each coordinate."""
        return self._axes[1]


class Penalised(Scores):
    """Penalised discriminants: the coefficients are those of the classes' scores."""

    @property
    def coef_(self) -> Rows:
        """Of two classes their difference."""
        rows = self._linear[0]
        return [[b - a for a, b in zip(*rows)]] if len(rows) == 2 else rows

    @property
    def intercept_(self) -> Row:
        """Of two classes their difference."""
        constants = self._linear[1]
        return [constants[1] - constants[0]] if len(constants) == 2 else constants


class Curve:
    """A polynomial by least squares, and the sign of one: the attributes of `polynomial`, `regression_classifier`."""

    def __init__(self, problem: Problem, degree: int, names: list[Any]) -> None:
        p = len(problem.x[0])
        self.classes_ = names
        self.exponents_ = [[0] * p, *exponents(p, degree)]
        rows = [monomials(x, self.exponents_[1:]) for x in problem.x]
        plain = {"penalty": given(problem).get("penalty", 0)}
        self.least = Normal(replace(problem, method="linear_regression", x=rows, parameters=plain))
        self.degrees_of_freedom_, self.condition_ = self.least.degrees_of_freedom_, self.least.condition_
        self.fitted_values_, self.objective_ = self.least.fitted_values_, self.least.objective_
        self.coefficients_ = [*self.least.intercept_, *self.least.coef_]

    def values(self, query: Any) -> Row:
        """Return the fitted response at each point."""
        return [dot(self.coefficients_, monomials(x, self.exponents_)) for x in query]

    def decision_function(self, query: Any) -> Row:
        """Return the fitted response, of a classifier.  Raises AttributeError for a regression."""
        if not self.classes_:
            raise AttributeError("decision_function")
        return self.values(query)

    def ties(self, query: Any) -> list[list[Any]]:
        """Return for each point the labels on whose side it lies."""
        return [[self.classes_[f > 0]] if f else list(self.classes_) for f in self.values(query)]

    def predict(self, query: Any) -> list[Any]:
        """Return the fitted response, or the label, at each point."""
        return [labels[0] for labels in self.ties(query)] if self.classes_ else self.values(query)


class Outputs(Normal):
    """The outputs of a perceptron at the end of its training: least squares on indicators  [CMP-SLP]."""

    @property
    def objective_(self) -> Fraction:
        """½ Σ w‖y − f‖²."""
        return self.squares_ / 2


def exponents(p: int, degree: int) -> list[list[int]]:
    """Return the powers of the monomials of degrees 1 to d, by degree, then with the first powers descending."""
    sets = [own for d in range(1, degree + 1) for own in combinations_with_replacement(range(p), d)]
    found = [[own.count(j) for j in range(p)] for own in sets]
    assert len(found) == comb(p + degree, degree) - 1
    return found


def monomials(x: Any, powers: list[list[int]]) -> Row:
    """Return the monomials at a point."""
    out = []
    for own in powers:
        value = ONE
        for v, a in zip(x, own):
            value *= rational(v) ** a
        out.append(value)
    return out


def differences(p: int, order: int) -> Rows:
    """Return DᵀD, D the differences of adjacent coordinates of that order."""
    D = [[Fraction(int(i == j)) for j in range(p)] for i in range(p)]
    for _ in range(order):
        D = [[b - a for a, b in zip(*rows)] for rows in zip(D, D[1:])]
    return gramian(D, [ONE] * len(D))


def reference(problem: Problem) -> Optional[Any]:
    """Return what is right by these equations; None for another method, regression or parameter."""
    if any(not isinstance(row, list) for row in problem.x):
        return None
    try:
        found = _of(problem)
    except NoAnswer:  # Premise: what has no regular equations is refused, or answered by a pseudo-inverse, elsewhere
        return None
    explained = found.eigenvalues_ if isinstance(found, Scores) else [ONE / 2]
    return found if explained and all(1 - mu > WHOLLY for mu in explained) else None


def regression_of(problem: Problem, columns: Rows) -> Optional[tuple[Rows, Row]]:
    """Return the coefficients and constants of optimal scoring for scores as they are reported, exactly; None if none.

    Shapes    columns: K × L, as `scores_` has them
    """
    try:
        found = _of(problem)
    except NoAnswer:
        return None
    return None if found is None else found.regressed(transposed([[rational(v) for v in row] for row in columns]))


def _of(problem: Problem) -> Optional[Any]:
    p, method, width = given(problem), problem.method, len(problem.x[0])
    if method == "perceptron":
        return _outputs(problem) if p["tol"] is None else None
    if method == "polynomial":
        return Curve(problem, p["degree"], []) if type(p["degree"]) is int else None
    if method == "scoring":
        return None if p["pseudo_inverse"] is not False else _scores(Optimal, problem, 1, ZERO, None)
    if method == "pda":
        omega = p["omega"]
        omega = {"name": "differences", "order": 2} if omega == "roughness" else omega
        if isinstance(omega, Mapping):
            omega = differences(width, omega["order"])
        return _scores(Penalised, problem, 1, rational(p["penalty"]), None if omega == "identity" else omega)
    if method not in ("fda", "regression_classifier"):
        return None
    reported = p["regression"] if isinstance(p["regression"], Mapping) else {"name": p["regression"]}
    name, rest = reported["name"], {k: v for k, v in reported.items() if k != "name"}
    degree = rest.get("degree", 1) if name == "polynomial" else 1
    if name not in ("linear_regression", "polynomial", "ridge") or set(rest) - {"degree", "penalty", "omega"}:
        return None
    lam = rational(rest.get("penalty", 1)) if name == "ridge" else ZERO
    if method == "fda":
        return _scores(Scores, problem, degree, lam, rest.get("omega"))
    if lam or rest.get("omega"):
        return None
    names, labels = data.labels(problem.y, len(problem.x))
    return Curve(replace(problem, y=[2 * g - 1 for g in labels]), degree, list(names))


def _outputs(problem: Problem) -> Any:
    return Outputs(replace(problem, method="least_squares", parameters={}))


def _scores(kind: Any, problem: Problem, degree: int, lam: Fraction, omega: Any) -> Any:
    powers = exponents(len(problem.x[0]), degree)
    H, m = [monomials(x, powers) for x in problem.x], range(len(powers))
    shape = [[int(i == j) for j in m] for i in m] if omega is None else omega
    penalty = [[lam * rational(v) for v in row] for row in shape]
    return kind(problem, H, penalty, lambda x: monomials(x, powers))
