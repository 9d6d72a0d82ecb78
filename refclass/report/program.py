"""A fitted model as a program of few stages: what an exported file computes, whatever language it is in.

A stage is a function of `stages` with the numbers it has learnt. Each chain of stages begins with the row and ends with
some decision values; those of all chains, one after the other, are what the rule decides by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any, Callable, Optional

from refclass.discriminants.comparators import nearest, network, rbf_network, tree
from refclass.discriminants.gaussian import lda, least_squares, qda
from refclass.discriminants.logistic import logistic
from refclass.discriminants.mixture import mda
from refclass.discriminants.optimal_scoring import fda, regression_sign, scoring
from refclass.errors import InvalidInput
from refclass.estimators.standardizer import Standardized
from refclass.linear.matrix import Matrix
from refclass.margins.crammer_singer import problem as crammer_singer
from refclass.margins.lee_lin_wahba import decision as lee_lin_wahba
from refclass.margins.reduction import one_vs_one, one_vs_rest
from refclass.margins.svm import fit as machine
from refclass.number.field import rational
from refclass.regress.linear import lasso, polynomial
from refclass.regress.linear.least_squares import Linear, Measured
from refclass.regress.mars import mars
from refclass.regress.spline import additive, spline
from refclass.report import learnt, stages
from refclass.sample.observations import Sample

CANCELLED = 1 << 33  # times the largest value that terms of a sum may have: 2²⁰ are left of the digits of a double
KEPT = 10**6  # one over the share of the largest value that values of a program may be off
TRIED = 50  # points of the fit, and up to as many more, at which that is looked at


@dataclass(frozen=True)
class Program:
    """What is computed.

    inputs    the names of the columns
    classes   the labels, none for a regression
    rule      the function of `stages` that chooses the class; None for a regression
    chains    the stages of each chain
    """

    inputs: tuple[str, ...]
    classes: tuple[Any, ...]
    rule: Optional[Callable[..., int]]
    chains: tuple[learnt.Chain, ...]


def program(estimator: Any, columns: Sequence[str]) -> Program:
    """Return the program of a fitted estimator; its numbers are rounded to doubles, where they are none.

    Raises    InvalidInput for a model of which none is made, and for numbers beyond the doubles
    """
    before: learnt.Chain = ()
    if isinstance(estimator, Standardized):
        scaler, estimator = estimator.standardizer_, estimator.estimator_
        before = tuple(learnt.scale(center, scale) for center, scale in scaler.steps())
    classes = tuple(estimator.classes_) if estimator.takes_labels else ()
    try:
        rule, chains = _decision(_model(estimator), bool(classes))
    except learnt.Other as reason:
        need = "a model that the stages of exported files compute"
        raise InvalidInput("export", need=need, got=f"{estimator.method}: {reason}") from None
    found = Program(tuple(columns), classes, rule, tuple((*before, *chain) for chain in chains))
    if not before:
        _require_alike(found, estimator)
    return found


def _require_alike(found: Program, estimator: Any) -> None:
    """Refuse a program that does not answer as the model does at rows of the fit, where these are held.

    A model answers in fractions, or in decimals, where terms cancel of which sums of doubles keep few digits.

    Raises    InvalidInput where a label is another one, or a value has fewer than six digits of the largest
    """
    sample, given = getattr(estimator, "_sample", None), getattr(estimator, "_given", None)
    X = sample.X if isinstance(sample, Sample) else given[0] if isinstance(given, tuple) else None
    if not isinstance(X, Matrix) or len(X[0]) != len(found.inputs):
        return
    rows = [learnt.doubles(x) for x in X[:: max(1, len(X) // TRIED)]]
    want, got = estimator.predict(rows), [_ran(found, x) for x in rows]
    if found.classes:
        alike = all(_decided(found, v) == label for v, label in zip(got, want))
    else:
        numbers = [learnt.doubles(v if isinstance(v, (list, tuple)) else [v]) for v in want]
        largest = max(abs(v) for row in numbers for v in row)
        alike = all(abs(a - b) * KEPT <= largest for u, v in zip(got, numbers) for a, b in zip(u, v))
    if not alike:
        need = "a model whose answers sums of doubles keep"
        raise InvalidInput("export", need=need, got="terms that cancel (move or scale the columns)")


def _ran(found: Program, x: Sequence[float]) -> list[float]:
    """Return the decision values of all chains at a row."""
    values: list[float] = []
    for chain in found.chains:
        row = x
        for stage in chain:
            row = _after(stage, row)
        values += row
    return values


def _after(stage: learnt.Stage, row: Sequence[float]) -> list[float]:
    found = [0.0] * stage.size
    stage.function(row, *stage.values, found)
    return found


def _decided(found: Program, values: Sequence[float]) -> Any:
    """Return the class that the rule chooses."""
    rule: Any = found.rule
    return found.classes[rule(values) if rule is stages.sign else rule(values, len(found.classes))]


def _model(estimator: Any) -> Any:
    if estimator.method == "coupling":
        raise learnt.Other("probabilities that an iteration couples")
    model = estimator._model
    if isinstance(model, tuple) and len(model) == 1:
        (model,) = model
    return model._model if hasattr(model, "_model") else model  # several machines within an estimator of its own


def _decision(model: Any, labelled: bool) -> tuple[Optional[Callable[..., int]], tuple[learnt.Chain, ...]]:
    """Return the rule and the chains of a model.  Raises learnt.Other."""
    if isinstance(model, (one_vs_one.Model, one_vs_rest.Model)):
        return stages.votes if isinstance(model, one_vs_one.Model) else stages.largest, _several(model.machines)
    if isinstance(model, machine.Model):
        return (stages.sign if labelled else None), (_functions([model]),)
    if not labelled:
        return None, (_regression(model),)
    return stages.largest, (_scores(model),)


def _several(sides: Sequence[Any]) -> tuple[learnt.Chain, ...]:
    """Return the chains of two-class models, one value each; those of kernel machines share their points."""
    inner = [_model(side.estimator) for side in sides]
    if all(isinstance(each, machine.Model) for each in inner) and all(side.sign > 0 for side in sides):
        return (_functions(inner),)
    chains = []
    for side, each in zip(sides, inner):
        _, (chain,) = _decision(each, True)
        rows = [[side.sign]] if chain[-1].size == 1 else [[-side.sign, side.sign]]
        chains.append((*chain, learnt.linear(rows, [0])))
    return tuple(chains)


def _scores(model: Any) -> learnt.Chain:
    """Return the stages of the decision values of a classifier, one for each class; with costs, what they save."""
    weighing = getattr(model, "weighing", None)
    found = _posterior(model, weighing)
    if weighing is None or weighing.costs is None:
        return found
    rows = [[-cost for cost in row] for row in weighing.costs]
    return (*found, learnt.Stage(stages.shares, (len(rows),), len(rows)), learnt.linear(rows, [0] * len(rows)))


def _posterior(model: Any, weighing: Any) -> learnt.Chain:
    """Return the stages of the logarithms of the posteriors, or what has their order.  Raises learnt.Other."""
    if isinstance(model, lda.Model):
        return learnt.of_lda(model)
    if isinstance(model, qda.Model) and model.whites is not None:
        return learnt.quadratic(model)
    if isinstance(model, least_squares.Indicated):
        return _regression(model.regression)
    if isinstance(model, logistic.Model):
        if model.origin is not None and model.middles is not None:
            before = learnt.away(model.origin.centre, model.origin.rest)
            return *before, learnt.linear(model.coefficients, model.middles)
        return (learnt.linear(model.coefficients, model.constants),)
    if isinstance(model, scoring.Model):
        turned = model.regression.coefficients.T
        scores = *learnt.away(model.centre, model.rest), learnt.linear(turned, [0] * len(turned))
        return *scores, learnt.nearest_mean(model.centroids, model.weights, weighing)
    if isinstance(model, fda.Model):
        axes = learnt.linear(model.axes, [-c for c in model.centre])
        return (*_regression(model.regression), axes, learnt.nearest_mean(model.placed, model.weights, weighing))
    if isinstance(model, mda.Model):
        K = len(model.priors)
        return *learnt.of_lda(model.components), learnt.Stage(stages.mixtures, (len(model.owners), model.owners, K), K)
    if isinstance(model, regression_sign.Model):
        return (*_regression(model.regression), learnt.linear([[-0.5], [0.5]], [0, 0]))
    return _compared(model)


def _compared(model: Any) -> learnt.Chain:
    """Return the stages of the methods that the discriminants are compared with, and of machines of many classes."""
    if isinstance(model, tree.Model):
        return learnt.of_tree(model)
    if isinstance(model, nearest.Model):
        X, w = learnt.flat(model.X), learnt.doubles(model.weights)
        values = (len(model.X[0]), X, tuple(model.labels), w, len(w), float(model.q), model.K)
        return (learnt.Stage(stages.neighbours, values, model.K),)
    if isinstance(model, network.Model):
        both = (model.alpha, model.beta)
        outer = [[learnt.linear([row[1:] for row in part], [row[0] for row in part])] for part in both]
        hidden = learnt.Stage(stages.hyperbolic, (len(model.alpha),), len(model.alpha))
        return learnt.scale(model.centre, model.scale), *outer[0], hidden, *outer[1]
    if isinstance(model, rbf_network.Model):
        bumps = learnt.at_points(stages.gaussians, [model.gamma], model.nodes)
        return bumps, learnt.linear(model.outputs, [0] * len(model.outputs))
    if isinstance(model, (crammer_singer.Model, lee_lin_wahba.Model)):
        own = model.coefficients if isinstance(model, crammer_singer.Model) else model.beta
        intercepts = [0] * len(own) if isinstance(model, crammer_singer.Model) else model.beta0
        if model.weights is not None:
            return _kept((learnt.linear(model.weights, intercepts),), model.points)
        return _kept((learnt.kernel(model.kernel, model.points), learnt.linear(own, intercepts)), model.points)
    raise learnt.Other("a function that no stage computes")


def _regression(model: Any) -> learnt.Chain:
    """Return the stages of a regression, one value for each response.  Raises learnt.Other."""
    if isinstance(model, Measured) and model.origin is not None and model.origin.far:
        return *learnt.away(model.origin.centre, model.origin.rest), learnt.linear(model.coefficients.T, model.middle)
    if isinstance(model, Linear):
        return (learnt.linear(model.coefficients.T, model.intercepts),)
    if isinstance(model, lasso.Model):
        return (learnt.linear([model.beta], [0]),)
    if isinstance(model, polynomial.Model):
        steps, size = model.basis._recipe, len(model.basis)
        powers = learnt.Stage(stages.monomials, ((0, *(k for k, _ in steps)), (0, *(j for _, j in steps)), size), size)
        rows = (model.centred if model.exact is None else model.exact).T
        return learnt.scale(model.centre, [1] * len(model.centre)), powers, learnt.linear(rows, [0] * len(rows))
    if isinstance(model, additive.Model):
        return (learnt.curves(model.curves, model.intercept),)
    if isinstance(model, spline.Model):
        return (learnt.curves([model.curve], [0] * len(model.curve.values)),)
    if isinstance(model, mars.Model):
        rows = model.coefficients.T
        return learnt.hinges(model.terms), learnt.linear(rows, [0] * len(rows))
    raise learnt.Other("a function that no stage computes")


def _functions(models: Sequence[Any]) -> learnt.Chain:
    """Return the stages of several kernel machines: on one set of points, each once."""
    intercepts, points = [m.beta0 for m in models], [x for m in models for x in m.points]
    if all(m.beta is not None for m in models):
        return _kept((learnt.linear([m.beta for m in models], intercepts),), points)
    place: dict[learnt.Numbers, int] = {}
    for m in models:
        if type(m.kernel).__name__ in learnt.KERNELS:
            for point in m.points:
                place.setdefault(learnt.doubles(point), len(place))
    first = learnt.kernel(models[0].kernel, list(place))
    rows = []
    for m in models:
        row = [Fraction(0)] * len(place)
        for point, c in zip(m.points, m.coefficients):
            row[place[learnt.doubles(point)]] += rational(c)
        rows.append(row)
    return _kept((first, learnt.linear(rows, intercepts)), points)


def _kept(chain: learnt.Chain, points: Sequence[Any]) -> learnt.Chain:
    """Return stages that end with a linear one, whose sums doubles hold at points of the fit.

    Raises    InvalidInput where terms cancel of which doubles leave fewer than six digits of the largest value
    """
    *before, last = chain
    n, weights, constants, _, m = last.values
    largest, terms = [0.0] * m, [0.0] * m
    for x in points[:: max(1, len(points) // TRIED)]:
        row: Sequence[float] = learnt.doubles(x)
        for stage in before:
            row = _after(stage, row)
        for k in range(m):
            own = [*map(mul, weights[k * n : (k + 1) * n], row), constants[k]]
            terms[k] = max(terms[k], math.fsum(map(abs, own)))
            largest[k] = max(largest[k], abs(math.fsum(own)))
    if not all(t <= CANCELLED * v for t, v in zip(terms, largest)):
        need = "decision values of which sums of doubles keep six digits"
        raise InvalidInput("export", need=need, got="terms that cancel (move or scale the columns)")
    return chain
