"""The central path of Crammer and Singer's dual over some pairs of a point and a class, other multipliers being zero.

    f_k = Kα_k,   α_ik = Cᵢ[k = yᵢ] − η_ik,   Σ_k η_ik = Cᵢ
    s_ik = ξᵢ − t_ik − f_ik > 0,   s_ik η_ik = μ → 0

A step solves, for all pairs (i, k), with D = s/η and the residuals r of the slacks and c of the products,

    (K + D_k) Δη_k + Δξ = c/η + r,   Σ_k Δη_ik = Cᵢ − Σ_k η_ik

by tables of the classes and one of the points: Σ_k E_k (K + D_k)⁻¹ E_kᵀ Δξ = the right sides gathered. Its driver is
`interior_point`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refclass.number.field import Number
from refclass.optimise.multiclass.central_path import UNSURE, State
from refclass.optimise.multiclass.growing_set.pairs import Gram, Pairs, Rows, Scaled, Tables

NEWTON, EXACT = 60, 10**12  # steps at most, and one over the relative change that ends them, for a ξ of given products


@dataclass(frozen=True)
class Dual:
    """Crammer and Singer's dual in integers: the matrix, labels, the number of classes, costs above zero."""

    K: Gram
    labels: Sequence[int]
    classes: int
    costs: Sequence[Number]


@dataclass(frozen=True)
class Scored(State):
    """An iterate whose v are the scores of the classes at all points in integers, square Σ ‖w_k‖², b intercepts."""

    square: Number
    b: Sequence[Number] = ()


class Path:
    """An iterate over chosen pairs, among them the own class of every point that has one.

    Without functions it starts where all multipliers of a point are alike.
    """

    def __init__(self, dual: Dual, chosen: Sequence[set[int]]) -> None:
        self.dual, self.kind = dual, dual.K.F.kind
        self.chosen = pairs = Pairs(dual.K, chosen, dual.classes)
        self.costs = [dual.costs[i] for i in pairs.points]
        self.target = [self.kind(k != dual.labels[i]) for i, k in pairs.flat]
        self.first = [next(j for j in own if not self.target[j]) for own in pairs.own]
        self.eta = [self.costs[a] / len(pairs.own[a]) for a in pairs.at]
        self.xi = [self.kind(2)] * len(pairs.points)
        self.s = [2 - t for t in self.target]
        self._evaluate()

    def grow(self, flat: Sequence[tuple[int, int]], near: Scored) -> None:
        """Take the scores of an iterate over other pairs, the flat ones, and multipliers beside them.

        These have products μ with their slacks, as large as the distance of the objectives says that the scores are
        away. Scores that miss margins by δ < 1 are taken 1/(1 − δ) times as large where that costs less than slack.
        """
        f, square = self.dual.K.lifted(self.chosen.at_pairs(near.v)), near.square
        slack = self._slacks(f)
        primal, scale = square / 2 + self._paid(slack), self.kind(1)
        if max(slack) < 1 and square < 2 * primal * (1 - max(slack)) ** 2:
            scale = 1 / (1 - max(slack))
            primal = square * scale * scale / 2
        mu = max(primal - near.dual, primal / UNSURE) / len(f)
        for a, (own, c) in enumerate(zip(self.chosen.own, self.costs)):
            m = [self.target[j] + scale * f[j] for j in own]
            self.xi[a] = _level(m, mu, c)
            for j, v in zip(own, m):
                self.s[j] = self.xi[a] - v
                self.eta[j] = mu / self.s[j]
        self._evaluate()

    def _inner(self, f: Sequence[Number]) -> Number:
        """Return Σ ⟨g_k, f_k⟩ for the functions g of the multipliers, and values of f at the pairs."""
        return sum([a * v for a, v in zip(self.alpha, f)], self.kind(0))

    def _evaluate(self) -> None:
        alpha = [-e for e in self.eta]
        for j, c in zip(self.first, self.costs):
            alpha[j] = alpha[j] + c
        self.alpha = alpha
        self.scores = self.chosen.values(self.dual.K.fixed(alpha))
        self.f = self.dual.K.lifted(self.chosen.at_pairs(self.scores))

    def _slacks(self, f: Sequence[Number]) -> list[Number]:
        pairs = zip(self.chosen.own, self.first)
        return [max([self.target[j] + f[j] for j in own]) - f[first] for own, first in pairs]

    def _paid(self, slack: Sequence[Number]) -> Number:
        return sum([c * v for c, v in zip(self.costs, slack)], self.kind(0))

    def pairs(self) -> Any:
        """Return slacks and multipliers, to be multiplied."""
        return [([self.s], [self.eta])]

    def linearise(self) -> None:
        """Compute residuals and the factors at the iterate."""
        rows = zip(self.s, self.chosen.at, self.target, self.f)
        self.rest = [s - self.xi[a] + t + f for s, a, t, f in rows]
        self.missing = [c - v for c, v in zip(self.costs, self.chosen.gathered(self.eta))]
        K = self.dual.K
        self.tables = Tables(self.chosen, K.fixed([s / e for s, e in zip(self.s, self.eta)]))
        self.common = Scaled(self.tables.inverses(), K.bits)

    def direction(self, rc: Any) -> Any:
        """Return the step that changes the products of slacks and multipliers by rc."""
        (((products,),), K) = rc, self.dual.K
        h = K.fixed([c / e + r for c, e, r in zip(products, self.eta, self.rest)])
        pulled = self.chosen.gathered(self.tables.solve(h))
        dxi = self.common.solve([v - w for v, w in zip(pulled, K.fixed(self.missing))])
        raw = K.lifted(self.tables.solve([v - dxi[a] for v, a in zip(h, self.chosen.at)]))
        moved = K.lifted(self.chosen.at_pairs(self.chosen.values(K.fixed(self._summing(raw)))))
        rise = K.lifted(dxi)
        ds = [rise[a] + v - r for a, v, r in zip(self.chosen.at, moved, self.rest)]
        deta = self._summing([(c - e * d) / s for c, e, d, s in zip(products, self.eta, ds, self.s)])
        return rise, None, [([ds], [deta])]

    def _summing(self, values: list[Number]) -> list[Number]:
        """Return changes of η, that of the largest η/s at each point put at what their sum lacks: it would cancel."""
        for own, r in zip(self.chosen.own, self.missing):
            top = max(own, key=lambda j: self.eta[j] / self.s[j])
            values[top] = r - sum([values[j] for j in own if j != top], self.kind(0))
        return values

    def move(self, t: Number, step: Any) -> None:
        """Go along the step."""
        rise, _, [((ds,), (deta,))] = step
        self.xi = [a + t * b for a, b in zip(self.xi, rise)]
        self.s = [a + t * b for a, b in zip(self.s, ds)]
        self.eta = [a + t * b for a, b in zip(self.eta, deta)]
        self._evaluate()

    def state(self) -> Scored:
        """Return the iterate with its bounds: the primal over the pairs alone, and the dual."""
        square = self._inner(self.f)
        dual = sum([self.alpha[j] for j in self.first], self.kind(0)) - square / 2
        primal = square / 2 + self._paid(self._slacks(self.f))
        return Scored(self.scores, [self.eta], [self.s], primal, dual, square)

    def violated(self, scores: Rows, least: Number) -> list[tuple[int, int]]:
        """Return for each point the class beside its pairs that costs most, if more than so much, and its own."""
        dual, found = self.dual, list[tuple[int, int]]()
        rows = zip(self.chosen.chosen, dual.labels, dual.costs, zip(*map(dual.K.lifted, scores)))
        for i, (chosen, g, c, f) in enumerate(rows):
            m = [v + int(k != g) for k, v in enumerate(f)]
            top, k = max([(v, k) for k, v in enumerate(m)])
            if k not in chosen and c * (top - max([m[k] for k in chosen or {g}])) > least:
                found += [(i, k), (i, g)]
        return found


def _level(m: Sequence[Number], mu: Number, c: Number) -> Number:
    """Return the ξ above all m with Σ_k μ/(ξ − m_k) = c."""
    xi = max(m) + mu / c
    for _ in range(NEWTON):  # Proof: the sum is convex and falls in ξ; from the left Newton's method rises to its root.
        excess = sum([mu / (xi - v) for v in m]) - c
        step = excess / sum([mu / ((xi - v) * (xi - v)) for v in m])
        xi = xi + step
        if abs(step) * EXACT <= xi - max(m):
            break
    return xi
