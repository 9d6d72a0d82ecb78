"""Figures of the discriminants: directions, straight and curved borders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any, Callable

from refclass.estimators.discriminants.fda import FlexibleDiscriminantAnalysis
from refclass.estimators.discriminants.lda import LinearDiscriminantAnalysis
from refclass.estimators.discriminants.mda import MixtureDiscriminantAnalysis
from refclass.estimators.discriminants.qda import QuadraticDiscriminantAnalysis
from refclass.estimators.discriminants.rda import RegularizedDiscriminantAnalysis
from refclass.estimators.margins.svc import SVC
from refclass.report.commands import tour
from refclass.report.drawing import plane, svg
from refclass.report.drawing.figure import Drawing, Figure, Finding
from refclass.report.figures import mixture
from refclass.report.figures.discriminant_directions import APART, EACH, SEED, WITHIN, directions
from refclass.report.text import words

Scores = Callable[[list[list[float]]], Sequence[Sequence[float]]]


def borders(field: plane.Plane, scores: Sequence[Sequence[float]], name: str = "border") -> svg.Lines:
    """Return the lines where the largest of several scores changes, given at the nodes  [ESL-4.3-lattice]."""
    lines: list[Any] = []
    for k in range(len(scores[0]) - 1):
        ahead = [s[k] - max(*s[:k], *s[k + 1 :], -math.inf) for s in scores]
        lines += field.contour(ahead)
    return svg.Lines(name, tuple(lines))


# --- straight and quadratic borders ---


def squares(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return x₁, x₂, x₁x₂, x₁², x₂² of each row."""
    return [[a, b, a * b, a * a, b * b] for a, b in rows]


def quadratic_borders() -> Drawing:
    """Return borders by linear discriminants, in the space of squares too, by quadratic ones, and half way between.

    [M-ESL-F4.6] [LDA-QUADBASIS] [ESL-4.11] [ESL-4.12] [ESL-4.13]
    """
    flowers, y = tour.rows("iris", "float", None, None)
    X = [row[:2] for row in flowers]
    field = plane.around(X, ("sepal length", "sepal width"), 81)
    linear, wide = (LinearDiscriminantAnalysis().fit(part, y) for part in (X, squares(X)))
    quadratic = QuadraticDiscriminantAnalysis().fit(X, y)
    half = RegularizedDiscriminantAnalysis(alpha=0.5).fit(X, y)
    rules: list[tuple[str, Any, Any]] = [
        ("linear", linear, list),
        ("linear in x₁, x₂, x₁x₂, x₁², x₂²", wide, squares),
        ("quadratic", quadratic, list),
        ("regularised, α = ½", half, list),
    ]
    panels, rows, labels = [], [], []
    for title, model, spread in rules:
        nodes = spread(field.nodes)
        panels.append(field.panel(title, [*plane.classes(X, y), borders(field, model.decision_function(nodes))]))
        labels.append(model.predict(spread(X)))
    quadratic_labels = labels[2]
    others = [sum(a != b for a, b in zip(part, quadratic_labels)) for part in labels]
    for (title, _, _), part, other in zip(rules, labels, others):
        wrong = sum(a != b for a, b in zip(part, y))
        rows.append((title, words.share(wrong, len(y)), words.share(other, len(y))))
    statement = (
        f"the linear rule among squares labels {others[1]} of {len(y)} points otherwise than the quadratic one, the "
    )
    statement += f"plain linear rule {others[0]}"
    findings = (Finding(statement, others[1] < others[0] / 2),)
    about = "Three kinds of iris by the length and width of the sepal, with borders by four rules: straight ones, and "
    about += "quadratic ones found in two ways."
    header = ("rule", "training errors", "points labelled otherwise than by the quadratic rule")
    return Drawing(about, tuple(panels), header, tuple(rows), findings)


# --- directions ---


# --- flexible rules on the mixture data ---


def flexible_borders() -> Drawing:
    """Return the borders of flexible and mixture discriminants on the mixture data.

    [M-YANG-MDA] [M-YANG-FDA] [YANG-fda] [YANG-mda-posterior]
    """
    X, y = mixture.points()
    field = plane.around(X)
    rules: list[tuple[str, Any]] = [
        ("linear", LinearDiscriminantAnalysis()),
        ("FDA, polynomials of degree 2", _flexible({"name": "polynomial", "degree": 2})),
        ("FDA, MARS of degree 2", _flexible({"name": "mars", "degree": 2})),
        ("MDA, 5 subclasses", MixtureDiscriminantAnalysis(subclasses=5, seed=1)),
    ]
    bayes = mixture.bayes(field)
    panels, rows, risks = [], [], []
    for title, model in rules:
        model.fit(X, y)
        boundary = svg.Lines("f = 0", field.contour(model.decision_function(field.nodes)))
        panels.append(field.panel(title, [bayes, *plane.classes(X, y), boundary]))
        risks.append(mixture.risk(model))
        rows.append((title, mixture.wrong(model, X, y), f"{risks[-1]:.4f}", str(model.certificate_)))
    statement = "under the densities MARS and MDA err less often than the linear rule, the conic does not: "
    statement += f"the Bayes rule errs with probability {mixture.bayes_risk():.4f}"
    holds = max(risks[2:]) < risks[0] <= risks[1]
    findings = (Finding(statement, holds),)
    about = "Two overlapping classes with the borders of four rules: straight, conic, of hinged products, and of "
    about += "mixtures of five normal subclasses a class; the Bayes boundary behind them."
    header = ("rule", "training errors", "probability of an error", "proof")
    return Drawing(about, tuple(panels), header, tuple(rows), findings)


def _flexible(regression: Any) -> FlexibleDiscriminantAnalysis:
    return FlexibleDiscriminantAnalysis(regression=regression)


# --- Kim's comparison on Ripley's data ---

HALVES = 5  # the seed of the division into two halves
GAMMA = 0.5
COMPARED: tuple[tuple[str, Any, float], ...] = (
    ("linear discriminants", LinearDiscriminantAnalysis, 88.6),
    ("linear machine, C = 10", {"name": "linear"}, 89.0),
    ("cubic machine, C = 10", {"name": "polynomial", "degree": 3, "c": 0, "scale": GAMMA}, 89.6),
    ("radial machine, C = 10", {"name": "gaussian", "gamma": GAMMA}, 91.6),
)


def halves() -> tuple[list[list[float]], list[int], list[list[float]], list[int]]:
    """Return a random half of Ripley's thousand points with its labels, and the other, both scaled by the first."""
    rows, y = tour.rows("synth_te", "float", None, None)
    order = list(range(len(y)))
    Random(HALVES).shuffle(order)
    first, second = order[: len(y) // 2], order[len(y) // 2 :]
    parts = []
    for column in zip(*[rows[i] for i in first]):
        centre = math.fsum(column) / len(column)
        parts.append((centre, math.sqrt(math.fsum((v - centre) ** 2 for v in column) / (len(column) - 1))))
    scaled = [[(v - c) / s for v, (c, s) in zip(row, parts)] for row in rows]
    return [scaled[i] for i in first], [y[i] for i in first], [scaled[i] for i in second], [y[i] for i in second]


def four_rules() -> Drawing:
    """Return four rules on half of Ripley's thousand points, tested on the other half.

    [M-KIM-F4.1-4.4] [M-KIM-T1] [M-KIM-T2] [M-KIM-T3]
    """
    X, y, Z, truth = halves()
    field = plane.around(X)
    panels, rows, shares = [], [], []
    for title, kernel, printed in COMPARED:
        model: Any = kernel() if callable(kernel) else SVC(C=10, kernel=kernel)
        model.fit(X, y)
        boundary = svg.Lines("f = 0", field.contour(model.decision_function(field.nodes)))
        panels.append(field.panel(title, [*plane.classes(X, y, 1.8), boundary]))
        right = sum(a == b for a, b in zip(model.predict(Z), truth))
        shares.append(100 * right / len(truth))
        kept = len(model.support_) if isinstance(model, SVC) else "all"
        rows.append((title, kept, mixture.wrong(model, X, y), f"{right} of {len(truth)}", shares[-1], printed))
    findings = (
        Finding("the radial machine is right most often, as in the text", shares[3] == max(shares)),
        Finding(
            "all four are within 4 % of the text's shares, which another division gave that is not recorded",
            all(abs(share - printed) < 4 for share, (_, _, printed) in zip(shares, COMPARED)),
        ),
    )
    about = "Five hundred points of two classes, each of two clouds, with the boundaries of four rules."
    header = ("rule", "support points", "training errors", "right on the other half", "in %", "the text's")
    return Drawing(about, tuple(panels), header, tuple(rows), findings)


FIGURES = (
    Figure(
        "directions",
        "Centroids and the discriminant direction",
        ("M-ESL-F4.9", "M-KIM-F2.1/2.2", "ESL-4.16"),
        f"two normal classes of {EACH} points, covariance {WITHIN}, means {APART} apart, seed {SEED}",
        directions,
        "discriminants",
    ),
    Figure(
        "quadratic_borders",
        "Straight and quadratic borders",
        ("M-ESL-F4.6", "LDA-QUADBASIS", "ESL-4.11", "ESL-4.12", "ESL-4.13"),
        "the embedded iris data, sepal length and width (the text's own data are not printed)",
        quadratic_borders,
        "discriminants",
    ),
    Figure(
        "flexible_borders",
        "Flexible and mixture discriminants",
        ("M-YANG-MDA", "M-YANG-FDA", "YANG-fda", "YANG-mda-posterior"),
        f"{mixture.GIVEN}; subclasses started with seed 1",
        flexible_borders,
        "flexible",
    ),
    Figure(
        "four_rules",
        "Four rules on Ripley's points",
        ("M-KIM-F4.1-4.4", "M-KIM-T1", "M-KIM-T2", "M-KIM-T3"),
        f"synth_te, 1000 points, divided in two with seed {HALVES}; scaled to variance one; γ = ½",
        four_rules,
    ),
)
