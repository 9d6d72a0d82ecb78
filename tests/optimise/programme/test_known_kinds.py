"""Programmes of the kinds that solvers are compared on, from their public definitions, in both arithmetics.

Hock and Schittkowski (1981), problems 35, 52, 76 and 118; TAME and the CVXQP problems of CUTE (Bongartz, Conn, Gould
and Toint 1995) as Maros and Mészáros (1999) have them; degenerate transport; least squares with convex differences.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from refclass import solve_qp
from refclass.estimators import solve_qp as door
from refclass.optimise.programme.certificate import certify, residuals

HIGH = Fraction(1, 10**9)  # what qpbenchmark calls high accuracy, absolute
NONE = 1e20


def squares(n, terms):
    """Return P and q of Σ w (aᵀx + c)², for terms (w, a as a dictionary, c)."""
    P, q = {}, [0.0] * n
    for w, a, c in terms:
        for i, v in a.items():
            q[i] += 2 * w * c * v
            for j, u in a.items():
                P[i, j] = P.get((i, j), 0.0) + 2 * w * u * v
    return [(i, j, v) for (i, j), v in P.items()], q


def given(P, q, rows, bounds):
    """Return the arguments of `solve_qp` for rows (a, l, u) and bounds (l, u), absent ones as ±1e20."""
    everything = [*rows, *[({j: 1.0}, *own) for j, own in enumerate(bounds)]]
    A = [(i, j, v) for i, (row, _, _) in enumerate(everything) for j, v in row.items()]
    return P, q, A, [low for _, low, _ in everything], [high for _, _, high in everything]


def hs35():
    """Beale's problem."""
    P = [[4, 2, 2], [2, 4, 0], [2, 0, 2]]
    return P, [-8, -6, -4], [[1, 1, 2], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [-NONE, 0, 0, 0], [3, NONE, NONE, NONE]


def hs52():
    """Equalities alone, of the value 1859/349 with the constant 6."""
    terms = [(1, {0: 4.0, 1: -1.0}, 0), (1, {1: 1.0, 2: 1.0}, -2), (1, {3: 1.0}, -1), (1, {4: 1.0}, -1)]
    rows = [({0: 1.0, 1: 3.0}, 0, 0), ({2: 1.0, 3: 1.0, 4: -2.0}, 0, 0), ({1: 1.0, 4: -1.0}, 0, 0)]
    return given(*squares(5, terms), rows, [(-NONE, NONE)] * 5)


def hs76():
    """Three inequalities and bounds."""
    P = [[2, 0, -1, 0], [0, 1, 0, 0], [-1, 0, 2, 1], [0, 0, 1, 1]]
    A = [[1, 2, 1, 1], [3, 1, 2, -1], [0, 1, 4, 0], *[[int(i == j) for j in range(4)] for i in range(4)]]
    return P, [-1, -3, 1, -1], A, [-NONE, -NONE, 1.5, 0, 0, 0, 0], [5, 4, NONE, *[NONE] * 4]


def hs118():
    """Production over five periods."""
    costs, ends, rises = [(2.3, 1e-4), (1.7, 1e-4), (2.2, 1.5e-4)], (90, 120, 60), (6, 7, 6)
    P, q, rows, bounds = [], [], [], []
    for j in range(15):
        q.append(costs[j % 3][0])
        P.append((j, j, 2 * costs[j % 3][1]))
        bounds.append((0, ends[j % 3]))
        if j > 2:
            rows.append(({j: 1.0, j - 3: -1.0}, -7, rises[j % 3]))
    bounds[:3] = [(8, 21), (43, 57), (3, 16)]
    rows += [({3 * k: 1.0, 3 * k + 1: 1.0, 3 * k + 2: 1.0}, s, NONE) for k, s in enumerate((60, 50, 70, 85, 100))]
    return given(P, q, rows, bounds)


def tame():
    """Two variables, an optimum of zero."""
    return given(*squares(2, [(1, {0: 1.0, 1: -1.0}, 0)]), [({0: 1.0, 1: 1.0}, 1, 1)], [(0, NONE)] * 2)


def cvxqp(n, m):
    """Chained squares with m equalities."""
    terms, rows = [], []
    for i in range(1, n + 1):
        own = {}
        for j in (i - 1, (2 * i - 1) % n, (3 * i - 1) % n):
            own[j] = own.get(j, 0.0) + 1
        terms.append((i / 2, own, 0))
    for i in range(1, m + 1):
        own = {}
        for j, v in ((i - 1, 1.0), ((4 * i - 1) % n, 2.0), ((5 * i - 1) % n, 3.0)):
            own[j] = own.get(j, 0.0) + v
        rows.append((own, 6, 6))
    return given(*squares(n, terms), rows, [(0.1, 10)] * n)


def transport():
    """Supplies and demands of one size: every vertex is degenerate, and one row follows from the others."""
    rng, n = random.Random(1), 6
    rows = [({n * i + j: 1.0 for j in range(n)}, n, n) for i in range(n)]
    rows += [({n * i + j: 1.0 for i in range(n)}, n, n) for j in range(n)]
    return given(None, [rng.randint(1, 9) for _ in range(n * n)], rows, [(0, NONE)] * (n * n))


def differences():
    """Least squares to data with convex third differences: a band, ill-conditioned."""
    n = 30
    targets = [math.sqrt(i / n) + 0.1 * math.sin(i + 1) for i in range(n)]
    rows = [({i + 3 - j: math.comb(3, j) * (-1.0) ** j for j in range(4)}, 0, NONE) for i in range(n - 3)]
    return given([(i, i, 1) for i in range(n)], [-v for v in targets], rows, [(-NONE, NONE)] * n)


KNOWN = [
    (hs35, -80 / 9),
    (hs52, 1859 / 349 - 6),
    (hs76, -103 / 22),
    (hs118, 664.82045),
    (tame, 0),
    (lambda: cvxqp(40, 10), None),
    (lambda: cvxqp(40, 30), None),
    (transport, None),
    (differences, None),
]


@pytest.mark.parametrize(("problem", "value"), KNOWN, ids=[getattr(own, "__name__", "") for own, _ in KNOWN])
def test_the_gap_is_zero_and_doubles_are_accurate_to_a_billionth(problem, value):
    """In fractions gap 0 at the known value; in doubles residuals and gap of 1e-9 or less, judged from outside."""
    own = problem()
    exact = solve_qp(*own, arithmetic="exact")
    assert exact.certificate.gap == 0
    assert value is None or float(exact.objective) == pytest.approx(value, rel=1e-8, abs=1e-12)
    p, found = door.programme(*own), solve_qp(*own)
    x, y = [list(map(Fraction, v)) for v in (found.x, found.y)]
    missed, balances = residuals(p, x, y)
    assert max([*missed, *balances, abs(certify(p, x, y).gap)]) <= HIGH


@pytest.mark.slow
@pytest.mark.parametrize(("m", "value"), [(25, 8120.94), (75, 11943.4)])
def test_the_published_values_of_the_chained_squares_are_reached(m, value):
    """CVXQP2_S and CVXQP3_S of the test set, to the digits that Maros and Mészáros publish."""
    assert float(solve_qp(*cvxqp(100, m), arithmetic="exact").objective) == pytest.approx(value, rel=1e-5)
