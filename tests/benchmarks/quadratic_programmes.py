"""The test set of Maros and Mészáros (1999): exact optima, and times beside other solvers.

    python -m tests.benchmarks.quadratic_programmes record FOLDER     writes spec/exact_optima.md
    python -m tests.benchmarks.quadratic_programmes peers FOLDER      writes spec/quadratic_programmes.md

FOLDER holds the problems as JSON: P and A as triplets, q, l, u, r, null for no bound. Times are of the processor.
"""

from __future__ import annotations

import json
import os
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

from refclass import solve_qp
from refclass.errors import NoAnswer, NotConverged
from refclass.estimators.solve_qp import programme
from refclass.number import text
from refclass.optimise.programme import certificate, solver

RECORD = Path(__file__).resolve().parents[2] / "spec" / "exact_optima.md"
PEERS = ("quadprog", "cvxopt", "piqp", "proxqp", "daqp", "clarabel")
TIGHT: dict[str, dict[str, Any]] = {  # tolerances at which each solver is asked for high accuracy
    "quadprog": {},
    "cvxopt": {"abstol": 1e-10, "reltol": 1e-12, "feastol": 1e-12},
    "piqp": {"eps_abs": 1e-10, "eps_rel": 0, "eps_duality_gap_abs": 1e-10, "eps_duality_gap_rel": 0},
    "proxqp": {"eps_abs": 1e-10, "eps_rel": 0, "eps_duality_gap_abs": 1e-10, "check_duality_gap": True},
    "daqp": {"primal_tol": 1e-10, "dual_tol": 1e-10},
    "clarabel": {"tol_feas": 1e-10, "tol_gap_abs": 1e-10, "tol_gap_rel": 0.0},
}
HIGH = 1e-9  # residuals and gap, absolute, that qpbenchmark calls high accuracy
LENGTH = 40  # characters up to which an exact value is written out

TABLE = RECORD.with_name("quadratic_programmes.md")
PAGE = """# Quadratic programmes in doubles, beside other solvers

Written by `python -m tests.benchmarks.quadratic_programmes peers FOLDER`; do not edit. The problems are those of
[exact_optima.md](exact_optima.md). Primal residual, dual residual and duality gap of the doubles that `solve_qp`
returns are absolute, as qpbenchmark has them, computed in fractions; bold ones exceed 1e-9. In brackets the gap that
numpy's sums of doubles find where that exceeds 1e-9: a unit in the last place of an objective of 10⁷ is 2e-9, so that
such a gap is zero or a few units. Under each solver the ratio of our processor time to its, one thread, where it
reaches 1e-9 in all three by numpy's sums (– where not), at tolerances of 1e-10.

"""

HEAD = """# Exact optima of the test set of Maros and Mészáros

Written by `python -m tests.benchmarks.quadratic_programmes record FOLDER`; do not edit. The problems are those of
I. Maros and C. Mészáros, A repository of convex quadratic programming problems, Optimization Methods and Software
11 (1999), as `qpsolvers/maros_meszaros_qpbenchmark` holds them, every number the binary64 value that it is there.
The value is that of ½xᵀPx + qᵀx + r at an exact optimum, with a gap of zero: all conditions of optimality hold
with ==. *Bits* are those of its denominator; *active* counts the rows at a side; *unique* says whether x is the
only optimum. A programme *without a point* is one whose rows contradict each other as they are held, proven by
multipliers: every point leaves some row by the amount that is given or more, beside the largest entry of the row.
Roundoff in the data is enough for that.

| problem | n | rows | optimum, 17 digits | exact value | bits | active | x unique |
|---|---|---|---|---|---|---|---|
"""


def problems(folder: Path) -> list[dict[str, Any]]:
    """Return the problems of a folder, small ones first."""
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda d: (len(d["q"]) + len(d["l"]), d["name"]))


def given(d: dict[str, Any]) -> tuple[Any, ...]:
    """Return the arguments of `solve_qp`."""
    P, A = [[tuple(entry) for entry in d[name]] for name in ("P", "A")]
    return P, d["q"], A, d["l"], d["u"]


def digits(value: Fraction, count: int = 17) -> str:
    """Return the decimal notation of a fraction to so many significant digits, rounded half away from zero."""
    if not value:
        return "0"
    exponent, size = 0, abs(value)
    while size >= 10:
        size, exponent = size / 10, exponent + 1
    while size < 1:
        size, exponent = size * 10, exponent - 1
    whole = int(size * 10 ** (count - 1) + Fraction(1, 2))
    digit = str(whole)
    sign = "−" if value < 0 else ""
    return f"{sign}{digit[0]}.{digit[1:].rstrip('0') or '0'}" + (f"e{exponent}" if exponent else "")


def row(d: dict[str, Any]) -> str:
    """Return the line of the record for a problem."""
    start = f"| {d['name']} | {len(d['q'])} | {len(d['l'])} |"
    try:
        found = solve_qp(*given(d), arithmetic="exact")
    except NoAnswer as refusal:
        p = programme(*given(d))
        assert certificate.refusal_reason(p, refusal.witness) is None
        if "y" not in refusal.witness:
            return f"{start} not convex: a direction of negative curvature is proven | – | – | – | – |"
        amount = solver.least_excess(p, refusal.witness["y"])
        return f"{start} without a point, by {float(amount):.1e} | – | – | – | – |"
    except NotConverged:
        return f"{start} open | – | – | – | – |"
    value = found.objective + Fraction(d["r"])
    exact = text.show(value)
    shown = exact if len(exact) <= LENGTH else f"{len(exact)} characters"
    unique = "yes" if found.certificate.unique["x"] else "no"
    return f"{start} {digits(value)} | {shown} | {value.denominator.bit_length()} | {len(found.active)} | {unique} |"


def record(folder: Path) -> None:
    """Write the record, a line a problem, and keep what is finished."""
    lines: list[str] = []
    for d in problems(folder):
        start = time.process_time()
        lines.append(row(d))
        print(f"{lines[-1]} {time.process_time() - start:.2f} s", flush=True)
        RECORD.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def residuals(d: dict[str, Any], x: Any, y: Any) -> tuple[float, float, float]:
    """Return primal residual, dual residual and duality gap as qpbenchmark has them: absolute, in doubles."""
    import numpy as np

    P, A = np.zeros((len(x), len(x))), np.zeros((len(d["l"]), len(x)))
    for i, j, v in d["P"]:
        P[i, j] = v
    for i, j, v in d["A"]:
        A[i, j] = v
    low = np.array([-np.inf if v is None else v for v in d["l"]], float)
    high = np.array([np.inf if v is None else v for v in d["u"]], float)
    x, y, q = np.asarray(x, float), np.asarray(y, float), np.array(d["q"], float)
    values = A @ x
    primal = max(0.0, float(np.max(low - values)), float(np.max(values - high)))
    support = np.sum(y[y > 0] * high[y > 0]) + np.sum(y[y < 0] * low[y < 0])
    return primal, float(np.max(np.abs(P @ x + q + A.T @ y))), float(abs(x @ P @ x + q @ x + support))


def peer(d: dict[str, Any], name: str) -> tuple[Any, float]:
    """Return the point of another solver by qpsolvers, or None if it misses 1e-9, and its time."""
    import numpy as np
    import qpsolvers
    from scipy import sparse

    n, p = len(d["q"]), programme(*given(d))
    P = sparse.csc_matrix(np.array([[float(own.get(j, 0)) for j in range(n)] for own in p.P]))
    A = np.array([[float(own.get(j, 0)) for j in range(n)] for own in p.A])
    low = np.array([-np.inf if v is None else v for v in d["l"]], float)
    high = np.array([np.inf if v is None else v for v in d["u"]], float)
    equal, above, below = low == high, (low < high) & np.isfinite(high), (low < high) & np.isfinite(low)
    G, h = np.vstack([A[above], -A[below]]), np.concatenate([high[above], -low[below]])
    dense = name in ("quadprog", "daqp")
    options: list[Any] = []
    for rows, sides in ((G, h), (A[equal], low[equal])):
        options += [(rows if dense else sparse.csc_matrix(rows)), sides] if len(sides) else [None, None]
    P = P.toarray() if dense else P
    start = time.process_time()
    try:
        problem = qpsolvers.Problem(P, np.array(d["q"], float), *options)
        found = qpsolvers.solve_problem(problem, solver=name, **TIGHT[name])
    except Exception:
        return None, time.process_time() - start
    spent = time.process_time() - start
    good = found.found and max(found.primal_residual(), found.dual_residual(), found.duality_gap()) <= HIGH
    return (found.x if good else None), spent


def peers(folder: Path) -> None:
    """Write residuals, gap and time in doubles, and the times of other solvers where they solve to 1e-9."""
    import qpsolvers

    names = [name for name in PEERS if name in qpsolvers.available_solvers]
    solved = dict.fromkeys(["in fractions", "as numpy sums", *names], 0)
    lines: list[str] = []
    for d in problems(folder):
        start = time.process_time()
        try:
            found = solve_qp(*given(d))
        except (NoAnswer, NotConverged) as refusal:
            words = "not convex, proven" if "direction" in refusal.witness else type(refusal).__name__
            lines.append(f"| {d['name']} | {words} | | | {time.process_time() - start:.2f} |" + " |" * len(names))
            continue
        spent = time.process_time() - start
        exact, numpy = in_fractions(d, found.x, found.y), residuals(d, found.x, found.y)
        solved["in fractions"] += max(exact) <= HIGH
        solved["as numpy sums"] += max(numpy) <= HIGH
        own = [f"{float(v):.1e}" if float(v) == 0 or v <= HIGH else f"**{float(v):.1e}**" for v in exact]
        own[2] += "" if numpy[2] <= HIGH else f" ({numpy[2]:.1e})"
        others = []
        for name in names:
            point, seconds = peer(d, name)
            solved[name] += point is not None
            others.append("–" if point is None else f"{spent / seconds:.3g}")
        lines.append(f"| {d['name']} | {' | '.join(own)} | {spent:.2f} | " + " | ".join(others) + " |")
        print(lines[-1], flush=True)
        count = "; ".join(f"{name} {number}" for name, number in solved.items())
        table = (
            f"| problem | primal | dual | gap | seconds | {' | '.join(names)} |\n" + "|---" * (5 + len(names)) + "|\n"
        )
        text = PAGE + f"- solved to 1e-9, of {len(lines)} problems: {count}\n\n" + table + "\n".join(lines) + "\n"
        TABLE.write_text(text, encoding="utf-8")


def in_fractions(d: dict[str, Any], x: Any, y: Any) -> tuple[Fraction, Fraction, Fraction]:
    """Return primal residual, dual residual and duality gap of doubles, without roundoff."""
    p, point = programme(*given(d)), [list(map(Fraction, v)) for v in (x, y)]
    missed, balances = certificate.residuals(p, *point)
    return max(missed), max(balances), abs(certificate.certify(p, *point).gap)


if __name__ == "__main__":
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    if len(sys.argv) != 3 or sys.argv[1] not in ("record", "peers"):
        sys.exit("quadratic_programmes: need record or peers, and a folder")
    {"record": record, "peers": peers}[sys.argv[1]](Path(sys.argv[2]))
