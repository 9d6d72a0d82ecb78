"""All monomials of p variables up to a total degree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import ClassVar

from refclass.bases.basis import Basis
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Monomials(Basis):
    """The monomials x^a with |a| ≤ d, the constant first  [ESL-12.42].

        x^a = x₁^a₁ … x_p^a_p,   a₁ + … + a_p ≤ d,   C(p + d, d) of them

    By total degree, then with the powers of x₁ descending, then of x₂, …: 1, x₁, x₂, x₁², x₁x₂, x₂², …

    Exact    yes
    Cost     one multiplication for each monomial but the constant
    Raises   InvalidInput unless p ≥ 1 and d ≥ 0 are integers

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> Monomials(2, 2)(RATIONAL, Vector(map(RATIONAL.lift, (2, 3))))
        Vector(1, 2, 3, 4, 6, 9)
    """

    variables: int
    degree: int
    exact: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._need(type(self.variables) is int and self.variables >= 1, "a number p ≥ 1 of variables", self.variables)
        self._need(type(self.degree) is int and self.degree >= 0, "an integer degree ≥ 0", self.degree)

    def __len__(self) -> int:
        return comb(self.variables + self.degree, self.degree)

    @cached_property
    def factors(self) -> tuple[tuple[int, ...], ...]:
        """For each monomial the variables it is a product of, ascending: (0, 0, 2) stands for x₁²x₃."""
        sizes = range(self.degree + 1)
        return tuple(f for d in sizes for f in combinations_with_replacement(range(self.variables), d))

    @cached_property
    def exponents(self) -> tuple[tuple[int, ...], ...]:
        """For each monomial its powers (a₁, …, a_p)."""
        return tuple(tuple(f.count(j) for j in range(self.variables)) for f in self.factors)

    @cached_property
    def _recipe(self) -> tuple[tuple[int, int], ...]:
        # Method: a monomial without its last factor stands earlier in the list, so each one costs one multiplication.
        place = {f: k for k, f in enumerate(self.factors)}
        return tuple((place[f[:-1]], f[-1]) for f in self.factors[1:])

    def __call__(self, F: Field, x: Sequence[Number]) -> Vector:
        """Return every monomial at the point x.  Raises InvalidInput unless x has p numbers."""
        self._need(len(x) == self.variables, f"a point of {self.variables} numbers", len(x))
        values = [type(x[0])(1)]
        for k, j in self._recipe:
            values.append(values[k] * x[j])
        return Vector.of(values)

    def moved(self, coefficients: Sequence[Number], centre: Sequence[Number]) -> Vector:
        """Return the coefficients in x of the polynomial that has the given ones in x − c.

            Σ_a β_a (x − c)^a = Σ_b γ_b x^b

        Exact    yes
        """
        # Method: one variable at a time, (x − c)^a = Σ_b C(a, b) x^b (−c)^(a−b).
        current = dict(zip(self.exponents, coefficients))
        for j, c in enumerate(centre):
            moved = dict.fromkeys(self.exponents, 0 * coefficients[0])
            for a, value in current.items():
                power = value
                for b in range(a[j], -1, -1):
                    target = (*a[:j], b, *a[j + 1 :])
                    moved[target] = moved[target] + power * comb(a[j], b)
                    power = power * -c
            current = moved
        return Vector.of([current[a] for a in self.exponents])
