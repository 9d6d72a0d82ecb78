"""Mehrotra's predictor-corrector method for sparse convex quadratic programmes, in doubles (Mehrotra 1992).

As Nocedal and Wright (2006), section 16.6, have it, on regularised quasi-definite equations (Vanderbei 1995; Altman and
Gondzio 1999).

    minimise ½xᵀPx + qᵀx   subject to   Ax = s,   l ≤ s ≤ u,   lower ≤ x ≤ upper

Every bound has a multiplier, and the product of each with its slack goes to zero for all alike. A step solves

    | P + Θ + ρI      Aᵀ      | | dx |
    | A         −(Ω⁻¹ + δI)   | | dy |        Θ, Ω the multipliers over slacks of the bounds of x and of s

twice with one factor. ρ keeps it quasi-definite where P and A leave directions open, and its effect is taken away by
iterative refinement. δ belongs to the programme: ½δ‖y − c‖² is subtracted from the dual objective, from c = 0 on, and
c becomes y where the programme with this term is solved, the proximal method of multipliers (Rockafellar 1976;
Friedlander and Orban 2012). Of many multipliers it therefore finds small ones, and it ends also where rows without an
interior contradict each other by roundoff. The last iterate shows which bounds are active; it proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Optional

from refclass.linear.factorisations.sparse_ldl import Factor, factor, plan
from refclass.optimise.limits import INTERIOR_STEPS, PATIENCE, REFINEMENTS, TO_BOUNDARY

RHO = 1e-9  # regularisation of P and of the rows, beside entries of size one
RHO_MOST = 1e-6  # the most that it grows to where a pivot has lost its sign
DELTA = 1e-8  # weight of the proximal term of the multipliers, beside entries of size one
SOLVED = 1e-8  # merit of the programme with that term at which its centre moves
CLOSE = 1e-13  # residuals and products, relative to the data, at which the method ends
NOISE = 1e-11  # merit below which falling residuals or products are roundoff, and no progress
FAR = 1e20  # a slack-to-multiplier ratio beyond which a row counts as without sides

Sparse = tuple[list[int], list[float]]


@dataclass(frozen=True)
class Doubles:
    """A programme in doubles, infinities for no bound: P and A row by row, columns beside values."""

    P: list[Sparse]
    q: list[float]
    A: list[Sparse]
    l: list[float]  # noqa: E741
    u: list[float]
    lower: list[float]
    upper: list[float]


@dataclass(frozen=True)
class Iterate:
    """An iterate: the point, the rows' multipliers, and for each bound its slack and multiplier.

    slack, multiplier    of the lower bounds of x and s, then of the upper ones, each of length n + m; a bound that does
                         not exist has slack infinity and multiplier 0
    merit                the largest of the relative residuals and of the relative gap
    """

    x: list[float]
    y: list[float]
    slack: tuple[list[float], list[float]]
    multiplier: tuple[list[float], list[float]]
    merit: float


def products(rows: Sequence[Sparse], x: Sequence[float]) -> list[float]:
    """Return the products of sparse rows and x."""
    return [sum([v * x[j] for j, v in zip(*row)]) for row in rows]


def gathered(rows: Sequence[Sparse], y: Sequence[float], n: int) -> list[float]:
    """Return Σ yᵢ rowᵢ."""
    total = [0.0] * n
    for (places, values), c in zip(rows, y):
        if c:
            for j, v in zip(places, values):
                total[j] += c * v
    return total


class Method:
    """The iteration: values v = (x, s), equalities s held at their sides."""

    def __init__(self, p: Doubles) -> None:
        self.p, self.n, self.m = p, len(p.q), len(p.A)
        self.low, self.high = p.lower + p.l, p.upper + p.u
        self.fixed = [a == b for a, b in zip(self.low, self.high)]  # equalities, among the rows
        neighbours: list[set[int]] = [set() for _ in range(self.n + self.m)]
        for i, (places, _) in enumerate(p.P):
            neighbours[i].update(places)
            neighbours[i].discard(i)
        for i, (places, _) in enumerate(p.A, self.n):
            neighbours[i].update(places)
            for j in places:
                neighbours[j].add(i)
        self.plan = plan(neighbours)
        self.below = [[(j, v) for j, v in zip(*row) if j < i] for i, row in enumerate(p.P)]
        self.rows = [list(zip(*row)) for row in p.A]
        self.diagonal = [dict(zip(*row)).get(i, 0.0) for i, row in enumerate(p.P)]
        self.size_q = 1 + max(map(abs, p.q), default=0.0)
        self.size_b = 1 + max([abs(b) for b in self.low + self.high if math.isfinite(b)], default=0.0)
        self.rho, self.centre = RHO, [0.0] * self.m
        self._start()

    def _factor(self, theta: Sequence[float], omega: Sequence[float]) -> Factor:
        """Return the factor for the curvatures theta of x, and the inverse curvatures omega of the rows."""
        self.theta, self.omega = theta, omega
        while True:
            r = self.rho
            lower = [[*row, (i, d + t + r)] for i, (row, d, t) in enumerate(zip(self.below, self.diagonal, theta))]
            lower += [[*row, (i, -w - DELTA - r)] for i, (row, w) in enumerate(zip(self.rows, omega), self.n)]
            known = factor(self.plan, lower, self.n)
            if not known.blocked or r >= RHO_MOST:
                return known
            self.rho *= 10

    def _solve(self, known: Factor, bx: Sequence[float], by: Sequence[float]) -> tuple[list[float], list[float]]:
        """Return dx, dy of the equations without ρ, refined as long as the residual falls."""
        n, p = self.n, self.p
        right = [*bx, *by]
        best, least = known.solve(right), math.inf
        d = best
        for _ in range(REFINEMENTS):
            dx, dy = d[:n], d[n:]
            Px, pull = products(p.P, dx), gathered(p.A, dy, n)
            top = [b - a - t * v - g for b, a, t, v, g in zip(bx, Px, self.theta, dx, pull)]
            bottom = [b - a + (w + DELTA) * v for b, a, w, v in zip(by, products(p.A, dx), self.omega, dy)]
            size = max(map(abs, top + bottom), default=0.0)
            if not size < least / 2:
                if size < least:
                    best = d
                break
            best, least = d, size
            if not size:
                break
            d = [a + b for a, b in zip(d, known.solve(top + bottom))]
        return best[:n], best[n:]

    def _start(self) -> None:
        """Begin at a least-squares solution, moved into the bounds (Mehrotra 1992)."""
        p, n = self.p, self.n
        target = [_between(a, b) for a, b in zip(p.l, p.u)]
        known = self._factor([1.0] * n, [0.0 if f else 1.0 for f in self.fixed[n:]])
        x, y = self._solve(known, [-v for v in p.q], target)
        Ax, Px, pull = products(p.A, x), products(p.P, x), gathered(p.A, y, n)
        v = x + [b if f else a for a, b, f in zip(Ax, p.l, self.fixed[n:])]
        g = [a + b + c for a, b, c in zip(Px, p.q, pull)] + [-w for w in y]
        outside = [max(a - w, w - b, 0.0) for w, a, b, f in zip(v, self.low, self.high, self.fixed) if not f]
        push = max(1.0, min(1.5 * max(outside, default=0.0), 1e3))
        force = max(1.0, min(1.5 * max(map(abs, g), default=0.0), 1e3))
        self.v = [w if f else _inside(w, a, b, push) for w, a, b, f in zip(v, self.low, self.high, self.fixed)]
        self.y = [w if f else 0.0 for w, f in zip(y, self.fixed[n:])]
        self.zl = [0.0 if f or a == -math.inf else force for a, f in zip(self.low, self.fixed)]
        self.zu = [0.0 if f or b == math.inf else force for b, f in zip(self.high, self.fixed)]
        self.y = [w if f else zu - zl for w, f, zl, zu in zip(self.y, self.fixed[n:], self.zl[n:], self.zu[n:])]
        self.sl = [math.inf if f else w - a for w, a, f in zip(self.v, self.low, self.fixed)]
        self.su = [math.inf if f else b - w for w, b, f in zip(self.v, self.high, self.fixed)]
        self.count = sum([z > 0 for z in self.zl + self.zu])

    def residuals(self) -> None:
        """Compute what the conditions lack at the iterate, and its merit."""
        p, n = self.p, self.n
        x, s = self.v[:n], self.v[n:]
        Px, Ax, pull = products(p.P, x), products(p.A, x), gathered(p.A, self.y, n)
        self.rx = [-(a + b + c - zl + zu) for a, b, c, zl, zu in zip(Px, p.q, pull, self.zl, self.zu)]
        rows = zip(self.y, self.zl[n:], self.zu[n:], self.fixed[n:])
        self.rs = [0.0 if f else y + zl - zu for y, zl, zu, f in rows]
        self.ry = [b - a for a, b in zip(Ax, s)]
        self.gap = sum([z * w for z, w in zip(self.zl, self.sl) if z]) + sum(
            [z * w for z, w in zip(self.zu, self.su) if z]
        )
        self.mu = self.gap / max(1, self.count)
        value = sum([a * b for a, b in zip(x, Px)]) / 2 + sum([a * b for a, b in zip(x, p.q)])
        dual = max(map(abs, self.rx + self.rs), default=0.0) / (self.size_q + max(map(abs, Px + pull), default=0.0))
        primal = max(map(abs, self.ry), default=0.0) / self.size_b
        self.infeasibility = max(dual, primal)
        self.merit = max(dual, primal, self.gap / (1 + abs(value)))
        ry = [r + DELTA * (y - c) for r, y, c in zip(self.ry, self.y, self.centre)]
        primal = max(map(abs, ry), default=0.0) / self.size_b
        if max(dual, primal, self.gap / (1 + abs(value))) < SOLVED:
            self.centre = self.y
        else:
            self.ry = ry

    def step(self) -> None:
        """Take a predictor and a corrector step."""
        n = self.n
        ratio = [zl / a + zu / b for zl, a, zu, b in zip(self.zl, self.sl, self.zu, self.su)]
        omega = [0.0 if f else 1 / r if r * FAR > 1 else FAR for r, f in zip(ratio[n:], self.fixed[n:])]
        known = self._factor(ratio[:n], omega)
        cl = [-z * w if z else 0.0 for z, w in zip(self.zl, self.sl)]
        cu = [-z * w if z else 0.0 for z, w in zip(self.zu, self.su)]
        dv, dy, dl, du = self._direction(known, cl, cu)
        a = min(self._limit(dv, dl, du))
        after = sum([(w + a * d) * (z + a * e) for w, d, z, e in zip(self.sl, dv, self.zl, dl) if z])
        after += sum([(w - a * d) * (z + a * e) for w, d, z, e in zip(self.su, dv, self.zu, du) if z])
        sigma = (after / self.gap) ** 3 if self.gap > 0 else 0.0
        target = min(max(sigma, 1e-8), 1.0) * self.mu
        cl = [c + target - d * e if z else 0.0 for c, d, e, z in zip(cl, dv, dl, self.zl)]
        cu = [c + target + d * e if z else 0.0 for c, d, e, z in zip(cu, dv, du, self.zu)]
        dv, dy, dl, du = self._direction(known, cl, cu)
        ap, ad = self._limit(dv, dl, du)
        if any(d for _, d in self.p.P):
            ap = ad = min(ap, ad)
        ap, ad = min(1.0, TO_BOUNDARY * ap), min(1.0, TO_BOUNDARY * ad)
        self.v = [w + ap * d for w, d in zip(self.v, dv)]
        # Premise: slacks go on by themselves; taken from v, they would lose all digits where the bound is large.
        self.sl = [w + ap * d for w, d in zip(self.sl, dv)]
        self.su = [w - ap * d for w, d in zip(self.su, dv)]
        self.y = [w + ad * d for w, d in zip(self.y, dy)]
        self.zl = [z + ad * d if z else 0.0 for z, d in zip(self.zl, dl)]
        self.zu = [z + ad * d if z else 0.0 for z, d in zip(self.zu, du)]

    def _direction(self, known: Factor, cl: Sequence[float], cu: Sequence[float]) -> tuple[list[float], ...]:
        """Return the changes of values, y and the bounds' multipliers that change the products by cl and cu."""
        n = self.n
        h = [c / a - d / b for c, a, d, b in zip(cl, self.sl, cu, self.su)]
        # s: ratio ds − dy = rs + h, hence ds = ω(dy + rs + h), and A dx − (ω + δ) dy = ry + ω(rs + h).
        force = [r + g for r, g in zip(self.rs, h[n:])]
        bottom = [r + w * f for r, w, f in zip(self.ry, self.omega, force)]
        dx, dy = self._solve(known, [r + g for r, g in zip(self.rx, h)], bottom)
        ds = [w * (d + f) for w, d, f in zip(self.omega, dy, force)]
        dv = dx + ds
        dl = [(c - z * d) / a if z else 0.0 for c, z, d, a in zip(cl, self.zl, dv, self.sl)]
        du = [(c + z * d) / b if z else 0.0 for c, z, d, b in zip(cu, self.zu, dv, self.su)]
        return dv, dy, dl, du

    def _limit(self, dv: Sequence[float], dl: Sequence[float], du: Sequence[float]) -> tuple[float, float]:
        """Return how far the values and the multipliers may go before one of them is zero."""
        primal = min([w / -d for w, d, z in zip(self.sl, dv, self.zl) if z and d < 0], default=1.0)
        primal = min(primal, min([w / d for w, d, z in zip(self.su, dv, self.zu) if z and d > 0], default=1.0))
        dual = min([z / -d for z, d in zip(self.zl, dl) if d < 0], default=1.0)
        dual = min(dual, min([z / -d for z, d in zip(self.zu, du) if d < 0], default=1.0))
        return min(primal, 1 / TO_BOUNDARY), min(dual, 1 / TO_BOUNDARY)

    def iterate(self) -> Iterate:
        """Return the iterate."""
        return Iterate(self.v[: self.n], self.y, (self.sl, self.su), (self.zl, self.zu), self.merit)


def _between(a: float, b: float) -> float:
    if math.isfinite(a) and math.isfinite(b):
        return a / 2 + b / 2
    return a if math.isfinite(a) else b if math.isfinite(b) else 0.0


def _inside(w: float, a: float, b: float, push: float) -> float:
    """Return the value nearest to w that keeps away from its bounds, by `push` or a share of their distance."""
    if math.isfinite(a) and math.isfinite(b):
        keep = min(push, (b - a) / 4)
        return min(max(w, a + keep), b - keep)
    return max(w, a + push) if math.isfinite(a) else min(w, b - push) if math.isfinite(b) else w


def steps(p: Doubles) -> Iterator[Iterate]:
    """Yield the iterates; the last but some are better than the last where progress has ended."""
    method = Method(p)
    residual, gap, idle = math.inf, math.inf, 0
    for _ in range(INTERIOR_STEPS):
        method.residuals()
        if not math.isfinite(method.merit):
            return
        yield method.iterate()
        better = method.infeasibility < 0.9 * residual or method.gap < 0.9 * gap
        idle = 0 if better and method.merit > NOISE else idle + 1
        residual, gap = min(residual, method.infeasibility), min(gap, method.gap)
        if method.merit <= CLOSE or idle > PATIENCE:
            return
        try:
            method.step()
        except (ZeroDivisionError, OverflowError):
            return


def solve(p: Doubles) -> Optional[Iterate]:
    """Return the iterate of least merit; None where numbers of the data leave the range of doubles."""
    try:
        return min(steps(p), key=lambda state: state.merit, default=None)
    except (ZeroDivisionError, OverflowError):
        return None
