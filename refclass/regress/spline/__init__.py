"""Smoothing splines and additive models, with their smoothing parameters.

Reading order:
    brent | gcv | smoother
    backfitting | certificate | degrees_of_freedom | gcv_criterion
    additive_direct | bruto_selection | gcv_certificate
    additive | spline
    bruto
"""
