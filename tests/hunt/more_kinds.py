"""Problems of kinds that `own_and_changed` does not draw: weights, Gram matrices, strings, long integers, one class.

A case of a seed is a problem as JSON has it; what is wrong with the verdicts on it and with its certificate is found as
there.
"""

from __future__ import annotations

import random

from tests.hunt.own_and_changed import METHODS, TWO, kind_of

FIRST = 200_000  # seed of the first case
WEIGHTED = [name for name in METHODS if name not in ("lasso", "sparse_discriminant", "svm_path", "actual_distance")]
MACHINES = ["svc", "svm_path", "kernel_classifier", "svr", "huber", "kernel_ridge", "crammer_singer", "lee_lin_wahba"]
LOSSES = ["hinge", "squared_hinge", "huberised", "squared", {"name": "power_hinge", "p": 3}]
LOSSES += [{"name": "power_hinge", "p": "3/2"}, "deviance"]
STRINGS = [{"name": "string", "length": 1, "decay": 1}, {"name": "string", "length": 2, "decay": "1/2"}]


def rows(r, n, p):
    """Rows of normal numbers of three digits, some of them equal."""
    drawn = [[round(r.gauss(0, 2), 2) for _ in range(p)] for _ in range(n)]
    return [drawn[r.randrange(n)] if r.random() < 0.1 else row for row in drawn]


def weights(r, n):
    """Return integers, fractions, or both with zeros and numbers of 10^±3 among them."""
    ways = [lambda: r.randint(1, 4), lambda: f"{r.randint(1, 9)}/{r.randint(2, 9)}"]
    ways.append(lambda: r.choice([0, 1, "1/3", 1000, "1/1000"]))
    way = r.choice(ways)
    return [way() for _ in range(n)]


def parameters(r, method):
    """Return parameters of a method: of a machine those of its loss, too."""
    own = dict(r.choice(METHODS.get(method, [{}])))
    if method == "kernel_classifier":
        own["loss"] = r.choice(LOSSES)
    return own


def weighted(r):
    """A weight for each row, for every method that takes them."""
    method, n = r.choice(WEIGHTED), r.choice([6, 9, 12])
    return {**posed(r, method, rows(r, n, r.choice([1, 2, 3]))), "weights": weights(r, n)}


def precomputed(r):
    """A Gram matrix of products of rows, of integers, for each machine that takes a kernel."""
    method, n, p = r.choice(MACHINES), r.choice([4, 6, 9]), r.choice([1, 2, 12])
    Z = [[r.randint(-5, 5) for _ in range(p)] for _ in range(n)]
    K = [[sum(u * v for u, v in zip(x, z)) for z in Z] for x in Z]
    own = posed(r, method, K)
    own["parameters"]["kernel"] = "precomputed"
    return {**own, "query": [K[0], [v * 2 for v in K[-1]]]}


def strings(r):
    """Strings of three letters."""
    method, n = r.choice(MACHINES), r.choice([4, 6, 8])
    own = posed(r, method, ["".join(r.choice("abc") for _ in range(r.randint(1, 6))) for _ in range(n)])
    own["parameters"]["kernel"] = r.choice(STRINGS)
    return {**own, "query": [own["x"][0], "abcab"]}


def long_integers(r):
    """Integers of up to thirty digits; in fractions they may be far from zero."""
    method, n, p, exact = r.choice(list(METHODS)), r.choice([4, 6, 9]), r.choice([1, 2]), r.random() < 0.5
    far, step = r.choice([0, 10**30]) if exact else 0, r.choice([1, 10**10, 10**30])
    own = posed(r, method, [[far + step * r.randint(-9, 9) for _ in range(p)] for _ in range(n)])
    if not kind_of(method).takes_labels:
        own["y"] = [far + step * r.randint(-9, 9) for _ in range(n)]
    return {**own, "arithmetic": "exact"} if exact else own


def few(r):
    """One point, one class, or two points."""
    method, n = r.choice(list(METHODS)), r.choice([1, 2, 4])
    own = posed(r, method, rows(r, n, r.choice([1, 2])))
    if r.random() < 0.6:
        own["y"] = [own["y"][0]] * n
    return own


def powers(r):
    """Powers of the hinge, with weights or not."""
    n = r.choice([2, 4, 8])
    own = posed(r, "kernel_classifier", rows(r, n, r.choice([1, 2])))
    power = r.choice([1, "1.1", "3/2", 2, "5/2", 3, 4])
    own["parameters"] = {"loss": {"name": "power_hinge", "p": power}, "penalty": r.choice([1, "1/100"])}
    own["parameters"]["kernel"] = r.choice(["linear", {"name": "gaussian", "gamma": "1/2"}])
    return {**own, "weights": weights(r, n)} if r.random() < 0.5 else own


def posed(r, method, x):
    """Return a problem of a method on rows, with labels of its classes or responses."""
    K = 2 if method in TWO else r.choice([2, 2, 3])
    y = [i % K if kind_of(method).takes_labels else round(r.gauss(0, 3), 2) for i in range(len(x))]
    arithmetic = r.choice(["float", "float", "decimal:20", "exact"])
    given = {"method": method, "parameters": parameters(r, method), "x": x, "y": y, "arithmetic": arithmetic}
    return {**given, "query": [x[0], x[-1]]}


KINDS = (weighted, precomputed, strings, long_integers, few, powers)


def case(seed):
    """Return the problem of a seed."""
    return KINDS[seed % len(KINDS)](random.Random(seed))
