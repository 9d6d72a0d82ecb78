"""Indefinite kernels: an answer that is called optimal is the best of all stationary points, found by brute force."""

import itertools
import random
from fractions import Fraction

import pytest

import refclass
from refclass import errors
from refclass.oracle import kernel


def solve(A, b):
    """Return the solution of a square system in fractions; None for a singular one."""
    rows = [[*row, v] for row, v in zip(A, b)]
    n = len(rows)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        rows = [r if i == k else [v - r[k] * t for v, t in zip(r, rows[k])] for i, r in enumerate(rows)]
    return [row[-1] for row in rows]


def value(K, y, alpha, bend):
    """Return Σ α − ½ Σ αᵢαⱼyᵢyⱼKᵢⱼ − Σ bend α²/2."""
    n = range(len(y))
    square = sum(alpha[i] * alpha[j] * y[i] * y[j] * K[i][j] for i in n for j in n)
    return sum(alpha) - square / 2 - bend * sum(v * v for v in alpha) / 2


def stationary(K, y, C, bend=0):
    """Yield the stationary points of the dual: each multiplier at 0, at C or free, Σ αy = 0."""
    for face in itertools.product((0, C, None) if C else (0, None), repeat=len(y)):
        free = [i for i, v in enumerate(face) if v is None]
        held = [v or Fraction(0) for v in face]
        H = [[y[i] * y[j] * K[i][j] + bend * (i == j) for j in range(len(y))] for i in range(len(y))]
        A = [[*[H[i][j] for j in free], Fraction(y[i])] for i in free] + [
            [*[Fraction(y[j]) for j in free], Fraction(0)]
        ]
        rest = [1 - sum(H[i][j] * held[j] for j in range(len(y))) for i in free]
        found = solve(A, [*rest, -sum(v * t for v, t in zip(held, y))]) if free else []
        if found is None:
            continue
        alpha = list(held)
        for i, v in zip(free, found):
            alpha[i] = v
        if sum(v * t for v, t in zip(alpha, y)) == 0 and all(v >= 0 and (not C or v <= C) for v in alpha):
            yield alpha


def drawn(seed):
    """Return a symmetric table of small numbers, labels of two classes, and a cost."""
    r = random.Random(seed)
    n = r.choice([2, 3, 3, 4, 5])
    K = [[Fraction(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            K[i][j] = K[j][i] = Fraction(r.randint(-6, 6), 2)
    y = [-1, 1, *[r.choice([-1, 1]) for _ in range(n - 2)]]
    return K, y, Fraction(r.choice([1, 1, 4, 100]))


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
@pytest.mark.parametrize("first", range(0, 60, 20))
def test_what_is_called_optimal_is_not_beaten(first, arithmetic):
    """An SVC on a Gram matrix as given: "optimal" only if no stationary point of the dual has a larger value."""
    found = []
    for seed in range(first, first + 20):
        K, y, C = drawn(seed)
        table = [list(map(float, row)) for row in K]
        try:
            model = refclass.SVC(C=int(C), kernel="precomputed", arithmetic=arithmetic).fit(table, y)
        except errors.Refusal:
            continue
        if model.certificate_.status != "optimal":
            continue
        own = value(K, y, [Fraction(v) for v in model.alpha_], 0)
        best = max(value(K, y, alpha, 0) for alpha in stationary(K, y, C))
        if best > own + Fraction(1, 10**9) * max(abs(best), 1):
            found.append(f"seed {seed}: {float(own)} beaten by {float(best)}: {table}, {y}, C={C}")
    assert not found, "\n".join(["", *found])


MACHINES = [
    ("SVC", {"loss": "squared_hinge"}),
    ("SVMPath", {}),
    ("SVMPath", {"solver": "hastie"}),
    ("SVR", {}),
    ("SVR", {"loss": "squared_epsilon_insensitive"}),
    ("HuberRegression", {}),
    ("KernelRidge", {"intercept": True}),
    ("KernelClassifier", {"loss": "hinge"}),
    ("KernelClassifier", {"loss": "huberised"}),
    ("KernelClassifier", {"loss": "squared"}),
    ("CrammerSingerSVC", {}),
    ("LeeLinWahbaSVC", {}),
]


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
@pytest.mark.parametrize("name, parameters", MACHINES)
def test_an_indefinite_matrix_is_never_optimal(name, parameters, arithmetic):
    """zᵀKz < 0 for a z that the equality allows: no machine is proven optimal; a refusal is one of the four."""
    found = []
    for seed in range(12):
        K, y, _ = drawn(seed)
        table = [list(map(float, row)) for row in K]
        G = kernel.Gram(lambda j, K=K: [int(2 * v) for v in K[j]], 2, len(K), positive=False)
        if G.convex(range(len(K)), name != "CrammerSingerSVC"):
            continue
        estimator = getattr(refclass, name)(**parameters, kernel="precomputed", arithmetic=arithmetic)
        try:
            status = estimator.fit(table, y).certificate_.status
        except errors.Refusal:
            continue
        if status == "optimal":
            found.append(f"seed {seed}: {table}, {y}")
    assert not found, "\n".join(["", *found])
