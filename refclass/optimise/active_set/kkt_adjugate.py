"""The inverse of the working matrix over the integers, updated without fractions (Bareiss 1968; see `kkt_inverse`)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from refclass.errors import NoAnswer
from refclass.linear.common_denominator import Scaled
from refclass.linear.exact.division import quotients
from refclass.linear.vector import dot
from refclass.number.field import Number
from refclass.optimise.active_set.kkt_inverse import Entering


class Adjugate:
    """δ B⁻¹ = N / D exactly: N and D integers, δ a common denominator of B.

    N is up to sign the adjugate of the integer matrix δB and D its determinant: every entry is a minor, no longer than
    Hadamard's bound allows, and every division in a pivot leaves no remainder (Sylvester's identity).
    """

    def __init__(self) -> None:
        self.index: list[int] = []
        self.rows: list[list[int]] = []
        self.determinant = 1
        self.denominator = 1
        self._last: tuple[Any, list[int]] = None, []

    def __len__(self) -> int:
        return len(self.index)

    def solve(self, v: Sequence[Number]) -> list[Number]:
        """Return B⁻¹ v, exactly."""
        scaled = Scaled.of(v)
        D = self.determinant * scaled.denominator
        return [Fraction(self.denominator * w, D) for w in self._image(scaled.integers)]

    def _image(self, v: Sequence[int]) -> list[int]:
        v = tuple(v)
        if v != self._last[0]:
            self._last = v, [dot(row, v) for row in self.rows]
        return self._last[1]

    def column(self, place: int) -> list[Number]:
        """Return the column of B⁻¹ that belongs to a working place."""
        return [Fraction(self.denominator * v, self.determinant) for v in self.rows[self.index.index(place)]]

    def diagonal(self, place: int) -> Number:
        """Return the diagonal entry of B⁻¹ that belongs to a working place."""
        k = self.index.index(place)
        return Fraction(self.denominator * self.rows[k][k], self.determinant)

    def pivot(self, enter: Sequence[Entering], leave: Sequence[int]) -> None:
        """Let one or two places change sides.

        Cost      m² multiplications of integers for a place that leaves, 2m² for one that enters, 5m²/2 for one of
                  each, 7m²/2 for two that enter, 3m²/2 for two that leave
        Raises    NoAnswer where B becomes singular, as none does of a Q that is positive semidefinite where Ex = 0
        """
        self._refine([*(v for e in enter for v in e.column), *(v for e in enter for v in e.corner)])
        D, columns = self.determinant, [self._integers(e.column) for e in enter]
        images = [self._image(v) for v in columns]
        table = [[-v for v in row] for row in self.rows]
        for row, *w in zip(table, *images):
            row += w
        for e, v, w in zip(enter, columns, images):
            corner = self._integers(e.corner)
            table.append(w + [D * c - dot(v, z) for c, z in zip(corner, images)])
        names = self.index + [e.place for e in enter]
        places = [names.index(i) for i in (*(e.place for e in enter), *leave)]
        exchange = _exchange_integers if len(places) == 1 else _exchange_two_integers
        table, self.determinant = exchange(table, D, *places)
        if not self.determinant:
            raise NoAnswer("active_set", need="Q positive semidefinite where Ex = 0", got="a singular working matrix")
        self._last = None, []
        stay = [k for k, i in enumerate(names) if i not in leave]
        self.index = [names[k] for k in stay]
        self.rows = [[-table[a][b] for b in stay] for a in stay]

    def _integers(self, values: Sequence[Number]) -> list[int]:
        return [p * (self.denominator // q) for p, q in (v.as_integer_ratio() for v in values)]

    def _refine(self, values: Sequence[Number]) -> None:
        """Take a common denominator that suits the values, too: B grows by κ, its minors by powers of κ."""
        together = lcm(self.denominator, *{v.as_integer_ratio()[1] for v in values})
        factor, m = together // self.denominator, len(self.index)
        if factor != 1:
            self.denominator = together
            self._last = None, []
            if m:
                self.determinant *= factor**m
                self.rows = [[v * factor ** (m - 1) for v in row] for row in self.rows]


def _mirrored(triangle: list[list[int]]) -> list[list[int]]:
    """Return the symmetric table whose lower triangle is given."""
    for i, row in enumerate(triangle):
        row += [triangle[j][i] for j in range(i + 1, len(triangle))]
    return triangle


def _exchange_integers(T: list[list[int]], D: int, k: int) -> tuple[list[list[int]], int]:
    # Method: T holds D times the table. Times the new determinant p = T_kk the entries become (T_ab p − T_ak T_kb) / D.
    pivot, row = T[k][k], T[k]
    scaled = [[t * pivot - row[a] * v for t, v in zip(T[a][: a + 1], row)] for a in range(len(T))]
    table = _mirrored(quotients(scaled, D))
    for a, v in enumerate(row):
        table[a][k] = table[k][a] = v
    table[k][k] = -D
    return table, pivot


def _exchange_two_integers(T: list[list[int]], D: int, k: int, q: int) -> tuple[list[list[int]], int]:
    a, b, c, first, second = T[k][k], T[k][q], T[q][q], T[k], T[q]
    s = [u * c - v * b for u, v in zip(first, second)]
    t = [v * a - u * b for u, v in zip(first, second)]
    s, t, (minor,) = quotients([s, t, [a * c - b * b]], D)
    scaled = [[w * minor - s[i] * f - t[i] * g for w, f, g in zip(T[i][: i + 1], first, second)] for i in range(len(T))]
    table = _mirrored(quotients(scaled, D))
    for i in range(len(T)):
        table[i][k] = table[k][i] = s[i]
        table[i][q] = table[q][i] = t[i]
    table[k][k], table[k][q], table[q][k], table[q][q] = -c, b, b, -a
    return table, minor
