"""MARS, multivariate adaptive regression splines: products of hinges, added greedily and pruned by GCV  [CMP-MARS].

    f(x) = Σ_m β_m Π_k [s_km (x_v(k,m) − t_km)]₊

Forward: from the constant, each step multiplies a term of the model by the two hinges of a reflected pair,
(x_j − t)₊ and (t − x_j)₊, at the term, variable and knot that lower the residual sum of squares most; a partner that
depends on the rest is left out. Backward: one term after another is deleted, each time the one that is missed least;
of all models on the way the one of lowest GCV is kept.

    GCV = (RSS/n)/(1 − C/n)²,   C = m + penalty (m − 1)/2   for m terms, the constant among them

All responses share the terms, and their residuals count alike. Drops too close for rounded numbers are computed again
in 70 digits or more, so that every arithmetic takes the same step. Ties are broken by order: among equal drops the
first parent to have entered, then the first variable, then the lowest knot; (x − t)₊ before (t − x)₊; among equal
deletions the last term to have entered; among equal scores the smaller model.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Optional

from refclass.bases.hinges import Products, Term
from refclass.certificate import ASKED, Certificate
from refclass.errors import InvalidInput, quoted
from refclass.iteration import ending
from refclass.linear.factorisations.orthogonal_columns import Columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector, as_given
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD
from refclass.regress.linear import check as given
from refclass.regress.linear import extent, ridge_certificate
from refclass.regress.mars import problem as problems
from refclass.regress.mars.forward import steps
from refclass.regress.mars.problem import Problem, State, least_squares, refit
from refclass.regress.spline.gcv import gcv as score
from refclass.sample.observations import rounded_gaps

UNEVEN = 10**4  # r, for terms of one hinge, beyond which drops may have fewer than the six digits that ties are told by
NEARLY = 10**6  # one over the share of a column that others leave, below which it nearly depends on them
WORK = 20_000  # multiplications of fractions, rows times squared terms, up to which a fit is made for its ceiling
SEARCHES = ("exhaustive", "mda")


@dataclass(frozen=True)
class Model:
    """A fitted MARS model.

    terms           products of hinges, the constant first, in the order of their entry
    coefficients    one row for each term, one column for each response
    rss             the weighted sum of squared residuals over all responses
    gcv             the score; None for a sample too small for the constant to have one
    fitted          the n × q fitted values
    forward         the terms at the end of the forward pass
    steep           whether columns may leave coefficients few digits, so that they are proven before they are returned
    """

    field: Field
    terms: tuple[Term, ...]
    coefficients: Matrix
    rss: Number
    gcv: Optional[Number]
    fitted: Matrix
    forward: tuple[Term, ...]
    steep: bool = False

    @property
    def degrees_of_freedom(self) -> Number:
        """The number of terms: the trace of least squares on them. What GCV charges is Problem.charge."""
        return self.rss * 0 + len(self.terms)

    def predict(self, X: Matrix) -> Matrix:
        """Return the m × q values at the rows of X."""
        return Products(self.terms).matrix(self.field, X) @ self.coefficients


def unsure(F: Field, problem: Problem) -> bool:
    """Return whether rounded numbers may have too few digits of the drops of RSS.

    Of entries far larger than most of their column: sums of squares lose the small ones beside the large; of entries r
    times as far from the median as most, a term of one hinge has r² units of roundoff. Of responses so far from most,
    whose residuals are all that the coefficients of the others leave. And of columns that depend on each other, or
    nearly, or that reading has rounded by so much that a hinge between neighbours has fewer than nine digits.
    """
    if max(map(_reach, problem.Y.T)) > UNEVEN or rounded_gaps(problem.X, 10**ASKED):
        return True
    ratio, made = 1, Columns(problem.weights).grown(F, Vector.of([F.kind(1)] * len(problem.X)))
    for column in problem.X.T:
        middle = sorted(column)[len(column) // 2]
        if min(column) == max(column):
            continue
        ratio = max(ratio, _reach(column))
        centred = Vector.of([v - middle for v in column])
        larger = None if made is None else made.grown(F, centred)
        if made is None or larger is None or larger.squares[-1] * NEARLY**2 < made.square(centred):
            return True
        made = larger
    return bool(ratio**problem.degree > UNEVEN)


def blurred(F: Field, problem: Problem) -> bool:
    """Return whether a hinge beside one at a neighbouring knot counts as dependent on it, though it is not.

    Proof: hinges at knots h apart differ, but for a multiple of each other, by about h beside a range of one: of the
    second one's sum of squares the first leaves a share of h², which is compared with roundoff (see `Scan.gains`).
    """
    return not F.exact and problem.closest**2 <= THRESHOLD * len(problem.X) * rational(F.eps)


def _reach(column: Vector) -> Number:
    """Return how many times as far from the median as most entries that differ from it the farthest one is."""
    middle = sorted(column)[len(column) // 2]
    away = sorted(filter(None, (abs(v - middle) for v in column)))
    return away[-1] / away[(len(away) - 1) // 2] if away else 1


def fit_steps(F: Field, problem: Problem) -> Generator[State, None, Model]:
    """Yield the states of the iteration, and return the model of lowest GCV on it, the smallest among equals."""
    best, forward = None, None
    for state in steps(F, problem):
        yield state
        if state.phase == "forward":
            best = forward = state
        elif problem.search == "mda" and state.step == 1:
            continue  # mda does not compare the model after its first deletion
        elif best is None or best.gcv is None or not score.clearly_lower(F, best.gcv, state.gcv, len(problem.X)):
            best = state
    assert best is not None and forward is not None
    coefficients, rss = refit(F, problem, best.terms)
    H = Products(best.terms).matrix(F, problem.X)
    fitted, gcv = H @ coefficients, problem.gcv(rss, len(best.terms))
    model = Model(F, best.terms, coefficients, rss, gcv, fitted, forward.terms)
    read = any(isinstance(x, Rounded) for x in problem.X)  # a hinge of numbers near 10⁸ has lost half its digits
    if F.exact or (not read and _holds(problem, H, model)):
        return model
    return scored(F, problem, model)


def scored(F: Field, problem: Problem, model: Model) -> Model:
    """Return the model with the values, RSS and GCV of its coefficients as they are, each rounded once."""
    exact, values = scores(problem, model), ridge_certificate.values(hinges(problem.X, model), model.coefficients)[0]
    fitted = Matrix.of([Vector.of(map(F.lift, row)) for row in values])
    return replace(model, rss=F.lift(exact[0]), gcv=None if exact[1] is None else F.lift(exact[1]), fitted=fitted)


def _holds(problem: Problem, H: Matrix, model: Model) -> bool:
    """Return whether roundoff leaves ten digits or more of RSS and GCV: neither is a slight difference."""
    terms = [column.largest() for column in H.T]
    sizes = [sum(abs(b) * s for b, s in zip(column, terms)) for column in model.coefficients.T]
    most = max(size + y.largest() for size, y in zip(sizes, problem.Y.T))
    left = problem.n - problem.charge(len(model.terms))
    return bool(model.rss * 10**6 > problem.n * most * most and left * 1000 > problem.n)


def scores(problem: Problem, model: Model) -> tuple[Fraction, Optional[Fraction]]:
    """Return the residual sum of squares of the coefficients as they are, and its GCV, in exact arithmetic."""
    rss = ridge_certificate.objective(hinges(problem.X, model), problem.Y, model.coefficients, problem.weights)
    n, m = sum(map(rational, problem.weights), Fraction(0)), len(model.terms)
    return rss, score.gcv(rss, n, m + rational(problem.penalty) * (m - 1) / 2)


def hinges(X: Matrix, model: Model) -> Matrix:
    """Return the terms at the rows of X, exact: n × M."""
    return Products(problems.as_given(X, model.terms)).matrix(RATIONAL, X.exactly())


def solve(F: Field, problem: Problem) -> Model:
    """Return the model of lowest GCV on the iteration, its steps unseen."""
    return ending(fit_steps(F, problem))


def fit(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None, **options: Any) -> Model:
    """Return the MARS model of Y on X  [GAP-9] [CMP-MARS].

    Given     options as in Problem, with the defaults of `asked`
    Shapes    X: n × p; Y: n × q; weights: n numbers ≥ 0, an integer weight standing for copies
    Exact     yes
    Raises    InvalidInput
    """
    return solve(F, asked(F, X, Y, weights, **options))


def certify(X: Matrix, Y: Matrix, model: Model, weights: Optional[Vector] = None) -> Certificate:
    """Return the proof that the coefficients are least squares on the model's terms, in exact rational arithmetic.

    The status is "stationary" where nine digits or more are proven: the terms themselves are those of a greedy search.
    Fewer stand beside their ceiling, as long as a fit is computed in fractions.
    """
    F, H = model.field, hinges(X, model)
    w = Vector.of([Fraction(1)] * len(X)) if weights is None else weights
    found = ridge_certificate.certify(H, Y, model.coefficients, w)
    if not F.exact and (found.digits or 0) < ASKED and len(X) * len(model.terms) ** 2 <= WORK:
        best, _ = least_squares(RATIONAL, H, Y.exactly(), Vector.of(map(rational, as_given(w))))
        rounded = Matrix.of([Vector.of(map(F.lift, row)) for row in best])
        found = ridge_certificate.limited(found, ridge_certificate.certify(H, Y, rounded, w))
    status = "stationary" if found.status == "optimal" else found.status
    return replace(found, status=status, premise="the terms, found by a greedy search")


def asked(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    degree: int = 1,
    max_terms: Optional[int] = None,
    penalty: Any = None,
    threshold: Any = Fraction(1, 1000),
    min_span: int = 1,
    end_span: int = 1,
    search: str = "exhaustive",
) -> Problem:
    """Return the problem with its options checked, numbers lifted into F and defaults filled in.

    max_terms defaults to max(21, 2p + 1), penalty to 3, or 2 where degree is 1; mda's search has spans of its own.

    Raises    InvalidInput
    """
    w = given.weights(F, "mars", X, Y, weights)
    most = max(21, 2 * len(X[0]) + 1) if max_terms is None else max_terms
    whole = (("degree", degree, 1), ("max_terms", most, 1), ("min_span", min_span, 0), ("end_span", end_span, 0))
    for name, value, least in whole:
        if type(value) is not int or value < least:
            raise InvalidInput("mars", need=f"{name} an integer ≥ {least}", got=quoted(value))
    extent.check(F, "mars", X, Y, 4 * degree)
    price = F.lift(penalty if penalty is not None else (2 if degree == 1 else 3))
    share = F.lift(threshold)
    for name, value in (("penalty", price), ("threshold", share)):
        if value < 0:
            raise InvalidInput("mars", need=f"{name} ≥ 0", got=value)
    if search not in SEARCHES:
        raise InvalidInput("mars", need=f"search among {', '.join(SEARCHES)}", got=quoted(search))
    if search == "mda" and (min_span, end_span) != (1, 1):
        raise InvalidInput("mars", need='no spans with search="mda"', got=f"{min_span} and {end_span}")
    return Problem(X, Y, w, degree, most, price, share, min_span, end_span, search)
