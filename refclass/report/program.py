"""A fitted model as a program of few numbers: what an exported file computes, whatever language it is in.

    f_m(x) = (Σⱼ w_mj xⱼ + b_m) + s_m              linear
    f_m(x) = Σᵢ c_mi K(xᵢ, x) + b_m                 with a kernel
    f_m(x) = −½ Σ_r (R_mr·x − d_mr)² + s_m          quadratic
    a tree of thresholds

Sums run from the first term to the last, so that every language computes the same doubles. The label is that of the
largest f, of the sign of one f, of the most votes of pairs, or of the leaf.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

from refclass.discriminants.comparators import tree
from refclass.discriminants.gaussian import lda, least_squares, qda
from refclass.discriminants.logistic import logistic
from refclass.errors import InvalidInput
from refclass.estimators.standardizer import Standardized
from refclass.margins.crammer_singer import problem as crammer_singer
from refclass.margins.lee_lin_wahba import decision
from refclass.margins.reduction import one_vs_one, one_vs_rest
from refclass.margins.svm import fit as machine
from refclass.number.text import approximate
from refclass.regress.linear.least_squares import Linear

KERNELS = {
    "Gaussian": ("gaussian", ("gamma",)),
    "Polynomial": ("polynomial", ("scale", "c", "degree")),
    "Laplacian": ("laplacian", ("sigma",)),
    "Sigmoid": ("sigmoid", ("a", "b")),
    "Linear": ("linear", ()),
}
Rows = list[list[float]]


@dataclass(frozen=True)
class Program:
    """What is computed.

    inputs      the names of the columns
    classes     the labels, none for a regression
    rule        "largest", "sign", "votes", "value" or "leaf"
    intercepts  b of each function, and `shifts` s
    weights     w of each function, where they are linear
    kernel      the name of the kernel with its parameters; `points`, and `coefficients` c of each function
    rotations   R of each function, and `centres` d, where they are quadratic
    nodes       of a tree: variable, threshold, node to the left, node to the right, class; a leaf has variable −1
    center, scale    what is taken from each column, and what it is then divided by
    """

    inputs: tuple[str, ...]
    classes: tuple[Any, ...]
    rule: str
    intercepts: tuple[float, ...] = ()
    shifts: tuple[float, ...] = ()
    weights: tuple[tuple[float, ...], ...] = ()
    kernel: tuple[Any, ...] = ()
    points: tuple[tuple[float, ...], ...] = ()
    coefficients: tuple[tuple[float, ...], ...] = ()
    rotations: tuple[tuple[tuple[float, ...], ...], ...] = ()
    centres: tuple[tuple[float, ...], ...] = ()
    nodes: tuple[tuple[Any, ...], ...] = ()
    center: tuple[float, ...] = ()
    scale: tuple[float, ...] = ()


def program(estimator: Any, columns: Sequence[str]) -> Program:
    """Return the program of a fitted estimator; its numbers are rounded to doubles, where they are none.

    Raises    InvalidInput for a model of another kind, and for numbers beyond the doubles
    """
    around: dict[str, Any] = {}
    if isinstance(estimator, Standardized):
        scaler, estimator = estimator.standardizer_, estimator.estimator_
        around = {"center": _doubles(scaler.center_), "scale": _doubles(scaler.scale_)}
    classes = tuple(estimator.classes_) if estimator.takes_labels else ()
    model = estimator._model
    if isinstance(model, tuple) and len(model) == 1:
        (model,) = model
    if hasattr(model, "_model"):  # several machines within an estimator of its own
        model = model._model
    found = _parts(model, bool(classes))
    if found is None:
        need = "a linear or quadratic rule, machines with a kernel of vectors, or a tree"
        raise InvalidInput("export", need=need, got=f"{estimator.method} ({type(model).__name__})")
    return Program(tuple(columns), classes, **found, **around)


def _parts(model: Any, labelled: bool) -> Optional[dict[str, Any]]:
    """Return the parts of a program that a model decides; None for a model of another kind."""
    if isinstance(model, lda.Model) and model.weighing.costs is None:
        return _linear(model.directions, model.constants, _offsets(model.weighing))
    if isinstance(model, qda.Model) and model.whites is not None and model.weighing.costs is None:
        rotations = tuple(tuple(map(_doubles, rows)) for rows, _ in model.whites)
        shifts, centres = _offsets(model.weighing), tuple(_doubles(centre) for _, centre in model.whites)
        return {"rule": "largest", "rotations": rotations, "centres": centres, "shifts": shifts}
    if isinstance(model, least_squares.Indicated):
        model = model.regression
        return _linear(model.coefficients.T, model.intercepts)
    if isinstance(model, logistic.Model):
        return _linear(model.coefficients, model.constants)
    if isinstance(model, Linear) and len(model.intercepts) == 1:
        return {**_linear(model.coefficients.T, model.intercepts), "rule": "value"}
    if isinstance(model, tree.Model):
        return {"rule": "leaf", "nodes": tuple(map(_node, model.nodes))} if _is_axial(model) else None
    return _machines(model, labelled)


def _machines(model: Any, labelled: bool) -> Optional[dict[str, Any]]:
    if isinstance(model, machine.Model):
        return {**_functions([model]), "rule": "sign" if labelled else "value"} if _vectors(model.kernel) else None
    if isinstance(model, (one_vs_one.Model, one_vs_rest.Model)):
        inner = [getattr(side.estimator, "_model", None) for side in model.machines]
        plain = all(isinstance(each, machine.Model) and _vectors(each.kernel) for each in inner)
        if not plain or any(side.sign < 0 for side in model.machines):
            return None
        return {**_functions(inner), "rule": "votes" if isinstance(model, one_vs_one.Model) else "largest"}
    if isinstance(model, (crammer_singer.Model, decision.Model)) and _vectors(model.kernel):
        own = model.coefficients if isinstance(model, crammer_singer.Model) else model.beta
        intercepts = [0] * len(own) if isinstance(model, crammer_singer.Model) else model.beta0
        if model.weights is not None:
            return _linear(model.weights, intercepts)
        rows = tuple(map(_doubles, own))
        return {**_expansion(model.kernel, tuple(map(_doubles, model.points)), rows, intercepts), "rule": "largest"}
    return None


def _functions(models: Sequence[Any]) -> dict[str, Any]:
    """Return the parts of several kernel machines: on one set of points, each once."""
    intercepts = [m.beta0 for m in models]
    if all(m.beta is not None for m in models):
        return _linear([m.beta for m in models], intercepts)
    place: dict[tuple[float, ...], int] = {}
    for m in models:
        for point in m.points:
            place.setdefault(_doubles(point), len(place))
    rows = []
    for m in models:
        row = [0.0] * len(place)
        for point, c in zip(m.points, m.coefficients):
            row[place[_doubles(point)]] += float(approximate(c))
        rows.append(tuple(row))
    return _expansion(models[0].kernel, tuple(place), tuple(rows), intercepts)


def _linear(weights: Any, intercepts: Any, shifts: Any = None) -> dict[str, Any]:
    rows = tuple(map(_doubles, weights))
    none = (0.0,) * len(rows)
    return {"rule": "largest", "weights": rows, "intercepts": _doubles(intercepts), "shifts": shifts or none}


def _expansion(kernel: Any, points: Any, coefficients: Any, intercepts: Any) -> dict[str, Any]:
    name, parameters = KERNELS[type(kernel).__name__]
    described = (name, *(float(approximate(getattr(kernel, each))) for each in parameters))
    return {"kernel": described, "points": points, "coefficients": coefficients, "intercepts": _doubles(intercepts)}


def _vectors(kernel: Any) -> bool:
    return type(kernel).__name__ in KERNELS


def _is_axial(model: tree.Model) -> bool:
    return all(node.split is None or node.split.direction is None for node in model.nodes)


def _node(node: tree.Node) -> tuple[Any, ...]:
    label = node.counts.index(max(node.counts))
    if node.split is None:
        return (-1, 0.0, 0, 0, label)
    return (node.split.variable, float(approximate(node.split.threshold)), node.left, node.right, label)


def _offsets(weighing: Any) -> tuple[float, ...]:
    """Return the logarithms of the constants of the classes, less that of the first."""
    if weighing.logs is not None:
        return _doubles(weighing.offsets())
    squares = [float(approximate(s)) for s in weighing.squares]
    return tuple((math.log(s) - math.log(squares[0])) / 2 for s in squares)


def _doubles(row: Any) -> tuple[float, ...]:
    found = tuple(float(approximate(v)) for v in row)
    if not all(map(math.isfinite, found)):
        raise InvalidInput("export", need="numbers within the range of doubles", got="one beyond it")
    return found
