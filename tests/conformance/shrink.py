"""The smallest case of a defect: rows, columns and digits are left out while the defect stays.

After Zeller and Hildebrandt (2002), simplifying failure-inducing input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

TRIES = 250  # problems that may be tried


def shrunk(problem: dict[str, Any], fails: Callable[[dict[str, Any]], bool], tries: int = TRIES) -> dict[str, Any]:
    """Return a smaller problem that fails, too.

    fails    whether a problem shows the defect; what is no problem at all does not
    """
    left, again = tries, True
    while again and left > 0:
        again = False
        for smaller in candidates(problem):
            left -= 1
            if fails(smaller):
                problem, again = smaller, True
                break
            if left <= 0:
                break
    return problem


def candidates(problem: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield smaller problems: without half of the rows, without a row, without a column, with simpler numbers."""
    n, p = len(problem["x"]), len(problem["x"][0])
    kernel = problem.get("parameters", {}).get("kernel")
    size = n // 2
    while size >= 1 and kernel != "precomputed":
        for start in range(0, n, size):
            rows = [i for i in range(n) if not start <= i < start + size]
            if len(rows) >= 2:
                yield _of(problem, rows)
        size //= 2
    for j in range(p if p > 1 and kernel != "precomputed" else 0):
        yield _mapped(problem, lambda row, j=j: row[:j] + row[j + 1 :])
    for name in ("weights", "query"):
        if problem.get(name) is not None:
            yield {k: v for k, v in problem.items() if k != name}
    for i, row in enumerate(problem["x"]):
        for j, v in enumerate(row):
            for simple in dict.fromkeys((0, 1, round(v))):
                if simple != v and abs(simple) < abs(v) and kernel != "precomputed":
                    x = [list(r) for r in problem["x"]]
                    x[i][j] = simple
                    yield {**problem, "x": x}


def _of(problem: dict[str, Any], rows: list[int]) -> dict[str, Any]:
    out = {**problem, "x": [problem["x"][i] for i in rows], "y": [problem["y"][i] for i in rows]}
    if problem.get("weights") is not None:
        out["weights"] = [problem["weights"][i] for i in rows]
    return out


def _mapped(problem: dict[str, Any], change: Callable[[list[Any]], list[Any]]) -> dict[str, Any]:
    out = {**problem, "x": [change(row) for row in problem["x"]]}
    if problem.get("query") is not None:
        out["query"] = [change(row) for row in problem["query"]]
    return out
