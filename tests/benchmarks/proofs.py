"""What proofs cost: exact optima against floats with their certificate, certificates against their fits, verdicts."""

from __future__ import annotations

import copy
import json

import refclass
from refclass.oracle import answer, judge, problem
from tests.benchmarks.machines import described
from tests.benchmarks.samples import gauss
from tests.benchmarks.timing import measured


def bare(model):
    """Return a copy of a fitted estimator that has not computed its certificate yet."""
    other = copy.copy(model)
    vars(other).pop("certificate_", None)
    return other


def nothing():
    """Do as good as nothing: where no lower bound is stated."""
    return sum(range(1000))


@measured("exact optimum", "linear n={n} d={d} C=1")
def optimum(case, n, d):
    """Find the exact optimum of a linear machine: against the fit in doubles and its certificate."""
    X, y = gauss(n, d)
    exact, rounded = refclass.SVC(C=1, arithmetic="exact"), refclass.SVC(C=1)

    def remark(run):
        return f"{run.seconds:.2f} s, gap {run.ours.certificate_.gap}"

    def peer():
        return bare(rounded.fit(X, y)).certificate_

    return case(lambda: exact.fit(X, y), "float + proof", peer, nothing, remark)


@measured("exact path", "linear n={n} d={d}")
def path(case, n, d):
    """Follow the path in fractions: against the path in doubles."""
    X, y = gauss(n, d)

    def remark(run):
        return f"{run.seconds:.2f} s, {len(run.ours.lambdas_)} break points"

    exact = refclass.SVMPath(arithmetic="exact")
    return case(lambda: exact.fit(X, y), "float", lambda: refclass.SVMPath().fit(X, y), nothing, remark)


@measured("proof, {name}", "n={n} d={d}")
def certificate(case, name, n, d):
    """Prove a fit: against the fit itself."""
    X, y = gauss(n, d, classes=3 if name == "lda" else 2)
    if name == "lda":
        model = refclass.LinearDiscriminantAnalysis()
    else:
        model = refclass.SVC(C=1, kernel=described(name, X)[0])
    model.fit(X, y)

    def remark(run):
        return f"{run.seconds:.2f} s"

    return case(lambda: bare(model).certificate_, "its fit", lambda: model.fit(X, y), nothing, remark)


@measured("verify", "gaussian n={n} d=2")
def verdict(case, n):
    """Judge a whole answer of a Gaussian machine, all its attributes: against the fit."""
    X, y = gauss(n, 2)
    kernel = described("gaussian", X)[0]
    given = {"method": "svc", "parameters": {"C": 1, "kernel": kernel}, "x": X, "y": y, "query": X[:5]}
    asked = problem.read(json.dumps(given), "P.json")
    reported = judge.read(json.dumps(answer.answer(asked)), "A.json")
    model = refclass.SVC(C=1, kernel=kernel)

    def remark(run):
        return f"{run.seconds:.2f} s, {run.ours['verdict']}"

    return case(lambda: judge.verify(asked, reported), "its fit", lambda: model.fit(X, y), nothing, remark)
