"""Kernel machines for regression: their losses as conjugate pieces, solvers and certificates.

Reading order:
    bordered | machine | smooth
    huber | insensitive | intercept | newton
    certificate | kernel_ridge | tube_optimality
    free_points | null_space | ridge_deletion | smooth_certificate
    rounding
    fit
"""
