"""The models without each observation in turn, from the model of all of them: one term less, no refit.

Without observation i, of weight w and class g, and with v = xᵢ − μ̂_g and s = w/(n_g − w),

    μ̂_g becomes μ̂_g − s v        W becomes W − s n_g v vᵀ        and Sherman and Morrison tell the inverse:

    (A − c v vᵀ)⁻¹ = A⁻¹ + c u uᵀ/(1 − h)        |A − c v vᵀ| = (1 − h)|A|        u = A⁻¹v,  h = c vᵀu

In a regression h is the leverage of the observation, e = yᵢ − ŷᵢ its residual, and e/(1 − h) its residual without it.

Everything is exact on fractions: equal, with ==, to the model of a fit. Where 1 − h is zero the fit would be refused;
where it is so small that digits would cancel, or where the fit needs more than one term less, None says that only a fit
will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Optional

from refclass.discriminants.decision import log_posteriors
from refclass.discriminants.gaussian import lda, qda
from refclass.discriminants.gaussian import least_squares as rule
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.regress.kernel import kernel_ridge
from refclass.regress.linear import least_squares
from refclass.regress.linear.least_squares import Linear
from refclass.sample.data import Block, Sample
from refclass.sample.indicator import codes, indicator
from refclass.sample.mean import mean, sizes
from refclass.sample.metric import Metric

CLOSE = 64  # if less than one part in so many is left of 1, digits have cancelled
STEEP = 2**26  # units of roundoff to one: where a system multiplies them by more than that, its terms are not trusted


def metric(known: Metric, v: Vector, loss: Number, scale: Number) -> Optional[Metric]:
    """Return the metric of scale·(A − loss·vvᵀ) from that of a positive definite A; None where digits would cancel.

        A⁻¹ = Zᵀ diag(w) Z  becomes  (Zᵀ diag(w) Z + loss·uuᵀ/(1 − h))/scale

    Exact     yes
    Cost      with p variables 4p² multiplications
    """
    u = known.solve(v)
    left = 1 - loss * (u @ v)
    if left * CLOSE <= 1:
        return None
    A = Matrix.of([(row - (loss * a) * v) * scale for row, a in zip(known.matrix, v)])
    weights = Vector.of([*known.weights / scale, loss / (left * scale)])
    return Metric(A, Matrix.of([*known.rows, u]), weights, Vector.of([*known.pivots * scale, left]))


def linear(
    F: Field, sample: Sample, model: lda.Model, *, divisor: str = "n-k", given: bool = False
) -> Iterator[Optional[lda.Model]]:
    """Yield for each observation the linear rule fitted to all the others; None where only a fit will do.

        Σ̂₍ᵢ₎ = (W − s n_g v vᵀ)/(n − w − K)    or, with divisor "n", / (n − w)

    model      the rule fitted to all observations, with that divisor
    given      whether its priors were given, and stay; otherwise they are the shares of those that are left

    Exact     yes, where F is
    Cost      about (2K + 6)p² multiplications an observation; a fit has n·p(p + 1)/2
    """
    n_k, n = sizes(sample), sizes(sample).sum()
    lost = sample.K if divisor == "n-k" else 0
    steep, costs = _is_steep(F, model.metric), model.weighing.costs
    for x, g, w in zip(sample.X, sample.labels, sample.weights):
        left = n - lost - w
        if steep or n_k[g] <= w or left <= 0:
            yield None
            continue
        v, s = x - model.means[g], w / (n_k[g] - w)
        known = metric(model.metric, v, s * n_k[g] / (n - lost), (n - lost) / left)
        priors = model.priors if given else _shares(n_k, g, w)
        yield None if known is None else lda.rule(F, priors, _shifted(model.means, g, s * v), known, costs)


def quadratic(
    F: Field, sample: Sample, model: qda.Model, *, divisor: str = "n-1", given: bool = False
) -> Iterator[Optional[qda.Model]]:
    """Yield for each observation the quadratic rule fitted to all the others; None where only a fit will do.

        Σ̂_g₍ᵢ₎ = (W_g − s n_g v vᵀ)/(n_g − w − 1)    or, with divisor "n", / (n_g − w);    the other classes stay

    model      the rule fitted to all observations, with that divisor
    given      whether its priors were given, and stay; otherwise they are the shares of those that are left

    Exact     yes, where F is
    Cost      about 7p² multiplications an observation
    """
    n_k, lost = sizes(sample), 1 if divisor == "n-1" else 0
    steep = [_is_steep(F, known) for known in model.metrics]
    for x, g, w in zip(sample.X, sample.labels, sample.weights):
        left = n_k[g] - lost - w
        if steep[g] or n_k[g] <= w or left <= 0:
            yield None
            continue
        v, s = x - model.means[g], w / (n_k[g] - w)
        known = metric(model.metrics[g], v, s * n_k[g] / (n_k[g] - lost), (n_k[g] - lost) / left)
        priors = model.priors if given else _shares(n_k, g, w)
        yield None if known is None else _with_class(F, model, priors, g, model.means[g] - s * v, known)


def _with_class(F: Field, model: qda.Model, priors: Vector, g: int, centre: Vector, known: Metric) -> qda.Model:
    """Return the rule with these priors, and another mean and metric of class g."""
    metrics = (*model.metrics[:g], known, *model.metrics[g + 1 :])
    means = Matrix.of([*model.means[:g], centre, *model.means[g + 1 :]])
    whites = model.whites
    if whites is not None:
        white = known.white(F)
        whites = (*whites[:g], (white, white @ centre), *whites[g + 1 :])
    return qda.Model(
        priors, means, metrics, log_posteriors.of_metrics(F, priors, metrics, model.weighing.costs), whites
    )


def _shifted(means: Matrix, g: int, shift: Vector) -> Matrix:
    return Matrix.of([*means[:g], means[g] - shift, *means[g + 1 :]])


def _shares(n_k: Vector, g: int, w: Number) -> Vector:
    """Return the shares of the classes without weight w of class g."""
    left = Vector.of([*n_k[:g], n_k[g] - w, *n_k[g + 1 :]])
    pi: Vector = left / left.sum()
    return pi


def _is_steep(F: Field, known: Metric) -> bool:
    return bool(known.condition * (F.eps * STEEP) > 1)


def regression(
    F: Field, X: Matrix, Y: Matrix, weights: Vector, model: least_squares.Model
) -> Iterator[Optional[Linear]]:
    """Yield for each observation the linear function fitted to all the others; None where only a fit will do.

        B₍ᵢ₎ = B − w a eᵀ/(1 − h)        a = (XᵀWX + P)⁻¹v,  e = yᵢ − ŷᵢ,  h = w (1/Σw + vᵀa),  v = xᵢ − x̄

    and the constant follows; without one 1/Σw and x̄ are left out. P is the penalty, or nothing.

    model     least squares, or ridge regression, on all observations with these weights

    Exact     yes, where F is
    Cost      2p² + 2pq multiplications an observation; a fit has n·p(p + 1)/2
    Laws      yᵢ − f₍ᵢ₎(xᵢ) = (yᵢ − f(xᵢ))/(1 − h)
    """
    steep, zero = _is_steep(F, model.known), X.kind(0)
    centre = mean(Block(tuple(zip(*X)), weights)) if model.constant else Vector.of([zero] * len(X[0]))
    share = model.constant / weights.sum()
    for x, y, fitted, w in zip(X, Y, model.fitted, weights):
        v = x - centre
        a = model.known.solve(v)
        left = 1 - w * (share + v @ a)
        if steep or left * CLOSE <= 1:
            yield None
            continue
        pull = (w / left) * (y - fitted)
        B = Matrix.of([row - c * pull for row, c in zip(model.coefficients, a)])
        yield Linear(model.intercepts - (share - centre @ a) * pull, B)


def least_squares_rule(F: Field, sample: Sample, model: Any) -> Iterator[Optional[Any]]:
    """Yield for each observation the least-squares rule, cut at the midpoint of its codes, fitted to all the others.

    Exact     yes, where F is
    Cost      as `regression`
    """
    counts = [sample.labels.count(k) for k in range(sample.K)]
    two = isinstance(model, rule.Coded)
    Y = Matrix.of([Vector.of([t]) for t in codes(sample, model.codes)]) if two else indicator(sample)
    for g, found in zip(sample.labels, regression(F, sample.X, Y, sample.weights, model.regression)):
        if found is None or counts[g] == 1:
            yield None
        else:
            yield rule.Coded(found, model.codes, model.cut) if two else rule.Indicated(found)


def kernel_regression(F: Field, model: kernel_ridge.Model) -> Iterator[Optional[tuple[Vector, Number]]]:
    """Yield for each observation the α, with αᵢ = 0, and β₀ of the ridge regression fitted to all the others.

        α₍ᵢ₎ = α − P eᵢ r,    r = αᵢ/Pᵢᵢ,    where α = P y

    r is the residual of observation i without it.

    Exact     yes, where F is
    Cost      a solution with the factor of the system for each observation, n² multiplications; a fit has n³/6
    """
    # Proof: with yᵢ − r in place of yᵢ the system gives αᵢ = 0, and then its other rows are those of the system without
    # row and column i. Its row i tells that yᵢ − r is the value there of the function without observation i.
    n, zero = len(model.alpha), model.alpha.kind(0)
    size = model.system.matrix.trace() * max(model.weights)
    steep = size * (F.eps * STEEP) > model.penalty
    for i in range(n):
        column, level = model.system.solve(Vector.unit(n, i, model.alpha.kind))
        if steep or not column[i] > 0:
            yield None
            continue
        r = model.alpha[i] / column[i]
        alpha = model.alpha - r * column
        yield Vector.of([*alpha[:i], zero, *alpha[i + 1 :]]), model.beta0 - r * level
