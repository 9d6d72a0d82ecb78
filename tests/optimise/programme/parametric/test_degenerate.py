"""Degenerate vertices: the parametric method ends where the simplex method cycles, by its lexicographic rule."""

from __future__ import annotations

import random
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass import solve_qp
from refclass.errors import NoAnswer
from refclass.optimise.programme.crossover import Guess
from refclass.optimise.programme.parametric import method as parametric
from refclass.optimise.programme.parametric.lexicographic import least, symbols
from refclass.optimise.programme.problem import Programme, times, transposed_times
from refclass.optimise.programme.solver import refuse_concave

# Minimise cᵀx over Ax ≤ b, x ≥ 0: programmes at whose first vertex the simplex method cycles; with their optimum.
CYCLING = {
    "Beale 1955": (
        ["-3/4", 20, "-1/2", 6],
        [["1/4", -8, -1, 9], ["1/2", -12, "-1/2", 3], [0, 0, 1, 0]],
        [0, 0, 1],
        "-5/4",
    ),
    "Marshall and Suurballe 1969": (
        ["-2/5", "-2/5", "9/5"],
        [["3/5", "-32/5", "24/5"], ["1/5", "-9/5", "3/5"], ["2/5", "-8/5", "1/5"], [0, 1, 0]],
        [0, 0, 0, 1],
        -2,
    ),
    "Chvátal 1983": (
        [-10, 57, 9, 24],
        [["1/2", "-11/2", "-5/2", 9], ["1/2", "-3/2", "-1/2", 1], [1, 0, 0, 0]],
        [0, 0, 1],
        -1,
    ),
    "Kuhn, as Balinski and Tucker 1969 have it": (
        [-2, -3, 1, 12],
        [[-2, -9, 1, 9], ["1/3", 1, "-1/3", -2], [2, 3, -1, -12]],
        [0, 0, 2],
        -2,
    ),
}


def simplex(c, A, b):
    """Return how many bases the simplex method repeats: largest coefficient, first row first."""
    m, n = len(A), len(c)
    T = [[Fraction(v) for v in row] + [Fraction(int(i == k)) for k in range(m)] for i, row in enumerate(A)]
    T = [[*row, Fraction(v)] for row, v in zip(T, b)]
    costs, basis, seen = [Fraction(v) for v in c] + [Fraction(0)] * (m + 1), list(range(n, n + m)), []
    while basis not in seen:
        seen.append(list(basis))
        j = min(range(n + m), key=lambda j: costs[j])
        if costs[j] >= 0:
            return 0
        i = min([i for i in range(m) if T[i][j] > 0], key=lambda i: T[i][-1] / T[i][j])
        basis[i], T[i] = j, [v / T[i][j] for v in T[i]]
        for row in [*T[:i], *T[i + 1 :], costs]:
            row[:] = [v - row[j] * w for v, w in zip(row, T[i])]
    return len(seen) - seen.index(basis)


def conditions(p, point):
    """Assert every condition of optimality with ==."""
    pull = zip(times(p.P, point.x), p.q, transposed_times(p.A, point.y, p.n), point.z)
    assert not any(map(sum, pull))
    values, multipliers = [*point.x, *times(p.A, point.x)], [*point.z, *point.y]
    for v, w, low, high in zip(values, multipliers, [*p.lower, *p.l], [*p.upper, *p.u]):
        assert (-inf if low is None else low) <= v <= (inf if high is None else high)
        assert w == 0 or v == (high if w > 0 else low)


def proven(p, witness):
    """Assert that a witness proves that there is no point, or that the objective falls without end from any point."""
    sides = list(zip([*p.lower, *p.l], [*p.upper, *p.u]))
    if "y" in witness:
        z, y = witness["z"], witness["y"]
        assert not any(map(sum, zip(z, transposed_times(p.A, y, p.n))))
        assert sum([w * (high if w > 0 else low) for w, (low, high) in zip([*z, *y], sides) if w]) < 0
    else:
        d = witness["ray"]
        assert not any(times(p.P, d))
        assert sum([a * b for a, b in zip(d, p.q)]) < 0
        for v, (low, high) in zip([*d, *times(p.A, d)], sides):
            assert not (v > 0 and high is not None) and not (v < 0 and low is not None)


class Followed(parametric.Method):
    """The method, which asserts what its proof says: τ falls with each change, and no working set comes back."""

    def _begin(self):
        super()._begin()
        self.seen, self.last = set(), None

    def falls(self, at):
        """Assert that 1/τ = β/−α, number and symbols, has grown since the change before, and the working set is new."""
        assert tuple(self.side) not in self.seen
        self.seen.add(tuple(self.side))
        found = symbols(self.p, self.equations, self.side, at.k, at.s)
        own = {i: v / -at.alpha for i, v in found.items()}
        own[-1] = at.beta / -at.alpha
        if self.last is not None:
            difference = {i: v - self.last.get(i, 0) for i, v in {**dict.fromkeys(self.last, 0), **own}.items()}
            assert difference[min(i for i, v in difference.items() if v)] > 0
        self.last = own

    def _enter(self, margins, at):
        self.falls(at)
        super()._enter(margins, at)

    def _leave(self, margins, at):
        self.falls(at)
        super()._leave(margins, at)


def followed(p, start, spread):
    """Return the optimum of the parametric method, or that there is none, proven."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parametric, "SPREAD", spread)
        try:
            point = Followed(p, start).run()
        except NoAnswer as refusal:
            proven(p, refusal.witness)
            return "none"
    conditions(p, point)
    return sum([a * (b / 2 + c) for a, b, c in zip(point.x, times(p.P, point.x), p.q)])


def cold(p):
    """Return the start at zero, nothing active but equalities."""
    rows = [2 if low is not None and low == high else 0 for low, high in zip(p.l, p.u)]
    return Guess([Fraction(0)] * p.n, [Fraction(0)] * p.m, [0] * p.n, rows)


@pytest.mark.parametrize("spread", [0, parametric.SPREAD], ids=["equal shifts", "shifts that differ"])
@pytest.mark.parametrize("name", CYCLING)
def test_where_the_simplex_method_cycles_the_optimum_is_reached(name, spread):
    """Six bases come back under Dantzig's rule; the parametric method ends from the same vertex, and solve_qp."""
    c, A, b, best = CYCLING[name]
    assert simplex(c, A, b) == 6
    n, m = len(c), len(A)
    free, zeros = [None], [Fraction(0)]
    p = Programme(
        [{}] * n,
        [Fraction(v) for v in c],
        [{j: Fraction(v) for j, v in enumerate(row) if v} for row in A],
        free * m,
        [Fraction(v) for v in b],
        zeros * n,
        free * n,
    )
    assert followed(p, Guess(zeros * n, zeros * m, [-1] * n, [0] * m), spread) == Fraction(best)
    assert followed(p, Guess(zeros * n, zeros * m, [0] * n, [0] * m), spread) == Fraction(best)
    bounds = [[int(i == j) for j in range(n)] for i in range(n)]
    found = solve_qp(None, c, A + bounds, [None] * m + [0] * n, b + [None] * n, arithmetic="exact")
    assert (found.objective, found.certificate.gap) == (Fraction(best), 0)


def degenerate(rng, n, m):
    """Return a programme whose rows and bounds meet in one vertex: copies, multiples and sums among them."""
    vertex = [Fraction(rng.choice([0, 0, 0, 1, -1])) for _ in range(n)]
    A: list[dict[int, Fraction]] = []
    for _ in range(m):
        a, b = (rng.choice(A), rng.choice(A)) if A and rng.random() < 0.3 else ({}, {})
        factor = rng.choice([1, 2, -1])
        A.append({j: factor * v for j, v in a.items()} if rng.random() < 0.6 else dict(a))
        for j, v in b.items() if rng.random() < 0.4 else ():
            A[-1][j] = A[-1].get(j, 0) + v
        if not A[-1]:
            A[-1] = {j: Fraction(rng.choice([0, 0, 1, -1, 2, -3])) for j in range(n)}
        A[-1] = {j: v for j, v in A[-1].items() if v}
    values, kinds = times(A, vertex), [rng.random() for _ in A]
    low = [b if kind < 0.5 or kind > 0.9 else None for b, kind in zip(values, kinds)]
    high = [b if kind > 0.45 else None for b, kind in zip(values, kinds)]
    rank = rng.choice([0, 0, 1, 2])
    factors = [[rng.randint(-1, 1) for _ in range(n)] for _ in range(rank)]
    P = [{j: Fraction(v) for j in range(n) if (v := sum(f[i] * f[j] for f in factors))} for i in range(n)]
    pressing = [rng.choice([0, 0, 1, 2]) * (1 if b is not None else -1) for b in high]
    q = transposed_times(A, [Fraction(-w) for w in pressing], n)
    lower = [v if rng.random() < 0.5 else None for v in vertex]
    upper = [v + rng.choice([0, 1, 1]) if rng.random() < 0.3 else None for v in vertex]
    return Programme(P, [v + rng.choice([0, 0, 1, -1]) for v in q], A, low, high, lower, upper)


def guessed(rng, p):
    """Return a start with some sides active, at a point of small whole numbers."""
    start = cold(p)
    for sides, lows, highs in ((start.variables, p.lower, p.upper), (start.rows, p.l, p.u)):
        for k, (low, high) in enumerate(zip(lows, highs)):
            known = [s for s, bound in ((-1, low), (1, high)) if bound is not None]
            if known and sides[k] == 0 and rng.random() < 0.4:
                sides[k] = rng.choice(known)
    start.x = [Fraction(rng.randint(-2, 2)) for _ in start.x]
    return start


@given(st.integers(0, 10**6))
def test_degenerate_programmes_end_and_no_working_set_comes_back(seed):
    """From two starts, with equal shifts and with ones that differ: one optimum, ==, or a refusal that is proven."""
    rng = random.Random(seed)
    p = degenerate(rng, rng.randint(1, 6), rng.randint(0, 15))
    try:
        refuse_concave(p)
    except NoAnswer:
        return
    starts = [cold(p), guessed(rng, p)]
    found = {followed(p, start, spread) for start in starts for spread in (0, parametric.SPREAD)}
    assert len(found) == 1


def test_many_copies_of_the_rows_of_a_vertex_end():
    """A quadratic programme with eight copies and multiples of each of five rows that meet in one vertex."""
    rng = random.Random(2)
    base = [[rng.randint(-3, 3) for _ in range(4)] for _ in range(5)]
    A = [{j: Fraction(f * v) for j, v in enumerate(row) if v} for f in range(1, 9) for row in base]
    P = [{i: Fraction(1)} for i in range(4)]
    sides = times(A, [Fraction(1)] * 4)
    q = [Fraction(-1) - sum([Fraction(row[j]) for row in base]) for j in range(4)]
    free = [None] * 4
    p = Programme(P, q, A, [None] * 40, sides, free, free)
    assert followed(p, cold(p), 0) == 2 + sum(q)


def test_symbols_are_what_a_unit_of_each_shift_changes():
    """A margin's coefficient of a symbol is the difference, ==, that one unit of that shift makes in its β."""
    for seed in range(6):
        rng = random.Random(seed)
        p = degenerate(rng, 4, 5)
        method = parametric.Method(p, guessed(rng, p))
        if method.equations.held:
            method._settle()
        method._begin()
        before = method._margins(method.line())
        reported = {key: symbols(p, method.equations, method.side, *key) for key in before}
        for k in range(p.n + p.m):
            for symbol, side in ((3 * k, 0), (3 * k + 1, -1), (3 * k + 2, 1)):
                shift = method.shift
                method.shift = parametric.Shift(dict(shift.q), dict(shift.sides))
                if side:
                    method.shift.sides[k, side] = shift.sides.get((k, side), Fraction(0)) + 1
                else:
                    method._add_to_q(k, Fraction(1))
                after = method._margins(method.line())
                method.shift = shift
                for key, margin in after.items():
                    assert margin.beta - before[key].beta == reported[key].get(symbol, 0)


def test_no_two_margins_tie():
    """Symbols decide between margins that are equal as numbers, and an order of them is the order of the sums."""
    one = Fraction(1)
    assert least([{0: one}, {2: -one}, {2: one}]) == 1
    rng = random.Random(11)
    p = degenerate(rng, 4, 6)
    method = parametric.Method(p, cold(p))
    method._settle()
    method._begin()
    found = [symbols(p, method.equations, method.side, *key) for key in method._margins(method.line())]
    assert len({tuple(sorted(own.items())) for own in found}) == len(found) > 4
