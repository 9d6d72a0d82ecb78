"""Support vector regression, Huber's and kernel ridge against optima computed elsewhere in 40 digits."""

import pytest

from refclass import SVR, HuberRegression, KernelRidge
from tests.golden.cases import cases, close, kernel, load

LOSSES = {
    "svr": "epsilon_insensitive",
    "svr_squared_eps": "squared_epsilon_insensitive",
    "svr_izenman_quadratic": "quadratic_epsilon_insensitive",
}


def fitted(kind, case, **more):
    """Return the regression of a case with its data, and the spread of y."""
    X, y = load(case["data"])
    m = kind(kernel=kernel(case["parameters"]["kernel"]), **more).fit(X, y)
    return m, X, max(y) - min(y)


def agrees(m, X, want, allowed):
    """Assert that fitted values at rows and at new points are those of the case."""
    f = m.predict(X)
    assert close([f[i] for i in want["rows"]], want["fitted_at_rows"], allowed)
    assert close(m.predict(want["new_points"]), want["fitted_at_new_points"], allowed)
    if "beta" in want:
        assert close(m.coef_, want["beta"], allowed)


def is_the_machine(m, X, spread, case):
    """Assert that objective, intercept, coefficients and fit of a machine are those of the case, and proven."""
    want, tol = case["expected"], case["check_tolerance"]
    assert close(m.objective_, want["objective"], tol["objective_relative"] * want["objective"])
    assert close(m.dual_objective_, want["objective"], tol["objective_relative"] * want["objective"])
    assert close(m.intercept_[0], want["b"], tol["b_relative_to_spread_of_y"] * spread)
    agrees(m, X, want, tol["fitted_relative_to_spread_of_y"] * spread)
    c = want["coefficients"]
    c = [c.get(str(i), 0.0) for i in range(len(X))] if isinstance(c, dict) else c
    assert close(m.coefficients_, c, tol["coefficients_relative_to_largest"] * max(map(abs, c)))
    assert m.certificate_.status == "optimal"


@pytest.mark.parametrize("case", cases("svr"))
def test_support_vector_regression_reaches_the_optimum_computed_elsewhere(case):
    """The three losses, against cvxopt's active set in 40 digits and LIBSVM
    [SVR-DUAL.P1] [SVR-L2.P1] [SVR-L2.P3] [MMST-11.124] [MMST-Ex11.2]."""
    given = case["parameters"]
    m, X, spread = fitted(SVR, case, C=given["C"], epsilon=given["epsilon"], loss=LOSSES[case["method"]])
    is_the_machine(m, X, spread, case)
    assert [b - a for a, b in zip(m.alpha_, m.alpha_star_)] == m.coefficients_
    assert min(m.alpha_) >= 0 and min(m.alpha_star_) >= 0
    if "n_support" in case["expected"]:
        assert len(m.support_) == case["expected"]["n_support"]


@pytest.mark.parametrize("case", cases("huber"))
def test_huber_regression_reaches_the_optimum_computed_elsewhere(case):
    """Huber's loss with a kernel, against cvxopt and iterative reweighting  [HUBER-FIT.P1] [ESL-12.38]."""
    given = case["parameters"]
    m, X, spread = fitted(HuberRegression, case, c=given["c"], penalty=given["lambda"])
    is_the_machine(m, X, spread, case)


@pytest.mark.parametrize("case", cases("kernel_ridge"))
def test_kernel_ridge_is_the_solution_computed_elsewhere(case):
    """Kernel ridge without a constant and with a free one, against mpmath and scikit-learn
    [KRR.P2] [KRR-CENTER.P1] [ESL-12.49] [ESL-Ex12.3]."""
    given, want = case["parameters"], case["expected"]
    m, X, spread = fitted(KernelRidge, case, penalty=given["lambda"], intercept=given["intercept"])
    allowed = case["check_tolerance"]["fitted_relative_to_spread_of_y"] * spread
    agrees(m, X, want, allowed)
    assert close(m.coefficients_, want["coefficients"], 10 * allowed / given["lambda"])
    assert close(m.objective_, want["objective"], 1e-9 * want["objective"])
    assert close(m.intercept_[0], want.get("b", 0.0), 10 * allowed)
    if "trace_of_smoother" in want:
        assert close(m.degrees_of_freedom_, want["trace_of_smoother"], 1e-8)
    assert m.certificate_.status == "optimal"
