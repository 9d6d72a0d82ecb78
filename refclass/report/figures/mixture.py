"""The mixture data and the densities they were drawn from: the Bayes rule, and the true errors of any other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from refclass.kernels.gaussian import Gaussian
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.oracle import table
from refclass.report.commands import tour
from refclass.report.drawing import contours, plane, svg
from refclass.report.drawing.axis import Axis
from refclass.report.text import words

CENTRES = 10  # of each class: a class is a mixture of so many normal parts, each of covariance I/5
GIVEN = "the embedded mixture data, 200 points"
WHOLE = plane.Plane(Axis("x₁", -4.5, 6.5), Axis("x₂", -4.5, 5.5), 67)  # all but nothing of the densities lies here


def points() -> tuple[list[list[float]], list[int]]:
    """Return the mixture data: rows and labels 0 and 1."""
    return tour.rows("mixture", "float", None, None)


def densities(X: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Return the densities of both classes at some points.

    fₖ(x) = (1/10) Σ (5/2π) exp(−(5/2) ‖x − m‖²)        over the ten centres m of class k
    """
    rows = table.within("mixture_means.csv", "mixture_means").numbers(["m1", "m2"], float)
    kernel = Gaussian(2.5)
    scale = 2.5 / math.pi / CENTRES
    centres = Matrix(rows[:CENTRES]), Matrix(rows[CENTRES:])
    at = [Vector.of(x) for x in X]
    one, other = ([scale * sum(kernel.row(BINARY64, x, part)) for x in at] for part in centres)
    return list(zip(one, other))


def bayes(field: plane.Plane) -> svg.Lines:
    """Return the boundary of the rule of known densities."""
    values = [math.log(b / a) for a, b in densities(field.nodes)]
    return svg.Lines("Bayes boundary", field.contour(values), svg.PURPLE, "dashed", 1.4)


@lru_cache(maxsize=1)
def masses() -> list[tuple[float, float]]:
    """Return the probability of each class, both as likely, around each node of the whole plane."""
    area = (WHOLE.x.high - WHOLE.x.low) * (WHOLE.y.high - WHOLE.y.low) / (WHOLE.fine - 1) ** 2
    return [(area / 2 * a, area / 2 * b) for a, b in densities(WHOLE.nodes)]


def risk(machine: Any) -> float:
    """Return the probability that a fitted two-class machine errs, as a sum over the lattice."""
    return math.fsum(m[0] if f > 0 else m[1] for f, m in zip(machine.decision_function(WHOLE.nodes), masses()))


def bayes_risk() -> float:
    """Return the probability that the Bayes rule errs, as a sum over the lattice."""
    return math.fsum(map(min, masses()))


def supplied_risk() -> float:
    """Return the same for a point known to lie where the data's own lattice does: [−2.6, 4.2] × [−2, 2.9]."""
    across, up = contours.ticks(-2.6, 4.2, 69), contours.ticks(-2.0, 2.9, 99)
    found = densities(contours.nodes(across, up))
    return math.fsum(map(min, found)) / math.fsum(map(sum, found))


def wrong(machine: Any, X: Any, y: Any) -> str:
    """Return how many points a machine gets wrong."""
    return words.share(sum(a != b for a, b in zip(machine.predict(X), y)), len(y))
