"""Tables of one size far from one, or of several, for discriminants, comparators and linear regressions, and machines.

Columns of 10^±30 to 10^±150 and denormal ones, offsets of 10⁶ to 10³⁰ beside a spread of one or less, columns and rows
of several sizes, constant, collinear and copied ones, fewer rows than columns, up to eleven classes, one of one row,
weights of 10^±100, points far away: 10¹⁷ times as far as the rows, and at 10¹⁶⁰.

For every method, machines most of all, unscaled columns of 10⁴ to 10⁶ whose rows are multiples of one number, offsets
of 10⁶ to 10⁹ beside a spread of one down to 10⁻⁴, two to four classes, weights, costs and penalties from 10⁻⁹ to 10⁸.
"""

from __future__ import annotations

import random

from refclass.errors import InvalidInput, Refusal
from tests.hunt.own_and_changed import METHODS, SQUARE, TWO, WIDE, kind_of, own, verdict

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


# --- unscaled tables ---


def unscaled(r, n, p):
    size, unit = 10.0 ** r.choice([4, 5, 6]), r.choice([1, 100, 1000])
    return [[round(size * r.gauss(0, 1) / unit) * float(unit) for _ in range(p)] for _ in range(n)]


def small(r, n, p):
    return [[r.randint(-3, 3) for _ in range(p)] for _ in range(n)]


def offset(r, n, p):
    middle, spread = 10.0 ** r.choice([6, 6, 7, 8, 9]), 10.0 ** r.choice([0, 0, -2, -4])
    x = small(r, n, p) if r.random() < 0.5 else [[r.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    return [[middle + spread * v for v in a] for a in x]


def repeated(r, n, p):
    rows = r.choice([unscaled, small, offset])(r, max(2, n // 3), p)
    return [list(r.choice(rows)) for _ in range(n)]


def beside_constant(r, n, p):
    rows, value = r.choice([unscaled, small, offset])(r, n, p), r.choice([0, 1, 7, 1e6, 0.1])
    return [[*a[:-1], value] if p > 1 else [*a, value] for a in rows]


def of_scales(r, n, p):
    scales = [10.0 ** r.choice([-6, -3, 0, 3, 6]) for _ in range(p)]
    return [[s * r.gauss(0, 1) for s in scales] for _ in range(n)]


def on_a_grid(r, n, p):
    unit, middle = 10.0 ** r.choice([4, 5, 6]), r.choice([0, 1e6])
    return [[middle + unit * r.choice([-2, -1, 0, 1, 2, 0.5]) for _ in range(p)] for _ in range(n)]


UNSCALED = (unscaled, unscaled, small, offset, offset, repeated, beside_constant, of_scales, on_a_grid)
KERNELS = ("linear", "linear", "linear", WIDE, {"name": "gaussian", "gamma": 1}, SQUARE)
KERNELS += ({"name": "polynomial", "degree": 3},)
EVERY = (*METHODS, "kernel_ridge", "ridge", "logistic")
MACHINES = ("svc", "svc", "svc", "crammer_singer", "lee_lin_wahba", "kernel_classifier", "svr", "huber", "kernel_ridge")
MACHINES += ("actual_distance", "svm_path", "one_vs_one", "one_vs_rest")
UNWEIGHTED = ("sparse_discriminant", "svm_path", "actual_distance", "ridge", "polynomial", "lasso", "mars")
ROUNDED = ("network", "logistic", "gaussian_nodes")  # methods that fractions do not hold
TUBES = ("epsilon_insensitive", "squared_epsilon_insensitive", "quadratic_epsilon_insensitive")


def parameters(r, method):
    """Return parameters of a method: of machines costs and penalties of all sizes, and any kernel."""
    kernel, free = r.choice(KERNELS), r.random() < 0.8
    cost, penalty = (
        10.0 ** r.choice([-6, -3, -1, 0, 0, 1, 2, 3, 5, 6, 8]),
        10.0 ** r.choice([-9, -6, -3, -2, -1, 0, 1, 3]),
    )
    loss = r.choice(["hinge", "squared_hinge", "huberised", "squared", "deviance"])
    known = {
        "svc": {"C": r.choice([cost, cost, cost, "inf"]), "loss": r.choice(["hinge", "hinge", "squared_hinge"])},
        "crammer_singer": {"C": cost},
        "lee_lin_wahba": {"penalty": penalty},
        "kernel_classifier": {"loss": loss, "penalty": penalty},
        "svr": {"C": cost, "epsilon": r.choice([0, 0.01, 0.1, 1]), "loss": r.choice(TUBES)},
        "huber": {"c": r.choice([0.1, 1, 1.345]), "penalty": penalty},
        "kernel_ridge": {"penalty": penalty},
        "svm_path": {},
    }
    if method in known:
        others = ("crammer_singer", "lee_lin_wahba", "svm_path")
        return {**known[method], "kernel": kernel, **({} if method in others else {"intercept": free})}
    given = dict(r.choice(METHODS.get(method, [{}])))
    return {**given, "penalty": penalty} if method in ("ridge", "logistic", "pda") else given


def machines(seed):
    """Return the problem of a seed: any method, machines most often, on an unscaled table."""
    r = random.Random(f"unscaled {seed}")
    method = r.choice(EVERY if r.random() < 0.6 else MACHINES)
    n, p = r.choice([4, 5, 6, 8, 10, 12, 16, 20]), r.choice([1, 1, 2, 3])
    n = min(n, 10) if method in ("svm_path", "lee_lin_wahba", "mda", "network", "mars") else n
    x, labelled = r.choice(UNSCALED)(r, n, p), kind_of(method).takes_labels
    K = min(2 if method in TWO else r.choice([2, 2, 3, 3, 4]), n // 2)
    size = max(abs(v) for a in x for v in a) or 1
    if labelled and r.random() < 0.3:  # classes that differ
        x = [[v + (i % K) * size / 2 for v in a] for i, a in enumerate(x)]
    unit, slope = r.choice([1, 1, 10, size]), r.choice([0, 1])
    y = [i % K if labelled else round(unit * (slope * a[0] / size + r.gauss(0, 0.3)), 3) for i, a in enumerate(x)]
    query = [x[0], [v * 1.5 for v in x[-1]], [r.choice(x)[j] for j in range(len(x[0]))]]
    given = {"method": method, "parameters": parameters(r, method), "x": x, "y": y, "query": query}
    if r.random() < 0.35 and method not in UNWEIGHTED:
        given["weights"] = [r.choice([0.5, 1, 1, 2]) if r.random() < 0.9 else r.choice([1e-3, 1e3]) for _ in x]
    rounded = method in ROUNDED or given["parameters"].get("loss") == "deviance"
    given["arithmetic"] = "exact" if r.random() < 0.1 and not rounded else "float"
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
