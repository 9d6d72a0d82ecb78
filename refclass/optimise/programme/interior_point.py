"""Mehrotra's predictor-corrector method for sparse convex quadratic programmes, in doubles (Mehrotra 1992).

As Nocedal and Wright (2006), section 16.6, have it, for

    minimise ½xᵀPx + qᵀx   subject to   Ax = s,   l ≤ s ≤ u,   lower ≤ x ≤ upper

Every bound has a multiplier, and the product of each with its slack goes to zero for all alike. A step solves the
equations of `quasi_definite` twice with one factor; Θ and Ω are the multipliers over the slacks of the bounds of x and
of s. δ belongs to the programme: ½δ‖y − c‖² is subtracted from the dual objective, from c = 0 on, and c becomes y where
the programme with this term is solved, the proximal method of multipliers (Rockafellar 1976; Friedlander and Orban
2012). Of many multipliers it therefore finds small ones, and it ends also where rows without an interior contradict
each other by roundoff. The last iterate shows which bounds are active; it proves nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Optional

from refclass.optimise.limits import NEWTON_STEPS, PATIENCE, TO_BOUNDARY
from refclass.optimise.programme.quasi_definite import Doubles, Equations, gathered, products

DELTA = 1e-8  # δ, beside entries of size one, and the merit of the programme with its term at which c moves
CLOSE = 1e-13  # residuals and products, relative to the data, at which the method ends
FAR = 1e20  # a slack-to-multiplier ratio beyond which a row counts as without sides


@dataclass(frozen=True)
class Iterate:
    """Values v = (x, s) and the rows' multipliers y, with slacks sl, su and multipliers zl, zu of the two sides of v.

    A side that does not exist has slack infinity and multiplier 0. Slacks go on by themselves: taken from v, they would
    lose all digits where the bound is large.

    merit    the largest of the relative residuals and of the relative gap, once it is computed
    """

    v: list[float]
    y: list[float]
    sl: list[float]
    su: list[float]
    zl: list[float]
    zu: list[float]
    merit: float = math.inf

    def moved(self, by: Direction, ap: float, ad: float) -> Iterate:
        """Return the iterate after the share ap of a direction's values and the share ad of its multipliers."""
        return Iterate(
            v=[w + ap * d for w, d in zip(self.v, by.v)],
            y=[w + ad * d for w, d in zip(self.y, by.y)],
            sl=[w + ap * d for w, d in zip(self.sl, by.v)],
            su=[w - ap * d for w, d in zip(self.su, by.v)],
            zl=[z + ad * d if z else 0.0 for z, d in zip(self.zl, by.zl)],
            zu=[z + ad * d if z else 0.0 for z, d in zip(self.zu, by.zu)],
        )


class Direction(NamedTuple):
    """The changes of an iterate's values and multipliers."""

    v: list[float]
    y: list[float]
    zl: list[float]
    zu: list[float]


class Residuals(NamedTuple):
    """What the optimality conditions lack at an iterate.

    x, s, y          of stationarity in x and in s, and of Ax = s, with δ's term
    gap              the sum of the products of slacks and multipliers
    infeasibility    the largest of the relative residuals
    merit            the largest of these and of the relative gap
    """

    x: list[float]
    s: list[float]
    y: list[float]
    gap: float
    infeasibility: float
    merit: float


class Method:
    """The iteration: values v = (x, s), equalities s held at their sides.

    low, high    the sides of v
    fixed        which of v are equalities, among the rows
    sizes        of q and of the sides, that residuals are relative to
    centre       c
    count        how many sides have a multiplier
    """

    def __init__(self, p: Doubles) -> None:
        self.p, self.n = p, len(p.q)
        self.low, self.high = p.lower + p.l, p.upper + p.u
        self.fixed = [a == b for a, b in zip(self.low, self.high)]
        self.equations = Equations(p, DELTA)
        largest = max([abs(b) for b in self.low + self.high if math.isfinite(b)], default=0.0)
        self.sizes = 1 + max(map(abs, p.q), default=0.0), 1 + largest
        self.centre = [0.0] * len(p.A)
        self.iterate = self._start()
        self.count = sum([z > 0 for z in self.iterate.zl + self.iterate.zu])

    def _start(self) -> Iterate:
        """Return a least-squares solution, moved into the bounds (Mehrotra 1992)."""
        p, n = self.p, self.n
        target = [_between(a, b) for a, b in zip(p.l, p.u)]
        self.equations.factor([1.0] * n, [0.0 if f else 1.0 for f in self.fixed[n:]])
        x, y = self.equations.solve([-v for v in p.q], target)
        Ax, Px, pull = products(p.A, x), products(p.P, x), gathered(p.A, y, n)
        v = x + [b if f else a for a, b, f in zip(Ax, p.l, self.fixed[n:])]
        g = [a + b + c for a, b, c in zip(Px, p.q, pull)] + [-w for w in y]
        outside = [max(a - w, w - b, 0.0) for w, a, b, f in zip(v, self.low, self.high, self.fixed) if not f]
        push = max(1.0, min(1.5 * max(outside, default=0.0), 1e3))
        force = max(1.0, min(1.5 * max(map(abs, g), default=0.0), 1e3))
        v = [w if f else _inside(w, a, b, push) for w, a, b, f in zip(v, self.low, self.high, self.fixed)]
        zl = [0.0 if f or a == -math.inf else force for a, f in zip(self.low, self.fixed)]
        zu = [0.0 if f or b == math.inf else force for b, f in zip(self.high, self.fixed)]
        return Iterate(
            v=v,
            y=[w if f else up - down for w, f, down, up in zip(y, self.fixed[n:], zl[n:], zu[n:])],
            sl=[math.inf if f else w - a for w, a, f in zip(v, self.low, self.fixed)],
            su=[math.inf if f else b - w for w, b, f in zip(v, self.high, self.fixed)],
            zl=zl,
            zu=zu,
        )

    def residuals(self) -> Residuals:
        """Return what the conditions lack at the iterate; c becomes y where little of δ's programme is missing."""
        p, n, at, (size_q, size_b) = self.p, self.n, self.iterate, self.sizes
        x, s = at.v[:n], at.v[n:]
        Px, Ax, pull = products(p.P, x), products(p.A, x), gathered(p.A, at.y, n)
        rx = [-(a + b + c - zl + zu) for a, b, c, zl, zu in zip(Px, p.q, pull, at.zl, at.zu)]
        rows = zip(at.y, at.zl[n:], at.zu[n:], self.fixed[n:])
        rs = [0.0 if f else y + zl - zu for y, zl, zu, f in rows]
        ry = [b - a for a, b in zip(Ax, s)]
        gap = sum([z * w for z, w in zip(at.zl, at.sl) if z]) + sum([z * w for z, w in zip(at.zu, at.su) if z])
        value = sum([a * b for a, b in zip(x, Px)]) / 2 + sum([a * b for a, b in zip(x, p.q)])
        dual = max(map(abs, rx + rs), default=0.0) / (size_q + max(map(abs, Px + pull), default=0.0))
        primal = max(map(abs, ry), default=0.0) / size_b
        infeasibility, merit = max(dual, primal), max(dual, primal, gap / (1 + abs(value)))
        near = [r + DELTA * (y - c) for r, y, c in zip(ry, at.y, self.centre)]
        primal = max(map(abs, near), default=0.0) / size_b
        if max(dual, primal, gap / (1 + abs(value))) < DELTA:
            self.centre = at.y
        else:
            ry = near
        return Residuals(rx, rs, ry, gap, infeasibility, merit)

    def step(self, lack: Residuals) -> None:
        """Take a predictor and a corrector step."""
        n, at = self.n, self.iterate
        ratio = [zl / a + zu / b for zl, a, zu, b in zip(at.zl, at.sl, at.zu, at.su)]
        inverse = [0.0 if f else 1 / r if r * FAR > 1 else FAR for r, f in zip(ratio[n:], self.fixed[n:])]
        self.equations.factor(ratio[:n], inverse)
        cl = [-z * w if z else 0.0 for z, w in zip(at.zl, at.sl)]
        cu = [-z * w if z else 0.0 for z, w in zip(at.zu, at.su)]
        d = self._direction(lack, cl, cu)
        a = min(self._limit(d))
        after = sum([(w + a * e) * (z + a * g) for w, e, z, g in zip(at.sl, d.v, at.zl, d.zl) if z])
        after += sum([(w - a * e) * (z + a * g) for w, e, z, g in zip(at.su, d.v, at.zu, d.zu) if z])
        sigma = (after / lack.gap) ** 3 if lack.gap > 0 else 0.0
        target = min(max(sigma, 1e-8), 1.0) * (lack.gap / max(1, self.count))
        cl = [c + target - e * g if z else 0.0 for c, e, g, z in zip(cl, d.v, d.zl, at.zl)]
        cu = [c + target + e * g if z else 0.0 for c, e, g, z in zip(cu, d.v, d.zu, at.zu)]
        d = self._direction(lack, cl, cu)
        ap, ad = self._limit(d)
        if any(row for _, row in self.p.P):
            ap = ad = min(ap, ad)
        self.iterate = at.moved(d, min(1.0, TO_BOUNDARY * ap), min(1.0, TO_BOUNDARY * ad))

    def _direction(self, lack: Residuals, cl: Sequence[float], cu: Sequence[float]) -> Direction:
        """Return the direction in which the residuals vanish and the products change by cl and cu."""
        n, at, inverse = self.n, self.iterate, self.equations.inverse
        h = [c / a - d / b for c, a, d, b in zip(cl, at.sl, cu, at.su)]
        # s: ratio ds − dy = rs + h, hence ds = ω(dy + rs + h), and A dx − (ω + δ) dy = ry + ω(rs + h).
        force = [r + g for r, g in zip(lack.s, h[n:])]
        bottom = [r + w * f for r, w, f in zip(lack.y, inverse, force)]
        dx, dy = self.equations.solve([r + g for r, g in zip(lack.x, h)], bottom)
        dv = dx + [w * (d + f) for w, d, f in zip(inverse, dy, force)]
        dl = [(c - z * d) / a if z else 0.0 for c, z, d, a in zip(cl, at.zl, dv, at.sl)]
        du = [(c + z * d) / b if z else 0.0 for c, z, d, b in zip(cu, at.zu, dv, at.su)]
        return Direction(dv, dy, dl, du)

    def _limit(self, d: Direction) -> tuple[float, float]:
        """Return how far the values and the multipliers may go before one of them is zero."""
        at = self.iterate
        primal = min([w / -e for w, e, z in zip(at.sl, d.v, at.zl) if z and e < 0], default=1.0)
        primal = min(primal, min([w / e for w, e, z in zip(at.su, d.v, at.zu) if z and e > 0], default=1.0))
        dual = min([z / -e for z, e in zip(at.zl, d.zl) if e < 0], default=1.0)
        dual = min(dual, min([z / -e for z, e in zip(at.zu, d.zu) if e < 0], default=1.0))
        return min(primal, 1 / TO_BOUNDARY), min(dual, 1 / TO_BOUNDARY)


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
    for _ in range(NEWTON_STEPS):
        lack = method.residuals()
        if not math.isfinite(lack.merit):
            return
        yield replace(method.iterate, merit=lack.merit)
        better = lack.infeasibility < 0.9 * residual or lack.gap < 0.9 * gap
        idle = 0 if better else idle + 1
        residual, gap = min(residual, lack.infeasibility), min(gap, lack.gap)
        if lack.merit <= CLOSE or idle > PATIENCE:
            return
        try:
            method.step(lack)
        except (ZeroDivisionError, OverflowError):
            return


def solve(p: Doubles) -> Optional[Iterate]:
    """Return the iterate of least merit; None where numbers of the data leave the range of doubles."""
    try:
        return min(steps(p), key=lambda state: state.merit, default=None)
    except (ZeroDivisionError, OverflowError):
        return None
