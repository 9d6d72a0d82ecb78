"""The figure of unequal variances: what a common covariance does to a straight border."""

from __future__ import annotations

import math

from refclass.report.drawing import svg
from refclass.report.drawing.axis import Axis
from refclass.report.drawing.figure import Drawing, Finding


def unequal_variances() -> Drawing:
    """Return two normal densities of unequal variance, half way between their means and where they cross.

    [M-KIM-F2.1/2.2] [M-X8] [KIM-2.2-unequal]
    """

    def density(x: float, mean: float, sd: float) -> float:
        return math.exp(-(((x - mean) / sd) ** 2) / 2) / sd / math.sqrt(2 * math.pi)

    def beyond(t: float) -> float:
        return math.erfc(t / math.sqrt(2)) / 2

    def risk(cut: float) -> float:
        return (beyond(cut) + beyond((4 - cut) / 3)) / 2

    # Where φ(x) = φ((x − 4)/3)/3:  8x² + 8x − 16 − 18 log 3 = 0, the root between the means.
    best = (-8 + math.sqrt(64 + 32 * (16 + 18 * math.log(3)))) / 16
    places = [k / 20 for k in range(-80, 241)]
    curves = [
        svg.Lines(f"N({mean}, {sd * sd})", (tuple((x, density(x, mean, sd)) for x in places),), colour)
        for mean, sd, colour in ((0, 1, svg.BLUE), (4, 3, svg.ORANGE))
    ]
    cuts = [
        svg.Lines(name, (((at, 0), (at, 1)),), colour, "dashed")
        for name, at, colour in (("half way", 2.0, svg.GREY), ("where they cross", best, svg.BLACK))
    ]
    frame = Axis("x", -4, 12), Axis("density", -0.01, 0.42)
    rows = (("half way", 2, risk(2)), ("where they cross", best, risk(best)))
    findings = (
        Finding(f"the best single cut is {best:.6f}, not 2", round(best, 6) == 1.672988),
        Finding(
            f"its error is {risk(best):.5f}, half way {risk(2):.5f}",
            (round(risk(best), 5), round(risk(2), 5)) == (0.13307, 0.13762),
        ),
    )
    about = "A narrow and a wide bell curve: they cross nearer to the narrow one than half way between the means."
    panel = svg.Panel("two classes", *frame, (*curves, *cuts))
    return Drawing(about, (panel,), ("cut", "at", "probability of an error"), rows, findings, 1)
