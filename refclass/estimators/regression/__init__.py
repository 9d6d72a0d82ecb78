"""Public regressions.

Reading order:
    bruto | huber | kernel_ridge | lasso | linear_regression | mars | polynomial_regression
    semiparametric_regression | smoothing_spline | svr
    ridge
"""
