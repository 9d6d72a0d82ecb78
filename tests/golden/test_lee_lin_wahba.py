"""Lee–Lin–Wahba machines against optima computed elsewhere in 40 digits, cross-checked with OSQP and cvxopt."""

import pytest

from refclass import LeeLinWahbaSVC
from tests.golden.cases import cases, close, kernel, load


@pytest.mark.parametrize("case", cases("multiclass_llw"))
def test_the_default_solver_reaches_the_optimum_computed_elsewhere(case):
    """Objective, dual objective, functions, intercepts and multipliers, within the case's tolerances [MMST-11.77]
    [MMST-11.104] [MC-LLW-DUAL.P1] [MC-LLW-PRED.P1]."""
    X, y = load(case["data"])
    given, want, allowed = case["parameters"], case["expected"], case["check_tolerance"]
    m = LeeLinWahbaSVC(penalty=given["lambda"], kernel=kernel(given["kernel"])).fit(X, y)
    assert m.classes_ == want["class_order"]
    objective, near = want["objective_I_lambda"], allowed["decision_values"]
    assert close(m.objective_, objective, allowed["objective_relative"] * objective)
    assert close(m.dual_objective_, objective, allowed["objective_relative"] * objective)
    assert close(-m.dual_objective_ * len(X) ** 2 * given["lambda"], want["dual_FD_minimum"], 1e-6)
    f = m.decision_function(X)
    assert close([f[i] for i in want["rows"]], want["decision_at_rows"], near)
    assert close(m.decision_function(want["new_points"]), want["decision_at_new_points"], near)
    assert close(m.intercept_, want["intercepts"], near)
    assert len(m.support_) == want["n_support"]
    assert sum(a != b for a, b in zip(m.predict(X), y)) == want["train_errors"]
    for name, values in (("alpha", m.alpha_), ("beta", m.coefficients_)):
        if name in want:
            assert close(values, want[name], near)
    assert m.certificate_.status == "optimal"


@pytest.mark.parametrize("case", cases("multiclass_llw"))
def test_the_exact_optimum_is_the_one_computed_elsewhere(case):
    """In fractions the gap is 0, and the objective is the other programs' to all their digits [MMST-11.104]
    [MC-LLW-DUAL.P1]."""
    X, y = load(case["data"])
    given, want = case["parameters"], case["expected"]
    m = LeeLinWahbaSVC(penalty=given["lambda"], kernel=kernel(given["kernel"]), arithmetic="exact").fit(X, y)
    assert m.objective_ == m.dual_objective_ and m.certificate_.gap == 0
    assert close(m.objective_, want["objective_I_lambda"], 1e-14)
    assert close(m.intercept_, want["intercepts"], 1e-12)
