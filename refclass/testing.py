"""Hypothesis strategies for hard problems: what breaks programs, drawn on purpose.

    from hypothesis import given
    from refclass.testing import problems
    @given(problems("svc"))
    def test_my_solver(problem): assert_optimal(problem, my_solver(problem))

Each problem is a mapping as `solve` reads it, with numbers that binary64 holds exactly: overlapping and separable
clouds, copies, equal points with different labels, collinear and constant columns, all points equal, unequal classes,
columns of 2^±20, offsets of 2^20, costs from 2^-20 to 2^27. This module needs Hypothesis; nothing else here does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

from hypothesis import strategies as st

REGRESSIONS = ("svr", "huber", "kernel_ridge", "ridge", "linear_regression")
ACCIDENTS = (
    "none", "copies", "contradictions", "collinear", "constant", "equal", "stretched", "shrunk", "moved", "mirror",
)  # fmt: skip
KERNELS: tuple[Any, ...] = (
    "linear",
    {"name": "gaussian", "gamma": 0.5},
    {"name": "gaussian", "gamma": 64},
    {"name": "gaussian", "gamma": 0.0009765625},
    {"name": "polynomial", "degree": 2, "c": 1, "scale": 1},
    {"name": "polynomial", "degree": 3, "c": 0, "scale": 0.25},
)

numbers = st.integers(-32, 32).map(lambda k: k / 8)
costs = st.integers(-20, 27).map(lambda k: 2**k)


@st.composite
def rows(draw: Any, n: int, p: int, accident: str = "none") -> list[list[Any]]:
    """Draw n rows of p numbers, to which an accident may have happened."""
    x = [[draw(numbers) for _ in range(p)] for _ in range(n)]
    if accident == "copies":
        x = [*x[: (n + 1) // 2], *x[: n // 2]]
    elif accident == "collinear":
        x = [[*row[:-1], sum(row[:-1])] for row in x]
    elif accident == "constant":
        x = [[*row[:-1], 1000] for row in x]
    elif accident == "equal":
        x = [x[0]] * n
    elif accident in ("stretched", "shrunk"):
        factor = 2**20 if accident == "stretched" else 2**-20
        x = [[row[0] * factor, *row[1:]] for row in x]
    elif accident == "moved":
        x = [[v + 2**20 for v in row] for row in x]
    elif accident == "mirror":
        x = [*x[: n // 2], *[[-v for v in row] for row in x[: (n + 1) // 2]]]
    return x


@st.composite
def labels(draw: Any, n: int, classes: int = 2, balanced: Optional[bool] = None) -> list[int]:
    """Draw n labels 0 … classes − 1, every one at least once; shares equal, or as unequal as can be, or drawn."""
    if balanced is True:
        return [i % classes for i in range(n)]
    rest = [0] * (n - classes) if balanced is False else [draw(st.integers(0, classes - 1)) for _ in range(n - classes)]
    return [*range(classes), *rest]


@st.composite
def problems(
    draw: Any,
    method: str = "svc",
    sizes: tuple[int, int] = (4, 10),
    columns: tuple[int, int] = (1, 3),
    classes: int = 2,
    accidents: Sequence[str] = ACCIDENTS,
    kernels: Sequence[Any] = KERNELS,
) -> dict[str, Any]:
    """Draw a problem of a method, as `solve` reads it.

    sizes, columns    least and most rows and columns
    accidents         those that may happen, a part of ACCIDENTS
    """
    accident = draw(st.sampled_from(list(accidents)))
    n, p = draw(st.integers(max(classes, sizes[0]), sizes[1])), draw(st.integers(*columns))
    x = draw(rows(n, p, "copies" if accident == "contradictions" else accident))
    if method in REGRESSIONS:
        y: list[Any] = [draw(numbers) for _ in range(n)]
    else:
        y = draw(labels(n, classes, draw(st.sampled_from([True, False, None]))))
    if accident == "contradictions":
        y = [*y[: (n + 1) // 2], *[(classes - 1 - v if method not in REGRESSIONS else -v) for v in y[: n // 2]]]
    if method not in REGRESSIONS and len(set(y)) < classes:
        y = [*range(classes), *y[classes:]]
    parameters: dict[str, Any] = {}
    if method in ("svc", "svr", "crammer_singer"):
        parameters = {"C": draw(costs), "kernel": draw(st.sampled_from(list(kernels)))}
    elif method in ("huber", "kernel_ridge"):
        parameters = {"penalty": draw(costs), "kernel": draw(st.sampled_from(list(kernels)))}
    elif method in ("ridge", "logistic"):
        parameters = {"penalty": draw(costs)}
    return {"method": method, "parameters": parameters, "x": x, "y": y}


svc = problems("svc")
svr = problems("svr")
lda = problems("lda", classes=3, sizes=(6, 12))
ridge = problems("ridge")
