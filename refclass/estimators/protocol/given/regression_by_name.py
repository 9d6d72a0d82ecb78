"""A regression by its name, for the classifiers that stand on one."""

from __future__ import annotations

from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.estimators import names
from refclass.estimators.protocol.regressor import Regressor


def named(description: Any, arithmetic: Any) -> Regressor:
    """Return the regression: an estimator as it is, or by name, "bruto" or {"name": "polynomial", "degree": 2}.

    It is computed in the classifier's arithmetic.

    Raises    InvalidInput for an unknown name or parameter, or an estimator with another arithmetic of its own
    """
    if isinstance(description, Regressor):
        own = description.parameters()["arithmetic"]
        if description.arithmetic not in (own, arithmetic):
            need = f"a regression without an arithmetic of its own, or with {arithmetic!r}"
            raise InvalidInput("regression", need=need, got=quoted(description.arithmetic))
        return description
    made: Regressor = names.made(Regressor, description, arithmetic, "regression", "a regression estimator")
    return made
