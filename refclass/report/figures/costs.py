"""The figure of test errors against the cost, for Gaussian kernels of four widths."""

from __future__ import annotations

import math

from refclass.estimators.margins.svc import SVC
from refclass.report.drawing import svg
from refclass.report.drawing.axis import Axis
from refclass.report.drawing.figure import Drawing, Figure, Finding
from refclass.report.figures import mixture

GAMMAS = (5, 1, 0.5, 0.1)
COSTS = tuple(10.0**k for k in (-1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3))


def costs() -> Drawing:
    """Return the probability of an error against the cost C, for four widths of the Gaussian kernel  [M-ESL-F12.6]."""
    X, y = mixture.points()
    errors = {
        gamma: [mixture.risk(SVC(C=C, kernel={"name": "gaussian", "gamma": gamma}).fit(X, y)) for C in COSTS]
        for gamma in GAMMAS
    }
    least = mixture.bayes_risk()
    frame = Axis("log₁₀ C", -1.15, 3.15), Axis("probability of an error", 0.19, 0.36)
    panels = []
    for gamma, values in errors.items():
        line = tuple((math.log10(C), v) for C, v in zip(COSTS, values))
        marks: list[svg.Mark] = [
            svg.Lines("Bayes rule", (((-2.0, least), (4.0, least)),), svg.PURPLE, "dashed"),
            svg.Lines("machine", (line,), svg.BLACK),
            svg.Points("", line, "circle", svg.BLACK),
        ]
        panels.append(svg.Panel(f"γ = {gamma}", *frame, tuple(marks)))
    best = {gamma: COSTS[values.index(min(values))] for gamma, values in errors.items()}
    mass = math.fsum(a + b for a, b in mixture.masses())
    statement = f"the Bayes rule errs with probability {least:.4f}; within the lattice that the data come with it is "
    statement += f"{mixture.supplied_risk():.4f}, the text's 0.2101"
    findings = (
        Finding(statement, round(mixture.supplied_risk(), 4) == 0.2101),
        Finding("no machine errs less than the Bayes rule", min(map(min, errors.values())) >= least),
        Finding(
            f"the narrower the kernel, the smaller the best cost: {', '.join(map(_written, best.values()))}",
            sorted(set(best.values())) == list(best.values()),
        ),
        Finding(f"the densities have all but {abs(1 - mass):.0e} of their mass on the lattice", abs(1 - mass) < 1e-6),
    )
    rows = [(gamma, *(f"{v:.4f}" for v in values), _written(best[gamma])) for gamma, values in errors.items()]
    about = (
        "Four panels, a width of the kernel each: the probability of an error against the cost, above the Bayes rule's."
    )
    header = ("γ", *(f"C = {_written(C)}" for C in COSTS), "best C")
    return Drawing(about, tuple(panels), header, tuple(rows), findings)


def _written(C: float) -> str:
    return f"{C:.3g}" if C < 999 else f"{C:.0f}"


FIGURES = (
    Figure(
        "costs",
        "Errors against the cost",
        ("M-ESL-F12.6",),
        f"{mixture.GIVEN}; errors under the densities they were drawn from, summed over a lattice",
        costs,
    ),
)
