"""Hyperplanes: sides, distances and margins of points.

Reading order:
    hyperplane
    fitted_hyperplane
"""
