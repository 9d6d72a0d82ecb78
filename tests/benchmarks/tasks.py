"""What is measured: the tasks, on data made from a seed, with a peer where one is installed."""

from __future__ import annotations

import importlib
import math
import random
from itertools import repeat
from operator import mul

import refclass
from refclass.linear import cholesky, jacobi
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.optimise import active_set, quadratic
from tests.benchmarks.timing import Case


def module(name):
    """Return a module, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


numpy, svm, discriminant = module("numpy"), module("sklearn.svm"), module("sklearn.discriminant_analysis")
ridge, quadprog = module("sklearn.kernel_ridge"), module("quadprog")


def gauss(n, d, classes=2, seed=1):
    """Return unit normal classes whose means are 2.8 apart along a random direction; six decimals."""
    rng = random.Random(seed)
    u = [rng.gauss(0, 1) for _ in range(d)]
    length = math.sqrt(sum(v * v for v in u))
    labels = [i % classes for i in range(n)]
    return [[round(rng.gauss(0, 1) + 2.8 * k * v / length, 6) for v in u] for k in labels], labels


def width(X):
    """Return 1 / (p · variance of all entries)."""
    entries = [v for x in X for v in x]
    mean = sum(entries) / len(entries)
    return 1 / (len(X[0]) * sum((v - mean) ** 2 for v in entries) / len(entries))


def arrays(*parts):
    """Return the parts as NumPy arrays."""
    return [numpy.array(part) for part in parts]


def machine(kernel, n, d, C):
    """Train a two-class machine: against LIBSVM at its own tolerance; the floor is one gradient at the solution."""
    X, y = gauss(n, d)
    gamma = width(X)
    description = "linear" if kernel == "linear" else {"name": "gaussian", "gamma": gamma}
    ours = refclass.SVC(C=C, kernel=description)
    support = [tuple(X[i]) for i in refclass.SVC(C=C, kernel=description).fit(X, y).support_]
    points = list(map(tuple, X))

    def floor():
        if kernel == "linear":
            beta = points[0]
            return [sum(map(mul, beta, x)) for x in points]
        for z in support:
            row = [math.exp(-gamma * v * v) for v in map(math.dist, repeat(z), points)]
            sum(row)
        return None

    peer = None
    if svm:
        A, b = arrays(X, y)
        other = svm.SVC(C=C, kernel="linear" if kernel == "linear" else "rbf", gamma=gamma, cache_size=400)
        peer = lambda: other.fit(A, b)  # noqa: E731

    def remark(m):
        return f"{len(m.support_)} SV, gap {float(m.certificate_.gap):.0e}"

    return Case(f"svc {kernel}", f"n={n} d={d} C={C}", lambda: ours.fit(X, y), "LIBSVM", peer, floor, remark)


def path(kernel, n, d):
    """Follow the whole path: against fifty fits of LIBSVM, C = 0.01 … 100."""
    X, y = gauss(n, d)
    gamma = width(X)
    description = "linear" if kernel == "linear" else {"name": "gaussian", "gamma": gamma}
    points = list(map(tuple, X))
    peer = None
    if svm:
        A, b = arrays(X, y)
        grid = [10 ** (-2 + 4 * k / 49) for k in range(50)]
        fits = [svm.SVC(C=C, kernel="linear" if kernel == "linear" else "rbf", gamma=gamma) for C in grid]
        peer = lambda: [m.fit(A, b) for m in fits]  # noqa: E731

    def floor():
        return [[sum(map(mul, x, z)) for z in points] for x in points]

    def remark(m):
        return f"{len(m.lambdas_)} breakpoints"

    return Case(
        f"path {kernel}",
        f"n={n} d={d}",
        lambda: refclass.SVMPath(kernel=description).fit(X, y),
        "50 LIBSVM",
        peer,
        floor,
        remark,
    )


def dense(n, d, C):
    """Solve the dual as a dense quadratic programme: against quadprog."""
    X, y = gauss(n, d)
    signs = [2.0 * k - 1 for k in y]
    K = refclass.gram(X, kernel={"name": "gaussian", "gamma": width(X)})
    lower = tuple(0.0 if t > 0 else -float(C) for t in signs)
    upper = tuple(float(C) if t > 0 else 0.0 for t in signs)
    problem = quadratic.Problem(Matrix(K), -Vector(signs), lower, upper, Matrix([[1.0] * n]), Vector([0.0]))
    peer = None
    if quadprog:
        G, a = arrays(K, signs)
        G = G + 1e-8 * numpy.eye(n)
        A = numpy.vstack([numpy.ones(n), numpy.eye(n), -numpy.eye(n)]).T
        b = numpy.concatenate([[0.0], lower, [-v for v in upper]])
        peer = lambda: quadprog.solve_qp(G, a, A, b, 1)  # noqa: E731

    def floor():
        return [sum(map(mul, row, signs)) for row in K]

    return Case(
        "dense qp", f"n={n} d={d} C={C}", lambda: active_set.solve(problem, convex=True), "quadprog", peer, floor
    )


def linear_discriminants(n, d, what):
    """Fit or predict: against scikit-learn's LDA and QDA."""
    X, y = gauss(n, d, classes=3)
    kind = refclass.LinearDiscriminantAnalysis if what.startswith("lda") else refclass.QuadraticDiscriminantAnalysis
    fitted = kind().fit(X, y)
    act = (lambda m, A, b: m.fit(A, b)) if what.endswith("fit") else (lambda m, A, b: m.predict(A))
    peer = None
    if discriminant:
        A, b = arrays(X, y)
        name = "LinearDiscriminantAnalysis" if what.startswith("lda") else "QuadraticDiscriminantAnalysis"
        other = getattr(discriminant, name)().fit(A, b)
        peer = lambda: act(other, A, b)  # noqa: E731

    def floor():
        return [sum(map(mul, x, x)) for x in X]

    return Case(what, f"n={n} d={d}", lambda: act(fitted, X, y), "scikit-learn", peer, floor)


def eigenvalues(n):
    """Decompose a symmetric matrix: against LAPACK."""
    rng = random.Random(n)
    B = Matrix([[rng.gauss(0, 1) for _ in range(n)] for _ in range(n)])
    S = B + B.T
    peer = None
    if numpy:
        (A,) = arrays([list(row) for row in S])
        peer = lambda: numpy.linalg.eigh(A)  # noqa: E731
    return Case("jacobi", f"n={n}", lambda: jacobi.factor(BINARY64, S), "LAPACK", peer, lambda: S @ S)


def factor(n):
    """Factor a positive definite matrix: against LAPACK."""
    rng = random.Random(n)
    B = Matrix([[rng.gauss(0, 1) for _ in range(n)] for _ in range(n)])
    S = B @ B.T + Matrix.identity(n, float)
    peer = None
    if numpy:
        (A,) = arrays([list(row) for row in S])
        peer = lambda: numpy.linalg.cholesky(A)  # noqa: E731
    return Case("cholesky", f"n={n}", lambda: cholesky.factor(BINARY64, S), "LAPACK", peer, lambda: S @ S[0])


def kernel_regression(n, d):
    """Fit kernel ridge regression: against scikit-learn."""
    X, _ = gauss(n, d)
    y = [x[0] for x in X]
    gamma = width(X)
    peer = None
    if ridge:
        A, b = arrays(X, y)
        other = ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=gamma)
        peer = lambda: other.fit(A, b)  # noqa: E731
    ours = refclass.KernelRidge(penalty=1, kernel={"name": "gaussian", "gamma": gamma}, intercept=False)

    def floor():
        return refclass.gram(X, kernel={"name": "gaussian", "gamma": gamma})

    return Case("kernel ridge", f"n={n} d={d}", lambda: ours.fit(X, y), "scikit-learn", peer, floor)


# Each task: its settings, the quick ones first; `--quick` takes only the first.
TASKS = {
    "svc-linear": [
        lambda n=n, d=d, C=C: machine("linear", n, d, C) for n in (500, 1000, 2000) for d in (2, 10) for C in (1, 100)
    ],
    "svc-gaussian": [
        lambda n=n, d=d, C=C: machine("gaussian", n, d, C) for n in (1000, 2000) for d in (2, 10, 57) for C in (1, 100)
    ],
    "path": [
        lambda k=k, n=n, d=d: path(k, n, d)
        for n in (100, 200, 500)
        for k, d in (("linear", 2), ("linear", 10), ("gaussian", 2), ("gaussian", 10))
    ],
    "qp": [lambda n=n, C=C: dense(n, 2, C) for n in (200, 500) for C in (1, 100)],
    "discriminants": [
        lambda n=n, d=d, w=w: linear_discriminants(n, d, w)
        for n, d in ((1000, 10), (10000, 10))
        for w in ("lda fit", "lda predict", "qda fit", "qda predict")
    ],
    "eigen": [lambda n=n: eigenvalues(n) for n in (10, 30, 60, 100)],
    "cholesky": [lambda n=n: factor(n) for n in (100, 300)],
    "kernel-ridge": [lambda n=n: kernel_regression(n, 10) for n in (200, 500, 1000)],
}
