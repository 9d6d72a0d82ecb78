"""Two-class machines against optima computed elsewhere in 40 digits, cross-checked with LIBSVM and cvxopt."""

import math

import pytest

from refclass import SVC
from tests.golden.cases import cases, close, kernel, load


def fitted(case):
    """Return the machine of a case, with its data and its sample weights where the case names a formula for them."""
    X, y = load(case["data"])
    given = case["parameters"]
    options = {"C": given.get("C", math.inf), "kernel": kernel(given["kernel"]), "intercept": given["intercept"]}
    if case["method"] == "svc_2norm":
        options["loss"] = "squared_hinge"
    weights, extra = given.get("sample_weights"), {}
    if isinstance(weights, dict):
        options["class_weight"] = {1: weights["class +1"], -1: weights["class -1"]}
    elif weights is not None:
        extra["sample_weight"] = [1 + (i % 4) / 2 for i in range(len(y))]
    return SVC(**options).fit(X, y, **extra), X, y


@pytest.mark.parametrize("case", cases("svc", "svc_hard", "svc_2norm"))
def test_the_default_solver_reaches_the_optimum_computed_elsewhere(case):
    """Objective, dual objective, decision values, intercept and multipliers, within the case's tolerances
    [ESL-12.8] [ESL-12.13] [SVC-L1.P1] [SVC-HARD.P1] [SVC-L2.P4] [SVC-NOINT.P1] [SVC-COST-CLASS.P1]."""
    m, X, y = fitted(case)
    want, allowed = case["expected"], case["check_tolerance"]
    assert close(m.objective_, want["objective"], allowed["objective_relative"] * want["objective"])
    assert close(m.dual_objective_, want["objective"], allowed["objective_relative"] * want["objective"])
    low, high = want.get("b_interval", (want.get("b", 0.0), want.get("b", 0.0)))
    assert close(m.intercept_interval_, (low, high), allowed["b"] * max(1, abs(low)))
    shift = m.intercept_[0] - want.get("b", 0.0)
    f = m.decision_function(X)
    for i, v in zip(want["rows"], want["decision_at_rows"]):
        assert close(f[i] - shift, v, allowed["decision_values"] * max(1, abs(v)))
    if case.get("smallest_strict_complementarity"):
        alpha = [want["alpha"].get(str(i), 0.0) for i in range(len(y))]
        assert close(m.alpha_, alpha, allowed["alpha_relative_to_largest"] * max(alpha))
        assert m.support_ == sorted(map(int, want["alpha"]))
    assert m.certificate_.status == "optimal"
