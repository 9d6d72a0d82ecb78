"""The interface of a kernel: its values, the points it is defined on, and its parameters in a field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Callable, ClassVar, Optional, TypeVar

from refclass.errors import InvalidInput, quoted
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number

K = TypeVar("K", bound="Kernel")

FARTHEST = 1000, 10  # exponents from which on decimals are zero: so much, and so much for each digit


def decaying(F: Field) -> Callable[[Number], Number]:
    """Return the exponential of numbers ≤ 0; in decimals it is 0 below exp(−1000 − 10d), d their digits.

    In doubles it is 0 below exp(−746). Proofs take a kernel value as a fraction, and that of 10⁻²⁰⁰⁰ has 2,000 digits.

    Example
        >>> from refclass.number.decimals import decimal
        >>> D = decimal(4)
        >>> decaying(D)(D.lift(-1000)), decaying(D)(D.lift(-1050))
        (Decimal('5.076E-435'), Decimal('0'))
    """
    digits = getattr(F.kind, "precision", None)
    if digits is None:
        return F.exp
    exp, zero, least = F.exp, F.kind(0), F.kind(-FARTHEST[0] - FARTHEST[1] * digits)
    return lambda t: exp(t) if t >= least else zero


@dataclass(frozen=True)
class Kernel:
    """A symmetric function of two points, an inner product in a space of features that need not be written down.

    An algorithm that uses its points only in inner products runs in that space when K replaces them
    [ESL-12.21] [ISML-27.4-trick] [YANG-kernel-representation]. Then K(x, z)² ≤ K(x, x)K(z, z), which is necessary but
    not sufficient [MMST-11.3.3-symmetric]; `mercer` decides. The fields are the parameters; those annotated `Number`
    are numbers.

    exact       whether its values need nothing but + − × ÷, so that they are exact on fractions
    positive    whether its Gram matrices are positive semidefinite for all points: a law of the kernel, not tested here
    name        its name in descriptions, where that is not its class's name; empty where it has none
    """

    name: ClassVar[str] = ""
    exact: ClassVar[bool]
    positive: ClassVar[bool] = True

    def row(self, F: Field, x: Any, Z: Sequence[Any]) -> Vector:
        """Return K(x, z) for every z in Z."""
        raise NotImplementedError

    def __call__(self, F: Field, x: Any, z: Any) -> Number:
        """Return K(x, z)."""
        return self.row(F, x, (z,))[0]

    def diagonal(self, F: Field, X: Sequence[Any]) -> Vector:
        """Return K(x, x) for every x in X."""
        return Vector.of([self.row(F, x, (x,))[0] for x in X])

    def points(
        self, F: Field, X: Any, rows: Callable[..., Matrix], training: Optional[Sequence[Any]] = None
    ) -> Sequence[Any]:
        """Return the points that the user's X describes: here, rows of numbers.

        `rows(F, X, columns=None)` converts rows of numbers; with `training`, the points are new ones, to be evaluated
        against those.
        """
        return rows(F, X, columns=len(training[0]) if training is not None else None)

    def over(self: K, F: Field) -> K:
        """Return the same kernel with its parameters lifted into F.  Raises InvalidInput, naming the parameter.

        A kernel over doubles keeps parameters that these round: over another field they are taken as they were given.
        """
        made = replace(self, **{f.name: self._lifted(F, f.name, f.type) for f in fields(self)})
        return made if F.exact else made.given_as(self._as_given())

    def given_as(self: K, parameters: dict[str, Any]) -> K:
        """Return the kernel, which keeps parameters as they were given, where its own are others."""
        kept = {name: v for name, v in parameters.items() if v != getattr(self, name)}
        if kept:
            object.__setattr__(self, "_given", kept)
        return self

    def _as_given(self) -> dict[str, Any]:
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.type in ("Number", Number)}
        return {**own, **self.__dict__.get("_given", {})}

    def _lifted(self, F: Field, name: str, annotation: Any) -> Any:
        value = self.__dict__.get("_given", {}).get(name, getattr(self, name))
        if isinstance(value, Kernel):
            return value.over(F)
        if annotation not in ("Number", Number):
            return value
        try:
            return F.lift(value)
        except InvalidInput:
            raise InvalidInput(self._module(), need=f"{name} a finite number", got=quoted(value)) from None

    def _need(self, condition: bool, need: str, got: object) -> None:
        if not condition:
            raise InvalidInput(self._module(), need=need, got=quoted(got))

    def _module(self) -> str:
        return type(self).__module__.rpartition(".")[2]
