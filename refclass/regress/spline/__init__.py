"""Smoothing splines and additive models, with their smoothing parameters.

Reading order:
    curve
    smoother
    additive_fit | certificate | degrees_of_freedom
    additive_bound | additive_representers | backfitting | curve_decimals | gcv
    additive_integrals | additive_refinement
    additive_decimals
    spline
    additive
"""
