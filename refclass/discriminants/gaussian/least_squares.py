"""Least squares on codes of the classes, used to classify.

two codes:    class 2 iff f̂(x) lies on t₂'s side of the cut, (t₁ + t₂)/2 unless another one is chosen
indicators:   class of x = argmaxₖ ŷₖ(x)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional, Union

from refclass.discriminants.decision.decide import Deciding, Decision
from refclass.discriminants.decision.exact import exact_vector
from refclass.discriminants.gaussian.cutpoint import WORK, Rule, empirical, exactly
from refclass.errors import InvalidInput, NotExact, quoted
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number, rational
from refclass.regress.linear import least_squares, ridge, row_deletion
from refclass.sample import covariance, metric
from refclass.sample.indicator import codes, indicator
from refclass.sample.mean import class_means, mean, sizes
from refclass.sample.moments import moments
from refclass.sample.observations import Sample, representable, units


@dataclass(frozen=True)
class Coded(Deciding):
    """A regression on two codes, and the cut between them.

    regression    f̂, with one response
    codes         t₁, t₂
    cut           what f̂ is compared with
    """

    regression: least_squares.Linear
    codes: Vector
    cut: Number

    @property
    def rule(self) -> Rule:
        """The rule: the direction of f̂, turned so that the second class lies above."""
        b, beta = self.regression.intercepts[0], self.regression.coefficients.column(0)
        side = 1 if self.codes[1] > self.codes[0] else -1
        return Rule(side * beta, side * (self.cut - b))

    def value(self, x: Vector) -> Number:
        """Return f̂(x)  [YANG-linear-regression]."""
        return self.regression.at(x)[0]

    def scores(self, x: Vector) -> Number:
        """Return how far f̂(x) lies beyond the cut, on the second class's side."""
        over = self.value(x) - self.cut
        return over if self.codes[1] > self.codes[0] else -over

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x; on the cut both classes tie."""
        v = self.scores(x)
        return Decision((1,) if v > 0 else (0,) if v < 0 else (0, 1))

    def classify(self, rows: Sequence[Vector]) -> list[int]:
        """Return the class number of each row, ties to the first class."""
        return [1 if self.scores(x) > 0 else 0 for x in rows]


@dataclass(frozen=True)
class Indicated(Deciding):
    """A regression on the indicator matrix  [ESL-4.3-masking].

    regression    ŷ₁ … ŷ_K
    """

    regression: least_squares.Linear

    def scores(self, x: Vector) -> Vector:
        """Return ŷ₁(x) … ŷ_K(x); with an intercept they sum to one."""
        return self.regression.at(x)


Model = Union[Coded, Indicated]


def coded(
    F: Field,
    sample: Sample,
    values: Vector,
    *,
    cutpoint: str = "midpoint",
    penalty: Optional[Number] = None,
    pseudo_inverse: bool = False,
) -> Coded:
    """Return the least-squares rule for two classes and two distinct codes  [ESL-4.3-least-squares].

    cutpoint    "midpoint", half-way between the codes; "gaussian", where normal classes of one covariance would be cut
                [ESL-4.11]; "empirical", where the fewest observations err [ESL-4.3-cutpoint]
    penalty     λ of ‖t − f̂‖² + λ‖β‖²

    Exact     yes, where F is; the Gaussian cut only for classes of equal size
    Raises    InvalidInput unless there are two classes and two distinct codes; NoAnswer with a null vector if columns
              (and the constant) are linearly dependent, unless the pseudo-inverse is asked for
    """
    if sample.K != 2:
        raise InvalidInput("least_squares", need="two classes for two codes", got=f"{sample.K} classes")
    target = codes(sample, values)
    model = _regression(F, sample, Matrix.of([Vector.of([t]) for t in target]), penalty, pseudo_inverse)
    if cutpoint == "empirical" and sample.n * sample.p**2 + sample.p**3 <= WORK:
        return Coded(model, values, F.delivered("least_squares", _exact_cut(sample, values, penalty, pseudo_inverse)))
    return Coded(model, values, _cut(F, sample, values, model, cutpoint))


def indicated(F: Field, sample: Sample, *, penalty: Optional[Number] = None, pseudo_inverse: bool = False) -> Indicated:
    """Return the rule of regression on the indicator matrix  [ESL-4.3-masking].

        Ŷ = X(XᵀX)⁻¹XᵀY with an intercept,    class of x = argmaxₖ ŷₖ(x)

    Exact     yes, where F is
    Raises    NoAnswer with a null vector if columns (and the constant) are linearly dependent
    """
    return Indicated(_regression(F, sample, indicator(sample), penalty, pseudo_inverse))


def _regression(
    F: Field, sample: Sample, Y: Matrix, penalty: Optional[Number], pseudo_inverse: bool
) -> least_squares.Model:
    if penalty or pseudo_inverse:
        representable(sample, "least_squares")
    if penalty:
        return ridge.fit(F, sample.X, Y, sample.weights, penalty=penalty)
    columns = sample.whole.columns
    unit = units([[v - c for v in column] for column, c in zip(columns, mean(sample.whole))])
    if pseudo_inverse or set(unit) == {1}:
        return least_squares.fit(F, sample.X, Y, sample.weights, pseudo_inverse=pseudo_inverse)
    X = Matrix.of(map(Vector.of, zip(*[[v / u for v in column] for column, u in zip(columns, unit)])))
    found = least_squares.fit(F, X, Y, sample.weights)
    coefficients = Matrix.of([row / u for row, u in zip(found.coefficients, unit)])
    if any(v - v != 0 for row in coefficients for v in row):
        raise NotExact("least_squares", need="coefficients within the range of doubles", got="one beyond it")
    at = found.origin
    if at is not None:
        u = Vector.of(unit)
        at = replace(at, centre=at.centre.times(u), rest=at.rest.times(u))
    return replace(found, coefficients=coefficients, origin=at)


def _cut(F: Field, sample: Sample, values: Vector, model: least_squares.Model, cutpoint: str) -> Number:
    if cutpoint == "midpoint":
        return (values[0] + values[1]) / 2
    if cutpoint == "empirical":
        side = 1 if values[1] > values[0] else -1
        fitted = [side * model.at(x)[0] for x in sample.X]
        return side * empirical(fitted, sample.labels, sample.weights).cut
    if cutpoint != "gaussian":
        raise InvalidInput("least_squares", need='cutpoint "midpoint", "gaussian" or "empirical"', got=quoted(cutpoint))
    # Method: the Gaussian cut on d = Σ̂⁻¹(μ̂₂ − μ̂₁) is ½d·(μ̂₁ + μ̂₂) − log(n₂/n₁) [ESL-4.11], and β̂ = κ d.
    mu1, mu2 = class_means(sample)
    n1, n2 = sizes(sample)
    middle = model.at((mu1 + mu2) / 2)[0]
    unit = units([[v - c for v in column] for column, c in zip(sample.whole.columns, mean(sample.whole))])
    near = replace(sample, X=Matrix.of([Vector.of([v / u for v, u in zip(x, unit)]) for x in sample.X]))
    return middle - constant(F, near, values[1], values[0]) * F.log(n2 / n1)  # κ does not depend on units


def _exact_cut(sample: Sample, values: Vector, penalty: Optional[Number], pseudo_inverse: bool) -> Number:
    """Return the empirical cut on the fitted values, in fractions."""
    # Proof: β solves (T + λI)β = Σ nₖ tₖ(μₖ − x̄), and the fit at x̄ is the mean of the codes.
    known, t = moments(sample), exact_vector(values)
    A = known.total + Matrix.diagonal_of([rational(penalty or 0)] * sample.p)
    side = 1 if t[1] > t[0] else -1
    b = sum((n * v * (mu - known.centre) for n, v, mu in zip(known.sizes, t, known.means)), 0 * known.centre)
    level = side * (known.shares @ t)
    return side * rational(exactly(sample, A, side * b, pseudo_inverse=pseudo_inverse, level=level).cut)


def constant(F: Field, sample: Sample, t1: Number, t2: Number) -> Number:
    """Return κ of β̂ = κ Σ̂⁻¹(μ̂₁ − μ̂₂), where t1 is the code of the class of μ̂₁  [ESL-4.3-least-squares]
    [ESL-Ex4.2].

        κ = (t₁ − t₂)(n₁n₂/n) / [(n − 2) + (n₁n₂/n) D²],    D² = (μ̂₁ − μ̂₂)ᵀΣ̂⁻¹(μ̂₁ − μ̂₂)

    Exact     yes, where F is
    """
    n1, n2 = sizes(sample)
    share, n = n1 * n2 / (n1 + n2), n1 + n2
    means = class_means(sample)
    squared = metric.factor(F, covariance.pooled(sample)).squared(means[0] - means[1])
    return (t1 - t2) * share / ((n - 2) + share * squared)


def cut_on_direction(F: Field, sample: Sample) -> Number:
    """Return where least squares cuts on d = Σ̂⁻¹(μ̂₂ − μ̂₁), whatever the codes  [ESL-4.3-least-squares].

        d·x > d·x̄ + [(t₁ + t₂)/2 − t̄]/κ

    Exact     yes, where F is
    """
    means, one = class_means(sample), sample.kind(1)
    n1, n2 = sizes(sample)
    d = metric.factor(F, covariance.pooled(sample)).solve(means[1] - means[0])
    average = (n2 - n1) / (n1 + n2)  # of the codes −1 and 1
    return d @ mean(sample.whole) - average / constant(F, sample, one, -one)


def certify(sample: Sample, model: Model) -> dict[str, Any]:
    """Return the claim of a fit without a penalty with its ratio: residuals are orthogonal to the columns of X."""
    if isinstance(model, Coded):
        Y = Matrix.of([Vector.of([t]) for t in codes(sample, model.codes)])
    else:
        Y = indicator(sample)
    return least_squares.certify(sample.X, Y, model.regression, sample.weights)


def without_each(F: Field, sample: Sample, model: Any) -> Iterator[Optional[Any]]:
    """Yield for each observation the least-squares rule, cut at the midpoint of its codes, fitted to all the others.

    Exact     yes, where F is
    Cost      that of `row_deletion.without_each`
    """
    counts = [sample.labels.count(k) for k in range(sample.K)]
    two = isinstance(model, Coded)
    Y = Matrix.of([Vector.of([t]) for t in codes(sample, model.codes)]) if two else indicator(sample)
    for g, found in zip(sample.labels, row_deletion.without_each(F, sample.X, Y, sample.weights, model.regression)):
        if found is None or counts[g] == 1:
            yield None
        else:
            yield Coded(found, model.codes, model.cut) if two else Indicated(found)
