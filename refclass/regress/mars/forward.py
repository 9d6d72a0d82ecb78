"""The forward pass of MARS: pairs of hinges, each the best of all knots (Friedman 1991)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import Optional

from refclass.bases.hinges import Hinge, Products, Term, pair
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number
from refclass.number.tolerance import near, negligible
from refclass.regress.linear.orthogonal_columns import Columns, independent
from refclass.regress.mars import backward, knots
from refclass.regress.spline.gcv import gcv as score

CLOSE = Fraction(1, 10**6)  # drops of RSS that differ by a smaller share are separated in decimals


@dataclass(frozen=True)
class Problem:
    """A sample with the options of MARS.

    X, Y         n × p variables, n × q responses
    weights      n numbers ≥ 0, an integer weight standing for copies
    degree       the most hinges in a term
    max_terms    the most terms of the forward pass, each of its steps counting two
    penalty      what a term besides the constant is charged in GCV, beyond itself, twice
    threshold    the forward pass stops before a step that lowers RSS by less than this share of the total
    min_span     the least number of observations from one knot to the next; 0 for Friedman's formula
    end_span     the least number of observations at a knot and beyond it on either side; 0 for Friedman's formula
    search       "exhaustive", every eligible knot; "mda", the knots that the R package mda looks at
    """

    X: Matrix
    Y: Matrix
    weights: Vector
    degree: int
    max_terms: int
    penalty: Number
    threshold: Number
    min_span: int
    end_span: int
    search: str = "exhaustive"

    @property
    def n(self) -> Number:
        """The sum of the weights."""
        return self.weights.sum()

    def scanned(self, parent: Vector, x: Vector, straight: bool) -> knots.Scan:
        """Return the scan of a variable under a parent; mda's search tries both hinges if `straight`."""
        p = len(self.X[0])
        if self.search == "mda":
            return knots.scan_as_mda(parent, x, self.weights, p, straight)
        return knots.scan(parent, x, self.weights, self.min_span, self.end_span, p)

    def charge(self, terms: int) -> Number:
        """Return C = m + penalty (m − 1)/2."""
        return terms + self.penalty * (terms - 1) / 2

    def gcv(self, rss: Number, terms: int) -> Optional[Number]:
        """Return the score of a model of that many terms; None if it is charged n or more."""
        return score.gcv(rss, self.n, self.charge(terms))


@dataclass(frozen=True)
class State:
    """Where the iteration stands.

    phase      "forward" or "backward"
    step       the number of steps of this phase
    terms      the terms of the model
    rss        its residual sum of squares over all responses
    gcv        its score, None if it is charged n or more
    """

    phase: str
    step: int
    terms: tuple[Term, ...]
    rss: Number
    gcv: Optional[Number]
    problem: Problem

    @property
    def x(self) -> tuple[Term, ...]:
        """The terms."""
        return self.terms

    @property
    def objective(self) -> Number:
        """The residual sum of squares, which falls forward and rises backward."""
        return self.rss

    def check(self, F: Field) -> None:
        """Assert that the terms keep the rules, and that a fresh least-squares fit on them has the state's RSS."""
        p = self.problem
        assert self.terms[0] == () and len(set(self.terms)) == len(self.terms)
        for term in self.terms:
            assert len(term) <= p.degree and len({h.variable for h in term}) == len(term)
        coefficients, rss = refit(F, p, self.terms)
        assert len(coefficients) == len(self.terms)
        assert near(F, self.rss, rss, scale=total(p), steps=len(p.X))
        assert self.gcv == p.gcv(self.rss, len(self.terms))


def total(problem: Problem) -> Number:
    """Return the weighted sum of squares about the means, over all responses."""
    w = problem.weights
    means = [w @ y / problem.n for y in problem.Y.T]
    return sum(dot(w, tuple((v - a) * (v - a) for v in y)) for y, a in zip(problem.Y.T, means))


@dataclass(frozen=True)
class _Grown:
    """A model of the forward pass: its terms, their values, the columns made orthogonal, the residuals."""

    problem: Problem
    terms: tuple[Term, ...]
    values: tuple[Vector, ...]
    model: Columns
    residuals: tuple[Vector, ...]

    @classmethod
    def constant(cls, F: Field, problem: Problem) -> _Grown:
        empty = cls(problem, (), (), Columns(problem.weights), tuple(problem.Y.T))
        grown = empty.plus(F, ((), Vector.of([F.kind(1)] * len(problem.X))))
        assert grown is not None
        return grown

    def plus(self, F: Field, entry: tuple[Term, Vector]) -> Optional[_Grown]:
        """Return the model with one more term; None if the term depends on the others."""
        model = self.model.grown(F, entry[1])
        if model is None:
            return None
        q, pulled, d = model.orthogonal[-1], model.pulled[-1], model.squares[-1]
        residuals = []
        for r in self.residuals:
            c = dot(pulled, r) / d
            residuals.append(Vector.of([a - c * b for a, b in zip(r, q)]))
        return _Grown(self.problem, (*self.terms, entry[0]), (*self.values, entry[1]), model, tuple(residuals))

    @property
    def rss(self) -> Number:
        return sum(self.model.square(r) for r in self.residuals)

    def fresh(self, parent: int, variable: int) -> bool:
        """Return whether no term has the variables that a hinge of this one would have under that parent."""
        wanted = {*(h.variable for h in self.terms[parent]), variable}
        return all({h.variable for h in term} != wanted for term in self.terms)


def steps(F: Field, problem: Problem) -> Iterator[State]:
    """Return the iteration: forward from the constant, then backward to the constant.

    Solves    RSS over products of hinges, greedily; not a global optimum, for which no efficient method is known
    Given     Problem
    Yields    State; backward, the model with the fewer terms after each deletion
    Exact     yes, unless min_span or end_span is 0
    Cost      forward, a step looks at every knot of every variable under every parent: O(qn) for each parent and
              variable, and O(n) more for each column entered since
    """
    grown = _Grown.constant(F, problem)
    tss, step = grown.rss, 0
    yield _state(problem, "forward", step, grown.terms, grown.rss)
    scans: dict[tuple[int, int], knots.Scan] = {}
    while 1 + 2 * (step + 1) <= problem.max_terms:
        found = _best(F, problem, grown, scans)
        if found is None:
            break
        gain, parent, variable, knot = found
        if negligible(F, gain, tss, len(problem.X)) or gain < problem.threshold * tss:
            break
        grown, step = _paired(F, grown, parent, variable, knot), step + 1
        yield _state(problem, "forward", step, grown.terms, grown.rss)
    coordinates = [Vector.of(grown.model.coordinates(y)) for y in problem.Y.T]
    for count, left in enumerate(backward.steps(F, grown.model, coordinates, grown.rss)):
        if count:
            yield _state(problem, "backward", count, tuple(grown.terms[k] for k in left.kept), left.rss)


def _state(problem: Problem, phase: str, step: int, terms: tuple[Term, ...], rss: Number) -> State:
    return State(phase, step, terms, rss, problem.gcv(rss, len(terms)), problem)


def _best(
    F: Field, problem: Problem, grown: _Grown, scans: dict[tuple[int, int], knots.Scan]
) -> Optional[tuple[Number, int, int, Number]]:
    """Return the largest drop of RSS with its parent, variable and knot: the first in order among equals."""
    pulled = [r.times(problem.weights) for r in grown.residuals]
    columns, rest = problem.X.T, grown.rss
    found: list[tuple[Number, int, int, list[Number]]] = []
    for m, (term, values) in enumerate(zip(grown.terms, grown.values)):
        if len(term) >= problem.degree:
            continue
        products = [tuple(map(mul, values, r)) for r in pulled]
        for j, x in enumerate(columns):
            if any(h.variable == j for h in term):
                continue
            fresh = grown.fresh(m, j)
            if (m, j) not in scans or (problem.search == "mda" and scans[m, j].tries_line != fresh):
                scans[m, j] = problem.scanned(values, x, fresh)
            scans[m, j] = scans[m, j].after(grown.model)
            gains = scans[m, j].gains(F, grown.model, pulled, products)
            if gains:
                found.append((max(gains), m, j, gains))
    if not found:
        return None
    most = max(entry[0] for entry in found)
    share = F.lift(CLOSE) if not F.exact else 0
    near_most = max(most * share, rest * share * share)
    tied = [
        (g, m, j, columns[j][scans[m, j].order[scans[m, j].places[k]]])
        for largest, m, j, gains in found
        if most - largest <= near_most
        for k, g in enumerate(gains)
        if most - g <= near_most
    ]
    return tied[0] if F.exact or all(entry[0] == most for entry in tied) else _settled(grown, tied)


def _settled(grown: _Grown, tied: Sequence[tuple[Number, int, int, Number]]) -> tuple[Number, int, int, Number]:
    """Return the first in order of those that lower RSS most, separated in 70 digits: which no arithmetic changes."""
    D, problem = decimal(70), grown.problem
    X, Y = (Matrix.of([Vector.of(map(D.lift, row)) for row in M]) for M in (problem.X, problem.Y))
    weights = Vector.of(map(D.lift, problem.weights))
    fine = replace(problem, X=X, Y=Y, weights=weights, penalty=D.lift(problem.penalty), threshold=D.kind(0))
    own, places = _Grown.constant(D, fine), {0: 0}
    for m, term in enumerate(grown.terms[1:], start=1):
        lifted = tuple(Hinge(h.variable, h.sign, D.lift(h.knot)) for h in term)
        larger = own.plus(D, (lifted, Products((lifted,)).matrix(D, X).T[0]))
        own, places[m] = larger or own, len(own.terms) if larger else 0
    drops = [own.rss - _paired(D, own, places[m], j, D.lift(knot)).rss for _, m, j, knot in tied]
    most = max(drops)
    return next(e for e, drop in zip(tied, drops) if drop == most or near(D, drop, most, own.rss, len(X)))


def _paired(F: Field, grown: _Grown, parent: int, variable: int, knot: Number) -> _Grown:
    values, term, x = grown.values[parent], grown.terms[parent], grown.problem.X.T[variable]
    both = grown.problem.search != "mda" or grown.fresh(parent, variable)
    for hinge in pair(variable, knot)[: 2 if both else 1]:
        away = [(v - knot) * hinge.sign for v in x]
        column = Vector.of([b * u if u > 0 else b * 0 for b, u in zip(values, away)])
        larger = grown.plus(F, ((*term, hinge), column))
        grown = larger if larger is not None else grown
    return grown


def refit(F: Field, problem: Problem, terms: Sequence[Term]) -> tuple[Matrix, Number]:
    """Return the coefficients of least squares on the terms, one row for each, and the residual sum of squares."""
    columns = Products(tuple(terms)).matrix(F, problem.X).T
    made, _ = independent(F, problem.weights, columns)
    betas, rss = [], problem.weights[0] * 0
    for y in problem.Y.T:
        left, coordinates = made.rest(F, y)
        betas.append(made.coefficients(coordinates))
        rss = rss + made.square(left)
    return Matrix.of(betas).T, rss
