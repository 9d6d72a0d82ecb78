"""Machines of ordinary size: two clouds in the plane, with the Gram matrix of a kernel."""

from __future__ import annotations

import math
from random import Random

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.quadratic.problem import Problem


def clouds(n, p=2, seed=1, digits=6):
    """Return n points of two Gaussian clouds in p dimensions, with labels 0 and 1 in turn."""
    rng = Random(seed)
    labels = [i % 2 for i in range(n)]
    return [
        [round(rng.gauss(0, 1) + (1.4 if k else -1.4) / math.sqrt(p), digits) for _ in range(p)] for k in labels
    ], labels


def gaussian(X, gamma=0.5):
    """Return the Gram matrix of the Gaussian kernel in doubles."""
    return Matrix([Vector([math.exp(-gamma * math.dist(x, z) ** 2) for z in X]) for x in X])


def trained_on(K, labels, C, kind=float):
    """Return the dual of the machine with that Gram matrix."""
    zero = kind(0)
    cost = None if C is None else kind(C)
    lower = tuple(zero if k else (None if C is None else -cost) for k in labels)
    upper = tuple(cost if k else zero for k in labels)
    c = Vector([kind(-1 if k else 1) for k in labels])
    return Problem(K, c, lower, upper, Matrix([[kind(1)] * len(labels)]), Vector([zero]))
