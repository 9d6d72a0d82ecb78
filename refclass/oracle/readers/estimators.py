"""Fitted estimators of other libraries, read by their attributes alone: nothing is imported.

Known are the attributes that scikit-learn 1.9 gives: of machines `support_`, `dual_coef_` and `intercept_` (for K > 2
classes in LIBSVM's layout, K − 1 rows, each pair positive for the earlier class), of linear rules `coef_` and
`intercept_`, of Gaussian rules `means_`, `priors_` and covariances, of kernel ridge regression `dual_coef_`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from refclass.errors import InvalidInput
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle.problem import Problem
from refclass.oracle.readers import libsvm

GAUSSIAN = ("lda", "qda")
KERNEL = ("svr", "kernel_ridge", "huber")


def answer(problem: Problem, model: Any) -> dict[str, Any]:
    """Return what a fitted estimator says of a problem, with its predictions at the query points.

    Raises    InvalidInput if it has none of the attributes that are known
    """
    fitted = _machine(problem, model) if hasattr(model, "dual_coef_") else _linear(problem, model)
    if hasattr(model, "classes_"):
        fitted.setdefault("classes", plain(model.classes_))
    out = {"arithmetic": "float", "fitted": {k: v for k, v in fitted.items() if v is not None}}
    if not set(fitted) - {"classes"}:
        need = "a fitted estimator with dual_coef_, coef_ or means_"
        raise InvalidInput("estimator", need=need, got=type(model).__name__)
    if problem.query is not None and hasattr(model, "predict"):
        # Premise: a penalised intercept is a last column of the problem that the other library does not know.
        width = len(problem.x[0]) - (problem.conventions.get("intercept") == "penalised")
        query = [[text.approximate(rational(v)) for v in row[:width]] for row in problem.query]
        out["predictions"] = {"labels": plain(model.predict(query))}
    return out


def of_nu(model: Any, values: Sequence[Any], y: Sequence[Any]) -> dict[str, float]:
    """Return C, and for responses ε, with which the machine with C has the optimum of a fitted ν machine.

    By Schölkopf, Smola, Williamson and Bartlett (2000): multipliers at their bound are C, and responses of multipliers
    between the bounds lie ε away from f. Without bounded multipliers C is not unique; the largest of them is one.

    values    the decision values of a NuSVC, the predicted responses of a NuSVR, at its own points

    Raises    InvalidInput for more than two classes, each pair of which has a C of its own, or where no ε is reported
    """
    alpha = _rows(plain(model.dual_coef_))
    if len(alpha) > 1:
        raise InvalidInput(
            "estimator", need="a ν machine of two classes, or of responses", got=f"{len(alpha) + 1} classes"
        )
    if hasattr(model, "classes_"):
        return {"C": max(map(abs, alpha[0]))}
    free = [i for i, v in zip(plain(model.support_), alpha[0]) if 0 < abs(v) < model.C]
    if not free:
        raise InvalidInput("estimator", need="a multiplier between its bounds, which tells ε", got="none")
    return {"C": model.C, "epsilon": sum([abs(float(y[i]) - float(values[i])) for i in free]) / len(free)}


def _machine(problem: Problem, model: Any) -> dict[str, Any]:
    rows = _rows(plain(model.dual_coef_))
    if not hasattr(model, "support_"):
        return {"coefficients": rows[0], "intercept": plain(model.intercept_) if hasattr(model, "intercept_") else 0}
    support, intercept = plain(model.support_), plain(model.intercept_)
    if not hasattr(model, "classes_"):
        whole = [0] * len(problem.x)
        for i, v in zip(support, rows[0]):
            whole[i] = v
        return {"coefficients": whole, "intercept": intercept[0]}
    classes = plain(model.classes_)
    if len(classes) == 2:
        return {"classes": classes, "support": support, "dual_coef": rows, "intercept": intercept}
    owners = [problem.y[i] for i in support]
    owners = [next((c for c in classes if str(c) == str(owner)), owner) for owner in owners]
    rho = [-v for v in intercept]
    return libsvm.pairs(problem, classes, owners, support, [list(c) for c in zip(*rows)], rho)


def _linear(problem: Problem, model: Any) -> dict[str, Any]:
    out = {name: plain(getattr(model, f"{name}_", None)) for name in ("coef", "intercept", "means", "priors")}
    if problem.method not in GAUSSIAN:
        names = (
            ("coef",) if problem.method == "crammer_singer" and not _any(out["intercept"]) else ("coef", "intercept")
        )
        return {name: out[name] for name in names if out[name] is not None}
    covariance = plain(getattr(model, "covariance_", None))
    if problem.method == "lda":
        axes = plain(getattr(model, "scalings_", None))
        wide = axes is not None and len(axes[0]) == min(len(problem.x[0]), len(out["means"]) - 1)
        return {**out, "covariance": covariance, "scalings": axes if wide else None}
    if covariance is None and hasattr(model, "rotations_"):
        pairs = zip(plain(model.rotations_), plain(model.scalings_))
        covariance = [_product(turned, spread) for turned, spread in pairs]
    return {"means": out["means"], "priors": out["priors"], "covariances": covariance}


def _product(turned: Sequence[Sequence[float]], spread: Sequence[float]) -> list[list[float]]:
    """Return R diag(s) Rᵀ."""
    return [[sum(a * b * s for a, b, s in zip(u, v, spread)) for v in turned] for u in turned]


def _any(value: Any) -> bool:
    return any(map(_any, value)) if isinstance(value, list) else bool(value)


def _rows(values: Any) -> list[list[Any]]:
    return values if values and isinstance(values[0], list) else [values]


def plain(value: Any) -> Any:
    """Return an array, sparse or not, a list or a number, as lists and plain numbers."""
    for name in ("toarray", "tolist", "item"):
        if hasattr(value, name) and not (name == "item" and not hasattr(value, "dtype")):
            return plain(getattr(value, name)())
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items()}
    return value
