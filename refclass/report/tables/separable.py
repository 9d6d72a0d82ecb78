"""ISML's Figure 27.6: two hundred separable points, and how few of them carry the boundary."""

from __future__ import annotations

import math
from random import Random

from refclass.estimators.margins.svc import SVC
from refclass.report.tables.table import Job, Line, Results, Size, Table, mean, under

EACH, SHIFT = 100, 4.0  # points of a class; its mean on the first axis, and minus that


def points(seed: int) -> tuple[list[list[float]], list[int]]:
    """Return two clouds of standard normal points, drawn until a gap of one lies between them on the first axis."""
    rng = Random(seed)
    X, y = [], []
    for sign in (-1, 1):
        own: list[list[float]] = []
        while len(own) < EACH:
            x = [sign * SHIFT + rng.gauss(0, 1), rng.gauss(0, 1)]
            if sign * x[0] > 0.5:
                own.append(x)
        X += own
        y += [sign] * EACH
    return X, y


def separate(seed: int) -> list[int]:
    """Return how many multipliers are above zero, and how many points are misclassified  [SVC-SPARSE.P3]."""
    X, y = points(seed)
    machine = SVC(C=1000).fit(X, y)
    return [len(machine.support_), sum(a != b for a, b in zip(machine.predict(X), y))]


def _jobs(size: Size) -> list[Job]:
    return [Job(f"separable/{seed}", separate, (seed,)) for seed in range(size.of(10, 100))]


def _lines(results: Results) -> list[Line]:
    runs = under(results, "separable/")
    if len(runs) < 2:
        return []
    ours, error = mean([float(run[0]) for run in runs])
    most = max(run[0] for run in runs)
    note = f"{min(run[0] for run in runs)} to {most} in {len(runs)} samples; in general position at most 3"
    row = f"{2 * EACH} points"
    return [
        Line((row, "multipliers above zero"), 3, ours, error * math.sqrt(len(runs)), error, 2, note),
        Line((row, "most of them in a sample"), 3, most, None, 0.0, 0),
        Line((row, "misclassified"), 0, sum(run[1] for run in runs), None, 0.0, 0, "in all samples"),
    ]


TABLES = (
    Table(
        "separable",
        "Support vectors of separable points",
        ("M-ISML-F27.6", "SVC-SPARSE"),
        f"two normal clouds of {EACH} points each, means (±{SHIFT:g}, 0), a gap of one between them, seeds 0 to 99; "
        "C = 1000 (the text's points are not printed)",
        _jobs,
        _lines,
        "machines",
    ),
)
