"""Fitted estimators of other libraries, read by their attributes alone: nothing is imported.

Known are the attributes that scikit-learn 1.9 gives: of machines `support_`, `dual_coef_` and `intercept_` (for K > 2
classes in LIBSVM's layout, K − 1 rows, each pair positive for the earlier class), of linear rules `coef_` and
`intercept_`, of Gaussian rules `means_`, `priors_` and covariances, of kernel ridge regression `dual_coef_`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Optional

from refclass.errors import InvalidInput
from refclass.number import text
from refclass.number.field import rational
from refclass.oracle.problem import Problem
from refclass.oracle.readers import kernel_claims, libsvm

GAUSSIAN = ("lda", "qda")
KERNEL = ("svr", "kernel_ridge", "huber")
SINGLE = 1 / 2**24  # the unit of roundoff of the kernel values that LIBSVM keeps


def answer(problem: Problem, model: Any) -> dict[str, Any]:
    """Return what a fitted estimator says of a problem, with its predictions at the query points.

    Raises    InvalidInput if it has none of the attributes that are known
    """
    fitted = _machine(problem, model) if hasattr(model, "dual_coef_") else _linear(problem, model)
    if hasattr(model, "classes_"):
        fitted.setdefault("classes", plain(model.classes_))
    out = {"arithmetic": "float", "fitted": {k: v for k, v in fitted.items() if v is not None}}
    if hasattr(model, "dual_coef_"):
        out.update(kernel_claims.claim(problem, _kernel(model)))
    if not set(fitted) - {"classes"}:
        need = "a fitted estimator with dual_coef_, coef_ or means_"
        raise InvalidInput("estimator", need=need, got=type(model).__name__)
    if problem.query is not None and hasattr(model, "predict"):
        # Premise: a penalised intercept is a last column of the problem that the other library does not have.
        width = len(problem.x[0]) - (problem.conventions.get("intercept") == "penalised")
        query = [[text.approximate(rational(v)) for v in row[:width]] for row in problem.query]
        out["predictions"] = {"labels": plain(model.predict(query))}
    return out


def of_nu(model: Any, values: Sequence[Any], y: Sequence[Any]) -> dict[str, float]:
    """Return C, and for responses ε, with which the machine with C has the optimum of a fitted ν machine.

    By Schölkopf, Smola, Williamson and Bartlett (2000): multipliers at their bound are C, and responses of multipliers
    between the bounds lie ε away from f. Without bounded multipliers C is not unique; the largest of them is one.

    values    the decision values of a NuSVC, the predicted responses of a NuSVR, at its own points

    Raises    InvalidInput for more than two classes, each pair of which has a C of its own (`nu_pairs`), for classes
              without a margin, or where no ε is reported
    """
    alpha = _rows(plain(model.dual_coef_))
    if len(alpha) > 1:
        need = "a ν machine of two classes, or of responses; those of pairs are read by nu_pairs"
        raise InvalidInput("estimator", need=need, got=f"{len(alpha) + 1} classes")
    if hasattr(model, "classes_"):
        return {"C": _cost(model, list(map(abs, alpha[0])), plain(model.classes_))}
    free = [i for i, v in zip(plain(model.support_), alpha[0]) if 0 < abs(v) < model.C]
    if not free:
        raise InvalidInput("estimator", need="a multiplier between its bounds, which tells ε", got="none")
    return {"C": model.C, "epsilon": sum([abs(float(y[i]) - float(values[i])) for i in free]) / len(free)}


def nu_pairs(problem: Problem, model: Any) -> list[tuple[Problem, dict[str, Any]]]:
    """Return for each pair of classes of a fitted NuSVC the problem with that pair's C, and the answer to it.

    Raises    InvalidInput for a pair without a margin
    """
    fitted = _machine(problem, model)
    classes, found = fitted["classes"], []
    alphas = fitted["alpha"] if len(classes) > 2 else [_signless(problem, fitted)]
    for alpha, b, pair in zip(alphas, fitted["intercept"], combinations(classes, 2)):
        rows = [i for i, label in enumerate(problem.y) if any(str(label) == str(c) for c in pair)]
        own = [alpha[i] for i in rows]
        parameters = {**problem.parameters, "C": Fraction(_cost(model, own, pair))}
        x, y = [problem.x[i] for i in rows], [problem.y[i] for i in rows]
        part = replace(problem, name=f"{pair[0]} against {pair[1]}", x=x, y=y, parameters=parameters, query=None)
        found.append((part, {"arithmetic": "float", "fitted": {"classes": list(pair), "alpha": own, "intercept": [b]}}))
    return found


def _kernel(model: Any) -> Optional[dict[str, Any]]:
    """Return the kernel of rows that a machine says it has; None of another, or where its gamma is not a number."""
    name = {"poly": "polynomial"}.get(getattr(model, "kernel", ""), getattr(model, "kernel", ""))
    gamma = getattr(model, "_gamma", getattr(model, "gamma", None))
    known = isinstance(name, str) and (name == "linear" or isinstance(gamma, (int, float)))
    letters = [gamma, getattr(model, "coef0", None), getattr(model, "degree", None)]
    return kernel_claims.described(name, *letters) if known else None


def _signless(problem: Problem, fitted: Mapping[str, Any]) -> list[float]:
    alpha = [float(0)] * len(problem.x)
    for i, v in zip(fitted["support"], fitted["dual_coef"][0]):
        alpha[i] = abs(v)
    return alpha


def _cost(model: Any, alpha: Sequence[float], pair: Sequence[Any]) -> float:
    """Return the C of a ν machine: its multipliers, at most one, were divided by the margin ρ, and C is 1/ρ.

    Where ν is so small that the classes' reduced convex hulls meet, the optimum is w = 0 with ρ = 0 (Crisp and Burges
    2000; Chang and Lin 2001): what is reported is divided by the roundoff of single precision, or by the tolerance.

    Raises    InvalidInput for such a margin
    """
    largest = max(alpha, key=abs)
    if not largest:
        raise InvalidInput("estimator", need="a multiplier that is not zero, which tells C", got="none")
    roundoff = abs(sum(alpha) / largest) * _largest_value(model) * SINGLE
    if 1 / largest <= max(roundoff, float(getattr(model, "tol", 0))):
        need = "ρ = 1/C above roundoff and tolerance: a ν at which the classes' reduced hulls do not meet"
        raise InvalidInput("estimator", need=need, got=f"ρ = {1 / largest:.2g}, roundoff {roundoff:.2g}", pair=pair)
    return largest


def _largest_value(model: Any) -> float:
    """Return the largest value of the kernel, at a support vector, of the kernels of LIBSVM that have one; else 1."""
    square = max([sum([v * v for v in row]) for row in plain(getattr(model, "support_vectors_", [])) if row], default=1)
    gamma, constant = getattr(model, "_gamma", 1), getattr(model, "coef0", 0)
    known = {"linear": square, "poly": abs(gamma * square + constant) ** getattr(model, "degree", 1)}
    return float(known.get(getattr(model, "kernel", ""), 1))


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
