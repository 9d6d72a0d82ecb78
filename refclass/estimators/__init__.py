"""Floor 7: the public face, scikit-learn's shape over every model.

Reading order:
    estimator | points
    gram | svc
    regressor
    polynomial_regression | smoothing_spline | bruto | mars
"""
