"""The central path of Lee, Lin and Wahba's dual in its multipliers, for kernels of any rank: a start for decomposition.

    minimise ½ Σ_k (α_k − ᾱ)ᵀK(α_k − ᾱ) + Σ_k c_kᵀα_k    subject to 0 ≤ α_k ≤ u_k and equal sums
    g + ν − s + ξ = 0,   s_ik α_ik = ξ_ik (u_ik − α_ik) = μ      g the gradient, ν the levels

Mehrotra's method (`interior_point.steps`), whose systems have the diagonal s/α + ξ/(u − α) beside the Hessian
(`class_factors`).
"""

from __future__ import annotations

from itertools import chain
from operator import mul
from typing import Any, Optional

from refclass.optimise.multiclass import interior_point
from refclass.optimise.multiclass.central_path import State
from refclass.optimise.multiclass.class_factors import Blocks, Columns, Shared
from refclass.optimise.multiclass.coupled import Problem

NEAR = 1e-2  # relative gap up to which the end is a good start
SETTLED = 0.05  # part of the free multipliers that changes in a step when it is
SHORT = 0.5  # length of a step below which the next systems are factored without leaving anything out
MOST_STEPS = 20
MOST_PRODUCTS = 4 * 10**8  # multiplications for the factors of a step, up to which it is taken


class Path:
    """An iterate; columns hold the multipliers that can move, those at the `points` of each class."""

    kind = float

    def __init__(self, problem: Problem) -> None:
        self.shared, self.m = Shared(problem.K), problem.classes
        self.points = [[i for i, u in enumerate(own) if u > 0.0] for own in problem.upper]
        self.upper = self.picked(problem.upper)
        self.c = self.picked(problem.c)
        self.alpha = [[u / 2 for u in own] for own in self.upper]
        self.nu = [0.0] * self.m
        self.exact, self.length = False, 0.0
        self.refresh()
        floor = max(map(abs, chain.from_iterable(self.g))) / 2
        self.s = [[max(v, 0.0) + floor for v in own] for own in self.g]
        self.xi = [[a - b for a, b in zip(*both)] for both in zip(self.s, self.g)]

    def picked(self, columns: Any) -> Columns:
        """Return the entries that can move of columns of all points."""
        return [[column[i] for i in own] for own, column in zip(self.points, columns)]

    def refresh(self) -> None:
        """Compute K(α_k − ᾱ) and the gradient."""
        images = []
        for own, column in zip(self.points, self.alpha):
            full = [0.0] * self.shared.n
            for i, v in zip(own, column):
                full[i] = v
            images.append(self.shared.product(full))
        mean = [v / self.m for v in map(sum, zip(*images))]
        self.h = self.picked([[a - b for a, b in zip(image, mean)] for image in images])
        self.g = [[a + b for a, b in zip(*both)] for both in zip(self.h, self.c)]

    @property
    def gamma(self) -> Columns:
        """u − α."""
        return [[u - a for u, a in zip(*both)] for both in zip(self.upper, self.alpha)]

    def pairs(self) -> list[tuple[Columns, Columns]]:
        """Return slacks and multipliers, to be multiplied."""
        return [(self.s, self.alpha), (self.xi, self.gamma)]

    def linearise(self) -> None:
        """Compute residuals and the factors at the iterate."""
        rows = zip(self.s, self.xi, self.g, self.nu)
        self.rs = [[a - b - c - level for a, b, c in zip(s, x, g)] for s, x, g, level in rows]
        both = zip(self.s, self.alpha, self.xi, self.gamma)
        self.blocks = Blocks(
            self.shared, self.points, [[s / a + x / b for s, a, x, b in zip(*own)] for own in both], self.exact
        )

    def direction(self, rc: list[Columns]) -> Any:
        """Return the step that changes the products of slacks and multipliers by rc."""
        gamma = self.gamma
        rows = zip(self.rs, rc[0], self.alpha, rc[1], gamma)
        r = [[v + a / b - c / d for v, a, b, c, d in zip(*own)] for own in rows]
        da, dnu = self.blocks.solve(r, list(map(sum, self.alpha)))
        ds = [[(c - s * d) / a for c, s, d, a in zip(*own)] for own in zip(rc[0], self.s, da, self.alpha)]
        dxi = [[(c + x * d) / b for c, x, d, b in zip(*own)] for own in zip(rc[1], self.xi, da, gamma)]
        return dnu, None, [(ds, da), (dxi, [[-d for d in own] for own in da])]

    def move(self, t: float, step: Any) -> None:
        """Go along the step."""
        dnu, _, [(ds, da), (dxi, _)] = step
        self.nu = [a + t * b for a, b in zip(self.nu, dnu)]
        self.alpha, self.s, self.xi = (
            [[a + t * b for a, b in zip(*both)] for both in zip(old, new)]
            for old, new in ((self.alpha, da), (self.s, ds), (self.xi, dxi))
        )
        self.exact, self.length = self.exact or t < SHORT, t
        self.refresh()

    def state(self) -> State:
        """Return the iterate with its bounds; the dual is that of the multipliers, their sums as they are."""
        square = sum([sum(map(mul, *both)) for both in zip(self.alpha, self.h)])
        rows = zip(self.upper, self.g, self.nu)
        losses = sum([sum([u * max(-v - level, 0.0) for u, v in zip(top, own)]) for top, own, level in rows])
        cost = sum([sum(map(mul, *both)) for both in zip(self.alpha, self.c)])
        return State([], self.alpha, self.s, square / 2 + losses, -square / 2 - cost)

    def rounded(self) -> Columns:
        """Return multipliers of all points, at a bound where the distance from it is less than the bound's slack says.

        Those between their bounds make up for what the sums of the classes lack.
        """
        unit = max(map(abs, chain.from_iterable(self.c)))
        out = []
        for own, s, xi, upper in zip(self.alpha, self.s, self.xi, self.upper):
            rows = zip(own, s, xi, upper)
            out.append([0.0 if a * unit < t * u else u if (u - a) * unit < x * u else a for a, t, x, u in rows])
        totals = list(map(sum, out))
        mean = sum(totals) / self.m
        full = [[0.0] * self.shared.n for _ in out]
        for column, points, own, upper, total in zip(full, self.points, out, self.upper, totals):
            free = [0.0 < a < u for a, u in zip(own, upper)]
            share = (mean - total) / max(1, sum(free))
            for i, a, u, inside in zip(points, own, upper, free):
                column[i] = min(max(a + share, 0.0), u) if inside else a
        return full


def found(problem: Problem) -> Optional[Columns]:
    """Return a point to start decomposition from; None where the iteration does not come near the optimum.

    Cost      a step: f_k³/6 multiplications for the f_k multipliers of each class that can move, and for each of some
              ten conjugate directions, twice, 2n² and f_k² of each class
    """
    if sum([sum(map(bool, own)) ** 3 / 6 for own in problem.upper]) > MOST_PRODUCTS:
        return None
    path, before = Path(problem), [set[int]()] * problem.classes
    for count, state in enumerate(interior_point.steps(path)):
        out = path.rounded()
        free = [{i for i, (a, u) in enumerate(zip(*both)) if 0.0 < a < u} for both in zip(out, problem.upper)]
        changes = sum([len(new ^ old) for new, old in zip(free, before)])
        if state.gap <= NEAR and path.length >= SHORT and changes <= SETTLED * sum(map(len, free)):
            return out
        if count >= MOST_STEPS:
            break
        before = free
    return None
