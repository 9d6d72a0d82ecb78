"""Stages with what models have learnt: the numbers of a function of `stages`, laid out as it takes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Any, Callable

from refclass.discriminants.comparators import tree
from refclass.discriminants.gaussian import lda, qda
from refclass.errors import InvalidInput
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.report import stages

KERNELS: dict[str, tuple[Callable[..., None], tuple[str, ...]]] = {
    "Gaussian": (stages.gaussians, ("gamma",)),
    "Polynomial": (stages.polynomials, ("scale", "c", "degree")),
    "Laplacian": (stages.laplacians, ("sigma",)),
    "Sigmoid": (stages.sigmoids, ("a", "b")),
    "Linear": (stages.products, ()),
}
Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Stage:
    """A function of `stages`, what it is called with between x and y, and how many numbers it puts into y."""

    function: Callable[..., None]
    values: tuple[Any, ...]
    size: int


Chain = tuple[Stage, ...]


class Other(Exception):
    """A model of which no exported file is made, in words."""


def scale(center: Sequence[Any], width: Sequence[Any]) -> Stage:
    """Return the stage of (x − centre)/width, column by column."""
    return Stage(stages.scale, (len(center), doubles(center), doubles(width)), len(center))


def linear(rows: Sequence[Any], intercepts: Sequence[Any], shifts: Sequence[Any] = ()) -> Stage:
    """Return the stage of a linear function for each row, with what is added to each after its intercept."""
    added = doubles(shifts or [0] * len(rows))
    return Stage(stages.linear, (len(rows[0]), flat(rows), doubles(intercepts), added, len(rows)), len(rows))


def nearest_mean(centroids: Any, weights: Any, weighing: Any) -> Stage:
    """Return −½ of the weighted distances, less what all classes share: a linear function of the coordinates."""
    rows = [c.times(weights) for c in centroids]
    return linear(rows, [-(r @ c) / 2 for r, c in zip(rows, centroids)], offsets(weighing))


def away(centre: Sequence[Any], rest: Sequence[Any]) -> Chain:
    """Return the stages of x − c − r: of c in doubles, from which near points are exact, then of what that leaves."""
    ones, near = [1] * len(centre), doubles(centre)
    left = [rational(c) - rational(v) + rational(r) for c, v, r in zip(centre, near, rest)]
    return (scale(near, ones), scale(left, ones)) if any(left) else (scale(near, ones),)


def of_lda(model: lda.Model) -> Chain:
    """Return the stages of linear scores, of points measured from the origin that the model has."""
    if model.origin is None:
        return (linear(model.directions, model.constants, offsets(model.weighing)),)
    constants = [-(d @ v) / 2 for d, v in zip(model.directions, model.away)]
    return *away(model.origin.centre, model.origin.rest), linear(model.directions, constants, offsets(model.weighing))


def quadratic(model: qda.Model) -> Chain:
    """Return the stages of quadratic scores; points are measured from the mean of the first class where one is far."""
    assert model.whites is not None
    whites, before = model.whites, tuple[Stage, ...]()
    if model.origins is not None:
        first = doubles(model.origins[0].centre)
        before = away(first, [0] * len(first))
        apart = [
            [rational(c) + rational(r) - rational(v) for c, r, v in zip(o.centre, o.rest, first)] for o in model.origins
        ]
        exact = [[list(map(rational, row)) for row in white] for white, _ in whites]
        centres = [[sum(map(mul, row, mu), Fraction(0)) for row in white] for white, mu in zip(exact, apart)]
    else:
        centres = [list(centre) for _, centre in whites]
    most, p, K = max(len(rows) for rows, _ in whites), len(model.means[0]), len(whites)
    turned = [[*map(doubles, rows), *[(0.0,) * p] * (most - len(rows))] for rows, _ in whites]
    padded = [[*doubles(centre), *[0.0] * (most - len(centre))] for centre in centres]
    values = (p, flat([row for rows in turned for row in rows]), flat(padded), most, offsets(model.weighing), K)
    return *before, Stage(stages.quadratic, values, K)


def kernel(kernel: Any, points: Sequence[Any]) -> Stage:
    """Return the stage of the values of a kernel at points.  Raises Other for one that no stage computes."""
    if type(kernel).__name__ not in KERNELS:
        raise Other(f"a kernel {type(kernel).__name__}, not one of {', '.join(sorted(KERNELS))}")
    function, names = KERNELS[type(kernel).__name__]
    return at_points(function, [getattr(kernel, name) for name in names], points)


def at_points(function: Callable[..., None], parameters: Sequence[Any], points: Sequence[Any]) -> Stage:
    """Return the stage of a function of a row and each of several points."""
    given = (doubles(parameters),) if parameters else ()
    return Stage(function, (len(points[0]), *given, flat(points), len(points)), len(points))


def hinges(terms: Sequence[Any]) -> Stage:
    """Return the stage of products of hinges."""
    most = max(1, *map(len, terms))
    padded = [hinge for term in terms for hinge in (*term, *[None] * (most - len(term)))]
    variables = tuple(-1 if h is None else h.variable for h in padded)
    signs = tuple(0 if h is None else h.sign for h in padded)
    knots = doubles([0 if h is None else h.knot for h in padded])
    return Stage(stages.hinges, (variables, signs, knots, most, len(terms)), len(terms))


def curves(curves: Sequence[Any], intercepts: Sequence[Any]) -> Stage:
    """Return the stage of sums of curves, one of each variable."""
    q, used = len(intercepts), [c for c in curves if c is not None]
    starts = (0, *accumulate(0 if c is None else len(c.knots) for c in curves))
    knots = doubles([t for c in used for t in c.knots]) or (0.0,)
    values, seconds = (flat([r for c in used for r in zip(*part(c))]) or (0.0,) for part in (_values, _seconds))
    slopes = flat([row for c in curves for row in _slopes(c, q)]) or (0.0,)
    return Stage(stages.curves, (len(curves), starts, knots, values, seconds, slopes, doubles(intercepts), q), q)


def _slopes(curve: Any, q: int) -> Any:
    """Return the slopes of the responses at the first knot, and at the last."""
    return list(zip(*curve.slopes)) if curve is not None and len(curve.knots) > 1 else [[0] * q] * 2


def _values(curve: Any) -> Any:
    return curve.values


def _seconds(curve: Any) -> Any:
    return curve.seconds


def of_tree(model: tree.Model) -> Chain:
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
    thresholds = doubles([0 if s is None else s.threshold for s in splits])
    ways = tuple(node.left or 0 for node in nodes), tuple(node.right or 0 for node in nodes)
    shares = flat([[c / sum(node.counts) for c in node.counts] for node in nodes])
    leaf = Stage(stages.tree, (variables, thresholds, *ways, shares, K), K)
    return (linear([*own, *slanting], [0] * (p + len(slanting))), leaf) if slanting else (leaf,)


def offsets(weighing: Any) -> Numbers:
    """Return the logarithms of the constants of the classes, less that of the first."""
    if weighing.logs is not None:
        return doubles(weighing.offsets())
    squares = [float(approximate(s)) for s in weighing.squares]
    return tuple((math.log(s) - math.log(squares[0])) / 2 for s in squares)


def flat(rows: Any) -> Numbers:
    """Return the numbers of rows one after the other, as doubles."""
    return tuple(v for row in rows for v in doubles(row))


def doubles(row: Any) -> Numbers:
    """Return numbers as doubles.  Raises InvalidInput for one beyond their range."""
    found = tuple(float(approximate(v)) for v in row)
    if not all(map(math.isfinite, found)):
        raise InvalidInput("export", need="numbers within the range of doubles", got="one beyond it")
    return found
