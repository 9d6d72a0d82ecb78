"""The forward pass of MARS: pairs of hinges, each the best of all knots (Friedman 1991)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import Optional

from refclass.bases.hinges import Hinge, Products, Term, pair
from refclass.linear.factorisations.orthogonal_columns import Columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number
from refclass.number.tolerance import decades, near, negligible
from refclass.regress.mars import backward, knots
from refclass.regress.mars.problem import Problem, State, as_given

CLOSE = Fraction(1, 10**6)  # drops of RSS that differ by a smaller share are separated in decimals


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
    """Return the first in order of those that lower RSS most, separated in 70 digits: which no arithmetic changes.

    Beside those there are as many as hinges of neighbouring knots lose.
    """
    problem = grown.problem
    D = decimal(70 + decades([1, problem.closest]))
    X, Y = (Matrix.of([Vector.of(map(D.lift, row)) for row in M.exactly()]) for M in (problem.X, problem.Y))
    weights = Vector.of(map(D.lift, problem.weights))
    fine = replace(problem, X=X, Y=Y, weights=weights, penalty=D.lift(problem.penalty), threshold=D.kind(0))
    own, places = _Grown.constant(D, fine), {0: 0}
    for m, term in enumerate(as_given(problem.X, grown.terms)[1:], start=1):
        lifted = tuple(Hinge(h.variable, h.sign, D.lift(h.knot)) for h in term)
        larger = own.plus(D, (lifted, Products((lifted,)).matrix(D, X).T[0]))
        own, places[m] = larger or own, len(own.terms) if larger else 0
    knots_of = as_given(problem.X, [(Hinge(j, 1, knot),) for _, _, j, knot in tied])
    drops = [own.rss - _paired(D, own, places[e[1]], h.variable, D.lift(h.knot)).rss for e, (h,) in zip(tied, knots_of)]
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
