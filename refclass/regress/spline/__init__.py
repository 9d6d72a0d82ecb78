"""Smoothing splines and additive models, with their smoothing parameters.

Reading order:
    smoother
    additive_fit | certificate | degrees_of_freedom
    additive_bound | additive_direct | additive_refinement | backfitting | curve_decimals | gcv
    additive_decimals | bruto_selection | spline
    additive
    bruto_steps
    bruto
"""
