"""Machines of several classes on tables of all scales, and a check of what they deliver, in fractions.

Columns of one and of 10⁵ to 2·10⁶, offsets of 10⁶ to 10⁹, columns of 10⁻⁶ beside others of 10⁶, rows given twice;
2 to 40 rows, 2 to 6 classes, weights, costs of classes, costs of slack from 10⁻⁶ to 10⁸; kernels linear, polynomial of
degree 2 and 3, Gaussian.
"""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction

from refclass.errors import Refusal
from refclass.oracle import answer, judge, kernel, problem, reading
from tests.hunt.examine import near

ASKED = 9  # digits of the objective that a default fit proves
ROUNDED = 15  # digits to which an objective agrees that was computed in fractions and rounded
KERNELS = ("linear", "linear", {"name": "polynomial", "degree": 2}, {"name": "polynomial", "degree": 3}, "gaussian")


def ones(r, n, p):
    return [[round(r.gauss(0, 1), 3) for _ in range(p)] for _ in range(n)]


def whole(r, n, p):
    return [[r.randint(-3, 3) for _ in range(p)] for _ in range(n)]


def unscaled(r, n, p):
    size, unit = r.choice([1e5, 5e5, 1e6, 2e6]), r.choice([1, 100, 10000])
    return [[round(size * r.gauss(0, 1) / unit) * float(unit) for _ in range(p)] for _ in range(n)]


def offset(r, n, p):
    middle, spread = 10.0 ** r.choice([6, 7, 8, 9]), r.choice([1, 1, 100, 1e4])
    return [[middle + spread * v for v in a] for a in r.choice([ones, whole])(r, n, p)]


def mixed(r, n, p):
    scales = [10.0 ** r.choice([-6, -3, 0, 3, 6]) for _ in range(p)]
    return [[s * v for s, v in zip(scales, a)] for a in ones(r, n, p)]


def repeated(r, n, p):
    rows = r.choice([ones, unscaled, offset])(r, max(2, n // 3), p)
    return [list(r.choice(rows)) for _ in range(n)]


KINDS = (ones, whole, unscaled, unscaled, offset, offset, mixed, mixed, repeated)


def case(seed):
    """Return the problem of a seed."""
    r = random.Random(f"several classes {seed}")
    method = r.choice(["crammer_singer", "lee_lin_wahba"])
    n, p = r.choice([2, 3, 4, 5, 6, 8, 8, 10, 12, 16, 24, 40]), r.choice([1, 1, 2, 2, 3, 5])
    K = min(r.choice([2, 3, 3, 4, 5, 6]), n)
    x = r.choice(KINDS)(r, n, p)
    y = [i % K for i in range(n)]
    size = max(abs(v) for a in x for v in a) or 1
    if r.random() < 0.4:  # classes that differ
        x = [[v + g * size * r.choice([0.5, 1]) for v in a] for g, a in zip(y, x)]
    own = r.choice(KERNELS)
    if own == "gaussian":
        spread = max(max(column) - min(column) for column in zip(*x)) or 1
        own = {"name": "gaussian", "gamma": r.choice([1.0, 2.0 ** round(math.log2(1 / spread**2))])}
    cost = 10.0 ** r.choice([-6, -4, -2, -1, 0, 0, 1, 2, 3, 4, 6, 8])
    given = {"method": method, "parameters": {"kernel": own}, "x": x, "y": y, "query": [x[0], x[-1]]}
    if method == "crammer_singer":
        given["parameters"]["C"] = cost
    else:
        given["parameters"]["penalty"] = 1 / cost
        if r.random() < 0.3:
            given["parameters"]["costs"] = [[(j != k) * r.choice([0.5, 1, 2, 10]) for k in range(K)] for j in range(K)]
    if r.random() < 0.35:
        given["weights"] = [r.choice([0.5, 1, 1, 2]) if r.random() < 0.9 else r.choice([1e-3, 1e3]) for _ in x]
    given["arithmetic"] = r.choice(["float"] * 8 + ["decimal:20"])
    if isinstance(own, dict) and own["name"] == "gaussian":  # the kernel of trust has its values in doubles
        given["arithmetic"] = "float"
    return given


# --- what is delivered, in fractions ---


def fractions(rows):
    return [[Fraction(v) for v in row] for row in rows]


def functions(own, table, model):
    """Return ‖h‖² of each class and its values at the rows: those of the function that is delivered."""
    if own.get("kernel", "linear") == "linear":
        rows = fractions(model.coef_)
        free = [Fraction(v) for v in getattr(model, "intercept_", [0] * len(rows))]
        if own.method == "lee_lin_wahba":
            rows, free = centred(rows), [b - sum(free) / len(free) for b in free]
        return [kernel.dot(w, w) for w in rows], [[kernel.dot(w, x) + b for x in own.x] for w, b in zip(rows, free)]
    crammer = own.method == "crammer_singer"
    columns = [list(c) for c in zip(*fractions(model.alpha_ if crammer else model.coefficients_))]
    free = [Fraction(v) for v in getattr(model, "intercept_", [0] * len(columns))]
    if not crammer:
        columns, free = centred(columns), [b - sum(free) / len(free) for b in free]
    values = [table.times(a) for a in columns]
    return [kernel.dot(a, h) for a, h in zip(columns, values)], [[v + b for v in h] for h, b in zip(values, free)]


def centred(rows):
    middle = [sum(column) / len(rows) for column in zip(*rows)]
    return [[v - m for v, m in zip(row, middle)] for row in rows]


def primal(own, squares, values):
    """Return the objective of functions."""
    rows, m = list(zip(*values)), len(own.names)
    if own.method == "crammer_singer":
        slack = [max(v + (k != g) for k, v in enumerate(f)) - f[g] for f, g in zip(rows, own.label)]
        return sum(squares) / 2 + sum(own.C * w * s for w, s in zip(own.w, slack))
    costs = own.get("costs", None) or [[1] * m] * m
    paid = sum(
        w * kernel.number(costs[g][k]) * max(v + Fraction(1, m - 1), 0)
        for f, g, w in zip(rows, own.label, own.w)
        for k, v in enumerate(f)
        if k != g
    )
    return own.lam * sum(squares) / 2 + paid / sum(own.w)


def bound(own, model):
    """Return the dual objective of the multipliers, by the kernel of trust."""
    alpha = fractions(model.alpha_)
    if own.method == "crammer_singer":
        return kernel.crammer_singer(own, alpha, {})[1]
    return kernel.lee_lin_wahba(own, alpha, [Fraction(v) for v in model.intercept_], {})[1]


def examined(given):
    """Return in words what is wrong with the default fit of a problem: with its objective, its proof, its verdict."""
    asked = problem.read(json.dumps(given), "the problem")
    try:
        model = asked.fitted()
        right = model.certificate_
    except Refusal as refusal:
        return [] if {"primal", "dual"} <= set(refusal.witness) else [f"refused without bounds: {refusal}"]
    question = json.loads(json.dumps(given), parse_float=kernel.number, parse_int=kernel.number)
    own = kernel.Problem({k: v for k, v in question.items() if k in ("method", "parameters", "x", "y", "weights")})
    table = kernel.gram(own)
    squares, values = functions(own, table, model)
    P, D = primal(own, squares, values), bound(own, model)
    proven = kernel.digits(P - D, max(abs(P), abs(D)))
    wrong = []
    stated = math.inf if right.digits is None else right.digits
    if min(stated, ASKED + 3) > proven + 0.02:
        wrong.append(f"states {stated} digits, the functions delivered have {proven}")
    if kernel.digits(Fraction(right.primal) - P, P) < ROUNDED:
        wrong.append(f"certificate_.primal has {kernel.digits(Fraction(right.primal) - P, P)} digits of the objective")
    least = ASKED if stated >= ASKED else ROUNDED
    agreed = kernel.digits(Fraction(model.objective_) - P, P)
    if agreed < least:
        wrong.append(
            f"objective_ {near(model.objective_):.17g} has {agreed} digits of {near(P):.17g}, stated {stated:.4g}"
        )
    if stated < ASKED and (right.ceiling is None or stated < right.ceiling - 1):
        wrong.append(f"{stated} digits without a ceiling")
    dual = Fraction(model.dual_objective_)
    if dual > D and kernel.digits(dual - D, D) < min(least, proven):
        wrong.append(f"dual_objective_ {near(dual):.17g} is above the bound {near(D):.17g}")
    said = answer.answer(asked)
    found = judge.verify(asked, reading.read(json.dumps(said), "the answer"))
    if not found["accepted"]:
        wrong.append(f"verify: {found['verdict']}")
    elif found.get("certificate", {}).get("primal") is not None:
        judged = Fraction(found["certificate"]["primal"])
        if kernel.digits(judged - P, P) < ROUNDED:
            wrong.append(f"verify computes another objective: {kernel.digits(judged - P, P)} digits")
    wrong += predicted(values, model, asked)
    return wrong


def predicted(values, model, asked):
    """Return which decision value at the rows is not that of the functions delivered; what all share is no matter."""
    size = max([1, *[abs(v) for own in values for v in own]])
    for i, (row, right) in enumerate(zip(model.decision_function(asked.x), zip(*values))):
        missed = centred([[Fraction(v) - w] for v, w in zip(row, right)])
        if max(abs(v) for (v,) in missed) * 10**9 > size:
            return [f"decision[{i}] is {near(max(abs(v) for (v,) in missed)):.3g} from the function delivered"]
    return []
