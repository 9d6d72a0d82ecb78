"""Bugs planted in code that solves: with the bug still there, the judge accepts no answer that is wrong without it."""

from __future__ import annotations

import json
import random
import signal

import pytest

from refclass.oracle import answer, judge, problem
from tests.oracle import planting
from tests.profiles import examples, thorough

PLANTED = 100 if thorough() else examples(4)  # in the functions that each method runs
SOLVING = (
    "optimise",
    "margins",
    "discriminants",
    "regress",
    "sample",
    "linear",
    "estimators",
    "losses",
    "kernels",
    "bases",
)
GAUSSIAN = {"name": "gaussian", "gamma": "1/3"}
SQUARE = {"name": "polynomial", "degree": 2}
CASES = {
    "svc": {},
    "svc gaussian": {"kernel": GAUSSIAN, "C": 3},
    "svc squared_hinge": {"loss": "squared_hinge"},
    "svc hyperplane": {},
    "svc predictions": {},
    "svc three": {},
    "svc three predictions": {},
    "svr predictions": {},
    "kernel_classifier predictions": {"loss": "squared_hinge"},
    "crammer_singer predictions": {},
    "lee_lin_wahba predictions": {},
    "svm_path": {},
    "svr": {},
    "svr squared": {"loss": "squared_epsilon_insensitive"},
    "huber": {},
    "kernel_ridge": {"penalty": "1/10", "kernel": GAUSSIAN},
    "kernel_classifier": {"loss": "squared_hinge"},
    "crammer_singer": {},
    "lee_lin_wahba": {},
    "lda": {},
    "lda predictions": {"priors": ["1/2", "1/4", "1/4"]},
    "qda": {},
    "rda": {"alpha": "1/2", "gamma": "1/3"},
    "fisher": {},
    "scoring": {},
    "pda": {"priors": ["1/2", "1/4", "1/4"]},
    "pda reduced": {"n_components": 1},
    "fda": {"regression": SQUARE},
    "fda ridge": {"regression": "ridge"},
    "logistic": {"penalty": 1},
    "ridge": {},
    "linear_regression": {},
    "least_squares": {},
    "perceptron": {},
    "polynomial": {"degree": 2},
    "regression_classifier": {"regression": SQUARE},
    "qp": {},
}
MADE = {  # of kernels that only these have: bugs in kernels alone
    "svc sum": {"kernel": {"name": "sum", "left": "linear", "right": GAUSSIAN}},
    "svr product": {"kernel": {"name": "product", "left": SQUARE, "right": GAUSSIAN}},
    "kernel_ridge series": {"kernel": {"name": "series", "coefficients": [1, "1/2", 2], "kernel": "linear"}},
    "huber interaction": {"kernel": "interaction_spline"},
    "svc sigmoid": {"kernel": {"name": "sigmoid", "a": "1/10", "b": -1}},
    "lee_lin_wahba scaled": {"kernel": {"name": "scaled", "c": "1/3", "kernel": SQUARE}},
    "svc normalised": {"kernel": {"name": "normalised", "kernel": SQUARE}},
}
PROGRAMME = {
    "method": "qp",
    "P": [[0, 0, 4], [0, 1, 1], [1, 0, 1], [1, 1, 2], [2, 2, 1]],
    "q": [-3, 2, -1, 1],
    "A": [
        [0, 0, 1],
        [0, 1, 1],
        [0, 2, 2],
        [1, 0, 1],
        [1, 3, -1],
        [2, 1, 1],
        [3, 2, 1],
        [4, 3, 1],
        [5, 0, 2],
        [5, 2, 3],
    ],
    "l": [1, None, -2, 0, 0, None],
    "u": [1, 2, 3, None, 4, 1.4],
}
NUMBERS = ("svr", "huber", "kernel_ridge", "ridge", "linear_regression", "polynomial")
TWO = ("svm_path", "kernel_classifier", "regression_classifier")
SECONDS = 5 if thorough() else 2


class Endless(BaseException):
    """A bug made a loop endless."""


def stopped(signum, frame):
    raise Endless


def within(run):
    """Return what a call returns, in words its exception; None if it takes too long."""
    kept = signal.signal(signal.SIGALRM, stopped)
    signal.alarm(SECONDS)
    try:
        return run()
    except Endless:
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, kept)


def drawn(case):
    """Return twelve points of a method."""
    r, (method, _, form) = random.Random(0), case.partition(" ")
    if method == "qp":
        return problem.read(json.dumps(PROGRAMME), "P.json")
    K = 2 if method in (*TWO, *NUMBERS) or (method == "svc" and not form.startswith("three")) else 3
    y = [i % K for i in range(12)]
    x = [[round(r.gauss(0, 1.5) + 1.5 * g, 2), round(r.gauss(0, 1) - g, 2)] for g in y]
    if method in NUMBERS:
        y = [round(row[0] ** 2 / 2 - row[1] + r.gauss(0, 0.5), 2) for row in x]
    given = {"method": method, "parameters": {**CASES, **MADE}[case], "x": x, "y": y, "query": x[:2]}
    return problem.read(json.dumps(given), "P.json")


@pytest.mark.many
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="endless loops are stopped by an alarm")
@pytest.mark.parametrize("case", sorted({**CASES, **MADE}))
def test_no_planted_bug_is_hidden(case):
    """An operator, a sign, a comparison or an integer changed in a function that solves; solved and judged with it."""
    asked = drawn(case)

    form = case.partition(" ")[2]

    def solve():
        reported = answer.answer(asked)
        if form == "hyperplane" and "fitted" in reported:
            reported["fitted"] = {
                n: v for n, v in reported["fitted"].items() if n not in ("alpha", "dual_coef", "support")
            }
        if form.endswith("predictions"):
            reported = {name: reported[name] for name in ("predictions", "refusal") if name in reported}
        return judge.read(json.dumps(reported), "A.json")

    solve()
    packages = ("kernels",) if case in MADE else SOLVING
    used = sorted(f for f in planting.called("refclass.", solve) if f[0].split(".")[1] in packages)
    changes = [(*f, i) for f in used for i in range(len(planting.places(*f)))]
    random.Random(case).shuffle(changes)
    hidden = []
    for module, name, i in changes[:PLANTED]:
        with planting.planted(module, name, i) as words:
            reported = within(solve)
            found = (
                within(lambda reported=reported: judge.verify(asked, reported)) if isinstance(reported, dict) else None
            )
        if isinstance(found, dict) and found["accepted"]:
            right = within(lambda reported=reported: judge.verify(asked, reported))
            if not isinstance(right, dict) or not right["accepted"]:
                hidden.append((words, right if not isinstance(right, dict) else right["reason"]))
    assert not hidden
