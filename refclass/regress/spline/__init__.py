"""Smoothing splines and additive models, with their smoothing parameters.

Reading order:
    curve
    smoother
    additive_fit | certificate | degrees_of_freedom
    additive_bound | backfitting | curve_decimals | gcv
    additive_integrals | additive_refinement | additive_representers
    additive_decimals
    spline
    additive
"""
