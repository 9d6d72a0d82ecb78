"""Feature maps written out, for the kernels that have finite ones: K(x, z) = ⟨Φ(x), Φ(z)⟩  [MMST-11.51]."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, factorial, prod
from typing import Any

from refclass.kernels.dirichlet import Dirichlet
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.string import String
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number

Exponents = tuple[int, ...]


def exponents(p: int, degree: int) -> list[Exponents]:
    """Return the exponents of all monomials in p variables of that degree exactly, the first variable's descending.

    Example
        >>> exponents(2, 2)
        [(2, 0), (1, 1), (0, 2)]
    """
    if p == 1:
        return [(degree,)]
    return [(e, *rest) for e in range(degree, -1, -1) for rest in exponents(p - 1, degree - e)]


def dimension(p: int, degree: int, *, homogeneous: bool = False) -> int:
    """Return how many monomials in p variables there are of degree at most d, or d exactly  [MMST-11.3.4-dimension].

        binomial(p + d, d)        homogeneous: binomial(p + d − 1, d)

    Example
        >>> dimension(256, 2), dimension(256, 4), dimension(2, 2)
        (33153, 186043585, 6)
    """
    return comb(p + degree - homogeneous, degree)


def terms(kernel: Polynomial, p: int) -> list[Exponents]:
    """Return the exponents of the monomials in a polynomial kernel, of degree d first, then, if c > 0, of d − 1 … 0."""
    lowest = 0 if kernel.c > 0 else kernel.degree
    return [e for degree in range(kernel.degree, lowest - 1, -1) for e in exponents(p, degree)]


def weights(F: Field, kernel: Polynomial, p: int) -> Vector:
    """Return the number w by which each monomial enters the kernel, in the order of `terms`.

        (s⟨x, z⟩ + c)^d = Σₑ wₑ xᵉzᵉ        wₑ = d!/(e₁!…e_p! k!) s^(d − k) c^k, k = d − |e|

    They are the same for all variables: no kernel of this form favours some of them  [YANG-curse-kernel].

    Exact    yes
    """
    d = kernel.degree

    def weight(e: Exponents) -> Number:
        k = d - sum(e)
        ways = factorial(d) // (prod(map(factorial, e)) * factorial(k))
        value = F.kind(ways) * F.lift(kernel.scale) ** (d - k) if d > k else F.kind(ways)
        return value * F.lift(kernel.c) ** k if k else value

    return Vector.of([weight(e) for e in terms(kernel, p)])


def monomials(x: Sequence[Any], powers: Sequence[Exponents]) -> Vector:
    """Return x₁^e₁ … x_p^e_p for each of the exponents."""
    one = type(x[0])(1)
    return Vector.of([prod((v**e for v, e in zip(x, es) if e), start=one) for es in powers])


def polynomial(F: Field, kernel: Polynomial, x: Sequence[Any]) -> Vector:
    """Return the features of a polynomial kernel: the monomials, times the roots of their weights.

    In two variables with d = 2 these are  [ESL-12.23] [MMST-11.3.4-map] [YANG-example-of-kernel-functions]

        (x₁², √2 x₁x₂, x₂², √(2c) x₁, √(2c) x₂, c)

    Exact    where the roots are rational; `weights` and `monomials` always are
    """
    roots = Vector.of([F.sqrt(w) for w in weights(F, kernel, len(x))])
    return roots.times(monomials(x, terms(kernel, len(x))))


def quadratic(F: Field, x: Sequence[Any]) -> Vector:
    """Return the six features of (1 + ⟨x, z⟩)² in two variables, in ESL's order  [ESL-12.3-basis] [ESL-12.23].

    (1, √2 x₁, √2 x₂, x₁², x₂², √2 x₁x₂)
    """
    a, b = x
    r = F.sqrt(F.kind(2))
    return Vector.of([F.kind(1), r * a, r * b, a * a, b * b, r * a * b])


def homogeneous_quadratic(F: Field, x: Sequence[Any]) -> tuple[Vector, Vector]:
    """Return two maps to R³, each with the kernel ⟨x, z⟩² in two variables  [MMST-Ex11.6].

    (x₁², √2 x₁x₂, x₂²)        (x₁² − x₂², 2x₁x₂, x₁² + x₂²)/√2
    """
    a, b = x
    r = F.sqrt(F.kind(2))
    return (
        Vector.of([a * a, r * a * b, b * b]),
        Vector.of([(a * a - b * b) / r, 2 * a * b / r, (a * a + b * b) / r]),
    )


def lifted(x: Sequence[Any]) -> Vector:
    """Return (x₁, x₂, x₁² + x₂²), where circles about the origin become level planes  [KIM-3.4-lift].

    Exact    yes
    """
    a, b = x
    return Vector.of([a, b, a * a + b * b])


def fourier(F: Field, kernel: Dirichlet, z: Number) -> Vector:
    """Return the features of the Dirichlet kernel  [MMST-Ex11.7].

    (2^(−1/2), cos z, …, cos mz, sin z, …, sin mz)
    """
    js = range(1, kernel.order + 1)
    root = F.sqrt(F.kind(1) / 2)
    return Vector.of([root, *[F.cos(j * z) for j in js], *[F.sin(j * z) for j in js]])


def subsequences(kernel: String, s: str) -> dict[str, Number]:
    """Return Φ_u(s) for every string u of m letters that is a subsequence of s  [MMST-11.56] [MMST-11.58].

        Φ_u(s) = Σ_(i: u = s(i)) λ^l(i)        l(i) = i_m − i₁ + 1  [MMST-11.57]

    Exact    yes
    Cost     binomial(|s|, m) subsequences

    Example
        >>> from fractions import Fraction
        >>> {u: str(v) for u, v in subsequences(String(2, Fraction(1, 2)), "cat").items()}
        {'ca': '1/4', 'ct': '1/8', 'at': '1/4'}
    """
    total: dict[str, Number] = {}
    for places in combinations(range(len(s)), kernel.length):
        u = "".join(s[i] for i in places)
        weight = kernel.decay ** (places[-1] - places[0] + 1)
        total[u] = total[u] + weight if u in total else weight
    return total
