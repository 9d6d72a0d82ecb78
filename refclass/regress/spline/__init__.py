"""Smoothing splines and additive models, with their smoothing parameters.

Reading order:
    branch_and_bound | gcv | smoother
    backfitting | certificate | degrees_of_freedom | gcv_criterion
    additive_direct | bruto_selection | gcv_certificate
    additive | spline
    bruto
"""
