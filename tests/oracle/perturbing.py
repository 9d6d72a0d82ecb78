"""Perturbed answers: how many are accepted at six digits, by how far a number was moved.

    python -m tests.oracle.perturbing --results FILE [METHOD …] [--count 2000]    counts, a JSON object a line
    python -m tests.oracle.perturbing --results FILE --write                      spec/perturbations.md

The largest number of an attribute that is unique is moved up or down by a share of its scale: of machines the
coefficients and the objective, not an intercept that an interval of optima leaves free.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import random
from collections import Counter

from refclass.oracle import answer, judge, problem

KINDS = {
    "crammer_singer": (("objective",), {}),
    "fda": (("eigenvalues", "centroids"), {"regression": "ridge"}),
    "fisher": (("eigenvalues", "scalings"), {}),
    "huber": (("coef", "objective"), {}),
    "kernel_ridge": (("coefficients", "objective"), {"penalty": "1/10"}),
    "lda": (("means", "coef", "covariance"), {}),
    "least_squares": (("coef", "intercept"), {}),
    "linear_regression": (("coef", "intercept"), {}),
    "logistic": (("coef", "intercept"), {"penalty": 1}),
    "pda": (("eigenvalues", "coef"), {}),
    "perceptron": (("coef", "objective"), {}),
    "polynomial": (("coefficients", "fitted_values"), {"degree": 2}),
    "qda": (("means", "covariances"), {}),
    "ridge": (("coef", "intercept", "fitted_values"), {}),
    "scoring": (("eigenvalues", "centroids"), {}),
    "svc": (("coef", "objective"), {}),
    "svr": (("coef", "objective"), {}),
}
NUMBERS = ("ridge", "linear_regression", "kernel_ridge", "svr", "huber", "polynomial")
RIGHT, WRONG = (1e-9, 3e-9), (1e-5, 5e-5, 1e-4, 1e-3)  # shares of the scale: right to eight digits, wrong in the fifth
EACH = 25  # perturbations of an answer
COUNT = 2000  # of a method, for the page
PAGE = pathlib.Path(__file__).resolve().parents[2] / "spec" / "perturbations.md"
HEAD = """# Perturbed answers

Written by `python -m tests.oracle.perturbing --write`. Answers to random problems of twelve points, one number of each
moved by a share of its scale, and judged at six digits: of what is moved by 10⁻⁹ or 3·10⁻⁹ none may be refuted, of what
is moved by 10⁻⁵ to 10⁻³ none accepted. The scale is the size of the number; of a regression's coefficient at least
the range of y over that of its column, of a regression's constant at least the largest |y|: the scale of the data it
comes from, on which a coefficient near to zero has digits, too.

| method | attributes | right to eight | of these refuted | wrong in the fifth | of these accepted |
|---|---|---|---|---|---|
"""


def drawn(method, seed):
    """Return twelve points of a method, and the answer to them."""
    r = random.Random(f"{method} {seed}")
    K = 2 if method in ("svc", *NUMBERS) else 3
    y = [i % K for i in range(12)]
    x = [[round(r.gauss(0, 1.5) + g, 2), round(r.gauss(0, 1) - g, 2)] for g in y]
    if method in NUMBERS:
        y = [round(row[0] ** 2 / 2 - row[1] + r.gauss(0, 1), 2) for row in x]
    given = {"method": method, "parameters": KINDS[method][1], "x": x, "y": y}
    asked = problem.read(json.dumps(given), "P.json")
    return asked, json.loads(json.dumps(answer.answer(asked)))


def judged(method, count):
    """Return how many perturbations are accepted or not, by whether they are right; and those judged falsely."""
    r, found, false = random.Random(method), Counter(), []
    for seed in range(count // EACH):
        asked, reported = drawn(method, seed)
        for _ in range(EACH):
            name, share = r.choice(KINDS[method][0]), r.choice([*RIGHT, *WRONG])
            values = json.loads(json.dumps([reported["fitted"][name]]))
            holder, i = max(places(values), key=lambda place: abs(place[0][place[1]]))
            holder[i] += r.choice([-1, 1]) * share * size(asked, name, holder[i], i)
            given = {"fitted": {**reported["fitted"], name: values[0]}, "arithmetic": "float"}
            accepted = judge.verify(asked, judge.read(json.dumps(given), "A.json"))["accepted"]
            found["right" if share in RIGHT else "wrong", accepted] += 1
            if accepted != (share in RIGHT):
                false.append((seed, name, share, accepted))
    return found, false


def size(asked, name, value, column):
    """Return the size of what a number is summed from: of a regression's coefficients that of y over that of x."""
    if asked.method not in NUMBERS or name not in ("coef", "intercept"):
        return abs(value)
    y = [float(v) for v in asked.y]
    if name == "intercept":
        return max(abs(value), *map(abs, y))
    x = [float(row[column]) for row in asked.x]
    return max(abs(value), (max(y) - min(y)) / (max(x) - min(x)))


def places(values):
    """Yield each number of nested lists as its list and its place."""
    for i, v in enumerate(values):
        if isinstance(v, list):
            yield from places(v)
        elif isinstance(v, (int, float)) and not isinstance(v, bool):
            yield values, i


def page(rows):
    """Return spec/perturbations.md."""
    out, names = HEAD, ("right", "refuted", "wrong", "accepted")
    for row in sorted(rows, key=lambda row: row["method"]):
        counts = " | ".join(f"{row[name]:,}" for name in names)
        out += f"| {row['method']} | {', '.join(KINDS[row['method']][0])} | {counts} |\n"
    sums = {name: sum(row[name] for row in rows) for name in names}
    out += f"| all | | {' | '.join(f'{sums[name]:,}' for name in names)} |\n"
    return out + f"\n{sums['right'] + sums['wrong']:,} answers in all.\n"


def main():
    """Count, or write the page."""
    p = argparse.ArgumentParser(prog="python -m tests.oracle.perturbing", description=(__doc__ or "").splitlines()[0])
    p.add_argument("methods", nargs="*", metavar="METHOD", help="all of them if none is named")
    p.add_argument("--results", type=pathlib.Path, required=True, metavar="FILE")
    p.add_argument("--count", type=int, default=COUNT)
    p.add_argument("--write", action="store_true")
    options = p.parse_args()
    lines = options.results.read_text(encoding="utf-8").splitlines() if options.results.exists() else []
    rows = {row["method"]: row for row in map(json.loads, lines)}
    if options.write:
        PAGE.write_text(page(rows.values()), encoding="utf-8")
        return
    for method in [m for m in options.methods or KINDS if m not in rows]:
        found, false = judged(method, options.count)
        counts = {"right": found["right", True] + found["right", False], "refuted": found["right", False]}
        counts.update({"wrong": found["wrong", True] + found["wrong", False], "accepted": found["wrong", True]})
        with options.results.open("a", encoding="utf-8") as file:
            print(json.dumps({"method": method, **counts, "false": false}), file=file)
        print(method, counts, false[:5], flush=True)


if __name__ == "__main__":
    main()
