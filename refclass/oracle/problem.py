"""A question to the oracle: a method, its parameters, an arithmetic, and the data, as JSON.

    {"method": "svc", "parameters": {"C": "1/2", "kernel": {"name": "linear"}}, "arithmetic": "exact",
     "x": [[0, 1], [1, "0.5"]], "y": [-1, 1], "weights": [1, 2], "query": [[1, 1]]}

Numbers are read exactly, 0.1 as one tenth; text that denotes a number ("1/3", "2e-5", "0x1.8p-3") is a number wherever
one belongs. `true` is no number, and no key may stand twice. spec/json.md describes every field.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.estimators import solve_qp
from refclass.estimators.names import methods
from refclass.estimators.protocol.estimator import Estimator
from refclass.number import arithmetic, text
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field
from refclass.oracle.conventions import conversion
from refclass.sample import data

FIELDS = {"name", "method", "parameters", "arithmetic", "conventions", "x", "y", "weights", "query"}
PROGRAMME = {"name", "method", "arithmetic", "P", "q", "A", "l", "u"}
FORMS: dict[str, tuple[type, str]] = {
    "method": (str, "text"),
    "parameters": (dict, "an object"),
    "arithmetic": (str, "text"),
    "name": (str, "text"),
    "conventions": (dict, "an object"),
}


@dataclass(frozen=True)
class Problem:
    """A method with its data.

    x, query    rows of numbers of the arithmetic's field, or of text for kernels on text
    y           labels, or numbers
    weights     numbers ≥ 0, or None
    programme   of the method "qp" the quadratic programme, in fractions; it has no x and y
    name        what the problem is called in verdicts; empty if it has no name
    conventions those of another program, which the parameters and the data have been translated from
    """

    method: str
    x: list[Any]
    y: list[Any]
    parameters: dict[str, Any] = field(default_factory=dict)
    arithmetic: str = "float"
    weights: Optional[list[Any]] = None
    query: Optional[list[Any]] = None
    name: str = ""
    conventions: dict[str, Any] = field(default_factory=dict)
    programme: Any = None

    def estimator(self) -> Estimator:
        """Return the estimator that the problem requires, not yet fitted.  Raises InvalidInput for a parameter."""
        return make(self.method, self.parameters, self.arithmetic)

    def check_range(self) -> None:
        """Raises InvalidInput, naming the place, where doubles are asked for and a number is beyond their range."""
        if self.arithmetic != "float":
            return
        for name, rows in (("X", self.x), ("query", self.query or [])):
            for i, row in enumerate(rows):
                if isinstance(row, list):
                    data.numbers(BINARY64, tuple(row), name, row=i)
        for name, values in (("y", self.y), ("sample_weight", self.weights or [])):
            if values and not (name == "y" and kind_of(self.method).takes_labels):
                data.vector(BINARY64, values, name=name)

    def fitted(self) -> Estimator:
        """Return the estimator fitted to the data."""
        given = {} if self.weights is None else {"sample_weight": self.weights}
        estimator: Any = self.estimator()
        if given and "sample_weight" not in signature(estimator.fit).parameters:
            raise InvalidInput(
                self.method, need="no weights: the method takes none", got=f"{len(self.x)} rows with weights"
            )
        fitted: Estimator = estimator.fit(self.x, self.y, **given)
        return fitted


def make(method: str, parameters: dict[str, Any], arithmetic: str = "float") -> Estimator:
    """Return the estimator of a method.  Raises InvalidInput for an unknown method or parameter, naming those known."""
    known = kind_of(method).parameters()
    if not isinstance(parameters, dict):
        raise InvalidInput(method, need="parameters by name", got=quoted(parameters))
    for name in parameters:
        if name not in known or name == "arithmetic":
            names = ", ".join(n for n in known if n != "arithmetic")
            raise InvalidInput(method, need=f"a parameter among {names}", got=quoted(name))
    missing = [name for name, value in known.items() if value is Parameter.empty and name not in parameters]
    if missing:
        raise InvalidInput(method, need=f"the parameters {', '.join(missing)}", got="none")
    make_one: Any = kind_of(method)
    estimator: Estimator = make_one(**parameters, arithmetic=arithmetic)
    return estimator


def kind_of(method: str) -> type[Estimator]:
    """Return the class of a method's estimators.  Raises InvalidInput for an unknown name, naming those known."""
    kinds = methods()
    if not isinstance(method, str) or method not in kinds:
        raise InvalidInput("problem", need=f"a method among {', '.join(sorted(kinds))}", got=quoted(method))
    kind: type[Estimator] = kinds[method]
    return kind


DEEPEST = 200  # brackets of a problem or an answer


def decode(content: str, source: str, exact: bool = True) -> Any:
    """Return what the JSON text holds, decimals as rationals or doubles.  Raises InvalidInput, naming the place."""

    def refused(constant: str) -> Any:
        raise InvalidInput(source, need="finite numbers", got=constant)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            name = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
            raise InvalidInput(source, need="each name once in an object", got=quoted(name))
        return found

    def parsed(word: str) -> Any:
        try:
            return text.parse(word) if exact else float(word)
        except InvalidInput:  # a number in JSON is one here, but for the length of its exponent
            raise InvalidInput(source, need="exponents of at most four digits", got=quoted(word)) from None

    reading: dict[str, Any] = {"parse_float": parsed, "parse_int": text.whole}
    try:
        found = json.loads(content, parse_constant=refused, object_pairs_hook=once, **reading)
    except json.JSONDecodeError as error:
        raise InvalidInput(source, need="JSON", got=error.msg, line=error.lineno, column=error.colno) from None
    except RecursionError:
        too_deep = True  # before _deep: how deep the parser goes depends on the interpreter and on the stack
    else:
        too_deep = exact and _deep(found)
    if too_deep:
        raise InvalidInput(source, need=f"JSON, at most {DEEPEST} brackets deep", got="brackets too deep")
    return found


def _deep(value: Any) -> bool:
    """Return whether lists and objects are nested deeper than what reads them may recur."""
    level = [value]
    for _ in range(DEEPEST + 1):
        own = [list(v.values()) if isinstance(v, dict) else v for v in level if isinstance(v, (list, dict))]
        level = [v for values in own for v in values]
        if not level:
            return False
    return True


def read(content: str, source: str) -> Problem:
    """Return the problem in the JSON text.

    Raises    InvalidInput for malformed JSON, a missing or unknown field, or a field of another form
    """
    return made(decode(content, source), source)


def made(given: Any, source: str) -> Problem:
    """Return the problem that a decoded JSON value is.  Raises InvalidInput as `read` does."""
    if not isinstance(given, dict):
        raise InvalidInput(source, need="a JSON object with method, x and y", got=type(given).__name__)
    if given.get("method") == "qp":
        return _programme(given, source)
    for name in sorted(set(given) - FIELDS):
        raise InvalidInput(source, need=f"fields among {', '.join(sorted(FIELDS))}", got=quoted(name))
    for name in ("method", "x", "y"):
        if name not in given:
            raise InvalidInput(source, need=f"the field {name}", got="none")
    for name, (kind, form) in FORMS.items():
        if name in given and not isinstance(given[name], kind):
            raise InvalidInput(source, need=f"{name} as {form}", got=quoted(given[name]))
    for name in ("x", "y", "weights", "query"):
        left = name in ("weights", "query") and given.get(name) is None
        if not left and not isinstance(given[name], list):
            raise InvalidInput(source, need=f"{name} as a list", got=quoted(given[name]))
    arithmetic.field(given.get("arithmetic", "float"))
    _of_one_size(given, source)
    given = conversion.translated(given, source)
    parameters = {name: _parameter(value) for name, value in given.get("parameters", {}).items()}
    return Problem(
        method=given["method"],
        x=_rows("x", given["x"]),
        y=_responses(given["method"], given["y"], given.get("arithmetic", "float")),
        parameters=_labelled(parameters, given["y"]),
        arithmetic=given.get("arithmetic", "float"),
        weights=None if given.get("weights") is None else _point("weights", given["weights"]),
        query=None if given.get("query") is None else _rows("query", given["query"]),
        name=given.get("name", ""),
        conventions=given.get("conventions", {}),
    )


def _of_one_size(given: dict[str, Any], source: str) -> None:
    """Raise InvalidInput, naming the row, for rows of several lengths, and for labels or weights of another number."""
    for name in ("y", "weights"):
        if given.get(name) is not None and len(given[name]) != len(given["x"]):
            raise InvalidInput(source, need=f"{len(given['x'])} values in {name}, one a row", got=len(given[name]))
    first = given["x"][0] if given["x"] else None
    for name in ("x", "query"):
        for i, row in enumerate(given.get(name) or ()):
            lists = [isinstance(v, list) for v in (row, first)]
            if first is not None and any(lists) and not (all(lists) and len(row) == len(first)):
                size = f"a row of {len(first)} number{'s' * (len(first) != 1)}" if isinstance(first, list) else "text"
                got = f"{len(row)} of them" if isinstance(row, list) else quoted(row)
                raise InvalidInput(source, need=f"{size} in {name}, as the first of x is", got=got, row=i)


def _programme(given: dict[str, Any], source: str) -> Problem:
    """Return the problem that holds a quadratic programme: P and A as rows or triplets, q, l and u."""
    for name in sorted(set(given) - PROGRAMME):
        raise InvalidInput(source, need=f"fields among {', '.join(sorted(PROGRAMME))}", got=quoted(name))
    for name in ("q", "l", "u"):
        if not isinstance(given.get(name, [] if name != "q" else None), list):
            raise InvalidInput(source, need=f"{name} as a list", got=quoted(given.get(name)))
    named = given.get("arithmetic", "float")
    if named not in ("float", "exact"):
        raise InvalidInput(source, need='arithmetic "float" or "exact"', got=quoted(named))
    n, ends = len(given["q"]), [given.get(name, []) for name in ("l", "u")]
    P, A = [_matrix(source, name, given.get(name, []), m, n) for name, m in (("P", n), ("A", max(map(len, ends))))]
    found = solve_qp.programme(P, given["q"], A, *ends)
    return Problem("qp", [], [], arithmetic=named, name=given.get("name", ""), programme=found)


def _matrix(source: str, name: str, given: Any, m: int, n: int) -> list[Any]:
    """Return a matrix as `solve_qp` takes it: lists for rows, tuples for triplets.

    Raises    InvalidInput for a list of three lists of three numbers that could be both, and different matrices
    """
    both = f'{{"rows": [[…], …]}} or {{"triplets": [[row, column, value], …]}} for {name}'
    form, entries = next(iter(given.items())) if isinstance(given, dict) and len(given) == 1 else ("", given)
    if not isinstance(entries, list) or (isinstance(given, dict) and form not in ("rows", "triplets")):
        raise InvalidInput(source, need=f"{name} as a list, or {both}", got=quoted(given))
    rows, triplets = [[kind(v) if isinstance(v, list) else v for v in entries] for kind in (list, tuple)]
    sizes = [len(v) if isinstance(v, list) else 0 for v in entries]
    if form:
        size, count = (n, m) if form == "rows" else (3, len(sizes))
        if len(sizes) != count or set(sizes) - {size}:
            need = f"{m} rows of {n} numbers" if form == "rows" else "triplets (row, column, value)"
            raise InvalidInput(source, need=f"{need} in {name}", got=f"{len(sizes)} entries of {quoted(sizes)} numbers")
        return rows if form == "rows" else triplets
    if n != 3 or sizes != [3] * m:
        return triplets
    found = []
    for own in (rows, triplets):
        with suppress(InvalidInput):
            found.append((solve_qp.matrix(name, own, m, n), own))
    if len(found) == 2 and found[0][0] != found[1][0]:
        raise InvalidInput(source, need=both, got="3 lists of 3 numbers, which may be either")
    return found[0][1] if found else triplets


def _responses(method: str, values: list[Any], name: str) -> list[Any]:
    """Return labels as the arithmetic has them, and responses of a regression at the rationals they are written as."""
    labelled = kind_of(method).takes_labels
    plain = all(isinstance(v, (int, str)) for v in values) and len({isinstance(v, bool) for v in values}) < 2
    if labelled and plain:  # Premise: truth values may be labels, all of them
        return values
    numbers = _point("y", values)
    return [_label(arithmetic.field(name), v, i) for i, v in enumerate(numbers)] if labelled else numbers


def _label(F: Field, value: Any, row: int) -> Any:
    try:
        return value if isinstance(value, str) else F.lift(value)
    except InvalidInput as refusal:
        need = "a label, text or a number" if refusal.need == "a number" else refusal.need
        raise InvalidInput("problem", need=need, got=refusal.got, field="y", row=row) from None


def _number(value: Any, **place: Any) -> Any:
    if isinstance(value, bool):
        raise InvalidInput("problem", need="a number", got=str(value).lower(), **place)
    return text.read(value)


def _rows(name: str, rows: list[Any]) -> list[Any]:
    return [_point(name, row, i) for i, row in enumerate(rows)]


def _point(name: str, row: Any, i: Optional[int] = None) -> Any:
    place = {} if i is None else {"row": i}
    return [_number(v, field=name, **place, column=j) for j, v in enumerate(row)] if isinstance(row, list) else row


def _parameter(value: Any) -> Any:
    if value == "inf":
        return math.inf
    if isinstance(value, dict):
        return {name: _parameter(v) for name, v in value.items()}
    if isinstance(value, list):
        return [_parameter(v) for v in value]
    return value if isinstance(value, bool) else _number(value)


def _labelled(parameters: dict[str, Any], labels: list[Any]) -> dict[str, Any]:
    # Premise: JSON writes every key as text; a weight for the label 1 comes as "1".
    weights = parameters.get("class_weight")
    if isinstance(weights, dict):
        names = {str(label): label for label in labels if isinstance(label, (int, str))}
        parameters = {**parameters, "class_weight": {names.get(k, k): v for k, v in weights.items()}}
    return parameters
