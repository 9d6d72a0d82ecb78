"""Figures of the losses: formulas, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from refclass.losses.deviance import Deviance
from refclass.losses.hinge import Hinge
from refclass.losses.huber import Huber
from refclass.losses.huberised import Huberised
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.losses.loss import Loss, MarginLoss
from refclass.losses.ramp import Ramp, SquaredRamp
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.losses.zero_one import ZeroOne
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field
from refclass.number.rational import RATIONAL
from refclass.report.drawing import svg
from refclass.report.drawing.axis import Axis
from refclass.report.drawing.figure import Drawing, Figure, Finding

LOOKS = ((svg.BLACK, "solid"), (svg.BLUE, "dashed"), (svg.RED, "solid"), (svg.GREEN, "dotted"))
PARTS = 20  # points drawn for each unit
FAR = -1000.0  # a margin where a tail is straight, in doubles


@dataclass(frozen=True)
class Curve:
    """A loss, drawn `share` times as high."""

    name: str
    loss: Loss
    share: Fraction = Fraction(1)

    def at(self, F: Field, t: Any) -> Any:
        """Return the height of the curve."""
        return F.lift(self.share) * self.loss.value(F, t)

    def points(self, places: Sequence[float]) -> tuple[tuple[float, Any], ...]:
        """Return the curve at some places, the step of the 0/1 loss upright."""
        found = [(t, self.at(BINARY64, t)) for t in places]
        if not isinstance(self.loss, ZeroOne):
            return tuple(found)
        k = next(i for i, (a, b) in enumerate(zip(found, found[1:])) if a[1] != b[1])
        return (*found[: k + 1], (0.0, found[k][1]), (0.0, found[k + 1][1]), *found[k + 1 :])

    def row(self, places: Sequence[int]) -> tuple[Any, ...]:
        """Return the name and the heights at some places."""
        return (self.name, *(self.at(BINARY64, float(t)) for t in places))

    @property
    def tail(self) -> float:
        """The slope far to the left."""
        return float(self.share) * float(self.loss.slopes(BINARY64, FAR)[0])


def drawn(group: Sequence[Curve], low: int, high: int) -> tuple[svg.Mark, ...]:
    """Return the curves from low to high."""
    places = [v / PARTS for v in range(PARTS * low, PARTS * high + 1)]
    return tuple(svg.Lines(curve.name, (curve.points(places),), *look) for curve, look in zip(group, LOOKS))


HALF = Fraction(1, 2)
COMPARED = (
    Curve("hinge", Hinge()),
    Curve("binomial deviance", Deviance()),
    Curve("squared error", Squared()),
    Curve("¼ Huberised squared hinge", Huberised(), Fraction(1, 4)),
)
UNBOUNDED = (Curve("0/1", ZeroOne()), Curve("hinge", Hinge()), Curve("½ squared hinge", SquaredHinge(), HALF))
BOUNDED = (Curve("0/1", ZeroOne()), Curve("ramp", Ramp()), Curve("½ squared ramp", SquaredRamp(), HALF))
INSENSITIVE = (
    Curve("[|r| − 1]₊", Insensitive(1.0)),
    Curve("[|r| − 1]₊²", SquaredInsensitive(1.0)),
    Curve("[r² − 1]₊", QuadraticInsensitive(1.0)),
)
ROBUST = (Curve("Huber's, c = 1", Huber(1.0)), Curve("Huber's, c = 2", Huber(2.0)))


def losses() -> Drawing:
    """Return the four losses of the margin that the text compares.

    [M-ESL-F12.4] [M-ESL-T12.1] [M-MMST-F11.4/5] [ERR-ESL-13]
    """
    places = range(-3, 4)
    rows = []
    for curve in COMPARED:
        assert isinstance(curve.loss, MarginLoss)
        ((least, _), *_) = curve.loss.population_minimisers(BINARY64, 0.75)
        rows.append((*curve.row(places), curve.tail, least))
    hinge, deviance, squared, quarter = COMPARED
    below = [hinge.at(BINARY64, FAR) - other.at(BINARY64, FAR) for other in (deviance, quarter)]
    findings = (
        Finding(
            "hinge, deviance and ¼ of the Huberised loss have the slope −1 far to the left",
            {hinge.tail, deviance.tail, quarter.tail} == {-1.0},
        ),
        Finding("their tails are different lines: the other two run one below the hinge", below == [1.0, 1.0]),
        Finding("squared error has no limiting slope: it is −2002 at −1000", squared.tail == -2002),
    )
    frame = Axis("margin y f", -3, 3), Axis("loss", -0.1, 4.1)
    header = ("loss", *(f"at {t}" for t in places), "slope at −1000", "minimiser at Pr = ¾")
    about = "Four losses against the margin y f from −3 to 3; three of them fall with slope −1 on the left."
    return Drawing(about, (svg.Panel("L(y f)", *frame, drawn(COMPARED, -3, 3)),), header, tuple(rows), findings, 1)


def bounded_losses() -> Drawing:
    """Return the hinges and the ramps beside the 0/1 loss  [M-ISML-F27.12/13/18] [ISML-27.6.3-ramp]."""
    places = range(-3, 3)
    ramp, hinge, squared = Ramp(), Hinge(), SquaredRamp()
    tries = [Fraction(k, PARTS) for k in range(-3 * PARTS, 3 * PARTS + 1)]
    values = [(m, ramp(RATIONAL, m), hinge(RATIONAL, m), squared(RATIONAL, m)) for m in tries]
    count = f"at all {len(tries)} places drawn, in fractions"
    findings = (
        Finding(f"the ramp is the hinge less [−m]₊ {count}", all(r == h - max(-m, 0) for m, r, h, _ in values)),
        Finding(f"the ramp is the hinge cut off at one {count}", all(r == min(1, h) for _, r, h, _ in values)),
        Finding(f"the squared ramp is its square {count}", all(s == r * r for _, r, _, s in values)),
        Finding("far to the left the ramps are flat: a point there has no pull", not any(c.tail for c in BOUNDED)),
    )
    frame = Axis("margin m", -3, 3), Axis("loss", -0.1, 4.1)
    groups = (("without a bound", UNBOUNDED), ("bounded", BOUNDED))
    panels = tuple(svg.Panel(title, *frame, drawn(group, -3, 3)) for title, group in groups)
    about = "Left: hinge and squared hinge rise without end to the left. Right: ramp and squared ramp keep to a bound."
    rows = tuple(curve.row(places) for curve in (*UNBOUNDED, *BOUNDED[1:]))
    return Drawing(about, panels, ("loss", *(f"at {t}" for t in places)), rows, findings)


def residual_losses() -> Drawing:
    """Return losses of a residual: insensitive up to ε, and Huber's.

    [M-ESL-F12.8] [ESL-12.37] [ESL-12.38] [M-MMST-F11.4/5]
    """
    places = range(-4, 5)
    huber = ROBUST[1]
    findings = (
        Finding(
            "the three insensitive losses are zero for |r| ≤ ε = 1",
            all(curve.at(BINARY64, r) == 0 for curve in INSENSITIVE for r in (-1.0, -0.5, 0.0, 0.5, 1.0)),
        ),
        Finding(
            "Huber's is ½r² up to c = 2, and 2|r| − 2 beyond",
            [huber.at(BINARY64, r) for r in (1.0, 2.0, 3.0, 4.0)] == [0.5, 2.0, 4.0, 6.0],
        ),
    )
    frame = Axis("residual r = y − f", -4, 4), Axis("loss", -0.2, 6.2)
    groups = (("insensitive, ε = 1", INSENSITIVE), ("Huber's", ROBUST))
    panels = tuple(svg.Panel(title, *frame, drawn(group, -4, 4)) for title, group in groups)
    about = "Left: losses that are zero for residuals up to ε. Right: Huber's, quadratic inside and linear outside."
    rows = tuple(curve.row(places) for curve in (*INSENSITIVE, *ROBUST))
    return Drawing(about, panels, ("loss", *(f"at {t}" for t in places)), rows, findings)


FIGURES = (
    Figure(
        "losses",
        "Losses of the margin",
        ("M-ESL-F12.4", "M-ESL-T12.1", "M-MMST-F11.4/5", "ERR-ESL-13"),
        "the formulas, in doubles",
        losses,
        "losses",
    ),
    Figure(
        "bounded_losses",
        "Hinges and ramps",
        ("M-ISML-F27.12/13/18", "ISML-27.6.3-ramp"),
        "the formulas, in doubles and in fractions",
        bounded_losses,
        "losses",
    ),
    Figure(
        "residual_losses",
        "Losses of the residual",
        ("M-ESL-F12.8", "ESL-12.37", "ESL-12.38", "M-MMST-F11.4/5"),
        "the formulas, in doubles",
        residual_losses,
        "losses",
    ),
)
