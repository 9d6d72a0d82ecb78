"""The problems of the field's conformance: published cases, and hard ones beside them; half of all are hard."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refclass.oracle.vectors import case

DATA = Path(case.__file__).resolve().parents[2] / "data" / "mixture.csv"
METHODS = ("svc", "svr", "lda", "qda", "ridge", "linear_regression", "kernel_ridge", "logistic", "crammer_singer")
METHODS += ("fda", "bruto", "mars")
EASY = {"ordinary", "many", "weighted"}
CLOUDS = [[0, 0], [1, 0.5], [0.5, 2], [2, 1], [1.5, 0], [3, 2], [2, 3.5], [1, 1.5], [4, 2.5], [3, 0.5]]
HALVES = [0] * 5 + [1] * 5
Y = [0, 1, 1, 2, 1, 3, 3, 2, 4, 3]
GAUSS = {"name": "gaussian", "gamma": 0.5}


@dataclass(frozen=True)
class Question:
    """A problem as JSON holds it.

    hard      whether something of it is degenerate, scaled, tied or refused
    refused   whether the right answer is a refusal
    """

    id: str
    problem: dict[str, Any]
    hard: bool
    refused: bool = False


def questions() -> list[Question]:
    """Return the published cases of the methods that other programs have, and the hard ones of this module."""
    found = []
    for one in case.shipped():
        if one.method in METHODS and "invalid" not in one.flags:
            hard = bool(set(one.flags) - EASY)
            found.append(Question(one.id, one.problem, hard, "refusal" in one.flags))
    return found + [Question(f"hard/{name}", problem, True) for name, problem in extra().items()]


def mixture() -> list[Question]:
    """Return two machines on the mixture data of ESL: 200 points, a linear kernel and a Gaussian one of γ = 1."""
    with DATA.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    x, y = [[float(v) for v in row[:2]] for row in rows], [int(row[2]) for row in rows]
    kernels = {"linear": "linear", "gaussian": {"name": "gaussian", "gamma": 1}}
    return [
        Question(f"mixture/{name}", {"method": "svc", "parameters": {"kernel": k}, "x": x, "y": y}, False)
        for name, k in kernels.items()
    ]


def extra() -> dict[str, dict[str, Any]]:
    """Return hard problems that are not among the cases: large costs, offsets, scales, copies, narrow kernels."""
    far = [[v + 1000000 for v in row] for row in CLOUDS]
    wide = [[a * 1048576, b / 1048576] for a, b in CLOUDS]
    near = [[0, 0], [0, 1e-3], [1, 0], [1, 1e-3], [0.5, 0], [0.5, 2e-3]]

    def svc(x: Any, y: Any, **parameters: Any) -> dict[str, Any]:
        return {"method": "svc", "parameters": parameters, "x": x, "y": y}

    def rule(method: str, x: Any, y: Any, **parameters: Any) -> dict[str, Any]:
        return {"method": method, "parameters": parameters, "x": x, "y": y, "query": x[:2]}

    return {
        "offset-gaussian": svc(far, HALVES, kernel=GAUSS),
        "offset-linear": svc(far, HALVES),
        "offset-squared-hinge": svc(far, HALVES, loss="squared_hinge"),
        "large-C-linear": svc(CLOUDS, HALVES, C=100000),
        "huge-C-linear": svc(CLOUDS, HALVES, C=10000000000),
        "large-C-gaussian": svc(CLOUDS, HALVES, C=100000, kernel=GAUSS),
        "huge-C-gaussian": svc(CLOUDS, HALVES, C=10000000000, kernel=GAUSS),
        "large-C-squared": svc(CLOUDS, HALVES, C=100000, loss="squared_hinge"),
        "column-of-1000": svc([[*row, 1000] for row in CLOUDS], HALVES),
        "column-of-1000-squared": svc([[*row, 1000] for row in CLOUDS], HALVES, loss="squared_hinge"),
        "scales": svc(wide, HALVES),
        "scales-squared": svc(wide, HALVES, loss="squared_hinge"),
        "scales-gaussian": svc(wide, HALVES, kernel=GAUSS),
        "narrow-gaussian": svc(CLOUDS, HALVES, kernel={"name": "gaussian", "gamma": 100}),
        "copies": svc(CLOUDS * 4, HALVES * 4),
        "copies-gaussian": svc(CLOUDS * 4, HALVES * 4, kernel=GAUSS, C=100),
        "fifty-to-two": svc([[i % 7, i % 5] for i in range(50)] + [[9, 9], [3, 2]], [0] * 50 + [1, 1], C=10),
        "wide": svc([[1, 0, 2, 0, 1], [0, 1, 0, 2, 1], [1, 1, 0, 0, 3]], [0, 1, 1], C=1000),
        "three-points": svc([[0], [1], [2]], [0, 1, 0], C=1000000),
        "three-points-gaussian": svc([[0], [1], [2]], [0, 1, 0], C=1000000, kernel=GAUSS),
        "near-copies": svc(near, [0, 1, 0, 1, 0, 1], C=1000),
        "saddle": svc([[0, 1, 2], [1, 0, 1], [2, 1, 0]], [0, 1, 0], kernel="precomputed"),
        "saddle-sigmoid": svc(CLOUDS, HALVES, kernel={"name": "sigmoid", "a": 1, "b": -1}),
        "quartic": svc(CLOUDS, HALVES, kernel={"name": "polynomial", "degree": 6, "c": 1, "scale": 1}),
        "svr-offset": {"method": "svr", "x": far, "y": Y, "parameters": {"kernel": GAUSS}},
        "svr-large-C": {"method": "svr", "x": CLOUDS, "y": Y, "parameters": {"C": 100000}},
        "lda-offset": rule("lda", far, HALVES),
        "lda-scales": rule("lda", wide, HALVES),
        "lda-priors": rule("lda", CLOUDS, HALVES, priors=[0.75, 0.25]),
        "lda-column-of-1000": rule("lda", [[*row, 1000] for row in CLOUDS], HALVES),
        "qda-offset": rule("qda", far, HALVES),
        "qda-scales": rule("qda", wide, HALVES),
        "ridge-offset": rule("ridge", far, Y),
        "ridge-scales": rule("ridge", wide, Y),
        "least-squares-offset": rule("linear_regression", far, Y),
        "logistic-offset": rule("logistic", far, HALVES, penalty=1),
        "logistic-scales": rule("logistic", wide, HALVES, penalty=1),
        "logistic-separable": rule("logistic", [[0], [1], [2], [3]], [0, 0, 1, 1], penalty=1e-6),
    }
