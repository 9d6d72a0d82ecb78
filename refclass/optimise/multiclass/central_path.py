"""The equations of the central path for the duals of many classes: a sum for each point, or a box with equal sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any, NamedTuple

from refclass.certificate import relative_gap
from refclass.number.field import Number
from refclass.optimise.multiclass.newton_equations import Columns, Coupled, Points, inner, moved

UNSURE = 10**10  # 1 / the part of an objective to which functions are at least taken to be away from the optimum


@dataclass(frozen=True)
class State:
    """An iterate.

    v             parameters of each class, the intercept last
    multipliers   η, or α, for each class a number for each point, strictly within their bounds
    slack         s for each of them
    primal        the objective at v
    dual          the dual objective at the multipliers, as far as they are feasible
    """

    v: Columns
    multipliers: Columns
    slack: Columns
    primal: Number
    dual: Number

    @property
    def gap(self) -> Number:
        """The relative distance of the bounds."""
        return relative_gap(self.primal, self.dual)


class Residuals(NamedTuple):
    """What the iterate lacks in the equations of the parameters, of the slacks and of the sums of the multipliers."""

    v: Columns
    s: Columns
    x: list[Number]


class Simplex:
    """Σᵢ Cᵢ (max_k (t_ik + f_ik) − f_i,yᵢ): the multipliers of a point sum to its cost."""

    def __init__(
        self, points: Points, labels: Sequence[int], costs: Sequence[Number], classes: int, lam: Number
    ) -> None:
        self.points, self.labels, self.costs, self.lam = points, labels, costs, lam
        self.kind = kind = points.F.kind
        self.target = [[kind(g != k) for g in labels] for k in range(classes)]
        self.v = [[kind(0)] * points.size for _ in range(classes)]
        self.eta = [[c / classes for c in costs] for _ in range(classes)]
        self.xi = [kind(2)] * len(labels)
        self.s = [[2 - t for t in own] for own in self.target]

    def pairs(self) -> list[tuple[Columns, Columns]]:
        """Return slacks and multipliers, to be multiplied."""
        return [(self.s, self.eta)]

    def balance(self, eta: Columns) -> Columns:
        """Return η less Cᵢ for the own class."""
        return [[e - c if g == k else e for e, c, g in zip(own, self.costs, self.labels)] for k, own in enumerate(eta)]

    def linearise(self) -> None:
        """Compute residuals and the factor at the iterate."""
        u = [[a + t for a, t in zip(own, ts)] for own, ts in zip(self.points.values(self.v), self.target)]
        rs = [[s - x + w for s, x, w in zip(own, self.xi, us)] for own, us in zip(self.s, u)]
        rx = [c - sum(column) for c, column in zip(self.costs, zip(*self.eta))]
        self.theta = [[a / b for a, b in zip(own, s)] for own, s in zip(self.eta, self.s)]
        self.total = [sum(column) for column in zip(*self.theta)]
        roots = list(map(self.points.F.sqrt, self.total))
        self.factor = Coupled(
            self.points, self.lam, self.theta, [[a / b for a, b in zip(own, roots)] for own in self.theta]
        )
        gathered = self.points.gathered(self.balance(self.eta))
        rv = [[a + b for a, b in zip(own, self.points.ridge(v, self.lam))] for own, v in zip(gathered, self.v)]
        self.residuals = Residuals(rv, rs, rx)

    def direction(self, rc: list[Columns]) -> Any:
        """Return the step that changes the products of slacks and multipliers by rc."""
        h = [[c / s + t * r for c, s, t, r in zip(*rows)] for rows in zip(rc[0], self.s, self.theta, self.residuals.s)]
        sums = [(sum(column) - r) / t for column, r, t in zip(zip(*h), self.residuals.x, self.total)]
        g = self._summing([[a - t * b for a, t, b in zip(own, theta, sums)] for own, theta in zip(h, self.theta)])
        gathered = self.points.gathered(g)
        dv = self.factor.refined(
            [[-a - b for a, b in zip(own, other)] for own, other in zip(self.residuals.v, gathered)]
        )
        du = self.points.values(dv)
        pulled = [list(map(mul, own, theta)) for own, theta in zip(du, self.theta)]
        dxi = [a + sum(column) / t for a, column, t in zip(sums, zip(*pulled), self.total)]
        ds = [[x - u - r for x, u, r in zip(dxi, own, rs)] for own, rs in zip(du, self.residuals.s)]
        deta = [[(c - e * d) / s for c, e, d, s in zip(*rows)] for rows in zip(rc[0], self.eta, ds, self.s)]
        deta = self._summing(deta)
        return dv, dxi, [(ds, deta)]

    def _summing(self, rows: Columns) -> Columns:
        """Return the rows, that of the largest θ at each point put at what their sum lacks: itself, it would cancel."""
        out = []
        for column, theta, r in zip(zip(*rows), zip(*self.theta), self.residuals.x):
            k = theta.index(max(theta))
            out.append([r - sum(column[:k]) - sum(column[k + 1 :]) if j == k else v for j, v in enumerate(column)])
        return [list(own) for own in zip(*out)]

    def move(self, t: Number, step: Any) -> None:
        """Go along the step."""
        dv, dxi, [(ds, deta)] = step
        self.v, self.s, self.eta = moved(self.v, t, dv), moved(self.s, t, ds), moved(self.eta, t, deta)
        self.xi = [a + t * b for a, b in zip(self.xi, dxi)]

    def state(self) -> State:
        """Return the iterate with its bounds."""
        f = self.points.values(self.v)
        square = inner(self.v, self.v)
        slack = [max(v + int(k != g) for k, v in enumerate(row)) - row[g] for row, g in zip(zip(*f), self.labels)]
        primal = self.lam * square / 2 + sum(map(mul, self.costs, slack))
        sums = [sum(column) for column in zip(*self.eta)]
        eta = [[e * c / t for e, c, t in zip(own, self.costs, sums)] for own in self.eta]
        gathered = self.points.gathered(self.balance(eta))
        dual = sum(inner([own], [t]) for own, t in zip(eta, self.target)) - inner(gathered, gathered) / (2 * self.lam)
        return State(self.v, eta, self.s, primal, dual)


class Box:
    """Σᵢ Σ_k L_ik [f_ik − y_ik]₊, k other than the own class: each multiplier lies between 0 and L_ik."""

    def __init__(self, points: Points, code: Columns, upper: Columns, lam: Number) -> None:
        self.points, self.code, self.upper, self.lam = points, code, upper, lam
        self.held = [[u == 0 for u in own] for own in upper]
        self.kind = kind = points.F.kind
        self.zero = kind(0)
        self.v = [[self.zero] * points.size for _ in code]
        self.alpha = [[u / 2 for u in own] for own in upper]
        self.xi = [[kind(1)] * len(own) for own in upper]
        self.s = [[1 - u for u in self.over(own, y)] for own, y in zip(points.values(self.v), code)]

    def at(self, v: Columns, bound: Number) -> None:
        """Take functions near the optimum, a bound below it, and multipliers whose products with the slacks are μ.

        μ is as large as the distance of the objectives says that these functions are away.
        """
        mean = [sum(column) / len(v) for column in zip(*v)]
        self.v = [[a - b for a, b in zip(own, mean)] for own in v]
        primal, count = self.state().primal, sum(own.count(False) for own in self.held)
        mu = max(primal - bound, primal / UNSURE) / count
        # Proof: s − ξ = −u and μ/s + μ/ξ = L have the roots s, ξ = (2μ ∓ Lu + √(L²u² + 4μ²))/2L.
        for k, rows in enumerate(zip(self.points.values(self.v), self.code, self.upper, self.held)):
            for i, (f, y, top, none) in enumerate(zip(*rows)):
                if not none:
                    u = top * (f - y)
                    middle = 2 * mu + self.points.F.sqrt(u * u + 4 * mu * mu)
                    self.s[k][i], self.xi[k][i] = (middle - u) / (2 * top), (middle + u) / (2 * top)
                    self.alpha[k][i] = mu / self.s[k][i]

    @staticmethod
    def over(f: Sequence[Number], y: Sequence[Number]) -> list[Number]:
        """Return f − y."""
        return [a - b for a, b in zip(f, y)]

    @property
    def gamma(self) -> Columns:
        """L − α."""
        return [[u - a for u, a in zip(own, alpha)] for own, alpha in zip(self.upper, self.alpha)]

    def pairs(self) -> list[tuple[Columns, Columns]]:
        """Return slacks and multipliers, to be multiplied."""
        return [(self.s, self.alpha), (self.xi, self.gamma)]

    def linearise(self) -> None:
        """Compute residuals and the factor at the iterate."""
        u = [self.over(own, y) for own, y in zip(self.points.values(self.v), self.code)]
        self.rs = [[s - x + w for s, x, w in zip(*rows)] for rows in zip(self.s, self.xi, u)]
        zero = self.zero
        self.w = [
            [zero if none else 1 / (s / a + x / (top - a)) for none, s, a, x, top in zip(*rows)]
            for rows in zip(self.held, self.s, self.alpha, self.xi, self.upper)
        ]
        self.factor = self.points.equations(self.lam, self.w)
        gathered = self.points.gathered(self.alpha)
        self.rv = [[a + b for a, b in zip(own, self.points.ridge(v, self.lam))] for own, v in zip(gathered, self.v)]

    def direction(self, rc: list[Columns]) -> Any:
        """Return the step that changes the products of slacks and multipliers by rc."""
        gamma, zero = self.gamma, self.zero
        h = [
            [zero if none else a / b - c / d + r for none, a, b, c, d, r in zip(*rows)]
            for rows in zip(self.held, rc[0], self.alpha, rc[1], gamma, self.rs)
        ]
        gathered = self.points.gathered([list(map(mul, *rows)) for rows in zip(self.w, h)])
        dv = self.factor.refined([[-a - b for a, b in zip(own, other)] for own, other in zip(self.rv, gathered)])
        du = self.points.values(dv)
        da = [[w * (d + t) for w, d, t in zip(*rows)] for rows in zip(self.w, du, h)]
        dxi = [
            [zero if none else (c + x * d) / g for none, c, x, d, g in zip(*rows)]
            for rows in zip(self.held, rc[1], self.xi, da, gamma)
        ]
        ds = [
            [zero if none else x - d - r for none, x, d, r in zip(*rows)] for rows in zip(self.held, dxi, du, self.rs)
        ]
        return dv, None, [(ds, da), (dxi, [[-d for d in own] for own in da])]

    def move(self, t: Number, step: Any) -> None:
        """Go along the step."""
        dv, _, [(ds, da), (dxi, _)] = step
        self.v, self.s, self.alpha = moved(self.v, t, dv), moved(self.s, t, ds), moved(self.alpha, t, da)
        self.xi = moved(self.xi, t, dxi)

    def state(self) -> State:
        """Return the iterate with its bounds; the dual is that of the multipliers, their sums as they are."""
        f = self.points.values(self.v)
        lam, last = self.lam, self.points.size - self.points.intercept
        square = sum(inner([own[:last]], [own[:last]]) for own in self.v)
        over = [sum(top * max(a - y, self.zero) for top, a, y in zip(*rows)) for rows in zip(self.upper, f, self.code)]
        sums = [own[:last] for own in self.points.gathered(self.alpha)]
        mean = [sum(column) / len(sums) for column in zip(*sums)]
        gathered = [[a - b for a, b in zip(own, mean)] for own in sums]
        dual = -inner(self.alpha, self.code) - inner(gathered, gathered) / (2 * lam)
        return State(self.v, self.alpha, self.s, lam * square / 2 + sum(over), dual)
