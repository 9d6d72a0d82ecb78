"""The problem of MARS, and the states of its iteration (Friedman 1991)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Optional

from refclass.bases.hinges import Hinge, Products, Term
from refclass.linear.factorisations.orthogonal_columns import independent
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import near
from refclass.regress.mars import knots
from refclass.regress.spline.gcv import gcv as score


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

    @cached_property
    def closest(self) -> Fraction:
        """The least gap between neighbouring values of a variable, over the variable's range."""
        found = Fraction(1)
        for column in self.X.T:
            values = sorted(set(column))
            if len(values) > 2:
                step = min(b - a for a, b in zip(values, values[1:]))
                found = min(found, rational(step) / (rational(values[-1]) - rational(values[0])))
        return found

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


def as_given(X: Matrix, terms: Sequence[Term]) -> tuple[Term, ...]:
    """Return the terms with knots in fractions: those are numbers of rows, as given where reading has rounded them."""
    known = [dict(zip(held, exact)) for held, exact in zip(X.T, X.exactly().T)]
    return tuple(
        tuple(Hinge(h.variable, h.sign, known[h.variable].get(h.knot, rational(h.knot))) for h in term)
        for term in terms
    )


def total(problem: Problem) -> Number:
    """Return the weighted sum of squares about the means, over all responses."""
    w = problem.weights
    means = [w @ y / problem.n for y in problem.Y.T]
    return sum(dot(w, tuple((v - a) * (v - a) for v in y)) for y, a in zip(problem.Y.T, means))


def refit(F: Field, problem: Problem, terms: Sequence[Term]) -> tuple[Matrix, Number]:
    """Return the coefficients of least squares on the terms, one row for each, and the residual sum of squares."""
    return least_squares(F, Products(tuple(terms)).matrix(F, problem.X), problem.Y, problem.weights)


def least_squares(F: Field, H: Matrix, Y: Matrix, weights: Vector) -> tuple[Matrix, Number]:
    """Return the coefficients of Y on the columns of H, one row for each column, and the residual sum of squares."""
    made, _ = independent(F, weights, H.T)
    betas, rss = [], weights[0] * 0
    for y in Y.T:
        left, coordinates = made.rest(F, y)
        betas.append(made.coefficients(coordinates))
        rss = rss + made.square(left)
    return Matrix.of(betas).T, rss
