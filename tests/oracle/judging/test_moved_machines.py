"""Coefficients of machines with costs of classes, or without slack, moved: what is accepted costs as little as is said.

Hard margins and class weights of `SVC`, hard margins of Crammer and Singer's machine, costs of Lee, Lin and Wahba's.
"""

import json
import math
from fractions import Fraction
from random import Random

import pytest

from refclass.oracle import judge, kernel, problem
from refclass.oracle.answer import answer
from tests.profiles import thorough

SEEDS = range(200) if thorough() else (11, 158)
ASKED, SLACK = 6, 0.02
MOVES = (Fraction(1, 100), Fraction(-2), None)  # parts of the coefficient of the most effect; two columns swapped


def drawn(seed):
    """Return a problem with one linear function or several, on columns of size 10^±6, some far from zero."""
    r = Random(seed)
    method = r.choice(["svc", "svc", "crammer_singer", "lee_lin_wahba"])
    K = 2 if method == "svc" else r.choice([2, 3])
    n, off, far = r.randint(2 * K, 12), r.choice([0, 0, 1, 1e3, 1e6]), r.choice([1, 6])
    sizes = [10.0 ** r.randint(-6, 6) for _ in range(r.randint(1, 3))]
    y = [i % K for i in range(n)]
    x = [[off + s * (r.gauss(0, 1) + far * (g if j == 0 else g == j)) for j, s in enumerate(sizes)] for g in y]
    parameters = {"C": r.choice([1, 10, "inf", "inf"])}
    if method == "svc" and r.random() < 0.7:
        parameters["class_weight"] = r.choice(["balanced", {str(g): g + 1 for g in range(K)}])
    if method == "lee_lin_wahba":
        costs = [[0 if j == k else j + k + 1 for k in range(K)] for j in range(K)]
        parameters = {"penalty": r.choice([1, "1/1000"]), "costs": costs}
    given = {"method": method, "parameters": parameters, "x": x, "y": y}
    return {**given, "arithmetic": r.choice(["float", "float", "decimal:20", "exact"])}


def cost(given, rows, b):
    """Return the objective of linear functions, in fractions; None where a hard margin is lost.

    Functions of Lee, Lin and Wahba's machine count as less their mean, those that miss a hard margin as scaled up.
    """
    y, of, K = given["y"], given["parameters"], len(rows)
    if given["method"] == "lee_lin_wahba":
        rows = [[v - sum(column) / K for v, column in zip(row, zip(*rows))] for row in rows]
        b = [c - sum(b) / K for c in b]
    f = [[c + kernel.dot(row, list(map(Fraction, x))) for row, c in zip(rows, b)] for x in given["x"]]
    square = sum(kernel.dot(row, row) for row in rows) / 2
    if given["method"] == "lee_lin_wahba":
        part = Fraction(1, K - 1)
        lost = [of["costs"][g][k] * max(v + part, 0) for row, g in zip(f, y) for k, v in enumerate(row)]
        return Fraction(of["penalty"]) * square + sum(lost) / len(y)
    if given["method"] == "svc":
        margins, weigh = [(2 * g - 1) * v for (v,), g in zip(f, y)], of.get("class_weight", {})
        share = {g: Fraction(len(y), 2 * y.count(g)) if weigh == "balanced" else weigh.get(str(g), 1) for g in y}
    else:
        margins = [row[g] - max(v for k, v in enumerate(row) if k != g) for row, g in zip(f, y)]
        share = dict.fromkeys(y, 1)
    if of["C"] == "inf":
        return square / min(1, *margins) ** 2 if min(margins) > 0 else None
    return square + sum(of["C"] * share[g] * max(1 - v, 0) for v, g in zip(margins, y))


def functions(fitted, K):
    """Return the rows of coefficients, and a constant of each."""
    rows = fitted["coef"] if isinstance(fitted["coef"][0], list) else [fitted["coef"]]
    return [list(map(Fraction, row)) for row in rows], list(map(Fraction, fitted.get("intercept", [0] * K)))


def moved(given, fitted, part):
    """Return the fitted values with the coefficient of the most effect moved; None where nothing is."""
    rows, _ = functions(fitted, 3)
    spreads = [Fraction(max(column)) - Fraction(min(column)) for column in zip(*given["x"])]
    places = [(abs(v) * s, k, j) for k, row in enumerate(rows) for j, (v, s) in enumerate(zip(row, spreads))]
    _, k, j = max(places)
    if part is None:
        rows[k][j], rows[k][j - 1] = rows[k][j - 1], rows[k][j]
    else:
        rows[k][j] *= 1 + part
    new = [list(map(str, row)) for row in rows]
    return None if rows == functions(fitted, 3)[0] else {**fitted, "coef": new if len(new) > 1 else new[0]}


def examined(seed):
    """Yield what is wrong with the verdicts on a problem's own answer, and on the same moved."""
    given = drawn(seed)
    asked = problem.read(json.dumps(given), "P.json")
    said = json.loads(json.dumps(answer(asked)))
    if "refusal" in said:
        return
    best = json.loads(json.dumps(answer(problem.read(json.dumps({**given, "arithmetic": "exact"}), "P.json"))))
    K = len(set(given["y"]))
    least = cost(given, *functions(best["fitted"], K))
    found = judge.verify(asked, judge.read(json.dumps(said), "A.json"))
    if not found["accepted"]:
        yield f"own answer: {found['reason']}"
        return
    held = found["digits"]["objective"]
    held = math.inf if held == "all" else held
    for part in MOVES:
        fitted = moved(given, said["fitted"], part)
        if fitted is None:
            continue
        verdict = judge.verify(asked, judge.read(json.dumps({**said, "fitted": fitted}), "A.json"))
        value = cost(given, *functions(fitted, K))
        got = 0 if value is None else kernel.digits(max(value - least, 0), max(value, least))
        if verdict["accepted"] and got + SLACK < min(ASKED, max(held - 1, 0)):
            yield f"moved by {part}: accepted with {got} digits, proven {held}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_moved_coefficients_are_held_to_what_they_cost(seed):
    """Signs, hundredths and swaps of columns whose terms of Σ aᵢxᵢ cancel."""
    assert not list(examined(seed))
