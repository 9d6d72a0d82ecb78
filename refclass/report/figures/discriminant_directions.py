"""The figure of directions: two normal classes, and the lines that separate them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from refclass.discriminants.gaussian import fisher
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.report.drawing import plane, svg
from refclass.report.drawing.axis import Axis, spanning
from refclass.report.drawing.figure import Drawing, Finding
from refclass.report.text import words
from refclass.sample import covariance, data, mean, metric

EACH, SEED = 60, 4


WITHIN = ((2.0, 1.6), (1.6, 2.0))  # the covariance of both classes


APART = (2.4, 0.6)


def normal_classes() -> tuple[list[list[float]], list[int]]:
    """Return points of two normal classes of the same long covariance, side by side."""
    chance = Random(SEED)
    a = math.sqrt(WITHIN[0][0])
    b = WITHIN[0][1] / a
    c = math.sqrt(WITHIN[1][1] - b * b)
    rows = []
    for k in (0, 1):
        for _ in range(EACH):
            u, v = chance.gauss(0, 1), chance.gauss(0, 1)
            rows.append([k * APART[0] + a * u, k * APART[1] + b * u + c * v])
    return rows, [0] * EACH + [1] * EACH


def directions() -> Drawing:
    """Return two classes seen along the line of their centroids and along the discriminant direction.

    [M-ESL-F4.9] [M-KIM-F2.1/2.2] [ESL-4.16]
    """
    X, y = normal_classes()
    sample = data.read(BINARY64, X, y)
    means, S = mean.class_means(sample), covariance.pooled(sample)
    d = means[1] - means[0]
    w = fisher.direction(means, metric.factor(BINARY64, S))
    middle = (means[0] + means[1]) / 2
    panels, rows, quotients = [], [], []
    field = plane.to_scale(plane.around(X))
    for title, a in (("the line of the centroids", d), ("the discriminant direction", w)):
        unit = a / BINARY64.sqrt(a @ a)
        along = [unit @ (Vector.of(x) - middle) for x in X]
        wrong = sum((t > 0) != bool(k) for t, k in zip(along, y))
        quotients.append(fisher.criterion(unit, d, S))
        spread = (unit @ d) ** 2
        rows.append((title, *unit, spread, unit @ (S @ unit), quotients[-1], words.share(wrong, len(y))))
        panels.append(_seen(title, along, y))
    lines = [
        svg.Lines(title, (_through(middle, a, field),), colour)
        for title, a, colour in (("centroids", d, svg.RED), ("discriminant", w, svg.BLACK))
    ]
    first = field.panel("two classes", [*plane.classes(X, y), *lines])
    statement = (
        f"the means lie furthest apart along their line, but between the classes over within is {quotients[0]:.2f} "
    )
    statement += f"there and {quotients[1]:.2f} along the discriminant direction, the largest there is"
    best = d @ metric.factor(BINARY64, S).solve(d)
    holds = quotients[1] > quotients[0] and rows[0][3] > rows[1][3] and abs(quotients[1] / best - 1) < 1e-12
    about = "Two long clouds side by side. Seen along the line of their centroids they overlap; seen along the "
    about += "discriminant direction they hardly do."
    header = ("direction", "unit vector", "", "between", "within", "quotient", "errors, cut half way")
    return Drawing(about, (first, *panels), header, tuple(rows), (Finding(statement, holds),), 3)


def _through(middle: Vector, a: Vector, field: plane.Plane) -> tuple[tuple[float, float], tuple[float, float]]:
    far = (field.x.high - field.x.low) / BINARY64.sqrt(a @ a)
    (x, y), (u, v) = (middle - far * a, middle + far * a)
    return (x, y), (u, v)


def _seen(title: str, along: Sequence[float], y: Sequence[int], parts: int = 18) -> svg.Panel:
    """Return the counts of each class in equal parts of the range, as outlines."""
    axis = spanning("coordinate", along)
    width = (axis.high - axis.low) / parts
    marks, most = [], 0
    for k, (colour, _) in zip((0, 1), plane.LOOKS):
        counts = [0] * parts
        for t in (t for t, g in zip(along, y) if g == k):
            counts[min(parts - 1, int((t - axis.low) / width))] += 1
        most = max(most, *counts)
        line = [(axis.low, 0.0)]
        for i, count in enumerate(counts):
            line += [(axis.low + i * width, float(count)), (axis.low + (i + 1) * width, float(count))]
        marks.append(svg.Lines(f"points of class {k}", ((*line, (axis.high, 0.0)),), colour, width=2))
    return svg.Panel(f"along {title}", axis, Axis("points", -0.5, most + 1.5), tuple(marks))
