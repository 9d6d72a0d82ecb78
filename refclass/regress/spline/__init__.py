"""Smoothing splines and additive models, with their smoothing parameters.

Reading order:
    branch_and_bound | gcv | smoother
    backfitting | certificate | degrees_of_freedom | gcv_criterion | gcv_enclosure
    additive_direct | bruto_selection | gcv_certificate
    additive | spline
    bruto
"""
