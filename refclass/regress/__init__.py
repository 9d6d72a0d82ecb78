"""Floor 4: regressions, with any number of responses at once.

A model room offers `fit(F, X, Y, weights=None, *, …) -> Model`, X with a row for each observation, Y with a column for
each response. FDA stands on any of them, and so do the regression estimators.

Reading order:
    least_squares
    ridge
    given | extent | gcv | columns | ridge_proof
    valley | smoother | polynomial
    degrees | proof | backfitting
    criterion
    choice
    spline | selection
    direct
    additive
    bruto
    knots | deletion
    mars
    dual | bordered | product
    conjugates | dual_proof | slopes | coordinates
    semismooth
    crossover | free_points
    training
    insensitive | huber | kernel_ridge | smooth
    smooth_proof
"""
