"""The interface of a kernel: its values, its points, its parameters in a field; a kernel by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, Callable, ClassVar, Optional, TypeVar

from refclass import registry
from refclass.errors import InvalidInput, quoted
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number import text
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


def kernels() -> dict[str, Any]:
    """Return the kernel classes by name.

    Example
        >>> "gaussian" in kernels(), "sum" in kernels()
        (True, True)
    """
    return registry.classes(__package__, Kernel)


def kernel(F: Field, description: Any) -> Kernel:
    """Return the kernel described, its parameters lifted into F.

    A description is a kernel, or its name with its parameters: {"name": "gaussian", "gamma": 2}; a name alone will do
    where every parameter has a default: "linear". A number may be given as its text, "1/3"; a kernel made of kernels
    takes their descriptions.

    Raises    InvalidInput for an unknown name or parameter, a missing parameter, or a value out of range

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> kernel(RATIONAL, {"name": "polynomial", "degree": 2, "c": "1/2"})
        Polynomial(degree=2, c=Fraction(1, 2), scale=Fraction(1, 1))
    """
    if isinstance(description, Kernel):
        return description.over(F)
    parameters = dict(description) if isinstance(description, Mapping) else {"name": description}
    name = parameters.pop("name", None)
    if not isinstance(name, str) or name not in kernels():
        raise InvalidInput(
            "kernel", need=f"a name among {', '.join(kernels())}", got="none" if name is None else quoted(name)
        )
    kind = kernels()[name]
    known = {f.name: f for f in fields(kind)}
    for parameter in parameters:
        if parameter not in known:
            need = f"parameters of {name} among {', '.join(known)}" if known else f"no parameters of {name}"
            raise InvalidInput("kernel", need=need, got=quoted(parameter))
    given = {}
    for parameter, f in known.items():
        if parameter not in parameters and f.default is MISSING:
            raise InvalidInput("kernel", need=f"the parameter {parameter} of {name}", got="none")
        if f.type == "Number":
            given[parameter] = parameters.get(parameter, f.default)
            parameters[parameter] = _number(F, name, parameter, given[parameter])
        elif f.type == "Kernel":
            parameters[parameter] = kernel(F, parameters[parameter])
        elif f.type == "tuple[Number, ...]":
            parameters[parameter] = tuple([_number(F, name, parameter, v) for v in parameters[parameter]])
    made: Kernel = kind(**parameters)
    return made if F.exact else made.given_as({name: _parsed(value) for name, value in given.items()})


def _parsed(value: Any) -> Any:
    return text.read(value)


def _number(F: Field, name: str, parameter: str, value: Any) -> Any:
    try:
        return F.parameter(value)
    except InvalidInput:
        raise InvalidInput("kernel", need=f"{parameter} of {name} a finite number", got=quoted(value)) from None
