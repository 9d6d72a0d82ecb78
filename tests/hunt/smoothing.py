"""Smoothing splines, additive models, BRUTO and MARS, alone and within discriminants, on hard tables."""

import math
import random
from fractions import Fraction

from tests.hunt import kinds

PARAMETERS = {
    "smoothing_spline": [
        {},
        {"cost": 2},
        {"cost": "7/5", "max_degrees_of_freedom": 3},
        {"penalty": "1/100"},
        {"penalty": "inf"},
        {"degrees_of_freedom": "5/2"},
    ],
    "bruto": [{}, {}, {"cost": "3/2"}, {"max_degrees_of_freedom": 2}, {"start_linear": False}],
    "mars": [{"max_terms": 5}, {"max_terms": 7, "degree": 2}],
    "fda": [
        {"regression": "bruto"},
        {"regression": {"name": "smoothing_spline", "penalty": "1/10"}},
        {"regression": {"name": "mars", "max_terms": 5}},
    ],
    "regression_classifier": [
        {"regression": "bruto"},
        {"regression": {"name": "smoothing_spline", "penalty": 1}},
        {"regression": {"name": "mars", "max_terms": 5}},
    ],
}
SEVERAL = [{"penalty": 1}, {"penalty": "1/1000"}, {"penalty": "inf"}, {"degrees_of_freedom": "5/2"}]


def near(r, n, p):
    """Normal columns of which two rows are 10⁻³ to 10⁻¹² apart."""
    rows = kinds.ordinary(r, n, p)
    rows[1] = [v + 10 ** r.uniform(-12, -3) for v in rows[0]]
    return rows


def gaps(r, n, p):
    """Gaps between values from 10⁻¹⁵ on."""
    return [[r.gauss(0, 1) * 10 ** r.uniform(-15, 0) for _ in range(p)] for _ in range(n)]


KINDS = (*(kind for kind in kinds.KINDS if kind is not kinds.real), near, gaps)


def responses(r, x):
    """Return responses: curves, lines, noise, integers, heavy tails, one that is huge, in units of 1 or 10^±6."""
    size, kind = max(abs(row[0]) for row in x) or 1.0, r.choice(["curve", "line", "noise", "integers", "heavy", "huge"])
    unit = r.choice([1.0, 1.0, 1e6, 1e-6])
    made = {
        "curve": lambda t: math.sin(4 * t) + r.gauss(0, 0.1),
        "line": lambda t: 3 * t + r.gauss(0, 1e-3),
        "integers": lambda t: float(r.randint(0, 4)),
        "heavy": lambda t: r.gauss(0, 1) ** 5,
    }
    y = [unit * made.get(kind, lambda t: r.gauss(0, 1))(row[0] / size) for row in x]
    if kind == "huge":
        y[r.randrange(len(y))] = 1e9
    return y


def case(seed):
    """Return the problem of a seed: a method with parameters, a table of one of the kinds, an arithmetic."""
    r = random.Random(seed)
    method = list(PARAMETERS)[seed % len(PARAMETERS)]
    n, p = r.choice([2, 3, 5, 8, 12]), r.choice([1, 1, 2, 3])
    x = r.choice(KINDS)(r, n, p)
    several = method == "smoothing_spline" and p > 1
    parameters = r.choice(SEVERAL if several else PARAMETERS[method])
    K = 2 if method == "regression_classifier" else r.choice([2, 3])
    labelled = method in ("fda", "regression_classifier")
    y = [(i if r.random() < 0.8 else i + 1) % K for i in range(n)] if labelled else responses(r, x)
    arithmetic = r.choice(["float", "float", "float", "decimal:30"])
    given = {"method": method, "parameters": parameters, "x": x, "y": y, "arithmetic": arithmetic}
    return {**given, "query": [x[0], [v * 1.5 for v in x[-1]]]}


def spline(seed):
    """Return rows, responses and λ of a smoothing spline or an additive one, some columns nearly or exactly copied."""
    r = random.Random(f"spline {seed}")
    n, p = r.choice([3, 5, 8, 12]), r.choice([1, 2, 2, 3])
    x = r.choice(KINDS)(r, n, p)
    if p > 1 and r.random() < 0.4:
        factor, apart = r.choice([1, 2]), r.choice([0, 1])
        x = [[*row[:-1], factor * row[0] + apart * 10 ** r.uniform(-16, -6)] for row in x]
    lam = 10.0 ** r.choice([-20, -20, -12, -9, -6, -3, 0, 3, 6, 9, 12, 20, 20])
    return x, responses(r, x), lam


def criterion(x, y, lam, intercept, curves):
    """Return Σ(y − α − Σ f_j)² + λ Σ ∫ f_j″² of natural splines with these values at the distinct x, in fractions."""
    total, left = Fraction(0), [Fraction(v) - Fraction(intercept) for v in y]
    for column, values in zip(zip(*x), curves):
        knots, values = sorted(set(map(Fraction, column))), list(map(Fraction, values))
        at = dict(zip(knots, values))
        left = [v - at[Fraction(t)] for v, t in zip(left, column)]
        total += Fraction(lam) * roughness(knots, values)
    return total + sum(v * v for v in left)


def roughness(t, g):
    """Return ∫ f″² of the natural spline through values g at knots t: zᵀR⁻¹z, z the changes of slope."""
    h = [b - a for a, b in zip(t, t[1:])]
    z = [(g[i + 2] - g[i + 1]) / h[i + 1] - (g[i + 1] - g[i]) / h[i] for i in range(len(t) - 2)]
    energy, pivot, carried = Fraction(0), None, Fraction(0)
    for i, v in enumerate(z):  # R is tridiagonal, with (hᵢ + hᵢ₊₁)/3 and hᵢ₊₁/6
        share = h[i] / 6 / pivot if i else Fraction(0)
        pivot = (h[i] + h[i + 1]) / 3 - share * h[i] / 6
        carried = v - share * carried
        energy += carried * carried / pivot
    return energy
