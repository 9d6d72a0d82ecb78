"""Conventions of other programs, said in a problem and translated into the parameters and data of this package.

"intercept": "penalised"             ½‖w‖² + ½b²: every point has a last coordinate of one, and there is no intercept
"cost": "C/n"                        the slack of each point costs C/n
"cost": "lambda"                     C = 1/λ; parameters holds lambda in place of C
"cost": "lambda n"                   C = 1/(λn): λ/2 ‖f‖² and the mean loss  [MMST-11.34]
"cost": "2 lambda n"                 C = 1/(2λn): λ ‖f‖² and the mean loss
"slack": "half"                      ½C Σ ξᵢ² in place of C Σ ξᵢ²
"covariance": "pooled by priors"     Σ πₖ Sₖ, Sₖ with divisor nₖ, in place of W/(n − K)
"divisor": "n" or "n-k"              of the covariances
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.number import text

KNOWN: dict[str, tuple[str, ...]] = {
    "intercept": ("penalised",),
    "cost": ("C/n", "lambda", "lambda n", "2 lambda n"),
    "slack": ("half",),
    "covariance": ("pooled by priors",),
    "divisor": ("n", "n-k"),
}
PENALISED = ("svc", "svr", "kernel_classifier", "huber")


def translated(given: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Return the fields of a problem without conventions that requires the same.

    Raises    InvalidInput for an unknown convention, and for one that does not fit the method
    """
    out = {**given, "parameters": dict(given.get("parameters", {}))}
    for name, value in given.get("conventions", {}).items():
        if name not in KNOWN or value not in KNOWN[name]:
            known = "; ".join(f"{k}: {', '.join(v)}" for k, v in KNOWN.items())
            raise InvalidInput(source, need=f"conventions among {known}", got=f"{name}: {value!r}")
        {"intercept": _intercept, "cost": _cost, "slack": _slack, "covariance": _covariance, "divisor": _divisor}[name](
            out, value
        )
    return out


def reported(conventions: Mapping[str, Any], fitted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fitted values of an answer as those of the translated problem: a penalised b is a last coefficient."""
    if conventions.get("intercept") != "penalised" or "intercept" not in fitted:
        return dict(fitted)
    out = {name: value for name, value in fitted.items() if name != "intercept"}
    if isinstance(fitted.get("coef"), list):
        b, w = fitted["intercept"], fitted["coef"]
        constants = b if isinstance(b, list) else [b]
        nested = bool(w) and isinstance(w[0], list)
        out["coef"] = [[*row, c] for row, c in zip(w, constants)] if nested else [*w, *constants]
    return out


def _refuse(given: Mapping[str, Any], name: str, methods: tuple[str, ...]) -> None:
    if given["method"] not in methods:
        raise InvalidInput(
            "conventions", need=f"a method among {', '.join(methods)} for {name}", got=quoted(given["method"])
        )


def _intercept(given: dict[str, Any], value: str) -> None:
    _refuse(given, "a penalised intercept", PENALISED)
    parameters = given["parameters"]
    kernel = parameters.get("kernel", "linear")
    if (kernel.get("name") if isinstance(kernel, dict) else kernel) != "linear":
        raise InvalidInput("conventions", need="a linear kernel for a penalised intercept", got=kernel)
    parameters["intercept"] = False
    for name in ("x", "query"):
        if given.get(name) is not None:
            given[name] = [[*row, 1] if isinstance(row, list) else row for row in given[name]]


def _cost(given: dict[str, Any], value: str) -> None:
    _refuse(given, "a cost", ("svc", "svr", "crammer_singer"))
    parameters, n = given["parameters"], len(given["x"])
    if value == "C/n":
        parameters["C"] = _number("C", parameters.get("C", 1)) / n
        return
    if "C" in parameters or "lambda" not in parameters:
        raise InvalidInput("conventions", need="the parameter lambda in place of C", got=", ".join(parameters))
    lam = _number("lambda", parameters.pop("lambda"))
    parameters["C"] = 1 / (lam * {"lambda": 1, "lambda n": n, "2 lambda n": 2 * n}[value])


def _slack(given: dict[str, Any], value: str) -> None:
    _refuse(given, "half the squared slack", ("svc", "svr"))
    given["parameters"]["C"] = _number("C", given["parameters"].get("C", 1)) / 2


def _covariance(given: dict[str, Any], value: str) -> None:
    # Proof: with weights wᵢ = n πₖ/nₖ the class shares are πₖ and W/n = Σ πₖ Sₖ; the class means stay.
    _refuse(given, "covariances pooled by priors", ("lda",))
    counts, n = Counter(map(str, given["y"])), len(given["y"])
    priors = given["parameters"].get("priors")
    given["parameters"]["divisor"] = "n"
    if priors is None:
        return
    names = sorted(counts, key=lambda label: next(v for v in given["y"] if str(v) == label))
    if len(priors) != len(names) or given.get("weights") is not None:
        raise InvalidInput("conventions", need="a prior for each class, and no weights", got=priors)
    share = {label: _number("priors", pi) / counts[label] for label, pi in zip(names, priors)}
    given["weights"] = [str(n * share[str(label)]) for label in given["y"]]


def _divisor(given: dict[str, Any], value: str) -> None:
    _refuse(given, "a divisor", ("lda", "qda"))
    given["parameters"]["divisor"] = value


def _number(name: str, value: Any) -> Fraction:
    read = text.read(value)
    if isinstance(read, bool) or not isinstance(read, (int, Fraction)) or read <= 0:
        raise InvalidInput("conventions", need=f"{name} a finite number > 0", got=quoted(value))
    return Fraction(read)
