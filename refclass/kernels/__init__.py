"""Kernels: inner products of points in a space of features that need not be written down.

A kernel is a frozen record of its parameters. `kernel(F, x, z)` is its value, `kernel.row(F, x, Z)` its values for one
point and many, `kernel.points(F, X, rows)` the points that the user's X describes. Its docstring claims its laws.

Reading order:
    kernel
    combine | dirichlet | gaussian | laplacian | linear | polynomial | precomputed | sigmoid | spline | string
    thin_plate
    interaction_spline | matrices
    spaces
"""
