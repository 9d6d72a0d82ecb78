"""Figures of data sets that are not embedded: the vowel data's variates and curve, the e-mail data's curves."""

from __future__ import annotations

from typing import Any

from refclass.estimators.discriminants.lda import LinearDiscriminantAnalysis
from refclass.estimators.discriminants.rda import RegularizedDiscriminantAnalysis
from refclass.report.drawing import svg
from refclass.report.drawing.axis import Axis, spanning
from refclass.report.drawing.figure import Drawing, Figure, Finding
from refclass.report.tables import spam, vowel
from refclass.report.tables.table import Size, errors

COLOURS = (svg.BLUE, svg.ORANGE, svg.GREEN, svg.RED)
LOOKS = tuple((colour, shape) for shape in ("circle", "square", "cross") for colour in COLOURS)  # of eleven vowels
PAIRS = ((1, 2), (1, 3), (2, 3), (9, 10))
ALPHAS = tuple(k / 20 for k in range(21))


def _scattered(title: str, Z: Any, y: Any, pair: tuple[int, int], name: str) -> svg.Panel:
    """Return the points in two coordinates, the centroids of the classes larger."""
    i, j = pair[0] - 1, pair[1] - 1
    at = [(row[i], row[j]) for row in Z]
    axes = [spanning(f"{name} {k}", column) for k, column in zip(pair, zip(*at))]
    marks: list[svg.Mark] = []
    for (colour, shape), label in zip(LOOKS, sorted(set(y), key=int)):
        own = [p for p, t in zip(at, y) if t == label]
        marks.append(svg.Points(str(label), tuple(own), shape, colour, 2.0))
        centre = tuple(sum(column) / len(own) for column in zip(*own))
        marks.append(svg.Points("", (centre,), "circle", colour, 5, filled=False))
    return svg.Panel(title, axes[0], axes[1], tuple(marks))


def _spread(Z: Any, y: Any, j: int) -> float:
    """Return the variance of the class means along a coordinate over the variance within the classes."""
    means = {t: sum(r[j] for r, u in zip(Z, y) if u == t) / y.count(t) for t in set(y)}
    whole = sum(row[j] for row in Z) / len(y)
    between = sum((means[t] - whole) ** 2 for t in y)
    return float(between / sum((row[j] - means[t]) ** 2 for row, t in zip(Z, y)))


def canonical(folder: str) -> Drawing:
    """Return the vowel data in four pairs of canonical variates  [M-ESL-F4.4] [M-ESL-F4.8] [ESL-4.3.3-reduced]."""
    (X, y), (T, t) = vowel.read(Size(folder=folder))
    Z = LinearDiscriminantAnalysis().fit(X, y).transform(X)
    spreads = [_spread(Z, y, j) for j in range(10)]
    panels = tuple(_scattered(f"coordinates {a} and {b}", Z, y, (a, b), "coordinate") for a, b in PAIRS)
    found = []
    for d in range(1, 11):
        model = LinearDiscriminantAnalysis(n_components=d).fit(X, y)
        found.append((errors(model.predict(X), y), errors(model.predict(T), t)))
    rows = tuple((d + 1, spreads[d], *found[d]) for d in range(10))
    falling = all(a >= b for a, b in zip(spreads, spreads[1:]))
    findings = (
        Finding("the centroids are less spread out in every further coordinate", falling),
        Finding("two coordinates have the least test errors, 227 of 462", min(found, key=lambda e: e[1]) == (185, 227)),
    )
    about = "Eleven vowels in pairs of canonical variates, from the first two to the last two, with their centroids."
    return Drawing(about, panels, ("coordinates", "spread", "training errors", "test errors"), rows, findings)


def regularised(folder: str) -> Drawing:
    """Return errors on the vowel data between linear and quadratic rules  [M-ESL-F4.7] [TUNE-RDA] [ESL-4.13]."""
    (X, y), (T, t) = vowel.read(Size(folder=folder))
    rows = []
    for alpha in ALPHAS:
        model = RegularizedDiscriminantAnalysis(alpha=alpha).fit(X, y)
        rows.append((alpha, errors(model.predict(X), y) / len(y), errors(model.predict(T), t) / len(t)))
    lines = tuple(
        svg.Lines(name, (tuple((row[0], row[k]) for row in rows),), colour, dash)
        for k, name, colour, dash in ((1, "training", svg.BLUE, "solid"), (2, "test", svg.RED, "dashed"))
    )
    best = min(rows, key=lambda row: row[2])
    findings = (
        Finding(f"test errors are least at α = {best[0]}, the text's 0.9: {best[2]:.4f}", best[0] == 0.9),
        Finding("training errors fall as α grows", all(a[1] >= b[1] for a, b in zip(rows, rows[1:]))),
    )
    about = "Two curves against α from 0 to 1: training errors fall all the way, test errors rise near the end."
    panel = svg.Panel("error rates", Axis("α", -0.02, 1.02), Axis("error rate", -0.02, 0.62), lines)
    return Drawing(about, (panel,), ("α", "training", "test"), tuple(rows), findings, 1)


def flexible(folder: str) -> Drawing:
    """Return the vowel data in the first two coordinates of LDA and of FDA/BRUTO  [M-YANG-F12.10] [FDA-BRUTO.P2]."""
    (X, y), _ = vowel.read(Size(folder=folder))
    models: list[tuple[str, Any]] = [
        ("LDA", LinearDiscriminantAnalysis().fit(X, y)),
        ("FDA/BRUTO", vowel.by_bruto(folder)),
    ]
    panels: list[svg.Panel] = []
    rows: list[tuple[Any, ...]] = []
    for title, model in models:
        Z = model.transform(X)
        panels.append(_scattered(title, Z, y, (1, 2), "coordinate"))
        rows.append((title, _spread(Z, y, 0), _spread(Z, y, 1), errors(model.predict(X), y)))
    statement = "the classes lie further apart with additive functions, in both coordinates"
    findings = (Finding(statement, all(rows[1][k] > rows[0][k] for k in (1, 2))),)
    about = "Eleven vowels in two coordinates: by linear functions they overlap, by additive splines they part."
    header = ("method", "spread 1", "spread 2", "training errors")
    return Drawing(about, tuple(panels), header, tuple(rows), findings)


def mails(folder: str) -> Drawing:
    """Return ten-fold errors on some of the e-mails against γ, for each C  [M-MMST-SPAM] [GRID-SPAM.P1]."""
    axes, lines, rows = spam.few(), [], []
    looks = zip((svg.BLUE, svg.ORANGE, svg.GREEN, svg.PURPLE, svg.SKY, svg.RED), ("solid", "dashed") * 3)
    for C, (colour, dash) in zip(axes["C"], looks):
        rates = [spam.validate(folder, C, float(gamma), spam.FEW) for gamma in axes["gamma"]]
        points = tuple((float(gamma), sum(r) / len(r)) for gamma, r in zip(axes["gamma"], rates))
        lines.append(svg.Lines(f"C = {C}", (points,), colour, dash))
        rows.append((C, *(rate for _, rate in points)))
    least = min(min(row[1:]) for row in rows)
    findings = (
        Finding(
            "every curve is higher at its right end than at its least", all(row[-1] > min(row[1:]) for row in rows)
        ),
        Finding("the least of all lies at γ ≤ 0.001", any(least in row[1:6] for row in rows)),
    )
    about = "Six curves, one a cost: errors fall steeply near zero and rise slowly as the kernel narrows."
    top = max(max(row[1:]) for row in rows)
    panel = svg.Panel("ten-fold error", Axis("γ", -0.001, 0.041), Axis("error rate", 0, 1.1 * top), tuple(lines))
    header = ("C", *(f"γ = {float(g):g}" for g in axes["gamma"]))
    return Drawing(about, (panel,), header, tuple(rows), findings, 1)


FIGURES = (
    Figure(
        "canonical",
        "Vowels in canonical variates",
        ("M-ESL-F4.4", "M-ESL-F4.8", "ESL-4.3.3-reduced"),
        "vowel_train, 528 rows, and vowel_test, 462 rows",
        canonical,
        "discriminants",
        vowel.FILES,
    ),
    Figure(
        "regularised",
        "Between linear and quadratic",
        ("M-ESL-F4.7", "TUNE-RDA", "ESL-4.13"),
        "vowel_train and vowel_test; α in steps of 0.05",
        regularised,
        "discriminants",
        vowel.FILES,
    ),
    Figure(
        "flexible_vowels",
        "Vowels by linear and by additive functions",
        ("M-YANG-F12.10", "FDA-BRUTO.P2"),
        "vowel_train, 528 rows; BRUTO with tolerance 10⁻⁴",
        flexible,
        "flexible",
        vowel.FILES,
    ),
    Figure(
        "mails",
        "E-mail or spam: costs and widths",
        ("M-MMST-SPAM", "GRID-SPAM.P1"),
        f"{spam.FEW} rows of spam.csv, drawn with seed 0, ten folds; the whole grid is the table `spam_grid`",
        mails,
        "machines",
        spam.FILES,
    ),
)
