"""The direct many-class machine against optima computed elsewhere in 40 digits, cross-checked by others."""

import pytest

from refclass import CrammerSingerSVC
from tests.golden.cases import cases, close, kernel, load


def fitted(case):
    """The machine of a case with its data, and the places of its classes in the case's order."""
    X, y = load(case["data"])
    m = CrammerSingerSVC(C=case["parameters"]["C"], kernel=kernel(case["parameters"]["kernel"])).fit(X, y)
    return m, X, y, [m.classes_.index(c) for c in case["expected"]["class_order"]]


@pytest.mark.parametrize("case", cases("multiclass_cs"))
def test_the_optimum_is_the_one_computed_elsewhere(case):
    """Objectives, decision values at old and new points, weights, slacks and training errors, within the case's
    tolerances  [ISML-27.5-soft] [ISML-27.5-dual] [ISML-27.5-predict] [MC-CS-SOFT.P1] [MC-CS-DUAL.P1]."""
    m, X, y, order = fitted(case)
    want, tol = case["expected"], case["check_tolerance"]
    allowed = tol["objective_relative"] * want["objective"]
    assert close(m.objective_, want["objective"], allowed) and close(m.dual_objective_, want["objective"], allowed)
    f = [[row[k] for k in order] for row in m.decision_function(X)]
    assert close([f[i] for i in want["rows"]], want["decision_at_rows"], tol["decision_values"])
    new = [[row[k] for k in order] for row in m.decision_function(want["new_points"])]
    assert close(new, want["decision_at_new_points"], tol["decision_values"])
    if "w" in want:
        assert close([m.coef_[k] for k in order], want["w"], tol["decision_values"])
    own = [want["class_order"].index(v) for v in y]
    slacks = [max(v + (k != g) for k, v in enumerate(row)) - row[g] for row, g in zip(f, own)]
    assert close(sum(slacks), want["sum_slack"], len(y) * tol["decision_values"])
    assert sum(a != b for a, b in zip(m.predict(X), y)) == want["train_errors"]
    assert len(m.support_) == want["n_support"]


@pytest.mark.parametrize("case", cases("multiclass_cs"))
def test_the_optimum_is_proven(case):
    """The exact gap of the default solver is a billionth of the objective or less  [MC-CS-DUAL.P1]."""
    m = fitted(case)[0]
    assert m.certificate_.status == "optimal"
    assert 0 <= float(m.certificate_.gap) <= 1e-9 * m.objective_
