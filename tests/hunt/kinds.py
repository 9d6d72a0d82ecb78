"""A dozen kinds of hard data, the machines that they are given to, and the case that a seed stands for.

Everything is drawn from one `random.Random(seed)`, so that a seed alone repeats a case.
"""

from __future__ import annotations

import csv
import functools
import math
import pathlib
import random
from dataclasses import dataclass

import refclass

DATA = pathlib.Path(refclass.__file__).parent / "data"


@dataclass(frozen=True)
class Case:
    """A fit: the estimator's class and parameters, the rows, the labels or responses."""

    kind: str
    method: str
    parameters: dict
    X: list
    y: list
    lam: float = 0  # of the point of an SVM path, 0 for other methods

    def estimator(self, arithmetic="float"):
        """Return the estimator, not yet fitted."""
        kinds = {cls.method: cls for cls in refclass.estimator_classes()}
        return kinds[self.method](**self.parameters, arithmetic=arithmetic)

    def fit(self, arithmetic="float"):
        """Return the fitted estimator, of a path its machine at λ."""
        fitted = self.estimator(arithmetic).fit(self.X, self.y)
        return fitted.at(self.lam) if self.lam else fitted

    def problem(self):
        """Return the problem as JSON has it, for the kernel of trust; a point of a path is the machine of C = 1/λ."""
        parameters = {**self.parameters, "C": 1 / self.lam} if self.lam else self.parameters
        return {"method": "svc" if self.lam else self.method, "parameters": parameters, "x": self.X, "y": self.y}

    def line(self):
        """Return a line of Python that repeats the fit."""
        name = {cls.method: cls for cls in refclass.estimator_classes()}[self.method].__name__
        given = ", ".join(f"{k}={v!r}" for k, v in self.parameters.items()).replace("=inf", '=float("inf")')
        at = f".at({self.lam!r})" if self.lam else ""
        return f"from refclass import {name}; m = {name}({given}).fit({self.X!r}, {self.y!r}){at}"


# --- rows: each a function of chance, the number of rows and that of columns


def ordinary(r, n, p):
    """Standard normal columns."""
    return [[r.gauss(0, 1) for _ in range(p)] for _ in range(n)]


def prices(r, n, p):
    """Columns from 10⁵ to 2·10⁶, as prices are."""
    return [[r.uniform(1e5, 2e6) for _ in range(p)] for _ in range(n)]


def offset(r, n, p):
    """A spread of one about 10⁶ to 10⁹."""
    middle = 10.0 ** r.choice([6, 7, 8, 9])
    return [[middle + r.gauss(0, 1) for _ in range(p)] for _ in range(n)]


def mixed(r, n, p):
    """Columns of scales from 10⁻⁶ to 10⁶."""
    scales = [10.0 ** r.choice([-6, -3, 0, 3, 6]) for _ in range(p)]
    return [[s * r.gauss(0, 1) for s in scales] for _ in range(n)]


def heavy(r, n, p):
    """Fifth powers of normal numbers: heavy tails."""
    return [[r.gauss(0, 1) ** 5 for _ in range(p)] for _ in range(n)]


def copies(r, n, p):
    """Few rows, each several times."""
    rows = ordinary(r, max(1, n // 3), p)
    return [list(r.choice(rows)) for _ in range(n)]


def equal(r, n, p):
    """All rows equal, some far from the origin."""
    row = [r.choice([0.0, 1.0, 3e5, 4e3, 0.1]) for _ in range(p)]
    return [list(row) for _ in range(n)]


def collinear(r, n, p):
    """A constant column, and columns that are multiples of one."""
    base, factors = [r.gauss(0, 1) for _ in range(n)], [r.choice([1.0, 2.0, -3.0, 1e4]) for _ in range(p)]
    return [[1.0, *[f * v for f in factors[1:]]] if p > 1 else [v] for v in base]


def ties(r, n, p):
    """Points of a small grid: distances and margins tie."""
    return [[float(r.randint(0, 2)) for _ in range(p)] for _ in range(n)]


def separated(r, n, p):
    """Two clouds far apart: a class each (see `labels`)."""
    return [[r.gauss(0, 1) + (9 if i % 2 else 0) for _ in range(p)] for i in range(n)]


def nearly(r, n, p):
    """Two clouds that nearly touch."""
    return [[r.gauss(0, 1) + (3 if i % 2 else 0) for _ in range(p)] for i in range(n)]


def outlier(r, n, p):
    """Normal columns with one entry of 10⁹."""
    rows = ordinary(r, n, p)
    rows[r.randrange(n)][r.randrange(p)] = 1e9
    return rows


def real(r, n, p):
    """Rows of embedded data as they are, unscaled, p of their columns."""
    table = embedded(r.choice(["iris.csv", "mixture.csv", "synth_tr.csv"]))
    columns = [r.randrange(len(table[0])) for _ in range(p)]
    return [[row[j] for j in columns] for row in r.sample(table, n)]


@functools.cache
def embedded(name):
    """Return the columns of numbers of an embedded table."""
    with open(DATA / name, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))[1:]
    keep = [j for j, text in enumerate(rows[0]) if text.replace(".", "").replace("-", "").replace("e", "").isdigit()]
    return [[float(row[j]) for j in keep] for row in rows]


KINDS = (ordinary, prices, offset, mixed, heavy, copies, equal, collinear, ties, separated, nearly, outlier, real)


# --- labels and responses


def labels(r, kind, X, K):
    """Return labels of K classes, all present: by the parity of the row where the clouds have it, else by chance."""
    n = len(X)
    if K == 2 and kind in ("separated", "nearly", "ordinary"):
        return [i % 2 for i in range(n)]
    y = [*range(K), *[r.randrange(K) for _ in range(n - K)]]
    r.shuffle(y)
    return y


def responses(r, X):
    """Return responses: a line in the first column and noise, on the scale of the data or of 1, or pure noise."""
    size = max(abs(x[0]) for x in X) or 1.0
    unit = r.choice([1.0, size])
    slope = r.choice([0, 1, 1])
    return [unit * (slope * x[0] / size + r.gauss(0, 0.1)) for x in X]


# --- machines


def kernel(r):
    """Return the description of a kernel."""
    return r.choice(
        [
            "linear",
            "linear",
            {"name": "polynomial", "degree": 2},
            {"name": "polynomial", "degree": 3},
            {"name": "polynomial", "degree": 4, "c": 0},
            {"name": "gaussian", "gamma": 1},
            {"name": "gaussian", "gamma": "scale"},
        ]
    )


def cost(r):
    """Return a cost C."""
    return 10.0 ** r.choice([-6, -3, -1, 0, 0, 1, 2, 4, 6, 8])


def penalty(r):
    """Return a penalty λ."""
    return 10.0 ** r.choice([-12, -9, -6, -3, -1, 0, 0, 1, 3])


def two_class(r):
    """Draw a support vector classifier or a loss with a penalty."""
    k, free = kernel(r), r.random() < 0.8
    if r.random() < 0.6:
        C = math.inf if r.random() < 0.15 else cost(r)
        return "svc", {"C": C, "kernel": k, "loss": r.choice(["hinge", "hinge", "squared_hinge"]), "intercept": free}
    losses = ["hinge", "squared_hinge", "huberised", "huberised_hinge", "squared"]
    return "kernel_classifier", {"loss": r.choice(losses), "penalty": penalty(r), "kernel": k, "intercept": free}


def regression(r):
    """Draw a regression with a kernel, or ridge regression."""
    k, free = kernel(r), r.random() < 0.8
    losses = ["epsilon_insensitive", "squared_epsilon_insensitive", "quadratic_epsilon_insensitive"]
    epsilon = r.choice([0, 0.01, 0.1, 0.25])
    return r.choice(
        [
            ("svr", {"C": cost(r), "epsilon": epsilon, "loss": r.choice(losses), "kernel": k, "intercept": free}),
            ("svr", {"C": cost(r), "epsilon": epsilon, "loss": r.choice(losses), "kernel": k, "intercept": free}),
            ("huber", {"c": r.choice([0.1, 1, 1.345]), "penalty": penalty(r), "kernel": k, "intercept": free}),
            ("kernel_ridge", {"penalty": penalty(r), "kernel": k, "intercept": r.choice([True, True, False])}),
            ("ridge", {"penalty": penalty(r)}),
        ]
    )


def many_class(r):
    """Draw a machine of many classes."""
    return r.choice(
        [
            ("crammer_singer", {"C": cost(r), "kernel": kernel(r)}),
            ("lee_lin_wahba", {"penalty": penalty(r), "kernel": kernel(r)}),
            ("svc", {"C": cost(r), "kernel": kernel(r), "multiclass": r.choice(["ovo", "ovr"])}),
        ]
    )


def case(seed, sizes=(2, 3, 4, 5, 6, 8, 10, 14)):
    """Return the case that a seed stands for."""
    r = random.Random(seed)
    kind, n, p = r.choice(KINDS), r.choice(sizes), r.choice([1, 2, 2, 3])
    X, draw = kind(r, n, p), r.random()
    if draw < 0.45:
        return Case(kind.__name__, *two_class(r), X, labels(r, kind.__name__, X, 2))
    if draw < 0.75:
        return Case(kind.__name__, *regression(r), X, responses(r, X))
    if draw < 0.93 and n > 2:
        return Case(kind.__name__, *many_class(r), X, labels(r, kind.__name__, X, r.choice([2, 3, 3]) if n < 8 else 4))
    y = labels(r, kind.__name__, X, 2)
    return Case(kind.__name__, "svm_path", {"kernel": kernel(r)}, X, y, lam=penalty(r))


def smooth_case(seed, sizes=(2, 3, 4, 5, 6, 8, 10, 14)):
    """Return the case of the deviance, of two classes or more, that a seed stands for."""
    r = random.Random(f"deviance {seed}")
    kind, n, p = r.choice(KINDS), r.choice(sizes), r.choice([1, 2, 2, 3])
    X, K = kind(r, n, p), r.choice([2, 2, 3, 4])
    parameters = {"loss": "deviance", "penalty": penalty(r), "kernel": kernel(r), "intercept": r.random() < 0.8}
    return Case(kind.__name__, "kernel_classifier", parameters, X, labels(r, kind.__name__, X, min(K, n)))
