"""A question to the oracle: a method, its parameters, an arithmetic, and the data, as JSON.

    {"method": "svc", "parameters": {"C": "1/2", "kernel": {"name": "linear"}}, "arithmetic": "exact",
     "x": [[0, 1], [1, "0.5"]], "y": [-1, 1], "weights": [1, 2], "query": [[1, 1]]}

Numbers are read exactly, 0.1 as one tenth; text that denotes a number ("1/3", "2e-5") is a number wherever one belongs.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from inspect import Parameter
from typing import Any, Optional

import refclass
from refclass.errors import InvalidInput
from refclass.estimators.estimator import Estimator
from refclass.number import arithmetic, text

FIELDS = {"method", "parameters", "arithmetic", "x", "y", "weights", "query"}


@dataclass(frozen=True)
class Problem:
    """A method with its data.

    x, query    rows of numbers of the arithmetic's field, or of text for kernels on text
    y           labels, or numbers
    weights     numbers ≥ 0, or None
    """

    method: str
    x: list[Any]
    y: list[Any]
    parameters: dict[str, Any] = field(default_factory=dict)
    arithmetic: str = "float"
    weights: Optional[list[Any]] = None
    query: Optional[list[Any]] = None

    def estimator(self) -> Estimator:
        """Return the estimator that the problem asks for, not yet fitted.  Raises InvalidInput for a parameter."""
        return make(self.method, self.parameters, self.arithmetic)

    def fitted(self) -> Estimator:
        """Return the estimator fitted to the data."""
        given = {} if self.weights is None else {"sample_weight": self.weights}
        estimator: Any = self.estimator()
        fitted: Estimator = estimator.fit(self.x, self.y, **given)
        return fitted


def make(method: str, parameters: dict[str, Any], arithmetic: str = "float") -> Estimator:
    """Return the estimator of a method.  Raises InvalidInput for an unknown method or parameter, naming those known."""
    kinds = {kind.method: kind for kind in refclass.estimator_classes()}
    if method not in kinds:
        raise InvalidInput("problem", need=f"a method among {', '.join(sorted(kinds))}", got=repr(method))
    known = kinds[method].parameters()
    for name in parameters:
        if name not in known or name == "arithmetic":
            names = ", ".join(n for n in known if n != "arithmetic")
            raise InvalidInput(method, need=f"a parameter among {names}", got=repr(name))
    missing = [name for name, value in known.items() if value is Parameter.empty and name not in parameters]
    if missing:
        raise InvalidInput(method, need=f"the parameters {', '.join(missing)}", got="none")
    estimator: Estimator = kinds[method](**parameters, arithmetic=arithmetic)
    return estimator


def decode(content: str, source: str, exact: bool = True) -> Any:
    """Return what the JSON text holds, decimals as rationals or doubles.  Raises InvalidInput, naming the place."""

    def refused(constant: str) -> Any:
        raise InvalidInput(source, need="finite numbers", got=constant)

    try:
        return json.loads(content, parse_float=text.parse if exact else float, parse_constant=refused)
    except json.JSONDecodeError as error:
        raise InvalidInput(source, need="JSON", got=error.msg, line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise InvalidInput(source, need="JSON", got="brackets too deep") from None


def read(content: str, source: str) -> Problem:
    """Return the problem in the JSON text.

    Raises    InvalidInput for malformed JSON, a missing or unknown field, or a field of another form
    """
    given = decode(content, source)
    if not isinstance(given, dict):
        raise InvalidInput(source, need="a JSON object with method, x and y", got=type(given).__name__)
    for name in sorted(set(given) - FIELDS):
        raise InvalidInput(source, need=f"fields among {', '.join(sorted(FIELDS))}", got=repr(name))
    for name in ("method", "x", "y"):
        if name not in given:
            raise InvalidInput(source, need=f"the field {name}", got="none")
    for name, kind, form in (("method", str, "text"), ("parameters", dict, "an object"), ("arithmetic", str, "text")):
        if name in given and not isinstance(given[name], kind):
            raise InvalidInput(source, need=f"{name} as {form}", got=repr(given[name]))
    for name in ("x", "y", "weights", "query"):
        left = name in ("weights", "query") and given.get(name) is None
        if not left and not isinstance(given[name], list):
            raise InvalidInput(source, need=f"{name} as a list", got=repr(given[name]))
    F = arithmetic.field(given.get("arithmetic", "float"))
    parameters = {name: _parameter(value) for name, value in given.get("parameters", {}).items()}
    return Problem(
        method=given["method"],
        x=[_point(row) for row in given["x"]],
        y=given["y"] if all(isinstance(v, (int, str)) for v in given["y"]) else [_lifted(F, v) for v in given["y"]],
        parameters=_labelled(parameters, given["y"]),
        arithmetic=given.get("arithmetic", "float"),
        weights=None if given.get("weights") is None else [_number(v) for v in given["weights"]],
        query=None if given.get("query") is None else [_point(row) for row in given["query"]],
    )


def _lifted(F: Any, value: Any) -> Any:
    return F.lift(_number(value))


def _number(value: Any) -> Any:
    if isinstance(value, str) and text.NUMBER.fullmatch(value.strip()):
        return text.parse(value)
    return value


def _point(row: Any) -> Any:
    return [_number(v) for v in row] if isinstance(row, list) else row


def _parameter(value: Any) -> Any:
    if value == "inf":
        return math.inf
    if isinstance(value, dict):
        return {name: _parameter(v) for name, v in value.items()}
    if isinstance(value, list):
        return [_parameter(v) for v in value]
    return _number(value)


def _labelled(parameters: dict[str, Any], labels: list[Any]) -> dict[str, Any]:
    # Premise: JSON writes every key as text; a weight for the label 1 comes as "1".
    weights = parameters.get("class_weight")
    if isinstance(weights, dict):
        names = {str(label): label for label in labels if isinstance(label, (int, str))}
        parameters = {**parameters, "class_weight": {names.get(k, k): v for k, v in weights.items()}}
    return parameters
