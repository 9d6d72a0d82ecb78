"""Fitted models as JSON and back: never pickle, nothing but the project's own frozen records and numbers.

{"record": "refclass.discriminants.gaussian.lda:Model", "fields": {…}}     a frozen dataclass
{"fraction": "1/3"}   {"decimal": "0.333", "digits": 3}           numbers that JSON cannot hold
{"vector": […]}   {"matrix": [[…]]}   {"tuple": […]}   {"pairs": [[key, value], …]}
{"rounded": […], "given": […]}   {"rows": […]}                    numbers beside those they were rounded from
{"similarities": […], "place": 3}                                 a training point known by its kernel values alone
{"estimator": "svc", "parameters": …, "arithmetic": …, "classes": …, "state": {…}}       an estimator inside another
"""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from typing import Any, Callable

from refclass.errors import InvalidInput, quoted
from refclass.estimators.protocol.estimator import Estimator
from refclass.kernels.precomputed import Similarities
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Rounded, Vector
from refclass.number import text
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import Field
from refclass.number.rational import RATIONAL
from refclass.oracle import problem

PACKAGE = "refclass."


def encode(value: Any) -> Any:
    """Return the value as what JSON holds.  Raises InvalidInput for a kind that no model has."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, Fraction):
        return {"fraction": text.show(value)}
    if isinstance(value, Decimal):
        return {"decimal": str(value), "digits": getattr(value, "precision", None)}
    if isinstance(value, Field):
        return {"field": value.name}
    if isinstance(value, Matrix):
        kept = any(isinstance(row, Rounded) for row in value)
        return {"rows": list(map(encode, value))} if kept else {"matrix": [[encode(v) for v in row] for row in value]}
    if isinstance(value, Estimator):
        return _estimator(value)
    if isinstance(value, Similarities):
        values = value if value.given is None else Rounded.from_given(value, value.given)
        return {"similarities": encode(values) if value.given else [encode(v) for v in values], "place": value.place}
    if isinstance(value, Rounded):
        return {"rounded": [encode(v) for v in value], "given": [encode(v) for v in value.given]}
    if isinstance(value, Vector):
        return {"vector": [encode(v) for v in value]}
    if isinstance(value, tuple):
        return {"tuple": [encode(v) for v in value]}
    if isinstance(value, list):
        return [encode(v) for v in value]
    if isinstance(value, dict):
        return {"pairs": [[encode(k), encode(v)] for k, v in value.items()]}
    if is_dataclass(value) and not isinstance(value, type) and type(value).__module__.startswith(PACKAGE):
        kind = type(value)
        record = {f.name: encode(getattr(value, f.name)) for f in fields(value)}
        return {"record": f"{kind.__module__}:{kind.__qualname__}", "fields": record}
    raise InvalidInput("stored", need="a model made of records, numbers and text", got=type(value).__name__)


def _estimator(value: Estimator) -> dict[str, Any]:
    parameters = value.get_params(deep=False)
    held = [name for name in value.state if hasattr(value, name)]  # one that is not fitted has none
    return {
        "estimator": value.method,
        "arithmetic": parameters.pop("arithmetic"),
        "parameters": encode(parameters),
        "classes": encode(list(getattr(value, "classes_", []))),
        "state": {name: encode(getattr(value, name)) for name in held},
    }


def decode(value: Any) -> Any:
    """Return what `encode` was given.  Raises InvalidInput for anything that it could not have written."""
    try:
        return _decoded(value)
    except InvalidInput:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        # Premise: a stored model is data from outside; where an entry is of another kind or length than its name says,
        # what is made of it refuses in many ways.
        raise InvalidInput("stored", need="a stored model", got=value) from None


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [decode(v) for v in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"record", "fields"}:
        return _record(value["record"], value["fields"])
    if set(value) == {"estimator", "arithmetic", "parameters", "classes", "state"}:
        return _made(value)
    if set(value) == {"similarities", "place"}:
        return _similarities(value["similarities"], value["place"])
    if set(value) == {"rounded", "given"}:
        return _rounded(value["rounded"], value["given"])
    if set(value) == {"decimal", "digits"}:
        return decimal(value["digits"]).lift(value["decimal"])
    if len(value) == 1:
        (name, inner), *_ = value.items()
        if name in _DECODERS:
            return _DECODERS[name](inner)
    raise InvalidInput("stored", need="a stored model", got=value)


def _similarities(values: Any, place: Any) -> Similarities:
    row = decode(values) if isinstance(values, dict) else Vector([decode(v) for v in values])
    if type(place) is not int or not 0 <= place < len(row):
        raise InvalidInput("stored", need=f"the place of a training point among {len(row)}", got=quoted(place))
    return Similarities.numbered(row, place)


def _rounded(values: Any, given: Any) -> Rounded:
    row, exact = Vector([decode(v) for v in values]), Vector([decode(v) for v in given])
    if len(row) != len(exact) or exact.kind is not Fraction:
        raise InvalidInput("stored", need="a fraction for each number that was rounded", got=quoted(given))
    return Rounded.from_given(row, exact)


def _tuple(items: Any) -> tuple[Any, ...]:
    found = tuple([decode(v) for v in items])
    lengths = sorted({len(v) for v in found if isinstance(v, Similarities)})
    if len(lengths) > 1:
        raise InvalidInput("stored", need="kernel values with the same training points", got=f"rows of {lengths}")
    return found


def _record(name: Any, content: Any) -> Any:
    # Premise: a stored model is data from outside; it may name the project's frozen records and nothing else.
    module, _, kind = str(name).partition(":")
    if module.startswith(PACKAGE) and kind.isidentifier():
        try:
            record = getattr(import_module(module), kind, None)
        except ImportError:
            record = None
        if isinstance(record, type) and is_dataclass(record) and record.__module__ == module:
            known = {f.name: f.init for f in fields(record)}
            if isinstance(content, dict) and set(content) == set(known):
                return record(**{k: decode(v) for k, v in content.items() if known[k]})
    raise InvalidInput("stored", need="a record of this version of refclass", got=quoted(name))


def _made(value: dict[str, Any]) -> Estimator:
    """Return the estimator with its state."""
    estimator: Any = problem.make(value["estimator"], decode(value["parameters"]), value["arithmetic"])
    if not isinstance(value["state"], dict) or any(name not in estimator.state for name in value["state"]):
        raise InvalidInput("stored", need=f"the state {', '.join(estimator.state)}", got=value["state"])
    for name, content in value["state"].items():
        setattr(estimator, name, decode(content))
    if value["state"]:
        estimator.classes_ = decode(value["classes"])
    made: Estimator = estimator
    return made


def _field(name: str) -> Field:
    if name in ("float", "exact"):
        return BINARY64 if name == "float" else RATIONAL
    return decimal(int(name.partition(":")[2]))


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "fraction": text.parse,
    "field": _field,
    "matrix": lambda rows: Matrix([[decode(v) for v in row] for row in rows]),
    "rows": lambda rows: Matrix([decode(row) for row in rows]),
    "vector": lambda row: Vector([decode(v) for v in row]),
    "tuple": _tuple,
    "pairs": lambda pairs: {decode(k): decode(v) for k, v in pairs},
}
