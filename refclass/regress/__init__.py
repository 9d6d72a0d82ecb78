"""Regressions, with any number of responses at once.

A model module offers `fit(F, X, Y, weights=None, *, …) -> Model`, X with a row for each observation, Y with a column
for each response. FDA stands on any of them, and so do the regression estimators.

Reading order:
    kernel | linear
    spline
    bruto | mars
"""
