"""The data that is measured on, made from a seed, and the modules of peers where they are installed."""

from __future__ import annotations

import importlib
import math
import os
import random

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
for _name in THREADS:  # before NumPy is imported, which reads them once
    os.environ.setdefault(_name, "1")

NOISE = 0.25  # standard deviation about the half moons
PADDING = 0.3  # standard deviation of the columns that say nothing of the class


def module(name):
    """Return a module, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


numpy = module("numpy")


def arrays(*parts):
    """Return the parts as NumPy arrays."""
    return [numpy.array(part) for part in parts]


def gauss(n, d, classes=2, seed=1):
    """Return unit normal classes whose means are 2.8 apart along a random direction; six decimals."""
    rng = random.Random(seed)
    u = [rng.gauss(0, 1) for _ in range(d)]
    length = math.sqrt(sum(v * v for v in u))
    labels = [i % classes for i in range(n)]
    return [[round(rng.gauss(0, 1) + 2.8 * k * v / length, 6) for v in u] for k in labels], labels


def moons(n, d, seed=1):
    """Return two half moons that reach into each other, with noise, padded with noise to d columns; six decimals."""
    rng = random.Random(seed)
    labels = [i % 2 for i in range(n)]
    rows = []
    for k in labels:
        t = math.pi * rng.random()
        point = (1 - math.cos(t), 0.5 - math.sin(t)) if k else (math.cos(t), math.sin(t))
        row = [v + rng.gauss(0, NOISE) for v in point] + [rng.gauss(0, PADDING) for _ in range(d - 2)]
        rows.append([round(v, 6) for v in row])
    return rows, labels


DATA = {"gauss": gauss, "moons": moons}


def width(X):
    """Return 1 / (p · variance of all entries)."""
    entries = [v for x in X for v in x]
    mean = sum(entries) / len(entries)
    return 1 / (len(X[0]) * sum((v - mean) ** 2 for v in entries) / len(entries))
