"""Figures of two spirals: ISML's two programs, with chance of our own."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from refclass.data import spirals as spiral
from refclass.estimators.margins.kernel_classifier import KernelClassifier
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import fit
from refclass.margins.svm import isml_listing as listing
from refclass.number.binary64 import BINARY64
from refclass.report.drawing import plane, svg
from refclass.report.drawing.axis import Axis
from refclass.report.drawing.figure import Drawing, Figure, Finding

N, SEED, START = 200, 1, 2  # points, the seed of their noise, the seed of the random start
GAMMA = 0.5  # h = 1 in exp(−‖x − x′‖²/2h²)
FIELD = plane.Plane(Axis("x₁", -17, 17), Axis("x₂", -17, 17), 100)  # a lattice of 100 × 100, as in the program


def data() -> tuple[Matrix, tuple[int, ...]]:
    """Return the points and their labels  [ISML-27.4-spiral]."""
    return spiral.points(BINARY64, N, Random(SEED))


def listed() -> tuple[Vector, Sequence[float]]:
    """Return the multipliers of the machine that the program solves, and its function at the nodes and at the points.

    [ISML-27.4-listing]
    """
    X, labels = data()
    y, kernel = Vector(map(float, labels)), Gaussian(GAMMA)
    trained = fit.train(BINARY64, listing.printed(gram(BINARY64, kernel, X), y, 0.01, 0.01))
    signed = trained.a
    return trained.alpha, [kernel.row(BINARY64, Vector.of(x), X) @ signed for x in [*FIELD.nodes, *X]]


def retargeted() -> Any:
    """Return the machine that retargeted least squares ends at, from a random start  [ISML-27.6.2-listing]."""
    X, labels = data()
    chance = Random(START)
    return KernelClassifier(
        loss="squared_hinge",
        norm="coefficients",
        intercept=False,
        penalty=2,
        kernel={"name": "gaussian", "gamma": GAMMA},
        start=[chance.random() for _ in labels],
        tol=0.001,
        max_iter=1000,
    ).fit(X, labels)


def spirals() -> Drawing:
    """Return the boundaries between two spirals by both programs  [M-ISML-F27.10/11] [M-ISML-F27.14/15/16]."""
    X, labels = data()
    alpha, values = listed()
    machine = retargeted()
    nodes = len(FIELD.nodes)
    heights = (values, machine.decision_function([*FIELD.nodes, *map(list, X)]))
    errors = [sum(f * t <= 0 for f, t in zip(h[nodes:], labels)) for h in heights]
    support = [i for i, a in enumerate(alpha) if a > 0]
    rings: tuple[list[svg.Points], ...] = ([plane.ringed("support points", X, support, svg.GREY)], [])
    titles = ("support vectors, without intercept", "retargeted least squares")
    panels = []
    for title, ring, h in zip(titles, rings, heights):
        boundary = svg.Lines("f = 0", FIELD.contour(h[:nodes]))
        panels.append(FIELD.panel(title, [*ring, *plane.classes(X, labels), boundary]))
    falling = all(b <= a * (1 + 1e-14) for a, b in zip(machine.objectives_, machine.objectives_[1:]))
    rows = (
        (titles[0], errors[0], len(support), max(alpha), "none needed", "0 ≤ α ≤ 50"),
        (titles[1], errors[1], sum(a != 0 for a in machine.alpha_), max(machine.alpha_), machine.n_iter_, "none"),
    )
    findings = (
        Finding("both separate the spirals without an error", errors == [0, 0]),
        Finding(f"all multipliers lie far inside the box: {max(alpha):.2f} of 50", max(alpha) < 5),
        Finding(f"the retargeted objective never rises, in {machine.n_iter_} rounds of some 180", falling),
    )
    about = "Two spirals of a hundred points each, every turn of one between two turns of the other, and the boundary "
    about += "that two programs find between them."
    header = ("method", "training errors", "coefficients in use", "the largest", "rounds", "box")
    return Drawing(about, tuple(panels), header, rows, findings)


FIGURES = (
    Figure(
        "spirals",
        "Two spirals",
        ("M-ISML-F27.10/11", "M-ISML-F27.14/15/16"),
        f"data.spirals, {N} points, seed {SEED}; Gaussian kernel, h = 1; λ = 0.01, 0.01·I on the Gram matrix; "
        f"retargeted: λ = 1 in the text's halves, a random start of seed {START}, until ‖Δθ‖ < 0.001",
        spirals,
    ),
)
