"""The regularisation path against break points computed elsewhere in 40 digits, segment by segment."""

import pytest

from refclass import SVMPath
from tests.golden.cases import cases, close, kernel, load


def fitted(case, **options):
    X, y = load(case["data"])
    return SVMPath(kernel=kernel(case["parameters"]["kernel"]), **options).fit(X, y)


@pytest.mark.parametrize("case", cases("svm_path"))
def test_break_points_multipliers_and_events_are_those_computed_elsewhere(case):
    """λ, α, β₀ and the events of every break point [ESL-12.3.5-path] [ESL-12.33] [OPT-PATH.P1]."""
    m, want, allowed = fitted(case), case["expected"]["breakpoints"], case["check_tolerance"]
    assert len(m.lambdas_) == case["expected"]["n_breakpoints"]
    for lam, alpha, beta0, events, point in zip(m.lambdas_, m.alphas_, m.intercepts_, m.events_, want):
        assert close(lam, point["lambda"], allowed["lambda_relative"] * point["lambda"])
        assert close(alpha, point["alpha"], allowed["alpha"]) and close(beta0, point["b"], 10 * allowed["alpha"])
        assert sorted(events) == sorted((kind, row) for kind, row in point["event"])


@pytest.mark.parametrize("case", cases("svm_path"))
def test_the_machine_between_break_points_is_the_one_computed_elsewhere(case):
    """at(λ) has multipliers α/λ [ESL-12.34] [OPT-PATH.P2]."""
    m, allowed = fitted(case), case["check_tolerance"]
    for point in case["expected"]["profiles"]:
        machine = m.at(point["lambda"])
        assert close([point["lambda"] * a for a in machine.alpha_], point["alpha"], allowed["alpha"])
        assert point["b"] is None or close(machine.intercept_[0], point["b"], 10 * allowed["alpha"])


@pytest.mark.parametrize("case", cases("svm_path"))
def test_floats_and_fractions_see_the_same_events_in_the_same_order(case):
    """Number and order of events do not depend on the arithmetic [OPT-PATH.P1]."""
    assert fitted(case).events_ == fitted(case, arithmetic="exact").events_
