"""Kernel machines for regression: their losses as conjugate pieces, solvers and certificates.

Reading order:
    bordered | loss_slopes | machine | newton_coordinates | smooth
    huber | insensitive | intercept | semismooth_newton
    certificate | crossover
    free_points | kernel_ridge | null_space | smooth_certificate
    ridge_deletion | rounding
    fit
"""
