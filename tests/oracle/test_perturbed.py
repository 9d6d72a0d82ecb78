"""Perturbed answers: none accepted that is wrong in the fifth digit, none refuted that is right to eight.

300 by default, 30,000 in the thorough profile. A number is moved by a share of the size of what it is summed from.
Judged are the attributes that are unique: of machines the coefficients and the objective, not an intercept that an
interval of optima leaves free.
"""

from __future__ import annotations

import json
import random

import pytest

from refclass.oracle import answer, judge, problem
from tests.profiles import examples, thorough

SAMPLES = 30_000 if thorough() else examples(300)
KINDS = {
    "lda": (("means", "coef", "covariance"), {}),
    "qda": (("means", "covariances"), {}),
    "fisher": (("eigenvalues", "scalings"), {}),
    "ridge": (("coef", "intercept", "fitted_values"), {}),
    "linear_regression": (("coef", "intercept"), {}),
    "least_squares": (("coef", "intercept"), {}),
    "logistic": (("coef", "intercept"), {"penalty": 1}),
    "kernel_ridge": (("coefficients", "objective"), {"penalty": "1/10"}),
    "scoring": (("eigenvalues", "centroids"), {}),
    "svr": (("coef", "objective"), {}),
    "huber": (("coef", "objective"), {}),
    "svc": (("coef", "objective"), {}),
}
NUMBERS = ("ridge", "linear_regression", "kernel_ridge", "svr", "huber")
EACH = 25  # perturbations of an answer


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


@pytest.mark.slow
@pytest.mark.parametrize("method", sorted(KINDS))
def test_perturbed_numbers_are_told_from_right_ones(method):
    """The largest number of a unique attribute, moved up or down by a share of the size of what it is summed from."""
    r, count, wrong = random.Random(method), max(EACH, SAMPLES // len(KINDS)), []
    for seed in range(count // EACH):
        asked, told = drawn(method, seed)
        for _ in range(EACH):
            name, share = r.choice(KINDS[method][0]), r.choice([1e-9, 3e-9, 1e-5, 5e-5, 1e-4, 1e-3])
            values = json.loads(json.dumps([told["fitted"][name]]))
            holder, i = max(places(values), key=lambda place: abs(place[0][place[1]]))
            holder[i] += r.choice([-1, 1]) * share * size(asked, name, holder[i], i)
            given = {"fitted": {**told["fitted"], name: values[0]}, "arithmetic": "float"}
            accepted = judge.verify(asked, judge.read(json.dumps(given), "A.json"))["accepted"]
            if accepted != (share < 1e-8):
                wrong.append((seed, name, share, accepted))
    assert not wrong


@pytest.mark.slow
def test_perturbed_programmes_are_told_from_right_ones():
    """The largest number of x, or of the multipliers, moved by a share of its size, where it is the only optimum."""
    r, wrong = random.Random("qp"), []
    for _ in range(max(EACH, SAMPLES // len(KINDS))):
        n = r.randint(2, 5)
        given = {"method": "qp", "q": [r.randint(1, 9) * r.choice([-1, 1]) for _ in range(n)]}
        given["P"] = [[i, i, r.randint(1, 4)] for i in range(n)] + [[0, 1, 1 / 2], [1, 0, 1 / 2]]
        given["A"] = [[0, j, r.randint(1, 3)] for j in range(n)] + [[1 + j, j, 1] for j in range(n)]
        given.update(l=[1] + [None] * n, u=[1] + [round(r.uniform(1, 4), 2) for _ in range(n)])
        asked = problem.read(json.dumps(given), "P.json")
        told = json.loads(json.dumps(answer.answer(asked)))
        name, share = r.choice(["x", "y"]), r.choice([1e-9, 3e-9, 1e-4, 1e-3])
        values = [float(v) for v in told["fitted"][name]]
        i = max(range(len(values)), key=lambda k: abs(values[k]))
        values[i] *= 1 + r.choice([-1, 1]) * share
        moved = {"arithmetic": "float", "fitted": {**told["fitted"], name: values}}
        accepted = judge.verify(asked, judge.read(json.dumps(moved), "A.json"))["accepted"]
        if accepted != (share < 1e-8):
            wrong.append((given, name, share, accepted))
    assert not wrong


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
