"""Tables of one size far from one, or of several, for discriminants, comparators and linear regressions.

Columns of 10^±30 to 10^±150 and denormal ones, offsets of 10⁶ to 10³⁰ beside a spread of one or less, columns and rows
of several sizes, constant, collinear and copied ones, fewer rows than columns, up to eleven classes, one of one row,
weights of 10^±100, points far away: 10¹⁷ times as far as the rows, and at 10¹⁶⁰.
"""

from __future__ import annotations

import random

from refclass.errors import InvalidInput, Refusal
from tests.hunt.own_and_changed import METHODS, own, verdict

NUMBERS = ("huber", "ridge", "linear_regression", "kernel_ridge")  # methods whose y are numbers
NAMES = ("lda", "qda", "rda", "fisher", "scoring", "fda", "pda", "mda", "least_squares", "nearest_neighbors", "tree")
NAMES += ("perceptron", "network", "gaussian_nodes", "regression_classifier", "huber", "linear_regression")
GIVEN = {name: METHODS[name] for name in NAMES}
GIVEN["logistic"] = [{"penalty": 1}, {"penalty": "1/100"}]
GIVEN["ridge"] = [{}, {"penalty": "1/10"}]
GIVEN["kernel_ridge"] = [{}]


def multiplied(decades):
    """Return a kind of table: all columns times a power of ten."""
    return lambda r, x: [[v * 10.0**decades for v in a] for a in x]


def denormal(r, x):
    return [[5e-320 * round(9 * v) for v in a] for a in x]


def moved(r, x):
    offset = 10.0 ** r.choice([6, 9, 12, 15])
    return [[offset + v for v in a] for a in x]


def far_and_narrow(r, x):
    offset, part = r.choice([1e15, 1e20, 1e30]), r.choice([1e-14, 1e-12, 1e-9, 1e-6, 1])
    return [[offset * (1 + part * v) for v in a] for a in x]


def long_integers(r, x):
    step = r.choice([1, 10**6, 10**12, 10**18])
    return [[10**30 + round(v * 1000) * step for v in a] for a in x]


def mixed_columns(r, x):
    return [[v * (1e12, 1e-12, 1)[j % 3] for j, v in enumerate(a)] for a in x]


def mixed_rows(r, x):
    return [[v * 10.0 ** r.choice([-12, 0, 12]) for v in a] for a in x]


def heavy(r, x):
    return [[v * 10.0 ** r.uniform(-3, 9) for v in a] for a in x]


def constant(r, x):
    return [[*a, 7.0] for a in x]


def collinear(r, x):
    return [[*a, 2 * a[0] + 1] for a in x]


def copied(r, x):
    return [list(x[i // 2]) for i in range(len(x))]


KINDS = [*map(multiplied, (0, 30, 30, -30, 100, -100, 137, -120, 150, -150)), denormal, moved, moved, far_and_narrow]
KINDS += [far_and_narrow, long_integers, mixed_columns, mixed_rows, heavy, constant, collinear, collinear, copied]


def table(seed):
    """Return the problem of a seed."""
    r = random.Random(seed)
    method, kind = r.choice(list(GIVEN)), r.choice(KINDS)
    n, p = r.choice([4, 6, 9, 12]), r.choice([1, 2, 3, 6])
    K = 2 if method == "regression_classifier" else min(r.choice([2, 2, 3, 3, 5, 11]), n - 1)
    y = [i % K for i in range(n)] if r.random() < 0.9 else [min(i, K - 1) for i in range(n)]
    apart = r.choice([0, 1, 1, 2])
    x = kind(r, [[r.gauss(apart * g, 1) for _ in range(p)] for g in y])
    if method in NUMBERS:
        size = max(abs(v) for a in x for v in a) or 1
        unit = r.choice([1, 1, size])
        y = [unit * (sum(v / size for v in a) + r.gauss(0, 0.3)) for a in x]
    away = 10.0 ** r.choice([0, 0, 3, 6, 17])
    query = [x[0], [v * 1.5 for v in x[-1]], [v * away for v in x[1]]]
    if r.random() < 0.05:
        query.append([1e160] * len(x[0]))
    query = [[v if abs(v) < 1e308 else 1e308 for v in a] for a in query]
    given = {"method": method, "parameters": r.choice(GIVEN[method]), "x": x, "y": y, "query": query}
    choices = ["float", "float", "decimal:20", "exact"]
    given["arithmetic"] = r.choice(choices[:3] if method in ("network", "logistic", "gaussian_nodes") else choices)
    if r.random() < 0.12:
        given["weights"] = [r.choice([1e-100, 1, 1, 1, 1e100]) for _ in x]
    return given


def refuted(given):
    """Return what the verdict on the package's own answer to a problem finds wrong, in words; empty if nothing."""
    try:
        found = verdict(*own(given))
    except InvalidInput as refusal:
        return "two lines" if "\n" in str(refusal) else ""
    except Refusal as refusal:
        return str(refusal)
    return "" if found["accepted"] else found["verdict"]
