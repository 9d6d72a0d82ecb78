"""Enclosures of what GCV is made of, RSS and tr S of a smoothing spline at a λ: bounds, whatever the rounding.

With B = R + λG, G = QᵀW⁻¹Q, of n = m − 2 rows, and z = Qᵀy:

    RSS = within + λ²γᵀGγ,  Bγ = z;        m − tr S = λ tr B⁻¹G = λφ′(λ),  φ(λ) = log det B

Everything is computed in decimals of so many digits, from h, 1/w and z that are rounded once from their exact values.

1.  R ≥ diag(R)/2, as R is dominated by its diagonal. So |E|ᵢⱼ ≤ c u √(bᵢᵢbⱼⱼ) in the five bands implies
    −ηB ≤ E ≤ ηB with η = 10 c u maxᵢ bᵢᵢ/rᵢᵢ. Bands that are rounded, and the factors LDLᵀ that Gauss finds in them,
    are off by such an E (Higham 2002, theorem 10.3: |E| ≤ γ|L|D|Lᵀ|, whose entries are at most √(bᵢᵢbⱼⱼ)).
2.  log det of the factor is off by n η/(1 − η), besides the rounding of the product of its pivots. φ is concave, so
    that its difference quotients to both sides of λ enclose λφ′(λ): no derivative, and no inverse, is computed.
3.  A solution of (B + E)g = z + d has ‖g − γ‖²_B ≤ Σ (|E||g| + |d|)ᵢ² · 2/rᵢᵢ, and √(λ²γᵀGγ) changes by no more than
    √λ of that root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul
from typing import Any, Optional

from refclass.linear.factorisations import pentadiagonal
from refclass.linear.vector import Vector
from refclass.number.decimals import in_context
from refclass.number.field import Field, Number, rational
from refclass.regress.spline.smoother import Pooled

ROUNDINGS = 100  # units of roundoff that an entry of B and of its factor may be off, relative to √(bᵢᵢbⱼⱼ)
STEP = Fraction(1, 10**24)  # of λ, to either side, for the difference quotients


@dataclass(frozen=True)
class Enclosure:
    """Bounds at a λ: low ≤ RSS ≤ high, and alike of m − tr S."""

    rss: tuple[Number, Number]
    bent: tuple[Number, Number]


@dataclass(frozen=True)
class Spline:
    """A smoothing problem, its numbers rounded once: decimals without a precision of their own (`decimals.in_context`).

    F          the decimals that bounds are given in
    gaps       the h, m − 1 of them
    inverse    1/w at the m knots
    bends      z for each response, m − 2 numbers each
    within     the squares within ties
    """

    F: Field
    gaps: Vector
    inverse: Vector
    bends: tuple[Vector, ...]
    within: Number

    @classmethod
    def of(cls, F: Field, pooled: Pooled) -> Spline:
        """Return the problem of responses pooled at their knots, all of them exact."""
        with in_context(F.kind) as D:

            def rounded(values: Sequence[Any]) -> Vector:
                return Vector.of([D(F.lift(v)) for v in values])

            knots = [rational(t) for t in pooled.smoother.knots]
            gaps = [b - a for a, b in zip(knots, knots[1:])]
            bends = []
            for y in pooled.means:
                slopes = [(rational(b) - rational(a)) / h for a, b, h in zip(y, y[1:], gaps)]
                bends.append(rounded([b - a for a, b in zip(slopes, slopes[1:])]))
            weights = rounded([1 / rational(w) for w in pooled.smoother.weights])
            return cls(F, rounded(gaps), weights, tuple(bends), D(F.lift(rational(pooled.within))))

    @cached_property
    def _rough(self) -> tuple[list[Number], list[Number]]:
        """The diagonal of R, and what stands beside it."""
        h = self.gaps
        return [(a + b) / 3 for a, b in zip(h, h[1:])], [b / 6 for b in h[1:-1]]

    @cached_property
    def _columns(self) -> list[tuple[Number, Number, Number]]:
        """The entries of each column of Q."""
        q = [1 / h for h in self.gaps]
        return [(a, -(a + b), b) for a, b in zip(q, q[1:])]

    @cached_property
    def _smooth(self) -> tuple[list[Number], list[Number], list[Number]]:
        """The bands of G."""
        v, c = self.inverse, self._columns
        diagonal = [a * a * v[i] + b * b * v[i + 1] + d * d * v[i + 2] for i, (a, b, d) in enumerate(c)]
        first = [x[1] * y[0] * v[i + 1] + x[2] * y[1] * v[i + 2] for i, (x, y) in enumerate(zip(c, c[1:]))]
        second = [x[2] * y[0] * v[i + 2] for i, (x, y) in enumerate(zip(c, c[2:]))]
        return diagonal, first, second

    def at(self, lam: Number) -> Optional[Enclosure]:
        """Return bounds at a λ > 0, in numbers of the field; None where so many digits bound nothing.

        Cost      three factors of five bands, and a solution for each response: 48m multiplications for one, in
                  proportion for more
        """
        with in_context(self.F.kind) as D:
            found = self._enclosed(D, D(lam))
        return None if found is None else Enclosure(*(tuple(map(self.F.kind, own)) for own in (found.rss, found.bent)))

    def _enclosed(self, D: Any, lam: Any) -> Optional[Enclosure]:
        F, n, eps, step = self.F, len(self._columns), D(self.F.eps), D(self.F.lift(STEP))
        factor, diagonal = self._factored(lam)
        ratio = max(b / r for b, r in zip(diagonal, self._rough[0]))
        eta = 10 * ROUNDINGS * eps * ratio
        if not eta * n * 100 < step:
            return None
        middle = _product(factor.pivots)
        up, down = (_product(self._factored(lam * (1 + s))[0].pivots) for s in (step, -step))
        unsure = 8 * n * (eta + eps) / step
        bent = (D(F.log(up / middle)) / step - unsure, D(F.log(middle / down)) / step + unsure)
        low = high = self.within
        for response in range(len(self.bends)):
            a, b = self._squares(D, lam, factor, diagonal, ratio, response)
            low, high = low + a, high + b
        return Enclosure((low * (1 - n * eps), high * (1 + n * eps)), (max(bent[0], 0 * bent[0]), bent[1]))

    def _factored(self, lam: Number) -> tuple[pentadiagonal.Factor, list[Number]]:
        (r, s), (d, e, f) = self._rough, self._smooth
        diagonal = [a + lam * b for a, b in zip(r, d)]
        beside = [a + lam * b for a, b in zip(s, e)]
        return pentadiagonal.factor(diagonal, beside, [lam * b for b in f]), diagonal

    @cached_property
    def _rounded(self) -> list[Number]:
        """For each response Σ zᵢ²/rᵢᵢ, with which the rounding of z counts."""
        rough = self._rough[0]
        return [sum([v * v / r for v, r in zip(z, rough)], 0 * z[0]) for z in self.bends]

    def _squares(
        self, D: Any, lam: Any, factor: pentadiagonal.Factor, diagonal: Sequence[Any], ratio: Any, response: int
    ) -> tuple[Number, Number]:
        """Return bounds of λ²γᵀGγ for a response; ratio is maxᵢ bᵢᵢ/rᵢᵢ."""
        # Proof: (|E||g|)ᵢ² ≤ ε²bᵢᵢ · 5 Σ bⱼⱼgⱼ² over the five bands, so that Σ (|E||g|)ᵢ²/rᵢᵢ ≤ 25 ε² ratio S with
        # S = Σ bⱼⱼgⱼ²; and the roundings of the entries of Qg, of three terms each, weigh no more than
        # three times Σ Gⱼⱼgⱼ² ≤ S/λ.
        z, eps = self.bends[response], D(self.F.eps)
        g, n = factor.solve(z), len(z)

        def root(v: Any) -> Any:
            return D(self.F.sqrt(v))

        zero, unit = 0 * lam, 2 * ROUNDINGS * eps
        ends = [zero, zero, *g, zero, zero]
        columns = [(zero, zero, zero)] * 2 + self._columns + [(zero, zero, zero)] * 2
        square = zero
        for k, v in enumerate(self.inverse):
            total = ends[k + 2] * columns[k + 2][0] + ends[k + 1] * columns[k + 1][1] + ends[k] * columns[k][2]
            square = square + total * total * v
        size = sum(map(mul, diagonal, map(mul, g, g)), zero)
        apart = 4 * unit * unit * (25 * ratio * size + self._rounded[response])
        length = lam * root(square)
        error = root(lam * apart) + unit * root(3 * lam * size) + (n + 10) * eps * length
        low = max(length - error, zero)
        return low * low, (length + error) * (length + error)


def _product(values: Sequence[Any]) -> Any:
    found = values[0]
    for v in values[1:]:
        found = found * v
    return found
