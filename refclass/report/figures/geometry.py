"""Figures of the band: its width, the distances of points on its wrong side, and the multipliers along the path."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

from refclass.data import planted_outlier
from refclass.estimators.margins.svc import SVC
from refclass.estimators.margins.svm_path import SVMPath
from refclass.number.rational import RATIONAL
from refclass.number.text import approximate
from refclass.report.drawing import plane, svg
from refclass.report.drawing.axis import Axis, spanning
from refclass.report.drawing.figure import Drawing, Figure, Finding

SEED, EACH = 3, 8
SHIFT = Fraction(6, 5)  # by which the classes are pushed into each other for the overlapping case
EDGES = ("y f > 1: beyond the band", "y f = 1: on its edge", "y f < 1: inside it")

# Premise: twelve points, in quarters, with the text's three sets at λ = ½; the text's own points are not printed.
QUARTERS = ((-10, 8), (-5, -1), (3, -3), (-9, 4), (3, -2), (-8, 6), (2, 3), (4, 0), (0, 8), (1, 1), (2, 4), (2, -4))
POINTS = [[Fraction(a, 4), Fraction(b, 4)] for a, b in QUARTERS]
LABELS = [-1] * 6 + [1] * 6


def clouds(shift: Fraction) -> tuple[list[list[Any]], list[int]]:
    """Return two clouds, each moved towards the other by the shift."""
    X, y = planted_outlier.points(RATIONAL, EACH, 0, Random(SEED))
    return [[a - t * shift, b] for (a, b), t in zip(X[:-1], y)], list(y[:-1])


def foot(machine: Any, x: list[Any], y: int) -> list[Any]:
    """Return the point nearest to x on its own class's edge, yf = 1: exactly, x + ((1 − yf)/‖β‖²) yβ  [ESL-12.6]."""
    beta, beta0 = machine.coef_[0], machine.intercept_[0]
    short = 1 - y * (sum(b * v for b, v in zip(beta, x)) + beta0)
    return [v + short / sum(b * b for b in beta) * y * b for v, b in zip(x, beta)]


def _band(title: str, shift: Fraction, C: Any) -> tuple[svg.Panel, tuple[Any, ...], list[Finding]]:
    X, y = clouds(shift)
    machine = SVC(C=C, arithmetic="exact").fit(X, y)
    beta, beta0 = machine.coef_[0], machine.intercept_[0]
    field = plane.to_scale(plane.around(X))
    slack = [1 - t * f for f, t in zip(machine.decision_function(X), y)]
    wrong = [i for i, s in enumerate(slack) if s > 0]
    edge = [i for i, s in enumerate(slack) if s == 0]
    feet = {i: foot(machine, X[i], y[i]) for i in wrong}
    marks: list[svg.Mark] = [
        *plane.classes(X, y),
        svg.Lines("f = 0", field.straight(beta, beta0)),
        svg.Lines("f = ±1", field.straight(beta, beta0, 1) + field.straight(beta, beta0, -1), svg.GREY, "dashed"),
        svg.Lines("ξ*: how far beyond its edge", tuple((X[i], feet[i]) for i in wrong), svg.RED, "dotted"),
        plane.ringed("on the edge", X, edge),
    ]
    square = 1 / sum(b * b for b in beta)
    lengths = {i: sum((a - b) ** 2 for a, b in zip(X[i], feet[i])) for i in wrong}
    away = {i: square * machine.decision_function([X[i]])[0] ** 2 for i in edge}
    statement = f"{title}: {len(edge)} points stand on the edges, exactly at the distance M = 1/‖β‖ from the boundary"
    findings = [Finding(statement, len(edge) >= 2 and set(away.values()) == {square})]
    if C == "inf":
        findings.append(Finding(f"{title}: no point is beyond its edge", not wrong))
    else:
        statement = f"{title}: {len(wrong)} points are beyond their edge, each exactly by ξ* = Mξ"
        findings.append(Finding(statement, all(lengths[i] == square * slack[i] ** 2 for i in wrong)))
    total = sum(slack[i] for i in wrong)
    proof = str(machine.certificate_)
    row = (title, C, *beta, beta0, math.sqrt(approximate(square)), len(edge), len(wrong), total, proof)
    return field.panel(title, marks), row, findings


def margins() -> Drawing:
    """Return the widest band between separable classes, and that of overlapping ones.

    [M-ESL-F12.1] [M-MMST-F11.1/2] [ESL-12.3] [ESL-12.6] [ESL-12.8]
    """
    bands = _band("separable", Fraction(0), "inf"), _band("overlapping", SHIFT, 1)
    panels, rows = tuple(band[0] for band in bands), tuple(band[1] for band in bands)
    about = (
        "Left: two separable clouds and the widest band between them. Right: the clouds pushed into each other; dotted "
    )
    about += "lines lead from each point beyond its edge to that edge."
    header = ("classes", "C", "β₁", "β₂", "β₀", "M = 1/‖β‖", "on the edges", "beyond", "Σ ξ", "proof")
    return Drawing(about, panels, header, rows, tuple(finding for band in bands for finding in band[2]))


def path() -> Drawing:
    """Return twelve points at λ = ½ and their multipliers along the whole path.

    [M-ESL-F12.7] [ESL-12.33] [ESL-12.34] [ESL-12.3.5-sets] [ESL-12.3.5-path]
    """
    found = SVMPath(arithmetic="exact").fit(POINTS, LABELS)
    half = Fraction(1, 2)
    machine = found.at(half)
    beta, beta0 = machine.coef_[0], machine.intercept_[0]
    margins = [t * f for f, t in zip(machine.decision_function(POINTS), LABELS)]
    sets = [[i + 1 for i, m in enumerate(margins) if keep(m)] for keep in (_beyond, _on, _inside)]
    field = plane.to_scale(plane.around(POINTS))
    marks: list[svg.Mark] = [
        *plane.classes(POINTS, LABELS, 3.4),
        svg.Lines("f = 0", field.straight(beta, beta0)),
        svg.Lines("f = ±1", field.straight(beta, beta0, 1) + field.straight(beta, beta0, -1), svg.GREY, "dashed"),
        plane.ringed(EDGES[1], POINTS, [i - 1 for i in sets[1]]),
    ]
    shares = [half * a for a in machine.alpha_]
    rows = [(i + 1, *POINTS[i], LABELS[i], margins[i], shares[i]) for i in range(len(POINTS))]
    named = "; ".join(f"{name}: {{{', '.join(map(str, numbers))}}}" for name, numbers in zip(EDGES, sets))
    expected = [[1, 4, 8, 9, 11], [2, 6, 7], [3, 5, 10, 12]]
    bends = all(_straight(found, k) for k in range(len(found.lambdas_) - 1))
    findings = (
        Finding(f"the sets at λ = ½ are those of the text: {named}", sets == expected),
        Finding("Σ αᵢyᵢ = 0 leaves α₇ = α₂ + α₆ at λ = ½, exactly", shares[6] == shares[1] + shares[5]),
        Finding(
            f"between its {len(found.lambdas_)} break points λβ is linear in λ: half way, solved anew, exactly", bends
        ),
    )
    about = (
        "Left: twelve points, the boundary and the band at λ = ½. Right: the multiplier of every point against λ, made "
    )
    about += "of straight pieces between 0 and 1."
    header = ("point", "x₁", "x₂", "y", "y f at λ = ½", "α at λ = ½")
    panels = (field.panel("λ = ½", marks), _profiles(found, half))
    return Drawing(about, panels, header, tuple(rows), findings)


def _beyond(margin: Any) -> bool:
    return bool(margin > 1)


def _on(margin: Any) -> bool:
    return bool(margin == 1)


def _inside(margin: Any) -> bool:
    return bool(margin < 1)


def _profiles(found: SVMPath, half: Fraction) -> svg.Panel:
    """Return the multipliers against λ: straight lines between the break points."""
    lines = [tuple(zip(found.lambdas_, column)) for column in zip(*found.alphas_)]
    marks: list[svg.Mark] = [
        svg.Lines(f"α of class {t}", tuple(line for line, g in zip(lines, LABELS) if g == t), colour)
        for t, (colour, _) in zip((-1, 1), plane.LOOKS)
    ]
    marks.append(svg.Lines("λ = ½", (((half, -1), (half, 2)),), svg.GREY, "dashed", 1.2))
    return svg.Panel("αᵢ(λ)", spanning("λ", [0, *found.lambdas_]), Axis("α", -0.05, 1.05), tuple(marks))


def _straight(found: SVMPath, k: int) -> bool:
    """Return whether half way between two break points λβ is the mean of its values there, the machine solved anew."""
    lams = found.lambdas_[k + 1], found.lambdas_[k]
    middle = sum(lams) / 2
    beta = SVC(C=1 / middle, arithmetic="exact").fit(POINTS, LABELS).coef_[0]
    ends = [[sum(a * t * x[j] for a, t, x in zip(v, LABELS, POINTS)) for v in found.alphas_[k : k + 2]] for j in (0, 1)]
    return all(middle * b == sum(pair) / 2 for b, pair in zip(beta, ends))


FIGURES = (
    Figure(
        "margins",
        "The band, and distances beyond its edges",
        ("M-ESL-F12.1", "M-MMST-F11.1/2", "ESL-12.3", "ESL-12.6", "ESL-12.8"),
        f"two clouds of data.planted_outlier without the outlier, {EACH} points a class, seed {SEED}, in fractions; "
        f"pushed together by {SHIFT} each for the overlapping case",
        margins,
    ),
    Figure(
        "path",
        "Multipliers along the path",
        ("M-ESL-F12.7", "ESL-12.33", "ESL-12.34", "ESL-12.3.5-sets", "ESL-12.3.5-path"),
        "twelve points of ours with the text's sets at λ = ½ (its own coordinates are not printed), in fractions",
        path,
    ),
)
