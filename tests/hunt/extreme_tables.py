"""Tables at the ends of what numbers hold, for every discriminant and comparator: what is answered is verified."""

import json
import random

from refclass.errors import Refusal
from refclass.oracle import answer, judge, problem, reading

METHODS = {
    "lda": [{}, {"n_components": 1}, {"pseudo_inverse": True}, {"cutpoint": "empirical"}],
    "qda": [{}, {"pseudo_inverse": True}, {"divisor": "n"}],
    "rda": [{"alpha": "1/2", "gamma": "1/2"}, {"alpha": 0, "gamma": 0}, {"alpha": 1e-300, "gamma": 1}],
    "fisher": [{}, {"pseudo_inverse": True}],
    "scoring": [{}, {"pseudo_inverse": True}],
    "fda": [
        {},
        {"regression": {"name": "polynomial", "degree": 2}},
        {"regression": {"name": "ridge", "penalty": "1e300"}},
    ],
    "pda": [{"penalty": 1}, {"penalty": "1e-300"}, {"penalty": "1e300"}],
    "mda": [{"subclasses": 1}],
    "logistic": [{"penalty": 1}, {"penalty": 0}],
    "least_squares": [{}, {"penalty": "1e300"}, {"coding": [-1, 1], "cutpoint": "empirical"}],
    "nearest_neighbors": [{}, {"n_neighbors": 3}],
    "tree": [{}, {"combinations": True}],
    "gaussian_nodes": [{}, {"gamma": "1/1000000"}, {"gamma": 10**12, "penalty": 1}],
    "perceptron": [{}, {"tol": "1/1000"}],
    "regression_classifier": [{"regression": {"name": "polynomial", "degree": 2}}],
}


def huge_weights(r, x, y):
    return x, [1e200 if i % 2 else 1 for i in range(len(x))]


def mixed_weights(r, x, y):
    return x, [r.choice([1e-150, 1, 1e150]) for _ in x]


def heavy_weights(r, x, y):
    return x, [r.choice([1, 1e8, 1e15, 1e20, 1e30]) for _ in x]


def near_copies(r, x, y):
    return [[v + (1e-13 if i % 2 else 0) for v in x[i // 2]] for i in range(len(x))], None


def copies_far_away(r, x, y):
    return [[v + 1e12 for v in x[i // 2]] for i in range(len(x))], None


def far_away(r, x, y):
    return [[8 * v + 1e16 for v in a] for a in x], None


def denormal(r, x, y):
    return [[v * 5e-320 for v in a] for a in x], None


def tiny_and_huge_columns(r, x, y):
    return [[v * (1e300, 1e-300, 1)[j] for j, v in enumerate(a)] for a in x], None


def tiny_and_huge_rows(r, x, y):
    return [[v * 10.0 ** r.choice([-12, 0, 12]) for v in a] for a in x], None


def long_integers(r, x, y):
    return [[int(3 * v) * 10**30 + r.choice([0, 1]) for v in a] for a in x], None


def long_decimals(r, x, y):
    return [[f"{v:.25f}" for v in a] for a in x], None


def singular_in_a_class(r, x, y):
    return [[*a[:-1], 2 * a[0] + 1] if g == 0 else a for a, g in zip(x, y)], None


def equal_columns(r, x, y):
    return [[*a, a[0]] for a in x], None


KINDS = [
    huge_weights,
    mixed_weights,
    heavy_weights,
    near_copies,
    copies_far_away,
    far_away,
    denormal,
    tiny_and_huge_columns,
    tiny_and_huge_rows,
    long_integers,
    long_decimals,
    singular_in_a_class,
    equal_columns,
]


def table(seed):
    """Return a problem: a method with parameters, a table of one of the kinds, and points near and far from it."""
    r = random.Random(seed)
    kind, method = r.choice(KINDS), r.choice(list(METHODS))
    n, K, p = r.choice([4, 6, 9]), r.choice([2, 2, 3]), r.choice([1, 2, 3])
    K = 2 if method == "regression_classifier" else K
    y = [i % K for i in range(n)]
    x, weights = kind(r, [[r.gauss(g, 1) for _ in range(p)] for g in y], y)
    parameters = r.choice(METHODS[method])
    if K > 2 and "coding" in parameters:
        parameters = {}
    far = 10.0 ** r.choice([0, 3, 6, 12])
    query = [*x[:2], [v * far if isinstance(v, float) else v for v in x[0]]]
    given = {"method": method, "parameters": parameters, "x": x, "y": y, "query": query}
    return given if weights is None else {**given, "weights": weights}


def wrong(given):
    """Return what the verdict on the package's own answer to a problem finds wrong, in words; empty if nothing."""
    try:
        asked = problem.read(json.dumps(given), "the problem")
        said = json.loads(json.dumps(answer.answer(asked)))
        found = judge.verify(asked, reading.read(json.dumps(said), "the answer"))
    except Refusal as refusal:
        return "two lines" if "\n" in str(refusal) else ""
    return "" if found["accepted"] else found["reason"]


def mixed_rows(seed):
    """Return a problem of mixtures: rows that differ in size by up to 10^24, several subclasses, points far away."""
    r = random.Random(seed)
    n, K, p, e = r.choice([6, 9, 14]), r.choice([2, 2, 3]), r.choice([1, 2, 3]), r.choice([12, 9, 6])
    y = [i % K for i in range(n)]
    x = [[r.gauss(g, 1) * 10.0 ** r.choice([-e, 0, e]) for _ in range(p)] for g in y]
    parameters = r.choice([{"subclasses": 2}, {"subclasses": 1}, {"subclasses": 2, "n_components": 1}])
    far = 10.0 ** r.choice([0, 3, 6])
    query, arithmetic = [*x[:2], [v * far for v in x[0]]], r.choice(["float", "decimal:30"])
    return {"method": "mda", "parameters": parameters, "x": x, "y": y, "query": query, "arithmetic": arithmetic}
