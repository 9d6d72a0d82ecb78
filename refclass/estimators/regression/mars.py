"""MARS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Optional

from refclass.bases.hinges import Term
from refclass.certificate import Certificate
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.estimator import Steps
from refclass.estimators.protocol.more_digits import more, rounded
from refclass.estimators.protocol.regressor import Regressor, responses
from refclass.iteration import ending, mapped
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.arithmetic import field
from refclass.number.field import Field
from refclass.number.tolerance import decades
from refclass.regress.linear import ridge_certificate
from refclass.regress.mars import forward, mars
from refclass.regress.mars.problem import Problem, State
from refclass.sample import data

FEW = 2000  # entries of X up to which a search in decimals takes half a second


class MARS(Regressor):
    """Multivariate adaptive regression splines: products of hinges, found greedily, pruned by GCV  [GAP-9] [CMP-MARS].

        f(x) = Σ_m β_m Π_k [s_km (x_v(k,m) − t_km)]₊
        GCV = (RSS/n)/(1 − C/n)²,   C = m + penalty (m − 1)/2 for m terms

    Several responses share the terms.

    Parameters
    ----------
    degree : int ≥ 1, default 1
        The most variables in a term.
    max_terms : int, or None, default None
        The forward pass stops before it would count more, each step counting two; None for max(21, 2p + 1).
    penalty : number ≥ 0, or None, default None
        What a knot costs in GCV; None for 3, or 2 where degree is 1.
    threshold : number ≥ 0, default 0.001
        The forward pass stops before a step that raises R² by less.
    min_span : int ≥ 0, default 1
        The least number of observations from one knot to the next; 0 for Friedman's formula.
    end_span : int ≥ 0, default 1
        The least number of observations at a knot and beyond it on either side; 0 for Friedman's formula.
    search : "exhaustive" or "mda", default "exhaustive"
        "exhaustive" tries every eligible knot; "mda" those that the R package mda 0.5-3 tries: spaced by Friedman's
        formulas over all rows, columns left out that are nearly dependent, one hinge for variables that a term has.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    terms_ : lists of triples
        The terms, each a list of factors (variable, sign, knot), standing for (sign (x − knot))₊; the constant is
        the empty list.
    coefficients_ : list of numbers, or rows of q
        The coefficient of each term, in the units of y over those of its variables.
    gcv_ : number
        The criterion, in the units of y squared.
    rss_ : number
        The sum of squares, in the units of y squared.
    degrees_of_freedom_ : int
        The number of terms.
    forward_terms_ : lists of triples
        The terms before deletion.
    fitted_values_ : n numbers, or n × q
        The fitted values at the rows of X, in the units of y, shaped as y.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.

    See Also
    --------
    BRUTO, FlexibleDiscriminantAnalysis

    References
    ----------
    - J. H. Friedman (1991). Multivariate adaptive regression splines. Annals of Statistics 19, 1-67.

    Examples
    --------
    >>> bent = MARS(arithmetic="exact", threshold=0).fit([[x] for x in range(9)], [0, 0, 0, 0, 1, 2, 3, 4, 5])
    >>> [[(j, s, str(t)) for j, s, t in term] for term in bent.terms_], [str(b) for b in bent.coefficients_]
    ([[], [(0, 1, '3')]], ['0', '1'])
    """

    method = "mars"
    equations = ("ESL-12.42", "YANG-T12.3")
    fitted = (
        "terms_",
        "coefficients_",
        "gcv_",
        "rss_",
        "degrees_of_freedom_",
        "forward_terms_",
        "fitted_values_",
    )

    def __init__(
        self,
        *,
        degree: int = 1,
        max_terms: Optional[int] = None,
        penalty: Any = None,
        threshold: Any = 0.001,
        min_span: int = 1,
        end_span: int = 1,
        search: str = "exhaustive",
        arithmetic: Any = "float",
    ) -> None:
        self.degree = degree
        self.max_terms = max_terms
        self.penalty = penalty
        self.threshold = threshold
        self.min_span = min_span
        self.end_span = end_span
        self.search = search
        self.arithmetic = arithmetic

    def regress(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> mars.Model:
        """Return the fitted model of layer 4."""
        return ending(self.regressing(F, X, Y, weights))

    def work(self, n: int, p: int) -> int:
        """Return how many multiplications a fit is, about: the knots of each term."""
        return 10_000 * n * p

    def regressing(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None) -> Steps[mars.Model]:
        """Yield how far the regression has come, and return the model; where doubles may err, one made in decimals."""
        problem = self._problem(F, X, Y, weights)
        blurred = mars.blurred(F, problem)
        steep = blurred or (F.kind is float and mars.unsure(F, problem))
        if not steep or len(X) * len(X[0]) > FEW:
            plain = yield from mapped(mars.fit_steps(F, problem), _progress)
            return replace(plain, steep=steep)
        D = field(f"decimal:{more(F) + decades([1, problem.closest])}")
        rows, Z = (Matrix.of([Vector.of(map(D.lift, row)) for row in M.exactly()]) for M in (X, Y))
        own = None if weights is None else Vector.of(map(D.lift, weights.exactly()))
        found = yield from mapped(mars.fit_steps(D, self._problem(D, rows, Z, own)), _progress)
        # What is reported is of the coefficients as rounded: through all points, the sum of squares is their roundoff.
        return replace(mars.scored(F, problem, rounded(found, F)), steep=True)

    def steps(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[State]:
        """Return the iteration on this data, state by state: forward, then backward."""
        F = self.field()
        rows = data.matrix(F, X)
        Y, _ = responses(F, y, len(rows))
        return forward.steps(F, self._problem(F, rows, Y, data.weight_vector(F, sample_weight, len(rows))))

    def _problem(self, F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector]) -> Problem:
        for name, least in (("degree", 1), ("max_terms", 1), ("min_span", 0), ("end_span", 0)):
            self.integer(name, least, or_none=name == "max_terms")
        data.refuse_extreme(F, weights, self.method)
        return mars.asked(
            F,
            X,
            Y,
            weights,
            degree=self.degree,
            max_terms=self.max_terms,
            penalty=None if self.penalty is None else self.number(F, "penalty", least=0),
            threshold=self.number(F, "threshold", least=0),
            min_span=self.min_span,
            end_span=self.end_span,
            search=self.search,
        )

    def prove(self, model: mars.Model, X: Matrix, Y: Matrix, weights: Vector, eps: Any) -> Certificate:
        """Return the proof that the coefficients are least squares."""
        found = mars.certify(X, Y, model, weights)
        if len(X) * len(X[0]) > FEW and mars.blurred(model.field, self._problem(model.field, X, Y, weights)):
            hidden = f"; {model.field.name} does not tell all neighbouring knots apart"
            return replace(found, premise=found.premise + hidden)
        return found

    def judged(self, found: Certificate) -> Certificate:
        """Return the proof, with no more digits than the fitted values, rss_ and gcv_ have."""
        F, model = self._field, self._model
        rss, gcv = mars.scores(self._problem(F, *self._given), model)
        for name, said, exact in (("rss_", model.rss, rss), ("gcv_", model.gcv, gcv)):
            found = stated.number(F, found, name, said, exact)
        return super().judged(found)

    def values(self, model: mars.Model, X: Matrix) -> tuple[Matrix, Matrix]:
        """Return the values of the model at the rows of X, exact, and the sizes of the terms that they are sums of."""
        return ridge_certificate.values(mars.hinges(X, model), model.coefficients)

    def describe(self, model: mars.Model) -> None:
        """Set terms_, coefficients_, gcv_, rss_, degrees_of_freedom_, forward_terms_."""
        self.terms_ = _listed(model.terms)
        self.coefficients_ = self.shown(model.coefficients)
        self.gcv_ = model.gcv
        self.rss_ = model.rss
        self.degrees_of_freedom_ = model.degrees_of_freedom
        self.forward_terms_ = _listed(model.forward)


def _progress(state: State) -> tuple[int, int, str]:
    count, most = len(state.terms), state.problem.max_terms
    return (
        (count, 2 * most, f"mars: {count} terms") if state.phase == "forward" else (2 * most - count, 2 * most, "mars")
    )


def _listed(terms: tuple[Term, ...]) -> list[list[tuple[int, int, Any]]]:
    return [[(h.variable, h.sign, h.knot) for h in term] for term in terms]
