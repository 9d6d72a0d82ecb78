"""A regression by its name, for the classifiers that stand on one."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from refclass.errors import InvalidInput
from refclass.estimators.regressor import Regressor

# The regressions by method name: the room and the class.
NAMES = {
    "linear_regression": "LinearRegression",
    "ridge": "Ridge",
    "polynomial": "PolynomialRegression",
    "smoothing_spline": "SmoothingSpline",
    "bruto": "BRUTO",
    "mars": "MARS",
}
ROOMS = {"polynomial": "polynomial_regression"}


def named(description: Any, arithmetic: Any) -> Regressor:
    """Return the regression: an estimator as it is, or by name, "bruto" or {"name": "polynomial", "degree": 2}.

    It is computed in the classifier's arithmetic.

    Raises    InvalidInput for an unknown name or parameter, or an estimator with another arithmetic of its own
    """
    if isinstance(description, Regressor):
        own = description.parameters()["arithmetic"]
        if description.arithmetic not in (own, arithmetic):
            need = f"a regression without an arithmetic of its own, or with {arithmetic!r}"
            raise InvalidInput("regression", need=need, got=repr(description.arithmetic))
        return description
    given = {"name": description} if isinstance(description, str) else description
    if not isinstance(given, Mapping) or given.get("name") not in NAMES:
        need = f"a regression estimator, or a name among {', '.join(NAMES)}"
        raise InvalidInput("regression", need=need, got=repr(description))
    name = given["name"]
    kind = getattr(import_module(f"refclass.estimators.{ROOMS.get(name, name)}"), NAMES[name])
    options = {k: v for k, v in given.items() if k != "name"}
    for option in options:
        if option not in kind.parameters() or option == "arithmetic":
            known = ", ".join(k for k in kind.parameters() if k != "arithmetic")
            raise InvalidInput("regression", need=f"a parameter of {name} among {known}", got=repr(option))
    made: Regressor = kind(**options, arithmetic=arithmetic)
    return made
