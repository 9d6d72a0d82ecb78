"""A fitted model as a program of few stages: what an exported file computes, whatever language it is in.

A stage is a function of `stages` with the numbers it has learnt. Each chain of stages begins with the row and ends with
some decision values; those of all chains, one after the other, are what the rule decides by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
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
from refclass.number.text import approximate
from refclass.regress.linear import lasso, polynomial
from refclass.regress.linear.least_squares import Linear, Measured
from refclass.regress.mars import mars
from refclass.regress.spline import additive, spline
from refclass.report import stages
from refclass.sample.observations import Sample

KERNELS: dict[str, tuple[Callable[..., None], tuple[str, ...]]] = {
    "Gaussian": (stages.gaussians, ("gamma",)),
    "Polynomial": (stages.polynomials, ("scale", "c", "degree")),
    "Laplacian": (stages.laplacians, ("sigma",)),
    "Sigmoid": (stages.sigmoids, ("a", "b")),
    "Linear": (stages.products, ()),
}
Numbers = tuple[float, ...]
CANCELLED = 1 << 33  # times the largest value that terms of a sum may have: 2²⁰ are left of the digits of a double
KEPT = 10**6  # one over the share of the largest value that values of a program may be off
TRIED = 50  # points of the fit, and up to as many more, at which that is looked at


@dataclass(frozen=True)
class Stage:
    """A function of `stages`, what it is called with between x and y, and how many numbers it puts into y."""

    function: Callable[..., None]
    values: tuple[Any, ...]
    size: int


Chain = tuple[Stage, ...]


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
    chains: tuple[Chain, ...]


class _Other(Exception):
    """A model of which no exported file is made, in words."""


def program(estimator: Any, columns: Sequence[str]) -> Program:
    """Return the program of a fitted estimator; its numbers are rounded to doubles, where they are none.

    Raises    InvalidInput for a model of which none is made, and for numbers beyond the doubles
    """
    before: Chain = ()
    if isinstance(estimator, Standardized):
        scaler, estimator = estimator.standardizer_, estimator.estimator_
        before = tuple(_scale(center, scale) for center, scale in scaler.steps())
    classes = tuple(estimator.classes_) if estimator.takes_labels else ()
    try:
        rule, chains = _decision(_model(estimator), bool(classes))
    except _Other as reason:
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
    rows = [_doubles(x) for x in X[:: max(1, len(X) // TRIED)]]
    want, got = estimator.predict(rows), [_ran(found, x) for x in rows]
    if found.classes:
        alike = all(_decided(found, v) == label for v, label in zip(got, want))
    else:
        numbers = [_doubles(v if isinstance(v, (list, tuple)) else [v]) for v in want]
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


def _after(stage: Stage, row: Sequence[float]) -> list[float]:
    found = [0.0] * stage.size
    stage.function(row, *stage.values, found)
    return found


def _decided(found: Program, values: Sequence[float]) -> Any:
    """Return the class that the rule chooses."""
    rule: Any = found.rule
    return found.classes[rule(values) if rule is stages.sign else rule(values, len(found.classes))]


def _model(estimator: Any) -> Any:
    if estimator.method == "coupling":
        raise _Other("probabilities that an iteration couples")
    model = estimator._model
    if isinstance(model, tuple) and len(model) == 1:
        (model,) = model
    return model._model if hasattr(model, "_model") else model  # several machines within an estimator of its own


def _decision(model: Any, labelled: bool) -> tuple[Optional[Callable[..., int]], tuple[Chain, ...]]:
    """Return the rule and the chains of a model.  Raises _Other."""
    if isinstance(model, (one_vs_one.Model, one_vs_rest.Model)):
        return stages.votes if isinstance(model, one_vs_one.Model) else stages.largest, _several(model.machines)
    if isinstance(model, machine.Model):
        return (stages.sign if labelled else None), (_functions([model]),)
    if not labelled:
        return None, (_regression(model),)
    return stages.largest, (_scores(model),)


def _several(sides: Sequence[Any]) -> tuple[Chain, ...]:
    """Return the chains of two-class models, one value each; those of kernel machines share their points."""
    inner = [_model(side.estimator) for side in sides]
    if all(isinstance(each, machine.Model) for each in inner) and all(side.sign > 0 for side in sides):
        return (_functions(inner),)
    chains = []
    for side, each in zip(sides, inner):
        _, (chain,) = _decision(each, True)
        rows = [[side.sign]] if chain[-1].size == 1 else [[-side.sign, side.sign]]
        chains.append((*chain, _linear(rows, [0])))
    return tuple(chains)


def _scores(model: Any) -> Chain:
    """Return the stages of the decision values of a classifier, one for each class; with costs, what they save."""
    weighing = getattr(model, "weighing", None)
    found = _posterior(model, weighing)
    if weighing is None or weighing.costs is None:
        return found
    rows = [[-cost for cost in row] for row in weighing.costs]
    return (*found, Stage(stages.shares, (len(rows),), len(rows)), _linear(rows, [0] * len(rows)))


def _posterior(model: Any, weighing: Any) -> Chain:
    """Return the stages of the logarithms of the posteriors, or what has their order.  Raises _Other."""
    if isinstance(model, lda.Model):
        return _of_lda(model)
    if isinstance(model, qda.Model) and model.whites is not None:
        return _quadratic(model)
    if isinstance(model, least_squares.Indicated):
        return _regression(model.regression)
    if isinstance(model, logistic.Model):
        if model.origin is not None and model.middles is not None:
            return *_away(model.origin.centre, model.origin.rest), _linear(model.coefficients, model.middles)
        return (_linear(model.coefficients, model.constants),)
    if isinstance(model, scoring.Model):
        turned = model.regression.coefficients.T
        around = _away(model.centre, model.rest)
        return *around, _linear(turned, [0] * len(turned)), _nearest_mean(model.centroids, model.weights, weighing)
    if isinstance(model, fda.Model):
        axes = _linear(model.axes, [-c for c in model.centre])
        return (*_regression(model.regression), axes, _nearest_mean(model.placed, model.weights, weighing))
    if isinstance(model, mda.Model):
        K = len(model.priors)
        return *_of_lda(model.components), Stage(stages.mixtures, (len(model.owners), model.owners, K), K)
    if isinstance(model, regression_sign.Model):
        return (*_regression(model.regression), _linear([[-0.5], [0.5]], [0, 0]))
    return _compared(model)


def _compared(model: Any) -> Chain:
    """Return the stages of the methods that the discriminants are compared with, and of machines of many classes."""
    if isinstance(model, tree.Model):
        return _tree(model)
    if isinstance(model, nearest.Model):
        X, w = _flat(model.X), _doubles(model.weights)
        values = (len(model.X[0]), X, tuple(model.labels), w, len(w), float(model.q), model.K)
        return (Stage(stages.neighbours, values, model.K),)
    if isinstance(model, network.Model):
        outer = [[_linear([row[1:] for row in part], [row[0] for row in part])] for part in (model.alpha, model.beta)]
        hidden = Stage(stages.hyperbolic, (len(model.alpha),), len(model.alpha))
        return _scale(model.centre, model.scale), *outer[0], hidden, *outer[1]
    if isinstance(model, rbf_network.Model):
        bumps = _points(stages.gaussians, [model.gamma], model.nodes)
        return bumps, _linear(model.outputs, [0] * len(model.outputs))
    if isinstance(model, (crammer_singer.Model, lee_lin_wahba.Model)):
        own = model.coefficients if isinstance(model, crammer_singer.Model) else model.beta
        intercepts = [0] * len(own) if isinstance(model, crammer_singer.Model) else model.beta0
        if model.weights is not None:
            return _kept((_linear(model.weights, intercepts),), model.points)
        return _kept((_kernel(model.kernel, model.points), _linear(own, intercepts)), model.points)
    raise _Other("a function that no stage computes")


def _regression(model: Any) -> Chain:
    """Return the stages of a regression, one value for each response.  Raises _Other."""
    if isinstance(model, Measured) and model.origin is not None and model.origin.far:
        return *_away(model.origin.centre, model.origin.rest), _linear(model.coefficients.T, model.middle)
    if isinstance(model, Linear):
        return (_linear(model.coefficients.T, model.intercepts),)
    if isinstance(model, lasso.Model):
        return (_linear([model.beta], [0]),)
    if isinstance(model, polynomial.Model):
        steps, size = model.basis._recipe, len(model.basis)
        powers = Stage(stages.monomials, ((0, *(k for k, _ in steps)), (0, *(j for _, j in steps)), size), size)
        rows = (model.centred if model.exact is None else model.exact).T
        return _scale(model.centre, [1] * len(model.centre)), powers, _linear(rows, [0] * len(rows))
    if isinstance(model, additive.Model):
        return (_curves(model.curves, model.intercept),)
    if isinstance(model, spline.Model):
        return (_curves([model.curve], [0] * len(model.curve.values)),)
    if isinstance(model, mars.Model):
        rows = model.coefficients.T
        return _hinges(model.terms), _linear(rows, [0] * len(rows))
    raise _Other("a function that no stage computes")


def _functions(models: Sequence[Any]) -> Chain:
    """Return the stages of several kernel machines: on one set of points, each once."""
    intercepts, points = [m.beta0 for m in models], [x for m in models for x in m.points]
    if all(m.beta is not None for m in models):
        return _kept((_linear([m.beta for m in models], intercepts),), points)
    place: dict[Numbers, int] = {}
    for m in models:
        if type(m.kernel).__name__ in KERNELS:
            for point in m.points:
                place.setdefault(_doubles(point), len(place))
    first = _kernel(models[0].kernel, list(place))
    rows = []
    for m in models:
        row = [Fraction(0)] * len(place)
        for point, c in zip(m.points, m.coefficients):
            row[place[_doubles(point)]] += rational(c)
        rows.append(row)
    return _kept((first, _linear(rows, intercepts)), points)


def _kept(chain: Chain, points: Sequence[Any]) -> Chain:
    """Return stages that end with a linear one, whose sums doubles hold at points of the fit.

    Raises    InvalidInput where terms cancel of which doubles leave fewer than six digits of the largest value
    """
    *before, last = chain
    n, weights, constants, _, m = last.values
    largest, terms = [0.0] * m, [0.0] * m
    for x in points[:: max(1, len(points) // TRIED)]:
        row: Sequence[float] = _doubles(x)
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


# --- stages with what models have learnt ---


def _scale(center: Sequence[Any], width: Sequence[Any]) -> Stage:
    return Stage(stages.scale, (len(center), _doubles(center), _doubles(width)), len(center))


def _linear(rows: Sequence[Any], intercepts: Sequence[Any], shifts: Sequence[Any] = ()) -> Stage:
    added = _doubles(shifts or [0] * len(rows))
    return Stage(stages.linear, (len(rows[0]), _flat(rows), _doubles(intercepts), added, len(rows)), len(rows))


def _nearest_mean(centroids: Any, weights: Any, weighing: Any) -> Stage:
    """Return −½ of the weighted distances, less what all classes share: a linear function of the coordinates."""
    rows = [c.times(weights) for c in centroids]
    return _linear(rows, [-(r @ c) / 2 for r, c in zip(rows, centroids)], _offsets(weighing))


def _away(centre: Sequence[Any], rest: Sequence[Any]) -> Chain:
    """Return the stages of x − c − r: of c in doubles, from which near points are exact, then of what that leaves."""
    ones, near = [1] * len(centre), _doubles(centre)
    left = [rational(c) - rational(v) + rational(r) for c, v, r in zip(centre, near, rest)]
    return (_scale(near, ones), _scale(left, ones)) if any(left) else (_scale(near, ones),)


def _of_lda(model: lda.Model) -> Chain:
    """Return the stages of linear scores, of points measured from the origin that the model has."""
    if model.origin is None:
        return (_linear(model.directions, model.constants, _offsets(model.weighing)),)
    constants = [-(d @ v) / 2 for d, v in zip(model.directions, model.away)]
    return *_away(model.origin.centre, model.origin.rest), _linear(
        model.directions, constants, _offsets(model.weighing)
    )


def _quadratic(model: qda.Model) -> Chain:
    """Return the stages of quadratic scores; points are measured from the mean of the first class where one is far."""
    assert model.whites is not None
    whites, before = model.whites, tuple[Stage, ...]()
    if model.origins is not None:
        first = _doubles(model.origins[0].centre)
        before = _away(first, [0] * len(first))
        apart = [
            [rational(c) + rational(r) - rational(v) for c, r, v in zip(o.centre, o.rest, first)] for o in model.origins
        ]
        exact = [[list(map(rational, row)) for row in white] for white, _ in whites]
        centres = [[sum(map(mul, row, mu), Fraction(0)) for row in white] for white, mu in zip(exact, apart)]
    else:
        centres = [list(centre) for _, centre in whites]
    most, p, K = max(len(rows) for rows, _ in whites), len(model.means[0]), len(whites)
    turned = [[*map(_doubles, rows), *[(0.0,) * p] * (most - len(rows))] for rows, _ in whites]
    padded = [[*_doubles(centre), *[0.0] * (most - len(centre))] for centre in centres]
    values = (p, _flat([row for rows in turned for row in rows]), _flat(padded), most, _offsets(model.weighing), K)
    return *before, Stage(stages.quadratic, values, K)


def _kernel(kernel: Any, points: Sequence[Any]) -> Stage:
    if type(kernel).__name__ not in KERNELS:
        raise _Other(f"a kernel {type(kernel).__name__}, not one of {', '.join(sorted(KERNELS))}")
    function, names = KERNELS[type(kernel).__name__]
    return _points(function, [getattr(kernel, name) for name in names], points)


def _points(function: Callable[..., None], parameters: Sequence[Any], points: Sequence[Any]) -> Stage:
    given = (_doubles(parameters),) if parameters else ()
    return Stage(function, (len(points[0]), *given, _flat(points), len(points)), len(points))


def _hinges(terms: Sequence[Any]) -> Stage:
    most = max(1, *map(len, terms))
    padded = [hinge for term in terms for hinge in (*term, *[None] * (most - len(term)))]
    variables = tuple(-1 if h is None else h.variable for h in padded)
    signs = tuple(0 if h is None else h.sign for h in padded)
    knots = _doubles([0 if h is None else h.knot for h in padded])
    return Stage(stages.hinges, (variables, signs, knots, most, len(terms)), len(terms))


def _curves(curves: Sequence[Any], intercepts: Sequence[Any]) -> Stage:
    q, used = len(intercepts), [c for c in curves if c is not None]
    starts = (0, *accumulate(0 if c is None else len(c.knots) for c in curves))
    knots = _doubles([t for c in used for t in c.knots]) or (0.0,)
    values, seconds = (_flat([r for c in used for r in zip(*part(c))]) or (0.0,) for part in (_values, _seconds))
    slopes = _flat([row for c in curves for row in _slopes(c, q)]) or (0.0,)
    return Stage(stages.curves, (len(curves), starts, knots, values, seconds, slopes, _doubles(intercepts), q), q)


def _slopes(curve: Any, q: int) -> Any:
    """Return the slopes of the responses at the first knot, and at the last."""
    return list(zip(*curve.slopes)) if curve is not None and len(curve.knots) > 1 else [[0] * q] * 2


def _values(curve: Any) -> Any:
    return curve.values


def _seconds(curve: Any) -> Any:
    return curve.seconds


def _tree(model: tree.Model) -> Chain:
    """Return the stage of a tree; before it, where it splits by combinations, that of the combinations."""
    nodes, K = model.nodes, len(model.nodes[0].counts)
    splits = [node.split for node in nodes]
    slanting = [s.direction for s in splits if s is not None and s.direction is not None]
    p = len(slanting[0]) if slanting else 0
    own = [[int(i == j) for i in range(p)] for j in range(p)]
    place = {id(d): p + k for k, d in enumerate(slanting)}
    variables = tuple(
        -1 if s is None else s.variable if s.direction is None else place[id(s.direction)] for s in splits
    )
    thresholds = _doubles([0 if s is None else s.threshold for s in splits])
    ways = tuple(node.left or 0 for node in nodes), tuple(node.right or 0 for node in nodes)
    shares = _flat([[c / sum(node.counts) for c in node.counts] for node in nodes])
    leaf = Stage(stages.tree, (variables, thresholds, *ways, shares, K), K)
    return (_linear([*own, *slanting], [0] * (p + len(slanting))), leaf) if slanting else (leaf,)


def _offsets(weighing: Any) -> Numbers:
    """Return the logarithms of the constants of the classes, less that of the first."""
    if weighing.logs is not None:
        return _doubles(weighing.offsets())
    squares = [float(approximate(s)) for s in weighing.squares]
    return tuple((math.log(s) - math.log(squares[0])) / 2 for s in squares)


def _flat(rows: Any) -> Numbers:
    return tuple(v for row in rows for v in _doubles(row))


def _doubles(row: Any) -> Numbers:
    found = tuple(float(approximate(v)) for v in row)
    if not all(map(math.isfinite, found)):
        raise InvalidInput("export", need="numbers within the range of doubles", got="one beyond it")
    return found
