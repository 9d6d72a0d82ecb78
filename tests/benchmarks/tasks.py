"""What is measured: the tasks, on data made from a seed, with a peer where one is installed."""

from __future__ import annotations

import random
from operator import mul

import refclass
from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.factorisations import cholesky
from refclass.linear.matrix import Matrix
from refclass.number.binary64 import BINARY64
from tests.benchmarks import proofs, scratch, several
from tests.benchmarks.machines import dense, machine, path, path_beside_r, path_so_far, svmpath_installed
from tests.benchmarks.samples import arrays, gauss, module, numpy, width
from tests.benchmarks.timing import measured

discriminant, ridge = module("sklearn.discriminant_analysis"), module("sklearn.kernel_ridge")


@measured("{what}", "n={n} d={d}")
def linear_discriminants(case, n, d, what):
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

    def bound():
        return [sum(map(mul, x, x)) for x in X]

    return case(lambda: act(fitted, X, y), "scikit-learn", peer, bound)


@measured("jacobi", "n={n}")
def eigenvalues(case, n):
    """Decompose a symmetric matrix, which is indefinite: its tridiagonal form and QR steps, against LAPACK."""
    B = normal(n)
    return decomposed(case, B + B.T)


@measured("jacobi, definite", "n={n}")
def definite_eigenvalues(case, n):
    """Decompose a positive definite matrix, as covariances are: rotations of the columns of its root."""
    B = normal(n)
    return decomposed(case, B @ B.T + Matrix.identity(n, float))


def normal(n):
    """Return a matrix of n rows and n columns of normal numbers."""
    rng = random.Random(n)
    return Matrix([[rng.gauss(0, 1) for _ in range(n)] for _ in range(n)])


def decomposed(case, S):
    """Return the case of the eigenvalues and eigenvectors of S."""
    peer = None
    if numpy:
        (A,) = arrays([list(row) for row in S])
        peer = lambda: numpy.linalg.eigh(A)  # noqa: E731
    return case(lambda: one_sided_jacobi.factor(BINARY64, S), "LAPACK", peer, lambda: S @ S)


@measured("cholesky", "n={n}")
def factor(case, n):
    """Factor a positive definite matrix: against LAPACK."""
    B = normal(n)
    S = B @ B.T + Matrix.identity(n, float)
    peer = None
    if numpy:
        (A,) = arrays([list(row) for row in S])
        peer = lambda: numpy.linalg.cholesky(A)  # noqa: E731
    return case(lambda: cholesky.factor(BINARY64, S), "LAPACK", peer, lambda: S @ S[0])


@measured("kernel ridge", "n={n} d={d}")
def kernel_regression(case, n, d):
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

    def bound():
        return refclass.gram(X, kernel={"name": "gaussian", "gamma": gamma})

    return case(lambda: ours.fit(X, y), "scikit-learn", peer, bound)


def machines(kernel, sizes, dimensions):
    """Return the settings of a machine: normal classes of each size and dimension, then moons."""
    rows = [("gauss", n, d) for n in sizes for d in dimensions] + [("moons", 1000, d) for d in (2, 10)]
    return [machine.at(data, kernel, n, d, C) for data, n, d in rows for C in (1, 100)]


def paths():
    """Return the settings of the path, each also against R where it is there with its package."""
    rows = [(k, n, d) for n in (100, 200, 500) for k in ("linear", "gaussian") for d in (2, 10)]
    others = [path, path_so_far, *([path_beside_r] if svmpath_installed() else [])]
    return [other.at(*row) for row in rows for other in others]


# Each task: its settings, the quick ones first; `--quick` takes only the first.
TASKS = {
    "svc-linear": lambda: machines("linear", (500, 1000, 2000), (2, 10)),
    "svc-gaussian": lambda: machines("gaussian", (1000, 2000), (2, 10, 57)),
    "path": paths,
    "qp": lambda: [
        dense.at(n, 2, C, engine, other)
        for n in (200, 500)
        for C in (1, 100)
        for engine in ("active set", "working set")
        for other in ("quadprog", "cvxopt")
    ],
    "from-scratch": scratch.settings,
    "discriminants": lambda: [
        linear_discriminants.at(n, d, w)
        for n, d in ((1000, 10), (10000, 10))
        for w in ("lda fit", "lda predict", "qda fit", "qda predict")
    ],
    "eigen": lambda: [kind.at(n) for kind in (eigenvalues, definite_eigenvalues) for n in (10, 30, 60, 100)],
    "cholesky": lambda: [factor.at(n) for n in (100, 300)],
    "kernel-ridge": lambda: [kernel_regression.at(n, 10) for n in (200, 500, 1000)],
    "exact": lambda: [
        proofs.optimum.at(1000, 10),
        proofs.optimum.at(500, 57),
        proofs.path.at(100, 2),
    ],
    "proofs": lambda: [
        proofs.certificate.at(*a) for a in (("linear", 1000, 10), ("lda", 5000, 20), ("gaussian", 2000, 2))
    ],
    "verify": lambda: [proofs.verdict.at(n) for n in (500, 2000)],
    "many-classes": lambda: [
        several.machine.at(kind, name, kernel, C)
        for kind in ("crammer-singer", "lee-lin-wahba")
        for name in several.there("iris", "glass", "vowel")
        for kernel in ("linear", "gaussian")
        for C in (1, 100)
    ],
    "deviance": lambda: [several.deviance.at(name) for name in several.there("iris", "glass", "vowel")],
    "mixtures": lambda: [several.expectation.at(5000, 10, 6), several.mixtures.at(5000, 10, 5, 3)],
    "bruto": lambda: [
        *[several.bruto.at(name) for name in several.there("vowel", "iris")],
        several.large_bruto.at(5000, 10, 5),
    ],
    "memory": lambda: [several.memory.at(n, d) for n, d in ((1000, 20), (5000, 20), (10000, 57))],
    "start": lambda: [
        several.process.at("import", "import refclass"),
        several.process.at("tour", "from refclass.__main__ import main; main(['tour'])"),
    ],
}
