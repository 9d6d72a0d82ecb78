"""From the name of a loss and its parameters to the loss."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from refclass import registry
from refclass.errors import InvalidInput, quoted
from refclass.losses.loss import Loss, MarginLoss
from refclass.number.field import Field


def losses() -> dict[str, Any]:
    """Return the loss classes by name.

    Example
        >>> losses()["epsilon_insensitive"].__name__
        'Insensitive'
    """
    return registry.classes(__package__, Loss)


def of_margins() -> tuple[str, ...]:
    """Return the names of the losses of the margin that have slopes everywhere: zero-one has not.

    Example
        >>> "hinge" in of_margins(), "zero_one" in of_margins(), "huber" in of_margins()
        (True, False, False)
    """
    return tuple(n for n, kind in losses().items() if issubclass(kind, MarginLoss) and n != "zero_one")


def loss(F: Field, name: Any, **parameters: Any) -> Loss:
    """Return the loss of that name, its parameters lifted into F.

    Raises    InvalidInput for an unknown name, for other parameters than the loss has, or a value out of range

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> loss(RATIONAL, "hinge"), loss(RATIONAL, "huber", c="3/2")
        (Hinge(), Huber(c=Fraction(3, 2)))
    """
    if not isinstance(name, str) or name not in losses():
        raise InvalidInput("loss", need=f"a name among {', '.join(losses())}", got=quoted(name))
    known = [f.name for f in fields(losses()[name])]
    if set(parameters) != set(known):
        need = f"the parameters {', '.join(known)} of {name}" if known else f"no parameters of {name}"
        raise InvalidInput("loss", need=need, got=", ".join(parameters) or "none")
    made: Loss = losses()[name](**{parameter: F.lift(value) for parameter, value in parameters.items()})
    return made
