"""Answers in the formats of other programs: LIBSVM's and LIBLINEAR's models, R's as JSON, fitted estimators.

The first word of a file names its format: svm_type, solver_type, or a bracket of JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refclass.errors import InvalidInput
from refclass.oracle import problem as problems
from refclass.oracle import reading
from refclass.oracle.problem import Problem
from refclass.oracle.readers import estimators, liblinear, libsvm, r_models

LIBSVM, LIBLINEAR, R, JSON = "LIBSVM", "LIBLINEAR", "R", "JSON"


def form(content: str) -> str:
    """Return which format a model's text has.

    Example
        >>> form("svm_type c_svc"), form("solver_type L2R_LR"), form('{"program": "MASS"}'), form("{}")
        ('LIBSVM', 'LIBLINEAR', 'R', 'JSON')
    """
    word = next(iter(content.split()), "")
    if word in ("svm_type", "solver_type"):
        return LIBSVM if word == "svm_type" else LIBLINEAR
    return R if content.lstrip().startswith("{") and '"program"' in content else JSON


def read(problem: Problem, content: str, source: str) -> dict[str, Any]:
    """Return the answer that a file holds, in whatever format.  Raises InvalidInput if it has none that is known."""
    kind = form(content)
    if kind == LIBSVM:
        return reading.formed(_complete(libsvm.answer, source, problem, content, source), source)
    if kind == LIBLINEAR:
        return reading.formed(_complete(liblinear.answer, source, content, source), source)
    if kind == R:
        given = problems.decode(content, source)
        if isinstance(given, Mapping) and "program" in given:
            return reading.formed(r_models.answer(problem, given, source), source)
    return reading.read(content, source)


def _complete(read_model: Any, source: str, *given: Any) -> Any:
    """Return what a reader makes of a text model.  Raises InvalidInput where an entry of its head is missing."""
    try:
        return read_model(*given)
    except (KeyError, IndexError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(source, need="a whole model", got=f"{type(error).__name__}: {error}") from None


def estimator(problem: Problem, model: Any) -> dict[str, Any]:
    """Return what a fitted estimator of another library says.  Raises InvalidInput if its attributes are not known."""
    return reading.formed(estimators.answer(problem, model), type(model).__name__)


def of_nu(model: Any, values: Any, y: Any) -> dict[str, float]:
    """Return C, and ε of responses, with which a problem has the optimum of a ν machine; see `estimators.of_nu`."""
    return estimators.of_nu(model, estimators.plain(values), estimators.plain(y))


def nu_pairs(problem: Problem, model: Any) -> list[tuple[Problem, dict[str, Any]]]:
    """Return the problem and the answer of each pair of classes of a fitted NuSVC; see `estimators.nu_pairs`."""
    return [(part, reading.formed(own, type(model).__name__)) for part, own in estimators.nu_pairs(problem, model)]


def question(content: str, source: str, model: str, parameters: Mapping[str, Any]) -> Problem:
    """Return a problem from its JSON, or from LIBSVM's data file and the model that answers it.

    parameters    what a model file does not hold: C, epsilon, weights of classes
    Raises        InvalidInput for malformed text, and for parameters beside a JSON problem
    """
    if content.lstrip()[:1] in ("{", "["):
        if parameters:
            raise InvalidInput(source, need="parameters inside the problem", got=", ".join(parameters))
        return problems.read(content, source)
    data, kind = libsvm.examples(content, source), form(model)
    if kind == LIBSVM:
        given = libsvm.question(data, model, source)
    elif kind == LIBLINEAR:
        given = liblinear.question(data, model, source)
    else:
        raise InvalidInput(
            source, need="a problem as JSON, or data with a model of LIBSVM or LIBLINEAR", got="data alone"
        )
    given["parameters"] = {**given["parameters"], **parameters}
    return problems.made(given, source)
