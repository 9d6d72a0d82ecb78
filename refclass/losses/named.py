"""From the name of a loss and its parameters to the loss."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from refclass.errors import InvalidInput
from refclass.losses.deviance import Deviance
from refclass.losses.hinge import Hinge
from refclass.losses.huber import Huber
from refclass.losses.huberised import Huberised
from refclass.losses.huberised_hinge import HuberisedHinge
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.losses.loss import Loss
from refclass.losses.ramp import Ramp
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.losses.squared_ramp import SquaredRamp
from refclass.losses.zero_one import ZeroOne
from refclass.number.field import Field

LOSSES: dict[str, type[Loss]] = {
    "zero_one": ZeroOne,
    "hinge": Hinge,
    "squared_hinge": SquaredHinge,
    "ramp": Ramp,
    "squared_ramp": SquaredRamp,
    "deviance": Deviance,
    "squared": Squared,
    "huberised": Huberised,
    "huberised_hinge": HuberisedHinge,
    "epsilon_insensitive": Insensitive,
    "squared_epsilon_insensitive": SquaredInsensitive,
    "quadratic_epsilon_insensitive": QuadraticInsensitive,
    "huber": Huber,
}


def loss(F: Field, name: Any, **parameters: Any) -> Loss:
    """Return the loss of that name, its parameters lifted into F.

    Raises    InvalidInput for an unknown name, for other parameters than the loss has, or a value out of range

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> loss(RATIONAL, "hinge"), loss(RATIONAL, "huber", c="3/2")
        (Hinge(), Huber(c=Fraction(3, 2)))
    """
    if not isinstance(name, str) or name not in LOSSES:
        raise InvalidInput("loss", need=f"a name among {', '.join(LOSSES)}", got=repr(name))
    known = [f.name for f in fields(LOSSES[name])]
    if set(parameters) != set(known):
        need = f"the parameters {', '.join(known)} of {name}" if known else f"no parameters of {name}"
        raise InvalidInput("loss", need=need, got=", ".join(parameters) or "none")
    return LOSSES[name](**{parameter: F.lift(value) for parameter, value in parameters.items()})
