"""The reproducing kernel Hilbert space (Aronszajn 1950), on finite sums Σ cᵢ K(xᵢ, ·).

Every such sum is a point of the space, the only one that the kernel reproduces [MMST-11.3.3-rkhs]; its inner products
with others are double sums of kernel values, and its value at x is its inner product with K(x, ·).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refclass.errors import InvalidInput
from refclass.kernels.kernel import Kernel
from refclass.kernels.matrices.gram import gram
from refclass.linear.factorisations import ldl
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Expansion:
    """A function f = Σ cᵢ K(xᵢ, ·)  [KIM-3.55] [KIM-3.56] [KIM-3.57] [MMST-11.71].

    Raises    InvalidInput unless there are as many coefficients as centres, and at least one
    """

    kernel: Kernel
    centres: tuple[Any, ...]
    coefficients: Vector

    def __post_init__(self) -> None:
        if len(self.centres) != len(self.coefficients):
            got = f"{len(self.centres)} and {len(self.coefficients)}"
            raise InvalidInput("rkhs", need="as many coefficients as centres", got=got)

    def __call__(self, F: Field, x: Any) -> Number:
        """Return f(x) = Σ cᵢ K(xᵢ, x)."""
        return self.coefficients @ self.kernel.row(F, x, self.centres)

    def __add__(self, other: Expansion) -> Expansion:
        both = Vector([*self.coefficients, *other.coefficients])
        return Expansion(self.kernel, self.centres + other.centres, both)

    def __neg__(self) -> Expansion:
        return Expansion(self.kernel, self.centres, -self.coefficients)

    def __rmul__(self, c: Number) -> Expansion:
        return Expansion(self.kernel, self.centres, c * self.coefficients)


def section(F: Field, kernel: Kernel, x: Any) -> Expansion:
    """Return the function K(x, ·), the image of x in the space  [KIM-3.51] [KIM-3.52].

    ⟨f, K(x, ·)⟩ = f(x)                  [MMST-11.53] [KIM-3.4-reproducing]
    ⟨K(x, ·), K(z, ·)⟩ = K(x, z)         [MMST-11.54] [KIM-Thm3.4.3] [KIM-3.53] [KIM-3.54]
    """
    return Expansion(kernel, (x,), Vector([F.kind(1)]))


def inner(F: Field, f: Expansion, g: Expansion) -> Number:
    """Return the inner product of f = Σ cᵢ K(xᵢ, ·) and g = Σ dⱼ K(zⱼ, ·)  [KIM-3.58] [KIM-3.59] [KIM-3.60].

        ⟨f, g⟩ = Σⱼ dⱼ f(zⱼ) = Σᵢⱼ cᵢ dⱼ K(xᵢ, zⱼ)

    Exact    if the kernel is
    Cost     as many values of the kernel as there are pairs of centres
    """
    return g.coefficients @ Vector.of([f(F, z) for z in g.centres])


def squared_norm(F: Field, f: Expansion) -> Number:
    """Return ‖f‖² = Σᵢⱼ cᵢcⱼ K(xᵢ, xⱼ)  [KIM-3.61]."""
    return inner(F, f, f)


def projected(F: Field, f: Expansion, X: Sequence[Any]) -> Expansion:
    """Return the part of f in the span of the K(xᵢ, ·), xᵢ in X  [MMST-11.69].

    It is the one function of the span with the values of f at X; the rest of f is zero there  [MMST-11.70]. So among
    all functions with these values it is the one of least norm, and a loss of the values only, with any
    multiple of the norm, is least in the span  [MMST-11.72] [ESL-12.28].

    Exact     if the kernel is
    Raises    NoAnswer, with a null vector, if the K(xᵢ, ·) depend on one another
    """
    values = Vector.of([f(F, x) for x in X])
    return Expansion(f.kernel, tuple(X), ldl.factor(gram(F, f.kernel, X)).solve(values))


@dataclass(frozen=True)
class Element:
    """A function of the space with the field of its numbers: the f of a fit, for inner products  [KIM-3.56].

    Raises    InvalidInput where two functions have different kernels
    """

    F: Field
    expansion: Expansion

    def __call__(self, x: Any) -> Number:
        """Return f(x)."""
        return self.expansion(self.F, x)

    def __sub__(self, other: Element) -> Element:
        return Element(self.F, self.expansion + -self._same(other))

    def inner(self, other: Element) -> Number:
        """Return ⟨f, g⟩  [KIM-3.58]."""
        return inner(self.F, self.expansion, self._same(other))

    def reproduced(self, x: Any) -> Number:
        """Return f(x) as the inner product with K(x, ·)  [MMST-11.53] [KIM-3.4-reproducing]."""
        return inner(self.F, self.expansion, section(self.F, self.expansion.kernel, x))

    @property
    def squared_norm(self) -> Number:
        """‖f‖²  [KIM-3.61]."""
        return squared_norm(self.F, self.expansion)

    def projected(self, X: Sequence[Any]) -> Element:
        """Return the part of f in the span of the K(xᵢ, ·): of least norm with its values at X  [MMST-11.72].

        Raises    NoAnswer, with a null vector, if the K(xᵢ, ·) depend on one another
        """
        return Element(self.F, projected(self.F, self.expansion, X))

    def _same(self, other: Element) -> Expansion:
        if other.expansion.kernel != self.expansion.kernel:
            raise InvalidInput("rkhs", need="functions with one kernel", got=repr(other.expansion.kernel))
        return other.expansion
