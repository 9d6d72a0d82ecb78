"""How time grows: the exponents fitted to measured times as n, d or C doubles, beside the Cost that is stated."""

from __future__ import annotations

import math

import refclass
from tests.benchmarks.machines import described
from tests.benchmarks.samples import gauss
from tests.benchmarks.timing import seconds


def linear(C):
    """Return the linear machine of a cost."""
    return lambda X, y: refclass.SVC(C=C).fit(X, y)


def gaussian(C):
    """Return the Gaussian machine of a cost."""
    return lambda X, y: refclass.SVC(C=C, kernel=described("gaussian", X)[0]).fit(X, y)


def discriminants(X, y):
    """Fit linear discriminants."""
    return refclass.LinearDiscriminantAnalysis().fit(X, y)


def path(X, y):
    """Follow the path of a linear machine."""
    return refclass.SVMPath().fit(X, y)


def ridge(X, y):
    """Fit kernel ridge regression."""
    return refclass.KernelRidge(penalty=1, kernel=described("gaussian", X)[0]).fit(X, [x[0] for x in X])


# name, what varies, the values, the work on n = 400 and d = 5 where they do not vary, the Cost that is stated
SERIES = [
    ("lda fit", "n", (500, 1000, 2000, 4000), discriminants, "n p(p + 1)/2"),
    ("lda fit", "d", (5, 10, 20, 40), discriminants, "n p(p + 1)/2"),
    ("svc linear", "n", (500, 1000, 2000, 4000), linear(1), "a few passes of n p, and p² for the points on the margin"),
    ("svc linear", "d", (5, 10, 20, 40), linear(1), "a few passes of n p, and p² for the points on the margin"),
    ("svc linear", "C", (1, 10, 100, 1000), linear, "none in C"),
    ("svc gaussian", "n", (250, 500, 1000, 2000), gaussian(1), "s rows of K and some n s for s variables that move"),
    ("svc gaussian", "C", (1, 10, 100, 1000), gaussian, "s rows of K and some n s for s variables that move"),
    ("path linear", "n", (100, 200, 400), path, "n m + m² a break point, m points on the edge"),
    ("kernel ridge", "n", (100, 200, 400), ridge, "n³/6, and n(n + 1)/2 values of the kernel"),
]


def exponent(values, times):
    """Return the slope of the least-squares line of log time on the log of what varies."""
    a, b = [math.log(v) for v in values], [math.log(max(t, 1e-9)) for t in times]
    x, y = sum(a) / len(a), sum(b) / len(b)
    return sum((u - x) * (v - y) for u, v in zip(a, b)) / sum((u - x) ** 2 for u in a)


def line(series, clock, quick=False):
    """Return the cells of a series: what grew, over what, the exponent, the times, and the Cost that is stated."""
    name, what, values, work, stated = series
    times, values = [], values[:2] if quick else values
    for v in values:
        n, d = (v if what == "n" else 400), (v if what == "d" else 5)
        X, y = gauss(n, d)
        run = work(v) if what == "C" else work
        times.append(min(seconds(lambda run=run, X=X, y=y: run(X, y), clock)[0] for _ in range(2)))
    taken = ", ".join(f"{t:.2g}" for t in times)
    over = f"{what} = {values[0]} … {values[-1]}"
    return (name, over, f"{what}^{exponent(values, times):.2f}", f"{taken} s", stated)
