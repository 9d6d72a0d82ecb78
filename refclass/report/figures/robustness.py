"""The figure of a planted outlier: what moves the hinge and leaves the ramp where it was."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any

from refclass.data import planted_outlier
from refclass.estimators.margins.kernel_classifier import KernelClassifier
from refclass.number.rational import RATIONAL
from refclass.number.text import approximate
from refclass.report.drawing import plane, svg
from refclass.report.drawing.figure import Drawing, Figure, Finding

SEED, EACH, PENALTY, FAR = 1, 12, 1, 12
PLACES = (6, FAR, 20)  # of the outlier: all in the table, the second in the picture
PAIRS = (("hinge", "ramp"), ("squared_hinge", "squared_ramp"))


@dataclass(frozen=True)
class Moved:
    """A loss fitted without the outlier and with it, in exact arithmetic."""

    loss: str
    far: int
    clean: Any
    spoilt: Any

    @property
    def still(self) -> bool:
        """Whether both functions are the same, exactly."""
        return bool(self.clean.coef_ == self.spoilt.coef_ and self.clean.intercept_ == self.spoilt.intercept_)

    @property
    def turned(self) -> float:
        """The angle between the boundaries, in degrees."""
        (a, b), (c, d) = (map(approximate, m.coef_[0]) for m in (self.clean, self.spoilt))
        return math.degrees(math.atan2(abs(a * d - b * c), a * c + b * d))

    def row(self, X: Any, y: Any) -> tuple[Any, ...]:
        """Return the row of the table: both functions, the angle, errors on the clouds, the pull of the outlier."""
        functions = [(*m.coef_[0], *m.intercept_) for m in (self.clean, self.spoilt)]
        errors = sum(a != b for a, b in zip(self.spoilt.predict(X[:-1]), y))
        clean, spoilt = (", ".join(f"{approximate(v):.4f}" for v in f) for f in functions)
        status = self.spoilt.certificate_.status
        return (self.loss, self.far, clean, spoilt, self.turned, errors, self.spoilt.alpha_[-1], status)


def data(far: int = FAR) -> tuple[list[list[Any]], list[int]]:
    """Return the points and their labels, the outlier last  [M-ISML-F27.17]."""
    X, y = planted_outlier.points(RATIONAL, EACH, far, Random(SEED))
    return [list(x) for x in X], list(y)


def moved(loss: str, far: int = FAR) -> Moved:
    """Return the fits without and with the outlier; the ramps set out from the hinge's solution, outlier included."""
    X, y = data(far)
    clean, spoilt = (
        KernelClassifier(loss=loss, penalty=PENALTY, arithmetic="exact").fit(X[:n], y[:n]) for n in (len(X) - 1, len(X))
    )
    return Moved(loss, far, clean, spoilt)


def outliers() -> Drawing:
    """Return the boundaries of hinge and ramp, plain and squared, without and with a planted outlier.

    [M-ISML-F27.17] [ISML-27.6.3-objective] [ISML-27.6.3-squared-objective] [LOSS-ROBUST-COMPARE]
    """
    X, y = data()
    field = plane.to_scale(plane.around(X))
    panels, rows, findings = [], [], []
    for convex, bounded in PAIRS:
        for loss in (convex, bounded):
            fits = {far: moved(loss, far) for far in PLACES}
            rows += [fit.row(data(far)[0], y) for far, fit in fits.items()]
            panels.append(field.panel(loss.replace("_", " "), _marks(field, X, y, fits[FAR])))
            findings.append(_finding(loss, fits[FAR], loss == bounded))
    findings.append(_from_other_start())
    title = "Two clouds, and a point of class 1 planted far to the lower left, among class −1. "
    about = title + "Left: the hinges' boundaries turn towards it. Right: the ramps' boundaries stay."
    functions = ("β₁, β₂, β₀ without it", "with it", "turned by °")
    header = ("loss", "outlier at −x₁ =", *functions, f"errors on the {2 * EACH} others", "its multiplier", "proven")
    return Drawing(about, tuple(panels), header, tuple(rows), tuple(findings))


def _finding(loss: str, fit: Moved, bounded: bool) -> Finding:
    name = loss.replace("_", " ")
    if bounded:
        holds = fit.still and fit.spoilt.alpha_[-1] == 0
        return Finding(f"{name}: the same function with the outlier as without, exactly; its multiplier is 0", holds)
    statement = f"{name}: the outlier turns the boundary by {fit.turned:.1f}°"
    return Finding(statement, not fit.still and fit.turned > 10)


def _from_other_start() -> Finding:
    """Return what becomes of the ramp where the hinge, its start, is turned too far: its objective is not convex."""
    far = PLACES[-1]
    fit, (X, y) = moved("ramp", far), data(far)
    start = [*fit.clean.alpha_, 0, *fit.clean.intercept_]
    stays = KernelClassifier(loss="ramp", penalty=PENALTY, arithmetic="exact", start=start).fit(X, y)
    values = approximate(fit.spoilt.objective_), approximate(stays.objective_)
    statement = "the ramp at −{}: from the hinge the iteration ends at a stationary function of objective {:.3f}; "
    statement += "started at the function without the outlier it stays there, at {:.3f}"
    holds = stays.coef_ == fit.clean.coef_ and stays.objective_ < fit.spoilt.objective_
    return Finding(statement.format(far, *values), holds)


def _marks(field: plane.Plane, X: list[list[Any]], y: list[int], fit: Moved) -> list[svg.Mark]:
    without, including = (field.straight(m.coef_[0], m.intercept_[0]) for m in (fit.clean, fit.spoilt))
    return [
        svg.Lines("f = 0 without the outlier", without, svg.SKY, "solid", 6),
        svg.Lines("f = 0 with it", including, svg.BLACK, "solid", 1.6),
        *plane.classes(X[:-1], y[:-1]),
        svg.Points("outlier, labelled 1", (tuple(X[-1]),), "cross", svg.RED, 4.5),
    ]


FIGURES = (
    Figure(
        "outlier",
        "A planted outlier",
        ("M-ISML-F27.17", "ISML-27.6.3-objective", "ISML-27.6.3-squared-objective", "LOSS-ROBUST-COMPARE"),
        f"data.planted_outlier, {EACH} points a class, seed {SEED}; linear kernel, λ = {PENALTY}, in fractions; "
        "the ramps start at the hinge's solution",
        outliers,
    ),
)
