"""Polynomial regression: least squares on all monomials up to a total degree.

minimise Σᵢ wᵢ (yᵢ − Σ_{|a| ≤ d} β_a xᵢ^a)²
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import frexp, isfinite
from typing import Any, Optional

from refclass.bases.polynomial import Monomials
from refclass.certificate import ASKED, Certificate, lost
from refclass.errors import NotExact
from refclass.linear.common_denominator import cleared
from refclass.linear.exact import dixon, fraction_free
from refclass.linear.factorisations import orthogonal_columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.regress.linear import check, ridge_certificate

WORK = 10**5  # multiplications nM² up to which a fit is proven at once, and computed in fractions where that is needed
LONG = 10**7  # up to which a longer one is computed in decimals where doubles lose it: some fifteen seconds
DIGITS = 100  # of these decimals
ENOUGH = 2 * ASKED  # digits of the sum of squares that are asked for: values of the polynomial have half of them
SLIGHT = 10**6  # units of roundoff of the responses below which the part of a monomial has few digits
RANGE = 300  # bits: squares of the monomials, summed over the points, stay within the range of doubles


@dataclass(frozen=True)
class Model:
    """A fitted polynomial for each response.

    basis       the monomials
    centre      where they are taken: x − centre. Zero in exact arithmetic
    centred     the coefficients of (x − centre)^a, one row for each monomial, one column for each response
    rank        how many monomials are independent on the sample; the others, later in the order, have coefficient zero
    rss         the weighted sum of squared residuals over all responses
    fitted      the n × q fitted values
    steep       whether roundoff may leave few digits of a fit that is too long to be proven at once
    exact       `centred` in fractions, of a long fit to as many digits as decimals have, where values of the rounded
                coefficients have few digits, or coefficients about the origin that follow from these, else None
    """

    field: Field
    basis: Monomials
    centre: Vector
    centred: Matrix
    rank: int
    rss: Number
    fitted: Matrix
    steep: bool = False
    exact: Optional[Matrix] = None

    @property
    def degrees_of_freedom(self) -> Number:
        """The trace of the projection: the rank."""
        return self.rss * 0 + self.rank

    @cached_property
    def coefficients(self) -> Matrix:
        """The coefficients β_a of x^a, one row for each monomial, one column for each response; each rounded once.

        Raises    NotExact for one beyond the range of doubles
        """
        F, centred = self.field, self.centred if self.exact is None else self.exact
        moved = [self.basis.moved(column, self.centre.exactly()) for column in centred.exactly().T]
        return Matrix.of([Vector.of([F.delivered("polynomial", v) for v in column]) for column in moved]).T

    def predict(self, X: Matrix) -> Matrix:
        """Return the m × q values at the rows of X; those of `exact`, each rounded once, where there are such."""
        if self.exact is not None:
            centre = self.centre.exactly()
            found = self.basis.matrix(RATIONAL, [x.exactly() - centre for x in X]) @ self.exact
            return Matrix.of([Vector.of([self.field.delivered("polynomial", v) for v in row]) for row in found])
        return self.basis.matrix(self.field, [x - self.centre for x in X]) @ self.centred


def fit(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    degree: int = 1,
    centre: Optional[Vector] = None,
) -> Model:
    """Return the polynomial regression of Y on X  [YANG-fda-example] [ESL-12.42].

    Shapes    X: n × p; Y: n × q; weights: n numbers ≥ 0, an integer weight standing for copies
    centre    where the monomials are taken; none: zero in exact arithmetic, else the mean

    Exact     yes
    Cost      about nM² multiplications for M = C(p + d, d) monomials, twice that where numbers are rounded
    Raises    InvalidInput
    Laws      residuals are orthogonal to every monomial; degree 1 is least squares on lines; a polynomial of the degree
              is reproduced
    """
    w = check.weights(F, "polynomial", X, Y, weights)
    if F.kind is float and abs(frexp(X.largest())[1]) * degree >= RANGE:
        raise NotExact("polynomial", need=f"powers of the variables within 2^±{RANGE}", got=X.largest())
    basis = Monomials(X.shape[1], degree)
    centre = _centre(F, X, w) if centre is None else centre
    H = basis.matrix(F, [x - centre for x in X])
    made, kept = orthogonal_columns.independent(F, w, H.T)
    betas, rss = [], F.kind(0)
    for y in Y.T:
        left, coordinates = made.rest(F, y)
        beta: list[Any] = [F.kind(0)] * len(basis)
        for place, value in zip(kept, made.coefficients(coordinates)):
            beta[place] = value
        betas.append(Vector.of(beta))
        rss = rss + made.square(left)
    centred = Matrix.of(betas).T
    steep = _is_long(X, basis) and _steep(F, made, [H.T[k] for k in kept])
    return Model(F, basis, centre, centred, len(made), rss, H @ centred, steep)


def _is_long(X: Matrix, basis: Monomials) -> bool:
    return len(X) * len(basis) ** 2 > WORK


def _steep(F: Field, made: orthogonal_columns.Columns, columns: Sequence[Vector]) -> bool:
    """Return whether values may have fewer digits than are asked for: roundoff is multiplied by √v.

        v = maxⱼ Aⱼⱼ (A⁻¹)ⱼⱼ, the largest variance inflation of the columns, A = their products, A⁻¹ = T diag(1/d) Tᵀ

    Method: errors of orthogonalised columns grow with the condition, not with its square (Björck 1967).
    """
    if F.exact:
        return False
    inverse = [sum((t * t / d for t, d in zip(row, made.squares)), F.kind(0)) for row in made.unwound()]
    v = max([made.square(b) * c for b, c in zip(columns, inverse)], default=F.kind(1))
    return bool(not v * (F.eps * 10**ASKED) ** 2 <= 1)


def _centre(F: Field, X: Matrix, w: Vector) -> Vector:
    # Premise: the polynomials of a degree are the same about any centre; about the means their monomials are less
    # alike, which saves digits where numbers are rounded.
    if F.exact:
        return Vector.of([F.kind(0)] * len(X[0]))
    found = [w @ column / w.sum() for column in X.T]
    for j, mean in enumerate(found):
        if F.kind is float and not isfinite(mean):
            need = "weights in sample_weight whose sums with the columns are within the range of doubles (scale them)"
            raise NotExact("polynomial", need=need, got=w.largest(), row=list(w).index(w.largest()), column=j)
    return Vector.of(found)


def proven(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector] = None, *, degree: int = 1) -> Model:
    """Return the polynomial regression; where roundoff leaves too few digits, the exact one about their mean, rounded.

    Its coefficients are those of the arithmetic where these prove more than the rounded ones; but a coefficient that is
    zero but for roundoff is computed in fractions, since far from the points its monomial outweighs all others, and so
    is a fit whose first independent monomials are not those of the points as given. Where rounded coefficients leave
    values few digits, or coefficients about the origin, both are those of the exact ones.

    Exact     yes, where F is
    Raises    NotConverged with the bounds where rounded coefficients keep less than a digit of the optimum
    """
    model = fit(F, X, Y, weights, degree=degree)
    if F.exact:
        return model
    if _is_long(X, model.basis):
        steep = model.steep or _unsure(X, model, weights)
        known = _in_decimals(F, X, Y, weights, model) if steep or _cancelled(model) else None
        return replace(model, steep=steep) if known is None else known
    found = _certified(X, Y, model, weights).digits or 0
    others = _others(X, model, weights)
    slight = others or _slight(F, X, Y, model)
    cancelled = _cancelled(model)
    if found >= ENOUGH and not slight and not cancelled:
        return model
    known = _lifted(X, Y, weights, model)
    exact = _rounded(F, known, model)
    proof = _certified(X, Y, exact, weights)
    rounded = proof.digits or 0
    if max(found, rounded) < 1:
        raise lost("polynomial", rounded, proof, F.name)
    kept = others or rounded > found or (slight and rounded >= ENOUGH)
    exact = exact if kept else replace(exact, centred=model.centred)
    enough = (rounded if kept else found) >= ENOUGH and not cancelled
    return exact if enough else replace(exact, exact=known.centred)


def _in_decimals(F: Field, X: Matrix, Y: Matrix, weights: Optional[Vector], model: Model) -> Optional[Model]:
    """Return a long fit from decimals, rounded; None where that takes too long, or is not proven of theirs.

    Proof: what the certificate proves of the coefficients in decimals, at their exact worth.
    """
    if len(X) * len(model.basis) ** 2 > LONG:
        return None
    D = decimal(DIGITS + int(getattr(F.kind, "precision", 0)))
    x, y = (Matrix.of([Vector.of(map(D.lift, row)) for row in M.exactly()]) for M in (X, Y))
    w = None if weights is None else Vector.of(map(D.lift, weights.exactly()))
    centre = Vector.of(map(D.lift, model.centre.exactly()))
    found = fit(D, x, y, w, degree=model.basis.degree, centre=centre)
    centred, fitted = (
        Matrix.of([Vector.of(map(rational, row)) for row in rows]) for rows in (found.centred, found.fitted)
    )
    known = replace(model, centred=centred, rank=found.rank, rss=rational(found.rss), fitted=fitted)
    if (_certified(X, Y, known, weights).digits or 0) < ENOUGH or _unsure(X, known, weights):
        return None
    return replace(_rounded(F, known, model), exact=centred, steep=True)


def _cancelled(model: Model) -> bool:
    """Return whether terms of the coefficients about the origin cancel by more than the digits asked for leave.

    γ_b = Σ_a β_a C(a, b) (−c)^(a−b),   max_b Σ_a |β_a C(a, b) c^(a−b)| against max_b |γ_b|
    """
    centre = model.centre.exactly()
    for column in model.centred.exactly().T:
        terms = model.basis.moved(list(map(abs, column)), [-abs(c) for c in centre])
        moved = model.basis.moved(column, centre)
        if max(terms) * rational(model.field.eps) * 10**ASKED > max(map(abs, moved)):
            return True
    return False


def _others(X: Matrix, model: Model, weights: Optional[Vector]) -> bool:
    """Return whether other monomials are the first independent ones at the points as given than at rounded points."""
    if model.rank == len(model.basis):
        return False
    H = monomials(X, model)
    found = fraction_free.factor(Matrix.of([h for i, h in enumerate(H) if weights is None or weights[i]]))
    return found.rank != model.rank or any(any(b) for j, b in enumerate(model.centred) if j not in found.columns)


def _unsure(X: Matrix, model: Model, weights: Optional[Vector]) -> bool:
    """Return whether others are the first independent monomials of the points as given than of rounded points.

    Modulo a prime: fewer digits than integers would take.
    """
    if model.rank == len(model.basis):
        return False
    H = monomials(X, model)
    kept = Matrix.of([h for i, h in enumerate(H) if weights is None or weights[i]])
    own = dixon.independent(list(zip(*[cleared(column)[0] for column in kept.T])))
    return len(own) != model.rank or any(any(b) for j, b in enumerate(model.centred) if j not in own)


def _slight(F: Field, X: Matrix, Y: Matrix, model: Model) -> bool:
    """Return whether what a monomial adds to a fit at the points is about roundoff of the responses."""
    sizes = [max(map(abs, h)) for h in model.basis.matrix(F, [x - model.centre for x in X]).T]
    return any(
        0 < abs(beta) * size < SLIGHT * F.eps * max(map(abs, y))
        for column, y in zip(model.centred.T, Y.T)
        for beta, size in zip(column, sizes)
    )


def _lifted(X: Matrix, Y: Matrix, weights: Optional[Vector], model: Model) -> Model:
    w, centre = None if weights is None else weights.exactly(), model.centre.exactly()
    return fit(RATIONAL, X.exactly(), Y.exactly(), w, degree=model.basis.degree, centre=centre)


def _rounded(F: Field, exact: Model, model: Model) -> Model:
    centred, fitted = (Matrix.of([Vector.of(map(F.lift, r)) for r in rows]) for rows in (exact.centred, exact.fitted))
    rss = F.lift(exact.rss)
    return replace(model, centred=centred, rank=exact.rank, rss=rss, fitted=fitted)


def certify(X: Matrix, Y: Matrix, model: Model, weights: Optional[Vector] = None) -> Certificate:
    """Return the proof that the coefficients about the centre are least squares, in exact rational arithmetic.

    Of fewer digits than are asked for with the ceiling, where a fit is computed in fractions or decimals.
    """
    F, found = model.field, _certified(X, Y, model, weights)
    if F.exact or (found.digits or 0) >= ASKED:
        return found
    if _is_long(X, model.basis):  # Premise: one that has coefficients from decimals is these, rounded.
        return found if model.exact is None else ridge_certificate.limited(found, found)
    best = _rounded(F, _lifted(X, Y, weights, model), model)
    return ridge_certificate.limited(found, _certified(X, Y, best, weights))


def _certified(X: Matrix, Y: Matrix, model: Model, weights: Optional[Vector]) -> Certificate:
    w = Vector.of([Y.kind(1)] * len(X)) if weights is None else weights
    return ridge_certificate.certify(monomials(X, model), Y, model.centred, w)


def monomials(X: Matrix, model: Model) -> Matrix:
    """Return the monomials about the centre at the rows of X, exact: n × M."""
    centre = Vector(map(rational, model.centre))
    return model.basis.matrix(RATIONAL, [x - centre for x in X.exactly()])
