"""Starting points for many multipliers: Newton's method on proximal problems, solved by conjugate gradients.

    minimise ½ Σ_k (α_k − ᾱ)ᵀK(α_k − ᾱ) + Σ_k c_kᵀα_k + ½δ ‖α − γ‖²   subject to 0 ≤ α_k ≤ u_k and equal sums

γ is the solution before (Rockafellar 1976). The dual of this problem has no bounds: its unknowns are functions
f_k = −K(a_k − ā) − ν_k, Σ ν_k = 0, and at its minimum α = γ + (f − c)/δ, clipped to the bounds. It is minimised by
semismooth Newton steps with a line search (Li, Sun and Toh 2018). A step solves, over the F_k not at bounds,

    (K_FF + δ) z_k − K_F· z̄ + ν_k 1 = right side      equal sums, Σ ν_k = 0

by conjugate gradients, preconditioned with what does not couple the classes but by their sums: a factor of K_FF + δ for
each class, of the order of its own free multipliers. The product with that matrix is known from the preconditioner; a
step takes one product with K for all classes together. Nothing depends on how near the point is to the optimum:
decomposition goes on from there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import Optional

from refclass.linear.polar import product
from refclass.linear.vector import dot
from refclass.optimise.decomposition.reduced_cholesky import Factor
from refclass.optimise.multiclass.coupled import Problem
from refclass.optimise.quadratic.box_rows import combine

FIRST, LEAST = 0.1, 0.02  # δ at first, and at last, in units of the largest cost over the largest bound
RATIO = 0.5  # of one δ to that before
RIDGE = 0.1  # of the largest diagonal entry: penalty of the least-squares fit that the iteration starts from
MOST_STEPS = 25  # Newton steps in all
MOST_INNER = 15  # Newton steps on one proximal problem
MOST_CONJUGATE = 60  # conjugate directions of one Newton step
RESIDUAL = 1e-3  # part of the first residual at which a Newton step is near enough
GAP, NEAR = 1e-7, 0.1  # relative gaps: at which the iteration ends, and up to which its end is a good start
STALLED = 0.001  # length of a step that gains nothing
SETTLED = 0.02  # part of the free multipliers that changes when a proximal problem counts as solved
BISECTIONS = 12  # of the length of a step

Columns = list[list[float]]


class Bordered:
    """The matrix K_FF + δ of each class, factored, with a multiplier of each sum."""

    def __init__(self, rows: Sequence[Sequence[float]], delta: float, classes: int) -> None:
        def curvature(v: int, members: Sequence[int]) -> tuple[Sequence[float], float]:
            row = rows[v]
            return [row[j] for j in members], row[v] + delta

        self.factors = [Factor(curvature) for _ in range(classes)]
        self.ones: Columns = []
        self.weights: list[float] = []
        self.changes = self.held = 0

    def hold(self, free: Sequence[Sequence[int]]) -> bool:
        """Take in these points of each class and no others; return whether every class has some."""
        self.ones, self.weights, self.changes, self.held = [], [], 0, 0
        for factor, own in zip(self.factors, free):
            wanted = set(own)
            before = list(factor.members)
            for v in set(before) - wanted:
                factor.drop(v, [0.0] * len(factor.members))
            known = set(factor.members)
            self.changes += len(wanted) + len(before) - 2 * len(known)
            self.held += len(wanted)
            for v in own:
                if v not in known:
                    factor.append(v)
            self.ones.append(factor.back(factor.half([1.0] * len(factor.members))))
            self.weights.append(sum(self.ones[-1]))
        return min(self.weights) > 0.0

    def solve(self, r: Columns, sums: Sequence[float]) -> tuple[Columns, list[float]]:
        """Return z and ν with M_k z_k + ν_k 1 = r_k, Σ ν_k = 0 and 1ᵀz_k + sums_k the same for every class."""
        z = [factor.back(factor.half(own)) for factor, own in zip(self.factors, r)]
        totals = [sum(own) + s for own, s in zip(z, sums)]
        common = sum(map(lambda t, w: t / w, totals, self.weights)) / sum([1 / w for w in self.weights])
        nu = [(t - common) / w for t, w in zip(totals, self.weights)]
        return [[v - level * one for v, one in zip(own, ones)] for own, ones, level in zip(z, self.ones, nu)], nu


class Iteration:
    """The iteration: coefficients a with K a_k, levels ν, the centre γ, and δ."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.n, self.m = problem, problem.n, problem.classes
        self.rows = [tuple(problem.K.row(i)) for i in range(self.n)]
        self.squares = [dot(row, row) for row in self.rows]
        self.c = [list(own) for own in problem.c]
        self.upper = [list(own) for own in problem.upper]
        top = max(map(max, self.upper))
        self.unit = max(abs(problem.c[k][i]) for i, k in problem.places) / top
        self.delta = FIRST * self.unit
        self.gamma = [[0.5 * u for u in own] for own in self.upper]
        self.bordered = Bordered(self.rows, self.delta, self.m)
        self.a, self.images, self.nu = self.ridge()
        self.count = 0

    def product(self, v: Sequence[float]) -> list[float]:
        """Return K v."""
        v = tuple(v)
        vv = dot(v, v)
        return [product(row, square, v, vv) for row, square in zip(self.rows, self.squares)]

    def ridge(self) -> tuple[Columns, Columns, list[float]]:
        """Return the coefficients, with K times them, and the levels of the least-squares fit to the corners."""
        penalty = RIDGE * max(self.problem.K.diagonal())
        bordered = Bordered(self.rows, penalty, 1)
        bordered.hold([range(self.n)])
        goals = []
        for k, (c, u) in enumerate(zip(self.c, self.upper)):
            rest = [sum(own) - own[k] for own in zip(*self.c)]
            goals.append([v if top > 0.0 else -r for v, top, r in zip(c, u, rest)])
        factor, (ones,), (weight,) = bordered.factors[0], bordered.ones, bordered.weights
        a, images, levels = [], [], []
        for goal in goals:
            z = factor.back(factor.half(goal))
            b = sum(z) / weight
            z = [v - b * one for v, one in zip(z, ones)]
            a.append([-v for v in z])
            images.append([b + penalty * v - g for g, v in zip(goal, z)])
            levels.append(-b)
        mean = sum(levels) / self.m
        return a, images, [v - mean for v in levels]

    # --- the function and its parts ---

    def residuals(self, images: Columns, nu: Sequence[float]) -> Columns:
        """Return f − c for each class."""
        mean = [v / self.m for v in map(sum, zip(*images))]
        return [[h - v - t - level for v, h, t in zip(own, mean, c)] for own, c, level in zip(images, self.c, nu)]

    def clipped(self, r: Columns) -> Columns:
        """Return γ + r/δ between the bounds."""
        scale = 1 / self.delta
        return [
            [0.0 if (t := g + scale * v) < 0.0 else t if t < u else u for g, v, u in zip(centre, own, upper)]
            for centre, own, upper in zip(self.gamma, r, self.upper)
        ]

    def form(self, a: Columns, images: Columns) -> float:
        """Return Σ_k a_kᵀK(b_k − b̄), given K b."""
        mean = [v / self.m for v in map(sum, zip(*images))]
        return float(sum([sum(map(mul, own, image)) - sum(map(mul, own, mean)) for own, image in zip(a, images)]))

    def gap(self, alpha: Columns, r: Columns, images: Columns) -> float:
        """Return the relative gap between the hinge losses of f and the dual objective of α, given Kα."""
        losses = sum([sum([u * v for u, v in zip(top, own) if v > 0.0]) for top, own in zip(self.upper, r)])
        primal = self.form(self.a, self.images) / 2 + losses
        cost = sum([sum(map(mul, own, c)) for own, c in zip(alpha, self.c)])
        return abs(primal + cost + self.form(alpha, images) / 2) / abs(primal or 1.0)

    # --- a step ---

    def moved(self, images: Columns, old: Columns, new: Columns) -> Columns:
        """Return K times the new columns, given it for the old ones."""
        out = []
        for own, before, after in zip(images, old, new):
            places = [i for i, (p, q) in enumerate(zip(before, after)) if p != q]
            if 2 * len(places) > self.n:
                out.append(self.product(after))
            else:
                out.append(combine(own, [after[i] - before[i] for i in places], [self.rows[i] for i in places]))
        return out

    def target(self, alpha: Columns, images: Columns, free: list[list[int]]) -> tuple[Columns, list[float]]:
        """Return the solution of Newton's equations for the sets of α, near enough, with its levels."""
        mean = [v / self.m for v in map(sum, zip(*images))]
        r = [
            [mean[i] - image[i] - c[i] - self.delta * (x[i] - g[i]) for i in own]
            for own, image, c, x, g in zip(free, images, self.c, alpha, self.gamma)
        ]
        solve, zeros = self.bordered.solve, [0.0] * self.m
        z, nu = solve([[0.0] * len(own) for own in r], list(map(sum, alpha)))
        r = self.less(r, [[-v] * len(own) for v, own in zip(nu, r)], z, free, 1.0)
        nu = zeros
        p: Columns = [[0.0] * len(own) for own in r]
        Mp, before, first = p, 0.0, 0.0
        for _ in range(MOST_CONJUGATE):
            # Method: what the levels take up leaves the residual, so that it does not cancel (Gould et al. 2001).
            g, rise = solve(r, zeros)
            nu = [a + b for a, b in zip(nu, rise)]
            r = [[v - level for v in own] for own, level in zip(r, rise)]
            size = sum([sum(map(mul, own, step)) for own, step in zip(r, g)])
            first = first or size
            if not size > RESIDUAL**2 * first:
                break
            beta = size / before if before else 0.0
            p = [[v + beta * w for v, w in zip(own, step)] for own, step in zip(g, p)]
            # Method: (K_FF + δ) g = r, so that the same combination yields the product with p.
            Mp = [[v + beta * w for v, w in zip(own, step)] for own, step in zip(r, Mp)]
            image = self.less([[0.0] * len(own) for own in r], Mp, p, free, -1.0)
            curvature = sum([sum(map(mul, own, step)) for own, step in zip(image, p)])
            if not curvature > 0.0:
                break
            t, before = size / curvature, size
            z = [[v + t * w for v, w in zip(own, step)] for own, step in zip(z, p)]
            r = [[v - t * w for v, w in zip(own, step)] for own, step in zip(r, image)]
        out = [list(own) for own in alpha]
        for x, own, step in zip(out, free, z):
            for i, v in zip(own, step):
                x[i] += v
        return out, nu

    def less(self, r: Columns, Mp: Columns, p: Columns, free: list[list[int]], sign: float) -> Columns:
        """Return r less `sign` times the product of the coupled matrix with p, given M p of the matrix without."""
        total = [0.0] * self.n
        for own, step in zip(free, p):
            for i, v in zip(own, step):
                total[i] += v
        mean = [v / self.m for v in self.product(total)]
        return [[v - sign * (w - mean[i]) for v, w, i in zip(old, step, own)] for old, step, own in zip(r, Mp, free)]

    def step(self) -> tuple[Columns, float, float]:
        """Make a Newton step; return α before it, its relative gap, and the length of the step."""
        r = self.residuals(self.images, self.nu)
        alpha = self.clipped(r)
        images = self.moved(self.images, self.a, alpha)
        gap = self.gap(alpha, r, images)
        free = [[i for i, (v, u) in enumerate(zip(own, top)) if 0.0 < v < u] for own, top in zip(alpha, self.upper)]
        if gap <= GAP or not self.bordered.hold(free):
            return alpha, gap, 0.0
        z, nu = self.target(alpha, images, [factor.members for factor in self.bordered.factors])
        ahead = self.moved(images, alpha, z)
        t = self.length(r, self.residuals(ahead, nu), z, ahead)
        self.a = _between(self.a, z, t)
        self.images = _between(self.images, ahead, t)
        self.nu = [v + t * (w - v) for v, w in zip(self.nu, nu)]
        self.count += 1
        return alpha, gap, t

    def length(self, r: Columns, ahead: Columns, z: Columns, images: Columns) -> float:
        """Return the part of the step at which the slope of the dual function changes its sign, 1 at most."""
        q, cross, end = self.form(self.a, self.images), self.form(self.a, images), self.form(z, images)
        change = [[b - a for a, b in zip(own, new)] for own, new in zip(r, ahead)]
        low, high, t = 0.0, 1.0, 1.0
        for _ in range(BISECTIONS):
            own = self.clipped([[a + t * b for a, b in zip(*both)] for both in zip(r, change)])
            slope = (1 - 2 * t) * cross + t * end - (1 - t) * q
            if slope + sum([sum(map(mul, *both)) for both in zip(own, change)]) <= 0.0:
                low = t
                if t == 1.0:
                    return t
            else:
                high = t
            t = (low + high) / 2
        return high

    def run(self) -> tuple[Columns, float]:
        """Iterate; return the last α and its relative gap."""
        while True:
            for _ in range(MOST_INNER):
                alpha, gap, t = self.step()
                if t == 0.0 or self.count >= MOST_STEPS:
                    return alpha, gap
                if t < STALLED or self.bordered.changes <= SETTLED * self.bordered.held:
                    break
            self.gamma = self.clipped(self.residuals(self.images, self.nu))
            delta = max(RATIO * self.delta, LEAST * self.unit)
            if delta != self.delta:
                self.delta, self.bordered = delta, Bordered(self.rows, delta, self.m)


def _between(x: Columns, y: Columns, t: float) -> Columns:
    return [[a + t * (b - a) for a, b in zip(*both)] for both in zip(x, y)]


def found(problem: Problem) -> Optional[Columns]:
    """Return a point to start decomposition from; None where the iteration does not come near the optimum.

    Cost      a Newton step: f_k³/6 multiplications for the f_k free multipliers of each class, and for each of some
              fifteen conjugate directions n² and f_k² of each class
    """
    try:
        alpha, gap = Iteration(problem).run()
    except (ArithmeticError, ValueError):
        return None
    return alpha if gap <= NEAR and all(math.isfinite(v) for own in alpha for v in own) else None
