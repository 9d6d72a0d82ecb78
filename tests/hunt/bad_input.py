"""Bad input by the seed: odd values for parameters, cells, labels, weights, queries, arguments, and JSON."""

from __future__ import annotations

import copy
import inspect
import json
import math
from decimal import Decimal
from fractions import Fraction

import refclass

HUGE = 10**5000  # Python refuses to write it out

VALUES = (None, True, False, math.nan, math.inf, -math.inf, 0, -0.0, -1, 1, 2, 0.5, 10**400, HUGE, Fraction(1, 3))
VALUES += (Fraction(HUGE, 3), Fraction(1, 10**400), Decimal("1e-400"), Decimal("1e400"), Decimal("nan"), 5e-324, 1e-310)
VALUES += (Decimal("snan"), Decimal("0.1"), 1e308, -1e308, 1e155, 1e-170, 2**1024, "1", "1/2", "1/0", "abc", "", "nan")
VALUES += (
    "9" * 5000,
    "0." + "7" * 5000,
    "1e999999999",
    b"1",
    1j,
    [],
    [1],
    [[1]],
    (),
    {},
    {"a": 1},
    set(),
    range(3),
    int,
)
TABLES = (None, "abc", 5, {}, [], [None], [[]], b"abc", math.nan, {0: [1]}, {(1.0,)}, [[1], [1, 2]], [["a"], [1]])
KERNELS = (*refclass.gram.__kwdefaults__.values(), "gaussian", "sigmoid", "spline", "string", "precomputed", "nope")
NEEDED = {
    "GaussianBayesRule": {"means": [[0, 0], [2, 0]], "covariances": [[1, 0], [0, 1]]},
    "NeuralNetwork": {"max_iter": 20},
    "SmoothingSpline": {"penalty": 1},
}
KINDS = {kind.__name__: kind for kind in refclass.estimator_classes()}
FEW = [[0.0, 1.0], [2.0, 0.5], [1.0, 1.5], [3.0, 0.0], [0.5, 2.0], [2.5, 1.0], [1.5, 3.0], [4.0, 1.0]]
MODELS = [
    refclass.SVC().fit(FEW, [i % 2 for i in range(8)]),
    refclass.SVMPath().fit(FEW, [i % 2 for i in range(8)]),
    refclass.LinearDiscriminantAnalysis().fit(FEW, [i % 3 for i in range(8)]),
    refclass.OneVersusRest(estimator=refclass.SVC()).fit(FEW, [i % 3 for i in range(8)]),
    refclass.KernelRidge().fit(FEW, [x - z for x, z in FEW]),
    refclass.Ridge().fit(FEW, [x - z for x, z in FEW]),
]
ASKED = ("predict", "decision_function", "predict_proba", "transform", "score", "at", "predict_sets")


def table(r):
    """Return rows: of any kind of number at any scale, a cell or a row odd, or something else altogether."""
    n, p = r.choice([0, 1, 2, 3, 4, 6, 9, 9]), r.choice([0, 1, 1, 2, 2, 3])
    scale, kind = (
        r.choice([1, 1, 1, 1e5, 1e100, 1e-100, 1e-310, 1e300]),
        r.choice([float, float, Fraction, Decimal, str]),
    )
    ties = r.random() < 0.5
    rows = [[kind(scale * (r.randint(-2, 2) if ties else r.gauss(0, 1))) for _ in range(p)] for _ in range(n)]
    if n and p and r.random() < 0.4:
        rows[r.randrange(n)][r.randrange(p)] = r.choice(VALUES)
    if n and r.random() < 0.1:
        rows[r.randrange(n)] = r.choice([rows[0][:-1], rows[0] * 2, None, "ab", 5, {}, range(p)])
    return rows if r.random() < 0.92 else r.choice(TABLES)


def reported(r, n, regressor):
    """Return labels or responses, one of them odd, or something else altogether."""
    if regressor:
        y = [r.gauss(0, 1) * r.choice([1, 1, 1, 1e200, 1e-310]) for _ in range(n)]
    else:
        few = r.choice(
            [[0, 1], [0, 1, 2], [0], list("abcd"), [True, False], [0.5, 1.5], [10**400, 1], [Decimal(1), "a"]]
        )
        y = [few[i % len(few)] if r.random() < 0.8 else r.choice(few) for i in range(n)]
    if n and r.random() < 0.15:
        y[r.randrange(n)] = r.choice(VALUES)
    return y if r.random() < 0.94 else r.choice([None, y[:-1], [*y, 1], 5, "abc", {}, [[v] for v in y]])


def parameters(r, name):
    """Return parameters of an estimator, few of them odd."""
    given = dict(NEEDED.get(name, {}))
    share = r.choice([0, 0, 0.1, 0.3])
    for parameter in inspect.signature(KINDS[name]).parameters:
        if parameter == "kernel" and r.random() < 0.5:
            given[parameter] = r.choice([*KERNELS, {"name": r.choice(KERNELS), r.choice("cab"): r.choice(VALUES)}])
        elif r.random() < share:
            given[parameter] = r.choice(VALUES)
    return given


def answers(model):
    """Yield what can be asked of a fitted model: its attributes, its proof, its text."""
    for name in (*getattr(model, "fitted", ()), "certificate_"):
        yield (
            lambda name=name: (
                str(getattr(model, name, None)) and "" if name == "certificate_" else vars(model).get(name)
            )
        )
    yield lambda: repr(model)


def arguments(r, function):
    """Return arguments of a public function, some of them odd."""
    y = r.choice([[i % 2 for i in range(8)], [i % 3 for i in range(8)], [x - z for x, z in FEW], reported(r, 8, False)])
    usual = {"X": FEW, "y": y, "estimator": r.choice(MODELS), "machine": r.choice(MODELS), "sizes": [4, 5], "folds": 2}
    usual |= {"P": [[2, 0], [0, 2]], "q": [-2, -5], "A": [[1, 1]], "l": None, "u": [1], "repeats": 2}
    given = {}
    for name, parameter in inspect.signature(function).parameters.items():
        odd = r.random() < 0.2
        if name == "executor" or (parameter.default is not parameter.empty and not odd and name not in usual):
            continue
        given[name] = (table(r) if name == "X" else r.choice(VALUES)) if odd else usual.get(name, r.choice(VALUES))
    return given


JSON = (None, True, 0, -1, 2.5, 1e308, 5e-324, "1/3", "nan", "abc", "", [], {}, [1], [[1]], {"a": 1}, 10**400, [None])


def changed(r, value):
    """Return nested lists and objects with an entry or two changed, dropped or added, at any depth."""
    value = copy.deepcopy(value)
    for _ in range(r.choice([1, 1, 2])):
        node = value
        while isinstance(node, (dict, list)) and node:
            key = r.choice(list(node) if isinstance(node, dict) else range(len(node)))
            if isinstance(node[key], (dict, list)) and node[key] and r.random() < 0.7:
                node = node[key]
                continue
            if r.random() < 0.7:
                node[key] = r.choice(JSON)
            else:
                del node[key]
            break
    return value


def damaged(r, value):
    """Return JSON text, sometimes cut, or with a number that no text should hold."""
    written = json.dumps(value)
    if r.random() < 0.05:
        return written[: r.randrange(len(written))]
    if r.random() < 0.1:
        return written.replace("1", r.choice(["NaN", "1e999", "9" * 5000, "0." + "7" * 5000, '{"a":1,"a":2}']), 1)
    return written
