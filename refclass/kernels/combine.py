"""The algebra of kernels: eight ways to make kernels of kernels  [KIM-Thm3.4.4] [MMST-Ex11.9].

All of them keep kernels positive semidefinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import add, mul
from typing import Any, Callable, ClassVar, Optional

from refclass.errors import InvalidInput
from refclass.kernels.kernel import Kernel
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


@dataclass(frozen=True)
class Combined(Kernel):
    """A kernel made of kernels: on the points that its parts share, exact if they are."""

    name: ClassVar[str] = ""
    exact_itself: ClassVar[bool] = True

    @property
    def positive(self) -> bool:  # type: ignore[override]
        """Return whether the parts are positive semidefinite by their laws, and so their combination."""
        return all(part.positive for part in self._parts())

    @property
    def exact(self) -> bool:  # type: ignore[override]
        """Return whether the parts are exact, and so their combination."""
        return self.exact_itself and all(part.exact for part in self._parts())

    def points(
        self, F: Field, X: Any, rows: Callable[..., Matrix], training: Optional[Sequence[Any]] = None
    ) -> Sequence[Any]:
        """Return the points that X describes.  Raises InvalidInput if the parts do not agree on them."""
        first, *others = [part.points(F, X, rows, training) for part in self._parts()]
        for other in others:
            if type(other[0]) is not type(first[0]):
                got = f"{type(first[0]).__name__} and {type(other[0]).__name__}"
                raise InvalidInput("combine", need="parts that are kernels on the same points", got=got)
        return first

    def _parts(self) -> list[Kernel]:
        return [v for v in (getattr(self, f.name) for f in fields(self)) if isinstance(v, Kernel)]


@dataclass(frozen=True)
class Scaled(Combined):
    """A multiple of a kernel  [KIM-3.62].

        K(x, z) = c k(x, z)        c ≥ 0

    Raises    InvalidInput unless c ≥ 0
    Laws      symmetric, positive semidefinite, Cauchy–Schwarz
    """

    c: Number
    kernel: Kernel

    def __post_init__(self) -> None:
        self._need(self.c >= 0, "c ≥ 0", self.c)

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return c k(x, z) for every z in Z."""
        return Vector.of([self.c * v for v in self.kernel.row(F, x, Z)])


@dataclass(frozen=True)
class Sum(Combined):
    """The sum of two kernels  [KIM-3.63] [MMST-Ex11.9a]: the features of both, side by side.

        K(x, z) = k₁(x, z) + k₂(x, z)

    Laws      symmetric, positive semidefinite, Cauchy–Schwarz
    """

    left: Kernel
    right: Kernel

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return k₁(x, z) + k₂(x, z) for every z in Z."""
        return Vector.of(map(add, self.left.row(F, x, Z), self.right.row(F, x, Z)))


@dataclass(frozen=True)
class Product(Combined):
    """The product of two kernels  [KIM-3.64] [MMST-Ex11.9b]: every product of a feature of one and one of the other.

        K(x, z) = k₁(x, z) k₂(x, z)

    Laws      symmetric, positive semidefinite, Cauchy–Schwarz
    """

    left: Kernel
    right: Kernel

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return k₁(x, z) k₂(x, z) for every z in Z."""
        return Vector.of(map(mul, self.left.row(F, x, Z), self.right.row(F, x, Z)))


@dataclass(frozen=True)
class Weighted(Combined):
    """A kernel with every feature vector multiplied by a number of its own  [KIM-3.65].

        K(x, z) = f(x) k(x, z) f(z)        f any function, called as f(F, x)

    Laws      symmetric, positive semidefinite, Cauchy–Schwarz
    """

    name: ClassVar[str] = ""  # functions and matrices have no description
    f: Callable[[Field, Any], Number]
    kernel: Kernel

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return f(x) k(x, z) f(z) for every z in Z."""
        own = self.f(F, x)
        # Method: f(x)f(z) first, so that the value is the same from both sides to the last bit.
        return Vector.of([(own * self.f(F, z)) * v for z, v in zip(Z, self.kernel.row(F, x, Z))])


@dataclass(frozen=True)
class Normalised(Combined):
    """A kernel with every feature vector scaled to length one, as for strings  [MMST-11.60] [MMST-11.3.3-unit].

        K(x, z) = k(x, z)/√(k(x, x) k(z, z))        of the linear kernel: cos θ = ⟨x, z⟩/(‖x‖‖z‖)  [KIM-3.2-cosine]

    Raises    InvalidInput for a point with k(x, x) ≤ 0
    Laws      symmetric, positive semidefinite, Cauchy–Schwarz, unit diagonal
    """

    kernel: Kernel

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return k(x, z)/√(k(x, x) k(z, z)) for every z in Z."""
        own = self.kernel(F, x, x)
        squares = [own * square for square in self.kernel.diagonal(F, Z)]
        self._need(own > 0 and min(squares) > 0, "points with k(x, x) > 0", "a point with k(x, x) ≤ 0")
        return Vector.of([v / F.sqrt(q) for v, q in zip(self.kernel.row(F, x, Z), squares)])


@dataclass(frozen=True)
class Series(Combined):
    """A polynomial of a kernel  [KIM-3.66].

        K(x, z) = c₀ + c₁ k(x, z) + c₂ k(x, z)² + …        all c ≥ 0

    Raises    InvalidInput unless there are coefficients, all ≥ 0
    Laws      symmetric, positive semidefinite, Cauchy–Schwarz
    """

    coefficients: tuple[Number, ...]
    kernel: Kernel

    def __post_init__(self) -> None:
        ok = len(self.coefficients) > 0 and all(c >= 0 for c in self.coefficients)
        self._need(ok, "coefficients ≥ 0", self.coefficients)

    def over(self, F: Field) -> Series:
        """Return the same kernel with its coefficients lifted into F."""
        return Series(tuple(F.lift_all(self.coefficients)), self.kernel.over(F))

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return the polynomial of k(x, z) for every z in Z."""
        values = self.kernel.row(F, x, Z)
        total = [F.kind(0)] * len(values)
        for c in reversed(self.coefficients):  # Method: Horner's rule.
            total = [t * v + c for t, v in zip(total, values)]
        return Vector.of(total)


@dataclass(frozen=True)
class Exponential(Combined):
    """The exponential of a kernel  [KIM-3.67] [MMST-Ex11.9c].

        K(x, z) = exp k(x, z)

    Laws      symmetric, positive semidefinite, Cauchy–Schwarz
    """

    kernel: Kernel
    exact_itself: ClassVar[bool] = False

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return exp k(x, z) for every z in Z.  Raises InvalidInput where one is beyond the range of numbers."""
        try:
            return Vector.of(map(F.exp, self.kernel.row(F, x, Z)))
        except ArithmeticError:
            need, got = "values within the range of numbers", "an exponential beyond it"
            raise InvalidInput("exponential", need=need, got=got) from None


@dataclass(frozen=True)
class Mapped(Combined):
    """A kernel of mapped points  [KIM-3.68].

        K(x, z) = k(Φ(x), Φ(z))        Φ any map into the points of k, called as Φ(F, x)

    Laws      symmetric, positive semidefinite, Cauchy–Schwarz
    """

    name: ClassVar[str] = ""  # functions and matrices have no description
    map: Callable[[Field, Any], Any]
    kernel: Kernel

    def points(
        self, F: Field, X: Any, rows: Callable[..., Matrix], training: Optional[Sequence[Any]] = None
    ) -> Sequence[Any]:
        """Return the rows of X, as they are before the map."""
        return Kernel.points(self, F, X, rows, training)

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return k(Φ(x), Φ(z)) for every z in Z."""
        return self.kernel.row(F, self.map(F, x), [self.map(F, z) for z in Z])


@dataclass(frozen=True)
class Form(Kernel):
    """The inner product of a symmetric positive semidefinite matrix, on rows of numbers  [KIM-3.69].

        K(x, z) = xᵀA z

    `mercer` decides whether A is positive semidefinite; here only its symmetry is checked.

    Raises    InvalidInput unless A is square and symmetric
    Laws      symmetric, positive semidefinite, Cauchy–Schwarz
    """

    name: ClassVar[str] = ""  # functions and matrices have no description
    A: Matrix
    exact: ClassVar[bool] = True
    positive: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.A.symmetric()

    def over(self, F: Field) -> Form:
        """Return the same kernel with its matrix lifted into F."""
        return Form(Matrix([F.lift_all(row) for row in self.A]))

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return xᵀA z for every z in Z."""
        v = self.A @ Vector.of(x)
        return Vector.of([v @ Vector.of(z) for z in Z])
