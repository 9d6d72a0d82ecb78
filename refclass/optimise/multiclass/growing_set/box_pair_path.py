"""The central path of Lee, Lin and Wahba's dual over some pairs of a point and a class, other multipliers being zero.

    f_k = −K(α_k − ᾱ) + b_k,   Σ_k b_k = 0,   1ᵀα_k the same for all classes,   0 ≤ α_ik ≤ L_ik        K over nλ
    f_ik − y_ik = ξ_ik − s_ik,   sα = ξ(L − α) = μ → 0

With D = s/α + ξ/(L − α), residuals r of functions and c of products, and the part y = KΔᾱ of the mean, a step solves

    (K + D_k) Δα_k = h_k + y + Δb_k 1,   h = c/α − c′/(L − α) + r,   1ᵀΔα_k = t − 1ᵀα_k,   ΣΔb_k = −Σb_k

by tables of the classes, and for y, with m classes, by one of the points: mK⁻¹y = Σ_k E_kΔα_k, in which Δα_k is
affine in y. Its driver is `interior_point`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any, Optional

from refclass.number.field import Number
from refclass.optimise.multiclass.central_path import UNSURE
from refclass.optimise.multiclass.growing_set.pair_path import Scored
from refclass.optimise.multiclass.growing_set.pairs import Gram, Kept, Pairs, Rows, Scaled, Tables

RIDGE = 128  # bits below one of what is added to K where its inverse is needed: a step needs no more digits than these


@dataclass(frozen=True)
class Dual:
    """Lee, Lin and Wahba's dual in integers: K over nλ, and for each class code and bounds of all points."""

    K: Gram
    code: Sequence[Sequence[Number]]
    upper: Sequence[Sequence[Number]]

    @property
    def classes(self) -> int:
        """The number of classes."""
        return len(self.code)


class Path:
    """An iterate over chosen pairs, whose bounds are above zero; it starts with multipliers in the middle of these."""

    def __init__(self, dual: Dual, chosen: Sequence[set[int]]) -> None:
        self.dual, self.kind = dual, dual.K.F.kind
        self.chosen = pairs = Pairs(dual.K, chosen, dual.classes)
        self.code = [dual.code[k][i] for i, k in pairs.flat]
        self.top = [dual.upper[k][i] for i, k in pairs.flat]
        self.alpha, self.b = [u / 2 for u in self.top], [self.kind(0)] * dual.classes
        self.xi = [self.kind(1)] * len(self.code)
        self.s = [1 + y for y in self.code]
        one, rows = 1 << dual.K.bits, dual.K.rows
        ridge = one >> RIDGE
        G = [[rows[i][j] + (ridge if i == j else 0) for j in pairs.points[: a + 1]] for a, i in enumerate(pairs.points)]
        self.inverse = Scaled(G, dual.K.bits).inverse()
        self.ones = [one] * len(self.code)
        self.kept: Optional[Kept] = None
        self._evaluate()

    def at(self, near: Scored) -> None:
        """Take the functions of an iterate, and multipliers whose products with the slacks are one μ.

        μ is as large as the distance of the objectives says that these functions are away.
        """
        f = self.dual.K.lifted(self.chosen.at_pairs(near.v))
        primal = near.square / 2 + self._paid(f)
        mu = max(primal - near.dual, primal / UNSURE) / len(f)
        # Proof: s − ξ = −u and μ/s + μ/ξ = L have the roots s, ξ = (2μ ∓ Lu + √(L²u² + 4μ²))/2L.
        for j, (v, y, top) in enumerate(zip(f, self.code, self.top)):
            u = top * (v - y)
            middle = 2 * mu + self.dual.K.F.sqrt(u * u + 4 * mu * mu)
            self.s[j], self.xi[j] = (middle - u) / (2 * top), (middle + u) / (2 * top)
            self.alpha[j] = mu / self.s[j]
        self._keep(near)

    def grow(self, flat: Sequence[tuple[int, int]], near: Scored) -> None:
        """Take the iterate over other pairs, which are given: its functions, slacks and multipliers as they are.

        A pair that is new has the mean product μ, and a multiplier whose square times K is μ: no function changes much.
        """
        known = {pair: values for pair, *values in zip(flat, *near.multipliers, *near.slack)}
        mu, K = sum([a * s for a, s, _ in known.values()], self.kind(0)) / len(known), self.dual.K
        for j, ((i, k), top) in enumerate(zip(self.chosen.flat, self.top)):
            (size,) = K.lifted([K.rows[i][i]])
            a = min(K.F.sqrt(mu / max(size, mu)), top / 2)
            self.alpha[j], self.s[j], self.xi[j] = known.get((i, k), (a, mu / a, mu / (top - a)))
        self._keep(near)

    def _keep(self, near: Scored) -> None:
        self.b = list(near.b)
        self._evaluate()
        # Proof: ‖h − g‖² = ‖h‖² − 2⟨h, g⟩ + ‖g‖², h = f − b and g = −K(α_k − ᾱ).
        K = self.dual.K
        rho = [[v - w for v, w in zip(*rows)] for rows in zip(near.v, self.scores)]
        f = K.lifted(self.chosen.at_pairs(near.v))
        h = [v - self.b[k] for v, (_, k) in zip(f, self.chosen.flat)]
        own = K.lifted(self.chosen.at_pairs(self.images))
        self.kept = Kept(K, rho, near.square - 2 * self._inner(h) + self._inner(own))
        self._evaluate()

    def _inner(self, h: Sequence[Number]) -> Number:
        """Return Σ ⟨g_k, h_k⟩ for the functions g of the multipliers, and values of h at the pairs."""
        return -sum(map(mul, self.alpha, h), self.kind(0))

    def _evaluate(self) -> None:
        self.images = self._centred(self.alpha)
        images = self.images if self.kept is None else self.kept.added(self.images)
        self.scores = [[v + b for v in own] for own, b in zip(images, self.dual.K.fixed(self.b))]
        self.f = self.dual.K.lifted(self.chosen.at_pairs(self.scores))

    def _centred(self, weights: Sequence[Number]) -> Rows:
        """Return −K(w_k − w̄) at all points."""
        images = self.chosen.values(self.dual.K.fixed(weights))
        mean = [sum(column) // len(images) for column in zip(*images)]
        return [[m - v for v, m in zip(own, mean)] for own in images]

    def _paid(self, f: Sequence[Number]) -> Number:
        zero = self.kind(0)
        return sum([top * (v - y) for top, v, y in zip(self.top, f, self.code) if v > y], zero)

    def _sums(self, values: Sequence[Number]) -> list[Number]:
        """Return for each class the sum over its pairs."""
        starts, zero = self.chosen.starts, self.kind(0)
        return [sum(values[a:b], zero) for a, b in zip(starts, starts[1:])]

    @property
    def gamma(self) -> list[Number]:
        """L − α."""
        return [u - a for u, a in zip(self.top, self.alpha)]

    def pairs(self) -> Any:
        """Return slacks and multipliers, to be multiplied."""
        return [([self.s], [self.alpha]), ([self.xi], [self.gamma])]

    def linearise(self) -> None:
        """Compute residuals and the factors at the iterate."""
        # Method: what is kept beside the multipliers' functions is in the slacks, and gone after a whole step.
        K = self.dual.K
        h = K.lifted(self.chosen.at_pairs(self.images))
        rows = zip(self.s, self.xi, h, self.chosen.flat, self.code)
        self.rest = [s - x + v + self.b[k] - y for s, x, v, (_, k), y in rows]
        D = [s / a + x / g for s, a, x, g in zip(self.s, self.alpha, self.xi, self.gamma)]
        self.tables = Tables(self.chosen, K.fixed(D))
        self.level = K.lifted(self.tables.solve(self.ones))  # o_k = (K + D_k)⁻¹ 1
        self.sums = self._sums(self.level)
        self.total = sum([1 / v for v in self.sums], self.kind(0))
        self.common = Scaled(self._reduced(), K.bits)

    def _reduced(self) -> Rows:
        """Return the lower triangle of mK⁻¹ less what Σ_k E_kΔα_k depends on y."""
        # Proof: Δα_k = M⁻¹(h + y) + oΔb with 1ᵀΔα_k = t − 1ᵀα_k and ΣΔb = 0 is affine in y with the matrix
        # M⁻¹ − ooᵀ/1ᵀo for each class, and qqᵀ/Σ(1/1ᵀo), q = Σ_k E_k o/1ᵀo, by the common t.
        K, m = self.dual.K, self.dual.classes
        table = [[m * v - w for v, w in zip(*rows)] for rows in zip(self.inverse, self.tables.inverses())]
        shares = self._divided(self.level)
        q = K.fixed(self.chosen.gathered(shares))
        both = self.chosen.apart(K.fixed(self.level)), self.chosen.apart(K.fixed(shares))
        for own, share, members in zip(*both, self.chosen.members):
            places = [self.chosen.place[i] for i in members]
            for a, (p, v) in enumerate(zip(places, own)):
                target = table[p]
                for r, w in zip(places[: a + 1], share):
                    target[r] += v * w >> K.bits
        scaled = K.fixed([v / self.total for v in K.lifted(q)])
        return [[v - (a * b >> K.bits) for v, b in zip(row, q)] for row, a in zip(table, scaled)]

    def _divided(self, values: Sequence[Number]) -> list[Number]:
        """Return the values of the pairs divided by 1ᵀo of their class."""
        return [v / self.sums[k] for v, (_, k) in zip(values, self.chosen.flat)]

    def direction(self, rc: Any) -> Any:
        """Return the step that changes the products of slacks and multipliers by rc."""
        ((lower,), (upper,)), K, gamma = rc, self.dual.K, self.gamma
        rows = zip(lower, self.alpha, upper, gamma, self.rest)
        h = [a / b - c / d + r for a, b, c, d, r in rows]
        alone, _ = self._moved(h)
        y = K.lifted(self.common.solve(K.fixed(self.chosen.gathered(alone))))
        da, db = self._moved([v + y[a] for v, a in zip(h, self.chosen.at)])
        moved = K.lifted(self.chosen.at_pairs(self._centred(da)))
        du = [v + db[k] for v, (_, k) in zip(moved, self.chosen.flat)]
        dxi = [(c + x * d) / g for c, x, d, g in zip(upper, self.xi, da, gamma)]
        ds = [x - d - r for x, d, r in zip(dxi, du, self.rest)]
        return db, None, [([ds], [da]), ([dxi], [[-d for d in da]])]

    def _moved(self, right: Sequence[Number]) -> tuple[list[Number], list[Number]]:
        """Return Δα and Δb for the right sides h + y."""
        K = self.dual.K
        plain = K.lifted(self.tables.solve(K.fixed(right)))
        missing = [v + w for v, w in zip(self._sums(plain), self._sums(self.alpha))]  # 1ᵀΔα_k = t − 1ᵀα_k
        lost = sum(self.b, self.kind(0))
        t = (sum([v / w for v, w in zip(missing, self.sums)], self.kind(0)) - lost) / self.total
        db = [(t - v) / w for v, w in zip(missing, self.sums)]
        return [v + o * db[k] for v, o, (_, k) in zip(plain, self.level, self.chosen.flat)], db

    def move(self, t: Number, step: Any) -> None:
        """Go along the step."""
        db, _, [((ds,), (da,)), ((dxi,), _)] = step
        self.b = [a + t * v for a, v in zip(self.b, db)]
        self.s = [a + t * v for a, v in zip(self.s, ds)]
        self.xi = [a + t * v for a, v in zip(self.xi, dxi)]
        self.alpha = [a + t * v for a, v in zip(self.alpha, da)]
        if self.kept is not None:
            self.kept.shrink(t)
        self._evaluate()

    def state(self) -> Scored:
        """Return the iterate with its bounds; the dual is that of the multipliers, their sums as they are."""
        square = self._inner(self.dual.K.lifted(self.chosen.at_pairs(self.images)))
        dual = -sum(map(mul, self.alpha, self.code), self.kind(0)) - square / 2
        if self.kept is not None:
            square = self.kept.norm(square, self._inner(self.dual.K.lifted(self.chosen.at_pairs(self.kept.values))))
        slacks = [self.s, self.xi]
        return Scored(self.scores, [self.alpha], slacks, square / 2 + self._paid(self.f), dual, square, self.b)

    def violated(self, scores: Rows, least: Number) -> list[tuple[int, int]]:
        """Return the pairs beside those that are chosen whose loss is more than so much."""
        dual, found = self.dual, list[tuple[int, int]]()
        for k, (own, code, upper) in enumerate(zip(map(dual.K.lifted, scores), dual.code, dual.upper)):
            for i, (v, y, top) in enumerate(zip(own, code, upper)):
                if k not in self.chosen.chosen[i] and top * (v - y) > least:
                    found.append((i, k))
        return found
