"""Tables of formulas: ESL's Table 12.1 of losses with their minimisers, and MMST's Table 11.1 of kernels."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Callable

from refclass.estimators.margins.gram import gram
from refclass.losses.deviance import Deviance
from refclass.losses.hinge import Hinge
from refclass.losses.huberised import Huberised
from refclass.losses.loss import MarginLoss
from refclass.losses.squared import Squared
from refclass.number.binary64 import BINARY64
from refclass.report.tables.table import Job, Line, Results, Size, Table

LOSSES: dict[str, tuple[MarginLoss, Callable[[float], float]]] = {
    "binomial deviance": (Deviance(), lambda p: math.log(p / (1 - p))),
    "SVM hinge loss": (Hinge(), lambda p: math.copysign(1.0, p - 0.5)),
    "squared error": (Squared(), lambda p: 2 * p - 1),
    "Huberised squared hinge": (Huberised(), lambda p: 2 * p - 1),
}
CHANCES = (0.1, 0.25, 0.6, 0.75, 0.9)
ONE, OTHER = (1.0, 2.0), (2.0, -0.5)
KERNELS: dict[str, tuple[dict[str, Any], Callable[[float, float], float]]] = {
    "polynomial, d = 3, c = 1": ({"name": "polynomial", "degree": 3, "c": 1}, lambda dot, d: (dot + 1) ** 3),
    "Gaussian, σ = 2": ({"name": "gaussian", "gamma": Fraction(1, 8)}, lambda dot, d: math.exp(-d * d / 8)),
    "Laplacian, σ = 2": ({"name": "laplacian", "sigma": 2}, lambda dot, d: math.exp(-d / 2)),
    "thin-plate, σ = 2": ({"name": "thin_plate", "sigma": 2}, lambda dot, d: (d / 2) ** 2 * math.log(d / 2)),
    "sigmoid, a = 1/2, b = 1": (
        {"name": "sigmoid", "a": Fraction(1, 2), "b": 1},
        lambda dot, d: math.tanh(dot / 2 + 1),
    ),
}


def minimised(name: str, p: float) -> float:
    """Return where the expected loss p L(f) + (1 − p) L(−f) is least, by thirds of an interval  [POPMIN].

    Nothing is used but that the expected loss is convex.
    """
    loss = LOSSES[name][0]
    low, high = -8.0, 8.0
    for _ in range(100):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        at = [p * loss(BINARY64, f) + (1 - p) * loss(BINARY64, -f) for f in (a, b)]
        low, high = (low, b) if at[0] <= at[1] else (a, high)
    return (low + high) / 2


def kernel(name: str) -> float:
    """Return the kernel at the two points of the table."""
    return float(gram([list(ONE), list(OTHER)], kernel=KERNELS[name][0])[0][1])


def _loss_jobs(size: Size) -> list[Job]:
    return [Job(f"losses/{name}/{p}", minimised, (name, p)) for name in LOSSES for p in CHANCES]


def _loss_lines(results: Results) -> list[Line]:
    return [
        Line((name, f"Pr = {p}"), formula(p), results[f"losses/{name}/{p}"], None, 0.0, 5)
        for name, (_, formula) in LOSSES.items()
        for p in CHANCES
        if f"losses/{name}/{p}" in results
    ]


def _kernel_jobs(size: Size) -> list[Job]:
    return [Job(f"kernels/{name}", kernel, (name,)) for name in KERNELS]


def _kernel_lines(results: Results) -> list[Line]:
    dot, distance = sum(a * b for a, b in zip(ONE, OTHER)), math.dist(ONE, OTHER)
    return [
        Line((name, "K(x, y)"), formula(dot, distance), results[f"kernels/{name}"], None, 0.0, 10)
        for name, (_, formula) in KERNELS.items()
        if f"kernels/{name}" in results
    ]


TABLES = (
    Table(
        "minimisers",
        "Losses and what they estimate",
        ("M-ESL-T12.1", "POPMIN", "ESL-T12.1"),
        "printed: the formula at Pr(Y = +1 | x) = p; ours: the expected loss minimised by search, the formula unused",
        _loss_jobs,
        _loss_lines,
        "losses",
        remarks=("A search by values of a smooth function ends within about 10⁻⁸ of the minimiser.",),
    ),
    Table(
        "kernels",
        "Five kernels",
        ("M-MMST-T11.1", "MMST-T11.1"),
        f"printed: the formula at x = {ONE}, y = {OTHER}; ours: refclass.gram",
        _kernel_jobs,
        _kernel_lines,
        "machines",
    ),
)
