"""Smoothing splines and additive models, with their smoothing parameters.

Reading order:
    smoother
    additive_fit | certificate | degrees_of_freedom
    additive_bound | additive_direct | backfitting | gcv
    additive | bruto_selection | spline
    bruto_steps
    bruto
"""
