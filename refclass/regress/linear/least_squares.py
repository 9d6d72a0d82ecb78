"""Least squares: the linear functions that miss the responses least.

minimise Σᵢ wᵢ ‖yᵢ − b − Bᵀxᵢ‖²
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.certificate import ASKED
from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import roundoff, units
from refclass.sample import metric, scatter, spectral
from refclass.sample.mean import Origin, mean, of_columns
from refclass.sample.mean import centred as mean_free
from refclass.sample.metric import Metric
from refclass.sample.observations import Block

REFINEMENTS = 5  # corrections at most: each wins the digits that the factor has, and doubles have 16


@dataclass(frozen=True)
class Linear:
    """f(x) = b + Bᵀx, with q responses.

    intercepts      b, q numbers, zeros if there is no intercept
    coefficients    B, p × q
    """

    intercepts: Vector
    coefficients: Matrix

    @cached_property
    def _turned(self) -> Matrix:
        return self.coefficients.T

    def at(self, x: Vector) -> Vector:
        """Return f(x), q numbers."""
        return self.intercepts + self._turned @ x

    def predict(self, X: Matrix) -> Matrix:
        """Return f at each row of X: m × q."""
        return Matrix.of(list(map(self.at, X)))


@dataclass(frozen=True)
class Measured(Linear):
    """A linear function of points that are measured from the mean of the observations, where that lies far from zero.

    middle     f at the mean of the observations, q numbers; zeros where there is no origin and no intercept
    origin     that mean, in rounded arithmetic with an intercept, or where the fit was rounded from an exact one
    """

    middle: Vector
    origin: Optional[Origin]

    def at(self, x: Vector) -> Vector:
        """Return f(x), q numbers."""
        near = self.origin is None or not self.origin.far
        return super().at(x) if near else self.middle + self.deviation(x)

    def deviation(self, x: Vector) -> Vector:
        """Return f(x) less its value at the mean of the observations, to its own leading digits."""
        return self.at(x) - self.middle if self.origin is None else self._turned @ self.origin.away(x)


@dataclass(frozen=True)
class Model(Measured):
    """A linear function fitted to data.

    fitted     f at the observations, n × q
    known      the metric of the matrix of the normal equations
    constant   1 with an intercept, 0 without
    whole      the function in fractions that it was rounded from, where it was, in place of which it answers at points:
               coefficients of 10¹⁷ cancel in the sixteenth digit
    """

    fitted: Matrix
    known: Metric
    constant: int
    whole: Optional[Measured]

    def at(self, x: Vector) -> Vector:
        """Return f(x), q numbers."""
        return super().at(x) if self.whole is None else self._lifted(self.whole.at(_fractions(x)))

    def deviation(self, x: Vector) -> Vector:
        """Return f(x) less its value at the mean of the observations, to its own leading digits."""
        if self.whole is None:
            return super().deviation(x)
        return self._lifted(self.whole.at(_fractions(x)) - self.whole.middle)

    def _lifted(self, values: Vector) -> Vector:
        kind = self.intercepts.kind
        return Vector.of([_nearest(kind, v) for v in values])

    @property
    def rank(self) -> int:
        """How many directions the data vary in: about their mean, if there is an intercept."""
        return self.known.rank

    @property
    def degrees_of_freedom(self) -> Number:
        """The trace of the map from responses to fitted values: the rank, and one for the intercept."""
        return self.intercepts.kind(self.rank + self.constant)


def _fractions(x: Vector) -> Vector:
    return Vector.of(list(map(rational, x.exactly())))


def _nearest(kind: Any, value: Fraction) -> Any:
    """Return the number of a kind nearest to a fraction, an infinite one beyond its range."""
    if kind is not float:
        return kind(value.numerator) / value.denominator
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.copysign(math.inf, value)


def fit(
    F: Field,
    X: Matrix,
    Y: Matrix,
    weights: Optional[Vector] = None,
    *,
    intercept: bool = True,
    pseudo_inverse: bool = False,
) -> Model:
    """Return the least-squares fit of the responses Y on the rows of X  [YANG-linear-regression].

        Σᵢ wᵢ(xᵢ − x̄)(xᵢ − x̄)ᵀ B = Σᵢ wᵢ(xᵢ − x̄)(yᵢ − ȳ)ᵀ        b = ȳ − Bᵀx̄        (no means without an intercept)

    Shapes    X: n × p; Y: n × q; weights: n
    Exact     yes, where F is; elsewhere the solution is refined by that of its residuals until they no longer help
    Raises    InvalidInput if lengths differ; NoAnswer with a null vector if the columns of X (and the constant) are
              linearly dependent, unless the pseudo-inverse is asked for: the shortest of all solutions
    Laws      residuals are orthogonal to the constant and to every column
    """
    design = centred(X, weights, intercept)
    gram = products(design)
    known = spectral.pseudo_inverse(F, gram) if pseudo_inverse else metric.factor(F, gram)
    B, b = solved(F, design, Y, known)
    middle = middle_of(design, Y)
    return Model(b, B, middle, design.origin, fits(design, middle, B), known, int(intercept), None)


def products(design: Design) -> Matrix:
    """Return XᵀWX about the mean, not about its rounded value, which lies as far from columns far away as they vary."""
    return scatter.products(design.columns if design.block.plain else design.weighted, design.columns)


def middle_of(design: Design, Y: Matrix) -> Vector:
    """Return ȳ, zeros without an intercept."""
    weights = design.block.weights
    return mean(Block.of(Y, weights)) if design.intercept else Vector.of([weights.kind(0)] * len(Y[0]))


def fits(design: Design, middle: Vector, B: Matrix) -> Matrix:
    """Return ȳ + Bᵀ(xᵢ − x̄) for every row: far from zero b + Bᵀxᵢ would lose digits."""
    away = Linear(middle, B)
    return Matrix.of([away.at(Vector.of(row)) for row in zip(*design.columns)])


@dataclass(frozen=True)
class Design:
    """The points of a regression by columns.

    block        as they were given
    centre       their mean, or zero without an intercept
    columns      p columns of n numbers, the centre taken off
    weighted     the same times the weights
    intercept    whether the centre is the mean
    origin       the mean, in rounded arithmetic with an intercept; else None
    """

    block: Block
    centre: Vector
    columns: list[tuple[Number, ...]]
    weighted: list[tuple[Number, ...]]
    intercept: bool
    origin: Optional[Origin] = None


def centred(X: Matrix, weights: Optional[Vector], intercept: bool) -> Design:
    """Return the design of the rows of X: centred, if there is an intercept.  Raises InvalidInput if lengths differ."""
    zero = X.kind(0)
    w = Vector.of([zero + 1] * len(X)) if weights is None else weights
    if len(w) != len(X):
        raise InvalidInput("least_squares", need=f"{len(X)} weights, one for each row of X", got=len(w))
    block = Block.of(X, w)
    centre = mean(block) if intercept else Vector.of([zero] * len(X[0]))
    columns = mean_free(block, centre) if intercept else list(block.columns)
    origin = of_columns(block, centre, columns) if intercept else None
    return Design(block, centre, columns, [block.weighted(column) for column in columns], intercept, origin)


def solved(
    F: Field, design: Design, Y: Matrix, known: Metric, penalty: Optional[Matrix] = None
) -> tuple[Matrix, Vector]:
    """Return the coefficients that make the gradients zero, XᵀW(y − Xβ) = P β, and the intercepts.

    known is the metric of XᵀWX + P.

    Raises    InvalidInput unless Y has a row for each row of X
    """
    weights = design.block.weights
    if len(Y) != len(weights):
        raise InvalidInput("least_squares", need=f"{len(weights)} rows of responses, one for each row of X", got=len(Y))
    responses = Block.of(Y, weights)
    centre = mean(responses) if design.intercept else Vector.of([weights.kind(0)] * len(Y[0]))
    solutions = []
    for j, c in enumerate(centre):
        solutions.append(_refined(F, design, responses.less(j, c), known, penalty))
    B = Matrix.of(solutions).T
    return B, centre - B.T @ design.centre


def _refined(F: Field, design: Design, y: tuple[Number, ...], known: Metric, penalty: Optional[Matrix]) -> Vector:
    # Method: the normal equations square the condition of X; but solved again for the residuals of their solution they
    # give corrections that shrink until they are roundoff. Exact arithmetic needs none. The size of a
    # correction c is that of the fitted values, cᵀ(XᵀWX + P)c = cᵀg, so that units do not matter.
    beta = known.solve(Vector.of([dot(column, y) for column in design.weighted]))
    last: Any = None
    for _ in range(0 if F.exact else REFINEMENTS):
        g = _gradient(design, y, beta, penalty)
        correction = known.solve(g)
        size = abs(correction @ g)
        if last is not None and 4 * size >= last:
            break
        beta, last = beta + correction, size
    return beta


def _gradient(design: Design, y: tuple[Number, ...], beta: Vector, penalty: Optional[Matrix]) -> Vector:
    """Return XᵀW(y − Xβ) − Pβ."""
    residuals = list(y)
    for b, column in zip(beta, design.columns):
        residuals = [r - b * v for r, v in zip(residuals, column)]
    g = Vector.of([dot(column, residuals) for column in design.weighted])
    return g if penalty is None else g - penalty @ beta


def digits_suffice(X: Matrix, Y: Matrix, model: Model, weights: Optional[Vector] = None) -> bool:
    """Return whether rounded numbers are enough to show that the objective is within 10^−ASKED of the least one.

    Premise: with a_j = Σ wᵢ(xᵢⱼ − x̄ⱼ)² the factor of XᵀWX is right to n max aⱼ(XᵀWX)⁻¹ⱼⱼ units of roundoff; residuals
    carry one of each term that they are summed from.
    """
    n, p, unit = len(X), len(X[0]), roundoff(X.kind)
    w = Vector.of([X.kind(1)] * n) if weights is None else weights
    columns, total = list(zip(*X)), w.sum()
    means = [dot(w, c) / total * model.constant for c in columns]
    inverse = model.known.solve(Matrix.identity(p, X.kind))
    spread = [dot(w, [(v - m) * (v - m) for v in c]) for c, m in zip(columns, means)]
    inflated = max([s * inverse[j][j] for j, s in enumerate(spread)])
    least, hidden = X.kind(0), X.kind(0)
    for q, (y, fitted) in enumerate(zip(Y.T, model.fitted.T)):
        least += dot(w, [(v - f) * (v - f) for v, f in zip(y, fitted)])
        sizes = [abs(model.coefficients[j][q]) * max(map(abs, c)) for j, c in enumerate(columns)]
        lost = unit * (p + 4) * (sum(sizes) + max(map(abs, y)))
        hidden += total * lost * lost
    return bool(inflated * n * unit * 10**4 < 1 and hidden * 10 ** (ASKED + 1) < least)


def certify(X: Matrix, Y: Matrix, model: Linear, weights: Optional[Vector] = None) -> dict[str, Any]:
    """Return the claims of a fit without a penalty with their ratios: residuals are orthogonal to the columns of X."""
    w = Vector.of([X.kind(1)] * len(X)) if weights is None else weights
    residuals, zero = (Y - model.predict(X)).T, X.kind(0)
    unit = roundoff(X.kind) * len(X) * (Y.largest() + X.largest() * model.coefficients.largest())
    worst = [abs(dot(c.times(w), r)) / (c.largest() * len(X)) if c.largest() else zero for c in X.T for r in residuals]
    return {"Xᵀ(Y − Ŷ) = 0": units(max(worst), unit)}
