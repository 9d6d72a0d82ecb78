"""LIBLINEAR's text models: one row of weights a feature, a column a machine  (Fan et al., LIBLINEAR, section 3).

With bias ≥ 0 the last weight belongs to a constant feature of that value, and is penalised like the others. A single
function is positive for the class that `label` names first; of K > 2 classes there is one for each, against the rest.
"""

from __future__ import annotations

from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.number.field import rational
from refclass.oracle.readers.libsvm import entry, label, number, whole_number


def answer(content: str, source: str) -> dict[str, Any]:
    """Return what a model says: coefficients and intercepts.  Raises InvalidInput for another form."""
    head, rows = model(content, source)
    bias = _bias(head, source)
    features = int(head["nr_feature"][0])
    constant = [rational(v) * rational(bias) for v in rows[features]] if bias >= 0 else [0] * len(rows[0])
    coef = [list(column) for column in zip(*rows[:features])]
    if "label" not in head:
        return {"arithmetic": "float", "fitted": {"coef": coef[0], "intercept": constant[0]}}
    labels = [label(v, source, 0) for v in head["label"]]
    if len(labels) == 2 and len(coef) == 1:
        labels.reverse()  # Premise: here one function is positive for the later class.
    fitted = {"classes": labels, "coef": coef, "intercept": constant}
    if head["solver_type"][0] == "MCSVM_CS" and bias < 0:
        del fitted["intercept"]
    return {"arithmetic": "float", "fitted": fitted}


def model(content: str, source: str) -> tuple[dict[str, list[str]], list[list[Any]]]:
    """Return the head of a model by name, and its rows of weights.  Raises InvalidInput for another form."""
    head: dict[str, list[str]] = {}
    lines = iter(content.splitlines())
    for line in lines:
        name, *values = line.split() or [""]
        if name == "w":
            break
        head[name] = values
    words = [line.split() for line in lines if line.strip()]
    entry(head, "solver_type", source, 1)
    features = whole_number(head, "nr_feature", source, 1) + (_bias(head, source) >= 0)
    if len(words) != features:
        raise InvalidInput(source, need=f"{features} rows of weights, as nr_feature and bias say", got=len(words))
    classes = whole_number(head, "nr_class", source, 2) if "label" in head else 2
    if "label" in head:
        entry(head, "label", source, classes)
    width = len(words[0])
    if width != classes and not (width == 1 and classes == 2):
        raise InvalidInput(source, need=f"{classes} weights in each row, one for each class", got=width)
    for k, row in enumerate(words, start=1):
        if len(row) != width:
            raise InvalidInput(source, need=f"{width} weights in each row", got=len(row), row=k)
    return head, [[number(v, "a weight", source) for v in row] for row in words]


def _bias(head: dict[str, list[str]], source: str) -> Any:
    """Return the value of the constant feature; negative where there is none."""
    return number(entry(head, "bias", source, 1)[0], "bias", source) if "bias" in head else -1


SOLVERS: dict[str, tuple[str, dict[str, Any]]] = {
    "L2R_L2LOSS_SVC": ("svc", {"loss": "squared_hinge"}),
    "L2R_L2LOSS_SVC_DUAL": ("svc", {"loss": "squared_hinge"}),
    "L2R_L1LOSS_SVC_DUAL": ("svc", {}),
    "MCSVM_CS": ("crammer_singer", {}),
    "L2R_L2LOSS_SVR": ("svr", {"loss": "squared_epsilon_insensitive"}),
    "L2R_L2LOSS_SVR_DUAL": ("svr", {"loss": "squared_epsilon_insensitive"}),
    "L2R_L1LOSS_SVR_DUAL": ("svr", {}),
}


def question(examples: tuple[list[list[Any]], list[Any]], content: str, source: str) -> dict[str, Any]:
    """Return the problem that a model is an answer to, but for C and ε, which it does not hold."""
    head, _ = model(content, source)
    solver = head["solver_type"][0]
    if solver not in SOLVERS:
        raise InvalidInput(source, need=f"solver_type among {', '.join(SOLVERS)}", got=quoted(solver))
    method, parameters = SOLVERS[solver]
    x, y = examples
    given: dict[str, Any] = {"method": method, "x": x, "y": y, "parameters": dict(parameters)}
    if method == "svc" and len(head["label"]) > 2:
        given["parameters"]["multiclass"] = "ovr"
    if method != "crammer_singer":
        if _bias(head, source) >= 0:
            given["conventions"] = {"intercept": "penalised"}
        else:
            given["parameters"]["intercept"] = False
    return given
