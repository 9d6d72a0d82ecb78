"""Machines of many classes, mixtures and additive splines, on the data of other people where they lie by."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from itertools import islice, repeat
from pathlib import Path

import refclass
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.optimise.mixture import em
from refclass.oracle import table
from tests.benchmarks.machines import described
from tests.benchmarks.samples import arrays, gauss, module
from tests.benchmarks.timing import Reported, measured

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
TARGETS = {"iris": ("iris.csv", "species"), "glass": ("glass.csv", "Type"), "vowel": ("vowel_train.csv", "y")}
STEPS = 10  # of EM, timed together

svm, logistic, mixture = module("sklearn.svm"), module("sklearn.linear_model"), module("sklearn.mixture")


def given(name):
    """Return rows and labels of a data set; None where its file is not here."""
    file, target = TARGETS[name]
    if name in table.EMBEDDED:
        read = table.embedded(name)
    elif (DATA / file).is_file():
        read = table.read(str(DATA / file))
    else:
        return None
    inputs = [n for n in read.names if n not in (target, "row.names", "")]
    return read.numbers(inputs, float), read.column(target)


def there(*names):
    """Return those of the data sets that are here."""
    return [name for name in names if given(name) is not None]


def gram(X, description):
    """Return the Gram matrix: the lower bound of a machine with a kernel."""
    return lambda: refclass.gram(X, kernel=description)


@measured("{kind}", "{name} {kernel} C={C}")
def machine(case, kind, name, kernel, C):
    """Train a machine of many classes: Crammer and Singer's against LIBLINEAR where the kernel is linear."""
    X, y = given(name)
    description = described(kernel, X)[0]
    if kind == "lee-lin-wahba":
        ours = refclass.LeeLinWahbaSVC(penalty=1 / (len(X) * C), kernel=description)
    else:
        ours = refclass.CrammerSingerSVC(C=C, kernel=description)
    peer = None
    if kind == "crammer-singer" and kernel == "linear" and svm:
        A, b = arrays(X, y)
        other = svm.LinearSVC(multi_class="crammer_singer", C=C, fit_intercept=False)
        peer = lambda: silently(lambda: other.fit(A, b))  # noqa: E731

    def remark(run):
        return f"{run.seconds:.2f} s, {run.ours.certificate_.digits:.1f} digits"

    return case(lambda: ours.fit(X, y), "LIBLINEAR", peer, gram(X, description), remark)


@measured("deviance", "{name} linear λ=1")
def deviance(case, name):
    """Minimise the multinomial deviance with a squared penalty, a linear kernel: against scikit-learn."""
    X, y = given(name)
    ours = refclass.KernelClassifier(loss="deviance", penalty=1)
    peer = None
    if logistic:
        A, b = arrays(X, y)
        other = logistic.LogisticRegression(C=1.0, max_iter=10000)
        peer = lambda: silently(lambda: other.fit(A, b))  # noqa: E731

    def remark(run):
        return f"{run.seconds:.2f} s, {run.ours.certificate_.digits:.1f} digits"

    return case(lambda: ours.fit(X, y), "scikit-learn", peer, gram(X, "linear"), remark)


def silently(work):
    """Do the work, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return work()


@measured("em, tied", f"n={{n}} d={{d}} R={{R}}, {STEPS} steps")
def expectation(case, n, d, R):
    """Make steps of EM for one class with a common covariance: against scikit-learn's, as many."""
    X, _ = gauss(n, d, classes=R)
    shares = (tuple(tuple(float(i % R == r) for i in range(n)) for r in range(R)),)
    rows = Matrix(X)
    problem = em.Problem(rows, tuple([0] * n), Vector([1.0] * n), Vector([1.0]))
    peer = None
    if mixture:
        (A,) = arrays(X)
        other = mixture.GaussianMixture(
            R, covariance_type="tied", max_iter=STEPS, tol=0, init_params="random_from_data"
        )
        peer = lambda: silently(lambda: other.fit(A))  # noqa: E731

    def ours():
        return list(islice(em.steps(BINARY64, problem, shares), STEPS))

    def bound():
        return [list(map(sum, zip(x, x))) for x in X for _ in repeat(None, R)]

    return case(ours, "scikit-learn", peer, bound)


@measured("mda", "n={n} d={d} {classes} × {subclasses}")
def mixtures(case, n, d, classes, subclasses):
    """Fit mixture discriminants until roundoff makes the changes; the lower bound is one look at all numbers."""
    X, y = gauss(n, d, classes=classes)
    ours = refclass.MixtureDiscriminantAnalysis(subclasses=subclasses)

    def remark(run):
        return f"{run.seconds:.2f} s, {run.ours.n_iter_} steps"

    return case(lambda: ours.fit(X, y), "", None, lambda: list(map(sum, X)), remark)


R_BRUTO = """
library(mda)
rows <- as.matrix(read.csv(file("stdin"), header = FALSE))
x <- rows[, -1, drop = FALSE]; y <- model.matrix(~ factor(rows[, 1]) - 1)
for (turn in 1:2) took <- system.time(bruto(x, y))
cat(took[["user.self"]] + took[["sys.self"]])
"""


@measured("bruto", "{name}")
def bruto(case, name):
    """Flexible discriminants with BRUTO: against R's bruto on the indicators."""
    return beside_r(case, *given(name))


@measured("bruto", "gauss n={n} d={d} K={classes}")
def large_bruto(case, n, d, classes):
    """Flexible discriminants with BRUTO on normal classes: against R's bruto on the indicators."""
    return beside_r(case, *gauss(n, d, classes=classes))


def beside_r(case, X, y):
    """Compare with R's bruto, whose second fit is timed, in processor time."""
    codes = {label: k for k, label in enumerate(sorted(set(y)))}
    text = "\n".join(",".join(map(str, [codes[label], *x])) for x, label in zip(X, y)) + "\n"

    def peer():
        done = subprocess.run(["Rscript", "-e", R_BRUTO], input=text, capture_output=True, text=True, check=True)
        return Reported(float(done.stdout.split()[-1]))

    ours = refclass.FlexibleDiscriminantAnalysis(regression="bruto")
    theirs = peer if has_mda() else None
    return case(lambda: ours.fit(X, y), "R mda", theirs, gram(X, "linear"), lambda r: f"{r.seconds:.2f} s")


def has_mda():
    """Return whether R is there, with its package mda."""
    try:
        run = subprocess.run(["Rscript", "-e", "library(mda)"], capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return run.returncode == 0


MEMORY = r"""
import re, resource, sys
from refclass import SVC
from tests.benchmarks.samples import gauss, width
n, d = map(int, sys.argv[1:])
X, y = gauss(n, d)
model = SVC(C=1, kernel={"name": "gaussian", "gamma": width(X)}).fit(X, y)
model.certificate_
try:  # of this program alone: what getrusage tells begins at the size of the process that started it
    print(int(re.search(r"VmHWM:\s*(\d+) kB", open("/proc/self/status").read())[1]) / 1024)
except OSError:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def child(*arguments):
    """Run Python in a process of its own; return the processor seconds that it took, and what it printed."""
    before = os.times()
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    after = os.times()
    taken = after.children_user - before.children_user + after.children_system - before.children_system
    return Reported(taken, done.stdout)


@measured("memory", "gaussian n={n} d={d}, with proof")
def memory(case, n, d):
    """Fit and prove a Gaussian machine in a process of its own: its most memory; against a process that imports."""

    def remark(run):
        return f"{float(run.ours.value):.0f} MB"

    importing = lambda: child("-c", "import refclass")  # noqa: E731
    return case(lambda: child("-c", MEMORY, str(n), str(d)), "import", importing, importing, remark)


@measured("{name}", "{code}")
def process(case, name, code):
    """Run code in a process of its own: against Python that does nothing."""
    idle = lambda: child("-c", "pass")  # noqa: E731
    return case(lambda: child("-c", code), "python", idle, idle, lambda run: f"{run.seconds:.2f} s")
