"""A start near the optimum of the machine with a linear kernel: the corner of the hinge rounded off.

    minimise ½‖β‖² + Σ Cᵢ φ(slackᵢ)        φ(s) = 0 for s ≤ −h,   (s + h)²/4h between,   s for s ≥ h

φ is the hinge [s]₊ where |s| ≥ h, above it by at most h/4 elsewhere, and smooth. As it errs to the same side before the
corner and behind it, and slack is spread evenly over so short a stretch, its minimum is near that of the hinge, by a
multiple of h². Newton's method finds it: the points within the rounded corner are the curvature. The corner is made
shorter from step to step, until a few times as many points as variables are within it.

The first steps are made on a sample of the points, evenly from each class and so much dearer, the next on larger ones:
far from the optimum a few points show the way as well as all. Nothing is proven here; whoever starts from here ends at
the optimum all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from operator import itemgetter, mul, sub
from typing import Optional

from refclass.linear import combination, polar
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.binary64 import BINARY64
from refclass.optimise.limits import HALVINGS
from refclass.optimise.linear_svm.screened_points import MIN_SCREENED, Points

PER_VARIABLE = 8  # points of the first sample, and within the corner at each step, for each variable
LARGER = 4  # times: how much larger the next sample is
ROUGH, FINE = 2, 4  # steps at most: on a sample, and on all points
GAIN = 0.01  # part of the objective that a step must have gained for another to be made on the same points
FLAT = 0.2  # part of its slope that a line search may leave
SHARE = 12  # one of so many points, at least, may change side between the start and the optimum
MIDST = 0.1  # part of the stretch in question that a line search keeps away from its ends


@dataclass(frozen=True)
class Part:
    """Some of the points, each with the weight of several.

    columns   the columns of zᵢ = yᵢ(xᵢ, 1)
    weights   Cᵢ, times the number of points that each stands for
    border    whether there is an intercept
    """

    columns: Sequence[Sequence[float]]
    weights: Sequence[float]
    border: bool

    def slack(self, theta: Sequence[float]) -> list[float]:
        """Return 1 − yᵢ(xᵢᵀβ + β₀) for every point."""
        return [1 - v for v in combination.total(theta, self.columns)]

    def objective(self, theta: Sequence[float], slack: Sequence[float]) -> float:
        """Return ½‖β‖² + Σ Cᵢ [slackᵢ]₊."""
        along = theta[:-1] if self.border else theta
        return float(dot(along, along) / 2 + sum([c * e for c, e in zip(self.weights, slack) if e > 0]))

    def newton(self, slack: Sequence[float], h: float) -> list[float]:
        """Return where the quadratic that fits the rounded objective at this slack has its minimum.

            (D + Σ kᵢzᵢzᵢᵀ) θ = Σ Cᵢzᵢ + Σ kᵢ(1 + h)zᵢ        kᵢ = Cᵢ/2h, zᵢ = yᵢ(xᵢ, 1), D = 1 for β and 0 for β₀

        The first sum on the right is over points beyond the corner, slackᵢ > h; the others over those within it.
        """
        beyond = _entries([i for i, e in enumerate(slack) if e > h])
        within = _entries([i for i, e in enumerate(slack) if -h <= e <= h])
        roots = [sqrt(c / (2 * h)) for c in within(self.weights)]
        inner = [tuple(map(mul, roots, within(column))) for column in self.columns]
        *lower, (*close, _) = _products([*inner, tuple([(1 + h) * v for v in roots])])
        dear = beyond(self.weights)
        right = [v + dot(dear, beyond(column)) for v, column in zip(close, self.columns)]
        for row in lower[: len(lower) - self.border]:
            row[-1] += 1.0
        H = [[*row, *[below[i] for below in lower[i + 1 :]]] for i, row in enumerate(lower)]
        return list(cholesky.factor(BINARY64, Matrix.of(map(Vector.of, H))).solve(Vector.of(right)))

    def step(self, theta: Sequence[float], slack: Sequence[float], h: float) -> tuple[list[float], list[float]]:
        """Make a step of Newton's method, shortened where the objective rises again; return θ and its slack."""
        target = self.newton(slack, h)
        d, ahead = list(map(sub, target, theta)), self.slack(target)
        t = self.search(theta, d, slack, ahead, h)
        if t == 1:
            return target, ahead
        return [v + t * w for v, w in zip(theta, d)], [e + t * (a - e) for e, a in zip(slack, ahead)]

    def search(
        self, theta: Sequence[float], d: Sequence[float], slack: Sequence[float], ahead: Sequence[float], h: float
    ) -> float:
        """Return a t ≤ 1 at which the rounded objective has almost stopped falling along d, by the regula falsi.

        At the end of a step of Newton's method the quadratic is flat, so that its slope at the beginning is −dᵀHd.
        """
        inner = len(d) - self.border
        straight, bend = dot(theta[:inner], d[:inner]), dot(d[:inner], d[:inner])
        dear = [c * (e - a) for c, e, a in zip(self.weights, slack, ahead)]

        def slope(t: float, here: Sequence[float]) -> float:
            pushed = [w if e > h else w * (e + h) / (2 * h) for e, w in zip(here, dear) if e > -h]
            return float(straight + t * bend - sum(pushed))

        high = t = 1.0
        at_high = found = slope(1.0, ahead)
        if found <= 0:
            return t
        curved = [w * (e - a) for e, a, w in zip(slack, ahead, dear) if -h <= e <= h]
        low, at_low = 0.0, float(-bend - sum(curved) / (2 * h))
        steep = FLAT * abs(at_low)
        for _ in range(HALVINGS):
            if found <= steep if t == 1 else abs(found) <= steep:
                break
            t = low - at_low * (high - low) / (at_high - at_low)
            away = MIDST * (high - low)
            t = min(max(t, low + away), high - away)
            found = slope(t, [e + t * (a - e) for e, a in zip(slack, ahead)])
            if found > 0:
                high, at_high = t, found
            else:
                low, at_low = t, found
        return low if found > steep else t


def _entries(places: Sequence[int]) -> Callable[[Sequence[float]], tuple[float, ...]]:
    """Return what picks the entries at these places."""
    return itemgetter(*places) if len(places) > 1 else lambda column: tuple([column[i] for i in places])


def _products(columns: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the products of each column with itself and those before it, in whichever way is faster."""
    if polar.FASTER:
        return polar.gram(columns)
    return [[dot(x, y) for y in columns[: i + 1]] for i, x in enumerate(columns)]


def samples(points: Points) -> Iterator[Part]:
    """Yield parts of the points, each larger than the one before, the last all of them."""
    columns, costs, border = points.columns, points.costs, points.intercept
    classes = [[i for i, t in enumerate(points.y) if t == side] for side in (1, -1)]
    step = len(points.y) // (PER_VARIABLE * len(columns))
    while step > 1:
        taken = [places[step // 2 :: step] for places in classes]
        share = [len(places) / max(1, len(some)) for places, some in zip(classes, taken)]
        weights = [w * costs[i] for w, some in zip(share, taken) for i in some]
        pick = itemgetter(*taken[0], *taken[1])
        yield Part([pick(column) for column in columns], weights, border)
        step //= LARGER
    yield Part(columns, costs, border)


def near(points: Points) -> Optional[tuple[list[float], float, list[float]]]:
    """Return θ near the optimum, a slack that few points are below in size, and the slack of all; None if none is near.

    Those few may change side on the way from there to the optimum: one of twelve, eight for each variable at least.

    Cost    a few steps, each of 2np multiplications, and p²/2 for each of the points within the corner
    """
    n, p = len(points.y), len(points.columns)
    if n <= max(MIN_SCREENED, 2 * p):
        return None
    theta, slack = [0.0] * p, [1.0] * n
    try:
        for part in samples(points):
            theta, slack = descend(part, theta, FINE if len(part.weights) == n else ROUGH)
    except ArithmeticError:  # squares beyond the doubles, a corner of no width, or equations without a solution
        return None
    width = sorted(map(abs, slack))[min(max(MIN_SCREENED, PER_VARIABLE * p, n // SHARE), n - 1)]
    return (theta, width, slack) if all(map(isfinite, theta)) else None


def descend(part: Part, theta: list[float], steps: int) -> tuple[list[float], list[float]]:
    """Return where some steps lead to, the hinge's objective no higher there, and the slack of the points there."""
    slack = part.slack(theta)
    value = part.objective(theta, slack)
    for _ in range(steps):
        h = sorted(map(abs, slack))[min(PER_VARIABLE * len(theta), len(slack) - 1)]
        ahead = part.step(theta, slack, h)
        before, found = value, part.objective(*ahead)
        if found < value:
            (theta, slack), value = ahead, found
        if before - found < GAIN * before:
            break
    return theta, slack
