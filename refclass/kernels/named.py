"""From the name of a kernel and its parameters to the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from refclass import registry
from refclass.errors import InvalidInput, quoted
from refclass.kernels.kernel import Kernel
from refclass.number import text
from refclass.number.field import Field


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
    return text.parse(value) if isinstance(value, str) else value


def _number(F: Field, name: str, parameter: str, value: Any) -> Any:
    try:
        return F.lift(_parsed(value))
    except InvalidInput:
        raise InvalidInput("kernel", need=f"{parameter} of {name} a finite number", got=quoted(value)) from None
