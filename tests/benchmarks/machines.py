"""Support vector machines measured: one machine, the whole path, the dual as a quadratic programme."""

from __future__ import annotations

import math
import subprocess
from array import array
from functools import cache
from itertools import repeat, takewhile
from operator import mul

import refclass
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import solver as decomposition
from refclass.optimise.path.path_state import Problem
from refclass.optimise.path.residuals import ELBOW
from refclass.optimise.path.solution import steps
from refclass.optimise.quadratic import certificate as quadratic
from tests.benchmarks.samples import DATA, arrays, gauss, module, numpy, width
from tests.benchmarks.timing import Reported, measured

svm, quadprog, cvxopt = module("sklearn.svm"), module("quadprog"), module("cvxopt")

RIDGE = 1e-8  # added to the diagonal for quadprog, which factors Q and would refuse a singular one


def described(kernel, X):
    """Return the kernel as refclass and as LIBSVM name it, and γ."""
    gamma = width(X)
    if kernel == "linear":
        return "linear", "linear", gamma
    return {"name": "gaussian", "gamma": gamma}, "rbf", gamma


@measured("svc {kernel}", "{data} n={n} d={d} C={C}")
def machine(case, data, kernel, n, d, C):
    """Train a two-class machine: against LIBSVM at its tolerance; the lower bound is one gradient at the solution."""
    X, y = DATA[data](n, d)
    description, theirs, gamma = described(kernel, X)
    ours = refclass.SVC(C=C, kernel=description)
    support = [tuple(X[i]) for i in refclass.SVC(C=C, kernel=description).fit(X, y).support_]
    points = list(map(tuple, X))

    def bound():
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
        other = svm.SVC(C=C, kernel=theirs, gamma=gamma, cache_size=400)
        peer = lambda: other.fit(A, b)  # noqa: E731

    def remark(run):
        m = run.ours
        gap = float(m.certificate_.gap)
        return f"{len(m.support_)} SV, gap {gap:.0e}, {gap / m.objective_:.0e} of the objective"

    return case(lambda: ours.fit(X, y), "LIBSVM", peer, bound, remark)


@measured("path {kernel}", "n={n} d={d}")
def path(case, kernel, n, d):
    """Follow the whole path: against fifty fits of LIBSVM."""
    return followed(case, kernel, n, d)


@measured("path {kernel}", "n={n} d={d} to C=100")
def path_so_far(case, kernel, n, d):
    """Follow the path as far as C = 100: against fifty fits of LIBSVM."""
    return followed(case, kernel, n, d, most=100)


@measured("path {kernel}", "n={n} d={d}")
def path_beside_r(case, kernel, n, d):
    """Follow the whole path: against svmpath in R."""
    return followed(case, kernel, n, d, "svmpath")


def followed(case, kernel, n, d, against="LIBSVM", most=math.inf):
    """Follow the whole path, or as far as C = most: against fifty fits of LIBSVM, C = 0.01 … 100, or svmpath in R."""
    X, y = gauss(n, d)
    description, theirs, gamma = described(kernel, X)
    points = list(map(tuple, X))
    peer, name = None, "50 LIBSVM"
    if against == "svmpath":
        peer, name = svmpath(X, y, kernel, gamma), "R svmpath"
    elif svm:
        A, b = arrays(X, y)
        grid = [10 ** (-2 + 4 * k / 49) for k in range(50)]
        fits = [svm.SVC(C=C, kernel=theirs, gamma=gamma) for C in grid]
        peer = lambda: [m.fit(A, b) for m in fits]  # noqa: E731

    def bound():
        return [[sum(map(mul, x, z)) for z in points] for x in points]

    signs = Vector([2.0 * k - 1 for k in y])

    def ours():
        if most == math.inf:
            return refclass.SVMPath(kernel=description).fit(X, y)._model.path.states
        K = Matrix([array("d", row) for row in refclass.gram(X, kernel=description)])
        return list(takewhile(lambda state: state.lam * most >= 1, steps(Problem(K, signs))))

    def remark(run):
        states = run.ours
        edges = [s.below.count(ELBOW) for s in states]
        each = run.seconds / sum(n * m + m * m for m in edges)
        return f"{len(states)} breakpoints, at most {max(edges)} on the edge, {each * 1e9:.0f} ns × (n m + m²) each"

    return case(ours, name, peer, bound, remark)


@cache
def svmpath_installed():
    """Return whether R is there, with its package svmpath."""
    try:
        run = subprocess.run(["Rscript", "-e", "library(svmpath)"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0


R_PATH = """
library(svmpath)
numbers <- scan(file("stdin"), quiet = TRUE)
n <- numbers[1]; d <- numbers[2]; gamma <- numbers[3]
rows <- matrix(numbers[-(1:3)], nrow = n, byrow = TRUE)
x <- rows[, 1:d, drop = FALSE]; y <- rows[, d + 1]
K <- if (gamma > 0) radial.kernel(x, x, param.kernel = gamma) else poly.kernel(x, x, param.kernel = 1)
took <- system.time(svmpath(x, y, K = K, Nmoves = 10 * n))
cat(took[["elapsed"]])
"""


def svmpath(X, y, kernel, gamma):
    """Return a run of R's svmpath that tells how long the path took it, R's start and the Gram matrix aside."""
    rows = "\n".join(" ".join(map(str, [*x, 2 * k - 1])) for x, k in zip(X, y))
    given = f"{len(X)} {len(X[0])} {gamma if kernel == 'gaussian' else 0}\n{rows}\n"

    def run():
        done = subprocess.run(["Rscript", "-e", R_PATH], input=given, capture_output=True, text=True, check=True)
        return Reported(float(done.stdout.split()[-1]))

    return run


@measured("qp, {engine}", "n={n} d={d} C={C}")
def dense(case, n, d, C, engine, against):
    """Solve the dual as a dense quadratic programme, the Gram matrix given: against quadprog or cvxopt."""
    X, y = gauss(n, d)
    signs = [2.0 * k - 1 for k in y]
    K = Matrix(refclass.gram(X, kernel={"name": "gaussian", "gamma": width(X)}))
    lower = tuple(0.0 if t > 0 else -float(C) for t in signs)
    upper = tuple(float(C) if t > 0 else 0.0 for t in signs)
    problem = quadratic.Problem(K, -Vector(signs), lower, upper, Matrix([[1.0] * n]), Vector([0.0]))
    programme = [list(map(list, K)), signs, list(lower), list(upper)]
    peer = None
    if against == "quadprog" and quadprog:
        peer = by_quadprog(*arrays(*programme))
    if against == "cvxopt" and cvxopt:
        peer = by_cvxopt(*arrays(*programme))

    def bound():
        return [sum(map(mul, row, signs)) for row in K]

    def remark(run):
        gap = float(quadratic.certify(problem, run.ours).gap)
        other = "" if run.other is None or peer is None else f", theirs {worse(K, signs, run.other, run.ours.x):.0e}"
        return f"gap {gap:.0e}{other}"

    def ours():
        return active_set.solve(problem, convex=True) if engine == "active set" else decomposition.solve(problem)

    return case(ours, against, peer, bound, remark)


def worse(K, signs, theirs, ours):
    """Return by how much their objective ½xᵀKx − yᵀx is above ours; below where they leave the box or the plane."""

    def value(x):
        return sum(map(mul, x, K @ Vector(x))) / 2 - sum(map(mul, signs, x))

    return value(list(map(float, theirs))) - value(list(ours))


def by_quadprog(G, a, lower, upper):
    """Return a call of quadprog: minimise ½xᵀGx − aᵀx, Σ xᵢ = 0, lower ≤ x ≤ upper."""
    n = len(a)
    G = G + RIDGE * numpy.eye(n)
    A = numpy.vstack([numpy.ones(n), numpy.eye(n), -numpy.eye(n)]).T
    b = numpy.concatenate([[0.0], lower, -upper])
    return lambda: quadprog.solve_qp(G, a, A, b, 1)[0]


def by_cvxopt(G, a, lower, upper):
    """Return a call of cvxopt's interior point method on the same problem."""
    n, matrix = len(a), cvxopt.matrix
    cvxopt.solvers.options["show_progress"] = False
    box, ends = numpy.vstack([numpy.eye(n), -numpy.eye(n)]), numpy.concatenate([upper, -lower])
    given = [matrix(part) for part in (G, -a, box, ends, numpy.ones((1, n)), numpy.zeros(1))]
    return lambda: list(cvxopt.solvers.qp(*given)["x"])
