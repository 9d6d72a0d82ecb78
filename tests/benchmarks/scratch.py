"""Support vector machines that others wrote from scratch in Python, on the same data, and the gap that each reaches.

A peer is taken from where it is installed, or from a folder of checkouts, each named as its repository:

    PySVM, MLAlgorithms, Python (of TheAlgorithms), machinelearninginaction3x, SVM-w-SMO; tinysvm is a package

The gap is the largest violation of an optimality condition by a pair, max − min of y − Ka over those who can rise and
those who can fall; it is recomputed for everybody.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
import types
from operator import mul
from pathlib import Path

import refclass
from tests.benchmarks.machines import described
from tests.benchmarks.samples import arrays, gauss, module, numpy
from tests.benchmarks.timing import bounded, measured

FOLDERS: list[Path] = []  # of checkouts, from the command line
TOLERANCE = 1e-3  # at which a peer is asked to stop: LIBSVM's
SAME = 1e-9  # the violation that the one peer that converges is asked for: about what is left of ours
LONGEST = 120.0  # seconds given to a peer
AT = 1e-9  # of C: a multiplier so near to a bound is at it


def pysvm(X, y, K, gamma, C, tol):
    """Kaslanarian/PySVM: pairs of the largest violation, the whole Gram matrix."""
    solver = found("PySVM", "pysvm.solver")

    def run():
        products = X @ X.T
        if K == "rbf":
            squares = products.diagonal()
            products = numpy.exp(-gamma * (squares[:, None] + squares - 2 * products))
        iteration = solver.Solver(y[:, None] * y * products, -numpy.ones(len(y)), y, C, tol)
        pair = iteration.working_set_select()
        while pair[0] >= 0:
            iteration.update(*pair)
            pair = iteration.working_set_select()
        return iteration.alpha

    return run


def mlalgorithms(X, y, K, gamma, C, tol):
    """rushter/MLAlgorithms: random pairs."""
    svm, kernels = found("MLAlgorithms", "mla.svm.svm"), found("MLAlgorithms", "mla.svm.kernerls")

    def run():
        m = svm.SVM(C=C, kernel=kernels.RBF(gamma) if K == "rbf" else kernels.Linear(), tol=tol)
        m.fit(X, y)
        return m.alpha

    return run


def smo_svm(X, y, K, gamma, C, tol):
    """TheAlgorithms/Python, SmoSVM: pairs by the first heuristics."""
    absent = [name for name in ("pandas", "matplotlib") if module(name) is None]
    for name in absent:  # imported for a demonstration that is not run
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].pyplot = None
    try:
        smo = found("Python", "machine_learning.sequential_minimum_optimization")
    finally:
        for name in absent:  # nobody else shall take them for what they are called
            del sys.modules[name]
    train = numpy.column_stack([y, X])

    def run():
        kernel = smo.Kernel(kernel=K, gamma=gamma)
        m = smo.SmoSVM(train=train, kernel_func=kernel, cost=C, tolerance=tol, auto_norm=False)
        m.fit()
        return m.alphas

    return run


def smo_p(X, y, K, gamma, C, tol):
    """machinelearninginaction, smoP: pairs by the first heuristics, at most 40 rounds as in its book's examples."""
    smo = found("machinelearninginaction3x", "Ch06.svmMLiA")
    # names that NumPy 2 has no more, or that its star import now takes from Python
    smo.mat, smo.float, smo.max, smo.min = numpy.asmatrix, lambda v: numpy.asarray(v).item(), max, min
    kernel = ("rbf", gamma**-0.5) if K == "rbf" else ("lin", 0)
    return lambda: numpy.asarray(smo.smoP(X, y, C, tol, 40, kernel)[1]).ravel()


def tiny(X, y, K, gamma, C, tol):
    """tinysvm: projected gradient steps, without the equality Σ αᵢyᵢ = 0."""
    tinysvm = importlib.import_module("tinysvm")

    def run():
        m = tinysvm.TinySVC(C=C, kernel=K, gamma=gamma, tol=tol)
        m._prune = lambda X: None  # would throw the multipliers of a linear machine away
        m.fit(X, y)
        return m.coef * y

    return run


def svm_w_smo(X, y, K, gamma, C, tol):
    """LasseRegin/SVM-w-SMO: random pairs, linear or quadratic kernel."""
    if K != "linear":
        raise ImportError("no Gaussian kernel")
    svm = found("SVM-w-SMO", "SVM")

    def run():
        m, last = svm.SVM(C=C, epsilon=tol), [None]
        plain = m.calc_w

        def watched(alpha, y, X):  # the multipliers are not kept, but pass by here
            last[0] = alpha
            return plain(alpha, y, X)

        m.calc_w = watched
        m.fit(X, y)
        return last[0]

    return run


PEERS = {
    "PySVM": pysvm,
    "MLAlgorithms": mlalgorithms,
    "SmoSVM": smo_svm,
    "smoP": smo_p,
    "tinysvm": tiny,
    "SVM-w-SMO": svm_w_smo,
}
CHECKOUTS = {"SmoSVM": "Python", "smoP": "machinelearninginaction3x"}  # the others bear the names of theirs


def found(checkout, name):
    """Import a module of a checkout.  Raises ImportError where there is none."""
    for folder in FOLDERS:
        if (folder / checkout).is_dir() and str(folder / checkout) not in sys.path:
            sys.path.append(str(folder / checkout))
    return importlib.import_module(name)


def gap(X, y, kernel, C, alpha):
    """Return the largest violation by a pair, and by how much Σ αᵢyᵢ misses zero."""
    signed = list(map(mul, y, alpha))
    support = [i for i, a in enumerate(signed) if a]
    rows = refclass.gram([X[i] for i in support], X, kernel=kernel) if support else [[0.0] * len(y)]
    weights = [signed[i] for i in support] or [0.0]
    wishes = [t - sum(map(mul, weights, column)) for t, column in zip(y, zip(*rows))]
    rise = [w for w, t, a in zip(wishes, y, alpha) if (a < C - AT * C if t > 0 else a > AT * C)]
    fall = [w for w, t, a in zip(wishes, y, alpha) if (a > AT * C if t > 0 else a < C - AT * C)]
    return max(max(rise) - min(fall), 0.0), abs(sum(signed))


@measured("from scratch", "{kernel} n={n} d={d} C={C}")
def against(case, name, kernel, n, d, C, tol=TOLERANCE):
    """Train a machine to the last digits: against a peer, which stops where it stops."""
    X, labels = gauss(n, d)
    y = [2.0 * k - 1 for k in labels]
    description, theirs, gamma = described(kernel, X)
    ours = refclass.SVC(C=C, kernel=description)
    peer = None
    with contextlib.suppress(ImportError):
        if numpy:
            work = PEERS[name](*arrays(X, y), theirs, gamma, float(C), tol)
            peer = lambda: bounded(lambda: silent(work), LONGEST)  # noqa: E731

    def bound():
        return [sum(map(mul, X[0], x)) for x in X]

    def remark(run):
        words = f"gap {gap(X, y, description, C, run.ours.alpha_)[0]:.0e}"
        if peer is None:
            return words
        if run.other is None:
            return f"{words}, theirs none in {LONGEST:.0f} s"
        alpha = list(map(float, run.other))
        reached, off = gap(X, y, description, C, [min(max(a, 0.0), C) for a in alpha])
        return f"{words}, theirs {reached:.0e}" + (f", Σ αᵢyᵢ = {off:.0e}" if off > AT * C * n else "")

    return case(lambda: ours.fit(X, labels), f"{name} {tol:.0e}", peer, bound, remark)


def silent(work):
    """Do the work, whatever it prints unseen."""
    with contextlib.redirect_stdout(io.StringIO()):
        return work()


SETTINGS = [("gaussian", 2, 1), ("gaussian", 10, 100), ("linear", 10, 1)]


def settings():
    """Return the settings of the peers that are here; without any, nothing is compared."""
    here = [name for name in PEERS if any((folder / CHECKOUTS.get(name, name)).is_dir() for folder in FOLDERS)]
    here += ["tinysvm"] * (module("tinysvm") is not None)
    return [
        against.at(name, kernel, n, d, C, tol)
        for n in (200, 1000)
        for kernel, d, C in SETTINGS
        for name, tol in [("PySVM", SAME), *[(name, TOLERANCE) for name in PEERS]]
        if name in here and (kernel == "linear" or name != "SVM-w-SMO")
    ]
