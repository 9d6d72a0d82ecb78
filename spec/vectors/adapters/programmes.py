"""Any solver of qpsolvers as a candidate: vectors run --lines --candidate 'python programmes.py clarabel' qp"""

import json
import sys

import numpy as np
import qpsolvers
from scipy.sparse import csc_matrix


def dense(given, m, n):
    """Return a matrix of triplets, or of rows that are so called; the cases have no others."""
    if isinstance(given, dict) and "rows" in given:
        return np.array(given["rows"], float).reshape(m, n)
    triplets = given["triplets"] if isinstance(given, dict) else given
    M = np.zeros((m, n))
    for i, j, v in triplets:
        M[int(i), int(j)] += float(v)
    return M


def answer(problem, solver):
    """Return x and y of a programme, y positive where a row presses against its upper side."""
    q, sides = np.array(problem["q"], float), [problem.get(name, []) for name in ("l", "u")]
    m, n = max(map(len, sides)), len(q)
    P, A = dense(problem.get("P", []), n, n), dense(problem.get("A", []), m, n)
    low, high = (np.array([s * np.inf if v is None else v for v in own], float) for s, own in zip((-1, 1), sides))
    equal, above, below = low == high, (low < high) & (high < 1e20), (low < high) & (low > -1e20)
    G, h = np.vstack([A[above], -A[below]]), np.concatenate([high[above], -low[below]])
    parts = [csc_matrix(v) if v.ndim > 1 else v for v in (G, h, A[equal], low[equal])]
    parts = [part if size else None for part, size in zip(parts, [len(h)] * 2 + [equal.sum()] * 2)]
    found = qpsolvers.solve_problem(qpsolvers.Problem(csc_matrix(P), q, *parts), solver=solver)
    if not found.found:
        return {"refusal": {"type": "NoAnswer"}}
    y = np.zeros(m)
    y[equal] = found.y if equal.any() else 0
    if len(h):
        y[above] += found.z[: above.sum()]
        y[below] -= found.z[above.sum() :]
    return {"arithmetic": "float", "fitted": {"x": found.x.tolist(), "y": y.tolist()}}


for line in sys.stdin:
    try:
        told = answer(json.loads(line), sys.argv[1])
    except Exception as error:
        told = {"refusal": {"got": repr(error)}}
    print(json.dumps(told), flush=True)
