"""Figures of the theory: hyperplanes and margins, optima on constraints, similarity by angles, the feature map."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

from refclass.estimators.margins.svc import SVC
from refclass.report.drawing import plane, svg
from refclass.report.drawing.axis import Axis
from refclass.report.drawing.figure import Drawing, Figure, Finding
from refclass.report.figures.unequal_variances import unequal_variances
from refclass.report.tables import separable

HALF = Fraction(1, 2)
POINTS = [[Fraction(v) for v in p] for p in ((0, 0), (1, -1), (-1, 1), (0, 2), (3, 2), (4, 3), (2, 4), (3, 5))]
LABELS = [-1, -1, -1, -1, 1, 1, 1, 1]
OTHERS: tuple[tuple[tuple[Any, Any], Any], ...] = (
    ((1, 1), Fraction(-7, 2)),
    ((1, 2), -6),
    ((2, 1), Fraction(-9, 2)),
)  # other separating planes: β, β₀


def hyperplanes() -> Drawing:
    """Return separating planes and the widest of them, its normal and its distances, and a large sample's.

    [M-ISML-F27.1-5,7-9] [M-ISML-F27.6] [M-KIM-F3.1-3.8] [ESL-12.1] [ISML-27.1]
    """
    machine = SVC(C="inf", arithmetic="exact").fit(POINTS, LABELS)
    beta, beta0 = machine.coef_[0], machine.intercept_[0]
    field = plane.to_scale(plane.around(POINTS))
    square = sum(b * b for b in beta)
    foot = [-beta0 * b / square for b in beta]
    tip = [v + b / square for v, b in zip(foot, beta)]
    classes = plane.classes(POINTS, LABELS, 3.4)
    normal = svg.Lines("the normal, 1/‖β‖ long", ((foot, tip),), svg.RED, "solid", 2.4)
    first = field.panel("the widest margin", [*classes, *_edges(field, beta, beta0), normal])
    many = [
        svg.Lines(f"another, {k + 1}", field.straight(b, b0), colour, "dashed")
        for k, ((b, b0), colour) in enumerate(zip(OTHERS, (svg.BLUE, svg.GREEN, svg.PURPLE)))
    ]
    second = field.panel(
        "planes that separate", [*classes, *many, svg.Lines("the widest", field.straight(beta, beta0))]
    )
    rows: list[tuple[Any, ...]] = [("widest", *beta, beta0, math.sqrt(1 / square))]
    least = []
    for k, (b, b0) in enumerate(OTHERS):
        margin = min(t * (sum(u * v for u, v in zip(b, x)) + b0) for x, t in zip(POINTS, LABELS))
        least.append(margin * abs(margin) / sum(u * u for u in b))
        rows.append((f"another, {k + 1}", *b, b0, math.copysign(math.sqrt(abs(least[-1])), least[-1])))
    X, y = separable.points(0)
    large = SVC(C=1000).fit(X, y)
    wide = plane.around(X)
    kept = plane.ringed("multiplier above zero", X, large.support_)
    third = wide.panel("200 points", [*plane.classes(X, y), *_edges(wide, large.coef_[0], large.intercept_[0]), kept])
    findings = (
        Finding("every plane drawn separates the classes", all(v > 0 for v in least)),
        Finding("none but the widest has a margin of 1/‖β‖, exactly", max(least) < 1 / square),
        Finding(f"of 200 points {len(large.support_)} have a multiplier above zero", len(large.support_) in (2, 3)),
    )
    about = "Two classes: the plane of the widest margin with its normal; other planes that separate; a larger sample."
    return Drawing(about, (first, second, third), ("plane", "β₁", "β₂", "β₀", "margin"), tuple(rows), findings, 3)


def _edges(field: plane.Plane, beta: Any, beta0: Any) -> list[svg.Mark]:
    edges = field.straight(beta, beta0, 1) + field.straight(beta, beta0, -1)
    return [svg.Lines("f = 0", field.straight(beta, beta0)), svg.Lines("f = ±1", edges, svg.GREY, "dashed", 1.2)]


def optima() -> Drawing:
    """Return a quadratic function on a line, and on half planes that bind and that do not.

    [M-KIM-F3.1-3.8] [M-ISML-F27.1-5,7-9] [KIM-3.1] [KIM-3.2]
    """
    # f(x) = 2x₁² + x₂² is least on x₁ + x₂ = c at (c/3, 2c/3), where ∇f = (4c/3)(1, 1) = λ∇g, exactly.
    field = plane.Plane(Axis("x₁", -2, 3), Axis("x₂", -2, 3))
    values = [2 * a * a + b * b for a, b in field.nodes]
    panels, rows, findings = [], [], []
    for title, c in (("g(x) ≥ 0 binds", Fraction(3, 2)), ("g(x) ≥ 0 does not bind", Fraction(-1))):
        least = max(c, Fraction(0))
        best = [least / 3, 2 * least / 3]
        value = 2 * best[0] ** 2 + best[1] ** 2
        lam = max(4 * c / 3, Fraction(0))
        heights = [h for h in (Fraction(1, 2), value, Fraction(4), Fraction(8)) if h > 0]
        levels = tuple(line for h in heights for line in field.contour(values, float(h)))
        step = Fraction(1, 2)
        marks: list[svg.Mark] = [
            svg.Lines("f constant", levels, svg.BLUE, "dotted"),
            svg.Lines("g = x₁ + x₂ − c = 0", field.straight((1, 1), -c), svg.RED),
            svg.Points("the least", (tuple(best),), "diamond", svg.BLACK, 4),
        ]
        if lam:
            gradient = (best, [best[0] + step, best[1] + step])
            marks.append(svg.Lines("∇f = λ∇g", (gradient,), svg.BLACK, "solid", 2.4))
        panels.append(field.panel(title, marks))
        g = best[0] + best[1] - c
        stationary = [4 * best[0] - lam, 2 * best[1] - lam]
        rows.append((title, c, *best, value, lam, g))
        holds = stationary == [0, 0] and lam * g == 0 and lam >= 0 and g >= 0
        findings.append(Finding(f"{title}: ∇f = λ∇g, λ ≥ 0, g ≥ 0 and λg = 0, exactly", holds))
    about = "A function's ellipses and a half plane: first the least point lies on its edge, then inside."
    header = ("case", "c", "x₁", "x₂", "f", "λ", "g")
    return Drawing(about, tuple(panels), header, tuple(rows), tuple(findings))


def similarity() -> Drawing:
    """Return a test point with points of two classes in the same direction from the origin, and kernels of them.

    [M-KIM-F3.1-3.8] [KIM-3.2-cosine]
    """
    near, far, test = [[1.0, 0.8], [1.4, 1.2], [1.2, 1.4]], [[4.0, 3.4], [4.6, 4.2], [4.2, 4.8]], [1.3, 1.1]
    X, y = near + far, [-1] * 3 + [1] * 3
    field = plane.Plane(Axis("x₁", 0, 5.5), Axis("x₂", 0, 5.5))
    rays = svg.Lines("from the origin", tuple(((0, 0), x) for x in [*X, test]), svg.GREY, "dotted", 1)
    marks: list[svg.Mark] = [
        rays,
        *plane.classes(X, y, 3.4),
        svg.Points("test point", (tuple(test),), "cross", svg.RED, 4.5),
    ]
    rows = []
    for x, t in zip(X, y):
        dot = sum(a * b for a, b in zip(x, test))
        cosine = dot / math.hypot(*x) / math.hypot(*test)
        rows.append((t, *x, cosine, dot, math.exp(-(math.dist(x, test) ** 2))))
    cosines, dots, gaussian = ([row[k] for row in rows] for k in (3, 4, 5))
    findings = (
        Finding(
            f"all cosines are above 0.98, the least is {min(cosines):.3f}: angles do not separate them",
            min(cosines) > 0.98,
        ),
        Finding("the inner product is largest with the class that lies far away", min(dots[3:]) > max(dots[:3])),
        Finding("the Gaussian kernel is largest with the class nearby", min(gaussian[:3]) > max(gaussian[3:])),
    )
    about = "Two groups of points one behind the other as seen from the origin, and a test point in the nearer one."
    header = ("class", "x₁", "x₂", "cos θ", "⟨x, test⟩", "exp(−‖x − test‖²)")
    return Drawing(about, (field.panel("same direction", marks),), header, tuple(rows), findings, 1)


def lifted() -> Drawing:
    """Return a disc within a ring, and both in the coordinates of the feature map (x₁, ‖x‖²).

    [M-KIM-F3.1-3.8] [M-ISML-F27.1-5,7-9] [ISML-27.4-trick]
    """
    rng, X, y = Random(5), [], []
    for k in range(80):
        inside = k < 40
        radius = rng.uniform(0, 1) if inside else rng.uniform(1.5, 2.2)
        angle = rng.uniform(0, 2 * math.pi)
        X.append([radius * math.cos(angle), radius * math.sin(angle)])
        y.append(-1 if inside else 1)
    Z = [[a, a * a + b * b] for a, b in X]
    machine, flat = SVC(C=1e6).fit(Z, y), SVC(C=10).fit(X, y)
    beta, beta0 = machine.coef_[0], machine.intercept_[0]
    field, upper = plane.to_scale(plane.around(X)), plane.around(Z, ("x₁", "x₁² + x₂²"))
    circle = field.contour([beta[0] * a + beta[1] * (a * a + b * b) + beta0 for a, b in field.nodes])
    panels = (
        field.panel("in the plane", [*plane.classes(X, y), svg.Lines("f = 0", circle)]),
        upper.panel("mapped", [*plane.classes(Z, y), *_edges(upper, beta, beta0)]),
    )
    wrong = [
        sum((f > 0) != (t > 0) for f, t in zip(m.decision_function(rows), y)) for m, rows in ((machine, Z), (flat, X))
    ]
    findings = (
        Finding("a straight line separates the mapped points without an error", wrong[0] == 0),
        Finding(
            f"no straight line separates those in the plane: the machine there has {wrong[1]} errors", wrong[1] > 0
        ),
    )
    about = "A disc inside a ring, which a circle separates; with ‖x‖² for the second coordinate a straight line does."
    rows = (("mapped", *beta, beta0, wrong[0]), ("in the plane", *flat.coef_[0], flat.intercept_[0], wrong[1]))
    return Drawing(about, panels, ("coordinates", "β₁", "β₂", "β₀", "errors"), rows, findings)


FIGURES = (
    Figure(
        "hyperplanes",
        "Separating planes and the widest margin",
        ("M-ISML-F27.1-5,7-9", "M-ISML-F27.6", "M-KIM-F3.1-3.8", "ESL-12.1", "ISML-27.1"),
        "eight points of ours in fractions; 200 points of the table `separable`, seed 0, C = 1000",
        hyperplanes,
    ),
    Figure(
        "optima",
        "Least points on a constraint",
        ("M-KIM-F3.1-3.8", "M-ISML-F27.1-5,7-9", "KIM-3.1", "KIM-3.2"),
        "f(x) = 2x₁² + x₂² with x₁ + x₂ ≥ c, in fractions",
        optima,
    ),
    Figure(
        "similarity",
        "Points in one direction",
        ("M-KIM-F3.1-3.8", "KIM-3.2-cosine"),
        "seven points of ours",
        similarity,
    ),
    Figure(
        "lifted",
        "The feature map",
        ("M-KIM-F3.1-3.8", "M-ISML-F27.1-5,7-9", "ISML-27.4-trick"),
        "eighty points of ours, seed 5; hard margin with the map, C = 10 without",
        lifted,
    ),
    Figure(
        "unequal_variances",
        "Unequal variances",
        ("M-KIM-F2.1/2.2", "M-X8", "KIM-2.2-unequal"),
        "N(0, 1) and N(4, 9), both as likely",
        unequal_variances,
        "discriminants",
    ),
)
