"""Random quadratic programmes of the kinds that solvers fail on, as arguments of `solve_qp`."""

from __future__ import annotations

from refclass import solve_qp
from refclass.errors import NoAnswer
from refclass.estimators import solve_qp as stating
from refclass.optimise.programme import certificate


def answered(given):
    """Return the answer in doubles; None where there is none, once the witness of that is proven."""
    try:
        return solve_qp(*given)
    except NoAnswer as refusal:
        assert certificate.refusal_reason(stating.programme(*given), refusal.witness) is None
        return None


def curvature(rng, n):
    """Return a positive semidefinite matrix of any rank, zero and dense ones included."""
    rank = rng.choice([0, 0, 1, n // 2, n])
    factors = [[rng.randint(-3, 3) * (rng.random() < 0.6) for _ in range(n)] for _ in range(rank)]
    return [[sum(f[i] * f[j] for f in factors) for j in range(n)] for i in range(n)]


def row(rng, n):
    """Return a sparse row, sometimes with entries of very different sizes."""
    own = [rng.randint(-4, 4) * (rng.random() < 0.5) for _ in range(n)]
    if rng.random() < 0.15:
        own = [v * 2.0 ** rng.choice([-18, 0, 18]) for v in own]
    if rng.random() < 0.1:
        own = [v * 0.1 for v in own]
    return own


def sides(rng, value):
    """Return sides of a row around its value at a point: an equality, a tight or a loose side, an infinite one."""
    gap = rng.choice([0, 0, 0.5, 3])
    kind = rng.random()
    if kind < 0.25:
        return value, value
    if kind < 0.5:
        return None, value + gap
    if kind < 0.75:
        return value - gap, 1e20
    return value - gap, value + rng.choice([0.25, 4])


def programme(rng, most=8):
    """Return P, q, A, l, u: rows copied, scaled and added up, bounds, free variables; most of them feasible."""
    n = rng.randint(1, most)
    P, q = curvature(rng, n), [rng.randint(-5, 5) * (rng.random() < 0.8) for _ in range(n)]
    point = [rng.choice([0, 0, 1, -2, 0.5]) for _ in range(n)]
    A = [row(rng, n) for _ in range(rng.randint(0, 2 * n))]
    for _ in range(rng.randint(0, 2)):
        if A:
            a, b = rng.choice(A), rng.choice(A)
            A.append([rng.choice([1, -2, 3]) * v for v in a] if rng.random() < 0.6 else [v + w for v, w in zip(a, b)])
    bounded = [j for j in range(n) if rng.random() < 0.7]
    A += [[int(j == k) for k in range(n)] for j in bounded]
    low, high = [], []
    for own in A:
        value = sum(v * w for v, w in zip(own, point))
        if rng.random() < 0.03:
            value += rng.choice([-1, 1, 2**-40])  # the programme may have no feasible point
        ends = sides(rng, value)
        low.append(ends[0])
        high.append(ends[1])
    return P, q, A, low, high
